"""Helpers for tests of limits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import httpx

from toastd import Toastd


def problem(response: httpx.Response) -> str:
    """The name of the problem in a response."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.json()["type"].removeprefix("urn:toastd:problem:")


def counted(server: Toastd, name: str) -> int:
    """How often a problem was returned, according to the metrics."""
    text = httpx.get(f"{server.url}/metrics").text
    found = re.search(rf'toastd_problems_total{{type="{name}"}} (\d+)', text)
    return int(found[1]) if found else 0


def counted_as(server: Toastd, series: str) -> float:
    """The value of a series of the metrics with these labels."""
    for line in httpx.get(f"{server.url}/metrics").text.splitlines():
        if line.startswith(f"{series} "):
            return float(line.split()[-1])
    raise AssertionError(f"{series} is missing")


def until(condition: Callable[[], object], patience: float = 60) -> None:
    """Waits for a condition, with a limit that suits any machine."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def post(server: Toastd, body: object = None, channel: str = "ops", **options: object) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/channels/{channel}/toasts", json=body or {"message": "x"}, **options)


def wait_for_log(server: Toastd, word: str, times: int = 1) -> None:
    try:
        until(lambda: sum(word in line for line in server.log) >= times)
    except AssertionError:
        raise AssertionError("".join(server.log)) from None


def wait_for_room(url: str) -> None:
    until(lambda: httpx.get(url, params={"wait": 0}).status_code == 200)
