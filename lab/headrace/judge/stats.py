"""Paired statistics of a campaign: numbers in, numbers out.

Every figure is a ratio time(this)/time(other), made from x = ln(t_this / t_other) of the runs of one round.
Slow drift of the machine moves both runs of a round and so leaves x alone. The order within a round is
shuffled afresh: if two builds are the same, each x is as likely positive as negative whatever the noise looks
like, which is all that the interval below needs.

- Estimate: exp(median x).
- Interval: order statistics x_(r) and x_(n-r+1) with the largest r for which 2 P(Bin(n, 1/2) < r) <= alpha
  (Conover, Practical Nonparametric Statistics, 1999; Hahn & Meeker, Statistical Intervals, 1991). It assumes
  no shape of distribution and covers the median with at least 1 - alpha. With too few rounds there is no
  such r: the interval is the whole line.
- Looks: a pair is judged after 12, 24, 36 and 60 rounds, each time at alpha/4, so that all four intervals
  hold together with at least 1 - alpha (Bonferroni; Pocock 1977 on group-sequential looks in general).
  Stopping early is therefore no cheating.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from headrace.results.schema import Verdict

ALPHA = 0.05  # of one pair and one metric, over all its looks
LOOKS = (12, 24, 36, 60)  # rounds
LEAST_MARGIN = 0.01
MOST_MARGIN = 0.05  # a machine whose A/A pair says no better cannot show that two builds are the same


@dataclass(frozen=True)
class Estimate:
    """A paired ratio in logarithms: `centre` is finite, `low` and `high` are infinite where unbounded."""

    centre: float
    low: float
    high: float
    rounds: int

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


@lru_cache(maxsize=4096)
def order_rank(n: int, alpha: float) -> int:
    """Largest r with 2 P(Bin(n, 1/2) < r) <= alpha, exact; 0 when even r = 1 is too much."""
    allowed = Fraction(alpha) * 2**n / 2
    below, rank = 0, 0
    while 2 * rank < n:
        below += math.comb(n, rank)
        if below > allowed:
            break
        rank += 1
    return rank


def least_rounds(alpha: float) -> int:
    """The fewest rounds with a bounded interval at this level: 6 at 5 %, 8 at 1.25 %."""
    n = 1
    while order_rank(n, alpha) == 0:
        n += 1
    return n


def log_ratios(this: Sequence[float], other: Sequence[float]) -> list[float]:
    """ln(this/other) pair by pair. A time of 0 (a clock too coarse) gives an infinity, 0/0 gives 0."""
    if len(this) != len(other):
        raise ValueError(f"pairs need two series of one length, not {len(this)} and {len(other)}")
    return [_log_ratio(a, b) for a, b in zip(this, other, strict=True)]


def _log_ratio(a: float, b: float) -> float:
    if a > 0 and b > 0:
        return math.log(a / b)
    if a <= 0 and b <= 0:
        return 0.0
    return math.inf if a > 0 else -math.inf


def median_interval(x: Sequence[float], alpha: float) -> tuple[float, float]:
    """Order-statistic interval of the median that covers it with at least 1 - alpha."""
    rank = order_rank(len(x), alpha)
    if rank == 0:
        return -math.inf, math.inf
    ordered = sorted(x)
    return ordered[rank - 1], ordered[len(x) - rank]


def estimate(this: Sequence[float], other: Sequence[float], alpha: float) -> Estimate | None:
    """Compare two series of times (seconds) of the same rounds.

    None without rounds, or when half of the times of a side are 0: the clock is too coarse for them.
    """
    x = log_ratios(this, other)
    if not x or median(this) <= 0 or median(other) <= 0:
        return None
    ordered = sorted(x)
    lower, upper = ordered[(len(x) - 1) // 2], ordered[len(x) // 2]
    if not (math.isfinite(lower) and math.isfinite(upper)):  # just half of a side is 0
        return None
    low, high = median_interval(x, alpha)
    return Estimate((lower + upper) / 2, low, high, len(x))


def bound(pair: Estimate | None) -> float | None:
    """How far the interval of an A/A pair reaches from 1, as a share: 0.02 is 2 %. None where unbounded."""
    if pair is None or not (math.isfinite(pair.low) and math.isfinite(pair.high)):
        return None
    return math.expm1(max(abs(pair.low), abs(pair.high)))


def margin(pair: Estimate | None) -> float:
    """m = max(1 %, bound of the A/A pair); 1 % where the pair says nothing yet."""
    return max(LEAST_MARGIN, bound(pair) or 0.0)


def within(pair: Estimate, m: float) -> bool:
    """Whether the whole interval lies in [1/(1+m), 1+m]."""
    edge = math.log1p(m)
    return pair.low >= -edge and pair.high <= edge


def beyond(pair: Estimate, m: float) -> bool:
    """Whether the whole interval lies on one side outside [1/(1+m), 1+m]."""
    edge = math.log1p(m)
    return pair.high < -edge or pair.low > edge


def straddles(pair: Estimate, ratio: float) -> bool:
    """Whether the interval leaves open on which side of a ratio the truth lies."""
    return pair.low <= math.log(ratio) <= pair.high


def excludes_one(pair: Estimate) -> bool:
    """Whether the direction of the difference is certain at the interval's level."""
    return pair.high < 0 or pair.low > 0


def verdict(pair: Estimate, m: float) -> Verdict:
    """One of five words for a pair.

    - interval contains 1: "same" when it lies within m (or 5 %, if m is wider), else "cannot tell apart";
    - interval excludes 1 (the direction is certain): "faster" or "slower" when the estimate is
      beyond m, else "detectable but small".
    """
    if not excludes_one(pair):
        return "same" if within(pair, min(m, MOST_MARGIN)) else "cannot tell apart"
    if abs(pair.centre) <= math.log1p(m):
        return "detectable but small"
    return "slower" if pair.centre > 0 else "faster"


def is_known(pair: Estimate, m: float) -> bool:
    """Whether more rounds could only refine the verdict: the interval straddles no edge of the margin.

    Being within the margin counts for the minimum of the margin only: m is wide after few rounds because
    the A/A pair's interval still is, and would be narrower after more.
    """
    return within(pair, LEAST_MARGIN) or beyond(pair, m)


def look_alpha(looks: int, alpha: float = ALPHA) -> float:
    """The level of one of `looks` planned looks that share alpha."""
    return alpha / max(1, looks)


def sign_level(x: Sequence[float]) -> float:
    """The smallest alpha (at most 1) whose `median_interval` excludes 0: the exact two-sided sign test."""
    against = min(sum(1 for one in x if one <= 0), sum(1 for one in x if one >= 0))
    return _tails(len(x), against)


@lru_cache(maxsize=4096)
def _tails(n: int, count: int) -> float:
    """2 P(Bin(n, 1/2) <= count), at most 1."""
    return min(1.0, float(Fraction(2 * sum(math.comb(n, k) for k in range(count + 1)), 2**n)))


def common_level(levels: Sequence[float], alpha: float = ALPHA) -> float:
    """The level for many comparisons at once: of those at or below it, at most alpha are expected wrong.

    `levels` holds the level (p) of each comparison; the answer is the largest alpha j / len(levels) with at
    smallest j of them at or below it (Benjamini & Hochberg 1995), 0 if there is none.
    """
    ordered = sorted(levels)
    for j in range(len(ordered), 0, -1):
        if ordered[j - 1] <= alpha * j / len(levels):
            return alpha * j / len(levels)
    return 0.0


def rank_groups(count: int, separation: Callable[[int, int], float], alpha: float = ALPHA) -> list[list[int]]:
    """Share ranks among rows 0..count-1, sorted from fast to slow.

    `separation(a, b)` is the level at which rows a < b differ (1: they do not). All pairs are weighed at one
    common level, because sorting picks the pairs that look most different: rows that are all the same split
    in at most alpha of the tables, clear tables need few rounds. A group opens with its fastest row, the
    leader, and reaches to the last row that cannot be told apart from the leader. So no chain of near-ties
    pulls a row in that the leader surely beats, unless a noisier row after it may be as fast as the leader.
    """
    pairs = {(a, b): separation(a, b) for b in range(count) for a in range(b)}
    level = common_level(list(pairs.values()), alpha)
    groups: list[list[int]] = []
    leader = 0
    while leader < count:
        after = next((row for row in range(count - 1, leader, -1) if pairs[leader, row] > level), leader) + 1
        groups.append(list(range(leader, after)))
        leader = after
    return groups


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the middle two; 0 for none, or for minus and plus infinity."""
    if not values:
        return 0.0
    ordered = sorted(values)
    lower, upper = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    if lower == upper:
        return lower
    return (lower + upper) / 2 if math.isfinite(lower) or math.isfinite(upper) else 0.0
