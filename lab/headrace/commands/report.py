"""The command `headrace report`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.text import visible
from headrace.commands import race_on_hosts
from headrace.commands.options import Exports, Wide, console, spread
from headrace.judge.stored import load
from headrace.report import exports, markdown, terminal
from headrace.report.plain_data import as_data
from headrace.report.view import View
from headrace.results import fleet as fleets

EXAMPLE = "headrace report results/read_ints.json -o page.html --pictures pictures"


@dataclass(frozen=True)
class _Exports(Exports):
    export_markdown: Annotated[
        Path | None,
        typer.Option(
            "--export-markdown", "--markdown", help="Write Markdown to this file; - is standard output."
        ),
    ] = None
    export_csv: Annotated[
        Path | None,
        typer.Option("--export-csv", "--csv", help="Write CSV to this file; - is standard output."),
    ] = None
    export_advice: Annotated[
        Path | None,
        typer.Option(
            "--advice", help="Write which way to use to this file, as Markdown; - is standard output."
        ),
    ] = None


@spread
def report(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Results files of campaigns.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the page to this file. Default: beside the results file; report.html for several.",
        ),
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="Write SVG and PNG pictures to this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rankings as JSON.")] = False,
    mean: Annotated[bool, typer.Option("--mean", help="Also show the mean in the table.")] = False,
    wide: Wide = False,
    wanted: _Exports,
) -> None:
    """Show campaigns: a table here, and a page, pictures, Markdown or CSV as files."""
    one_fleet = fleets.load(files[0]) if len(files) == 1 and files[0].suffix == race_on_hosts.SUFFIX else None
    if one_fleet and not (pictures or wanted.places):
        _show_fleet(one_fleet, files[0], output, as_json, wide)
        return
    hosts = fleets.machines(one_fleet, files[0]) if one_fleet else {}
    files = list(hosts.values()) or [host for file in files for host in _hosts_of(file)]
    views = [View(load(file)) for file in files]
    names = _names(files)
    makers: dict[str, exports.Maker] = {"markdown": partial(markdown.text, names=names)}
    if one_fleet:
        makers |= race_on_hosts.makers(one_fleet, dict(zip(hosts, views, strict=True)))
    exports.check(wanted.places)
    if output is None and not (pictures or wanted.places or as_json):
        output = _page_of(files)
    _check_places(output, pictures)
    piped = as_json or exports.STDOUT in wanted.places.values()
    if as_json:
        print(json.dumps([as_data(view) for view in views], indent=1))
    elif not piped:
        _show(views, names, mean, wide)
    written = [*_write(views, files, output, pictures), *exports.write(views, wanted.places, makers)]
    for path in written:
        print(f"Written: {path}", file=sys.stderr if piped else sys.stdout)


def _show_fleet(fleet: fleets.Fleet, file: Path, output: Path | None, as_json: bool, wide: bool) -> None:
    """Print what the hosts of a fleet say together, and write its page."""
    page = output or (None if as_json else _page_of([file]))
    _check_places(page, None)
    if race_on_hosts.show(fleet, file, as_json, page, wide) and page:
        print(f"Written: {page}", file=sys.stderr if as_json else sys.stdout)


def _show(views: Sequence[View], names: Sequence[str], mean: bool, wide: bool) -> None:
    for view, name in zip(views, names or [""], strict=True):
        if name:
            console().rule(visible(name), align="left")
        terminal.render(view, console(), mean=mean, wide=wide)


def _hosts_of(file: Path) -> list[Path]:
    """Return the results files that the file of a fleet names; any other file as it is."""
    if file.suffix != race_on_hosts.SUFFIX:
        return [file]
    return list(fleets.files(fleets.load(file), file).values())


def _page_of(files: Sequence[Path]) -> Path:
    """Choose where the page goes: beside one file, of several here, but never over the page of one alone."""
    if len(files) == 1:
        return files[0].with_name(f"{_stem(files[0])}.html")
    output = Path("report.html")
    own = output.with_suffix(".json")
    if own.exists():
        raise BadInput(f"{output} is the page of {own} alone; name the page of all {len(files)} with -o")
    return output


def _check_places(output: Path | None, pictures: Path | None) -> None:
    """Look whether all can be written, before anything is printed. Raises BadInput that names the place."""
    if output:
        places.check_writable(output)
    # The page is written aside and renamed, so its folder counts though the file be there.
    for folder in filter(None, (output and output.parent, pictures)):
        places.check_folder(folder)


def _write(
    views: Sequence[View], files: Sequence[Path], output: Path | None, pictures: Path | None
) -> list[Path]:
    """Write the page and the pictures, where they are wanted."""
    written: list[Path] = []
    if output is not None:
        from headrace.report import page  # here, as other commands need no templates

        page.render(views, output, _names(files))
        written.append(output)
    if pictures is not None:
        from headrace.report import picture_files  # here, as other commands draw nothing

        drawn = [
            path
            for view, stem in zip(views, _stems(files), strict=True)
            for path in picture_files.draw(view, pictures, stem)
        ]
        if remark := picture_files.remark(drawn):
            print(f"headrace: {remark}", file=sys.stderr)
        written += drawn
    return written


def _names(files: Sequence[Path]) -> list[str]:
    """Name several campaigns by their files: by name alone, or as they were given where two share a name."""
    if len(files) == 1:
        return []
    names = [file.name for file in files]
    return names if len(set(names)) == len(names) else [str(file) for file in files]


def _stem(file: Path) -> str:
    """Name a results file without its endings: "run" of run.json and run.json.gz."""
    return Path(file.name.removesuffix(".gz")).stem


def _stems(files: Sequence[Path]) -> list[str]:
    """Name each campaign's pictures by its file, numbered where two files share a name.

    Those of several files begin with "report-", so that they replace none that a race has drawn.
    """
    first = "report-" if len(files) > 1 else ""
    stems = [f"{first}{_stem(file)}" for file in files]
    return [
        stem if stems.count(stem) == 1 else f"{stem}-{number}" for number, stem in enumerate(stems, start=1)
    ]
