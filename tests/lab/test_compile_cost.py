"""What including the library costs a user: macros, bytes of a small program, compile time."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
INCLUDE = CHECKOUT / "include"
TOOL = CHECKOUT / "tools" / "compile_cost.py"
MOST_MACROS = 9

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")


def measure(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TOOL, *words], capture_output=True, text=True, timeout=280, check=False
    )


def macros_left_by(text: str, folder: Path) -> set[str]:
    """Names that our headers define and do not undefine, as the preprocessor tells with its line marks."""
    source = folder / "user.cpp"
    source.write_text(text, "utf-8")
    seen = subprocess.run(
        ["g++", "-std=c++17", "-E", "-dD", f"-I{INCLUDE}", source], capture_output=True, text=True, check=True
    ).stdout
    ours = False
    left: set[str] = set()
    for line in seen.splitlines():
        if mark := re.match(r'# \d+ "([^"]*)"', line):
            ours = mark[1].startswith(str(INCLUDE))
        elif ours and (defined := re.match(r"#define (\w+)", line)):
            left.add(defined[1])
        elif ours and (undefined := re.match(r"#undef (\w+)", line)):
            left.discard(undefined[1])
    return left


@pytest.mark.parametrize("header", ["headrace", "bench"])
def test_few_macros_and_each_with_our_name(header: str, tmp_path: Path) -> None:
    left = macros_left_by(f"#include <headrace/{header}.hpp>\n", tmp_path)
    assert 0 < len(left) <= MOST_MACROS, sorted(left)
    assert all(name.startswith("HEADRACE_") for name in left), sorted(left)


def test_the_counter_of_macros_sees_macros(tmp_path: Path) -> None:
    assert "HEADRACE_VERSION" in macros_left_by("#include <headrace/config.hpp>\n", tmp_path)
    assert macros_left_by("#define MINE 1\n#include <cstdio>\n", tmp_path) == set()


@pytest.mark.slow
def test_a_compiled_translation_unit_is_cheaper() -> None:
    done = measure("--only", "headrace.hpp", "--rounds", "5")
    assert done.returncode == 0, done.stderr
    ratio = {
        name.strip(): float(value)
        for name, value in re.findall(r"^(.*?) +\d+ ms +([\d.]+) x <iostream>", done.stdout, re.M)
    }
    assert ratio["<iostream>"] == 1
    assert ratio["headrace.hpp, headrace::compiled"] < ratio["headrace.hpp"] < 1.5


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the bound is one of ELF")
def test_hello_world_is_small_with_every_compiler_here() -> None:
    # 1.03 to 1.06; one page more, of tables or of code, would be 1.34.
    done = measure("--sizes")
    found = re.findall(r"^hello world, headrace +\d+ bytes +([\d.]+) x cstdio   (.*)$", done.stdout, re.M)
    assert any("g++" in compiler for _, compiler in found), done.stdout + done.stderr
    assert all(float(ratio) < 1.2 for ratio, _ in found), done.stdout


def test_a_compiler_that_is_not_there_is_named() -> None:
    done = measure("--compiler", "no-such-compiler")
    assert done.returncode == 2
    assert "cannot run no-such-compiler" in done.stderr
