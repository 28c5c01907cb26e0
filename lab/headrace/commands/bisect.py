"""The command `headrace bisect`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from headrace.base.errors import NotDecided
from headrace.base.progress import Line
from headrace.base.text import plural, visible
from headrace.commands.compare import read_share, timed
from headrace.commands.options import Json
from headrace.commands.race_of_commits import chooser, read_race
from headrace.judge import search
from headrace.measure.plan import Plan
from headrace.race.bisect import Answer, Bisection, Tried
from headrace.race.commits import Commit, Repository, Trees
from headrace.report.changes import interval
from headrace.results.schema import Comparison

EXAMPLE = "headrace bisect v1.0 HEAD -- read_ints --contender headrace_bulk --toolchain g++"


def bisect(
    good: Annotated[str, typer.Argument(metavar="GOOD", help="A commit that is fast.")],
    bad: Annotated[str, typer.Argument(metavar="BAD", help="A later commit that is slow.")],
    race: Annotated[
        list[str],
        typer.Argument(metavar="-- BENCHMARK...", help="What to race, with options of headrace run."),
    ],
    slower: Annotated[
        str, typer.Option(help="The slowdown to look for: BAD must be slower by more than this.")
    ] = "1%",
    seconds: Annotated[
        float, typer.Option(min=1, help="Time limit for racing one commit, in seconds.")
    ] = 60.0,
    rounds: Annotated[int | None, typer.Option(min=6, help="Race each commit exactly N rounds.")] = None,
    by: Annotated[str, typer.Option(help="wall time, or cpu (user + system).")] = "wall",
    as_json: Json = False,
) -> None:
    """Find the commit of a git repository that made a row slower, by racing commits against GOOD.

    Commits are checked out in a temporary folder; the working tree is not touched. A commit that does
    not build, or gives a wrong answer, is skipped and listed.
    """
    share = read_share(slower, "--slower")
    plan = Plan(rounds=rounds, max_seconds=seconds, gate=share, gate_metric=timed(by))
    wanted = read_race(race)
    repository = Repository(Path.cwd())
    first, last = repository.commit(good), repository.commit(bad)
    commits = repository.between(first, last)
    with Line() as line, Trees(repository, Path.cwd(), wanted, chooser(wanted), line.show) as trees:

        def say(text: str) -> None:
            if not as_json:
                line.say(text)

        bisection = Bisection(trees, plan, lambda tried: say(_as_text(tried)))
        fast, change = bisection.ends(first, last)
        say(f"{change.id}, {by} time")
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
        lines = [f"the first slow commit is {_named(best)} ({who})"]
    elif chance >= search.SURE:
        lines = [f"the first slow commit is {_named(best)} ({who}), with a probability of {chance:.0%}"]
    else:
        lines = [f"the first slow commit is one of {len(answer.likely)}, by probability:"]
        lines += [f"  {answer.chances[at]:.0%} {_named(answer.commits[at])}" for at in answer.likely]
    if best.parents > 1:
        lines.append("it is a merge: what it brought in is judged as one")
    return lines


def _why_not(answer: Answer) -> str:
    skipped = {tried.at for tried in answer.tried if tried.word == "skipped"} & {*answer.likely}
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
                "commit": tried.commit.id,
                "word": tried.word,
                "comparison": tried.comparison and tried.comparison.model_dump(),
                "why": tried.why,
            }
            for tried in answer.tried
        ],
    }
