"""The client for threads. `scripts/sync-python` makes it from `_async.py`: change that file."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Mapping
from types import TracebackType
from typing import Any, Unpack, cast

import httpx

from ._auth import ToastdToken
from ._calls import (
    ATTEMPTS,
    RESTARTS,
    VERSION,
    Call,
    Calls,
    Subscription,
    bounded,
    check_stream,
    document_of,
    is_passing,
    listed,
    publication,
    segment,
    server_url,
)
from ._errors import ConnectionLost, ProblemError, problem_of
from ._models import (
    Dismissal,
    Draft,
    Event,
    Hold,
    Page,
    PublicationResults,
    State,
    Toast,
    ToastBatch,
    UpdatedToasts,
)
from ._sse import EventReader


class Toastd:
    """A server, at an address such as `https://toasts.example`. `token` is an API key or a token, or a function
    that gives the current one and is called for each request. Without `http://` or `https://`, or without a host, the
    address is a `ValueError`.

    `attempts` limits how often a request is sent in all, when its answer is lost, 429, 502, 503 or 504: with 6, it is
    given up after 8 to 31 s of pauses. The server may ask for other pauses, of 30 s at most: a longer one is a
    `ProblemError` at once. With `attempts=1`, every failure is raised at once.
    """

    def __init__(
        self,
        url: str,
        *,
        token: ToastdToken.Source | None = None,
        attempts: int = ATTEMPTS,
        timeout: float = 20,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.attempts = attempts
        self._token = ToastdToken(token or None)
        self._http = httpx.Client(
            base_url=server_url(url),
            headers={"User-Agent": f"toastd-python/{VERSION}"},
            # httpx would replace the token by a user name in the address.
            auth=httpx.Auth() if token else None,
            # Each stream and each question occupies a connection while it waits, so nothing waits for one.
            timeout=httpx.Timeout(timeout, pool=None),
            limits=httpx.Limits(max_connections=None),
            transport=transport,
        )

    def __enter__(self) -> Toastd:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the streams, too, without an error: at the latest when their connections give the next sign of life."""
        self._http.close()

    def channel(self, name: str) -> Channel:
        return Channel(self, name)

    def publish_to(
        self, channels: Iterable[str], message: Any = None, /, **members: Unpack[Draft]
    ) -> PublicationResults:
        """Publishes one toast to several channels; the result of each is in `results`."""
        body = {"channels": listed(channels), "toast": draft(message, members)}
        response = self._send(publication("/v1/toasts", body, None))
        return cast(PublicationResults, document_of(response))

    def _send(self, call: Call) -> httpx.Response:
        """Sends a request until it is answered, refused, or has failed too often or for too long."""
        attempt = 0
        while True:
            attempt += 1
            is_last = call.is_over(attempt, self.attempts)
            response: httpx.Response | None = None
            # Not in the `try`: a token that could not be fetched is no lost connection.
            authorization = self._token.header()
            try:
                response = self._http.send(call.request(self._http, authorization))
            except httpx.LocalProtocolError:
                # The request itself is wrong, as with a line break in the token: it would fail again.
                raise
            except (httpx.TransportError, httpx.DecodingError) as error:
                if is_last:
                    raise ConnectionLost(str(error) or type(error).__name__) from error
            if response is not None:
                if response.is_success:
                    return response
                if is_last or not call.may_repeat(response):
                    raise problem_of(response)
            time.sleep(call.pause(attempt, response))

    def stream(
        self,
        channels: Iterable[str],
        *,
        since: str | None = None,
        events: Iterable[str] | None = None,
        audience: bool = True,
        assistive: bool = False,
        scale: float | None = None,
        language: str | None = None,
    ) -> Generator[Event, None, None]:
        """The events of several channels, as `Channel.stream` has those of one."""
        subscription = Subscription.make("/v1/stream", since, events, audience, assistive, scale, language)
        subscription.params += [("channel", name) for name in listed(channels)]
        return self._follow(subscription)

    def _follow(self, subscription: Subscription) -> Generator[Event, None, None]:
        if self._http.is_closed:
            raise RuntimeError("The client is closed.")
        while not self._http.is_closed:
            response: httpx.Response | None = None
            # What a stopping server asks for comes first, also when its connection breaks.
            asked: float | None = None
            authorization = self._token.header()
            try:
                reader = EventReader()
                response = self._http.send(subscription.call().request(self._http, authorization), stream=True)
                if response.status_code != 200:
                    response.read()
                    if not is_passing(response):
                        raise problem_of(response)
                    pause = subscription.pause(response)
                else:
                    check_stream(response)
                    for chunk in response.iter_bytes():
                        for event in reader.feed(chunk):
                            subscription.take(event)
                            if event["type"] == "shutdown":
                                retry = event.get("retry")
                                asked = bounded(retry) if isinstance(retry, int | float) else 1
                            yield event
                        subscription.reach(reader.position)
                    pause = bounded(max(subscription.pause(), reader.retry or 0)) if asked is None else asked
            except httpx.LocalProtocolError:
                raise
            except (httpx.TransportError, httpx.DecodingError):
                pause = subscription.pause() if asked is None else asked
            except RuntimeError:
                # That of httpx: the client was closed just now.
                if self._http.is_closed:
                    return
                raise
            finally:
                if response is not None:
                    response.close()
            time.sleep(pause)


class Channel:
    """A channel of a server."""

    def __init__(self, server: Toastd, name: str) -> None:
        self.server = server
        self.name = name
        self._calls = Calls(name)

    def publish(self, message: Any = None, /, *, key: str | None = None, **members: Unpack[Draft]) -> Toast:
        """Publishes a toast. A lost answer is no risk: the request is repeated under the same idempotency key.

        So is one that the server cannot accept yet, as when the channel's queue is full (429); see `Toastd`.
        """
        return self._json(self._calls.publish(draft(message, members), key))

    def publish_batch(self, toasts: Iterable[Draft | str], *, key: str | None = None) -> ToastBatch:
        """Publishes up to 100 toasts: either all are accepted or none. `warnings` say what has no effect."""
        drafts = [draft(toast, {}) if isinstance(toast, str) else toast for toast in toasts]
        return self._json(self._calls.publish(drafts, key), "toasts")

    def ask(
        self,
        message: Any = None,
        /,
        *,
        wait: float | None = None,
        withdraw: bool = False,
        key: str | None = None,
        **members: Unpack[Draft],
    ) -> Toast:
        """Publishes a toast and waits until it ends, for `wait` seconds at most, also over restarts of the server.

        The pressed action is in `action`. A toast whose `state` is not `dismissed` has not ended in time. With
        `withdraw` the toast is dismissed when the connection is lost.

        After 50 minutes the client reads the toast instead of repeating its request, because the server may have
        forgotten the idempotency key. That needs the scope `subscribe`; without it, `ProblemError` (403) is raised. A
        connection that is lost then does not withdraw the toast.
        """
        end = math.inf if wait is None else time.monotonic() + wait
        # A server that restarts is away for some seconds, so the question is asked again until its time is over.
        question = self._calls.ask(draft(message, members), key, end, withdraw)
        while True:
            toast = cast(Toast, self._json(question, "id", "state"))
            if toast["state"] == "dismissed" or time.monotonic() >= end - 0.5:
                return toast
            question.reading = self._calls.wait(toast["id"], end)
            # A server that stops, or has no memory to wait, answers at once.
            time.sleep(min(1, max(0, end - time.monotonic())))

    def toasts(self, state: State | None = None) -> list[Toast]:
        """All toasts of the channel in their order, presented ones first.

        The list begins anew if the toast that ended a page has left it meanwhile: five times, then that `ProblemError`
        (404) is raised.
        """
        found: dict[str, Toast] = {}
        after: str | None = None
        restarts = 0
        while True:
            try:
                page = self.page(state, after)
            except ProblemError as error:
                if after is None or error.type != "toast-not-found" or restarts == RESTARTS:
                    raise
                restarts += 1
                found, after = {}, None
                continue
            # If the toast that ended the last page was presented meanwhile, it is in front, and toasts come again.
            for toast in page["toasts"]:
                found.setdefault(toast["id"], toast)
            after = page.get("next")
            if after is None:
                return list(found.values())

    def page(self, state: State | None = None, after: str | None = None) -> Page:
        """A page of the list; a stream `since` its cursor continues without a gap."""
        return self._json(self._calls.toasts(state, after), "cursor", "toasts")

    def get(self, toast: str) -> Toast:
        return self._json(self._calls.get(toast))

    def patch(self, toast: str, *, revision: int | None = None, **members: Unpack[Draft]) -> Toast:
        """Changes a toast; with `revision` only if it is still that one.

        With `revision` it is sent only once: `ConnectionLost` means that the toast may have been changed, or not.
        """
        return self._json(self._calls.patch(toast, members, revision))

    def patch_all(self, reuse_identifier: str, **members: Unpack[Draft]) -> UpdatedToasts:
        """Changes all toasts with an identifier: `updatedCount` of them. `toasts` has at most 256 KiB, or one toast."""
        return self._json(self._calls.patch_all(reuse_identifier, members), "updatedCount", "toasts")

    def delete(self, toast: str, *, revision: int | None = None) -> Toast:
        """Takes a toast back, queued or presented (reason `api`). One that has ended before is returned as it ended."""
        return self._json(self._calls.delete(toast, revision))

    def clear(self, **criteria: str) -> int:
        """Dismisses all toasts, or those with this `reuseIdentifier`, `title`, `message` or `placement`.

        It is sent only once: `ConnectionLost` means that they may have been dismissed, or not.
        """
        answer = self._json(self._calls.clear(criteria), "dismissedCount")
        return answer["dismissedCount"]

    def dismiss(self, toast: str, reason: Dismissal = "close") -> Toast:
        """Reports that a person dismissed a presented toast."""
        return self._json(self._calls.dismiss(toast, reason))

    def act(self, toast: str, action: str) -> Toast:
        """Reports that a person pressed an action of a presented toast.

        It is sent only once: `ConnectionLost` means that the press may have been recorded, or not.
        """
        return self._json(self._calls.act(toast, action))

    def hold(self, toast: str, holder: str, lease: float = 10) -> Hold:
        """Stops a toast's countdown for `lease` seconds; the same holder may renew it."""
        return self._json(self._calls.hold(toast, holder, lease))

    def release(self, toast: str, holder: str) -> None:
        self.server._send(self._calls.release(toast, holder))

    def stream(
        self,
        *,
        since: str | None = None,
        events: Iterable[str] | None = None,
        audience: bool = True,
        assistive: bool = False,
        scale: float | None = None,
        language: str | None = None,
    ) -> Generator[Event, None, None]:
        """The channel's events, for ever: a lost connection is opened again, and goes on after the last event.

        A `snapshot` comes first; one with `reset` later means that the server no longer has the missed events. A
        `shutdown` says that the server stops; the stream goes on when it is back. With `audience=False` the stream
        does not count as somebody who sees the toasts. `scale` says how many times longer (1 to 10) the person wants to
        see them.
        """
        path = f"/v1/channels/{segment(self.name)}/stream"
        return self.server._follow(Subscription.make(path, since, events, audience, assistive, scale, language))

    def _json(self, call: Call, *required: str) -> Any:
        return document_of(self.server._send(call), *required)


def draft(message: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    return {**({} if message is None else {"message": message}), **members}
