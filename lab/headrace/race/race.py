"""A race: from what was asked for to a campaign."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Sequence

from headrace import BUDGET, QUICK_BUDGET, __version__
from headrace.base import places
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.machine import facts
from headrace.matrix import benchmarks, inputs, toolchains
from headrace.measure import campaign, plan
from headrace.processes import launch, wine
from headrace.race.cross import absent_rows, chains_of, cross
from headrace.race.lane import Lane
from headrace.race.observe import observe
from headrace.race.options import Options
from headrace.race.prepare import input_key, make_builds, make_inputs
from headrace.race.remarks import of_choice, of_cold, without_absent_peers
from headrace.race.requests import request, runner
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Row, Sample

QUICK_ROUNDS = 8


BAD_OUTCOMES = ("WRONG", "CRASHED", "TIMED OUT")


def run(options: Options, watch: Watch = lambda step: None) -> Campaign:
    """Run a whole campaign. Raises BadInput for unknown names, NothingToDo when no row can be measured."""
    _check_processor(options.pin)
    started = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    chosen = [benchmarks.with_guests(benchmarks.find(name), options.guests) for name in options.benchmarks]
    also = [] if options.toolchains else [pattern for one in chosen for pattern in one.spec.toolchains]
    found = toolchains.find(options.toolchains, lambda what: watch(Step("toolchains", what, 0, 0)), also)
    build.launcher(found.toolchains)
    lanes = [lane for one in chosen for lane in cross(one, chains_of(one, found, options), options)]
    if not lanes:
        raise NothingToDo(
            "no contender is left: the choice of contenders, toolchains and routes excludes all"
        )
    made = make_inputs(lanes, watch)
    built = make_builds(lanes, watch)
    rows, entries = _entries(lanes, made, built, options)
    rows, absences = without_absent_peers(rows)
    rows += [row for one in chosen for row in absent_rows(one, found, options)]
    if any(chain.is_windows and chain.runner for chain in found.toolchains):
        wine.prepare()  # its services may have ended while others were built
    measured = campaign.measure(entries, _plan(options), lambda p: watch(step(p))) if entries else None
    filled = {row.id: row for row in measured.rows} if measured else {}
    rows = [filled.pop(row.id, row) for row in rows] + list(filled.values())  # what is left are the A/A twins
    if options.after and not (measured and measured.interrupted):
        rows = options.after(rows, lanes, built, options, watch)
    return Campaign(
        headrace_version=__version__,
        started=started,
        seconds=measured.seconds if measured else 0.0,
        command=options.command,
        commit=_commit(),
        machine=facts.read(),
        toolchains=[one.info() for one in found.toolchains],
        benchmarks=[one.info() for one in chosen],
        rows=rows,
        noise=measured.noise if measured else [],
        margin=measured.margin if measured else 0.01,
        cold=options.cold,
        pin=options.pin,
        warnings=[
            *of_choice(options, chosen, found),
            *of_cold(options, rows),
            *absences,
            *(measured.warnings if measured else []),
        ],
        interrupted=measured.interrupted if measured else False,
    )


def _check_processor(pin: int | None) -> None:
    allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if pin is not None and allowed and pin not in allowed:
        raise BadInput(f"--pin {pin}: programs may run on the processors {', '.join(map(str, allowed))} here")


def exit_code(result: Campaign) -> int:
    """Return 130 after Ctrl-C, 1 with a wrong answer, crash or time-out, 3 with nothing measured, else 0."""
    if result.interrupted:
        return 130
    if any(row.outcome in BAD_OUTCOMES for row in result.rows):
        return 1
    return 0 if any(row.samples or row.observed for row in result.rows) else 3


def _entries(
    lanes: Sequence[Lane],
    made: dict[tuple[str, str], inputs.Input],
    built: dict[str, build.Build | str],
    options: Options,
) -> tuple[list[Row], list[plan.Entry]]:
    """Return all rows, and an entry for each that can run."""
    rows: list[Row] = []
    runnable: list[tuple[Lane, Row, Callable[[], Sample | Failure]]] = []
    for lane in lanes:
        data, result = made[input_key(lane)], built[lane.row().id]
        row = lane.row().model_copy(update={"tokens": data.tokens, "input_bytes": data.bytes})
        if options.cold:
            row = row.model_copy(update={"notes": [*row.notes, "cold page cache"]})
        if isinstance(result, str):
            row = row.model_copy(update={"outcome": "skipped", "detail": result})
        elif result.program is None:
            update = {"outcome": "does not compile", "detail": result.error, "command": result.command}
            row = row.model_copy(update=update)
        else:
            row = row.model_copy(update={"build": result.digest, "command": result.command})
            if lane.benchmark.spec.kind == "observation":
                row = observe(row, lane, request(lane, result, data, options))
                rows.append(row)
                continue
            runnable.append((lane, row, runner(lane, result, data, options)))
        rows.append(row)
    leaders = _leaders([(lane, row) for lane, row, _ in runnable])
    entries = [
        plan.Entry(row, one, None if leaders[lane.group] == row.id else leaders[lane.group])
        for lane, row, one in runnable
    ]
    return rows, entries


def _leaders(rows: Iterable[tuple[Lane, Row]]) -> dict[tuple[object, ...], str]:
    """Choose each group's baseline: the benchmark's, or the first row where that one cannot run."""
    leaders: dict[tuple[object, ...], str] = {}
    for lane, row in rows:
        if row.contender == lane.benchmark.spec.baseline:
            leaders.setdefault(lane.group, row.id)
    for lane, row in rows:
        leaders.setdefault(lane.group, row.id)
    return leaders


def _plan(options: Options) -> plan.Plan:
    """Return how much to measure: a number of rounds as asked, or looks within a budget."""
    rounds, seconds, many = options.rounds, options.seconds, len(options.benchmarks)
    if options.quick:
        rounds, seconds = rounds or QUICK_ROUNDS, seconds or QUICK_BUDGET * many
    elif rounds is None:
        seconds = seconds or BUDGET * many
    # One round is a look at what happens, not a measurement: a warm-up would double its time.
    return plan.Plan(rounds=rounds, warmup=int(rounds != 1), seed=options.seed, max_seconds=seconds)


def step(progress: plan.Progress) -> Step:
    """Return a campaign's progress as a step of a race."""
    return Step("runs", progress.what, progress.done, progress.total, progress.seconds_left)


def _commit() -> str:
    top = places.checkout()
    if top is None:
        return ""
    done = launch.call(["git", "-C", str(top), "describe", "--always", "--dirty", "--abbrev=12"], timeout=10)
    return done.out.strip() if done.ok else ""
