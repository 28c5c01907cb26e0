"""One pair of builds: x_i = ln(t_this / t_other) of common rounds in, a ratio with its interval out.

- Estimate: the location of the Cauchy distribution by maximum likelihood with a scale from the data, that is
  the root of sum psi((x - theta) / s), psi(u) = u / (1 + u^2), s the median of |x - theta| (an M-estimate:
  Huber, Robust Statistics, 1981). Rounds in which one of the two ran undisturbed and the other did not lie
  far out, and weigh next to nothing; a third of the rounds may be like that. Without any it loses little.
- Test of a ratio theta: T = sum psi / sqrt(sum psi^2). The order within a round is shuffled: for builds that
  are the same (after division by theta) each psi is as likely positive as negative, given all |x|: Fisher's
  randomisation test (The Design of Experiments, 1935). No p is below 2^(1-n), the least that n coins allow.
- Neighbouring rounds: builds that differ may feel a neighbour's phases differently. From DEPENDENT rounds on
  the variance of the sum counts the autocovariances of the scores, too (Newey & West 1987), and is never
  smaller than without them. Contenders of several builds have as many x a round.
- Few rounds, which coins cannot tell apart at a level: what all rows of the table know (pool.py).
- Interval: all theta that the test does not reject. It always has two ends.
- Looks: a campaign looks at a pair after the rounds in LOOKS and may stop there, so that each look has an
  equal share of alpha (Bonferroni; Pocock 1977, Lan & DeMets 1983 on spending alpha).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from headrace.judge.pool import STILL, half_width, level_reached
from headrace.judge.samples import Array
from headrace.results.schema import TableNoise

ALPHA = 0.05  # of all the claims of one kind that a campaign makes, and of each interval that is printed
LOOKS = (12, 24, 48, 96, 192, 384, 768, 1536)  # rounds
FEWEST = 6  # rounds that coins say something of
DEPENDENT = 16  # rounds from which neighbouring ones are asked whether they depend on each other
STEPS = 30  # of a bisection: ends of intervals to nine digits
AHEAD = 8  # parts in which three of these steps leave an interval; their seven bounds are judged at once


@dataclass(frozen=True)
class Estimate:
    """A paired ratio in logarithms; both ends are finite."""

    centre: float
    low: float
    high: float
    rounds: int
    level: float = ALPHA  # what the interval may miss the truth with

    @property
    def ratio(self) -> float:
        """exp(centre): time(this)/time(other)."""
        return math.exp(self.centre)

    @property
    def low_ratio(self) -> float:
        """Lower bound of the ratio."""
        return math.exp(self.low)

    @property
    def high_ratio(self) -> float:
        """Upper bound of the ratio."""
        return math.exp(self.high)

    @property
    def half_width(self) -> float:
        """The distance of the farther end from the estimate."""
        return max(self.high - self.centre, self.centre - self.low)


def look_level(alpha: float, looks: int = len(LOOKS)) -> float:
    """The level of one of `looks` planned looks that share alpha."""
    return alpha / max(1, looks)


def least_rounds(level: float) -> int:
    """The fewest rounds that coins alone judge at a level: 7 at 5 %, 8 at 0.83 %.

    That is chosen by the rounds and the level, not by the times: else the choice would be a second test.
    """
    return max(FEWEST, math.ceil(1 - math.log2(level / 2)))


def estimate(
    x: Array, level: float = ALPHA, known: TableNoise | None = None, builds: int = 1
) -> Estimate | None:
    """Ratio and interval at a level; None without rounds. `known`: the noise of the table.

    `builds`: how many x a round has.
    """
    x = np.asarray(x, dtype=float)
    n = len(x)
    if n == 0:
        return None
    half = half_width(known or TableNoise(), x, level)
    if n < least_rounds(level):
        centre = float(np.median(x))
        return Estimate(centre, centre - half, centre + half, n, level)
    centre = float(location(x[None, :])[0])
    return Estimate(centre, *_interval(x, centre, half, level, builds), n, level)


def levels(
    pairs: Sequence[Array], strictest: float, known: TableNoise, builds: Sequence[int] | None = None
) -> tuple[Array, Array]:
    """The level at which each pair differs from 1, and its centre.

    `strictest`: the level that the least certain pair of the table may have to pass; it chooses between coins
    and the pool. `builds`: how many x a round of each pair has; 1 where that is not said. Pairs of one length
    are judged together: a table of 60 rows has 1,770 of them.
    """
    reached, centres = np.ones(len(pairs)), np.zeros(len(pairs))
    alike: dict[tuple[int, int], list[int]] = {}
    for number, x in enumerate(pairs):
        if len(x):
            alike.setdefault((len(x), builds[number] if builds else 1), []).append(number)
    for (length, in_a_round), members in alike.items():
        stacked, rows = np.stack([pairs[number] for number in members]), np.array(members)
        if length >= least_rounds(strictest):
            centres[rows] = centre = location(stacked)
            reached[rows] = p_values(stacked, in_a_round, centre)
        else:
            centres[rows] = np.median(stacked, axis=-1)
            reached[rows] = level_reached(known, stacked)
    return reached, centres


def p_values(x: Array, builds: int = 1, centre: Array | None = None) -> Array:
    """The level at which each row of x (pairs x rounds) differs from a ratio of 1, by coins.

    `centre`: `location` of x, where it is known.
    """
    statistic = _statistic(x, np.zeros(len(x)), _widening(x, builds, centre))
    tails = np.array([math.erfc(abs(t) / math.sqrt(2)) for t in statistic])
    return np.maximum(tails, 2.0 ** (1 - x.shape[-1]))


def location(x: Array) -> Array:
    """The centre of each row of x (pairs x rounds)."""
    theta = _medians(x)
    for _ in range(25):
        away = np.asarray(x - theta[:, None], dtype=np.float64)
        weight = 1 / (1 + (away / _scale(away)) ** 2)
        before, theta = theta, np.asarray((weight * x).sum(axis=-1) / weight.sum(axis=-1), dtype=np.float64)
        if np.array_equal(before, theta):
            break
    return theta


def _scale(away: Array) -> Array:
    """The scale about this theta, not about the centre: else few rounds near theta outweigh all far ones."""
    return np.asarray(np.maximum(_medians(np.abs(away))[:, None], STILL), dtype=np.float64)


def _medians(x: Array) -> Array:
    """The median of each row. For the few rounds of a pair, np.median takes five times as long."""
    ordered = np.sort(x, axis=-1)
    middle = x.shape[-1] // 2
    if x.shape[-1] % 2:
        return np.asarray(ordered[:, middle], dtype=np.float64)
    return np.asarray((ordered[:, middle - 1] + ordered[:, middle]) / 2, dtype=np.float64)


def _scores(x: Array, theta: Array) -> Array:
    away = np.asarray(x - theta[:, None], dtype=np.float64)
    u = away / _scale(away)
    return np.asarray(u / (1 + u * u), dtype=np.float64)


def _widening(x: Array, builds: int, centre: Array | None) -> Array:
    """The factor, at least 1, by which dependence between neighbouring rounds widens each row's variance.

    Autocovariances up to the root of the number of rounds, each of as many x as `builds`, with Bartlett's
    weights.
    """
    n = x.shape[-1]
    if n < DEPENDENT:
        return np.ones(len(x))
    scores = _scores(x, location(x) if centre is None else centre)
    scores = scores - scores.mean(axis=-1, keepdims=True)
    lags, own = builds * math.isqrt(n // builds), (scores * scores).sum(axis=-1)
    ties = np.zeros(len(x))
    for lag in range(1, lags + 1):
        ties += 2 * (1 - lag / (lags + 1)) * (scores[:, lag:] * scores[:, :-lag]).sum(axis=-1)
    return np.asarray(np.maximum(1.0, 1 + ties / np.maximum(own, 1e-300)), dtype=np.float64)


def _statistic(x: Array, theta: Array, widening: Array) -> Array:
    scores = _scores(x, theta)
    power = np.sqrt((scores * scores).sum(axis=-1) * widening)
    return np.divide(scores.sum(axis=-1), power, out=np.zeros(len(power)), where=power > 0)


def _interval(x: Array, centre: float, beyond: float, level: float, builds: int) -> tuple[float, float]:
    """Bisect for the two places where the test begins to reject, at most `beyond` outside of all rounds."""
    edge = NormalDist().inv_cdf(1 - level / 2)
    widening = _widening(x[None, :], builds, np.array([centre]))
    bounds = np.empty((AHEAD + 1, 2))  # from inside to outside, of the lower end and of the upper one
    bounds[0] = centre
    bounds[-1] = min(float(x.min()), centre) - beyond, max(float(x.max()), centre) + beyond
    for _ in range(STEPS // 3):
        for apart in (8, 4, 2):
            bounds[apart // 2 :: apart] = (bounds[:-1:apart] + bounds[apart::apart]) / 2
        rejected = np.abs(_statistic(x[None, :], bounds[1:-1].ravel(), widening)) > edge
        for end, is_beyond in enumerate(rejected.reshape(AHEAD - 1, 2).T.tolist()):
            inside, outside = 0, AHEAD
            while outside - inside > 1:
                middle = (inside + outside) // 2
                inside, outside = (inside, middle) if is_beyond[middle - 1] else (middle, outside)
            bounds[[0, -1], end] = bounds[[inside, outside], end]
    return float(bounds[-1, 0]), float(bounds[-1, 1])
