"""When a request or a stream is tried again. The servers are scripted, so that each fails as its test needs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from conftest import STREAM, NoMoreAnswersError, Scripted
from toastd import AsyncToastd, ConnectionLost, ProblemError, Toastd
from toastd._calls import Subscription


def problem(status: int, kind: str) -> httpx.Response:
    return httpx.Response(status, json={"type": f"urn:toastd:problem:{kind}", "title": "No.", "status": status})


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


@pytest.mark.parametrize(
    "call",
    [
        lambda channel: channel.patch("t1", revision=1, message="Deployed"),
        lambda channel: channel.clear(),
    ],
)
def test_a_request_that_would_do_more_the_second_time_is_sent_once(
    call: Callable[[Any], Any], pauses: list[float]
) -> None:
    transport = Scripted(httpx.ReadError("lost"))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ConnectionLost):
        call(client.channel("ops"))
    assert len(transport.requests) == 1


@pytest.mark.parametrize("lost", [httpx.ConnectError("refused"), httpx.Response(502)])
def test_a_restart_is_survived(lost: httpx.Response | Exception, clock: list[float], monkeypatch: Any) -> None:
    """With pauses of medium length, which together exceed the 10 s of a restart."""
    monkeypatch.setattr("random.random", lambda: 0.5)
    transport = Scripted(*[lost] * 5, httpx.Response(201, json={"id": "t1"}))
    with Toastd("http://toasts.example", transport=transport) as client:
        assert client.channel("ops").publish("Deployed")["id"] == "t1"
    assert clock[0] - 1000 == 31 * 0.625


def full(seconds: str) -> httpx.Response:
    answer = problem(429, "queue-full")
    answer.headers["Retry-After"] = seconds
    return answer


def test_a_full_queue_is_tried_again_when_the_server_asks_for_it(pauses: list[float]) -> None:
    transport = Scripted(*(full("5") for _ in range(6)))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ProblemError, match="429"):
        client.channel("ops").publish("Deployed")
    assert len(pauses) == 5 and all(5 <= pause <= 6 for pause in pauses)


@pytest.mark.parametrize(
    ("seconds", "attempts", "count"), [("31", 6, 1), ("30", 6, 2), ("9" * 5000, 6, 1), ("5", 1, 1)]
)
def test_a_request_that_should_wait_for_too_long_fails_at_once(
    seconds: str, attempts: int, count: int, pauses: list[float]
) -> None:
    transport = Scripted(full(seconds), problem(403, "forbidden"))
    client = Toastd("http://toasts.example", attempts=attempts, transport=transport)
    with client, pytest.raises(ProblemError) as refused:
        client.channel("ops").publish("Deployed")
    assert refused.value.status == (429 if count == 1 else 403)
    assert len(transport.requests) == count
    assert len(pauses) == count - 1


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
    transport = Scripted(httpx.Response(200, headers=STREAM, stream=stopping))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(NoMoreAnswersError):
        list(client.channel("ops").stream())
    assert pauses == [7]


@pytest.mark.parametrize("when", ["while it is read", "before it is opened again", "just before that"])
def test_a_stream_of_a_closed_client_ends(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Toastd("http://toasts.example", transport=Scripted(httpx.Response(200, headers=STREAM, text="")))
    monkeypatch.setattr("time.sleep", lambda _: client.close() if when == "before it is opened again" else None)
    call, seen = Subscription.call, []

    def called(subscription: Subscription) -> Any:
        seen.append(call(subscription))
        if when == "just before that" and len(seen) == 2:
            client.close()
        return seen[-1]

    monkeypatch.setattr(Subscription, "call", called)
    if when == "while it is read":
        monkeypatch.setattr("toastd._sync.check_stream", lambda _: client.close())
    assert list(client.channel("ops").stream()) == []


def test_a_stream_ends_whose_client_is_closed_while_it_connects() -> None:
    """Closing a client ends the connections that it has, and this one comes later."""

    def answer(_: httpx.Request) -> httpx.Response:
        client.close()
        return httpx.Response(200, headers=STREAM, text='data: {"type": "acted"}\n\n')

    client = Toastd("http://toasts.example", transport=httpx.MockTransport(answer))
    assert list(client.channel("ops").stream()) == []


@pytest.mark.usefixtures("pauses")
def test_a_token_is_asked_for_before_each_attempt() -> None:
    tokens = ["third", "second", "first"]
    transport = Scripted(httpx.Response(503), httpx.Response(200, json={"id": "t1"}), httpx.Response(401))
    with Toastd("http://toasts.example", token=tokens.pop, transport=transport) as client:
        client.channel("ops").publish("Deployed")
        with pytest.raises(ProblemError, match="401"):
            list(client.channel("ops").stream())
    sent = [request.headers["Authorization"] for request in transport.requests]
    assert sent == ["Bearer first", "Bearer second", "Bearer third"]


def test_a_token_that_cannot_be_fetched_is_no_lost_connection(pauses: list[float]) -> None:
    """The server that issues tokens cannot be reached, which must not look like a failure of toastd."""
    error, transport = httpx.ConnectError("refused"), Scripted()

    def token() -> str:
        raise error

    async def run() -> None:
        async with AsyncToastd("http://toasts.example", token=token, transport=transport) as client:
            for call in (client.channel("ops").act("t1", "undo"), anext(client.channel("ops").stream())):
                with pytest.raises(httpx.ConnectError) as raised:
                    await call
                assert raised.value is error

    with Toastd("http://toasts.example", token=token, transport=transport) as client:
        for call in (client.channel("ops").get, lambda _: next(client.channel("ops").stream())):
            with pytest.raises(httpx.ConnectError) as raised:
                call("t1")
            assert raised.value is error
    asyncio.run(run())
    assert transport.requests == []
    assert pauses == []


def test_a_token_comes_before_a_user_name_in_the_address() -> None:
    transport = Scripted(httpx.Response(200, json={"id": "t1"}))
    with Toastd("http://user:secret@toasts.example", token="toastd_KEY", transport=transport) as client:
        client.channel("ops").get("t1")
    assert transport.requests[0].headers["Authorization"] == "Bearer toastd_KEY"


def test_an_empty_token_of_a_function_is_an_error() -> None:
    """Without it, the request would be that of another caller."""
    transport = Scripted()
    with (
        Toastd("http://toasts.example", token=lambda: "", transport=transport) as client,
        pytest.raises(ValueError, match="empty"),
    ):
        client.channel("ops").get("t1")
    assert transport.requests == []


def test_a_token_of_a_coroutine_is_awaited() -> None:
    transport = Scripted(httpx.Response(200, json={"id": "t1"}), httpx.Response(200, json={"id": "t1"}))

    async def token() -> str:
        return "fetched"

    async def run() -> None:
        for source in (token, lambda: "called"):
            async with AsyncToastd("http://toasts.example", token=source, transport=transport) as client:
                await client.channel("ops").publish("Deployed")

    asyncio.run(run())
    assert [request.headers["Authorization"] for request in transport.requests] == ["Bearer fetched", "Bearer called"]


@pytest.mark.usefixtures("pauses")
def test_a_stream_resumes_after_what_it_left_out() -> None:
    event = 'id: a-1\ndata: {"type": "acted", "cursor": "a-1"}\n\n'
    texts = [f"{event}:\n\nid: a-8\n\nid: a-9\n\n", f"id: a-1\n\n{event}", "id: a-2"]
    transport = Scripted(*(httpx.Response(200, headers=STREAM, text=text) for text in texts))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(NoMoreAnswersError):
        list(client.channel("ops").stream(events=["acted"]))
    # The last id does not count, because its block is incomplete.
    assert [request.url.params.get("since") for request in transport.requests] == [None, "a-9", "a-1", "a-1"]


def frames(*events: tuple[str, str, str]) -> httpx.Response:
    """A stream with the type, channel and cursor of each event. Snapshots say that events are lost."""
    names = ("type", "channel", "cursor")
    documents = [dict(zip(names, event)) | ({"reset": True} if event[0] == "snapshot" else {}) for event in events]
    return httpx.Response(200, headers=STREAM, text="".join(f"data: {json.dumps(it)}\n\n" for it in documents))


@pytest.mark.usefixtures("pauses")
def test_a_stream_of_several_channels_keeps_its_place_until_all_have_begun_again() -> None:
    """`ops` has lost events by a power failure. Once both have begun again, the stream goes on after each event."""
    since, whole = "a-lobby.7~ops.3", "b-lobby.7~ops.2"
    reset = ("snapshot", "ops", "b-ops.2")
    transport = Scripted(
        frames(("resumed", "lobby", "b-lobby.7")),
        frames(reset),
        frames(reset, ("acted", "ops", "b-ops.3")),
        frames(reset, ("resumed", "lobby", whole)),
        frames(("resumed", "ops", whole), ("acted", "ops", "b-lobby.7~ops.4")),
    )
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(NoMoreAnswersError):
        list(client.stream(["ops", "lobby"], since=since))
    sent = [request.url.params["since"] for request in transport.requests]
    assert sent == [since, since, since, since, whole, "b-lobby.7~ops.4"]


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


def page(*toasts: str, following: str | None = None, state: str = "queued") -> httpx.Response:
    document = {"cursor": "a-1", "toasts": [{"id": toast, "state": state} for toast in toasts]}
    return httpx.Response(200, json={**document, "next": following} if following else document)


def test_a_list_has_a_toast_once_that_has_moved_between_its_pages() -> None:
    transport = Scripted(page("t1", "t2", following="t2"), page("t1", "t3", state="presented"))
    with Toastd("http://toasts.example", transport=transport) as client:
        toasts = client.channel("ops").toasts()
    assert [toast["id"] for toast in toasts] == ["t1", "t2", "t3"]
    # The later page has its present state.
    assert toasts[0]["state"] == "presented"


def test_a_list_does_not_begin_anew_without_end() -> None:
    gone = [page("t1", following="t1"), problem(404, "toast-not-found")]
    transport = Scripted(*gone * 6)
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ProblemError, match="404"):
        client.channel("ops").toasts()
    assert [request.url.params.get("after") for request in transport.requests] == [None, "t1"] * 6


@pytest.mark.parametrize(("asked", "least", "most"), [("0", 0.25, 0.25), ("9" * 5000, 3600, 3600), ("\u00b2", 0.25, 1)])
def test_a_stream_pauses_neither_too_short_nor_too_long(
    asked: str, least: float, most: float, pauses: list[float]
) -> None:
    transport = Scripted(httpx.Response(503, headers=[(b"Retry-After", asked.encode("latin-1"))]))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(NoMoreAnswersError):
        list(client.channel("ops").stream())
    assert len(pauses) == 1 and least <= pauses[0] <= most
