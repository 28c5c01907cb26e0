"""`headrace bundle`: what stays of a source, what goes, and that the result is the same program."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest

import native
from checkout import TOP
from conftest import Command
from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import bundle, cpp, limit, overlay, repeats
from headrace.bundle.options import BundleOptions, kernel_names, names_in
from headrace.commands import bundle as command

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror".split()
COMPILERS = [one for one in ("g++", "clang++", "clang++-19") if shutil.which(one)]
# What is there by standard is what the preprocessor leaves, by one compiler as by another.
NEWER = [(one, standard) for one in COMPILERS[:1] for standard in ("c++20", "c++2b")]
WAYS = [*((one, "c++17") for one in COMPILERS), *NEWER]

needs_compiler = pytest.mark.skipif(not COMPILERS, reason="no g++ or clang++ on this machine")

SUM = """#include <headrace/headrace.hpp>
#include <vector>
using headrace::in, headrace::out;
int main() {  // a contest task: numbers in, numbers out
  int n;
  in >> n;
  std::vector<long long> values(static_cast<std::size_t>(n));
  in.read(values);
  long long sum = 0;
  for (long long value : values) sum += value;
  out << sum << '\\n';
  out.write_range(values, ' ');
  out << "\\n/* no comment */ // nor this\\n";
}
"""
SMALL = [
    BundleOptions(small=True),
    BundleOptions(
        kernels=("scalar", "sse41", "avx2", "avx512"), without=("copy", "floats", "windows"), small=True
    ),
]
FLOATS = SUM.replace("long long", "double")
NUMBERS = "5\n1 -22 333 4444 9000000000\n"
ANSWER = "9000004756\n1 -22 333 4444 9000000000\n/* no comment */ // nor this\n"


def code(text: str) -> list[str]:
    return [line.code for line in cpp.lines(text) if line.tokens]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int a; // gone\nint b;", ["int a;", "int b;"]),
        ("int /* a */ b;", ["int   b;"]),
        ("int a; /* one\ntwo */ int b;", ["int a;   int b;"]),
        ("int a; // goes on \\\nhere\nint b;", ["int a;", "int b;"]),
        ("int a; // goes on \\  \nhere\nint b;", ["int a;", "int b;"]),
        ("/\\\n/ a comment\nint a;", ["int a;"]),
        ("/\\\n* a comment *\\\n/ int a;", ["  int a;"]),
        ('auto a = "// no /* comment";', ['auto a = "// no /* comment";']),
        ('auto a = "\\" // in";// out', ['auto a = "\\" // in";']),
        ("char a = '\"'; // '\"'", ["char a = '\"';"]),
        ("char a = '\\''; // out", ["char a = '\\'';"]),
        ("int a = 1'000'000; // it's", ["int a = 1'000'000;"]),
        ("int a = 0x1'f, b = 'c'; // it's", ["int a = 0x1'f, b = 'c';"]),
        ('auto a = R"(// in\n"/* in */)"; // out', ['auto a = R"(// in\n"/* in */)";']),
        ('auto a = u8R"x()" // in)x"; // out', ['auto a = u8R"x()" // in)x";']),
        ('auto a = FOR"x"; // out', ['auto a = FOR"x";']),
        ('auto a = "one\\\n two";', ['auto a = "one two";']),
        ("int lo\\\nng = 1;", ["int long = 1;"]),
        ("#define A 1 /* c */ + \\\n  2\nint a;", ["#define A 1   +   2", "int a;"]),
        ("#error don't // stop\nint a;", ["#error don't", "int a;"]),
        ("int a; // gone\r\nint b;\r\n", ["int a;", "int b;"]),
        ("a = b /c; d = e/ *f;", ["a = b /c; d = e/ *f;"]),
    ],
)
def test_comments_go_and_nothing_else(source: str, expected: list[str]) -> None:
    assert code(source) == expected


def test_lines_are_numbered_as_editors_do() -> None:
    text = 'int a;\n/* x\n*/ int b; \\\nint c;\nR"(\n\n)"; int d;\nint e;'
    assert [line.number for line in cpp.lines(text) if line.tokens] == [1, 2, 5, 8]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("a = b ;", "a=b;"),
        ("int a", "int a"),
        ("a + + b", "a+ +b"),
        ("a - - 1", "a- -1"),
        ("x < :: y", "x< ::y"),
        ("0xE + 1", "0xE +1"),
        ("1 . f", "1 .f"),
        ('return "x"', 'return "x"'),
        ('"a" "b"', '"a" "b"'),
        ("a / * b", "a/ *b"),
        ("a .* b ->* c", "a.*b->*c"),
        ("vector < vector < int > >", "vector<vector<int> >"),
    ],
)
def test_tokens_are_kept_apart_only_where_they_must(tokens: str, text: str) -> None:
    words = tokens.split(" ")
    assert cpp.join(words) == text
    assert cpp.code_tokens(text) == words


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0", False),
        ("1", True),
        ("A", None),
        ("A && 0", False),
        ("0 && A", False),
        ("A || 1", True),
        ("A || 0", None),
        ("!0", True),
        ("!A", None),
        ("!(A && 0)", True),
        ("defined(A) && 0", False),
        ("defined A || 1", True),
        ("__has_include(<x>) && 0", False),
        ("A > 3 && 0", False),
        ("A > 0", None),
        ("(1 + 1) == 2", None),
        ("A(1, (2)) || 1", True),
        ("", None),
        ("(1", None),
        ("(0) == (0 || 1)", None),
        ("!A && !(1 && 1)", False),
    ],
)
def test_conditions(expression: str, value: bool | None) -> None:
    assert cpp.condition(cpp.code_tokens(expression)) is value


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.hpp").write_text(text, "utf-8")


def bundled(folder: Path, source: str, options: BundleOptions | None = None) -> list[str]:
    """Return the lines of a bundled main file, without the banner."""
    file = folder / "main.cpp"
    file.write_text(source, "utf-8")
    return bundle.make(file, options or BundleOptions()).text.splitlines()[1:]


def test_each_file_once_and_each_system_header_once(tmp_path: Path) -> None:
    write(tmp_path, a='#pragma once\n#include <vector>\n#include "b.hpp"\nint a;\n')
    write(tmp_path, b="#pragma once\n#include <vector>\nint b;\n")
    lines = bundled(tmp_path, '#include "a.hpp"\n#include "b.hpp"\n#include <vector>\nint main() {}\n')
    assert lines == ["#include <vector>", "int b;", "int a;", "int main() {}"]


def test_a_file_that_guards_itself_is_left_to_do_so(tmp_path: Path) -> None:
    write(tmp_path, x="X(1)\n")
    assert bundled(tmp_path, '#include "x.hpp"\n#include "x.hpp"\n') == ["X(1)", "X(1)"]


def test_headers_that_include_each_other_are_there_once(tmp_path: Path) -> None:
    write(tmp_path, a='#pragma once\nint a;\n#include "b.hpp"\n')
    write(tmp_path, b='#pragma once\n#include "a.hpp"\nint b;\n')
    assert bundled(tmp_path, '#include "a.hpp"\n#include "b.hpp"\n') == ["int a;", "int b;"]
    assert bundled(tmp_path, '#include "b.hpp"\n#include "a.hpp"\n') == ["int a;", "int b;"]


def test_first_seen_below_an_if_it_is_there_outside_too(tmp_path: Path) -> None:
    write(tmp_path, a="#pragma once\n#include <map>\nint a;\n")
    lines = bundled(tmp_path, '#if X\n#include "a.hpp"\n#endif\n#include "a.hpp"\n#include "a.hpp"\n')
    assert lines.count("int a;") == 2 and lines.count("#include <map>") == 2
    name = lines[1].split()[1]
    assert lines[1:3] == [f"#ifndef {name}", f"#define {name}"] and lines[-1] == "#endif"


def test_below_an_if_each_file_is_there_once_in_a_branch(tmp_path: Path) -> None:
    write(tmp_path, a="#pragma once\nint a;\n")
    write(tmp_path, b='#pragma once\n#include "a.hpp"\nint b;\n')
    inner = '#if Y\n#include "b.hpp"\n#endif\n'  # nothing, where b.hpp is there already
    lines = bundled(
        tmp_path,
        f'#if X\n#include "b.hpp"\n#include "a.hpp"\n{inner}'
        f'#elif Y\n#include "a.hpp"\n{inner}#else\n{inner}#endif\n#include "b.hpp"\n',
    )
    code = [line for line in lines if "HEADRACE_BUNDLE" not in line]
    in_x = ["#if X", "int a;", "#endif", "int b;", "#endif", "#if Y", "#endif"]
    in_y = ["#elif Y", "int a;", "#endif", "#if Y", "int b;", "#endif", "#endif"]
    in_neither = ["#else", "#if Y", "int a;", "#endif", "int b;", "#endif", "#endif"]
    assert code == [*in_x, *in_y, *in_neither, "#endif", "int a;", "#endif", "int b;", "#endif"]


def test_dead_branches_go_with_what_they_include(tmp_path: Path) -> None:
    write(tmp_path, here="int here;\n")
    source = """#if 0
#include "nowhere.hpp"
#if X
#else
#endif
#elif X && 0
int b;
#elif Y // c
int c;
#else
int d;
#endif
#if __has_include("here.hpp") && 1
#include "here.hpp"
#elif Z
int e;
#endif
#if __has_include("debug.hpp")
#include "debug.hpp"
#endif
#ifdef Q
int q;
#elif 1
int r;
#elif S
int s;
#endif
"""
    assert bundled(tmp_path, source) == [
        "#if Y", "int c;", "#else", "int d;", "#endif", "int here;",
        "#ifdef Q", "int q;", "#else", "int r;", "#endif",
    ]  # fmt: skip


def test_includes_in_strings_and_comments_are_none(tmp_path: Path) -> None:
    source = 'auto a = R"(\n#include "a"\n)";\n/*\n#include "b"\n*/\n'
    assert bundled(tmp_path, source) == ['auto a = R"(', '#include "a"', ')";']


@pytest.mark.parametrize(
    ("files", "place", "words"),
    [
        ({"main": 'int a;\n#include "nowhere.hpp"\n'}, "main.hpp:2", "cannot find nowhere.hpp"),
        ({"main": "#include <headrace/nothing.hpp>\n"}, "main.hpp:1", "cannot find headrace/nothing.hpp"),
        (
            {"main": '#include "a.hpp"\n', "a": '\n#include "main.hpp"\n'},
            "a.hpp:2",
            "main.hpp -> a.hpp -> main",
        ),
        ({"main": '\n#include "main.hpp"\n'}, "main.hpp:2", "includes itself"),
        ({"main": "int a;\n/* no\nend\n"}, "main.hpp:2", "no end"),
        ({"main": "#if A\n"}, "main.hpp:1", "no #endif"),
        ({"main": "\n#endif\n"}, "main.hpp:2", "without an #if"),
        ({"main": "#include WHAT\n"}, "main.hpp:1", "#include WHAT"),
    ],
)
def test_bad_input_names_file_and_line_and_writes_nothing(
    headrace: Command, tmp_path: Path, files: dict[str, str], place: str, words: str
) -> None:
    write(tmp_path, **files)
    done = headrace("bundle", "main.hpp", "-o", "out.cpp", code=2)
    assert place in done.stderr and words in done.stderr
    assert not (tmp_path / "out.cpp").exists()


def test_a_source_that_is_not_utf8(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_bytes(b"int a;\n// caf\xe9\n")
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", code=2)
    assert "main.cpp:2: byte 0xe9 is not UTF-8" in done.stderr
    assert not (tmp_path / "out.cpp").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a source, or give --library or --bench"),
        (["main.cpp", "--library"], "just one of the three"),
        (["main.cpp", "--bench"], "just one of the three"),
        (["--library", "--bench"], "not both"),
        (["nothing.cpp"], "nothing.cpp is not a file"),
        (["main.cpp", "-o", "main.cpp"], "is the source itself"),
        (["main.cpp", "-o", "no/out.cpp"], "does not exist"),
        (["main.cpp", "--kernels", "scalar,mmx"], "'mmx'"),
        (["main.cpp", "--without", "bread"], "'bread'"),
    ],
)
def test_wrong_use_is_one_sentence(
    headrace: Command, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    done = headrace("bundle", *arguments, code=2)
    assert words in done.stderr
    assert (tmp_path / "main.cpp").read_text() == "int main() {}\n"


def test_only_what_is_reached(tmp_path: Path) -> None:
    file = tmp_path / "main.cpp"
    file.write_text("#include <headrace/parse.hpp>\nint main() {}\n")
    names = {path.name for path in bundle.make(file, BundleOptions()).sizes}
    assert "parse.hpp" in names and not names & {"reader.hpp", "writer.hpp", "avx2.hpp"}


def test_left_out_kernels_and_parts_are_not_there(tmp_path: Path) -> None:
    file = tmp_path / "main.cpp"
    file.write_text(SUM)
    names = {path.name for path in bundle.make(file, BundleOptions()).sizes}
    assert {"avx2.hpp", "avx512.hpp", "avx512_format.hpp", "copy.hpp", "powers.hpp"} <= names
    options = BundleOptions(kernels=("scalar", "avx2"), without=("floats", "copy"))
    made = bundle.make(file, options)
    names = {path.name for path in made.sizes}
    assert "avx2.hpp" in names
    assert not names & {"avx512.hpp", "avx512_format.hpp", "sse41.hpp", "neon.hpp", "powers.hpp"}
    assert "--without copy and cannot copy" in made.text


def test_without_windows_its_branches_are_dead(tmp_path: Path) -> None:
    source = "#if HEADRACE_WINDOWS\nint a;\n#else\nint b;\n#endif\n#if !HEADRACE_WINDOWS\nint c;\n#endif\n"
    assert bundled(tmp_path, source, BundleOptions(without=("windows",))) == ["int b;", "int c;"]
    assert len(bundled(tmp_path, source)) == 8


def compile_and_run(compiler: str, source: Path, flags: list[str], given: str) -> str:
    program = source.with_suffix(".out")
    built = native.compiler(compiler, *flags, *WARNINGS, source, "-o", program)
    assert built.returncode == 0, built.stderr[:4000]
    done = native.call(program, input=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_compiler
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "options",
    [
        BundleOptions(),
        BundleOptions(kernels=("scalar",), without=("copy",)),
        BundleOptions(kernels=("scalar", "avx2"), without=("floats",)),
        BundleOptions(kernels=("scalar", "sse41", "avx512"), without=("floats", "copy", "windows")),
    ],
    ids=["all", "scalar", "avx2", "odd"],
)
def test_a_solution_does_the_same(compiler: str, options: BundleOptions, tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(SUM)
    result.write_text(bundle.make(file, options).text)
    assert compile_and_run(compiler, result, ["-std=c++17"], NUMBERS) == ANSWER


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("options", SMALL, ids=["all", "judge"])
def test_made_small_it_does_the_same(options: BundleOptions, tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(SUM)
    made = bundle.make(file, options)
    assert made.size < 0.6 * bundle.make(file, replace(options, small=False)).size
    result.write_text(made.text)
    for compiler, standard in WAYS:
        given = compile_and_run(compiler, result, [f"-std={standard}", "-O1"], NUMBERS)
        assert given == ANSWER, (compiler, standard)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(
    "kernels", [("scalar",), ("scalar", "avx2"), ("scalar", "sse41", "avx512")], ids="-".join
)
def test_made_small_with_floats_it_does_the_same(kernels: tuple[str, ...], tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(FLOATS)
    result.write_text(bundle.make(file, BundleOptions(kernels=kernels, without=("copy",), small=True)).text)
    given = compile_and_run(
        COMPILERS[0], result, ["-std=c++17", "-O0"], "5\n1 -22.5 333 4444.25 9000000000\n"
    )
    assert given.splitlines()[:2] == ["9000004755.75", "1 -22.5 333 4444.25 9000000000"]
    draw = random.Random(21)
    numbers = [draw.uniform(-1, 1) * 10.0 ** draw.randint(-12, 12) for _ in range(3000)]
    shapes = ("{:.0f}", "{:.2f}", "{:.15f}", "{:.16e}", "{:.3e}", "{!r}")
    tokens = [shapes[at % len(shapes)].format(number) for at, number in enumerate(numbers)]
    text = f"{len(tokens)}\n" + "".join(token + draw.choice([" ", "\n", "  "]) for token in tokens)
    done = native.call(result.with_suffix(".out"), input=text)
    assert [float(word) for word in done.stdout.splitlines()[1].split()] == [float(token) for token in tokens]


STREAMS = """#include <headrace/columns.hpp>
#include <headrace/headrace.hpp>
#include <optional>
int main() {
  { headrace::writer("table.csv") << "1,2.5\\n2,3.5\\n"; }
  auto [ids, prices] = headrace::read_columns<int, double>("table.csv", headrace::csv);
  headrace::out << ids.size() << ' ' << prices[1] << '\\n';
  try {
    auto text = headrace::reader::from("1,x\\n");
    for (auto [a, b] : text.rows<int, int>(headrace::csv)) headrace::out << a << b;
  } catch (const headrace::input_error& error) {
    headrace::out << error.what() << '\\n';
  }
  headrace::rejects bad;
  auto text = headrace::reader::from("1,2\\n\\"3\\",\\n4,5000000000\\n,6\\n7,8\\n");
  for (auto& [a, b] : text.rows<int, std::optional<int>>(headrace::csv, bad)) {
    headrace::out << a << b.value_or(0) << ' ';
  }
  headrace::out << bad.size() << '\\n';
  for (const headrace::rejected_row& row : bad) headrace::out << row.what() << '\\n';
  std::string made;
  headrace::writer::into(made) << 1.5 << '\\n';
  headrace::out << made;
  headrace::out.flush();
  headrace::copy("table.csv", 1);
}
"""


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True], ids=["plain", "small"])
@pytest.mark.parametrize("kernels", [("scalar",), ("scalar", "avx2"), BundleOptions().kernels], ids="-".join)
def test_columns_and_other_streams(kernels: tuple[str, ...], small: bool, tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(STREAMS)
    result.write_text(bundle.make(file, BundleOptions(kernels=kernels, small=small)).text)
    program = tmp_path / "program"
    built = native.compiler(COMPILERS[0], "-std=c++17", "-O0", *WARNINGS, result, "-o", program)
    assert built.returncode == 0, built.stderr[:4000]
    done = native.call(program, cwd=tmp_path)
    refused = '<memory>:1:3: column 2: expected an integer, found "x"'
    aside = (
        '<memory>:3:3: column 2: expected an integer from -2147483648 to 2147483647, found "5000000000"\n'
        "<memory>:4:1: column 1: expected an integer, found an empty field\n"
    )
    assert done.stdout == f"2 3.5\n{refused}\n12 30 78 2\n{aside}1.5\n1,2.5\n2,3.5\n"


@needs_compiler
@pytest.mark.slow
def test_made_small_it_still_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(
        "#include <headrace/headrace.hpp>\nenum class colour { red };\n"
        "int main() { headrace::out << WRITTEN << '\\n'; }\n"
    )
    made = bundle.make(file, replace(SMALL[-1], without=("copy", "floats", "windows")))
    assert "headrace cannot write" not in made.text
    result.write_text(made.text)
    for compiler in COMPILERS:
        assert compile_and_run(compiler, result, ["-std=c++17", "-DWRITTEN=7"], "") == "7\n"
        command = [compiler, "-std=c++17", "-fsyntax-only", "-DWRITTEN=colour::red", str(result)]
        refused = native.call(*command)
        assert refused.returncode != 0 and "static assertion failed" in refused.stderr


@pytest.mark.parametrize("kernels", [("scalar",), ("scalar", "avx2")])
def test_a_small_bundle_takes_back_no_macro_that_it_does_not_have(
    kernels: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    options = BundleOptions(without=("floats", "copy"), kernels=kernels, small=True)
    made = bundle.make(tmp_path / "main.cpp", options).text
    taken_back = re.findall(r"^#undef (\w+)$", made, re.MULTILINE)
    assert taken_back
    assert set(taken_back) <= set(re.findall(r"^#define (\w+)", made, re.MULTILINE))


@needs_compiler
def test_the_short_tables_are_those_of_the_library(tmp_path: Path) -> None:
    source = tmp_path / "tables.cpp"
    source.write_text("""#include <headrace/detail/digits.hpp>
#include <headrace/detail/powers.hpp>
namespace other {
#include <small/detail/digits.hpp>
#include <small/detail/powers_table.hpp>
}
#include <cstring>
int main() {
  namespace a = headrace::detail;
  namespace b = other::headrace::detail;
  return std::memcmp(a::three_digits, b::three_digits, 4000) != 0 ||
         std::memcmp(a::leading_digits, b::leading_digits, 4000) != 0 ||
         sizeof a::powers_of_five != sizeof b::table_of_powers + 4 ||  // a literal ends in a zero
         std::memcmp(a::powers_of_five, b::powers_of_five, sizeof b::table_of_powers) != 0;
}
""")
    flags = ["-std=c++17", f"-I{places.include_folder()}", f"-I{overlay.FOLDER}"]
    for compiler in COMPILERS:
        assert compile_and_run(compiler, source, flags, "") == ""


LEFT_OUT = {
    "double x; headrace::in >> x;": "--without floats and cannot read them",
    "headrace::out << 1.5;": "--without floats and cannot write them",
    "headrace::out << headrace::fixed(1.5, 2);": "--without floats and cannot write them",
    "headrace::out << headrace::scientific(1.5, 2);": "--without floats and cannot write them",
    "headrace::copy(0, 1);": "--without copy and cannot copy",
    "headrace::copy(headrace::in, headrace::out, {10});": "--without copy and cannot copy",
}


@needs_compiler
def test_each_use_of_what_was_left_out_is_one_sentence(tmp_path: Path) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text("#include <headrace/headrace.hpp>\nint main() { ANY_USE }\n")
    made = bundle.make(file, BundleOptions(without=("floats", "copy"))).text
    assert made.count("ANY_USE") == 1
    for use, words in LEFT_OUT.items():
        result.write_text(made.replace("ANY_USE", use))
        done = native.call(COMPILERS[0], "-std=c++17", "-fsyntax-only", result)
        assert f"this file was bundled with {words}" in done.stderr, use
        assert done.stderr.count("error:") == 1, done.stderr


@pytest.mark.slow
def test_what_judges_take_holds_kernels(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    options = ["--without", "copy,floats,windows"]  # all kernels: 63.6 kB when this was written
    headrace("bundle", "main.cpp", "-o", "small.cpp", "--max-bytes", "65536", *options, code=0)
    text = (tmp_path / "small.cpp").read_text()
    assert all(name in text for name in ("vpshufb", "avx512vbmi", "sse4.1"))


def test_a_header_that_defines_a_macro_is_there_once_until_the_macro_is_taken_back(
    headrace: Command, tmp_path: Path
) -> None:
    (tmp_path / "twice.hpp").write_text(
        "#if !defined(TWICE)\n#ifdef THREE\n#define TWICE 3\n#else\n#define TWICE 2\n#endif\n#endif\n"
    )
    include = '#include "twice.hpp"\n'
    for text, copies in (
        (f"{include}{include}", 1),
        (f"{include}#undef TWICE\n{include}{include}", 2),
        (f"#if defined(A)\n{include}#endif\n{include}", 2),  # the first is not there for all
        (f"{include}#if defined(A)\n{include}#undef TWICE\n#endif\n{include}", 2),
    ):
        (tmp_path / "main.cpp").write_text(f"{text}int main() {{ return TWICE - 2; }}\n")
        headrace("bundle", "main.cpp", "-o", "out.cpp", code=0)
        bundled = (tmp_path / "out.cpp").read_text()
        assert bundled.count("#define TWICE 2") == copies, bundled
        for flags in ([], ["-DA"]):
            native.compiler(
                "g++", *flags, "-o", tmp_path / "program", tmp_path / "out.cpp"
            ).check_returncode()
            assert subprocess.run([tmp_path / "program"]).returncode == 0


@pytest.mark.slow
def test_max_bytes_squeezes_or_says_what_to_drop(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    done = headrace(
        "bundle", "main.cpp", "-o", "out.cpp", "--max-bytes", "100000", "--without", "floats,copy", code=0
    )
    assert (tmp_path / "out.cpp").stat().st_size <= 100000
    done = headrace("bundle", "main.cpp", "-o", "small.cpp", "--max-bytes", "65536", code=2)
    assert not (tmp_path / "small.cpp").exists()
    verdict, fitting, how = done.stderr.splitlines()
    assert how == "--fit does so by itself."
    assert verdict.endswith("more than 65536. What fits:")
    size, *options = fitting.split()
    done = headrace("bundle", "main.cpp", "-o", "small.cpp", "--max-bytes", "64K", *options, code=0)
    assert (tmp_path / "small.cpp").stat().st_size == int(size) <= 65536


@needs_compiler
@pytest.mark.slow
def test_advice_keeps_what_the_source_mentions(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(
        "#include <headrace/headrace.hpp>\n#include <algorithm>\nint main() {\n"
        "  int a[2] = {1, 2}, b[2];\n  std::copy(a, a + 2, b);\n"
        "  headrace::out << headrace::fixed(b[0] / 3.0, 2) << '\\n';\n}\n"
    )
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", "--max-bytes", "20000", code=2)
    assert not (tmp_path / "out.cpp").exists()
    verdict, largest, why, instead = done.stderr.splitlines()
    assert instead == limit.INSTEAD
    found = re.fullmatch(
        r"headrace: cannot fit main.cpp into 20000 bytes: the minimum is (\d+), with (.*), (\d+) too many\.",
        verdict,
    )
    assert found and int(found[3]) == int(found[1]) - 20000
    assert re.fullmatch(r"The largest of what it reaches: (\w+\.hpp \(about \d+ bytes\)(, )?){3}\.", largest)
    assert found[2] == "--without copy,windows --kernels scalar"
    assert why == "It mentions fixed, so floats stay."
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", "--max-bytes", found[1], *found[2].split(), code=0)
    assert (tmp_path / "out.cpp").stat().st_size == int(found[1])
    assert compile_and_run(COMPILERS[0], tmp_path / "out.cpp", ["-std=c++17"], "") == "0.33\n"


@pytest.mark.slow
def test_advice_tells_of_floats_that_may_be_no_input(tmp_path: Path) -> None:
    file = tmp_path / "main.cpp"
    file.write_text(
        "#include <headrace/headrace.hpp>\n"
        "int main() { double sum = 0; for (int x : headrace::in.values<int>()) sum += x; return sum > 3; }\n"
    )
    with pytest.raises(BadInput) as raised:
        limit.fit(file, BundleOptions(without=("copy",), kernels=("scalar",)), 60000)
    verdict, _, why, way, instead = str(raised.value).splitlines()
    assert instead == limit.INSTEAD
    assert verdict.startswith("cannot fit main.cpp into 60000 bytes: the minimum is ")
    assert why == "It mentions double, so floats stay."
    found = re.fullmatch(r"If it .* none: (\d+) with --without (floats,copy,windows) .*\.", way)
    assert found and int(found[1]) < 60000
    made = limit.fit(
        file, BundleOptions(without=tuple(found[2].split(",")), kernels=("scalar",)), 60000
    ).bundle
    assert made.size == int(found[1])


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("std::copy(a, b, c); std::cout << std::fixed; x.copy(y, 2);", {}),
        ("headrace::copy(0, 1);", {"copy": ["copy"]}),
        ("using namespace headrace; copy(0, 1);", {"copy": ["copy"]}),
        ("double x; float y; double z;", {"floats": ["double", "float"]}),
        ('const char* text = "double"; // fixed', {}),
    ],
)
def test_what_a_source_needs(code: str, needed: dict[str, list[str]], tmp_path: Path) -> None:
    file = tmp_path / "main.cpp"
    file.write_text(f"#include <headrace/headrace.hpp>\nint main() {{\n{code}\n}}\n")
    assert limit._needed(file, BundleOptions()) == needed


def test_a_bundle_of_as_many_bytes_as_it_may_have_fits(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("#include <headrace/parse.hpp>\nint main() {}\n")
    made = bundle.make(tmp_path / "main.cpp", BundleOptions())
    assert limit.fit(tmp_path / "main.cpp", BundleOptions(), made.size).bundle.size == made.size


@pytest.mark.parametrize("words", ["64kb", "0", "many", "-1", "1.5K"])
def test_a_number_of_bytes_that_is_none(headrace: Command, words: str, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    done = headrace("bundle", "main.cpp", f"--max-bytes={words}", code=2)
    assert f"does not understand '{words}'; write 65536, 64K or 64KiB" in done.stderr


def test_a_source_without_headrace_is_told(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", "--max-bytes", "1KiB", code=0)
    assert done.stderr == "headrace: main.cpp includes nothing of headrace: nothing was put in\n"
    assert done.stdout.endswith(" bytes from 1 file\n")


@pytest.mark.skipif(os.name != "posix", reason="no umask")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_who_may_read_the_result_is_what_the_umask_says(mask: int, mode: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        places.write_whole(tmp_path / "out.cpp", b"int main() {}\n")
    finally:
        os.umask(before)
    assert (tmp_path / "out.cpp").stat().st_mode & 0o777 == mode
    assert [file.name for file in tmp_path.iterdir()] == ["out.cpp"]


def test_short_names_only_where_every_system_header_comes_before(tmp_path: Path) -> None:
    def names(text: str) -> set[str]:
        file = tmp_path / "main.cpp"
        file.write_text(text)
        made = bundle.make(file, BundleOptions(kernels=("scalar",), without=("windows",), small=True)).text
        return set(re.findall(r"^#define ([A-Za-z]{1,2}_?) ", made, re.M))

    source = (
        "#include <headrace/parse.hpp>\n#include <vector>\n"
        "int main() { int do_ = 1, a = 2; headrace::parse(nullptr, nullptr, a); return 0; }\n"
    )
    found = names(source)
    assert found and not [name for name in found if name.endswith("_")]
    assert not found & {"a", "do", "if", "or", "I"}
    for kept_apart in ("#define MINE 1\n", "#if MINE\n#include <map>\n#endif\n"):
        found = names(kept_apart + source)
        assert found and all(name.endswith("_") for name in found)


def test_macros_restore_what_they_stand_for() -> None:
    text = cpp.code_tokens(
        "std::size_t a = f(b); std::size_t c = f(d); std::size_t e = f(a); " * 5 + "aa_ + A_"
    )
    macros, (squeezed,) = repeats.replaced([text], {"b_"})
    bodies = dict(macros)
    assert macros and not {"aa_", "A_", "b_"} & bodies.keys()

    def restored(tokens: list[str]) -> list[str]:
        return [one for token in tokens for one in (restored(bodies[token]) if token in bodies else [token])]

    assert restored(squeezed) == text


@pytest.fixture(scope="module")
def one_header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose headrace/headrace.hpp is the one header, and nothing else of the library is there."""
    folder = tmp_path_factory.mktemp("one_header")
    (folder / "headrace").mkdir()
    header = folder / "headrace" / "headrace.hpp"
    limit.write_bundle(None, "headrace.hpp", header, BundleOptions(comments=True), None)
    (folder / "headrace" / "detail" / "simd").mkdir(parents=True)
    (folder / "headrace" / "detail" / "simd" / "kernels.hpp").write_text(
        "#include <headrace/headrace.hpp>\n"
    )  # what the test asks for
    return folder


def test_the_one_header_keeps_its_comments_and_stands_alone(one_header: Path) -> None:
    text = (one_header / "headrace" / "headrace.hpp").read_text()
    assert text.startswith("#pragma once\n") and text.count("#pragma once") == 1
    assert "// headrace/parse.hpp: " in text
    assert not [line for line in text.splitlines() if line.strip().startswith('#include "')]
    assert str(TOP) not in text


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize(("compiler", "standard"), WAYS)
def test_the_one_header_passes_the_smoke_test(
    one_header: Path, compiler: str, standard: str, tmp_path: Path
) -> None:
    smoke = TOP / "tests" / "smoke"
    program = tmp_path / "smoke"
    command = [compiler, f"-std={standard}", *WARNINGS, "-I", str(one_header)]
    command += [str(smoke / "smoke.cpp"), str(smoke / "other.cpp"), "-o", str(program)]
    built = native.compiler(*command)
    assert built.returncode == 0, built.stderr[:4000]
    done = native.call(program, input="20 22\n", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


BENCH = """#include <headrace/bench.hpp>
int main() {
  headrace::bench suite{"one header"};
  suite.machine(false).budget(0.01).seed(7);
  int calls = 0;
  suite.run("count", [&] { for (int i = 0; i < 100; ++i) headrace::keep(++calls); });
  return suite.size() == 1 && suite["count"].min > 0 && suite.json().front() == '{' ? 0 : 1;
}
"""


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("comments", [True, False], ids=["comments", "bare"])
def test_bench_hpp_as_one_header(
    headrace: Command, compiler: str, comments: bool, one_header: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "include" / "headrace"
    folder.mkdir(parents=True)
    options = [] if comments else ["--no-comments"]
    headrace("bundle", "--bench", "-o", "include/headrace/bench.hpp", *options, code=0)
    text = (folder / "bench.hpp").read_text()
    assert text.startswith("#pragma once\n") and text.count("#pragma once") == 1
    assert "HEADRACE_BUNDLE_" not in text and str(TOP) not in text
    assert not re.search(r'^\s*#\s*include\s*("|<headrace)', text, re.M)
    assert ("// Contract\n" in text) == comments
    for name, source in {
        "alone": BENCH,
        "after": "#include <headrace/headrace.hpp>\n" + BENCH,
        "before": BENCH.replace("bench.hpp>", "bench.hpp>\n#include <headrace/headrace.hpp>"),
    }.items():
        file = tmp_path / f"{name}.cpp"
        file.write_text(source)
        folders = [f"-I{tmp_path / 'include'}"] + ([] if name == "alone" else [f"-I{one_header}"])
        compile_and_run(compiler, file, ["-std=c++17", "-O1", *folders], "")


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of made-up headers, in which `generic/twice.hpp` is text for two namespaces."""
    library = tmp_path / "include" / "headrace"
    simd = library / "detail" / "simd"
    (simd / "generic").mkdir(parents=True)
    (simd / "kernels.hpp").write_text(
        "#pragma once\n#define HEADRACE_KERNELS(row) \\\n    row(best)  \\\n    row(good) \\\n"
        "    row(scalar) \\\n    row(model)\n"
        + "".join(
            f'#if __has_include("{name}.hpp")\n#include "{name}.hpp"\n#endif\n'
            for name in ("best", "good", "scalar", "model", "format_best", "best_tables", "goods")
        )
    )
    (simd / "generic" / "twice.hpp").write_text(
        "// The text of all kernels.\ninline int twice(int x) {\n  return from(x) + x;\n}\n"
        "inline int unreached(int x) { return from(x) - x; }\n"
    )
    for name, number in {"best": 3, "good": 2, "scalar": 1, "model": 0}.items():
        (simd / f"{name}.hpp").write_text(
            f"#pragma once\n#if defined(__x86_64__) || 1 || {number}\nnamespace {name} {{\n"
            f"inline int from(int x) {{ return x + {number}; }}\n"
            '#include "generic/twice.hpp"\n}\n#endif\n'
        )
    for name in ("format_best", "best_tables", "goods"):
        (simd / f"{name}.hpp").write_text(f"#pragma once\ninline int in_{name}() {{ return 1; }}\n")
    monkeypatch.setattr(places, "include_folder", lambda: tmp_path / "include")
    monkeypatch.setattr(overlay, "files", lambda name: {})
    return library


USES_ALL = (
    "#include <headrace/detail/simd/kernels.hpp>\n"
    "int main() { return best::twice(1) == 5 && scalar::twice(1) == 3 ? in_goods() - 1 : 2; }\n"
)


def test_kernels_are_those_of_the_table(made_up: Path, tmp_path: Path) -> None:
    assert kernel_names() == ("best", "good", "scalar", "model")
    assert BundleOptions().kernels == ("best", "good", "scalar")
    file = tmp_path / "main.cpp"
    file.write_text(USES_ALL)
    names = {path.name for path in bundle.make(file, BundleOptions()).sizes}
    assert "model.hpp" not in names
    assert {"best.hpp", "format_best.hpp", "best_tables.hpp", "good.hpp", "goods.hpp"} <= names
    options = command._options("good,model", None, False, [])
    assert options.kernels == ("good", "scalar", "model")
    names = {path.name for path in bundle.make(file, options).sizes}
    assert {"good.hpp", "goods.hpp", "scalar.hpp", "model.hpp"} <= names
    assert not names & {"best.hpp", "format_best.hpp", "best_tables.hpp"}
    with pytest.raises(BadInput, match="--kernels does not know 'mmx'; it takes best, good, scalar, model"):
        command._options("mmx", None, False, [])


def test_a_table_without_rows_is_one_sentence(made_up: Path) -> None:
    names_in.cache_clear()
    (made_up / "detail" / "simd" / "kernels.hpp").write_text("#pragma once\n// row(best) is none\n")
    with pytest.raises(BadInput, match="kernels.hpp has no table of kernels; it needs a line"):
        kernel_names()


def test_what_is_missed_least_is_left_out_first() -> None:
    options = BundleOptions(kernels=("avx512", "avx2", "sse41", "neon", "scalar"))
    lesser = limit._lesser(options, ["floats"])
    assert [less.without for less in lesser[:3]] == [("copy",), ("copy", "windows"), ("copy", "windows")]
    assert [less.kernels for less in lesser[2:]] == [  # NEON is no x86's
        ("avx512", "avx2", "sse41", "scalar"),
        ("avx512", "avx2", "scalar"),
        ("avx2", "scalar"),
        ("scalar",),
    ]
    assert limit._lesser(lesser[-1], ["floats"]) == []


@needs_compiler
@pytest.mark.parametrize("small", [False, True], ids=["plain", "small"])
def test_text_for_several_namespaces_is_one_macro(made_up: Path, tmp_path: Path, small: bool) -> None:
    file, result = tmp_path / "main.cpp", tmp_path / "result.cpp"
    file.write_text(USES_ALL)
    text = bundle.make(file, BundleOptions(small=small)).text
    [macro] = re.finditer(r"^#define \w+ .*return \w+\((\w)\)\+\1;", text, re.M)
    assert text.count("unreached") == (0 if small else 1)
    before = text[: macro.start()]
    assert before.count("#if") == before.count("#endif")  # every kernel sees it, whatever an #if says
    result.write_text(text)
    compile_and_run(COMPILERS[0], result, ["-std=c++17"], "")


def test_with_comments_the_text_stays_in_each_namespace(made_up: Path, tmp_path: Path) -> None:
    file = tmp_path / "main.cpp"
    file.write_text(USES_ALL)
    text = bundle.make(file, BundleOptions(comments=True)).text
    assert "HEADRACE_GENERIC" not in text and text.count("// The text of all kernels.") == 3


@pytest.mark.parametrize(
    "twice", ["#pragma once\nint a;\n", "#if A\nint a;\n#endif\n", 'auto a = R"(\n)";\n']
)
def test_other_text_is_no_macro(made_up: Path, tmp_path: Path, twice: str) -> None:
    (made_up / "detail" / "simd" / "generic" / "twice.hpp").write_text(twice)
    file = tmp_path / "main.cpp"
    file.write_text("#include <headrace/detail/simd/kernels.hpp>\nint main() {}\n")
    assert "HEADRACE_GENERIC" not in bundle.make(file, BundleOptions()).text


EXAMPLES = sorted((TOP / "examples").rglob("*.cpp"))
PYTHON = f"-I{sysconfig.get_path('include')}"


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_compiles_as_one_file(example: Path, tmp_path: Path) -> None:
    result = tmp_path / "result.cpp"
    result.write_text(bundle.make(example, BundleOptions()).text)
    assert str(places.include_folder()) not in result.read_text()
    done = native.compiler(COMPILERS[0], "-std=c++20", "-fsyntax-only", PYTHON, result)
    if "<fmt/" in result.read_text() and "fmt" in done.stderr:
        pytest.skip("fmt is not on this machine")
    if "Python.h: No such file" in done.stderr:
        pytest.skip("Python's headers are not on this machine")
    assert done.returncode == 0, done.stderr[:4000]


def test_errors_are_bad_input() -> None:
    with pytest.raises(BadInput, match="cannot read"):
        bundle.make(Path("/nonexistent/main.cpp"), BundleOptions())


@pytest.mark.slow
def test_the_sizes_in_the_documents_are_about_right(headrace: Command, tmp_path: Path) -> None:
    page = (TOP / "docs" / "start" / "contest.md").read_text("utf-8")
    found = re.search(r"<!-- follow: solution.cpp -->\n```cpp\n(.*?)```", page, re.DOTALL)
    assert found is not None
    (tmp_path / "solution.cpp").write_text(found[1])
    rows = re.findall(r"^\| (none|`--max-bytes[^|]*`) \| ([\d,]+) \|", page, re.MULTILINE)
    assert len(rows) == 2
    for options, said in rows:
        words = [] if options == "none" else options.strip("`").split()
        headrace("bundle", "solution.cpp", "-o", "out.cpp", *words, code=0)
        size = (tmp_path / "out.cpp").stat().st_size
        assert abs(size - int(said.replace(",", ""))) <= size // 20, f"contest.md, {options}: it is {size}"
