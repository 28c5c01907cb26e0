"""Times as a matrix, and the pairs in it: only runs of one round are ever divided by each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
EXACT = 1000  # values, up to which a binomial distribution is added up: 2.0**1024 is no number
MOST = 50.0  # |ln ratio| beyond which there is nothing to tell: a time of 0 counts as this far


@dataclass(frozen=True)
class Times:
    """ln(seconds), a row a build and a column a round; NaN where a build rested. `rounds`: their numbers."""

    logs: Array
    rounds: NDArray[np.int64]

    @property
    def rows(self) -> int:
        """The number of builds."""
        return int(self.logs.shape[0])

    def pairs(self, this: int, other: int) -> Array:
        """ln(time of this / time of other) of the rounds that both ran in, in order."""
        x = self.logs[this] - self.logs[other]
        return np.asarray(np.clip(x[np.isfinite(x)], -MOST, MOST))

    def state(self, this: int, other: int) -> Array:
        """How slow each round of `pairs` was: the mean of both logarithms."""
        both = (self.logs[this] + self.logs[other]) / 2
        return np.asarray(both[np.isfinite(both)])

    def at(self, this: int, other: int) -> NDArray[np.int64]:
        """The numbers of the rounds of `pairs`."""
        return np.asarray(self.rounds[np.isfinite(self.logs[this] - self.logs[other])])

    def half(self, odd: bool) -> Times:
        """Only the odd rounds, or only the even ones."""
        chosen = self.rounds % 2 == int(odd)
        return Times(self.logs[:, chosen], self.rounds[chosen])


def gather(rows: Sequence[Mapping[int, float]]) -> Times:
    """Join builds that each have round -> seconds. A time of 0 is the smallest that can be told from none."""
    numbers = sorted({number for row in rows for number in row})
    column = {number: at for at, number in enumerate(numbers)}
    logs = np.full((len(rows), len(numbers)), np.nan)
    for at, row in enumerate(rows):
        for number, seconds in row.items():
            logs[at, column[number]] = np.log(max(seconds, 1e-12))
    return Times(logs, np.array(numbers, dtype=np.int64))


def paired(this: Mapping[int, float], other: Mapping[int, float]) -> Array:
    """ln(this/other) of the rounds that both have, in order. A time of 0 gives +-MOST, 0/0 gives 0."""
    return gather([this, other]).pairs(0, 1) if this and other else np.empty(0)


def median_interval(values: Sequence[float], level: float = 0.05) -> tuple[float, float] | None:
    """Bound the median of independent values by two of them; None where there are too few.

    The r-th smallest and largest, with the largest r for which 2 P(Bin(n, 1/2) < r) <= level (Hahn & Meeker,
    Statistical Intervals, 1991); of many values, as the normal distribution gives it.
    """
    n = len(values)
    r = _outer_rank(n, level) if n <= EXACT else int((n - _edge(level) * math.sqrt(n)) / 2)
    ordered = sorted(values)
    return (ordered[r - 1], ordered[n - r]) if r else None


def _outer_rank(n: int, level: float) -> int:
    below, r = 0, 0
    while 2 * r < n and 2 * (below := below + math.comb(n, r)) <= level * 2**n:
        r += 1
    return r


def _edge(level: float) -> float:
    """Beyond so many standard deviations, to either side, a normal distribution has `level` in all."""
    return NormalDist().inv_cdf(1 - level / 2)


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the middle two; 0 for none."""
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that a share of all lies below; 0 for none."""
    return float(np.quantile(np.asarray(values, dtype=float), share)) if len(values) else 0.0
