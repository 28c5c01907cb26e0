"""The command `headrace explain`."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console

from headrace.base.progress import Line
from headrace.commands.options import Given, taking
from headrace.explain import trace
from headrace.explain.explainer import Explainer
from headrace.race import race
from headrace.race.options import RunOptions
from headrace.report import system_calls as shown

EXAMPLE = "headrace explain read_ints --contender naive_cin_cout"

ROUNDS = 5


@taking("benchmarks", "toolchains", "contenders", "guests", "optimise", "routes", "settings", "timeout")
def explain(
    given: Given,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds for the times that the counts are set against.")
    ] = ROUNDS,
    full: Annotated[
        bool, typer.Option("--full", help="Take the times on the full input instead of that of --quick.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of sentences.")] = False,
) -> None:
    """Say why each contender takes as long as it does: system calls, page faults, functions."""
    explainer = Explainer()
    wanted = RunOptions(**given, rounds=rounds, quick=not full)
    trace.check()
    with Line() as line:
        campaign = race.run(wanted, line.show, command=["headrace", *sys.argv[1:]], afters=[explainer])
    if as_json:
        print(json.dumps([why.model_dump(mode="json") for why in explainer.explanations], indent=1))
    else:
        shown.render(explainer.explanations, campaign, explainer.remarks, Console(), wanted.contenders)
    raise typer.Exit(race.exit_code(campaign))
