"""A request that is sent while its caller ends with an error. Whether it succeeds no longer matters, so its errors are
dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from ._calls import LAST_CALL, Call


class ToastdLastCall:
    @staticmethod
    def send(call: Call, send: Callable[[Call], Any]) -> None:
        with contextlib.suppress(Exception):
            send(call)


class AsyncToastdLastCall:
    # asyncio itself has only weak references to tasks.
    _tasks: ClassVar[set[asyncio.Task[None]]] = set()

    @classmethod
    async def send(cls, call: Call, send: Callable[[Call], Awaitable[Any]]) -> None:
        """Sends it in a task of its own, which goes on when the caller's is cancelled once more."""
        task = asyncio.create_task(cls._attempt(call, send))
        cls._tasks.add(task)
        task.add_done_callback(cls._tasks.discard)
        await asyncio.shield(task)

    @staticmethod
    async def _attempt(call: Call, send: Callable[[Call], Awaitable[Any]]) -> None:
        with contextlib.suppress(Exception):
            # Also for a token that does not come.
            await asyncio.wait_for(send(call), LAST_CALL)
