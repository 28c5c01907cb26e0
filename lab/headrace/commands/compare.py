"""The command `headrace compare`."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from headrace.base import places
from headrace.base.errors import BadInput, Failed, NotDecided, NothingToDo
from headrace.base.names import is_named
from headrace.base.progress import Line
from headrace.base.text import listed, plural, some
from headrace.commands import race_of_commits
from headrace.commands.options import Json
from headrace.judge.table import load
from headrace.matrix.benchmarks import SOURCE_SUFFIXES
from headrace.measure.plan import Plan
from headrace.race.commits import Builds, NoRace, Repository, Trees, gate_of
from headrace.race.compare import (
    GateReport,
    baseline_of,
    by_id,
    common,
    compare_counts,
    compare_files,
    gate,
)
from headrace.race.options import percentage
from headrace.report import changes
from headrace.results.schema import Campaign, Metric

EXAMPLE = "headrace compare old.json new.json --fail-if-slower 5%"


def compare(
    old: Annotated[Path, typer.Argument(help="A results file; or a commit, if a race follows after --.")],
    new: Annotated[
        Path, typer.Argument(help="A later results file, or one from another machine; or a later commit.")
    ],
    race: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- BENCHMARK...]",
            help="To compare two commits of this git repository: what to race, with options of run.",
        ),
    ] = None,
    by: Annotated[
        str, typer.Option(help="wall, cpu (user + system), or instructions, which are not counted again.")
    ] = "wall",
    fail_if_slower: Annotated[
        str | None,
        typer.Option(
            help="Run the builds of both again; exit 1 if NEW is slower by more than this, such as 5%."
        ),
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these contenders; patterns such as headrace_* work.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=1, help="Time limit for running the builds again, in seconds.")
    ] = 270.0,
    rounds: Annotated[int | None, typer.Option(min=6, help="Run exactly N rounds.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write what the gate found to this file, as Markdown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the ratios of two results files, or with --fail-if-slower run both again as a gate."""
    metric = _metric(by)
    threshold = None if fail_if_slower is None else read_share(fail_if_slower)
    if markdown is not None:
        if threshold is None or metric == "instructions":
            raise BadInput("--markdown shows what a gate by times found; say --fail-if-slower 5%, too")
        places.check_writable(markdown)
    chosen = contender or []
    if race:
        _check_race(old, new, race, metric, threshold, chosen)
    elif metric == "instructions" or threshold is None:
        _stored(*_loaded(old, new), metric, threshold, chosen, as_json)
        return
    assert metric != "instructions"  # a race of commits is refused with it
    plan = Plan(rounds=rounds, max_seconds=seconds, gate=threshold, gate_metric=metric)
    report = _of_commits(str(old), str(new), race, plan) if race else _of_files(old, new, plan, chosen)
    changes.show_gate(report, as_json)
    if markdown is not None:
        places.write_whole(markdown, changes.gate_as_markdown(report).encode())
    _end(report)


def _check_race(
    old: Path, new: Path, race: Sequence[str], metric: str, threshold: float | None, contenders: Sequence[str]
) -> None:
    """Raise BadInput for options that do not go with a race of two commits."""
    if old.is_file() and new.is_file():
        raise BadInput(f"two results files are compared, and {race[0]} is one name too many")
    timed(metric)
    if contenders:
        raise BadInput(
            "of a race of two commits, --contender goes after the --, with the other options of run"
        )
    if threshold is None:
        raise BadInput("two commits are raced as a gate: say --fail-if-slower 5%, or another share")


def _stored(
    old: Campaign,
    new: Campaign,
    metric: Metric | Literal["instructions"],
    threshold: float | None,
    contenders: Sequence[str],
    as_json: bool,
) -> None:
    if metric == "instructions":
        counted = compare_counts(old, new, threshold, contenders)
        changes.show_gate(counted, as_json)
        if threshold is not None:
            _end(counted)
        return
    common(by_id(old), by_id(new), contenders)
    changes.show_difference(compare_files(_only(old, contenders), _only(new, contenders), metric), as_json)


def _of_files(old: Path, new: Path, plan: Plan, contenders: Sequence[str]) -> GateReport:
    before, after = _loaded(old, new)
    with Builds() as builds, Line() as line:
        return gate(builds.side(before), builds.side(after), plan, contenders, line.show)


def _loaded(old: Path, new: Path) -> tuple[Campaign, Campaign]:
    """Read both results files. Raises BadInput, for two programs with what races them."""
    try:
        return load(old), load(new)
    except BadInput as error:
        programs = [program for program in map(_program, (old, new)) if program]
        if not programs:
            raise
        guests = " ".join(f"--with {shlex.quote(program)}" for program in programs)
        raise BadInput(
            f"{programs[0]} is a program, and compare takes results files: headrace run BENCHMARK {guests} "
            "races programs that answer a benchmark's question (headrace new makes one of your own), and "
            "headrace compare OLD NEW --fail-if-slower 5% -- BENCHMARK is a gate for two commits"
        ) from error


def _program(given: Path) -> str | None:
    """Return the program that a word names, which may be a whole command, as "./a < input"."""
    text = str(given)
    for word in (text, text.split(" ", 1)[0]):
        path = Path(word)
        if not path.is_file() or path.suffix == ".json":
            continue
        if os.access(path, os.X_OK) or path.suffix in SOURCE_SUFFIXES:
            return word if "/" in word else f"./{word}"
    return None


def _of_commits(old: str, new: str, race: Sequence[str], plan: Plan) -> GateReport:
    """Build both commits in a temporary folder, and race them. Raises NothingToDo where OLD has no race."""
    try:
        wanted = race_of_commits.read_race(race)
    except NothingToDo as error:  # no compiler: scripts take 3 for a base without the benchmark
        raise BadInput(str(error)) from error
    repository = Repository(Path.cwd())
    before, after = repository.commit(old), repository.commit(new)
    is_wanted = race_of_commits.chooser(wanted)
    with Line() as line, Trees(repository, Path.cwd(), wanted, is_wanted, line.show) as trees:
        try:
            old_side = trees.side("old", before)
        except NoRace as error:
            trees.side("new", after)  # a name that is wrong in both is an error
            raise NothingToDo(f"there is nothing to compare with: {error}") from error
        new_side = trees.side("new", after)
        return gate_of(old_side, new_side, plan, line.show)


def _metric(by: str) -> Metric | Literal["instructions"]:
    """Read --by. Raises BadInput for anything else."""
    if by in ("wall", "cpu", "instructions"):
        return cast('Metric | Literal["instructions"]', by)
    raise BadInput(f"--by {by}: rows can be compared by wall, cpu or instructions")


def timed(by: str) -> Metric:
    """Read --by of a race of commits. Raises BadInput."""
    metric = _metric(by)
    if metric == "instructions":
        raise BadInput("commits are raced against each other, which counts no instructions: leave --by out")
    return metric


def _only(campaign: Campaign, contenders: Sequence[str]) -> Campaign:
    wanted = {row.id for row in campaign.rows if is_named(row.contender, contenders)}
    wanted |= {baseline_of(row) for row in campaign.rows if row.id in wanted}
    return campaign.model_copy(update={"rows": [row for row in campaign.rows if row.id in wanted]})


def _end(report: GateReport) -> None:
    """Turn a gate's outcome into the exit code.

    130 interrupted, 1 failed, 2 something could not be tried, 4 not decided, else 0: every row is proved not
    to be slower by more than the threshold.
    """
    if report.interrupted:
        raise typer.Exit(130)
    is_counted = report.metric == "instructions"
    limit, whole = f"{report.threshold:.2%}", plural(len(report.rows), "row")
    if report.failures:
        names = listed(some((row.id for row in report.failures), 3))
        more = f"more instructions by over {limit}" if is_counted else f"slower by more than {limit}"
        raise Failed(f"{more}, or no answer any more: {names}")
    if report.untried:
        why = "have no counts to compare" if is_counted else "could not run again"
        raise BadInput(
            f"{len(report.untried)} of {whole} {why}, so the gate cannot vouch for them; the reasons are "
            "above, --contender leaves them out"
        )
    if report.undecided:
        names = listed(some((row.id for row in report.undecided), 3))
        raise NotDecided(
            f"not decided for {len(report.undecided)} of {whole}, {names}: the rounds prove neither that it "
            f"is slower by more than {limit} nor that it is not; give more --seconds, or a wider threshold"
        )


def read_share(text: str, option: str = "--fail-if-slower") -> float:
    """Read "5%" or "5" as 0.05. Raises BadInput for anything else."""
    share = percentage(text)
    if not 0 <= share < math.inf:
        raise BadInput(f"{option} wants a percentage such as 5%, not {text}")
    return share
