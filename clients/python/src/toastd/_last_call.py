"""A request that is sent while its caller ends with an error. Whether it succeeds no longer matters, so its errors are
dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from ._calls import LAST_CALL, Call


class ToastdLastCall:
    def send(self, call: Call, send: Callable[[Call], Any]) -> None:
        """Sends it; usually this takes 10 seconds at most, and what the token takes. Only the steps have limits."""
        with contextlib.suppress(Exception):
            send(call)

    def finish(self) -> None:
        """Nothing is left to wait for."""


class AsyncToastdLastCall:
    def __init__(self) -> None:
        # asyncio itself has only weak references to tasks.
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, call: Call, send: Callable[[Call], Awaitable[Any]]) -> None:
        """Sends it in a task of its own, which goes on when the caller's is cancelled once more."""
        task = asyncio.create_task(self._attempt(call, send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.shield(task)

    async def finish(self) -> None:
        """Waits for the requests whose callers have ended, a second longer than they may take."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LAST_CALL + 1)

    @staticmethod
    async def _attempt(call: Call, send: Callable[[Call], Awaitable[Any]]) -> None:
        with contextlib.suppress(Exception):
            # Also for a token that does not come.
            await asyncio.wait_for(send(call), LAST_CALL)
