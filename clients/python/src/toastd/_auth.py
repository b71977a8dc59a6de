"""What shows a server who asks."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import cast

import httpx

Key = str | Callable[[], str]
AsyncKey = Key | Callable[[], Awaitable[str]]


class KeyAuth(httpx.Auth):
    """Sends a key or a token with each request, as RFC 6750 §2.1 says. A function is called for each of them."""

    def __init__(self, key: AsyncKey) -> None:
        self.key = key

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        key = self.key if isinstance(self.key, str) else cast(str, self.key())
        yield _signed(request, key)

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        key = self.key if isinstance(self.key, str) else self.key()
        yield _signed(request, await key if inspect.isawaitable(key) else key)


def _signed(request: httpx.Request, key: str) -> httpx.Request:
    request.headers["Authorization"] = f"Bearer {key}"
    return request
