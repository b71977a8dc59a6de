"""A connection that sends exactly the given bytes, and reads one response after the other."""

from __future__ import annotations

import contextlib
import socket
from types import TracebackType

# How long a response may take: a sanitizer makes the server many times slower.
PATIENCE = 60


class RawConnection:
    """A TCP connection. `rest` has the bytes that were received after the last response."""

    def __init__(self, address: tuple[str, int], receive_buffer: int | None = None, segment: int | None = None) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if segment:
            # As small as on a network: on loopback a segment may have 64 KiB.
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment)
        self.socket.connect(address)
        self.rest = b""

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        # A server that has closed the connection has sent its response before.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.socket.sendall(data)

    def answer(self, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
        """The next response: its status, its header fields by name in lower case, its body."""
        self._read(lambda: b"\r\n\r\n" in self.rest)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode("latin1").split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        length = int(headers.get("content-length", 0)) if has_body and not status.split()[1].startswith("1") else 0
        self._read(lambda: len(self.rest) >= length)
        body, self.rest = self.rest[:length], self.rest[length:]
        return int(status.split()[1]), headers, body

    def until_closed(self) -> bytes:
        """All further bytes, until the server closes the connection. A timeout or a reset raises an error."""
        while data := self.socket.recv(65536):
            self.rest += data
        return self.rest

    def _read(self, is_enough) -> None:
        while not is_enough():
            data = self.socket.recv(65536)
            if not data:
                raise EOFError(self.rest)
            self.rest += data
