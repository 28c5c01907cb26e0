"""`in` and `out` are there before any code runs, and stay: nothing constructs them, nothing destroys them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import native
from checkout import TOP

CLANG = [name for name in ("clang++", "clang++-19") if shutil.which(name)]
PROGRAM = """#include <headrace/headrace.hpp>
int main() {
  int x;
  headrace::in >> x;
  headrace::out << x;
}
"""
# What the headers and src/headrace.cpp define, with g++'s word for "at compile time, or it is an error".
CONSTANT = """#include <headrace/headrace.hpp>
namespace here = headrace::detail;
__constinit here::immortal<headrace::reader> input{0, "<stdin>", here::tie{here::flush_out, nullptr}};
__constinit here::immortal<headrace::writer> output;
"""


def compiled(compiler: str, source: Path, *options: str) -> Path:
    """Compile to an object file, or fail with what the compiler says."""
    result = source.parent / "object.o"
    words = [compiler, "-std=c++17", "-O1", *options, f"-I{TOP / 'include'}", "-c", str(source)]
    done = native.call(*words, "-o", result)
    assert done.returncode == 0, done.stderr
    return result


@pytest.mark.slow
@pytest.mark.skipif(not CLANG, reason="no clang++-19 on this machine, nor an older clang++")
@pytest.mark.parametrize("is_compiled_once", [False, True], ids=["headers", "compiled once"])
def test_clang_runs_nothing_before_main_and_nothing_after(is_compiled_once: bool, tmp_path: Path) -> None:
    source = tmp_path / "program.cpp"
    source.write_text((TOP / "src/headrace.cpp").read_text() if is_compiled_once else PROGRAM)
    options = ["-O0", *(["-DHEADRACE_COMPILED=1"] if is_compiled_once else [])]  # -O1 finds out by itself
    symbols = native.call("nm", compiled(CLANG[-1], source, *options), check=True).stdout
    assert "standard_output" in symbols
    assert not re.findall(r"\S*(?:_GLOBAL__sub_I|__cxx_global_var_init)\S*", symbols)


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_both_are_made_by_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "constant.cpp"
    source.write_text(CONSTANT)
    compiled("g++", source)
