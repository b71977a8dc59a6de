"""`GET /v1/session`: a page reads its session and its permissions."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from streams import EventStream, Socket
from test_access import House
from toastd import Toastd


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.publisher = {"Authorization": f"Bearer {house.key('publish', 'ops*')}"}
    with house.server:
        yield house


def test_a_page_is_told_who_it_is_and_what_it_may_do(house: House) -> None:
    with httpx.Client(base_url=house.server.url) as client:
        assert client.get("/v1/session").json() == {"principal": "anonymous", "session": False, "grants": []}
        token = house.token("respond,subscribe", "ops*,lobby", 300)
        grants = [{"scopes": ["subscribe", "respond"], "channels": ["ops*", "lobby"]}]
        shown = client.get("/v1/session", headers=token).json()
        assert (shown["principal"], shown["session"], shown["grants"]) == ("token:alice", False, grants)
        assert client.post("/v1/session", headers=token).status_code == 201
        known = client.get("/v1/session")
        assert "no-store" in known.headers["cache-control"]
        assert known.json()["session"] is True and known.json()["grants"] == grants
        assert 320 <= known.json()["expiresIn"] <= 330
        assert client.delete("/v1/session").headers["cache-control"] == "no-store"
        assert client.get("/v1/session").json()["principal"] == "anonymous"
        assert "keyName" not in shown
        # A key without an expiry has no `expiresIn`; its session has one.
        by_key = client.get("/v1/session", headers=house.publisher).json()
        assert "expiresIn" not in by_key
        assert (by_key["principal"][:4], by_key["keyName"]) == ("key:", "test")


def test_the_streams_of_a_session_end_with_it(house: House) -> None:
    with httpx.Client(base_url=house.server.url) as client, httpx.Client(base_url=house.server.url) as other:
        cookies = []
        for user in (client, other):
            assert user.post("/v1/session", headers=house.token("subscribe")).status_code == 201
            cookies.append({"Cookie": f"toastd={user.cookies['toastd']}"})
        url = f"{house.server.url}/v1/channels/ops"
        with (
            EventStream(f"{url}/stream", cookies[0]) as stream,
            Socket(f"{url}/socket", cookies[0]) as socket,
            EventStream(f"{url}/stream", cookies[1]) as kept,
        ):
            for reader in (stream, socket, kept):
                reader.wait("snapshot")
            assert client.delete("/v1/session").status_code == 204
            stream.over()
            socket.over()
            published = httpx.post(f"{url}/toasts", json={"message": "m"}, headers=house.publisher)
            assert published.status_code == 201
            kept.wait("enqueued")


def test_an_open_server_says_that_everybody_may_do_everything(server: Toastd) -> None:
    grants = [{"scopes": ["publish", "subscribe", "respond", "manage"], "channels": ["*"]}]
    known = httpx.get(f"{server.url}/v1/session").json()
    assert known == {"principal": "anonymous", "session": False, "grants": grants}
