"""The Autobahn test cases, against a server that echoes with the product's own WebSocket parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toastd import BINARY, ROOT

ECHO = BINARY.with_name("websocket-echo")
KOSOKU = Path(sys.executable).with_name("kosoku")

# 12 and 13 are about compression, which is not offered. 9 is about size and speed: 80 seconds in a debug build.
LEFT_OUT = ["12.*", "13.*"]
SLOW = ["9.*"]


@pytest.mark.timeout(300)
def test_no_case_fails(tmp_path, soak):
    server = subprocess.Popen(
        [ECHO],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "SWIFT_BACKTRACE": "enable=no"},
    )
    try:
        address = server.stdout.readline().strip()
        excluded = [option for case in LEFT_OUT + ([] if soak else SLOW) for option in ("-x", case)]
        command = [KOSOKU, "-m", "fuzzingclient", "-p", "4", *excluded, "-o", str(tmp_path), f"ws://{address}"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert server.poll() is None, "the echo server has died"
    finally:
        server.communicate("", timeout=20)
    results = {
        case: (result["behavior"], result["behaviorClose"])
        for agent in json.loads((tmp_path / "index.json").read_text()).values()
        for case, result in agent.items()
    }
    assert len(results) > (290 if soak else 240), run.stdout
    good = {"OK", "NON-STRICT", "INFORMATIONAL"}
    assert {case: result for case, result in results.items() if not good.issuperset(result)} == {}
    assert server.returncode == 0
