"""Reads a server's log strictly: a line that does not follow the format is an error."""

from __future__ import annotations

import json
import re
import time
from typing import Any

from toastd import Toastd

PAIR = re.compile(r'([\w.-]+)=("(?:[^"\\]|\\.)*"|[^" =]+)(?: |$)')

Line = dict[str, Any]


def read_text(line: str) -> Line:
    """Reads logfmt strictly: no character may be left over."""
    fields: Line = {}
    place = 0
    for match in PAIR.finditer(line):
        assert match.start() == place, line
        place = match.end()
        fields[match[1]] = json.loads(match[2]) if match[2].startswith('"') else match[2]
    assert place == len(line), line
    return fields


def lines(server: Toastd) -> list[Line]:
    read = json.loads if "json" in server.command else read_text
    return [read(line.removesuffix("\n")) for line in list(server.log)]


def wait_for(server: Toastd, count: int = 1, **fields: Any) -> list[Line]:
    """Waits for this many lines with these fields."""

    def found() -> list[Line]:
        return [it for it in lines(server) if all(str(it.get(name)) == str(value) for name, value in fields.items())]

    deadline = time.monotonic() + 60
    while len(found()) < count:
        assert time.monotonic() < deadline, (fields, server.log)
        time.sleep(0.02)
    assert len(found()) == count, (fields, server.log)
    return found()
