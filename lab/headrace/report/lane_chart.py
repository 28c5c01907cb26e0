"""Lanes of samples on an axis of times: what a picture shows, and how it is drawn.

The axis starts at zero, unless the slowest takes more than WIDE times as long as the fastest: then it is
logarithmic, and lanes have no bars, whose lengths would mean nothing.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from headrace.base import units
from headrace.base.text import plural, some, visible
from headrace.judge.table import grouped
from headrace.report import conditions, svg
from headrace.report.prose import say, span
from headrace.report.ranking import Group, Spread, Standing
from headrace.results.schema import Campaign, Role

FAST = 3.0  # the picture of the fast ones ends at this many times the baseline
WIDE = 10.0  # between the fastest and the slowest, beyond which a linear axis hides the fast ones
_BULK = 1.25  # samples beyond so many times their median need no room on the axis: a mark counts them
LANE = 14  # height of a lane
_GAP = 11  # between contenders
_TOP = 30  # above the first lane, below the legend
_RIGHT = 84  # minimum room for the median in figures
_NAME_LINE = 13  # height of a line of a contender's name
_LANES = 150  # more than that no eye can follow: the fastest contenders are kept
_TIMES = {"process": "Wall time of a whole run", "in-process": "Wall time of a call, timed in the process"}
_CLEAR_GAP = 1.5  # without a baseline, a gap this wide parts the fast from the slow


@dataclass(frozen=True)
class Lane:
    """One row of the results: its samples side by side."""

    standing: Standing
    colour: int  # index into the palettes

    spread: Spread

    @property
    def median(self) -> float:
        """Seconds."""
        return self.spread.median

    @property
    def bulk(self) -> float:
        """Seconds: where three quarters of the samples and the interval of the median end."""
        return max(self.spread.high, sorted(self.spread.walls)[(len(self.spread.walls) - 1) * 3 // 4])

    @property
    def reach(self) -> float:
        """Seconds: how far the axis has to go for it, which is not to the farthest outlier."""
        return max(self.bulk, min(self.spread.maximum, self.median * _BULK))


@dataclass(frozen=True)
class Chart(svg.Picture):
    """A picture: categories (contenders) from fast to slow, each with a lane a toolchain."""

    categories: Sequence[tuple[str, Sequence[Lane]]]
    legend: Sequence[tuple[str, int]]
    end: float  # seconds at the right end of the axis; lanes beyond it are named, not drawn
    unit: units.TimeUnit
    start: float = 0.0  # seconds at the left end; above 0 the axis is logarithmic
    margin = 8

    @property
    def body(self) -> str:
        """Return what is inside the SVG."""
        return "".join([*self._keys(), *self._stripes(), *self.frame.rules(), *self._contenders()])

    @property
    def height(self) -> float:
        """Return the height with the legend and both axes."""
        return self._top + sum(self._heights) + 2 + svg.BELOW

    @property
    def attributes(self) -> str:
        """Return the axis, from which the page's script tells the time of a dot."""
        return (
            f' data-left="{self.frame.left:.1f}" data-right="{self.frame.right:.1f}" '
            f'data-start="{self.start:.6g}" data-end="{self.end:.6g}" '
            f'data-scale="{self.unit.per_second:.0f}" data-unit="{self.unit.name}"'
        )

    @cached_property
    def axis(self) -> svg.Axis:
        """The axis of times in seconds, its ticks labelled in the unit."""
        scale, is_log = self.unit.per_second, self.start > 0
        if is_log:
            ticks = [tick / scale for tick in svg.log_ticks(self.start * scale, self.end * scale)]
        else:
            step = svg.round_step(self.end * scale / max(2, self.width * 7 / svg.WIDTH)) / scale
            ticks = [step * at for at in range(int(self.end / step * 1.0001) + 1)]
        title = f"wall time, {self.unit.name}{', logarithmic' if is_log else ''}"
        labelled = [(tick, f"{tick * scale:,.10g}") for tick in ticks]
        return svg.Axis(title, self.start, self.end, labelled, is_log)

    def beyond(self, lane: Lane) -> int:
        """Count a lane's samples that are past the end of the axis."""
        return sum(wall > self.end for wall in lane.spread.walls)

    def name_lines(self, name: str) -> list[str]:
        """Break a contender's name into lines that fit left of the axis; nothing of it is left out."""
        room = self._left - 30
        lines = [""]
        for glue, part in (piece for word in visible(name).split() for piece in _pieces(word, room)):
            if lines[-1] and svg.text_width(lines[-1] + glue + part) <= room + svg.CHARACTER:
                lines[-1] += glue + part
            else:
                lines += textwrap.wrap(part, max(8, int(room / svg.CHARACTER) + 1), break_on_hyphens=False)
        return [line for line in lines if line] or [""]

    @property
    def _named(self) -> bool:
        """Whether colours repeat, so that each lane must name its toolchain and a legend would mislead."""
        return len(self.legend) > len(svg.LANES)

    def _value(self, lane: Lane) -> str:
        """Label a lane: its median, its toolchain where the colour does not tell it, and its outliers."""
        text = self.unit.brief(lane.median)
        text += f"  {visible(lane.standing.toolchain)}" if self._named else ""
        beyond = self.beyond(lane) if lane.median <= self.end else 0
        return f"{text}  +{beyond} \N{RIGHTWARDS ARROW}" if beyond else text

    @cached_property
    def _left(self) -> float:
        widest = max(svg.text_width(visible(name)) for name, _ in self.categories)
        return min(30.0 + widest, self.width * 0.38)

    @cached_property
    def frame(self) -> svg.Frame:
        """The field of the lanes: the labels of the slowest need room at its right."""
        longest = max(len(self._value(lane)) for _, lanes in self.categories for lane in lanes)
        right = self.width - min(max(_RIGHT, 20 + longest * 6.1), self.width * 0.4)
        return svg.Frame(self._left, right, self._top - 8, self.height - svg.BELOW, self.axis)

    @property
    def _top(self) -> float:
        """Where the first lane begins: below the legend and the labels of the axis."""
        return 20.0 * len(self._legend) + _TOP

    @cached_property
    def _heights(self) -> list[float]:
        """Each contender's height: that of its lanes, or of its name where that takes more lines."""
        return [
            max(len(lanes) * LANE, len(self.name_lines(name)) * _NAME_LINE) + _GAP
            for name, lanes in self.categories
        ]

    @cached_property
    def _legend(self) -> list[list[tuple[str, int, float]]]:
        """The legend in lines: (name, colour, x)."""
        rows: list[list[tuple[str, int, float]]] = [[]]
        x = 16.0
        for name, colour in () if self._named else self.legend:
            width = 34 + svg.text_width(name)
            if rows[-1] and x + width > self.width - 18:
                rows.append([])
                x = 16.0
            rows[-1].append((name, colour, x))
            x += width
        return [] if self._named else rows

    def _keys(self) -> Iterator[str]:
        for line, entries in enumerate(self._legend):
            for name, colour, x in entries:
                yield svg.rect(f"key c{colour}", x, 5 + 20 * line, 10, 10)
                yield svg.text("", x + 16, 14 + 20 * line, visible(name))

    def _stripes(self) -> Iterator[str]:
        y = self._top - _GAP / 2
        for at, height in enumerate(self._heights):
            if at % 2 == 0:
                yield svg.rect("zebra", 8, y, self.width - 16, height)
            y += height

    def _contenders(self) -> Iterator[str]:
        y = self._top
        for (name, lanes), height in zip(self.categories, self._heights, strict=True):
            middle = y + (height - _GAP) / 2
            lines = self.name_lines(name)
            for at, line in enumerate(lines):
                base = middle + 4.5 + (at - (len(lines) - 1) / 2) * _NAME_LINE
                yield svg.text("end", self._left - 10, base, line)
            first = middle - len(lanes) * LANE / 2
            for at, lane in enumerate(lanes):
                yield self._lane(lane, first + at * LANE)
            y += height

    def _lane(self, lane: Lane, top: float) -> str:
        spread, middle, left = lane.spread, top + LANE / 2, self._left
        value = self._value(lane)
        hit = svg.rect("hit", left, top, self.width - left - 8, LANE)
        if spread.median > self.end:
            label = svg.text("value end", self.width - 14, middle + 4, f"{value} \N{RIGHTWARDS ARROW}")
            return svg.hovered(f"c{lane.colour}", hover(lane), hit + label)
        x = self.frame.x(spread.median)
        places = ((wall, middle + svg.jitter(at)) for at, wall in enumerate(spread.walls))
        dots = ((self.frame.x(wall), y) for wall, y in places if wall <= self.end)
        drawn = [
            hit,
            "" if self.axis.is_log else svg.rect("bar", left, top + 2, x - left, LANE - 4),
            svg.path("ci", f"M{self.frame.x(spread.low):.1f} {middle:.1f}H{self.frame.x(spread.high):.1f}"),
            svg.dots("dots", dots),
            svg.path("mid", f"M{x:.1f} {top + 1:.1f}v{LANE - 2}"),
            svg.text("value beside", self._label_at(lane), middle + 4, value),
        ]
        return svg.hovered(f"c{lane.colour}", hover(lane), "".join(drawn))

    def _label_at(self, lane: Lane) -> float:
        """Where a lane's label begins: in the first wide gap between its dots, else past them all.

        One that counts outliers is past the axis, where they are.
        """
        if self.beyond(lane):
            return self.frame.right + 5
        width = svg.text_width(self._value(lane))
        at = self.frame.x(min(lane.bulk, self.end)) + 7
        for wall in sorted(lane.spread.walls):
            dot = self.frame.x(wall)
            if wall <= self.end and at - 4 < dot < at + width:
                at = dot + 7
        return at


def _pieces(word: str, room: float) -> list[tuple[str, str]]:
    """Cut a word that is too long after its underscores; with each piece goes what joins it to the last."""
    is_long = svg.text_width(word) > room + svg.CHARACTER
    pieces = [piece for piece in re.split(r"(?<=_)", word) if piece] if is_long else [word]
    return [("" if at else " ", piece) for at, piece in enumerate(pieces)]


def charts(group: Group, campaign: Campaign) -> list[Chart]:
    """Make the picture of all contenders and, where slow ones hide the others, that of the fast ones."""
    lanes = _lanes(group)
    end = max((lane.reach for lane in lanes), default=0.0)
    if end <= 0:  # nothing measured, or a clock too coarse to see it
        return []
    shortest = min(lane.spread.minimum for lane in lanes)
    medians = [lane.median for lane in lanes]
    wide = shortest > 0 and max(medians) > WIDE * min(medians)
    made = [_chart("all", group, campaign, lanes, end, "", shortest / 1.1 if wide else 0.0)]
    cut, rule = _fast_end(group, lanes)
    fast = [lane for lane in lanes if lane.median <= cut]
    end = max((lane.reach for lane in fast), default=0.0)
    ranked = {lane.standing.label for lane in fast if not lane.standing.role}
    if len(fast) < len(lanes) and len(ranked) > 1 and end > 0:
        kept = {lane.standing.label for lane in fast}
        shown = [lane for lane in lanes if lane.standing.label in kept]
        out = len(lanes) - len(fast)
        rule = say("left-out", rows=out, rule=rule)
        made.append(_chart("fast", group, campaign, shown, end, rule))
    return made


def _lanes(group: Group) -> list[Lane]:
    lanes = [
        Lane(standing, standing.colour % len(svg.LANES), standing.spread)
        for standing in group.measured
        if standing.role is not Role.TWIN and standing.spread
    ]
    kept = list(dict.fromkeys(lane.standing.label for lane in lanes))
    while len([lane for lane in lanes if lane.standing.label in kept]) > _LANES and len(kept) > 1:
        kept.pop()
    return [lane for lane in lanes if lane.standing.label in kept]


def _chart(
    name: str,
    group: Group,
    campaign: Campaign,
    lanes: list[Lane],
    end: float,
    rule: str,
    start: float = 0.0,
) -> Chart:
    categories = grouped(lanes, lambda lane: lane.standing.label)
    for members in categories.values():
        members.sort(key=lambda lane: lane.standing.colour)
    legend = {lane.standing.colour: (lane.standing.toolchain, lane.colour) for lane in lanes}
    which = "the fast ones" if name == "fast" else "all contenders"
    left_out = len({standing.label for standing in group.measured}) - len(categories)
    if name == "all" and left_out > 0:
        rule = say("fastest-only", kept=len(categories), out=left_out)
    return Chart(
        name=name,
        title=f"{visible(group.title)}: {which}",
        caption=rule + _how_to_read(group, campaign, lanes, end * 1.02, start > 0),
        categories=list(categories.items()),
        legend=[legend[number] for number in sorted(legend)],
        end=end * 1.02,
        unit=units.time_unit([end / 10]),
        start=start,
    )


def _failed(group: Group) -> list[str]:
    """Name what has no lane: of a contender that other builds have lanes of, by how many builds."""
    drawn = {row.label for row in group.measured}
    builds = Counter((row.label, row.outcome) for row in group.failed)
    names = []
    for (label, outcome), count in builds.items():
        number = f": {plural(count, 'build')}" if label in drawn else ""
        names.append(f"{visible(label)} ({outcome}{number})")
    return names


def _how_to_read(group: Group, campaign: Campaign, lanes: list[Lane], end: float, is_log: bool) -> str:
    sizes = sorted(len(lane.spread.walls) for lane in lanes)
    few, enough = sizes[0] < conditions.FEW_SAMPLES, sizes[-1] >= conditions.FEW_SAMPLES
    interval = "some-intervals" if few else "all-intervals"
    out = sum(wall > end for lane in lanes if lane.median <= end for wall in lane.spread.walls)
    failed = _failed(group)
    parts = [
        say(
            "lanes",
            time=_TIMES.get(group.benchmark.kind, "Wall time"),
            samples=span([f"{sizes[0]}", plural(sizes[-1], "sample")][sizes[0] == sizes[-1] :]),
            interval=say(interval, enough=conditions.FEW_SAMPLES) if enough else "",
        ),
        say("outliers", out=out) if out else "",
        say("log-axis") if is_log else "",
        say("not-drawn", failed=some(failed, 4)) if failed else "",
        *conditions.unusual(campaign),
        *(f"{visible(proviso)}." for proviso in group.provisos),
        f"{visible(campaign.machine.cpu)}, {visible(campaign.started[:10])}.",
    ]
    return " ".join(filter(None, parts))


def _fast_end(group: Group, lanes: list[Lane]) -> tuple[float, str]:
    """Find where the fast ones end, in seconds, and the rule in words."""
    base = [lane.median for lane in lanes if lane.standing.row.contender == group.benchmark.baseline]
    if base and (cut := FAST * min(base)) < max(lane.median for lane in lanes):
        return cut, say("slower-than", times=f"{FAST:.0f}", baseline=group.benchmark.baseline)
    ordered = sorted(lane.median for lane in lanes if lane.median > 0)
    gaps = [
        (math.log(slow / fast), fast)
        for at, (fast, slow) in enumerate(pairwise(ordered), start=1)
        if at >= max(2, len(ordered) // 3)
    ]
    width, cut = max(gaps, default=(0.0, math.inf))
    if width < math.log(_CLEAR_GAP):
        return math.inf, ""
    return cut, say("widest-gap", factor=f"{math.exp(width):.1f}")


def hover(lane: Lane) -> str:
    """Say all figures of a lane in a few lines."""
    standing, spread = lane.standing, lane.spread
    time = units.one_time
    lines = [
        f"{visible(standing.label)}, {visible(standing.toolchain)}",
        f"median {time(spread.median)} [{time(spread.low)}, {time(spread.high)}]",
        f"{time(spread.minimum)} to {time(spread.maximum)} in {plural(len(spread.walls), 'sample')}",
    ]
    if standing.to_baseline and standing.to_baseline.low:
        lines.append(f"{standing.to_baseline.text} times the baseline")
    if standing.place:
        lines.append(f"place {standing.place}" if standing.rank else standing.place)
    return "\n".join(lines)
