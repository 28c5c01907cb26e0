"""Times as a matrix, and the pairs in it: only runs of one round are ever divided by each other."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Builds = Mapping[Hashable, int]  # the builds of one contender: what built each -> its row
SHORTEST = 1e-12  # seconds: what a time of 0 counts as, so that it has a logarithm
FARTHEST = 50.0  # |ln ratio| beyond which there is nothing to tell: a time of 0 counts as this far


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
        return _apart(self.logs[this], self.logs[other])

    def median(self, row: int) -> float:
        """The median of ln(seconds) of a row's runs; inf for none."""
        ran = self.logs[row][np.isfinite(self.logs[row])]
        return float(np.median(ran)) if len(ran) else math.inf

    def line_pairs(self, this: Builds, other: Builds) -> Array:
        """ln(time of one contender / time of another), round by round: of all that built both.

        Where nothing built both, of what a typical build of either took in the round.
        """
        both = shared(this, other)
        if both:
            return _apart(self.logs[[this[key] for key in both]].T, self.logs[[other[key] for key in both]].T)
        return _apart(self._typical(this), self._typical(other))

    def _typical(self, line: Builds) -> Array:
        """The mean of the builds that ran in each round; NaN where none did."""
        logs = self.logs[[*line.values()]]
        ran = np.isfinite(logs)
        total, count = np.where(ran, logs, 0.0).sum(axis=0), ran.sum(axis=0)
        return np.asarray(np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0))

    def shifts(self) -> Array:
        """What to add to each row's median, as if it had run in every round; 0 where it has.

        A round is as slow or fast as the median of what its rows took beyond their own medians says, found in
        two steps (median polish: J. Tukey, Exploratory Data Analysis, 1977).
        """
        ran = np.isfinite(self.logs)
        own = np.nanmedian(self.logs, axis=1)
        shifts = np.zeros(self.rows)
        for _ in range(2):
            slow = np.nanmedian(self.logs - (own + shifts)[:, None], axis=0)
            shifts = np.median(slow) - np.nanmedian(np.where(ran, slow, np.nan), axis=1)
        return np.asarray(shifts)

    def half(self, odd: bool) -> Times:
        """Only the odd rounds, or only the even ones."""
        chosen = self.rounds % 2 == int(odd)
        return Times(self.logs[:, chosen], self.rounds[chosen])


def shared(this: Builds, other: Builds) -> list[Hashable]:
    """The keys of the builds that two contenders share: what built both."""
    return [key for key in this if key in other]


def _apart(these: Array, others: Array) -> Array:
    x = these - others
    return np.asarray(np.clip(x[np.isfinite(x)], -FARTHEST, FARTHEST))


def gather(rows: Sequence[Mapping[int, float]]) -> Times:
    """Join builds that each have round -> seconds. A time of 0 is the smallest that can be told from none."""
    numbers = sorted({number for row in rows for number in row})
    seconds = np.array([[row.get(number, np.nan) for number in numbers] for row in rows], dtype=np.float64)
    logs = np.log(np.maximum(seconds, SHORTEST)).reshape(len(rows), len(numbers))
    return Times(logs, np.array(numbers, dtype=np.int64))


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Bound the median of independent values by two of them, at 95 %; None where there are too few.

    The r-th smallest and largest, with the largest r for which 2 P(Bin(n, 1/2) < r) <= 5 % (Hahn & Meeker,
    Statistical Intervals, 1991).
    """
    n, ordered = len(values), sorted(values)
    r = int((special.bdtr(np.arange(n // 2), n, 0.5) <= 0.05 / 2).sum())
    return (ordered[r - 1], ordered[n - r]) if r else None


def share_interval(hits: int, trials: int, level: float = 0.05) -> tuple[float, float]:
    """Bound a share of which `hits` of `trials` were seen (C. Clopper and E. Pearson, 1934).

    The interval misses the true share at most `level` of the time, half of that on either side.
    """
    low = special.betaincinv(hits, trials - hits + 1, level / 2) if hits else 0.0
    high = special.betaincinv(hits + 1, trials - hits, 1 - level / 2) if hits < trials else 1.0
    return float(low), float(high)


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the middle two; 0 for none."""
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that a share of all lies below; 0 for none."""
    return float(np.quantile(np.asarray(values, dtype=float), share)) if len(values) else 0.0
