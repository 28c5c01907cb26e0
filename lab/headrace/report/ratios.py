"""Ratios with intervals and verdicts: those of the campaign, else the judge's of the rounds of two rows."""

from __future__ import annotations

from dataclasses import dataclass

from headrace.base import units
from headrace.judge import table
from headrace.results.schema import Comparison, Row, Verdict


@dataclass(frozen=True)
class Ratio:
    """time(this)/time(other); the bounds are absent when there are too few rounds for any."""

    value: float
    low: float | None = None
    high: float | None = None
    verdict: Verdict = "the same"  # of the judge
    margin: float = 0.01
    more_rounds: int | None = 0  # that would decide it; None: unknown
    rounds: int = 0  # that both ran in

    @property
    def factor(self) -> float:
        """How far it is from 1, whichever side is longer."""
        return max(self.value, 1 / self.value)

    @property
    def decided(self) -> bool:
        """Whether one is faster for certain, and by more than the margin at the best estimate."""
        return self.verdict in ("faster", "slower")

    def inverse(self) -> Ratio:
        """Swap the two sides; the verdict swaps too."""
        swapped: dict[Verdict, Verdict] = {"faster": "slower", "slower": "faster"}
        verdict = swapped.get(self.verdict, self.verdict)
        low = None if self.high is None else 1 / self.high
        high = None if self.low is None else 1 / self.low
        return Ratio(1 / self.value, low, high, verdict, self.margin, self.more_rounds, self.rounds)

    @property
    def interval(self) -> str:
        """Format the bounds: "[0.60, 0.62]", or nothing where there are none."""
        if self.low is None or self.high is None:
            return ""
        return f"[{units.ratio(self.low)}, {units.ratio(self.high)}]"

    @property
    def text(self) -> str:
        """Format with the bounds: "0.61 [0.60, 0.62]"."""
        return f"{units.ratio(self.value)} {self.interval}".rstrip()


def between(row: Row, other: Row) -> Ratio | None:
    """Ratio of wall times row/other, as the judge sees it. None when no round has both."""
    if (stored := _stored(row, other)) is not None:
        return of(stored)
    if (stored := _stored(other, row)) is not None:
        return of(stored).inverse()
    pair = table.compare(row, other)
    return None if pair is None else of(table.comparison(pair, row, other))


def control(twin: Row, base: Row, looks: int) -> Ratio | None:
    """Ratio of an A/A pair with the interval that it is judged by, which is narrower than the table's."""
    pair = table.control(twin, base, looks)
    return None if pair is None else of(table.comparison(pair, twin, base))


def of(stored: Comparison) -> Ratio:
    """Take a ratio from a comparison."""
    bounded = stored.low > 0 and stored.high is not None
    return Ratio(
        stored.ratio,
        stored.low if bounded else None,
        stored.high if bounded else None,
        stored.verdict,
        stored.margin,
        stored.more_rounds,
        stored.rounds,
    )


def _stored(row: Row, other: Row) -> Comparison | None:
    for comparison in row.comparisons:
        if comparison.other == other.id and comparison.metric == "wall" and comparison.ratio > 0:
            return comparison
    return None
