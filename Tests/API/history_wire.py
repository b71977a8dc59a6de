"""HTTP, event streams and WebSockets over a hostile network: cut anywhere, read late or not at all."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Protocol

from history import Answer

PATIENCE = 30
LOST = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


class Network(Protocol):
    """A network namespace other than that of this process."""

    def socket(self) -> socket.socket: ...


class Address(NamedTuple):
    """Where a server listens; None as the network is that of this process."""

    host: str
    port: int
    network: Network | None = None


class Connection:
    """A connection that can be cut. With a small receive buffer the server soon notices a client that does not read."""

    def __init__(self) -> None:
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self, address: tuple[str, int] | Address, receive_buffer: int | None = None) -> None:
        network = address.network if isinstance(address, Address) else None
        end = network.socket() if network else socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        end.setblocking(False)
        if receive_buffer:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(end, address[:2]), PATIENCE)
            self.reader, self.writer = await asyncio.open_connection(
                sock=end, limit=1 << 22 if not receive_buffer else 1 << 16
            )
        except BaseException:
            end.close()
            raise

    def cut(self) -> None:
        """Drops the connection at once; the server gets a reset if there is unread data."""
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def head(self) -> tuple[int, dict[str, str]]:
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = (line.split(":", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value.strip() for name, value in fields}


class Client:
    """Sends requests over one connection, and opens another one after a loss. An answer may take `patience` seconds."""

    def __init__(self, patience: float = PATIENCE + 5) -> None:
        self.patience = patience
        self.connection = Connection()
        self.address: tuple[str, int] | None = None

    def close(self) -> None:
        self.connection.cut()

    async def ask(
        self,
        address: tuple[str, int],
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        cut_after: float | None = None,
    ) -> Answer:
        """Sends a request and reads the response, or cuts the connection instead of reading: `cut_after` up to 1 is the
        share of the request's bytes that are sent; above 1 it is one plus the seconds after the complete request.
        """
        try:
            if self.connection.writer is None or self.address != address:
                self.connection.cut()
                await self.connection.open(address)
                self.address = address
            data = b"" if body is None else json.dumps(body).encode()
            fields = {"Host": "toastd", "Content-Type": "application/json", **(headers or {})}
            fields["Content-Length"] = str(len(data))
            head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            request = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data
            if cut_after is not None:
                self.connection.writer.write(request[: int(len(request) * min(cut_after, 1))])
                await self.connection.writer.drain()
                await asyncio.sleep(max(0, cut_after - 1))
                raise ConnectionError("cut")
            self.connection.writer.write(request)
            return await asyncio.wait_for(self._answer(), self.patience)
        except BaseException:
            self.connection.cut()
            raise

    async def _answer(self) -> Answer:
        status, fields = await self.connection.head()
        data = await self.connection.reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection", "").lower() == "close":
            self.connection.cut()
        body = json.loads(data) if data else None
        return Answer(status, body, fields.get("idempotency-replayed") == "true")


async def event_stream(connection: Connection, path: str, headers: dict[str, str]) -> AsyncIterator[dict]:
    """The envelopes of Server-Sent Events. A frame without its empty line does not count."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    connection.writer.write(f"GET {path} HTTP/1.1\r\nHost: toastd\r\n{fields}\r\n".encode())
    status, _ = await connection.head()
    if status != 200:
        raise ConnectionError(status)
    while True:
        block = await connection.reader.readuntil(b"\n\n")
        data = [line[6:] for line in block.decode().splitlines() if line.startswith("data: ")]
        if data:
            yield json.loads("\n".join(data))


async def web_socket(connection: Connection, path: str) -> AsyncIterator[dict]:
    """The envelopes of a WebSocket. It answers pings only while its caller reads."""
    key = base64.b64encode(os.urandom(16)).decode()
    connection.writer.write(
        f"GET {path} HTTP/1.1\r\nHost: toastd\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: toastd.v1\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    status, _ = await connection.head()
    if status != 101:
        raise ConnectionError(status)
    reader = connection.reader
    while True:
        first, length = await reader.readexactly(2)
        if length >= 126:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8))
        data = await reader.readexactly(length)
        match first:
            case 0x81:
                yield json.loads(data)
            case 0x88:
                raise EOFError("closed")
            case 0x89:
                connection.writer.write(bytes([0x8A, 0x80 | len(data), 0, 0, 0, 0]) + data)
            case _:
                raise AssertionError(f"a frame that begins with {first:#x}")
