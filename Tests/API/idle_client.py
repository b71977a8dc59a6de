"""Opens many streams in one process, prints "ready", then prints how many received the next toast.

usage: idle_client.py HOST PORT CHANNEL COUNT
"""

from __future__ import annotations

import resource
import select
import socket
import sys
import time

# The number of streams that may be connecting at once: fewer than the server's backlog.
WINDOW = 200
PATIENCE = 60


class Streams:
    def __init__(self, host: str, port: int, channel: str) -> None:
        self.address = (host, port)
        target = f"/v1/channels/{channel}/stream?events=presented"
        self.request = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n".encode()
        self.poller = select.epoll()
        self.sockets: dict[int, socket.socket] = {}
        self.tails: dict[int, bytes] = {}

    def open(self, count: int) -> None:
        """Opens streams until this many have their snapshot."""
        attached: set[int] = set()
        while len(attached) < count:
            while len(self.sockets) < min(count, len(attached) + WINDOW):
                self._connect()
            self._read(b"event: snapshot", attached)

    def wait(self, needle: bytes) -> int:
        """Reads until every stream has seen the text."""
        seen: set[int] = set()
        while len(seen) < len(self.sockets):
            self._read(needle, seen)
        return len(seen)

    def _connect(self) -> None:
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(self.address)
        self.sockets[connection.fileno()] = connection
        self.tails[connection.fileno()] = b""
        self.poller.register(connection, select.EPOLLOUT)

    def _read(self, needle: bytes, seen: set[int]) -> None:
        if time.monotonic() > deadline:
            sys.exit(f"only {len(seen)} streams saw {needle!r}")
        for descriptor, event in self.poller.poll(1):
            connection = self.sockets[descriptor]
            if event & select.EPOLLOUT:
                connection.send(self.request)
                self.poller.modify(connection, select.EPOLLIN)
                continue
            data = connection.recv(65536)
            if not data:
                sys.exit(f"stream {descriptor} was closed")
            text = self.tails[descriptor] + data
            if needle in text:
                seen.add(descriptor)
            self.tails[descriptor] = text[-64:]


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    streams = Streams(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    deadline = time.monotonic() + PATIENCE
    streams.open(int(sys.argv[4]))
    print(f"ready {len(streams.sockets)}", flush=True)
    deadline = time.monotonic() + PATIENCE
    print(f"seen {streams.wait(b'event: presented')}", flush=True)
    sys.stdin.readline()
