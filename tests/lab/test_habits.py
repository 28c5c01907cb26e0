"""What the compiler says to one who writes as with iostreams: a sentence that names what to write instead."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).resolve().parents[2] / "include"
COMPILERS = [name for name in ("g++", "clang++", "clang++-14", "clang++-19") if shutil.which(name)]
PROGRAM = """#include <headrace/headrace.hpp>
#include <iomanip>
#include <iostream>
int main() {{
  [[maybe_unused]] int x = 0;
  {}
}}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("habit", "words"),
    [
        ("headrace::out << 5 << std::endl;", "headrace has no endl: write '"),
        ("headrace::out << std::flush;", "call flush() where it must go now"),
        ("while (headrace::in >> x) {}", "write while (in.try_read(x))"),
        ("if (!(headrace::in >> x)) return 1;", "or if (in.parse(x))"),
        ("headrace::out << std::setprecision(2) << 0.5;", "headrace cannot write this type"),
    ],
)
def test_a_habit_is_answered(compiler: str, habit: str, words: str) -> None:
    command = [compiler, "-std=c++17", "-fsyntax-only", "-I", str(INCLUDE), "-x", "c++", "-"]
    done = subprocess.run(command, input=PROGRAM.format(habit), capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert words in done.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_meant_compiles(compiler: str) -> None:
    right = r"while (headrace::in.try_read(x)) headrace::out << headrace::fixed(0.5, 2) << '\n';"
    command = [compiler, "-std=c++17", "-fsyntax-only", "-I", str(INCLUDE), "-x", "c++", "-"]
    done = subprocess.run(command, input=PROGRAM.format(right), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
