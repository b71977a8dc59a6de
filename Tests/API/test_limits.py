"""Rates, and limits that are reloaded while the server runs."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from limits import counted, post, problem, wait_for_room
from streams import EventStream, Socket
from toastd import BINARY, PUBLIC, ROOT, Toastd
from waiting import until, wait_for_log

Launch = Callable[..., Toastd]
HALF = "1/min:6"


# Rates


def test_publishing_is_limited_and_the_remaining_number_is_reported(launch: Launch) -> None:
    server = launch("--limit-publish", HALF)
    answers = [post(server) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [201] * 6 + [429]
    for left, answer in zip([5, 4, 3, 2, 1, 0, 0], answers, strict=True):
        assert answer.headers["ratelimit-policy"] == '"publish";q=6;w=360'
        assert re.fullmatch(rf'"publish";r={left};t=\d+', answer.headers["ratelimit"])
    refused = answers[-1]
    assert problem(refused) == "rate-limited"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.json()["retryAfter"] == int(refused.headers["retry-after"])
    assert counted(server, "rate-limited") == 1
    # Reads are counted separately.
    assert len(httpx.get(f"{server.url}/v1/channels/ops/toasts").json()["toasts"]) == 6


def test_a_batch_costs_one_for_each_toast(launch: Launch) -> None:
    server = launch("--limit-publish", "1/h:10")
    assert post(server, [{"message": str(number)} for number in range(8)]).status_code == 201
    # Three are too many and are not charged; two are accepted.
    assert problem(post(server, [{"message": "x"}] * 3)) == "rate-limited"
    assert post(server, [{"message": "x"}] * 2).status_code == 201
    assert problem(post(server)) == "rate-limited"


def test_each_line_and_each_channel_costs_one(launch: Launch) -> None:
    server = launch("--limit-publish", "1/h:10")
    lines = b'{"message":"a"}\n{"message":"b"}\n{"message":"c"}\n'
    path = f"{server.url}/v1/channels/ops/toasts"
    answer = httpx.post(path, content=lines, headers={"Content-Type": "application/x-ndjson"})
    assert '"publish";r=7;' in answer.headers["ratelimit"]
    many = {"channels": ["a", "b", "c", "d"], "toast": {"message": "x"}}
    answer = httpx.post(f"{server.url}/v1/toasts", json=many)
    assert answer.status_code == 201
    assert '"publish";r=3;' in answer.headers["ratelimit"]
    assert problem(httpx.post(f"{server.url}/v1/toasts", json=many)) == "rate-limited"


def test_a_batch_larger_than_the_bucket_waits_for_a_full_one_and_is_owed(launch: Launch) -> None:
    server = launch("--limit-publish", "1/min:10")
    assert post(server, [{"message": "x"}] * 50).status_code == 201
    refused = post(server)
    assert problem(refused) == "rate-limited"
    assert 40 * 60 < int(refused.headers["retry-after"]) <= 41 * 60


def test_a_request_over_the_limit_is_not_parsed(launch: Launch) -> None:
    server = launch("--limit-publish", "1/h:1")
    assert post(server).status_code == 201
    headers = {"Content-Type": "application/json"}
    path = f"{server.url}/v1/channels/ops/toasts"
    assert problem(httpx.post(path, content=b"{" * 60_000, headers=headers)) == "rate-limited"
    assert httpx.get(path).json()["cursor"].endswith("-1")


def test_changes_and_reads_have_limits_of_their_own(launch: Launch) -> None:
    server = launch("--limit-change", "1/h:2", "--limit-read", "1/h:3")
    toast = post(server).json()
    path = f"{server.url}/v1/channels/ops/toasts/{toast['id']}"
    changes = [httpx.delete(path) for _ in range(3)]
    assert [change.status_code for change in changes] == [200, 200, 429]
    assert changes[0].headers["ratelimit-policy"] == '"change";q=2;w=7200'
    reads = [httpx.get(path) for _ in range(4)]
    assert [read.status_code for read in reads] == [200, 200, 200, 429]
    assert reads[0].headers["ratelimit-policy"] == '"read";q=3;w=10800'
    assert post(server).status_code == 201
    # Probes and files are not counted.
    assert httpx.get(f"{server.url}/livez").status_code == 200
    assert httpx.get(f"{server.url}/readyz").status_code == 200
    assert httpx.get(f"{server.url}/").status_code == 200


def test_an_event_source_over_the_limit_is_told_when_to_reconnect(launch: Launch) -> None:
    server = launch("--limit-read", "1/min:1")
    path = f"{server.url}/v1/channels/ops/stream"
    assert httpx.get(f"{server.url}/v1/channels").status_code == 200
    # A browser's EventSource would give up for ever on 429.
    answer = httpx.get(path, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream"
    assert 55_000 <= int(re.fullmatch(r"retry: (\d+)\n\n", answer.text)[1]) <= 75_000
    assert problem(httpx.get(path)) == "rate-limited"
    assert problem(httpx.get(f"{server.url}/v1/channels/ops/poll")) == "rate-limited"
    assert counted(server, "rate-limited") == 3


def test_commands_of_a_socket_count_like_requests(launch: Launch) -> None:
    server = launch("--limit-publish", "1/h:2", "--limit-change", "1/h:1")
    with Socket(f"{server.url}/v1/channels/ops/socket") as socket:
        replies = [socket.send(command="publish", toast={"message": "x"}) for _ in range(3)]
        assert [reply["type"] for reply in replies] == ["ack", "ack", "error"]
        assert replies[2]["problem"]["type"] == "urn:toastd:problem:rate-limited"
        assert 1700 < replies[2]["problem"]["retryAfter"] <= 3600
        # An invalid command costs as much as a change.
        assert socket.send(command="sing")["problem"]["type"] == "urn:toastd:problem:invalid-command"
        assert socket.send(command="sing")["problem"]["type"] == "urn:toastd:problem:rate-limited"
    assert problem(post(server)) == "rate-limited"


def test_each_address_is_counted_for_itself(launch: Launch) -> None:
    server = launch("--limit-publish", "1/h:1")
    for address in ("127.0.0.3", "127.0.0.4"):
        with httpx.Client(transport=httpx.HTTPTransport(local_address=address), base_url=server.url) as client:
            answers = [client.post("/v1/channels/ops/toasts", json={"message": "x"}) for _ in range(2)]
            assert [answer.status_code for answer in answers] == [201, 429]


@pytest.mark.parametrize(
    ("field", "first", "second", "same"),
    [
        ("X-Forwarded-For", "203.0.113.7", "203.0.113.8", "203.0.113.7"),
        ("X-Forwarded-For", "2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:1:ffff::9"),
        ("Forwarded", "for=203.0.113.7", "for=203.0.113.8", 'for="203.0.113.7:4711";proto=https'),
        ("Forwarded", 'for="[2001:db8:0:1::1]"', 'for="[2001:db8:0:2::1]"', 'for="[2001:db8:0:1:9::9]:80"'),
    ],
)
def test_a_trusted_proxy_names_the_client(launch: Launch, field: str, first: str, second: str, same: str) -> None:
    server = launch("--limit-publish", "1/h:1", "--trusted-proxies", "127.0.0.1")
    statuses = [post(server, headers={field: value}).status_code for value in (first, second, same, first)]
    assert statuses == [201, 201, 429, 429]


@pytest.mark.parametrize("field", ["X-Forwarded-For", "Forwarded"])
def test_the_fields_of_other_senders_do_not_count(launch: Launch, field: str) -> None:
    server = launch("--limit-publish", "1/h:1")
    values = ("203.0.113.7", "203.0.113.8") if field.startswith("X") else ("for=203.0.113.7", "for=203.0.113.8")
    assert [post(server, headers={field: value}).status_code for value in values] == [201, 429]


def test_a_key_is_counted_by_itself_and_a_session_by_its_address(launch: Launch, tmp_path: Path) -> None:
    access = tmp_path / "access.json"

    def key() -> dict[str, str]:
        command = [BINARY, "key", "create", "--name", "k", "--scopes", "publish,subscribe", "--access", access]
        made = subprocess.run(command, check=True, capture_output=True, text=True)
        return {"Authorization": f"Bearer {made.stdout.strip()}"}

    one, other = key(), key()
    server = launch("--access", str(access), "--limit-publish", "1/h:2", "--limit-read", "1/h:1")
    assert [post(server, headers=headers).status_code for headers in (one, one, one, other)] == [201, 201, 429, 201]
    path = f"{server.url}/v1/channels/ops/toasts"
    session = httpx.post(f"{server.url}/v1/session", headers=one).cookies["toastd"]
    assert [httpx.get(path, headers=one).status_code for _ in range(2)] == [200, 429]
    # Sessions that were opened with a key do not share the key's bucket.
    assert httpx.get(path, headers={"Cookie": f"toastd={session}"}).status_code == 200


def test_requests_of_this_machine_are_not_limited_by_default(launch: Launch) -> None:
    server = launch(store="memory")
    with httpx.Client(base_url=server.url) as client:
        batch = [{"message": "x", "expiresAfter": 0.001}] * 100
        answers = [client.post(f"/v1/channels/c{number}/toasts", json=batch) for number in range(15)]
    assert {answer.status_code for answer in answers} == {201}
    assert not any(name.startswith("ratelimit") for answer in answers for name in answer.headers)


def test_others_are_counted_by_default(launch: Launch) -> None:
    server = launch("--trusted-proxies", "127.0.0.1")
    answer = post(server, headers={"X-Forwarded-For": "203.0.113.7"})
    assert answer.headers["ratelimit-policy"] == '"publish";q=1000;w=10'


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--limit-publish", "fast"), ("--limit-read", "1/d"), ("--max-streams", "-1"), ("--max-channels", "0")],
)
def test_an_invalid_limit_is_refused_at_the_start(flag: str, value: str) -> None:
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", PUBLIC, f"{flag}={value}"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert ended.returncode != 0
    assert "expected" in ended.stderr


# SIGHUP


def test_sighup_reads_limits_and_catalogs_again(launch: Launch, tmp_path: Path) -> None:
    config, texts = tmp_path / "toastd.json", tmp_path / "texts"
    config.write_text(json.dumps({"limitPublish": "1/h:1", "maxStreamsPerChannel": 1}))
    texts.mkdir()
    (texts / "de.json").write_text(json.dumps({"saved": "Gesichert"}))
    server = launch("--config", str(config), "--catalogs", str(texts))
    assert [post(server).status_code for _ in range(2)] == [201, 429]

    def hang_up(*words: str) -> None:
        before = {word: sum(word in line for line in server.log) for word in words}
        server.process.send_signal(signal.SIGHUP)
        for word in words:
            wait_for_log(server, word, before[word] + 1)

    def said() -> str:
        body = {"message": {"key": "saved", "default": "Saved"}}
        toast = post(server, body, channel="texts", headers={"Accept-Language": "de"}).json()
        return toast["message"]["text"]

    config.write_text(json.dumps({"limitPublish": "none", "maxStreamsPerChannel": 2}))
    (texts / "de.json").write_text(json.dumps({"saved": "Gespeichert"}))
    hang_up("limits read again", "catalogs read again")
    audits = [line for line in server.log if "logger=audit" in line]
    assert any("limits read again" in line for line in audits) and any(str(texts) in line for line in audits)
    assert [post(server).status_code for _ in range(3)] == [201] * 3
    assert said() == "Gespeichert"
    with EventStream(f"{server.url}/v1/channels/ops/stream") as stream:
        stream.wait("snapshot")
        wait_for_room(f"{server.url}/v1/channels/ops/poll")

    # An invalid file changes nothing, and each file is reloaded independently.
    config.write_text('{"limitPublish": "fast"}')
    (texts / "de.json").write_text("{")
    hang_up("the limits stay as they were", "the catalogs stay as they were")
    log = "".join(server.log)
    assert "limitPublish" in log and "de.json" in log
    assert post(server).status_code == 201
    assert said() == "Gespeichert"
    config.write_text("{")
    hang_up("the limits stay as they were")
    assert post(server).status_code == 201

    config.write_text(json.dumps({"limitPublish": "1/h:1"}))
    hang_up("limits read again", "the catalogs stay as they were")
    assert [post(server).status_code for _ in range(2)] == [201, 429]


def test_sighup_changes_only_reloadable_settings_and_warns_of_others(launch: Launch, tmp_path: Path) -> None:
    config = tmp_path / "toastd.json"
    config.write_text(json.dumps({"maxBatch": 3, "maxTextLength": 100}))
    server = launch("--config", str(config))
    assert [post(server).status_code for _ in range(3)] == [201] * 3

    def read_again(**settings: int) -> list[str]:
        count = sum("limits read again" in line for line in server.log)
        config.write_text(json.dumps(settings))
        server.process.send_signal(signal.SIGHUP)
        wait_for_log(server, "limits read again", count + 1)
        return [line for line in server.log if "hold from the next start" in line]

    assert read_again(maxBatch=3, maxTextLength=100, maxQueue=3, maxStoredChannels=1) == []
    assert problem(post(server)) == "queue-full"
    assert problem(post(server, channel="other")) == "too-many-stored-channels"
    read_again(maxBatch=1, maxTextLength=100, maxHeadBytes=4096, maxStoredChannels=2, drainDelay=1)
    wait_for_log(server, "some settings hold from the next start")
    assert any("drainDelay,maxBatch,maxHeadBytes" in line for line in server.log)
    assert post(server, [{"message": "x"}] * 3).status_code == 201
    assert post(server, channel="other").status_code == 201


def test_every_limit_can_be_set_in_every_place(launch: Launch, tmp_path: Path) -> None:
    help_text = subprocess.run([BINARY, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    flags = re.findall(r"--((?:limit|max|history|idempotency)-[a-z-]+)", help_text)
    assert len(flags) >= 40
    documented = (ROOT / "docs/limits.md").read_text()
    for flag in flags:
        words = flag.split("-")
        assert f"`--{flag}" in documented, flag
        assert "TOASTD_" + flag.replace("-", "_").upper() in re.sub(r"\s+", "", help_text), flag
        assert words[0] + "".join(word.capitalize() for word in words[1:]) in documented, flag


def test_the_environment_sets_limits_too(tmp_path: Path) -> None:
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", "memory", "--public", PUBLIC]
    environment = {**os.environ, "TOASTD_LIMIT_PUBLISH": "fast"}
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, env=environment)
    assert ended.returncode != 0 and "limitPublish" in ended.stderr


def test_sighup_during_the_start_takes_effect_after_it(tmp_path: Path) -> None:
    server = Toastd(tmp_path)
    file = tmp_path / "toastd.db"
    # Another process locks the database, so that the server waits in its start, for at most five seconds.
    with (
        contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        other.execute("BEGIN EXCLUSIVE")
        start = pool.submit(server.start)
        until(lambda: start.done() or has_open(server, file))
        server.process.send_signal(signal.SIGHUP)
        other.execute("ROLLBACK")
        start.result()
    with contextlib.ExitStack() as life:
        life.push(server)
        wait_for_log(server, "limits read again")


def has_open(server: Toastd, file: Path) -> bool:
    """Whether a server has a file open."""
    if not hasattr(server, "process"):
        return False
    for link in (server.proc / "fd").iterdir():
        # The server may have closed the descriptor since it was listed.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samefile(link, file):
                return True
    return False
