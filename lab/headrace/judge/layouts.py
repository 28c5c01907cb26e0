"""How much the layout alone moves a build: the times of its runs by layout, against what chance does.

The statistic is how far the medians of the layouts lie apart. Runs that are dealt to the layouts at random
show how far chance alone puts them (a permutation test: Fisher, The Design of Experiments, 1935).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.judge.samples import SHORTEST, Array
from headrace.results.schema import Sample

FEWEST = 4  # runs of each layout
DEALT = 400  # times that runs are dealt to the layouts at random
CERTAIN = 0.01  # the level from which the layout, not chance, is what moves a build


@dataclass(frozen=True)
class Moved:
    """The slowest layout's median over the fastest one's, less 1, and whether chance seldom does that."""

    share: float
    layouts: int
    certain: bool


def moved(samples: Sequence[Sample]) -> Moved | None:
    """Compare the layouts of one build; None where there is one, or too few runs of any."""
    numbers, chosen, counts = np.unique(
        [sample.layout for sample in samples], return_inverse=True, return_counts=True
    )
    if len(numbers) < 2 or counts.min() < FEWEST:
        return None
    chosen = chosen.astype(np.int64)
    logs = np.log(np.maximum([sample.wall for sample in samples], SHORTEST))
    dealt = np.random.default_rng(1).permuted(np.tile(logs, (DEALT, 1)), axis=1)
    seen = float(_range(logs[None, :], chosen)[0])
    chance = (1 + int((_range(dealt, chosen) >= seen).sum())) / (1 + DEALT)
    return Moved(float(np.expm1(seen)), len(numbers), chance <= CERTAIN)


def _range(logs: Array, chosen: NDArray[np.int64]) -> Array:
    """How far the medians of the layouts lie apart, for each row of logs."""
    medians = np.stack([np.median(logs[:, chosen == n], axis=1) for n in range(int(chosen.max()) + 1)])
    return np.asarray(medians.max(axis=0) - medians.min(axis=0), dtype=np.float64)
