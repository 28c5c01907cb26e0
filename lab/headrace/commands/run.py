"""The command `headrace run`: its options; what it does is in racing.py."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import ctrl_c
from headrace.commands.options import Exports, Given, Json, Wide, taking

EXAMPLE = "headrace run read_ints --toolchain g++ --opt O0,O2 --route file:null,pipe:null"


@dataclass(frozen=True)
class Wish:
    """Options of `headrace run` that do not choose a race: where it runs, what its results are for."""

    out: Annotated[Path | None, typer.Option(help="Results file. Default: results/<time>.json.")] = None
    count: Annotated[
        str, typer.Option(help='"instructions": count them in one more run of each build, untimed.')
    ] = ""
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would run and how long it would take; run nothing.")
    ] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start a long run without asking.")] = False
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Continue the campaign in this results file, with the options it was started with."
        ),
    ] = None
    why: Annotated[
        bool,
        typer.Option("--explain", help="Afterwards, count each build's system calls and say why it is slow."),
    ] = False
    on: Annotated[
        str,
        typer.Option(help="Race on other machines: a scheduler's address, such as tls://name:8786."),
    ] = ""  # with `resume`: as there
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure", help="With --on: allow plain tcp to other machines, on a network of your own."
        ),
    ] = False
    lost_after: Annotated[
        float,
        typer.Option(
            min=1, help="With --on: seconds of a host's silence after which its campaign begins elsewhere."
        ),
    ] = 60.0
    wide: Wide = False
    as_json: Json = False


@taking()
def run(given: Given, wish: Wish, wanted: Exports) -> None:
    """Build and race a benchmark's contenders, check every answer, and show and save the result."""
    with ctrl_c.loading():
        from headrace.commands import racing
    raise typer.Exit(racing.run(given, wish, wanted.places))
