"""Wrong arguments, and answers that are not those of toastd: they raise only the documented errors."""

from __future__ import annotations

import asyncio
import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from conftest import STREAM, NoMoreAnswersError, Scripted
from toastd import AsyncToastd, ConnectionLost, ProblemError, Toastd, UnexpectedAnswer


@pytest.mark.parametrize("name", ["", ".", ".."])
@pytest.mark.parametrize(
    "call",
    [
        lambda server, name: server.channel(name).publish("Deployed"),
        lambda server, name: server.channel(name).stream(),
        lambda server, name: server.channel("ops").get(name),
        lambda server, name: server.channel("ops").delete(name),
        lambda server, name: server.channel("ops").patch(name, message="Deployed"),
        lambda server, name: server.channel("ops").act("t1", name),
        lambda server, name: server.channel("ops").release("t1", name),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(call: Callable[[Any, str], Any], name: str) -> None:
    transport = Scripted()
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(ValueError, match="is no name"):
        call(server, name)
    assert transport.requests == []


@pytest.mark.parametrize(
    "call",
    [
        lambda server: server.publish_to("ops", "Deployed"),
        lambda server: server.stream("ops"),
        lambda server: server.channel("ops").stream(events="dismissed"),
    ],
)
def test_a_string_is_no_list(call: Callable[[Any], Any]) -> None:
    with Toastd("http://toasts.example", transport=Scripted()) as server, pytest.raises(TypeError, match="is one name"):
        call(server)


@pytest.mark.parametrize(
    "answer",
    [
        {"content": b"<html>Hello.</html>"},
        {"content": b"\xff"},
        {"json": []},
        {"json": None},
        {"json": {}},
        {
            "json": {
                "id": 7,
                "state": "queued",
                "cursor": "a-1",
                "toasts": {},
                "results": {},
                "updatedCount": "7",
                "dismissedCount": "7",
            }
        },
    ],
)
@pytest.mark.parametrize(
    "call",
    [
        lambda channel: channel.publish("Deployed"),
        lambda channel: channel.publish_batch(["Deployed"]),
        lambda channel: channel.server.publish_to(["ops"], "Deployed"),
        lambda channel: channel.get("t1"),
        lambda channel: channel.patch("t1", message="Deployed"),
        lambda channel: channel.delete("t1"),
        lambda channel: channel.dismiss("t1"),
        lambda channel: channel.act("t1", "undo"),
        lambda channel: channel.hold("t1", "viewer-1"),
        lambda channel: channel.toasts(),
        lambda channel: channel.patch_all("nightly", message="2 %"),
        lambda channel: channel.clear(),
        lambda channel: channel.ask("Go on?", wait=0),
    ],
)
def test_the_answer_of_another_server_is_unexpected(
    call: Callable[[Any], Any], answer: Any, pauses: list[float]
) -> None:
    transport = Scripted(httpx.Response(200, **answer))
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(UnexpectedAnswer):
        call(server.channel("ops"))
    assert pauses == []


def test_an_answer_whose_state_is_no_text_is_unexpected() -> None:
    transport = Scripted(httpx.Response(200, json={"id": "t1", "state": 7}))
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(UnexpectedAnswer, match="state"):
        server.channel("ops").ask("Go on?")


def test_an_answer_without_the_toast_that_was_taken_back_is_unexpected() -> None:
    transport = Scripted(httpx.Response(200))
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(UnexpectedAnswer):
        server.channel("ops").delete("t1")


def test_an_answer_that_cannot_be_decoded_is_a_lost_connection(pauses: list[float]) -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))

    with Toastd("http://toasts.example", transport=httpx.MockTransport(broken)) as server:
        with pytest.raises(ConnectionLost):
            server.channel("ops").get("t1")
        with pytest.raises(ConnectionLost):
            server.channel("ops").ask("Go on?", wait=0)


def test_a_redirect_is_an_error_that_names_it() -> None:
    document = {"type": "urn:toastd:problem:queue-full", "detail": "Moved."}
    transport = Scripted(
        httpx.Response(301, headers={"Location": "/elsewhere"}, json=document),
        httpx.Response(307, headers={"Location": "/elsewhere"}),
        httpx.Response(300),
    )
    with Toastd("http://toasts.example", transport=transport) as server:
        channel = server.channel("ops")
        for target, call in [
            ("/elsewhere", lambda: channel.publish("Deployed")),
            ("/elsewhere", lambda: next(channel.stream())),
            ("another address", lambda: channel.get("t1")),
        ]:
            with pytest.raises(ProblemError, match=f"The server redirects to {target}: use that address.") as caught:
                call()
            assert caught.value.type == "about:blank"
    assert len(transport.requests) == 3


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    transport = Scripted()
    with Toastd("http://toasts.example", transport=transport) as server:
        channel = server.channel("ops")
        for call in [
            lambda: channel.publish("Deployed", duration=number),
            lambda: channel.ask("Go on?", duration=number),
            lambda: channel.patch("t1", progress={"value": number}),
            lambda: channel.hold("t1", "viewer-1", number),
        ]:
            with pytest.raises(ValueError, match="not JSON"):
                call()
        with pytest.raises(ValueError, match="scale is"):
            next(channel.stream(scale=number))
    assert transport.requests == []


@pytest.mark.parametrize("wait", [-math.inf, math.nan])
def test_a_wait_that_is_no_time_is_refused(wait: float) -> None:
    transport = Scripted()
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(ValueError, match="wait is"):
        server.channel("ops").ask("Go on?", wait=wait)
    assert transport.requests == []


def test_a_refusal_of_another_server_is_a_problem() -> None:
    transport = Scripted(httpx.Response(400, json={"type": 7, "errors": ["no"], "detail": "No."}))
    with (
        Toastd("http://toasts.example", transport=transport) as server,
        pytest.raises(ProblemError, match="400 7: No"),
    ):
        server.channel("ops").get("t1")


@pytest.mark.parametrize("kind", [None, "text/html; charset=utf-8", "application/json"])
def test_a_stream_of_another_type_is_an_error(kind: str | None, pauses: list[float]) -> None:
    transport = Scripted(httpx.Response(200, headers={"Content-Type": kind} if kind else {}, content=b"<html>"))
    with (
        Toastd("http://toasts.example", transport=transport) as server,
        pytest.raises(UnexpectedAnswer, match="stream"),
    ):
        next(server.channel("ops").stream())
    assert pauses == []


def test_an_event_that_cannot_be_read_is_skipped(pauses: list[float]) -> None:
    text = 'data: {bad\n\ndata: []\n\ndata: {"id": "t1"}\n\ndata: {"type": "acted", "id": "t1"}\n\n'
    transport = Scripted(httpx.Response(200, headers=STREAM, text=text))
    events = []
    with Toastd("http://toasts.example", transport=transport) as server, pytest.raises(NoMoreAnswersError):
        for event in server.channel("ops").stream():
            events.append(event)
    assert events == [{"type": "acted", "id": "t1"}]


def test_more_than_a_hundred_questions_wait_at_once() -> None:
    count = 105
    body = b'{"id": "t1", "state": "dismissed"}'

    async def run() -> None:
        waiting: list[asyncio.StreamWriter] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            waiting.append(writer)
            if len(waiting) == count:
                for each in waiting:
                    each.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

        async with await asyncio.start_server(serve, "127.0.0.1") as server:
            port = server.sockets[0].getsockname()[1]
            async with AsyncToastd(f"http://127.0.0.1:{port}") as client:
                channel = client.channel("ops")
                async with asyncio.timeout(20):
                    await asyncio.gather(*(channel.ask("Go on?", wait=40) for _ in range(count)))

    asyncio.run(run())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
@pytest.mark.parametrize(
    "error",
    [
        ProblemError(429, {"type": "urn:toastd:problem:queue-full", "title": "The queue is full.", "status": 429}),
        ConnectionLost("no answer"),
        UnexpectedAnswer("the answer is not JSON"),
    ],
)
def test_an_error_can_be_copied_and_pickled(error: Exception, copied: Callable[[Exception], Exception]) -> None:
    error.add_note("In the night.")
    other = copied(error)
    assert (type(other), str(other), vars(other)) == (type(error), str(error), vars(error))
