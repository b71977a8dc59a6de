"""ntfy's routes: the examples of its documentation with curl, its errors, and the paths that they must not hide."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from channel import Channel
from toastd import BINARY, Toastd


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toastd]:
    with Toastd(tmp_path_factory.mktemp("ntfy"), "--ntfy", "on", store="memory") as server:
        yield server


def curl(url: str, *options: str) -> dict[str, Any]:
    """Posts as ntfy's documentation does. The status must be exactly 200, because Apprise requires that."""
    command = ["curl", "--silent", "--show-error", "--write-out", "\n%{http_code}", *options, url]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    body, _, status = ran.stdout.rpartition("\n")
    assert status == "200", ran.stdout
    return json.loads(body)


BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36"


def only(channel: Channel) -> dict[str, Any]:
    (toast,) = channel.toasts()
    return toast


# docs.ntfy.sh/publish: the examples in their order, with the URLs of this server.
EXAMPLES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("simple", ["-d", "Backup successful 😀"], {"message": "Backup successful 😀", "role": "info"}),
    (
        "title, priority and tags",
        [
            *("-H", "Title: Unauthorized access detected", "-H", "Priority: urgent", "-H", "Tags: warning,skull"),
            *("-d", "Remote access to phils-laptop detected. Act right away."),
        ],
        {"title": "💀 Unauthorized access detected", "role": "warning", "duration": "indefinite"},
    ),
    (
        "a message of several lines, with an action and an icon",
        [
            *("-H", "Click: https://home.nest.com/", "-H", "Attach: https://nest.com/view/yAxkasd.jpg"),
            *("-H", "Actions: http, Open door, https://api.nest.com/open/yAxkasd, clear=true"),
            *("-H", "Email: phil@example.com", "-d", "There's someone at the door. 🐶\n\nPlease check."),
        ],
        {
            "message": "There's someone at the door. 🐶\n\nPlease check.",
            "link": "https://home.nest.com/",
            "image": {"url": "https://nest.com/view/yAxkasd.jpg"},
        },
    ),
    (
        "title alone",
        ["-H", "X-Title: Dogs are better than cats", "-d", "Oh my ..."],
        {"title": "Dogs are better than cats"},
    ),
    ("short title", ["-H", "t: Dogs are better than cats", "-d", "Oh my ..."], {"title": "Dogs are better than cats"}),
    ("an encoded title", ["-H", "Title: =?UTF-8?B?8J+HqfCfh6o=?=", "-d", "x"], {"title": "🇩🇪"}),
    ("priority", ["-H", "X-Priority: 5", "-d", "An urgent message"], {"role": "error", "duration": "indefinite"}),
    ("low priority", ["-H", "Priority: low", "-d", "Low priority message"], {"duration": 2, "haptic": "none"}),
    ("short priority", ["-H", "p: 4", "-d", "A high priority message"], {"role": "warning"}),
    (
        "tags",
        ["-H", "Tags: warning,mailsrv13,daily-backup", "-d", "Backup of mailsrv13 failed"],
        {"message": "Backup of mailsrv13 failed\nmailsrv13, daily-backup", "role": "warning"},
    ),
    ("success tag", ["-H", "ta: white_check_mark", "-d", "Done"], {"role": "success"}),
    (
        "view actions",
        [
            *("-H", "Actions: view, Open portal, https://home.nest.com/, clear=true; view, 'A; b', https://a.example"),
            *("-d", "You left the house."),
        ],
        {"message": "You left the house."},
    ),
    ("markdown", ["-H", "Markdown: yes", "-d", "Look ma, **bold text**"], {"message": "Look ma, **bold text**"}),
    (
        "an icon",
        ["-H", "Icon: https://styles.example/icon.png", "-d", "x"],
        {"icon": "https://styles.example/icon.png"},
    ),
    ("a sequence", ["-H", "X-Sequence-ID: my-download-123", "-d", "50 %"], {"reuseIdentifier": "my-download-123"}),
    ("nothing", ["-X", "POST"], {"message": "triggered"}),
    ("PUT", ["-T", "/dev/null"], {"message": "triggered"}),
]


@pytest.mark.parametrize(("options", "expected"), [example[1:] for example in EXAMPLES], ids=[it[0] for it in EXAMPLES])
def test_an_example_of_the_documentation(channel, options, expected):
    url = f"{channel.url}/{channel.name}"
    answer = curl(url, *options)
    toast = only(channel)
    assert {member: toast.get(member) for member in expected} == expected
    assert (answer["event"], answer["topic"]) == ("message", channel.name)
    assert toast["id"].endswith(answer["id"])
    assert len(answer["id"]) == 12


def test_the_actions_of_the_short_form_are_shown(channel):
    actions = "Actions: view, Open portal, https://a.example/, clear=true; http, Close, https://b.example; view, C, https://c.example"
    answer = curl(f"{channel.url}/{channel.name}", "-H", actions, "-d", "x")
    assert [action["action"] for action in answer["actions"]] == ["view", "http", "view"]
    assert [action["title"] for action in only(channel)["actions"]] == ["Open portal", "C"]


def test_a_document_at_the_root(channel):
    document = {
        "topic": channel.name,
        "message": "Disk space is low at 5.1 GB",
        "title": "Low disk space alert",
        "tags": ["warning", "cd"],
        "priority": 4,
        "attach": "https://filesrv.lan/space.jpg",
        "filename": "diskspace.jpg",
        "click": "https://homecamera.lan/xasds1h2xsSsa/",
        "actions": [{"action": "view", "label": "Admin panel", "url": "https://filesrv.lan/admin"}],
        "email": None,
    }
    answer = curl(f"{channel.url}/", "-d", json.dumps(document))
    toast = only(channel)
    assert (toast["role"], toast["title"]) == ("warning", "💿 Low disk space alert")
    assert (toast["link"], toast["image"]["url"]) == (document["click"], document["attach"])
    assert toast["actions"][0]["url"] == "https://filesrv.lan/admin"
    assert (answer["title"], answer["priority"], answer["tags"]) == (document["title"], 4, document["tags"])


@pytest.mark.parametrize("word", ["publish", "send", "trigger"])
def test_a_get_publishes(channel, word):
    answer = curl(f"{channel.url}/{channel.name}/{word}?message=Webhook%20triggered&priority=high&title=a")
    assert answer["message"] == "Webhook triggered"
    toast = only(channel)
    assert (toast["title"], toast["message"], toast["role"]) == ("a", "Webhook triggered", "warning")


def test_a_head_publishes_nothing(channel):
    answer = channel.http.head(f"/{channel.name}/publish?message=x")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST, PUT, OPTIONS")
    assert channel.toasts() == []


def test_a_page_of_another_origin_publishes_nothing(channel):
    """An image and a followed link are GET requests, too."""
    for fields in [
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {
            "Sec-Fetch-Site": "cross-site",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
            "Sec-Fetch-User": "?1",
        },
        {"Origin": "https://evil.example"},
        # Over http: browsers send neither `Origin` nor `Sec-Fetch-*` with an image, only their user agent.
        {"User-Agent": BROWSER},
    ]:
        answer = channel.http.get(f"/{channel.name}/publish?message=x", headers=fields)
        assert answer.status_code == 403
        assert answer.json()["code"] == 40301
    assert channel.toasts() == []


def test_a_sequence_updates_and_ends_its_toast(channel):
    first = channel.http.post(f"/{channel.name}/job", content="10 %")
    assert first.json()["sequence_id"] == "job"
    toast = only(channel)
    assert channel.http.put(f"/{channel.name}/job", content="90 %").status_code == 200
    assert (only(channel)["id"], only(channel)["message"]) == (toast["id"], "90 %")
    cleared = channel.http.put(f"/{channel.name}/other/clear").json()
    assert (cleared["event"], cleared["sequence_id"]) == ("message_clear", "other")
    assert channel.http.put(f"/{channel.name}/other/delete").json()["event"] == "message_delete"
    gone = channel.http.delete(f"/{channel.name}/job").json()
    assert (gone["event"], gone["sequence_id"]) == ("message_delete", "job")
    assert channel.toasts() == []


def test_long_sequences_that_differ_are_toasts_of_their_own(channel):
    first, second = ("s" * 256 + end for end in "12")
    for sequence, text in [(first, "10 %"), (second, "20 %"), (first, "90 %")]:
        answer = channel.http.post(f"/{channel.name}", content=text, headers={"X-Sequence-ID": sequence})
        assert answer.json()["sequence_id"] == sequence
    assert sorted(toast["message"] for toast in channel.toasts()) == ["20 %", "90 %"]
    assert channel.http.delete(f"/{channel.name}/{first}").json()["sequence_id"] == first
    assert only(channel)["message"] == "20 %"


def test_a_delayed_message_waits(channel):
    answer = curl(f"{channel.url}/{channel.name}", "-H", "In: 30 min", "-d", "Drink tea")
    toast = only(channel)
    assert toast["state"] == "queued"
    assert "notBefore" in toast
    assert answer["time"] > json.loads(json.dumps(answer["expires"])) - 43_200 - 10


def test_a_long_message_is_cut_and_its_answer_is_short(channel):
    """ntfy's command reads only 4096 bytes of an answer, and treats a longer one as a failure."""
    fields = {"Title": "t" * 200, "Click": "https://a.example/" + "c" * 1500, "Priority": "4"}
    answer = channel.http.post(f"/{channel.name}", content="ä" * 3000, headers=fields)
    assert len(answer.content) < 4096
    assert answer.json()["message"].endswith("ä…")
    assert (answer.json()["priority"], answer.json()["event"]) == (4, "message")
    toast = only(channel)
    assert 4000 < len(toast["message"].encode()) <= 4096
    assert toast["message"].endswith("ä…")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        # The requests of `ntfy publish --file`, and of Apprise for attachments.
        ({"headers": {"X-Message": "Backup log", "X-Filename": "log.txt"}, "content": "line"}, "Backup log"),
        ({"headers": {"Attach": "https://a.example/x.jpg", "Filename": "y.jpg"}, "content": "hi"}, "hi"),
        ({"headers": {"Filename": "message.txt"}, "content": "a long text"}, "a long text"),
        ({"files": {"message": (None, "of a form")}}, "of a form"),
    ],
)
def test_a_message_with_a_file_is_its_text(channel, options, message):
    assert channel.http.post(f"/{channel.name}", **options).status_code == 200
    assert only(channel)["message"] == message


@pytest.mark.parametrize(
    ("path", "options", "code"),
    [
        ("/{topic}", {"headers": {"Priority": "9"}, "content": "x"}, 40007),
        ("/{topic}", {"headers": {"Delay": "soon"}, "content": "x"}, 40004),
        ("/{topic}", {"headers": {"Actions": "dance, x"}, "content": "x"}, 40018),
        ("/{topic}", {"headers": {"Filename": "a.bin"}, "content": b"\xff"}, 40014),
        ("/{topic}", {"files": {"file": ("a.bin", b"x")}}, 40014),
        ("/{topic}", {"content": b"\xff"}, 40011),
        ("/a.b", {"content": "x"}, 40009),
        ("/account", {"content": "x"}, 40009),
        ("/", {"content": "x"}, 40024),
        ("/", {"json": {"message": "x"}}, 40009),
    ],
)
def test_an_error_has_the_members_of_ntfy_and_no_others(channel, path, options, code):
    answer = channel.http.post(path.format(topic=channel.name), **options)
    # aiontfy passes the members as keyword arguments, so an unknown one would raise an error.
    assert set(answer.json()) == {"code", "http", "error"}
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert channel.toasts() == []


def test_the_routes_of_ntfy_do_not_hide_the_api_pages_and_files(channel):
    assert channel.http.get("/").text == httpx.get(f"{channel.url}/index.html").text
    assert "text/html" in channel.http.get("/").headers["content-type"]
    assert channel.http.get("/page.js").status_code == 200
    assert channel.http.get("/viewer/state.js").status_code == 200
    assert channel.http.get("/livez").status_code == 200
    assert channel.http.get("/v1/health").json() == {"healthy": True}
    assert channel.http.post(
        "/v1/toasts", json={"channels": [channel.name], "toast": {"message": "m"}}
    ).status_code in (200, 201)
    assert channel.http.post("/v1", content="x").status_code == 404
    assert channel.http.get(f"/{channel.name}").status_code == 405
    assert len(channel.toasts()) == 1


def test_without_the_flag_there_are_no_such_routes(launch, name):
    client = httpx.Client(base_url=launch(store="memory").url)
    assert client.post(f"/{name}", content="x").status_code == 404
    assert client.post("/", json={"topic": name}).status_code == 405
    assert client.get(f"/{name}/publish?message=x").status_code == 404
    assert client.get("/v1/health").status_code == 404


def test_the_credentials_of_ntfy(launch, tmp_path, name):
    access = tmp_path / "access.json"
    command = [BINARY, "key", "create", "--access", str(access), "--name", "ci", "--scopes", "publish"]
    key = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    client = httpx.Client(base_url=launch("--ntfy", "on", "--access", str(access), store="memory").url)
    basic = "Basic " + base64.b64encode(f"phil:{key}".encode()).decode()
    auth = base64.urlsafe_b64encode(basic.encode()).decode().rstrip("=")
    for options in (
        {"headers": {"Authorization": f"Bearer {key}"}},
        {"headers": {"Authorization": basic}},
        {"auth": ("phil", key)},
        {"auth": ("", key)},
        {"params": {"auth": auth}},
    ):
        assert client.post(f"/{name}", content="x", **options).status_code == 200, options
    # Only ntfy's routes read a credential from the URL.
    assert client.post(f"/v1/channels/{name}/toasts", json={"message": "m"}, params={"auth": auth}).status_code == 401
    assert client.post(f"/v1/channels/{name}/toasts", json={"message": "m"}, auth=("x", key)).status_code == 201
    for options in ({}, {"auth": ("phil", "wrong")}, {"params": {"auth": "!"}}):
        refused = client.post(f"/{name}", content="x", **options)
        assert (refused.status_code, refused.json()["code"]) == (401, 40101)
    assert client.get(f"/{name}/auth", auth=("", key)).status_code == 403
    # A browser sends the session cookie with images of same-site pages, too, so GET with it publishes nothing.
    assert client.post("/v1/session", headers={"Authorization": f"Bearer {key}"}).status_code == 201
    publish, browser = f"/{name}/publish?message=x", {"User-Agent": BROWSER}
    assert client.get(publish, headers=browser).status_code == 403
    assert client.get(f"{publish}&auth=!", headers=browser).status_code == 401
    assert client.get(publish, headers=browser, auth=("", key)).status_code == 200


def test_a_wrong_credential_is_refused_even_with_anonymous_access(launch, tmp_path, name):
    access = tmp_path / "access.json"
    access.write_text('{"keys": []}')
    options = ("--ntfy", "on", "--access", str(access), "--allow-anonymous", "publish")
    client = httpx.Client(base_url=launch(*options, store="memory").url)
    assert client.post(f"/{name}", content="x").status_code == 200
    assert client.post(f"/{name}", content="x", params={"auth": "!"}).status_code == 401
