"""A user's loop after a call of ours is compiled to be fast.

g++ takes code that always calls a function with the attribute `cold` for cold itself, whoever wrote it: it
moves it away and makes it small. So nothing that a program calls when all goes well may have that attribute.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import native
from checkout import TOP

CALLS = {  # name -> what comes before a loop; `path` is a parameter, and so is `v`
    "nothing": "",
    "open_path": "headrace::reader from(path); from.read(v);",
    "open_file": "headrace::reader from(stdin); from.read(v);",
    "open_memory": "headrace::reader from = headrace::reader::from(std::string_view(path)); from.read(v);",
    "read": "headrace::in.read(v);",
    "read_some": "headrace::in.read_some(v);",
    "until_the_end": "int x; while (headrace::in.try_read(x)) v.push_back(x);",
    "parse": "int x; while (headrace::in.parse(x)) v.push_back(x);",
    "lines": "for (std::string_view line : headrace::in.lines()) v.push_back(line[0]);",
    "words": "for (std::string_view word : headrace::in.words()) v.push_back(word[0]);",
    "values": "for (int x : headrace::in.values<int>()) v.push_back(x);",
    "rows": "for (auto& [x, y] : headrace::in.rows<int, int>(headrace::csv)) v.push_back(x + y);",
    "whole_columns": "const auto [all] = headrace::read_columns<int>(path, headrace::csv); v[0] = all[0];",
    "whole_matrix": "const auto all = headrace::read_matrix<int>(path, headrace::csv); v[0] = all(0, 0);",
    "whole_file": "const auto all = headrace::read_all<int>(path); v[0] = all[0];",
    "on_two_threads": "const auto all = headrace::read_all<int>(path, headrace::threads{2}); v[0] = all[0];",
    "on_all_threads": "const auto all = headrace::read_all<int>(path, headrace::threads{0}); v[0] = all[0];",
    "table": "const auto [all] = headrace::read_columns<int>(path, headrace::csv, headrace::threads{0});"
    " v[0] = all[0];",
    "folded": "headrace::for_each_line(path, headrace::threads{0}, [](std::string_view) {});",
    "split": "auto parts = headrace::split(path, 2); parts[0].read(v);",
    "split_rows": "auto parts = headrace::split(path, 2, headrace::csv); parts[0].read(v);",
    "reserved": "headrace::column<int> all; all.reserve(1000); all.push_back(v[0]);",
    "written": "headrace::out << v[0]; headrace::out.flush();",
    "write_path": "headrace::writer to(path); to.println(v[0]); to.close();",
    "write_range": "headrace::out.write_range(v, ' ');",
    "write_row": "headrace::out.write_row(headrace::csv, v[0], path);",
    "write_all": "headrace::write_all(path, v, headrace::threads{2});",
}
COLD = "__attribute__((cold, noinline)) void happens_seldom(); happens_seldom();"


def dividing(calls: dict[str, str], folder: Path) -> set[str]:
    """Names of functions that divide by a constant with an instruction, as g++ does only to be small."""
    source = folder / "user.cpp"
    body = "for (int& value : v) value /= 77777;"
    functions = [
        f"void user_{name}([[maybe_unused]] const char* path, std::vector<int>& v) {{ {call} {body} }}\n"
        for name, call in calls.items()
    ]
    text = "#include <headrace/headrace.hpp>\n#include <headrace/split.hpp>\n#include <vector>\n"
    source.write_text(text + "".join(functions))
    words = ["g++", "-std=c++17", "-O2", "-S", "-o", "-", f"-I{TOP / 'include'}", source]
    done = native.call(*words, check=True)
    found: set[str] = set()
    inside = ""
    for line in done.stdout.splitlines():
        if label := re.match(r"(\w\S*):", line):
            own = re.match(r"_Z\d+user_(\w+?)PKcRSt6vectorI", label[1])
            inside = own[1] if own else ""
        elif inside and re.match(r"\s+idivl", line):
            found.add(inside)
    return found


@pytest.mark.slow
def test_a_loop_after_a_call_is_compiled_to_be_fast(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    machine = native.call("g++", "-dumpmachine", check=True).stdout
    if not machine.startswith("x86_64"):
        pytest.skip("the instruction that is looked for is one of x86-64")
    assert dividing({"cold": COLD}, tmp_path) == {"cold"}, "the test no longer sees cold code"
    assert dividing(CALLS, tmp_path) == set()
