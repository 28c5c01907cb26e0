"""The command `headrace doctor`."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from headrace.base import places
from headrace.base.progress import Line
from headrace.base.screen import beside
from headrace.base.step import Step
from headrace.base.text import plural
from headrace.builds import build
from headrace.commands.options import Json
from headrace.machine.doctor import Check, Diagnosis, diagnose

EXAMPLE = "headrace doctor --json"


def doctor(
    prune: Annotated[
        bool, typer.Option("--prune", help="Only remove from the cache what was not used for two weeks.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show toolchains, processor, memory and load, and how to get what is missing."""
    if prune:
        _prune(as_json)
        return
    with Line() as line:
        diagnosis = diagnose(lambda what: line.show(Step("toolchains", what, 0, 0)), build.launcher)
    if as_json:
        print(diagnosis.model_dump_json(indent=1))
    else:
        _print_diagnosis(diagnosis, Console())
    if not diagnosis.toolchains:
        raise typer.Exit(3)


def _prune(as_json: bool) -> None:
    left = {name: places.bound_cache(name, places.KEPT) for name in places.BOUNDS}
    if as_json:
        print(json.dumps({"cache": str(places.cache_folder()), "bytes": left}, indent=1))
        return
    for name, size in left.items():
        print(
            f"{places.cache_folder(name)}: {size / 2**20:,.0f} of at most {places.BOUNDS[name] >> 20:,} MiB"
        )


def _print_diagnosis(diagnosis: Diagnosis, console: Console) -> None:
    facts = diagnosis.machine
    console.print(
        Text(
            f"{facts.cpu}, {plural(facts.cores, 'processor')}, {facts.system}, Linux {facts.kernel}",
            style="bold",
        )
    )
    beside(Text(), [" ".join(facts.features)], console)
    width = max((len(check.name) for check in diagnosis.checks), default=0)
    for check in diagnosis.checks:
        _print_check(check, width, console)
    for name, reason in diagnosis.absent.items():
        _print_check(Check(name="toolchain", state="missing", found=name, advice=reason), width, console)
    untried = f"Tried only when asked for (--toolchain NAME, or all): {', '.join(diagnosis.untried)}"
    if diagnosis.untried:
        beside(Text(), [untried], console)


def _print_check(check: Check, width: int, console: Console) -> None:
    """Print a mark, the name, and beside them what was found and what to do. Names stay whole."""
    mark, style = {"good": ("yes", "green"), "missing": ("no", "yellow"), "disturbs": ("beware", "red")}[
        check.state
    ]
    start = Text.assemble((f"{mark:<8}", style), f"{check.name:<{width}}  ")
    names = check.found.split(", ")
    listed = names if all(" " not in name for name in names) else [check.found]
    texts = [*(listed if check.found != "none" else []), check.advice]
    beside(start, texts, console)
