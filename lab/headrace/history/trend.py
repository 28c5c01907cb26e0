"""Changes of the level of a series of ratios."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

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


def changes(ratios: Sequence[float]) -> list[Change]:
    """Find where ratios change their level, in O(n log n); those that are 0 are passed over.

    Seeded binary segmentation (S. Kovács, H. Li, P. Bühlmann, A. Munk, Biometrika 2023) on the logarithm: of
    the intervals whose halves differ by more than noise, the narrowest speak first (R. Baranowski, Y. Chen,
    P. Fryzlewicz, 2019); each change is then looked for again between its neighbours, and stays where it
    differs there as well. The scale of the noise is that of neighbours' differences, by their median, so that
    changes do not count as noise. Campaigns that ran apart are no pairs: a change is a suspicion.
    """
    every = np.array(ratios, dtype=np.float64)
    places = np.flatnonzero(every > 0)
    if len(places) < FEWEST:
        return []
    values = np.log(every[places])
    noise = _median(np.abs(np.diff(values))) / (0.6745 * math.sqrt(2))
    scaled = np.asarray(values / max(noise, MARGIN / 10), dtype=np.float64)
    ends = [0, *_ends(scaled, math.sqrt(PENALTY * math.log(len(places)))), len(places)]
    levels = [_median(values[a:b]) for a, b in pairwise(ends)]
    return [
        Change(int(places[end]), math.exp(before), math.exp(after))
        for end, (before, after) in zip(ends[1:], pairwise(levels), strict=False)
        if abs(after - before) > math.log1p(MARGIN)
    ]


def _median(values: Values) -> float:
    """Return the median. That of numpy loads numpy.ma first, which takes longer than a series."""
    upper = len(values) // 2
    lower = (len(values) - 1) // 2
    return float(np.partition(values, (lower, upper))[lower : upper + 1].mean())


def _ends(values: Values, threshold: float) -> list[int]:
    """Return where levels end, in order."""
    sums = np.concatenate(([0.0], np.cumsum(values - values.mean())))
    ends: list[int] = []
    length = 2 * FEWEST_OF_A_LEVEL
    while True:
        length = min(length, len(values))
        for start, split in _splits(sums, length, threshold):
            place = bisect.bisect_right(ends, start)
            if place == len(ends) or ends[place] >= start + length:  # none is inside of it yet
                ends.insert(place, split)
        if length == len(values):
            return _confirmed(sums, ends, threshold)
        length *= 2


def _splits(sums: Values, length: int, threshold: float) -> list[tuple[int, int]]:
    """Return (start, best split) of the intervals of a length that differ by more than the threshold.

    The intervals overlap by half; the clearest comes first. All is calculated in place, and along the longer
    side of the array.
    """
    windows = np.lib.stride_tricks.sliding_window_view(sums, length + 1)
    last = len(windows) - 1
    starts = np.append(np.arange(0, last, length // 2), last)
    gathered = np.empty((len(starts), length + 1), order="F" if len(starts) > length else "C")
    gathered[:-1] = windows[: last : length // 2]
    gathered[-1] = windows[last]
    inside = np.arange(FEWEST_OF_A_LEVEL, length - FEWEST_OF_A_LEVEL + 1)
    contrasts = gathered[:, FEWEST_OF_A_LEVEL : length - FEWEST_OF_A_LEVEL + 1] - gathered[:, :1]
    contrasts -= (gathered[:, -1:] - gathered[:, :1]) * (inside / length)
    np.abs(contrasts, out=contrasts)
    contrasts *= np.sqrt(length / (inside * (length - inside)))
    clearest = contrasts.max(axis=1)
    told = np.flatnonzero(clearest > threshold)
    told = told[np.argsort(-clearest[told], kind="stable")]
    best = inside[contrasts[told].argmax(axis=1)]
    return [(int(start), int(start + split)) for start, split in zip(starts[told], best, strict=True)]


def _confirmed(sums: Values, ends: list[int], threshold: float) -> list[int]:
    """Move each end to its best place between its neighbours, and drop those that are no more than noise."""
    kept = [0]
    for end, after in pairwise([*ends, len(sums) - 1]):
        between = sums[kept[-1] : after + 1]
        if end <= kept[-1] or len(between) <= 2 * FEWEST_OF_A_LEVEL:
            continue
        for _, split in _splits(between, len(between) - 1, threshold):
            kept.append(kept[-1] + split)
    return kept[1:]
