"""Drivers of the C clients: counted subscribers and bounded publishers."""

import json
import select
import subprocess
from typing import Self

from .processes import OUT, Process, cpu_seconds
from .servers import Server

STREAMS_PER_PROCESS = 8000
"""Well below the limit of 20,000 descriptors of a process here."""


class Subscribers:
    """Streams to one server, from as many client processes as they need."""

    def __init__(self, server: Server, path: str, streams: int, *flags: str, channels: int = 1) -> None:
        self._processes: list[Process] = []
        self.streams = streams
        processes = -(-streams // STREAMS_PER_PROCESS)
        first = 0
        for i in range(processes):
            count = (streams - first) // (processes - i)
            command = [str(OUT / "subscribers"), "--to", f"127.0.0.1:{server.port}", "--path", path]
            command += ["--streams", str(count), "--index", str(first), "--channels", str(channels), *flags]
            self._processes.append(Process(f"subscribers-{i}", command, stdout=subprocess.PIPE))
            first += count
        try:
            self.connection = self._read(60)
            if self.connection["connected"] != streams:
                raise RuntimeError(f"{self.connection['connected']} of {streams} streams to {path} opened")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        for process in self._processes:
            process.stop()

    def reset(self) -> None:
        self._tell("reset")
        self._read(10)

    def expect(self, events: int, seconds: float = 20) -> dict:
        """Waits until every stream has `events` events since the reset; fewer or more are an error."""
        self._tell(f"expect {events} {seconds}")
        counts = self._read(seconds + 5)
        if counts["missed"] or counts["closed"] or counts["events"] != events * self.streams:
            raise RuntimeError(f"expected {events} events on each of {self.streams} streams: {counts}")
        return counts

    def count(self) -> dict:
        self._tell("count")
        return self._read(10)

    def cpu(self) -> float:
        return sum(cpu_seconds(process.pid) for process in self._processes)

    def _tell(self, line: str) -> None:
        for process in self._processes:
            process.popen.stdin.write(line + "\n")
            process.popen.stdin.flush()

    def _read(self, seconds: float) -> dict:
        """The next reports of all processes as one: sums, extremes, and for each percentile the highest latency."""
        reports = [json.loads(_line(process, seconds)) for process in self._processes]
        total = {key: sum(report[key] for report in reports) for key in ("connected", "failed", "closed", "events", "bytes")}
        latencies = [report["latency"] for report in reports if report["latency"]]
        return total | {
            "least": min(report["least"] for report in reports),
            "most": max(report["most"] for report in reports),
            "seconds": max(report["seconds"] for report in reports),
            "missed": any(report["what"] == "missed" for report in reports),
            "latency": {key: max(latency[key] for latency in latencies) for key in latencies[0]} if latencies else None,
        }


def _line(process: Process, seconds: float) -> str:
    ready, _, _ = select.select([process.popen.stdout], [], [], seconds)
    line = process.popen.stdout.readline() if ready else ""
    if not line:
        raise RuntimeError(f"{process.name} ended or was silent for {seconds} s; {process.log.read_text()[-500:]}")
    return line


def publish(server: Server, path: str, *, refusals: bool = False, **options: object) -> dict:
    """Runs `publishers` to its end. Responses other than 2xx are an error unless `refusals` are expected."""
    command = [str(OUT / "publishers"), "--to", f"127.0.0.1:{server.port}", "--path", path]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    seconds = float(options.get("seconds", 60)) + 10
    process = Process("publishers", command, stdout=subprocess.PIPE)
    try:
        report = json.loads(_line(process, seconds))
    finally:
        process.stop()
    wanted = int(options.get("requests", 1000))
    if report["broken"] or (report["refused"] and not refusals) or ("seconds" not in options and report["requests"] < wanted):
        raise RuntimeError(f"publishing to {path}: {report}")
    return report
