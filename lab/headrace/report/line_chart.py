"""Lines on log axes: the cost of builds against a size, and what contenders gain by more threads.

A speed-up is the ratio of the times of a contender on one thread and on several, paired by rounds: of rows
that differ only in THREADS, a variant of contenders.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headrace.base.text import visible
from headrace.report import ratios, svg, sweep_text
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.report.svg import Axis, Mark
from headrace.report.sweep import Curve, Sweep
from headrace.results.schema import Role

THREADS = "THREADS"
_LEFT, _TOP = 62, 22  # the axes' room
_LABEL = 7.5  # width of a character of a label, generously
_LINE = 15.0  # minimum distance of two labels
_WRAPPED = 12.5  # distance of two lines of a label


@dataclass(frozen=True)
class Line:
    """A build or a contender; `style`: its class of colour, `dash`: how its line is broken."""

    label: str
    style: str
    dash: str  # "", "aside", "second" or "third"
    marks: Sequence[Mark]


@dataclass(frozen=True)
class Picture(svg.Picture):
    """Lines, those that matter most first."""

    across: Axis
    up: Axis
    lines: Sequence[Line]
    rings: Sequence[Mark] = ()  # where lines cross
    diagonal: float = 0.0  # up to which x = y is drawn
    height: int = 470

    @property
    def body(self) -> str:
        """Return what is inside the SVG: the lines that matter most on top."""
        frame, lines = self.frame, zip(self.lines, self._names, strict=True)
        drawn = [self._line(line, named) for line, named in reversed(list(lines))]
        rings = [frame.spot(ring, "", frame.circle(ring, "ring", 7)) for ring in self.rings]
        return "".join([*frame.rules(), self._even, *drawn, *rings])

    @cached_property
    def frame(self) -> svg.Frame:
        """The field of the lines: the names at their ends need room at its right."""
        longest = max(len(visible(line.label)) for line in self.lines)
        right = self.width - min(34 + longest * _LABEL, self.width * 0.35)
        return svg.Frame(_LEFT, right, _TOP, self.height - svg.BELOW, self.across, self.up)

    @property
    def _even(self) -> str:
        ends = [f"{self.frame.x(at):.1f} {self.frame.y(at):.1f}" for at in (1.0, self.diagonal)]
        return svg.path("rule broad", f"M{'L'.join(ends)}") if self.diagonal else ""

    def _line(self, line: Line, named: str) -> str:
        path = "L".join(f"{self.frame.x(mark.x):.1f} {self.frame.y(mark.y):.1f}" for mark in line.marks)
        curve = svg.path(f"curve {line.dash}".strip(), f"M{path}")
        return f'<g class="line {line.style}">{curve}{"".join(map(self.frame.mark, line.marks))}{named}</g>'

    @cached_property
    def _names(self) -> list[str]:
        """Write each line's name at its end, on as many lines as it takes, apart from the others."""
        right, bottom = self.frame.right, self.frame.bottom
        most = int((self.width - right - 26) / _LABEL)
        labels = [textwrap.wrap(visible(line.label), most, break_on_hyphens=False) for line in self.lines]
        ends = [self.frame.y(line.marks[-1].y) for line in self.lines]
        distance = _LINE + (max(map(len, labels)) - 1) * _WRAPPED
        distance = min(distance, (bottom - _TOP + 20) / max(1, len(ends)))
        places = label_places(ends, distance, _TOP, bottom + 24)
        named = []
        for line, label, end, place in zip(self.lines, labels, ends, places, strict=True):
            first = place + 4 - (len(label) - 1) * _WRAPPED / 2
            texts = "".join(
                svg.text("name", right + 18, first + at * _WRAPPED, part) for at, part in enumerate(label)
            )
            leader = f"M{self.frame.x(line.marks[-1].x) + 5:.1f} {end:.1f}L{right + 14:.1f} {place:.1f}"
            named.append(svg.path("leader", leader) + texts)
        return named


def spread_out(places: Sequence[float], distance: float) -> list[float]:
    """Move labels apart, in order, as little as their minimum distance asks; sorted input, sorted output."""
    from scipy.optimize import isotonic_regression  # here, as few campaigns have lines

    if not places:
        return []
    room = distance * np.arange(len(places))
    return list(isotonic_regression(np.array(places) - room).x + room)


def label_places(ends: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Place the labels of lines that end at `ends` so that none covers another, within [low, high]."""
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    apart = spread_out([ends[at] for at in order], distance)
    shift = min(0.0, high - apart[-1]) if apart else 0.0
    shift = max(shift, low - apart[0]) if apart else 0.0
    return [apart[order.index(at)] + shift for at in range(len(ends))]


def log_axis(title: str, low: float, high: float, room: float = 1.0) -> Axis:
    """Make an axis with round ticks and some room at both ends."""
    low, high = low / room, high * room
    return Axis(title, low, high, [(tick, tick_text(tick)) for tick in svg.log_ticks(low, high)])


def tick_text(value: float) -> str:
    """Label a tick: "0.5", "1,000", "10 M"."""
    for unit, name in ((1e9, " G"), (1e6, " M")):
        if value >= unit:
            return f"{value / unit:,.10g}{name}"
    return f"{value:,.10g}"


def of_sweep(sweep: Sweep) -> list[Picture]:
    """Draw cost against size, a picture per toolchain; a contender keeps its colour in all of them."""
    names = list(dict.fromkeys(curve.label for curve in sweep.curves if not curve.role))
    drawn = [(toolchain, sweep.of(toolchain)) for toolchain in sweep.toolchains]
    return [_of_curves(sweep, toolchain, curves, names) for toolchain, curves in drawn if curves]


def _of_curves(sweep: Sweep, toolchain: str, curves: Sequence[Curve], names: Sequence[str]) -> Picture:
    every = [wall * p.scale for curve in curves for p in curve.points for wall in p.spread.walls]
    low, high = min(cost for cost in every if cost > 0), max(every)
    lines = []
    for curve in curves:
        turn, colour = divmod(names.index(curve.label), len(svg.LINES)) if curve.label in names else (0, -1)
        marks = [
            Mark(
                point.size,
                point.cost,
                sweep_text.hover(sweep, curve, point),
                point.spread.low * point.scale,
                point.spread.high * point.scale,
                [wall * point.scale for wall in point.spread.walls],
            )
            for point in curve.points
        ]
        dash = "aside" if curve.role else ("", "second", "third")[min(turn, 2)]
        lines.append(Line(curve.label, "grey" if colour < 0 else f"k{colour}", dash, marks))
    kept = {id(curve) for curve in curves}
    rings = [
        Mark(crossing.at, crossing.large.cost_at(crossing.at), sweep_text.crossing(sweep, crossing))
        for crossing in sweep.crossings
        if {id(crossing.large), id(crossing.small)} <= kept
    ]
    unit = "ns per token" if sweep.by_token else "s"
    return Picture(
        toolchain if len(sweep.toolchains) > 1 else "",
        visible(f"{sweep.title}, {toolchain}"),
        sweep_text.caption(sweep, toolchain),
        log_axis(visible(sweep.key), sweep.sizes[0], sweep.sizes[-1]),
        log_axis(unit, low, high, max(1.05, (high / low) ** 0.03)),
        lines,
        rings,
    )


def of_threads(group: Group) -> list[Picture]:
    """Draw speed-ups, a picture per toolchain that has a contender on one thread and on several."""
    made = []
    for toolchain in dict.fromkeys(row.toolchain for row in group.measured):
        speed_ups = [
            (label, role, gains) for label, role, gains in _gains(group, toolchain) if len(gains) > 1
        ]
        if any(not role for _, role, _ in speed_ups):
            speed_ups.sort(key=lambda speed_up: -max(speed_up[2].items())[1].value)
            made.append(_of_gains(group, toolchain, speed_ups))
    return made


def _gains(group: Group, toolchain: str) -> Iterator[tuple[str, str, dict[int, Ratio]]]:
    """Yield contenders, their roles, and how many times as fast they are on some threads as on one."""
    by_name: dict[str, dict[int, Standing]] = {}
    for row in group.measured:
        count = row.row.variant.get(THREADS, "")
        if row.toolchain == toolchain and row.role is not Role.TWIN and count.isdecimal() and int(count) > 0:
            rest = [f"{key}={value}" for key, value in sorted(row.row.variant.items()) if key != THREADS]
            by_name.setdefault(" ".join([row.row.contender, *rest]), {})[int(count)] = row
    for label, by_threads in by_name.items():
        if 1 in by_threads:
            alone, several = by_threads[1].row, sorted(set(by_threads) - {1})
            pairs = {n: ratios.between(alone, by_threads[n].row) for n in several}
            yield (
                label,
                by_threads[1].role_name,
                {1: Ratio(1.0), **{n: ratio for n, ratio in pairs.items() if ratio}},
            )


def _of_gains(group: Group, toolchain: str, speed_ups: list[tuple[str, str, dict[int, Ratio]]]) -> Picture:
    threads = sorted({number for _, _, gains in speed_ups for number in gains})
    every = [ratio for _, _, gains in speed_ups for ratio in gains.values()]
    low = min(1.0, *(ratio.low or ratio.value for ratio in every)) / 1.05
    high = max(2.0, *(ratio.high or ratio.value for ratio in every))
    high = min(high, 4.0 * threads[-1]) * 1.05
    names = sorted(label for label, role, _ in speed_ups if not role)
    lines = [
        Line(
            label,
            "grey" if role else f"k{names.index(label) % len(svg.LINES)}",
            "aside" if role else "",
            [
                Mark(n, ratio.value, _gain(label, n, ratio), ratio.low, ratio.high)
                for n, ratio in gains.items()
            ],
        )
        for label, role, gains in speed_ups
    ]
    ticks = [0.25, 0.5, 1.0, *([1.5] if high < 3 else []), *(2.0**power for power in range(1, 11))]
    return Picture(
        f"threads-{toolchain}",
        visible(f"{group.title}: speed-up against threads, {toolchain}"),
        say("speed-ups") + (say("speed-up-limit") if any(role for _, role, _ in speed_ups) else ""),
        Axis("threads", 1.0, threads[-1], [(n, str(n)) for n in threads]),
        Axis(
            "times as fast as on one thread",
            low,
            high,
            [(tick, f"{tick:g}") for tick in ticks if low <= tick <= high],
        ),
        lines,
        diagonal=min(high, float(threads[-1])),
        height=360,
    )


def _gain(label: str, threads: int, ratio: Ratio) -> str:
    key = "one-thread" if threads == 1 else "gain"
    return say(key, label=label, threads=threads, ratio=ratio)
