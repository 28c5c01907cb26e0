"""A race: from what was asked for to a campaign."""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace import BUDGET, QUICK_BUDGET, __version__
from headrace.base import places
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.judge.pair import LOOKS
from headrace.judge.table import has_role, place_of
from headrace.machine import facts
from headrace.matrix import benchmarks, inputs, toolchains
from headrace.measure import campaign, plan
from headrace.processes import launch, wine
from headrace.race import resume, row_programs
from headrace.race.options import RunOptions
from headrace.race.row_inputs import agreed, input_key, make_inputs
from headrace.race.row_programs import link_layouts, make_builds, orders_of_all, shell
from headrace.race.rows import Lane, absent_rows, chains_of, cross, is_allowed
from headrace.race.warnings import of_agreement, of_choice, of_cold, of_inputs, without_absent_peers
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Row

QUICK_LOOKS = (12, 24)  # rounds
BAD_OUTCOMES = ("WRONG", "CRASHED", "TIMED OUT")
SECONDS_A_BUILD = 2.5  # of one processor


def choose(
    options: RunOptions, watch: Watch = lambda step: None
) -> tuple[list[benchmarks.Benchmark], toolchains.Found, list[Lane]]:
    """Return the benchmarks, the toolchains and the rows that were asked for.

    Raises BadInput for unknown names and two benchmarks of one name, NothingToDo when no row is left.
    """
    _check_processor(options.pin)
    named = benchmarks.find_all(options.benchmarks)
    chosen = [benchmarks.with_guests(benchmark, options.guests) for benchmark in named]
    if options.include:
        chosen = [replace(benchmark, include=Path(options.include)) for benchmark in chosen]
    if options.input:
        chosen = [benchmarks.with_input(benchmark, Path(options.input)) for benchmark in chosen]
    usual = not (options.toolchains or options.compilers)
    also = [pattern for benchmark in chosen for pattern in benchmark.spec.toolchains] if usual else []
    found = toolchains.find(
        options.toolchains, lambda what: watch(Step("toolchains", what, 0, 0)), also, options.compilers
    )
    lanes = [lane for each in chosen for lane in cross(each, chains_of(each, found, options), options)]
    if not lanes:
        raise NothingToDo(
            "no contender is left: the choice of contenders, toolchains and routes excludes all"
        )
    return chosen, found, lanes


@dataclass(frozen=True)
class Preview:
    """The cost of a race before it begins: rows, what has to be made for them, and the time at most."""

    rows: Sequence[Lane]
    skipped: Mapping[str, str]  # row id -> why
    builds: int
    builds_to_make: int
    bytes_to_make: int  # of inputs
    measuring: float | None  # seconds at most; None: --rounds says how much, not how long
    making: float  # seconds, about

    @property
    def seconds(self) -> float:
        """The time for everything, as far as it is known."""
        return self.making + (self.measuring or 0.0)


def preview(options: RunOptions, watch: Watch = lambda step: None) -> Preview:
    """Look at what was asked for. Nothing is made or run but probes. Raises as `run` does."""
    _, _, lanes = choose(options, watch)
    reasons, wanted = orders_of_all(lanes)
    skipped = {row: reason for row, reason in reasons.items() if reason}
    to_make = sum(not build.is_cached(order) for order in wanted.values())
    texts = {input_key(lane): lane.settings for lane in lanes if lane.row().id not in skipped}
    size = sum(map(inputs.size, texts.values()))
    making = to_make * SECONDS_A_BUILD / (options.jobs or build.processors())
    return Preview(lanes, skipped, len(wanted), to_make, size, budget(options), making)


@dataclass(frozen=True)
class Raced:
    """A race when all is measured: its rows by id, to be filled in, and what they were made of."""

    rows: dict[str, Row]
    lanes: Sequence[Lane]
    built: Mapping[str, build.Build | str]
    options: RunOptions
    watch: Watch


@dataclass
class After:
    """Something to do when all is measured, such as explaining the rows."""

    remarks: list[str] = field(default_factory=list, init=False)  # on what could not be done

    def __call__(self, raced: Raced) -> None:
        """Fill in rows. KeyboardInterrupt may leave it: what is filled in by then is kept."""
        raise NotImplementedError

    def remark(self, text: str) -> None:
        """Note once what could not be done."""
        if text not in self.remarks:
            self.remarks.append(text)


@dataclass(frozen=True)
class _Ready(Raced):
    """A race before its first run, and all that it is made of."""

    chosen: Sequence[benchmarks.Benchmark]
    found: toolchains.Found
    entries: list[plan.Entry]
    warnings: list[str]


def run(
    options: RunOptions,
    watch: Watch = lambda step: None,
    *,
    command: Sequence[str] = (),
    earlier: resume.Earlier | None = None,
    keep: Callable[[Campaign], None] = lambda campaign: None,
    afters: Sequence[After] = (),
) -> Campaign:
    """Run a whole campaign. Raises BadInput for unknown names, NothingToDo when no row can be measured.

    `command`: what the file says was typed. `earlier`: a campaign to go on with. `keep` is called with what
    there is, now and then; `afters` in turn when all is measured.
    """
    started = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    ready = _ready(options, watch)
    rows = [*ready.rows.values()]
    how = _plan(options, rows, ready.chosen)
    builds = {row.id: row.build for row in rows}
    # What else builds: the first words of contenders' own lines.
    tools = {lane.toolchain.name: lane.toolchain for lane in ready.lanes if lane.contender.spec.build}
    left_out = earlier.check_kept(builds) if earlier else []
    then = (
        {name: getattr(earlier.campaign, name) for name in ("started", "seconds", "noise")} if earlier else {}
    )
    result = begun = Campaign(
        headrace_version=__version__,
        command=list(command),
        commit=commit(),
        machine=facts.read(),
        toolchains=[chain.info() for chain in (*ready.found.toolchains, *tools.values())],
        benchmarks=[benchmark.info() for benchmark in ready.chosen],
        rows=rows,
        margin=options.margin,
        run=resume.describe(options, how, earlier),
        cold=options.cold,
        pin=options.pin,
        warnings=[*ready.warnings, *left_out],
        **{"started": started, **then},
    )
    with _set_up(options):
        if ready.entries:
            measured = campaign.measure(
                ready.entries,
                how,
                watch,
                keep=lambda so_far: keep(_filled(begun, so_far, options)),
                before=earlier.samples(builds) if earlier else {},
            )
            result = _filled(begun, measured, options)
    for after in afters:
        if not result.interrupted:
            result = _followed(result, after, ready)
    return result


def _ready(options: RunOptions, watch: Watch) -> _Ready:
    chosen, found, lanes = choose(options, watch)
    build.launcher(found.toolchains)
    made = make_inputs(lanes, options.inputs, watch)
    built = make_builds(lanes, watch, options.jobs)
    data = {
        key: [agreed(first, [lane for lane in lanes if input_key(lane) == key], built, options, watch), *more]
        for key, (first, *more) in made.items()
    }
    link_layouts(lanes, built, options, watch)
    rows, entries = _entries(lanes, data, built, options)
    rows, absences = without_absent_peers(rows)
    rows += [row for benchmark in chosen for row in absent_rows(benchmark, found, options)]
    if any(chain.is_windows and chain.runner for chain in found.toolchains):
        wine.prepare()  # its services may have ended while others were built
    warnings = [
        *of_choice(options, chosen, found),
        *of_inputs(options, data),
        *of_agreement(options, made, data),
        *absences,
    ]
    by_id = {row.id: row for row in rows}
    return _Ready(by_id, lanes, built, options, watch, chosen, found, entries, warnings)


def _filled(begun: Campaign, measured: plan.Measured, options: RunOptions) -> Campaign:
    rows = [*{row.id: row for row in [*begun.rows, *measured.rows]}.values()]  # the last are the A/A twins
    return begun.model_copy(
        update={
            "rows": rows,
            "seconds": begun.seconds + measured.seconds,
            "noise": [*begun.noise, *measured.noise],
            "warnings": [*begun.warnings, *of_cold(options, rows), *measured.warnings],
            "interrupted": measured.interrupted,
        }
    )


def _followed(result: Campaign, after: After, ready: _Ready) -> Campaign:
    """Do something with the rows of a campaign; Ctrl-C ends that, and keeps what there is."""
    raced = replace(ready, rows={row.id: row for row in result.rows})
    cut = []
    try:
        after(raced)
    except KeyboardInterrupt:
        cut = ["Interrupted after the last round: what was to follow is not complete."]
    return result.model_copy(
        update={
            "rows": [*raced.rows.values()],
            "interrupted": bool(cut),
            "warnings": [*result.warnings, *cut, *after.remarks],
        }
    )


@contextlib.contextmanager
def _set_up(options: RunOptions) -> Iterator[None]:
    """Run the user's --setup, and at the end --cleanup, whatever happened between."""
    try:
        failed = shell(options.setup, "--setup") if options.setup else ""
        if failed:
            raise BadInput(f"{failed}; nothing was measured")
        yield
    finally:
        failed = shell(options.cleanup, "--cleanup") if options.cleanup else ""
        if failed:
            print(f"headrace: {failed}", file=sys.stderr)


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
    made: Mapping[tuple[str, str], Sequence[inputs.Input]],
    built: Mapping[str, build.Build | str],
    options: RunOptions,
) -> tuple[list[Row], list[plan.Entry]]:
    """Return all rows, and an entry for each that can run."""
    rows: list[Row] = []
    able: list[tuple[Lane, plan.Entry]] = []
    for lane in lanes:
        data, made_of = made[input_key(lane)], built[lane.row().id]
        row = row_programs.described(lane, made_of, data[0])
        if options.cold:
            row = row.model_copy(update={"notes": [*row.notes, "cold page cache"]})
        if row.outcome == "ok" and not isinstance(made_of, str):
            if lane.benchmark.spec.kind == "observation":
                row = _observed(row, lane, row_programs.request(lane, made_of, data[0], options))
            else:
                run = row_programs.Launches(lane, made_of, data, options)
                able.append((lane, plan.Entry(row, run, None, not has_role(row, lane.benchmark.info()))))
        rows.append(row)
    # Each group's baseline is the benchmark's, or the first row where that one cannot run.
    named = [(lane, each) for lane, each in able if each.row.contender == lane.benchmark.spec.baseline]
    leaders = {lane.group: each.row.id for lane, each in reversed([*named, *able])}
    for lane, entry in able:
        entry.baseline = None if leaders[lane.group] == entry.row.id else leaders[lane.group]
    return rows, [entry for _, entry in able]


def _observed(row: Row, lane: Lane, wanted: launch.Request) -> Row:
    """Run once and keep what arrived, in its order; WRONG where that is not what was recorded."""
    arrived = launch.observe(wanted)
    if isinstance(arrived, Failure):
        return row.model_copy(update={"outcome": arrived.outcome, "detail": arrived.detail})
    lines = arrived.split("\n")[: -1 if arrived.endswith("\n") else None]
    expected = _order(lane) or lane.contender.spec.expected
    expected = expected or (wanted.expected.text if wanted.expected and wanted.expected.text else "")
    if lines == expected.split("\n"):
        return row.model_copy(update={"observed": lines})
    detail = f"recorded is {', '.join(expected.splitlines())}"
    return row.model_copy(update={"observed": lines, "outcome": "WRONG", "detail": detail})


def _order(lane: Lane) -> str:
    """Return the order that is recorded for a row of an observation, or "" where the usual one is."""
    for order in lane.contender.spec.order:
        settings = all(lane.contender.variant.get(key) in values for key, values in order.settings.items())
        here = not order.sinks or lane.route[1] in order.sinks
        if settings and here and is_allowed(order.toolchains, lane.toolchain):
            return order.expected
    return ""


def budget(options: RunOptions) -> float | None:
    """Return the seconds that measuring takes at most; None where only a number of rounds bounds it."""
    if options.seconds or (options.rounds is not None and not options.quick):
        return options.seconds
    return (QUICK_BUDGET if options.quick else BUDGET) * len(options.benchmarks)


def _plan(options: RunOptions, rows: Sequence[Row], chosen: Sequence[benchmarks.Benchmark]) -> plan.Plan:
    """Return how much to measure: a number of rounds as asked, or what the questions take within a budget."""
    rounds = options.rounds
    return plan.Plan(
        rounds=rounds,
        # One round is a look at what happens, not a measurement: a warm-up would double its time.
        warmup=int(rounds != 1),
        seed=options.seed,
        max_seconds=budget(options),
        looks=QUICK_LOOKS if options.quick else LOOKS,
        elapsed=plan.BRIEFLY if options.quick else plan.ELAPSED,
        margin=options.margin,
        findings=tuple(_findings(rows, chosen)),
    )


def _findings(rows: Sequence[Row], chosen: Sequence[benchmarks.Benchmark]) -> Iterable[tuple[str, str]]:
    """Pair the rows that a finding sets against each other: two contenders, all else alike."""
    there: dict[tuple[object, ...], str] = {}
    for row in rows:
        if not row.by_peer:
            there[place_of(row), row.label] = row.id
    for benchmark in chosen:
        for finding in benchmark.spec.finding:
            for (place, label), id_ in there.items():
                other = there.get((place, finding.b))
                if finding.compare == "contender" and label == finding.a and other:
                    yield id_, other


def commit() -> str:
    """Name the commit of the sources, where they are a checkout; "" elsewhere."""
    top = places.checkout()
    if top is None:
        return ""
    done = launch.call(["git", "-C", str(top), "describe", "--always", "--dirty", "--abbrev=12"], timeout=10)
    return done.out.strip() if done.ok else ""
