"""Cost against size: the rows of a sweep joined to curves, where they cross, and what the start costs.

A sweep is found in the rows themselves: rankings of one benchmark on one route whose inputs differ in one
number. A curve is one build over the sizes. Two curves cross where the paired ratio of their times changes
sides with certainty: on either side of the crossing the judge calls one of them faster. The place is
interpolated as if times grew linearly between two sizes, and so are the ends of its range, from the ends of
the intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from headrace.judge.table import grouped
from headrace.report import ratios
from headrace.report.ranking import Group, Spread, Standing
from headrace.results.schema import BenchmarkInfo, Role

LEAST_SIZES = 3  # fewer make no curve


@dataclass(frozen=True)
class Point:
    """One build at one size."""

    size: int
    standing: Standing
    spread: Spread

    @property
    def build(self) -> tuple[str, str, str]:
        """What makes a curve of points: contender with setting, toolchain, role."""
        return self.standing.label, self.standing.toolchain, self.standing.role_name

    @property
    def scale(self) -> float:
        """What turns seconds into the cost: nanoseconds per token, or 1 where tokens are unknown."""
        return 1e9 / self.standing.row.tokens if self.standing.row.tokens > 0 else 1.0

    @property
    def cost(self) -> float:
        """The median cost: nanoseconds per token, or seconds per run where tokens are unknown."""
        return self.spread.median * self.scale


@dataclass(frozen=True)
class Curve:
    """One build over the sizes, smallest first. `start`: seconds of a process that does nothing, if known."""

    label: str
    toolchain: str
    role: str
    points: Sequence[Point]
    start: float | None = None

    @cached_property
    def fit(self) -> tuple[float, float]:
        """Seconds at the start and seconds a further unit of size: least squares of the relative errors."""
        return fitted([(point.size, point.spread.median) for point in self.points])

    @property
    def begins(self) -> float:
        """Seconds that the start takes: those of the floor, or of the fit where there is no floor."""
        return self.fit[0] if self.start is None else self.start

    def start_share(self, point: Point) -> float:
        """The part of a run that is the start of the process, at most 1."""
        return min(1.0, self.begins / point.spread.median) if point.spread.median > 0 else 1.0

    def half_start(self) -> float | None:
        """The size at which the start is half of the time, interpolated; None outside the sizes measured.

        Where it is less at the smallest size already, noise alone makes it half at another.
        """
        beyond = [(point.size, point.spread.median - 2 * self.begins) for point in self.points]
        return None if beyond[0][1] > 0 else _zero(beyond)

    def cost_at(self, size: float) -> float:
        """The cost at a size between two that were measured, as if time and tokens grew linearly between."""
        for left, right in pairwise(self.points):
            if left.size <= size <= right.size:
                part = (size - left.size) / (right.size - left.size)
                time = left.spread.median + part * (right.spread.median - left.spread.median)
                tokens = 1e9 / left.scale + part * (1e9 / right.scale - 1e9 / left.scale)
                return time * 1e9 / tokens
        raise ValueError(f"{size} is not between the sizes of the curve")

    def token(self) -> float | None:
        """Nanoseconds a further token, from the fit."""
        last = self.points[-1]
        tokens = last.standing.row.tokens
        return self.fit[1] * last.size / tokens * 1e9 if tokens > 0 else None


@dataclass(frozen=True)
class Crossing:
    """Up to `at` one is faster, from there on the other; `low` and `high` bound the place."""

    small: Curve  # the faster at small sizes
    large: Curve  # the faster at large sizes
    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Sweep:
    """All curves of a benchmark on one route."""

    benchmark: BenchmarkInfo
    source: str
    sink: str
    key: str  # the setting that was swept: "rows"
    sizes: Sequence[int]
    members: Sequence[Group]  # a ranking a size, smallest first
    curves: Sequence[Curve]  # fast first, by the largest size
    by_token: bool

    @property
    def title(self) -> str:
        """Benchmark, route and what was swept."""
        return f"{self.benchmark.name}, {self.source} to {self.sink}: cost against {self.key}"

    @property
    def toolchains(self) -> list[str]:
        """The toolchains of the curves, without scripts where there is any other."""
        names = dict.fromkeys(curve.toolchain for curve in self.curves)
        return [name for name in names if name != "script"] or list(names)

    def of(self, toolchain: str) -> list[Curve]:
        """The curves of one toolchain, and those of scripts, which have none."""
        return [curve for curve in self.curves if curve.toolchain in (toolchain, "script")]

    @cached_property
    def crossings(self) -> list[Crossing]:
        """Where a build overtakes another of its toolchain, those of the fastest first."""
        every = [
            crossing
            for curve, other in combinations([curve for curve in self.curves if not curve.role], 2)
            if curve.toolchain == other.toolchain or "script" in (curve.toolchain, other.toolchain)
            for crossing in crossings(curve, other)
        ]
        order = {id(curve): at for at, curve in enumerate(self.curves)}
        return sorted(
            every, key=lambda crossing: (order[id(crossing.large)], order[id(crossing.small)], crossing.at)
        )


def sweeps(rankings: Iterable[Group]) -> list[Sweep]:
    """Find the sweeps among a campaign's rankings."""
    by_route = grouped(rankings, lambda group: (group.benchmark.name, group.source, group.sink))
    made = (_sweep(members) for members in by_route.values())
    return [sweep for sweep in made if sweep is not None]


def swept(sweeps: Iterable[Sweep], group: Group) -> bool:
    """Tell whether a ranking is one size of a sweep."""
    return any(group is member or group == member for sweep in sweeps for member in sweep.members)


def differing(members: Sequence[Group]) -> list[str]:
    """Name the settings of the input in which rankings differ."""
    keys = dict.fromkeys(key for group in members for key in group.setting)
    return [key for key in keys if len({value(group, key) for group in members}) > 1]


def value(group: Group, key: str) -> str:
    """Give a setting of a ranking's input: its own, or the benchmark's."""
    return group.setting.get(key, group.benchmark.input.get(key, ""))


def _sweep(members: list[Group]) -> Sweep | None:
    keys = differing(members)
    if len(keys) != 1:
        return None
    by_size = {int(size): group for group in members if (size := value(group, keys[0])).isdecimal()}
    sizes = sorted(size for size in by_size if size > 0)
    if len(sizes) < LEAST_SIZES or len(sizes) < len(members):
        return None
    ordered = [by_size[size] for size in sizes]
    first = ordered[0]
    curves = _curves(sizes, ordered)
    if not any(len(curve.points) >= LEAST_SIZES for curve in curves):
        return None
    by_token = all(point.standing.row.tokens > 0 for curve in curves for point in curve.points)
    return Sweep(first.benchmark, first.source, first.sink, keys[0], sizes, ordered, curves, by_token)


def _curves(sizes: Sequence[int], members: Sequence[Group]) -> list[Curve]:
    """Join the builds over the sizes; a build that failed at one size has no point there."""
    every = [
        Point(size, row, row.spread)
        for size, group in zip(sizes, members, strict=True)
        for row in group.measured
        if row.role is not Role.TWIN and row.spread is not None and row.spread.median > 0
    ]
    points = grouped(every, lambda point: point.build)
    starts = {
        toolchain: min(point.spread.median for point in at_sizes)
        for (_, toolchain, role), at_sizes in points.items()
        if role == Role.FLOOR
    }
    curves = [
        Curve(label, toolchain, role, at_sizes, starts.get(toolchain))
        for (label, toolchain, role), at_sizes in points.items()
        if len(at_sizes) > 1
    ]
    return sorted(curves, key=lambda curve: (-curve.points[-1].size, curve.points[-1].cost))


def crossings(curve: Curve, other: Curve) -> list[Crossing]:
    """Find where two curves cross for certain."""
    theirs = {point.size: point for point in other.points}
    seen: list[_Difference] = []
    for point in curve.points:
        rival = theirs.get(point.size)
        ratio = rival and ratios.between(point.standing.row, rival.standing.row)
        if rival and ratio and ratio.low and ratio.high:
            sign = {"slower": 1, "faster": -1}.get(ratio.verdict, 0)
            bounds = [(bound - 1) * rival.spread.median for bound in (ratio.low, ratio.value, ratio.high)]
            seen.append(_Difference(point.size, sign, *bounds))
    certain = [at for at, difference in enumerate(seen) if difference.sign]
    crossed = []
    for left, right in pairwise(certain):
        if seen[left].sign != seen[right].sign:
            small, large = (curve, other) if seen[left].sign < 0 else (other, curve)
            crossed.append(_crossing(small, large, seen[left : right + 1]))
    return crossed


@dataclass(frozen=True)
class _Difference:
    """What one build takes longer than another at a size, in seconds. sign: 0 where that is not certain."""

    size: int
    sign: int
    low: float
    middle: float
    high: float


def _crossing(small: Curve, large: Curve, seen: Sequence[_Difference]) -> Crossing:
    """Place a crossing within the sizes of `seen`, of which the first and the last have different signs."""
    middle = _zero([(gap.size, gap.middle) for gap in seen])
    ends = (_zero([(gap.size, gap.low) for gap in seen]), _zero([(gap.size, gap.high) for gap in seen]))
    assert middle is not None and ends[0] is not None and ends[1] is not None
    return Crossing(small, large, middle, min(ends[0], ends[1]), max(ends[0], ends[1]))


def _zero(line: Sequence[tuple[float, float]]) -> float | None:
    """Interpolate where a line through points first changes its sign."""
    for (x, y), (next_x, next_y) in pairwise(line):
        if (y < 0) != (next_y < 0):
            return x + (next_x - x) * y / (y - next_y)
    return None


def fitted(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Fit time = a + b size by least squares of the relative errors; a and b are at least 0."""
    from scipy.optimize import nnls  # here, as few campaigns have a sweep

    sizes, times = np.transpose(points)
    largest = float(sizes.max())
    (start, slope), _ = nnls(np.column_stack([1 / times, sizes / largest / times]), np.ones(len(times)))
    return float(start), float(slope) / largest
