"""The pictures: where a time is on the axis, which outliers it leaves to a mark, names that stay whole."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest

import synthetic
from headrace.report import lane_chart, svg
from headrace.report.lane_chart import Chart
from headrace.report.ranking import Group, groups
from headrace.results.schema import Campaign, Row


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return synthetic.read_ints()


@pytest.fixture(scope="module")
def group(campaign: Campaign) -> Group:
    return groups(campaign)[0]


@pytest.fixture(scope="module")
def pictures(group: Group, campaign: Campaign) -> list[Chart]:
    return lane_chart.charts(group, campaign)


def test_a_wide_spread_is_logarithmic_and_a_narrow_one_starts_at_zero(pictures: list[Chart]) -> None:
    every, fast = pictures
    assert (every.name, every.axis.is_log, fast.name, fast.axis.is_log) == ("all", True, "fast", False)
    assert every.axis.share(every.start) == 0 and every.axis.share(every.end) == pytest.approx(1)
    steps = [every.axis.share(every.start * 3**n) for n in range(4)]
    assert [b - a for a, b in pairwise(steps)] == pytest.approx([steps[1]] * 3)
    assert fast.axis.share(0) == 0 and fast.axis.share(fast.end / 4) == pytest.approx(0.25)
    assert "logarithmic" in every.caption and "logarithmic" not in fast.caption
    assert 'class="bar"' in svg.standalone(fast) and 'class="bar"' not in svg.standalone(every)


def test_ticks_are_round_and_on_the_axis(pictures: list[Chart]) -> None:
    for picture in pictures:
        ticks = [tick for tick, _ in picture.axis.ticks]
        assert len(ticks) > 2 and all(picture.start <= tick <= picture.end for tick in ticks)
        for tick in filter(None, ticks):
            number = tick * picture.unit.per_second
            assert number / 10 ** math.floor(math.log10(number * 1.000001)) == pytest.approx(
                round(number / 10 ** math.floor(math.log10(number * 1.000001)), 2)
            )


def test_an_outlier_is_a_mark_and_not_the_end_of_the_axis(campaign: Campaign) -> None:
    victim = next(row for row in campaign.rows if row.contender == "naive_cin_cout" and row.samples)
    late = victim.samples[0].model_copy(update={"wall": 900.0})
    changed = victim.model_copy(update={"samples": [late, *victim.samples[1:]]})
    rows = [changed if row.id == victim.id else row for row in campaign.rows]
    other = campaign.model_copy(update={"rows": rows})
    plain, outlying = (lane_chart.charts(groups(one)[0], one)[0] for one in (campaign, other))
    assert outlying.end < 2 * plain.end
    marked = [lane for _, lanes in outlying.categories for lane in lanes if outlying.beyond(lane)]
    assert [lane.standing.row.id for lane in marked] == [victim.id] and outlying.beyond(marked[0]) == 1
    assert "+1 →" in svg.standalone(outlying) and "+1 →" not in svg.standalone(plain)


def test_the_fast_ones_are_more_than_one_contender(campaign: Campaign) -> None:
    def kept(row: Row) -> bool:
        return row.contender in ("null", "raw_read", "hand_written", "naive_cin_cout")

    few = campaign.model_copy(update={"rows": [row for row in campaign.rows if kept(row)]})
    drawn = lane_chart.charts(groups(few)[0], few)
    assert [one.name for one in drawn] == ["all"]  # the baseline alone, with its limit, is no picture
    labels = [name for name, _ in drawn[0].categories]
    assert "naive_cin_cout" in labels and "hand_written" in labels


def test_a_long_name_is_whole(pictures: list[Chart]) -> None:
    long = "ad_write BUFFER=1048576 " + " ".join(f"SETTING_{number}=value" for number in range(12))
    (_, lanes), *rest = pictures[0].categories
    drawn = svg.standalone(replace(pictures[0], categories=[(long, lanes), *rest]))
    names = re.findall(r'<text class="end"[^>]*>([^<]*)</text>', drawn)
    assert long.split() == " ".join(names).split()[: len(long.split())]
    assert "…" not in drawn


def test_a_name_that_is_too_long_for_its_line_breaks_after_an_underscore(pictures: list[Chart]) -> None:
    (_, lanes), *_ = pictures[0].categories
    narrow = replace(pictures[0].narrow, categories=[("stringstream_iterator", lanes)])
    assert narrow.name_lines("stringstream_iterator") == ["stringstream_", "iterator"]
    assert narrow.name_lines("read SIZE=8192") == ["read SIZE=8192"]


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((24, 24), "the line their median, with its 95 % interval."),
        ((5, 24), "the line their median, with its 95 % interval where there are 6 or more."),
        ((3, 5), "the line their median."),
    ],
)
def test_a_picture_promises_the_intervals_that_it_has(
    campaign: Campaign, counts: tuple[int, int], says: str
) -> None:
    rows = [
        row.model_copy(update={"samples": row.samples[: counts[at > 0]]})
        for at, row in enumerate(campaign.rows)
    ]
    short = campaign.model_copy(update={"rows": rows})
    assert says in lane_chart.charts(groups(short)[0], short)[0].caption


def test_capitals_have_room_left_of_the_axis(pictures: list[Chart]) -> None:
    (_, lanes), *_ = pictures[0].categories
    drawn = svg.standalone(replace(pictures[0], categories=[("pyarrow_start THREADS=0", lanes)]))
    found = re.search(r'<text class="end" x="([\d.]+)"[^>]*>pyarrow_start THREADS=0<', drawn)
    assert found and float(found[1]) >= 8 + 168  # pixels: the card's edge, and the name in DejaVu Sans


def test_a_row_that_no_round_came_to_is_named_as_not_measured(campaign: Campaign) -> None:
    rows = [
        row.model_copy(update={"samples": []}) if row.contender == "scanf_printf" else row
        for row in campaign.rows
    ]
    unmeasured = campaign.model_copy(update={"rows": rows})
    (every, *_) = lane_chart.charts(groups(unmeasured)[0], unmeasured)
    assert "Not drawn: scanf_printf (not measured)" in every.caption


def test_of_a_contender_with_lanes_it_is_said_how_many_of_its_builds_have_none(campaign: Campaign) -> None:
    """What a race had no time for is one toolchain of a contender more often than all of them."""
    others = [
        row.model_copy(update={"samples": [], "toolchain": chain})
        for row in campaign.rows
        if row.contender == "scanf_printf"
        for chain in ("a/b/c", "d/e/f")
    ]
    partly = campaign.model_copy(update={"rows": [*others, *campaign.rows]})
    (every, *_) = lane_chart.charts(groups(partly)[0], partly)
    assert re.search(r"Not drawn: scanf_printf \(not measured: \d builds\)", every.caption)
