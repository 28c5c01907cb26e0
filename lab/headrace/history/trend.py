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
SAMPLE = 500  # of many values, for their median
FIRST_SPLITS = 8  # places where an interval is split at first
SUSPICIOUS = 0.75  # the share of the threshold that one of them has to reach for more to be tried
MOST_SPLITS = 256  # places that are tried then, with all beside the best one


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


def changes(ratios: Sequence[float] | Values) -> list[Change]:
    """Find where ratios change their level, in O(n log n); those that are 0 are passed over.

    Seeded binary segmentation (S. Kovács, H. Li, P. Bühlmann, A. Munk, Biometrika 2023) on the logarithm: of
    the intervals whose halves differ by more than noise, the narrowest speak first (R. Baranowski, Y. Chen,
    P. Fryzlewicz, 2019); each change is then looked for again between its neighbours, and stays where it
    differs there as well. The scale of the noise is that of neighbours' differences, by their median, so that
    changes do not count as noise. Campaigns that ran apart are no pairs: a change is a suspicion.
    """
    every = np.asarray(ratios, dtype=np.float64)
    is_compared = every > 0
    values = every[is_compared]
    if len(values) < FEWEST:
        return []
    np.log(values, out=values)
    steps = np.diff(values)
    noise = median(np.abs(steps, out=steps)) / (0.6745 * math.sqrt(2))
    threshold = max(noise, MARGIN / 10) * math.sqrt(PENALTY * math.log(len(values)))
    ends = _ends(values, threshold)
    if not ends:
        return []
    levels = [median(values[a:b]) for a, b in pairwise([0, *ends, len(values)])]
    return [
        Change(int(at), math.exp(before), math.exp(after))
        for at, (before, after) in zip(np.flatnonzero(is_compared)[ends], pairwise(levels), strict=True)
        if abs(after - before) > math.log1p(MARGIN)
    ]


def median(values: Values) -> float:
    """Return the median, and change the order of values. That of numpy loads numpy.ma, which takes longer."""
    lower, upper = (len(values) - 1) // 2, len(values) // 2
    if len(values) > 10 * SAMPLE:  # it is near that of a sample
        sample = np.sort(values[:: len(values) // SAMPLE])
        low, high = sample[[2 * len(sample) // 5, 3 * len(sample) // 5]]
        below, near = np.count_nonzero(values < low), values[(values >= low) & (values <= high)]
        if below <= lower and upper < below + len(near):
            values, lower, upper = near, lower - below, upper - below
    values.partition((lower, upper))
    return float(values[lower : upper + 1].mean())


def _ends(values: Values, threshold: float) -> list[int]:
    """Return where levels end, in order."""
    sums = np.zeros(len(values) + 1)
    np.subtract(values, values.mean(), out=sums[1:])
    np.cumsum(sums, out=sums)
    ends: list[int] = []
    length = 2 * FEWEST_OF_A_LEVEL
    while True:
        length = min(length, len(values))
        for start in _suspects(sums, length, SUSPICIOUS * threshold):
            place = bisect.bisect_right(ends, start)
            if place < len(ends) and ends[place] < start + length:  # one is inside of it
                continue
            contrast, split = _best(sums[start : start + length + 1])
            if contrast > threshold:
                ends.insert(place, start + split)
        if length == len(values):
            return _confirmed(sums, ends, threshold)
        length *= 2


def _suspects(sums: Values, length: int, threshold: float) -> list[int]:
    """Return where those intervals of a length start whose halves may differ, the clearest first.

    They overlap by half, short ones by more, so that each place is a split of one of them; the last one ends
    with the series. Each is split at a few places: a step is seen from its neighbourhood, too (S. Kovács,
    H. Li, L. Haubner, A. Munk, P. Bühlmann, Optimistic search, 2020).
    """
    apart = min(length // 2, length - 2 * FEWEST_OF_A_LEVEL + 1)
    last, step = len(sums) - 1 - length, max(1, length // FIRST_SPLITS)
    starts = sums[: last + 1 : apart].copy()
    slopes = (sums[length::apart] - starts) / length
    clearest, contrasts = np.zeros_like(starts), np.empty_like(starts)
    for inside in range(max(step, FEWEST_OF_A_LEVEL), length - FEWEST_OF_A_LEVEL + 1, step):
        np.multiply(slopes, -inside, out=contrasts)
        contrasts -= starts
        contrasts += sums[inside : inside + last + 1 : apart]
        np.abs(contrasts, out=contrasts)
        contrasts *= math.sqrt(length / (inside * (length - inside)))
        np.maximum(clearest, contrasts, out=clearest)
    suspects = [(float(clearest[at]), apart * int(at)) for at in np.flatnonzero(clearest > threshold)]
    suspects.append((_best(sums[last:])[0], last))
    suspects.sort(key=lambda suspect: -suspect[0])
    return [start for contrast, start in suspects if contrast > threshold]


def _best(sums: Values) -> tuple[float, int]:
    """Return by how much the halves of an interval differ at its best split, and that split.

    Of a long one it is looked for at evenly spaced places, and then at all beside the best of these.
    """
    last = len(sums) - 1 - FEWEST_OF_A_LEVEL
    step = max(1, len(sums) // MOST_SPLITS)
    contrast, split = _clearest(sums, range(FEWEST_OF_A_LEVEL, last + 1, step))
    if step > 1:
        near = range(max(split - step, FEWEST_OF_A_LEVEL), min(split + step, last) + 1)
        contrast, split = _clearest(sums, near)
    return contrast, split


def _clearest(sums: Values, splits: range) -> tuple[float, int]:
    length, inside = len(sums) - 1, np.arange(splits.start, splits.stop, splits.step)
    contrasts = np.abs(sums[inside] - sums[0] - (sums[-1] - sums[0]) * (inside / length))
    contrasts *= np.sqrt(length / (inside * (length - inside)))
    best = contrasts.argmax()
    return float(contrasts[best]), int(inside[best])


def _confirmed(sums: Values, ends: list[int], threshold: float) -> list[int]:
    """Move each end to its best place between its neighbours, and drop those that are no more than noise."""
    kept = [0]
    for end, after in pairwise([*ends, len(sums) - 1]):
        between = sums[kept[-1] : after + 1]
        if end <= kept[-1] or len(between) <= 2 * FEWEST_OF_A_LEVEL:
            continue
        contrast, split = _best(between)
        if contrast > threshold:
            kept.append(kept[-1] + split)
    return kept[1:]
