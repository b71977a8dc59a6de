"""Server-Sent Events, as the HTML standard describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from ._models import Event


class EventReader:
    """Collects the bytes of a stream, and returns the events that they complete.

    httpx would also split lines at U+2028 and other characters that may occur inside an event.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._id = ""
        self.retry: float | None = None
        self.position: str | None = None
        """The cursor that the stream has reached without a further event, as one that selects events does."""

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
    """An event; None if it cannot be read: the stream goes on after it."""
    try:
        event = json.loads(text)
    except ValueError:
        return None
    return cast(Event, event) if isinstance(event, dict) and isinstance(event.get("type"), str) else None
