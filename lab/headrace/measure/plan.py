"""The plan of a campaign, its entries, and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headrace import MARGIN
from headrace.judge.pair import LOOKS
from headrace.results.failure import Failure
from headrace.results.schema import Metric, Noise, Row, Sample

# Seconds that a pair has run before it is looked at. Phases of 0.7 s were seen. Where they last up to 30
# rounds and two builds feel them differently, 20 % of simulated campaigns that look after 12, 24 and 36
# rounds are wrong, and 3 % of those that look after 65 first, which take 4 s where a run takes 20 ms.
ELAPSED = 4.0
BRIEFLY = 1.0  # the same where little time is to be spent

Run = Callable[[int], Sample | Failure]  # runs a build once, in the round of that number


@dataclass
class Entry:
    """A row to fill and the way to run it once."""

    row: Row
    run: Run
    baseline: str | None  # id of the baseline's row; None for the baseline itself
    ranked: bool = True  # False: a floor, a limit, another harness; compared, but without a place


@dataclass(frozen=True)
class Plan:
    """How much to measure.

    With `rounds`, exactly that many of each entry and one look at the end. Without, rounds run what an open
    question is about, until all are answered, or `looks[-1]` rounds or `max_seconds` are over. `findings`:
    pairs of ids that a sentence will compare. `elapsed`: seconds that a pair runs before it is looked at.
    `gate`: the only question is whether each ratio to the baseline by `gate_metric` is for certain above, or
    below, 1 + gate.
    """

    rounds: int | None = None
    warmup: int = 1
    seed: int = 1
    max_seconds: float | None = None
    looks: tuple[int, ...] = LOOKS
    elapsed: float = ELAPSED
    margin: float = MARGIN
    findings: tuple[tuple[str, str], ...] = ()
    gate: float | None = None
    gate_metric: Metric = "wall"


@dataclass(frozen=True)
class Measured:
    """The outcome of a campaign: rows in the order of the entries, each twin after its baseline."""

    rows: list[Row]
    noise: list[Noise]
    warnings: list[str]
    interrupted: bool  # rounds are missing: after Ctrl-C, or as it is still going on
    seconds: float
