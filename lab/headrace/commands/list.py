"""The command `headrace list`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from headrace.base import ctrl_c
from headrace.commands.options import Json
from headrace.race.options import complete


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("list", epilog="Example: headrace list read_ints")(list_)


def list_(
    benchmark: Annotated[
        list[str] | None,
        typer.Argument(help="Show these in full: input, answer, contenders.", autocompletion=complete),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the benchmarks; for named ones, show the question, input, answer and contenders."""
    # Here, as the shell asks this module for names of benchmarks.
    with ctrl_c.loading():
        from rich.console import Console

        from headrace.matrix import catalogue

    found = catalogue.find(benchmark or [])
    if as_json:
        infos = [one.info().model_dump(exclude={"sources"}) for one in found]
        print(json.dumps(infos, indent=1))
        return
    console = Console()
    if not benchmark:
        catalogue.overview(found, console)
        return
    for number, one in enumerate(found):
        console.print("\n" if number else "", end="")
        catalogue.show(one, console)
