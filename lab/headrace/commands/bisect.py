"""The command `headrace bisect`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from headrace.base.errors import NotDecided
from headrace.base.names import is_named
from headrace.base.progress import Line
from headrace.base.text import plural, visible
from headrace.commands.compare import read_share
from headrace.commands.options import Json
from headrace.judge import search
from headrace.matrix import toolchains
from headrace.race import options
from headrace.race.bisect import Answer, Bisection, Question, Tried
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.race.trees import Commit, Repository, Trees
from headrace.report.changes import interval
from headrace.results.schema import Comparison, Metric, Role

_EPILOG = "Example: headrace bisect v1.0 HEAD -- read_ints --contender headrace_bulk --toolchain g++"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("bisect", epilog=_EPILOG)(bisect)


def bisect(
    good: Annotated[str, typer.Argument(metavar="GOOD", help="A commit that is fast.")],
    bad: Annotated[str, typer.Argument(metavar="BAD", help="A later one that is slow.")],
    race: Annotated[
        list[str],
        typer.Argument(metavar="-- BENCHMARK...", help="What is raced, with options as of headrace run."),
    ],
    slower: Annotated[
        str, typer.Option(help="The slowdown to look for: BAD is to be slower by more than this.")
    ] = "1%",
    seconds: Annotated[float, typer.Option(min=1, help="Bound of racing one commit.")] = 60.0,
    rounds: Annotated[int | None, typer.Option(min=6, help="Race each commit exactly N rounds.")] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="By user + system time, not wall time.")] = False,
    as_json: Json = False,
) -> None:
    """Find the commit of a git repository that made a row slower, by racing commits against GOOD.

    Commits are checked out in a temporary folder; the working tree is not touched. One that does not build,
    or gives no right answer, is skipped and said.
    """
    metric: Metric = "cpu" if cpu else "wall"
    question = Question(read_share(slower, "--slower"), metric, seconds, rounds)
    wanted = read_race(race)
    repository = Repository(Path.cwd())
    first, last = repository.commit(good), repository.commit(bad)
    commits = repository.between(first, last)
    with Trees(repository, Path.cwd()) as trees, Line() as line:

        def say(text: str) -> None:
            if not as_json:
                line.say(text)

        bisection = Bisection(
            trees, wanted, question, _chooser(wanted), line.show, lambda tried: say(_as_text(tried))
        )
        fast, change = bisection.ends(first, last)
        say(f"{change.id}, {metric} time")
        say(f"  fast: {_named(first)}")
        say(f"  slow: {_named(last)}, {_times(change.comparison)}")
        say(f"  {plural(len(commits), 'commit')} to choose from")
        answer = bisection.find(fast, change, commits)
    if as_json:
        print(json.dumps(_as_data(answer), indent=1))
    else:
        print("\n".join(_conclusion(answer)))
    if answer.chances[answer.best] < search.SURE and not answer.certain:
        raise NotDecided(_why_not(answer))


def read_race(words: Sequence[str]) -> Options:
    """Read the words after -- as the race that they ask for. Raises BadInput."""
    app = typer.Typer(add_completion=False)
    app.command("race")(_race)
    command = typer.main.get_command(app)
    found: Options = command.main(list(words), prog_name="headrace bisect GOOD BAD --", standalone_mode=False)
    if not isinstance(found, Options):  # --help was printed
        raise typer.Exit
    return found


def _race(
    benchmark: Annotated[list[str], typer.Argument(help="Names, or paths of folders as ./mine.")],
    contender: Annotated[list[str] | None, typer.Option(help="Only these.")] = None,
    guest: Annotated[list[Path] | None, typer.Option("--with", help="A program of your own.")] = None,
    toolchain: Annotated[list[str] | None, typer.Option(help="Else the first that is here.")] = None,
    compiler: Annotated[list[Path] | None, typer.Option(help="Use the compiler of this path.")] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, as O0,O2.")] = None,
    flags: Annotated[str, typer.Option(help="Sets of flags.")] = "",
    route: Annotated[list[str] | None, typer.Option(help="Sources with sinks, as file:null.")] = None,
    own_input: Annotated[
        Path | None, typer.Option("--input", exists=True, dir_okay=False, help="Read this file.")
    ] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="Change the input, as rows=100.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller input.")] = False,
    layouts: Annotated[int, typer.Option(help="Link each build in N layouts.")] = 3,
    timeout: Annotated[float | None, typer.Option(min=0.01, help="Seconds that one run may take.")] = None,
    pin: Annotated[int | None, typer.Option(min=0, help="Run every program on this processor.")] = None,
    cold: Annotated[bool, typer.Option("--cold", help="Drop the input from the page cache.")] = False,
) -> Options:
    """Say what is raced, with the options of headrace run that choose rows and inputs."""
    levels = options.check_levels(opt or [])
    compilers = [str(path.absolute()) if path.exists() else str(path) for path in compiler or []]
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


def _chooser(wanted: Options) -> Callable[[Lane], bool]:
    """Return what tells whether a row is raced: named ones, else one's own, else all that take a place."""

    def is_wanted(lane: Lane) -> bool:
        role = lane.row().role
        if wanted.contenders:
            return is_named(lane.contender.name, wanted.contenders)
        return role is Role.OWN if wanted.guests else role not in (Role.FLOOR, Role.LIMIT)

    return is_wanted


def _named(commit: Commit) -> str:
    return f"{commit.short} {visible(commit.subject)}"


def _times(pair: Comparison | None) -> str:
    return f"{pair.ratio:.3f} {interval(pair.low, pair.high)} times" if pair else ""


def _as_text(tried: Tried) -> str:
    times = _times(tried.comparison)
    parts = ", ".join(filter(None, [times, tried.word, visible(tried.why)]))
    return f"  {_named(tried.commit)}: {parts}"


def _conclusion(answer: Answer) -> list[str]:
    best = answer.commits[answer.best]
    chance = answer.chances[answer.best]
    who = f"{visible(best.author)}, {best.date}"
    if answer.certain:
        said = [f"the first slow commit is {_named(best)} ({who})"]
    elif chance >= search.SURE:
        said = [f"the first slow commit is {_named(best)} ({who}), with a probability of {chance:.0%}"]
    else:
        said = [f"the first slow commit is one of {len(answer.likely)}, by probability:"]
        said += [f"  {answer.chances[at]:.0%} {_named(answer.commits[at])}" for at in answer.likely]
    if best.parents > 1:
        said.append("it is a merge: what it brought in is judged as one")
    return said


def _why_not(answer: Answer) -> str:
    skipped = {one.at for one in answer.tried if one.word == "skipped"} & {*answer.likely}
    if len(skipped) == len(answer.likely) - 1:
        return f"the others of these {len(answer.likely)} could not be raced, so which it is stays open"
    return "the rounds do not tell which of these it is; give more --seconds, or race on a quieter machine"


def _as_data(answer: Answer) -> dict[str, Any]:
    best = answer.commits[answer.best]
    return {
        "row": answer.row,
        "change": answer.change.model_dump(),
        "commit": best.id,
        "subject": best.subject,
        "certain": answer.certain,
        "probability": answer.chances[answer.best],
        "likely": [
            {"commit": answer.commits[at].id, "probability": answer.chances[at]} for at in answer.likely
        ],
        "tried": [
            {
                "commit": one.commit.id,
                "word": one.word,
                "comparison": one.comparison and one.comparison.model_dump(),
                "why": one.why,
            }
            for one in answer.tried
        ],
    }
