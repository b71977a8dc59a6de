"""`toastd send`, and the common behaviour of all commands: the real command against a real server."""

import json
import os
import re
import socket
import subprocess

import pytest

from commands import run, running
from toastd import BINARY, PUBLIC, Toastd

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


@pytest.fixture
def send(server, name):
    def send(*arguments, **options):
        return run("send", name, *arguments, environment={"TOASTD_SERVER": server.url}, **options)

    return send


# Sending


def test_send_prints_the_id(channel, send):
    sent = send("Tests", "passed")
    assert (sent.returncode, sent.stderr) == (0, "")
    [toast] = channel.toasts()
    assert sent.stdout == toast["id"] + "\n"
    assert toast["message"] == "Tests passed"


def test_send_has_a_flag_for_each_common_member(channel, send):
    sent = send(
        *("Half done", "--title", "Build", "--role", "warning", "--duration", "5m", "--progress", "1/2"),
        *("--action", "stop=Stop it", "--action", "go=Go on", "--destructive", "stop", "--style", "retro"),
        *("--placement", "bottom", "--icon", "hammer", "--reuse-identifier", "build", "--expires-after", "2h"),
        *("--output", "json"),
    )
    assert sent.returncode == 0, sent.stderr
    expected = {
        "message": "Half done",
        "title": "Build",
        "role": "warning",
        "duration": 300,
        "progress": {"value": 1, "total": 2},
        "actions": [{"id": "stop", "title": "Stop it", "role": "destructive"}, {"id": "go", "title": "Go on"}],
        "style": "retro",
        "placement": "bottom",
        "icon": "hammer",
        "reuseIdentifier": "build",
        "expiresAfter": 7200,
    }
    toast = json.loads(sent.stdout)
    assert {member: toast.get(member) for member in expected} == expected
    assert [warning["pointer"] for warning in toast.pop("warnings")] == ["/reuseIdentifier"]
    assert channel.toasts() == [toast]


def test_an_empty_title_is_no_title(channel, send):
    assert send("m", "--title", "").returncode == 0
    assert channel.toasts()[0]["title"] is None


def test_a_message_may_be_piped_in(channel, send):
    assert send("-", input="two\nlines\n\n").returncode == 0
    assert channel.toasts()[0]["message"] == "two\nlines"


@pytest.mark.parametrize("arguments", [["-"], ["--json", "-"]])
def test_standard_input_that_cannot_be_read(channel, send, arguments, tmp_path):
    directory = os.open(tmp_path, os.O_RDONLY)
    try:
        sent = send(*arguments, stdin=directory)
    finally:
        os.close(directory)
    assert (sent.returncode, "tandard input cannot be read." in sent.stderr) == (64, True)
    assert channel.toasts() == []


def test_json_sets_all_members_and_flags_take_precedence(channel, send, tmp_path):
    (tmp_path / "toast.json").write_text('{"message": "from the file", "role": "error", "data": {"build": 7}}')
    assert send("--json", str(tmp_path / "toast.json"), "--role", "success").returncode == 0
    [toast] = channel.toasts()
    assert (toast["message"], toast["role"], toast["data"]) == ("from the file", "success", {"build": 7})
    assert send("--json", "-", input='{"message": "piped"}').returncode == 0
    assert channel.toasts()[1]["message"] == "piped"


def test_a_json_array_is_several_toasts(channel, send):
    sent = send("--json", "-", input='[{"message": "one"}, {"message": "two"}]')
    assert sent.stdout.split() == [toast["id"] for toast in channel.toasts()]
    assert len(sent.stdout.split()) == 2
    assert send("--json", "-", "--role", "error", input="[]").returncode == 64


def test_a_repetition_of_an_idempotency_key_sends_nothing_new(channel, send):
    sent = [send("Deployed", "--idempotency-key", "deploy-4711") for _ in range(2)]
    assert sent[0].stdout == sent[1].stdout
    assert len(channel.toasts()) == 1


def test_send_waits_for_the_end(channel, stream, send, server):
    with running("send", channel.name, "m", "--wait", "1m", environment={"TOASTD_SERVER": server.url}) as sending:
        toast = stream.wait("presented")["toast"]
        channel.dismiss(toast, "swipe")
        assert sending.until(list) == [f"{toast['id']} swipe"]
        assert sending.end() == 0


def test_send_reports_that_the_toast_has_not_ended(channel, send):
    sent = send("m", "--wait", "0.5")
    assert sent.returncode == 4
    assert sent.stdout == channel.toasts()[0]["id"] + "\n"


# Refusals


def test_a_refusal_points_at_every_fault(channel, send):
    sent = send("--json", "-", input='{"message": "m", "role": "fatal", "actions": [{"id": "a"}]}')
    assert (sent.returncode, sent.stdout) == (1, "")
    lines = sent.stderr.splitlines()
    assert lines[0] == "Error: The toast is not valid. (422 invalid-toast)"
    assert [line.split(":")[0] for line in lines[1:]] == ["  /role", "  /actions/0/title"]
    assert channel.toasts() == []


@pytest.mark.parametrize("name", ["a b", "a/../b", "", "a" * 65])
def test_an_invalid_channel_is_not_requested(server, name):
    sent = run("send", name, "m", environment={"TOASTD_SERVER": server.url})
    assert (sent.returncode, "channel" in sent.stderr, "letters" in sent.stderr) == (64, True, True)


def test_invalid_json_is_refused_with_the_place_of_the_fault(channel, send):
    sent = send("--json", "-", input='{"message":\n  nope}')
    assert sent.returncode == 64
    assert "standard input, line 2, column 3" in sent.stderr
    assert channel.toasts() == []


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["m", "--role", "fatal"], ["m", "--action", "=x"], ["m", "--progress", "half"]),
        *(["m", "--destructive", "a"], ["m", "--wait", "9" * 30], ["m", "--idempotency-key", ""]),
        ["m", "--idempotency-key", "a\r\nX-Evil: 1"],
    ],
)
def test_invalid_arguments_are_a_usage_error(send, arguments):
    sent = send(*arguments)
    assert (sent.returncode, sent.stdout) == (64, "")
    assert "Usage: toastd send" in sent.stderr


def test_an_unreachable_server_is_reported(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        sent = run("send", "ops", "m", "--server", url)
    assert (sent.returncode, sent.stdout) == (2, "")
    assert sent.stderr.startswith(f"Error: {url} cannot be reached.\n")


def test_the_answer_of_another_server_is_reported():
    """A server whose responses are not those of toastd."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"127.0.0.1:{other.getsockname()[1]}"
        with running("send", "ops", "m", "--server", url) as sending:
            connection, _ = other.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\n\x1b[2J")
            assert sending.end() == 1
    assert "not how toastd answers" in sending.errors[0]
    assert "\x1b" not in "".join(sending.errors)


def test_a_redirect_does_not_get_the_credential():
    with socket.create_server(("127.0.0.1", 0)) as other, socket.create_server(("127.0.0.1", 0)) as third:
        there = f"http://127.0.0.1:{third.getsockname()[1]}/"
        url = f"127.0.0.1:{other.getsockname()[1]}"
        with running("send", "ops", "m", "--server", url, environment={"TOASTD_TOKEN": "secret"}) as sending:
            connection, _ = other.accept()
            with connection:
                assert b"Authorization: Bearer secret\r\n" in connection.recv(65536)
                head = f"HTTP/1.1 308 Permanent Redirect\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n"
                connection.sendall(head.encode())
            assert sending.end() == 1
        assert there in sending.errors[0]
        third.setblocking(False)
        with pytest.raises(BlockingIOError):
            third.accept()


@pytest.fixture
def guarded(tmp_path):
    """A server that requires keys, and a key that may post to ops."""
    access = tmp_path / "access.json"
    options = ["--access", str(access), "--name", "test", "--scopes", "publish", "--channels", "ops"]
    made = subprocess.run([BINARY, "key", "create", *options], check=True, capture_output=True, text=True)
    with Toastd(tmp_path, "--access", str(access)) as server:
        yield server, made.stdout.strip()


def test_a_key_comes_from_the_environment_or_from_a_file(guarded, tmp_path):
    server, key = guarded
    (tmp_path / "key").write_text(f"{key}\n")
    address = {"TOASTD_SERVER": server.url}
    assert run("send", "ops", "m", environment={**address, "TOASTD_TOKEN": key}).returncode == 0
    file = ["--token-file", str(tmp_path / "key")]
    assert run("send", "ops", "m", *file, environment={**address, "TOASTD_TOKEN": "other"}).returncode == 0
    nothing = run("send", "ops", "m", environment=address)
    assert nothing.returncode == 1
    assert "401 credentials-required" in nothing.stderr
    assert "TOASTD_TOKEN" in nothing.stderr
    wrong = run("send", "ops", "m", environment={**address, "TOASTD_TOKEN": key[:-4] + "aaaa"})
    assert (wrong.returncode, "401 credentials-invalid" in wrong.stderr) == (1, True)
    assert key[:-4] not in wrong.stderr
    elsewhere = run("send", "lobby", "m", environment={**address, "TOASTD_TOKEN": key})
    assert (elsewhere.returncode, "403 not-permitted" in elsewhere.stderr) == (1, True)


@pytest.mark.parametrize("token", ["two words", "a\r\nX-Evil: 1", "\u00fc"])
def test_an_invalid_token_is_not_sent(server, token):
    sent = run("send", "ops", "m", environment={"TOASTD_SERVER": server.url, "TOASTD_TOKEN": token})
    assert (sent.returncode, "TOASTD_TOKEN" in sent.stderr, token in sent.stderr) == (64, True, False)


def test_the_address_that_the_server_listens_on_is_the_default(server, name):
    port = server.address[1]
    assert run("send", name, "m", environment={"TOASTD_LISTEN": f"0.0.0.0:{port}"}).returncode == 0
    assert run("send", name, "m", environment={"TOASTD_SERVER": "http://a:b@c"}).returncode == 64
    assert run("send", name, "m", environment={"TOASTD_LISTEN": "nowhere"}).returncode == 64


# Help


@pytest.mark.parametrize("name", ["send", "ask", "watch"])
def test_help_has_examples_exit_statuses_and_no_secrets(name):
    secret = {"TOASTD_TOKEN": "very-secret", "TOASTD_SERVER": "http://server.example"}
    helped = run("help", name, environment=secret)
    assert helped.returncode == 0
    assert f"toastd {name} ops" in helped.stdout
    assert "Exit status: 0" in helped.stdout
    assert "very-secret" not in helped.stdout
    assert all(len(line) <= 80 for line in helped.stdout.splitlines())


@pytest.mark.parametrize("what", ["send", "watch", "check-config", "key"])
def test_output_that_cannot_be_written_is_an_error(channel, server, name, what, tmp_path):
    channel.post("Seen by whoever watches")
    arguments = {
        "send": ("send", name, "Sent"),
        "watch": ("watch", name, "--output", "json"),
        "check-config": ("check-config", "--store", "memory", "--public", str(PUBLIC)),
        "key": ("key", "create", "--name", "shop", "--scopes", "publish", "--access", str(tmp_path / "access.json")),
    }
    with open("/dev/full", "w") as full:
        ended = run(*arguments[what], environment={"TOASTD_SERVER": server.url}, stdout=full)
    assert ended.returncode == 1
    assert re.sub("^Note: .*\n", "", ended.stderr, flags=re.M) == "Error: standard output: No space left on device\n"
