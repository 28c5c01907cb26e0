"""The verdict on a pair: five words, chosen by its interval and a margin that is fixed beforehand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from headrace import MARGIN
from headrace.base.text import plural
from headrace.judge.pair import Estimate
from headrace.results.schema import Verdict

Outcome = Literal["ok", "FAILED", "not decided"]  # of a gate: it passes on evidence, and fails on evidence

MOST_ROUNDS = 160  # that a race of a minute or two gets to


def verdict(pair: Estimate, margin: float = MARGIN) -> Verdict:
    """Judge a pair.

    - *faster*, *slower*: the interval excludes 1 and the estimate lies beyond the margin;
    - *a small difference*: the interval excludes 1, the estimate lies within the margin;
    - *the same*: the whole interval lies within the margin, and 1 lies in it;
    - *not decided*: anything else.
    """
    edge = math.log1p(margin)
    if pair.low <= 0 <= pair.high:
        return "the same" if -edge <= pair.low and pair.high <= edge else "not decided"
    if abs(pair.centre) <= edge:
        return "a small difference"
    return "slower" if pair.centre > 0 else "faster"


def gate(pair: Estimate, threshold: float) -> Outcome:
    """Judge new / old: *ok* where all of the interval is below 1 + threshold, *FAILED* where it is above."""
    edge = math.log1p(threshold)
    if pair.high < edge:
        return "ok"
    return "FAILED" if pair.low > edge else "not decided"


def more_rounds(pair: Estimate, margin: float = MARGIN) -> int | None:
    """How many more rounds would decide a pair, if its estimate and its noise stay as they are.

    Intervals shrink as 1 / sqrt(rounds). Decided is when the interval no longer reaches 1, or when it fits
    within the margin, whichever comes first. 0 for a decided pair. None where the estimate is at neither.
    """
    if verdict(pair, margin) != "not decided":
        return 0
    away = abs(pair.centre)
    target = max(away, math.log1p(margin) - away)
    if target <= 0:
        return None
    wanted = pair.rounds * (pair.half_width / target) ** 2
    return max(1, math.ceil(wanted - pair.rounds))


def is_within_reach(rounds: int | None) -> bool:
    """Whether a pair that is not decided would be after a number of rounds that a race gets to."""
    return rounds is not None and 0 < rounds <= MOST_ROUNDS


def outlook(rounds: int | None) -> str:
    """Say what it would take to decide a pair, after "not decided"; "" where that is not known.

    A number of rounds that no race gets to is not a prediction but a bound: MOST_ROUNDS or a rounder one.
    """
    if not rounds:
        return ""
    if is_within_reach(rounds):
        return f"; about {plural(_round(rounds), 'more round')} would decide it"
    bound = max(bound for bound in (MOST_ROUNDS, 200, 500, 1000) if bound < rounds)
    return f", nor will it be soon: that would take over {bound:,} more rounds at this level of noise"


def _round(number: int) -> int:
    """A number without digits that nobody can know: 37 is 40, 143 is 140."""
    step = 1 if number < 10 else 5 if number < 50 else 10
    return max(1, round(number / step) * step)


def geometric_mean(pairs: Sequence[Estimate]) -> Estimate:
    """The mean of n independent ratios; its half width is the root of the sum of their squares, / n."""
    n = len(pairs)
    centre = sum(pair.centre for pair in pairs) / n
    half = math.sqrt(sum(pair.half_width**2 for pair in pairs)) / n
    level = max(pair.level for pair in pairs)
    return Estimate(centre, centre - half, centre + half, min(pair.rounds for pair in pairs), level=level)


def quotient(top: Estimate, bottom: Estimate) -> Estimate:
    """Divide two independent ratios. The interval misses with the sum of both levels at most."""
    return Estimate(
        top.centre - bottom.centre,
        top.low - bottom.high,
        top.high - bottom.low,
        min(top.rounds, bottom.rounds),
        top.level + bottom.level,
    )
