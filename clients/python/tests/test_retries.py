"""When a request or a stream is tried again. The servers are functions, so that each can fail as a test needs it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from toastd import AsyncToastd, ConnectionLost, ProblemError, Toastd


class NoMoreAnswersError(Exception):
    """The client sent more requests than the test has answers."""


class Scripted(httpx.MockTransport):
    """Gives one answer after another, and keeps the requests; an error is raised instead of answered."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.requests: list[httpx.Request] = []
        rest = iter(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            given = next(rest, NoMoreAnswersError())
            if isinstance(given, Exception):
                raise given
            return given

        super().__init__(answer)


def problem(status: int, kind: str) -> httpx.Response:
    return httpx.Response(status, json={"type": f"urn:toastd:problem:{kind}", "title": "No.", "status": status})


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds between the attempts, which nobody waits for."""
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


def test_a_press_is_sent_once_because_the_server_may_have_recorded_it(pauses: list[float]) -> None:
    transport = Scripted(httpx.ReadError("lost"))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ConnectionLost):
        client.channel("ops").act("t1", "undo")
    assert len(transport.requests) == 1
    assert pauses == []


@pytest.mark.parametrize(
    "call",
    [
        lambda channel: channel.publish("Deployed"),
        lambda channel: channel.dismiss("t1"),
        lambda channel: channel.server.channel("actions").dismiss("t1"),
        lambda channel: channel.patch("t1", message="Deployed"),
        lambda channel: channel.hold("t1", "viewer-1"),
    ],
)
def test_other_requests_are_sent_again(call: Callable[[Any], Any], pauses: list[float]) -> None:
    transport = Scripted(httpx.ReadError("lost"), httpx.Response(200, json={"id": "t1"}))
    with Toastd("http://toasts.example", transport=transport) as client:
        assert call(client.channel("ops")) == {"id": "t1"}
    assert len(transport.requests) == 2


def test_a_key_in_use_is_tried_again_under_the_same_key(pauses: list[float]) -> None:
    transport = Scripted(problem(409, "idempotency-key-in-use"), httpx.Response(201, json={"id": "t1"}))
    with Toastd("http://toasts.example", transport=transport) as client:
        assert client.channel("ops").publish("Deployed")["id"] == "t1"
    first, second = transport.requests
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert len(pauses) == 1 and 0.25 <= pauses[0] <= 1


def test_another_conflict_is_a_refusal(pauses: list[float]) -> None:
    transport = Scripted(problem(409, "toast-already-presented"))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ProblemError, match="409"):
        client.channel("ops").publish("Deployed")
    assert len(transport.requests) == 1


class BrokenStream(httpx.SyncByteStream):
    """Ends with an error after its events."""

    def __init__(self, *events: dict[str, Any]) -> None:
        self.events = events

    def __iter__(self) -> Iterator[bytes]:
        for event in self.events:
            yield f"data: {json.dumps(event)}\n\n".encode()
        raise httpx.ReadError("lost")


def test_a_connection_that_breaks_after_a_shutdown_is_opened_when_the_server_asked(pauses: list[float]) -> None:
    stopping = BrokenStream({"type": "shutdown", "retry": 7})
    transport = Scripted(httpx.Response(200, stream=stopping))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(NoMoreAnswersError):
        list(client.channel("ops").stream())
    assert pauses == [7]


@pytest.mark.parametrize("kind", [Toastd, AsyncToastd])
@pytest.mark.parametrize(
    "address", ["toasts.example", "toasts.example:8080", "localhost:8080", "ftp://toasts.example", "http://", ""]
)
def test_an_address_without_scheme_or_host_is_refused(kind: type, address: str) -> None:
    with pytest.raises(ValueError, match="is no address of a server"):
        kind(address)


def test_a_request_that_cannot_be_sent_is_not_tried_again(pauses: list[float]) -> None:
    def refuse(_: httpx.Request) -> httpx.Response:
        raise httpx.LocalProtocolError("Illegal header value b'Bearer a\\nb'")

    with Toastd("http://toasts.example", transport=httpx.MockTransport(refuse)) as client:
        with pytest.raises(httpx.LocalProtocolError):
            client.channel("ops").publish("never sent")
        with pytest.raises(httpx.LocalProtocolError):
            list(client.channel("ops").stream())
    assert pauses == []
