"""A program asks a question and waits for the answer."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from channel import Channel
from limits import wait_for_room
from logs import wait_for
from raw import RawConnection

QUESTION = {"message": "Delete?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}], "data": 7}


@pytest.fixture
def ask(channel):
    """Posts in the background with `Prefer: wait=N`."""
    with ThreadPoolExecutor() as pool:

        def ask(seconds, body=QUESTION, **headers):
            headers["Prefer"] = f"wait={seconds}"
            url = f"{channel.url}{channel.path}/toasts"
            return pool.submit(httpx.post, url, json=body, headers=headers, timeout=60)

        yield ask


def test_the_answer_is_what_a_person_pressed(channel, stream, ask):
    answer = ask(30)
    toast = stream.wait("presented")["toast"]
    assert not answer.done()
    channel.act(toast, "yes")
    response = answer.result(60)
    assert response.status_code == 200, response.text
    assert response.headers["preference-applied"] == "wait=30"
    assert response.headers["location"] == channel.toast(toast)
    assert response.json() == channel.get(toast).json()
    assert (response.json()["action"], response.json()["dismissReason"], response.json()["data"]) == (
        "yes",
        "action",
        7,
    )


@pytest.mark.parametrize("outcome", ["swipe", "api", "cleared"])
def test_every_outcome_is_an_answer(channel, stream, ask, outcome):
    answer = ask(30)
    toast = stream.wait("presented")["toast"]
    match outcome:
        case "swipe":
            channel.dismiss(toast, "swipe")
        case "api":
            channel.delete(toast)
        case "cleared":
            channel.http.delete(f"{channel.path}/toasts")
    assert (answer.result(60).status_code, answer.result().json()["dismissReason"]) == (200, outcome)


def test_a_timeout_of_the_toast_is_an_answer(ask, stream):
    response = ask(10, {"message": "m", "duration": 0.3}).result(60)
    assert (response.status_code, response.json()["dismissReason"]) == (200, "timeout")


def test_a_question_without_an_answer_is_202(channel, ask):
    started = time.monotonic()
    response = ask(1).result(60)
    assert 0.9 < time.monotonic() - started < 20
    assert (response.status_code, response.json()["state"]) == (202, "queued")
    assert channel.get(response.json()).status_code == 200


def test_many_may_wait(channel, stream, ask):
    answers = [ask(30, {**QUESTION, "message": str(number)}) for number in range(4)]
    stream.count("enqueued", 4)
    for number in range(4):
        toast = stream.count("presented", number + 1)[number]["toast"]
        channel.act(toast, "yes")
    assert sorted(answer.result(60).json()["message"] for answer in answers) == ["0", "1", "2", "3"]


def test_a_waiting_publisher_does_not_delay_a_stop(launch):
    server = launch()
    responses = []

    def post():
        url = f"{server.url}/v1/channels/a/toasts"
        responses.append(httpx.post(url, json=QUESTION, headers={"Prefer": "wait=60"}, timeout=70))

    thread = threading.Thread(target=post)
    thread.start()
    deadline = time.monotonic() + 60
    while not httpx.get(f"{server.url}/v1/channels/a/toasts").json()["toasts"]:
        assert time.monotonic() < deadline
    server.stop()
    thread.join(60)
    assert [response.status_code for response in responses] in ([202], [503])


def test_a_repetition_waits_for_the_same_answer(channel, stream, ask):
    first = ask(30, **{"Idempotency-Key": "question"})
    toast = stream.wait("presented")["toast"]
    second = ask(30, **{"Idempotency-Key": "question"})
    deadline = time.monotonic() + 60
    while second.running() is False and not second.done():
        assert time.monotonic() < deadline
    channel.act(toast, "yes")
    answers = [answer.result(60) for answer in (first, second)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["id"] for answer in answers] == [toast["id"]] * 2
    assert len(channel.toasts("dismissed")) == 1


def test_a_repetition_waits_though_its_first_answer_had_no_body(channel, stream, ask):
    headers = {"Idempotency-Key": "question"}
    assert channel.post(QUESTION, headers={**headers, "Prefer": "return=minimal"}).content == b""
    toast = stream.wait("presented")["toast"]
    answer = ask("30, return=minimal", **headers)
    channel.act(toast, "yes")
    response = answer.result(60)
    assert (response.status_code, response.json()["action"]) == (200, "yes")


@pytest.mark.parametrize(
    ("preference", "applied"),
    [
        ("wait=1, wait=30", "wait=1"),
        ("wait=1; foo", "wait=1"),
        ('foo="wait=30;x"; wait=30, WAIT = "1" ;bar=2', "wait=1"),
        ("return=representation, return=minimal, wait=1", "wait=1"),
        ("wait=-1", None),
        ("wait=+1", None),
        ("wait=1.5", None),
        ("wait", None),
    ],
)
def test_a_preference_is_read_as_the_standard_says(channel, preference, applied):
    """RFC 7240 §2: the first preference of each name counts, and unknown parameters are ignored."""
    response = channel.post(QUESTION, headers={"Prefer": preference}, timeout=60)
    assert response.headers.get("preference-applied") == applied
    assert response.json()["message"] == "Delete?"


def test_the_waiting_time_is_an_hour_at_most(channel, stream, ask):
    answer = ask("99999999999999999999")
    channel.act(stream.wait("presented")["toast"], "yes")
    response = answer.result(60)
    assert (response.status_code, response.headers["preference-applied"]) == (200, "wait=3600")


def test_a_waiting_publisher_gets_an_outcome_that_left_the_history(server, channel, ask):
    channel.configure(whenUnattended="present")
    answer = ask(600)
    # From here on it waits; before, it would find that its toast is forgotten.
    wait_for(server, message="stream opened", path=f"{channel.path}/toasts")
    # More toasts end at once than the history holds, and the question ends first.
    channel.post([{"message": str(number)} for number in range(100)])
    channel.post([{"message": str(number)} for number in range(100)])
    httpx.delete(f"{channel.url}{channel.path}/toasts")
    response = answer.result(60)
    assert (response.status_code, response.json()["dismissReason"]) == (200, "cleared")
    assert response.json()["message"] == "Delete?"


def half_closed(channel, body: bytes, preference: bytes = b"wait=30") -> RawConnection:
    """A publisher that sends its request, and closes its half of the connection as `nc -N` does."""
    connection = RawConnection((channel.http.base_url.host, channel.http.base_url.port))
    head = b"POST %b/toasts HTTP/1.1\r\nHost: toastd\r\nContent-Type: application/json\r\n" % channel.path.encode()
    connection.send(head + b"Prefer: %b\r\nContent-Length: %d\r\n\r\n" % (preference, len(body)) + body)
    connection.socket.shutdown(socket.SHUT_WR)
    return connection


def final(connection: RawConnection) -> tuple[int, dict[str, str], bytes]:
    """The final response, after interim ones (1xx)."""
    while (answer := connection.answer())[0] == 100:
        pass
    return answer


def test_a_half_closed_connection_is_answered(channel, stream):
    with half_closed(channel, json.dumps(QUESTION).encode()) as connection:
        toast = stream.wait("presented")["toast"]
        channel.act(toast, "yes")
        status, headers, body = final(connection)
        assert (status, headers["connection"], json.loads(body)["action"]) == (200, "close", "yes")
        assert connection.until_closed() == b""


def test_a_half_closed_connection_is_answered_when_the_toast_is_stored(channel):
    for number in range(20):
        toast = json.dumps({"message": str(number)}).encode()
        with half_closed(channel, toast, b"return=representation") as connection:
            status, _, body = connection.answer()
            assert (status, json.loads(body)["message"]) == (201, str(number))
            assert connection.until_closed() == b""


def test_a_half_closed_connection_is_answered_when_time_is_up(channel):
    with half_closed(channel, json.dumps(QUESTION).encode(), b"wait=1") as connection:
        status, _, body = final(connection)
        assert (status, json.loads(body)["state"]) == (202, "queued")


def test_a_closed_connection_does_not_occupy_a_stream(launch):
    """To the server a closed connection looks like a half-closed one, until it writes to it."""
    server = launch("--max-streams", "1", store="memory")
    channel = Channel(server.url, "a")
    for _ in range(3):
        with half_closed(channel, json.dumps(QUESTION).encode(), b"wait=3600"):
            pass
    wait_for_room(f"{server.url}/v1/channels/a/poll")
    channel.close()
