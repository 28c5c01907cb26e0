"""Paired statistics on simulated data with known truth."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from headrace.judge import stats

Times = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


def skewed(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    return 1 + rng.gamma(0.5, 0.05, n), 1 + rng.gamma(0.5, 0.05, n)


def heavy_tailed(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    return 1 + np.abs(rng.standard_cauchy(n)) * 0.01, 1 + np.abs(rng.standard_cauchy(n)) * 0.01


def drifting(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The machine gets 40 % slower during the campaign, also from the first run of a round to the second."""
    first = 1 + 0.4 * np.arange(n) / n + rng.normal(0, 0.005, n)
    second = 1 + 0.4 * (np.arange(n) + 0.5) / n + rng.normal(0, 0.005, n)
    swap = rng.random(n) < 0.5  # the shuffled order
    return np.where(swap, second, first), np.where(swap, first, second)


def autocorrelated(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """AR(1) noise with 0.9 from run to run, in a shuffled order."""
    noise = np.zeros(2 * n)
    for i in range(1, 2 * n):
        noise[i] = 0.9 * noise[i - 1] + rng.normal(0, 0.01)
    times = np.exp(noise).reshape(n, 2)
    swap = rng.random(n) < 0.5
    return np.where(swap, times[:, 1], times[:, 0]), np.where(swap, times[:, 0], times[:, 1])


WORLDS: list[Times] = [skewed, heavy_tailed, drifting, autocorrelated]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("n", [12, 24, 60])
def test_interval_covers_the_true_ratio(world: Times, n: int) -> None:
    """Nominal 95 %: at least 93 % of 1500 intervals hold the true ratio 1.1."""
    rng = np.random.default_rng([n, WORLDS.index(world)])
    truth = 1.1
    hits = 0
    for _ in range(1500):
        this, other = world(rng, n)
        pair = stats.estimate(list(truth * this), list(other), stats.ALPHA)
        assert pair is not None
        hits += pair.low <= math.log(truth) <= pair.high
    assert hits / 1500 >= 0.93


@pytest.mark.parametrize("n", [6, 8, 12, 24, 36, 60, 200])
@pytest.mark.parametrize("alpha", [0.05, 0.0125])
def test_order_rank_is_the_largest_that_keeps_its_level(n: int, alpha: float) -> None:
    def outside(rank: int) -> float:
        return 2 * sum(math.comb(n, k) for k in range(rank)) / 2**n

    rank = stats.order_rank(n, alpha)
    assert outside(rank) <= alpha < outside(rank + 1)


def test_known_order_statistics() -> None:
    """Conover's table: n = 12 at 95 % gives the 3rd and 10th, n = 20 the 6th and 15th."""
    assert stats.median_interval(range(1, 13), 0.05) == (3, 10)
    assert stats.median_interval(range(1, 21), 0.05) == (6, 15)


def test_the_document_shows_these_numbers() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-we-measure.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d+) \| (\d+) \| (\d+|none) \| ([\d.]*)", text, re.MULTILINE)
    assert [int(n) for n, *_ in shown] == [6, 8, *stats.LOOKS]
    for n, alone, at_look, error in shown:
        rank = stats.order_rank(int(n), stats.look_alpha(len(stats.LOOKS)))
        assert int(alone) == stats.order_rank(int(n), stats.ALPHA)
        assert at_look == (str(rank) if rank else "none")
        missed = 2 * sum(math.comb(int(n), k) for k in range(rank)) / 2 ** int(n)
        assert error == (f"{missed:.2%}"[:-1] if rank else "")


def test_the_looks_spend_at_most_alpha() -> None:
    """Exact random walk over all looks: the chance that any look's interval excludes the truth."""
    alpha = stats.look_alpha(len(stats.LOOKS))
    alive = {0: 1.0}  # number of positive x -> probability that no look has excluded 0 yet
    for n in range(1, max(stats.LOOKS) + 1):
        step: dict[int, float] = {}
        for count, chance in alive.items():
            for up in (0, 1):
                step[count + up] = step.get(count + up, 0.0) + chance / 2
        if n in stats.LOOKS:
            rank = stats.order_rank(n, alpha)
            step = {count: p for count, p in step.items() if rank <= count <= n - rank}
        alive = step
    spent = 1 - sum(alive.values())
    assert spent == pytest.approx(0.0232, abs=5e-5)  # the document says 2.3 %
    assert spent <= stats.ALPHA


def test_few_rounds_say_nothing() -> None:
    assert stats.least_rounds(0.05) == 6
    assert stats.least_rounds(0.0125) == 8
    pair = stats.estimate([2.0] * 5, [1.0] * 5, 0.05)
    assert pair is not None
    assert (pair.ratio, pair.low_ratio, pair.high_ratio) == (2.0, 0.0, None)
    assert stats.verdict(pair, 0.01) == "cannot tell apart"
    assert not stats.is_known(pair, 0.01)
    assert stats.bound(pair) is None
    assert stats.margin(pair) == stats.LEAST_MARGIN
    assert stats.estimate([], [], 0.05) is None


def pair(low: float, centre: float, high: float) -> stats.Estimate:
    return stats.Estimate(math.log(centre), math.log(low), math.log(high), 24)


@pytest.mark.parametrize(
    ("low", "centre", "high", "word", "known"),
    [
        (1.02, 1.03, 1.04, "slower", True),
        (0.90, 0.92, 0.95, "faster", True),
        (0.995, 1.0, 1.005, "same", True),
        (1.002, 1.004, 1.006, "detectable but small", True),
        (1.002, 1.03, 1.06, "slower", False),  # certainly slower, and more likely than not beyond m
        (1.002, 1.008, 1.03, "detectable but small", False),  # certainly slower, by how much is open
        (0.98, 1.005, 1.03, "cannot tell apart", False),
        (0.5, 1.2, 4.0, "cannot tell apart", False),
    ],
)
def test_verdicts(low: float, centre: float, high: float, word: str, known: bool) -> None:
    assert stats.verdict(pair(low, centre, high), 0.01) == word
    assert stats.is_known(pair(low, centre, high), 0.01) is known


def test_verdicts_mirror() -> None:
    """Swapping the pair swaps faster and slower and leaves the other words."""
    mirror = {"faster": "slower", "slower": "faster"}
    grid = [0.9, 0.985, 0.995, 1.0, 1.003, 1.02, 1.2]
    for low, centre, high in itertools.combinations_with_replacement(grid, 3):
        word = stats.verdict(pair(low, centre, high), 0.01)
        swapped = stats.verdict(pair(1 / high, 1 / centre, 1 / low), 0.01)
        assert swapped == mirror.get(word, word)


def test_a_wide_margin_is_no_reason_to_stop() -> None:
    """After few rounds the A/A pair's bound is wide and equal builds lie within it; more rounds narrow it."""
    assert not stats.is_known(pair(0.97, 1.0, 1.03), 0.05)
    assert stats.verdict(pair(0.97, 1.0, 1.03), 0.05) == "same"
    assert not stats.is_known(pair(1.02, 1.03, 1.04), 0.05)
    assert stats.is_known(pair(1.06, 1.08, 1.1), 0.05)
    assert stats.verdict(pair(0.9, 1.0, 1.1), 0.2) == "cannot tell apart"  # "same within 20 %" says nothing


def test_margin_follows_the_a_a_pair() -> None:
    assert stats.margin(pair(0.999, 1.0, 1.002)) == stats.LEAST_MARGIN
    assert stats.margin(pair(0.95, 1.0, 1.02)) == pytest.approx(1 / 0.95 - 1)
    assert stats.margin(None) == stats.LEAST_MARGIN


def test_times_of_zero_give_no_nan() -> None:
    """A clock of 4 ms ticks and runs of 1 ms: mostly 0."""
    assert stats.log_ratios([0, 1, 0, 2], [0, 0, 1, 1]) == [0.0, math.inf, -math.inf, math.log(2)]
    assert stats.estimate([0.004] * 12, [0.0] * 12, 0.05) is None
    assert stats.estimate([0.0] * 12, [0.0] * 12, 0.05) is None  # not "same": nothing was measured
    assert stats.estimate([0.0] * 6 + [1.0] * 6, [1.0] * 12, 0.05) is None
    mixed = stats.estimate([1.0] * 10 + [0.0] * 2, [1.0] * 12, 0.05)
    assert mixed is not None and (mixed.low, mixed.high) == (0.0, 0.0)
    edge = stats.estimate([1.0] * 8 + [0.0] * 2 + [1.0] * 2, [1.0] * 8 + [1.0] * 2 + [0.0] * 2, 0.0125)
    assert edge is not None and (edge.low_ratio, edge.high_ratio) == (0.0, None)
    assert stats.median([-math.inf, math.inf]) == 0.0
    with pytest.raises(ValueError, match="one length"):
        stats.log_ratios([1.0], [])


def test_sign_level_agrees_with_the_interval() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        x = [float(one) for one in rng.normal(rng.choice([0, 0.5, 1]), 1, int(rng.integers(6, 40)))]
        level = stats.sign_level(x)
        if level == 1:
            continue
        low, high = stats.median_interval(x, level)
        assert low > 0 or high < 0
        low, high = stats.median_interval(x, level * 0.999)
        assert low <= 0 <= high


def test_ranks_do_not_chain() -> None:
    """1.00, 1.02, 1.04, 1.06 with steps too small to see: rows two steps apart may not share a rank."""
    level = {1: 1.0, 2: 0.001, 3: 0.001}
    assert stats.rank_groups(4, lambda a, b: level[b - a]) == [[0, 1], [2, 3]]
    assert stats.rank_groups(0, lambda a, b: 1.0) == []
    assert stats.rank_groups(1, lambda a, b: 1.0) == [[0]]
    assert stats.rank_groups(3, lambda a, b: 1.0) == [[0, 1, 2]]


def test_a_rank_never_contradicts_a_pair() -> None:
    """Row 2 is noisy and may be as fast as row 0: no rank may be between them."""
    levels = {(0, 1): 0.001, (0, 2): 0.3, (1, 2): 0.4, (0, 3): 0.001, (1, 3): 0.001, (2, 3): 0.001}
    assert stats.rank_groups(4, lambda a, b: levels[a, b]) == [[0, 1, 2], [3]]


def test_ranks_of_clear_rows_need_few_rounds() -> None:
    """8 rounds have no level below 0.0078; 30 rows that all differ are still told apart."""
    assert stats.rank_groups(30, lambda a, b: 2 / 2**8) == [[row] for row in range(30)]
    # a lone difference among 30 equal rows is not believed at that level
    assert len(stats.rank_groups(30, lambda a, b: 2 / 2**8 if (a, b) == (0, 29) else 1.0)) == 1


def test_common_level() -> None:
    """The worked example of Benjamini & Hochberg 1995, section 3: the first four of 15 hypotheses fall."""
    levels = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    ]
    level = stats.common_level(levels)
    assert sum(one <= level for one in levels) == 4
    assert stats.common_level([0.5, 0.9]) == 0.0
    assert stats.common_level([]) == 0.0


def test_rows_that_are_the_same_share_a_rank() -> None:
    """20 equal rows, sorted by their medians (which selects differences): split wrongly in at most 5 %."""
    rng = np.random.default_rng(11)
    split = 0
    for _ in range(200):
        times = rng.lognormal(0, 0.1, (20, 24))
        order = np.argsort(np.median(times, axis=1))
        x = np.log(times[order])
        groups = stats.rank_groups(20, lambda a, b, x=x: stats.sign_level(list(x[b] - x[a])))
        split += len(groups) > 1
    assert split / 200 <= 0.05


def ended(rng: np.random.Generator, ratio: float, noise: float) -> tuple[stats.Estimate, float]:
    """A simulated campaign of one pair: its last estimate and its margin."""
    base, twin, this = (rng.lognormal(0, noise, max(stats.LOOKS)) for _ in range(3))
    this *= ratio
    level = stats.look_alpha(len(stats.LOOKS))
    for look in stats.LOOKS:
        m = stats.margin(stats.estimate(list(twin[:look]), list(base[:look]), level))
        found = stats.estimate(list(this[:look]), list(base[:look]), level)
        assert found is not None
        if stats.is_known(found, m):
            break
    return found, m


def test_the_document_shows_what_two_rules_say() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-we-measure.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d) % \| (1\.\d+) \| (\d+) % \| (\d+) % \|$", text, re.MULTILINE)
    assert len(shown) == 6
    rng = np.random.default_rng(3)
    for noise, ratio, by_estimate, by_interval in shown:
        pairs = [ended(rng, float(ratio), int(noise) / 100) for _ in range(400)]
        lab = sum(stats.verdict(pair, m) == "slower" for pair, m in pairs) / 4
        strict = sum(stats.beyond(pair, m) and pair.centre > 0 for pair, m in pairs) / 4
        assert lab == pytest.approx(int(by_estimate), abs=8)
        assert strict == pytest.approx(int(by_interval), abs=8)
