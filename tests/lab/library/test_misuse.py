"""The library used wrongly: one sentence, by the compiler, the linker or at the start, says what to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import native
from checkout import TOP
from conftest import CompiledLibrary

SUM = """#include <headrace/headrace.hpp>
int main() { headrace::out << headrace::in.read<int>() + 1 << '\\n'; }
"""
LINK = "link_headrace_of_this_version_built_with_libstdcxx_or_use_headrace_header_only"

compilers = [name for name in ("g++", "clang++-19", "clang++-14", "clang++") if shutil.which(name)]
pytestmark = pytest.mark.skipif(not compilers, reason="no g++ or clang++ on this machine")


def call(*words: str | Path, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C", **variables}
    command = [str(word) for word in words]
    return native.call(*command, input=given, env=environment)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "sum.cpp"
    path.write_text(SUM)
    return path


def compile_object(source: Path, target: Path, *options: str, include: str | Path = TOP / "include") -> Path:
    done = native.compiler(compilers[0], "-std=c++17", *options, "-I", include, "-c", source, "-o", target)
    assert done.returncode == 0, done.stderr
    return target


# --- the compiler


@pytest.mark.parametrize("compiler", native.others_slow(compilers))
@pytest.mark.parametrize(
    "options, sentence",
    [
        (["-std=c++14"], "headrace needs C++17: compile with -std=c++17 or newer"),
        (["-std=c++11"], "headrace needs C++17: compile with -std=c++17 or newer"),
        (["-std=c++17", "-U__GNUC__", "-U__clang__"], "headrace needs g++ 9 or newer, clang 14 or newer"),
    ],
)
def test_a_compiler_that_will_not_do(compiler: str, options: list[str], sentence: str, program: Path) -> None:
    done = call(compiler, *options, "-fsyntax-only", "-I", TOP / "include", program)
    assert done.returncode != 0
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    assert sentence in errors[0]
    assert len(errors) == 2 and "headrace-needs-" in errors[1], done.stderr  # it stops there


MATRIX = "(void)headrace::read_matrix<int>({}, csv, headrace::threads{{2}})"
NO_PATH = "the path is a const char*, a std::string or a std::filesystem::path"
USES = [
    (MATRIX.format("std::string_view()"), NO_PATH),
    (MATRIX.format("headrace::in"), NO_PATH),
    (MATRIX.format("0"), NO_PATH),
    ("headrace::reader from(view)", "reader(std::string(view)); text in memory: reader::from(view)"),
    ("headrace::writer to(view)", "a path: writer(std::string(view))"),
    ("(void)read_columns<int>(view, csv)", "a path: reader(std::string(view))"),
    ("(void)headrace::split(view, 2)", "split("),
    ("(void)headrace::split(true, 2)", "split("),
    ("(void)headrace::split('f', 2, csv)", "split("),
    (
        "(void)headrace::for_each_row(path, csv, headrace::threads{2}, 0, 0, 0)",
        "name the types of the fields",
    ),
    ("headrace::reader from(path); (void)from.rows<int>(',')", "a format is headrace::csv"),
    ('(void)read_columns<int>(path, ",")', "a format is headrace::csv"),
    ('(void)read_columns<int>(path, std::string(","), headrace::threads{2})', "a format is headrace::csv"),
    ("(void)csv.with_header(std::vector<std::string>())", "takes the names of the columns, a text each"),
    ("(void)headrace::read_columns(path, csv)", "name the types of the columns: read_columns<int,"),
    ("(void)headrace::read_columns(path, csv, headrace::threads{2})", "name the types of the columns"),
    (
        "headrace::reader from(path); (void)from.rows<headrace::text>(csv).begin()",
        "headrace::text is a column of read_columns()",
    ),
    ("(void)read_columns<std::optional<headrace::text>>(path, csv)", "headrace::text is a column of"),
]
ALONE = (
    "(void)headrace::read_columns(path, csv)",  # wrong in the same instance as with threads
    "(void)read_columns<std::optional<headrace::text>>(path, csv)",  # clang does not say which use is wrong
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("headers")


@pytest.mark.parametrize("compiler", native.others_slow(compilers))
@pytest.mark.parametrize(("use", "words"), USES, ids=[use for use, _ in USES])
def test_what_is_no_path_or_has_no_types(compiler: str, use: str, words: str, folder: Path) -> None:
    headers = "#include <headrace/split.hpp>\nusing headrace::csv, headrace::read_columns;\n"
    user = "inline void user([[maybe_unused]] std::string_view view, [[maybe_unused]] const char* path)"
    uses = [use] if use in ALONE else [each for each, _ in USES if each not in ALONE]
    texts = tuple(f"{user} {{ {each}; }}" for each in uses)
    said = native.errors_of_each(compiler, headers, texts, folder)[uses.index(use)]
    assert said.count("error:") == 1 and words in said
    assert "deleted" in (first := said.splitlines()[0]) or words in first


# --- the linker


def link(*objects: Path) -> str:
    done = call(compilers[0], *objects, "-o", objects[0].with_suffix(".out"))
    assert done.returncode != 0
    return done.stderr


def test_linked_without_the_compiled_part(program: Path, tmp_path: Path) -> None:
    user = compile_object(program, tmp_path / "user.o", "-DHEADRACE_COMPILED=1")
    assert re.search(rf"undefined reference to `headrace::v\w+::{LINK}'", link(user))


@pytest.fixture
def library(compiled_library: CompiledLibrary) -> Path:
    return compiled_library(compilers[0])


def test_linked_as_it_is_compiled(library: Path, program: Path, tmp_path: Path) -> None:
    user = compile_object(program, tmp_path / "user.o", "-DHEADRACE_COMPILED=1")
    done = call(compilers[0], user, library, "-o", tmp_path / "sum")
    assert done.returncode == 0, done.stderr
    assert call(tmp_path / "sum", given="41").stdout == "42\n"


def test_linked_with_another_choice_of_exceptions(library: Path, program: Path, tmp_path: Path) -> None:
    user = compile_object(program, tmp_path / "user.o", "-DHEADRACE_COMPILED=1", "-fno-exceptions")
    assert re.search(rf"undefined reference to `headrace::v\w+::{LINK}'", link(user, library))


def test_linked_with_another_version(library: Path, program: Path, tmp_path: Path) -> None:
    shutil.copytree(TOP / "include", tmp_path / "include")
    config = tmp_path / "include/headrace/config.hpp"
    changed = re.sub(r"HEADRACE_ABI v\w+?(?=\n|_no)", "HEADRACE_ABI v99", config.read_text())
    assert changed != config.read_text()
    config.write_text(changed)
    user = compile_object(program, tmp_path / "user.o", "-DHEADRACE_COMPILED=1", include="include")
    assert re.search(rf"undefined reference to `headrace::v99\w*::{LINK}'", link(user, library))


def test_the_compiled_part_without_its_macro(tmp_path: Path) -> None:
    done = call(compilers[0], "-std=c++17", "-I", TOP / "include", "-fsyntax-only", TOP / "src/headrace.cpp")
    assert (
        "compile src/headrace.cpp, and every file that is linked with it, with -DHEADRACE_COMPILED=1"
        in done.stderr
    )


# --- the start


def test_an_unknown_kernel_is_a_line_on_stderr_and_the_right_answer(tmp_path: Path) -> None:
    source = tmp_path / "many.cpp"
    source.write_text(
        "#include <headrace/headrace.hpp>\n"
        "int main() {\n"
        "  long sum = 0;\n"
        "  for (int value : headrace::in.values<int>()) sum += value;\n"
        "  for (int round = 0; round < 3; ++round) {\n"
        '    headrace::reader from = headrace::reader::from("1 2 3");\n'
        "    for (int value : from.values<int>()) sum += value;\n"
        "  }\n"
        "  headrace::out << sum << '\\n';\n"
        "}\n"
    )
    path = tmp_path / "many"
    done = native.compiler(compilers[0], "-std=c++17", "-I", TOP / "include", source, "-o", path)
    assert done.returncode == 0, done.stderr
    given = " ".join(str(number) for number in range(5000))
    plain = call(path, given=given, HEADRACE_SIMD="")
    assert (plain.stdout, plain.stderr) == (f"{5000 * 4999 // 2 + 18}\n", "")
    done = call(path, given=given, HEADRACE_SIMD="mmx")
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    assert re.fullmatch(
        r"headrace: HEADRACE_SIMD=mmx is not a kernel that this machine runs; using (\w+)\. "
        r"Choose one of:(?: \w+)* \1(?: \w+)*\n",
        done.stderr,
    )
