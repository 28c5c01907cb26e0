"""tools/start_cost.py: what starting a process costs, and the share of the C++ library."""

from __future__ import annotations

import random
import re
import shutil
import statistics
import subprocess
import sys

import pytest

import native
from checkout import TOP

TOOL = TOP / "tools" / "start_cost.py"

sys.path.insert(0, str(TOOL.parent))
import start_cost  # noqa: E402

needs_compiler = pytest.mark.skipif(
    shutil.which("g++") is None or sys.platform != "linux", reason="no g++ on this machine, or no ELF"
)


def measure(*words: str) -> subprocess.CompletedProcess[str]:
    return native.call(sys.executable, TOOL, *words)


def test_an_interval_holds_the_median_of_what_was_drawn_from() -> None:
    assert start_cost.interval([3, 1, 2]) == (1, 3)
    source = random.Random(5)
    held = 0
    for _ in range(400):
        values = [source.gauss(10, 1) for _ in range(31)]
        low, high = start_cost.interval(values)
        assert low <= statistics.median(values) <= high
        held += low <= 10 <= high
    assert 372 <= held <= 400  # 95 % or a little more


@pytest.mark.slow
@needs_compiler
def test_a_line_per_program_and_what_the_library_is_of_it() -> None:
    done = measure("--rounds", "15", "--count", "50")
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^(.*?) +([\d.]+) ms \[([\d.]+), ([\d.]+)\] +([\d.]+) x scanf \[", done.stdout, re.M)
    assert [line[0] for line in lines] == list(start_cost.PROGRAMS)
    assert all(float(low) <= float(time) <= float(high) for _, time, low, high, _ in lines)
    assert re.search(r"of which loading the C\+\+ standard library -?[\d.]+ ms \[", done.stdout)


def test_a_compiler_that_is_not_there_is_named() -> None:
    done = measure("--compiler", "no-such-compiler")
    assert done.returncode == 2 and "cannot run no-such-compiler" in done.stderr
