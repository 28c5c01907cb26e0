"""A user's own input: from a file, from a command; what all contenders agree on, and where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Command
from headrace.base.errors import BadInput
from headrace.matrix import benchmarks, inputs
from headrace.matrix.compilers import Toolchain
from headrace.results import store

NUMBERS = "3 4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n"  # their sum is 78
TOML = """\
title = "mine"
question = "Which?"
baseline = "plain"
[input]
{input}
[[contender]]
name = "plain"
[[contender]]
name = "other"
"""
SUM = """\
#include <cstdio>
int main() {{
    long rows, columns, value, sum = {start};
    if (std::scanf("%ld %ld", &rows, &columns) != 2) return 1;
    while (std::scanf("%ld", &value) == 1) sum += value;
    std::printf("%ld\\n", sum);
}}
"""


def folder(tmp_path: Path, table: str, other: int = 0) -> Path:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "benchmark.toml").write_text(TOML.format(input=table))
    (mine / "plain.cpp").write_text(SUM.format(start=0))
    (mine / "other.cpp").write_text(SUM.format(start=other))
    (mine / "numbers.txt").write_text(NUMBERS)
    return mine


RUN = ("run", "./mine", "--rounds", "1", "--out", "r.json", "--toolchain")


@pytest.mark.parametrize(
    "table",
    [
        'generator = "file"\npath = "numbers.txt"',
        'generator = "file"\npath = "numbers.txt"\nanswer = "78"',
        'generator = "command"\ncommand = "cat numbers.txt"',
        'generator = "command"\ncommand = "cat numbers.txt"\nanswer = "78"',
    ],
)
def test_an_own_text_is_read_and_its_answer_checked(
    headrace: Command, tmp_path: Path, chain: Toolchain, table: str
) -> None:
    folder(tmp_path, table)
    headrace(*RUN, chain.name, code=0)
    rows = store.load(tmp_path / "r.json").rows
    assert {(row.outcome, row.input_bytes, row.tokens) for row in rows} == {("ok", len(NUMBERS), 14)}


@pytest.mark.parametrize("answer", ["77", "input"])
def test_a_wrong_answer_is_wrong(headrace: Command, tmp_path: Path, chain: Toolchain, answer: str) -> None:
    folder(tmp_path, f'generator = "file"\npath = "numbers.txt"\nanswer = "{answer}"')
    headrace(*RUN, chain.name, code=1)
    assert {row.outcome for row in store.load(tmp_path / "r.json").rows} == {"WRONG"}


def test_contenders_that_disagree_are_shown_side_by_side(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    folder(tmp_path, 'generator = "file"\npath = "numbers.txt"', other=1)
    done = headrace(*RUN, chain.name, code=1)
    assert not (tmp_path / "r.json").exists()
    said = done.stderr
    assert "contenders disagree on mine/numbers.txt" in said
    assert any("'78'" in line and "plain" in line and "other" not in line for line in said.splitlines())
    assert any("'79'" in line and "other" in line and "plain" not in line for line in said.splitlines())
    assert "part at byte 2, in line 1: '78\\n' and '79\\n'" in said


def test_one_that_crashes_has_no_opinion(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    mine = folder(tmp_path, 'generator = "file"\npath = "numbers.txt"')
    (mine / "other.cpp").write_text("int main() { return 7; }\n")
    headrace(*RUN, chain.name, code=1)
    outcomes = {row.contender: row.outcome for row in store.load(tmp_path / "r.json").rows}
    assert outcomes == {"plain": "ok", "other": "CRASHED"}


def test_input_lets_any_benchmark_read_a_file(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    (tmp_path / "n.txt").write_text(NUMBERS)
    small = ("--contender", "scanf*", "--rounds", "1", "--toolchain", chain.name, "--out", "r.json")
    done = headrace("run", "read_ints", "--input", "n.txt", *small, code=0)
    rows = store.load(tmp_path / "r.json").rows
    assert {row.contender for row in rows} >= {"scanf_printf", "hand_written"}
    assert {row.input_bytes for row in rows} == {len(NUMBERS)}
    (said,) = [one for one in store.load(tmp_path / "r.json").warnings if "nothing else checks" in one]
    assert said.startswith("All contenders answer '78' to n.txt,") and "headrace list read_ints" in said
    done = headrace("run", "write_ints", "--input", "n.txt", *small, code=2)
    assert "reads nothing" in done.stderr


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('generator = "file"', "file wants the setting path"),
        ('generator = "file"\npath = "absent"', "there is no file"),
        ('generator = "command"\ncommand = "false"', "the input's command, false, did not make it"),
        ('generator = "command"\ncommand = "no_such_program"', "cannot start no_such_program"),
        ('generator = "command"\ncommand = "true"', "printed nothing"),
    ],
)
def test_an_input_that_cannot_be_is_said(tmp_path: Path, chains: object, table: str, said: str) -> None:
    mine = folder(tmp_path, table)
    with pytest.raises(BadInput, match=said):
        one = benchmarks.read(mine)
        inputs.make(inputs.located(one.spec.input, mine))


def test_a_command_runs_again_when_its_file_changes(tmp_path: Path, chains: object) -> None:
    mine = folder(tmp_path, 'generator = "command"\ncommand = "sh make.sh"')
    settings = inputs.located(benchmarks.read(mine).spec.input, mine)
    texts = []
    for text in ("1", "1", "2"):
        (mine / "make.sh").write_text(f"date +%N >> runs; echo {text}\n")
        made = inputs.make(settings)
        assert made.path is not None
        texts.append(made.path.read_text().strip())
    assert texts == ["1", "1", "2"]
    assert len((mine / "runs").read_text().splitlines()) == 2


def test_listing_a_benchmark_runs_no_command(headrace: Command, tmp_path: Path) -> None:
    folder(tmp_path, 'generator = "command"\ncommand = "touch ran"')
    done = headrace("list", "./mine", code=0)
    assert "what all contenders agree on" in done.stdout
    assert not (tmp_path / "mine" / "ran").exists()


@pytest.mark.parametrize(
    ("text", "number"), [("", 0), ("a", 1), (" a  b\n", 2), ("\n\n", 0), ("a\tb c\n" * 5, 15)]
)
def test_words_are_counted(tmp_path: Path, text: str, number: int) -> None:
    (tmp_path / "text").write_text(text)
    assert inputs._words(tmp_path / "text") == number
