"""The code in docs/recipes.md works as the page says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from channel import Channel
from mercure import KEY as MERCURE_KEY
from mercure import PHP, token
from test_examples import normalized
from toastd import BINARY, ROOT, Toastd

PAGE = (ROOT / "docs/recipes.md").read_text()
SERVER = "https://toasts.example"
EXAMPLE = re.compile(r"```sh\n(?P<command>(?:(?!```).)*)```\n```(?:json|text)\n(?P<answer>.*?)```", re.DOTALL)
SECRET = re.compile(rf"{SERVER}/v1/hooks/(\w+)/SECRET")
ADAPTERS = ("--ntfy", "on", "--gotify", "on")


def code(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("keys") / "access.json"
    command = [BINARY, "key", "create", "--access", str(path), "--name", "ci", "--scopes", "publish,subscribe,manage"]
    return path, subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, key: tuple[Path, str]) -> Iterator[Toastd]:
    directory = tmp_path_factory.mktemp("recipes")
    (directory / "mercure").write_text(MERCURE_KEY)
    options = (*ADAPTERS, "--access", str(key[0]), "--mercure-key-file", str(directory / "mercure"))
    with Toastd(directory, *options, store="memory") as server:
        yield server


@pytest.fixture
def channel(server: Toastd, key: tuple[Path, str]) -> Iterator[Channel]:
    channel = Channel(server.url, "ops")
    channel.http.headers["Authorization"] = f"Bearer {key[1]}"
    channel.http.delete(channel.path)
    yield channel
    channel.close()


def filled_in(text: str, channel: Channel) -> str:
    """The code with this server's URL and key, and with the secrets of hooks that are named after their formats."""

    def url(found: re.Match[str]) -> str:
        answer = channel.http.put(f"{channel.path}/hooks/{found[1]}", json={"format": found[1]})
        assert answer.status_code == 201, answer.text
        return channel.url + answer.json()["path"]

    authorization = channel.http.headers["Authorization"].removeprefix("Bearer ")
    return SECRET.sub(url, text).replace(SERVER, channel.url).replace('"KEY"', f'"{authorization}"')


def test_the_commands_print_what_the_page_shows(channel, key, tmp_path):
    examples = list(EXAMPLE.finditer(PAGE))
    shown = {example["command"] for example in examples}
    separator = "--- next ---"
    blocks = code("sh")
    script = "set -e\n" + f"\necho; echo '{separator}'\n".join(blocks)
    environment = {"URL": channel.url, "KEY": key[1], "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    ran = subprocess.run(
        ["bash", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    answers = dict(zip(blocks, ran.stdout.split(separator), strict=True))
    assert len(shown) >= 8
    for example in examples:
        assert normalized(answers[example["command"]]) == normalized(example["answer"]), example["command"]
    # The commands of Apprise print nothing, so their toasts are counted.
    texts = [toast["message"] for toast in channel.toasts()]
    assert texts.count("Disk is full") == 4, texts


@pytest.mark.parametrize("shell", ["bash", "sh"])
@pytest.mark.parametrize("has_key", [True, False])
def test_a_hook_is_made_with_and_without_a_key(key, tmp_path, shell, has_key):
    (block,) = [block for block in code("sh") if block.startswith("hook() {")]
    with Toastd(tmp_path, *(("--access", str(key[0])) if has_key else ()), store="memory") as server:
        environment = {"URL": server.url} | ({"KEY": key[1]} if has_key else {})
        ran = subprocess.run(
            [shell, "-euc", block],
            env={**environment, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (ran.returncode, ran.stdout.strip()) == (0, "ok"), ran.stdout + ran.stderr


@pytest.mark.parametrize("number", range(len(code("python"))))
def test_a_program_in_python_publishes_a_toast(channel, tmp_path, number):
    script = tmp_path / "recipe.py"
    script.write_text(filled_in(code("python")[number], channel))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert len(channel.toasts()) == 1


def test_a_program_in_php_publishes_a_toast(channel, tmp_path):
    script = tmp_path / "recipe.php"
    (text,) = code("php")
    script.write_text(PHP + filled_in(text, channel).replace("TOKEN", token(["https://shop.example/ops"])))
    ran = subprocess.run(["php", str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (toast,) = channel.toasts()
    assert ran.stdout == f"urn:uuid:{toast['id']}"
    assert (toast["message"], toast["role"]) == ("Order 7", "success")


def test_home_assistant_posts_what_its_configuration_says(channel):
    (text,) = (text for text in code("yaml") if "notify:" in text)
    (notifier,) = yaml.safe_load(filled_in(text, channel))["notify"]
    assert notifier["method"] == "POST_JSON"
    document: dict[str, Any] = {
        notifier["message_param_name"]: "The door is open",
        notifier["title_param_name"]: "Garage",
        **notifier["data"],
    }
    assert httpx.post(notifier["resource"], json=document).status_code == 200
    (toast,) = channel.toasts()
    assert (toast["title"], toast["message"], toast["role"]) == ("Garage", "The door is open", "warning")


def test_the_unit_of_systemd_posts_a_toast(channel):
    (unit,) = code("ini")
    command = re.search(r"ExecStart=((?:.*\\\n)*.*)", unit)[1].replace("\\\n", " ").replace("%i", "backup.service")
    ran = subprocess.run(
        shlex.split(filled_in(command, channel)), capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (toast,) = channel.toasts()
    assert (toast["title"], toast["role"]) == ("backup.service", "error")


def test_each_format_has_a_recipe():
    description = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
    formats = description["components"]["schemas"]["HookFormat"]["enum"]
    assert all(f"`{format}`" in PAGE for format in formats)
