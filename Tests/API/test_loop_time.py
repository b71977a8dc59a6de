"""No request blocks a loop for long: requests of every route up to their limits, and the loop's longest turn."""

from __future__ import annotations

import contextlib
import os
import random
import re
import socket
import time

import httpx
import pytest

from hostile import Corpus
from toastd import Toastd

SECONDS = float(os.environ.get("TOASTD_LOOP_SECONDS", "75"))
# The same seed makes the same requests.
SEED = int(os.environ.get("TOASTD_LOOP_SEED", "0")) or random.randrange(1, 1 << 32)
# The maximum duration of a turn, in seconds; a bucket limit of `toastd_loop_turn_seconds`.
LONGEST = 0.02
BATCH = 25
# A busy machine can delay a loop, too, so a request counts as slow only after GUILTY slow turns in REPEATS attempts.
REPEATS, GUILTY = 5, 3


def send(server: Toastd, request: bytes) -> None:
    """Sends a request, and waits until the response begins."""
    with socket.create_connection(server.address, timeout=30) as connection, contextlib.suppress(OSError):
        connection.sendall(request)
        connection.recv(65536)


class Turns:
    """The metrics of turns of a server with one loop."""

    def __init__(self, server: Toastd) -> None:
        text = httpx.get(f"{server.url}/metrics", timeout=60).text
        count = re.search(r"toastd_loop_turn_seconds_count\{[^}]*\} (\S+)", text)
        short = re.search(rf'toastd_loop_turn_seconds_bucket\{{[^}}]*le="{LONGEST}"\}} (\S+)', text)
        longest = re.search(r"toastd_loop_longest_turn_seconds\{[^}]*\} (\S+)", text)
        self.count = int(float(count[1]))
        self.long = self.count - int(float(short[1]))
        self.longest = float(longest[1])


def furnish(server: Toastd) -> str:
    """Creates the resources that requests name, removes what requests created, and returns the id of a toast."""
    with httpx.Client(base_url=server.url, timeout=60) as http:
        for name in ["full", *(f"x-{number}" for number in range(100))]:
            http.delete(f"/v1/channels/{name}/toasts").raise_for_status()
        http.delete("/v1/channels/full/settings").raise_for_status()
        http.put("/v1/catalogs/de", json={f"key-{n}": f"Text {n} %@" for n in range(9000)}).raise_for_status()
        for _ in range(9):
            http.post("/v1/channels/full/toasts", json=[{"message": "m" * 100}] * 100).raise_for_status()
        for number in range(40):
            http.post(f"/v1/channels/x-{number}/toasts", json={"message": "m"}).raise_for_status()
        question = {"message": "?", "duration": "indefinite", "actions": [{"id": "yes", "title": "Yes"}]}
        return http.post("/v1/channels/full/toasts", json=question).json()["id"]


def is_guilty(server: Toastd, request: bytes) -> bool:
    """Whether a request takes the loop too long in at least GUILTY of REPEATS attempts."""
    found = 0
    for _ in range(REPEATS):
        before = Turns(server)
        send(server, request)
        found += Turns(server).long > before.long
    return found >= GUILTY


@pytest.mark.soak
def test_no_request_holds_a_loop(launch):
    options = ("--loops", "1", "--access-log", "off", "--max-streams-per-source", "0")
    server = launch(*options)
    corpus = Corpus(SEED, furnish(server))
    start = Turns(server)
    sent, guilty, repeated, batches = 0, [], 0, 0
    deadline = time.monotonic() + SECONDS
    turns = start
    while time.monotonic() < deadline:
        batches += 1
        if batches % 40 == 0:
            corpus.toast = furnish(server)
            turns = Turns(server)
        requests = [corpus.request() for _ in range(BATCH)]
        for _, request in requests:
            send(server, request)
        sent += len(requests)
        before, turns = turns, Turns(server)
        if turns.long == before.long:
            continue
        repeated += 1
        guilty += [title for title, request in requests if is_guilty(server, request)]
        turns = Turns(server)
    print(
        f"\nseed {SEED}: {sent} requests, {turns.count - start.count} turns, "
        f"the longest {turns.longest * 1000:.1f} ms, {turns.long - start.long} over {LONGEST * 1000:.0f} ms; "
        f"{repeated} batches repeated, {len(guilty)} guilty"
    )
    assert sent > SECONDS * 5
    assert not guilty, f"TOASTD_LOOP_SEED={SEED}\n" + "\n".join(sorted(set(guilty)))
