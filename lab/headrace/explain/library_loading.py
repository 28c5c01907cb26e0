"""What loading the C++ standard library adds to the start of a process, in two programs that do nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.processes.launch import Request
from headrace.results.failure import Failure

ROUNDS = 41
SOURCE = "int main() {}\n"
LIBRARIES = {"libstdc++": "-lstdc++", "libc++": "-lc++"}


def loads_library(program: Path) -> bool:
    """Tell whether a program names a shared C++ standard library, which the loader then finds and maps."""
    data = program.read_bytes()
    return any(name in data for name in (b"libstdc++.so.", b"libc++.so."))


def loading(toolchain: Toolchain) -> float | None:
    """Return the seconds that loading a toolchain's library takes; None where that cannot be measured.

    The median of the differences within a round between a program that loads it and one that does not.
    """
    option = LIBRARIES.get(toolchain.library)
    if option is None or toolchain.runner:
        return None
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        without = _build(toolchain, Path(folder) / "without", ["-Wl,--as-needed"])
        with_it = _build(toolchain, Path(folder) / "with", ["-Wl,--no-as-needed", option])
        if without is None or with_it is None or loads_library(without) or not loads_library(with_it):
            return None
        differences = []
        for number in range(ROUNDS + 1):
            times = {}
            for program in (without, with_it) if number % 2 else (with_it, without):
                sample = launch.run(Request([str(program)]))
                if isinstance(sample, Failure):
                    return None
                times[program] = sample.wall
            if number > 0:  # the first round warms up
                differences.append(times[with_it] - times[without])
    return max(0.0, median(differences))


def _build(toolchain: Toolchain, program: Path, options: list[str]) -> Path | None:
    source = program.with_suffix(".cpp")
    source.write_text(SOURCE, "utf-8")
    words = toolchain.compile([source], program, optimise="O1", after=options)
    done = launch.call(words, timeout=60, environment=toolchain.environment)
    return program if done.ok and program.exists() else None
