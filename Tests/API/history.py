"""The recorded history of a server and its clients, as data, and functions that read it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
Position = dict[str, int]

RETENTION = 1000
"""The number of a channel's events that are always stored; an older cursor may be answered with a reset."""

FIRSTS = {"snapshot", "resumed"}


@dataclass(slots=True)
class Frame:
    """An envelope that a subscriber received. `body` is the envelope without its cursor, which is `at`, and without the
    remaining time of a toast.
    """

    channel: str
    offset: int
    body: Body
    at: Position

    @property
    def type(self) -> str:
        return self.body["type"]

    def __str__(self) -> str:
        return f"{self.channel} {self.offset} at {self.at}: {brief(self.body)}"


@dataclass(slots=True)
class Session:
    """One connection, or one long-poll: `since` is its cursor, `end` the cursor that a poll returned. The client was
    connected from `began` until `ended`, in seconds since 1970; infinity if it still is.
    """

    since: Position | None
    frames: list[Frame] = field(default_factory=list)
    is_poll: bool = False
    end: Position | None = None
    began: float = 0
    ended: float = math.inf


@dataclass(slots=True)
class Subscriber:
    name: str
    channels: tuple[str, ...]
    events: frozenset[str] | None = None
    sessions: list[Session] = field(default_factory=list)
    position: Position | None = None
    is_audience: bool = True

    def wants(self, kind: str) -> bool:
        return self.events is None or kind in self.events


@dataclass(slots=True)
class Answer:
    """The response to one attempt."""

    status: int
    body: Any
    replayed: bool = False

    @property
    def toasts(self) -> list[Body]:
        if self.status >= 300 or not isinstance(self.body, dict):
            return []
        return self.body.get("toasts", [self.body] if "id" in self.body else [])


@dataclass(slots=True)
class Operation:
    """A publisher's request, with all of its attempts. `tags` are texts that no other operation uses. `sent` and
    `answered` are seconds of the monotonic clock.
    """

    kind: str
    channel: str
    tags: tuple[str, ...] = ()
    key: str | None = None
    target: str | None = None
    sent: float = 0
    answered: float = 0
    attempts: int = 0
    answers: list[Answer] = field(default_factory=list)

    @property
    def acknowledged(self) -> Answer | None:
        return next((answer for answer in self.answers if answer.status < 300), None)

    @property
    def is_undecided(self) -> bool:
        """Whether an answer said that it is unknown whether the request was carried out."""
        return any("store-undecided" in str(answer.body) for answer in self.answers)

    def __str__(self) -> str:
        key = f" under {self.key}" if self.key else ""
        return f"{self.kind} {self.target or ''} {'+'.join(self.tags)}{key} → {[a.status for a in self.answers]}"


@dataclass(slots=True)
class Look:
    """A response to `GET …/toasts` (present toasts), or with `?state=dismissed` (dismissed toasts). `offset` is that of
    its cursor. The request was sent at `sent`, by the clock of the operations.
    """

    channel: str
    offset: int
    toasts: list[Body]
    is_of_dismissed: bool = False
    sent: float = 0


@dataclass(slots=True)
class Disturbance:
    """Something that was done to a cluster, from `began` until it was over, by the clock of the operations."""

    kind: str
    began: float
    ended: float = math.inf

    def __str__(self) -> str:
        return f"{self.kind} {self.began:.1f}–{self.ended:.1f}"


@dataclass(slots=True)
class History:
    """Everything that was recorded. `modes` has each channel and its queue mode, `start` the offset before its first
    event, `final` its last offset. `logs_of_nodes` has each channel's log as each node of a cluster returns it in the
    end.
    """

    modes: dict[str, str]
    operations: list[Operation] = field(default_factory=list)
    subscribers: list[Subscriber] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    start: Position = field(default_factory=dict)
    final: Position = field(default_factory=dict)
    kills: int = 0
    disturbances: list[Disturbance] = field(default_factory=list)
    logs_of_nodes: dict[str, dict[str, dict[int, Body]]] = field(default_factory=dict)
    _frames: dict[tuple[str, str], Frame] = field(default_factory=dict)

    def frame(self, envelope: Body) -> Frame:
        """Makes a frame. Equal frames are one object, so that a long history fits into memory."""
        body = {name: value for name, value in envelope.items() if name not in ("cursor", "remaining")}
        channel = body["channel"]
        at = position(envelope["cursor"], channel)
        frame = Frame(channel, at[channel], body, at)
        if frame.type in FIRSTS:
            return frame
        known = self._frames.setdefault((channel, envelope["cursor"]), frame)
        return known if known.body == body else frame

    def log(self, channel: str) -> dict[int, Body]:
        """The events of a channel by offset, as the first subscriber received them."""
        return {
            frame.offset: frame.body
            for subscriber in reversed(self.subscribers)
            for session in reversed(subscriber.sessions)
            for frame in session.frames
            if frame.channel == channel and frame.type not in FIRSTS
        }


def position(cursor: str, channel: str) -> Position:
    """Parses `epoch-7` and `epoch-a.7~b.9`. Clients must not do this; a test that looks for gaps has to."""
    _, offsets = cursor.split("-", 1)
    if "." not in offsets:
        return {channel: int(offsets)}
    return {name: int(offset) for name, offset in (part.split(".") for part in offsets.split("~"))}


def cursor(epoch: str, at: Position, is_composite: bool) -> str:
    """The cursor of a stream of one channel, or (`is_composite`) of several, of which `at` may have only one."""
    if not is_composite:
        return f"{epoch}-{next(iter(at.values()))}"
    return f"{epoch}-" + "~".join(f"{name}.{at[name]}" for name in sorted(at))


class State:
    """The state of a channel as a client knows it: the result of folding its events."""

    def __init__(self) -> None:
        self.presented: dict[str, Body] = {}
        self.queued: dict[str, Body] = {}

    def fold(self, event: Body) -> None:
        match event["type"]:
            case "enqueued":
                self.queued[event["toast"]["id"]] = event["toast"]
            case "presented":
                self.queued.pop(event["toast"]["id"], None)
                self.presented[event["toast"]["id"]] = event["toast"]
            case "updated":
                toast = event["toast"]
                place = self.presented if toast["id"] in self.presented else self.queued
                if event.get("moved"):
                    place.pop(toast["id"], None)
                place[toast["id"]] = toast
            case "dismissed":
                self.queued.pop(event["id"], None)
                self.presented.pop(event["id"], None)

    @property
    def toasts(self) -> list[Body]:
        return [*self.presented.values(), *self.queued.values()]


def folds(log: dict[int, Body], start: int = 0) -> Iterator[tuple[int, State]]:
    """The state after each offset, beginning with an empty one at `start`. All pairs have one object, which changes."""
    state = State()
    yield start, state
    for offset in sorted(log):
        state.fold(log[offset])
        yield offset, state


def brief(event: Body) -> str:
    """An event as one line of an excerpt."""
    toast = event.get("toast", {})
    parts = [event["type"], toast.get("id") or event.get("id"), toast.get("message"), event.get("dismissReason")]
    return " ".join(str(part) for part in parts if part)
