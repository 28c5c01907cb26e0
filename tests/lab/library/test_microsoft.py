"""Clang as Microsoft's compiler: headers compile for its ABI, programs run in its mode. That is not Windows.

There is no Windows SDK on a test machine. MinGW's headers take its place, read by a clang that pretends to be
GCC; what makes it pretend is undone before headrace is included.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import native

pytestmark = pytest.mark.slow
MINGW = "x86_64-w64-mingw32-g++"
INCLUDE = native.TOP / "include"
BEFORE = """#include <_mingw.h>
#undef __MINGW_IMPORT
#define __MINGW_IMPORT extern __declspec(dllimport)
"""
STANDARD = """algorithm array atomic cerrno chrono climits cmath condition_variable cstddef cstdint cstdio
cstdlib cstring exception fcntl.h functional io.h iostream limits memory mutex new optional stdexcept string
string_view sys/stat.h sys/types.h system_error thread tuple type_traits utility vector"""
USES_ALL = """
#include <headrace/bench.hpp>
#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <headrace/iostreams.hpp>
#include <headrace/split.hpp>
using headrace::in, headrace::out;
int main() {
  std::vector<long long> values(3);
  in.read(values);
  out << values << headrace::fixed(in.read<double>(), 2);
  for (std::string_view line : in.lines()) out << line;
  for (auto& [id, price] : in.rows<int, double>(headrace::csv)) out << id << price;
  for (int value : headrace::read_all<int>("file", headrace::threads{})) out << value;
  headrace::copy("from", "to");
}
"""


def clang() -> str:
    found = next((name for name in ("clang++-19", "clang++-14", "clang++") if shutil.which(name)), None)
    if found is None:
        pytest.skip("no clang++-19 on this machine, nor an older clang++")
    return found


def compiled(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return native.call(*words)


def mingw_folders() -> list[str]:
    """Return the options that name the folders of MinGW's headers."""
    if shutil.which(MINGW) is None:
        pytest.skip(f"{MINGW} is not on this machine")
    said = compiled(MINGW, "-E", "-v", "-xc++", "/dev/null").stderr
    listed = said.partition("<...> search starts here:\n")[2]
    folders = [folder.strip() for folder in listed.partition("End of search list")[0].splitlines()]
    assert folders, said
    of_clang = "mmintrin.h"  # a header of the compiler: clang has its own
    kept = [folder for folder in folders if not Path(folder, of_clang).exists()]
    return [word for folder in kept for word in ("-isystem", folder)]


def test_the_headers_compile_for_microsofts_abi(tmp_path: Path) -> None:
    folders = mingw_folders()
    (tmp_path / "before.h").write_text(BEFORE)
    includes = "".join(f"#include <{name}>\n" for name in (*STANDARD.split(), "windows.h"))
    undone = "#undef __GNUC__\n#undef __MINGW32__\n#undef __MINGW64__\n"
    source = tmp_path / "all.cpp"
    source.write_text(includes + undone + USES_ALL)
    pretends = ["-fgnuc-version=12.0.0", "-D__MINGW32__", "-D__MINGW64__", "-include", tmp_path / "before.h"]
    words = [
        clang(),
        "--target=x86_64-pc-windows-msvc",
        "-std=c++17",
        "-O1",
        "-nostdinc++",
        *pretends,
        *folders,
    ]
    strict = ["-Wall", "-Wextra", "-Werror", "-Wno-#warnings"]
    done = compiled(*words, *strict, "-I", INCLUDE, "-c", source, "-o", tmp_path / "all.obj")
    assert done.returncode == 0, done.stderr[:4000]
    made = (tmp_path / "all.obj").read_bytes()
    assert made[:2] in (b"\x64\x86", b"\x00\x00")  # COFF for x86-64, or with many sections
    assert b"@reader@" in made  # names as Microsoft's compiler gives them


def test_programs_in_microsofts_mode_run(tmp_path: Path) -> None:
    mode = ["-fms-extensions", "-fms-compatibility", "-fms-compatibility-version=19.40", "-Wno-#warnings"]
    sources = [native.TOP / "tests" / "smoke" / name for name in ("smoke.cpp", "other.cpp")]
    program = tmp_path / "smoke"
    done = compiled(clang(), *mode, "-std=c++17", "-O0", "-I", INCLUDE, *sources, "-o", program)
    assert done.returncode == 0, done.stderr[:4000]
    given = native.call(program, input="20 22\n")
    assert given.returncode == 0, given.stdout + given.stderr


def test_windows_h_may_come_first(tmp_path: Path) -> None:
    if shutil.which(MINGW) is None:
        pytest.skip(f"{MINGW} is not on this machine")
    source = tmp_path / "main.cpp"
    main = "int main() { headrace::out << headrace::in.read<double>(); }"
    source.write_text(f"#include <windows.h>\n#include <headrace/headrace.hpp>\n{main}\n")
    done = compiled(
        MINGW, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", INCLUDE, source
    )
    assert done.returncode == 0, done.stderr[:4000]


def test_the_macros_min_and_max_are_one_sentence(tmp_path: Path) -> None:
    if shutil.which(MINGW) is None:
        pytest.skip(f"{MINGW} is not on this machine")
    source = tmp_path / "main.cpp"
    source.write_text(
        "#define max(a, b) ((a) > (b) ? (a) : (b))\n#include <headrace/headrace.hpp>\nint main() {}\n"
    )
    done = compiled(MINGW, "-std=c++17", "-fsyntax-only", "-I", INCLUDE, source)
    assert done.returncode != 0 and "define NOMINMAX before <windows.h> is included" in done.stderr
