"""Promises to clients stay true whatever happens to the server: a history is recorded and then checked."""

import asyncio
import os
import random
import time

import pytest

from history_rules import check
from history_run import Run, figures


@pytest.mark.timeout(1800)
def test_the_history_of_a_server_that_is_killed_again_and_again(tmp_path, soak):
    seed = int(os.environ.get("TOASTD_HISTORY_SEED") or random.randrange(2**32))
    kills = int(os.environ.get("TOASTD_HISTORY_KILLS") or (200 if soak else 6))
    print(f"TOASTD_HISTORY_SEED={seed} TOASTD_HISTORY_KILLS={kills}")
    started = time.monotonic()
    history = asyncio.run(Run(tmp_path, seed, kills).whole())
    ran = time.monotonic() - started
    faults = check(history)
    print(f"{figures(history)}; {ran:.0f} s and {time.monotonic() - started - ran:.0f} s to judge")
    assert not faults, f"{len(faults)} faults, TOASTD_HISTORY_SEED={seed}; the first:\n" + "\n".join(
        map(str, faults[:3])
    )
