"""The effect of a changed access file on open sessions, tickets and streams."""

import json
from pathlib import Path

import httpx
import pytest

from streams import EventStream
from test_access import House
from waiting import hang_up


@pytest.mark.parametrize("change", [{"expires": "2026-01-01T00:00:00Z"}, {"digest": 64 * "0"}])
def test_sessions_and_streams_end_when_the_file_ends_their_key(tmp_path: Path, change: dict[str, str]) -> None:
    house = House(tmp_path)
    key = {"Authorization": f"Bearer {house.key('subscribe')}"}
    with house.server:
        url = f"{house.server.url}/v1/channels/ops"
        session = httpx.post(f"{house.server.url}/v1/session", headers=key).cookies["toastd"]
        stream = EventStream(f"{url}/stream", headers=key)
        stream.wait("snapshot")
        access = json.loads(house.file.read_text())
        access["keys"][0] |= change
        house.file.write_text(json.dumps(access))
        hang_up(house.server, "read again")
        cookie = {"Cookie": f"toastd={session}"}
        assert [httpx.get(url, headers=headers).status_code for headers in (key, cookie)] == [401, 401]
        stream.over()
