"""From a row of a benchmark's matrix to a program that runs: the one way, for races, gates and bisection.

`program` says what a row runs, whoever makes its builds: the cache, a folder, a stored campaign. `described`
writes it into the row, and `Launches` runs it in each round.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.step import Step, Watch
from headrace.builds import build, layout
from headrace.machine import facts
from headrace.matrix import inputs, needs
from headrace.matrix.benchmarks import ContenderSpec
from headrace.measure import in_process
from headrace.measure.campaign import OPENING
from headrace.processes import cage, launch
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.failure import Failure
from headrace.results.schema import Row, Sample

STANDARDS = ("c++17", "c++20", "c++23")  # tried in turn for a user's own source
COMMAND_TIMEOUT = 600.0  # seconds for --setup, --prepare or --cleanup
PADDING = 4096  # bytes: a page, after which a stack's address repeats its place in one

Make = Callable[[build.Order], build.Build]  # makes a build; one without a program says its error
Once = Callable[[Path, Mapping[str, str]], Sample | Failure]  # runs a program with variables added


def reason_to_skip(lane: Lane) -> str:
    """Return why a row cannot be built here; "" when it can."""
    wanted = [*lane.contender.spec.needs, *in_process.needs(lane.harness)]
    obstacle = in_process.obstacle(lane.toolchain) if lane.harness else ""
    reasons = [obstacle, *(needs.missing(need, lane.toolchain) for need in wanted), lane.toolchain.missing]
    return next(filter(None, reasons), "")


def orders_of(lane: Lane) -> list[build.Order]:
    """Return what a row takes: its build, and the harness that loads it."""
    if not lane.harness:
        return [lane.order]
    return [lane.order, in_process.order(lane.benchmark, lane.harness, lane.toolchain)]


def orders_of_all(lanes: Sequence[Lane]) -> tuple[dict[str, str], dict[str, build.Order]]:
    """Return why rows cannot be built, by their id, and what the others take, each build once."""
    reasons = {lane.row().id: reason_to_skip(lane) for lane in lanes}
    able = [lane for lane in lanes if not reasons[lane.row().id] and not lane.contender.program]
    return reasons, {repr(order): order for lane in able for order in orders_of(lane)}


def program(lane: Lane, make: Make) -> build.Build:
    """Return what a row runs: a program, or one with the harness that loads it; or the error of either."""
    if lane.contender.program:
        words = list(lane.contender.program)
        return build.Build(lane.order, words, program=Path(words[-1]))
    made, *harness = (make(order) for order in orders_of(lane))
    if made.program is None or not harness or harness[0].program is not None:
        return replace(made, harness=harness[0].program if harness else None)
    file = harness[0].order.contender.file.name
    return replace(made, program=None, error=f"its harness {file}: {harness[0].error}")


def make_builds(lanes: Sequence[Lane], watch: Watch, jobs: int = 0) -> dict[str, build.Build | str]:
    """Build for every row, in the cache: row id -> build, or the reason for skipping it."""
    reasons, orders = orders_of_all(lanes)
    built = build.build_all(
        list(orders.values()), lambda count, total, what: watch(Step("builds", what, count, total)), jobs
    )
    guests = {guest.file for lane in lanes for guest in lane.benchmark.guests if not guest.program}
    built = [_newer(made) if made.order.contender.file in guests else made for made in built]
    _check_guests(guests, built)
    by_order = dict(zip(orders, built, strict=True))
    return {
        lane.row().id: reasons[lane.row().id] or program(lane, lambda order: by_order[repr(order)])
        for lane in lanes
    }


def make_in(folder: Path) -> Make:
    """Return what makes builds in a folder, without the cache. The same bytes are the same build there."""

    def make(order: build.Order) -> build.Build:
        folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=folder))
        if error := build.make(order, place):
            return build.Build(order, build.command(order), error=error)
        made = place / build.PROGRAM
        digest = places.digest(made)
        return build.Build(order, build.command(order), digest, made)

    return make


def described(lane: Lane, made: build.Build | str, data: inputs.Input | None = None) -> Row:
    """Return a row before its first run: how its program was made, or why there is none."""
    row = lane.row()
    if data is not None:
        row = row.model_copy(update={"tokens": data.tokens, "input_bytes": data.bytes})
    if isinstance(made, str):
        return row.model_copy(update={"outcome": "skipped", "detail": made})
    if made.program is None:
        update = {"outcome": "does not compile", "detail": made.error, "command": made.command}
        return row.model_copy(update=update)
    return row.model_copy(update={"build": made.digest, "command": made.command})


def _newer(made: build.Build) -> build.Build:
    """Build a user's own source by the oldest standard, from the benchmark's on, that compiles it."""
    newer = [standard for standard in STANDARDS if standard > made.order.standard]
    for standard in newer if made.program is None else ():
        again = build.build(replace(made.order, standard=standard))
        if again.program is not None:
            return again
    return made


def _check_guests(guests: Collection[Path], built: Sequence[build.Build]) -> None:
    """Raise BadInput where no toolchain takes any program of the user's: nothing of them could be shown.

    One of several costs only itself, and is shown as a row that does not compile.
    """
    tries = [made for made in built if made.order.contender.file in guests]
    if tries and all(made.program is None for made in tries):
        order = tries[0].order
        raise BadInput(
            f"{order.contender.file}: no toolchain takes it, as {STANDARDS[0]} or newer; "
            f"{order.toolchain.name} says: {tries[0].error}"
        )


def link_layouts(
    lanes: Sequence[Lane], built: Mapping[str, build.Build | str], options: RunOptions, watch: Watch
) -> None:
    """Link each build in the layouts of the first rounds; the others are linked when they are used."""
    able = {
        made.digest: made
        for lane in lanes
        if isinstance(made := built[lane.row().id], build.Build)
        and layout.can_be_laid_out(made)
        and lane.benchmark.spec.kind != "observation"
    }
    rounds = range(1, OPENING + 1) if options.layouts > 1 else ()
    chosen = {layout.of_round(number, options.layouts, options.seed) for number in rounds}
    layout.link_all(
        [(made, number) for made in able.values() for number in chosen],
        lambda count, total, what: watch(Step("layouts", what, count, total)),
        options.jobs,
    )


def linked(lane: Lane, made: build.Build, data: inputs.Input, options: RunOptions) -> Launches:
    """Return what runs a build whose sources may go: every layout is linked now."""
    runs = Launches(lane, made, [data], options)
    for number in range(runs.layouts):
        layout.program(made, number)
    return runs


def request(lane: Lane, made: build.Build, data: inputs.Input, options: RunOptions) -> launch.Request:
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
        data=None if lane.toolchain.is_windows else facts.most_memory(),
        cage=None if lane.toolchain.is_windows else cage.here(spec.network),  # wine's server is for all
    )


def _expected(spec: ContenderSpec, data: inputs.Input) -> launch.Expected | None:
    """Return what a contender has to print: the input's answer, or its own; None where nothing is checked."""
    if not spec.answer or (data.expected.agree and not spec.expected):
        return None
    return launch.Expected(text=spec.expected) if spec.expected else data.expected


def shell(text: str, option: str, environment: Mapping[str, str] | None = None) -> str:
    """Run a command of the user's by the shell. Returns "" or a phrase that says how it failed."""
    words = ["cmd", "/c", text] if sys.platform == "win32" else ["/bin/sh", "-c", text]
    done = launch.call(words, timeout=COMMAND_TIMEOUT, environment=environment)
    if done.ok:
        return ""
    lines = done.err.strip().splitlines()
    return f"{option} ended with status {done.code}{f': {lines[-1]}' if lines else ''}"


class Launches:
    """Runs a build once per call: in the round's layout, on its input, in an environment of a random size.

    `data`: the inputs to choose from in each round.

    A variable of random size moves the stack, which makes some programs faster or slower (Mytkowicz, Diwan,
    Hauswirth & Sweeney, "Producing wrong data without doing anything obviously wrong!", 2009).
    """

    def __init__(
        self, lane: Lane, made: build.Build, data: Sequence[inputs.Input], options: RunOptions
    ) -> None:
        self.lane, self.made, self.data, self.options = lane, made, data, options
        self.random = random.Random(f"{options.seed} {lane.row().id}")
        self.layouts = options.layouts if layout.can_be_laid_out(made) else 1
        self.once = [_once(lane, made, each, options) for each in data]
        self.programs: dict[int, Path] = {}

    def __call__(self, number: int) -> Sample | Failure:
        """Run it once. All builds of a round have the same layout, and the same input."""
        seed = self.options.seed
        chosen = layout.of_round(number, self.layouts, seed)
        read = random.Random(f"{seed} input {number}").randrange(len(self.data))
        if failed := self._prepare(self.data[read]):
            return Failure("CRASHED", failed)
        room = {"HEADRACE_PADDING": "x" * self.random.randrange(PADDING)}
        result = self.once[read](self._program(chosen), room)
        if isinstance(result, Failure):
            return result
        return result.model_copy(update={"layout": chosen, "input": read})

    def _prepare(self, data: inputs.Input) -> str:
        """Run the user's --prepare, which is told of the run by variables. Returns "" or how it failed."""
        if not self.options.prepare:
            return ""
        told = {
            "HEADRACE_BENCHMARK": self.lane.benchmark.name,
            "HEADRACE_CONTENDER": self.lane.contender.name,
            "HEADRACE_INPUT": str(data.path or ""),
        }
        return shell(self.options.prepare, "--prepare", told)

    def _program(self, number: int) -> Path:
        """Return the program in a layout. Its file is read before its first run, which is not slower then."""
        if number not in self.programs:
            self.programs[number] = layout.program(self.made, number)
            self.programs[number].read_bytes()
        return self.programs[number]


def _once(lane: Lane, made: build.Build, data: inputs.Input, options: RunOptions) -> Once:
    wanted, own = request(lane, made, data, options), lane.benchmark.spec.in_process
    if own is None:
        return Process(wanted, is_script=bool(lane.contender.program))
    assert made.program is not None and made.harness is not None  # only what was built comes here
    wanted = replace(wanted, command=[str(made.harness)])
    return in_process.Run(wanted, lane.contender.name, own.arguments, inputs.settings_of(lane.settings))


class Process:
    """Runs a program as a process. Where the sink loses the output, the first call checks it on a pipe."""

    def __init__(self, wanted: launch.Request, is_script: bool = False) -> None:
        self.wanted, self.is_script = wanted, is_script
        self.checked = not wanted.loses_output or wanted.answer_on_stdout or wanted.expected is None

    def __call__(self, program: Path, environment: Mapping[str, str]) -> Sample | Failure:
        """Run it once, with variables added."""
        command = self.wanted.command if self.is_script else [str(program), *self.wanted.command[1:]]
        wanted = replace(self.wanted, command=command, environment={**self.wanted.environment, **environment})
        if not self.checked:
            result = launch.run(replace(wanted, sink="pipe"))
            if isinstance(result, Failure):
                return result
            self.checked = True
        return launch.run(wanted)
