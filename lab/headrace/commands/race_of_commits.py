"""The race of commits that the words after -- ask for, with options as of `headrace run`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import typer

from headrace.base.names import is_named
from headrace.commands.options import Given, taking
from headrace.matrix import toolchains
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.schema import Role


def read_race(words: Sequence[str]) -> RunOptions:
    """Read the words after -- as the race that they ask for. Raises BadInput."""
    app = typer.Typer(add_completion=False)
    app.command("race")(_race)
    command = typer.main.get_command(app)
    race: RunOptions = command.main(list(words), prog_name="headrace ... --", standalone_mode=False)
    if not isinstance(race, RunOptions):  # --help was printed
        raise typer.Exit
    return race


@taking(
    "benchmarks",
    "toolchains",
    "contenders",
    "guests",
    "optimise",
    "compilers",
    "routes",
    "quick",
    "timeout",
    "pin",
    "cold",
    "input",
    "settings",
    "layouts",
)
def _race(given: Given) -> RunOptions:
    """Say what is raced, with the options of headrace run that choose rows and inputs."""
    if not ("toolchains" in given or "compilers" in given):
        given = {**given, "toolchains": [toolchains.find().toolchains[0].name]}
    return RunOptions(**given)


def chooser(wanted: RunOptions) -> Callable[[Lane], bool]:
    """Return what tells whether a row is raced: named ones, else one's own, else all that take a place."""

    def is_wanted(lane: Lane) -> bool:
        role = lane.row().role
        if wanted.contenders:
            return is_named(lane.contender.name, wanted.contenders)
        return role is Role.OWN if wanted.guests else role not in (Role.FLOOR, Role.LIMIT)

    return is_wanted
