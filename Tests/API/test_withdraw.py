"""A question can be withdrawn with the connection of its publisher: `Prefer: wait=N, withdraw`."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from channel import Channel
from waiting import until

QUESTION = {"message": "Delete?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}]}


class Asker:
    """Sends a question over a connection of its own, which a test can lose."""

    def __init__(self, channel, prefer="wait=60, withdraw", question=QUESTION, **headers):
        host, port = channel.url.removeprefix("http://").split(":")
        body = json.dumps(question)
        fields = {
            "Host": f"{host}:{port}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Prefer": prefer,
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.socket.sendall(f"POST {channel.path}/toasts HTTP/1.1\r\n{head}\r\n{body}".encode())

    def answer(self):
        """Waits for the response, and returns its status."""
        received = b""
        while b"\r\n\r\n" not in received.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b""):
            part = self.socket.recv(65536)
            assert part, received
            received += part
        return int(received.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b"").split()[1])

    def leave(self, how="close"):
        match how:
            case "close":
                self.socket.close()
            case "reset":
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                self.socket.close()


def ended(channel, toast):
    """Waits until a toast is dismissed, and returns the reason."""
    found = until(lambda: (now := channel.get(toast).json())["state"] == "dismissed" and now)
    return found["dismissReason"]


def see_losses(channel):
    """Waits until the server must have noticed an earlier lost connection: until it has noticed four later ones."""
    for number in range(4):
        asker = Asker(channel, question={"message": f"other {number}"})
        others = until(lambda n=number: [t for t in channel.toasts() if t.get("message") == f"other {n}"])
        asker.leave()
        assert ended(channel, others[0]) == "api"


def asked(channel, number=1):
    """Waits until the channel has so many toasts, and returns the last one, the question."""
    toasts = until(lambda: len(found := channel.toasts()) >= number and found)
    return toasts[-1]


@pytest.mark.parametrize("how", ["close", "reset"])
def test_a_lost_connection_withdraws_the_question(channel, stream, how):
    asker = Asker(channel)
    toast = stream.wait("presented")["toast"]
    asker.leave(how)
    assert ended(channel, toast) == "api"


def test_a_queued_question_is_withdrawn(channel):
    asker = Asker(channel)
    toast = asked(channel)
    asker.leave()
    assert ended(channel, toast) == "api"


def test_a_question_stays_without_the_preference(channel):
    asker = Asker(channel, "wait=60")
    toast = asked(channel)
    asker.leave()
    see_losses(channel)
    assert channel.get(toast).json()["state"] == "queued"


def test_the_answer_says_that_the_preference_was_heeded(channel, stream):
    with ThreadPoolExecutor() as pool:
        headers = {"Prefer": "wait=30, withdraw"}
        url = f"{channel.url}{channel.path}/toasts"
        answer = pool.submit(httpx.post, url, json=QUESTION, headers=headers, timeout=60)
        toast = stream.wait("presented")["toast"]
        channel.act(toast, "yes")
        response = answer.result(60)
    assert (response.status_code, response.json()["action"]) == (200, "yes")
    assert response.headers["preference-applied"] == "wait=30, withdraw"


def test_a_question_whose_time_is_up_stays(channel):
    headers = {"Prefer": "wait=1, withdraw"}
    response = channel.post(QUESTION, headers=headers)
    assert response.status_code == 202
    assert channel.get(response.json()).json()["state"] == "queued"


def test_the_toast_of_another_publisher_is_not_withdrawn(channel, stream):
    channel.configure(preset="ysnackbar")
    toast = channel.publish(**QUESTION)
    asker = Asker(channel)
    stream.wait("updated")
    asker.leave()
    see_losses(channel)
    assert channel.get(toast).json()["state"] == "presented"


def test_a_half_closed_connection_gets_its_answer(channel, stream):
    asker = Asker(channel)
    toast = stream.wait("presented")["toast"]
    asker.socket.shutdown(socket.SHUT_WR)
    channel.act(toast, "yes")
    assert asker.answer() == 200
    assert channel.get(toast).json()["action"] == "yes"
    asker.leave()


def test_half_closing_during_the_answer_does_not_lose_it(launch, name):
    """The library notices the half-closed connection in different states, depending on the moment."""
    server = launch()

    def ask(number):
        channel = Channel(server.url, f"{name}-{number}")
        channel.configure(whenUnattended="present")
        asker = Asker(channel)
        toast = asked(channel)
        asker.socket.shutdown(socket.SHUT_WR)
        channel.act(toast, "yes")
        status = asker.answer()
        asker.leave()
        channel.close()
        return status

    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(ask, range(60))) == {200}


def test_a_stopping_server_withdraws_nothing(launch, name):
    server = launch()
    channel = Channel(server.url, name)
    answers = []
    headers = {"Prefer": "wait=60, withdraw"}
    url = f"{channel.url}{channel.path}/toasts"
    thread = threading.Thread(
        target=lambda: answers.append(httpx.post(url, json=QUESTION, headers=headers, timeout=60))
    )
    thread.start()
    toast = asked(channel)
    server.stop()
    thread.join(60)
    again = Channel(launch().url, name)
    assert again.get(toast).json()["state"] == "queued"
    again.close()
    channel.close()
