"""A race: from what was asked for to a campaign. Crosses the axes, prepares inputs and builds, measures."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from headrace import BUDGET, QUICK_BUDGET, __version__
from headrace.base import places
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.machine import facts
from headrace.matrix import benchmarks, inputs, needs, toolchains
from headrace.matrix.benchmarks import Benchmark, Contender, ContenderSpec
from headrace.matrix.toolchains import Toolchain
from headrace.measure import campaign, in_process
from headrace.processes import launch, wine
from headrace.results import schema
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Row, Sample, row_id

QUICK_ROUNDS = 8
SWEEP_POINTS_A_DECADE = 2
SCRIPT = Toolchain("script", [], "script", "", "", "")  # of a program that needs no compiler
STANDARDS = ("c++17", "c++20", "c++23")  # tried in turn for a user's own source
BAD_OUTCOMES = ("WRONG", "CRASHED", "TIMED OUT")


class After(Protocol):
    """Something to do when all is measured, such as explaining the rows. It returns them, changed or not."""

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: Options,
        watch: Watch,
    ) -> list[Row]:
        """Look at each row's lane and build."""
        ...


@dataclass(frozen=True)
class Options:
    """What was asked for. Empty lists mean all that is usual."""

    benchmarks: list[str]
    toolchains: list[str] = field(default_factory=list)
    contenders: list[str] = field(default_factory=list)
    optimise: list[str] = field(default_factory=list)
    routes: list[tuple[str, str]] = field(default_factory=list)
    rounds: int | None = None
    seconds: float | None = None  # bound of the measuring
    quick: bool = False
    timeout: float | None = None  # seconds per run
    pin: int | None = None
    cold: bool = False
    folder: Path | None = None  # for file sinks; None: a RAM disk
    seed: int = 1
    guests: list[Path] = field(default_factory=list)  # a user's own programs
    settings: list[dict[str, str]] = field(default_factory=lambda: [{}])  # of the input; several are a sweep
    command: list[str] = field(default_factory=list)
    after: After | None = None  # called when all is measured


@dataclass(frozen=True)
class Lane:
    """A row to be: one build on one route with one input."""

    benchmark: Benchmark
    contender: Contender
    toolchain: Toolchain
    optimise: str
    route: tuple[str, str]
    setting: dict[str, str]  # of the input, where it differs from the benchmark's
    rival: str = ""  # a script's: the toolchain whose baseline it is compared with
    harness: str = ""  # what times it inside one process; "": a process of its own

    @property
    def order(self) -> build.Order:
        """What to build for it. Environment settings share one build."""
        plain = replace(self.contender, environment={})
        order = build.Order(plain, self.toolchain, self.optimise, self.benchmark.spec.standard)
        return in_process.shared(order, self.benchmark)

    @property
    def settings(self) -> dict[str, int | float | str]:
        """The input's table for this row."""
        return inputs.changed(self.benchmark.spec.input, self.setting)

    @property
    def group(self) -> tuple[object, ...]:
        """Rows that compare with each other share it."""
        setting = tuple(sorted(self.setting.items()))
        return (self.benchmark.name, self.rival or self.toolchain.name, self.optimise, self.route, setting)

    def row(self) -> Row:
        """Return the row without results."""
        name, one = self.benchmark.name, self.contender
        route = ":".join(self.route)
        by = {"harness": self.harness} if in_process.needs(self.harness) else {}
        settings = {**one.variant, **by}
        return Row(
            id=row_id(name, one.name, settings, self.toolchain.name, self.optimise, route, self.setting),
            benchmark=name,
            contender=one.name,
            variant=one.variant,
            toolchain=self.toolchain.name,
            optimisation=self.optimise,
            source=self.route[0],
            sink=self.route[1],
            input=self.setting,
            source_file=one.file.name,
            checked=one.spec.answer,
            harness=self.harness,
            notes=self.toolchain.notes,
        )


def run(options: Options, watch: Watch = lambda step: None) -> Campaign:
    """Run a whole campaign. Raises BadInput for unknown names, NothingToDo when no row can be measured."""
    _check_processor(options.pin)
    started = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    chosen = [benchmarks.with_guests(benchmarks.find(name), options.guests) for name in options.benchmarks]
    also = [] if options.toolchains else [pattern for one in chosen for pattern in one.spec.toolchains]
    found = toolchains.find(options.toolchains, lambda what: watch(Step("toolchains", what, 0, 0)), also)
    build.launcher(found.toolchains)
    lanes = [lane for one in chosen for lane in cross(one, _chains(one, found, options), options)]
    if not lanes:
        raise NothingToDo(
            "no contender is left: the choice of contenders, toolchains and routes excludes all"
        )
    made = _inputs(lanes, watch)
    built = _builds(lanes, watch)
    rows, entries = _entries(lanes, made, built, options)
    rows, absences = _without_absent_peers(rows)
    rows += [row for one in chosen for row in _absent(one, found, options)]
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
            *_remarks(options, chosen, found),
            *_warm(options, rows),
            *absences,
            *(measured.warnings if measured else []),
        ],
        interrupted=measured.interrupted if measured else False,
    )


def _check_processor(pin: int | None) -> None:
    allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if pin is not None and allowed and pin not in allowed:
        raise BadInput(f"--pin {pin}: programs may run on the processors {', '.join(map(str, allowed))} here")


def _chains(one: Benchmark, found: toolchains.Found, options: Options) -> list[Toolchain]:
    """Return the toolchains of a benchmark: the usual ones and those that it asks for, or those asked for."""
    return [chain for chain in found.toolchains if options.toolchains or _takes(one, chain)]


def _takes(one: Benchmark, chain: Toolchain) -> bool:
    return not chain.optional or any(toolchains.matches(chain.name, more) for more in one.spec.toolchains)


def _absent(one: Benchmark, found: toolchains.Found, options: Options) -> list[Row]:
    """Return a skipped row a route for each toolchain that was asked for and is not here: the baseline's."""
    wanted = [
        (absent.chain, absent.reason)
        for absent in found.absent
        if absent.chain is not None
        and (options.toolchains or (absent.chain.optional and _takes(one, absent.chain)))
    ]
    rows = []
    for chain, reason in wanted:
        lanes = cross(one, [chain], replace(options, contenders=[one.spec.baseline], guests=[]))
        first = {lane.route: lane for lane in reversed(lanes) if lane.contender.name == one.spec.baseline}
        rows += [
            lane.row().model_copy(update={"outcome": "skipped", "detail": reason}) for lane in first.values()
        ]
    return rows


def exit_code(result: Campaign) -> int:
    """Return 130 after Ctrl-C, 1 with a wrong answer, crash or time-out, 3 with nothing measured, else 0."""
    if result.interrupted:
        return 130
    if any(row.outcome in BAD_OUTCOMES for row in result.rows):
        return 1
    return 0 if any(row.samples or row.observed for row in result.rows) else 3


def cross(one: Benchmark, chains: Sequence[Toolchain], options: Options) -> list[Lane]:
    """Cross a benchmark's contenders with the other axes, each row once."""
    spec = one.spec
    always = [spec.baseline, spec.limit, spec.floor, *(guest.name for guest in one.guests)]
    lanes = [
        Lane(
            one,
            contender,
            chain,
            optimise,
            route,
            setting,
            chains[0].name if contender.program else "",
            harness,
        )
        for contender in benchmarks.choose(one.contenders(), options.contenders, always)
        for chain in ([SCRIPT] if contender.program else chains)
        if _allowed(contender.spec.toolchains, chain)
        for optimise in _levels(one, contender, options)
        for route in _routes(one, options)
        if _open(contender, route)
        for setting in _settings(one, contender, options)
        for harness in in_process.harnesses(one)
    ]
    baseline = next(contender for contender in one.contenders() if contender.name == spec.baseline)
    compiled = [lane for lane in lanes if not lane.rival]
    with_baselines = lanes + [replace(lane, contender=baseline) for lane in compiled]
    return list({lane.row().id: lane for lane in with_baselines}.values())


def _allowed(patterns: Sequence[str], chain: Toolchain) -> bool:
    return not patterns or any(toolchains.matches(chain.name, pattern) for pattern in patterns)


def _levels(one: Benchmark, contender: Contender, options: Options) -> list[str]:
    own = contender.spec.optimise
    if contender.program:
        return (options.optimise or one.spec.optimise)[:1]
    wanted = options.optimise or (own or one.spec.optimise)
    return [level for level in wanted if not own or level in own]


def _routes(one: Benchmark, options: Options) -> list[tuple[str, str]]:
    """Return the wanted routes that have an input, or none, as the benchmark does.

    A function takes only those that its harness is made for.
    """
    if not options.routes:
        return one.routes
    reads = inputs.makes_input(one.spec.input)
    wanted = [route for route in options.routes if (route[0] != "none") == reads]
    if not wanted:
        kind, start = ("an input", "file: or pipe:") if reads else ("no input", "none:")
        raise BadInput(
            f"no route that was asked for goes with {one.name}, which has {kind}: "
            f"its routes begin with {start}"
        )
    return [route for route in wanted if route in one.routes] if one.spec.in_process else wanted


def _open(contender: Contender, route: tuple[str, str]) -> bool:
    sources, sinks = contender.spec.sources, contender.spec.sinks
    return (not sources or route[0] in sources) and (not sinks or route[1] in sinks)


def _settings(one: Benchmark, contender: Contender, options: Options) -> list[dict[str, str]]:
    """Return the input's settings that differ from the benchmark's own, for each point of a sweep."""
    own = {key: str(value) for key, value in one.spec.input.items()}
    usual = {**contender.spec.input, **(one.spec.quick if options.quick else {})}
    wanted = [{**{key: str(value) for key, value in usual.items()}, **given} for given in options.settings]
    return [{key: value for key, value in each.items() if own.get(key) != value} for each in wanted]


def _inputs(lanes: Sequence[Lane], watch: Watch) -> dict[tuple[str, str], inputs.Input]:
    wanted = {_input_key(lane): lane for lane in lanes}
    made = {}
    for number, (key, lane) in enumerate(wanted.items()):
        watch(Step("inputs", f"{lane.benchmark.name}: {lane.settings['generator']}", number, len(wanted)))
        made[key] = inputs.make(lane.settings, lane.benchmark.spec.tolerance)
    return made


def _input_key(lane: Lane) -> tuple[str, str]:
    return (lane.benchmark.name, repr(sorted(lane.setting.items())))


def _builds(lanes: Sequence[Lane], watch: Watch) -> dict[str, build.Build | str]:
    """Build for every row: row id -> build, or the reason for skipping it."""
    done: dict[str, build.Build | str] = {}
    orders: dict[str, build.Order] = {}
    for lane in lanes:
        reason = _reason_to_skip(lane)
        if reason:
            done[lane.row().id] = reason
        elif lane.contender.program:
            words = list(lane.contender.program)
            done[lane.row().id] = build.Build(lane.order, words, program=Path(words[-1]))
        else:
            orders |= {repr(order): order for order in _orders(lane)}
    built = build.build_all(
        list(orders.values()), lambda count, total, what: watch(Step("builds", what, count, total))
    )
    guests = {guest.file for lane in lanes for guest in lane.benchmark.guests if not guest.program}
    built = [_newer(one) if one.order.contender.file in guests else one for one in built]
    by_order = dict(zip(orders, built, strict=True))
    _check_guests(guests, built)
    return {lane.row().id: done.get(lane.row().id) or _joined(lane, by_order) for lane in lanes}


def _reason_to_skip(lane: Lane) -> str:
    wanted = [*lane.contender.spec.needs, *in_process.needs(lane.harness)]
    obstacle = in_process.obstacle(lane.toolchain) if lane.harness else ""
    return obstacle or next(filter(None, (needs.missing(need, lane.toolchain) for need in wanted)), "")


def _orders(lane: Lane) -> list[build.Order]:
    """Return what a row takes: its build, and the harness that loads it."""
    if not lane.harness:
        return [lane.order]
    return [lane.order, in_process.order(lane.benchmark, lane.harness, lane.toolchain)]


def _joined(lane: Lane, built: dict[str, build.Build]) -> build.Build:
    """Return a row's build, with the harness's error where the harness is what does not compile."""
    made, *harness = (built[repr(order)] for order in _orders(lane))
    if made.program is None or not harness or harness[0].program is not None:
        return replace(made, harness=harness[0].program if harness else None)
    file = harness[0].order.contender.file.name
    return replace(made, program=None, error=f"its harness {file}: {harness[0].error}")


def _newer(made: build.Build) -> build.Build:
    """Build a user's own source by the oldest standard, from the benchmark's on, that compiles it."""
    if made.program is None:
        for standard in STANDARDS:
            if standard > made.order.standard:
                again = build.build(replace(made.order, standard=standard))
                if again.program is not None:
                    return again
    return made


def _check_guests(guests: Iterable[Path], built: Sequence[build.Build]) -> None:
    """Raise BadInput for a program of the user's that no toolchain takes: nothing of it could be shown."""
    for guest in guests:
        tries = [one for one in built if one.order.contender.file == guest]
        if tries and all(one.program is None for one in tries):
            chain = tries[0].order.toolchain.name
            raise BadInput(
                f"{guest}: no toolchain takes it, as {STANDARDS[0]} or newer; {chain} says: {tries[0].error}"
            )


def _entries(
    lanes: Sequence[Lane],
    made: dict[tuple[str, str], inputs.Input],
    built: dict[str, build.Build | str],
    options: Options,
) -> tuple[list[Row], list[campaign.Entry]]:
    """Return all rows, and an entry for each that can run."""
    rows: list[Row] = []
    runnable: list[tuple[Lane, Row, Callable[[], Sample | Failure]]] = []
    for lane in lanes:
        data, result = made[_input_key(lane)], built[lane.row().id]
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
                row = _observed(row, lane, request(lane, result, data, options))
                rows.append(row)
                continue
            runnable.append((lane, row, runner(lane, result, data, options)))
        rows.append(row)
    leaders = _leaders([(lane, row) for lane, row, _ in runnable])
    entries = [
        campaign.Entry(row, one, None if leaders[lane.group] == row.id else leaders[lane.group])
        for lane, row, one in runnable
    ]
    return rows, entries


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
    for one in lane.contender.spec.order:
        settings = all(lane.contender.variant.get(key) in values for key, values in one.settings.items())
        here = not one.sinks or lane.route[1] in one.sinks
        if settings and here and _allowed(one.toolchains, lane.toolchain):
            return one.expected
    return ""


def _leaders(rows: Iterable[tuple[Lane, Row]]) -> dict[tuple[object, ...], str]:
    """Choose each group's baseline: the benchmark's, or the first row where that one cannot run."""
    leaders: dict[tuple[object, ...], str] = {}
    for lane, row in rows:
        if row.contender == lane.benchmark.spec.baseline:
            leaders.setdefault(lane.group, row.id)
    for lane, row in rows:
        leaders.setdefault(lane.group, row.id)
    return leaders


def runner(
    lane: Lane, made: build.Build, data: inputs.Input, options: Options
) -> Callable[[], Sample | Failure]:
    """Return what runs a build once: as a process, or loaded by its harness."""
    wanted, own = request(lane, made, data, options), lane.benchmark.spec.in_process
    if own is None:
        return Run(wanted)
    assert made.program is not None and made.harness is not None  # only what was built comes here
    wanted = replace(wanted, command=[str(made.harness)])
    settings = inputs.settings_of(lane.settings)
    return in_process.Run(wanted, lane.contender.name, made.program, own.arguments, settings)


def request(lane: Lane, made: build.Build, data: inputs.Input, options: Options) -> launch.Request:
    """Return how to run a build once."""
    spec = lane.benchmark.spec
    return launch.Request(
        command=[*(lane.contender.program or (str(made.program),)), *lane.contender.spec.arguments],
        source=lane.route[0] if data.path else "none",
        sink=lane.route[1],
        input=data.path,
        timeout=options.timeout or spec.timeout,
        expected=_expected(lane.contender.spec, data),
        answer_on_stdout=spec.answer == "stdout",
        environment={**lane.toolchain.run_environment, **lane.contender.environment},
        runner=lane.toolchain.runner,
        text_mode=lane.toolchain.is_windows,
        redraws=lane.toolchain.is_windows,
        pin=options.pin,
        cold=options.cold,
        folder=options.folder,
    )


def _expected(spec: ContenderSpec, data: inputs.Input) -> launch.Expected | None:
    """Return what a contender has to print: the input's answer, or its own; None where nothing is checked."""
    if not spec.answer:
        return None
    return launch.Expected(text=spec.expected) if spec.expected else data.expected


class Run:
    """Runs a build once per call. Where the sink loses the output, the first call checks it on a pipe."""

    def __init__(self, wanted: launch.Request) -> None:
        self.wanted = wanted
        self.checked = not wanted.loses_output or wanted.answer_on_stdout or wanted.expected is None

    def __call__(self) -> Sample | Failure:
        """Run it once."""
        if not self.checked:
            result = launch.run(replace(self.wanted, sink="pipe"))
            if isinstance(result, Failure):
                return result
            self.checked = True
        return launch.run(self.wanted)


def _plan(options: Options) -> campaign.Plan:
    """Return how much to measure: a number of rounds as asked, or looks within a budget."""
    rounds, seconds, many = options.rounds, options.seconds, len(options.benchmarks)
    if options.quick:
        rounds, seconds = rounds or QUICK_ROUNDS, seconds or QUICK_BUDGET * many
    elif rounds is None:
        seconds = seconds or BUDGET * many
    # One round is a look at what happens, not a measurement: a warm-up would double its time.
    return campaign.Plan(rounds=rounds, warmup=int(rounds != 1), seed=options.seed, max_seconds=seconds)


def step(progress: campaign.Progress) -> Step:
    """Return a campaign's progress as a step of a race."""
    return Step("runs", progress.what, progress.done, progress.total, progress.seconds_left)


def _remarks(options: Options, chosen: Sequence[Benchmark], found: toolchains.Found) -> list[str]:
    """Return what a reader must know to read the numbers."""
    remarks = []
    for one in chosen if options.quick else []:
        sizes = ", ".join(f"{key} = {value}" for key, value in one.spec.quick.items()) or "its usual size"
        remarks.append(
            f"A quick run: {one.name} on {sizes} and few rounds; leave --quick out for the full one."
        )
    if not options.toolchains and not any(one.library == "libc++" for one in found.toolchains):
        remarks.append("No toolchain here has libc++; pip install ziglang adds one.")
    return remarks


def _warm(options: Options, rows: Sequence[Row]) -> list[str]:
    """Say where --cold had no effect: a RAM disk, a file system that ignores it, no input at all."""
    if not options.cold:
        return []
    said = []
    if any(row.samples and row.source == "none" for row in rows):
        said.append("--cold changes nothing for programs that read nothing: they have no input to drop.")
    stayed = [sample.cached for row in rows for sample in row.samples if sample.cached is not None]
    warm = [share for share in stayed if share > schema.MOST_CACHED]
    if warm:
        said.append(
            f"In {len(warm)} of {len(stayed)} runs up to {max(warm):.0%} of the input stayed in the page "
            "cache in spite of --cold: the cache folder is on a RAM disk, or on a file system that ignores "
            "posix_fadvise. Set HEADRACE_CACHE to a folder on a disk."
        )
    return said


def _without_absent_peers(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Leave out the rows of a harness that no toolchain has, and say so once a harness and toolchain."""
    absent = [row for row in rows if row.by_peer and row.outcome == "skipped"]
    said = [f"{row.benchmark} was not timed by {row.harness} too: {row.detail}." for row in absent]
    return [row for row in rows if row not in absent], list(dict.fromkeys(said))


def _commit() -> str:
    top = places.checkout()
    if top is None:
        return ""
    done = launch.call(["git", "-C", str(top), "describe", "--always", "--dirty", "--abbrev=12"], timeout=10)
    return done.out.strip() if done.ok else ""


def check_routes(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Read "file:null,pipe:null" lists. Raises BadInput for an unknown end."""
    return [benchmarks.route(text) for text in _listed(texts)]


def check_levels(texts: Sequence[str]) -> list[str]:
    """Read "O0,O2" lists; a leading dash is fine. Raises BadInput for anything else."""
    levels = [text.removeprefix("-") for text in _listed(texts)]
    for level in levels:
        if level not in ("O0", "O1", "O2", "O3", "Os", "Og", "Ofast"):
            raise BadInput(f"{level} is no optimisation level; use O0, O1, O2, O3, Os, Og or Ofast")
    return levels


def check_settings(changes: Sequence[str], sweep: str | None) -> list[dict[str, str]]:
    """Read "rows=100" changes and one "rows=1e2..1e6" sweep. Raises BadInput for anything else."""
    fixed = {}
    for text in changes:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise BadInput(f"a setting of the input is a name and a value such as rows=100, not {text}")
        fixed[key] = value
    if sweep is None:
        return [fixed]
    key, _, span = sweep.partition("=")
    try:
        low, high = (float(end) for end in span.split(".."))
    except ValueError:
        raise BadInput(f"a sweep is a name and a range such as rows=1e2..1e6, not {sweep}") from None
    if not 1 <= low < high < 1e12:
        raise BadInput(f"a sweep goes from 1 or more up to more than that, not {span}")
    steps = max(2, round(math.log10(high / low) * SWEEP_POINTS_A_DECADE))
    values = [round(low * (high / low) ** (step / steps)) for step in range(steps + 1)]
    return [{**fixed, key: str(value)} for value in dict.fromkeys(values)]


def _listed(texts: Sequence[str]) -> list[str]:
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]
