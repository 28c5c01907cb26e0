"""Ratios with intervals: taken from the campaign where it compared, else from the rounds of two rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from headrace.report import units
from headrace.results import Row, Verdict


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


def median_interval(values: Sequence[float], alpha: float = 0.05) -> tuple[float, float] | None:
    """Bound the median from order statistics, exactly, with no assumption on the distribution.

    Takes the widest rank k with P(Binomial(n, 1/2) < k) <= alpha/2; None where n is too small (below six).
    """
    ordered = sorted(values)
    size = len(ordered)
    below, rank = 0.0, 0
    while rank < size // 2:
        below += math.comb(size, rank) / 2**size
        if below > alpha / 2:
            break
        rank += 1
    return (ordered[rank - 1], ordered[size - rank]) if rank else None


def between(row: Row, other: Row) -> Ratio | None:
    """Ratio of wall times row/other. None when no round has both."""
    for comparison in row.comparisons:
        if comparison.other == other.id and comparison.metric == "wall":
            return Ratio(comparison.ratio, comparison.low, comparison.high, comparison.verdict)
    for comparison in other.comparisons:
        if comparison.other == row.id and comparison.metric == "wall":
            return Ratio(comparison.ratio, comparison.low, comparison.high, comparison.verdict).inverse()
    return _from_rounds(row, other)


def _from_rounds(row: Row, other: Row) -> Ratio | None:
    theirs = {sample.round: sample.wall for sample in other.samples}
    logs = [
        math.log(sample.wall / theirs[sample.round])
        for sample in row.samples
        if sample.round in theirs and sample.wall > 0 and theirs[sample.round] > 0
    ]
    if not logs:
        return None
    bounds = median_interval(logs)
    low, high = (math.exp(bounds[0]), math.exp(bounds[1])) if bounds else (None, None)
    return Ratio(math.exp(median(logs)), low, high)
