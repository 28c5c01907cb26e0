"""The judge on simulated and recorded noise with known truth: how often it is wrong, and what it sees."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import native
import synthetic
from checkout import TOP
from headrace.judge import schedule
from headrace.judge.pair import (
    ALPHA,
    LOOKS,
    Estimate,
    estimate,
    least_rounds,
    levels,
    look_level,
    p_values,
)
from headrace.judge.pool import half_width, level_reached, pool
from headrace.judge.ranks import closed, holm, rank
from headrace.judge.samples import Times, gather, share_interval
from headrace.judge.table import Table, control, load, typical
from headrace.judge.verdict import (
    MARGIN,
    Verdict,
    gate,
    geometric_mean,
    more_rounds,
    outlook,
    quotient,
    verdict,
)
from headrace.results import store
from headrace.results.schema import Campaign, Machine, Role, Row, Sample, TableNoise
from synthetic import likely

Noise = Callable[[np.random.Generator, int, int], np.ndarray]  # rows, rounds -> logarithms
WORK = np.log1p(np.array([0.0, 0.0, 0.01, 0.03, 0.05, 0.10, 0.30]))  # seven builds and what they do more
EARLY = (12, 24, 36)
FAR = ("faster", "slower")
DIFFERENT = (*FAR, "a small difference")
RECORDED = json.loads((TOP / "tests" / "data" / "noise" / "two_state.json").read_text())["wall"]


def phases(rng: np.random.Generator, rounds: int, longest: int) -> np.ndarray:
    """Whether each round is disturbed: three in ten phases are, of 1 to `longest` rounds."""
    ends = np.cumsum(rng.integers(1, longest + 1, rounds))
    states = rng.random(rounds) < 0.3
    return states[np.searchsorted(ends, np.arange(rounds), side="right").clip(max=rounds - 1)]


def independent(rng: np.random.Generator, rows: int, rounds: int) -> np.ndarray:
    return rng.normal(0, 0.01, (rows, rounds))


def two_state(longest: int) -> Noise:
    def noise(rng: np.random.Generator, rows: int, rounds: int) -> np.ndarray:
        return independent(rng, rows, rounds) + math.log(1.3) * phases(rng, rounds, longest)

    return noise


def each_its_own_state(rng: np.random.Generator, rows: int, rounds: int) -> np.ndarray:
    return independent(rng, rows, rounds) + math.log(1.3) * (rng.random((rows, rounds)) < 0.3)


def drift(rng: np.random.Generator, rows: int, rounds: int) -> np.ndarray:
    """8 % slower over the campaign, and 8 % more from round 12 on."""
    at = np.arange(rounds)
    return independent(rng, rows, rounds) + 0.08 * at / rounds + 0.08 * (at >= 12)


def one_sided(rng: np.random.Generator, rows: int, rounds: int) -> np.ndarray:
    outliers = rng.exponential(0.1, (rows, rounds)) * (rng.random((rows, rounds)) < 0.2)
    return np.abs(independent(rng, rows, rounds)) + outliers


NOISES: dict[str, Noise] = {
    "independent": independent,
    "phases of a round": two_state(1),
    "phases of 1 to 30 rounds": two_state(30),
    "each its own state": each_its_own_state,
    "drift": drift,
    "one-sided": one_sided,
}


def table(logs: np.ndarray) -> Times:
    return Times(logs, np.arange(1, logs.shape[1] + 1))


def stopping(x: np.ndarray, looks: tuple[int, ...] = EARLY) -> Verdict:
    """Judge one pair as a campaign does: look by look, until a verdict is known."""
    said: Verdict = "not decided"
    for rounds in looks:
        pair = estimate(x[:rounds], look_level(ALPHA))
        assert pair is not None
        said = verdict(pair)
        if said != "not decided":
            break
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", NOISES)
def test_at_most_one_campaign_in_twenty_has_a_wrong_place_or_verdict(name: str) -> None:
    """Seven builds with known differences, looked at three times: no direction, no verdict may be wrong."""
    rng = np.random.default_rng(list(NOISES).index(name))
    campaigns, wrong, told = 80, 0, 0
    slower = WORK[None, :] - WORK[:, None] > 0
    for _ in range(campaigns):
        logs = WORK[:, None] + NOISES[name](rng, len(WORK), EARLY[-1])
        bad = False
        for rounds in EARLY:
            times = table(logs[:, :rounds])
            ranking = rank(times, looks=len(LOOKS))
            bad |= bool((ranking.faster & ~slower).any())
            for row in range(1, len(WORK)):
                pair = estimate(times.pairs(row, 0), ranking.level, pool(logs[:, :rounds]))
                assert pair is not None
                bad |= contradicts(verdict(pair), float(WORK[row]))
        wrong += bad
        told += int(ranking.faster.sum())
    assert wrong <= likely(campaigns)
    assert told >= 0.7 * campaigns * slower.sum()


def contradicts(said: Verdict, truth: float) -> bool:
    if said in FAR:
        return (said == "slower") != (truth > 0) or abs(truth) < 0.5 * math.log1p(MARGIN)
    if said == "the same":
        return truth > 1.1 * math.log1p(MARGIN)
    return said == "a small difference" and truth == 0


def test_a_neighbour_that_two_builds_feel_differently_is_no_difference() -> None:
    """Phases of up to 12 rounds, felt 1.30 and 1.32 times: neighbouring rounds depend on each other."""
    rng = np.random.default_rng(2)
    campaigns, wrong = 200, 0
    for _ in range(campaigns):
        disturbed = phases(rng, 100, 12) - 0.3
        x = rng.normal(0, 0.014, 100) + math.log(1.32 / 1.30) * disturbed
        wrong += stopping(x, (60, 100)) in FAR
    assert wrong <= likely(campaigns)


def test_four_builds_that_feel_the_same_are_no_more_certain_than_one() -> None:
    """Phases of up to 12 rounds that only one of two contenders feels, all its builds alike."""
    rng = np.random.default_rng(2)
    four = [{build: contender * 4 + build for build in range(4)} for contender in range(2)]
    called = np.zeros(2, dtype=int)
    for _ in range(200):
        ends = np.cumsum(rng.integers(1, 13, 100))
        felt = rng.normal(0, 0.01, 100)[np.searchsorted(ends, np.arange(100), side="right")]
        logs = np.array([felt + rng.normal(0, 0.005, 100), np.zeros(100)])
        rankings = rank(table(logs)), rank(table(np.repeat(logs, 4, axis=0)), lines=four)
        called += [ranking.faster.any() for ranking in rankings]
    assert called[1] <= 1.1 * called[0]


def test_three_percent_are_found_within_36_rounds_on_a_clean_machine() -> None:
    rng = np.random.default_rng(3)
    found = [stopping(rng.normal(math.log(1.03), 0.014, 36)) == "slower" for _ in range(200)]
    assert np.mean(found) >= 0.9


def recorded(this: str, other: str, rounds: int = 36) -> Iterator[np.ndarray]:
    """Stretches of consecutive recorded rounds."""
    logs = [np.log(np.array(RECORDED[name])) for name in (this, other)]
    for start in range(0, len(logs[0]) - rounds + 1, 12):
        a, b = (one[start : start + rounds] for one in logs)
        yield a - b


def test_recorded_rounds_tell_three_percent_more_work_from_none() -> None:
    found = [stopping(x) == "slower" for x in recorded("C", "A")]
    alarms = [stopping(x) in DIFFERENT for x in recorded("B", "A")]
    assert np.mean(found) >= 0.75
    assert np.mean(alarms) <= ALPHA
    assert not any(stopping(-x) == "slower" for x in recorded("C", "A"))


def test_all_of_the_recording_ranks_its_programs() -> None:
    logs = np.log(np.array([RECORDED["C"], RECORDED["A"], RECORDED["B"]]))
    places = rank(table(logs)).places
    assert places == [(3, 3), (1, 2), (1, 2)]


@pytest.mark.parametrize("shape", ["normal", "cauchy", "uniform", "two states"])
@pytest.mark.parametrize("rounds", [12, 24, 60])
def test_the_test_keeps_its_level_whatever_the_shape(shape: str, rounds: int) -> None:
    rng = np.random.default_rng(rounds)
    size = (8000, rounds)
    x = {
        "normal": rng.normal(size=size),
        "cauchy": rng.standard_cauchy(size),
        "uniform": rng.uniform(-1, 1, size),
        "two states": rng.normal(0, 0.01, size) + 0.26 * rng.integers(-1, 2, size),
    }[shape]
    p = p_values(x)
    for level in (0.05, look_level(ALPHA)):
        assert np.mean(p <= level) <= 1.15 * level + 3 * math.sqrt(level / len(x))


@pytest.mark.parametrize("noise", [one_sided, each_its_own_state])
def test_intervals_hold_the_true_ratio(noise: Noise) -> None:
    rng = np.random.default_rng(7)
    truth, hits = math.log(1.1), 0
    for _ in range(300):
        logs = noise(rng, 2, 24)
        pair = estimate(truth + logs[0] - logs[1])
        assert pair is not None
        hits += pair.low <= truth <= pair.high
    assert hits >= 0.93 * 300


@pytest.mark.parametrize("freedom", native.others_slow([5, 1000]))
@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 10, 20, 40, 160])
def test_intervals_hold_the_true_ratio_as_often_as_they_say(rounds: int, freedom: int) -> None:
    """Pairs of a table of twelve rows whose runs scatter alike, with the odd run that is far off."""
    rng = np.random.default_rng(rounds)
    truth, hits, asked = math.log(1.1), 0, 0
    for _ in range(100):
        logs = rng.standard_t(freedom, (12, max(rounds, 3))) * 0.05
        logs += 0.5 * (rng.random(logs.shape) < 0.005)
        known = pool(logs)
        for a in range(0, 12, 2):
            pair = estimate((truth + logs[a] - logs[a + 1])[:rounds], ALPHA, known)
            assert pair is not None
            hits += pair.low <= truth <= pair.high
            asked += 1
    assert 0.92 <= hits / asked <= 0.995


def test_few_rounds_have_two_ends_which_are_nearer_where_a_table_knows_its_noise() -> None:
    rng = np.random.default_rng(8)
    logs = np.log([1.0, 1.0, 1.1, 20.0] * 10)[:, None] + rng.normal(0, 0.02, (40, 3))
    alone = estimate(table(logs).pairs(3, 0))
    beside = estimate(table(logs).pairs(3, 0), ALPHA, pool(logs))
    assert alone is not None and beside is not None
    assert verdict(alone) == verdict(beside) == "slower"
    assert 1 < alone.low_ratio < 18 < beside.low_ratio < 20.5 < beside.high_ratio < 22 < alone.high_ratio
    assert estimate(np.empty(0)) is None


def test_a_single_run_of_each_is_told_apart_where_it_is_far() -> None:
    """192 ms stood against 153 ms is open; 10 s against 0.1 s is not."""
    near, far = (estimate(np.log([ratio])) for ratio in (192 / 153, 100.0))
    assert near is not None and far is not None
    assert (verdict(near), verdict(far)) == ("not decided", "slower")


def test_rows_that_scatter_unlike_do_not_make_a_tenfold_difference_uncertain() -> None:
    """47 ms against 470 ms, one run each, in a table of sixty rows, of which some are still and some not."""
    known = TableNoise(square=0.0073, freedom=4.0, often=0.004, far=0.7)
    level = look_level(ALPHA) / (60 * 59 / 2)
    near, far, farther = level_reached(known, np.log([[3.0], [10.0], [11.0]]))
    assert farther < far < level < near


def test_the_level_of_few_rounds_is_that_of_their_interval() -> None:
    known = TableNoise(square=0.01, freedom=5.0, often=0.0001, far=0.7)
    for rounds in (1, 2, 3, 5):
        x = np.linspace(0.9, 1.1, rounds)
        level = float(level_reached(known, x[None, :])[0])
        assert half_width(known, x, level) == pytest.approx(float(np.median(x)), rel=1e-4)


def test_a_median_is_as_if_a_row_had_run_in_every_round() -> None:
    """Sixty rounds of which the second half is 8 % slower: a row that ran then alone is no slower for it."""
    rng = np.random.default_rng(11)
    logs = np.log([1.0, 1.05, 1.1, 1.02])[:, None] + rng.normal(0, 0.002, (4, 60))
    logs += 0.08 * (np.arange(60) >= 30)
    whole = table(logs.copy())
    assert np.array_equal(whole.shifts(), np.zeros(4))
    logs[3, :30] = np.nan
    medians = np.nanmedian(logs, axis=1) + table(logs).shifts()
    assert medians == pytest.approx(np.median(whole.logs, axis=1), abs=0.003)
    assert np.nanmedian(logs[3]) > medians[1] > medians[3] > medians[0]


def test_what_is_certain_stays_so_when_rows_that_waited_run() -> None:
    """Forty rows of 17 rounds, twenty of which come later: no place that is known before is lost by them."""
    rng = np.random.default_rng(19)
    logs = np.log(1.004) * np.arange(40)[:, None] + rng.normal(0, 0.01, (40, 17))
    logs[20:, 1:] = np.nan  # those that waited have a run each
    before = rank(table(logs[:20]), looks=len(LOOKS), absent=20)
    after = rank(table(logs), looks=len(LOOKS))
    assert before.level <= after.level
    assert before.level < rank(table(logs[:20]), looks=len(LOOKS)).level
    assert before.faster.any()
    assert not (before.faster & ~after.faster[:20, :20]).any()


def test_one_odd_row_does_not_widen_what_is_said_of_all_others() -> None:
    """Of twenty rows of three rounds one begins four times slower; the others differ by factors of 1.5."""
    rng = np.random.default_rng(18)
    logs = np.log(1.5) * np.arange(20)[:, None] + rng.normal(0, 0.01, (20, 3))
    logs[5, 0] += np.log(4)
    places = rank(table(logs), looks=len(LOOKS)).places
    assert all(place.last - place.first <= 3 for at, place in enumerate(places) if at != 5)
    assert pool(logs).far == 0.7 < math.log(3) < pool(logs[3:7]).far  # of four rows, one is no exception


def test_rows_of_one_round_share_their_places_unless_they_are_far_apart() -> None:
    near = rank(table(np.log(np.array([[1.0], [1.1], [1.2]]))))
    assert near.places == [(1, 3)] * 3
    far = rank(table(np.log(np.array([[1.0], [1.1], [1000.0]]))))
    assert far.places == [(1, 2), (1, 2), (3, 3)]


@pytest.mark.parametrize(
    ("nanoseconds", "lines", "places"),
    [
        pytest.param(
            [100, 41, 337], [{"": 0}, {"g": 1, "c": 2}], [(1, 2), (1, 2)], id="script between builds"
        ),
        pytest.param([30, 41, 337], [{"": 0}, {"g": 1, "c": 2}], [(1, 1), (2, 2)], id="script before builds"),
        pytest.param(
            [50, 20, 40], [{"g": 0, "c": 1}, {"g": 2}], [(1, 2), (1, 2)], id="one more build, first"
        ),
        pytest.param([50, 45, 40], [{"g": 0, "c": 1}, {"g": 2}], [(2, 2), (1, 1)], id="one more build"),
        pytest.param(
            [50, 20, 40, 30],
            [{"g": 0, "c": 1}, {"g": 2, "c": 3}],
            [(1, 2), (1, 2)],
            id="both by two toolchains",
        ),
    ],
)
def test_no_contender_is_slower_for_certain_where_a_build_of_it_says_the_opposite(
    nanoseconds: list[float], lines: list[dict[str, int]], places: list[tuple[int, int]]
) -> None:
    """What is first in the table, the fastest build, is not of a contender that has the second place."""
    rng = np.random.default_rng(21)
    logs = np.log(nanoseconds)[:, None] + rng.normal(0, 0.01, (len(nanoseconds), 24))
    assert rank(table(logs), looks=len(LOOKS), lines=lines).places == places


def test_places_that_do_not_overlap_belong_to_pairs_that_differ_for_certain() -> None:
    rng = np.random.default_rng(9)
    for _ in range(30):
        logs = np.sort(rng.uniform(0, 0.05, 8))[:, None] + rng.normal(0, 0.012, (8, 24))
        ranking = rank(table(logs))
        for a, one in enumerate(ranking.places):
            for b, other in enumerate(ranking.places):
                if one.last < other.first:
                    assert ranking.faster[a, b]
                if a != b and not ranking.faster[a, b] and not ranking.faster[b, a]:
                    assert one.first <= other.last and other.first <= one.last


def test_a_slow_second_half_does_not_change_places() -> None:
    """A row that is 5 % slower, round by round, stays behind though it rested while the machine was slow."""
    rng = np.random.default_rng(10)
    logs = np.log([1.0, 1.05])[:, None] + rng.normal(0, 0.01, (2, 60)) + 0.08 * (np.arange(60) >= 12)
    logs[1, 12:] = np.nan
    logs[0, 12:] += 0.2
    assert rank(table(logs)).places == [(1, 1), (2, 2)]


def test_holm_is_strict_first_and_looser_as_comparisons_settle() -> None:
    assert holm(np.array([0.2, 0.3, 0.4]), 0.05) == pytest.approx(0.05 / 3)
    assert holm(np.array([0.001, 0.02, 0.4]), 0.05) == pytest.approx(0.05)
    assert holm(np.array([0.001, 0.03, 0.4]), 0.05) == pytest.approx(0.025)
    assert holm(np.array([0.001, 0.001]), 0.05) == 0.05


def test_directions_add_up_and_circles_say_nothing() -> None:
    chain = np.zeros((3, 3), dtype=bool)
    chain[0, 1] = chain[1, 2] = True
    assert closed(chain)[0, 2]
    chain[2, 0] = True
    assert not closed(chain).any()


def pair_of(centre: float, half: float, rounds: int = 24) -> Estimate:
    return Estimate(centre, centre - half, centre + half, rounds)


def test_the_five_verdicts() -> None:
    assert verdict(pair_of(0.03, 0.01)) == "slower"
    assert verdict(pair_of(-0.03, 0.01)) == "faster"
    assert verdict(pair_of(0.005, 0.002)) == "a small difference"
    assert verdict(pair_of(0.001, 0.005)) == "the same"
    assert verdict(pair_of(0.02, 0.03)) == "not decided"
    assert verdict(pair_of(0.02, 0.01), margin=0.05) == "a small difference"


def test_more_rounds_are_those_that_decide_if_nothing_changes() -> None:
    assert more_rounds(pair_of(0.03, 0.01)) == 0
    assert more_rounds(pair_of(0.02, 0.04, 24)) == 24 * 4 - 24
    assert 24 * 3 < (more_rounds(pair_of(0.0, 0.02, 24)) or 0) < 24 * 4


def test_what_would_decide_is_never_a_number_that_no_race_reaches() -> None:
    assert [outlook(none) for none in (None, 0)] == ["", ""]
    assert outlook(1) == "; about 1 more round would decide it"
    assert outlook(37) == "; about 35 more rounds would decide it"
    assert outlook(160) == "; about 160 more rounds would decide it"
    said = [outlook(rounds) for rounds in (161, 768, 19_200, 10**9)]
    assert [re.findall(r"over ([\d,]+) more rounds", one) for one in said] == [
        ["160"],
        ["500"],
        ["1,000"],
        ["1,000"],
    ]
    assert not any("about" in one for one in said)


def test_a_control_that_fails_withholds_nothing() -> None:
    """A baseline is 10 % from its twin, and another build 4 % slower than it: both are said."""
    rng = np.random.default_rng(17)

    def row(name: str, seconds: float, twin_of: str = "") -> Row:
        samples = [
            Sample(round=n, wall=seconds * wall, user=seconds, system=0, peak_memory=0)
            for n, wall in enumerate(np.exp(rng.normal(0, 0.005, 40)), 1)
        ]
        known = {"benchmark": "b", "optimisation": "O2", "source": "file", "sink": "null", "twin_of": twin_of}
        return Row(id=name, contender=name, toolchain="g++", samples=samples, **known)

    rows = [row("base", 1), row("twin", 1.1, "base"), row("slow", 1.04)]
    judged = Table(rows, {"twin": "base", "slow": "base"}, ["twin"]).judged()
    assert [one.comparisons[0].verdict for one in judged[1:]] == ["slower", "slower"]
    assert [(one.judged.first, one.judged.last) for one in judged] == [(1, 1), (0, 0), (2, 2)]
    found = control(judged[1], judged[0])
    assert found is not None and verdict(found) == "slower"


def test_a_gate_passes_and_fails_on_evidence_only() -> None:
    assert gate(pair_of(0.0, 0.01), 0.05) == "ok"
    assert gate(pair_of(0.10, 0.02), 0.05) == "FAILED"
    assert gate(pair_of(0.0, 0.10), 0.05) == "not decided"
    assert gate(Estimate(0.0, -math.inf, math.inf, 3), 0.05) == "not decided"


def test_the_interval_excludes_one_where_the_level_says_so() -> None:
    """Places come from levels, verdicts from intervals: the two may not contradict each other."""
    rng = np.random.default_rng(16)
    seen = set()
    for _ in range(300):
        rounds = int(rng.choice([1, 2, 5, 12, 64]))
        x = np.repeat(rng.normal(0, 0.02, 16), 4)[:rounds] + rng.normal(0, 0.02, rounds)
        x += rng.uniform(-0.1, 0.1) * (1 if rounds > 5 else 20)
        for level in (0.05, 0.008, 1e-3, 1e-4):
            (p,), _ = levels([x], level, TableNoise())
            pair = estimate(x, level)
            if pair is None or abs(math.log(p / level)) < 0.05:
                continue  # on the line
            excludes = pair.low > 0 or pair.high < 0
            assert excludes == (p <= level), (pair, p)
            seen.add((rounds >= least_rounds(level), excludes))
    assert seen == {(False, False), (False, True), (True, False), (True, True)}


def test_pairs_are_of_common_rounds_only() -> None:
    x = gather([{1: 2.0, 2: 4.0, 4: 9.0}, {1: 1.0, 3: 1.0, 4: 9.0}]).pairs(0, 1)
    assert x == pytest.approx([math.log(2), 0])
    assert list(gather([{1: 1.0}, {2: 1.0}]).rounds) == [1, 2]
    assert len(gather([{}, {1: 1.0}]).pairs(0, 1)) == 0


def test_a_quotient_is_as_wide_as_both_its_parts() -> None:
    change = quotient(pair_of(0.2, 0.01), pair_of(0.1, 0.02))
    assert (change.centre, change.low, change.high) == pytest.approx((0.1, 0.07, 0.13))


def test_a_geometric_mean_is_narrower_than_its_parts() -> None:
    mean = geometric_mean([pair_of(math.log(2), 0.1), pair_of(math.log(8), 0.1)])
    assert mean.ratio == pytest.approx(4)
    assert mean.half_width == pytest.approx(0.1 / math.sqrt(2))


def rows_of(
    logs: np.ndarray, contenders: str = "", limit: int | None = None, settings: str = ""
) -> list[Row]:
    """Rows 0, 1, 2 ... of a table that rests where a logarithm is not a number.

    A contender has as many builds as its letter in `contenders` has places; with `settings` a digit each.
    """
    return [
        synthetic.a_row(
            str(number),
            contender=contenders[number] if contenders else str(number),
            variant={"N": settings[number]} if settings else {},
            toolchain=f"g++-{contenders[:number].count(contenders[number])}" if contenders else "g++",
            role=Role.LIMIT if number == limit else Role.CONTENDER,
            samples=[
                Sample(round=n, wall=math.exp(log), user=0, system=0, peak_memory=0)
                for n, log in enumerate(row, 1)
                if math.isfinite(log)
            ],
        )
        for number, row in enumerate(logs)
    ]


def test_rows_whose_rounds_do_not_match_are_named(tmp_path: Path) -> None:
    rows = rows_of(np.log([[1.0, 1.1, np.nan], [2.0, 2.1, np.nan], [np.nan, np.nan, 3.0]]))
    judged = Table(rows, {"1": "0", "2": "0"}).judged()
    stale = judged[2].model_copy(update={"comparisons": judged[1].comparisons})
    machine = Machine(cpu="", cores=1)
    file = tmp_path / "results.json"
    store.save(Campaign(headrace_version="0", started="", machine=machine, rows=[*judged[:2], stale]), file)
    loaded = load(file)
    assert loaded.warnings == ["Not compared with the baseline, as no round ran both: 2 with g++."]
    assert [bool(row.comparisons) for row in loaded.rows] == [False, True, False]


def asked_of(
    seconds: Sequence[float],
    base: int,
    contenders: str = "",
    noise: float = 0.05,
    limit: int | None = None,
    settings: str = "",
) -> list[schedule.Question]:
    """Return the questions about builds that take so long, after twelve rounds."""
    rng = np.random.default_rng(12)
    logs = np.log(seconds)[:, None] + rng.normal(0, noise, (len(seconds), 12))
    rows = rows_of(logs, contenders, limit, settings)
    baselines = {row.id: str(base) for row in rows if row.id != str(base)}
    return schedule.open_questions(Table(rows, baselines, looks=len(LOOKS)))


def leads_of(asked: Sequence[schedule.Question]) -> list[tuple[str, str]]:
    return [one.pair for one in asked if one.kind == "by how much"]


def chosen(asked: Sequence[schedule.Question], costs: Sequence[float], seconds_left: float = math.inf) -> str:
    """The rows of the next round, one digit each."""
    by_id = {str(number): cost for number, cost in enumerate(costs)}
    return "".join(sorted(schedule.next_round(asked, by_id, seconds_left)))


def test_a_round_runs_the_rows_of_open_questions_only() -> None:
    """Two near ties at the top run alone; slow rows that are decided rest; then others ride along."""
    costs = [0.02, 0.02, 0.026, 0.4]
    asked = asked_of([1.0, 1.002, 1.3, 20.0], 0, noise=0.01)
    assert asked[0].kind == "who is first"
    assert chosen(asked, costs) == "01"
    assert chosen(asked, costs, seconds_left=0.01) == chosen([], [0.02]) == ""
    assert chosen([one for one in asked if one.kind not in schedule.BESIDE], costs) == "012"


def test_with_a_question_about_the_leader_only_such_ride_along() -> None:
    """The pair that people came for is not slowed by neighbours, nor by a baseline that takes long."""
    asked = [
        schedule.Question("by how much", "1", "0"),
        schedule.Question("by how much", "3", "0"),
        schedule.Question("which setting is first", "2", "0"),
        schedule.Question("which neighbour is faster", "4", "1"),
    ]
    costs = [1.0, 1.1, 1.0, 5.0, 0.1]
    assert [chosen(asked[first:], costs) for first in (0, 1, 3)] == ["012", "023", "14"]
    # With time for it, all that is asked of the leader runs together.
    asked = [schedule.Question("who is first", "1", "0"), asked[1], asked[3]]
    assert [chosen(asked, costs, seconds) for seconds in (10.0, 1000.0)] == ["01", "013"]


def test_the_row_that_reports_put_first_is_the_one_that_is_asked_about() -> None:
    """Of rows that may have the same places, the one with the smallest median, as tables show them."""
    rng = np.random.default_rng(14)
    logs = np.log([2.0, 1.001, 1.0, 1.1])[:, None] + rng.normal(0, 0.03, (4, 12))
    ranking = rank(table(logs), looks=len(LOOKS))
    by_table = sorted(
        range(4), key=lambda at: (ranking.places[at].first + ranking.places[at].last, np.median(logs[at]))
    )
    assert ranking.order == by_table


def test_the_lead_over_the_next_contender_is_asked_for() -> None:
    """The next row is another build of the winner (a): that does not say by how much the winner wins."""
    seconds = [1.0, 1.1, 2.0, 5.0]
    assert leads_of(asked_of(seconds, 3, "aabc")) == [("2", "0"), ("3", "0")]
    assert leads_of(asked_of(seconds, 3, "abac")) == [("1", "0"), ("3", "0")]


def test_the_ratio_to_the_limit_is_asked_for_after_the_lead() -> None:
    asked = asked_of([1.0, 1.1, 2.0, 5.0], 3, limit=2)
    assert ("ratio to the limit", "0", "2") in [(one.kind, *one.pair) for one in asked]
    assert [one.kind for one in asked][:3] == ["by how much", "by how much", "ratio to the limit"]


def test_a_finding_is_asked_of_its_own_two_rows() -> None:
    """a is faster than b for certain, by what the first of two toolchains says; the second ran once."""
    rng = np.random.default_rng(16)
    logs = np.log([1.0, 1.0, 1.1, 1.1])[:, None] + rng.normal(0, 0.01, (4, 24))
    logs[[1, 3], 1:] = np.nan
    judged = Table(rows_of(logs, "aabb"), {}, looks=len(LOOKS))
    assert judged.is_certain(3, 1)
    asked = schedule.open_questions(judged, [("2", "0"), ("3", "1")])
    assert [one.pair for one in asked if one.kind == "finding"] == [("3", "1")]


def test_rounds_go_on_with_the_build_that_they_began_with() -> None:
    """Two builds of the winner are alike: its lead is told of the one that ran beside its baseline."""
    rng = np.random.default_rng(15)
    logs = np.log([1.001, 1.0, 1.3, 1.3, 5.0])[:, None] + rng.normal(0, 0.02, (5, 30))
    logs[[1, 3], 12:] = np.nan  # the second build has the smaller median by fewer rounds
    judged = Table(rows_of(logs, "aabbc"), {row: "4" for row in "0123"}, looks=len(LOOKS))
    assert [place.first for place in judged.ranking.places] == [1, 2, 3]
    assert leads_of(schedule.open_questions(judged)) == [("2", "0")]


def test_a_tie_of_the_winners_own_settings_does_not_take_the_rounds_of_its_lead() -> None:
    def kinds(contenders: str, settings: str = "") -> list[str]:
        return [one.kind for one in asked_of([1.0, 1.0, 1.0, 3.0], 3, contenders, settings=settings)]

    assert kinds("aaab", "1230")[:3] == ["by how much", "which setting is first", "which setting is first"]
    assert kinds("abcd")[:2] == ["who is first", "who is first"]
    assert kinds("aaaa")[:3] == ["by how much", "which build is first", "which build is first"]
    assert not {"who is first", *schedule.OF_THE_WINNER} & {*kinds("aaab")}


def test_what_was_chosen_on_odd_rounds_is_estimated_on_even_ones() -> None:
    """The fastest of 30 equal variants: no flattery is left on the rounds that had no part in the choice."""
    rng = np.random.default_rng(13)
    flattered, honest = [], []
    for _ in range(200):
        times = table(rng.normal(0, 0.05, (31, 12)))
        best = 1 + int(np.argmin(typical(Times(times.logs[1:], times.rounds))))
        whole = estimate(times.pairs(best, 0))
        half = estimate(times.half(odd=False).pairs(best, 0), ALPHA, pool(times.logs))
        assert whole is not None and half is not None
        flattered.append(whole.centre)
        honest.append(half.centre)
    assert np.mean(flattered) < -0.015
    assert abs(np.mean(honest)) < 0.01


def test_least_rounds() -> None:
    assert least_rounds(0.05) == 7
    assert least_rounds(look_level(ALPHA)) == 10


@pytest.mark.parametrize(("hits", "trials"), [(0, 20), (1, 60), (18, 20), (20, 20), (3, 7), (390, 400)])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_interval_is_that_of_clopper_and_pearson(hits: int, trials: int, alpha: float) -> None:
    from scipy import stats  # takes a second, and each worker of pytest imports this file

    known = stats.binomtest(hits, trials).proportion_ci(1 - alpha, method="exact")
    assert share_interval(hits, trials, alpha) == pytest.approx((known.low, known.high), abs=1e-12)
