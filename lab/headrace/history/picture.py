"""A series of ratios over time as SVG: each campaign a point with its interval, each change a step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base import units
from headrace.base.text import visible
from headrace.history.index import Points, Series
from headrace.history.trend import Change
from headrace.report import svg

PANEL = 190  # height
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
        build = (series.name, series.toolchain, series.optimisation, series.route, series.setting)
        return " ".join(filter(None, [*build, f"on {series.host}"]))


@dataclass(frozen=True)
class _Trend(svg.Picture):
    """A panel for each series, ratios on a logarithmic axis of its own."""

    lines: Sequence[Line]

    @property
    def height(self) -> float:
        """Return the height of all panels."""
        return PANEL * len(self.lines)

    @property
    def body(self) -> str:
        """Return the panels, one below the other."""
        panels = (_panel(line, at % len(svg.LINES_ON_LIGHT)) for at, line in enumerate(self.lines))
        return "".join(
            f'<g transform="translate(0 {PANEL * at})">{panel}</g>' for at, panel in enumerate(panels)
        )


def draw(benchmark: str, lines: Sequence[Line]) -> str:
    """Draw the series of a benchmark as a whole file."""
    title = f"{benchmark}: time as a multiple of the baseline's, campaign by campaign"
    caption = (
        "Each point is a campaign, a bar the 95 % interval of its ratio; lines are levels between changes."
    )
    return svg.standalone(_Trend("trend", title, caption, lines))


def _panel(line: Line, colour: int) -> str:
    kept = [(at, point) for at, point in enumerate(line.points) if point.ratio]
    bounds = [value for _, p in kept for value in (p.low or p.ratio, p.high or p.ratio, p.ratio) if value]
    axis = svg.Axis("", min(bounds) / 1.02, max(bounds) * 1.02, [])
    last = max(len(line.points) - 1, 1)

    def x(at: int) -> float:
        return _LEFT + 10 + (_RIGHT - _LEFT - 20) * at / last

    def y(ratio: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * axis.share(ratio)

    parts = [svg.text("", 18, 18, visible(line.title))]
    for ratio in (axis.low * 1.02, math.sqrt(axis.low * axis.high), axis.high / 1.02):
        parts.append(svg.path("rule", f"M{_LEFT} {y(ratio):.1f}H{_RIGHT}"))
        parts.append(svg.text("soft end", _LEFT - 6, y(ratio) + 4, units.ratio(ratio)))
    for at, place in {0: "", len(line.points) // 2: "middle", len(line.points) - 1: "end"}.items():
        point = line.points[at]
        label = f"{point.started[:10]} {point.revision[:7]}".strip()
        parts.append(svg.text(f"soft {place}".strip(), x(at), _BOTTOM + 20, label))
    for at, point in kept:
        assert point.ratio is not None  # kept
        where = f"{point.started[:16]} {point.revision[:7]}".strip()
        bar = f"M{x(at):.1f} {y(point.low or point.ratio):.1f}V{y(point.high or point.ratio):.1f}"
        dot = f'<circle class="point" cx="{x(at):.1f}" cy="{y(point.ratio):.1f}" r="3.2"/>'
        tip = f"{where}: {point.text}, {point.file}"
        parts.append(svg.hovered(f"k{colour}", tip, svg.path("whisker", bar) + dot))
    starts = [0, *(change.at for change in line.changes), len(line.points)]
    levels = [line.changes[0].before, *(change.after for change in line.changes)] if line.changes else []
    for level, begin, end in zip(levels, starts, starts[1:], strict=False):
        parts.append(svg.path("mid", f"M{x(begin) - 5:.1f} {y(level):.1f}H{x(end - 1) + 5:.1f}"))
    return "".join(parts)
