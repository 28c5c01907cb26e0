"""tools/drop_in_speed.py: how many instructions the drop-ins save; counts do not depend on the load."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

import native
from headrace.matrix.compilers import Toolchain
from native import TOP

TOOL = TOP / "tools" / "drop_in_speed.py"


def told(*words: str) -> subprocess.CompletedProcess[str]:
    return native.call(sys.executable, TOOL, *words)


# At least so many times fewer instructions; about two thirds of what it is with g++ 12.
FEWER = {"scanf %s": 4.5, "getchar": 1.4, "putchar": 1.3, "cin >> int": 12.0, "cout << int": 5.5}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_each_drop_in_saves_instructions(chain: Toolchain) -> None:
    if chain.library != "libstdc++" or chain.family != "gcc":
        pytest.skip(f"the figures are of g++, not of {chain.name}")
    compiler = " ".join([*chain.command, *chain.flags, "-O2"])
    done = told("--exact", "--divide", "200", "--compiler", compiler, *FEWER)
    assert done.returncode == 0, done.stderr
    for name, least in FEWER.items():
        line = next(line for line in done.stdout.splitlines() if name in line)
        found = re.search(r"([\d.]+) +([\d.]+) -> ([\d.]+) million", line)
        assert found is not None, line
        assert float(found[1]) >= least and float(found[3]) > 0, line


def test_an_unknown_case_is_a_sentence() -> None:
    done = told("scanf %q")
    assert done.returncode == 2 and "there is no case 'scanf %q'; there are cin >> int, " in done.stderr


def test_a_compiler_that_is_not_there_is_a_sentence() -> None:
    done = told("--divide", "10000", "--compiler", "no-such-compiler", "getchar")
    assert done.returncode == 2 and "there is no compiler no-such-compiler" in done.stderr
