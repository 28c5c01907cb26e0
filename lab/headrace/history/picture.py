"""A series of ratios over time as SVG: each campaign a point with its interval, each change a step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from headrace.base import units
from headrace.base.text import visible
from headrace.history.index import Points, Series
from headrace.history.trend import Change
from headrace.report import svg

WIDTH, PANEL = 960, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 940, 36, 150  # of a panel's plot


@dataclass(frozen=True)
class Line:
    """A series with its points, the oldest first, and the changes of its level."""

    series: Series
    points: Points
    changes: Sequence[Change]

    @property
    def title(self) -> str:
        """Its series in words."""
        series = self.series
        words = [
            series.name,
            series.toolchain,
            series.optimisation,
            series.route,
            series.setting,
            f"on {series.host}",
        ]
        return " ".join(word for word in words if word)


def draw(benchmark: str, lines: Sequence[Line]) -> str:
    """Draw a panel for each series, ratios on a logarithmic axis of its own."""
    height = 44 + PANEL * len(lines) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" class="headrace" role="img">',
        f"<title>{escape(benchmark)} over time</title>",
        f"<style>{svg.style('.headrace')}</style>",
        f'<rect class="card" width="{WIDTH}" height="{height}" rx="8"/>',
        f'<text class="head" x="18" y="28">{escape(benchmark)}: time as a multiple of the baseline&#8217;s, '
        "campaign by campaign</text>",
    ]
    for at, line in enumerate(lines):
        panel = _panel(line, at % len(svg.LINES_ON_LIGHT))
        parts.append(f'<g transform="translate(0 {44 + PANEL * at})">{panel}</g>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(line: Line, colour: int) -> str:
    kept = [(at, point) for at, point in enumerate(line.points) if point.ratio]
    bounds = [value for _, p in kept for value in (p.low or p.ratio, p.high or p.ratio, p.ratio) if value]
    low, high = min(bounds) / 1.02, max(bounds) * 1.02
    last = max(len(line.points) - 1, 1)

    def x(at: int) -> float:
        return _LEFT + 10 + (_RIGHT - _LEFT - 20) * at / last

    def y(ratio: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * math.log(ratio / low) / math.log(high / low)

    parts = [f'<text x="18" y="18">{escape(visible(line.title))}</text>']
    for ratio in (low * 1.02, math.sqrt(low * high), high / 1.02):
        parts.append(f'<path class="rule" d="M{_LEFT} {y(ratio):.1f}H{_RIGHT}"/>')
        label = escape(units.ratio(ratio))
        parts.append(f'<text class="soft end" x="{_LEFT - 6}" y="{y(ratio) + 4:.1f}">{label}</text>')
    for at, place in {0: "", len(line.points) // 2: "middle", len(line.points) - 1: "end"}.items():
        point = line.points[at]
        label = escape(f"{point.started[:10]} {point.revision[:7]}".strip())
        style = f"soft {place}".strip()
        parts.append(f'<text class="{style}" x="{x(at):.1f}" y="{_BOTTOM + 20}">{label}</text>')
    for at, point in kept:
        assert point.ratio is not None  # kept
        where = f"{point.started[:16]} {point.revision[:7]}".strip()
        bars = f"M{x(at):.1f} {y(point.low or point.ratio):.1f}V{y(point.high or point.ratio):.1f}"
        parts.append(
            f'<g class="k{colour}"><title>{escape(f"{where}: {point.text}, {point.file}")}</title>'
            f'<path class="whisker" d="{bars}"/>'
            f'<circle class="point" cx="{x(at):.1f}" cy="{y(point.ratio):.1f}" r="3.2"/></g>'
        )
    starts = [0, *(change.at for change in line.changes), len(line.points)]
    levels = [line.changes[0].before, *(change.after for change in line.changes)] if line.changes else []
    for level, begin, end in zip(levels, starts, starts[1:], strict=False):
        parts.append(
            f'<path class="rule" style="stroke:var(--ink)" '
            f'd="M{x(begin) - 5:.1f} {y(level):.1f}H{x(end - 1) + 5:.1f}"/>'
        )
    return "".join(parts)
