"""The effect of invalid credentials on their sender, and on other clients at the same address."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from test_access import House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    house.publisher = {"Authorization": f"Bearer {house.key('publish', 'ops*')}"}
    with house.server:
        yield house


def test_a_source_that_keeps_failing_has_to_wait(house: House) -> None:
    transport = httpx.HTTPTransport(local_address="127.0.0.7")
    with httpx.Client(transport=transport, base_url=house.server.url) as client:
        wrong = {"Authorization": "Bearer nonsense"}
        statuses = [client.get("/v1/channels/ops/toasts", headers=wrong).status_code for _ in range(32)]
        assert statuses[:30] == [401] * 30
        assert statuses[30:] == [429] * 2
        refused = client.get("/v1/channels/ops/toasts", headers=wrong)
        assert 0 < int(refused.headers["retry-after"]) <= 60


WRONG = ["ticket", "toastd_00000000_x", "token", "forged"]


@pytest.mark.parametrize("wrong", WRONG)
def test_failures_do_not_block_valid_credentials(house: House, wrong: str) -> None:
    """Any page can send invalid credentials from its reader's address, for example a ticket in an `<img>`."""
    address = f"127.0.0.{30 + WRONG.index(wrong)}"
    token, late = house.token("subscribe"), house.token("subscribe", seconds=601)
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(transport=transport, base_url=house.server.url, timeout=60) as client:
        session = {"Cookie": f"toastd={client.post('/v1/session', headers=token).cookies['toastd']}"}
        client.cookies.clear()
        credential = f"{token['Authorization'][7:]}x" if wrong == "forged" else wrong
        for _ in range(40):
            if wrong == "ticket":
                answer = client.get("/v1/channels/ops/poll?ticket=nonsense")
            else:
                answer = client.get("/v1/channels/ops", headers={"Authorization": f"Bearer {credential}"})
        assert answer.status_code == 429
        posted = client.post("/v1/channels/ops/toasts", headers=house.publisher, json={"message": "x"})
        assert posted.status_code == 201
        # A token that was used before, one that was not, and a session.
        for headers in (token, late, session):
            assert client.get("/v1/channels/ops", headers=headers).status_code == 200
        # Made only now, because a ticket is valid for half a minute.
        ticket = client.post("/v1/tickets", headers=token).json()["ticket"]
        assert client.get("/v1/channels/ops/poll", params={"ticket": ticket, "wait": 0}).status_code == 200
