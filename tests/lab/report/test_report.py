"""Tests of what a report says: standings, sentences, numbers, terminal table, Markdown, CSV, JSON."""

from __future__ import annotations

import csv as csv_module
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

import synthetic
from headrace.base import units
from headrace.base.errors import BadInput
from headrace.commands import report
from headrace.judge.samples import median_interval
from headrace.judge.table import rejudged
from headrace.report import (
    advice,
    conditions,
    csv,
    findings,
    lane_chart,
    markdown,
    page,
    page_table,
    picture_files,
    ranking,
    side_by_side,
    summary,
    terminal,
)
from headrace.report.columns import BORROWED
from headrace.report.plain_data import as_data
from headrace.report.ratios import Ratio, between
from headrace.report.view import View
from headrace.results import store
from headrace.results.schema import Campaign, Comparison, Finding, Row, Run


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return synthetic.read_ints()


def rendered(campaign: Campaign, width: int, wide: bool = False, **options: object) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, **options)  # type: ignore[arg-type]
    terminal.render(View(campaign), console, wide=wide)
    return out.getvalue()


def having(campaign: Campaign, **changes: object) -> Campaign:
    return campaign.model_copy(update=changes)


def replaced(campaign: Campaign, name: str, **changes: object) -> Campaign:
    rows = [row.model_copy(update=changes) if row.contender == name else row for row in campaign.rows]
    return having(campaign, rows=rows)


def timed(row: Row, *factors: float) -> Row:
    """Multiply the times of a row by the factors, in turn."""
    samples = [
        one.model_copy(update={"wall": one.wall * factors[at % len(factors)]})
        for at, one in enumerate(row.samples)
    ]
    return row.model_copy(update={"samples": samples, "comparisons": []})


# Standings


def test_rows_have_the_places_that_their_rounds_allow(campaign: Campaign) -> None:
    group = ranking.groups(campaign)[0]
    places = [(entry.place, entry.label, entry.toolchain) for entry in group.ranked]
    assert [place for place, label, _ in places if label == "headrace_bulk"] == ["1", "1", "1"]
    assert [place for place, label, _ in places if label == "headrace_stream"] == ["2", "2", "2"]
    assert {place for place, label, _ in places if label == "naive_cin_cout"} == {"10-11"}
    assert [entry.rank for entry in group.lines] == sorted(entry.rank for entry in group.lines)
    assert len(group.lines) == len({label for _, label, _ in places}) < len(group.ranked)


def test_every_table_of_builds_says_that_a_place_is_of_a_contender(campaign: Campaign) -> None:
    said = "place is that of a contender with all its builds"
    single = having(campaign, rows=[row for row in campaign.rows if row.toolchain == synthetic.GCC])
    for view, told in ((View(campaign), True), (View(single), False)):
        group = view.ranked[0]
        texts = [
            markdown.text([view]),
            page_table.Table([group], "t").legend(),
            rendered(view.campaign, 100, True),
        ]
        assert [said in re.sub(r"\s+", " ", text) for text in texts] == [told] * 3


def test_beside_other_campaigns_a_contender_has_the_row_that_its_table_has(campaign: Campaign) -> None:
    """The fastest build has no baseline of its toolchain: the next one has a ratio."""
    rows = [row for row in campaign.rows if (row.contender, row.toolchain) != ("hand_written", synthetic.GCC)]
    rows = [timed(row, 0.9) if row.toolchain == synthetic.GCC else row for row in rows]
    view = View(rejudged(having(campaign, rows=rows)))
    in_table = {row.label: row.to_baseline for row in view.ranked[0].lines}
    ranked = side_by_side.rankings([view, view], ["here", "there"])[0]
    cells = {line[0]: line[1] for line in ranked.grid.rows}
    ratio = in_table["headrace_bulk"]
    assert ratio is not None and cells["headrace_bulk"] == f"{ratio.text} (1)"


def test_of_one_contender_alone_each_build_takes_a_place(campaign: Campaign) -> None:
    only = [row for row in campaign.rows if row.contender in ("null", "naive_cin_cout")]
    group = ranking.groups(rejudged(having(campaign, rows=only)))[0]
    assert [entry.place for entry in group.lines] == ["1-2", "1-2", "3"]


def test_floor_limit_and_repeat_are_shown_but_do_not_compete(campaign: Campaign) -> None:
    group = ranking.groups(campaign)[0]
    roles = {entry.label: entry.role for entry in group.measured if entry.role}
    assert roles == {"null": "floor", "raw_read": "limit", "hand_written": "A/A"}
    assert group.ranked[0].row.contender == "headrace_bulk"


def test_failed_rows_have_no_rank_and_say_why(campaign: Campaign) -> None:
    failed = {entry.label: entry for entry in ranking.groups(campaign)[0].failed}
    assert failed["liar"].problem == "WRONG: expected 4999996, got 4999997"
    assert {entry.rank for entry in failed.values()} == {0}
    assert len(failed) == 5


def test_row_without_samples_is_not_measured(campaign: Campaign) -> None:
    group = ranking.groups(replaced(campaign, "scanf_printf", samples=[]))[0]
    assert {entry.problem for entry in group.failed if entry.label == "scanf_printf"} == {"not measured"}


def test_a_baseline_that_is_not_measured_is_listed_once(campaign: Campaign) -> None:
    group = ranking.groups(replaced(campaign, "hand_written", samples=[]))[0]
    entries = [(entry.label, entry.toolchain) for entry in group.failed if entry.label == "hand_written"]
    assert entries and len(entries) == len(set(entries))


def test_ratio_is_to_the_baseline_of_the_same_toolchain(campaign: Campaign) -> None:
    (entry,) = [
        one
        for one in ranking.groups(campaign)[0].measured
        if one.label == "naive_cin_cout" and one.row.toolchain == synthetic.LIBCXX
    ]
    assert entry.to_baseline is not None
    assert entry.to_baseline.value == pytest.approx(2.76 / 0.0806, rel=0.01)


def test_script_borrows_a_baseline(campaign: Campaign) -> None:
    script = campaign.rows[9].model_copy(
        update={
            "id": "script",
            "contender": "reader.py",
            "toolchain": "script",
            "comparisons": [],
        }
    )
    group = ranking.groups(having(campaign, rows=[*campaign.rows, script]))[0]
    entry = next(entry for entry in group.measured if entry.label == "reader.py")
    assert entry.borrowed_baseline
    assert entry.to_baseline is not None
    with_script = having(campaign, rows=[*campaign.rows, script])
    for plain, marked in (
        (rendered(campaign, 200), rendered(with_script, 200)),
        (markdown.text([View(campaign)]), markdown.text([View(with_script)])),
        (page.html([View(campaign)]), page.html([View(with_script)])),
    ):
        assert BORROWED.lstrip("*") in marked and BORROWED.lstrip("*") not in plain


def test_routes_and_inputs_are_ranked_apart(campaign: Campaign) -> None:
    assert [group.route for group in ranking.groups(campaign)] == ["file:null", "pipe:null"]
    swept = [row.model_copy(update={"id": f"{row.id} s", "input": {"rows": "10"}}) for row in campaign.rows]
    both = having(campaign, rows=[*campaign.rows, *swept])
    assert len(ranking.groups(both)) == 4


def test_target_is_dropped_only_where_all_share_it() -> None:
    one = "g++/libstdc++/x86_64-linux"
    other = "zig/libc++/aarch64-linux"
    assert ranking.short_toolchains([one, "script"]) == {one: "g++/libstdc++", "script": "script"}
    assert ranking.short_toolchains([one, other]) == {one: one, other: other}


# Ratios


def test_median_interval_takes_exact_order_statistics() -> None:
    assert median_interval([5.0] * 5) is None
    assert median_interval([float(value) for value in range(6)]) == (0.0, 5.0)
    # n = 24: P(Binomial(24, 1/2) < 7) = 0.0113, < 8 = 0.0320: the 7th and the 18th value
    assert median_interval([float(value) for value in range(1, 25)]) == (7.0, 18.0)


def test_median_interval_of_many_values_goes_on_where_the_exact_one_ends() -> None:
    values = [float(i) for i in range(1001)]
    near, _ = median_interval(values[:1000]) or (0.0, 0.0)
    far, high = median_interval(values) or (0.0, 0.0)
    assert abs(near - far) <= 2
    assert far + high == 1000  # both ends are as far from the middle
    assert median_interval([1.0] * 100_000) == (1.0, 1.0)


def test_ratio_comes_from_the_campaign_from_either_side(campaign: Campaign) -> None:
    one, other = campaign.rows[6], campaign.rows[9]
    said = Comparison(
        other=other.id, metric="wall", ratio=0.5, low=0.4, high=0.8, rounds=24, verdict="faster"
    )
    one = one.model_copy(update={"comparisons": [said]})
    other = other.model_copy(update={"comparisons": []})
    assert between(one, other) == Ratio(0.5, 0.4, 0.8, "faster", rounds=24)
    assert between(other, one) == Ratio(2.0, 1.25, 2.5, "slower", rounds=24)


def test_ratio_from_rounds_pairs_them(campaign: Campaign) -> None:
    one = campaign.rows[6].model_copy(update={"comparisons": []})
    double = [sample.model_copy(update={"wall": sample.wall * 2}) for sample in one.samples]
    other = one.model_copy(update={"id": "double", "samples": list(reversed(double))})
    ratio = between(other, one)
    assert ratio is not None
    assert ratio.value == pytest.approx(2.0)
    assert ratio.low == pytest.approx(2.0)
    assert between(other, one.model_copy(update={"samples": []})) is None


# Numbers


@pytest.mark.parametrize(
    ("write", "shown"),
    [
        (
            units.ratio,
            {0.234: "0.234", 0.9999: "1.00", 1.0: "1.00", 9.994: "9.99", 9.996: "10.0", 342.4: "342"},
        ),
        (
            units.one_time,
            {3.512: "3.51 s", 0.0241: "24.1 ms", 0.9999: "1.00 s", 4.2e-7: "420 ns", 0.0: "0.00 ns"},
        ),
        (
            units.three_digits,
            {0.000124: "0.000124", 0.9999: "1.00", 9.999: "10.0", 99.97: "100", 1034.2: "1,034", 0.0: "0"},
        ),
        (units.memory, {12: "12 B", 2048: "2.0 KiB", 3 << 20: "3.0 MiB", 5 << 30: "5.0 GiB"}),
    ],
)
def test_numbers_have_three_digits_and_their_unit(
    write: Callable[[float], str], shown: dict[float, str]
) -> None:
    assert {value: write(value) for value in shown} == shown


# Sentences


def test_a_contender_that_was_not_raced_is_listed_once(campaign: Campaign, tmp_path: Path) -> None:
    rows = [row for row in campaign.rows if row.contender != "scanf_printf"]
    page.render([View(having(campaign, rows=rows))], tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text()
    listed = re.findall(r'<(?:p class="contender"|summary)><code>([^<]+)</code>', text)
    assert listed.count("scanf_printf") == 1 and "scanf_printf.cpp" not in listed
    assert len(listed) == len(set(listed))


def test_summary_names_winner_ties_and_runner_up(campaign: Campaign) -> None:
    said = summary.sentences(ranking.groups(campaign)[0], campaign)
    assert re.match(
        r"`headrace_bulk` is fastest: 19\.\d ms( to 19\.\d ms)? with its 3 builds; "
        r"with \S+, 4\.2\d times as fast \[4\.\d+, 4\.\d+\] as `hand_written`, the baseline; "
        r"next is `headrace_stream`, 1\.\d+ \[1\.\d+, 1\.\d+\] times as long, "
        r"both with g\+\+-12/libstdc\+\+\.$",
        said[0],
    )
    assert said[0] == summary.verdict(ranking.groups(campaign)[0], campaign)
    assert said[1].endswith("times as long as the limit, `raw_read`.")


def test_a_runner_up_is_compared_with_what_was_built_alike() -> None:
    """The fastest build of the next one, which is not told apart from b, is of a toolchain of its own."""
    milliseconds = {"a": {"g": 1.0, "c": 1.1}, "b": {"g": 1.3, "c": 1.35}, "d": {"g": 1.3, "l": 1.2}}
    rng = random.Random(0)
    rows = [
        synthetic.a_row(
            f"{name} {chain}", contender=name, toolchain=chain, samples=synthetic.samples(rng, ms / 1e3, 12)
        )
        for name, builds in milliseconds.items()
        for chain, ms in builds.items()
    ]
    judged = rejudged(synthetic.a_campaign(rows, benchmarks=[synthetic.an_info("b", own=["b"])]))
    (group,) = ranking.groups(judged)
    own, first = summary.headline(group, judged)
    assert re.search(
        r"; next is `d`, 1\.[23]\S* \[.*\] times as long, both with \S+, not told apart from `b`\.$", first
    )
    assert own.startswith("Your `b` takes place 2-3 of 3, not told apart from `d` (g): with g, 1.3")


def test_a_single_fastest_build_is_named_alone(campaign: Campaign) -> None:
    only = [
        row for row in campaign.rows if row.toolchain == synthetic.GCC or row.contender != "headrace_bulk"
    ]
    alone = rejudged(having(campaign, rows=only))
    said = summary.sentences(ranking.groups(alone)[0], alone)
    assert re.match(r"`headrace_bulk` is fastest: 19\.\d ms with g\+\+-12/libstdc\+\+, ", said[0])
    assert "builds" not in said[0]


def test_few_rounds_leave_places_open_and_promise_nothing(campaign: Campaign) -> None:
    three = [row for row in campaign.rows if row.toolchain == synthetic.GCC and row.source == "file"][:4]
    few = [row.model_copy(update={"samples": row.samples[:2]}) for row in three]
    short = rejudged(having(campaign, rows=few))
    said = summary.sentences(ranking.groups(short)[0], short)
    assert re.search(r" may each be the fastest, at most 9\d\.\d % apart: ", said[0])
    assert not any("is fastest" in one or "makes it" in one for one in said)


def test_a_control_that_fails_is_said_and_withholds_nothing(campaign: Campaign) -> None:
    odd = rejudged(having(campaign, rows=[timed(row, 1.1) if row.twin_of else row for row in campaign.rows]))
    first, other = ranking.groups(odd)
    said = summary.sentences(first, odd)
    (control,) = [one for one in said if one.startswith("The control failed: ")]
    assert "hand_written` took another time than its own build" in control
    low, high = re.findall(r"1\.(?:09|10) \[([\d.]+), ([\d.]+)\] with .*, at 99 %", control)[0]
    assert 1 < float(low) < float(high)  # the interval that it was judged by
    assert not any(one.startswith("The control failed") for one in summary.sentences(other, odd))
    usual = {row.id: row for row in rejudged(campaign).rows}
    for row in (one.row for one in first.ranked):
        assert row.judged.first == usual[row.id].judged.first and row.judged.last == usual[row.id].judged.last
        assert [one.verdict for one in row.comparisons] == [one.verdict for one in usual[row.id].comparisons]


def test_a_row_that_changed_after_its_rounds_beside_the_baseline_says_so(campaign: Campaign) -> None:
    """Its ratio is of 10 rounds with the baseline, its median of 24 runs: the two contradict each other."""

    def changed(row: Row) -> Row:
        if (row.contender, row.toolchain, row.source) == ("hand_written", synthetic.GCC, "file"):
            return row.model_copy(update={"samples": row.samples[:10]})
        if (row.contender, row.toolchain, row.source) != ("headrace_bulk", synthetic.GCC, "file"):
            return row
        compared = timed(row, *[3.0] * 10, *[1.0] * 14)
        return compared.model_copy(update={"comparisons": row.comparisons})

    odd = rejudged(having(campaign, rows=[changed(row) for row in campaign.rows]))
    first, *others = ranking.groups(odd)
    (said,) = [one for one in summary.sentences(first, odd) if "changed during the race" in one]
    found = re.search(r": (\d+\.\d) ms at the median of the 10 of its 24 runs .*, and (\d+\.\d) ms at", said)
    assert found and said.startswith("`headrace_bulk` with g++-12/libstdc++ changed")
    assert 2.5 < float(found[1]) / float(found[2]) < 3.5
    assert not any("changed during" in one for group in others for one in summary.sentences(group, odd))


def test_the_layout_of_a_row_is_shown_where_it_moves_it(campaign: Campaign) -> None:
    """Layout 2 of one row is 8 % slower; the others have three layouts that are alike."""

    def laid_out(row: Row) -> Row:
        slow = 1.08 if row.contender == "scanf_printf" and row.toolchain == synthetic.CLANG else 1.0
        samples = [
            one.model_copy(update={"layout": at % 3, "wall": one.wall * (slow if at % 3 == 2 else 1.0)})
            for at, one in enumerate(row.samples)
        ]
        return row.model_copy(update={"samples": samples})

    laid = having(campaign, rows=[laid_out(row) for row in campaign.rows])
    (said,) = [one for one in conditions.sentences(laid) if one.startswith("The layout alone")]
    assert "moves `scanf_printf` with clang++-19/libstdc++/x86_64-linux by " in said
    assert 0.05 < float(re.search(r"by (\d+\.\d) %", said)[1]) / 100 < 0.11  # type: ignore[index]
    assert re.search(r"layout.*\n(.*\n)*.*≤ \d", rendered(laid, 240, wide=True))
    one = having(campaign, run=Run(asked={"layouts": 1}))
    assert any("--layouts 1" in said for said in conditions.sentences(one))


def test_findings_follow_the_data(campaign: Campaign) -> None:
    said = " ".join(summary.sentences(ranking.groups(campaign)[0], campaign))
    both = r"With g\+\+-12/libstdc\+\+ and clang\+\+-19/libstdc\+\+, "
    assert re.search(both + r"untying and unsyncing makes it 4\.2\d to 4\.2\d times as fast \(", said)
    assert re.search("With clang..-19/libc.., untying and unsyncing (changes nothing|saves|costs)", said)
    assert "On clang++-19, iostreams take 2.0" in said
    assert "On libstdc++, iostreams" in said


def test_a_finding_of_few_rounds_says_how_many_more_it_takes(campaign: Campaign) -> None:
    def few(row: Row, at: int) -> Row:
        samples = [
            one.model_copy(update={"wall": one.wall * (1 + (5 * at + 7 * number) % 11)})
            for number, one in enumerate(row.samples[:3])
        ]
        return row.model_copy(update={"samples": samples, "comparisons": []})

    rows = [few(row, at) for at, row in enumerate(campaign.rows)]
    hasty = rejudged(having(campaign, rows=rows))
    findings = campaign.benchmarks[0].findings
    assert findings
    said = summary.sentences(ranking.groups(hasty)[0], hasty)
    told = [one for one in said if any(finding.says in one for finding in findings)]
    assert all("not decided" in one and "would decide it" in one for one in told)


@pytest.mark.parametrize(
    ("ratios_", "words"),
    [
        ([(0.99, 0.95, 1.02, None)], "saves at most 5.0 % or costs at most 2.0 %: not decided"),
        (
            [(0.9, 0.7, 1.1, 20), (0.8, 0.6, 1.05, 30)],
            "saves at most 40.0 % or costs at most 10.0 %: not decided; about 30 more rounds would decide it",
        ),
        (
            [(0.99, 0.95, 1.02, 20), (0.99, 0.95, 1.02, None)],
            "saves at most 5.0 % or costs at most 2.0 %: not decided",
        ),
        ([(1.03, 1.01, 1.05, None)], "costs at most 5.0 %: not decided"),
    ],
)
def test_what_is_not_decided_has_bounds(
    ratios_: list[tuple[float, float, float, int | None]], words: str
) -> None:
    alike = [Ratio(value, low, high, "not decided", 0.01, more) for value, low, high, more in ratios_]
    assert findings.change(alike) == words
    assert all(findings.tells(one) for one in alike)


@pytest.mark.parametrize(
    ("low", "high", "more", "tells"),
    [
        (None, None, 20, False),
        (0.5, 2.0, None, False),
        (0.5, 2.0, 0, False),
        (0.5, 2.0, 5000, False),
        (0.5, 2.0, 20, True),
        (0.95, 1.1, None, True),
    ],
)
def test_a_pair_is_told_where_it_says_something(
    low: float | None, high: float | None, more: int | None, tells: bool
) -> None:
    assert findings.tells(Ratio(1.0, low, high, "not decided", 0.01, more)) == tells


def test_a_finding_may_be_about_variants(campaign: Campaign) -> None:
    tuned = replaced(campaign, "headrace_stream", variant={"MODE": "full"})
    finding = Finding(a="headrace_stream MODE=full", b="scanf_printf", says="full buffering")
    info = tuned.benchmarks[0].model_copy(update={"findings": [finding]})
    tuned = tuned.model_copy(update={"benchmarks": [info]})
    said = " ".join(summary.sentences(ranking.groups(tuned)[0], tuned))
    assert "full buffering makes it " in said
    assert "(`headrace_stream MODE=full` to `scanf_printf`: 0." in said


def test_findings_turn_when_the_data_do(campaign: Campaign) -> None:
    slow = ("faster_cin_cout", synthetic.LIBCXX)
    fixed = [timed(row, 0.2) if (row.contender, row.toolchain) == slow else row for row in campaign.rows]
    changed = having(campaign, rows=fixed)
    said = " ".join(summary.sentences(ranking.groups(changed)[0], changed))
    assert re.search("With each of the 3 toolchains, untying and unsyncing makes it 4.2. to (4.9|5.0)", said)


def test_slow_rows_have_their_cause_and_each_cause_is_told_once(campaign: Campaign) -> None:
    said = " ".join(summary.sentences(ranking.groups(campaign)[0], campaign))
    assert said.count("num_get::do_get") == 1
    assert re.search("`naive_cin_cout` with clang..-19/libc.. takes 3[34]", said)


def test_nothing_ranked_is_said(campaign: Campaign) -> None:
    only = [row for row in campaign.rows if row.outcome != "ok"]
    broken = having(campaign, rows=only)
    said = summary.sentences(ranking.groups(broken)[0], broken)
    assert len(said) == 1
    assert said[0].startswith("Nothing could be ranked: WRONG: `liar`")


# The terminal


@pytest.mark.parametrize("width", [80, 100, 120, 160, 240])
def test_table_fits_the_terminal(campaign: Campaign, width: int) -> None:
    lines = rendered(campaign, width).splitlines()
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert "headrace_stream" in text
    assert re.search(r"\[0\.30\d?, 0\.3\d+\]", text)
    assert "\N{HORIZONTAL ELLIPSIS}" not in text


def test_wide_terminal_shows_every_column(campaign: Campaign) -> None:
    head = rendered(campaign, 240, wide=True).splitlines()[2]
    for column in (
        "median ms",
        "base",
        "runs",
        "min",
        "mean",
        "max",
        "limit",
        "ns/token",
        "user",
        "system",
    ):
        assert column in head
    assert "peak MiB" in head
    assert "calls" in head


def test_what_is_shown_first_is_the_answer_and_eight_columns(campaign: Campaign) -> None:
    lines = rendered(campaign, 120).splitlines()
    group = ranking.groups(campaign)[0]
    assert " ".join(lines[2:4]).replace("  ", " ").strip().startswith("headrace_bulk is fastest: ")
    head = next(line for line in lines if "median ms" in line)
    assert head.split() == [
        *"contender toolchain median ms \N{MULTIPLICATION SIGN} base runs ns/token".split()
    ]
    roles = [line.split()[0] for line in lines if line.split()[:1] in (["floor"], ["limit"], ["A/A"])]
    assert max(map(roles.count, roles)) == len(ranking.groups(campaign))
    medians = [one.spread.median for one in group.measured if one.spread]
    assert medians == sorted(medians)


def test_few_warnings_are_shown_and_the_others_counted(campaign: Campaign) -> None:
    many = having(campaign, warnings=[f"Number {at}." for at in range(7)])
    text = rendered(many, 120)
    assert text.count("warning: Number") == 3 and "and 4 more warnings with --wide" in text
    assert rendered(many, 120, wide=True).count("warning: Number") == 7


def test_failed_rows_end_the_table(campaign: Campaign) -> None:
    text = rendered(campaign, 120)
    assert text.index("WRONG") > text.index("naive_cin_cout")
    assert "needs fmt: install libfmt-dev" in text


def test_a_path_in_a_failure_stays_whole(campaign: Campaign) -> None:
    path = "/home/somebody/.cache/headrace/inputs/ints-0123456789abcdef.txt"
    wrong = replaced(campaign, "liar", detail=f"expected 4999996, got 4999997; the input is {path}")
    for width in (80, 200):
        lines = rendered(wrong, width).splitlines()
        assert max(map(len, lines)) <= width
        assert path in " ".join(lines).split()
        assert "skipped" in "".join(lines) and "install libfmt-dev" in " ".join(lines)


@pytest.mark.slow
def test_colours_only_where_wanted(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in rendered(campaign, 120)
    assert "\x1b[34m" in rendered(campaign, 120, force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[34m" not in rendered(campaign, 120, force_terminal=True, color_system="standard")


def test_names_cannot_steer_the_terminal(campaign: Campaign) -> None:
    evil = replaced(campaign, "scanf_printf", contender="[red]a\x1b[2J\nb")
    text = rendered(evil, 240)
    assert "\x1b" not in text
    assert "[red]a" in text


# Documents


def test_markdown_has_a_table_a_ranking_and_escapes(campaign: Campaign) -> None:
    text = markdown.text([View(replaced(campaign, "scanf_printf", contender="<b>|pipe|"))])
    assert text.count("| contender |") == 2
    assert text.endswith("- Warning: the governor is powersave: times vary more; set it to performance\n")
    assert "&lt;b&gt;&#124;pipe&#124;" in text
    assert "<b>" not in text.replace("\\<b", "").replace("`<b>|pipe|`", "")
    widths = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("| ")}
    assert widths == {16}


def test_csv_has_a_line_a_row_and_no_formulas(campaign: Campaign) -> None:
    evil = replaced(campaign, "scanf_printf", contender="=1+1")
    lines = list(csv_module.DictReader(io.StringIO(csv.text([View(evil)]))))
    assert len(lines) == len(campaign.rows)
    assert lines[0]["contender"] == "null"
    assert float(lines[0]["median_s"]) == pytest.approx(0.0011, rel=0.05)
    assert "'=1+1" in {line["contender"] for line in lines}
    wrong = next(line for line in lines if line["outcome"] == "WRONG")
    assert wrong["median_s"] == ""


@pytest.mark.slow
def test_what_ran_under_wine_is_said_wherever_it_is_shown(campaign: Campaign) -> None:
    note = "under wine, not Windows"
    toolchain = campaign.rows[0].toolchain
    rows = [
        row.model_copy(update={"notes": [note]}) if row.toolchain == toolchain else row
        for row in campaign.rows
    ]
    foreign = having(campaign, rows=rows)
    for text in (rendered(foreign, 120), rendered(foreign, 60)):
        assert f"{toolchain.rsplit('/', 1)[0]}: {note}" in text
    marked = [line for line in markdown.text([View(foreign)]).splitlines() if f"({note})" in line]
    assert len(marked) == sum(row.toolchain == toolchain for row in rows)
    lines = list(csv_module.DictReader(io.StringIO(csv.text([View(foreign)]))))
    assert {line["notes"] for line in lines if line["toolchain"] == toolchain} == {note}
    assert {line["notes"] for line in lines if line["toolchain"] != toolchain} == {""}
    assert f"What `{toolchain}` built ran {note}." in conditions.sentences(foreign)
    assert f"built ran {note}." in advice.text([View(foreign)])
    for group in ranking.groups(foreign):
        assert all(note in picture.caption for picture in lane_chart.charts(group, foreign))
    assert note in page.html([View(foreign)])
    assert note not in rendered(campaign, 120) + markdown.text([View(campaign)]) + csv.text([View(campaign)])


# Odd campaigns


def odd_campaigns() -> dict[str, Campaign]:
    base = synthetic.read_ints(routes=[("file", "null")])

    def zero(row: Row) -> Row:
        samples = [sample.model_copy(update={"wall": 0.0}) for sample in row.samples]
        return row.model_copy(update={"samples": samples, "comparisons": []})

    def unbounded(row: Row) -> Row:
        unknown = [one.model_copy(update={"low": 0.0, "high": None}) for one in row.comparisons]
        return row.model_copy(update={"comparisons": unknown})

    rows = base.rows
    variations: dict[str, list[Row]] = {
        "nothing": [],
        "one row": rows[20:21],
        "one sample": [
            row.model_copy(update={"samples": row.samples[:1], "comparisons": []}) for row in rows
        ],
        "a coarse clock": [zero(row) for row in rows],
        "a clock too coarse for some": [zero(row) if at % 3 == 0 else row for at, row in enumerate(rows)],
        "no bounds": [unbounded(row) for row in rows],
        "long names": [row.model_copy(update={"contender": row.contender * 30}) for row in rows],
        "odd toolchain": [row.model_copy(update={"toolchain": "a/b/c/d"}) for row in rows],
    }
    made = {name: having(base, rows=rows) for name, rows in variations.items()}
    made["no descriptions"] = base.model_copy(update={"benchmarks": [], "toolchains": [], "noise": []})
    made["interrupted"] = base.model_copy(update={"interrupted": True})
    single = base.machine.model_copy(update={"cores": 1})
    once = made["one sample"].model_copy(update={"machine": single, "noise": base.noise[:1]})
    made["one of each"] = once.model_copy(update={"rows": once.rows[20:21]})
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", list(odd_campaigns()))
def test_odd_campaigns_are_shown_whole(name: str, tmp_path: Path) -> None:
    odd = odd_campaigns()[name]
    for width in (20, 80, 200):
        assert max((len(line) for line in rendered(odd, width).splitlines()), default=0) <= width
    page.render([View(odd)], tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text()
    assert text.rstrip().endswith("</html>")
    assert "nan" not in re.findall(r"[a-z]+", " ".join(re.findall(r' d="([^"]*)"', text)))
    for path in picture_files.draw(View(odd), tmp_path, "odd"):
        assert path.stat().st_size > 1000
        assert path.suffix == ".svg" or path.read_bytes().startswith(b"\x89PNG")
    assert markdown.text([View(odd)]).count("| contender |") == (0 if name == "nothing" else 1)
    assert csv.text([View(odd)]).count("\n") == len(odd.rows) + 1
    assert json.dumps(as_data(View(odd)), allow_nan=False)


def test_one_of_a_thing_has_no_plural() -> None:
    one = odd_campaigns()["one of each"]
    views = [View(one)]
    text = "\n".join([page.html(views), markdown.text(views), advice.text(views), rendered(one, 200)])
    wrong = r"(?<![\d.,])1 (?:samples|rounds|builds|rows|cores|processors|tokens|campaigns|toolchains)\b"
    assert re.findall(wrong, text) == []
    assert {"1 sample", "1 round", "1 build", "1 core", "1 processor"} <= set(re.findall(r"\b1 \w+", text))


# The command


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    made.command()(report.report)
    made.command("other")(lambda: None)
    return made


@pytest.fixture
def saved(campaign: Campaign, tmp_path: Path) -> Path:
    path = tmp_path / "race.json"
    store.save(campaign, path)
    return path


def test_report_writes_the_page_beside_the_file(app: typer.Typer, saved: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(saved)])
    assert done.exit_code == 0, done.output
    assert "headrace_bulk" in done.output
    assert saved.with_suffix(".html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_report_writes_what_is_asked(app: typer.Typer, saved: Path) -> None:
    folder = saved.parent
    options = ["-o", folder / "p.html", "--markdown", folder / "t.md", "--csv", folder / "t.csv"]
    done = CliRunner().invoke(
        app, ["report", str(saved), *map(str, options), "--pictures", str(folder / "x")]
    )
    assert done.exit_code == 0, done.output
    assert (folder / "p.html").exists()
    assert (folder / "t.md").read_text().startswith("## ")
    assert (folder / "t.csv").read_text().startswith("started,")
    assert sorted(path.name for path in (folder / "x").iterdir())[:2] == [
        "race-file-null-all.png", "race-file-null-all.svg",
    ]  # fmt: skip


@pytest.mark.slow
def test_report_of_several_leaves_the_page_of_each_alone(
    app: typer.Typer, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "later.json"
    other.write_bytes(saved.read_bytes())
    own = [file.with_suffix(".html") for file in (saved, other)]
    for old in own:
        old.write_text("its own")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    done = CliRunner().invoke(app, ["report", str(saved), str(other)])
    assert done.exit_code == 0, done.output
    assert [old.read_text() for old in own] == ["its own", "its own"]
    assert "2 campaigns" in (here / "report.html").read_text()
    assert "Written: report.html" in done.output

    done = CliRunner().invoke(app, ["report", str(saved), str(other), "--pictures", str(tmp_path)])
    assert done.exit_code == 0, done.output
    drawn = {path.name.split("-file-")[0] for path in tmp_path.glob("*-file-*.svg")}
    assert drawn == {"report-race", "report-later"}

    (here / "report.json").write_bytes(saved.read_bytes())
    (here / "report.html").write_text("its own")
    done = CliRunner().invoke(app, ["report", str(saved), "report.json"])
    assert isinstance(done.exception, BadInput) and "with -o" in str(done.exception)
    assert (here / "report.html").read_text() == "its own"


@pytest.mark.parametrize("option", ["-o", "--pictures", "--markdown", "--csv", "--advice"])
def test_an_unwritable_place_is_told_before_the_table(app: typer.Typer, saved: Path, option: str) -> None:
    place = saved / "below" if option == "--pictures" else saved / "below" / "file"  # a file is no folder
    done = CliRunner().invoke(app, ["report", str(saved), option, str(place)])
    assert isinstance(done.exception, BadInput) and done.output == ""
    assert str(saved / "below") in str(done.exception) and "choose another place" in str(done.exception)


def test_a_folder_is_no_page(app: typer.Typer, saved: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(saved), "-o", str(saved.parent)])
    assert isinstance(done.exception, BadInput) and done.output == ""
    assert "is a folder; name a file" in str(done.exception)


def test_report_as_json_is_only_json(app: typer.Typer, saved: Path) -> None:
    done = CliRunner().invoke(app, ["report", str(saved), "--json"])
    data = json.loads(done.stdout)
    assert data[0]["rankings"][0]["rows"][0]["place"] == "floor"
    assert not saved.with_suffix(".html").exists()


# Bad input


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: re.sub(rb'("schema_version": *)\d+', rb"\g<1>999", text), ["update headrace"]),
        (lambda text: text[:1000], ["cut short", "run the campaign again"]),
        (lambda text: b'{"results": []}', ["not a headrace results file"]),
        (lambda text: b"[" * 100_000, ["not a results file"]),
        (lambda text: b"\x89PNG\r\n\x1a\n\xff\xfe", ["not a results file"]),
        (lambda text: re.sub(rb'"tokens": \d+', b'"tokens": "many"', text, count=1), ["rows.0.tokens"]),
        *(
            (
                lambda text, n=n: re.sub(rb'"cores": \d+', b'"cores": 1' + b"0" * n, text),
                [f"a whole number of {n + 1:,} digits"],
            )
            for n in (4000, 5000)
        ),
    ],
    ids=["newer schema", "cut short", "foreign", "brackets", "binary", "wrong type", "cores", "more cores"],
)
def test_what_is_no_results_file_is_refused(
    app: typer.Typer, saved: Path, spoil: Callable[[bytes], bytes], words: list[str]
) -> None:
    saved.write_bytes(spoil(saved.read_bytes()))
    assert_refused(app, saved, words)


@pytest.mark.parametrize(("text", "word"), [("NaN", "finite"), ("-1.0", "greater"), ('"fast"', "number")])
def test_time_that_is_none(app: typer.Typer, saved: Path, text: str, word: str) -> None:
    changed = re.sub(r'"wall": [0-9.]+', f'"wall": {text}', saved.read_text(), count=1)
    saved.write_text(changed)
    assert_refused(app, saved, ["rows.0.samples.0.wall", word])


def test_missing_file(app: typer.Typer, tmp_path: Path) -> None:
    assert_refused(app, tmp_path / "none.json", ["none.json"])


def assert_refused(app: typer.Typer, path: Path, words: list[str]) -> None:
    done = CliRunner().invoke(app, ["report", str(path)])
    assert isinstance(done.exception, BadInput)
    assert str(path) in str(done.exception)
    for word in words:
        assert word in str(done.exception)
