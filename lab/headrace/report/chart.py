"""Lanes of samples on an axis of times: what a picture shows, and how it is drawn.

The axis starts at zero, unless the slowest takes more than WIDE times as long as the fastest: then it is
logarithmic, and lanes have no bars, whose lengths would mean nothing.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import pairwise

from headrace.base import units
from headrace.base.text import listed, plural, visible
from headrace.report import conditions, svg
from headrace.report.standing import Group, Standing
from headrace.results.schema import Campaign, Role

FAST = 3.0  # the picture of the fast ones ends at this many times the baseline
WIDE = 10.0  # between the fastest and the slowest, beyond which a linear axis hides the fast ones
_BULK = (
    1.25  # samples beyond this many times their median need no room on the axis: a mark says they are there
)
LANE = 14  # height of a lane
_GAP = 11  # between contenders
_TOP = 30  # above the first lane, below the legend
_RIGHT = 84  # minimum room for the median in figures
_NAME_LINE = 13  # height of a line of a contender's name
_LANES = 150  # more than that no eye can follow: the fastest contenders are kept
_CLEAR_GAP = 1.5  # without a baseline, a gap this wide parts the fast from the slow


@dataclass(frozen=True)
class Lane:
    """One row of the results: its samples side by side."""

    standing: Standing
    colour: int  # index into the palettes

    @property
    def median(self) -> float:
        """Seconds."""
        return self.standing.spread.median if self.standing.spread else 0.0

    @property
    def bulk(self) -> float:
        """Seconds: where three quarters of the samples and the interval of the median end."""
        spread = self.standing.spread
        if spread is None:
            return 0.0
        return max(spread.high, sorted(spread.walls)[(len(spread.walls) - 1) * 3 // 4])


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
        return "".join([*_legend(self), *_stripes(self), *_axis(self), *_categories(self)])

    @property
    def height(self) -> float:
        """Return the height with the legend and both axes."""
        return _legend_height(self) + _TOP + sum(heights(self)) + 42

    @property
    def attributes(self) -> str:
        """Return the axis, from which the page's script tells the time of a dot."""
        return (
            f' data-left="{_left(self):.1f}" data-right="{_right(self):.1f}" '
            f'data-start="{self.start:.6g}" data-end="{self.end:.6g}" '
            f'data-scale="{self.unit.per_second:.0f}" data-unit="{self.unit.name}"'
        )

    @cached_property
    def longest_value(self) -> int:
        """Characters of the longest lane's label."""
        return max(len(self.value(lane)) for _, lanes in self.categories for lane in lanes)

    @cached_property
    def widest_name(self) -> float:
        """About how many pixels the widest name of a contender takes."""
        return max(svg.text_width(visible(name)) for name, _ in self.categories)

    @property
    def is_log(self) -> bool:
        """Whether equal distances are equal ratios."""
        return self.start > 0

    def share(self, seconds: float) -> float:
        """Return where a time is on the axis: 0 at its left end, 1 at its right one."""
        if not self.is_log:
            return seconds / self.end
        return math.log(max(seconds, self.start) / self.start) / math.log(self.end / self.start)

    def beyond(self, lane: Lane) -> int:
        """Count a lane's samples that are past the end of the axis."""
        walls = lane.standing.spread.walls if lane.standing.spread else ()
        return sum(wall > self.end for wall in walls)

    @property
    def named(self) -> bool:
        """Whether colours repeat, so that each lane must name its toolchain and a legend would mislead."""
        return len(self.legend) > len(svg.ON_LIGHT)

    def value(self, lane: Lane) -> str:
        """Label a lane: its median, its toolchain where the colour does not tell it, and its outliers."""
        text = self.unit.brief(lane.median)
        text += f"  {visible(lane.standing.toolchain)}" if self.named else ""
        beyond = self.beyond(lane) if lane.median <= self.end else 0
        return f"{text}  +{beyond} \N{RIGHTWARDS ARROW}" if beyond else text

    def ticks(self) -> list[float]:
        """Give round times from the start to the end, in seconds."""
        if self.is_log:
            scale = self.unit.per_second
            return [tick / scale for tick in svg.log_ticks(self.start * scale, self.end * scale)]
        steps = max(2, self.width * 7 / svg.WIDTH)
        step = _round_step(self.end * self.unit.per_second / steps) / self.unit.per_second
        return [step * at for at in range(int(self.end / step * 1.0001) + 1)]

    def tick_text(self, seconds: float) -> str:
        """Label a tick without the unit: "0", "0.5", "1,000"."""
        return f"{seconds * self.unit.per_second:,.10g}"


def charts(group: Group, campaign: Campaign) -> list[Chart]:
    """Make the picture of all contenders and, where slow ones hide the others, that of the fast ones."""
    lanes = _lanes(group)
    end = max((_reach(lane) for lane in lanes), default=0.0)
    if end <= 0:  # nothing measured, or a clock too coarse to see it
        return []
    shortest = min(lane.standing.spread.minimum for lane in lanes if lane.standing.spread)
    medians = [lane.median for lane in lanes]
    wide = shortest > 0 and max(medians) > WIDE * min(medians)
    made = [_chart("all", group, campaign, lanes, end, "", shortest / 1.1 if wide else 0.0)]
    cut, rule = _fast_end(group, lanes)
    fast = [lane for lane in lanes if lane.median <= cut]
    end = max((_reach(lane) for lane in fast), default=0.0)
    ranked = {lane.standing.label for lane in fast if not lane.standing.role}
    if len(fast) < len(lanes) and len(ranked) > 1 and end > 0:
        kept = {lane.standing.label for lane in fast}
        shown = [lane for lane in lanes if lane.standing.label in kept]
        out = len(lanes) - len(fast)
        rule = f"Leaves out {plural(out, 'row')} {rule}. "
        made.append(_chart("fast", group, campaign, shown, end, rule))
    return made


def _lanes(group: Group) -> list[Lane]:
    lanes = [
        Lane(standing, standing.colour % len(svg.ON_LIGHT))
        for standing in group.measured
        if standing.role is not Role.TWIN
    ]
    kept = list(dict.fromkeys(lane.standing.label for lane in lanes))
    while len([lane for lane in lanes if lane.standing.label in kept]) > _LANES and len(kept) > 1:
        kept.pop()
    return [lane for lane in lanes if lane.standing.label in kept]


def _reach(lane: Lane) -> float:
    """Return how far the axis has to go for a lane, in seconds: not to the farthest outlier."""
    spread = lane.standing.spread
    return max(lane.bulk, min(spread.maximum, spread.median * _BULK)) if spread else 0.0


def _chart(
    name: str,
    group: Group,
    campaign: Campaign,
    lanes: list[Lane],
    end: float,
    rule: str,
    start: float = 0.0,
) -> Chart:
    categories: dict[str, list[Lane]] = {}
    for lane in lanes:
        categories.setdefault(lane.standing.label, []).append(lane)
    for members in categories.values():
        members.sort(key=lambda lane: lane.standing.colour)
    legend = {lane.standing.colour: (lane.standing.toolchain, lane.colour) for lane in lanes}
    which = "the fast ones" if name == "fast" else "all contenders"
    left_out = len({standing.label for standing in group.measured}) - len(categories)
    if name == "all" and left_out > 0:
        rule = f"The {len(categories)} fastest contenders; {left_out} slower ones are in the table only. "
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


def _how_to_read(group: Group, campaign: Campaign, lanes: list[Lane], end: float, is_log: bool) -> str:
    sizes = sorted({len(lane.standing.spread.walls) for lane in lanes if lane.standing.spread})
    number = plural(sizes[0], "sample") if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} samples"
    ways = {"process": "Wall time of a whole run", "in-process": "Wall time of a call, timed in the process"}
    what = ways.get(group.benchmark.kind, "Wall time")
    text = f"{what}. Each dot is one of {number}, the line their median{_interval_of(sizes)}."
    drawn = [lane for lane in lanes if lane.median <= end]
    out = sum(wall > end for lane in drawn if (spread := lane.standing.spread) for wall in spread.walls)
    if out:
        text += (
            f" Outliers: {plural(out, 'sample')} past the end of the axis; +1 \N{RIGHTWARDS ARROW} marks one."
        )
    if is_log:
        text += " The axis is logarithmic: equal distances are equal ratios."
    failed = list(dict.fromkeys(f"{visible(s.label)} ({s.outcome})" for s in group.failed))
    if failed:
        more = [f"{len(failed) - 4} more"] if len(failed) > 4 else []
        text += f" Not drawn: {listed(failed[:4] + more)}."
    text = " ".join([text, *conditions.unusual(campaign), *(f"{visible(one)}." for one in group.provisos)])
    return f"{text} {visible(campaign.machine.cpu)}, {visible(campaign.started[:10])}."


def _interval_of(sizes: list[int]) -> str:
    """Say which medians have an interval, of rows with these numbers of samples."""
    if not sizes or sizes[-1] < conditions.FEW_SAMPLES:
        return ""
    if sizes[0] >= conditions.FEW_SAMPLES:
        return ", with its 95 % interval"
    return f", with its 95 % interval where there are {conditions.FEW_SAMPLES} or more"


def _fast_end(group: Group, lanes: list[Lane]) -> tuple[float, str]:
    """Find where the fast ones end, in seconds, and the rule in words."""
    base = [lane.median for lane in lanes if lane.standing.row.contender == group.benchmark.baseline]
    if base and (cut := FAST * min(base)) < max(lane.median for lane in lanes):
        return cut, f"slower than {FAST:.0f} times the baseline, {visible(group.benchmark.baseline)}"
    ordered = sorted(lane.median for lane in lanes if lane.median > 0)
    gaps = [
        (math.log(slow / fast), fast)
        for at, (fast, slow) in enumerate(pairwise(ordered), start=1)
        if at >= max(2, len(ordered) // 3)
    ]
    width, cut = max(gaps, default=(0.0, math.inf))
    if width < math.log(_CLEAR_GAP):
        return math.inf, ""
    return cut, f"beyond the widest gap between neighbours, a factor of {math.exp(width):.1f}"


def _round_step(minimum: float) -> float:
    """Round up to 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(minimum)) if minimum > 0 else 1.0
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= minimum * 0.999)


def heights(picture: Chart) -> list[float]:
    """Return each contender's height: that of its lanes, or of its name where that takes more lines."""
    names = [name_lines(picture, name) for name, _ in picture.categories]
    return [
        max(len(lanes) * LANE, len(lines) * _NAME_LINE) + _GAP
        for lines, (_, lanes) in zip(names, picture.categories, strict=True)
    ]


def name_lines(picture: Chart, name: str) -> list[str]:
    """Break a contender's name into lines that fit left of the axis; nothing of it is left out."""
    room = _left(picture) - 30
    lines = [""]
    for glue, part in (piece for word in visible(name).split() for piece in _pieces(word, room)):
        if lines[-1] and svg.text_width(lines[-1] + glue + part) <= room + svg.CHARACTER:
            lines[-1] += glue + part
        else:
            lines += textwrap.wrap(part, max(8, int(room / svg.CHARACTER) + 1), break_on_hyphens=False)
    return [line for line in lines if line] or [""]


def _pieces(word: str, room: float) -> list[tuple[str, str]]:
    """Cut a word that is too long after its underscores; with each piece goes what joins it to the last."""
    is_long = svg.text_width(word) > room + svg.CHARACTER
    found = [piece for piece in re.split(r"(?<=_)", word) if piece] if is_long else [word]
    return [("" if at else " ", piece) for at, piece in enumerate(found)]


def _right(picture: Chart) -> float:
    """Where the axis ends: the labels of the slowest lanes need the rest."""
    return picture.width - min(max(_RIGHT, 20 + picture.longest_value * 6.1), picture.width * 0.4)


def _left(picture: Chart) -> float:
    return min(30.0 + picture.widest_name, picture.width * 0.38)


def _legend_rows(picture: Chart) -> list[list[tuple[str, int, float]]]:
    """Lay the legend out in lines: (name, colour, x)."""
    rows: list[list[tuple[str, int, float]]] = [[]]
    if picture.named:
        return []
    x = 16.0
    for name, colour in picture.legend:
        width = 34 + svg.text_width(name)
        if rows[-1] and x + width > picture.width - 18:
            rows.append([])
            x = 16.0
        rows[-1].append((name, colour, x))
        x += width
    return rows


def _legend_height(picture: Chart) -> float:
    return 20.0 * len(_legend_rows(picture))


def _legend(picture: Chart) -> Iterator[str]:
    for line, entries in enumerate(_legend_rows(picture)):
        y = 14 + 20 * line
        for name, colour, x in entries:
            yield f'<rect class="key c{colour}" x="{x:.0f}" y="{y - 9}" width="10" height="10" rx="2"/>'
            yield f'<text x="{x + 16:.0f}" y="{y}">{escape(visible(name))}</text>'


def _x(picture: Chart, seconds: float) -> float:
    left = _left(picture)
    return left + (_right(picture) - left) * picture.share(seconds)


def _axis(picture: Chart) -> Iterator[str]:
    top, bottom = _legend_height(picture) + _TOP - 8, picture.height - 40
    for seconds in picture.ticks():
        x = _x(picture, seconds)
        yield f'<path class="rule" d="M{x:.1f} {top:.0f}V{bottom:.0f}"/>'
        label = escape(picture.tick_text(seconds))
        yield f'<text class="soft middle" x="{x:.1f}" y="{bottom + 16:.0f}">{label}</text>'
        yield f'<text class="soft middle" x="{x:.1f}" y="{top - 6:.0f}">{label}</text>'
    x = (_left(picture) + _right(picture)) / 2
    what = f"wall time, {picture.unit.name}{', logarithmic' if picture.is_log else ''}"
    yield f'<text class="soft middle" x="{x:.0f}" y="{bottom + 32:.0f}">{what}</text>'


def _stripes(picture: Chart) -> Iterator[str]:
    y = _legend_height(picture) + _TOP - _GAP / 2
    for at, height in enumerate(heights(picture)):
        if at % 2 == 0:
            yield f'<rect class="zebra" x="8" y="{y:.1f}" width="{picture.width - 16}" height="{height}"/>'
        y += height


def _categories(picture: Chart) -> Iterator[str]:
    y = _legend_height(picture) + _TOP
    for (name, lanes), height in zip(picture.categories, heights(picture), strict=True):
        middle = y + (height - _GAP) / 2
        lines = name_lines(picture, name)
        for at, line in enumerate(lines):
            base = middle + 4.5 + (at - (len(lines) - 1) / 2) * _NAME_LINE
            yield f'<text class="end" x="{_left(picture) - 10:.1f}" y="{base:.1f}">{escape(line)}</text>'
        first = middle - len(lanes) * LANE / 2
        for at, lane in enumerate(lanes):
            yield _lane(picture, lane, first + at * LANE)
        y += height


def _lane(picture: Chart, lane: Lane, top: float) -> str:
    spread = lane.standing.spread
    assert spread is not None  # lanes are made of measured rows
    middle, left = top + LANE / 2, _left(picture)
    value = escape(picture.value(lane))
    room = picture.width - left - 8
    hit = f'<rect class="hit" x="{left:.1f}" y="{top:.1f}" width="{room:.0f}" height="{LANE}"/>'
    tip = f"<title>{escape(hover(lane))}</title>"
    if spread.median > picture.end:
        label = f'<text class="value end" x="{picture.width - 14}" y="{middle + 4:.1f}">{value} →</text>'
        return f'<g class="lane c{lane.colour}">{tip}{hit}{label}</g>'
    x, low, high = (_x(picture, seconds) for seconds in (spread.median, spread.low, spread.high))
    dots = "".join(
        f"M{_x(picture, wall):.1f} {middle + svg.jitter(at):.1f}h0"
        for at, wall in enumerate(spread.walls)
        if wall <= picture.end
    )
    text_at = _label_at(picture, lane)
    bar = f'<rect class="bar" x="{left:.1f}" y="{top + 2:.1f}" width="{x - left:.1f}" height="{LANE - 4}"/>'
    return (
        f'<g class="lane c{lane.colour}">{tip}{hit}{"" if picture.is_log else bar}'
        f'<path class="ci" d="M{low:.1f} {middle:.1f}H{high:.1f}"/><path class="dots" d="{dots}"/>'
        f'<path class="mid" d="M{x:.1f} {top + 1:.1f}v{LANE - 2}"/>'
        f'<text class="value beside" x="{text_at:.1f}" y="{middle + 4:.1f}">{value}</text></g>'
    )


def _label_at(picture: Chart, lane: Lane) -> float:
    """Where a lane's label begins: in the first wide gap between its dots, else past them all.

    One that counts outliers is past the axis, where they are.
    """
    assert lane.standing.spread is not None  # lanes are made of measured rows
    width, end = svg.text_width(picture.value(lane)), _right(picture)
    if picture.beyond(lane):
        return end + 5
    at = _x(picture, min(lane.bulk, picture.end)) + 7
    for wall in sorted(lane.standing.spread.walls):
        dot = _x(picture, wall)
        if wall <= picture.end and at - 4 < dot < at + width:
            at = dot + 7
    return at


def hover(lane: Lane) -> str:
    """Say all figures of a lane in a few lines."""
    standing = lane.standing
    spread = standing.spread
    assert spread is not None  # lanes are made of measured rows
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
