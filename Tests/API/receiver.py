"""The receiver of webhooks: a server on a port that the system picks, which records its requests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE = 60
Answer = int | tuple[int, dict[str, str]]


@dataclass(frozen=True)
class Delivery:
    """One request to the receiver."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        return json.loads(self.body)


class Receiver:
    """Answers each request with `answer`, or with its result if it is a function; `deliveries` has the requests."""

    def __init__(self) -> None:
        self.answer: Answer | Callable[[Delivery], Answer] = 204
        self.deliveries: list[Delivery] = []
        self._changed = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = receiver.take(Delivery(self.path, headers, body))
                status, fields = answer if isinstance(answer, tuple) else (answer, {})
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def url(self, path: str = "/hook") -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, delivery: Delivery) -> Answer:
        with self._changed:
            self.deliveries.append(delivery)
            self._changed.notify_all()
            answer = self.answer
        return answer(delivery) if callable(answer) else answer

    def wait(self, count: int = 1, timeout: float = PATIENCE) -> list[Delivery]:
        """Waits until at least this many requests have come, and returns all."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while len(self.deliveries) < count:
                left = deadline - time.monotonic()
                assert left > 0, f"waited in vain for {count} deliveries; there are {self.deliveries}"
                self._changed.wait(left)
            return list(self.deliveries)
