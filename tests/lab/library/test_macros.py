"""A header asks for no macro that nothing defines: it would choose the other branch, unseen."""

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


@pytest.mark.skipif(not COMPILERS, reason="no g++ or clang++ on this machine")
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
def test_each_macro_is_defined_before_its_value_is_asked_for(header: Path, tmp_path: Path) -> None:
    source = tmp_path / "user.cpp"
    source.write_text(f"#include <{header.relative_to(INCLUDE)}>\n", "utf-8")
    command = [COMPILERS[0], "-std=c++17", "-Wundef", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", str(source)]
    done = native.compiler(*command)
    assert done.returncode == 0, done.stderr


def macros_of(header: Path, folder: Path) -> set[str]:
    """Return the names of the library's macros that a file sees after it includes a header."""
    source = folder / f"{header.stem}.cpp"
    source.write_text(f"#include <{header.relative_to(INCLUDE)}>\n", "utf-8")
    command = [COMPILERS[0], "-std=c++17", "-dM", "-E", f"-I{INCLUDE}", str(source)]
    done = native.call(*command, check=True)
    return set(re.findall(r"^#define (HEADRACE_\w+)", done.stdout, re.M))


@pytest.mark.skipif(not COMPILERS, reason="no g++ or clang++ on this machine")
def test_macros_that_a_user_sees_are_those_of_config_hpp(tmp_path: Path) -> None:
    ours = macros_of(INCLUDE / "headrace/config.hpp", tmp_path)
    assert "HEADRACE_THREADS" in ours
    for header in HEADERS:
        if header.name != "bench.hpp" and not header.name.startswith("replace_"):
            assert macros_of(header, tmp_path) - ours == set(), header.name
