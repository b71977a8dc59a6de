"""The credential of a client, as the header of RFC 6750 §2.1. A function that returns it is called for each attempt."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias


class ToastdToken:
    Source: TypeAlias = str | Callable[[], str]

    def __init__(self, source: Source | None) -> None:
        self._source = source

    def header(self) -> dict[str, str]:
        return _bearer(self._source() if callable(self._source) else self._source)


class AsyncToastdToken:
    Source: TypeAlias = str | Callable[[], str | Awaitable[str]]

    def __init__(self, source: Source | None) -> None:
        self._source = source

    async def header(self) -> dict[str, str]:
        token = self._source() if callable(self._source) else self._source
        return _bearer(await token if inspect.isawaitable(token) else token)


def _bearer(token: str | None) -> dict[str, str]:
    if token == "":
        raise ValueError("The function for the token returned an empty text; None stands for no token.")
    return {} if token is None else {"Authorization": f"Bearer {token}"}
