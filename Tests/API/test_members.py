"""Each member of a toast in openapi.yaml can be written, changed and cleared; a missing one fails."""

import pytest
import yaml

from test_problems import pointers, problem
from toastd import ROOT

SCHEMAS = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)["components"]["schemas"]
MEMBERS = list(SCHEMAS["ToastMembers"]["properties"])
"""The members that a publisher can write."""

VALUES = {
    "role": "error",
    "title": "Disk",
    "message": "9 % left",
    "icon": "star.fill",
    "style": "retro",
    "placement": "bottom",
    "align": "end",
    "duration": 60,
    "haptic": "heavy",
    "actions": [{"id": "undo", "title": "Undo"}],
    "progress": {"value": 1, "total": 4},
    "image": {"url": "/disk.png", "alt": "A disk"},
    "link": "https://status.example/disks?of=9#sda1",
    "reuseIdentifier": "disk",
    "requiresInteraction": True,
    "dimsBackground": True,
    "appearance": {"layout": {"iconSize": 64}},
    "expiresAfter": 60,
    "notBefore": "2100-01-01T00:00:00.000Z",
    "data": {"run": 1},
}
"""A value for each member that is not its default."""


def test_every_member_has_a_value_here():
    assert list(VALUES) == MEMBERS


def updates(channel, start):
    return [event for event in channel.history(start) if event["type"] == "updated"]


@pytest.mark.parametrize("member", MEMBERS)
def test_a_patch_sets_and_clears_a_member(channel, member):
    start = channel.cursor()
    # A toast keeps a message or a title, so it begins with both.
    before = channel.publish("m", title="T")
    changed = channel.patch(before, {member: VALUES[member]}).json()
    changed.pop("warnings", None)
    assert changed == {**before, member: VALUES[member], "revision": 2}
    assert channel.get(before).json() == changed
    cleared = channel.patch(before, {member: None}).json()
    expected = {**before, "revision": 3}
    if member == "title":
        expected["title"] = None
    elif member == "message":
        del expected["message"]
    assert cleared == expected
    assert channel.get(before).json() == cleared
    told = updates(channel, start)
    assert [event["changed"] for event in told] == [[member], [member]]
    assert [event["toast"] for event in told] == [changed, cleared]


def test_members_are_published_and_told_in_the_order_of_the_contract(channel):
    start = channel.cursor()
    published = channel.publish(**VALUES)
    assert [name for name in published if name in VALUES] == MEMBERS
    assert {name: published[name] for name in MEMBERS} == VALUES
    plain = channel.publish("m")
    channel.patch(plain, dict(reversed(VALUES.items())))
    assert [event["changed"] for event in updates(channel, start)] == [MEMBERS]


def test_all_other_members_are_the_servers(channel):
    properties = list(SCHEMAS["Toast"]["properties"])
    assert [name for name in properties if name in MEMBERS] == MEMBERS
    others = [name for name in properties if name not in MEMBERS]
    answer = channel.post({"message": "m", **dict.fromkeys(others, "x")}).json()
    assert [warning["pointer"] for warning in answer["warnings"]] == [f"/{name}" for name in others]
    assert all("server's" in warning["detail"] for warning in answer["warnings"])


@pytest.mark.parametrize("link", ["https://a.example/b", "HTTP://a.example", "/", "/docs?page=2#top"])
def test_a_link_is_a_url_or_a_path(channel, link):
    assert channel.publish(link=link)["link"] == link


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("", "invalid-toast"),
        ("docs", "invalid-toast"),
        ("//evil.example", "invalid-toast"),
        ("/\\evil.example", "invalid-toast"),
        ("javascript:alert(1)", "invalid-toast"),
        ("data:text/html,x", "invalid-toast"),
        ("ftp://a.example", "invalid-toast"),
        ("https://", "invalid-toast"),
        ("https://bank.example@evil.example/", "invalid-toast"),
        (" https://a.example", "invalid-toast"),
        ("/" + "x" * 2048, "text-too-long"),
        (1, "invalid-toast"),
        ({"url": "/"}, "invalid-toast"),
    ],
)
def test_no_other_link_is_accepted(channel, link, kind):
    assert pointers(problem(channel.post({"message": "m", "link": link}), 422, kind)) == ["/link"]
    toast = channel.publish(link="/")
    refused = problem(channel.patch(toast, {"link": link}), 422, kind.replace("toast", "patch"))
    assert pointers(refused) == ["/link"]
    assert channel.get(toast).json() == toast
