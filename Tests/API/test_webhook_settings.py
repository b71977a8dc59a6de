"""The setting `webhooks`: its validation and its storage; a secret is shown only once."""

import base64
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest
from standardwebhooks.webhooks import Webhook

from channel import Channel
from test_problems import pointers, problem

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
URL = "https://a.example/x"


@pytest.fixture
def settings(channel):
    """Sends a request to the channel's settings, on a server that posts to no private address."""

    def send(method, body=None, **options):
        if body is not None:
            options["json"] = body
        return channel.http.request(method, f"{channel.path}/settings", **options)

    return send


def test_a_secret_that_was_not_sent_is_made_and_shown_once(settings):
    url = "https://hooks.example.org/a"
    made = settings("PUT", {"webhooks": [{"url": url}]}).json()["own"]["webhooks"]
    secret = made[0].pop("secret")
    assert 24 <= len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) <= 64
    Webhook(secret)
    plain = [{"id": made[0]["id"], "url": url, "events": ["acted", "dismissed"], "enabled": True}]
    assert sorted(made[0]["events"]) == plain[0]["events"]
    plain[0]["events"] = made[0]["events"]
    assert made == plain
    assert settings("GET").json()["own"] == {"webhooks": plain}
    assert settings("PUT", {"webhooks": plain}).json()["own"] == {"webhooks": plain}
    other = settings("PUT", {"webhooks": [{"url": url + "?b"}]}).json()["own"]["webhooks"]
    assert other[0]["secret"] != secret


def test_of_many_changes_with_one_entity_tag_one_succeeds(settings):
    """The entity tag covers webhooks, too, also while another request is storing its own."""
    for turn in range(5):
        tag = settings("GET").headers["etag"]

        def change(number, tag=tag, turn=turn):
            hooks = [{"url": f"{URL}?{turn}-{number}", "secret": SECRET}]
            return settings("PATCH", {"webhooks": hooks}, headers={"If-Match": tag}).status_code

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(change, range(8))) == [200] + [412] * 7


def test_webhooks_live_beside_the_other_settings(settings):
    hooks = [{"url": "https://a.example/x", "secret": SECRET, "events": ["held"], "enabled": False}]
    shown = [{"id": "c43c199714c5785a", "url": "https://a.example/x", "events": ["held"], "enabled": False}]
    tag = settings("PUT", {"mode": "priority", "webhooks": hooks}).headers["etag"]
    assert settings("GET").headers["etag"] == tag
    assert settings("GET", headers={"If-None-Match": tag}).status_code == 304
    patch = settings("PATCH", {"mode": None})
    assert patch.json()["own"] == {"webhooks": shown}
    assert patch.headers["etag"] != tag
    assert settings("PATCH", {"webhooks": None}).json()["own"] == {}
    settings("PATCH", {"webhooks": hooks, "capacity": 5})
    assert settings("GET").json()["own"] == {"capacity": 5, "webhooks": shown}
    assert settings("PUT", {"capacity": 6}).json()["own"] == {"capacity": 6}
    settings("PATCH", {"webhooks": hooks})
    assert settings("DELETE").json()["own"] == {}
    assert settings("GET").json()["own"] == {}


def test_webhooks_survive_a_restart(launch, name):
    server = launch()
    channel = Channel(server.url, name)
    first = channel.configure(webhooks=[{"url": "https://a.example/x", "secret": SECRET}])
    server.kill()
    channel = channel.on(launch().url)
    assert channel.http.get(f"{channel.path}/settings").json() == first
    channel.close()


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.parametrize(
    ("webhooks", "expected"),
    [
        ({}, ["/webhooks"]),
        ("https://a.example", ["/webhooks"]),
        ([None], ["/webhooks/0"]),
        ([{}], ["/webhooks/0/url"]),
        ([{"url": 7}], ["/webhooks/0/url"]),
        *(
            ([{"url": url}], ["/webhooks/0/url"])
            for url in (
                "",
                "/hook",
                "ftp://a.example/",
                "https://",
                "https:///x",
                "https://user:password@a.example/",
                "https://a.example/#part",
                "https://a.example:0/",
                "https://a.example:70000/",
                "https://a.example:/",
                "https://[::1/",
                "https://ä.example/",
                "https://a.example/\r\nX: y",
                "https://a.example/ x",
            )
        ),
        ([{"url": URL, "name": "mine"}], ["/webhooks/0/name"]),
        ([{"url": URL, "events": []}], ["/webhooks/0/events"]),
        ([{"url": URL, "events": "acted"}], ["/webhooks/0/events"]),
        ([{"url": URL, "events": ["acted", "snapshot", 1]}], ["/webhooks/0/events/1", "/webhooks/0/events/2"]),
        ([{"url": URL, "events": ["acted", "acted"]}], ["/webhooks/0/events/1"]),
        ([{"url": URL, "enabled": "yes"}], ["/webhooks/0/enabled"]),
        ([{"url": URL, "secret": "secret"}], ["/webhooks/0/secret"]),
        ([{"url": URL, "secret": "whsec_" + "AAAA" * 8 + "AA=="}, {"url": URL}], ["/webhooks/1/url"]),
        ([{"url": URL, "secret": "whsec_" + "A" * 28}], ["/webhooks/0/secret"]),
        ([{"url": URL, "secret": "whsec_" + "AAAA" * 22}], ["/webhooks/0/secret"]),
        ([{"url": URL, "secret": "whsec_" + "A" * 42 + "B="}], ["/webhooks/0/secret"]),
    ],
)
def test_webhooks_that_cannot_be_accepted(settings, method, webhooks, expected):
    settings("PUT", {"mode": "priority", "webhooks": [{"url": "https://kept.example/"}]})
    before = settings("GET").json()
    answer = problem(settings(method, {"mode": "fifo", "webhooks": webhooks}), 422, "invalid-settings")
    assert pointers(answer) == expected
    assert settings("GET").json() == before


def test_the_length_of_a_webhooks_url_is_limited(settings):
    answer = settings("PUT", {"webhooks": [{"url": "https://a.example/" + "x" * 2048}]})
    assert pointers(problem(answer, 422, "text-too-long")) == ["/webhooks/0/url"]


def test_a_channel_has_eight_webhooks(settings):
    webhooks = [{"url": f"{URL}{number}"} for number in range(9)]
    answer = settings("PUT", {"webhooks": webhooks})
    assert pointers(problem(answer, 422, "too-many-webhooks")) == ["/webhooks"]
    assert settings("PUT", {"webhooks": webhooks[:8]}).status_code == 200


def test_all_faults_are_reported_at_once(settings):
    answer = settings("PUT", {"mode": "random", "webhooks": [{"url": "x"}]})
    assert pointers(problem(answer, 422, "invalid-settings")) == ["/mode", "/webhooks/0/url"]
    assert settings("GET").json()["own"] == {}


def test_a_wrong_secret_is_not_repeated(settings):
    wrong = "whsec_" + secrets.token_hex(8)
    assert wrong not in settings("PUT", {"webhooks": [{"url": URL, "secret": wrong}]}).text
