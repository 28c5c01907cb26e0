"""What is raced of commits: the words after --, with options as of `headrace run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from headrace.base.names import is_named
from headrace.matrix import toolchains
from headrace.race import options
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.results.schema import Role


def read_race(words: Sequence[str]) -> Options:
    """Read the words after -- as the race that they ask for. Raises BadInput."""
    app = typer.Typer(add_completion=False)
    app.command("race")(_race)
    command = typer.main.get_command(app)
    found: Options = command.main(list(words), prog_name="headrace ... --", standalone_mode=False)
    if not isinstance(found, Options):  # --help was printed
        raise typer.Exit
    return found


def _race(
    benchmark: Annotated[list[str], typer.Argument(help="Names, or paths of folders such as ./mine.")],
    contender: Annotated[list[str] | None, typer.Option(help="Only these contenders.")] = None,
    guest: Annotated[list[Path] | None, typer.Option("--with", help="A program of your own.")] = None,
    toolchain: Annotated[list[str] | None, typer.Option(help="Default: the first one found.")] = None,
    compiler: Annotated[list[Path] | None, typer.Option(help="Use the compiler at this path.")] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, such as O0,O2.")] = None,
    flags: Annotated[str, typer.Option(help="Sets of flags.")] = "",
    route: Annotated[
        list[str] | None, typer.Option(help="Routes from a source to a sink, such as file:null.")
    ] = None,
    own_input: Annotated[
        Path | None, typer.Option("--input", exists=True, dir_okay=False, help="Read this file as the input.")
    ] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the input, such as rows=100.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller input.")] = False,
    layouts: Annotated[int, typer.Option(help="Link each build in N layouts.")] = 3,
    timeout: Annotated[
        float | None, typer.Option(min=0.01, help="Time limit for one run, in seconds.")
    ] = None,
    pin: Annotated[int | None, typer.Option(min=0, help="Run every program on this processor.")] = None,
    cold: Annotated[bool, typer.Option("--cold", help="Drop the input from the page cache.")] = False,
) -> Options:
    """Say what is raced, with the options of headrace run that choose rows and inputs."""
    levels = options.check_levels(opt or [])
    compilers = options.check_compilers(compiler or [])
    chains = toolchain or []
    if not chains and not compilers:
        chains = [toolchains.find().toolchains[0].name]
    return Options(
        benchmarks=benchmark,
        contenders=contender or [],
        guests=guest or [],
        toolchains=chains,
        compilers=compilers,
        optimise=options.check_flags(flags, levels) if flags else levels,
        routes=options.check_routes(route or []),
        input=str(own_input.resolve()) if own_input else "",
        settings=options.check_settings(change or [], None),
        quick=quick,
        layouts=options.check_layouts(layouts),
        timeout=timeout,
        pin=pin,
        cold=cold,
    )


def chooser(wanted: Options) -> Callable[[Lane], bool]:
    """Return what tells whether a row is raced: named ones, else one's own, else all that take a place."""

    def is_wanted(lane: Lane) -> bool:
        role = lane.row().role
        if wanted.contenders:
            return is_named(lane.contender.name, wanted.contenders)
        return role is Role.OWN if wanted.guests else role not in (Role.FLOOR, Role.LIMIT)

    return is_wanted
