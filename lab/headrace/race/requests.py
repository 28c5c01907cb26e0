"""How a build is run once."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headrace.builds import build, layout
from headrace.matrix import inputs
from headrace.matrix.benchmarks import ContenderSpec
from headrace.measure import in_process
from headrace.measure.plan import Run
from headrace.processes import launch
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.results.failure import Failure
from headrace.results.schema import Sample

COMMAND_TIMEOUT = 600.0  # seconds for --setup, --prepare or --cleanup
PADDING = 4096  # bytes: a page, after which a stack's address repeats its place in one

Once = Callable[[Path, Mapping[str, str]], Sample | Failure]  # runs a program with variables added


def runner(
    lane: Lane, made: build.Build, data: Sequence[inputs.Input], options: Options, twin: bool = False
) -> Run:
    """Return what runs a build once: as a process, or loaded by its harness.

    `data`: the inputs to choose from in each round. `twin`: in layouts that the build itself does not have.
    """
    draw = Draw(lane, made, options, len(data), twin)
    once = Launches(draw, made, [_once(lane, made, one, options) for one in data])
    return Prepared(options.prepare, once, lane, data) if options.prepare else once


def _once(lane: Lane, made: build.Build, data: inputs.Input, options: Options) -> Once:
    wanted, own = request(lane, made, data, options), lane.benchmark.spec.in_process
    if own is None:
        return Process(wanted, is_script=bool(lane.contender.program))
    assert made.program is not None and made.harness is not None  # only what was built comes here
    wanted = replace(wanted, command=[str(made.harness)])
    settings = inputs.settings_of(lane.settings)
    return in_process.Run(wanted, lane.contender.name, own.arguments, settings)


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
    if not spec.answer or (data.expected.agree and not spec.expected):
        return None
    return launch.Expected(text=spec.expected) if spec.expected else data.expected


def shell(text: str, option: str, environment: Mapping[str, str] | None = None) -> str:
    """Run a command of the user's by the shell. Returns "" or a phrase that says how it failed."""
    words = ["cmd", "/c", text] if sys.platform == "win32" else ["/bin/sh", "-c", text]
    done = launch.call(words, timeout=COMMAND_TIMEOUT, environment=environment)
    if done.ok:
        return ""
    said = done.err.strip().splitlines()
    return f"{option} ended with status {done.code}{f': {said[-1]}' if said else ''}"


@dataclass(frozen=True)
class Prepared:
    """Runs a command of the user's before each run. It is told of the run by HEADRACE_ variables."""

    command: str
    once: Launches
    lane: Lane
    data: Sequence[inputs.Input]

    def __call__(self, number: int) -> Sample | Failure:
        """Prepare, and run once."""
        said = {
            "HEADRACE_BENCHMARK": self.lane.benchmark.name,
            "HEADRACE_CONTENDER": self.lane.contender.name,
            "HEADRACE_INPUT": str(self.data[self.once.draw.input(number)].path or ""),
        }
        failed = shell(self.command, "--prepare", said)
        return Failure("CRASHED", failed) if failed else self.once(number)


class Draw:
    """What luck decides about a launch: the layout, the size of the environment, and the round's input."""

    def __init__(self, lane: Lane, made: build.Build, options: Options, inputs: int, twin: bool) -> None:
        self.seed, self.inputs = options.seed, inputs
        self.random = random.Random(f"{options.seed} {lane.row().id}{' A/A' if twin else ''}")
        count = options.layouts if layout.can_be_laid_out(made) else 1
        self.layouts = layout.of_twin(count) if twin else layout.of_build(count)
        self._bag: list[int] = []

    def layout(self) -> int:
        """Draw a layout: each once in as many launches as there are layouts, in a random order."""
        if not self._bag:
            self._bag = self.random.sample(self.layouts, len(self.layouts))
        return self._bag.pop()

    def input(self, number: int) -> int:
        """Draw the input of a round, the same for all builds."""
        return random.Random(f"{self.seed} input {number}").randrange(self.inputs)

    def environment(self) -> dict[str, str]:
        """Return a variable of random size: it moves the stack, which makes some programs faster or slower.

        Mytkowicz, Diwan, Hauswirth & Sweeney, "Producing wrong data without doing anything obviously wrong!",
        2009.
        """
        return {"HEADRACE_PADDING": "x" * self.random.randrange(PADDING)}


class Launches:
    """Runs a build once per call, in another layout and another environment each time."""

    def __init__(self, draw: Draw, made: build.Build, once: Sequence[Once]) -> None:
        self.draw, self.made, self.once = draw, made, once
        self.programs: dict[int, Path] = {}

    def __call__(self, number: int) -> Sample | Failure:
        """Run it once, in a round."""
        chosen, read = self.draw.layout(), self.draw.input(number)
        result = self.once[read](self._program(chosen), self.draw.environment())
        if isinstance(result, Failure):
            return result
        return result.model_copy(update={"layout": chosen, "input": read})

    def _program(self, number: int) -> Path:
        """Return the program in a layout. Its file is read before its first run, which is not slower then."""
        if number not in self.programs:
            self.programs[number] = layout.program(self.made, number)
            self.programs[number].read_bytes()
        return self.programs[number]


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
