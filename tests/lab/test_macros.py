"""A header asks for no macro that nothing defines: it would choose the other branch, unseen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import native

INCLUDE = Path(__file__).resolve().parents[2] / "include"
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
