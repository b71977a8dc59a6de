"""Waits for a server's asynchronous work, with a limit that also suits a slow machine."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import Any

from toastd import Toastd

PATIENCE = 60


def until(condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Waits until a condition is true, and returns its value."""
    deadline = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return found


def wait_for_log(server: Toastd, word: str, times: int = 1) -> None:
    """Waits until this many lines of a server's log contain a word."""
    try:
        until(lambda: sum(word in line for line in server.log) >= times)
    except AssertionError:
        raise AssertionError("".join(server.log)) from None


def hang_up(server: Toastd, word: str) -> None:
    """Sends SIGHUP, so that the server reads its files again, and waits until its log contains a word."""
    server.process.send_signal(signal.SIGHUP)
    wait_for_log(server, word)
