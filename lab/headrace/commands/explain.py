"""The command `headrace explain`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from headrace.base.progress import Line
from headrace.explain.explainer import Explainer
from headrace.race import options, race
from headrace.race.options import Options
from headrace.report import calls as shown

ROUNDS = 5


def register(app: typer.Typer) -> None:
    """Add `explain` to the command line."""
    app.command("explain", epilog="Example: headrace explain read_ints --contender naive_cin_cout")(explain)


def explain(
    benchmark: Annotated[list[str], typer.Argument(help="Names, or paths of folders such as ./mine.")],
    toolchain: Annotated[
        list[str] | None,
        typer.Option(help='A name, part of a name ("clang", "libc++"), a pattern, or "all".'),
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these, and those they are compared with.")
    ] = None,
    guest: Annotated[
        list[Path] | None, typer.Option("--with", help="Also explain a program of your own.")
    ] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, such as O0,O2.")] = None,
    route: Annotated[
        list[str] | None, typer.Option(help="Routes from a source to a sink, such as file:null,pipe:null.")
    ] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the input, such as rows=100.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds for the times that the counts are set against.")
    ] = ROUNDS,
    full: Annotated[
        bool, typer.Option("--full", help="Take the times on the full input instead of that of --quick.")
    ] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also count instructions per byte (valgrind; slow).")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.01, help="Time limit for one run, in seconds.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")] = False,
) -> None:
    """Say why each contender takes as long as it does: system calls, page faults, functions."""
    explainer = Explainer(deep)
    wanted = Options(
        benchmarks=benchmark,
        toolchains=toolchain or [],
        contenders=contender or [],
        optimise=options.check_levels(opt or []),
        routes=options.check_routes(route or []),
        rounds=rounds,
        quick=not full,
        timeout=timeout,
        guests=guest or [],
        settings=options.check_settings(change or [], None),
        command=["headrace", *sys.argv[1:]],
        after=[explainer],
    )
    explainer.prepare()
    with Line() as line:
        campaign = race.run(wanted, line.show)
    if as_json:
        print(json.dumps([one.model_dump(mode="json") for one in explainer.explanations], indent=1))
    else:
        shown.render(explainer.explanations, campaign, explainer.remarks, Console(), wanted.contenders)
    raise typer.Exit(race.exit_code(campaign))
