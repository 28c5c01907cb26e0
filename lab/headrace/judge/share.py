"""How far a share is known that was counted: the exact interval of a binomial proportion."""

from __future__ import annotations

import math
from collections.abc import Callable

from headrace.judge.pair import ALPHA


def interval(hits: int, trials: int, alpha: float = ALPHA) -> tuple[float, float]:
    """The interval of C. Clopper and E. Pearson (1934) for a share of which `hits` of `trials` were seen.

    It misses the true share at most `alpha` of the time, half of that on either side.
    """
    low = 0.0 if hits == 0 else _where(lambda share: _at_least(hits, trials, share) - alpha / 2)
    high = 1.0 if hits == trials else _where(lambda share: alpha / 2 - _at_most(hits, trials, share))
    return low, high


def _at_most(hits: int, trials: int, share: float) -> float:
    """The probability of no more than `hits`."""
    return math.fsum(_exactly(number, trials, share) for number in range(hits + 1))


def _at_least(hits: int, trials: int, share: float) -> float:
    """The probability of `hits` or more."""
    return math.fsum(_exactly(number, trials, share) for number in range(hits, trials + 1))


def _exactly(hits: int, trials: int, share: float) -> float:
    return math.comb(trials, hits) * share**hits * (1 - share) ** (trials - hits)


def _where(rising: Callable[[float], float]) -> float:
    """The share in [0, 1] at which a rising function is 0, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
