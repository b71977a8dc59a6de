"""A parser of Server-Sent Events (HTML standard, section 9.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from ._models import Event


class EventReader:
    """Collects the bytes of a stream, and returns the events that they complete. `retry` is the pause in seconds before
    a reconnection that the server asked for.

    `iter_lines` of httpx is no help: it also splits lines at U+2028 and other characters that an event may contain.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._id = ""
        self.retry: float | None = None
        self.position: str | None = None
        """A cursor that came without an event, as on streams that select events; None if an event came after it."""

    def feed(self, chunk: bytes) -> Iterator[Event]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            event = self._take(line.removesuffix(b"\r").decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _take(self, line: str) -> Event | None:
        if not line:
            data, self._data = self._data, []
            position, self._id = self._id, ""
            self.position = None if data else position or self.position
            return event_of("\n".join(data)) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif name == "retry" and value.isdecimal():
            self.retry = float(value) / 1000
        return None


def event_of(text: str) -> Event | None:
    """The event in a text; None if it cannot be read, because the stream then continues without it."""
    try:
        event = json.loads(text)
    except ValueError:
        return None
    return cast(Event, event) if isinstance(event, dict) and isinstance(event.get("type"), str) else None
