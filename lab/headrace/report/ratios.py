"""Ratios with intervals: taken from the campaign where it compared, else from the rounds of two rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base import units
from headrace.judge import stats
from headrace.results.schema import Row, Verdict


@dataclass(frozen=True)
class Ratio:
    """time(this)/time(other); the bounds are absent when there are too few rounds for any."""

    value: float
    low: float | None = None
    high: float | None = None
    verdict: Verdict | None = None  # only where the campaign itself compared

    def inverse(self) -> Ratio:
        """Swap the two sides; the verdict swaps too."""
        swapped: dict[Verdict, Verdict] = {"faster": "slower", "slower": "faster"}
        verdict = swapped.get(self.verdict, self.verdict) if self.verdict else None
        low = None if self.high is None else 1 / self.high
        high = None if self.low is None else 1 / self.low
        return Ratio(1 / self.value, low, high, verdict)

    def interval(self) -> str:
        """Format the bounds: "[0.60, 0.62]", or nothing where there are none."""
        if self.low is None or self.high is None:
            return ""
        return f"[{units.ratio(self.low)}, {units.ratio(self.high)}]"

    def text(self) -> str:
        """Format with the bounds: "0.61 [0.60, 0.62]"."""
        return f"{units.ratio(self.value)} {self.interval()}".rstrip()


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Bound the median from order statistics at 95 %; None where there are too few values."""
    low, high = stats.median_interval(values, stats.ALPHA)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def between(row: Row, other: Row) -> Ratio | None:
    """Ratio of wall times row/other. None when no round has both."""
    if (said := _said(row, other)) is not None:
        return said
    if (said := _said(other, row)) is not None:
        return said.inverse()
    return _from_rounds(row, other)


def _said(row: Row, other: Row) -> Ratio | None:
    for comparison in row.comparisons:
        if comparison.other == other.id and comparison.metric == "wall" and comparison.ratio > 0:
            return Ratio(
                comparison.ratio,
                comparison.low if comparison.low > 0 and comparison.high is not None else None,
                comparison.high if comparison.low > 0 else None,
                comparison.verdict,
            )
    return None


def _from_rounds(row: Row, other: Row) -> Ratio | None:
    theirs = {sample.round: sample.wall for sample in other.samples}
    pairs = [(sample.wall, theirs[sample.round]) for sample in row.samples if sample.round in theirs]
    made = stats.estimate([pair[0] for pair in pairs], [pair[1] for pair in pairs], stats.ALPHA)
    if made is None:
        return None
    if made.high_ratio is None:
        return Ratio(made.ratio)
    return Ratio(made.ratio, made.low_ratio, made.high_ratio)
