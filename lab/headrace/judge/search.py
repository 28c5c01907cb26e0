"""Which commit of a row made it slower: the probability of each, from ratios that were measured at some.

One change is assumed: commits before it are as fast as the first end, those from it on as slow as the last.
Each commit is as likely as any other before anything is measured; a ratio speaks for the side whose level it
is nearer to, as much as its error allows (Bayes). The next commit to measure halves what is likely: noisy
binary search (M. V. Burnashev and K. Sh. Zigangirov, "An interval estimation problem for controlled
observations", 1974).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from headrace.judge.pair import Estimate

SURE = 0.95  # probability of the answer
LITTLE = 0.01  # a commit that is on one side with all but this much is not worth a race


@dataclass(frozen=True)
class Seen:
    """A ratio to the first end, as a logarithm, with its standard error."""

    centre: float
    error: float


def seen(pair: Estimate) -> Seen:
    """Read an estimate by the level of its interval."""
    return Seen(pair.centre, pair.half_width / NormalDist().inv_cdf(1 - pair.level / 2))


def probabilities(count: int, change: Seen, ratios: Mapping[int, Seen]) -> list[float]:
    """The probability that each of `count` commits is the first slow one. `change`: that of the last one.

    `ratios`: commit -> what was measured there; the last commit is slow by definition.
    """
    logs = []
    for first in range(count):
        log = 0.0
        for commit, ratio in ratios.items():
            level = change.centre if commit >= first else 0.0
            error = math.hypot(ratio.error, change.error if commit >= first else 0.0)
            log -= (ratio.centre - level) ** 2 / (2 * error * error) + math.log(error)
        logs.append(log)
    top = max(logs)
    weights = [math.exp(log - top) for log in logs]
    return [weight / sum(weights) for weight in weights]


def next_commit(chances: Sequence[float], done: Collection[int]) -> int | None:
    """The commit that tells most: as likely slow as not. None where none is left, or one is sure already."""
    if max(chances) >= SURE:
        return None
    slow, best = 0.0, (LITTLE, -1)
    for commit, chance in enumerate(chances[:-1]):
        slow += chance
        worth = min(slow, 1 - slow)
        if commit not in done and worth > best[0]:
            best = (worth, commit)
    return None if best[1] < 0 else best[1]


def likely(chances: Sequence[float]) -> list[int]:
    """The fewest commits of which one is SURE to be it, in order."""
    chosen: list[int] = []
    for commit in sorted(range(len(chances)), key=lambda commit: -chances[commit]):
        if sum(chances[commit] for commit in chosen) >= SURE:
            break
        chosen.append(commit)
    return sorted(chosen)
