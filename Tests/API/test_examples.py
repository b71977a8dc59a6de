"""The commands in docs/api.md and docs/cli.md run unchanged, in their order, and print the shown output."""

import re
import subprocess

import pytest

from toastd import BINARY, PUBLIC, ROOT

EXAMPLE = re.compile(r"```sh\n(?P<command>.*?)```\n```(?:json|text)\n(?P<answer>.*?)```", re.DOTALL)
VOLATILE = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "ID",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z": "TIME",
    r"\b[0-9a-z]{8}-(\d+)\b": r"EPOCH-\1",
    r"^\d\d:\d\d:\d\d\b": "CLOCK",
}


def normalized(text: str) -> list[str]:
    for pattern, name in VOLATILE.items():
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("document", "least"), [("api", 15), ("cli", 7)])
def test_the_examples_run_as_they_stand(launch, tmp_path, document, least):
    examples = list(EXAMPLE.finditer((ROOT / f"docs/{document}.md").read_text()))
    assert len(examples) >= least
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "toastd").symlink_to(BINARY)
    # One shell for all of them, because later examples use the results of earlier ones.
    separator = "--- next ---"
    script = f"\necho; echo '{separator}'\n".join(example["command"] for example in examples)
    url = launch().url
    own = {"URL": url, "TOASTD_SERVER": url, "TOASTD_PUBLIC": str(PUBLIC)}
    result = subprocess.run(
        ["bash", "-c", script],
        env={**own, "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )
    answers = result.stdout.split(separator)
    assert len(answers) == len(examples), result.stderr
    for example, answer in zip(examples, answers):
        assert normalized(answer) == normalized(example["answer"]), example["command"]
