"""The command `headrace report`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.commands import race_on_hosts
from headrace.commands.options import Exports, Wide, console, spread
from headrace.judge.table import load
from headrace.report import exports, markdown, side_by_side, terminal
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
            "--out",
            help="Write the page to this file. Default: beside the results file; report.html for several.",
        ),
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="Write SVG and PNG pictures to this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rankings as JSON.")] = False,
    wide: Wide = False,
    wanted: _Exports,
) -> None:
    """Show campaigns: a table here, and a page, pictures, Markdown or CSV as files."""
    fleet = fleets.load(files[0]) if len(files) == 1 and files[0].suffix == race_on_hosts.SUFFIX else None
    exports.check(wanted.places)
    if output is None and not (pictures or wanted.places or as_json):
        output = _page_of(files)
    _check_places(output, pictures)
    hosts = fleets.machines(fleet, files[0]) if fleet else {}
    files = list(hosts.values()) or [host for file in files for host in _hosts_of(file)]
    views = [View(load(file)) for file in files]
    names = list(hosts) or _names(files)
    makers: dict[str, exports.Maker] = {"markdown": partial(markdown.text, names=names)}
    if fleet:
        makers |= race_on_hosts.makers(fleet, dict(zip(names, views, strict=True)))
    piped = as_json or exports.STDOUT in wanted.places.values()
    if as_json:
        print(makers.get("json", exports.ours)(views), end="")
    elif fleet and not piped:
        race_on_hosts.show(fleet, views, names, wide)
    elif not piped and len(views) != 1:
        side_by_side.render(views, names, console(), wide=wide)
    elif not piped:
        terminal.render(views[0], console(), wide=wide)
    written: list[Path] = []
    if output is not None and views:
        from headrace.report import page  # here, as other commands need no templates

        page.render(views, output, names, fleets.sentences(fleet) if fleet else None)
        written.append(output)
    if pictures is not None:
        written += _draw(views, files, pictures)
    for path in [*written, *exports.write(views, wanted.places, makers)]:
        print(f"Written: {path}", file=sys.stderr if piped else sys.stdout)


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


def _draw(views: Sequence[View], files: Sequence[Path], folder: Path) -> list[Path]:
    from headrace.report import picture_files  # here, as other commands draw nothing

    drawn = [
        path
        for view, stem in zip(views, _stems(files), strict=True)
        for path in picture_files.draw(view, folder, stem)
    ]
    if remark := picture_files.remark(drawn):
        print(f"headrace: {remark}", file=sys.stderr)
    return drawn


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
