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
    may_withdraw,
    publication,
    segment,
    server_url,
)
from ._errors import ConnectionLost, ProblemError, problem_of
from ._last_call import ToastdLastCall
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
    that returns the current one and is called for each attempt. An address without `http://` or `https://`, or without
    a host, raises `ValueError`.

    A request is sent up to `attempts` times if its answer is lost, or is 429, 502, 503 or 504: 6 attempts have pauses
    of 8 to 31 s in all. The server may ask for other pauses: one of more than 30 s raises `ProblemError` at once. With
    `attempts=1`, every failure is raised at once. `timeout` is in seconds.
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
        self._last_call = ToastdLastCall()
        self._http = httpx.Client(
            base_url=server_url(url),
            headers={"User-Agent": f"toastd-python/{VERSION}"},
            # Otherwise httpx would replace the token by a user name in the address.
            auth=httpx.Auth() if token else None,
            # Streams and questions occupy a connection each while they wait, so their number has no limit.
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
        """Ends the streams, too, without an error: at the latest with the next data or comment from the server."""
        try:
            # It still needs its connection.
            self._last_call.finish()
        finally:
            self._http.close()

    def channel(self, name: str) -> Channel:
        return Channel(self, name)

    def publish_to(
        self, channels: Iterable[str], message: Any = None, /, *, key: str | None = None, **members: Unpack[Draft]
    ) -> PublicationResults:
        """Publishes one toast to several channels; the result of each is in `results`.

        The same call with the same `key` tries the channels again that refused it.
        """
        body = {"channels": listed(channels), "toast": draft(message, members)}
        response = self._send(publication("/v1/toasts", body, key))
        return cast(PublicationResults, document_of(response, "results"))

    def _send(self, call: Call) -> httpx.Response:
        """Sends a request until it is answered, refused, or has failed too often or for too long."""
        attempt = 0
        while True:
            attempt += 1
            is_last = call.is_over(attempt, self.attempts)
            response: httpx.Response | None = None
            # Outside `try`, because a failure to fetch the token is no lost connection.
            authorization = self._token.header()
            try:
                response = self._http.send(call.request(self._http, authorization))
            except httpx.LocalProtocolError:
                # The request itself is invalid, for example by a line break in the token: it would fail again.
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
        """The events of several channels; otherwise like `Channel.stream`."""
        subscription = Subscription.make("/v1/stream", since, events, audience, assistive, scale, language)
        subscription.params += [("channel", name) for name in listed(channels)]
        return self._follow(subscription)

    def _follow(self, subscription: Subscription) -> Generator[Event, None, None]:
        if self._http.is_closed:
            raise RuntimeError("The client is closed.")
        while not self._http.is_closed:
            response: httpx.Response | None = None
            # Seconds from a `shutdown` event, which take precedence, also if the connection then breaks.
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
                        # Closing the client while this connection was being made did not end it.
                        if self._http.is_closed:
                            return
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
                # httpx raises it when the client was closed meanwhile.
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
        """Publishes a toast. If the answer is lost, the request is repeated under the same idempotency key.

        It is also repeated while the server cannot accept it, for example while the channel's queue is full (429); see
        `Toastd`. `key` is the idempotency key; by default a random one.
        """
        return self._json(self._calls.publish(draft(message, members), key), "id")

    def publish_batch(self, toasts: Iterable[Draft | str], *, key: str | None = None) -> ToastBatch:
        """Publishes up to 100 toasts: either all are accepted or none. `warnings` name members that have no effect."""
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
        """Publishes a toast and waits until it ends, for `wait` seconds at most (by default without a limit), also over
        restarts of the server.

        The pressed action is in `action`. A toast whose `state` is not `dismissed` has not ended in time. With
        `withdraw` the toast is dismissed when the connection is lost, and when this call is cancelled or fails after
        the server's first answer, for which it sends one more request. The toast of another publisher stays. All who
        ask with one key share a toast: the first that ends withdraws it.

        After 50 minutes, by the clock or by the time that has passed, the client reads the toast instead of repeating
        its request, because the server may have forgotten the idempotency key. That needs the scope `subscribe`;
        without it, `ProblemError` (403) is raised. A connection that is lost then does not withdraw the toast, for
        example when the process is killed. A publication whose first answer never came is repeated under its key: after
        the server's idempotency hours (24 by default) it may be published twice.
        """
        if wait is not None and not wait > -math.inf:
            raise ValueError(f"wait is {wait}")
        end = math.inf if wait is None else time.monotonic() + wait
        # Repeated until its time is over, because a server that restarts is away for some seconds.
        question = self._calls.ask(draft(message, members), key, end, withdraw)
        # The id of the toast that is to be withdrawn, as soon as it is known.
        own: str | None = None
        try:
            while True:
                response = self.server._send(question)
                toast = cast(Toast, document_of(response, "id", "state"))
                if withdraw and may_withdraw(response):
                    own = toast["id"]
                if toast["state"] == "dismissed" or time.monotonic() >= end - 0.5:
                    return toast
                question.reading = self._calls.wait(toast["id"], end)
                # A pause, because a server that stops, or has no memory for waiting requests, answers at once.
                time.sleep(min(1, max(0, end - time.monotonic())))
        except BaseException as error:
            # The server itself withdraws the toast only when a connection that publishes it is lost, not while this
            # client pauses or reads the toast. A coroutine that is thrown away (`GeneratorExit`) can send nothing.
            if own is not None and not isinstance(error, GeneratorExit):
                self.server._last_call.send(self._calls.withdraw(own), self.server._send)
            raise

    def toasts(self, state: State | None = None) -> list[Toast]:
        """All toasts of the channel in their order, presented ones first.

        The list begins anew if the last toast of a page has left it meanwhile: five times at most, then `ProblemError`
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
            # The last toast of a page may move to the front when it is presented: the next page begins after it, so
            # toasts come again.
            found.update((toast["id"], toast) for toast in page["toasts"])
            after = page.get("next")
            if after is None:
                return list(found.values())

    def page(self, state: State | None = None, after: str | None = None) -> Page:
        """The page of the list after the toast `after`. A stream `since` its cursor continues without a gap."""
        return self._json(self._calls.toasts(state, after), "cursor", "toasts")

    def get(self, toast: str) -> Toast:
        return self._json(self._calls.get(toast), "id")

    def patch(self, toast: str, *, revision: int | None = None, **members: Unpack[Draft]) -> Toast:
        """Changes a toast; with `revision` only if the toast still has this revision.

        With `revision` the request is sent only once: after `ConnectionLost`, and after `ProblemError` with the status
        502 or 504, or the type `store-undecided` (503), the toast may or may not have changed.
        """
        return self._json(self._calls.patch(toast, members, revision), "id")

    def patch_all(self, reuse_identifier: str, **members: Unpack[Draft]) -> UpdatedToasts:
        """Changes all toasts with a reuse identifier: all or none.

        `updatedCount` is their number; `toasts` has as many of them as fit into 256 KiB, and at least one.
        """
        return self._json(self._calls.patch_all(reuse_identifier, members), "updatedCount", "toasts")

    def delete(self, toast: str, *, revision: int | None = None) -> Toast:
        """Dismisses a queued or presented toast (reason `api`). One that has already ended is returned unchanged."""
        return self._json(self._calls.delete(toast, revision), "id")

    def clear(self, **criteria: str) -> int:
        """Dismisses all toasts, or those with this `reuseIdentifier`, `title`, `message` and `placement`; returns their
        number.

        The request is sent only once: after `ConnectionLost`, and after `ProblemError` with the status 502 or 504, or
        the type `store-undecided` (503), the toasts may or may not have been dismissed.
        """
        answer = self._json(self._calls.clear(criteria), "dismissedCount")
        return answer["dismissedCount"]

    def dismiss(self, toast: str, reason: Dismissal = "close") -> Toast:
        """Reports that a person dismissed a presented toast."""
        return self._json(self._calls.dismiss(toast, reason), "id")

    def act(self, toast: str, action: str) -> Toast:
        """Reports that a person pressed an action of a presented toast.

        The request is sent only once: after `ConnectionLost`, and after `ProblemError` with the status 502 or 504, or
        the type `store-undecided` (503), the press may or may not have been recorded.
        """
        return self._json(self._calls.act(toast, action), "id")

    def hold(self, toast: str, holder: str, lease: float = 10) -> Hold:
        """Stops a toast's countdown for `lease` seconds; the same holder may renew it."""
        return self._json(self._calls.hold(toast, holder, lease), "id")

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
        """The channel's events, without end: a lost connection is opened again, and resumes after the last event.

        Without `since`, a `snapshot` comes first; a later one with `reset` means that the server no longer has the
        missed events. After a `shutdown` the stream resumes when the server is back. The stream counts as audience,
        unless `audience` is false or `events` lacks `presented`. `scale` says how many times longer (1 to 10) the
        person wants to see toasts. Leaving the loop with `break` ends the stream only if nothing else refers to the
        generator; otherwise close it.
        """
        path = f"/v1/channels/{segment(self.name)}/stream"
        return self.server._follow(Subscription.make(path, since, events, audience, assistive, scale, language))

    def _json(self, call: Call, *required: str) -> Any:
        return document_of(self.server._send(call), *required)


def draft(message: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    return {**({} if message is None else {"message": message}), **members}
