"""A client with `manage` can see the waiting deliveries of webhooks, and the result of the last attempt."""

import httpx
import pytest

from channel import Channel
from receiver import Receiver
from test_problems import problem
from test_webhooks import LOOPBACK, SECRET
from waiting import until


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


def managed(launch, name, receiver, *options, **hook):
    """A channel on a separate server that sends every toast to the receiver, and the path of its deliveries."""
    channel = Channel(launch(*LOOPBACK, *options).url, name)
    hook = {"url": receiver.url(), "secret": SECRET, "events": ["enqueued"], **hook}
    answer = channel.configure(webhooks=[hook])
    (webhook,) = answer.get("own", answer.get("settings"))["webhooks"]
    return channel, f"{channel.path}/webhooks/{webhook['id']}/deliveries"


def test_a_completed_delivery_no_longer_waits(launch, name, receiver):
    channel, path = managed(launch, name, receiver)
    first = channel.http.get(path).json()
    assert (first["waitingCount"], first["waiting"], "lastAttempt" in first) == (0, [], False)
    assert (first["url"], first["enabled"]) == (receiver.url(), True)
    channel.publish("m")
    receiver.wait(1)
    answer = until(lambda: (found := channel.http.get(path).json()).get("lastAttempt") and found)
    until(lambda: channel.http.get(path).json()["waitingCount"] == 0)
    assert (answer["lastAttempt"]["outcome"], answer["lastAttempt"]["status"]) == ("delivered", 204)
    channel.close()


def test_a_refused_delivery_waits_with_its_attempts(launch, name, receiver):
    receiver.answer = 503
    channel, path = managed(launch, name, receiver, "--webhook-retry-seconds", "0.05")
    channel.publish("m")
    (delivery, *_) = receiver.wait(2)
    answer = until(lambda: (found := channel.http.get(path).json())["waiting"][0]["attemptCount"] >= 2 and found)
    assert (answer["lastAttempt"]["outcome"], answer["lastAttempt"]["status"]) == ("refused", 503)
    assert answer["waitingCount"] == 1
    (waiting,) = answer["waiting"]
    assert waiting["id"] == delivery.id
    assert waiting["due"] >= waiting["at"]
    channel.close()


def test_an_answer_names_a_hundred_and_counts_all(launch, name, receiver):
    receiver.answer = 503
    channel, path = managed(launch, name, receiver, "--webhook-retry-seconds", "600")
    for _ in range(3):
        channel.post([{"message": str(number)} for number in range(50)])
    answer = channel.http.get(path).json()
    assert (answer["waitingCount"], len(answer["waiting"])) == (150, 100)
    offsets = [int(waiting["id"].rsplit("-", 1)[1]) for waiting in answer["waiting"]]
    assert offsets == sorted(offsets)
    channel.close()


def test_a_receiver_that_is_not_there_has_no_status(launch, name, receiver):
    url = receiver.url()
    channel, path = managed(launch, name, receiver, "--webhook-retry-seconds", "600")
    receiver.close()
    channel.publish("m")
    answer = until(lambda: (found := channel.http.get(path).json()).get("lastAttempt") and found)
    assert answer["url"] == url
    assert (answer["lastAttempt"]["outcome"], "status" in answer["lastAttempt"]) == ("unreachable", False)
    channel.close()


def test_waiting_deliveries_survive_a_kill_and_the_last_attempt_does_not(launch, name, receiver):
    receiver.answer = 503
    server = launch(*LOOPBACK, "--webhook-retry-seconds", "600")
    channel = Channel(server.url, name)
    answer = channel.configure(webhooks=[{"url": receiver.url(), "events": ["enqueued"]}])
    (webhook,) = answer.get("own", answer.get("settings"))["webhooks"]
    path = f"{channel.path}/webhooks/{webhook['id']}/deliveries"
    channel.publish("m")
    before = until(lambda: (found := channel.http.get(path).json())["waiting"][0]["attemptCount"] == 1 and found)
    server.kill()
    channel.close()
    after = httpx.get(launch(*LOOPBACK, "--webhook-retry-seconds", "600").url + path).json()
    assert after["waiting"] == before["waiting"]
    assert ("lastAttempt" in before, "lastAttempt" in after) == (True, False)


@pytest.mark.parametrize("webhook", ["0123456789abcdef", "x"])
def test_a_webhook_that_is_not_there_is_not_found(channel, webhook):
    problem(channel.http.get(f"{channel.path}/webhooks/{webhook}/deliveries"), 404, "webhook-not-found")


def test_the_id_of_a_webhook_must_belong_to_its_url(channel):
    answer = channel.configure(webhooks=[{"url": "https://example.org/a"}])
    (webhook,) = answer.get("own", answer.get("settings"))["webhooks"]
    del webhook["secret"]
    channel.configure(webhooks=[webhook])
    response = channel.http.put(
        f"{channel.path}/settings", json={"webhooks": [{**webhook, "url": "https://example.org/b"}]}
    )
    problem(response, 422, "invalid-settings")
    assert [error["pointer"] for error in response.json()["errors"]] == ["/webhooks/0/id"]
    assert httpx.get(f"{channel.url}{channel.path}/webhooks/{webhook['id']}/deliveries").status_code == 200
