"""The client commands, as a shell runs them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from toastd import BINARY, ROOT

PATIENCE = 120
# Requests to this machine use no proxy.
BASE = {k: v for k, v in os.environ.items() if not k.startswith("TOASTD_") and not k.lower().endswith("_proxy")}


def command(*arguments: str, environment: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """Starts a command."""
    return subprocess.Popen(
        [BINARY, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**BASE, "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC", "COLUMNS": "80", **(environment or {})},
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options},
    )


def run(*arguments: str, input: str | None = None, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    pipe = {} if input is None else {"stdin": subprocess.PIPE}
    with command(*arguments, **pipe, **options) as process:
        try:
            out, err = process.communicate(input, timeout=PATIENCE)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


class Running:
    """A running command, and its output so far."""

    def __init__(self, *arguments: str, **options: Any) -> None:
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._changed = threading.Condition()
        self.process = command(*arguments, **options)
        self._threads = [
            threading.Thread(target=self._read, args=pair, daemon=True)
            for pair in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        ]
        for thread in self._threads:
            thread.start()

    def _read(self, pipe: Any, lines: list[str]) -> None:
        for line in pipe:
            with self._changed:
                lines.append(line.rstrip("\n"))
                self._changed.notify_all()

    def until(self, condition: Callable[[list[str]], Any], timeout: float = PATIENCE) -> Any:
        """Waits until the lines of output satisfy a condition, and returns its value."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while not (found := condition(self.lines)):
                left = deadline - time.monotonic()
                assert left > 0, f"waited in vain: {self.lines} {self.errors}"
                self._changed.wait(left)
            return found

    def end(self, number: int | None = None) -> int:
        """Waits for the end, after a signal if one is given, and returns the exit status."""
        if number is not None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        return status


@contextlib.contextmanager
def running(*arguments: str, **options: Any) -> Iterator[Running]:
    """A command that is ended with the block in any case."""
    running = Running(*arguments, **options)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.send_signal(signal.SIGKILL)
            running.process.wait()
