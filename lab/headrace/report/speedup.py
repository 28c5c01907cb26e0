"""Speed-up against threads as a picture: rows that differ only in THREADS, a variant of contenders.

A speed-up is the ratio of the times of a contender on one thread and on several, paired by rounds. What the
same threads gain for a limit, which moves the bytes and does nothing else, is dashed beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from headrace.base import units
from headrace.base.text import visible
from headrace.report import curves, ratios
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing

KEY = "THREADS"
WIDTH, HEIGHT = curves.WIDTH, 360
_LEFT, _TOP, _BOTTOM = 62, 22, 316


@dataclass(frozen=True)
class Gain:
    """A contender on some threads, and how many times as fast it is there as on one."""

    threads: int
    ratio: Ratio


@dataclass(frozen=True)
class Line:
    """A contender over the numbers of threads, fewest first, from one on."""

    label: str
    role: str
    gains: Sequence[Gain]


@dataclass(frozen=True)
class Picture:
    """The contenders of one toolchain on one route."""

    group: Group
    toolchain: str
    lines: Sequence[Line]  # those that gain most first

    @property
    def title(self) -> str:
        """What it shows."""
        return visible(f"{self.group.title}: speed-up against threads, {self.toolchain}")

    @property
    def caption(self) -> str:
        """How to read it."""
        said = (
            "How many times as fast a contender is as itself on one thread, on log axes; a bar is the 95 % "
            "interval. The grey line is n times on n threads."
        )
        if any(line.role for line in self.lines):
            said += " Dashed: the limit, where the same threads move the bytes and do nothing else."
        return said

    @cached_property
    def threads(self) -> list[int]:
        """The numbers of threads."""
        return sorted({gain.threads for line in self.lines for gain in line.gains})

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The ends of the axis of speed-ups, with a little room."""
        every = [gain.ratio for line in self.lines for gain in line.gains]
        low = min(1.0, *(ratio.low or ratio.value for ratio in every))
        high = max(2.0, *(ratio.high or ratio.value for ratio in every))
        return low / 1.05, min(high, 4.0 * self.threads[-1]) * 1.05


def pictures(group: Group) -> list[Picture]:
    """Make a picture for each toolchain that has a contender on one thread and on several."""
    made = []
    for toolchain in dict.fromkeys(one.toolchain for one in group.measured):
        lines = [line for line in _lines(group, toolchain) if len(line.gains) > 1]
        if any(not line.role for line in lines):
            ordered = sorted(lines, key=lambda line: -line.gains[-1].ratio.value)
            made.append(Picture(group, toolchain, ordered))
    return made


def _lines(group: Group, toolchain: str) -> Iterator[Line]:
    by_name: dict[str, dict[int, Standing]] = {}
    for one in group.measured:
        count = one.row.variant.get(KEY, "")
        if one.toolchain == toolchain and one.role != "A/A" and count.isdecimal() and int(count) > 0:
            rest = [f"{key}={value}" for key, value in sorted(one.row.variant.items()) if key != KEY]
            by_name.setdefault(" ".join([one.row.contender, *rest]), {})[int(count)] = one
    for label, found in by_name.items():
        if 1 in found:
            first = found[1]
            gains = [Gain(1, Ratio(1.0))]
            for threads in sorted(set(found) - {1}):
                ratio = ratios.between(first.row, found[threads].row)
                gains += [Gain(threads, ratio)] if ratio else []
            yield Line(label, first.role, gains)


def inline(picture: Picture) -> str:
    """Draw for a page, which brings the style, the title and the caption itself."""
    title = escape(picture.title)
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="chart" role="img" aria-label="{title}">'
    return f"{head}{''.join([*_axes(picture), *_drawn(picture)])}</svg>"


def _right(picture: Picture) -> float:
    return curves.right([line.label for line in picture.lines])


def _x(picture: Picture, threads: float) -> float:
    return _LEFT + (_right(picture) - _LEFT) * math.log(threads) / math.log(picture.threads[-1])


def _y(picture: Picture, gain: float) -> float:
    low, high = picture.ends
    inside = min(max(gain, low), high)
    return _BOTTOM - (_BOTTOM - _TOP) * math.log(inside / low) / math.log(high / low)


def _axes(picture: Picture) -> Iterator[str]:
    right, (low, high) = _right(picture), picture.ends
    for threads in picture.threads:
        x = _x(picture, threads)
        yield f'<path class="rule" d="M{x:.1f} {_TOP}V{_BOTTOM}"/>'
        yield f'<text class="soft middle" x="{x:.1f}" y="{_BOTTOM + 17}">{threads}</text>'
    ticks = [0.25, 0.5, 1.0, 1.5] if high < 3 else [0.25, 0.5, 1.0]
    for tick in [*ticks, *(2.0**power for power in range(1, 11))]:
        if low <= tick <= high:
            y = _y(picture, tick)
            yield f'<path class="rule" d="M{_LEFT} {y:.1f}H{right:.1f}"/>'
            yield f'<text class="soft end" x="{_LEFT - 7}" y="{y + 4:.1f}">{tick:g}</text>'
    most = min(high, float(picture.threads[-1]))
    start, end = (f"{_x(picture, at):.1f} {_y(picture, at):.1f}" for at in (1.0, most))
    yield f'<path class="rule" stroke-width="2.5" d="M{start}L{end}"/>'
    yield '<text class="soft" x="8" y="12">times as fast as on one thread</text>'
    yield f'<text class="soft middle" x="{(_LEFT + right) / 2:.0f}" y="{_BOTTOM + 36}">threads</text>'


def _drawn(picture: Picture) -> Iterator[str]:
    right = _right(picture)
    ends = [_y(picture, line.gains[-1].ratio.value) for line in picture.lines]
    places = curves.label_places(ends, 15.0, _TOP, _BOTTOM)
    names = sorted(line.label for line in picture.lines if not line.role)
    for line, end, place in zip(picture.lines, ends, places, strict=True):
        colour = "grey" if line.role else f"k{names.index(line.label) % len(curves.ON_LIGHT)}"
        at = [(_x(picture, gain.threads), _y(picture, gain.ratio.value)) for gain in line.gains]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        yield f'<g class="line {colour}"><path class="curve{" aside" if line.role else ""}" d="M{path}"/>'
        for gain, (x, y) in zip(line.gains, at, strict=True):
            yield _point(picture, line, gain, x, y)
        yield f'<path class="leader" d="M{at[-1][0] + 5:.1f} {end:.1f}L{right + 14:.1f} {place:.1f}"/>'
        name = escape(visible(line.label))
        yield f'<text class="name" x="{right + 18:.1f}" y="{place + 4:.1f}">{name}</text></g>'


def _point(picture: Picture, line: Line, gain: Gain, x: float, y: float) -> str:
    ratio = gain.ratio
    said = f"{visible(line.label)}\n{gain.threads} threads: {ratio.text()} times as fast as on one"
    tip = escape(said if gain.threads > 1 else f"{visible(line.label)}\non one thread: {units.ratio(1.0)}")
    bar = ""
    if ratio.low and ratio.high:
        low, high = _y(picture, ratio.low), _y(picture, ratio.high)
        bar = f'<path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
    return (
        f'<g class="lane"><title>{tip}</title>{bar}<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
        f'<circle class="hit" cx="{x:.1f}" cy="{y:.1f}" r="10"/></g>'
    )
