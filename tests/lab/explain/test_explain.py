"""Causes of rows: what they take beyond their baseline, by cause, and real programs with a known one."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import native
import synthetic
from checkout import TOP
from conftest import HERE, Command
from headrace.explain import accounts, causes, explainer, findings, observed, rules, trace
from headrace.explain.accounts import Account
from headrace.explain.causes import Known
from headrace.explain.findings import Findings
from headrace.explain.measured_rows import MeasuredRow
from headrace.explain.observed import Calls, Observation, Place, Sampled, Split
from headrace.explain.rules import Facts, Rule
from headrace.matrix.compilers import Toolchain
from headrace.report import system_calls
from headrace.results import store
from headrace.results.schema import Row, Sample, SystemCalls


def cause(name: str, share: float, is_hidden: bool = False) -> Known:
    (found,) = [each for each in rules.load().cause if each.name == name]
    return Known(found, share, f"says {name}", is_hidden)


def an_account(time: float, *causes: Known, start: float = 0.0) -> Account:
    return Account(time, time, time, [*causes], start, start_wall=0.0008, loading=0.0, whole_wall=0.0012)


BASE = an_account(1.0, cause("own code", 0.8), cause("plain reads and writes", 0.2))


def test_what_both_spend_is_no_cause() -> None:
    """Of 4 s, its own code has 2.2, but beyond the baseline's only 1.4; the flushes have all of their 1.6."""
    own = an_account(4.0, cause("own code", 0.55), cause("flush per line", 0.4))
    name, says, found = accounts.compared(own, BASE)
    assert name == "flush per line" and found is not None and found.name == name
    assert says == "says flush per line; 53 % of the time that it takes longer"


def test_a_row_is_as_fast_within_a_margin() -> None:
    for ratio, name in ((0.9, "as fast"), (1.1, "as fast"), (1.2, "own code"), (0.8, "faster")):
        own = an_account(ratio, cause("own code", 0.99))
        assert accounts.compared(own, an_account(1.0, cause("iostreams", 0.9)))[0] == name


def test_a_faster_row_names_what_the_baseline_spends() -> None:
    name, says, found = accounts.compared(an_account(0.25, cause("own code", 0.9)), BASE)
    assert (name, found) == ("faster", None)
    assert says == "0.250 of the baseline's time, which goes there to this: says own code"


def test_a_cause_that_others_hide_spends_nothing() -> None:
    own = an_account(4.0, cause("flush per line", 0.9), cause("tie", 0.9, is_hidden=True))
    assert own.spent("flush per line") == pytest.approx(3.6) and own.spent("tie") == 0
    assert accounts.compared(own, BASE)[0] == "flush per line"


def test_a_row_that_no_cause_explains_is_told_so() -> None:
    for own in (an_account(4.0), an_account(4.0, cause("own code", 0.3))):
        name, says, found = accounts.compared(own, BASE)
        assert (name, found) == ("", None) and says.startswith("no cause explains this: 4.00 times")


def test_start_up_decides_before_all() -> None:
    name, says, _ = accounts.compared(an_account(4.0, cause("own code", 0.9), start=0.9), BASE)
    assert name == "start-up" and "90 % of its time is starting a process (800 µs of 1.20 ms)," in says


def test_every_sentence_is_filled() -> None:
    seen = Observation(True, 1, 1, 0, 0, 0, [], [Sampled(9, "R", "", ())])
    for each in rules.load().cause:
        known = {name for name, _ in re.findall(r"\{(\w+)(:[^}]+)?\}", each.says)}
        assert known <= {"told", "unit", "place", "moved", "what", "faults", "forks", "spots"}, each.name
        texts = dict.fromkeys(["unit", "place", "moved", "what", "spots"], "")
        for count in (0.25, 1.0, 2.0):
            said = rules.sentence(each.says, Facts(dict.fromkeys(["told", "faults", "forks"], count), texts))
            assert "{" not in said and "sss" not in said and not re.search(r"\b1 \w+(?<!s)s\b", said), said
    assert findings.of(_row("a", 1.0).samples[0], seen, seen, {}, "").split.is_known


def test_one_of_a_thing_is_told_in_the_singular() -> None:
    says = "{n:#time}, {n:#other process}"
    told = [rules.sentence(says, Facts({"n": n})) for n in (0.25, 1.0, 2.0, 1234.0)]
    assert told[:2] == ["0.25 times, 0.25 other processes", "1 time, 1 other process"]
    assert told[2:] == ["2 times, 2 other processes", "1,234 times, 1,234 other processes"]


def test_what_others_keep_the_processor_for_changes_no_share() -> None:
    samples = [Sampled(60, "R", "", ()), Sampled(30, "S", "nanosleep", ())]
    alone = observed.split(Observation(True, 1, 1, 0, 0, 0, [], samples))
    assert "waiting 33 % (for sleep 33 %)" in alone.says() and "besides" not in alone.says()
    samples = [Sampled(120, "R", "", ()), samples[1]]  # half of those while others had it
    late = observed.split(Observation(True, 2, 1, 1, 0, 0, [], samples))
    assert (late.own, late.waiting) == (alone.own, alone.waiting) and late.delayed == pytest.approx(0.4)
    assert late.says() == f"{alone.says()}; besides, others kept the processor for 40 % of the run"


def test_a_range_has_both_ends_and_what_was_not_counted_is_none() -> None:
    with pytest.raises(ValueError, match="when.writes"):
        Rule.model_validate({"name": "x", "says": "y", "when": {"writes": ">= 4"}})
    rule = Rule(name="x", says="y", when={"writes": (4, 8)})
    held = [rule.holds(Facts({"writes": writes})) for writes in (3.0, 4.0, 8.0, 9.0)]
    assert held == [False, True, True, False] and not rule.holds(Facts({}))


# The arithmetic.


def _row(name: str, seconds: float, faults: int = 0, calls: SystemCalls | None = None) -> Row:
    half = seconds / 2
    sample = Sample(round=1, wall=seconds, user=half, system=half, peak_memory=1 << 20, minor_faults=faults)
    return synthetic.a_row(name, toolchain=synthetic.GCC, samples=[sample] * 3, system_calls=calls)


def _calls(counts: dict[str, int], moved: int = 1 << 20) -> SystemCalls:
    base = {"read": 16, "write": 16, "mmap": 22, "exit_group": 1}
    return SystemCalls(
        counts={**base, **counts},
        start_up={"mmap": 22},
        bytes_read=moved,
        read_sizes={65536: 16},
        moved=moved,
    )


def test_counts_are_a_mib_and_without_the_start_up() -> None:
    assert trace.calls_a_mib(_calls({"lseek": 8}, moved=4 << 20)) == {"read": 4, "write": 4, "lseek": 2}
    assert trace.calls_a_mib(_calls({}, moved=0)) == {}


MAIN = Place("main", "mine.cpp", 3, "mine", is_own=True)
LEAF = Place("write", "", 0, "libc.so.6", is_own=False)


def test_counts_are_told_per_mib() -> None:
    calls = [Calls("write", "1 file /tmp/out", 1000, 5000, 1.0, (LEAF, MAIN))]
    seen = Observation(True, 1, 1, 0, 0, 0, calls, [Sampled(90, "R", "write", (LEAF, MAIN))], scale=32.0)
    found = findings.of(_row("a", 1.0).samples[0], seen, seen, {"flags": "-O2"}, "mine.cpp")
    assert [each.name for each in found.causes] == ["small system calls"]
    assert "32,000 writes of 5 bytes per MiB in main() at line 3" in found.causes[0].says


def _measured(row: Row, size: int, monkeypatch: pytest.MonkeyPatch, floor: Row | None) -> MeasuredRow:
    monkeypatch.setattr(accounts, "floor_of", lambda *_: floor)
    one = MeasuredRow(None, None, row, None)  # type: ignore[arg-type]  # none is asked for
    one.__dict__["size"] = size
    return one


def found(split: Split, sampled: Observation = causes.UNSEEN) -> Findings:
    return Findings(_row("a", 1.0).samples[0], split, [], Facts({}), sampled=sampled)


def test_the_floor_is_taken_off_and_waiting_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    one = _measured(_row("a", 0.012), 2 << 20, monkeypatch, _row("null", 0.010))
    plain = accounts.account(one, [])
    assert plain.cpu == plain.time == pytest.approx(0.001) and plain.start == pytest.approx(0.833, abs=0.01)
    waits = Split(io=0.1, own=0.4, waiting={"sleep": 0.25}, delayed=0.25)
    assert accounts.account(one, [], found(waits)).time == pytest.approx(0.001 / 0.75)
    paced = Split(io=0.1, own=0.4, waiting={"sleep": 0.25, "a terminal": 0.2, "another process": 0.05})
    assert accounts.account(one, [], found(paced)).time == pytest.approx(0.001 / (0.5 / 0.8))
    piped = _measured(one.row.model_copy(update={"sink": "pipe"}), 2 << 20, monkeypatch, _row("null", 0.010))
    assert accounts.account(piped, [], found(paced)).time == pytest.approx(0.001 / (0.5 / 0.75))


def test_loading_more_than_the_floor_is_part_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    one = _measured(_row("a", 0.010), 1 << 20, monkeypatch, _row("null", 0.001))
    samples = [Sampled(60, "R", "", ())]
    seen = Observation(True, 1, 1, 0, 0, 0, [], samples, loading=40)
    own = accounts.account(one, [], found(Split(), seen))
    assert own.loading == pytest.approx(0.004) and own.cpu == pytest.approx(0.006)
    assert accounts.account(one, [], found(Split(), replace(seen, samples=[]))).loading == 0


def test_time_in_the_kernel_but_in_no_call_is_page_faults() -> None:
    sample = _row("a", 1.0, faults=100_000).samples[0]  # half of it in the kernel
    for in_calls, share in ((0, 0.5), (30, 0.2), (80, 0.0)):
        samples = [Sampled(100 - in_calls, "R", "", (MAIN,)), Sampled(in_calls, "R", "write", (LEAF, MAIN))]
        seen = Observation(True, 1, 1, 0, 0, 0, [], samples)
        found = findings.of(sample, seen, seen, {}, "")
        assert found.facts.values["fault_share"] == pytest.approx(share)


def test_the_largest_spots_are_functions_and_the_kernel() -> None:
    busy = [Sampled(600, "R", "", (MAIN,)), Sampled(400, "R", "write", (LEAF, MAIN))]
    seen = Observation(True, 1, 1, 0, 0, 0, [], [*busy, Sampled(900, "S", "poll", ())])
    assert explainer.spots(seen) == {"main": 0.6, "the kernel": 0.4}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "std::__1::num_get<char, std::__1::istreambuf_iterator<char> >::do_get(int) const",
            "num_get::do_get",
        ),
        ("std::basic_istream<char, std::char_traits<char> >::sentry::sentry", "istream::sentry::sentry"),
        ("main", "main"),
        ("_IO_file_xsputn@@GLIBC_2.2.5", "file_xsputn"),
        ("__memmove_avx512_unaligned_erms", "memmove"),
        ("__strchr_evex", "strchr"),
        ("sum_avx2(int const*)", "sum_avx2"),
        ("std::__1::__pad_and_output[abi:ne190107]<char>(char)", "__pad_and_output"),
        ("0x0000000000074500", ""),
        ("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)", "operator<<"),
        ("(anonymous namespace)::loop(int)", "(anonymous namespace)::loop"),
    ],
)
def test_names_are_shortened(name: str, expected: str) -> None:
    assert observed.short(name) == expected


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ([], "not confirmed"),
        ([("untied", an_account(0.25))], "confirmed: untied 16.0 times as fast"),
        ([("untied", an_account(3.9))], "not confirmed: untied takes as long"),
        # it still has the cause: faster for another reason
        ([("unsynced", an_account(2.5, cause("tie", 0.9)))], "not confirmed"),
        (
            [("untied", an_account(2.0)), ("on libc++", an_account(1.0))],
            "confirmed: on libc++ 4.00 times as fast",
        ),
    ],
)
def test_a_cause_is_confirmed_by_one_change(others: list[tuple[str, Account]], says: str) -> None:
    own = an_account(4.0, cause("tie", 0.9))
    assert accounts.confirmation("tie", own, others) == says


# Real programs.


@pytest.fixture(scope="module")
def told(chain_name: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    from conftest import command

    words = ["explain", str(HERE / "benchmarks" / "explained"), "--toolchain", chain_name, "--json"]
    done = native.call(*command([*words, "--rounds", "3"]), cwd=tmp_path_factory.mktemp("explain"))
    assert done.returncode == 0, done.stderr
    found = {}
    for one in json.loads(done.stdout):
        found[" ".join([one["contender"], *one["variant"].values()])] = one
    return found


@pytest.fixture(scope="module")
def chain_name(chains: list[Toolchain]) -> str:
    return chains[0].name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("contender", "rule"),
    [
        ("tied true", "tie"),
        ("tied false", "synchronised"),
        ("seeks", "tellp per line"),
        ("wide", "unbuffered stdio"),
        ("line_ends", "flush per line"),
        ("small_reads", "small system calls"),
        ("ioctls", "other system calls"),
        ("thinks", "own code"),
    ],
)
def test_the_cause_is_found(told: dict[str, dict[str, object]], contender: str, rule: str) -> None:
    assert told[contender]["rule"] == rule, told[contender]


@pytest.mark.slow
def test_the_tied_copy_names_its_untied_sibling(told: dict[str, dict[str, object]]) -> None:
    said = str(told["tied true"]["cause"])
    assert "flushed before each read: 1,048,576 writes of 1 byte per MiB" in said, said
    assert re.search(r"; confirmed: untied [\d.,]+ times as fast$", said), said  # of its 20
    assert str(told["wide"]["cause"]).endswith("; not confirmed")


@pytest.mark.slow
def test_the_function_that_takes_the_time_is_named(told: dict[str, dict[str, object]]) -> None:
    assert re.search(r"\d % think\(\)", str(told["thinks"]["cause"])), told["thinks"]
    assert "think" in next(iter(told["thinks"]["spots"])) and "your own code" in str(told["thinks"]["time"])  # type: ignore[call-overload]


@pytest.mark.slow
def test_a_campaign_with_explain_keeps_counts_and_causes(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    words = ["run", "read_ints", "--contender", "naive_cin_cout", "--set", "rows=100", "--rounds", "3"]
    done = headrace(*words, "--toolchain", chain.name, "--explain", "--out", "r.json")
    assert done.returncode == 0, done.stderr
    rows = {row.contender: row for row in store.load(tmp_path / "r.json").rows if not row.twin_of}
    naive = rows["naive_cin_cout"]
    assert naive.system_calls is not None and naive.system_calls.moved == naive.input_bytes
    assert naive.cause and rows["hand_written"].cause == ""
    assert naive.system_calls.counts["read"] > rows["hand_written"].system_calls.counts["read"]  # type: ignore[union-attr]
    page = (tmp_path / "r.html").read_text()
    assert (
        "why" in page
        and "System calls by name and size" in page
        and "page faults" in page
        and "up to 4 KiB" in page
    )


def test_what_was_asked_for_comes_first() -> None:
    campaign = synthetic.read_ints([("file", "null")])
    rows = [
        row for row in campaign.rows if row.toolchain == synthetic.GCC and row.samples and not row.twin_of
    ]
    found = [
        explainer.Explanation(
            id=row.id, contender=row.contender, toolchain=row.toolchain, route="file:null",
            cpu_ratio=synthetic.SPEEDS[row.contender][0],
        )
        for row in rows
    ]  # fmt: skip

    def order(asked: list[str]) -> list[str]:
        said = io.StringIO()
        system_calls.render(found, campaign, [], Console(file=said, width=200), asked)
        lines = [line.split(" ")[0] for line in said.getvalue().splitlines()]
        return [word for word in lines if word in synthetic.SPEEDS]

    assert order([])[:2] == ["null", "raw_read"]
    asked = order(["scanf_printf", "naive_cin_cout"])
    assert asked[:5] == ["scanf_printf", "naive_cin_cout", "hand_written", "raw_read", "null"]
    assert sorted(asked) == sorted(order([]))


def test_explain_has_the_sizes_of_traces_in_order() -> None:
    assert 0 < explainer.FIRST < explainer.LARGEST and explainer.BOUND < 60


def test_the_document_has_the_rules_as_they_are() -> None:
    document = TOP / "docs" / "explain.md"
    assert rules.markdown() in document.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("histogram", "text"),
    [
        ({}, ""),
        ({1: 65_536}, "1 B: 65,536"),
        ({0: 1, 2: 3, 4096: 12, 1 << 20: 7}, "2 B: 3; up to 4 KiB: 12; up to 1 MiB: 7; nothing: 1"),
    ],
)
def test_sizes_in_words(histogram: dict[int, int], text: str) -> None:
    assert system_calls.sizes(histogram) == text


def test_what_was_traced_is_told() -> None:
    row = _row("a", 1.0).model_copy(update={"input_bytes": 4 << 20})
    part = SystemCalls(counts={"read": 1}, moved=1 << 20, tool="ptrace")
    assert system_calls.traced_on(part, row) == "ptrace of 1.0 MiB instead of 4.0 MiB"
    cut = part.model_copy(update={"complete": False})
    assert system_calls.traced_on(cut, row) == "ptrace of 1.0 MiB, then cut short"
