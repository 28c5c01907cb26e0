"""What a picture shows, apart from how it is drawn: lanes of samples on an axis of times.

The axis starts at zero, unless the slowest takes more than WIDE times as long as the fastest: then it is
logarithmic, and lanes have no bars, whose lengths would mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from headrace.base import units
from headrace.base.text import listed, plural, visible
from headrace.report import summary
from headrace.report.standing import Group, Standing
from headrace.results.schema import Campaign

FAST = 3.0  # the picture of the fast ones ends at this many times the baseline
WIDE = 10.0  # between the fastest and the slowest, beyond which a linear axis hides the fast ones
_BULK = (
    1.25  # samples beyond this many times their median need no room on the axis: a mark says they are there
)
CHARACTER, _CAPITAL = 6.7, 9.0  # widths of a letter at 12.5 px, and of a capital or a sign
WIDTH, NARROW = 960, 420  # of a picture, and of one on a phone
_LANES = 150  # more than that no eye can follow: the fastest contenders are kept
_CLEAR_GAP = 1.5  # without a baseline, a gap this wide parts the fast from the slow

# Blue, vermillion, green, purple, orange, sky and grey: told apart by every kind of colour vision
# (after M. Okabe and K. Ito, "Color Universal Design", 2008), darker on paper, lighter in the dark.
ON_LIGHT = ("#0068a8", "#c64f00", "#008560", "#a8558a", "#9a6c00", "#2a86b8", "#5f6670")
ON_DARK = ("#58b4f0", "#ff9a5c", "#3fcf9f", "#e59ac7", "#f0bb4a", "#8fd0f7", "#a9b1bd")


def text_width(text: str) -> float:
    """About how many pixels a text takes at 12.5 px, generously: fonts differ."""
    return sum(_CAPITAL if letter.isupper() or letter in "+=" else CHARACTER for letter in text)


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
class Chart:
    """A picture: categories (contenders) from fast to slow, each with a lane a toolchain."""

    name: str  # "all" or "fast": ends the file's name
    title: str
    caption: str
    categories: Sequence[tuple[str, Sequence[Lane]]]
    legend: Sequence[tuple[str, int]]
    end: float  # seconds at the right end of the axis; lanes beyond it are named, not drawn
    unit: units.TimeUnit
    start: float = 0.0  # seconds at the left end; above 0 the axis is logarithmic
    width: int = WIDTH

    @property
    def narrow(self) -> Chart:
        """The same on a phone."""
        return replace(self, width=NARROW)

    @cached_property
    def longest_value(self) -> int:
        """Characters of the longest lane's label."""
        return max(len(self.value(lane)) for _, lanes in self.categories for lane in lanes)

    @cached_property
    def widest_name(self) -> float:
        """About how many pixels the widest name of a contender takes."""
        return max(text_width(visible(name)) for name, _ in self.categories)

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
        return len(self.legend) > len(ON_LIGHT)

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
            return [tick / scale for tick in log_ticks(self.start * scale, self.end * scale)]
        steps = max(2, self.width * 7 / WIDTH)
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
        Lane(standing, standing.colour % len(ON_LIGHT))
        for standing in group.measured
        if standing.role != "A/A"
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
    text = " ".join([text, *summary.how(campaign), *(f"{visible(one)}." for one in group.provisos)])
    return f"{text} {visible(campaign.machine.cpu)}, {visible(campaign.started[:10])}."


def _interval_of(sizes: list[int]) -> str:
    """Say which medians have an interval, of rows with these numbers of samples."""
    if not sizes or sizes[-1] < summary.FEW_SAMPLES:
        return ""
    if sizes[0] >= summary.FEW_SAMPLES:
        return ", with its 95 % interval"
    return f", with its 95 % interval where there are {summary.FEW_SAMPLES} or more"


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


def log_ticks(low: float, high: float) -> list[float]:
    """Give round numbers between two positive ones: powers of ten, 2 and 5 times them on a short axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if len(powers) > 4 else (1, 2, 5)
    every = [factor * 10.0**power for power in powers for factor in factors]
    return [tick for tick in every if low * 0.999 <= tick <= high * 1.001]


def _round_step(minimum: float) -> float:
    """Round up to 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(minimum)) if minimum > 0 else 1.0
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= minimum * 0.999)
