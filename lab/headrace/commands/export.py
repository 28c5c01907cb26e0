"""The command `headrace export`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.text import plural, visible
from headrace.commands.options import Json
from headrace.exchange import archive, pack

EXAMPLE = "headrace export results/read_ints.json -o read_ints.headrace"


def export(
    file: Annotated[Path, typer.Argument(metavar="RUN.json", help="A results file.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Archive to write. Default: RUN.headrace beside the results file."),
    ] = None,
    with_input: Annotated[
        bool,
        typer.Option(
            "--with-input", help="Also pack the file that --input read: whoever gets the archive can read it."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Pack a campaign with its sources and checksums into one file, for headrace rerun elsewhere."""
    place = output or file.with_suffix(archive.SUFFIX)
    if place.resolve() == file.resolve():
        raise BadInput(f"{place} is the results file itself; name another place with -o")
    places.check_writable(place)
    with places.scratch() as folder:
        contents = pack.gather(file, folder, with_input)
        digest = archive.save(place, contents.manifest, contents.files)
    own = sorted(name for name in contents.files if name.startswith(("own/", "input/")))
    if as_json:
        files = sorted(contents.files)
        print(json.dumps({"archive": str(place), "digest": digest, "files": files}, indent=1))
    else:
        print(f"{place}: {plural(len(contents.files), 'file')}, {place.stat().st_size:,} bytes")
        print(f"digest: {digest}")
        if own:
            print(f"of yours, it holds: {', '.join(map(visible, own))}")
    for sentence in contents.warnings:
        print(f"headrace: {sentence}", file=sys.stderr)
