"""A client of one channel."""

from __future__ import annotations

import time
from typing import Any

import httpx


class Channel:
    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.path = f"/v1/channels/{name}"
        self.http = httpx.Client(base_url=url, timeout=60)

    def close(self) -> None:
        self.http.close()

    def on(self, url: str) -> Channel:
        """A client of the channel with this name on another server."""
        return Channel(url, self.name)

    # Publishing

    def post(self, body: Any = None, **options: Any) -> httpx.Response:
        """Posts JSON, or other content given as httpx options."""
        if body is not None:
            options["json"] = body
        return self.http.post(f"{self.path}/toasts", **options)

    def publish(self, message: str = "Deployed", **members: Any) -> dict[str, Any]:
        """Publishes a toast, which must be accepted."""
        response = self.post({"message": message, **members})
        assert response.status_code == 201, response.text
        return response.json()

    def let_pass(self, seconds: float) -> None:
        """Waits for this time by the server's clock: for the timeout of a toast in a second channel."""
        clock = Channel(self.url, f"{self.name[:50]}-clock")
        clock.configure(whenUnattended="present")
        toast = clock.publish(duration=seconds)
        while clock.get(toast).json()["state"] != "dismissed":
            time.sleep(0.02)
        clock.close()

    # Toasts

    def toasts(self, state: str | None = None) -> list[dict[str, Any]]:
        """All toasts of the list, page by page."""
        parameters = {"state": state} if state else {}
        toasts: list[dict[str, Any]] = []
        while True:
            response = self.http.get(f"{self.path}/toasts", params=parameters)
            assert response.status_code == 200, response.text
            page = response.json()
            toasts += page["toasts"]
            if "next" not in page:
                return toasts
            parameters["after"] = page["next"]

    def cursor(self) -> str:
        return self.http.get(f"{self.path}/toasts").json()["cursor"]

    def toast(self, toast: dict[str, Any], suffix: str = "") -> str:
        """The path of a toast."""
        return f"{self.path}/toasts/{toast['id']}{suffix}"

    def get(self, toast: dict[str, Any], **options: Any) -> httpx.Response:
        return self.http.get(self.toast(toast), **options)

    def patch(self, toast: dict[str, Any], changes: Any, **headers: str) -> httpx.Response:
        headers = {
            "Content-Type": "application/merge-patch+json",
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        return self.http.patch(self.toast(toast), json=changes, headers=headers)

    def delete(self, toast: dict[str, Any]) -> httpx.Response:
        return self.http.delete(self.toast(toast))

    def dismiss(self, toast: dict[str, Any], reason: str | None = None) -> httpx.Response:
        body = {} if reason is None else {"json": {"dismissReason": reason}}
        return self.http.post(self.toast(toast, "/dismiss"), **body)

    def act(self, toast: dict[str, Any], action: str) -> httpx.Response:
        return self.http.post(self.toast(toast, f"/actions/{action}"))

    def hold(self, toast: dict[str, Any], holder: str = "viewer", lease: float | None = None) -> httpx.Response:
        body = {} if lease is None else {"json": {"lease": lease}}
        return self.http.put(self.toast(toast, f"/holds/{holder}"), **body)

    def release(self, toast: dict[str, Any], holder: str = "viewer") -> httpx.Response:
        return self.http.delete(self.toast(toast, f"/holds/{holder}"))

    # The channel itself

    def configure(self, **settings: Any) -> dict[str, Any]:
        response = self.http.put(f"{self.path}/settings", json=settings)
        assert response.status_code == 200, response.text
        return response.json()

    def summary(self) -> dict[str, Any]:
        response = self.http.get(self.path)
        assert response.status_code == 200, response.text
        return response.json()

    def poll(self, since: str | None = None, **parameters: Any) -> dict[str, Any]:
        if since is not None:
            parameters["since"] = since
        response = self.http.get(f"{self.path}/poll", params=parameters, timeout=70)
        assert response.status_code == 200, response.text
        return response.json()

    def history(self, since: str) -> list[dict[str, Any]]:
        """Every present event after a cursor."""
        events: list[dict[str, Any]] = []
        while True:
            answer = self.poll(since, wait=0)
            fresh = [event for event in answer["events"] if event["type"] != "resumed"]
            if not fresh:
                return events
            events += fresh
            since = answer["cursor"]


def channels_by_page(url: str, limit: int) -> list[list[str]]:
    """The names on each page of the list of channels."""
    pages, query = [], {"limit": limit}
    while True:
        page = httpx.get(f"{url}/v1/channels", params=query).json()
        pages.append([channel["name"] for channel in page["channels"]])
        if "next" not in page:
            return pages
        query["after"] = page["next"]
