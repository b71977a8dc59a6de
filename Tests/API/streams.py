"""Clients that receive events. Each reads in its own thread, so that a test can act and then wait."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import httpx_sse
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

Event = dict[str, Any]
# How long an expected event may take: a sanitizer makes the server many times slower.
PATIENCE = 60
CONTROL = {"snapshot", "resumed", "shutdown"}


def instant(event: Event) -> float:
    """When an event happened, in seconds."""
    return datetime.fromisoformat(event["at"]).timestamp()


def facts(events: list[Event]) -> list[Event]:
    """The events that all streams of a channel have in common, without remaining times."""
    return [
        {name: value for name, value in event.items() if name != "remaining"}
        for event in events
        if event["type"] not in CONTROL
    ]


class Consumer:
    """Collects events until it is closed or disconnected."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.is_over = False
        self.error: Exception | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._thread.join(5)

    def close(self) -> None:
        raise NotImplementedError

    def read(self) -> None:
        raise NotImplementedError

    def _run(self) -> None:
        try:
            self.read()
        except Exception as error:
            self.error = error
        with self._changed:
            self.is_over = True
            self._changed.notify_all()

    def add(self, event: Event) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def until(self, condition: Callable[[list[Event]], Any], timeout: float = PATIENCE) -> Any:
        """Waits until the events satisfy a condition, and returns its value."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while not (found := condition(self.events)):
                left = deadline - time.monotonic()
                if left <= 0 or self.is_over:
                    raise AssertionError(f"waited in vain; over: {self.is_over} {self.error!r}; events: {self.events}")
                self._changed.wait(left)
            return found

    def wait(self, kind: str, timeout: float = PATIENCE, **members: Any) -> Event:
        """Waits for an event of a type with these members, in the event itself or in its toast."""

        def matches(event: Event) -> bool:
            return event["type"] == kind and all(
                event.get(name, event.get("toast", {}).get(name)) == value for name, value in members.items()
            )

        return self.until(lambda events: next(filter(matches, events), None), timeout)

    def count(self, kind: str, number: int, timeout: float = PATIENCE) -> list[Event]:
        """Waits for this many events of a type."""

        def enough(events: list[Event]) -> list[Event] | None:
            found = [event for event in events if event["type"] == kind]
            return found if len(found) >= number else None

        return self.until(enough, timeout)

    def over(self, timeout: float = PATIENCE) -> None:
        """Waits for the end of the stream."""
        self._thread.join(timeout)
        assert self.is_over, "the stream goes on"

    @property
    def facts(self) -> list[Event]:
        return facts(list(self.events))


class EventStream(Consumer):
    """Server-Sent Events."""

    def __init__(self, url: str, headers: dict[str, str] | None = None, **parameters: Any) -> None:
        self.client = httpx.Client(timeout=httpx.Timeout(PATIENCE))
        self.frames: list[httpx_sse.ServerSentEvent] = []
        self.request = self.client.build_request("GET", url, params=parameters, headers=headers)
        self.response: httpx.Response | None = None
        super().__init__()

    def read(self) -> None:
        self.request.headers["Accept"] = "text/event-stream"
        self.response = self.client.send(self.request, stream=True)
        assert self.response.status_code == 200, self.response.status_code
        for frame in httpx_sse.EventSource(self.response).iter_sse():
            self.frames.append(frame)
            if frame.data:
                self.add(json.loads(frame.data))

    def close(self) -> None:
        if self.response is not None and not self.is_over:
            # The reading thread is blocked in recv(): only a shutdown of the socket itself unblocks it.
            stream = self.response.extensions["network_stream"]
            with contextlib.suppress(OSError):
                stream.get_extra_info("socket").shutdown(2)
        self._thread.join(5)
        self.client.close()


class Socket(Consumer):
    """A WebSocket with the subprotocol toastd.v1. `replies` has the replies to commands."""

    def __init__(self, url: str, headers: dict[str, str] | None = None, **parameters: Any) -> None:
        query = httpx.QueryParams(parameters)
        address = url.replace("http", "ws", 1) + (f"?{query}" if query else "")
        self._life = contextlib.ExitStack()
        options = {"subprotocols": ["toastd.v1"], "additional_headers": headers}
        connection = connect(address, open_timeout=PATIENCE, ping_interval=None, **options)
        self.connection = self._life.enter_context(connection)
        self.replies: list[Event] = []
        super().__init__()

    def read(self) -> None:
        try:
            for text in self.connection:
                message = json.loads(text)
                if message["type"] in ("ack", "error"):
                    with self._changed:
                        self.replies.append(message)
                        self._changed.notify_all()
                else:
                    self.add(message)
        except ConnectionClosed:
            pass

    def send(self, **command: Any) -> Event:
        """Sends a command and waits for its reply."""
        reference = f"{threading.get_ident()}-{time.monotonic_ns()}"
        self.connection.send(json.dumps({"ref": reference, **command}))
        return self.until(lambda _: next((r for r in self.replies if r.get("ref") == reference), None))

    @property
    def close_code(self) -> int | None:
        """The close code, after the server has closed the connection."""
        self.over()
        return self.connection.close_code

    def close(self) -> None:
        self._life.close()


class Poller(Consumer):
    """Long-polls one after the other."""

    def __init__(self, url: str, headers: dict[str, str] | None = None, **parameters: Any) -> None:
        self.url = url
        self.headers = headers
        self.parameters = parameters
        self.stopping = threading.Event()
        super().__init__()

    def read(self) -> None:
        with httpx.Client(timeout=PATIENCE, headers=self.headers) as client:
            while not self.stopping.is_set():
                response = client.get(self.url, params={"wait": 1, **self.parameters})
                assert response.status_code == 200, response.text
                answer = response.json()
                self.parameters["since"] = answer["cursor"]
                for event in answer["events"]:
                    self.add(event)

    def close(self) -> None:
        self.stopping.set()
