"""Stored ratios, the gate over simulated builds, and builds that run again for real."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import synthetic
from checkout import TOP
from conftest import Command
from headrace.base import places
from headrace.base.errors import BadInput, Failed, NotDecided, NothingToDo
from headrace.commands import compare as command
from headrace.judge import table
from headrace.judge.pair import LOOKS
from headrace.matrix import benchmarks, inputs
from headrace.matrix.compilers import Toolchain
from headrace.measure.plan import Plan
from headrace.measure.plan import Run as Measuring
from headrace.processes import launch
from headrace.race import commits, compare, selftest
from headrace.race.options import RunOptions
from headrace.race.rows import cross
from headrace.results import store
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Comparison, Machine, Metric, Row, Run, Sample
from synthetic import likely

DATA = TOP / "tests" / "data"


def sample(wall: float, number: int = 0) -> Sample:
    return Sample(round=number, wall=wall, user=wall * 0.7, system=wall * 0.2, peak_memory=0)


def row(name: str, times: list[float], base: str = "", build: str = "", benchmark: str = "read_ints") -> Row:
    comparisons = [
        Comparison(other=base, metric=metric, ratio=1, low=1, high=1, rounds=len(times), verdict="the same")
        for metric in ("wall", "cpu")
    ]
    return synthetic.a_row(
        name,
        benchmark=benchmark,
        build=build,
        samples=[sample(time, number + 1) for number, time in enumerate(times)],
        comparisons=comparisons if base else [],
    )


def file(rows: list[Row], cpu: str = "one") -> Campaign:
    run = Run(id="one run", looks=[24])
    return Campaign(headrace_version="0", started="", machine=Machine(cpu=cpu, cores=2), rows=rows, run=run)


def stored(seed: int, ratio: float, scale: float = 1.0, rounds: int = 24, cpu: str = "one") -> Campaign:
    """A campaign of a baseline and one row that takes `ratio` times as long; `scale` is the machine."""
    rng = np.random.default_rng(seed)
    base = scale * rng.lognormal(0, 0.01, rounds)
    this = ratio * scale * rng.lognormal(0, 0.01, rounds)
    return file([row("base", list(base)), row("a", list(this), "base")], cpu)


def change(old: Campaign, new: Campaign, name: str = "a") -> compare.Change:
    return next(one for one in compare.compare_files(old, new).changes if one.id == name)


@pytest.mark.parametrize("metric", ["wall", "cpu"])
def test_rounds_that_resemble_their_neighbours_still_have_an_interval(metric: Metric) -> None:
    phases = np.repeat([1.0, 1.1, 1.0, 1.1], 5)  # each lasts for five rounds, of one build only
    found = table.compare(row("slow", list(57 * phases)), row("base", [1.0] * 20), metric)
    assert found is not None
    assert 50 < found.low_ratio < 57 * 1.05 < found.high_ratio < 70


def test_a_row_that_got_slower() -> None:
    found = change(
        stored(1, 2.0), stored(2, 2.4, scale=3.0)
    )  # a machine thrice as slow today changes nothing
    assert found.verdict == "slower"
    assert found.ratio == pytest.approx(1.2, rel=0.02)
    assert found.high is not None and found.low < 1.2 < found.high
    assert (found.old, found.new) == (pytest.approx(2.0, rel=0.02), pytest.approx(2.4, rel=0.02))


def test_campaigns_that_ran_apart_get_no_verdict_but_the_spread() -> None:
    old, new = stored(1, 2.0), stored(2, 2.4).model_copy(update={"run": Run(id="another")})
    found = compare.compare_files(old, new)
    assert [one.verdict for one in found.changes] == [None, None]
    assert found.changes[1].ratio == pytest.approx(1.2, rel=0.02)
    assert "ran apart" in found.sentence and "NEW/OLD of 1 row is 1.2" in found.sentence


def test_cpu_is_compared_on_request() -> None:
    found = compare.compare_files(stored(1, 2.0), stored(2, 1.0), "cpu")
    assert found.changes[1].verdict == "faster"


def recorded(seed: int, day: float, rounds: int = 36) -> Campaign:
    """A stretch of recorded noise: A is the baseline, B does the same work; a neighbour disturbs both."""
    rng = np.random.default_rng(seed)
    walls = json.loads((DATA / "noise" / "two_state.json").read_text())["wall"]
    start = int(rng.integers(0, len(walls["A"]) - rounds))
    base, this = (walls[name][start : start + rounds] for name in ("A", "B"))
    today = float(rng.lognormal(0, day))  # another layout of memory: one factor per campaign
    return file([row("base", base), row("a", [wall * today for wall in this], "base")])


def test_false_alarms_of_stored_ratios() -> None:
    """The same program in pairs of campaigns, in recorded noise.

    Rounds of one run raise few. Were each campaign's own day taken for rounds of one run, most pairs would be
    called different: this noise shows the defect. So campaigns that ran apart get the ratio and no verdict.
    """
    words = ("faster", "slower", "a small difference")
    together = [change(recorded(2 * n, 0.0), recorded(2 * n + 1, 0.0)).verdict for n in range(200)]
    assert sum(word in words for word in together) <= 10
    called, verdicts = 0, set()
    for n in range(100):
        old, new = recorded(2 * n, 0.1), recorded(2 * n + 1, 0.1)
        called += change(old, new).verdict in words
        apart = new.model_copy(update={"run": Run(id="another")})
        verdicts.add(change(old, apart).verdict)
    assert called > 50
    assert verdicts == {None}


def test_few_rounds_tell_only_what_is_far() -> None:
    near, far = (change(stored(1, 1.0, rounds=4), stored(2, ratio, rounds=4)) for ratio in (1.02, 9.0))
    assert (near.verdict, far.verdict) == ("not decided", "slower")
    assert far.high is not None and 4 < far.low < 9 < far.high < 20


def test_two_machines_are_named_as_such() -> None:
    one, other = stored(1, 2.0), stored(2, 2.0, scale=10, cpu="two")
    found = compare.compare_files(one, other)
    assert not found.same_machine and found.sentence.startswith("Two machines")
    assert found.changes[1].ratio == pytest.approx(1.0, rel=0.03)
    assert compare.compare_files(one, one).sentence.startswith("Both files are of one campaign")


def test_what_cannot_be_compared_says_why() -> None:
    plain = stored(1, 2.0)
    base, a = plain.rows
    assert "the baseline" in change(plain, plain, "base").note
    wrong = a.model_copy(update={"outcome": "WRONG", "detail": "expected 7, got 8"})
    assert change(plain, file([base, wrong])).note == "WRONG in NEW: expected 7, got 8"
    assert "the inputs differ" in change(plain, file([base, a.model_copy(update={"input_bytes": 9})])).note
    cold = file([base, a]).model_copy(update={"cold": True})
    assert "page cache in NEW only" in change(plain, cold).note
    other = row("other", [1.0] * 24)
    elsewhere = file([other, row("a", [2.0] * 24, "other")])
    assert change(plain, elsewhere).note == "the baselines differ"
    rebuilt = file([base.model_copy(update={"build": "ffff"}), a])
    assert "the build of its baseline changed" in change(plain, rebuilt).note
    lost = compare.compare_files(plain, file([base, row("b", [1.0] * 24, "base")]))
    assert (lost.only_old, lost.only_new) == (["a"], ["b"])


# The gate, over simulated builds


Again = Callable[[Row], Measuring]


def gate(
    old: Campaign, new: Campaign, again: Again, plan: Plan, contenders: Sequence[str] = ()
) -> compare.GateReport:
    sides = [compare.Side(compare.by_id(one), again) for one in (old, new)]
    return compare.gate(sides[0], sides[1], plan, contenders)


def builds(seed: int, times: dict[str, float], noise: float = 0.02) -> Again:
    """Builds that take `times[digest]` seconds."""
    rng = np.random.default_rng(seed)

    def make(one: Row) -> Measuring:
        if one.build not in times:
            raise BadInput(f"its build {one.build} is not in the cache")

        def run(number: int) -> Sample:
            return sample(times[one.build] * float(rng.lognormal(0, noise)))

        return run

    return make


def pair(old: str = "aaaa", new: str = "bbbb") -> tuple[Campaign, Campaign]:
    """The stored times say that NEW is ten times slower; the gate must not care."""
    return file([row("a", [1.0] * 12, build=old)]), file([row("a", [10.0] * 12, build=new)])


def run_gate(slower: float, seed: int = 1, looks: tuple[int, ...] = LOOKS) -> compare.GateReport:
    old, new = pair()
    again = builds(seed, {"aaaa": 1.0, "bbbb": slower})
    return gate(old, new, again, Plan(seed=seed, gate=0.05, elapsed=0.0, looks=looks))


def test_the_gate_trusts_no_stored_time() -> None:
    report = run_gate(1.0)
    assert report.failures == [] and report.untried == []
    assert report.rows[0].comparison is not None
    assert report.rows[0].comparison.ratio == pytest.approx(1.0, rel=0.03)


def test_the_gate_fails_only_by_the_near_bound() -> None:
    clear = run_gate(1.2).rows[0]
    assert clear.outcome == "FAILED" and clear.comparison is not None and clear.comparison.low > 1.05
    assert clear.comparison.rounds <= 48  # known at the first look
    near = run_gate(1.0505)  # at the edge: neither is proved
    assert near.rows[0].comparison is not None
    assert near.rows[0].comparison.low < 1.05 < (near.rows[0].comparison.high or 0)
    assert near.failures == [] and near.rows[0].outcome == "not decided"
    with pytest.raises(NotDecided, match="not decided for 1 of 1 row, a"):
        command._end(near)


@pytest.mark.slow
def test_the_gate_at_its_edge_seldom_fails() -> None:
    """Exactly at the threshold: one gate of twenty fails at most. Far beyond it: all do.

    At the threshold each gate runs up to its last look: after 192 rounds here, not after 1,536.
    """
    looks = LOOKS[:5]
    assert sum(bool(run_gate(1.05, seed, looks).failures) for seed in range(40)) <= likely(40)
    assert all(run_gate(1.15, seed).failures for seed in range(10))


def test_rows_that_need_no_run() -> None:
    old, new = pair("aaaa", "aaaa")
    report = gate(old, new, builds(1, {}), Plan(gate=0.05))
    assert report.rows[0].note == "the same build in both files"
    assert report.failures == report.untried == []
    broken = file([new.rows[0].model_copy(update={"outcome": "CRASHED", "detail": "signal 11"})])
    assert gate(old, broken, builds(1, {}), Plan(gate=0.05)).failures
    assert not gate(broken, old, builds(1, {}), Plan(gate=0.05)).failures


def test_a_build_that_is_gone_is_not_passed() -> None:
    old, new = pair()
    report = gate(old, new, builds(1, {"bbbb": 1.0}), Plan(gate=0.05))
    assert report.untried[0].note == "its build aaaa is not in the cache"
    with pytest.raises(BadInput, match="1 of 1 row could not run again"):
        command._end(report)


def test_a_new_build_that_lies_fails_the_gate() -> None:
    old, new = pair()
    good = builds(1, {"aaaa": 1.0})

    def lies(number: int) -> Failure:
        return Failure("WRONG", "expected 7, got 8")

    def again(one: Row) -> Measuring:
        return good(one) if one.build == "aaaa" else lies

    report = gate(old, new, again, Plan(gate=0.05))
    assert report.failures[0].note == "WRONG: expected 7, got 8"
    with pytest.raises(Failed, match="no answer any more: a"):
        command._end(report)


def test_contenders_choose_rows() -> None:
    old, new = pair()
    with pytest.raises(NothingToDo, match="matches --contender"):
        gate(old, new, builds(1, {}), Plan(gate=0.05), ["headrace_*"])


@pytest.mark.parametrize(("text", "share"), [("5%", 0.05), ("5", 0.05), (" 2.5 % ", 0.025), ("0%", 0.0)])
def test_percentages(text: str, share: float) -> None:
    assert command.read_share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "fast", "-1%", "nan", "inf%", "5%%"])
def test_bad_percentages(text: str) -> None:
    with pytest.raises(BadInput, match="a percentage such as 5%"):
        command.read_share(text)


# Builds from the cache and from a commit


def test_a_digest_is_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    folder = places.cache_folder("builds", "0123456789abcdef01234567")
    (folder / "program").write_bytes(b"")
    assert commits.cached("0123456789abcdef01234567") == folder / "program"
    assert commits.cached("../builds/0123456789abcdef01234567") is None
    assert commits.cached("") is None
    assert commits.cached("f" * 24) is None


@pytest.mark.parametrize(
    ("commit", "reason"),
    [
        ("", "names no commit"),
        ("--output=x", "names no commit"),
        ("0123456789ab-dirty", "that no commit holds"),
        ("000000000000", "git has no commit 000000000000 here"),
    ],
)
def test_a_commit_that_cannot_be_had_says_why(commit: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=reason):
        commits.unpack_commit(commit, tmp_path)


def lines_of_one_tool(folder: Path, compiler: str, statuses: dict[str, int]) -> benchmarks.Benchmark:
    """A benchmark whose contenders are built by lines that begin with one compiler."""
    folder.mkdir(parents=True)
    head = 'title = "t"\nquestion = "q"\nbaseline = "first"\n[input]\ngenerator = "text"\nsize = 10\n'
    lines = [
        f'[[contender]]\nname = "{name}"\nsource = "own.c"\n'
        f'build = "{compiler} -x c -DSTATUS={status} own.c -o {{program}}"\n'
        for name, status in statuses.items()
    ]
    (folder / "benchmark.toml").write_text("".join([head, *lines]))
    (folder / "own.c").write_text("int main(void) { return STATUS; }\n")
    return benchmarks.read(folder)


def test_lines_of_one_tool_are_each_row_s_own_as_its_commit_has_it(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unpack(commit: str, tree: Path) -> None:
        lines_of_one_tool(tree / "benchmarks" / "mine", chain.command[0], {"first": 3, "second": 4})

    monkeypatch.setattr(commits, "unpack_commit", unpack)
    today = lines_of_one_tool(tmp_path / "mine", chain.command[0], {"first": 1, "second": 2})
    words, statuses = [], []
    with commits.Builds() as again:
        for lane in cross(today, [chain], RunOptions([])):
            tool = again._toolchain(lane.row().toolchain, lane.contender.spec.build)
            words.append(tool.flags[2])
            made = again._rebuild(file([]), lane.row(), dataclasses.replace(lane, toolchain=tool))
            statuses.append(launch.call([str(made.program)]).code)
        with pytest.raises(BadInput, match="the toolchain another-1.2 is not on this machine"):
            again._toolchain("another-1.2", today.contenders()[0].spec.build)
    assert (words, statuses) == (["-DSTATUS=1", "-DSTATUS=2"], [3, 4])


@pytest.mark.slow
def test_a_missing_build_is_rebuilt_from_its_commit_and_raced(own_cache: Path, chain: Toolchain) -> None:
    """For real: build hand_written as the last commit has it, and race it against scanf_printf."""
    top = places.checkout()
    if top is None or not (top / ".git").exists():
        pytest.skip("needs a git checkout")
    commit = launch.call(["git", "-C", str(top), "rev-parse", "HEAD"]).out.strip()

    size = {"rows": "300", "columns": "300"}
    spec = benchmarks.find("read_ints").spec
    given = inputs.make(inputs.changed(spec.input, size), spec.tolerance)

    def stored_row(contender: str, digest: str) -> Row:
        update = {
            "input_bytes": given.bytes,
            "benchmark": "read_ints",
            "contender": contender,
            "toolchain": chain.name,
            "input": size,
        }
        return row("a", [1.0], build=digest).model_copy(update=update)

    update = {"commit": commit, "toolchains": [chain.info()]}
    old = file([stored_row("hand_written", "a" * 24)]).model_copy(update=update)
    new = file([stored_row("naive_cin_cout", "b" * 24)]).model_copy(update=update)
    with commits.Builds() as again:
        report = compare.gate(again.side(old), again.side(new), Plan(rounds=6, gate=0.05))
    assert report.untried == []
    (one,) = report.failures
    assert one.comparison is not None and one.comparison.low > 1.05
    other = chain.info().model_copy(update={"version": "0.1"})
    with commits.Builds() as again:
        older = old.model_copy(update={"toolchains": [other]})
        report = compare.gate(again.side(older), again.side(new), Plan(rounds=6, gate=0.05))
    assert f"was made by {chain.name} 0.1, and this machine has" in report.untried[0].note


# The command line


def saved(folder: Path, old: Campaign, new: Campaign) -> list[str]:
    store.save(old, folder / "old.json")
    store.save(new, folder / "new.json")
    return ["compare", str(folder / "old.json"), str(folder / "new.json")]


def test_the_command_prints_rows_and_json(inside: Command, tmp_path: Path) -> None:
    words = saved(tmp_path, stored(1, 2.0), stored(2, 2.4))
    shown = inside(*words, code=0).stdout
    assert "slower" in shown and "of one campaign" in shown
    printed = json.loads(inside(*words, "--json").stdout)["changes"][1]
    assert printed["verdict"] == "slower" and printed["low"] < 1.2 < printed["high"]


@pytest.mark.parametrize("more", [[], ["--json"], ["--fail-if-slower", "5%"]])
def test_nothing_in_common_is_exit_3(inside: Command, tmp_path: Path, more: list[str]) -> None:
    words = saved(tmp_path, stored(1, 2.0), file([row("elsewhere", [1.0] * 24)]))
    done = inside(*words, *more, code=3)
    assert done.stdout == "" and "no row is in both files: OLD has base, NEW has elsewhere" in done.stderr
    done = inside("compare", words[1], words[1], *more, "--contender", "b*d", code=3)
    assert done.stdout == "" and "matches --contender b*d; both have base and a" in done.stderr


def test_a_gate_that_cannot_run_is_no_success(inside: Command, tmp_path: Path) -> None:
    done = inside(*saved(tmp_path, *pair()), "--fail-if-slower", "5%", code=2)
    assert "could not run again" in done.stderr and "not tried" in done.stdout


# The selftest, over simulated processes


@dataclasses.dataclass
class Spinning:
    """Runs whose time is a microsecond a step, and a clock that they alone move.

    `tick` is the resolution of processor time.
    """

    noise: float
    tick: float = 0.0
    now: float = 0.0
    rng: np.random.Generator = dataclasses.field(default_factory=lambda: np.random.default_rng(3))

    def clock(self) -> float:
        return self.now

    def spin(self, steps: int, kind: str, luck: int) -> Measuring:
        def once(number: int) -> Sample:
            wall = steps * 1e-6 * float(self.rng.lognormal(0, self.noise))
            self.now += wall
            cpu = round(wall / self.tick) * self.tick if self.tick else wall
            return Sample(round=0, wall=wall, user=cpu, system=0.0, peak_memory=0)

        return once

    def check(self, campaigns: int, **more: Any) -> selftest.Report:
        return selftest.check(self.spin, 8000, campaigns, clock=self.clock, **more)


@pytest.mark.slow
def test_selftest_passes_where_times_are_steady() -> None:
    seen: list[int] = []
    report = Spinning(0.01).check(20, watch=seen.append)
    assert report.passes and report.power.cpu >= 18
    assert seen == list(range(1, 61))
    figures = json.loads(report.as_json())
    assert figures["power"]["cpu_share"][1] > 0.9 and figures["alarms"]["wall_share"][0] < 0.05
    assert "BROKEN" not in report.as_text()


def test_a_selftest_ends_in_time() -> None:
    report = Spinning(0.01).check(60, seconds=0.0)
    assert report.alarms.campaigns == report.unrelated.campaigns == report.power.campaigns == 1
    assert report.passes and "open, as 1 campaign cannot tell" in report.as_text()


def of_selftest(alarms: selftest.Count, power: selftest.Count) -> selftest.Report:
    return selftest.Report(alarms, alarms, power, [], 1, 1.0)


def test_twenty_campaigns_prove_no_promise() -> None:
    """18 of 20 is 90 %, but the true share may well be 70 %."""
    few = of_selftest(selftest.Count(20, 1, 0), selftest.Count(20, 9, 18))
    assert (
        "slower in 18 of 20 [68%, 99%] by processor time (at least 90%): open, as 20 campaigns"
        in few.as_text()
    )
    assert few.kept == {"alarms": None, "unrelated": None, "power": None, "places": True} and few.passes
    many = of_selftest(selftest.Count(400, 9, 10), selftest.Count(400, 9, 390))
    assert many.kept["alarms"] and many.kept["power"] and many.as_text().count(": kept") == 3
    broken = of_selftest(selftest.Count(60, 10, 0), selftest.Count(60, 9, 40))
    assert broken.kept["alarms"] is broken.kept["power"] is False and not broken.passes
    assert broken.as_text().count(": BROKEN") == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "guests"),
    [
        (["./a", "./b"], "--with ./a --with ./b"),
        (["./a", "./b", "--fail-if-slower", "5%"], "--with ./a --with ./b"),
        (["./a < in.txt", "./b < in.txt"], "--with ./a --with ./b"),
        (["a.cpp", "there.json"], "--with ./a.cpp"),
        (["there.json", "b"], "--with ./b"),
    ],
)
def test_programs_are_told_what_races_them(
    inside: Command, tmp_path: Path, words: list[str], guests: str
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"\x7fELF\xd0")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "a.cpp").write_text("int main() {}\n")
    store.save(stored(1, 1.0), tmp_path / "there.json")
    said = inside("compare", *words, code=2).stderr
    assert f"is a program, and compare takes results files: headrace run BENCHMARK {guests} races" in said


@pytest.mark.parametrize("name", ["absent", "notes.txt", "cut.json"])
def test_what_is_no_program_is_said_to_be_no_results_file(inside: Command, tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("no results")
    (tmp_path / "cut.json").write_text("{")
    (tmp_path / "cut.json").chmod(0o755)
    assert "is a program" not in inside("compare", name, name, code=2).stderr


@pytest.fixture(scope="module")
def steady() -> selftest.Report:
    return Spinning(0.01).check(1, kinds={"compute": 8000, "calls": 4000})


def test_selftest_ranks_seven_builds_of_each_kind(steady: selftest.Report) -> None:
    assert [(one.kind, one.pairs) for one in steady.places] == [("compute", 20), ("calls", 20)]
    assert all(one.told >= 14 for one in steady.places) and steady.kept["places"] is not False


def test_a_wrong_direction_in_one_table_may_be_chance_and_in_two_is_none(steady: selftest.Report) -> None:
    right, wrong = (selftest.Places("calls", 3, 20, number) for number in (0, 1))
    lucky = dataclasses.replace(steady, places=[right, right, wrong])
    assert (
        lucky.kept["places"] is None
        and "1 wrong direction, 3 of 20 pairs told apart: open" in lucky.as_text()
    )
    broken = dataclasses.replace(steady, places=[right, wrong, wrong])
    assert not broken.passes
    assert "1 wrong direction, 3 of 20 pairs told apart: BROKEN" in broken.as_text()


@pytest.mark.slow
def test_selftest_fails_where_noise_hides_three_percent() -> None:
    report = Spinning(0.3).check(10)
    assert report.kept["power"] is False
    assert report.kept["alarms"] is not False  # noise costs power, never honesty
    assert "BROKEN" in report.as_text()


def test_selftest_says_that_a_clock_is_too_coarse() -> None:
    with pytest.raises(Failed, match="too coarse"):
        selftest.calibrate(lambda steps, kind, luck: lambda number: sample(0.004))
    with pytest.raises(Failed, match="no processor time"):
        Spinning(0.01, tick=0.1).check(1)


def test_selftest_calibrates_the_run() -> None:
    assert selftest.calibrate(Spinning(0.0).spin, 0.008) == pytest.approx(8000, rel=0.01)
