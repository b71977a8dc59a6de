"""Interleaved rounds, medians, and the rows of the table."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import TypeVar

Value = TypeVar("Value")


@dataclass
class Row:
    """One line of the table: the measured value beside its target."""

    what: str
    target: str
    measured: str
    ratio: str = ""
    share: float | None = None
    """Measured ÷ limit, the worst of them if there are several: at most 1 meets the target. None: there is no target,
    or it could not be measured.
    """
    undecided: bool = False
    """The noise is too great to decide whether the target is met."""
    note: str = ""
    figures: dict = field(default_factory=dict)
    """The numbers behind the text, for results.json."""

    @property
    def verdict(self) -> str:
        if self.undecided:
            return "undecided"
        return "–" if self.share is None else "met" if self.share <= 1 else "MISSED"

    def as_json(self) -> dict:
        return asdict(self) | {"verdict": self.verdict}


def interleave(rounds: int, sides: dict[str, Callable[[], Value]], warm_up: bool = True) -> dict[str, list[Value]]:
    """The values that each side returned, round by round.

    All sides run in every round, and their order rotates by one, so that noise and drift of the machine affect all of
    them. With `warm_up`, a round that is not recorded comes first, for caches, connections and pools.
    """
    names = list(sides)
    results: dict[str, list[Value]] = {name: [] for name in names}
    for turn in range(-1 if warm_up else 0, rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            value = sides[name]()
            if turn >= 0:
                results[name].append(value)
    return results


def ratio(ours: list[float], theirs: list[float]) -> float:
    """The median of the ratios of the rounds, because the noise of a round affects both of its values."""
    return median(a / b for a, b in zip(ours, theirs, strict=True))


def spread(values: list[float]) -> str:
    """`median (least–most)`."""
    return f"{median(values):.3g} ({min(values):.3g}–{max(values):.3g})"
