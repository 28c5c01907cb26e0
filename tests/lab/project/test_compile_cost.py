"""What the library costs a user: macros, bytes of a small program, compile time included and used."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import native
from checkout import TOP

INCLUDE = TOP / "include"
TOOL = TOP / "tools" / "compile_cost.py"
MAX_MACROS = 12  # all that config.hpp defines

sys.path.insert(0, str(TOOL.parent))
import compile_cost  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")


def measure(*words: str) -> subprocess.CompletedProcess[str]:
    return native.call(sys.executable, TOOL, *words)


def macros_left_by(text: str, folder: Path) -> set[str]:
    """Names that our headers define and do not undefine, as the preprocessor tells with its line marks."""
    source = folder / "user.cpp"
    source.write_text(text, "utf-8")
    seen = native.call("g++", "-std=c++17", "-E", "-dD", f"-I{INCLUDE}", source, check=True).stdout
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
    assert 0 < len(left) <= MAX_MACROS, sorted(left)
    assert all(name.startswith("HEADRACE_") for name in left), sorted(left)


@pytest.mark.parametrize(
    "headers",
    [native.all_headers(native.REPLACE[0]), f"#include <headrace/{native.REPLACE[1]}.hpp>\n"],
    ids=native.REPLACE,
)
def test_the_macro_of_complex_h_is_not_in_the_way(headers: str) -> None:
    words = ["-std=gnu++17", "-w", "-fsyntax-only", f"-I{INCLUDE}", "-x", "c++", "-"]
    program = f"#include <complex.h>\n#define I (1i)\n{headers}"
    done = native.call("g++", *words, input=program)
    assert done.returncode == 0, done.stderr[:2000]


def test_the_counter_of_macros_sees_macros(tmp_path: Path) -> None:
    assert "HEADRACE_VERSION" in macros_left_by("#include <headrace/config.hpp>\n", tmp_path)
    assert macros_left_by("#define MINE 1\n#include <cstdio>\n", tmp_path) == set()


def costs(output: str) -> dict[tuple[str, str], dict[str, tuple[float, float, float]]]:
    """Return the ratios of each table and case: the median, the smallest and the largest."""
    found: dict[tuple[str, str], dict[str, tuple[float, float, float]]] = {}
    table: dict[str, tuple[float, float, float]] = {}
    for line in output.splitlines():
        if title := re.fullmatch(r"(Included alone|Used|Replaced), (.*): ratios to (.*)", line):
            table = found.setdefault((title[1], title[2]), {})
            base = title[3]
        elif case := re.fullmatch(r"(.*?) +\d+ ms +([\d.]+) x (.*) \[([\d.]+), ([\d.]+)\]", line):
            assert case[3] == base
            table[case[1].strip()] = (float(case[2]), float(case[4]), float(case[5]))
    return found


@pytest.mark.slow
def test_each_case_has_a_ratio_and_a_compiled_translation_unit_is_cheaper() -> None:
    done = measure("--only", "headrace", "--rounds", "2", "--compiler", "g++ -O0")
    assert done.returncode == 0, done.stderr
    included, used, *_ = costs(done.stdout).values()
    assert included["<iostream>"] == (1, 1, 1) and used["int, iostream"] == (1, 1, 1)
    assert {"headrace.hpp", "headrace.hpp, headrace::compiled"} < set(included)
    for work in ("int", "words", "vector of int"):
        median, smallest, largest = used[f"{work}, headrace"]
        assert smallest <= median <= largest
        assert used[f"{work}, headrace::compiled"][0] < median  # a third of it


@pytest.mark.slow
def test_a_replaced_scanf_costs_a_few_times_its_plain_program() -> None:
    done = measure("--only", "a scanf", "--rounds", "3")
    assert done.returncode == 0, done.stderr
    table = costs(done.stdout)["Replaced", "g++ -O2"]
    assert table["a scanf"] == (1, 1, 1)
    assert table["a scanf, replaced, headrace::compiled"][0] < 3
    assert table["a scanf, replaced"][0] < 7


@pytest.mark.slow
def test_several_compilers_in_the_same_rounds() -> None:
    compilers = ("g++ -O0", "g++ -O1")
    words = [word for compiler in compilers for word in ("--compiler", compiler)]
    done = measure("--only", "<string>", "--rounds", "2", *words)
    assert done.returncode == 0, done.stderr
    tables = costs(done.stdout)
    assert list(tables) == [("Included alone", compiler) for compiler in compilers]
    for table in tables.values():
        assert list(table) == ["<iostream>", "<string>"]
        median, smallest, largest = table["<string>"]
        assert 0 < smallest <= median <= largest


def test_a_case_that_is_not_there_is_named() -> None:
    done = measure("--only", "no such case")
    assert done.returncode == 2 and "no case has 'no such case' in its name" in done.stderr


@pytest.mark.slow
def test_each_program_that_is_measured_runs(tmp_path: Path) -> None:
    programs = {
        "int, iostream": ("42", "42"),
        "int, scanf and printf": ("42", "42"),
        "int, headrace": ("42", "42"),
        "words, iostream": ("two words", "two\nwords\n"),
        "words, headrace": ("two words", "two\nwords\n"),
        "vector of int, iostream": ("2 1 2", "2"),
        "vector of int, headrace": ("2 1 2", "2"),
    }
    for name, (given, answer) in programs.items():
        program = tmp_path / "program"
        source = tmp_path / "program.cpp"
        source.write_text(compile_cost.USES[name].text, "utf-8")
        subprocess.run(["g++", "-std=c++17", f"-I{INCLUDE}", source, "-o", program], check=True, timeout=120)
        done = native.call(program, input=given)
        assert (done.returncode, done.stdout) == (0, answer), name


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang++-19") is None, reason="no clang++-19 on this machine")
def test_a_file_that_imports_is_compiled_with_the_module(tmp_path: Path) -> None:
    commands = compile_cost.commands_of([["clang++-19", "-O0"]], tmp_path, "int, import headrace")
    names = [name for _, _, name in commands]
    assert names == ["int, iostream", "int, import headrace", "vector of int, import headrace"]
    assert compile_cost.seconds(commands[0, "use", "int, import headrace"]) > 0


def test_a_compiler_that_does_not_know_modules_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = compile_cost.commands_of([["g++", "-O0"]], tmp_path, "int, import headrace")
    assert [name for _, _, name in commands] == ["int, iostream"]
    said = capsys.readouterr().out
    assert (
        "vector of int, import headrace: g++ -O0 does not compile the module: clang++ 16 and newer do\n"
        in said
    )


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
