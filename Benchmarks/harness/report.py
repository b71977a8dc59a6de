"""The table on the terminal, `out/results.json`, and the figures in docs/performance.md."""

import json
import os
import platform
import subprocess
import time
from pathlib import Path

from .measure import Row
from .plot import plot
from .processes import OUT, ROOT, Cores

DOCUMENT = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "performance.svg"
BEGIN, END = "<!-- figures: written by Benchmarks/run --write-docs -->", "<!-- end of figures -->"


def conditions(cores: Cores) -> list[str]:
    """Lines about the machine and the versions, which are needed to compare the figures with others."""
    cpus = Path("/proc/cpuinfo").read_text()
    model = next((line.split(":")[1].strip() for line in cpus.splitlines() if line.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=10"]
    commit = subprocess.run(git, check=False, capture_output=True, text=True).stdout.strip() or "?"
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return [
        f"{os.cpu_count()} × {model}, {memory:.0f} GiB, Linux {platform.release()}, loopback; {cores.describe()}",
        f"toastd at {commit}; {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC; load average at the start {load}",
    ]


def table(rows: list[Row]) -> str:
    """The rows in columns, for a terminal."""
    heads = ("what", "target", "measured", "ratio", "")
    lines = [heads] + [(row.what, row.target, row.measured, row.ratio, row.verdict) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    text = []
    for line, row in zip(lines, [None, *rows]):
        text.append("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        if row and row.note:
            text.append(f"    {row.note}")
    text.insert(1, "  ".join("─" * width for width in widths if width))
    return "\n".join(text)


def markdown(rows: list[Row], lines: list[str]) -> str:
    text = [
        "", *(f"- {line}" for line in lines), "", "![Cost as a share of its target](performance.svg)",
        "", "| what | target | measured | ratio | |", "|---|---|---|---|---|",
    ]
    for row in rows:
        note = f" <br> {row.note}" if row.note else ""
        text.append(f"| {row.what} | {row.target} | {row.measured}{note} | {row.ratio} | {row.verdict} |")
    return "\n".join(text) + "\n\n"


def write_results(rows: list[Row], lines: list[str]) -> Path:
    path = OUT / "results.json"
    path.write_text(json.dumps({"conditions": lines, "rows": [row.as_json() for row in rows]}, indent=2) + "\n")
    return path


def write_document(rows: list[Row], lines: list[str]) -> None:
    """Replaces the text between the two markers of docs/performance.md, and the plot."""
    before, rest = DOCUMENT.read_text().split(BEGIN)
    _, after = rest.split(END)
    DOCUMENT.write_text(before + BEGIN + "\n" + markdown(rows, lines) + END + after)
    PLOT.write_text(plot(rows))
