"""Child processes that end with the driver, pinned to a core, with their CPU time and memory read from the kernel."""

import atexit
import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "Benchmarks" / "out"

_running: list["Process"] = []


class Cores:
    """Puts the server on one core, clients and driver on another one, if there are two cores and `taskset`."""

    def __init__(self) -> None:
        usable = sorted(os.sched_getaffinity(0))
        self.pinned = len(usable) >= 2 and shutil.which("taskset") is not None
        self.server, self.client, self.usable = usable[0], usable[-1], usable
        if self.pinned:
            os.sched_setaffinity(0, {self.client})  # inherited by all processes that are started without a core

    def server_prefix(self) -> list[str]:
        return ["taskset", "-c", str(self.server)] if self.pinned else []

    def free_prefix(self) -> list[str]:
        """The beginning of a command that may run on every core, also the clients'."""
        return ["taskset", "-c", ",".join(map(str, self.usable))] if self.pinned else []

    def describe(self) -> str:
        if self.pinned:
            return f"server on core {self.server}, clients and driver on core {self.client}"
        return "nothing pinned: server and clients share all cores"


class Process:
    """One child. Its standard error goes to `out/logs/NAME.log`. It gets SIGTERM when the driver dies, if there is
    `setpriv`.
    """

    def __init__(self, name: str, command: list[str], **options) -> None:
        logs = OUT / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        self.name, self.log = name, logs / f"{name}.log"
        guard = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
        with self.log.open("w") as log:
            self.popen = subprocess.Popen(guard + command, stderr=log, stdin=subprocess.PIPE, text=True, **options)
        self.pid = self.popen.pid
        _running.append(self)

    def stop(self, patience: float = 10) -> None:
        """Closes the standard input, sends SIGTERM, and SIGKILL after `patience` seconds."""
        if self in _running:
            _running.remove(self)
        with suppress(OSError):  # it may have ended before
            self.popen.stdin.close()
        if self.popen.poll() is None:
            self.popen.terminate()
        try:
            self.popen.wait(patience)
        except subprocess.TimeoutExpired:
            print(f"{self.name} did not end within {patience} s of SIGTERM: killed", flush=True)
            self.popen.kill()
            self.popen.wait()

    def await_log(self, pattern, seconds: float = 30):
        """Waits for the first match of a compiled pattern in the standard error."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if match := pattern.search(self.log.read_text()):
                return match
            if self.popen.poll() is not None:
                break
            time.sleep(0.005)
        raise RuntimeError(f"{self.name} did not start; its standard error:\n{self.log.read_text()[-2000:]}")


def cpu_seconds(pid: int) -> float:
    """User and system time of all threads of a process, in seconds: more precise than `/proc/PID/stat`.

    The clock's number is the kernel's CPUCLOCK_SCHED for the pid, see clock_getcpuclockid(3).
    """
    return time.clock_gettime((~pid << 3) | 2)


def memory_kib(pid: int) -> dict[str, int]:
    """`{"Rss": KiB, "Anonymous": KiB}` of a process: the resident memory with and without mapped files."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    fields = (line.split() for line in lines[1:])
    return {name[:-1]: int(size) for name, size, *_ in fields if name in ("Rss:", "Anonymous:")}


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@atexit.register
def stop_all() -> None:
    for process in reversed(list(_running)):
        process.stop(patience=3)


def end_on_signals() -> None:
    """Turns SIGINT, SIGTERM and SIGHUP into SystemExit, so that all started processes are ended, also in background."""
    def end(number: int, _) -> None:
        raise SystemExit(f"ended by {signal.Signals(number).name}")

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
