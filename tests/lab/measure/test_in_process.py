"""Functions timed inside one process: real shared objects, real harnesses, and what goes wrong with them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import synthetic
from conftest import HERE
from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.matrix import benchmarks, needs
from headrace.matrix.compilers import Toolchain
from headrace.measure import in_process
from headrace.measure.plan import Plan
from headrace.processes import launch
from headrace.race import commits, race
from headrace.race.compare import gate
from headrace.race.options import RunOptions
from headrace.report import harnesses, page, ranking, summary
from headrace.report.view import View
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Row, Sample

FUNCTIONS = HERE / "benchmarks" / "functions"


@pytest.fixture(autouse=True)
def _short_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process, "SECONDS", 0.05)
    monkeypatch.setattr(needs, "_known", {})
    monkeypatch.delenv("HEADRACE_PEERS", raising=False)


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    """A copy of the benchmark, to change."""
    return shutil.copytree(FUNCTIONS, tmp_path / "functions")


def by_contender(campaign: Campaign) -> dict[str, Row]:
    return {row.contender: row for row in campaign.rows if not row.twin_of and not row.by_peer}


@pytest.mark.slow
def test_each_function_is_shown_as_what_it_is(chain: Toolchain) -> None:
    campaign = race.run(RunOptions([str(FUNCTIONS)], [chain.name], rounds=6))
    rows = by_contender(campaign)
    assert {name: row.outcome for name, row in rows.items()} == {
        "honest": "ok",
        "slow": "ok",
        "broken": "does not compile",
        "crashes": "CRASHED",
        "leaves": "CRASHED",
        "lies": "WRONG",
        "nameless": "CRASHED",
        "hangs": "TIMED OUT",
        "wants": "skipped",
    }
    assert "undeclared" in rows["broken"].detail
    assert rows["crashes"].detail == "ended by SIGSEGV"
    assert "before the harness could report" in rows["leaves"].detail
    assert rows["lies"].detail.startswith("expected '1000', got '1001'")
    assert 'nameless.so has no function work: declare it extern "C"' in rows["nameless"].detail
    assert race.exit_code(campaign) == 1
    slow = rows["slow"]
    assert len(slow.samples) == 6 and slow.harness == "bench.hpp"
    found = {one.metric: one for one in slow.comparisons}
    assert found["wall"].other == rows["honest"].id
    assert found["wall"].ratio > 3  # ten times the work, on a machine that may be busy
    assert all(one.wall < 0.5 and one.peak_memory > 0 for one in slow.samples)  # a call, not the process
    assert sum(one.user + one.system for one in slow.samples) > 0
    assert any("was not timed by zmij too: zmij was not found" in warning for warning in campaign.warnings)
    assert not any(row.by_peer for row in campaign.rows)


def test_another_harness_stands_beside_ours(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zmij.h").write_text("#define ZMIJ_FACTOR 1000\n")  # far off, whatever else runs here
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path))
    campaign = race.run(RunOptions([str(FUNCTIONS)], [chain.name], ["slow"], rounds=6))
    peers = {row.contender: row for row in campaign.rows if row.by_peer}
    assert set(peers) == {"honest", "slow"}
    assert peers["slow"].id.split()[1:4] == ["slow", "TIMES=10", "harness=zmij"]
    group = ranking.groups(campaign)[0]
    assert "in process" in group.title
    shown = {one.label: one.place for one in group.measured if one.role != "A/A"}
    assert shown["slow TIMES=10 by zmij"] == "zmij" and shown["honest"].startswith("1")
    said = next(one for one in summary.sentences(group, campaign) if "agree" in one)
    assert re.search(r"`zmij` and `bench.hpp` agree within \d.* on 0 of 2 functions", said)
    assert "they disagree on " in said and "times as long by zmij" in said
    assert "in process" in page.html([View(campaign)])


def group_of(ratios: dict[str, list[float]]) -> ranking.Group:
    """Rows by two harnesses: ours takes a second a round, the other the given times."""

    def row(name: str, harness: str, times: list[float]) -> Row:
        samples = [Sample(round=n, wall=t, user=t, system=0, peak_memory=0) for n, t in enumerate(times)]
        own = {"id": f"{name} {harness}", "source": "none", "sink": "file", "harness": harness}
        return synthetic.a_row(name, samples=samples, **own)

    rows = [row(name, "bench.hpp", [1.0] * len(times)) for name, times in ratios.items()]
    rows += [row(name, "other", times) for name, times in ratios.items()]
    return ranking.groups(synthetic.a_campaign(rows))[0]


def test_sentences_about_harnesses_follow_from_the_data() -> None:
    near, far, wide = [1.01] * 8, [1.2] * 8, [0.5, 2.0] * 4
    assert harnesses.sentences(group_of({"a": near, "b": near})) == [
        "`other` and `bench.hpp` agree within 3.0 % on 2 of 2 functions "
        "(medians by other / by bench.hpp: 1.01 to 1.01)."
    ]
    (said,) = harnesses.sentences(group_of({"a": near, "b": far, "c": wide}))
    assert (
        "on 1 of 3 functions (medians by other / by bench.hpp: 1.00 to 1.20); on 1 the rounds cannot tell"
        in said
    )
    assert "they disagree on `b` with g++ (1.20 [1.20, 1.20] times as long by other)" in said
    (said,) = harnesses.sentences(group_of({"a": near[:3]}))
    assert "on 0 of 1 function" in said and "on 1 the rounds cannot tell" in said


@pytest.mark.slow
def test_the_gate_runs_functions_again(chain: Toolchain, functions: Path) -> None:
    options = RunOptions([str(functions)], [chain.name], ["slow"], rounds=6)
    old = race.run(options)
    source = functions / "honest.cpp"
    source.write_text(source.read_text().replace("TIMES * 1000", "(TIMES > 1 ? 4 * TIMES : 1) * 1000"))
    new = race.run(options)
    for one in (old, new):  # the folder is used as a benchmark that comes with headrace
        one.rows[:] = [row.model_copy(update={"benchmark": str(functions)}) for row in one.rows]
    with commits.Builds() as builds:
        # By processor time: a call of 6 ms is pushed aside on a busy machine, one of 1.5 ms is not.
        plan = Plan(rounds=12, gate=0.3, gate_metric="cpu")
        report = gate(builds.side(old), builds.side(new), plan, ["slow"])
    (judged,) = report.rows
    assert judged.outcome == "FAILED" and judged.comparison is not None, judged
    assert 2 < judged.comparison.ratio < 8


def test_a_toolchain_whose_objects_cannot_be_loaded_is_told_why(chain: Toolchain) -> None:
    def of(**changes: object) -> str:
        return in_process.obstacle(Toolchain(**{**vars(chain), **changes}))  # type: ignore[arg-type]

    assert of() == ""
    assert "runs under qemu-aarch64" in of(runner=["/usr/bin/qemu-aarch64"])
    assert "static" in of(target="x86_64-linux-musl")
    assert "x86_64-windows-gnu" in of(target="x86_64-windows-gnu")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('kind = "in-process"', 'kind = "process"'), "a table \\[in_process\\] go together"),
        (('"harness.cpp"', '"gone.cpp"'), "in_process: there is no file gone.cpp"),
        (('"{bytes}"', '"{byte}"'), "there is no placeholder byte; did you mean bytes"),
        (('"{report}", ', ""), "{report} is missing, which the harness needs"),
        (("zmij =", "zmit ="), "there is no need zmit; did you mean zmij"),
        (('sinks = ["file"]', 'sinks = ["null"]'), '{sink} is a file, so give it sinks = \\["file"\\]'),
    ],
)
def test_a_wrong_table_is_told(functions: Path, change: tuple[str, str], sentence: str) -> None:
    file = functions / "benchmark.toml"
    assert change[0] in file.read_text()
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(BadInput, match=sentence):
        benchmarks.read(functions)


def test_only_sources_join_functions(functions: Path) -> None:
    script = functions / "mine.py"
    script.write_text("print(1)\n")
    with pytest.raises(BadInput, match="only a C\\+\\+ source can join"):
        benchmarks.with_guests(benchmarks.read(functions), [script])


def test_a_report_that_is_none(chain: Toolchain, functions: Path) -> None:
    harness = functions / "harness.cpp"
    harness.write_text(harness.read_text().replace("row.median", "0.0"))
    rows = by_contender(race.run(RunOptions([str(functions)], [chain.name], ["honest"], rounds=1)))
    assert rows["honest"].outcome == "CRASHED"
    assert "report is not usable: key functions.0.median" in rows["honest"].detail


def test_a_harness_that_does_not_compile(chain: Toolchain, functions: Path) -> None:
    (functions / "harness.cpp").write_text("int main( {")
    rows = by_contender(race.run(RunOptions([str(functions)], [chain.name], ["honest"], rounds=1)))
    assert rows["honest"].outcome == "does not compile"
    assert rows["honest"].detail.startswith("its harness harness.cpp: ")


@pytest.mark.slow
def test_files_are_written_by_functions(chain: Toolchain, tmp_path: Path) -> None:
    settings = [{"bytes": "100000"}]
    options = RunOptions(["write_harness"], [chain.name], rounds=1, settings=settings, folder=tmp_path)
    campaign = race.run(options)
    rows = by_contender(campaign)
    names = {one.name for one in benchmarks.find("write_harness").contenders()}
    assert set(rows) == names and {row.outcome for row in rows.values()} == {"ok"}
    assert {row.tokens for row in rows.values()} == {100_000}
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


@pytest.mark.slow
def test_programs_read_again_in_one_process(chains: list[Toolchain]) -> None:
    """Every contender with every standard library, as it is the library's cin and stdio that are rewound."""
    one_of_each = list({one.library: one.name for one in reversed(chains) if not one.optional}.values())
    options = RunOptions(
        ["read_unsigned_in_process"],
        one_of_each,
        rounds=1,
        optimise=["O2"],
        layouts=1,
        settings=[{"count": "2000"}],
    )
    rows = race.run(options).rows
    outcomes = {(row.contender, row.outcome) for row in rows}
    assert {name for name, outcome in outcomes if outcome == "ok"} >= {
        "cin", "scanf", "getchar", "cin_get", "getchar_tuned", "cin_get_tuned", "fread", "fread_whole",
        "mmap", "hand_written", "headrace_stream", "headrace_values", "headrace_bulk", "raw_read",
    }  # fmt: skip
    assert {outcome for _, outcome in outcomes} <= {"ok", "skipped"}, [
        row.detail for row in rows if row.detail
    ]


def test_the_programs_are_those_of_the_benchmark_of_processes() -> None:
    whole, within = benchmarks.find("read_unsigned"), benchmarks.find("read_unsigned_in_process")
    files = {one.file.resolve() for one in whole.contenders()}
    assert {one.file.resolve() for one in within.contenders()} <= files
    left_out = {one.name for one in whole.contenders()} - {one.name for one in within.contenders()}
    assert left_out == {"null", "blazingio"}


def test_the_reports_of_harnesses_are_json(chain: Toolchain, tmp_path: Path) -> None:
    one = benchmarks.read(FUNCTIONS)
    built = build.build(in_process.order(one, "bench.hpp", chain))
    honest = next(c for c in one.contenders() if c.name == "honest")
    made = build.build(in_process.shared(build.Order(honest, chain, "O2", "c++17"), one))
    assert built.program is not None and made.program is not None
    report = tmp_path / "report.json"
    words = [str(built.program), "1000", str(report), str(made.program), str(tmp_path / "sink")]
    done = launch.call(words, environment={in_process.BUDGET: "0.05"})
    assert done.out == "1000\n" and "this is no answer" in done.err
    told = json.loads(report.read_text())
    assert told["functions"][0]["calls"] >= 4
    assert told["report"]["functions"][0]["median"] == pytest.approx(told["functions"][0]["median"])


def test_a_failure_to_launch_stays_one(chain: Toolchain, tmp_path: Path) -> None:
    wanted = launch.Request([str(tmp_path / "gone")], expected=launch.Expected(text="1"))
    result = in_process.Run(wanted, "one", ["{object}", "{report}"])(tmp_path / "one.so", {})
    assert isinstance(result, Failure) and result.outcome == "CRASHED"
