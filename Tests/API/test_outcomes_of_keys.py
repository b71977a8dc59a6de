"""The outcome of a question belongs to its idempotency key, for as long as the key is stored."""

import json
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from channel import Channel
from commands import run
from streams import EventStream

QUESTION = {"message": "Deploy?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}]}
KEY = {"Idempotency-Key": "question"}
ASK = ("--action", "yes=Deploy", "--idempotency-key", "question")


def answer_question(channel, toast):
    """Presents the channel's toast, and presses its button."""
    with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
        viewer.until(lambda _: channel.get(toast).json()["state"] == "presented")
        pressed = channel.act(toast, "yes")
    assert pressed.status_code == 200, pressed.text
    return pressed.json()


def bury(channel, count=500):
    """Presents and ends this many other toasts."""
    for start in range(0, count, 100):
        batch = [{"message": f"other {number}"} for number in range(start, min(start + 100, count))]
        assert channel.post(batch).status_code == 201
        assert channel.http.delete(f"{channel.path}/toasts").status_code == 200


def curl(url, *options):
    """The status and the field `Idempotency-Replayed` of curl's response, and its document."""
    told = "%{stderr}%{http_code} %header{idempotency-replayed}"
    command = ["curl", "-s", "--max-time", "60", "-w", told, *options, url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr.split(), json.loads(done.stdout)


def test_an_answered_question_keeps_its_answer_through_500_toasts_and_a_restart(launch, name):
    server = launch()
    channel = Channel(server.url, name)
    body = json.dumps(QUESTION)
    options = ("-H", "Content-Type: application/json", "-H", "Idempotency-Key: question", "-d", body)
    (status, *_), toast = curl(f"{channel.url}{channel.path}/toasts", *options)
    assert status == "201"
    ended = answer_question(channel, toast)
    bury(channel)
    server.kill()
    again = Channel(launch().url, name)
    waiting = (*options, "-H", "Prefer: wait=20")
    assert curl(f"{again.url}{again.path}/toasts", *waiting) == (["200", "true"], ended)
    # A repetition without `wait` gets the first response again.
    status, first = curl(f"{again.url}{again.path}/toasts", *options)
    assert (status, first) == (["201", "true"], toast)
    # The toast itself is found by its id, too.
    assert again.get(toast).json() == ended
    again.close()
    channel.close()


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_ask_gets_the_answer_of_its_key_after_500_toasts_and_a_restart(launch, name, end):
    server = launch()
    channel = Channel(server.url, name)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(run, "ask", name, "Deploy?", *ASK, "--server", server.url)
        with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
            toast = viewer.wait("presented")["toast"]
            channel.act(toast, "yes")
        first = asked.result(60)
    assert (first.returncode, first.stdout) == (0, "yes\n"), first.stderr
    bury(channel)
    getattr(server, end)()
    server = launch()
    second = run("ask", name, "Deploy?", *ASK, "--server", server.url)
    assert (second.returncode, second.stdout) == (0, "yes\n"), second.stderr
    channel.close()


def test_the_answer_belongs_to_the_key_in_memory_too(launch, name):
    channel = Channel(launch(store="memory").url, name)
    toast = channel.post(QUESTION, headers=KEY).json()
    ended = answer_question(channel, toast)
    bury(channel)
    repeated = channel.post(QUESTION, headers={**KEY, "Prefer": "wait=20"})
    assert (repeated.status_code, repeated.json()) == (200, ended)
    assert repeated.headers["idempotency-replayed"] == "true"
    assert repeated.headers["location"] == channel.toast(toast)
    channel.close()


def test_a_question_that_is_answered_after_a_restart_keeps_its_answer(launch, name):
    """The server must know after the restart that the toast has a key."""
    server = launch()
    channel = Channel(server.url, name)
    toast = channel.post(QUESTION, headers=KEY).json()
    server.kill()
    again = Channel(launch().url, name)
    ended = answer_question(again, toast)
    bury(again)
    repeated = again.post(QUESTION, headers={**KEY, "Prefer": "wait=20"})
    assert (repeated.status_code, repeated.json()) == (200, ended)
    again.close()
    channel.close()


def test_a_question_that_was_cleared_with_hundreds_keeps_its_outcome(channel):
    """More toasts end at once than the channel keeps, so it forgets those without a key."""
    toast = channel.post(QUESTION, headers=KEY).json()
    for start in range(3):
        channel.post([{"message": f"{start} {number}"} for number in range(100)])
    channel.http.delete(f"{channel.path}/toasts")
    repeated = channel.post(QUESTION, headers={**KEY, "Prefer": "wait=20"})
    assert (repeated.status_code, repeated.json()["dismissReason"]) == (200, "cleared")
    assert repeated.json()["id"] == toast["id"]


def test_keys_of_one_toast_have_one_outcome(channel):
    channel.configure(preset="ysnackbar")
    draft = {**QUESTION, "reuseIdentifier": "deploy"}
    first = channel.post(draft, headers={"Idempotency-Key": "first"}).json()
    second = channel.post(draft, headers={"Idempotency-Key": "second"})
    assert (second.status_code, second.json()["id"]) == (200, first["id"])
    ended = answer_question(channel, first)
    bury(channel)
    for key in ("first", "second"):
        repeated = channel.post(draft, headers={"Idempotency-Key": key, "Prefer": "wait=20"})
        assert (repeated.status_code, repeated.json()) == (200, ended)


def test_a_long_toast_keeps_its_answer_without_its_data(channel):
    draft = {**QUESTION, "data": "x" * 30_000, "reuseIdentifier": "build", "link": "/builds/7"}
    toast = channel.post(draft, headers=KEY).json()
    answer_question(channel, toast)
    bury(channel)
    repeated = channel.post(draft, headers={**KEY, "Prefer": "wait=20"})
    assert (repeated.status_code, repeated.json()["action"]) == (200, "yes")
    assert "data" not in repeated.json()
    assert (repeated.json()["reuseIdentifier"], repeated.json()["link"]) == ("build", "/builds/7")
    assert repeated.json()["message"] == "Deploy?"


def test_reading_a_toast_waits_for_its_outcome(channel, stream):
    toast = channel.publish(duration="indefinite", actions=QUESTION["actions"])
    stream.wait("presented")
    with ThreadPoolExecutor() as pool:
        read = pool.submit(httpx.get, channel.url + channel.toast(toast), headers={"Prefer": "wait=30"}, timeout=60)
        threading.Event().wait(0.3)
        assert not read.done()
        ended = channel.act(toast, "yes").json()
        response = read.result(60)
    assert (response.status_code, response.json()) == (200, ended)
    assert response.headers["preference-applied"] == "wait=30"
    # For a toast that has ended the response comes at once.
    assert channel.get(toast, headers={"Prefer": "wait=30"}).json() == ended


def test_reading_a_toast_waits_no_longer_than_it_is_told(channel):
    toast = channel.publish()
    response = channel.get(toast, headers={"Prefer": "wait=1"})
    assert (response.status_code, response.json()["state"]) == (200, "queued")
    assert response.headers["preference-applied"] == "wait=1"
    head = channel.http.head(channel.toast(toast), headers={"Prefer": "wait=30"}, timeout=10)
    assert head.status_code == 200
    assert "preference-applied" not in head.headers
