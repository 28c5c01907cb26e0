"""Compile and run C++ as a user of the library does: for the tests of the examples and of the documents."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from headrace.matrix import needs
from headrace.matrix.compilers import Toolchain

TOP = Path(__file__).resolve().parents[2]
WARNINGS = ("-Wall", "-Wextra", "-Werror")
COMPILING = 120.0  # seconds
RUNNING = 30.0


def others_slow(compilers: Sequence[str]) -> list[object]:
    """Return the compilers as parameters, of which `make check` leaves out all but the first."""
    return [*compilers[:1], *(pytest.param(one, marks=pytest.mark.slow) for one in compilers[1:])]


def one_of_each_family(chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return the first g++ and the first clang++ of this machine, or what there is of them."""
    first: dict[str, Toolchain] = {}
    for one in chains:
        if not one.runner:
            first.setdefault(one.family, one)
    return list(first.values())


def command(source: Path, program: Path, chain: Toolchain, wanted: Sequence[str] = ()) -> list[str]:
    """Return the command that compiles `source` as C++17, warnings being errors."""
    before, after = needs.flags(list(wanted))
    words = [*chain.command, "-std=c++17", *chain.flags, *WARNINGS, f"-I{TOP / 'include'}", *before]
    return [*words, str(source), "-o", str(program), *after]


def compile_program(source: Path, program: Path, chain: Toolchain, wanted: Sequence[str] = ()) -> None:
    """Compile, or fail with what the compiler says."""
    words = command(source, program, chain, wanted)
    environment = {**os.environ, **chain.environment}
    done = subprocess.run(words, capture_output=True, text=True, timeout=COMPILING, env=environment)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stderr}"


def run(
    words: Sequence[str | Path], given: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end with `given` on its standard input."""
    short = {**os.environ, "HEADRACE_BENCH_SECONDS": "0.02"}
    return subprocess.run(words, input=given, capture_output=True, timeout=RUNNING, cwd=folder, env=short)
