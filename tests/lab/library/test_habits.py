"""What the compiler says to one who writes as with iostreams: a sentence that names what to write instead."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import native
from checkout import TOP

INCLUDE = TOP / "include"
COMPILERS = [name for name in ("g++", "clang++", "clang++-14", "clang++-19") if shutil.which(name)]
HEADERS = """#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <iomanip>
#include <iostream>
#include <list>
#include <tuple>
#include <vector>
"""
BODY = """() {{
  [[maybe_unused]] int x = 0;
  {}
  return 0;
}}
"""
USE = "inline int use" + BODY
PROGRAM = HEADERS + "int main" + BODY
NO_DESCRIPTOR = "a descriptor is an int: a bool, a character or a floating-point number is none"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("headers")


HABITS = [
    (
        "headrace::out << 5 << std::endl << std::flush;",
        r"headrace has no endl: write '\\n', and call flush() where it must go now",
    ),
    ("while (headrace::in >> x) {}", "write while (in.try_read(x))"),
    ("if (!(headrace::in >> x)) return 1;", "or if (in.parse(x))"),
    ("headrace::in >> std::ws;", "headrace needs no ws: >> skips whitespace"),
    ("headrace::in >> std::hex >> x;", "headrace has no manipulators: read headrace::base(x, 16)"),
    ("char name[32]; headrace::in >> name;", "read a std::string, or in.read_line()"),
    ("headrace::in.read<std::vector<int>>();", "cannot know how many elements to read: make the range"),
    ("headrace::in.values<std::vector<long>>();", "cannot know how many elements to read: make the range"),
    ("using pair = std::pair<int, std::vector<int>>; headrace::in.read<pair>();", "how many elements"),
    ("std::list<int> all; headrace::in >> all;", "headrace cannot read this type"),
    ("headrace::in >> std::tie(x, std::ignore);", "std::ignore is, too: in.skip() passes over"),
    ("const int y = 0; headrace::in >> std::tie(x, y);", "headrace cannot read into what is const"),
    ("const int y = 0; headrace::in >> y;", "headrace cannot read into what is const"),
    ("headrace::in >> 5;", "headrace reads into a variable: what is read into a temporary is lost"),
    ("double y = 0; headrace::in.read(std::move(y));", "headrace reads into a variable"),
    ("(void)headrace::in.try_read(std::string());", "headrace reads into a variable"),
    ("(void)headrace::in.parse(std::vector<int>(3));", "headrace reads into a variable"),
    ('for (auto& word : headrace::reader("x").words()) (void)word;', "give the reader a name"),
    ('for (auto& line : headrace::reader("x").lines()) (void)line;', "give the reader a name"),
    ('for (int y : headrace::reader("x").values<int>()) (void)y;', "give the reader a name"),
    ('auto all = headrace::reader("x").rows<int>(x);', "give the reader a name"),
    ("headrace::in >> nullptr;", "headrace cannot read into a pointer"),
    ("headrace::in >> &x;", "headrace cannot read into a pointer: read into what it points to"),
    ("enum class color { red } y; headrace::in >> y;", "read an integer and check it, or specialise"),
    ("std::string word; headrace::in >> std::setw(3) >> word;", "no manipulators such as std::setw"),
    ("headrace::reader from(std::cin);", "std::cin is headrace::in"),
    ("headrace::reader::from(std::cin);", "headrace::istream_source of <headrace/iostreams.hpp>"),
    (
        "std::vector<char> text; headrace::reader::from(text);",
        "takes a std::string_view, a function object",
    ),
    ("headrace::reader from(true);", NO_DESCRIPTOR),
    ("headrace::reader from('a', \"a\");", NO_DESCRIPTOR),
    ("headrace::reader from(0.5);", NO_DESCRIPTOR),
    ("headrace::writer to(L'a');", NO_DESCRIPTOR),
    ("headrace::writer to(u'a');", NO_DESCRIPTOR),
    ("headrace::writer to(0.5f);", NO_DESCRIPTOR),
    ("headrace::copy('0', 1);", NO_DESCRIPTOR),
    ("headrace::copy(0, 1.0);", NO_DESCRIPTOR),
    ("(void)headrace::read_all<int>(static_cast<unsigned char>(0));", NO_DESCRIPTOR),
    ("headrace::writer to(std::cout);", "std::cout is headrace::out"),
    ("headrace::writer::into(std::cout);", "headrace::ostream_sink of <headrace/iostreams.hpp>"),
    ("headrace::out << std::setprecision(2) << 0.5;", "headrace cannot write this type"),
    ("headrace::out << std::setw(3) << x;", "there are headrace::fixed, scientific and base"),
    (
        "headrace::out << std::hex << x << std::boolalpha << true;",
        "has no manipulators: write headrace::base(x, 16), fixed(x, 2), scientific(x, 2) or as_word(x)",
    ),
    ("headrace::out << nullptr;", "headrace cannot write nullptr"),
    ("headrace::out.println(1, &x);", "headrace cannot write a pointer"),
    ("enum color { red }; headrace::out << red;", "write static_cast<int>(x)"),
    ("const std::string text; headrace::writer::into(text);", "takes a std::string, an array"),
    ("headrace::out.write_range(x, ' ');", "write_range() takes a range"),
    ("headrace::out.write_range(x, 1, headrace::float_style::fixed, 2);", "write_range() takes a range"),
    ('headrace::out.write_range("1", 1, headrace::float_style::fixed, 2);', "takes a style with ranges"),
]


@pytest.mark.parametrize("compiler", native.others_slow(COMPILERS))
@pytest.mark.parametrize(("habit", "words"), HABITS, ids=[habit for habit, _ in HABITS])
def test_a_habit_is_answered(compiler: str, habit: str, words: str, folder: Path) -> None:
    alone = "headrace::copy(" in habit  # g++ does not say which call is wrong
    together = [each for each, _ in HABITS if "headrace::copy(" not in each]
    uses = [habit] if alone else together
    said = native.errors_of_each(compiler, HEADERS, tuple(map(USE.format, uses)), folder)[uses.index(habit)]
    assert words in said
    if "headrace::in >> x)" not in habit:
        assert said.count("error:") == 1
        assert len(said.splitlines()) <= 25


@pytest.mark.parametrize("compiler", native.others_slow(COMPILERS))
@pytest.mark.parametrize(
    ("lines", "warnings"),
    [
        (['headrace::out.println("{} {}", x, 2);', 'headrace::out.print("x = {}", x);'], 2),
        (
            [
                'headrace::out.println("{}"); headrace::out.print("{}");',
                'headrace::out.println(std::string_view("{}"), x); headrace::out << "{}" << x;',
                'headrace::out.println("x = ", x);',
            ],
            0,
        ),
    ],
    ids=["refused", "written"],
)
def test_braces_are_not_filled_in(compiler: str, lines: list[str], warnings: int, tmp_path: Path) -> None:
    source, made = tmp_path / "main.cpp", tmp_path / "main.o"
    source.write_text(PROGRAM.format("\n".join(lines)))
    done = native.compiler(compiler, "-std=c++17", "-O1", f"-I{INCLUDE}", "-c", source, "-o", made)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("headrace writes {} as it is: write") == warnings, done.stderr


LOSES = """#include <headrace/headrace.hpp>
int main() {
  headrace::out << "written";
  int x;
  headrace::in >> x;
}
"""


@pytest.mark.slow
@pytest.mark.skipif(not COMPILERS or os.name != "posix", reason="no compiler, or no signals")
@pytest.mark.parametrize("policy", ["when_full", "each_write"])
def test_an_exception_that_nobody_catches_loses_the_buffer(policy: str, tmp_path: Path) -> None:
    """What docs/start/contest.md says: status 134 in a shell, the message on stderr, the output lost."""
    chosen = f"main() {{\n  headrace::out.flush_when(headrace::flush_policy::{policy});"
    (tmp_path / "main.cpp").write_text(LOSES.replace("main() {", chosen))
    command = [COMPILERS[0], "-std=c++17", "-I", str(INCLUDE), "main.cpp", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    (tmp_path / "input").write_text("12a")  # a file: before a read that waits for a pipe all is sent
    with (tmp_path / "input").open() as given:
        done = native.call(tmp_path / "main", stdin=given)
    assert done.returncode == -signal.SIGABRT and signal.SIGABRT + 128 == 134
    assert '<stdin>:1:1: expected an integer, found "12a"' in done.stderr
    assert done.stdout == ("written" if policy == "each_write" else "")


RIGHT = (
    r"while (headrace::in.try_read(x)) headrace::out << headrace::fixed(0.5, 2) << '\n';",
    r"double y = 0; headrace::in >> std::tie(x, y);",
    r"std::string line; while (getline(headrace::in, line)) headrace::out << line;",
    r"using namespace std; using namespace headrace; string line; while (getline(in, line)) out << line;",
    r"std::string line; while (std::getline(std::cin, line)) std::getline(std::cin, line, ',');",
    r"double y = 0; headrace::out << std::tie(x, y) << '\n';",
    r"""headrace::out.write_range("text", ' ');""",
)


@pytest.mark.parametrize("compiler", native.others_slow(COMPILERS))
def test_what_is_meant_compiles(compiler: str, folder: Path) -> None:
    said = native.errors_of_each(compiler, HEADERS, tuple(map(USE.format, RIGHT)), folder)
    assert said == [""] * len(RIGHT)


@pytest.mark.parametrize("level", native.others_slow(["-O2", "-O1", "-O3"]))
@pytest.mark.parametrize(
    "compiler", native.others_slow([name for name in ("g++", "g++-11") if shutil.which(name)])
)
def test_what_was_read_counts_as_initialised(compiler: str, level: str, tmp_path: Path) -> None:
    right = "std::string s; char c; while (headrace::in.try_read(s)) if (headrace::in.try_read(c)) x += c;"
    source, made = tmp_path / "main.cpp", tmp_path / "main.o"
    source.write_text(PROGRAM.format(right))
    words = [compiler, "-std=c++17", level, "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    done = native.compiler(*words, "-c", source, "-o", made)
    assert done.returncode == 0, done.stderr


VIEWS = """#include <headrace/headrace.hpp>
#include <ranges>
#include <vector>
int main() {
  const std::vector<int> values = {1, 2, 3, 4};
  const auto even = values | std::views::filter([](int x) { return x % 2 == 0; });
  headrace::out << even << ';' << std::views::iota(0, 3) << ';' << (values | std::views::reverse) << ';';
  headrace::out.println(values | std::views::transform([](int x) { return x * 0.5; }), ';', even);
  headrace::out.write_range(values | std::views::filter([](int x) { return x > 2; }), ", ");
}
"""


@pytest.mark.parametrize("compiler", native.others_slow(COMPILERS))
def test_views_are_written(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "views.cpp").write_text(VIEWS)
    words = [compiler, "-std=c++20", f"-I{INCLUDE}", tmp_path / "views.cpp"]
    built = native.compiler(*words, "-o", tmp_path / "views")
    if "/ranges:" in built.stderr:
        pytest.skip(f"{compiler} cannot read this library's <ranges>")
    assert built.returncode == 0, built.stderr
    done = native.call(tmp_path / "views")
    assert done.stdout == "2 4;0 1 2;4 3 2 1;0.5 1 1.5 2;2 4\n3, 4"
