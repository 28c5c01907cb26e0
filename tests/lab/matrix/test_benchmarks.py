"""Benchmark folders: what is read, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.base.errors import BadInput
from headrace.matrix import benchmarks

GOOD = """
title = "t"
question = "q"
baseline = "one"
sources = ["file", "pipe"]
sinks = ["null", "file"]
[input]
generator = "ints"
[[contender]]
name = "one"
[[contender]]
name = "two"
variants = { SIZE = [1, 2], MODE = ["a", "b"] }
environment = { HEADRACE_SIMD = ["scalar", "avx2"] }
"""


def folder(tmp_path: Path, text: str) -> Path:
    (tmp_path / "benchmark.toml").write_text(text)
    for name in ("one", "two"):
        (tmp_path / f"{name}.cpp").write_text("int main() {}\n")
    return tmp_path


def test_every_benchmark_that_comes_along_is_sound() -> None:
    assert "read_ints" in benchmarks.known()
    for name in benchmarks.known():
        one = benchmarks.find(name)
        assert one.spec.baseline in one.info().contenders
        for contender in one.contenders():
            lines = contender.file.read_text().splitlines()
            assert len(lines) <= 60, f"{contender.file} is longer than a contender should be"


def test_the_first_race_has_the_contenders_it_is_about() -> None:
    names = {one.name for one in benchmarks.find("read_ints").contenders()}
    assert names >= {
        "naive_cin_cout", "faster_cin_cout", "scanf_printf", "getc_unlocked", "read_syscall", "cin_pubsetbuf",
        "stringstream_iterator", "stringstream_read", "null", "raw_read", "hand_written", "headrace_stream",
        "headrace_bulk",
    }  # fmt: skip


def test_variants_and_environments_are_crossed(tmp_path: Path) -> None:
    one = benchmarks.read(folder(tmp_path, GOOD))
    variants = [contender.variant for contender in one.contenders() if contender.name == "two"]
    assert len(variants) == 8
    assert {"SIZE": "2", "MODE": "a", "HEADRACE_SIMD": "avx2"} in variants


def test_routes_are_all_pairs_unless_named(tmp_path: Path) -> None:
    one = benchmarks.read(folder(tmp_path, GOOD))
    assert one.routes == [("file", "null"), ("file", "file"), ("pipe", "null"), ("pipe", "file")]
    named = benchmarks.read(folder(tmp_path, 'routes = ["pty:pipe"]\n' + GOOD))
    assert named.routes == [("pty", "pipe")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title =", "titel =", r"benchmark\.toml: there is no key titel; did you mean title"),
        ("SIZE = [1, 2], ", "SIZE = [1, 2], SIZE = 3, ", "not valid TOML"),
        (
            'name = "two"',
            'name = "two"\nneed = ["fmt"]',
            r"there is no key need; did you mean needs.*contender\.1",
        ),
        ('name = "two"', 'name = "one"', "two contenders named one"),
        ('name = "two"', 'name = "three"', r"there is no file three\.cpp beside it"),
        ('baseline = "one"', 'baseline = "tow"', "key baseline: there is no contender tow; did you mean two"),
        ('baseline = "one"', "", "the key baseline is missing"),
        ('generator = "ints"', 'generator = "inst"', "there is no generator inst; did you mean ints"),
        ('generator = "ints"', 'generator = "ints"\nrows = "x"', "rows wants an integer"),
        ('sinks = ["null", "file"]', 'sinks = ["nil"]', r"key sinks\.0"),
        (
            'sinks = ["null", "file"]',
            'sinks = ["null"]\nroutes = ["file"]',
            "a source and a sink such as file:null",
        ),
        (
            'generator = "ints"',
            'generator = "none"',
            'source file does not go with none; use sources = ."none".',
        ),
        ('"file", "pipe"', '"file", "none"', "source none does not go with ints; use a source such as file"),
        ('name = "one"', 'name = "one"\nanswer = false', "contender one: key answer is false"),
        ('name = "one"', 'name = "one"\nrole = "limit"', "contender one: a baseline is no limit"),
        ('name = "two"', 'name = "two"\nrole = "first"', "role"),
        ("SIZE = [1, 2]", f"SIZE = {list(range(300))}", "more than 200 variants"),
        (
            'name = "one"',
            'name = "one"\nbuild = "cc one.cpp"',
            r"contender one: key build: \{program\} is missing",
        ),
        (
            'name = "one"',
            'name = "one"\nbuild = "cc {progam}"',
            "key build: there is no placeholder progam; did you mean program",
        ),
        ('name = "two"', 'name = "two"\nbuild = "cc -o {program} {SIZE}"', r"build: \{MODE\} is missing"),
        ('name = "one"', "name = 'one'\nbuild = 'cc \"{program}'", "key build: No closing quotation"),
        ('name = "one"', 'name = "one"\nbuild = "{program}"', "key build: it begins with a program"),
        (
            'name = "one"',
            'name = "one"\nbuild = "cc {program}"\nflags = ["-O2"]',
            "build: the key flags is for C\\+\\+ compilers; say it in the line itself",
        ),
        (
            'name = "one"',
            'name = "one"\nbuild = "cc -I{fmt} one.cpp -o {program}"\nneeds = ["fmt"]',
            "build: needs names fmt, which is for C\\+\\+ compilers; say it in the line itself",
        ),
        ('name = "one"', 'name = "one"\nneeds = ["fnt"]', "needs: there is no need fnt; did you mean fmt"),
        (
            "[[contender]]",
            '[[finding]]\na = "on"\nsays = "s"\n[[contender]]',
            "no contender on; did you mean one",
        ),
        (
            "[[contender]]",
            '[[finding]]\na = "one"\nb = "two"\nsays = "s"\n[[contender]]',
            "two has variants; name one of them, as two HEADRACE_SIMD=scalar MODE=a SIZE=1",
        ),
        (
            "[[contender]]",
            '[[finding]]\na = "one"\nsays = "s"\n[[contender]]',
            "finding: one needs the key b",
        ),
    ],
)
def test_a_wrong_folder_is_told_where_and_how(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput, match=message):
        benchmarks.read(folder(tmp_path, GOOD.replace(old, new, 1)))


def test_a_path_has_a_slash_and_a_name_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "read_ints"):
        (tmp_path / name).mkdir()
        folder(tmp_path / name, GOOD)
    monkeypatch.chdir(tmp_path)
    for path in ("./mine", "mine/", str(tmp_path / "mine")):
        assert benchmarks.find(path).name == "mine"
    assert benchmarks.find("./read_ints").spec.question == "q"
    assert benchmarks.find("read_ints").spec.question != "q"
    with pytest.raises(BadInput, match=r"for the folder here say \./mine"):
        benchmarks.find("mine")
    with pytest.raises(BadInput, match=r"no benchmark\.toml in \./yours"):
        benchmarks.find("./yours")


def test_a_choice_keeps_what_the_others_are_compared_with() -> None:
    all_of_them = benchmarks.find("read_ints").contenders()
    kept = benchmarks.choose(all_of_them, ["scanf_printf"], ["hand_written", "null", ""])
    assert [one.name for one in kept] == ["scanf_printf", "hand_written", "null"]
    with pytest.raises(BadInput, match="did you mean scanf_printf"):
        benchmarks.choose(all_of_them, ["scanf_print"], [])
