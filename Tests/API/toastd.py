"""The server under test: the real binary, on a port that the system picks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = ROOT / os.environ.get("TOASTD_BIN", ".build/debug/toastd")
PUBLIC = Path(os.environ.get("TOASTD_TEST_PUBLIC", ROOT / "public"))
# Measurements of memory mean nothing under a sanitizer, which needs memory of its own and returns little.
IS_INSTRUMENTED = not {"ASAN_OPTIONS", "TSAN_OPTIONS"}.isdisjoint(os.environ)
ADDRESS = re.compile(r"(?<=serving at )http://[^\s\"',]+")


class Toastd:
    """A process of toastd. `log` has its standard error."""

    def __init__(self, directory: Path, *options: str, store: str | None = None) -> None:
        self.command = [
            str(BINARY),
            "serve",
            *("--listen", "127.0.0.1:0"),
            *("--store", store or f"sqlite:{directory / 'toastd.db'}"),
            *("--public", str(PUBLIC)),
            *options,
        ]
        self.environment: dict[str, str] = {}
        self.log: list[str] = []
        self.url = ""
        self._serving = threading.Event()

    def __enter__(self) -> Toastd:
        return self.start()

    def __exit__(self, kind: type | None, *_: object) -> None:
        if kind is None:
            self.stop()
        else:
            self.kill()

    def start(self) -> Toastd:
        """Starts the server and waits until it logs its address."""
        self._serving.clear()
        self._is_told = False
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TOASTD_")}
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**environment, "SWIFT_BACKTRACE": "enable=no", **self.environment},
        )
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        if not self._serving.wait(60) or not self.url:
            self.kill()
            raise AssertionError("toastd does not serve:\n" + "".join(self.log))
        return self

    def tell_to_stop(self) -> None:
        """Asks the server to stop (SIGTERM), and does not wait for it."""
        self._is_told = True
        self.process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """Stops the server as a supervisor does, and checks its exit status."""
        if self.process.poll() is None and not self._is_told:
            self.tell_to_stop()
        try:
            status = self.process.wait(40)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("toastd does not stop:\n" + "".join(self.log[-50:])) from None
        self._reader.join(60)
        assert status == 0, f"toastd ended with {status}:\n" + "".join(self.log[-50:])

    def kill(self) -> None:
        """Ends the process at once (SIGKILL). Unlike in a power failure, all written data stays."""
        self.process.kill()
        self.process.wait()
        self._reader.join(60)

    def pause(self) -> None:
        """Stops the process (SIGSTOP) until `resume`."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    @property
    def address(self) -> tuple[str, int]:
        host, port = self.url.removeprefix("http://").rsplit(":", 1)
        return host, int(port)

    @property
    def proc(self) -> Path:
        """The directory of the process in /proc."""
        return Path(f"/proc/{self.process.pid}")

    @property
    def resident_bytes(self) -> int:
        """The resident memory of the process, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def _read_log(self) -> None:
        for line in self.process.stderr:
            self.log.append(line)
            if not self._serving.is_set() and (address := ADDRESS.search(line)):
                self.url = address[0].rstrip("/.")
                self._serving.set()
        self._serving.set()
