"""Sweeps: curves from rows, crossings where they are known to be, what the start of a process costs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from headrace.report import (
    line_chart,
    markdown,
    page,
    picture_files,
    summary,
    svg,
    sweep,
    sweep_text,
    terminal,
)
from headrace.report.plain_data import as_data
from headrace.report.ranking import groups
from headrace.report.sweep import Sweep
from headrace.report.view import View
from headrace.results.schema import Campaign
from synthetic import GCC, SWEPT, read_ints, swept


def found_in(campaign: Campaign) -> list[Sweep]:
    return sweep.sweeps(groups(campaign))


@pytest.fixture
def one() -> Sweep:
    (found,) = found_in(swept())
    return found


def test_rows_of_several_sizes_are_one_sweep(one: Sweep) -> None:
    assert (one.key, list(one.sizes)) == ("rows", [1, 10, 100, 1000, 10_000])
    assert len(one.curves) == 2 * len(SWEPT)
    assert all(len(curve.points) == 5 for curve in one.curves)


def test_routes_and_two_sizes_are_no_sweep() -> None:
    assert found_in(read_ints()) == []
    campaign = swept()
    two = [row for row in campaign.rows if row.input.get("rows") in (None, "10")]
    assert found_in(campaign.model_copy(update={"rows": two})) == []


def test_a_crossing_is_where_the_times_say(one: Sweep) -> None:
    assert [(each.small.label, each.large.label) for each in one.crossings] == [("light", "mapped")] * 2
    for each in one.crossings:
        assert each.low < 100 < each.high and each.at == pytest.approx(100, rel=0.15)


@pytest.mark.parametrize("place", [20.0, 40.0, 700.0])
def test_between_sizes_a_crossing_is_interpolated(place: float) -> None:
    early, token = 0.0011, 50e-9
    late = early + place * 100 * (token - 10e-9)
    speeds = {"early": (early, token), "late": (late, 10e-9)}
    (found,) = found_in(swept([GCC], 60, speeds))
    (crossing,) = found.crossings
    assert crossing.large.label == "late" and crossing.at == pytest.approx(place, rel=0.5)
    assert crossing.low <= crossing.at <= crossing.high


def test_equal_builds_never_cross() -> None:
    (found,) = found_in(swept([GCC], 24, {"one": (0.001, 2e-9), "other": (0.001, 2e-9)}))
    assert found.crossings == []
    assert any(sentence.startswith("No contender overtakes") for sentence in sweep_text.sentences(found))


def test_too_few_rounds_claim_no_crossing() -> None:
    (found,) = found_in(swept([GCC], 3))
    assert found.crossings == []


def test_the_fit_finds_start_and_token() -> None:
    assert sweep.fitted([(n, 0.002 + n * 3e-6) for n in (1, 10, 100, 1000)]) == pytest.approx((0.002, 3e-6))
    assert sweep.fitted([(1, 0.5), (10, 0.5), (100, 0.5)]) == pytest.approx((0.5, 0.0), abs=1e-9)
    assert sweep.fitted([(5, 0.5), (5, 0.5)]) == pytest.approx((0.5, 0.0))


def test_half_of_the_time_is_start_where_the_rest_has_grown_as_long(one: Sweep) -> None:
    heavy = next(curve for curve in one.curves if curve.label == "mapped")
    half = heavy.half_start()
    assert half is not None and half == pytest.approx(500, rel=0.1)  # 1 ms = 0.5 ms + 500 * 100 * 10 ns
    first, *others = heavy.points
    disturbed = replace(first, spread=heavy.points[-1].spread)  # the start is a small part of it already
    assert replace(heavy, points=[disturbed, *others]).half_start() is None
    floorless = swept()
    infos = [info.model_copy(update={"floor": ""}) for info in floorless.benchmarks]
    (again,) = found_in(floorless.model_copy(update={"benchmarks": infos}))
    assert any("by a fit of time" in sentence for sentence in sweep_text.sentences(again))


def test_sentences_name_winner_crossing_and_start(one: Sweep) -> None:
    text = " ".join(sweep_text.sentences(one))
    assert "At rows = 10,000, `mapped`" in text and "costs least: 11.5 ns per token" in text
    assert "overtakes `light` at about rows = " in text and "below it `light` is faster" in text
    assert "The start of a process (`null`, " in text and "66 % of the time of `mapped`" in text


def test_every_report_shows_the_sweep_and_not_its_sizes(tmp_path: Path) -> None:
    campaign = swept()
    console = Console(width=100, record=True, file=(tmp_path / "out").open("w"))
    terminal.render(View(campaign), console)
    shown = console.export_text()
    assert "sizes, file to null: cost against rows" in shown and "rows = 1:" not in shown
    assert all(len(line) <= 100 for line in shown.splitlines())
    assert "overtakes" in markdown.text([View(campaign)])
    data = as_data(View(campaign))
    assert [len(each["crossings"]) for each in data["sweeps"]] == [2]
    names = {path.name for path in picture_files.draw(View(campaign), tmp_path, "s")}
    assert len(names) == 4 and all(name.startswith("s-against-rows-") for name in names)


def test_the_page_has_one_view_of_a_sweep() -> None:
    text = page.html([View(swept())])
    wide_and_narrow = 2
    assert text.count('class="curve"') == 2 * 3 * wide_and_narrow
    assert text.count('class="ring"') == 2 * wide_and_narrow
    assert text.count('class="point"') == 5 * 4 * 2 * wide_and_narrow
    assert "<option>rows = 10000</option>" in text and "overtakes mapped" not in text
    assert len(re.findall(r"<h3>file to null", text)) == 1


def test_a_cause_on_the_page_names_the_sizes_that_it_is_of() -> None:
    campaign = swept()
    last = campaign.rows[-1].model_copy(update={"cause": "it waits"})
    text = page.html([View(campaign.model_copy(update={"rows": [*campaign.rows[:-1], last]}))])
    assert re.search(rf"<code>{last.contender}</code> \([^)]*\), rows = 10000</dt>\s*<dd>it waits", text)


def test_a_phone_shows_the_whole_picture_and_the_names_at_the_ends(one: Sweep) -> None:
    (picture, *_) = line_chart.of_sweep(one)
    drawn = svg.inline(picture.narrow)
    assert f'viewBox="0 0 {svg.NARROW} ' in drawn and drawn.count('class="name"') >= len(picture.lines)
    assert all(float(x) < 0.9 * svg.NARROW for x in re.findall(r'class="name" x="([\d.]+)"', drawn))


def test_labels_are_moved_apart_and_no_further() -> None:
    assert line_chart.spread_out([10, 50, 90], 15) == [10, 50, 90]
    moved = line_chart.spread_out([10, 12, 14, 80], 15)
    assert [b - a for a, b in pairwise(moved[:3])] == pytest.approx([15, 15])
    assert moved[1] == pytest.approx(12) and moved[3] == 80
    assert line_chart.label_places([12, 10, 14], 15, 0, 30) == [15, 0, 30]


def test_ticks_are_round_and_inside() -> None:
    assert svg.log_ticks(1, 1e4) == [1, 10, 100, 1000, 10_000]
    assert svg.log_ticks(3, 60) == [5, 10, 20, 50]
    assert [line_chart.tick_text(tick) for tick in (0.5, 1000, 1e7)] == ["0.5", "1,000", "10 M"]


def test_a_sweep_tells_the_place_of_one_s_own_program_and_who_has_no_time() -> None:
    campaign = swept([GCC])
    infos = [info.model_copy(update={"own": ["light"], "baseline": "mapped"}) for info in campaign.benchmarks]
    failed = {"outcome": "CRASHED", "detail": "ended by SIGSEGV", "samples": []}
    rows = [
        row.model_copy(update=failed) if (row.contender, row.tokens) == ("heavy", 100) else row
        for row in campaign.rows
    ]
    (found,) = found_in(campaign.model_copy(update={"benchmarks": infos, "rows": rows}))
    said = summary.of_sweep(found)
    assert any(one.startswith("At rows = 10,000: your `light` ") for one in said), said
    assert "Without a time at rows = 1: CRASHED: `heavy` (g++-12/libstdc++)." in said
    heavy = next(curve for curve in found.curves if curve.label == "heavy")
    assert [point.size for point in heavy.points] == [10, 100, 1000, 10_000]
