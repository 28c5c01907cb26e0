"""Functions timed inside one process: a harness loads one shared object, checks its answer and times it.

One launch measures one contender, and is the sample of its round: wall is the median of the calls that the
harness timed, user and system are the mean of all calls of the launch, peak memory and page faults are the
whole process's. So every launch has its own addresses, its own state of the heap and of the streams, and a
contender that crashes takes no other one with it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from headrace.base import places
from headrace.base.errors import first_fault
from headrace.builds.build import Order
from headrace.matrix.benchmarks import Benchmark, Contender, ContenderSpec
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import OWN_HARNESS, Sample

SECONDS = 1.0  # bench.hpp's budget per launch; run() takes a quarter of it, and at least three samples
BUDGET = "HEADRACE_BENCH_SECONDS"


class _Function(BaseModel):
    """A harness's report of a function: the median of a call in nanoseconds, processor time in seconds."""

    name: str
    median: float = Field(gt=0, allow_inf_nan=False)
    calls: int = Field(ge=0)
    user: float = Field(ge=0, allow_inf_nan=False)
    system: float = Field(ge=0, allow_inf_nan=False)


class _Report(BaseModel):
    """The report of native/in_process.hpp."""

    functions: list[_Function] = Field(min_length=1, max_length=1)


def harnesses(benchmark: Benchmark) -> list[str]:
    """Return the names of a benchmark's harnesses, our own first; a process has the harness ""."""
    own = benchmark.spec.in_process
    return [OWN_HARNESS, *own.peers] if own else [""]


def needs(harness: str) -> list[str]:
    """Return what a harness needs."""
    return [] if harness in ("", OWN_HARNESS) else [harness]


def obstacle(toolchain: Toolchain) -> str:
    """Say why a toolchain's shared objects cannot be loaded here; "" when they can."""
    if toolchain.runner:
        return f"it runs under {Path(toolchain.runner[0]).name}, whose times inside a process mean nothing"
    if "linux" not in toolchain.target:
        return f"{toolchain.target} does not load shared objects as Linux does"
    if "musl" in toolchain.target:
        return "its programs are static and load no shared objects"
    return ""


def shared(order: Order, benchmark: Benchmark) -> Order:
    """Turn an order of a program into one of a shared object, where the benchmark times functions."""
    own = benchmark.spec.in_process
    if own is None:
        return order
    return replace(order, shared=True, companion=benchmark.folder / own.companion if own.companion else None)


def order(benchmark: Benchmark, harness: str, toolchain: Toolchain) -> Order:
    """Return what to build for a harness. It is optimised whatever its contenders are."""
    own = benchmark.spec.in_process
    assert own is not None  # only lanes of in-process benchmarks have a harness
    file = own.harness if harness == OWN_HARNESS else own.peers[harness]
    spec = ContenderSpec(
        name=f"{harness} harness",
        needs=needs(harness),
        flags=["-I", str(places.native_folder())],
        libs=["-ldl"],
    )
    contender = Contender(spec, benchmark.folder / file)
    return Order(contender, toolchain, "O2", benchmark.spec.standard, include=benchmark.include)


@dataclass(frozen=True)
class Run:
    """Launches a harness once per call, with one shared object."""

    wanted: launch.Request  # its command is the harness's program
    contender: str
    arguments: list[str]
    settings: Mapping[str, object] = field(default_factory=dict)  # of the input

    def __call__(self, shared_object: Path, environment: Mapping[str, str]) -> Sample | Failure:
        """Load a shared object and run it once, with variables added."""
        wanted = self.wanted
        place = wanted.folder or places.fast_folder()
        with tempfile.TemporaryDirectory(prefix="headrace-", dir=place) as name:
            folder, report = Path(name), Path(name) / "report.json"
            named = folder / f"{self.contender}.so"  # the cache calls every build alike
            os.symlink(shared_object, named)
            values = {**self.settings, "object": named, "report": report, "sink": folder / "sink"}
            words = [word.format_map(values) for word in self.arguments]
            once = replace(
                wanted,
                command=[*wanted.command, *words],
                sink="null",
                chatty=True,
                writable=(*wanted.writable, folder),
                environment={**wanted.environment, **environment, BUDGET: f"{SECONDS:g}"},
            )
            result = launch.run(once)
            return result if isinstance(result, Failure) else _measured(result, report)


def _measured(sample: Sample, report: Path) -> Sample | Failure:
    """Put the times of the function into the sample of its process."""
    try:
        timed = _Report.model_validate_json(report.read_bytes()).functions[0]
    except OSError:
        return Failure("CRASHED", "ended with status 0 in the middle, before the harness could report")
    except ValidationError as error:
        return Failure("CRASHED", f"the harness's report is not usable: {first_fault(error)}")
    return sample.model_copy(update={"wall": timed.median / 1e9, "user": timed.user, "system": timed.system})
