"""`toastd watch`: the real command against a real server."""

import json
import re
import signal
import socket
import subprocess
import threading

import httpx
import pytest

from channel import Channel
from commands import command, run, running
from streams import EventStream
from toastd import BINARY, Toastd


@pytest.fixture
def watch(server, name):
    def watch(*arguments, channels=None, **options):
        return running("watch", *(channels or [name]), *arguments, environment={"TOASTD_SERVER": server.url}, **options)

    return watch


def types(lines):
    return [line.split()[1] for line in lines]


def test_each_event_is_a_line_for_people(channel, watch):
    with watch() as watching:
        watching.until(lambda lines: "snapshot" in types(lines))
        toast = channel.publish("Deployed", role="success", title="CI", duration=5)
        watching.until(lambda lines: "presented" in types(lines))
        channel.dismiss(toast, "swipe")
        watching.until(lambda lines: "dismissed" in types(lines))
        assert watching.end(signal.SIGINT) == 0
    assert watching.errors == []
    lines = [re.sub(r"^\d\d:\d\d:\d\d", "TIME", line) for line in watching.lines]
    assert lines == [
        "TIME  snapshot    0 on screen, 0 waiting",
        "TIME  enqueued    success  CI: Deployed",
        "TIME  presented   success  CI: Deployed  (5 s)",
        "TIME  dismissed   success  CI: Deployed  (swipe)",
    ]


def test_each_event_is_a_line_of_json(channel, watch):
    with watch("--output", "json", "--events", "dismissed,acted") as watching:
        watching.until(list)
        toast = channel.publish("Deployed", actions=[{"id": "undo", "title": "Undo"}], data=7)
        # This `watch` does not count as audience, so another client must.
        with EventStream(f"{channel.url}{channel.path}/stream") as viewer:
            viewer.wait("presented")
            channel.act(toast, "undo")
        watching.until(lambda lines: len(lines) == 3)
        assert watching.end(signal.SIGTERM) == 0
    events = [json.loads(line) for line in watching.lines]
    assert [event["type"] for event in events] == ["snapshot", "acted", "dismissed"]
    assert (events[1]["id"], events[1]["action"], events[1]["data"]) == (toast["id"], "undo", 7)


def test_several_channels_stand_in_a_column(server, name, watch):
    names = [f"{name[:60]}-{letter}" for letter in "ab"]
    with watch(channels=names) as watching:
        watching.until(lambda lines: types(lines).count("snapshot") == 2)
        for channel in names:
            Channel(server.url, channel).publish(f"to {channel}")
        watching.until(lambda lines: types(lines).count("presented") == 2)
    for channel in names:
        assert any(re.search(rf"presented +{channel} +info +to {channel} ", line) for line in watching.lines)


def test_control_characters_of_a_toast_are_replaced(channel, watch):
    with watch() as watching:
        watching.until(list)
        channel.publish("\x1b[2J\x1b]0;title\x07\nroot# \u202e", role="error")
        line = watching.until(lambda lines: [line for line in lines if " presented " in line])[0]
    assert "\ufffd[2J\ufffd]0;title\ufffd root# \ufffd" in line
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", "".join(watching.lines))


def test_watch_begins_after_a_cursor(channel, watch):
    channel.publish("before")
    cursor = channel.cursor()
    channel.publish("behind")
    with watch("--since", cursor) as watching:
        watching.until(lambda lines: "enqueued" in types(lines))
    assert types(watching.lines)[:2] == ["resumed", "enqueued"]
    assert "behind" in watching.lines[1]


@pytest.mark.parametrize("is_orderly", [True, False], ids=["stopped", "killed"])
def test_no_event_is_missed_when_the_server_restarts(launch, is_orderly):
    server = launch()
    address = f"127.0.0.1:{server.address[1]}"
    environment = {"TOASTD_SERVER": address}
    with running("watch", "ops", "--output", "json", environment=environment) as watching:
        watching.until(list)
        Channel(server.url, "ops").publish("before")
        watching.until(lambda lines: any('"type":"presented"' in line for line in lines))
        if is_orderly:
            server.stop()
        else:
            server.kill()
        # Usually published before `watch` has connected again.
        again = launch("--listen", address)
        Channel(again.url, "ops").publish("after")
        watching.until(lambda lines: any('"message":"after"' in line for line in lines), timeout=60)
        watching.end(signal.SIGINT)
    events = [json.loads(line) for line in watching.lines]
    kinds = [event["type"] for event in events]
    assert ("shutdown" in kinds) == is_orderly
    assert (kinds.count("snapshot"), kinds.count("resumed")) == (1, 1)
    told = [event for event in events if event["type"] not in ("snapshot", "resumed", "shutdown")]
    numbers = [int(event["cursor"].rsplit("-", 1)[1]) for event in told]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert any("the next try is in" in line for line in watching.errors)


def test_watch_ends_when_its_output_is_closed(channel, server, name):
    process = command("watch", name, environment={"TOASTD_SERVER": server.url})
    with process:
        assert "snapshot" in process.stdout.readline()
        # `watch` must notice the closed output although it has nothing to write.
        process.stdout.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == ""


def test_a_pipe_that_is_closed_early_ends_watch(channel, server, name):
    line = f"'{BINARY}' watch {name} | head -1"
    shell = ["bash", "-o", "pipefail", "-c", line]
    out = subprocess.run(shell, env={"TOASTD_SERVER": server.url}, capture_output=True, text=True, timeout=120)
    assert (out.returncode, out.stderr) == (0, "")
    assert "snapshot" in out.stdout


def test_an_invalid_request_or_server_is_an_error(server):
    environment = {"TOASTD_SERVER": server.url}
    wrong = run("watch", "ops", "--events", "everything", environment=environment)
    assert (wrong.returncode, wrong.stdout, "400 " in wrong.stderr) == (1, "", True)
    nobody = run("watch", "ops", "--server", "127.0.0.1:1")
    assert (nobody.returncode, nobody.stdout, "cannot be reached" in nobody.stderr) == (2, "", True)
    assert run("watch").returncode == 64
    for since in ("", "bogus"):
        wrong = run("watch", "ops", "--since", since, environment=environment)
        assert (wrong.returncode, "--since: expected a cursor." in wrong.stderr) == (64, True)


def test_watch_ends_when_its_key_is_revoked(tmp_path):
    access = tmp_path / "access.json"
    options = ["--access", str(access), "--name", "test", "--scopes", "subscribe"]
    key = subprocess.run([BINARY, "key", "create", *options], check=True, capture_output=True, text=True).stdout.strip()
    with Toastd(tmp_path, "--access", str(access)) as server:
        environment = {"TOASTD_SERVER": server.url, "TOASTD_TOKEN": key}
        with running("watch", "ops", environment=environment) as watching:
            watching.until(list)
            listed = subprocess.run(
                [BINARY, "key", "list", "--access", access], check=True, capture_output=True, text=True
            )
            subprocess.run([BINARY, "key", "revoke", "--access", access, listed.stdout.split()[0]], check=True)
            server.process.send_signal(signal.SIGHUP)
            assert watching.end() == 1
        assert any("401 credentials-invalid" in line for line in watching.errors)
        assert httpx.get(f"{server.url}/livez").status_code == 200


@pytest.mark.parametrize(
    "endless",
    [b"data: " + b"x" * 1018, b"data: " + b"x" * 1017 + b"\n", b"data\n" * 205],
    ids=["line", "lines", "empty"],
)
def test_an_event_without_an_end_is_not_kept(endless):
    """The command needs no more memory than for the largest event, even if the server sends a larger one."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        sent = []

        def flood():
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(head)
                try:
                    for _ in range(512):
                        connection.sendall(endless * 1024)
                        sent.append(1)
                except OSError:
                    pass

        thread = threading.Thread(target=flood, daemon=True)
        thread.start()
        out = run("watch", "ops", "--server", f"127.0.0.1:{listener.getsockname()[1]}")
        thread.join(60)
    assert (out.returncode, out.stdout) == (2, "")
    assert "does not answer as toastd does" in out.stderr
    # Of the half gigabyte that the server would have sent.
    assert len(sent) < 100
