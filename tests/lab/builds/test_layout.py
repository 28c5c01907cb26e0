"""Layouts: one object, linked several times, and what a race draws of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conftest import Command
from headrace import MOST_LAYOUTS
from headrace.base.errors import BadInput
from headrace.builds import build, layout
from headrace.judge.layouts import moved
from headrace.matrix.benchmarks import Contender, ContenderSpec
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.race import options, race
from headrace.race.options import RunOptions
from headrace.results.schema import Sample

SOURCE = """#include <cstdio>
int table[100] = {1};
int zeros[100];
int main() {
    std::printf("%d %d %d", int(reinterpret_cast<unsigned long long>(&main) % 4096),
                int(reinterpret_cast<unsigned long long>(table) % 4096),
                int(reinterpret_cast<unsigned long long>(zeros) % 4096));
}
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chain: Toolchain) -> build.Build:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "one.cpp").write_text(SOURCE)
    contender = Contender(ContenderSpec(name="one"), tmp_path / "one.cpp")
    return build.build(build.Order(contender, chain, "O2", "c++17"))


def test_each_layout_is_linked_of_one_object_and_lies_elsewhere(
    made: build.Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[list[str]] = []
    call = launch.call

    def counted(words: list[str], *rest: object, **more: object) -> launch.Completed:
        compiled.extend([words] if any(word.endswith("one.cpp") for word in words) else [])
        return call(words, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(launch, "call", counted)
    programs = [layout.program(made, number) for number in range(6)]
    assert not compiled and programs[0] == made.program
    told = [launch.call([str(one)]).out.split() for one in programs]
    for place in zip(*told, strict=True):  # of main, of data and of zeros
        assert len(set(place)) >= 4, told
    monkeypatch.setattr(launch, "call", None)
    assert [layout.program(made, number) for number in range(6)] == programs  # kept


def test_no_two_layouts_put_functions_in_the_same_place() -> None:
    every = [layout.paddings(number)["TEXT"] for number in range(MOST_LAYOUTS)]
    assert len(set(every)) == len(every) and max(every) < layout.PAGE
    assert {size % layout.STEP for size in every} == {0}


@pytest.mark.parametrize("count", [1, 3, 6, 16, MOST_LAYOUTS])
def test_layouts_have_turns(count: int) -> None:
    """Each is as frequent as the others, nearly, and four rounds have each place in a cache line once."""
    drawn = [layout.of_round(number, count, 7) for number in range(1, 4 * MOST_LAYOUTS + 1)]
    often = Counter(drawn)
    assert set(often) == set(range(count))
    if count % layout.PLACES == 0:
        assert len(set(often.values())) == 1
        for start in range(0, len(drawn), layout.PLACES):
            texts = [layout.paddings(number)["TEXT"] for number in drawn[start : start + layout.PLACES]]
            assert {text % layout.LINE for text in texts} == {0, 16, 32, 48}
    assert count < 3 or drawn != [layout.of_round(number, count, 8) for number in range(1, len(drawn) + 1)]


def test_what_cannot_be_linked_says_how_to_do_without(made: build.Build) -> None:
    assert made.program is not None
    made.program.with_name(build.OBJECT).write_bytes(b"no object")
    with pytest.raises(Exception, match=r"one with .* cannot be linked in another layout: .*--layouts 1"):
        layout.program(made, 1)


def test_a_users_script_has_one_layout(tmp_path: Path, chain: Toolchain) -> None:
    script = Contender(ContenderSpec(name="mine"), tmp_path / "mine.py", program=("python3", "mine.py"))
    order = build.Order(script, chain, "O2", "c++17")
    assert not layout.can_be_laid_out(build.Build(order, [], program=tmp_path / "mine.py"))


@pytest.mark.parametrize("count", [0, 257, 10**9])
def test_more_layouts_than_there_are_is_a_sentence(count: int) -> None:
    with pytest.raises(BadInput, match=rf"--layouts {count}: a build has 1 to 256 layouts"):
        options.check_layouts(count)


def test_more_layouts_than_there_are_end_the_command(headrace: Command) -> None:
    done = headrace("run", "read_ints", "--layouts", "1000", code=2)
    assert "1 to 256 layouts" in done.stderr and not done.stdout


def raced(**asked: object) -> race.Campaign:
    small: dict[str, object] = {"settings": [{"rows": "20", "columns": "20"}], "rounds": 9}
    names = ["hand_written", "scanf_printf"]
    return race.run(RunOptions(["read_ints"], ["g++"], names, **{**small, **asked}))  # type: ignore[arg-type]


def test_all_builds_of_a_round_have_its_layout(chain: Toolchain) -> None:
    campaign = raced()
    of_rounds = {(sample.round, sample.layout) for row in campaign.rows for sample in row.samples}
    assert len(of_rounds) == 9 and len({number for _, number in of_rounds}) >= 8
    alone = raced(layouts=1)
    assert {sample.layout for row in alone.rows for sample in row.samples} == {0}


def test_rounds_take_inputs_by_other_seeds_and_all_builds_of_a_round_the_same(chain: Toolchain) -> None:
    campaign = raced(inputs=3)
    assert {row.outcome for row in campaign.rows} == {"ok"}  # each input has an answer of its own
    by_round: dict[int, set[int]] = {}
    for row in campaign.rows:
        for sample in row.samples:
            by_round.setdefault(sample.round, set()).add(sample.input)
    assert all(len(taken) == 1 for taken in by_round.values())
    assert len(set.union(*by_round.values())) == 3
    assert not any("--inputs" in said for said in campaign.warnings)


@pytest.mark.slow
def test_a_benchmark_with_one_input_says_so(chain: Toolchain) -> None:
    campaign = race.run(
        RunOptions(["write_ints"], ["g++"], ["printf"], settings=[{"count": "100"}], rounds=2, inputs=3)
    )
    (said,) = [one for one in campaign.warnings if "--inputs" in one]
    assert re.match("All rounds of write_ints had the same input in spite of --inputs 3: ", said)


def sample(wall: float, number: int) -> Sample:
    return Sample(round=1, wall=wall, user=wall, system=0, peak_memory=0, layout=number)


def test_what_the_layout_moves_is_told_from_chance() -> None:
    """A thousand runs of noise by a fixed rule: layouts that are alike, and one that is 5 % slower."""
    noise = [1 + 0.01 * ((at * 7919) % 101 - 50) / 50 for at in range(60)]
    alike = [sample(one, at % 3) for at, one in enumerate(noise)]
    apart = [sample(one * (1.05 if at % 3 == 1 else 1), at % 3) for at, one in enumerate(noise)]
    chance, found = moved(alike), moved(apart)
    assert chance is not None and not chance.certain and chance.share < 0.01
    assert found is not None and found.certain and 0.035 < found.share < 0.065 and found.layouts == 3
    assert moved(apart[:9]) is None  # three runs of each say nothing
    assert moved([sample(1.0, 0) for _ in range(50)]) is None
