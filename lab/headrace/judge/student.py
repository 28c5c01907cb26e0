"""Student's t for T = sum / sqrt(sum of squares) of few sums (The probable error of a mean, 1908).

Scores of single rounds may be like coins, and only as unlikely as these. A sum over a block of several
bounded scores is near normal, so of few blocks t says what coins cannot. Blocks that are too short still
depend on each other: half of the degrees of freedom allows for that.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from headrace.judge.samples import Array


def tails(statistic: Array, count: int) -> Array:
    """The chance that |T| of `count` sums over blocks around 0 is as large, or larger."""
    squares = np.minimum(np.asarray(statistic, dtype=np.float64) ** 2, count)
    t = np.sqrt((count - 1) * squares / np.maximum(count - squares, 1e-300))
    return tails_of_t(t, max(1, (count - 1) // 2))


@lru_cache(maxsize=1024)
def edge(level: float, count: int) -> float:
    """The |T| that is passed with a chance of `level`."""
    low, high = 0.0, math.sqrt(count)
    for _ in range(60):
        middle = (low + high) / 2
        if float(tails(np.array([middle]), count)[0]) > level:
            low = middle
        else:
            high = middle
    return high


def tails_of_t(t: Array, freedom: int) -> Array:
    """P(|t| > t) for whole degrees of freedom (Abramowitz & Stegun, 1964, 26.7.3 and 26.7.4)."""
    angle = np.arctan2(t, math.sqrt(freedom))
    cosine = np.cos(angle)
    odd = freedom % 2
    term = cosine if odd else np.ones_like(angle)
    total = np.zeros_like(angle)
    for step in range(2 + odd, freedom + 1, 2):
        total = total + term
        term = term * cosine**2 * (step - 1) / step
    inside = np.sin(angle) * total
    if odd:
        inside = (angle + inside) * 2 / math.pi
    return np.asarray(np.clip(1 - inside, 0.0, 1.0), dtype=np.float64)
