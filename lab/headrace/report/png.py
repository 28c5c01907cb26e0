"""A picture as PNG, for where SVG cannot go: our own SVG in its light colours, drawn by resvg.

resvg knows no CSS variables and draws text with the fonts of this system only. So the variables are filled
in, and where there is no font the PNG would be a picture without words: then there is none.
"""

from __future__ import annotations

import re
from functools import cache

import resvg_py

SCALE = 1.6  # pixels per unit of the SVG: 960 wide becomes 1,536
FONTS = "fonts-dejavu-core"  # a package of Debian and its like
_FAMILY = "DejaVu Sans"

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"(--[a-z]+):([^;}]+)")
_SCHEME = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")


def draw(svg: str) -> bytes | None:
    """Draw a whole SVG file; None where this system has no font."""
    return _rendered(flat(svg)) if has_fonts() else None


@cache
def has_fonts() -> bool:
    """Whether text shows: one letter must change a picture."""
    blank, letter = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">{text}</text></svg>'
        for text in ("", "H")
    )
    return _rendered(blank) != _rendered(letter)


def _rendered(svg: str) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, zoom=SCALE, font_family=_FAMILY, sans_serif_family=_FAMILY, background="#fff"
        )
    )


def flat(svg: str) -> str:
    """Fill in the variables of an SVG's style: those of the light scheme, and each colour of the palette."""
    head, rest = svg.split("<style>", 1)
    style, body = rest.split("</style>", 1)
    rules = _RULE.findall(_SCHEME.sub("", style))
    known = dict(_VARIABLE.findall(";".join(text for selector, text in rules if "--ink" in text)))
    colours = {selector.split()[-1]: text[4:] for selector, text in rules if text.startswith("--c:")}
    filled = [
        rule
        for selector, text in rules
        for rule in _with_colours(selector.strip(), _filled(text, known), colours)
    ]
    return f"{head}<style>{''.join(filled)}</style>{body}"


def _filled(text: str, known: dict[str, str]) -> str:
    plain = re.sub(r"--[a-z]+:[^;}]+;?", "", text)
    return re.sub(r"var\((--[a-z]+)\)", lambda found: known.get(found[1], found[0]), plain)


def _with_colours(selector: str, text: str, colours: dict[str, str]) -> list[str]:
    """Repeat a rule in the colour of its element, or of what that is in, for each class with a colour."""
    if not text or ":hover" in selector:
        return []
    if "var(--c)" not in text:
        return [f"{selector}{{{text}}}"]
    scope, _, element = selector.partition(" ")
    return [
        f"{scope} {name} {element},{scope} {element}{name}{{{text.replace('var(--c)', colour)}}}"
        for name, colour in colours.items()
    ]
