"""The pictures as files: SVG that adapts to light and dark, and PNG for where SVG cannot go.

A PNG is the SVG in its light colours, drawn by resvg with the fonts of this system: where there is none it
would be a picture without words, so none is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import resvg_py

from headrace.base.errors import BadInput
from headrace.report import svg
from headrace.report.ranking import Group
from headrace.report.sweep import Sweep
from headrace.report.view import View

SCALE = 1.6  # pixels of a PNG per unit of the SVG: 960 wide becomes 1,536
FONTS = "fonts-dejavu-core"  # a package of Debian and its like
_FAMILY = "DejaVu Sans"


def draw(view: View, folder: Path, stem: str) -> list[Path]:
    """Write each picture as SVG and PNG into `folder`; only as SVG where this system has no font.

    Raises BadInput where it cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, drawn in _drawn(view, stem):
            path = folder / f"{name}.svg"
            path.write_text(drawn, encoding="utf-8")
            written.append(path)
            if has_fonts():
                path.with_suffix(".png").write_bytes(png(drawn))
                written.append(path.with_suffix(".png"))
    except OSError as error:
        raise BadInput(
            f"cannot write pictures to {folder}: {error.strerror or error}; choose another folder"
        ) from error
    return written


def remark(written: list[Path]) -> str:
    """Say why pictures that were written are SVG alone; "" where they are not."""
    if not written or any(path.suffix == ".png" for path in written):
        return ""
    return f"pictures are SVG only: a PNG needs a font, and this system has none (apt-get install {FONTS})"


def png(drawn: str) -> bytes:
    """Draw an SVG as PNG."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg.flat(drawn),
            zoom=SCALE,
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
            background="#fff",
        )
    )


@cache
def has_fonts() -> bool:
    """Whether text shows: one letter must change a picture."""
    blank, letter = (
        png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">{text}</text></svg>'
        )
        for text in ("", "H")
    )
    return blank != letter


def _drawn(view: View, stem: str) -> Iterator[tuple[str, str]]:
    every: list[Sweep | Group] = [*view.sweeps, *view.alone]
    for shown in every:
        parts = _of_sweep(shown, view.sweeps) if isinstance(shown, Sweep) else _of_group(shown, view.groups)
        for picture in view.pictures(shown):
            whole = filter(None, [stem, *parts, picture.name])
            yield "-".join(re.sub(r"[^\w.+-]", "_", part) for part in whole), svg.standalone(picture)


def _of_group(group: Group, every: Sequence[Group]) -> list[str]:
    """Name what tells a ranking from the others of the campaign."""
    parts = []
    if len({other.benchmark.name for other in every}) > 1:
        parts.append(group.benchmark.name)
    if len({other.route for other in every}) > 1:
        parts += [group.source, group.sink]
    if len({tuple(sorted(other.setting.items())) for other in every}) > 1:
        parts += [f"{key}-{value}" for key, value in sorted(group.setting.items())]
    return parts


def _of_sweep(sweep: Sweep, every: Sequence[Sweep]) -> list[str]:
    route = [sweep.benchmark.name, sweep.source, sweep.sink] if len(every) > 1 else []
    return [*route, "against", sweep.key]
