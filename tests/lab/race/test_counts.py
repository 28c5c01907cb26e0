"""Instructions: counted by the tools that are here, kept, shown, and compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import synthetic
from conftest import Command
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.units import time_unit
from headrace.builds import build
from headrace.explain.counting import Counter
from headrace.matrix import toolchains
from headrace.matrix.benchmarks import Contender, ContenderSpec
from headrace.matrix.compilers import Toolchain
from headrace.processes import instructions, launch
from headrace.race import race
from headrace.race.compare import compare_counts
from headrace.race.options import RunOptions
from headrace.report import conditions, ranking
from headrace.report.columns import COLUMNS, Look
from headrace.results import store
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Counted, Row

LOOP = """#include <cstdlib>
int main(int count, char** words) {
  volatile unsigned long sum = 0;
  for (long i = std::atol(words[count - 1]); i > 0; --i) sum = sum + 1;
}
"""

needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")


def loop(chain: Toolchain, folder: Path) -> Path:
    (folder / "loop.cpp").write_text(LOOP)
    contender = Contender(ContenderSpec(name="loop"), folder / "loop.cpp")
    made = build.build(build.Order(contender, chain, "O1", "c++17"))
    assert made.program is not None, made.error
    return made.program


def counted(chain: Toolchain, program: Path, steps: int) -> Counted:
    request = launch.Request([str(program), str(steps)], runner=chain.runner)
    found = instructions.count(request, build.count_plugin)
    assert isinstance(found, Counted), found
    return found


@needs_valgrind
def test_valgrind_counts_the_same_twice_and_each_step(chain: Toolchain, tmp_path: Path) -> None:
    program = loop(chain, tmp_path)
    few, again, many = (counted(chain, program, steps) for steps in (1000, 1000, 101_000))
    assert few.tool == "valgrind" and abs(few.instructions - again.instructions) < 1000
    a_step = (many.instructions - few.instructions) / 100_000
    assert 3 <= round(a_step, 1) <= 8


def test_qemu_counts_what_it_runs(tmp_path: Path) -> None:
    try:
        (chain,) = toolchains.find(["aarch64-linux"]).toolchains[:1]
    except (BadInput, NothingToDo):
        pytest.skip("needs a compiler for aarch64 and qemu")
    build.launcher([])
    if not chain.runner:
        pytest.skip("this machine is an aarch64 itself")
    program = loop(chain, tmp_path)
    few, again, many = (counted(chain, program, steps) for steps in (1000, 1000, 101_000))
    assert few.tool == "qemu" and few.instructions == again.instructions
    assert 3 <= round((many.instructions - few.instructions) / 100_000, 1) <= 8
    assert few.system_calls is not None and 3 <= few.system_calls < 100


def test_what_runs_under_wine_is_not_counted() -> None:
    found = instructions.count(launch.Request(["a.exe"], runner=["wine"]), build.count_plugin)
    assert isinstance(found, Failure) and "under wine is not counted" in found.detail


def test_without_a_tool_nothing_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "is_possible", lambda: False)
    with pytest.raises(NothingToDo, match="needs valgrind, or perf with counters: apt-get install valgrind"):
        Counter()


@needs_valgrind
def test_a_race_counts_each_build_once(chain: Toolchain) -> None:
    counter = Counter()
    campaign = race.run(
        RunOptions(
            ["read_ints"],
            [chain.name],
            ["hand_written", "headrace_bulk"],
            settings=[{"rows": "100", "columns": "100"}],
            rounds=2,
        ),
        afters=[counter],
    )
    assert counter.remarks == []
    by_name = {row.contender: row for row in campaign.rows if not row.twin_of}
    for row in by_name.values():
        assert row.counted is not None and row.counted.tokens == 10_000, row.id
        assert row.counted.input == {"rows": "100", "columns": "100"}
        assert row.counted.instructions > 100_000
    hand, null = by_name["hand_written"].counted, by_name["null"].counted
    assert hand is not None and null is not None and hand.instructions > null.instructions
    said = conditions.sentences(campaign)
    assert any(one.startswith("Instructions were counted by valgrind") for one in said)
    avx512 = any(one.startswith("avx512") for one in campaign.machine.features)
    assert any("AVX2 kernels" in one for one in said) == avx512


# Two files


def row(name: str, count: int, tokens: int = 1000, tool: str = "valgrind") -> Row:
    counted = Counted(tool=tool, instructions=count, system_calls=50, tokens=tokens) if count else None
    return synthetic.a_row(name, benchmark="read_ints", counted=counted)


def file(*rows: Row) -> Campaign:
    return synthetic.a_campaign(rows)


def test_a_gate_by_instructions_needs_no_interval() -> None:
    old = file(row("a", 10_000), row("b", 10_000), row("c", 10_000), row("d", 10_000), row("e", 0))
    news = [
        row("a", 10_099),
        row("b", 10_101),
        row("c", 10_000, tool="qemu"),
        row("d", 9000, 900),
        row("e", 7),
    ]
    report = compare_counts(old, file(*news), 0.01)
    assert [one.outcome for one in report.rows] == ["ok", "FAILED", *["not decided"] * 3]
    assert [one.id for one in report.failures] == ["b"] and len(report.untried) == 3
    assert report.rows[0].old == 10.0 and report.rows[0].ratio == pytest.approx(1.0099)
    assert [one.note for one in report.rows[2:]] == [
        "they were counted by valgrind and by qemu",
        "they were counted on different inputs",
        "its instructions were not counted in OLD",
    ]
    crashed = row("a", 0).model_copy(update={"outcome": "CRASHED", "detail": "signal 11"})
    assert compare_counts(old, file(crashed, row("b", 1)), 0.01).rows[0].outcome == "FAILED"
    with pytest.raises(NothingToDo, match="NEW holds no counts of instructions; headrace run --count"):
        compare_counts(old, file(row("a", 0)), None)


@pytest.mark.slow
@pytest.mark.parametrize(("now", "status"), [(10_050, 0), (10_200, 1)])
def test_the_command_ends_with_the_outcome(headrace: Command, tmp_path: Path, now: int, status: int) -> None:
    store.save(file(row("a", 10_000)), tmp_path / "old.json")
    store.save(file(row("a", now)), tmp_path / "new.json")
    words = ["compare", "old.json", "new.json", "--by", "instructions"]
    done = headrace(*words, "--fail-if-slower", "1%", "--json")
    assert done.returncode == status, done.stderr
    assert json.loads(done.stdout)["rows"][0]["ratio"] == pytest.approx(now / 10_000)
    shown = headrace(*words)
    assert shown.returncode == 0 and f"{now / 10_000:.4f}" in shown.stdout


@pytest.mark.slow
def test_what_cannot_be_counted_or_compared_by_is_a_sentence(headrace: Command, tmp_path: Path) -> None:
    done = headrace("run", "read_ints", "--count", "cycles")
    assert done.returncode == 2 and "only instructions can be counted" in done.stderr
    store.save(file(row("a", 10_000)), tmp_path / "old.json")
    done = headrace("compare", "old.json", "old.json", "--by", "cycles")
    assert done.returncode == 2 and "wall, cpu or instructions" in done.stderr


def test_counts_are_shown_per_token() -> None:
    done = row("a", 123_456).model_copy(update={"tokens": 1000})
    shown = ranking.Standing(done, "a", "g++", 0, None)
    look = Look(time_unit([0.01]))
    texts = {one.key: one.text(shown, look) for one in COLUMNS if one.key.endswith("_per_token")}
    assert texts == {"instructions_per_token": "123", "system_calls_per_token": "0.0500"}
