"""A series of ratios over time as SVG: campaigns are points with bars, changes are steps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headrace.base import units
from headrace.base.text import visible
from headrace.history.index import Point, Points, Series
from headrace.history.trend import Change, median
from headrace.report import svg

PANEL = 190  # height
MOST = 100  # points of a panel; more campaigns are drawn as GROUPS
GROUPS = 40
_FIELD = (62, 890, 36, 150)  # of a panel: left, right, top, bottom


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
        panels = (_panel(line, at % len(svg.LINES)) for at, line in enumerate(self.lines))
        return "".join(
            f'<g transform="translate(0 {PANEL * at})">{panel}</g>' for at, panel in enumerate(panels)
        )


def draw(benchmark: str, lines: Sequence[Line]) -> str:
    """Draw the series of a benchmark as a whole file."""
    title = f"{benchmark}: time as a multiple of the baseline's, campaign by campaign"
    caption = (
        "Each point is a campaign, a bar the 95 % interval of its ratio; lines are levels between changes. "
        f"Of more than {MOST} campaigns, a point is the median of some in a row, "
        "and a bar holds at least 95 % of them."
    )
    return svg.standalone(_Trend("trend", title, caption, lines))


def _panel(line: Line, colour: int) -> str:
    marks = list(_marks(line.points))
    ends = [bound for mark in marks for bound in (mark.low, mark.y, mark.high) if bound]
    low, high, last = min(ends), max(ends), max(len(line.points) - 1, 1)
    ratios = [(ratio, units.ratio(ratio)) for ratio in (low, math.sqrt(low * high), high)]
    up = svg.Axis("", low / 1.02, high * 1.02, ratios)
    dates = [(at, _where(line.points[at], 10)) for at in sorted({0, last // 2, len(line.points) - 1})]
    frame = svg.Frame(*_FIELD, svg.Axis("", -last / 80, last * 81 / 80, dates, is_log=False), up)
    parts = [svg.text("", 18, 18, visible(line.title)), *frame.rules()]
    parts += [frame.mark(mark, f"k{colour}") for mark in marks]
    starts = [0, *(change.at for change in line.changes), len(line.points)]
    levels = [line.changes[0].before, *(change.after for change in line.changes)] if line.changes else []
    for level, begin, end in zip(levels, starts, starts[1:], strict=False):
        step = f"M{frame.x(begin) - 5:.1f} {frame.y(level):.1f}H{frame.x(end - 1) + 5:.1f}"
        parts.append(svg.path("mid", step))
    return "".join(parts)


def _marks(points: Points) -> Iterator[svg.Mark]:
    """Make the marks of campaigns that have a ratio, or of groups in a row where they are too many."""
    compared = np.flatnonzero(points.ratios)
    for group in np.array_split(compared, len(compared) if len(compared) <= MOST else GROUPS):
        first, ratios, count = points[group[0]], points.ratios[group], len(group)
        if count == 1:
            ratio, tip = float(ratios[0]), f"{first.text}, {first.file}"
            low, high = first.low or ratio, first.high or ratio
        else:
            few = count // 40
            ratio = median(ratios)
            ratios.partition((few, count - 1 - few))
            low, high = float(ratios[few]), float(ratios[-1 - few])
            tip = f"{count} campaigns, {units.ratio(ratio)}, most {units.ratio(low)} to {units.ratio(high)}"
        yield svg.Mark((group[0] + group[-1]) / 2, ratio, f"{_where(first, 16)}: {tip}", low, high)


def _where(point: Point, digits: int) -> str:
    """Name a campaign by the first characters of its time, and its revision."""
    return f"{point.started[:digits]} {point.revision[:7]}".strip()
