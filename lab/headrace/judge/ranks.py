"""Places in a table: who is faster than whom for certain, and what places that leaves to each row.

Every row is paired with every other on the rounds that both ran in. Sorting looks for the pairs that differ
most, so all pairs are judged at one common level, by Holm's procedure ("A simple sequentially rejective
multiple test procedure", 1979): the chance of any wrong direction in the table is at most alpha, and pairs
may depend on each other in any way.

A row takes place 1 + (rows that are faster for certain) to n - (rows that are slower for certain): confidence
sets for ranks (Klein, Wright & Wieczorek 2020; Mogstad, Romano, Shaikh & Wilhelm 2023). Two rows whose places
do not overlap differ for certain, and two rows that could not be told apart always overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headrace.judge.pair import ALPHA, levels, look_level
from headrace.judge.pool import pool
from headrace.judge.samples import Times
from headrace.results.schema import TableNoise

Directions = NDArray[np.bool_]


class Place(NamedTuple):
    """The places that a row may have, from 1 for the fastest."""

    first: int
    last: int


@dataclass(frozen=True)
class Ranking:
    """A judged table. `faster[a, b]`: a is faster than b for certain. `level`: that all pairs share."""

    places: list[Place]
    faster: Directions
    order: list[int]  # rows from fast to slow, as near as can be said
    level: float

    @property
    def leaders(self) -> list[int]:
        """The rows that may be the fastest, most likely first."""
        return [row for row in self.order if self.places[row].first == 1]


def rank(
    times: Times, alpha: float = ALPHA, looks: int = 1, absent: int = 0, known: TableNoise | None = None
) -> Ranking:
    """Judge all pairs of a table at a common level; alpha is shared by the looks.

    `absent`: rows that have not run yet, whose pairs share the level all the same. `known`: the noise of the
    table, where these are not all of its rows.
    """
    count = times.rows
    alpha = look_level(alpha, looks)
    pairs = [(a, b) for b in range(count) for a in range(b)]
    to_come = absent * count + absent * (absent - 1) // 2
    strictest = alpha / max(1, len(pairs) + to_come)
    reached, centres = levels([times.pairs(a, b) for a, b in pairs], strictest, known or pool(times.logs))
    level = holm(np.concatenate([reached, np.ones(to_come)]), alpha)
    faster = np.zeros((count, count), dtype=bool)
    for (a, b), centre, p in zip(pairs, centres, reached, strict=True):
        if p <= level and centre != 0:
            faster[(a, b) if centre < 0 else (b, a)] = True
    certain = closed(faster)
    places = [Place(1 + int(certain[:, row].sum()), count - int(certain[row].sum())) for row in range(count)]
    return Ranking(places, certain, _order(times.logs, places), level)


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


def _order(logs: NDArray[np.float64], places: list[Place]) -> list[int]:
    """Sort by the middle of a row's places, then by its median: what is asked next is asked of neighbours.

    A row that is before another for certain stays before it, and the first one has nobody before it.
    """
    medians = [float(np.median(row[np.isfinite(row)])) if np.isfinite(row).any() else np.inf for row in logs]
    return sorted(range(len(places)), key=lambda row: (places[row].first + places[row].last, medians[row]))
