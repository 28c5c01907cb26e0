"""How a build is run once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from headrace.builds import build
from headrace.matrix import inputs
from headrace.matrix.benchmarks import ContenderSpec
from headrace.measure import in_process
from headrace.processes import launch
from headrace.race.lane import Lane
from headrace.race.options import Options
from headrace.results.failure import Failure
from headrace.results.schema import Sample


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
