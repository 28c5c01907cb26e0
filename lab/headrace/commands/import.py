"""The command `headrace import`."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from headrace.base.errors import BadInput
from headrace.base.text import plural
from headrace.commands.options import Json
from headrace.history import settings
from headrace.machine import facts
from headrace.race import resume
from headrace.results import foreign, store
from headrace.results.schema import Campaign

EXAMPLE = "headrace import hyperfine.json --benchmark startup --here"


def import_(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="JSON written by Google Benchmark, hyperfine or pyperf."),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--out", help="Results file. Default: results/<time>-<name>.json.")
    ] = None,
    benchmark: Annotated[
        str,
        typer.Option(help="Benchmark that the rows belong to. Default: the program's name, or the file's."),
    ] = "",
    baseline: Annotated[str, typer.Option(help="The row that ratios are taken to. Default: the first.")] = "",
    commit: Annotated[str, typer.Option(help="The commit that was measured, for history --commit.")] = "",
    started: Annotated[str, typer.Option(help="When it was measured, if the file does not say.")] = "",
    here: Annotated[bool, typer.Option("--here", help="It was measured on this machine.")] = False,
    as_json: Json = False,
) -> None:
    """Convert other harnesses' JSON to results files, for history, report and compare."""
    if output and len(files) > 1:
        raise BadInput(f"-o names one file, and there are {len(files)} to import; leave it out")
    remembers = settings.wants_history()
    machine, host = (facts.read(), resume.host()) if here else (None, "")
    given = foreign.Facts(benchmark, baseline, started, commit, machine, host)
    read = [(file, foreign.read(file, given)) for file in files]
    places = [output or _place(file, campaign) for file, campaign in read]
    if twice := next((place for place in places if places.count(place) > 1), None):
        raise BadInput(
            f"two of the files have the same name and time, and would both become {twice}; import them one "
            "by one, each with -o"
        )
    for place in places:
        if place.exists() and not _is_import(place):
            raise BadInput(f"{place} exists and is not an import; choose another place with -o")
    for (_, campaign), place in zip(read, places, strict=True):
        store.save(campaign, place)
    if remembers:
        settings.remember(places)
    if as_json:
        listed = [
            {"file": str(file), "kind": campaign.imported, "rows": len(campaign.rows), "results": str(place)}
            for (file, campaign), place in zip(read, places, strict=True)
        ]
        print(json.dumps(listed, indent=1))
        return
    for (file, campaign), place in zip(read, places, strict=True):
        print(f"{file}: {campaign.imported}, {plural(len(campaign.rows), 'row')}; written: {place}")


def _place(file: Path, campaign: Campaign) -> Path:
    """Name a results file so that those of one folder are in the order of time, as those of races are."""
    when = datetime.fromisoformat(campaign.started).strftime("%Y-%m-%d-%H%M%S")
    return Path("results") / f"{when}-{file.stem}.json"


def _is_import(place: Path) -> bool:
    try:
        return bool(store.load(place).imported)
    except BadInput:
        return False
