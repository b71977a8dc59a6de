"""`toastd ask` waits for the answer to a question, and withdraws the question when it stops waiting."""

import json
import re
import signal
import socket
import time

import pytest

from channel import Channel
from commands import running


@pytest.fixture
def ask(server, name):
    def ask(*arguments, **options):
        return running("ask", name, *arguments, environment={"TOASTD_SERVER": server.url}, **options)

    return ask


def test_the_answer_is_printed(channel, stream, ask):
    with ask("Deploy?", "--action", "yes=Deploy", "--action", "no=Cancel") as asking:
        toast = stream.wait("presented")["toast"]
        assert toast["duration"] == "indefinite"
        assert [action["title"] for action in toast["actions"]] == ["Deploy", "Cancel"]
        channel.act(toast, "no")
        assert asking.until(list) == ["no"]
        assert asking.end() == 0


def test_the_whole_answer_may_be_json(channel, stream, ask):
    with ask("Sure?", "--output", "json") as asking:
        toast = stream.wait("presented")["toast"]
        assert [action["id"] for action in toast["actions"]] == ["yes", "no"]
        channel.act(toast, "yes")
        assert json.loads(asking.until(list)[0]) == channel.get(toast).json()


def test_the_standard_buttons_may_be_marked(stream, ask):
    with ask("Sure?", "--destructive", "yes"):
        actions = stream.wait("presented")["toast"]["actions"]
    assert actions == [{"id": "yes", "title": "Yes", "role": "destructive"}, {"id": "no", "title": "No"}]


def test_a_question_may_go_without_an_answer(channel, stream, ask):
    with ask("Sure?") as asking:
        channel.dismiss(stream.wait("presented")["toast"], "swipe")
        assert asking.end() == 3
        assert (asking.lines, "swipe" in asking.errors[-1]) == ([], True)


def test_a_question_is_taken_back_when_the_time_is_up(channel, ask):
    with ask("Sure?", "--timeout", "1s") as asking:
        assert asking.end() == 4
    assert asking.lines == []
    assert [toast["dismissReason"] for toast in channel.toasts("dismissed")] == ["api"]


def test_a_question_may_stay(channel, ask):
    with ask("Sure?", "--timeout", "0.5", "--keep") as asking:
        assert asking.end() == 4
    assert len(channel.toasts()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_the_question_back(channel, stream, ask, number):
    with ask("Sure?") as asking:
        stream.wait("presented")
        assert asking.end(number) == 128 + number
        assert stream.wait("dismissed")["dismissReason"] == "api"
    assert channel.toasts() == []


def test_a_question_in_the_background_outlives_the_terminal(channel, stream, ask):
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with ask("Sure?", preexec_fn=ignore) as asking:
        toast = stream.wait("presented")["toast"]
        asking.process.send_signal(signal.SIGHUP)
        channel.act(toast, "yes")
        assert asking.until(list) == ["yes"]
        assert asking.end() == 0


def test_a_question_outlives_the_server(launch, tmp_path):
    server = launch()
    port = server.address[1]
    channel = Channel(server.url, "ops")
    channel.configure(whenUnattended="present")
    with running("ask", "ops", "Deploy?", environment={"TOASTD_SERVER": server.url}) as asking:
        deadline = time.monotonic() + 60
        while not (toasts := channel.toasts()):
            assert time.monotonic() < deadline
        server.stop()
        again = launch("--listen", f"127.0.0.1:{port}")
        Channel(again.url, "ops").act(toasts[0], "yes")
        assert asking.until(list) == ["yes"]
        assert asking.end() == 0
    assert len(Channel(again.url, "ops").toasts("dismissed")) == 1


def receive(listener):
    """A request's connection and head."""
    connection, _ = listener.accept()
    connection.settimeout(20)
    text = connection.recv(65536)
    while not text.endswith(b"}" if text.startswith(b"POST") else b"\r\n\r\n"):
        part = connection.recv(65536)
        assert part, text
        text += part
    return connection, text.split(b"\r\n\r\n")[0].decode()


def test_a_question_that_may_have_arrived_is_taken_back():
    """The server accepted the question, and its response was lost."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        with running("ask", "ops", "Sure?", "--server", f"127.0.0.1:{listener.getsockname()[1]}") as asking:
            connection, lost = receive(listener)
            connection.close()
            heads = []
            for _ in range(2):
                connection, head = receive(listener)
                with connection:
                    heads.append(head)
                    connection.sendall(b'HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n{"id":"a-b"}')
            assert asking.end() == 2
    key = re.compile(r"Idempotency-Key: \S+")
    assert key.search(lost)[0] == key.search(heads[0])[0]
    assert heads[1].startswith("DELETE /v1/channels/ops/toasts/a-b ")
    assert "what was asked may have been done" in asking.errors[0]


def methods_of(listener, answers):
    """Answers one request after the other; returns their methods."""
    methods = []
    for status, body in answers:
        connection, head = receive(listener)
        with connection:
            methods.append(head.split()[0])
            fields = f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}"
            connection.sendall(f"HTTP/1.0 {status}\r\n{fields}\r\n\r\n{body}".encode())
    return methods


def test_a_key_that_only_publishes_waits_after_an_early_answer():
    """A server that is about to stop answers early; without `subscribe` the client cannot read the toast's state."""
    queued = '{"id":"a-b","state":"queued"}'
    answers = [
        ("201 Created", queued),
        ("200 OK", queued),
        ("403 Forbidden", '{"type":"urn:toastd:problem:not-permitted","title":"No.","status":403}'),
        ("200 OK", '{"id":"a-b","state":"dismissed","dismissReason":"action","action":"yes"}'),
    ]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        with running("ask", "ops", "Sure?", "--server", f"127.0.0.1:{listener.getsockname()[1]}") as asking:
            assert methods_of(listener, answers) == ["POST", "POST", "GET", "POST"]
            assert asking.until(list) == ["yes"]
            assert asking.end() == 0


@pytest.mark.parametrize("status", ["502 Bad Gateway", "504 Gateway Timeout"])
def test_a_question_that_a_proxy_may_have_passed_on_is_taken_back(status):
    answers = [(status, ""), ("200 OK", '{"id":"a-b"}'), ("200 OK", '{"id":"a-b"}')]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        with running("ask", "ops", "Sure?", "--server", f"127.0.0.1:{listener.getsockname()[1]}") as asking:
            assert methods_of(listener, answers) == ["POST", "POST", "DELETE"]
            assert asking.end() == 1


def test_a_question_that_is_refused_is_an_error(server, ask):
    with ask("Sure?", "--action", "a b=Yes") as asking:
        assert asking.end() == 1
    assert any(line.startswith("  /actions/0/id: ") for line in asking.errors)
