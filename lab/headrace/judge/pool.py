"""The noise of a table, known from all of its rows: it bounds the ratio of two rows that ran a few times.

- Scatter: each row's variance around its own median, of logarithms of times, and a scaled inverse chi-square
  for how these variances differ from row to row, fitted by the moments of their logarithms. Student's t with
  the freedom of both then judges the few rounds of a pair (the moderated t: Smyth, "Linear models and
  empirical Bayes methods for assessing differential expression", 2004). Its tail is that of errors which a
  row can have: far out it would else be ruled by a scatter that no row has.
- Rare runs: those farther than OUTLIER above their row's median, such as the first ones in fresh memory, are
  counted apart. Where more than half of a pair's rounds may be such runs, an interval reaches as far as they
  do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from headrace.judge.samples import Array
from headrace.results.schema import TableNoise

STILL = 1e-4  # ratios are not told apart more finely than by 0.01 %
OUTLIER = 0.35  # ln; a run this far above its row's median was hit by something rare
FEWEST_RUNS = 12  # of rows that ran three times or more, from which a table knows its noise
MOST_FREEDOM = 60.0  # of the prior: rows are never taken to be quite alike
VARIANCES = np.linspace(-3.0, 12.0, 121)  # ln; of what a variance may be, in units of what it is likely to be
STEPS = 4  # of a search, each of which narrows it to a thirty-second
OF_A_MEDIAN = 1.25  # its variance over that of a mean: 1.2 to 1.57 for normal noise, 1.04 for t of 5


def half_width(known: TableNoise, x: Array, level: float) -> float:
    """Half of a pair's interval, at least as far as rare runs reach where these are likely enough."""
    scatter = _scatter(known, x[None, :])
    low, high = 0.0, float(scatter.error[0] * special.stdtrit(scatter.freedom, 1 - level / 2))
    for _ in range(STEPS):
        steps: Array = np.linspace(low, high, 33, dtype=np.float64)
        within = int((scatter.tail(steps) > level).sum())
        low, high = float(steps[within - 1]), float(steps[min(within, len(steps) - 1)])
    return high if scatter.chance <= level else max(high, known.far)


def level_reached(known: TableNoise, x: Array) -> Array:
    """The level at which each pair differs from 1: few rounds, a row of x a pair."""
    away = np.abs(np.median(x, axis=-1))
    scatter = _scatter(known, x)
    p = scatter.tail(away)
    return np.where(away > known.far, p, np.maximum(p, scatter.chance))


@dataclass(frozen=True)
class _Scatter:
    """The error of the median of each pair's rounds, its freedom, and the chance that rare runs move it.

    They move it where more than half of the rounds are such runs.
    """

    error: Array
    freedom: float
    chance: float
    most: float  # no error is larger, as what lies beyond OUTLIER is counted apart

    def tail(self, away: Array) -> Array:
        """How likely each median is at least so far from the truth: Student's t, without errors above `most`.

        A mixture of normal tails, over what the error may be. `away`: one a pair, or many for one pair.
        """
        possible = self.error[:, None] * np.exp(VARIANCES / 2)
        weight = np.exp(-self.freedom / 2 * (VARIANCES + np.exp(-VARIANCES) - 1))
        weight = np.where((possible <= self.most) | (VARIANCES <= 0), weight, 0.0)
        tails = special.erfc(away[:, None] / (math.sqrt(2) * possible))
        return np.asarray((weight * tails).sum(axis=1) / weight.sum(axis=1))


def _scatter(known: TableNoise, x: Array) -> _Scatter:
    n = x.shape[-1]
    middle = np.median(x, axis=-1, keepdims=True)
    own = np.minimum(x - middle, OUTLIER).var(axis=-1, ddof=1) if n > 1 else np.zeros(len(x))
    freedom = known.freedom + n - 1
    square = (known.freedom * 2 * known.square + (n - 1) * own) / freedom
    wider = OF_A_MEDIAN if n > 2 else 1.0
    chance = float(special.bdtrc(n // 2, n, known.often))
    return _Scatter(np.sqrt(square * wider / n), freedom, chance, OUTLIER * math.sqrt(2 * wider / n))


def pool(logs: Array) -> TableNoise:
    """Learn the noise of a table: a row a build, a column a round, NaN where it rested.

    A table that knows nothing of it has the defaults, which are wide on purpose. One row in ten, or one of
    five to nine, may be of another kind, such as one that needs fresh memory in each run, and is left out.
    """
    rows = [row[np.isfinite(row)] for row in logs]
    rows = [row - np.median(row) for row in rows if len(row) >= 3]
    if sum(len(row) for row in rows) < FEWEST_RUNS:
        return TableNoise()
    odd = max(len(rows) // 10, int(len(rows) >= 5))
    rows = sorted(rows, key=lambda row: float((row > OUTLIER).mean()))[: len(rows) - odd]
    runs = np.concatenate(rows)
    rare = runs[runs > OUTLIER]
    often = (len(rare) + 1) / (len(runs) + 2)
    far = max(2 * OUTLIER, float(rare.max()) if len(rare) else 0.0)
    square, freedom = _prior([np.minimum(row, OUTLIER) for row in rows])
    return TableNoise(square=square, freedom=freedom, often=often, far=far)


def _prior(rows: list[Array]) -> tuple[float, float]:
    """Fit a scaled inverse chi-square to the variances of rows: scale and freedom (Smyth 2004, 6.2)."""
    variances = np.array([max(float(row.var(ddof=1)), STILL**2) for row in rows])
    freedoms = np.array([min(20.0, len(row) - 1.0) for row in rows])
    e = np.log(variances) - special.digamma(freedoms / 2) + np.log(freedoms / 2)
    extra = float(e.var(ddof=1) - special.polygamma(1, freedoms / 2).mean()) if len(e) > 1 else 1.0
    half = _inverse_trigamma(extra)
    square = math.exp(float(np.average(e, weights=freedoms)) + float(special.digamma(half)) - math.log(half))
    return square, 2 * half


def _inverse_trigamma(value: float) -> float:
    """Return half of the prior's freedom, for how much variances differ beyond chance."""
    low, high = 2.0, MOST_FREEDOM / 2
    if value <= 0:
        return high
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if float(special.polygamma(1, middle)) > value else (low, middle)
    return low
