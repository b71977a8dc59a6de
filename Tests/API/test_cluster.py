"""Several nodes are one service: a request to one node has its effect at all nodes."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from cluster import Cluster, watch
from receiver import Receiver
from test_metrics import documented_metrics
from test_problems import problem
from test_webhooks import SECRET
from waiting import until

QUESTION = {"message": "Delete?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}]}
MERGE = {"Content-Type": "application/merge-patch+json"}


def test_a_batch_is_published_whole(at):
    posted = at[1].post([{"message": str(number)} for number in range(20)])
    assert posted.status_code == 201, posted.text
    for channel in at:
        assert [toast["message"] for toast in channel.toasts()] == [str(number) for number in range(20)]
    refused = at[2].post([{"message": "good"}, {"role": "fatal"}])
    assert refused.status_code == 422
    assert {len(channel.toasts()) for channel in at} == {20}


def test_a_publish_to_several_channels(cluster, name):
    names = [f"{name}-{number}" for number in range(6)]
    body = {"channels": names, "toast": {"message": "Lunch"}}
    response = httpx.post(f"{cluster.nodes[0].url}/v1/toasts", json=body)
    assert response.status_code in (200, 201), response.text
    assert response.json()["summary"]["acceptedCount"] == 6
    for number, each in enumerate(names):
        assert [toast["message"] for toast in cluster.channel(each, number % 3).toasts()] == ["Lunch"]


@pytest.mark.parametrize("asking", range(3))
def test_a_question_is_answered_through_another_node(at, asking):
    asker, presser, viewer = at[asking], at[(asking + 1) % 3], at[(asking + 2) % 3]
    with ThreadPoolExecutor() as pool, watch(viewer) as stream:
        stream.wait("snapshot")
        answer = pool.submit(asker.post, QUESTION, headers={"Prefer": "wait=30"})
        toast = stream.wait("presented")["toast"]
        assert not answer.done()
        pressed = presser.act(toast, "yes")
        assert pressed.status_code == 200, pressed.text
        response = answer.result(30)
        assert (response.status_code, response.json()["action"]) == (200, "yes")
        assert response.json() == viewer.get(toast).json()


def test_one_of_many_presses_counts(at):
    with watch(at[0]) as stream, ThreadPoolExecutor() as pool:
        stream.wait("snapshot")
        actions = [{"id": "yes", "title": "Yes"}, {"id": "no", "title": "No"}]
        toast = at[1].publish(duration="indefinite", actions=actions)
        stream.wait("presented")
        presses = [pool.submit(at[i % 3].act, toast, ("yes", "no")[i % 2]) for i in range(12)]
        outcomes = [press.result() for press in presses]
        assert {response.status_code for response in outcomes} <= {200, 409}
        assert len({response.json()["action"] for response in outcomes if response.status_code == 200}) == 1
        stream.wait("dismissed")
        assert sum(event["type"] == "acted" for event in stream.events) == 1


def test_a_hold_at_one_node_stops_the_countdown_for_all(at):
    with watch(at[0]) as stream, watch(at[1]) as other:
        for consumer in (stream, other):
            consumer.wait("snapshot")
        toast = at[2].publish(duration=4)
        stream.wait("presented")
        assert at[1].hold(toast, "hand", lease=20).status_code == 200
        stream.wait("held", holder="hand")
        other.wait("held", holder="hand")
        at[0].let_pass(4.5)
        assert at[2].get(toast).json()["state"] == "presented"
        assert at[0].release(toast, "hand").status_code in (200, 204)
        other.wait("released")
        other.wait("dismissed", dismissReason="timeout")


def test_a_patch_is_seen_by_all_and_needs_the_right_revision(at):
    toast = at[0].publish("one", duration="indefinite")
    with watch(at[2]) as stream:
        stream.wait("snapshot")
        tags = {channel.get(toast).headers["etag"] for channel in at}
        assert len(tags) == 1
        tag = tags.pop()
        assert at[1].patch(toast, {"message": "two"}, If_Match=tag).status_code == 200
        assert stream.wait("updated")["toast"]["message"] == "two"
        problem(at[2].patch(toast, {"message": "three"}, If_Match=tag), 412, "precondition-failed")
        assert {channel.get(toast).json()["message"] for channel in at} == {"two"}


def test_the_settings_of_a_channel_are_the_same_at_all_nodes(at):
    at[0].configure(mode="stack", maxVisible=7)
    answers = [channel.http.get(f"{channel.path}/settings") for channel in at]
    assert {answer.json()["own"]["maxVisible"] for answer in answers} == {7}
    tags = {answer.headers["etag"] for answer in answers}
    assert len(tags) == 1
    changed = at[1].http.patch(
        f"{at[1].path}/settings", json={"maxVisible": 8}, headers={**MERGE, "If-Match": tags.pop()}
    )
    assert changed.status_code == 200, changed.text
    assert at[2].http.get(f"{at[2].path}/settings").json()["own"]["maxVisible"] == 8


def test_default_settings_are_the_same_at_all_nodes(at):
    response = at[0].http.patch("/v1/settings", json={"channels": {at[0].name: {"duration": 9}}}, headers=MERGE)
    assert response.status_code == 200, response.text
    for channel in at:
        until(lambda channel=channel: channel.summary()["effective"]["duration"] == 9)
    assert at[2].publish()["duration"] == 9


def test_catalogs_are_the_same_at_all_nodes(at):
    key = at[0].name
    put = at[1].http.put("/v1/catalogs/de", json={key: "Guten Morgen"})
    assert put.status_code in (200, 201), put.text
    for channel in at:
        until(lambda channel=channel: channel.http.get("/v1/catalogs/de").json().get(key) == "Guten Morgen")
    toast = at[0].publish({"key": key, "default": "Good morning"})
    for channel in at:
        text = channel.get(toast, headers={"Accept-Language": "de"}).json()["message"]["text"]
        assert text == "Guten Morgen"


def test_all_channels_are_listed_at_every_node(cluster, name):
    names = sorted(f"{name}-{number:02}" for number in range(24))
    for number, each in enumerate(names):
        cluster.channel(each, number % 3).publish()
    for node in cluster.nodes:
        found: list[str] = []
        query: dict[str, object] = {"limit": 7}
        while True:
            page = httpx.get(f"{node.url}/v1/channels", params=query).json()
            found += [channel["name"] for channel in page["channels"]]
            if "next" not in page:
                break
            query["after"] = page["next"]
        assert found == sorted(found)
        assert [each for each in found if each.startswith(name)] == names


def test_a_list_of_toasts_comes_in_pages_at_every_node(at):
    toasts = at[0].post([{"message": str(number)} for number in range(5)]).json()["toasts"]
    ids = [toast["id"] for toast in toasts]
    for channel in at:
        found: list[str] = []
        query: dict[str, object] = {"limit": 2}
        while True:
            page = channel.http.get(f"{channel.path}/toasts", params=query).json()
            found += [toast["id"] for toast in page["toasts"]]
            if "next" not in page:
                break
            assert len(page["toasts"]) == 2
            query["after"] = page["next"]
        assert found == ids
    assert at[0].delete(toasts[1]).status_code == 200
    for channel in at:
        gone = channel.http.get(f"{channel.path}/toasts", params={"after": ids[1]})
        assert "after:" in problem(gone, 404, "toast-not-found")["detail"]


def test_a_key_counts_at_all_nodes(at):
    headers = {"Idempotency-Key": "deploy"}
    first = at[0].post({"message": "once"}, headers=headers)
    assert first.status_code == 201
    for channel in at:
        again = channel.post({"message": "once"}, headers=headers)
        assert (again.status_code, again.json()) == (201, first.json())
        assert again.headers["idempotency-replayed"] == "true"
        problem(channel.post({"message": "other"}, headers=headers), 422, "idempotency-key-reused")
    assert len(at[2].toasts()) == 1


def test_requests_under_one_key_at_the_same_time_are_one(at):
    with ThreadPoolExecutor(12) as pool:
        for turn in range(5):
            headers = {"Idempotency-Key": f"race-{turn}"}
            posts = [pool.submit(at[i % 3].post, {"message": str(turn)}, headers=headers) for i in range(12)]
            answers = [post.result() for post in posts]
            assert {answer.status_code for answer in answers} <= {201, 409}
            assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 1
    assert len(at[0].toasts()) == 5


def test_webhooks_receive_each_event_once(at):
    receiver = Receiver()
    try:
        at[0].configure(webhooks=[{"url": receiver.url(), "secret": SECRET, "events": ["enqueued", "dismissed"]}])
        for number in range(9):
            toast = at[number % 3].publish(str(number), duration="indefinite")
            assert at[(number + 1) % 3].delete(toast).status_code == 200
        receiver.wait(18)
        at[1].let_pass(1)
        assert len(receiver.deliveries) == len({delivery.id for delivery in receiver.deliveries}) == 18
    finally:
        receiver.close()


def test_a_deleted_channel_is_gone_everywhere(at):
    at[0].configure(maxVisible=3)
    at[0].publish()
    with watch(at[2]) as stream:
        stream.wait("presented")
        assert at[1].http.delete(at[1].path).status_code == 204
        stream.wait("snapshot", reset=True)
        assert {len(channel.toasts()) for channel in at} == {0}
        assert {tuple(channel.http.get(f"{channel.path}/settings").json()["own"]) for channel in at} == {()}
        fresh = at[0].publish("fresh")
        stream.wait("presented", id=fresh["id"])


def test_every_node_is_ready_and_owns_a_part(cluster: Cluster):
    for node in cluster.nodes:
        assert httpx.get(f"{node.url}/readyz").status_code == 200
    until(cluster.is_shared_out)


def test_the_documentation_knows_the_metrics_of_a_node(cluster: Cluster, at):
    at[0].publish()
    of_sqlite, of_nodes = documented_metrics()
    sqlite_only = {name for name in of_sqlite if name.startswith("toastd_store_commit_")}
    assert len(sqlite_only) == 3
    text = httpx.get(f"{cluster.nodes[0].url}/metrics").text
    names = re.findall(r"^# TYPE ((?:toastd|http|process)_[a-z_]+)", text, re.MULTILINE)
    assert sorted(names) == sorted(set(of_sqlite) - sqlite_only | set(of_nodes))


def test_a_hook_of_one_node_takes_posts_at_all(cluster, at, name):
    """Only the node that makes a hook shows its secret; the other nodes read the hook with its first post."""
    hook = httpx.put(f"{cluster.nodes[0].url}/v1/channels/{name}/hooks/ci", json={"format": "slack"}, timeout=30)
    assert hook.status_code == 201, hook.text
    path = hook.json()["path"]
    for node in cluster.nodes:
        posted = httpx.post(f"{node.url}{path}", json={"text": f"From {node.name}"}, timeout=30)
        assert (posted.status_code, posted.text) == (200, "ok")
    assert {toast["message"] for toast in at[2].toasts()} == {f"From {node.name}" for node in cluster.nodes}
    removed = httpx.delete(f"{cluster.nodes[1].url}/v1/channels/{name}/hooks/ci", timeout=30)
    assert removed.status_code == 204, removed.text
    assert httpx.post(f"{cluster.nodes[1].url}{path}", json={"text": "Late"}, timeout=30).status_code == 404


def test_a_channel_that_is_deleted_at_one_node_has_no_hook_at_any(cluster, at, name):
    path = f"/v1/channels/{name}/hooks/ci"
    posts = httpx.put(f"{cluster.nodes[0].url}{path}", json={"format": "slack"}, timeout=30).json()["path"]
    # This node has not read the hooks since the last post.
    assert httpx.delete(f"{cluster.nodes[1].url}/v1/channels/{name}", timeout=30).status_code == 204
    for node in cluster.nodes:
        assert httpx.get(f"{node.url}/v1/channels/{name}/hooks", timeout=30).json() == {"hooks": []}
        problem(httpx.get(f"{node.url}{path}", timeout=30), 404, "hook-not-found")
        assert httpx.post(f"{node.url}{posts}", json={"text": "Late"}, timeout=30).status_code == 404


def test_of_two_conditional_changes_of_a_catalog_at_two_nodes_one_succeeds(cluster):
    urls = [f"{node.url}/v1/catalogs/fr" for node in cluster.nodes[:2]]
    with ThreadPoolExecutor(2) as pool:
        for number in range(5):
            assert httpx.put(urls[0], json={"key": str(number)}, timeout=30).is_success
            condition = {"If-Match": httpx.get(urls[0], timeout=30).headers["etag"]}

            def replace(url: str, condition: dict[str, str] = condition) -> int:
                return httpx.put(url, json={"key": url}, headers=condition, timeout=30).status_code

            assert sorted(pool.map(replace, urls)) == [200, 412]
    for url in urls:
        assert httpx.delete(url, timeout=30).status_code in (204, 404)
