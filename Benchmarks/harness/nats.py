"""Three servers of NATS, and requests about their data."""

import base64
import json
import os
import re
import socket
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Self

from .processes import ROOT, Process, cpu_seconds
from .servers import Servers

PROGRAM = ROOT / os.environ.get("TOASTD_NATS_SERVER", ".venv/bin/nats-server")
PARTITION = re.compile(r"\.p\.(\d+)$")


def missing() -> str | None:
    return None if PROGRAM.exists() else "nats-server is not installed: make tools, or set TOASTD_NATS_SERVER"


def free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def get(port: int, path: str) -> dict:
    """The JSON document at a path of a server's monitoring port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return json.load(answer)


def local_ports(pid: int) -> set[int]:
    """The local ports of a process's TCP sockets."""
    inodes = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            inodes.add(str(descriptor.readlink()).removeprefix("socket:[").removesuffix("]"))
    lines = Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
    return {int(line.split()[1].split(":")[1], 16) for line in lines if line.split()[9] in inodes}


class NATS:
    """Three servers on the clients' core, because only the cost of toastd is measured."""

    def __init__(self, servers: Servers) -> None:
        self._home = servers.directory / f"nats-{time.monotonic_ns()}"
        ports, routes, self._monitors = (free_ports(3) for _ in range(3))
        self.addresses = [f"127.0.0.1:{port}" for port in ports]
        self.url = f"nats://{','.join(self.addresses)}"
        cluster = ",".join(f"nats://127.0.0.1:{port}" for port in routes)
        self._processes = [
            Process(f"nats-{number}", [
                str(PROGRAM), "--jetstream", "--server_name", f"s{number}", "--store_dir", str(self._home / f"s{number}"),
                "--addr", "127.0.0.1", "--port", str(ports[number]), "--http_port", str(self._monitors[number]),
                "--cluster_name", "bench", "--cluster", f"nats://127.0.0.1:{routes[number]}", "--routes", cluster,
            ])
            for number in range(3)
        ]
        self._await_leader(30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        for process in self._processes:
            process.stop()

    def cpu(self) -> float:
        return sum(cpu_seconds(process.pid) for process in self._processes)

    def key_file(self, directory: Path) -> Path:
        path = directory / "cluster-key"
        path.write_text("0123456789abcdef" * 4 + "\n")
        path.chmod(0o600)
        return path

    def last(self, stream: str, subject: str) -> tuple[str, int]:
        """The value of the header `Toastd-Log` of the last message of a subject, and the bytes of its body."""
        message = self._request(f"$JS.API.STREAM.MSG.GET.{stream}", {"last_by_subj": subject})["message"]
        fields = base64.b64decode(message.get("hdrs", "")).decode()
        header = next(line.split(":", 1)[1].strip() for line in fields.splitlines() if line.startswith("Toastd-Log:"))
        return header, len(base64.b64decode(message.get("data", "")))

    def partitions(self, pid: int) -> set[int]:
        """The partitions that a node owns, read from the subscriptions of its connection."""
        ports = local_ports(pid)
        found: set[int] = set()
        for monitor in self._monitors:
            for connection in get(monitor, "/connz?subs=1&limit=1000")["connections"]:
                if connection["port"] in ports:
                    subjects = connection.get("subscriptions_list", [])
                    found |= {int(match[1]) for subject in subjects if (match := PARTITION.search(subject))}
        return found

    def make_stream(self, name: str, subjects: str) -> None:
        """Creates a stream with the settings of toastd's logs."""
        settings = {"name": name, "subjects": [subjects], "num_replicas": 3, "storage": "file", "allow_direct": True}
        self._request(f"$JS.API.STREAM.CREATE.{name}", settings)

    def _request(self, subject: str, body: object) -> dict:
        """Sends a request to JetStream's API by the text protocol of NATS, and returns the answer."""
        data = json.dumps(body).encode()
        host, port = self.addresses[0].split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection, connection.makefile("rb") as lines:
            lines.readline()  # INFO
            connection.sendall(
                b'CONNECT {"verbose":false,"headers":true}\r\nSUB answers 1\r\n'
                + f"PUB {subject} answers {len(data)}\r\n".encode() + data + b"\r\n"
            )
            while not (line := lines.readline()).startswith(b"MSG"):
                if not line:
                    raise RuntimeError(f"NATS gave no answer to {subject}")
                if line == b"PING\r\n":
                    connection.sendall(b"PONG\r\n")
            answer = json.loads(lines.read(int(line.split()[-1])))
        if "error" in answer:
            raise RuntimeError(f"{subject}: {answer['error']}")
        return answer

    def _await_leader(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                answers = [get(port, "/jsz") for port in self._monitors]
                if all(answer.get("meta_cluster", {}).get("leader") for answer in answers):
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("the servers of NATS have no leader")
