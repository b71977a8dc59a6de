"""The toasts of a channel, and the list of channels."""

import httpx


def test_toasts_are_listed_in_the_order_of_presentation(channel, stream):
    channel.configure(mode="priority", duration="indefinite")
    first = channel.publish("first")
    stream.wait("presented", id=first["id"])
    for role in ("info", "success", "error", "warning", "error"):
        channel.publish(role, role=role)
    toasts = channel.toasts()
    assert [toast["state"] for toast in toasts] == ["presented"] + ["queued"] * 5
    assert [toast["message"] for toast in toasts] == ["first", "error", "error", "warning", "success", "info"]
    assert channel.toasts("presented") == toasts[:1]
    assert channel.toasts("queued") == toasts[1:]


def test_dismissed_toasts_are_listed_last_first(channel):
    toasts = [channel.publish(str(number)) for number in range(3)]
    for toast in toasts:
        channel.delete(toast)
    assert [toast["message"] for toast in channel.toasts("dismissed")] == ["2", "1", "0"]
    assert all(toast["dismissedAt"] for toast in channel.toasts("dismissed"))


def test_a_hundred_dismissed_toasts_are_remembered(channel):
    toasts = channel.post([{"message": str(number)} for number in range(100)]).json()["toasts"]
    toasts += channel.post([{"message": "100"}, {"message": "101"}]).json()["toasts"]
    channel.http.delete(f"{channel.path}/toasts")
    assert len(channel.toasts("dismissed")) == 100
    remembered = {toast["id"] for toast in channel.toasts("dismissed")}
    for toast in toasts:
        assert channel.get(toast).status_code == (200 if toast["id"] in remembered else 404)


def test_the_lists_cursor_goes_on_without_a_gap(channel):
    before = channel.publish("before")
    cursor = channel.cursor()
    after = channel.publish("after")
    # The poll is an audience, so the first toast is presented after the missed events.
    missed, shown = channel.history(cursor)[:2]
    assert (missed["type"], missed["toast"]["id"]) == ("enqueued", after["id"])
    assert (shown["type"], shown["toast"]["id"]) == ("presented", before["id"])


def test_an_unused_channel_is_empty(channel):
    summary = channel.summary()
    assert (summary["name"], summary["presentedCount"], summary["queuedCount"]) == (channel.name, 0, 0)
    assert summary["audience"] == {"sse": 0, "websocket": 0, "poll": 0}
    assert summary["effective"]["mode"] == "fifo"


def test_a_channel_knows_its_audience(channel, attach):
    consumers = [attach("stream"), attach("stream"), attach("socket")]
    for consumer in consumers:
        consumer.wait("snapshot")
    assert channel.summary()["audience"] == {"sse": 2, "websocket": 1, "poll": 0}
    channel.publish(duration="indefinite")
    channel.publish()
    consumers[0].wait("presented")
    assert (channel.summary()["presentedCount"], channel.summary()["queuedCount"]) == (1, 1)
    assert channel.summary()["cursor"] == channel.cursor()


def test_channels_are_listed_page_by_page(launch):
    server = launch()
    names = sorted(f"channel-{number:02}" for number in range(25))
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/v1/channels").json() == {"channels": []}
        for name in reversed(names):
            client.post(f"/v1/channels/{name}/toasts", json={"message": "m"})
        assert [channel["name"] for channel in client.get("/v1/channels").json()["channels"]] == names
        seen, page = [], client.get("/v1/channels?limit=10").json()
        while True:
            assert len(page["channels"]) <= 10
            seen += [channel["name"] for channel in page["channels"]]
            if "next" not in page:
                break
            page = client.get("/v1/channels", params={"limit": 10, "after": page["next"]}).json()
        assert seen == names


def test_reading_a_channel_does_not_create_it(launch):
    server = launch()
    for path in ("toasts", "settings", "poll?wait=0", ""):
        httpx.get(f"{server.url}/v1/channels/ghost/{path}".rstrip("/"))
    assert httpx.get(f"{server.url}/v1/channels").json() == {"channels": []}
