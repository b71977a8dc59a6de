"""A cluster keeps its promises while nodes, servers and links fail: a history is recorded and then checked."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from cluster_run import LONG, SHORT
from network import isolated

RUN = Path(__file__).with_name("cluster_run.py")


@pytest.mark.timeout(1500)
def test_a_disturbed_cluster_keeps_its_promises(tmp_path: Path, soak: bool) -> None:
    seed = int(os.environ.get("TOASTD_CLUSTER_SEED") or random.randrange(2**32))
    seconds = int(os.environ.get("TOASTD_CLUSTER_SECONDS") or (LONG if soak else SHORT))
    print(f"TOASTD_CLUSTER_SEED={seed} TOASTD_CLUSTER_SECONDS={seconds}")
    options = ["--directory", str(tmp_path), "--seed", str(seed), "--seconds", str(seconds)]
    run = subprocess.Popen(isolated([sys.executable, str(RUN), *options]), stdout=subprocess.PIPE, text=True)
    try:
        output = "".join(run.stdout)
        status = run.wait()
    finally:
        if run.poll() is None:
            run.terminate()
            run.wait()
    print(output)
    assert status == 0, f"TOASTD_CLUSTER_SEED={seed} TOASTD_CLUSTER_SECONDS={seconds}"
