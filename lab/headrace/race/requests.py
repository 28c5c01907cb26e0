"""How a build is run once."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from headrace.builds import build
from headrace.matrix import inputs
from headrace.matrix.benchmarks import ContenderSpec
from headrace.measure import in_process
from headrace.processes import launch
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.results.failure import Failure
from headrace.results.schema import Sample

COMMAND_TIMEOUT = 600.0  # seconds for --setup, --prepare or --cleanup
PADDING = 4096  # bytes: a page, after which a stack's address repeats its place in one


def runner(
    lane: Lane, made: build.Build, data: inputs.Input, options: Options
) -> Callable[[], Sample | Failure]:
    """Return what runs a build once: as a process, or loaded by its harness."""
    once = _once(lane, made, data, options)
    return Prepared(options.prepare, once, lane, data) if options.prepare else once


def _once(
    lane: Lane, made: build.Build, data: inputs.Input, options: Options
) -> Callable[[], Sample | Failure]:
    wanted, own = request(lane, made, data, options), lane.benchmark.spec.in_process
    if own is None:
        return Run(wanted, options.seed)
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
    once: Callable[[], Sample | Failure]
    lane: Lane
    data: inputs.Input

    def __call__(self) -> Sample | Failure:
        """Prepare, and run once."""
        said = {
            "HEADRACE_BENCHMARK": self.lane.benchmark.name,
            "HEADRACE_CONTENDER": self.lane.contender.name,
            "HEADRACE_INPUT": str(self.data.path or ""),
        }
        failed = shell(self.command, "--prepare", said)
        return Failure("CRASHED", failed) if failed else self.once()


class Run:
    """Runs a build once per call. Where the sink loses the output, the first call checks it on a pipe."""

    def __init__(self, wanted: launch.Request, seed: int = 1) -> None:
        self.wanted = wanted
        self.random = random.Random(f"{seed} {wanted.command}")
        self.checked = not wanted.loses_output or wanted.answer_on_stdout or wanted.expected is None

    def __call__(self) -> Sample | Failure:
        """Run it once."""
        if not self.checked:
            result = launch.run(replace(self.wanted, sink="pipe"))
            if isinstance(result, Failure):
                return result
            self.checked = True
        return launch.run(self._padded())

    def _padded(self) -> launch.Request:
        """Add a variable of random size: it moves the stack, which makes some programs faster or slower.

        Mytkowicz, Diwan, Hauswirth & Sweeney, "Producing wrong data without doing anything obviously wrong!",
        2009.
        """
        padding = "x" * self.random.randrange(PADDING)
        return replace(self.wanted, environment={**self.wanted.environment, "HEADRACE_PADDING": padding})
