"""The curves of a sweep as a picture on log axes: where things are, and the SVG."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

from headrace.base.text import visible
from headrace.report import chart, svg, sweep_text
from headrace.report.sweep import Crossing, Curve, Point, Sweep

WIDTH, HEIGHT = 960, 470
_LEFT, _TOP, _BOTTOM = 62, 22, 426
_LABEL = 7.5  # width of a character of a label, generously
_LINE = 15.0  # minimum distance of two labels
_WRAPPED = 12.5  # distance of two lines of a label

# Fourteen hues, evenly spaced in OKLCH (B. Ottosson, 2020), neighbours far apart and by turns dark and light.
# No eye tells all of them apart by hue alone: each curve bears its name, and stands out under the pointer.
ON_LIGHT = (
    "#0260a6 #d24b57 #057128 #6772e3 #993e07 #029679 #703dac #b17000 #076b6e #b355b4 #6e5d0a #108db1 #9f2366 "
    "#748c10"
).split()
ON_DARK = (
    "#52a9fe #fdb5b5 #4cc061 #bcc7fc #f97c3f #10ebc0 #b888fd #ffbc6a #14bbc0 #fea6fd #c0a311 #78d9fd #f272ae "
    "#badb4c"
).split()


@dataclass(frozen=True)
class Picture:
    """The curves of one toolchain."""

    sweep: Sweep
    toolchain: str
    curves: Sequence[Curve]
    width: int = WIDTH

    @property
    def narrow(self) -> Picture:
        """The same on a phone."""
        return replace(self, width=chart.NARROW)

    @property
    def title(self) -> str:
        """What it shows."""
        return visible(f"{self.sweep.title}, {self.toolchain}")

    @property
    def caption(self) -> str:
        """How to read it."""
        return sweep_text.caption(self.sweep, self.toolchain)

    @property
    def crossings(self) -> list[Crossing]:
        """Those between curves of this picture."""
        kept = {id(curve) for curve in self.curves}
        return [one for one in self.sweep.crossings if {id(one.large), id(one.small)} <= kept]

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """The ends of the axis of sizes."""
        return float(self.sweep.sizes[0]), float(self.sweep.sizes[-1])

    @cached_property
    def costs(self) -> tuple[float, float]:
        """The ends of the axis of costs, with a little room."""
        every = [wall * p.scale for curve in self.curves for p in curve.points for wall in p.spread.walls]
        low, high = min(cost for cost in every if cost > 0), max(every)
        room = max(1.05, (high / low) ** 0.03)
        return low / room, high * room

    @property
    def unit(self) -> str:
        """The unit of costs."""
        return "ns per token" if self.sweep.by_token else "s"

    def colour(self, curve: Curve) -> str:
        """The class of a curve's colour; a contender keeps its own in every picture of the sweep."""
        names = self._names
        return f"k{names.index(curve.label) % len(ON_LIGHT)}" if curve.label in names else "grey"

    def dash(self, curve: Curve) -> str:
        """Tell a curve's line from that which shares its colour: "", " second", " third"."""
        names = self._names
        turn = names.index(curve.label) // len(ON_LIGHT) if curve.label in names else 0
        return ("", " second", " third")[min(turn, 2)]

    @cached_property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(one.label for one in self.sweep.curves if not one.role))


def pictures(sweep: Sweep) -> list[Picture]:
    """Make a picture a toolchain."""
    made = [Picture(sweep, toolchain, sweep.of(toolchain)) for toolchain in sweep.toolchains]
    return [picture for picture in made if picture.curves]


def tick_text(value: float) -> str:
    """Label a tick: "0.5", "1,000", "10 M"."""
    for unit, name in ((1e9, " G"), (1e6, " M")):
        if value >= unit:
            return f"{value / unit:,.10g}{name}"
    return f"{value:,.10g}"


def spread_out(places: Sequence[float], distance: float) -> list[float]:
    """Move labels apart, in order, as little as their minimum distance asks; sorted input, sorted output."""
    moved: list[list[float]] = []  # runs of labels that touch: [first, count, sum of wishes]
    for at, place in enumerate(places):
        moved.append([place, 1, place])
        while len(moved) > 1 and moved[-1][0] < moved[-2][0] + distance * moved[-2][1]:
            _, count, wishes = moved.pop()
            run = moved[-1]
            run[2] += wishes - count * distance * run[1]
            run[1] += count
            run[0] = run[2] / run[1]
        assert sum(run[1] for run in moved) == at + 1
    return [run[0] + distance * at for run in moved for at in range(int(run[1]))]


def style(scope: str) -> str:
    """Give the rules for curves inside `scope`, beside those of `svg.style`."""
    light, dark = (
        "".join(f"{scope} .k{at}{{--c:{colour}}}" for at, colour in enumerate(palette))
        + f"{scope} .grey{{--c:{grey}}}"
        for palette, grey in ((ON_LIGHT, chart.ON_LIGHT[-1]), (ON_DARK, chart.ON_DARK[-1]))
    )
    schemes = f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n"
    return schemes + _RULES.replace("SCOPE", scope)


_RULES = """\
SCOPE .curve{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}SCOPE .aside{stroke-dasharray:5 4}
SCOPE .second{stroke-dasharray:10 3}SCOPE .third{stroke-dasharray:2 3}
SCOPE .whisker{stroke:var(--c);stroke-width:3;opacity:.4}SCOPE .point{fill:var(--c)}
SCOPE .few{stroke:var(--c);stroke-width:2.2;stroke-linecap:round;opacity:.5;fill:none}
SCOPE .ring{fill:none;stroke:var(--ink);stroke-width:1.6}SCOPE .name{fill:var(--c);font-weight:600}
SCOPE .leader{stroke:var(--c);opacity:.5}
SCOPE .line:hover .curve{stroke-width:3.4}SCOPE:has(.line:hover) .line:not(:hover){opacity:.22}
"""


def standalone(picture: Picture) -> str:
    """Draw a whole file, with its title, caption and colours inside."""
    lines = svg.wrapped(picture.caption, 138)
    height = 34 + HEIGHT + 14 + 17 * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" class="headrace" role="img">',
        f"<title>{escape(picture.title)}</title><style>{svg.style('.headrace')}{style('.headrace')}</style>",
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="head" x="18" y="28">{escape(picture.title)}</text>',
        f'<g transform="translate(0 34)">{_body(picture)}</g>',
    ]
    for at, line in enumerate(lines):
        parts.append(f'<text class="soft" x="18" y="{34 + HEIGHT + 12 + 17 * at}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def inline(picture: Picture) -> str:
    """Draw for a page, which brings the style, the title and the caption itself."""
    title = escape(picture.title)
    head = f'<svg viewBox="0 0 {picture.width} {HEIGHT}" class="chart" role="img" aria-label="{title}">'
    return f"{head}{_body(picture)}</svg>"


def _right(picture: Picture) -> float:
    return right([curve.label for curve in picture.curves], picture.width)


def right(labels: Sequence[str], width: int = WIDTH) -> float:
    """Where an axis ends that leaves room for labels at the ends of lines."""
    return width - min(34 + max(len(visible(label)) for label in labels) * _LABEL, width * 0.35)


def _x(picture: Picture, size: float) -> float:
    low, high = picture.sizes
    return _LEFT + (_right(picture) - _LEFT) * math.log(size / low) / math.log(high / low)


def _y(picture: Picture, cost: float) -> float:
    low, high = picture.costs
    return _BOTTOM - (_BOTTOM - _TOP) * math.log(max(cost, low) / low) / math.log(high / low)


def _body(picture: Picture) -> str:
    parts = [*_axes(picture)]
    names = _names(picture)
    for curve, named in reversed(list(zip(picture.curves, names, strict=True))):
        parts += [f'<g class="line {picture.colour(curve)}">', *_curve(picture, curve), named, "</g>"]
    return "".join([*parts, *(_ring(picture, one) for one in picture.crossings)])


def _axes(picture: Picture) -> Iterator[str]:
    right = _right(picture)
    for tick in chart.log_ticks(*picture.sizes):
        x = _x(picture, tick)
        yield f'<path class="rule" d="M{x:.1f} {_TOP}V{_BOTTOM}"/>'
        yield f'<text class="soft middle" x="{x:.1f}" y="{_BOTTOM + 17}">{tick_text(tick)}</text>'
    for tick in chart.log_ticks(*picture.costs):
        y = _y(picture, tick)
        yield f'<path class="rule" d="M{_LEFT} {y:.1f}H{right:.1f}"/>'
        yield f'<text class="soft end" x="{_LEFT - 7}" y="{y + 4:.1f}">{tick_text(tick)}</text>'
    yield f'<text class="soft" x="8" y="12">{picture.unit}</text>'
    middle, key = (_LEFT + right) / 2, escape(visible(picture.sweep.key))
    yield f'<text class="soft middle" x="{middle:.0f}" y="{_BOTTOM + 36}">{key}</text>'


def _curve(picture: Picture, curve: Curve) -> Iterator[str]:
    places = [(_x(picture, point.size), _y(picture, point.cost)) for point in curve.points]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    aside = " aside" if curve.role else picture.dash(curve)
    yield f'<path class="curve{aside}" d="M{line}"/>'
    for point, (x, y) in zip(curve.points, places, strict=True):
        yield _point(picture, curve, point, x, y)


def _point(picture: Picture, curve: Curve, point: Point, x: float, y: float) -> str:
    spread, scale = point.spread, point.scale
    tip = escape(sweep_text.hover(picture.sweep, curve, point))
    dots = "".join(
        f"M{x + svg.jitter(at):.1f} {_y(picture, wall * scale):.1f}h0" for at, wall in enumerate(spread.walls)
    )
    low, high = _y(picture, spread.low * scale), _y(picture, spread.high * scale)
    return (
        f'<g class="lane"><title>{tip}</title>'
        f'<path class="few" d="{dots}"/><path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
        f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'
        f'<circle class="hit" cx="{x:.1f}" cy="{y:.1f}" r="10"/></g>'
    )


def _ring(picture: Picture, one: Crossing) -> str:
    x, y = _x(picture, one.at), _y(picture, one.large.cost_at(one.at))
    sweep = picture.sweep
    tip = (
        f"{visible(one.large.label)} overtakes {visible(one.small.label)}\n"
        f"{visible(sweep.key)} = {sweep_text.rounded(one.at)} "
        f"[{sweep_text.rounded(one.low)}, {sweep_text.rounded(one.high)}]"
    )
    return (
        f'<g class="lane"><title>{escape(tip)}</title>'
        f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="7"/>'
        f'<circle class="hit" cx="{x:.1f}" cy="{y:.1f}" r="10"/></g>'
    )


def label_places(ends: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Place the labels of curves that end at `ends` so that none covers another, within [low, high]."""
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    apart = spread_out([ends[at] for at in order], distance)
    shift = min(0.0, high - apart[-1]) if apart else 0.0
    shift = max(shift, low - apart[0]) if apart else 0.0
    return [apart[order.index(at)] + shift for at in range(len(ends))]


def _names(picture: Picture) -> list[str]:
    """Write each curve's name at its end, on as many lines as it takes, apart from the others."""
    right = _right(picture)
    most = int((picture.width - right - 26) / _LABEL)
    labels = [textwrap.wrap(visible(one.label), most, break_on_hyphens=False) for one in picture.curves]
    lines = max(map(len, labels))
    ends = [_y(picture, curve.points[-1].cost) for curve in picture.curves]
    distance = min(_LINE + (lines - 1) * _WRAPPED, (_BOTTOM - _TOP + 20) / max(1, len(ends)))
    places = label_places(ends, distance, _TOP, HEIGHT - 20)
    named = []
    for curve, label, end, place in zip(picture.curves, labels, ends, places, strict=True):
        x, first = _x(picture, curve.points[-1].size), place + 4 - (len(label) - 1) * _WRAPPED / 2
        texts = "".join(
            f'<text class="name" x="{right + 18:.1f}" y="{first + at * _WRAPPED:.1f}">{escape(line)}</text>'
            for at, line in enumerate(label)
        )
        leader = f"M{x + 5:.1f} {end:.1f}L{right + 14:.1f} {place:.1f}"
        named.append(f'<path class="leader" d="{leader}"/>{texts}')
    return named
