"""A faulty parameter in the query is refused, by GET and by HEAD."""

import httpx
import pytest

from test_problems import problem


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("toasts", "state=gone"),
        ("poll", "since=banana"),
        ("poll", "wait=soon"),
        ("poll", "wait=-1"),
        ("poll", "wait=61"),
        ("poll", "wait=0x1"),
        ("poll", "wait=.5"),
        ("poll", "wait=%2B1"),
        ("poll", "wait=+1"),
        ("poll", "events=nonsense&wait=0"),
        ("poll", "events=presented&events=snapshot&wait=0"),
        ("poll", "wait=0&wait=1"),
        ("poll", "wait=0&audience=0&audience=1"),
        ("poll", "wait=0&since=k3v9q0ax-1&since=k3v9q0ax-2"),
        ("poll", "events=&wait=0"),
        ("poll", "events=,&wait=0"),
        ("stream", "since=banana"),
        ("stream", "events=nonsense"),
        ("stream", "assistive=maybe"),
    ],
)
def test_a_bad_parameter(channel, path, query):
    problem(channel.http.get(f"{channel.path}/{path}?{query}"), 400, "invalid-parameter")
    assert channel.http.head(f"{channel.path}/{path}?{query}").status_code == 400


@pytest.mark.parametrize("query", ["limit=0", "limit=many", "limit=101", "limit=1.5", "limit=%2B5", "limit=+5"])
def test_a_bad_parameter_of_the_channel_list(server, query):
    problem(httpx.get(f"{server.url}/v1/channels?{query}"), 400, "invalid-parameter")


def test_a_page_after_an_invalid_channel_name_is_refused(server):
    problem(httpx.get(f"{server.url}/v1/channels?after=a.b"), 400, "invalid-channel-name")


@pytest.mark.parametrize(
    "query", ["", "?channel=", "?channel=a.b", "?" + "&".join(f"channel=c{i}" for i in range(129))]
)
def test_a_bad_list_of_channels(server, query):
    response = httpx.get(f"{server.url}/v1/poll{query}")
    assert response.status_code == 400
    assert response.json()["type"].removeprefix("urn:toastd:problem:") in ("invalid-parameter", "invalid-channel-name")
