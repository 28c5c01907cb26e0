"""A header leaves few macros, and asks for none that nothing defines, which would choose the other branch."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import native
from checkout import TOP

INCLUDE = TOP / "include"
HEADERS = sorted((INCLUDE / "headrace").glob("*.hpp"))
COMPILERS = [name for name in ("g++", "clang++-19", "clang++") if shutil.which(name)]


def macros_of(header: Path) -> set[str]:
    """Return the names of the library's macros that a file sees after it includes this header alone.

    A macro whose value is asked for before it is defined is an error.
    """
    words = ["-std=c++17", "-Wundef", "-Werror", "-dM", "-E", f"-I{INCLUDE}", "-x", "c++", "-"]
    done = native.call(COMPILERS[0], *words, input=f"#include <{header.relative_to(INCLUDE)}>\n")
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^#define (HEADRACE_\w+)", done.stdout, re.M))


@pytest.mark.skipif(not COMPILERS, reason="no g++ or clang++ on this machine")
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
def test_macros_that_a_user_sees_are_defined_and_those_of_config_hpp(header: Path) -> None:
    ours, seen = macros_of(INCLUDE / "headrace/config.hpp"), macros_of(header)
    assert "HEADRACE_THREADS" in ours
    if header.name != "bench.hpp" and not header.name.startswith("replace_"):
        assert seen - ours == set()
