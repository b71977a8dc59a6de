"""A directory of the operator's own styles."""

import subprocess

import httpx
import pytest

from toastd import BINARY, PUBLIC, Toastd
from waiting import until

SHEET = '@layer look { [data-style="postit"] { background: #fff8b0; } }'


@pytest.fixture
def styles(tmp_path):
    directory = tmp_path / "styles"
    directory.mkdir()
    (directory / "postit.css").write_text(SHEET)
    return directory


def listed(server):
    answer = httpx.get(f"{server.url}/v1/styles").json()["styles"]
    return {style["name"]: style["own"] for style in answer}


def test_shipped_styles_are_listed(server):
    # The directory also has shared sheets, which are not styles.
    names = {path.stem for path in (PUBLIC / "styles").glob("*.css")} - {"base", "controls", "parts", "stage"}
    assert listed(server) == dict.fromkeys(names, False)
    assert len(names) == 10
    for style in httpx.get(f"{server.url}/v1/styles").json()["styles"]:
        assert httpx.get(server.url + style["stylesheet"]).headers["content-type"].startswith("text/css")


def test_an_own_style_is_listed_and_served(tmp_path, styles):
    with Toastd(tmp_path, "--styles", str(styles)) as server:
        assert listed(server)["postit"] is True
        response = httpx.get(f"{server.url}/styles/postit.css")
        assert (response.status_code, response.text) == (200, SHEET)
        assert response.headers["content-security-policy"]
        # A style that is added later becomes available soon.
        (styles / "late.css").write_text("")
        until(lambda: listed(server).get("late"))


def test_an_own_style_takes_the_place_of_a_shipped_one(tmp_path, styles):
    (styles / "glass.css").write_text("/* ours */")
    with Toastd(tmp_path, "--styles", str(styles)) as server:
        assert listed(server)["glass"] is True
        assert httpx.get(f"{server.url}/styles/glass.css").text == "/* ours */"
        assert httpx.get(f"{server.url}/styles/pale.css").text == (PUBLIC / "styles/pale.css").read_text()


def test_only_styles_are_served_from_the_directory(tmp_path, styles):
    (tmp_path / "secret.css").write_text("secret")
    (styles / "leak.css").symlink_to(tmp_path / "secret.css")
    (styles / "notes.txt").write_text("secret")
    with Toastd(tmp_path, "--styles", str(styles)) as server:
        for name in ("leak.css", "notes.txt", ".hidden.css"):
            assert httpx.get(f"{server.url}/styles/{name}").status_code == 404
        assert httpx.get(f"{server.url}/styles/..%2Fsecret.css").status_code == 400


@pytest.mark.parametrize("name", ["Post-It.css", "base.css", "stage.css", "a" * 33 + ".css"])
def test_a_name_that_no_toast_can_have_is_refused_at_start(tmp_path, styles, name):
    (styles / name).write_text("")
    ended = serve(tmp_path, styles)
    assert ended.returncode != 0 and name in ended.stderr


def test_a_directory_that_is_not_there_is_refused_at_start(tmp_path):
    ended = serve(tmp_path, tmp_path / "nowhere")
    assert ended.returncode != 0 and "nowhere" in ended.stderr


def serve(tmp_path, styles):
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--store", f"sqlite:{tmp_path / 'toastd.db'}"]
    command += ["--public", str(PUBLIC), "--styles", str(styles)]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120)


def test_defaults_with_an_unknown_style_cause_a_warning(launch):
    body = {"style": "glas", "channels": {"ops": {"style": "glas"}, "lobby": {"style": "glass"}}}
    headers = {"Content-Type": "application/merge-patch+json"}
    response = httpx.patch(f"{launch(store='memory').url}/v1/settings", json=body, headers=headers)
    assert response.status_code == 200, response.text
    assert [warning["pointer"] for warning in response.json()["warnings"]] == ["/style", "/channels/ops/style"]
