"""What a campaign is asked, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headrace.judge import stats
from headrace.results.failure import Failure
from headrace.results.schema import Metric, Noise, Row, Sample

METRICS: tuple[Metric, ...] = ("wall", "cpu")


@dataclass
class Entry:
    """A row to fill and the way to run it once."""

    row: Row
    run: Callable[[], Sample | Failure]
    baseline: str | None  # id of the baseline's row; None for the baseline itself


@dataclass(frozen=True)
class Plan:
    """How much to measure. `rounds` None: looks with early stopping. `max_seconds` bounds the rounds.

    `gate` asks another question: a pair is then known when its ratio by `gate_metric` is for certain above,
    or for certain below, 1 + gate.
    """

    rounds: int | None = None
    warmup: int = 1
    seed: int = 1
    max_seconds: float | None = None
    looks: tuple[int, ...] = stats.LOOKS
    gate: float | None = None
    gate_metric: Metric = "wall"


@dataclass(frozen=True)
class Progress:
    """Where a campaign is: the row that runs now, runs done and expected, seconds left (an estimate)."""

    what: str
    done: int
    total: int
    seconds_left: float | None


@dataclass(frozen=True)
class Measured:
    """What a campaign measured: finished rows in the order of the entries, each twin after its baseline."""

    rows: list[Row]
    noise: list[Noise]
    margin: float
    warnings: list[str]
    interrupted: bool
    seconds: float
