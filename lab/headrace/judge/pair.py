"""One pair of builds: x_i = ln(t_this / t_other) of common rounds in, a ratio with its interval out.

- Estimate: the location of the Cauchy distribution by maximum likelihood with a scale from the data, that is
  the root of sum psi((x - theta) / s), psi(u) = u / (1 + u^2), s the median of |x - theta| (an M-estimate:
  Huber, Robust Statistics, 1981). Rounds in which one of the two ran undisturbed and the other did not lie
  far out, and weigh next to nothing; a third of the rounds may be like that. Without any it loses little.
- Test of a ratio theta: T = sum psi / sqrt(sum psi^2). The order within a round is shuffled: for builds that
  are the same (after division by theta) each psi is as likely positive as negative, given all |x|: Fisher's
  randomisation test (The Design of Experiments, 1935). Given |x|, T has mean 0 and variance 1 and lighter
  tails than a normal far out (Efron, Student's t-test under symmetry conditions, 1969). No p is below
  2^(1-n), the smallest that n coins allow.
- Interval: all theta that the test does not reject. Where neighbouring rounds depend on each other, sums over
  blocks of rounds take the place of psi (dependence.py), and Student's t that of coins (student.py).
- Looks: a campaign looks at a pair after the rounds in LOOKS and may stop there, so that each look has an
  equal share of alpha (Bonferroni; Pocock 1977, Lan & DeMets 1983 on spending alpha).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from headrace.judge import student
from headrace.judge.dependence import block_length, block_sums
from headrace.judge.samples import Array

ALPHA = 0.05  # of all the claims of one kind that a campaign makes
LOOKS = (12, 24, 36, 60, 100, 160)  # rounds
FEWEST_BLOCKS = 6  # blocks of rounds that t says something of
STILL = 1e-4  # ratios are not told apart more finely than by 0.01 %


@dataclass(frozen=True)
class Estimate:
    """A paired ratio in logarithms: `centre` is finite, `low` and `high` are infinite where unbounded."""

    centre: float
    low: float
    high: float
    rounds: int
    block: int = 1  # rounds that count as one, because neighbours depend on each other
    level: float = ALPHA  # what the interval may miss the truth with
    doubt: float = 0.0  # differences up to this are luck of the layout: so far is a build from itself

    @property
    def ratio(self) -> float:
        """exp(centre): time(this)/time(other)."""
        return math.exp(self.centre)

    @property
    def low_ratio(self) -> float:
        """Lower bound of the ratio; 0 where there is none."""
        return math.exp(self.low)

    @property
    def high_ratio(self) -> float | None:
        """Upper bound of the ratio; None where there is none (JSON has no infinity)."""
        return math.exp(self.high) if math.isfinite(self.high) else None

    @property
    def bounded(self) -> bool:
        """Whether the interval has two ends."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half_width(self) -> float:
        """The distance of the farther end from the estimate."""
        return max(self.high - self.centre, self.centre - self.low)

    def inverse(self) -> Estimate:
        """Swap the two builds."""
        return replace(self, centre=-self.centre, low=-self.high, high=-self.low)


@dataclass(frozen=True)
class Reach:
    """How far runs strayed from others of their row at most (`log`), by so many `runs` of a table."""

    log: float = math.inf
    runs: int = 0

    def of(self, x: Array) -> Reach:
        """That of a pair: its own rounds may have strayed farther."""
        return replace(self, log=max(self.log, float(np.ptp(x)))) if len(x) else self

    def level(self, rounds: int, away: float) -> float:
        """The chance that each of some rounds strays `away` or farther, to one side.

        A round holds two runs. If runs of different rows stray alike, a new one goes farther than each of
        `runs` others with a chance of 1 / (runs + 1). Beyond that, times are taken to thin out at least as a
        power law does (Pareto), so that `away` / `log` is an exponent. Nearer than that nothing is claimed.
        """
        if not rounds or not math.isfinite(self.log) or away <= self.log:
            return 1.0
        return float(min(1.0, 2 / (self.runs + 1)) ** (rounds * away / max(self.log, STILL)))

    def bound(self, rounds: int, level: float) -> float:
        """How far all of some rounds stray with a chance of `level`; infinite where nothing is known."""
        if not rounds or self.runs < 2 or not math.isfinite(self.log):
            return math.inf
        exponent = math.log(level) / (rounds * math.log(2 / (self.runs + 1)))
        return max(self.log, STILL) * max(1.0, exponent)


def reach(logs: Array) -> Reach:
    """Pool the disturbances of all rows (a row a build, NaN where it rested): the widest but the odd ones'.

    One row in ten, or one of five to nine, may be of another kind, such as one whose first runs had to get
    their memory from the host: it does not widen what is said of the others.
    """
    present = np.isfinite(logs)
    enough = present.sum(axis=1) > 1
    if not enough.any():
        return Reach()
    rows = logs[enough]
    ranges = np.sort(np.nanmax(rows, axis=1) - np.nanmin(rows, axis=1))
    odd = max(len(ranges) // 10, int(len(ranges) >= 5))
    return Reach(float(ranges[-1 - odd]), int(present.sum()))


def look_level(alpha: float, looks: int = len(LOOKS)) -> float:
    """The level of one of `looks` planned looks that share alpha."""
    return alpha / max(1, looks)


@lru_cache(maxsize=1024)
def least_rounds(level: float) -> int:
    """The fewest rounds in which coins alone can be that unlikely: 6 at 5 %, 8 at 0.83 %."""
    n = 1
    while 2.0 ** (1 - n) > level or math.erfc(math.sqrt(n / 2)) > level:
        n += 1
    return n


def is_tested(rounds: int, block: int, level: float) -> bool:
    """Whether so many rounds, or blocks of them, are enough for the test."""
    return -(-rounds // block) >= (FEWEST_BLOCKS if block > 1 else least_rounds(level))


def estimate(
    x: Array, level: float = ALPHA, strayed: Reach | None = None, state: Array | None = None
) -> Estimate | None:
    """Ratio and interval at a level; None without rounds.

    `strayed`: with too few rounds for the test, the interval reaches as far beyond the rounds seen as all of
    them would stray with a chance of `level`, by the runs of the whole table.
    `state`: how slow each round was, to find phases by (dependence.py).
    """
    x = np.asarray(x, dtype=float)
    n = len(x)
    if n == 0:
        return None
    centre = float(location(x[None, :])[0])
    block = block_length(_scores(x[None, :], np.array([centre]))[0], state)
    if is_tested(n, block, level):
        low, high = _interval(x, centre, block, level)
    else:
        bound = math.inf if strayed is None else strayed.of(x).bound(n, level)
        low, high = float(x.min()) - bound, float(x.max()) + bound
    return Estimate(centre, low, high, n, block, level)


def levels(
    pairs: Sequence[Array],
    states: Sequence[Array],
    strayed: Reach | None = None,
    doubts: Sequence[float] = (),
) -> tuple[Array, Array]:
    """The level at which each pair differs from 1 by more than its doubt (a logarithm), and its centre.

    The level is that of the test, or of `strayed` where all rounds lie beyond it. Pairs of one length are
    judged together: a table of 60 rows has 1,770 of them.
    """
    if any(doubts):
        middles = np.array([float(np.median(x)) if len(x) else 0.0 for x in pairs])
        luck = np.array(doubts)
        nearer: list[Array] = [
            np.asarray(x - shift, dtype=np.float64)
            for x, shift in zip(pairs, np.copysign(luck, middles), strict=True)
        ]
        found, centres = levels(nearer, states, strayed)
        doubtful = luck > 0
        found[doubtful & (np.abs(middles) <= luck)] = 1.0
        return found, np.where(doubtful, middles, centres)
    found, centres = np.ones(len(pairs)), np.zeros(len(pairs))
    by_length: dict[int, list[int]] = {}
    for at, x in enumerate(pairs):
        if len(x):
            by_length.setdefault(len(x), []).append(at)
    for length, members in by_length.items():
        stacked, rows = np.stack([pairs[one] for one in members]), np.array(members)
        centres[rows] = np.median(stacked, axis=-1)
        beyond = np.zeros(len(members), dtype=bool)
        if strayed is not None:
            away = np.maximum(stacked.min(axis=-1), -stacked.max(axis=-1))
            beyond = away > np.maximum(strayed.log, np.ptp(stacked, axis=-1))
            found[rows[beyond]] = [
                strayed.of(one).level(length, float(far))
                for one, far in zip(stacked[beyond], away[beyond], strict=True)
            ]
        if not beyond.all():
            near = stacked[~beyond]
            centres[rows[~beyond]] = location(near)
            found[rows[~beyond]] = _levels(near, [states[row] for row in rows[~beyond]])
    return found, centres


def _levels(x: Array, states: Sequence[Array]) -> Array:
    """The level of the test for each row of x, by rounds or by blocks as each row needs."""
    scores = _scores(x, location(x))
    blocks = np.array([block_length(scores[at], state) for at, state in enumerate(states)])
    found = np.ones(len(x))
    for block in sorted({int(one) for one in blocks}):
        found[blocks == block] = p_values(x[blocks == block], block)
    return found


def p_values(x: Array, block: int = 1, theta: float = 0.0) -> Array:
    """The level at which each row of x (pairs x rounds) differs from theta, for blocks of some rounds."""
    statistic, blocks = _statistic(x, np.full(x.shape[0], theta), block)
    if block > 1:
        return student.tails(statistic, blocks) if blocks >= FEWEST_BLOCKS else np.ones(len(statistic))
    tails = np.array([math.erfc(abs(t) / math.sqrt(2)) for t in statistic])
    return np.maximum(tails, 2.0 ** (1 - blocks))


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
    scores: Array = u / (1 + u * u)
    return scores


def _statistic(x: Array, theta: Array, block: int) -> tuple[Array, int]:
    """T for each row of x, and the number of its blocks."""
    sums = block_sums(_scores(x, theta), block)
    power = np.sqrt((sums * sums).sum(axis=-1))
    return np.divide(sums.sum(axis=-1), power, out=np.zeros(len(power)), where=power > 0), sums.shape[-1]


def _interval(x: Array, centre: float, block: int, level: float) -> tuple[float, float]:
    """Bisect for the two places where the test begins to reject; 0 itself where it does is left outside."""
    edge = student.edge(level, -(-len(x) // block)) if block > 1 else NormalDist().inv_cdf(1 - level / 2)
    far = 10 * (float(x.max() - x.min()) + STILL)
    outside = np.array([min(float(x.min()), centre) - far, max(float(x.max()), centre) + far])
    at_one = abs(float(_statistic(x[None, :], np.zeros(1), block)[0][0])) > edge
    if at_one and centre != 0:
        outside[0 if centre > 0 else 1] = 0.0
    inside = np.array([centre, centre])
    both = np.stack([x, x])
    bounded: NDArray[np.bool_] = np.abs(_statistic(both, outside, block)[0]) > edge
    for _ in range(30):
        middle = (inside + outside) / 2
        rejected = np.abs(_statistic(both, middle, block)[0]) > edge
        outside = np.where(rejected, middle, outside)
        inside = np.where(rejected, inside, middle)
    return (
        float(outside[0]) if bounded[0] else -math.inf,
        float(outside[1]) if bounded[1] else math.inf,
    )
