"""A picture as SVG: text that stays text, values to hover over, light and dark.

A page shows it `inline` and brings the style; a file of its own is `standalone`.
"""

from __future__ import annotations

import math
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import ClassVar, Self

WIDTH, NARROW = 960, 420  # of a picture, and of one on a phone
CHARACTER, _CAPITAL = 6.7, 9.0  # widths of a letter at 12.5 px, and of a capital or a sign
_HEADER, _ROW_OF_TEXT = 34.0, 17

# Blue, vermillion, green, purple, orange, sky and grey: told apart by every kind of colour vision
# (after M. Okabe and K. Ito, "Color Universal Design", 2008), darker on paper, lighter in the dark.
ON_LIGHT = ("#0068a8", "#c64f00", "#008560", "#a8558a", "#9a6c00", "#2a86b8", "#5f6670")
ON_DARK = ("#58b4f0", "#ff9a5c", "#3fcf9f", "#e59ac7", "#f0bb4a", "#8fd0f7", "#a9b1bd")

# Fourteen hues, evenly spaced in OKLCH (B. Ottosson, 2020), neighbours far apart and by turns dark and light.
# No eye tells all of them apart by hue alone: each curve bears its name, and stands out under the pointer.
LINES_ON_LIGHT = (
    "#0260a6 #d24b57 #057128 #6772e3 #993e07 #029679 #703dac #b17000 #076b6e #b355b4 #6e5d0a #108db1 #9f2366 "
    "#748c10"
).split()
LINES_ON_DARK = (
    "#52a9fe #fdb5b5 #4cc061 #bcc7fc #f97c3f #10ebc0 #b888fd #ffbc6a #14bbc0 #fea6fd #c0a311 #78d9fd #f272ae "
    "#badb4c"
).split()


@dataclass(frozen=True)
class Axis:
    """An axis; a tick is a value and its text."""

    title: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    is_log: bool = True  # equal distances are equal ratios

    def share(self, value: float) -> float:
        """Return where a value is: 0 at the low end, 1 at the high one, which those beyond it share."""
        inside = min(max(value, self.low), self.high)
        if not self.is_log:
            return (inside - self.low) / (self.high - self.low)
        return math.log(inside / self.low) / math.log(self.high / self.low)


@dataclass(frozen=True)
class Picture(ABC):
    """What draws itself. `name` ends that of its file, `margin` is what a page leaves out at its sides."""

    name: str
    title: str
    caption: str
    width: int = field(default=WIDTH, kw_only=True)
    margin: ClassVar[int] = 0

    @property
    def narrow(self) -> Self:
        """Return the picture for a phone."""
        return replace(self, width=NARROW)

    @property
    @abstractmethod
    def height(self) -> float:
        """Return the height in pixels."""

    @property
    @abstractmethod
    def body(self) -> str:
        """Return what is inside the SVG, all texts escaped."""

    @property
    def attributes(self) -> str:
        """Return what its element tells the page's script."""
        return ""


def style(scope: str) -> str:
    """Return the rules for pictures inside `scope` (a selector), for both colour schemes."""
    light, dark = (
        colours(scope, lanes)
        + "".join(f"{scope} .k{at}{{--c:{colour}}}" for at, colour in enumerate(lines))
        + f"{scope} .grey{{--c:{lanes[-1]}}}"
        for lanes, lines in ((ON_LIGHT, LINES_ON_LIGHT), (ON_DARK, LINES_ON_DARK))
    )
    return _RULES.replace("SCOPE", scope).replace("LIGHT", light).replace("DARK", dark)


def colours(scope: str, palette: tuple[str, ...]) -> str:
    """Return the rules that give each toolchain its colour."""
    return "".join(f"{scope} .c{at}{{--c:{colour}}}" for at, colour in enumerate(palette))


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
SCOPE .rule{stroke:var(--rule)}SCOPE .broad{stroke-width:2.5}SCOPE .zebra{fill:var(--zebra)}
SCOPE .bar{fill:var(--c);opacity:.16}SCOPE .key{fill:var(--c)}
SCOPE .dots{stroke:var(--c);stroke-width:3.2;stroke-linecap:round;opacity:.6;fill:none}
SCOPE .mid{stroke:var(--ink);stroke-width:1.6}SCOPE .ci{stroke:var(--ink);stroke-width:3;opacity:.35}
SCOPE .hit{fill:transparent}SCOPE .lane:hover .hit{fill:var(--c);opacity:.1}
SCOPE .end{text-anchor:end}SCOPE .middle{text-anchor:middle}
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
    lines = textwrap.wrap(picture.caption, 138, break_long_words=False, break_on_hyphens=False) or [""]
    below = _HEADER + picture.height
    height = below + 14.0 + _ROW_OF_TEXT * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {height:.0f}" '
        f'width="{picture.width}" height="{height:.0f}" class="headrace" role="img">',
        f"<title>{escape(picture.title)}</title><style>{style('.headrace')}</style>",
        f'<rect class="card" width="{picture.width}" height="{height:.0f}" rx="8"/>',
        text("head", 18, 28, picture.title),
        f'<g transform="translate(0 {_HEADER:.0f})">{picture.body}</g>',
    ]
    parts += [text("soft", 18, below + 10 + _ROW_OF_TEXT * at, line) for at, line in enumerate(lines)]
    return "\n".join([*parts, "</svg>\n"])


def inline(picture: Picture) -> str:
    """Draw for a page, which brings the style, the title and the caption itself."""
    left, width = picture.margin, picture.width - 2 * picture.margin
    return (
        f'<svg viewBox="{left} 0 {width} {picture.height:.0f}" class="chart" role="img" '
        f'aria-label="{escape(picture.title)}"{picture.attributes}>{picture.body}</svg>'
    )


def number(value: float) -> str:
    """Write a coordinate: "12.5", "12"."""
    return f"{value:.1f}".removesuffix(".0")


def text(style: str, x: float, y: float, words: str) -> str:
    """Write words at a place."""
    of_class = f' class="{style}"' if style else ""
    return f'<text{of_class} x="{number(x)}" y="{number(y)}">{escape(words)}</text>'


def rect(style: str, x: float, y: float, width: float, height: float) -> str:
    """Draw a rectangle."""
    places = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{style}" {places}/>'


def path(style: str, drawn: str) -> str:
    """Draw a path."""
    return f'<path class="{style}" d="{drawn}"/>'


def dots(style: str, places: Iterable[tuple[float, float]]) -> str:
    """Draw dots as one path, which a browser takes far less time for."""
    return path(style, "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places))


def hovered(style: str, tip: str, drawn: str) -> str:
    """Draw what shows a text to a pointer over it."""
    return f'<g class="{f"lane {style}".strip()}"><title>{escape(tip)}</title>{drawn}</g>'


def text_width(text: str) -> float:
    """About how many pixels a text takes at 12.5 px, generously: fonts differ."""
    return sum(_CAPITAL if letter.isupper() or letter in "+=" else CHARACTER for letter in text)


def log_ticks(low: float, high: float) -> list[float]:
    """Give round numbers between two positive ones: powers of ten, 2 and 5 times them on a short axis."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if len(powers) > 4 else (1, 2, 5)
    every = [factor * 10.0**power for power in powers for factor in factors]
    return [tick for tick in every if low * 0.999 <= tick <= high * 1.001]


def round_step(minimum: float) -> float:
    """Round up to 1, 2, 2.5 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(minimum)) if minimum > 0 else 1.0
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= minimum * 0.999)


def jitter(number: int) -> float:
    """Part the dots of a lane, within 3.5 px: multiples of the golden ratio modulo one keep apart."""
    return ((number * 0.618034) % 1 - 0.5) * 7
