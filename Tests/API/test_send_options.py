"""The options of `toastd send` for members other than texts."""

import json

import pytest

from commands import run


@pytest.fixture
def send(server, name):
    def send(*arguments, **options):
        return run("send", name, *arguments, environment={"TOASTD_SERVER": server.url}, **options)

    return send


def test_send_has_haptic_image_and_data(channel, send):
    sent = send(
        *(
            "Saved",
            "--haptic",
            "heavy",
            "--image",
            "/cat.png",
            "--image-alt",
            "A cat",
            "--data",
            '{"build": [4711, null]}',
        ),
        *("--output", "json"),
    )
    assert sent.returncode == 0, sent.stderr
    toast = json.loads(sent.stdout)
    assert (toast["haptic"], toast["image"], toast["data"]) == (
        "heavy",
        {"url": "/cat.png", "alt": "A cat"},
        {"build": [4711, None]},
    )
    assert send("No words", "--image", "/cat.png").returncode == 0
    assert channel.toasts()[1]["image"] == {"url": "/cat.png"}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--data", "{oh}"], "--data"),
        (["--haptic", "loud"], "--haptic"),
        (["--image-alt", "A cat"], "--image-alt: there is no --image"),
    ],
)
def test_an_invalid_argument_is_named(channel, send, arguments, word):
    sent = send("m", *arguments)
    assert sent.returncode == 64
    assert word in sent.stderr
    assert channel.toasts() == []


def test_standard_input_is_text(channel, send, tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with (tmp_path / "bytes").open() as file:
        sent = send("-", stdin=file)
    assert (sent.returncode, "UTF-8 is expected" in sent.stderr) == (64, True)
    assert channel.toasts() == []


def test_an_empty_token_file_is_an_error(channel, send, tmp_path):
    (tmp_path / "token").write_text("\n")
    sent = send("m", "--token-file", str(tmp_path / "token"))
    assert (sent.returncode, "is empty" in sent.stderr) == (64, True)
    assert channel.toasts() == []
