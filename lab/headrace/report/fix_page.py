"""The page of one fix: causes, the system calls before and after on one axis, the remedies, the difference.

It takes what `headrace fix --json` prints, and like the page of a campaign needs no network and no script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

import headrace
from headrace.base import places, units
from headrace.report import page

WIDTH, LANE, LEFT, TOP = 1000, 90, 90, 34  # pixels of a picture, of a lane of it
COLOURS = {"read": "var(--link)", "write": "var(--bad)", "other": "var(--soft)"}


def render(path: Path, title: str, sentence: str, data: Mapping[str, Any], difference: str) -> None:
    """Write the page. Raises BadInput where it cannot be written."""
    assets = Path(page.__file__).parent / "assets"
    environment = Environment(
        loader=FileSystemLoader(assets), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    style = (assets / "page.css").read_text(encoding="utf-8") + (assets / "fix.css").read_text(
        encoding="utf-8"
    )
    text = environment.get_template("fix.html").render(
        title=title,
        sentence=sentence,
        data=data,
        style=Markup(style),
        policy=f"default-src 'none'; style-src {page.digest(style)}; base-uri 'none'; form-action 'none'",
        version=headrace.__version__,
        timeline=timeline(data["timeline"]),
        ratio=units.ratio,
        lines=[(_kind(line), line) for line in difference.splitlines()],
    )
    with places.written_whole(path, "the page", "choose another place for --page") as file:
        file.write(text.encode())


def _kind(line: str) -> str:
    """Return the class of a line of a unified diff."""
    if line.startswith(("+++", "---", "@@")):
        return "place"
    return {"+": "added", "-": "removed"}.get(line[:1], "same")


def timeline(lanes: Sequence[Mapping[str, Any]]) -> Markup:
    """Draw the calls of each run over time; a bar's height is how many there were, to the power of a half."""
    if not lanes:
        return Markup("")
    most = max(sum(at) for lane in lanes for at in zip(*lane["slots"].values(), strict=True))
    height = TOP + len(lanes) * (LANE + 30) + 10
    parts = [
        f'<svg class="calls" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="System calls over time">'
    ]
    for number, (name, colour) in enumerate(COLOURS.items()):
        x = LEFT + number * 90
        parts.append(f'<rect x="{x}" y="6" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18}" y="17">{name}</text>')
    for number, lane in enumerate(lanes):
        base = TOP + number * (LANE + 30) + LANE
        parts += _lane(lane, base, max(most, 1), ("before", "after")[number])
    parts.append("</svg>")
    return Markup("\n".join(parts))


def _lane(lane: Mapping[str, Any], base: int, most: int, name: str) -> list[str]:
    """Draw one run: its name, what it took, and a bar per slot, its kinds on top of one another."""
    said = f"{lane['calls']:,} calls, {units.one_time(lane['seconds'])} under the tracer"
    parts = [f'<text class="name" x="0" y="{base - 4}">{name}</text>']
    parts.append(f'<line x1="{LEFT}" x2="{WIDTH}" y1="{base}" y2="{base}" stroke="var(--line)"/>')
    parts.append(f'<text x="{LEFT}" y="{base + 16}">{escape(said)}</text>')
    slots = list(zip(*(lane["slots"][kind] for kind in COLOURS), strict=True))
    width = (WIDTH - LEFT) / len(slots)
    for at, counts in enumerate(slots):
        total = sum(counts)
        tall = LANE * (total / most) ** 0.5 if total else 0.0
        y = float(base)
        for colour, count in zip(COLOURS.values(), counts, strict=True):
            part = tall * count / total if total else 0.0
            y -= part
            if part:
                parts.append(
                    f'<rect x="{LEFT + at * width:.1f}" y="{y:.1f}" width="{width:.1f}" height="{part:.1f}" '
                    f'fill="{colour}"/>'
                )
    return parts
