"""The pictures as files: SVG that adapts to light and dark, and PNG for where SVG cannot go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from headrace.base.errors import BadInput
from headrace.report import lane_chart, line_chart, png, svg
from headrace.report.ranking import Group
from headrace.report.sweep import Sweep
from headrace.report.view import View


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
            if (pixels := png.draw(drawn)) is not None:
                path.with_suffix(".png").write_bytes(pixels)
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
    return (
        f"pictures are SVG only: a PNG needs a font, and this system has none (apt-get install {png.FONTS})"
    )


def _drawn(view: View, stem: str) -> Iterator[tuple[str, str]]:
    """Give each picture's name and its SVG."""
    for sweep in view.sweeps:
        for curved in line_chart.of_sweep(sweep):
            yield _sweep_name(sweep, curved, view.sweeps, stem), svg.standalone(curved)
    for group in view.alone:
        for picture in lane_chart.charts(group, view.campaign):
            yield _name(group, view.groups, stem, picture), svg.standalone(picture)


def _name(group: Group, every: Sequence[Group], stem: str, picture: svg.Picture) -> str:
    """Name a file by what tells it from the others of the campaign."""
    parts = [stem]
    if len({other.benchmark.name for other in every}) > 1:
        parts.append(group.benchmark.name)
    if len({other.route for other in every}) > 1:
        parts += [group.source, group.sink]
    if len({tuple(sorted(other.setting.items())) for other in every}) > 1:
        parts += [f"{key}-{value}" for key, value in sorted(group.setting.items())]
    return _file_name([*parts, picture.name])


def _sweep_name(sweep: Sweep, picture: svg.Picture, every: list[Sweep], stem: str) -> str:
    parts = [stem]
    if len(every) > 1:
        parts += [sweep.benchmark.name, sweep.source, sweep.sink]
    parts += ["against", sweep.key]
    return _file_name([*parts, picture.name])


def _file_name(parts: Sequence[str]) -> str:
    return "-".join(re.sub(r"[^\w.+-]", "_", part) for part in parts if part)
