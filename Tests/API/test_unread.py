"""A client with `publish` but not `subscribe` gets the state of a toast, but no content of other clients."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx
import pytest

from callers import access_file, caller
from streams import Socket
from toastd import Toastd

RECEIPT = {"id", "channel", "revision", "state", "createdAt", "presentedAt", "dismissedAt", "dismissReason", "action"}
MERGE = {"Content-Type": "application/merge-patch+json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    directory = tmp_path_factory.mktemp("unread")
    with Toastd(directory, "--access", str(access_file(directory)), store="memory") as server:
        yield server


class Room:
    """A channel, its owner, and a client that may only publish."""

    def __init__(self, server: Toastd, name: str) -> None:
        self.base = server.url
        self.name = name
        self.url = f"{server.url}/v1/channels/{name}"
        self.owner = caller("owner", ("publish,subscribe,respond,manage", "*"))
        self.publisher = caller("publisher", ("publish", "*"))

    def configure(self, **settings: object) -> None:
        answer = httpx.put(f"{self.url}/settings", json=settings, headers=self.owner)
        assert answer.status_code == 200, answer.text

    def post(self, headers: dict[str, str], body: object, **fields: str) -> httpx.Response:
        return httpx.post(f"{self.url}/toasts", json=body, headers={**headers, **fields}, timeout=60)

    def secret(self, **members: object) -> dict:
        """A toast that the publisher must not read."""
        answer = self.post(self.owner, {"message": "m", "data": {"pin": "SECRET"}, **members})
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.fixture
def room(server: Toastd, name: str) -> Room:
    return Room(server, name)


def check(answer: httpx.Response, secret: dict) -> None:
    """Checks that a response names a toast and its state, and nothing of its content."""
    assert "SECRET" not in answer.text
    document = answer.json()
    toast = document.get("toast", document)
    # Warnings are about the publisher's own request.
    toast.pop("warnings", None)
    assert set(toast) <= RECEIPT, toast
    assert (toast["id"], toast["channel"]) == (secret["id"], secret["channel"])
    assert {"revision", "state", "createdAt"} <= set(toast)


def test_a_publisher_may_see_its_own_new_toast(room: Room) -> None:
    answer = room.post(room.publisher, {"message": "mine", "data": 1})
    assert answer.status_code == 201
    assert (answer.json()["message"], answer.json()["data"]) == ("mine", 1)


@pytest.mark.parametrize("deduplication", ["equal", "identity"])
def test_a_toast_that_was_there_already(room: Room, deduplication: str) -> None:
    room.configure(deduplication=deduplication)
    secret = room.secret()
    answer = room.post(room.publisher, {"message": "m"})
    assert answer.status_code == 200
    check(answer, secret)
    assert answer.headers["location"].endswith(secret["id"])


def test_a_batch_shows_which_of_its_toasts_are_new(room: Room) -> None:
    room.configure(deduplication="equal")
    secret = room.secret()
    answer = room.post(room.publisher, [{"message": "m"}, {"message": "mine"}])
    assert answer.status_code == 201
    assert "SECRET" not in answer.text
    known, new = answer.json()["toasts"]
    assert (known["id"], set(known) <= RECEIPT, new["message"]) == (secret["id"], True, "mine")


def test_a_repeated_batch_is_answered_as_the_first_time(room: Room) -> None:
    room.configure(deduplication="equal")
    room.secret()
    batch = [{"message": "m"}, {"message": "mine"}]
    answers = [room.post(room.publisher, batch, **{"Idempotency-Key": "own"}) for _ in range(2)]
    assert "idempotency-replayed" in answers[1].headers
    assert answers[1].json() == answers[0].json()
    assert answers[0].json()["toasts"][1]["message"] == "mine"


def test_the_toast_that_blocks_a_publish_is_a_receipt(room: Room) -> None:
    room.configure(mode="reject", whenUnattended="present")
    secret = room.secret(duration="indefinite")
    answer = room.post(room.publisher, {"message": "another"})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:toastd:problem:toast-already-presented")
    check(answer, secret)
    assert room.post(room.owner, {"message": "another"}).json()["toast"]["data"] == {"pin": "SECRET"}


@pytest.mark.parametrize("change", [{}, {"role": "warning"}, {"appearance": {"gapAfter": 3}}])
def test_a_toast_that_is_changed(room: Room, change: dict) -> None:
    secret = room.secret()
    path = f"{room.url}/toasts/{secret['id']}"
    answer = httpx.patch(path, json=change, headers={**room.publisher, **MERGE})
    assert answer.status_code == 200, answer.text
    check(answer, secret)
    assert "SECRET" not in answer.text


def test_a_toast_that_is_dismissed_and_one_that_was(room: Room) -> None:
    secret = room.secret()
    path = f"{room.url}/toasts/{secret['id']}"
    for _ in range(2):
        answer = httpx.delete(path, headers=room.publisher)
        check(answer, secret)
        assert (answer.json()["state"], answer.json()["dismissReason"]) == ("dismissed", "api")
    late = httpx.patch(path, json={"message": "late"}, headers={**room.publisher, **MERGE})
    assert (late.status_code, late.json()["type"]) == (409, "urn:toastd:problem:toast-dismissed")
    check(late, secret)


def test_the_answers_to_dismiss_act_and_hold_are_receipts(room: Room) -> None:
    person = caller("person", ("respond", "*"))
    room.configure(whenUnattended="present")
    secret = room.secret(duration="indefinite", actions=[{"id": "go", "title": "SECRET"}])
    answer = httpx.post(f"{room.url}/toasts/{secret['id']}/actions/go", headers=person)
    check(answer, secret)
    assert answer.json()["action"] == "go"
    check(httpx.post(f"{room.url}/toasts/{secret['id']}/dismiss", headers=person), secret)
    held = httpx.put(f"{room.url}/toasts/{secret['id']}/holds/me", headers=person)
    assert held.status_code == 409
    check(held, secret)


def wait_until_it_is_known(room: Room, message: str) -> dict:
    while True:
        toasts = httpx.get(f"{room.url}/toasts", headers=room.owner).json()["toasts"]
        for toast in toasts:
            if toast["message"] == message:
                return toast
        threading.Event().wait(0.02)


@pytest.mark.parametrize("isChanged", [False, True])
def test_the_outcome_of_a_waiting_publish_is_a_receipt_if_it_was_changed(room: Room, isChanged: bool) -> None:
    """The publisher may see its own content, but not if another client has changed it."""
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(room.post(room.publisher, {"message": "mine", "data": 7}, Prefer="wait=30"))
    )
    waiting.start()
    toast = wait_until_it_is_known(room, "mine")
    path = f"{room.url}/toasts/{toast['id']}"
    if isChanged:
        changes = {"data": {"pin": "SECRET"}}
        assert httpx.patch(path, json=changes, headers={**room.owner, **MERGE}).status_code == 200
    assert httpx.delete(path, headers=room.owner).status_code == 200
    waiting.join(60)
    (answer,) = answers
    assert (answer.status_code, answer.json()["dismissReason"]) == (200, "api")
    if isChanged:
        check(answer, toast)
    else:
        assert answer.json()["data"] == 7


def test_several_channels_at_once(room: Room) -> None:
    room.configure(deduplication="equal")
    secret = room.secret()
    body = {"channels": [room.name, f"{room.name[:50]}-other"], "toast": {"message": "m"}}
    headers = {**room.publisher, "Idempotency-Key": "many"}
    for _ in range(2):
        answer = httpx.post(f"{room.base}/v1/toasts", json=body, headers=headers)
        assert "SECRET" not in answer.text
        known, new = answer.json()["results"]
        assert (known["status"], known["toast"]["id"], set(known["toast"]) <= RECEIPT) == (200, secret["id"], True)
        assert (new["status"], new["toast"]["message"]) == (201, "m")


def test_a_repetition_shows_what_its_sender_may_see_now(room: Room) -> None:
    """A client that created a toast with more scopes sees less when it has fewer."""
    room.configure(deduplication="equal")
    secret = room.secret()
    strong = caller("somebody", ("publish,subscribe", "*"))
    weak = caller("somebody", ("publish", "*"))
    fields = {"Idempotency-Key": "k"}
    assert "SECRET" in room.post(strong, {"message": "m"}, **fields).text
    again = room.post(weak, {"message": "m"}, **fields)
    assert "idempotency-replayed" in again.headers
    check(again, secret)
    batch = [{"message": "m"}, {"message": "mine"}]
    assert "SECRET" in room.post(strong, batch, **{"Idempotency-Key": "b"}).text
    assert "SECRET" not in room.post(weak, batch, **{"Idempotency-Key": "b"}).text


def test_commands_of_a_socket(room: Room) -> None:
    room.configure(deduplication="equal", mode="reject", whenUnattended="present")
    secret = room.secret(duration="indefinite")
    lobby = f"{room.name[:50]}-lobby"
    headers = caller("visitor", ("subscribe", lobby), ("publish,respond", "*"))
    ticket = httpx.post(f"{room.base}/v1/tickets", headers=headers).json()["ticket"]
    with Socket(f"{room.base}/v1/socket", channel=lobby, ticket=ticket) as visitor:
        visitor.wait("snapshot")
        answers = [
            visitor.send(command="publish", channel=room.name, toast={"message": message, "duration": "indefinite"})
            for message in ("m", "another")
        ]
        answers.append(visitor.send(command="dismiss", channel=room.name, id=secret["id"]))
    assert [answer["type"] for answer in answers] == ["ack", "error", "ack"]
    assert "SECRET" not in json.dumps(answers)
    for answer in answers[0], answers[2]:
        assert answer["toast"]["id"] == secret["id"] and set(answer["toast"]) <= RECEIPT
