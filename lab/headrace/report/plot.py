"""The pictures as files: SVG that adapts to light and dark, and PNG for where SVG cannot go."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from headrace.base.errors import BadInput
from headrace.base.text import visible
from headrace.report import chart, curves, svg
from headrace.report.chart import Chart, Lane
from headrace.report.curves import Picture
from headrace.report.standing import Group, groups
from headrace.report.sweep import Curve, Sweep, sweeps, swept
from headrace.results.schema import Campaign

_INK, _SOFT, _RULE, _ZEBRA = "#1b1f24", "#59636e", "#d8dde3", "#f5f7f9"
_LANE = 0.155  # inches
_GAP = 0.11
_WIDTH = 10.4
_DPI = 150


def draw(campaign: Campaign, folder: Path, stem: str) -> list[Path]:
    """Write each picture as SVG and PNG into `folder`. Raises BadInput where it cannot be written."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = sweeps(campaign)
        for sweep in found:
            for drawn in curves.pictures(sweep):
                path = folder / f"{'-'.join(_sweep_name(sweep, drawn, found, stem))}.svg"
                path.write_text(curves.standalone(drawn), encoding="utf-8")
                _save_curves(drawn, path.with_suffix(".png"))
                written += [path, path.with_suffix(".png")]
        for group in groups(campaign):
            if swept(found, group):
                continue
            for picture in chart.charts(group, campaign):
                path = folder / f"{'-'.join(_name(group, campaign, stem, picture))}.svg"
                path.write_text(svg.standalone(picture), encoding="utf-8")
                _save_png(picture, path.with_suffix(".png"))
                written += [path, path.with_suffix(".png")]
    except OSError as error:
        raise BadInput(
            f"cannot write pictures to {folder}: {error.strerror or error}; choose another folder"
        ) from error
    return written


def _name(group: Group, campaign: Campaign, stem: str, picture: Chart) -> list[str]:
    """Name a file by what tells it from the others of the campaign."""
    every = groups(campaign)
    parts = [stem]
    if len({other.benchmark.name for other in every}) > 1:
        parts.append(group.benchmark.name)
    if len({other.route for other in every}) > 1:
        parts += [group.source, group.sink]
    if len({tuple(sorted(other.setting.items())) for other in every}) > 1:
        parts += [f"{key}-{value}" for key, value in sorted(group.setting.items())]
    return [re.sub(r"[^\w.+-]", "_", part) for part in [*parts, picture.name]]


def _sweep_name(sweep: Sweep, picture: Picture, every: list[Sweep], stem: str) -> list[str]:
    parts = [stem]
    if len(every) > 1:
        parts += [sweep.benchmark.name, sweep.source, sweep.sink]
    parts += ["against", sweep.key]
    if len(sweep.toolchains) > 1:
        parts.append(picture.toolchain)
    return [re.sub(r"[^\w.+-]", "_", part) for part in parts]


def _save_png(picture: Chart, path: Path) -> None:
    body = sum(_heights(picture))
    caption = svg.wrapped(picture.caption, 132)
    top = 0.66 + (0 if picture.named else 0.2 * -(-len(picture.legend) // 4))
    bottom = 0.6 + 0.19 * len(caption)
    height = top + body + bottom
    figure = Figure(figsize=(_WIDTH, height), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    longest = max(len(visible(name)) for name, _ in picture.categories)
    left = min(0.35 + 0.082 * longest, 3.6)
    widest = max(len(picture.value(lane)) for _, members in picture.categories for lane in members)
    right = min(0.35 + 0.07 * widest, 4.2)
    axes = figure.add_axes((left / _WIDTH, bottom / height, (_WIDTH - left - right) / _WIDTH, body / height))
    _draw_stripes(figure, picture, bottom + body)
    _draw_axes(axes, picture, body)
    figure.text(
        0.16 / _WIDTH, 1 - 0.32 / height, picture.title,
        size=13, weight="bold", color=_INK, parse_math=False,
    )  # fmt: skip
    if not picture.named:
        _draw_legend(figure, picture, height)
    for at, line in enumerate(caption):
        y = (bottom - 0.62 - 0.19 * at) / height
        figure.text(0.16 / _WIDTH, y, line, size=8.5, color=_SOFT, parse_math=False)
    figure.savefig(path, dpi=_DPI)


def _heights(picture: Chart) -> list[float]:
    """Return each contender's height in inches, as `svg` lays them out."""
    return [height / svg.LANE * _LANE for height in svg.heights(picture)]


def _draw_legend(figure: Figure, picture: Chart, height: float) -> None:
    handles = [Rectangle((0, 0), 1, 1, color=chart.ON_LIGHT[colour]) for _, colour in picture.legend]
    legend = figure.legend(
        handles,
        [visible(name) for name, _ in picture.legend],
        loc="upper left",
        bbox_to_anchor=(0.16 / _WIDTH, 1 - 0.4 / height),
        ncols=4,
        frameon=False,
        fontsize=9,
        handlelength=0.8,
        handleheight=0.8,
        borderpad=0,
        borderaxespad=0,
        labelcolor=_INK,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def _draw_stripes(figure: Figure, picture: Chart, top: float) -> None:
    """Shade every other contender across the whole width; `top` in inches from the bottom."""
    for at, height in enumerate(_heights(picture)):
        if at % 2 == 0:
            stripe = Rectangle(
                (0.1, top - height), _WIDTH - 0.2, height, color=_ZEBRA, linewidth=0, zorder=-1
            )
            stripe.set_transform(figure.dpi_scale_trans)
            figure.add_artist(stripe)
        top -= height


def _draw_axes(axes: Axes, picture: Chart, body: float) -> None:
    axes.patch.set_visible(False)
    if picture.is_log:
        axes.set_xscale("log")
        axes.minorticks_off()
    axes.set_xlim(picture.start, picture.end)
    axes.set_ylim(body, 0)
    ticks = picture.ticks()
    axes.set_xticks(ticks, [picture.tick_text(tick) for tick in ticks])
    axes.set_yticks([])
    scale = ", logarithmic" if picture.is_log else ""
    axes.set_xlabel(f"wall time, {picture.unit.name}{scale}", size=9, color=_SOFT)
    axes.tick_params(axis="x", colors=_SOFT, labelsize=8.5, length=0, top=True, labeltop=True)
    axes.grid(axis="x", color=_RULE, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    y = 0.0
    for (name, lanes), height in zip(picture.categories, _heights(picture), strict=True):
        axes.annotate(
            "\n".join(svg.name_lines(picture, name)),
            (0, y + height / 2),
            xycoords=("axes fraction", "data"),
            xytext=(-7, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            size=9.5,
            color=_INK,
            annotation_clip=False,
            parse_math=False,
        )
        for line, lane in enumerate(lanes):
            first = y + (height - len(lanes) * _LANE) / 2
            _draw_lane(axes, picture, lane, first + (line + 0.5) * _LANE)
        y += height


def _draw_lane(axes: Axes, picture: Chart, lane: Lane, middle: float) -> None:
    spread = lane.standing.spread
    assert spread is not None  # lanes are made of measured rows
    value = picture.value(lane)
    if spread.median > picture.end:
        axes.annotate(
            f"{value} →", (1, middle), xycoords=("axes fraction", "data"), xytext=(5, 0),
            textcoords="offset points", va="center", size=8, color=_INK, annotation_clip=False,
            parse_math=False,
        )  # fmt: skip
        return
    colour = chart.ON_LIGHT[lane.colour]
    if not picture.is_log:
        axes.barh(middle, spread.median, height=_LANE * 0.72, color=colour, alpha=0.16, linewidth=0)
    drawn = [(wall, at) for at, wall in enumerate(spread.walls) if wall <= picture.end]
    heights = [middle + svg.jitter(at) * _LANE / 14 for _, at in drawn]
    axes.scatter([wall for wall, _ in drawn], heights, s=5, color=colour, alpha=0.6, linewidths=0, zorder=3)
    axes.plot([spread.low, spread.high], [middle] * 2, color=_INK, alpha=0.35, linewidth=2.2, zorder=2.5)
    half = _LANE * 0.42
    axes.plot([spread.median] * 2, [middle - half, middle + half], color=_INK, linewidth=1.1, zorder=5)
    axes.annotate(
        value, (min(lane.bulk, picture.end), middle), xytext=(5, 0), textcoords="offset points",
        va="center", size=8, color=_INK, annotation_clip=False, parse_math=False, zorder=6,
        bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.6},
    )  # fmt: skip
    if beyond := picture.beyond(lane):
        axes.annotate(
            f"+{beyond} →", (1, middle), xycoords=("axes fraction", "data"), xytext=(-2, 0),
            textcoords="offset points", ha="right", va="center", size=8, color=_SOFT, parse_math=False,
        )  # fmt: skip


def _save_curves(picture: Picture, path: Path) -> None:
    caption = svg.wrapped(picture.caption, 132)
    height = 5.6 + 0.19 * len(caption)
    figure = Figure(figsize=(_WIDTH, height), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    longest = max(len(visible(curve.label)) for curve in picture.curves)
    right = min(0.4 + 0.09 * longest, 3.6)
    bottom = 0.7 + 0.19 * len(caption)
    box = (0.8 / _WIDTH, bottom / height, (_WIDTH - 0.8 - right) / _WIDTH, (height - bottom - 0.62) / height)
    axes = figure.add_axes(box)
    _draw_log_axes(axes, picture)
    for curve in reversed(picture.curves):
        _draw_curve(axes, picture, curve)
    for one in picture.crossings:
        axes.plot(
            one.at, one.large.cost_at(one.at), "o", markersize=10, markerfacecolor="none",
            markeredgecolor=_INK, markeredgewidth=1.1, zorder=6,
        )  # fmt: skip
    _name_curves(axes, picture, box[3] * height)
    _write(figure, 0.16, height - 0.32, picture.title, size=13, weight="bold", color=_INK)
    for at, line in enumerate(caption):
        _write(figure, 0.16, 0.14 + 0.19 * (len(caption) - 1 - at), line, size=8.5, color=_SOFT)
    figure.savefig(path, dpi=_DPI)


def _write(figure: Figure, x: float, y: float, text: str, **style: Any) -> None:
    """Put text at a place in inches."""
    width, height = figure.get_size_inches()
    figure.text(x / width, y / height, text, parse_math=False, **style)


def _draw_log_axes(axes: Axes, picture: Picture) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*picture.sizes)
    axes.set_ylim(*picture.costs)
    across, up = chart.log_ticks(*picture.sizes), chart.log_ticks(*picture.costs)
    axes.set_xticks(across, [curves.tick_text(tick) for tick in across])
    axes.set_yticks(up, [curves.tick_text(tick) for tick in up])
    axes.minorticks_off()
    axes.set_xlabel(visible(picture.sweep.key), size=9, color=_SOFT, parse_math=False)
    axes.set_ylabel(picture.unit, size=9, color=_SOFT)
    axes.tick_params(colors=_SOFT, labelsize=8.5, length=0)
    axes.grid(color=_RULE, linewidth=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)


def _draw_curve(axes: Axes, picture: Picture, curve: Curve) -> None:
    colour = chart.ON_LIGHT[picture.colour(curve)]
    dashes = {"": "-", " second": (0, (8, 2)), " third": (0, (1.5, 2))}
    axes.plot(
        [point.size for point in curve.points], [point.cost for point in curve.points], color=colour,
        linewidth=1.5, linestyle=(0, (4, 3)) if curve.role else dashes[picture.dash(curve)], clip_on=False,
    )  # fmt: skip
    for point in curve.points:
        spread, scale = point.spread, point.scale
        costs = [wall * scale for wall in spread.walls]
        axes.plot(
            [point.size] * len(costs), costs, ".", markersize=2.5, color=colour, alpha=0.5, clip_on=False
        )
        bounds = [spread.low * scale, spread.high * scale]
        axes.plot([point.size] * 2, bounds, color=colour, linewidth=2.4, alpha=0.4, clip_on=False)
        axes.plot(point.size, point.cost, "o", markersize=4, color=colour, clip_on=False)


def _name_curves(axes: Axes, picture: Picture, body: float) -> None:
    """Write each curve's name at its end, apart from the others; `body`: height of the axes in inches."""
    points = body * 72
    low, high = picture.costs
    ends = [points * math.log(curve.points[-1].cost / low) / math.log(high / low) for curve in picture.curves]
    distance = min(12.0, points / max(1, len(ends)))
    for curve, end, place in zip(
        picture.curves, ends, curves.label_places(ends, distance, 0, points), strict=True
    ):
        axes.annotate(
            visible(curve.label), (curve.points[-1].size, curve.points[-1].cost), xytext=(12, place - end),
            textcoords="offset points", va="center", size=9.5, color=chart.ON_LIGHT[picture.colour(curve)],
            weight="bold", annotation_clip=False, parse_math=False,
        )  # fmt: skip
