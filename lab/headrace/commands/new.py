"""The command `headrace new`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from headrace.commands.options import Json
from headrace.matrix import scaffold

EXAMPLE = "headrace new parse_dates && headrace run ./parse_dates --quick"


def new(
    name: Annotated[str, typer.Argument(help="Name of the benchmark and of its folder.")],
    as_json: Json = False,
) -> None:
    """Make a folder with a working benchmark, to start your own from."""
    files = scaffold.create(Path(name))
    if as_json:
        print(json.dumps({"files": [str(file) for file in files]}))
        return
    for file in files:
        print(f"wrote {file}")
    path = name if "/" in name else f"./{name}"  # a bare name is a benchmark that comes with headrace
    print(f"try it: headrace run {path} --quick")
