"""Places in a table: who is faster than whom for certain, and what places that leaves to each.

What takes a place is a line: a contender with all its builds. Every line is paired with every other, build by
build, on the rounds that both builds ran in; as many runs as a table has then speak of as few pairs as it has
contenders. The order within a round is shuffled, so for contenders that are the same with each toolchain all
these x have the signs of independent coins, as those of one pair of builds have. Where builds by themselves
say the opposite (at 95 %), nothing is said of the two lines: those of one toolchain, or of any two where none
built both lines, or one of the slower line that is faster than all builds of the other.

Sorting looks for the pairs that differ most, so all pairs are judged at one common level, by Holm's procedure
("A simple sequentially rejective multiple test procedure", 1979): the chance of any wrong direction in the
table is at most alpha, and pairs may depend on each other in any way.

A line takes place 1 + (lines that are faster for certain) to n - (lines that are slower for certain):
confidence sets for ranks (Klein, Wright & Wieczorek 2020; Mogstad, Romano, Shaikh & Wilhelm 2023). Two lines
whose places do not overlap differ for certain, and two that could not be told apart always overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headrace.judge.pair import ALPHA, levels, look_level
from headrace.judge.pool import pool
from headrace.judge.samples import Builds, Times, shared
from headrace.results.schema import TableNoise

Directions = NDArray[np.bool_]


class Place(NamedTuple):
    """The places that a line may have, from 1 for the fastest."""

    first: int
    last: int


@dataclass(frozen=True)
class Ranking:
    """A judged table. `faster[a, b]`: a is faster than b for certain. `level`: that all pairs share."""

    places: list[Place]
    faster: Directions
    order: list[int]  # lines from fast to slow, as near as can be said
    level: float

    @property
    def leaders(self) -> list[int]:
        """The lines that may be the fastest, most likely first."""
        return [line for line in self.order if self.places[line].first == 1]


def rank(
    times: Times,
    alpha: float = ALPHA,
    looks: int = 1,
    absent: int = 0,
    known: TableNoise | None = None,
    lines: Sequence[Builds] | None = None,
) -> Ranking:
    """Judge all pairs of a table at a common level; alpha is shared by the looks.

    `absent`: lines that have not run yet, whose pairs share the level all the same. `known`: the noise of the
    table. `lines`: what takes places; each row by itself where that is not said.
    """
    lines = [{"": row} for row in range(times.rows)] if lines is None else lines
    known = known or pool(times.logs)
    count = len(lines)
    alpha = look_level(alpha, looks)
    pairs = [(a, b) for b in range(count) for a in range(b)]
    to_come = absent * count + absent * (absent - 1) // 2
    strictest = alpha / max(1, len(pairs) + to_come)
    builds = [max(1, len(shared(lines[a], lines[b]))) for a, b in pairs]
    x = [times.line_pairs(lines[a], lines[b]) for a, b in pairs]
    reached, centres = levels(x, strictest, known, builds)
    level = holm(np.concatenate([reached, np.ones(to_come)]), alpha)
    faster = np.zeros((count, count), dtype=bool)
    for (a, b), centre, p in zip(pairs, centres, reached, strict=True):
        fast, slow = (a, b) if centre < 0 else (b, a)
        if p <= level and centre != 0 and not _is_contradicted(times, lines[fast], lines[slow], known):
            faster[fast, slow] = True
    certain = closed(faster)
    places = [
        Place(1 + int(certain[:, line].sum()), count - int(certain[line].sum())) for line in range(count)
    ]
    return Ranking(places, certain, _order(times, lines, places), level)


def _is_contradicted(times: Times, fast: Builds, slow: Builds, known: TableNoise) -> bool:
    """Whether builds by themselves say that the slower of two lines is the faster one, each pair at 95 %.

    One pair says so for its lines where it was built alike, or where nothing built both lines; and the
    fastest build of the slower line says so where it is faster than every build of the other.
    """
    if len(fast) == len(slow) == 1:
        return False
    both = [(fast[key], slow[key]) for key in shared(fast, slow)]
    speaking = both or [*product(fast.values(), slow.values())]
    fastest = min(slow.values(), key=times.median)
    pairs = [*speaking, *((row, fastest) for row in fast.values())]
    reached, centres = levels([times.pairs(*pair) for pair in pairs], ALPHA, known)
    opposite = (reached <= ALPHA) & (centres > 0)
    return bool(opposite[: len(speaking)].any() or opposite[len(speaking) :].all())


def holm(reached: NDArray[np.float64], alpha: float) -> float:
    """The common level: exactly the comparisons at or below it are certain, with at most alpha for any error.

    With j certain ones among m it is alpha / (m - j), the level that the next one failed to reach.
    """
    ordered = np.sort(reached)
    for certain, level in enumerate(ordered):
        if level > alpha / (len(ordered) - certain):
            return alpha / (len(ordered) - certain)
    return alpha


def closed(faster: Directions) -> Directions:
    """Add what follows: a before b and b before c puts a before c. Directions in a circle are dropped."""
    known = faster
    for middle in range(len(faster)):  # join who is before a row with who is after it
        known = known | (known[:, middle, None] & known[middle, None, :])
    return known & ~known.T


def _order(times: Times, lines: Sequence[Builds], places: Sequence[Place]) -> list[int]:
    """Sort by the middle of the places, then by the fastest median: what is asked is asked of neighbours.

    A line that is before another for certain stays before it, and the first one has nobody before it.
    """
    fastest = [min(map(times.median, line.values())) for line in lines]
    return sorted(range(len(places)), key=lambda line: (sum(places[line]), fastest[line]))
