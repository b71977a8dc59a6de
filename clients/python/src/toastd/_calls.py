"""Requests as values. `_sync` and `_async` both send them, so that their requests are the same."""

from __future__ import annotations

import json
import math
import random
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from ._errors import UnexpectedAnswer, problem_of
from ._models import Dismissal, State

VERSION = "0.2.0"
# Statuses of a gateway while the server restarts, and of the server itself when it is busy or stops.
PASSING = {429, 502, 503, 504}
# Seconds that one request waits for a question's answer: proxies close connections that are idle for a minute.
LONGEST_WAIT = 45
# Seconds in which a question is repeated under its idempotency key: a server keeps the key for at least an hour.
REPETITION = 3000
# How often a list is begun anew, because the toast after which the next page begins is no longer in it.
RESTARTS = 5
# Seconds for each step of a request that delays the end of its caller: to connect, to write, and to read. With asyncio
# all steps have them together.
LAST_CALL = 5
# Seconds. Pauses that a server or a proxy asks for are limited: none floods it, none makes the client seem dead.
SHORTEST_PAUSE, LONGEST_PAUSE = 0.25, 3600
# Six attempts have pauses of 7.75 to 31 s in all, which are enough for 99.8 % of restarts that take 10 s.
ATTEMPTS = 6
# Seconds. If the server asks for a longer pause the request fails, so that the caller can decide what to do.
LONGEST_WAIT_TO_REPEAT = 30
# Seconds. The server sends a comment every 15 s ± 20 %, so a stream without data for longer than two of these is dead.
SILENCE = 40.0
# The types of the members that answers must have.
KINDS: dict[str, type[Any]] = {
    "id": str,
    "state": str,
    "cursor": str,
    "toasts": list,
    "results": list,
    "updatedCount": int,
    "dismissedCount": int,
}


@dataclass
class Call:
    """A request. If it is `repeatable`, it is sent again after a temporary failure: publishing has an idempotency key,
    and dismissing, changing and holding a toast twice is the same as once. With `until`, a time of `time.monotonic`, it
    is repeated until then, and asks the server to wait for the seconds that are left. `patience` replaces the client's
    time limits, of which each step has one: to connect, to write, and to read.
    """

    method: str
    path: str
    params: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None
    read_timeout: float | None = None
    repeatable: bool = True
    until: float | None = None
    preferences: tuple[str, ...] = ()
    patience: float | None = None

    def request(self, client: httpx.Client | httpx.AsyncClient, authorization: dict[str, str]) -> httpx.Request:
        timeout = client.timeout if self.patience is None else httpx.Timeout(self.patience, pool=None)
        headers, read_timeout = {**self.headers, **authorization}, self.read_timeout
        if self.until is not None:
            wait = max(1, round(min(LONGEST_WAIT, self.until - time.monotonic())))
            headers["Prefer"] = ", ".join([f"wait={wait}", *self.preferences])
            read_timeout = wait + 30
        if read_timeout is not None:
            timeout = httpx.Timeout(timeout.connect, read=read_timeout, write=timeout.write, pool=timeout.pool)
        return client.build_request(
            self.method,
            self.path,
            params=self.params or None,
            headers=headers,
            content=self.content,
            timeout=timeout,
        )

    def is_over(self, attempt: int, attempts: int) -> bool:
        """Whether this attempt is the last one."""
        return not self.repeatable or (attempt >= attempts if self.until is None else time.monotonic() >= self.until)

    def may_repeat(self, response: httpx.Response) -> bool:
        """Whether to send the request again: the failure is temporary and, without `until`, the pause is short."""
        return is_passing(response) and (self.until is not None or (asked(response) or 0) <= LONGEST_WAIT_TO_REPEAT)

    def pause(self, attempt: int, response: httpx.Response | None) -> float:
        """Seconds before the attempt after this one."""
        seconds = delay(attempt - 1, response)
        return seconds if self.until is None else min(seconds, max(0, self.until - time.monotonic()))


@dataclass
class Question(Call):
    """A publication that waits until its toast ends. When the server has forgotten its idempotency key, a repetition
    would publish a second toast. So `REPETITION` seconds after its beginning it is replaced by `reading`, a GET, if the
    toast's id is known. `begun` is that time, of `time.monotonic` and of `time.time`.
    """

    reading: Call | None = None
    begun: tuple[float, float] = (math.inf, math.inf)

    def request(self, client: httpx.Client | httpx.AsyncClient, authorization: dict[str, str]) -> httpx.Request:
        if self.reading is not None and self._age() >= REPETITION:
            return self.reading.request(client, authorization)
        return super().request(client, authorization)

    def _age(self) -> float:
        # `time.monotonic` stands still while the machine is suspended; `time.time` may be set back.
        return max(time.monotonic() - self.begun[0], time.time() - self.begun[1])


def asked(response: httpx.Response | None) -> float | None:
    """The seconds that the server asks to wait; None if it does not."""
    text = response.headers.get("Retry-After", "") if response is not None else ""
    # `int` would raise an error for thousands of digits; `float` gives infinity.
    return float(text) if text.isdecimal() else None


def delay(attempt: int, response: httpx.Response | None = None) -> float:
    """Seconds before the next attempt: what the server asks for, else doubling from one second to 30; in both cases
    with a random part, so that many clients do not come back at once.
    """
    seconds = asked(response)
    if seconds is not None:
        return bounded(seconds * (1 + 0.2 * random.random()))
    return min(30, 2**attempt) * (0.25 + 0.75 * random.random())


def bounded(seconds: float) -> float:
    return max(SHORTEST_PAUSE, min(LONGEST_PAUSE, seconds))


def is_passing(response: httpx.Response) -> bool:
    """Whether a failure is temporary. The body of the response must have been read."""
    if response.status_code == 409:
        # The server is still storing the first request with this key.
        return problem_of(response).type == "idempotency-key-in-use"
    return response.status_code in PASSING


def may_withdraw(response: httpx.Response) -> bool:
    """Whether the toast in an answer was made by this question: the server then names `withdraw`, or answers 201. On a
    channel that deduplicates, it may be the toast of another publisher, which is not to be withdrawn.
    """
    applied = response.headers.get("Preference-Applied", "").lower().split(",")
    return response.status_code == 201 or "withdraw" in (preference.strip() for preference in applied)


def server_url(text: str) -> httpx.URL:
    """Checks the address of a server: httpx accepts any, and its requests then fail as if the server were away."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ValueError(f"{text!r} is no address of a server: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"{text!r} is no address of a server: it needs http:// or https://, and a host.")
    return url


def encoded(document: Any) -> bytes:
    """A document as JSON, which has no `nan` and no infinite number: these raise `ValueError`."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def segment(name: str) -> str:
    """A name as a segment of a path. httpx resolves `.` and `..`, so such a name would address another resource: a
    deletion of the toast `..` would delete all toasts of the channel.
    """
    if name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name of a channel, toast, action or holder.")
    return quote(name, safe="")


def listed(names: Iterable[str]) -> list[str]:
    """A list of names; a single string is an error, because it would be a list of its characters."""
    if isinstance(names, str):
        raise TypeError(f"{names!r} is one name; a list of names is needed.")
    return list(names)


def document_of(response: httpx.Response, *required: str) -> Any:
    """The JSON object in a response, which must have the required members in their types, unlike the page of a
    proxy.
    """
    try:
        document = response.json()
    except ValueError as error:
        raise UnexpectedAnswer(f"the answer is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise UnexpectedAnswer("the answer is not one of toastd: it is no object")
    for name in required:
        if not isinstance(document.get(name), KINDS[name]):
            raise UnexpectedAnswer(f"the answer is not one of toastd: it has no `{name}`, or one of another type")
    return document


def check_stream(response: httpx.Response) -> None:
    """Refuses a successful answer that is no stream: without events the client would open it again without end."""
    kind = response.headers.get("Content-Type", "")
    if kind.partition(";")[0].strip().lower() != "text/event-stream":
        raise UnexpectedAnswer(f"the answer is not a stream of events, but has the type {kind!r}")


def publication(path: str, body: Any, key: str | None) -> Call:
    headers = {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid.uuid4())}
    return Call("POST", path, headers=headers, content=encoded(body))


class Calls:
    """The requests about one channel."""

    def __init__(self, channel: str) -> None:
        self.path = f"/v1/channels/{segment(channel)}"

    def publish(self, body: Any, key: str | None) -> Call:
        return publication(f"{self.path}/toasts", body, key)

    def ask(self, body: Any, key: str | None, until: float, withdraw: bool) -> Question:
        call = self.publish(body, key)
        return Question(
            call.method,
            call.path,
            headers=call.headers,
            content=call.content,
            until=until,
            preferences=("withdraw",) if withdraw else (),
            begun=(time.monotonic(), time.time()),
        )

    def toasts(self, state: State | None, after: str | None) -> Call:
        params = {name: value for name, value in (("state", state), ("after", after)) if value is not None}
        return Call("GET", f"{self.path}/toasts", params=params)

    def get(self, toast: str) -> Call:
        return Call("GET", self._toast(toast))

    def wait(self, toast: str, until: float) -> Call:
        return Call("GET", self._toast(toast), until=until)

    def patch(self, toast: str, members: Mapping[str, Any], revision: int | None) -> Call:
        headers = {"Content-Type": "application/merge-patch+json", **self._match(revision)}
        # The first attempt may have changed the revision; the server would then refuse the second one.
        is_repeatable = revision is None
        return Call("PATCH", self._toast(toast), headers=headers, content=encoded(members), repeatable=is_repeatable)

    def patch_all(self, identifier: str, members: Mapping[str, Any]) -> Call:
        headers = {"Content-Type": "application/merge-patch+json"}
        params = {"reuseIdentifier": identifier}
        return Call("PATCH", f"{self.path}/toasts", params=params, headers=headers, content=encoded(members))

    def delete(self, toast: str, revision: int | None) -> Call:
        return Call("DELETE", self._toast(toast), headers=self._match(revision))

    def withdraw(self, toast: str) -> Call:
        # Sent once, because its caller is about to end.
        return Call("DELETE", self._toast(toast), repeatable=False, patience=LAST_CALL)

    def clear(self, criteria: Mapping[str, str]) -> Call:
        # A second attempt would dismiss only toasts that were published meanwhile, and count only those.
        return Call("DELETE", f"{self.path}/toasts", params=dict(criteria), repeatable=False)

    def dismiss(self, toast: str, reason: Dismissal) -> Call:
        headers = {"Content-Type": "application/json"}
        return Call(
            "POST", self._toast(toast) + "/dismiss", headers=headers, content=encoded({"dismissReason": reason})
        )

    def act(self, toast: str, action: str) -> Call:
        # A press of an action that does not dismiss the toast is recorded each time.
        return Call("POST", f"{self._toast(toast)}/actions/{segment(action)}", repeatable=False)

    def hold(self, toast: str, holder: str, lease: float) -> Call:
        headers = {"Content-Type": "application/json"}
        return Call("PUT", self._hold(toast, holder), headers=headers, content=encoded({"lease": lease}))

    def release(self, toast: str, holder: str) -> Call:
        return Call("DELETE", self._hold(toast, holder))

    def _toast(self, toast: str) -> str:
        return f"{self.path}/toasts/{segment(toast)}"

    def _hold(self, toast: str, holder: str) -> str:
        return f"{self._toast(toast)}/holds/{segment(holder)}"

    def _match(self, revision: int | None) -> dict[str, str]:
        return {} if revision is None else {"If-Match": f'"{revision}"'}


@dataclass
class Subscription:
    """The parameters of a stream, its cursor, and the number of failed connections since the last event."""

    path: str
    params: list[tuple[str, str]]
    cursor: str | None = None
    failures: int = 0
    awaited: set[str] = field(default_factory=set)
    """Of several channels, those that have not begun on this connection, with `snapshot` or `resumed`."""
    is_reset: bool = False
    """Whether a channel of this connection has begun with `reset`."""

    @classmethod
    def make(
        cls,
        path: str,
        since: str | None,
        events: Iterable[str] | None,
        audience: bool,
        assistive: bool,
        scale: float | None,
        language: str | None,
    ) -> Subscription:
        params: list[tuple[str, str]] = []
        if events is not None:
            params.append(("events", ",".join(listed(events))))
        if not audience:
            params.append(("audience", "0"))
        if assistive:
            params.append(("assistive", "1"))
        if scale is not None:
            if not math.isfinite(scale):
                raise ValueError(f"scale is {scale}")
            params.append(("scale", str(scale)))
        if language is not None:
            params.append(("language", language))
        return cls(path, params, since)

    def call(self) -> Call:
        """The request for the next connection."""
        self.awaited = {value for name, value in self.params if name == "channel"}
        self.is_reset = False
        params = httpx.QueryParams([*self.params, *([("since", self.cursor)] if self.cursor else [])])
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        path = f"{self.path}?{params}" if params else self.path
        return Call("GET", path, headers=headers, read_timeout=SILENCE)

    def take(self, event: Mapping[str, Any]) -> None:
        """Remembers the cursor of an event."""
        self.failures = 0
        if event["type"] in ("snapshot", "resumed"):
            self.awaited.discard(event.get("channel"))
        self.is_reset = self.is_reset or event.get("reset") is True
        # After a power failure of the server, a cursor has no place in the channels that begin later: from there they
        # would begin with `reset`, though perhaps nothing is lost. As long as none has lost events, only the cursor of
        # `resumed` is in doubt.
        is_partial = bool(self.awaited) and (self.is_reset or event["type"] == "resumed")
        if not is_partial and "cursor" in event:
            self.cursor = event["cursor"]

    def reach(self, position: str | None) -> None:
        """Remembers a cursor that the stream has reached without an event; None for no new one."""
        self.cursor = position or self.cursor

    def pause(self, response: httpx.Response | None = None) -> float:
        """Seconds before the next connection, after a failure."""
        seconds = delay(self.failures, response)
        self.failures += 1
        return seconds
