"""No flag of a build changes the instructions of a kernel or of what it calls: see docs/design.md.

The linker keeps one body of an inline function. If that is from a file that was compiled for AVX, a program
whose other files were not, and which asks what its processor has, would stop at an illegal instruction.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import native
from checkout import TOP

SOURCE = """
#include <headrace/headrace.hpp>
#include <vector>
template <class T>
void both(std::vector<T>& values) {
  headrace::in.read(values);
  headrace::in >> values[0];
  headrace::out.write_range(values, ' ');
  headrace::out << values[0];
}
void all(std::vector<int>& a, std::vector<long>& b, std::vector<float>& c, std::vector<double>& d) {
  both(a), both(b), both(c), both(d);
}
"""
KERNELS = r"(scalar|sse41|avx2)::"
CALLED = r"(parse|scan|convert|note|write|round|index)_\w+(<[^()]*>)?\("
BEYOND_BASELINE = r"\bv\w+ .*%[xyz]mm|\b(shlx|shrx|sarx|andn|blsr|bzhi|movbe|rorx|pext|pdep|mulx|lzcnt) "
BEYOND_AVX2 = r"%zmm|%k\d|%[xy]mm(1[6-9]|2\d|3[01])"

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="about the instruction sets of x86-64"),
    pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump"),
]


def functions(compiler: str, flags: list[str], folder: Path) -> dict[str, str]:
    """Return the instructions of each function of the library's namespace `detail`, compiled with flags."""
    source, made = folder / "user.cpp", folder / "user.o"
    source.write_text(SOURCE, "utf-8")
    words = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", *flags, f"-I{TOP / 'include'}"]
    command = [compiler, *words, "-c", source, "-o", made]
    subprocess.run(command, check=True, timeout=280)
    listing = native.call("objdump", "-dC", "--no-show-raw-insn", made, check=True).stdout
    found: dict[str, str] = {}
    for part in listing.split("\n\n"):
        if head := re.search(r"^[0-9a-f]+ <(.*)>:$", part, re.MULTILINE):
            found[head[1]] = part[head.end() :]
    return {name: text for name, text in found.items() if "::detail::" in name}


FLAGS = ("-march=sapphirerapids", "-march=haswell -D_FORTIFY_SOURCE=2", "-mavx")


@pytest.mark.parametrize("compiler", native.others_slow(["g++", "clang++-19"]))
@pytest.mark.parametrize("flags", native.others_slow(FLAGS))
def test_flags_do_not_change_instructions(compiler: str, flags: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    compiled = functions(compiler, flags.split(), tmp_path)
    ours = {
        name: text for name, text in compiled.items() if re.search(rf"detail::({KERNELS}|{CALLED})", name)
    }
    assert any("::avx2::" in name for name in ours) and any("parse_integer" in name for name in ours)
    for name, text in ours.items():
        if "::avx512::" not in name:
            beyond = re.search(BEYOND_AVX2 if "::avx2::" in name else BEYOND_BASELINE, text)
            assert beyond is None, f"{name}: {beyond}"
