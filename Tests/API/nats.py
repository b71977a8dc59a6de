"""Real servers of NATS with JetStream: three of them are a cluster, on free ports of the loopback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from proxy import free_port
from toastd import ROOT

PATIENCE = 60
PROGRAM = ROOT / os.environ.get("TOASTD_NATS_SERVER", ".venv/bin/nats-server")
# A server that knows no atomic batches, and that toastd refuses; `make tools` installs it.
OLD_PROGRAM = ROOT / os.environ.get("TOASTD_OLD_NATS_PROGRAM", ".venv/nats-old/bin/nats-server")


class NATSServer:
    """A process of nats-server. Its ports and its data stay the same when it is started again."""

    def __init__(
        self,
        name: str,
        directory: Path,
        *options: str,
        program: Path = PROGRAM,
        host: str = "127.0.0.1",
        prefix: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.directory = directory / name
        self.directory.mkdir(parents=True)
        self.log = self.directory / "log"
        self.host = host
        self.port, self.monitor_port = free_port(), free_port()
        self.url = f"nats://{host}:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.program = program
        self.command = [
            *prefix,
            str(program),
            "--jetstream",
            *("--server_name", name, "--store_dir", str(self.directory)),
            *("--addr", host, "--port", str(self.port), "--http_port", str(self.monitor_port)),
            *("--log", str(self.log)),
            *options,
        ]

    def start(self) -> None:
        """Starts the process without waiting until it serves."""
        assert self.program.exists(), f"there is no {self.program}: run make tools"
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """Ends the process by SIGTERM, and waits for it."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Ends the process by SIGKILL."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Starts the process, for the first time or again, and waits until it serves."""
        self.start()
        self.wait_until_healthy()

    def pause(self) -> None:
        """Stops the process (SIGSTOP) until `resume`."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def monitor(self, path: str) -> dict[str, Any]:
        """The JSON document at a path of the monitoring port."""
        with urllib.request.urlopen(f"http://{self.host}:{self.monitor_port}{path}", timeout=5) as answer:
            return json.load(answer)

    def wait_until_healthy(self) -> None:
        """Waits until JetStream serves; in a cluster, until this server follows its leader."""
        deadline = time.monotonic() + PATIENCE
        reason: object = "nothing was asked"
        while time.monotonic() < deadline:
            assert self.is_running, f"{self.name} has ended:\n{self.log_text}"
            try:
                reason = self.monitor("/healthz")
                if reason.get("status") == "ok" and self._has_leader():
                    return
            except OSError as error:
                reason = error
            time.sleep(0.05)
        raise AssertionError(f"{self.name} does not serve: {reason}\n{self.log_text}")

    @property
    def log_text(self) -> str:
        return self.log.read_text()[-4000:] if self.log.exists() else ""

    def _has_leader(self) -> bool:
        if "--cluster" not in self.command:
            return True
        return bool(self.monitor("/jsz").get("meta_cluster", {}).get("leader"))

    def _end(self, number: signal.Signals) -> None:
        if self.is_running:
            self.process.send_signal(number)
            self.process.send_signal(signal.SIGCONT)
        if self.process is not None:
            self.process.wait()


class NATSCluster:
    """A cluster of three servers. `url` is the store for toastd."""

    def __init__(
        self,
        directory: Path,
        *,
        program: Path = PROGRAM,
        hosts: tuple[str, ...] = ("127.0.0.1",) * 3,
        prefixes: tuple[tuple[str, ...], ...] = ((),) * 3,
    ) -> None:
        """A server at each of the addresses `hosts`, started by a command with its prefix."""
        self.directory = directory
        ports = [free_port() for _ in hosts]
        routes = ",".join(f"nats://{host}:{port}" for host, port in zip(hosts, ports, strict=True))
        self.servers = [
            NATSServer(
                f"s{number}",
                directory,
                *("--cluster_name", "tests", "--cluster", f"nats://{host}:{port}", "--routes", routes),
                program=program,
                host=host,
                prefix=prefixes[number],
            )
            for number, (host, port) in enumerate(zip(hosts, ports, strict=True))
        ]
        self.url = "nats://" + ",".join(server.url.removeprefix("nats://") for server in self.servers)

    def __enter__(self) -> NATSCluster:
        try:
            for server in self.servers:
                server.start()
            for server in self.servers:
                server.wait_until_healthy()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            server.kill()
        # Streams take hundreds of megabytes, so only the logs are kept.
        for server in self.servers:
            shutil.rmtree(server.directory / "jetstream", ignore_errors=True)

    def leader(self, stream: str) -> NATSServer | None:
        """The server that leads a stream; None during an election."""
        for server in self.servers:
            if not server.is_running:
                continue
            try:
                accounts = server.monitor("/jsz?accounts=true&streams=true").get("account_details", [])
            except OSError:
                continue
            for account in accounts:
                for found in account.get("stream_detail", []):
                    if found["name"] == stream and (name := found.get("cluster", {}).get("leader")):
                        return next(server for server in self.servers if server.name == name)
        return None
