"""Pushpin as a peer: Condure, proxy and handler as one server, with the streams of its own test route.

`GET /stream` opens a stream on the channel `test` without an origin behind it; what is posted to the control port goes out to
every stream as it is. The three processes share the server's core, and their CPU time is added up.
"""

import re
import shutil
import socket
import time
from contextlib import ExitStack
from typing import Self

from .clients import Subscribers
from .processes import Process, children, cpu_seconds
from .servers import Server, Servers

SERVICES = ("condure", "pushpin-proxy", "pushpin-handler")
# `message_rate` is set because its default of 2500 messages a second would limit the figure.
CONFIGURATION = """[global]
include=/usr/lib/pushpin/internal.conf
rundir={home}
ipc_prefix=bench-
[runner]
services={services}
http_port={streams}
logdir={home}
client_buffer_size=8192
client_maxconn=20000
[proxy]
routesfile=routes
[handler]
push_in_spec=ipc://{home}/push-in
push_in_sub_specs=ipc://{home}/push-in-sub
push_in_http_addr=127.0.0.1
push_in_http_port={control}
push_in_http_max_body_size=1000000
stats_spec=ipc://{home}/stats
command_spec=ipc://{home}/command
message_rate=10000000
message_hwm=1000000
"""


def missing() -> str | None:
    return None if all(map(shutil.which, ("pushpin", *SERVICES))) else "Pushpin is not installed: make -C Benchmarks deps"


class Pushpin(Server):
    """Requests go to the control port; `port` is that of the streams."""

    def __init__(self, servers: Servers) -> None:
        probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.port, control = (probe.getsockname()[1] for probe in probes)
        for probe in probes:
            probe.close()
        home = servers.directory / f"pushpin-{self.port}"
        home.mkdir()
        (home / "routes").write_text("* test\n")
        settings = {"home": home, "services": ",".join(SERVICES), "streams": self.port, "control": control}
        (home / "pushpin.conf").write_text(CONFIGURATION.format(**settings))
        command = ["sh", "-c", 'exec "$@" >&2', "sh", "pushpin", f"--config={home}/pushpin.conf"]
        process = Process("pushpin", servers.cores.server_prefix() + command)
        process.await_log(re.compile("started"))
        streams = self.port
        super().__init__(process, control)
        self.port = streams
        self._await_stream(20)

    def _await_stream(self, seconds: float) -> None:
        """Waits until a stream can be opened: Condure listens before the others are ready, and refuses requests until
        then.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=2) as probe:
                    probe.sendall(b"GET /stream HTTP/1.1\r\nHost: bench\r\n\r\n")
                    if probe.recv(64).startswith(b"HTTP/1.1 200"):
                        return
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("Pushpin opens no stream")

    def cpu(self) -> float:
        return sum(cpu_seconds(pid) for pid in [self.pid, *children(self.pid)])


def publication(content: str) -> dict:
    return {"items": [{"channel": "test", "formats": {"http-stream": {"content": content}}}]}


class Streams:
    """Like `clients.Subscribers`, but opened in groups, because Pushpin refuses some of many simultaneous streams."""

    GROUP, TRIES = 50, 5

    def __init__(self, server: Pushpin, streams: int) -> None:
        self.streams, self._stack = streams, ExitStack()
        with ExitStack() as stack:
            self._groups = [stack.enter_context(self._open(server)) for _ in range(streams // self.GROUP)]
            self._stack = stack.pop_all()

    def _open(self, server: Pushpin, left: int = TRIES) -> Subscribers:
        try:
            return Subscribers(server, "/stream", self.GROUP, "--marker", "data:")
        except RuntimeError:
            if left == 1:
                raise
            time.sleep(0.5)
            return self._open(server, left - 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self._stack.close()

    def reset(self) -> None:
        for group in self._groups:
            group.reset()

    def expect(self, events: int, seconds: float = 20) -> None:
        for group in self._groups:
            group.expect(events, seconds)

    def count(self) -> dict:
        return {"bytes": sum(group.count()["bytes"] for group in self._groups)}
