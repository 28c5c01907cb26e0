"""Where a series of ratios changes its level."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from headrace.base.errors import NothingToDo
from headrace.history.index import Point

FEWEST = 8  # points that say anything of changes
FEWEST_OF_A_LEVEL = 2
PENALTY = 4.0  # of a change, in ln(points): more than the Bayesian criterion, as the noise is estimated
MARGIN = 0.01  # a smaller change is not told


@dataclass(frozen=True)
class Change:
    """The level of a series before and after one of its points."""

    at: int  # the first point after it
    before: float  # median ratio, since the change before
    after: float

    @property
    def factor(self) -> float:
        """After divided by before: above 1 it became slower against the baseline."""
        return self.after / self.before


def changes(points: Sequence[Point]) -> list[Change]:
    """Find where the ratio changes, by PELT (R. Killick, P. Fearnhead, I. A. Eckley, 2012) on its logarithm.

    The scale of the noise is that of neighbours' differences, by their median, so that changes do not count
    as noise. Campaigns that ran apart are no pairs: what is found is a suspicion. Points without a ratio are
    passed over. Raises NothingToDo where ruptures, which has the algorithm, is not installed.
    """
    places = [at for at, point in enumerate(points) if point.ratio]
    if len(places) < FEWEST:
        return []
    values = np.log([points[at].ratio or math.nan for at in places])
    noise = float(np.median(np.abs(np.diff(values)))) / (0.6745 * math.sqrt(2))
    scaled = (values / max(noise, MARGIN / 10)).astype(np.float64)
    ends = [0, *_levels_end(scaled, PENALTY * math.log(len(places)))]
    levels = [float(np.median(values[a:b])) for a, b in pairwise(ends)]
    found = []
    for end, (before, after) in zip(ends[1:], pairwise(levels), strict=False):
        if abs(after - before) > math.log1p(MARGIN):
            found.append(Change(places[end], math.exp(before), math.exp(after)))
    return found


def _levels_end(values: npt.NDArray[np.float64], penalty: float) -> list[int]:
    try:
        ruptures = importlib.import_module("ruptures")  # only here: nothing else needs it
    except ImportError:
        raise NothingToDo(
            "changes are found with ruptures, which is not installed: pip install 'headrace[history]'"
        ) from None
    found = ruptures.Pelt(model="l2", min_size=FEWEST_OF_A_LEVEL, jump=1).fit(values).predict(pen=penalty)
    return [int(end) for end in found]
