"""The axes crossed: which rows a race has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headrace.base.errors import BadInput
from headrace.matrix import benchmarks, inputs, toolchains
from headrace.matrix.benchmarks import Benchmark, Contender
from headrace.matrix.compilers import Toolchain
from headrace.measure import in_process
from headrace.processes.routes import BY_NAME
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.results.schema import Row

SCRIPT = Toolchain("script", [], "script", "", "", "")  # of a program that needs no compiler


def chains_of(one: Benchmark, found: toolchains.Found, options: Options) -> list[Toolchain]:
    """Return the toolchains of a benchmark: the usual ones and those that it asks for, or those asked for."""
    return [chain for chain in found.toolchains if options.toolchains or _takes(one, chain)]


def _takes(one: Benchmark, chain: Toolchain) -> bool:
    return not chain.optional or any(toolchains.matches(chain.name, more) for more in one.spec.toolchains)


def absent_rows(one: Benchmark, found: toolchains.Found, options: Options) -> list[Row]:
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
        if is_allowed(contender.spec.toolchains, chain)
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


def is_allowed(patterns: Sequence[str], chain: Toolchain) -> bool:
    """Whether one of the patterns, if there are any, names the toolchain."""
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
    wanted = [route for route in options.routes if BY_NAME[route[0]].is_empty != reads]
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
