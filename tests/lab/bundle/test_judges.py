"""`headrace bundle --for`: judges are data, and a bundle is for the judge that was named."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import native
from checkout import TOP
from conftest import Command
from headrace.base.errors import BadInput
from headrace.bundle import judges
from pages import blocks

SUM = """#include <headrace/headrace.hpp>
using headrace::in, headrace::out;
int main() {
  long long sum = 0;
  for (long long value : in.values<long long>()) sum += value;
  out << sum << '\\n';
}
"""
MINGW = "x86_64-w64-mingw32-g++"


def test_each_fact_names_its_source_and_date() -> None:
    found = judges.read()
    assert list(found) == ["codeforces", "atcoder", "luogu", "library-checker", "kattis", "leetcode"]
    for judge in found.values():
        for fact in judge.facts.values():
            assert fact.source and fact.date
            assert not fact.sure or "://" in fact.source or "submit form" in fact.source
        unsure = [name for name, fact in judge.facts.items() if not fact.sure]
        assert (f"(not confirmed by its own pages: {', '.join(unsure)})" in judge.sentence) == bool(unsure)


def test_a_judge_that_lacks_a_fact_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "judges.toml"
    file.write_text(
        '[mine]\nname = "Mine"\nbytes = { value = 1, source = "me", date = "2026", sure = true }\n'
    )
    with pytest.raises(
        BadInput, match=r"\[mine\] is not whole \('standards'\); each judge needs bytes, standards"
    ):
        judges.read(file)


def test_an_unknown_judge_is_told_the_nearest_and_all(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    done = headrace("bundle", "main.cpp", "--for", "codeforce", code=2)
    assert "there is no judge codeforce; did you mean codeforces" in done.stderr
    assert "There are codeforces, atcoder, luogu, library-checker, kattis, leetcode" in done.stderr


@pytest.mark.parametrize(
    ("typed", "key"), [("icpc-kattis", "kattis"), ("Codeforces", "codeforces"), (" AtCoder", "atcoder")]
)
def test_a_judge_is_found_by_its_other_names_and_in_any_case(typed: str, key: str) -> None:
    assert judges.find(typed).key == key


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--library", "--for", "atcoder"], "--for goes with a solution"),
        (["main.cpp", "--fit"], "--fit goes with --for or --max-bytes"),
    ],
)
def test_wrong_use_is_one_sentence(
    headrace: Command, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    done = headrace("bundle", *arguments, code=2)
    assert words in done.stderr


@pytest.mark.slow
def test_a_judge_with_room_gets_what_its_compiler_can_take(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(SUM)
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", "--for", "atcoder", code=0)
    assert "AtCoder takes 524288 bytes" in done.stderr
    text = (tmp_path / "out.cpp").read_text()
    assert not any(word in text for word in ("__stdcall", "clang attribute", "namespace neon{"))
    assert "avx512vbmi" in text
    compile_for("g++", tmp_path / "out.cpp", tmp_path / "program")
    given = native.call(tmp_path / "program", input="1 2\n39\n")
    assert given.stdout == "42\n"


def compile_for(compiler: str, source: Path, program: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not on this machine")
    flags = ["-std=c++20", "-O1", "-static", "-Wall", "-Wextra", "-Werror"]
    built = native.call(compiler, *flags, source, "-o", program)
    assert built.returncode == 0, built.stderr[:4000]


@pytest.mark.slow
def test_what_does_not_fit_is_dropped_and_said_and_runs_on_windows(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text(SUM.replace("long long", "double"))
    done = headrace("bundle", "main.cpp", "-o", "out.cpp", "--for", "codeforces", "--fit", code=0)
    assert "left out, to make it fit: what --without copy --kernels " in done.stderr
    assert (tmp_path / "out.cpp").stat().st_size <= 65536
    if shutil.which("wine") is None:
        pytest.skip("wine is not on this machine: no program for Windows runs")
    program = tmp_path / "out.exe"
    compile_for(MINGW, tmp_path / "out.cpp", program)
    given = native.call("wine", program, input="1.5 2.25\r\n38.25\r\n")
    assert given.stdout.split() == ["42"], given.stderr[-500:]


@pytest.mark.slow
def test_the_sizes_in_the_tutorial_are_what_comes_out(headrace: Command, tmp_path: Path) -> None:
    page = TOP / "docs" / "start" / "contest.md"
    [solution] = [block.text for block in blocks(page) if block.follow == "solution.cpp"]
    (tmp_path / "solution.cpp").write_text(solution)
    in_double = solution.replace("vector<int>", "vector<double>").replace("long long", "double")
    (tmp_path / "in_double.cpp").write_text(in_double.replace("int x", "double x"))
    rows = re.findall(r"^\| (none|`--.+) \| ([\d,]+) \| ", page.read_text("utf-8"), re.M)
    assert len(rows) == 4
    for options, size in rows:
        source = "in_double.cpp" if options.endswith("in `double`") else "solution.cpp"
        words = re.findall(r"`(.+)`", options.removesuffix(", the same in `double`"))
        headrace("bundle", source, "-o", "out.cpp", *" ".join(words).split(), code=0)
        assert (tmp_path / "out.cpp").stat().st_size == pytest.approx(int(size.replace(",", "")), rel=0.005)
