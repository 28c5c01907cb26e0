"""Inputs and builds of a race's rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from headrace.base.errors import BadInput
from headrace.base.step import Step, Watch
from headrace.builds import build, layout
from headrace.matrix import inputs, needs
from headrace.measure import in_process
from headrace.race.lane import Lane
from headrace.race.options import Options

STANDARDS = ("c++17", "c++20", "c++23")  # tried in turn for a user's own source


def make_inputs(lanes: Sequence[Lane], watch: Watch) -> dict[tuple[str, str], inputs.Input]:
    """Make each input that the rows take, once: `input_key` of a row -> its input."""
    wanted = {input_key(lane): lane for lane in lanes}
    made = {}
    for number, (key, lane) in enumerate(wanted.items()):
        what = f"{lane.benchmark.name}: {lane.settings['generator']}"
        said = partial(_written, watch, Step("inputs", what, number, len(wanted)))
        said(0)
        made[key] = inputs.make(lane.settings, lane.benchmark.spec.tolerance, said)
    return made


def _written(watch: Watch, step: Step, size: int) -> None:
    watch(replace(step, what=f"{step.what}, {size / 2**20:,.0f} MiB") if size >= 1 << 20 else step)


def input_key(lane: Lane) -> tuple[str, str]:
    """Name a row's input."""
    return (lane.benchmark.name, repr(sorted(lane.setting.items())))


def with_more_inputs(
    lanes: Sequence[Lane], made: Mapping[tuple[str, str], inputs.Input], count: int, watch: Watch
) -> dict[tuple[str, str], list[inputs.Input]]:
    """Return the inputs that rounds choose from: each input, and where it may be, others by other seeds."""
    found = {key: [one] for key, one in made.items()}
    for key, lane in {input_key(lane): lane for lane in lanes}.items():
        first = int(lane.settings.get("seed", 1))
        for seed in range(first + 1, first + count) if has_seeds(lane, made[key]) else ():
            what = f"{lane.benchmark.name}: {lane.settings['generator']}, seed {seed}"
            said = partial(_written, watch, Step("inputs", what, seed - first, count))
            said(0)
            settings = {**lane.settings, "seed": seed}
            found[key].append(inputs.make(settings, lane.benchmark.spec.tolerance, said))
    return found


def has_seeds(lane: Lane, made: inputs.Input) -> bool:
    """Whether inputs by other seeds may take its place: it is ours, and no answer is recorded for it."""
    spec = lane.benchmark.spec
    fixed = any(one.spec.expected for one in lane.benchmark.contenders())
    ours = inputs.makes_input(spec.input) and not inputs.is_own(lane.settings)
    return ours and made.path is not None and not fixed and spec.kind != "observation"


def link_layouts(
    lanes: Sequence[Lane], built: Mapping[str, build.Build | str], options: Options, watch: Watch
) -> None:
    """Link each build in its layouts, and each baseline in those of its A/A twin, too."""
    wanted: dict[tuple[str, int], tuple[build.Build, int]] = {}
    for lane in lanes if options.layouts > 1 else ():
        made = built[lane.row().id]
        if isinstance(made, str) or not layout.can_be_laid_out(made):
            continue
        if lane.benchmark.spec.kind == "observation":
            continue
        numbers = [*layout.of_build(options.layouts)]
        if lane.contender.name == lane.benchmark.spec.baseline:
            numbers += layout.of_twin(options.layouts)
        wanted |= {(made.digest, number): (made, number) for number in numbers}
    layout.link_all(
        list(wanted.values()),
        lambda count, total, what: watch(Step("layouts", what, count, total)),
        options.jobs,
    )


def make_builds(lanes: Sequence[Lane], watch: Watch, jobs: int = 0) -> dict[str, build.Build | str]:
    """Build for every row: row id -> build, or the reason for skipping it."""
    done: dict[str, build.Build | str] = {}
    orders: dict[str, build.Order] = {}
    for lane in lanes:
        reason = reason_to_skip(lane)
        if reason:
            done[lane.row().id] = reason
        elif lane.contender.program:
            words = list(lane.contender.program)
            done[lane.row().id] = build.Build(lane.order, words, program=Path(words[-1]))
        else:
            orders |= {repr(order): order for order in orders_of(lane)}
    built = build.build_all(
        list(orders.values()), lambda count, total, what: watch(Step("builds", what, count, total)), jobs
    )
    guests = {guest.file for lane in lanes for guest in lane.benchmark.guests if not guest.program}
    built = [_newer(one) if one.order.contender.file in guests else one for one in built]
    by_order = dict(zip(orders, built, strict=True))
    _check_guests(guests, built)
    return {lane.row().id: done.get(lane.row().id) or _joined(lane, by_order) for lane in lanes}


def reason_to_skip(lane: Lane) -> str:
    """Return why a row cannot be built here; "" when it can."""
    wanted = [*lane.contender.spec.needs, *in_process.needs(lane.harness)]
    obstacle = in_process.obstacle(lane.toolchain) if lane.harness else ""
    return obstacle or next(filter(None, (needs.missing(need, lane.toolchain) for need in wanted)), "")


def orders_of(lane: Lane) -> list[build.Order]:
    """Return what a row takes: its build, and the harness that loads it."""
    if not lane.harness:
        return [lane.order]
    return [lane.order, in_process.order(lane.benchmark, lane.harness, lane.toolchain)]


def _joined(lane: Lane, built: dict[str, build.Build]) -> build.Build:
    """Return a row's build, with the harness's error where the harness is what does not compile."""
    made, *harness = (built[repr(order)] for order in orders_of(lane))
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


def _check_guests(guests: Collection[Path], built: Sequence[build.Build]) -> None:
    """Raise BadInput where no toolchain takes any program of the user's: nothing of them could be shown.

    One of several costs only itself, and is shown as a row that does not compile.
    """
    tries = [one for one in built if one.order.contender.file in guests]
    if not tries or any(one.program is not None for one in tries):
        return
    first = tries[0]
    raise BadInput(
        f"{first.order.contender.file}: no toolchain takes it, as {STANDARDS[0]} or newer; "
        f"{first.order.toolchain.name} says: {first.error}"
    )
