"""Default settings, which apply where a channel sets nothing itself: from a file and over HTTP."""

from __future__ import annotations

import json
import secrets
import subprocess
from pathlib import Path

import httpx
import pytest

from channel import Channel
from streams import EventStream
from test_access import House
from test_problems import pointers, problem
from toastd import PUBLIC, ROOT
from waiting import hang_up

MERGE = {"Content-Type": "application/merge-patch+json"}
PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>background</key><string>#102030</string></dict></plist>"""


def patch(url: str, body: object, **headers: str) -> httpx.Response:
    return httpx.patch(f"{url}/v1/settings", json=body, headers={**MERGE, **headers}, timeout=60)


def accepted(url: str, body: object) -> dict:
    response = patch(url, body)
    assert response.status_code == 200, response.text
    return response.json()


def effective(url: str, name: str) -> dict:
    return httpx.get(f"{url}/v1/channels/{name}/settings").json()["effective"]


def sources(url: str, name: str) -> dict:
    return httpx.get(f"{url}/v1/channels/{name}/settings").json()["sources"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_a_server_has_no_defaults_at_first(launch):
    url = launch(store="memory").url
    response = httpx.get(f"{url}/v1/settings")
    answer = response.json()
    assert (response.status_code, answer["own"], answer["effective"]) == (200, {}, effective(url, "any"))
    assert "file" not in answer
    assert "defaults" not in answer["sources"].values()
    tag = {"If-None-Match": response.headers["etag"]}
    assert httpx.get(f"{url}/v1/settings", headers=tag).status_code == 304


def test_a_channels_entity_tag_changes_with_the_defaults(launch):
    url = launch(store="memory").url
    first = httpx.get(f"{url}/v1/channels/a/settings")
    accepted(url, {"placement": "bottom"})
    second = httpx.get(f"{url}/v1/channels/a/settings", headers={"If-None-Match": first.headers["etag"]})
    assert (second.status_code, second.json()["effective"]["placement"]) == (200, "bottom")
    same = {"If-None-Match": second.headers["etag"]}
    assert httpx.get(f"{url}/v1/channels/a/settings", headers=same).status_code == 304


def test_defaults_lie_below_each_channels_own(launch):
    url = launch(store="memory").url
    own = Channel(url, "own")
    own.configure(style="retro", layout={"spacing": 4})
    answer = accepted(url, {"style": "pale", "placement": "bottom", "layout": {"spacing": 8, "inset": 20}})
    assert answer["own"] == {"style": "pale", "placement": "bottom", "layout": {"spacing": 8, "inset": 20}}
    assert answer["effective"] == effective(url, "plain")
    assert answer["sources"]["style"] == sources(url, "plain")["style"] == "defaults"
    plain = Channel(url, "plain").publish()
    assert (plain["style"], plain["placement"]) == ("pale", "bottom")
    toast = own.publish()
    assert (toast["style"], toast["placement"]) == ("retro", "bottom")
    assert effective(url, "own")["layout"] == {"spacing": 4, "inset": 20, "maximumWidth": "style"}
    assert [sources(url, "own")[path] for path in ("style", "placement", "layout/inset", "mode")] == [
        "channel",
        "defaults",
        "defaults",
        "preset",
    ]
    assert accepted(url, {"style": None})["effective"]["style"] == "glass"
    # If the channel removes its setting, that of the defaults applies again.
    assert httpx.delete(f"{url}/v1/channels/own/settings").json()["effective"]["placement"] == "bottom"


def test_the_most_specific_pattern_takes_precedence(launch):
    url = launch(store="memory").url
    document = {
        "style": "pale",
        "placement": "center",
        "channels": {
            "ops-*": {"style": "capsule", "duration": 9},
            "ops-db": {"style": "retro"},
            "ops-db*": {"duration": 3},
            "*": {"haptic": "none"},
        },
    }
    assert accepted(url, document)["own"] == document
    found = {name: effective(url, name) for name in ("lobby", "ops-web", "ops-db", "ops-dbs")}
    assert {name: (it["style"], it["duration"], it["placement"], it["haptic"]) for name, it in found.items()} == {
        "lobby": ("pale", 6, "center", "none"),
        "ops-web": ("capsule", 9, "center", "none"),
        "ops-db": ("retro", 3, "center", "none"),
        "ops-dbs": ("capsule", 3, "center", "none"),
    }
    answer = accepted(url, {"channels": {"ops-db": None, "ops-*": {"duration": None}}})
    rest = {"ops-*": {"style": "capsule"}, "ops-db*": {"duration": 3}, "*": {"haptic": "none"}}
    assert answer["own"]["channels"] == rest
    assert effective(url, "ops-db")["style"] == "capsule"
    assert "channels" not in accepted(url, {"channels": None})["own"]


def test_a_preset_of_the_defaults_applies_until_a_channel_names_one(launch):
    url = launch(store="memory").url
    theme = {"background": "#102030"}
    accepted(url, {"preset": "toaster", "duration": 9, "theme": theme, "channels": {"s-*": {"preset": "ysnackbar"}}})
    assert (effective(url, "a")["mode"], effective(url, "a")["style"], effective(url, "a")["duration"]) == (
        "replace",
        "toaster",
        9,
    )
    # The preset of a pattern overrides the general defaults where it has values; it has no theme, so theirs stays.
    snacks = effective(url, "s-1")
    assert (snacks["preset"], snacks["mode"], snacks["duration"]) == ("ysnackbar", "stack", 4)
    assert snacks["theme"] == theme
    Channel(url, "b").configure(preset="inapp")
    banner = effective(url, "b")
    assert (banner["preset"], banner["duration"], banner["theme"]) == ("inapp", 3, theme)
    assert (sources(url, "b")["duration"], sources(url, "b")["theme/background"]) == ("preset", "defaults")


def test_loaded_channels_and_their_listeners_get_a_change(launch):
    url = launch(store="memory").url
    quiet = Channel(url, "quiet")
    quiet.publish()
    streams = [EventStream(f"{url}/v1/channels/{name}/stream") for name in ("heard", "own")]
    with streams[0] as stream, streams[1] as other:
        stream.wait("snapshot")
        other.wait("snapshot")
        Channel(url, "own").configure(style="retro")
        accepted(url, {"style": "pale", "closeButton": False})
        event = stream.wait("configured")
        assert (event["effective"]["style"], event["effective"]["closeButton"], event["own"]) == ("pale", False, {})
        told = other.count("configured", 2)[1]
        assert (told["effective"]["style"], told["effective"]["closeButton"]) == ("retro", False)
        assert told["own"] == {"style": "retro"}
    assert quiet.publish()["style"] == "pale"
    with EventStream(f"{url}/v1/channels/quiet/stream") as stream:
        assert stream.wait("snapshot")["effective"]["style"] == "pale"


@pytest.mark.parametrize("is_used", [False, True])
def test_a_listener_is_told_when_its_defaults_are_removed(launch, is_used):
    url = launch(store="memory").url
    channel = Channel(url, "ops")
    if is_used:
        channel.publish()
    accepted(url, {"closeButton": False})
    with EventStream(f"{url}{channel.path}/stream") as stream:
        assert stream.wait("snapshot")["effective"]["closeButton"] is False
        accepted(url, {"closeButton": None})
        assert stream.wait("configured", own={})["effective"]["closeButton"] is True


@pytest.mark.parametrize("is_used", [False, True])
def test_a_resumed_stream_is_told_that_the_defaults_have_changed(launch, file, is_used):
    file.write_text('{"style": "pale"}')
    server = launch("--settings", str(file))
    channel = Channel(server.url, "ops")
    if is_used:
        # The channel has stored events, and no toasts left.
        channel.delete(channel.publish())
    with EventStream(f"{server.url}{channel.path}/stream") as stream:
        cursor = stream.wait("snapshot")["cursor"]
    server.stop()
    file.write_text('{"style": "retro"}')
    again = launch("--settings", str(file))
    with EventStream(f"{again.url}{channel.path}/stream", {"Last-Event-ID": cursor}) as stream:
        event = stream.wait("configured" if is_used else "snapshot")
        assert event["effective"]["style"] == "retro"
        assert not event.get("reset")
    # A long-poll from that cursor gets the event once; of a channel without events it gets nothing.
    poll = httpx.get(f"{again.url}{channel.path}/poll", params={"since": cursor, "wait": 0, "audience": 0}).json()
    types = [event["type"] for event in poll["events"]]
    assert (types.count("configured"), types.count("snapshot")) == (is_used, 0)


def test_a_lists_entity_tag_changes_with_the_order(launch):
    url = launch(store="memory").url
    channel = Channel(url, "ops")
    channel.publish("one")
    channel.publish("two", role="error")
    response = channel.http.get(f"{channel.path}/toasts")
    accepted(url, {"mode": "priority"})
    changed = channel.http.get(f"{channel.path}/toasts", headers={"If-None-Match": response.headers["etag"]})
    assert changed.status_code == 200
    assert [toast["message"] for toast in changed.json()["toasts"]] == ["two", "one"]


def test_reading_a_channel_stores_nothing(launch):
    url = launch().url
    # In this store, new channels begin after the last offset of a deleted one.
    channel = Channel(url, "deleted")
    channel.publish()
    assert channel.http.delete(channel.path).status_code == 204
    accepted(url, {"style": "pale"})
    assert httpx.get(f"{url}/v1/channels/nobody").json()["effective"]["style"] == "pale"
    with EventStream(f"{url}/v1/channels/nobody/stream") as stream:
        cursor = stream.wait("snapshot")["cursor"]
    with EventStream(f"{url}/v1/channels/nobody/stream", {"Last-Event-ID": cursor}) as stream:
        stream.wait("resumed")
    with EventStream(f"{url}{channel.path}/stream") as stream:
        stream.wait("snapshot")
    assert "deleted" not in httpx.get(f"{url}/v1/channels").text
    assert "nobody" not in httpx.get(f"{url}/v1/channels").text


def test_defaults_survive_a_restart_and_so_do_channels_under_them(launch):
    server = launch()
    accepted(server.url, {"lanes": "placement", "mode": "stack", "channels": {"a*": {"duration": 99}}})
    channel = Channel(server.url, "abc")
    with EventStream(f"{server.url}{channel.path}/stream") as stream:
        stream.wait("snapshot")
        for placement in ("top", "bottom"):
            channel.publish(placement, placement=placement)
        stream.count("presented", 2)
    before = [toast["message"] for toast in channel.toasts("presented")]
    server.stop()
    again = launch()
    assert httpx.get(f"{again.url}/v1/settings").json()["own"]["channels"] == {"a*": {"duration": 99}}
    assert [toast["message"] for toast in channel.on(again.url).toasts("presented")] == before
    assert effective(again.url, "abc")["lanes"] == "placement"
    # A channel must stay loadable if the defaults of its toasts were removed while it was not in memory.
    accepted(again.url, {"lanes": None, "mode": None, "channels": None})
    again.kill()
    third = launch()
    assert effective(third.url, "abc")["lanes"] == "shared"
    assert [toast["message"] for toast in channel.on(third.url).toasts("presented")] == before


def test_if_match_changes_only_what_was_read(launch):
    url = launch(store="memory").url
    tag = httpx.get(f"{url}/v1/settings").headers["etag"]
    first = patch(url, {"style": "pale"}, **{"If-Match": tag})
    assert first.status_code == 200
    for field, value in (("If-Match", tag), ("If-None-Match", first.headers["etag"])):
        failed = problem(patch(url, {"style": "retro"}, **{field: value}), 412, "precondition-failed")
        assert field in failed["detail"]
    assert patch(url, {"style": "retro"}, **{"If-Match": first.headers["etag"]}).status_code == 200


WRONG = [
    ({"style": 1}, ["/style"]),
    (
        {"duratoin": 1, "channels": {"ops-*": {"mode": "x", "mdoe": 1}}},
        ["/duratoin", "/channels/ops-*/mode", "/channels/ops-*/mdoe"],
    ),
    ({"channels": []}, ["/channels"]),
    ({"channels": {"*-ops": {}}}, ["/channels/*-ops"]),
    ({"channels": {"a/b~": {}}}, ["/channels/a~1b~0"]),
    ({"channels": {"ops": 1}}, ["/channels/ops"]),
    ({"webhooks": []}, ["/webhooks"]),
    ({"channels": {f"c{number}": {"pause": 1} for number in range(65)}}, ["/channels"]),
    ([], [""]),
]


@pytest.mark.parametrize(("body", "places"), WRONG)
def test_invalid_defaults_change_nothing(launch, body, places):
    url = launch(store="memory").url
    assert pointers(problem(patch(url, body), 422, "invalid-settings")) == places
    assert httpx.get(f"{url}/v1/settings").json()["own"] == {}


def test_colours_of_low_contrast_cause_a_warning(launch):
    url = launch(store="memory").url
    body = {"theme": {"textColor": "#999999"}, "channels": {"ops": {"theme": {"textColor": "#aaaaaa"}}}}
    warnings = accepted(url, body)["warnings"]
    assert [warning["pointer"] for warning in warnings] == ["/theme/textColor", "/channels/ops/theme/textColor"]


def test_changing_the_defaults_needs_manage_on_all_channels(tmp_path):
    house = House(tmp_path)
    keys = [house.key("publish,subscribe,respond"), house.key("manage")]
    with house.server:
        url = f"{house.server.url}/v1/settings"
        for key, status in zip(keys, (403, 200), strict=True):
            headers = {"Authorization": f"Bearer {key}"}
            assert httpx.get(url, headers=headers).status_code == status
            assert httpx.patch(url, headers={**MERGE, **headers}, json={}).status_code == status
        assert httpx.get(url).status_code == 401


def test_sent_defaults_take_precedence_over_those_of_the_file(launch, file):
    file.write_text(json.dumps({"style": "pale", "placement": "bottom", "channels": {"ops-*": {"duration": 9}}}))
    url = launch("--settings", str(file), store="memory").url
    answer = httpx.get(f"{url}/v1/settings").json()
    assert (answer["own"], answer["file"]["style"], answer["effective"]["style"]) == ({}, "pale", "pale")
    assert effective(url, "ops-1")["duration"] == 9
    accepted(url, {"style": "retro", "duration": 8})
    assert (effective(url, "a")["style"], effective(url, "a")["placement"]) == ("retro", "bottom")
    # A pattern takes precedence over the settings for all channels, whatever their origin.
    assert effective(url, "ops-1")["duration"] == 9


def test_sighup_reads_the_file_again_and_loaded_channels_get_the_change(launch, file):
    file.write_text('{"style": "pale"}')
    server = launch("--settings", str(file), store="memory")
    with EventStream(f"{server.url}/v1/channels/a/stream") as stream:
        assert stream.wait("snapshot")["effective"]["style"] == "pale"
        file.write_text('{"style": "retro"}')
        hang_up(server, "default settings read again")
        assert stream.wait("configured")["effective"]["style"] == "retro"
        file.write_text('{"style": 7}')
        hang_up(server, "the default settings stay as they were")
    assert effective(server.url, "a")["style"] == "retro"
    assert any("/style" in line for line in server.log)


def test_the_file_may_be_toasters_property_list(launch, file):
    file.write_text(PLIST)
    url = launch("--settings", str(file), store="memory").url
    assert effective(url, "a")["theme"] == {"background": "#102030"}


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ('{"stlye": "pale"}', "/stlye"),
        ("{", "line 1"),
        (PLIST.replace("#102030", "red"), "/background"),
        (None, "there is no such file"),
    ],
)
def test_a_wrong_file_is_reported(launch, file, text, detail):
    if text is not None:
        file.write_text(text)
    command = [launch(store="memory").command[0], "check-config", "--settings", str(file), "--store", "memory"]
    ended = subprocess.run([*command, "--public", PUBLIC], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ended.returncode == 1
    assert "settings: " in ended.stderr and detail in ended.stderr


@pytest.mark.memory
def test_a_thousand_channels_share_the_memory_of_the_defaults(launch):
    """Each channel must not have a copy of the defaults."""
    server = launch(store="memory")
    accepted(server.url, {"preset": "ysnackbar", "theme": {"background": "#102030"}})
    client = httpx.Client(base_url=server.url, timeout=60)
    names = [f"c{number}-{secrets.token_hex(4)}" for number in range(1000)]
    before = server.resident_bytes
    for name in names:
        assert client.get(f"/v1/channels/{name}").status_code == 200
    assert server.resident_bytes - before < 6 << 20
    client.close()
