"""A picture as SVG: text that stays text, values to hover over, light and dark.

A page shows it `inline` and brings the style; a file of its own is `standalone`.
"""

from __future__ import annotations

import math
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import ClassVar, Self

WIDTH, NARROW = 960, 420  # of a picture, and of one on a phone
BELOW = 42  # the room for the labels and the title of the axis across
CHARACTER, _CAPITAL = 6.7, 9.0  # widths of a letter at 12.5 px, and of a capital or a sign
_HEADER, _ROW_OF_TEXT = 34.0, 17

# Blue, vermillion, green, purple, orange, sky and grey: told apart by every kind of colour vision
# (after M. Okabe and K. Ito, "Color Universal Design", 2008), darker on paper, lighter in the dark.
LANES = tuple(
    zip(
        "#0068a8 #c64f00 #008560 #a8558a #9a6c00 #2a86b8 #5f6670".split(),
        "#58b4f0 #ff9a5c #3fcf9f #e59ac7 #f0bb4a #8fd0f7 #a9b1bd".split(),
        strict=True,
    )
)

# Fourteen hues, evenly spaced in OKLCH (B. Ottosson, 2020), neighbours far apart and by turns dark and light.
# No eye tells all of them apart by hue alone: each curve bears its name, and stands out under the pointer.
LINES = tuple(
    zip(
        (
            "#0260a6 #d24b57 #057128 #6772e3 #993e07 #029679 #703dac #b17000 #076b6e #b355b4 #6e5d0a #108db1 "
            "#9f2366 #748c10"
        ).split(),
        (
            "#52a9fe #fdb5b5 #4cc061 #bcc7fc #f97c3f #10ebc0 #b888fd #ffbc6a #14bbc0 #fea6fd #c0a311 #78d9fd "
            "#f272ae #badb4c"
        ).split(),
        strict=True,
    )
)
_INKS = {  # of what has no colour of its own
    "INK": ("#1b1f24", "#e6e9ee"),
    "SOFT": ("#59636e", "#9aa4b0"),
    "LINE": ("#d8dde3", "#333b45"),
    "ZEBRA": ("#f5f7f9", "#1a1f26"),
    "CARD": ("#fff", "#12161b"),
}


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
class Mark:
    """A point of a line, with what hovering says of it; `low` and `high` bound it, `dots` are its samples."""

    x: float
    y: float
    tip: str
    low: float | None = None
    high: float | None = None
    dots: Sequence[float] = ()


@dataclass(frozen=True)
class Frame:
    """The field of a picture, in pixels, with an axis across and maybe one up."""

    left: float
    right: float
    top: float
    bottom: float
    across: Axis
    up: Axis | None = None

    def x(self, value: float) -> float:
        """Return where a value is on the axis across."""
        return self.left + (self.right - self.left) * self.across.share(value)

    def y(self, value: float) -> float:
        """Return where a value is on the axis up."""
        assert self.up is not None  # nobody asks without one
        return self.bottom - (self.bottom - self.top) * self.up.share(value)

    def rules(self) -> Iterator[str]:
        """Draw a line at each tick, with its label; where nothing goes up, a label above the field, too."""
        for value, label in self.across.ticks:
            x = self.x(value)
            yield path("rule", f"M{x:.1f} {self.top:.0f}V{self.bottom:.0f}")
            yield text("soft middle", x, self.bottom + 17, label)
            yield text("soft middle", x, self.top - 6, label) if self.up is None else ""
        for value, label in self.up.ticks if self.up else ():
            y = self.y(value)
            yield path("rule", f"M{self.left:.0f} {y:.1f}H{self.right:.1f}")
            yield text("soft end", self.left - 7, y + 4, label)
        yield text("soft middle", (self.left + self.right) / 2, self.bottom + 34, self.across.title)
        yield text("soft", 8, 12, self.up.title if self.up else "")

    def mark(self, mark: Mark, style: str = "") -> str:
        """Draw a point with its bounds and its samples."""
        x, drawn = self.x(mark.x), ""
        if mark.dots:
            drawn += dots("few", ((x + jitter(at), self.y(dot)) for at, dot in enumerate(mark.dots)))
        if mark.low and mark.high:
            drawn += path("whisker", f"M{x:.1f} {self.y(mark.low):.1f}V{self.y(mark.high):.1f}")
        return self.spot(mark, style, drawn + self.circle(mark, "point", 3.2))

    def spot(self, mark: Mark, style: str, drawn: str) -> str:
        """Draw what shows a mark's text to a pointer near it."""
        return hovered(style, mark.tip, drawn + self.circle(mark, "hit", 10))

    def circle(self, mark: Mark, style: str, radius: float) -> str:
        """Draw a circle about a mark."""
        return f'<circle class="{style}" cx="{self.x(mark.x):.1f}" cy="{self.y(mark.y):.1f}" r="{radius:g}"/>'


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
    rules = _RULES.replace("SCOPE", scope)
    for ink, pair in _INKS.items():
        rules = rules.replace(ink, both(*pair))
    coloured = {**{f"c{at}": pair for at, pair in enumerate(LANES)}, "grey": LANES[-1]}
    coloured |= {f"k{at}": pair for at, pair in enumerate(LINES)}
    return rules + "".join(f"{scope} .{name}{{color:{both(*pair)}}}" for name, pair in coloured.items())


def both(light: str, dark: str) -> str:
    """Return a colour of each scheme as one of CSS: `flat` knows it."""
    return f"light-dark({light},{dark})"


def flat(drawn: str) -> str:
    """Return a picture in its light colours alone."""
    return re.sub(r"light-dark\((#\w+),#\w+\)", r"\1", drawn)


_RULES = """\
SCOPE{color-scheme:light dark;font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
@media print{SCOPE{color-scheme:light}}
SCOPE text{fill:INK}SCOPE .soft{fill:SOFT;font-size:11.5px}
SCOPE .value{font-size:11px;font-variant-numeric:tabular-nums}
SCOPE .beside{paint-order:stroke;stroke:CARD;stroke-width:3.5;stroke-linejoin:round}
SCOPE .head{font-weight:600;font-size:15px}SCOPE .card{fill:CARD}
SCOPE .rule{stroke:LINE}SCOPE .broad{stroke-width:2.5}SCOPE .zebra{fill:ZEBRA}
SCOPE .bar{fill:currentColor;opacity:.16}SCOPE .key{fill:currentColor}
SCOPE .dots{stroke:currentColor;stroke-width:3.2;stroke-linecap:round;opacity:.6;fill:none}
SCOPE .mid{stroke:INK;stroke-width:1.6}SCOPE .ci{stroke:INK;stroke-width:3;opacity:.35}
SCOPE .hit{fill:transparent}SCOPE .lane:hover .hit{fill:currentColor;opacity:.1}
SCOPE .end{text-anchor:end}SCOPE .middle{text-anchor:middle}
SCOPE .curve{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
SCOPE .aside{stroke-dasharray:5 4}SCOPE .second{stroke-dasharray:10 3}SCOPE .third{stroke-dasharray:2 3}
SCOPE .whisker{stroke:currentColor;stroke-width:3;opacity:.4}SCOPE .point{fill:currentColor}
SCOPE .few{stroke:currentColor;stroke-width:2.2;stroke-linecap:round;opacity:.5;fill:none}
SCOPE .ring{fill:none;stroke:INK;stroke-width:1.6}SCOPE .name{fill:currentColor;font-weight:600}
SCOPE .leader{stroke:currentColor;opacity:.5}
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
    return f'<text{_class(style)} x="{number(x)}" y="{number(y)}">{escape(words)}</text>' if words else ""


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""


def rect(style: str, x: float, y: float, width: float, height: float) -> str:
    """Draw a rectangle."""
    places = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{style}" {places}/>'


def path(style: str, drawn: str) -> str:
    """Draw a path."""
    return f'<path{_class(style)} d="{drawn}"/>'


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
