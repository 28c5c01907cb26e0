"""Causes: each rule on facts of its own, their arithmetic, and real programs with a known cause."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import synthetic
from conftest import HERE, Command
from headrace.builds import build
from headrace.explain import (
    causes,
    explainer,
    functions,
    library_loading,
    observed,
    quantities,
    rules,
    siblings,
)
from headrace.explain.observed import Observation, Place, Sampled
from headrace.explain.quantities import Costs
from headrace.explain.rules import Facts, Rule
from headrace.matrix.compilers import Toolchain
from headrace.report import system_calls
from headrace.results import store
from headrace.results.schema import Row, Sample, SystemCalls

SLOWER = {"cpu_ratio": 4.0, "wall_ratio": 4.0, "calls": 20.0, "base.calls": 20.0, "base.writes": 16.0}
USER = {**SLOWER, "user_part": 0.9, "base.reads": 4.0}
WRITING = {**SLOWER, "writes": 50_000.0, "calls": 50_000.0, "write_size": 20.0}
GLIBC = {"toolchain": "g++-12/libstdc++/x86_64-linux", "library": "libstdc++", "sink": "file"}

COMPARING = {cause.name: cause for cause in rules.load().cause if cause.compares}

# For each cause of a row and its baseline: quantities, texts and shares that it and no other wins.
CASES: dict[str, tuple[dict[str, float], dict[str, str], dict[str, float]]] = {
    "start-up": ({**SLOWER, "start_share": 0.9}, {}, {}),
    "as fast": ({"cpu_ratio": 1.02, "wall_ratio": 1.01}, {}, {}),
    "faster by fewer calls": (
        {"cpu_ratio": 0.4, "calls": 4, "base.calls": 256, "saved_by_calls": 0.8},
        {},
        {},
    ),
    "faster by fewer faults": (
        {"cpu_ratio": 0.4, "faults": 4, "base.faults": 256, "saved_by_faults": 0.8},
        {},
        {},
    ),
    "faster in user time": ({"cpu_ratio": 0.4, "user_saved": 0.8}, {}, {}),
    "faster": ({"cpu_ratio": 0.4}, {}, {}),
    "a write per character on a console": ({**WRITING, "write_size": 1}, {"sink": "pty"}, {"writes": 0.8}),
    "a write per byte by the tie": (
        {**WRITING, "write_size": 1},
        {**GLIBC, "settings": "SYNC=true TIE=true"},
        {"writes": 0.8},
    ),
    "a write per byte": ({**WRITING, "write_size": 1}, GLIBC, {"writes": 0.8}),
    "tellp writes out": (
        {**WRITING, "lseek": 50_000},
        {**GLIBC, "text": "to << i << '\\n'; to.tellp();"},
        {"writes": 0.4, "lseek": 0.4},
    ),
    "wide stdio of glibc": (WRITING, {**GLIBC, "text": 'std::wprintf(L"Hello")'}, {"writes": 0.8}),
    "line buffering off a terminal": (WRITING, {**GLIBC, "settings": "MODE=_IOLBF"}, {"writes": 0.8}),
    "line buffering on a terminal": (WRITING, {"sink": "pty-raw"}, {"writes": 0.8}),
    "flush": (WRITING, {**GLIBC, "text": "std::cout << x << std::endl;"}, {"writes": 0.8}),
    "small writes": (WRITING, GLIBC, {"writes": 0.8}),
    "a read per byte": ({**SLOWER, "read_size": 1, "reads": 1e6}, GLIBC, {"reads": 0.8}),
    "small reads": ({**SLOWER, "read_size": 64, "reads": 16_384}, GLIBC, {"reads": 0.8}),
    "small reads and writes": (
        {**WRITING, "reads": 50_000, "read_size": 20},
        GLIBC,
        {"reads": 0.4, "writes": 0.4},
    ),
    "tellp": ({**SLOWER, "lseek": 50_000}, {**GLIBC, "text": "x = to.tellp();"}, {"lseek": 0.8}),
    "seeks": ({**SLOWER, "lseek": 50_000}, GLIBC, {"lseek": 0.8}),
    "an ioctl per print": ({**SLOWER, "ioctl": 50_000}, {**GLIBC, "text": "std::print(x)"}, {"ioctl": 0.8}),
    "writes and ioctls": ({**WRITING, "ioctl": 50_000}, GLIBC, {"ioctl": 0.4, "writes": 0.4}),
    "other calls": ({**SLOWER, "top": 50_000}, {**GLIBC, "top_name": "fsync"}, {"top": 0.8}),
    "faults of a mapping": ({**SLOWER, "faults": 256, "mmap": 1}, GLIBC, {"faults": 0.8}),
    "faults of memory": ({**SLOWER, "faults": 256, "reads": 1, "peak": 1e8}, GLIBC, {"faults": 0.8}),
    "cin of libc++ on stdio": (
        {**USER, "read_size": 4096, "reads": 256},
        {"library": "libc++", "text": "while (std::cin >> x)", "unsynced": "yes"},
        {"rest": 0.9},
    ),
    "user time at equal calls": (USER, GLIBC, {"rest": 0.9}),
    "user time": ({**USER, "calls": 256, "reads": 256, "read_size": 4096}, GLIBC, {"rest": 0.9}),
    "waiting": ({"cpu_ratio": 1.1, "wall_ratio": 3.0, "switches": 90, "waits": 0.9}, GLIBC, {}),
    "kernel time at equal calls": ({**SLOWER, "user_part": 0.1}, GLIBC, {"rest": 0.9}),
    "kernel time": ({**SLOWER, "user_part": 0.1, "calls": 256}, GLIBC, {"rest": 0.9}),
}


def test_every_rule_has_a_case_here() -> None:
    assert sorted(COMPARING) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_rule_wins_on_its_own_facts(name: str) -> None:
    facts = Facts(*CASES[name])
    first = causes.known(facts)[0]
    said = first.says
    assert first.name == name and "{" not in said and "  " not in said and len(said) > 20


@pytest.mark.parametrize("name", CASES)
def test_each_condition_of_a_rule_matters(name: str) -> None:
    """Turned round, any one condition keeps its rule from holding."""
    rule = COMPARING[name]
    opposite = {"<=": ">", ">=": "<", "<": ">=", ">": "<="}
    for quantity, text in rule.when.items():
        sign = re.match(r"[<>]=?", text)
        assert sign is not None
        turned = opposite[sign[0]] + text[sign.end() :]
        changed = rule.model_copy(update={"when": {**rule.when, quantity: turned}})
        assert not changed.holds(Facts(*CASES[name])), (name, quantity)
    for key in rule.where:
        changed = rule.model_copy(update={"where": {**rule.where, key: "(?!)"}})
        assert not changed.holds(Facts(*CASES[name])), (name, key)


def test_rules_name_only_what_is_measured() -> None:
    own = set(quantities.of(_row("a", 1.0), 1 << 20, None)) | set(_calls({}).counts)
    facts = quantities.against(
        quantities.of(_row("a", 1.0), 1 << 20, None),
        quantities.of(_row("b", 2.0), 1 << 20, None),
        1 << 20,
        Costs(1e-7, 1e-7),
    )
    known = own | set(facts.values) | {"lseek", "ioctl", "mmap", "top", "bytes_a_top"}
    for rule in COMPARING.values():
        words = " ".join([*rule.when, *rule.when.values(), *re.findall(r"\{([\w.]+)", rule.says)])
        for word in re.findall(r"[a-z_][\w.]*", words):
            plain = word.removeprefix("base.").removeprefix("sibling.")
            assert plain in known | {"hot", "loading", "cpu", "top_name", "sink"} or re.fullmatch(
                r"e\d+", plain
            ), word


def test_a_row_that_no_rule_explains_is_told_so() -> None:
    assert causes.known(Facts(SLOWER, GLIBC, {"rest": 0.1, "writes": 0.1})) == []
    assert rules.NOTHING.startswith("no rule explains this")


def test_a_comparison_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no comparison"):
        Rule(name="x", says="y", when={"writes": "many"})


# The arithmetic.


def _row(
    name: str, seconds: float, user: float = 0.5, faults: int = 0, calls: SystemCalls | None = None
) -> Row:
    sample = Sample(
        round=1,
        wall=seconds,
        user=seconds * user,
        system=seconds * (1 - user),
        peak_memory=1 << 20,
        minor_faults=faults,
    )
    return synthetic.a_row(
        name, toolchain=synthetic.GCC, samples=[sample] * 3, system_calls=calls or _calls({})
    )


def _calls(counts: dict[str, int], moved: int = 1 << 20) -> SystemCalls:
    base = {"read": 16, "write": 16, "mmap": 22, "exit_group": 1}
    return SystemCalls(
        counts={**base, **counts},
        start_up={"mmap": 22},
        bytes_read=moved,
        read_sizes={65536: 16},
        moved=moved,
    )


def _facts(one: Row, base: Row, mib: int = 1) -> Facts:
    size = mib << 20
    return quantities.against(
        quantities.of(one, size, None), quantities.of(base, size, None), size, Costs(2e-7, 2e-7)
    )


def test_counts_are_a_mib_and_without_the_start_up() -> None:
    assert quantities.calls_a_mib(_calls({"lseek": 8}, moved=4 << 20)) == {"read": 4, "write": 4, "lseek": 2}
    assert quantities.calls_a_mib(_calls({}, moved=0)) == {}


def test_a_million_cheap_calls_explain_a_fifth_of_a_second() -> None:
    facts = _facts(_row("a", 0.21, calls=_calls({"write": 1_000_016})), _row("b", 0.01))
    assert facts.shares["writes"] == pytest.approx(1.0, abs=0.01)
    assert facts.shares["rest"] == pytest.approx(0.0, abs=0.01)
    assert facts.values["top"] == 1_000_016 and facts.texts["top_name"] == "write"


def test_a_few_calls_do_not_explain_a_second_of_user_time() -> None:
    facts = _facts(_row("a", 1.0, user=1.0, calls=_calls({"read": 272})), _row("b", 0.01, user=1.0))
    assert facts.shares["reads"] < 0.01 and facts.shares["rest"] > 0.99
    assert facts.values["user_part"] == pytest.approx(1.0)


def test_system_time_raises_the_price_of_a_call_within_bounds() -> None:
    dear = _facts(_row("a", 1.0, user=0.0, calls=_calls({"write": 1_000_016})), _row("b", 0.01))
    assert dear.shares["writes"] == pytest.approx(1.0, abs=0.02)  # 1 microsecond a call
    dearer = _facts(_row("a", 100.0, user=0.0, calls=_calls({"write": 1_000_016})), _row("b", 0.01))
    assert dearer.shares["writes"] == pytest.approx(0.04, abs=0.01)  # no call takes 100


def test_faults_explain_their_part() -> None:
    facts = _facts(_row("a", 0.011, faults=10_000, user=0.9), _row("b", 0.010, user=0.9))
    assert facts.shares["faults"] == pytest.approx(1.0)
    half = _facts(_row("a", 0.014, faults=10_000, user=0.9), _row("b", 0.010, user=0.9))
    assert half.shares["faults"] == pytest.approx(0.5, abs=0.01)


def test_waiting_is_wall_time_beyond_the_processor_s() -> None:
    slow = _row("a", 0.01)
    waiting = slow.model_copy(update={"samples": [s.model_copy(update={"wall": 0.1}) for s in slow.samples]})
    facts = _facts(waiting, _row("b", 0.01))
    assert facts.shares["waits"] == pytest.approx(1.0) and facts.values["cpu_ratio"] == pytest.approx(1.0)


def test_the_floor_is_taken_off_and_tells_start_up() -> None:
    values = quantities.of(_row("a", 0.012), 1 << 20, _row("null", 0.010))
    assert values["cpu"] == pytest.approx(0.002) and values["start_share"] == pytest.approx(0.833, abs=0.01)
    loading = quantities.of(_row("a", 0.012), 1 << 20, _row("null", 0.010), 0.001)
    assert loading["cpu"] == pytest.approx(0.001) and loading["start_share"] == pytest.approx(0.917, abs=0.01)


def test_a_start_is_told_in_milliseconds_with_the_share_of_the_library() -> None:
    values = quantities.of(_row("a", 0.0012), 1 << 20, _row("null", 0.0010))
    assert values["start_share"] >= 0.7
    facts = Facts({**SLOWER, **values, "start_wall": 0.0008, "whole_wall": 0.0012})
    rule = causes.known(facts)[0].cause
    assert rule is not None and rule.name == "start-up"
    clause = ", of which loading the C++ library 500 µs"
    said = rules.sentence(rule, facts, lambda place: clause if place == "loading" else "")
    assert f"starting a process (800 µs of 1.20 ms{clause})" in said
    assert "starting a process (800 µs of 1.20 ms)," in rules.sentence(rule, facts)


def test_loading_the_library_takes_time_here(chain: Toolchain, tmp_path: Path) -> None:
    build.launcher([chain])
    tries = map(library_loading.loading, [chain] * 5)  # a busy machine may hide it once
    assert any(seconds is not None and 1e-5 < seconds < 0.1 for seconds in tries)
    assert library_loading.loading(replace(chain, runner=["wine"])) is None
    assert library_loading.loading(replace(chain, library="another")) is None
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF...libc.so.6\0")
    assert not library_loading.loads_library(program)
    program.write_bytes(b"\x7fELF...libstdc++.so.6\0libc.so.6\0")
    assert library_loading.loads_library(program)


def test_calls_and_faults_have_a_price_here() -> None:
    known = quantities.costs()
    assert 1e-9 < known.call < 1e-3 and 1e-9 < known.fault < 1e-3


# Functions.


def sampled(count: float, function: str, library: str, call: str = "") -> Sampled:
    return Sampled(count, "R", call, (Place(function, "", 0, library, is_own=False),))


def test_samples_become_functions_and_a_phrase() -> None:
    seen = [
        sampled(400, "__num_get::__stage2_int_loop", "libc++.so.1.0"),
        sampled(300, "_IO_getc", "libc.so.6"),
        sampled(200, "", "libc++.so.1.0"),
        sampled(100, "write", "libc.so.6", "write"),
        Sampled(9000, "S", "nanosleep", ()),
    ]
    shares = functions.shares(Observation(True, 1, 1, 0, 0, 0, [], seen))
    assert [*shares.items()] == [
        (("__num_get::__stage2_int_loop", "libc++.so.1.0"), 0.4),
        (("_IO_getc", "libc.so.6"), 0.3),
        (("", "libc++.so.1.0"), 0.2),
        (("", "the kernel"), 0.1),
    ]
    said = functions.phrase(shares)
    assert said.startswith(
        ": 40 % in formatted extraction through the locale (__num_get::__stage2_int_loop), 30 %"
    )
    assert "20 % in unnamed functions of libc++.so.1.0" in said


def test_too_few_samples_say_nothing() -> None:
    seen = Observation(True, 1, 1, 0, 0, 0, [], [sampled(9, "main", "a")])
    assert functions.shares(seen) == {} and functions.phrase({}) == ""


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
        ("std::__1::__pad_and_output[abi:ne190107]<char>(char)", "__pad_and_output"),
        ("0x0000000000074500", ""),
        ("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)", "operator<<"),
        ("(anonymous namespace)::loop(int)", "(anonymous namespace)::loop"),
    ],
)
def test_names_are_shortened(name: str, expected: str) -> None:
    assert observed.short(name) == expected


TIED = {"writes": 50_000.0, "calls": 50_000.0, "cpu_a_mib": 0.12, "fsync": 9.0}


@pytest.mark.parametrize(
    ("name", "others", "says"),
    [
        ("small writes", [], "not confirmed"),
        (
            "small writes",
            [("the same program untied", {"writes": 100.0, "cpu_a_mib": 0.01}, "setting")],
            "confirmed: untied 12.0 times as fast",
        ),
        (
            "small writes",
            [("the same program untied", {"writes": 100.0, "cpu_a_mib": 0.12}, "setting")],
            "not confirmed: untied takes as long",
        ),
        (  # it still has the cause: faster for another reason
            "small writes",
            [("the same program unsynced", {"writes": 50_000.0, "cpu_a_mib": 0.01}, "setting")],
            "not confirmed",
        ),
        (  # another program, which differs in more than a setting
            "small writes",
            [("mapping (mmap)", {"writes": 0.0, "cpu_a_mib": 0.01}, "finding")],
            "not confirmed",
        ),
        (
            "flush",
            [("newline, without std::endl,", {"writes": 100.0, "cpu_a_mib": 0.03}, "undone")],
            "confirmed: newline, without std::endl, 4.00 times as fast",
        ),
        (
            "other calls",
            [("the same program with N=1", {"cpu_a_mib": 0.06}, "setting")],
            "confirmed: with N=1 2.00 times as fast",
        ),
        (
            "user time",
            [("the same program unsynced", {"calls": 40_000.0, "cpu_a_mib": 0.04}, "setting")],
            "confirmed: unsynced 3.00 times as fast",
        ),
        (  # fewer calls, not less user time
            "user time",
            [("the same program unsynced", {"calls": 4.0, "cpu_a_mib": 0.04}, "setting")],
            "not confirmed",
        ),
        (
            "small writes",
            [("the same program on libc++", {"writes": 1.0, "cpu_a_mib": 0.04}, "library")],
            "not confirmed",
        ),
        (
            "wide stdio of glibc",
            [("the same program on musl", {"writes": 1.0, "cpu_a_mib": 0.04}, "library")],
            "confirmed: on musl 3.00 times as fast",
        ),
    ],
)
def test_a_cause_is_confirmed_by_one_change(
    name: str, others: list[tuple[str, dict[str, float], str]], says: str
) -> None:
    facts = Facts(TIED, {"top_name": "fsync"})
    assert siblings.confirmation(COMPARING[name], facts, [siblings.Sibling(*one) for one in others]) == says


# Real programs.


@pytest.fixture(scope="module")
def told(chain_name: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    import subprocess

    from conftest import command

    words = ["explain", str(HERE / "benchmarks" / "explained"), "--toolchain", chain_name, "--json"]
    done = subprocess.run(
        command([*words, "--rounds", "3"]),
        cwd=tmp_path_factory.mktemp("explain"),
        capture_output=True,
        text=True,
        timeout=280,
    )
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
        ("tied true", "a write per byte by the tie"),
        ("tied false", "user time"),
        ("seeks", "tellp"),
        ("wide", "wide stdio of glibc"),
        ("line_ends", "flush"),
        ("small_reads", "small reads"),
        ("ioctls", "other calls"),
        ("thinks", "user time at equal calls"),
    ],
)
def test_the_cause_is_found(told: dict[str, dict[str, object]], contender: str, rule: str) -> None:
    assert told[contender]["rule"] == rule, told[contender]


@pytest.mark.slow
def test_the_tied_copy_names_its_untied_sibling(told: dict[str, dict[str, object]]) -> None:
    said = str(told["tied true"]["cause"])
    assert re.search(r"1,048,576 writes per MiB against 16; the same program untied makes 25\d", said), said
    assert re.search(r"; confirmed: untied [\d.,]+ times as fast$", said), said  # of its 20
    assert str(told["wide"]["cause"]).endswith("; not confirmed")


@pytest.mark.slow
def test_the_function_that_takes_the_time_is_named(told: dict[str, dict[str, object]]) -> None:
    assert re.search(r"\d\d % in think", str(told["thinks"]["cause"])), told["thinks"]


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
    assert naive.cause and "calls" in naive.cause and rows["hand_written"].cause == ""
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
    document = Path(__file__).resolve().parents[2] / "docs" / "explain.md"
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
