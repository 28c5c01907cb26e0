"""A chart as SVG: text that stays text, a path a lane for its dots, values to hover over, light and dark."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from html import escape

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.report import chart
from headrace.report.chart import CHARACTER, Chart, Lane, text_width

LANE = 14  # height of a lane
_GAP = 11  # between contenders
_TOP = 30  # above the first lane, below the legend
_RIGHT = 84  # minimum room for the median in figures
_NAME_LINE = 13  # height of a line of a contender's name
_ROW_OF_TEXT = 17


def style(scope: str) -> str:
    """Give the rules for pictures inside `scope` (a selector), for both colour schemes."""
    light, dark = (
        "".join(f"{scope} .c{at}{{--c:{colour}}}" for at, colour in enumerate(palette))
        for palette in (chart.ON_LIGHT, chart.ON_DARK)
    )
    return _RULES.replace("SCOPE", scope).replace("LIGHT", light).replace("DARK", dark)


_RULES = """\
SCOPE{--ink:#1b1f24;--soft:#59636e;--rule:#d8dde3;--zebra:#f5f7f9;--card:#fff;
font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
LIGHT
@media screen and (prefers-color-scheme:dark){
SCOPE{--ink:#e6e9ee;--soft:#9aa4b0;--rule:#333b45;--zebra:#1a1f26;--card:#12161b}
DARK}
SCOPE text{fill:var(--ink)}SCOPE .soft{fill:var(--soft);font-size:11.5px}
SCOPE .value{font-size:11px;font-variant-numeric:tabular-nums}
SCOPE .beside{paint-order:stroke;stroke:var(--card);stroke-width:3.5;stroke-linejoin:round}
SCOPE .head{font-weight:600;font-size:15px}SCOPE .card{fill:var(--card)}
SCOPE .rule{stroke:var(--rule)}SCOPE .zebra{fill:var(--zebra)}
SCOPE .bar{fill:var(--c);opacity:.16}SCOPE .key{fill:var(--c)}
SCOPE .dots{stroke:var(--c);stroke-width:3.2;stroke-linecap:round;opacity:.6;fill:none}
SCOPE .mid{stroke:var(--ink);stroke-width:1.6}SCOPE .ci{stroke:var(--ink);stroke-width:3;opacity:.35}
SCOPE .hit{fill:transparent}SCOPE .lane:hover .hit{fill:var(--c);opacity:.1}
SCOPE .end{text-anchor:end}SCOPE .middle{text-anchor:middle}
"""


def standalone(picture: Chart) -> str:
    """Draw a whole file, with its title, caption and colours inside."""
    lines = wrapped(picture.caption, 138)
    header, footer = 34.0, 14.0 + _ROW_OF_TEXT * len(lines)
    height = header + _height(picture) + footer
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {height:.0f}" '
        f'width="{picture.width}" height="{height:.0f}" class="headrace" role="img">',
        f"<title>{escape(picture.title)}</title><style>{style('.headrace')}</style>",
        f'<rect class="card" width="{picture.width}" height="{height:.0f}" rx="8"/>',
        f'<text class="head" x="18" y="28">{escape(picture.title)}</text>',
        f'<g transform="translate(0 {header:.0f})">{_body(picture)}</g>',
    ]
    for at, line in enumerate(lines):
        y = header + _height(picture) + 10 + _ROW_OF_TEXT * at
        parts.append(f'<text class="soft" x="18" y="{y:.0f}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def inline(picture: Chart) -> str:
    """Draw for a page, which brings the style, the title and the caption itself."""
    return (
        f'<svg viewBox="8 0 {picture.width - 16} {_height(picture):.0f}" class="chart" role="img" '
        f'aria-label="{escape(picture.title)}" data-left="{_left(picture):.1f}" '
        f'data-right="{_right(picture):.1f}" data-start="{picture.start:.6g}" data-end="{picture.end:.6g}" '
        f'data-scale="{picture.unit.per_second:.0f}" data-unit="{picture.unit.name}">'
        f"{_body(picture)}</svg>"
    )


def _height(picture: Chart) -> float:
    return _legend_height(picture) + _TOP + sum(heights(picture)) + 42


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
        if lines[-1] and text_width(lines[-1] + glue + part) <= room + CHARACTER:
            lines[-1] += glue + part
        else:
            lines += textwrap.wrap(part, max(8, int(room / CHARACTER) + 1), break_on_hyphens=False)
    return [line for line in lines if line] or [""]


def _pieces(word: str, room: float) -> list[tuple[str, str]]:
    """Cut a word that is too long after its underscores; with each piece goes what joins it to the last."""
    is_long = text_width(word) > room + CHARACTER
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
        width = 34 + text_width(name)
        if rows[-1] and x + width > picture.width - 18:
            rows.append([])
            x = 16.0
        rows[-1].append((name, colour, x))
        x += width
    return rows


def _legend_height(picture: Chart) -> float:
    return 20.0 * len(_legend_rows(picture))


def _body(picture: Chart) -> str:
    return "".join([*_legend(picture), *_stripes(picture), *_axis(picture), *_categories(picture)])


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
    top, bottom = _legend_height(picture) + _TOP - 8, _height(picture) - 40
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
        f"M{_x(picture, wall):.1f} {middle + jitter(at):.1f}h0"
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
    width, end = text_width(picture.value(lane)), _right(picture)
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
        lines.append(f"{standing.to_baseline.text()} times the baseline")
    if standing.place:
        lines.append(f"place {standing.place}" if standing.rank else standing.place)
    return "\n".join(lines)


def jitter(number: int) -> float:
    """Part the dots of a lane, within 3.5 px: multiples of the golden ratio modulo one keep apart."""
    return ((number * 0.618034) % 1 - 0.5) * 7


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
