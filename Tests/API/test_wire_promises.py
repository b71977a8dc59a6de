"""Promises of the wire format: no silent drops, marked repetitions, one meaning for each word."""

import secrets
import time

import httpx
import pytest

from channel import Channel
from commands import run
from streams import instant
from test_problems import pointers, problem

MANY = "/v1/toasts"


def warned(answer: dict) -> dict[str, str]:
    """The warnings of a response: pointers and sentences."""
    for warning in answer.get("warnings", []):
        assert warning["detail"].endswith(".") and set(warning) <= {"pointer", "detail", "ratio"}
    return {warning["pointer"]: warning["detail"] for warning in answer.get("warnings", [])}


@pytest.fixture
def names(name):
    return [f"{name[:50]}-{suffix}" for suffix in "abc"]


@pytest.fixture
def http(server):
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


def to_many(http, names, toast, **headers):
    return http.post(
        MANY, json={"channels": names, "toast": toast}, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


def fill(http, *names):
    for name in names:
        assert http.put(f"/v1/channels/{name}/settings", json={"capacity": 1}).status_code == 200
        assert http.post(f"/v1/channels/{name}/toasts", json={"message": "first"}).status_code == 201


# 5: publishing to many channels


def test_5_accepted_by_all_channels_is_201(http, names):
    response = to_many(http, names, {"message": "m"})
    assert response.status_code == 201
    assert response.json()["summary"] == {"channelCount": 3, "acceptedCount": 3, "refusedCount": 0}


def test_5_the_same_failure_in_all_channels_is_its_status(http, names):
    fill(http, *names)
    response = to_many(http, names, {"message": "m"})
    document = problem(response, 429, "queue-full")
    assert document["summary"] == {"channelCount": 3, "acceptedCount": 0, "refusedCount": 3}
    assert [result["channel"] for result in document["results"]] == names
    assert {result["problem"]["type"] for result in document["results"]} == {document["type"]}
    assert int(response.headers["retry-after"]) == document["retryAfter"]
    # For a single channel the problem has no `results`.
    assert "results" not in problem(to_many(http, names[:1], {"message": "m"}), 429, "queue-full")


def test_5_accepted_by_some_channels_is_207(http, names):
    fill(http, names[1])
    response = to_many(http, names, {"message": "m"})
    assert response.status_code == 207
    assert response.json()["summary"] == {"channelCount": 3, "acceptedCount": 2, "refusedCount": 1}
    assert [result["status"] for result in response.json()["results"]] == [201, 429, 201]


def test_5_different_failures_are_207(http, names):
    fill(http, names[0])
    http.put(f"/v1/channels/{names[1]}/settings", json={"mode": "reject"})
    http.post(f"/v1/channels/{names[1]}/toasts", json={"message": "first"})
    response = to_many(http, names[:2], {"message": "m"})
    assert response.status_code == 207
    assert response.json()["summary"] == {"channelCount": 2, "acceptedCount": 0, "refusedCount": 2}
    assert [result["status"] for result in response.json()["results"]] == [429, 409]


def test_5_known_in_all_channels_is_200(http, names):
    for name in names:
        http.put(f"/v1/channels/{name}/settings", json={"deduplication": "identity"})
    assert to_many(http, names[:2], {"message": "m"}).status_code == 201
    assert to_many(http, names[:2], {"message": "m"}).status_code == 200
    assert to_many(http, names, {"message": "m"}).status_code == 201


# 6: nothing is dropped silently


def test_6_progress_turns_from_indeterminate_to_determinate(channel):
    toast = channel.publish(progress={"indeterminate": True})
    changed = channel.patch(toast, {"progress": {"value": 1, "total": 4}}).json()
    assert (changed["revision"], changed["progress"]) == (2, {"value": 1, "total": 4})
    back = channel.patch(toast, {"progress": {"indeterminate": True}}).json()
    assert (back["revision"], back["progress"]) == (3, {"indeterminate": True})
    again = channel.patch(toast, {"progress": {"value": 0.5}}).json()
    assert again["progress"] == {"value": 0.5, "total": 1}


def test_6_progress_of_both_kinds_is_refused(channel):
    both = {"indeterminate": True, "value": 1}
    assert pointers(problem(channel.post({"message": "m", "progress": both}), 422, "invalid-toast")) == [
        "/progress/value"
    ]
    toast = channel.publish()
    assert pointers(problem(channel.patch(toast, {"progress": both}), 422, "invalid-patch")) == ["/progress/value"]
    rest = {"indeterminate": True, "total": 3, "dismissAfter": 2}
    answer = channel.post({"message": "m", "progress": rest}).json()
    assert list(warned(answer)) == ["/progress/total", "/progress/dismissAfter"]
    assert answer["progress"] == {"indeterminate": True}
    del rest["indeterminate"]
    unchanged = channel.patch(answer, {"progress": rest}).json()
    assert warned(unchanged) == warned(answer)
    assert (unchanged["revision"], unchanged["progress"]) == (1, {"indeterminate": True})


def test_6_unknown_members_are_warned_of(channel):
    toast = {
        "message": {"key": "k", "default": "d", "fallback": "x"},
        "duraton": 4,
        "id": "mine",
        "actions": [{"id": "a", "title": "A", "colour": "red"}],
        "image": {"url": "/a.png", "width": 3},
        "progress": {"value": 1, "percent": 100},
        "appearance": {"glow": 1, "title": {"size": 3}},
        "data": {"anything": "goes"},
    }
    answer = channel.post(toast).json()
    assert list(warned(answer)) == [
        "/message/fallback",
        "/duraton",
        "/id",
        "/actions/0/colour",
        "/image/width",
        "/progress/percent",
        "/appearance/glow",
        "/appearance/title/size",
    ]
    assert warned(answer)["/duraton"] == "There is no such member; it is ignored."
    # Warnings belong to the response, not to the toast.
    assert "warnings" not in channel.get(answer).json()
    assert "warnings" not in channel.publish(role="error", title="T", icon="wifi", duration=3, data=1, haptic="none")


def test_6_each_toast_of_a_batch_is_named(channel):
    batch = channel.post([{"message": "a"}, {"message": "b", "rolle": "error"}])
    assert list(warned(batch.json())) == ["/1/rolle"]
    lines = channel.post(
        content=b'{"message": "a", "x": 1}\n{"message": "b"}', headers={"Content-Type": "application/x-ndjson"}
    )
    assert list(warned(lines.json())) == ["/0/x"]
    many = channel.post([{"message": "m", "a": 1, "b": 2}] * 100).json()
    assert len(many["toasts"]) == 100 and len(many["warnings"]) == 32


def test_6_a_patch_is_warned_of_too(channel):
    toast = channel.publish()
    answer = channel.patch(toast, {"mesage": "x", "title": "T", "progress": {"value": 1, "of": 2}, "old": None}).json()
    assert list(warned(answer)) == ["/mesage", "/progress/of", "/old"]
    # An id that was read may be sent back; a different one is refused.
    assert "warnings" not in channel.patch(toast, {**channel.get(toast).json(), "message": "n"}).json()
    assert list(warned(channel.patch(toast, {"state": "dismissed", "channel": "other"}).json())) == [
        "/state",
        "/channel",
    ]


def test_6_an_unknown_style_is_warned_of(channel):
    assert list(warned(channel.post({"message": "m", "style": "glas"}).json())) == ["/style"]
    assert "warnings" not in channel.publish(style="retro")
    assert list(warned(channel.patch(channel.publish(), {"style": "glas"}).json())) == ["/style"]
    assert list(warned(channel.configure(style="glas"))) == ["/style"]
    assert list(warned(channel.http.get(f"{channel.path}/settings").json())) == ["/style"]
    assert "warnings" not in channel.configure(style="retro")


@pytest.mark.parametrize(("mode", "warns"), [("none", True), ("equal", True), ("identity", False)])
def test_6_a_reuse_identifier_without_deduplication_causes_a_warning(channel, mode, warns):
    channel.configure(deduplication=mode)
    answer = channel.post({"message": "m", "reuseIdentifier": "disk"}).json()
    assert ("/reuseIdentifier" in warned(answer)) == warns
    answer = channel.patch(answer, {"reuseIdentifier": "disk-2"}).json()
    assert ("/reuseIdentifier" in warned(answer)) == warns


def test_6_a_query_beside_the_body_is_warned_of(channel):
    text = channel.http.post(
        f"{channel.path}/toasts?title=Disk&role=error", content="full", headers={"Content-Type": "text/plain"}
    )
    assert list(warned(text.json())) == ["/title", "/role"]
    assert (text.json()["message"], "title" in text.json()) == ("full", False)


def test_6_a_webhook_that_is_never_posted_to_is_warned_of(channel):
    urls = [
        "http://127.0.0.1:9/a",
        "https://example.org/b",
        "http://[::1]/c",
        "http://93.184.216.34/d",
        "http://10.0.0.1",
    ]
    answer = channel.configure(webhooks=[{"url": url} for url in urls])
    assert list(warned(answer)) == ["/webhooks/0/url", "/webhooks/2/url", "/webhooks/4/url"]


def test_6_a_webhook_that_was_allowed_is_not_warned_of(launch, name):
    channel = Channel(launch("--webhook-allow", "127.0.0.0/8").url, name)
    answer = channel.configure(webhooks=[{"url": "http://127.0.0.1:9/a"}, {"url": "http://10.0.0.1/b"}])
    assert list(warned(answer)) == ["/webhooks/1/url"]
    channel.close()


def test_6_a_publication_to_many_is_warned_of_where_it_is_so(http, names):
    http.put(f"/v1/channels/{names[0]}/settings", json={"deduplication": "identity"})
    toast = {"message": "m", "reuseIdentifier": "r", "style": "glas", "duraton": 3}
    response = http.post(MANY, json={"channels": names[:2], "toast": toast, "chanel": "x"})
    assert set(warned(response.json())) == {"/chanel", "/toast/duraton", "/toast/style"}
    assert [list(warned(result)) for result in response.json()["results"]] == [[], ["/toast/reuseIdentifier"]]


def test_6_a_socket_is_warned_too(channel, attach):
    ws = attach("socket")
    ws.wait("snapshot")
    reply = ws.send(command="publish", toast={"message": "m", "duraton": 3, "style": "glas"})
    assert (reply["type"], list(warned(reply))) == ("ack", ["/toast/duraton", "/toast/style"])
    assert "warnings" not in ws.send(command="publish", toast={"message": "m"})


def test_6_a_waiting_publish_gets_warnings(channel, stream):
    answer = channel.post({"message": "m", "duration": 0.1, "duraton": 3}, headers={"Prefer": "wait=30"})
    assert (answer.status_code, list(warned(answer.json()))) == (200, ["/duraton"])


def test_6_commands_print_warnings(server, name):
    toast = '{"message": "m", "duraton": 4}'
    sent = run("send", name, "--json", "-", input=toast, environment={"TOASTD_SERVER": server.url})
    assert sent.returncode == 0
    assert sent.stderr == "Warning: /duraton: There is no such member; it is ignored.\n"


# 7: repetitions, colours, remaining times


def test_7_a_repetition_that_waits_says_that_it_is_one(channel, stream):
    headers = {"Idempotency-Key": secrets.token_hex(4), "Prefer": "wait=30"}
    toast = {"message": "m", "duration": 0.1}
    first, second = (channel.post(toast, headers=headers) for _ in range(2))
    assert (first.status_code, "idempotency-replayed" in first.headers) == (200, False)
    assert (second.json()["id"], second.headers["idempotency-replayed"]) == (first.json()["id"], "true")
    soon = channel.post({"message": "n"}, headers={"Idempotency-Key": "k", "Prefer": "wait=0"})
    again = channel.post({"message": "n"}, headers={"Idempotency-Key": "k", "Prefer": "wait=0"})
    assert [answer.headers.get("idempotency-replayed") for answer in (soon, again)] == [None, "true"]


def test_7_a_repetition_to_many_says_that_it_is_one(http, names):
    first, second = (to_many(http, names, {"message": "m"}, Idempotency_Key="k") for _ in range(2))
    assert [answer.headers.get("idempotency-replayed") for answer in (first, second)] == [None, "true"]
    assert second.json() == first.json()


def test_7_a_retry_after_a_failure_is_no_repetition(http, names):
    fill(http, names[0])
    first = to_many(http, names, {"message": "m"}, Idempotency_Key="k")
    assert (first.status_code, "idempotency-replayed" in first.headers) == (207, False)
    http.put(f"/v1/channels/{names[0]}/settings", json={"capacity": 9})
    second = to_many(http, names, {"message": "m"}, Idempotency_Key="k")
    assert (second.status_code, "idempotency-replayed" in second.headers) == (201, False)
    assert to_many(http, names, {"message": "m"}, Idempotency_Key="k").headers["idempotency-replayed"] == "true"


def test_7_colours_are_read_back_in_one_spelling(channel, stream):
    theme, appearance = {"textColor": " 1e90ff "}, {"title": {"color": "#abcdefff"}, "elevation": {"color": "00000080"}}
    answer = channel.configure(theme=theme, appearance=appearance)
    spelled = {
        "theme": {"textColor": "#1E90FF"},
        "appearance": {"title": {"color": "#ABCDEF"}, "elevation": {"color": "#00000080"}},
    }
    event = stream.wait("configured")
    for own in (answer["own"], channel.http.get(f"{channel.path}/settings").json()["own"], event["own"]):
        assert own == spelled
    merge = {"Content-Type": "application/merge-patch+json"}
    patched = channel.http.patch(f"{channel.path}/settings", json={"theme": {"background": "FFFFFF"}}, headers=merge)
    assert patched.json()["own"]["theme"] == {"textColor": "#1E90FF", "background": "#FFFFFF"}


@pytest.mark.parametrize("kind", ["stream", "socket", "poll"])
def test_7_a_replayed_toast_has_the_present_remaining_time(channel, attach, stream, kind):
    before = channel.cursor()
    toast = channel.publish(duration=60)
    live = stream.wait("presented", id=toast["id"])
    assert live["remaining"] == 60
    channel.let_pass(1.2)
    began = time.monotonic()
    replayed = attach(kind, since=before).wait("presented", id=toast["id"])
    assert {**replayed, "remaining": 60} == live
    assert replayed["remaining"] <= 58.9
    held = channel.hold(toast).json()
    assert -0.01 <= replayed["remaining"] - held["remaining"] <= time.monotonic() - began + 0.01


def test_7_a_held_toast_keeps_its_remaining_time(channel, attach, stream):
    before = channel.cursor()
    toast = channel.publish(duration=60)
    stream.wait("presented", id=toast["id"])
    channel.hold(toast)
    held = stream.wait("held", id=toast["id"])
    channel.let_pass(0.5)
    assert attach(since=before).wait("held", id=toast["id"]) == held


def test_7_a_replayed_toast_without_end_has_no_remaining_time(channel, attach, stream):
    before = channel.cursor()
    toast = channel.publish(duration="indefinite", data={"remaining": 5})
    live = stream.wait("presented", id=toast["id"])
    channel.let_pass(0.2)
    assert attach(since=before).wait("presented", id=toast["id"]) == live


# 10: one word for one meaning


def test_10_settings_are_own_and_effective_everywhere(channel, stream, http):
    answer = channel.configure(mode="priority")
    assert {"own", "effective", "sources"} == set(answer)
    event = stream.wait("configured")
    assert (event["own"], event["effective"]) == (answer["own"], answer["effective"])
    assert channel.summary()["effective"] == answer["effective"]
    snapshot = channel.poll()["events"][0]
    assert snapshot["effective"] == answer["effective"]
    assert all("own" in preset for preset in http.get("/v1/presets").json()["presets"])
    for document in (answer, event, channel.summary(), snapshot, http.get("/v1/presets/toaster").json()):
        assert "settings" not in document


def test_10_counts_have_no_name_of_a_list(channel, attach, http):
    consumer = attach()
    consumer.wait("snapshot")
    for text in ("1", "2", "3"):
        channel.publish(text, duration="indefinite")
    consumer.wait("presented")
    summary = channel.summary()
    assert (summary["presentedCount"], summary["queuedCount"]) == (1, 2)
    snapshot = attach().wait("snapshot")
    assert (len(snapshot["presented"]), snapshot["queuedCount"]) == (1, 2)
    assert channel.http.delete(f"{channel.path}/toasts").json() == {"dismissedCount": 3}
    [catalog] = [catalog for catalog in http.get("/v1/catalogs").json()["catalogs"] if catalog["language"] == "en"]
    assert catalog["keyCounts"]["builtIn"] <= catalog["keyCount"]


def test_10_a_dismissal_has_one_name_for_its_reason(channel, stream):
    toast = channel.publish(duration="indefinite")
    stream.wait("presented", id=toast["id"])
    old = problem(channel.http.post(channel.toast(toast, "/dismiss"), json={"reason": "swipe"}), 422, "invalid-command")
    assert (pointers(old), "dismissReason" in old["detail"]) == (["/reason"], True)
    answer = channel.http.post(channel.toast(toast, "/dismiss"), json={"dismissReason": "swipe"}).json()
    event = stream.wait("dismissed", id=toast["id"])
    assert answer["dismissReason"] == event["dismissReason"] == "swipe"
    assert "reason" not in event
    assert instant(event) > 0


def test_10_the_description_tells_its_version(http):
    assert "\n  version: 0.2.0\n" in http.get("/openapi.yaml").text
