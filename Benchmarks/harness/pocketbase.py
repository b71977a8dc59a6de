"""PocketBase as a peer: a server with one open collection, and streams that are subscribed to it.

A stream is `GET /api/realtime`; its first event names a client id, and a POST with that id subscribes it. Creating a record
then sends one event to each stream. The counting is in Python: only the server's CPU is measured.
"""

import re
import selectors
import socket
import subprocess
import time
from typing import Self

from .processes import OUT, Process
from .servers import ADDRESS, Server, Servers

BINARY = OUT / "pocketbase" / "bin" / "pocketbase"
COLLECTION = "toasts"
ACCOUNT = {"identity": "bench@example.org", "password": "benchmark-1"}


def missing() -> str | None:
    return None if BINARY.exists() else "PocketBase is not installed: make -C Benchmarks deps"


def start(servers: Servers) -> Server:
    home = servers.directory / f"pocketbase-{time.monotonic_ns()}"
    subprocess.run(
        [str(BINARY), "superuser", "upsert", ACCOUNT["identity"], ACCOUNT["password"], "--dir", str(home)],
        check=True, capture_output=True,
    )
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [str(BINARY), "serve", "--http", f"127.0.0.1:{port}", "--dir", str(home)]
    # PocketBase prints its address on standard output; the shell redirects that to standard error.
    process = Process("pocketbase", [*servers.cores.server_prefix(), "sh", "-c", 'exec "$@" >&2', "sh", *command])
    server = Server(process, int(process.await_log(ADDRESS)[1]))
    token = server.demand("POST", "/api/collections/_superusers/auth-with-password", ACCOUNT)["token"]
    server.demand("POST", "/api/collections", {
        "name": COLLECTION, "type": "base", "listRule": "", "viewRule": "", "createRule": "",
        "fields": [{"name": "message", "type": "text"}],
    }, Authorization=token)
    return server


class Streams:
    """Subscribed streams, with the same `reset`, `expect` and `count` as `clients.Subscribers`."""

    def __init__(self, server: Server, streams: int) -> None:
        self.streams, self._total, self._bytes = streams, 0, 0
        self._selector = selectors.DefaultSelector()
        self._counts: dict[socket.socket, int] = {}
        for _ in range(streams):
            stream = socket.create_connection(("127.0.0.1", server.port))
            stream.sendall(b"GET /api/realtime HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n")
            head = b""
            while not (found := re.search(rb'"clientId":"(\w+)"', head)):
                head += stream.recv(4096)
            client = found[1].decode()
            server.demand("POST", "/api/realtime", {"clientId": client, "subscriptions": [f"{COLLECTION}/*"]})
            stream.setblocking(False)
            self._selector.register(stream, selectors.EVENT_READ)
            self._counts[stream] = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        for stream in self._counts:
            stream.close()
        self._selector.close()

    def reset(self) -> None:
        self._counts = dict.fromkeys(self._counts, 0)
        self._total = self._bytes = 0

    def expect(self, events: int, seconds: float = 20) -> dict:
        until = time.monotonic() + seconds
        while self._total < events * self.streams and time.monotonic() < until:
            for key, _ in self._selector.select(1):
                came = key.fileobj.recv(65536)
                found = came.count(b"\ndata:")
                self._counts[key.fileobj] += found
                self._total += found
                self._bytes += len(came)
        if set(self._counts.values()) != {events}:
            raise RuntimeError(f"PocketBase: {self._total} events, not {events} on each of {self.streams} streams")
        return self.count()

    def count(self) -> dict:
        return {"events": self._total, "bytes": self._bytes}
