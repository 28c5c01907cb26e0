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
    benchmark: Annotated[list[str], typer.Argument(help="Names, or paths of folders as ./mine.")],
    toolchain: Annotated[
        list[str] | None, typer.Option(help='A name, a part of one ("clang", "libc++"), a pattern, or "all".')
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these (and those they compare with).")
    ] = None,
    guest: Annotated[
        list[Path] | None, typer.Option("--with", help="Explain a program of your own, too.")
    ] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, as O0,O2.")] = None,
    route: Annotated[
        list[str] | None, typer.Option(help="Sources with sinks, as file:null,pipe:null.")
    ] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="Change the input, as rows=100.")] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Of the times that the counts are held against.")
    ] = ROUNDS,
    full: Annotated[
        bool, typer.Option("--full", help="Times from the full input, not from the one of --quick.")
    ] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Count instructions a byte, too (valgrind; slow).")
    ] = False,
    timeout: Annotated[float | None, typer.Option(min=0.01, help="Seconds that one run may take.")] = None,
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
