"""Helpers for tests of limits."""

from __future__ import annotations

import re

import httpx

from toastd import Toastd
from waiting import until


def problem(response: httpx.Response) -> str:
    """The name of the problem in a response."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.json()["type"].removeprefix("urn:toastd:problem:")


def counted(server: Toastd, name: str) -> int:
    """The number of responses with a problem, according to the metrics."""
    text = httpx.get(f"{server.url}/metrics").text
    found = re.search(rf'toastd_problems_total{{type="{name}"}} (\d+)', text)
    return int(found[1]) if found else 0


def counted_as(server: Toastd, series: str) -> float:
    """The value of a series in the metrics: its name, with its labels as they are printed."""
    for line in httpx.get(f"{server.url}/metrics").text.splitlines():
        if line.startswith(f"{series} "):
            return float(line.split()[-1])
    raise AssertionError(f"{series} is missing")


def post(server: Toastd, body: object = None, channel: str = "ops", **options: object) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/channels/{channel}/toasts", json=body or {"message": "x"}, **options)


def wait_for_room(url: str) -> None:
    until(lambda: httpx.get(url, params={"wait": 0}).status_code == 200)
