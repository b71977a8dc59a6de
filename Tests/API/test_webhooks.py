"""Events are posted to backends: signed, at least once, and never to forbidden addresses."""

import base64
import threading
import time

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from channel import Channel
from receiver import Receiver
from streams import EventStream
from waiting import until, wait_for_log

LOOPBACK = ("--webhook-allow", "127.0.0.0/8")
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()


def metric(url, name):
    """The value of a metric without labels."""
    text = httpx.get(f"{url}/metrics").text
    samples = [s for family in text_string_to_metric_families(text) for s in family.samples]
    return next(s.value for s in samples if s.name == name)


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def quick(launch, name):
    """A channel on a server that may post to this machine, and that repeats deliveries after short delays."""
    channel = Channel(launch(*LOOPBACK, "--webhook-retry-seconds", "0.05").url, name)
    yield channel
    channel.close()


def hook(receiver, **members):
    return {"url": receiver.url(), "secret": SECRET, **members}


def is_signed(delivery, secret):
    try:
        Webhook(secret).verify(delivery.body, delivery.headers)
    except WebhookVerificationError:
        return False
    return True


def press(channel, **members):
    """Publishes a toast with a button, presents it and presses the button."""
    toast = channel.publish(actions=[{"id": "undo", "title": "Undo"}], **members)
    with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        until(lambda: channel.get(toast).json()["state"] == "presented")
        assert channel.act(toast, "undo").status_code == 200
    return toast


# The content of deliveries


def test_presses_and_dismissals_are_delivered_and_signed(quick, receiver):
    quick.configure(webhooks=[hook(receiver)])
    toast = press(quick, data={"order": 7})
    acted, dismissed = sorted(receiver.wait(2), key=lambda delivery: delivery.event["data"]["cursor"])
    for delivery, kind in ((acted, "acted"), (dismissed, "dismissed")):
        assert Webhook(SECRET).verify(delivery.body, delivery.headers)["type"] == f"toastd.{kind}"
        with pytest.raises(WebhookVerificationError):
            Webhook(OTHER).verify(delivery.body, delivery.headers)
        with pytest.raises(WebhookVerificationError):
            Webhook(SECRET).verify(delivery.body + b" ", delivery.headers)
        assert abs(int(delivery.headers["webhook-timestamp"]) - time.time()) < 60
        assert delivery.headers["content-type"] == "application/cloudevents+json"
        assert delivery.path == "/hook"
        event = delivery.event
        envelope = event["data"]
        assert event == {
            "specversion": "1.0",
            "id": f"{quick.name}/{envelope['cursor']}",
            "source": f"/v1/channels/{quick.name}",
            "type": f"toastd.{kind}",
            "subject": toast["id"],
            "time": envelope["at"],
            "datacontenttype": "application/json",
            "data": envelope,
        }
        assert (envelope["type"], envelope["id"], envelope["action"]) == (kind, toast["id"], "undo")
        assert envelope["data"] == {"order": 7}
        assert delivery.id == event["id"]
    until(lambda: metric(quick.url, "toastd_webhook_delivered_total") == 2)
    assert metric(quick.url, "toastd_webhook_deliveries_waiting") == 0
    assert metric(quick.url, "toastd_webhook_failed_tries_total") == 0


def test_a_webhook_gets_the_events_that_it_selects(quick, receiver):
    quick.configure(
        webhooks=[
            hook(receiver, url=receiver.url("/all"), events=["enqueued", "dismissed", "configured"]),
            hook(receiver, url=receiver.url("/off"), enabled=False),
            hook(receiver, url=receiver.url("/pressed"), events=["acted"]),
        ]
    )
    quick.delete(quick.publish())
    quick.http.patch(f"{quick.path}/settings", json={"mode": "priority"})
    heard = sorted((d.event["type"], d.path) for d in receiver.wait(3))
    assert heard == [("toastd.configured", "/all"), ("toastd.dismissed", "/all"), ("toastd.enqueued", "/all")]
    configured = next(d.event for d in receiver.deliveries if d.event["type"] == "toastd.configured")
    assert "subject" not in configured
    assert "webhooks" not in configured["data"]["own"]


# Failures


@pytest.mark.parametrize("status", [500, 503, 404, 429, 301])
def test_a_failed_delivery_is_repeated_under_the_same_id(quick, receiver, status):
    receiver.answer = lambda _: 204 if len(receiver.deliveries) > 2 else status
    quick.configure(webhooks=[hook(receiver)])
    quick.delete(quick.publish())
    tries = receiver.wait(3)
    assert len({delivery.id for delivery in tries}) == 1
    assert len({delivery.body for delivery in tries}) == 1
    for delivery in tries:
        Webhook(SECRET).verify(delivery.body, delivery.headers)
    until(lambda: metric(quick.url, "toastd_webhook_delivered_total") == 1)
    assert metric(quick.url, "toastd_webhook_failed_tries_total") == 2
    assert metric(quick.url, "toastd_webhook_deliveries_waiting") == 0
    assert len(receiver.deliveries) == 3


def test_waiting_deliveries_survive_a_kill(launch, receiver, name):
    receiver.answer = 500
    server = launch(*LOOPBACK, "--webhook-retry-seconds", "0.3")
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver)])
    toasts = [channel.publish(str(number)) for number in range(5)]
    for toast in toasts:
        channel.delete(toast)
    receiver.wait(1)
    server.kill()
    receiver.answer = 204
    before = len(receiver.deliveries)

    server = launch(*LOOPBACK, "--webhook-retry-seconds", "0.3")
    until(lambda: metric(server.url, "toastd_webhook_delivered_total") == 5)
    again = receiver.deliveries[before:]
    assert {delivery.event["subject"] for delivery in again} == {toast["id"] for toast in toasts}
    assert {delivery.id for delivery in receiver.deliveries[:before]} <= {delivery.id for delivery in again}
    for delivery in again:
        Webhook(SECRET).verify(delivery.body, delivery.headers)
    channel.close()


def test_a_delivery_that_was_interrupted_by_a_kill_is_repeated(launch, receiver, name):
    release = threading.Event()
    receiver.answer = lambda _: 204 if release.wait(60) else 500
    server = launch(*LOOPBACK)
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver)])
    channel.delete(channel.publish())
    (first,) = receiver.wait(1)
    server.kill()
    release.set()
    launch(*LOOPBACK)
    assert [delivery.id for delivery in receiver.wait(2)] == [first.id] * 2
    channel.close()


def test_timers_continue_after_a_restart_without_a_request(launch, receiver, name):
    """Both toasts are presented and dismissed in turn, although no request loads the channel."""
    channel = Channel((server := launch(*LOOPBACK)).url, name)
    channel.configure(whenUnattended="present", webhooks=[hook(receiver)])
    toasts = [channel.publish(str(number), duration=1) for number in range(2)]
    server.kill()
    launch(*LOOPBACK)
    # The first toast is delivered twice if it had ended before the server was killed.
    until(lambda: {delivery.event["subject"] for delivery in receiver.deliveries} == {toast["id"] for toast in toasts})
    assert {delivery.event["data"]["dismissReason"] for delivery in receiver.deliveries} == {"timeout"}
    channel.close()


def test_a_stop_does_not_wait_for_a_receiver_that_hangs(launch, receiver, name):
    release = threading.Event()
    receiver.answer = lambda _: 204 if release.wait(30) else 500
    server = launch(*LOOPBACK)
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver)])
    channel.delete(channel.publish())
    receiver.wait(1)
    server.stop()
    release.set()
    launch(*LOOPBACK)
    assert len({delivery.id for delivery in receiver.wait(2)}) == 1
    channel.close()


def test_a_delivery_is_given_up_after_ten_attempts_and_logged(launch, receiver, name):
    receiver.answer = 400
    server = launch(*LOOPBACK, "--webhook-retry-seconds", "0.00005")
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver, url=receiver.url("/hook?token=hidden"))])
    channel.delete(channel.publish())
    until(lambda: metric(server.url, "toastd_webhook_given_up_total") == 1)
    assert len(receiver.deliveries) == 10
    assert metric(server.url, "toastd_webhook_failed_tries_total") == 10
    assert metric(server.url, "toastd_webhook_deliveries_waiting") == 0
    server.stop()
    (line,) = [line for line in server.log if "given up" in line]
    assert "tries 10" in line and receiver.deliveries[0].id in line and "status 400" in line
    assert "hidden" not in "".join(server.log)
    channel.close()


def test_a_receiver_that_answers_410_gets_no_more_deliveries(quick, receiver):
    receiver.answer = 410
    quick.configure(webhooks=[hook(receiver)])
    quick.delete(quick.publish())
    receiver.wait(1)

    def shown():
        return quick.http.get(f"{quick.path}/settings").json()["own"]["webhooks"][0]

    until(lambda: not shown()["enabled"])
    until(lambda: metric(quick.url, "toastd_webhook_given_up_total") == 1)
    assert metric(quick.url, "toastd_webhook_deliveries_waiting") == 0
    quick.delete(quick.publish())
    receiver.answer = 204
    quick.configure(webhooks=[{**shown(), "enabled": True}])
    toast = quick.publish()
    quick.delete(toast)
    assert [delivery.event["subject"] for delivery in receiver.wait(2)][1:] == [toast["id"]]
    Webhook(SECRET).verify(receiver.deliveries[1].body, receiver.deliveries[1].headers)


def test_waiting_deliveries_are_removed_with_their_webhook(quick, receiver):
    receiver.answer = 500
    quick.configure(webhooks=[hook(receiver)])
    quick.delete(quick.publish())
    receiver.wait(1)
    assert metric(quick.url, "toastd_webhook_deliveries_waiting") == 1
    quick.http.delete(f"{quick.path}/settings")
    assert metric(quick.url, "toastd_webhook_deliveries_waiting") == 0


# Forbidden addresses


def test_redirects_are_not_followed(quick, receiver):
    receiver.answer = lambda delivery: (302, {"Location": receiver.url("/elsewhere")})
    quick.configure(webhooks=[hook(receiver)])
    quick.delete(quick.publish())
    assert {delivery.path for delivery in receiver.wait(3)} == {"/hook"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "127.1"])
def test_private_addresses_are_refused_whatever_their_name(launch, receiver, name, host):
    server = launch("--webhook-retry-seconds", "0.05")
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver, url=receiver.url().replace("127.0.0.1", host))])
    channel.delete(channel.publish())
    until(lambda: metric(server.url, "toastd_webhook_failed_tries_total") >= 2)
    assert receiver.deliveries == []
    wait_for_log(server, "is not allowed")
    channel.close()


def test_an_exception_allows_no_more_than_it_says(launch, receiver, name):
    server = launch("--webhook-allow", "10.0.0.0/8,127.0.0.2", "--webhook-retry-seconds", "0.05")
    channel = Channel(server.url, name)
    channel.configure(webhooks=[hook(receiver)])
    channel.delete(channel.publish())
    until(lambda: metric(server.url, "toastd_webhook_failed_tries_total") >= 1)
    assert receiver.deliveries == []
    channel.close()


# Secrets


def test_a_secret_is_in_no_answer_no_stream_and_no_log(launch, receiver, name):
    server = launch(*LOOPBACK, "--webhook-retry-seconds", "0.05", "--log-level", "trace")
    channel = Channel(server.url, name)
    receiver.answer = lambda _: 500 if len(receiver.deliveries) < 2 else 204
    with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
        viewer.wait("snapshot")
        answers = [channel.configure(webhooks=[hook(receiver, events=["configured", "dismissed"])])]
        answers.append(channel.http.patch(f"{channel.path}/settings", json={"style": "retro"}).text)
        viewer.wait("configured")
        channel.delete(channel.publish())
        viewer.wait("dismissed")
        deliveries = receiver.wait(3)
        paths = [f"{channel.path}/settings", channel.path, "/v1/channels", f"{channel.path}/poll?wait=0", "/metrics"]
        answers += [channel.http.get(path).text for path in paths]
        events = viewer.events
    server.stop()
    key = SECRET.removeprefix("whsec_")
    assert "webhooks" not in str(events)
    for text in (str(answers), str(events), "".join(server.log), *(str(d) for d in deliveries)):
        assert SECRET not in text and key not in text
    channel.close()


def test_a_secret_that_is_not_sent_again_still_signs(quick, receiver):
    made = quick.configure(webhooks=[{"url": receiver.url()}])["own"]["webhooks"][0]
    secret = made.pop("secret")
    quick.configure(webhooks=[{**made, "events": ["enqueued"]}])
    quick.publish()
    (delivery,) = receiver.wait(1)
    Webhook(secret).verify(delivery.body, delivery.headers)


def test_a_new_secret_signs_waiting_deliveries(quick, receiver):
    receiver.answer = 500
    quick.configure(webhooks=[hook(receiver)])
    quick.delete(quick.publish())
    receiver.wait(1)
    quick.configure(webhooks=[hook(receiver, secret=OTHER)])
    # An attempt that was under way may still have the former signature.
    until(lambda: any(is_signed(delivery, OTHER) for delivery in receiver.deliveries))


# The configuration


@pytest.mark.parametrize("option", [("--webhook-allow", "10.0.0.1/8"), ("--webhook-retry-seconds", "0")])
def test_an_invalid_configuration_is_refused(launch, option):
    with pytest.raises(AssertionError, match="expected"):
        launch(*option)
