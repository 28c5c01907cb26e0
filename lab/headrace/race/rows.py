"""Which rows a race has: the axes of a benchmark crossed, each row once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.matrix import benchmarks, inputs, needs, toolchains
from headrace.matrix.benchmarks import Benchmark, Contender
from headrace.matrix.compilers import Toolchain, of_line
from headrace.measure import in_process
from headrace.processes.routes import BY_NAME
from headrace.race.options import RunOptions
from headrace.results.schema import Role, Row, role_of, row_id

SCRIPT = Toolchain("script", [], "script", "", "", "")  # of a program that needs no compiler


@dataclass(frozen=True)
class Lane:
    """A row to be: one build on one route with one input."""

    benchmark: Benchmark
    contender: Contender
    toolchain: Toolchain
    optimise: str
    route: tuple[str, str]
    setting: dict[str, str]  # of the input, where it differs from the benchmark's
    rival: str = ""  # what no C++ compiler made: the toolchain whose baseline it is compared with
    harness: str = ""  # what times it inside one process; "": a process of its own

    @property
    def order(self) -> build.Order:
        """Return the build that it needs. Environment settings share one build."""
        plain, benchmark = replace(self.contender, environment={}), self.benchmark
        order = build.Order(plain, self.toolchain, self.optimise, benchmark.spec.standard)
        return in_process.shared(replace(order, include=benchmark.include), benchmark)

    @property
    def settings(self) -> dict[str, int | float | str]:
        """The input's table for this row."""
        changed = inputs.changed(
            self.benchmark.spec.input, self.setting, f"the input of {self.benchmark.name}"
        )
        return inputs.located(changed, self.benchmark.folder)

    @property
    def group(self) -> tuple[object, ...]:
        """Rows that compare with each other share it."""
        setting = tuple(sorted(self.setting.items()))
        return (self.benchmark.name, self.rival or self.toolchain.name, self.optimise, self.route, setting)

    def row(self) -> Row:
        """Return the row without results."""
        name, contender = self.benchmark.name, self.contender
        chain, route = self.toolchain.name, ":".join(self.route)
        by = {"harness": self.harness} if in_process.needs(self.harness) else {}
        level = "" if contender.spec.build else self.optimise
        row = Row(
            id=row_id(name, contender.name, {**contender.variant, **by}, chain, level, route, self.setting),
            benchmark=name,
            contender=contender.name,
            variant=contender.variant,
            toolchain=chain,
            optimisation=level,
            source=self.route[0],
            sink=self.route[1],
            input=self.setting,
            source_file=contender.file.name,
            checked=contender.spec.answer,
            harness=self.harness,
            notes=self.toolchain.notes,
        )
        role = Role(contender.spec.role) if contender.spec.role else role_of(row, self.benchmark.spec)
        own = any(guest.name == contender.name for guest in self.benchmark.guests)
        return row.model_copy(update={"role": Role.OWN if own else role})


def chains_of(benchmark: Benchmark, found: toolchains.Found, options: RunOptions) -> list[Toolchain]:
    """Return the toolchains of a benchmark: the usual ones and those that it asks for, or those asked for."""
    return [chain for chain in found.toolchains if options.toolchains or _takes(benchmark, chain)]


def _takes(benchmark: Benchmark, chain: Toolchain) -> bool:
    return not chain.optional or any(toolchains.matches(chain.name, own) for own in benchmark.spec.toolchains)


def absent_rows(benchmark: Benchmark, found: toolchains.Found, options: RunOptions) -> list[Row]:
    """Return a skipped row a route for each toolchain that was asked for and is not here: the baseline's."""
    rows: list[Row] = []
    alone = replace(options, contenders=[benchmark.spec.baseline], guests=[])
    for chain, reason in ((absent.chain, absent.reason) for absent in found.absent):
        if chain and (options.toolchains or (chain.optional and _takes(benchmark, chain))):
            lanes = [
                lane for lane in cross(benchmark, [chain], alone) if lane.contender.name in alone.contenders
            ]
            first = {lane.route: lane.row() for lane in reversed(lanes)}
            update = {"outcome": "skipped", "detail": reason}
            rows += [row.model_copy(update=update) for row in first.values()]
    return rows


def cross(benchmark: Benchmark, chains: Sequence[Toolchain], options: RunOptions) -> list[Lane]:
    """Cross a benchmark's contenders with the other axes, each row once."""
    spec = benchmark.spec
    always = [spec.baseline, spec.limit, spec.floor, *(guest.name for guest in benchmark.guests)]
    lanes = [
        Lane(
            benchmark,
            contender,
            chain,
            optimise,
            route,
            setting,
            chains[0].name if contender.is_foreign else "",
            harness,
        )
        for contender in benchmarks.choose(benchmark.contenders(), options.contenders, always)
        for chain in _chains(contender, chains)
        if is_allowed(contender.spec.toolchains, chain)
        for optimise in _levels(benchmark, contender, options)
        for route in _routes(benchmark, options)
        if _open(contender, route)
        for setting in _settings(benchmark, contender, options)
        for harness in in_process.harnesses(benchmark)
    ]
    baseline = next(contender for contender in benchmark.contenders() if contender.name == spec.baseline)
    compiled = [lane for lane in lanes if not (lane.rival or baseline.is_foreign)]
    lanes += [replace(lane, contender=baseline) for lane in compiled]
    return list({lane.row().id: lane for lane in lanes}.values())


def _chains(contender: Contender, chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return what builds a contender: its own line, nothing a script, one toolchain a Python, else all."""
    if contender.spec.build:
        return [of_line(contender.spec.build)]
    if contender.program:
        return [SCRIPT]
    if _has_no_levels(contender):
        return [*[chain for chain in chains if not chain.runner], *chains][:1]
    return [*chains]


def _has_no_levels(contender: Contender) -> bool:
    """Whether an interpreter runs it, or its own line builds it."""
    return contender.is_foreign or needs.is_python(contender.spec.needs)


def is_allowed(patterns: Sequence[str], chain: Toolchain) -> bool:
    """Whether one of the patterns, if there are any, names the toolchain."""
    return not patterns or any(toolchains.matches(chain.name, pattern) for pattern in patterns)


def _levels(benchmark: Benchmark, contender: Contender, options: RunOptions) -> list[str]:
    own = contender.spec.optimise
    if _has_no_levels(contender):
        return (options.optimise or benchmark.spec.optimise)[:1]
    wanted = options.optimise or (own or benchmark.spec.optimise)
    return [level for level in wanted if not own or level.split()[0] in own]


def _routes(benchmark: Benchmark, options: RunOptions) -> list[tuple[str, str]]:
    """Return the wanted routes that have an input, or none, as the benchmark does.

    A function takes only those that its harness is made for.
    """
    if not options.routes:
        return benchmark.routes
    reads = inputs.makes_input(benchmark.spec.input)
    wanted = [route for route in options.routes if BY_NAME[route[0]].is_empty != reads]
    if not wanted:
        kind, start = ("an input", "file: or pipe:") if reads else ("no input", "none:")
        raise BadInput(
            f"no route that was asked for goes with {benchmark.name}, which has {kind}: "
            f"its routes begin with {start}"
        )
    return [route for route in wanted if route in benchmark.routes] if benchmark.spec.in_process else wanted


def _open(contender: Contender, route: tuple[str, str]) -> bool:
    sources, sinks = contender.spec.sources, contender.spec.sinks
    return (not sources or route[0] in sources) and (not sinks or route[1] in sinks)


def _settings(benchmark: Benchmark, contender: Contender, options: RunOptions) -> list[dict[str, str]]:
    """Return the input's settings that differ from the benchmark's own, for each point of a sweep."""
    own = {key: str(value) for key, value in benchmark.spec.input.items()}
    usual = {**contender.spec.input, **(benchmark.spec.quick if options.quick else {})}
    wanted = [{**{key: str(value) for key, value in usual.items()}, **given} for given in options.settings]
    return [{key: value for key, value in each.items() if own.get(key) != value} for each in wanted]
