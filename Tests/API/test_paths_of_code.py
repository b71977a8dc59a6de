"""The files and functions that docs/architecture.md names exist."""

import re

import pytest

from toastd import ROOT

TEXT = (ROOT / "docs/architecture.md").read_text()
SECTION = TEXT.partition("## Paths through the code\n")[2].partition("\n## ")[0]
PATHS = dict(re.findall(r"^### (.+)\n\n((?:\d+\. .+\n)+)\n", SECTION, re.MULTILINE))
STEP = re.compile(r"^\d+\. `(Sources/[^`]+)`: (.+)$", re.MULTILINE)


def test_all_steps_are_checked():
    assert len(PATHS) == 6
    assert sum(len(STEP.findall(path)) for path in PATHS.values()) == len(re.findall(r"^\d+\. ", SECTION, re.MULTILINE))


@pytest.mark.parametrize("title", PATHS)
def test_each_function_exists_and_there_are_twelve_files_at_most(title):
    steps = STEP.findall(PATHS[title])
    assert len(steps) == len(PATHS[title].splitlines()) > 3
    assert len({path for path, _ in steps}) <= 12
    for path, text in steps:
        code = (ROOT / path).read_text()
        names = re.findall(r"`(\w+)`", text)
        assert names, (path, text)
        for name in names:
            pattern = r"^ *(package )?init\(" if name == "init" else rf"\bfunc {name}\b"
            declared = re.search(pattern, code, re.MULTILINE)
            assert declared, f"{path} has no {name}"
