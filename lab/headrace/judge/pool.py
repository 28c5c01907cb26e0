"""The noise of a table, known from all of its rows: it bounds the ratio of two rows that ran a few times.

- Scatter: each row's variance around its own median, of logarithms of times, and a scaled inverse chi-square
  for how these variances differ from row to row, fitted by the moments of their logarithms. Student's t with
  the freedom of both then judges the few rounds of a pair (the moderated t: Smyth, "Linear models and
  empirical Bayes methods for assessing differential expression", 2004).
- Rare runs: those farther than OUTLIER above their row's median, such as the first ones in fresh memory, are
  counted apart. Where more than half of a pair's rounds may be such runs, an interval reaches as far as they
  do.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from headrace.judge.samples import Array
from headrace.results.schema import TableNoise

STILL = 1e-4  # ratios are not told apart more finely than by 0.01 %
OUTLIER = 0.35  # ln; a run this far above its row's median was hit by something rare
FEWEST_RUNS = 12  # of rows that ran three times or more, from which a table knows its noise
MOST_FREEDOM = 60.0  # of the prior: rows are never taken to be quite alike
OF_A_MEDIAN = 1.25  # its variance over that of a mean: 1.2 to 1.57 for normal noise, 1.04 for t of 5


def half_width(known: TableNoise, x: Array, level: float) -> float:
    """Half of a pair's interval, at least as far as rare runs reach where these are likely enough."""
    error, freedom, chance = _error(known, x)
    half = error * float(special.stdtrit(freedom, 1 - level / 2))
    return half if chance <= level else max(half, known.far)


def level_reached(known: TableNoise, x: Array) -> float:
    """The level at which the few rounds of a pair differ from 1."""
    away = abs(float(np.median(x)))
    error, freedom, chance = _error(known, x)
    p = 2 * float(special.stdtr(freedom, -away / error))
    return p if away > known.far else max(p, chance)


def _error(known: TableNoise, x: Array) -> tuple[float, float, float]:
    """The error of the median of a pair's rounds, its freedom, and the chance that rare runs move it.

    They move it where more than half of the rounds are such runs.
    """
    n = len(x)
    own = float(np.minimum(x - np.median(x), OUTLIER).var(ddof=1)) if n > 1 else 0.0
    freedom = known.freedom + n - 1
    square = (known.freedom * 2 * known.square + (n - 1) * own) / freedom
    square *= OF_A_MEDIAN if n > 2 else 1.0
    return math.sqrt(square / n), freedom, float(special.bdtrc(n // 2, n, known.often))


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
