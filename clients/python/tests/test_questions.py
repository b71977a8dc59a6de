"""How long a question is repeated, when its toast is read instead, and when it is withdrawn."""

from __future__ import annotations

import httpx
import pytest

from conftest import Scripted
from toastd import ProblemError, Toastd


def test_a_question_is_over_when_its_time_is_whatever_the_server_asks_for(clock: list[float]) -> None:
    busy = httpx.Response(503, headers={"Retry-After": "60"})
    transport = Scripted(busy, httpx.Response(202, json={"id": "t1", "state": "queued"}))
    with Toastd("http://toasts.example", transport=transport) as client:
        assert client.channel("ops").ask("Go on?", wait=10, withdraw=True)["state"] == "queued"
    assert clock == [1010]
    assert [request.headers["Prefer"] for request in transport.requests] == ["wait=10, withdraw", "wait=1, withdraw"]


def answered(status: int, state: str, applied: str | None = None) -> httpx.Response:
    headers = {"Preference-Applied": applied} if applied else {}
    return httpx.Response(status, headers=headers, json={"id": "t1", "state": state})


@pytest.mark.parametrize("wait", [600, None])
def test_a_long_question_is_asked_again_before_a_proxy_gives_it_up(wait: float | None, clock: list[float]) -> None:
    transport = Scripted(answered(202, "queued"), answered(200, "dismissed"))
    with Toastd("http://toasts.example", transport=transport) as client:
        client.channel("ops").ask("Go on?", wait=wait)
    first, second = transport.requests
    assert first.headers["Prefer"] == second.headers["Prefer"] == "wait=45"
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert first.extensions["timeout"]["read"] == 75


@pytest.mark.usefixtures("clock")
def test_a_question_goes_on_until_its_toast_is_dismissed() -> None:
    """A server without memory for waiting requests answers at once: 201, or 200 for the toast of another publisher."""
    transport = Scripted(answered(201, "queued"), answered(200, "presented"), answered(200, "dismissed"))
    with Toastd("http://toasts.example", transport=transport) as client:
        assert client.channel("ops").ask("Go on?")["state"] == "dismissed"


class SlowServer(httpx.MockTransport):
    """Answers after 45 seconds, except while it is away; keeps the methods and times of the requests."""

    def __init__(self, clock: list[float], end: float, away: range = range(0)) -> None:
        self.requests: list[tuple[str, float]] = []
        self.last: httpx.Request

        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append((request.method, clock[0] - 1000))
            self.last = request
            if int(clock[0] - 1000) in away:
                raise httpx.ConnectError("refused")
            clock[0] += 45
            is_read = request.method == "GET"
            return answered(200 if is_read else 202, "dismissed" if clock[0] - 1000 > end else "queued")

        super().__init__(answer)


@pytest.mark.parametrize("away", [range(0), range(100, 4000)])
def test_a_question_whose_key_may_be_forgotten_is_read(away: range, clock: list[float]) -> None:
    transport = SlowServer(clock, 90000, away)
    with Toastd("http://toasts.example", transport=transport) as client:
        assert client.channel("ops").ask("Go on?", withdraw=True)["state"] == "dismissed"
    assert {method for method, at in transport.requests if at < 3000} == {"POST"}
    assert {method for method, at in transport.requests if at >= 3000} == {"GET"}
    assert transport.last.url.path == "/v1/channels/ops/toasts/t1"
    assert transport.last.headers["Prefer"] == "wait=45"
    assert transport.last.extensions["timeout"]["read"] == 75


@pytest.mark.usefixtures("clock")
def test_a_question_is_read_after_the_machine_was_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    """`time.monotonic` does not count that hour."""
    transport = Scripted(answered(202, "queued"), answered(200, "dismissed"))
    monkeypatch.setattr("time.time", lambda: 1e9 + 3600 * len(transport.requests))
    with Toastd("http://toasts.example", transport=transport) as client:
        client.channel("ops").ask("Go on?")
    assert [request.method for request in transport.requests] == ["POST", "GET"]


def test_a_question_that_never_arrived_is_asked_however_late(clock: list[float]) -> None:
    transport = SlowServer(clock, 4000, range(4000))
    with Toastd("http://toasts.example", transport=transport) as client:
        client.channel("ops").ask("Go on?")
    assert {method for method, _ in transport.requests} == {"POST"}


def sent(transport: Scripted) -> list[str]:
    return [f"{request.method} {request.url.path}" for request in transport.requests]


ASKED, WITHDRAWN = "POST /v1/channels/ops/toasts", "DELETE /v1/channels/ops/toasts/t1"


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("first", "withdraw", "last"),
    [
        (answered(201, "queued"), True, [WITHDRAWN]),
        (answered(202, "queued", "wait=45, withdraw"), True, [WITHDRAWN]),
        (answered(201, "queued"), False, []),
        # The toast of another publisher, on a channel that deduplicates.
        (answered(202, "presented", "wait=45"), True, []),
        (answered(200, "presented"), True, []),
    ],
)
def test_a_question_that_fails_is_withdrawn_unless_another_publisher_asked_it(
    first: httpx.Response, withdraw: bool, last: list[str]
) -> None:
    """The withdrawal is sent once; that it fails, too, is not raised."""
    transport = Scripted(first, httpx.Response(403), httpx.ReadError("lost"))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ProblemError, match="403"):
        client.channel("ops").ask("Go on?", withdraw=withdraw)
    assert sent(transport) == [ASKED, ASKED, *last]


@pytest.mark.usefixtures("clock")
def test_a_question_that_fails_while_it_is_read_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its later answers do not say whose it is."""
    transport = Scripted(answered(202, "queued", "wait=45, withdraw"), answered(200, "queued"), httpx.Response(401))
    monkeypatch.setattr("time.time", lambda: 1e9 + 3600 * len(transport.requests))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(ProblemError, match="401"):
        client.channel("ops").ask("Go on?", withdraw=True)
    assert sent(transport) == [ASKED, *["GET /v1/channels/ops/toasts/t1"] * 2, WITHDRAWN]


def test_a_question_is_withdrawn_by_an_interrupt_between_two_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", interrupt)
    transport = Scripted(answered(201, "queued"), httpx.ReadError("lost"))
    with Toastd("http://toasts.example", transport=transport) as client, pytest.raises(KeyboardInterrupt):
        client.channel("ops").ask("Go on?", withdraw=True)
    assert sent(transport) == [ASKED, WITHDRAWN]
