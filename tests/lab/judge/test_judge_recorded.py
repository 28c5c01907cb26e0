"""How much the judge finds, and how often it is wrong, on noise that was recorded (tests/data/noise).

`known.json.gz` has four campaigns of builds with known differences. What disturbs a run is taken from it; how
fast a layout is without, and how much a disturbed run takes longer in it, is drawn for each program (the two
kinds of layouts that the recording shows). Twenty campaigns of each kind by default; 500 where it is slow:
`pytest tests/lab/judge/test_judge_recorded.py -m slow -s` prints the figures of docs/how-we-measure.md.
"""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

from checkout import TOP
from headrace.judge.pair import ALPHA, LOOKS, estimate, least_rounds, location, look_level, p_values
from headrace.judge.pool import pool
from headrace.judge.ranks import rank
from headrace.judge.samples import Times

KNOWN = TOP / "tests" / "data" / "noise" / "known.json.gz"
LAYOUTS = 16
DISTURBED = np.array([0.30, 0.46])  # ln; what a disturbed run takes longer, in either kind of layout
CLEAN = np.array([0.0, 0.045])  # ln; how much slower the second kind is without
BLOCK = 40  # consecutive rounds that are taken together
ROUND = 0.045  # seconds of a round of two programs of 15 ms and the baseline's twin
SECONDS = 60.0


def states() -> list[np.ndarray]:
    """How disturbed each run was, 0 to 1: a matrix (rounds x 3 builds) a campaign."""
    found = []
    for rows in json.loads(gzip.decompress(KNOWN.read_bytes())).values():
        last = max(max(row["round"]) for row in rows)
        table = np.full((last + 1, len(rows)), np.nan)
        for column, row in enumerate(rows):
            logs, layouts = np.log(row["wall"]), np.array(row["layout"])
            for layout in np.unique(layouts):
                low, high = np.quantile(logs[layouts == layout], [0.08, 0.9])
                chosen = np.array(row["round"])[layouts == layout]
                table[chosen, column] = (logs[layouts == layout] - low) / (high - low)
        whole = [line[np.isfinite(line)][:3] for line in table]
        found.append(np.array([line for line in whole if len(line) == 3]))
    return found


STATES = states()


def disturbed(rng: np.random.Generator, rounds: int, builds: int) -> np.ndarray:
    """Consecutive recorded rounds in blocks, for as many builds."""
    pieces = []
    for _ in range(-(-rounds // BLOCK)):
        source = STATES[rng.integers(len(STATES))]
        start = rng.integers(len(source) - BLOCK)
        piece = source[start : start + BLOCK]
        pieces.append(piece[np.arange(BLOCK)[:, None], rng.integers(0, 3, (BLOCK, builds))])
    return np.concatenate(pieces)[:rounds]


def campaign(
    rng: np.random.Generator, work: np.ndarray, rounds: int, edits: bool, balanced: bool = True
) -> np.ndarray:
    """ln(seconds), builds x rounds. `edits`: of one program, which layouts move alike; else each for itself.

    All builds of a round have its layout; every four rounds hold as many of one kind as of the other, where
    they are `balanced`.
    """
    kinds = (np.arange(LAYOUTS)[None, :] + rng.integers(0, 2, (1 if edits else len(work), 1))) % 2
    kinds = np.repeat(kinds, len(work), axis=0) if edits else kinds
    blocks = [rng.permutation(4) + 4 * rng.integers(0, 4) for _ in range(-(-rounds // 4))]
    layout = np.concatenate(blocks)[:rounds] if balanced else rng.integers(0, LAYOUTS, rounds)
    kind = kinds[:, layout]
    return CLEAN[kind] + DISTURBED[kind] * disturbed(rng, rounds, len(work)).T + np.log(work)[:, None]


def called(x: np.ndarray) -> int:
    """What a race of two says, look by look: -1 or 1 for a direction, 0 for none."""
    level = look_level(ALPHA)
    for rounds in LOOKS:
        seen = x[:rounds]
        if len(seen) >= least_rounds(level) and p_values(seen[None, :])[0] <= level:
            return int(np.sign(location(seen[None, :])[0]))
    return 0


def shares(edits: bool, campaigns: int) -> dict[float, tuple[float, float]]:
    """For each difference, the shares of races that call the second program slower, and faster."""
    found = {}
    for more in (0.0, 0.03, 0.10):
        rng = np.random.default_rng([int(more * 100), edits])
        said = []
        for _ in range(campaigns):
            logs = campaign(rng, np.array([1.0, 1.0 + more]), int(SECONDS / ROUND), edits)
            said.append(called(logs[1] - logs[0]))
        found[more] = float(np.mean(np.array(said) > 0)), float(np.mean(np.array(said) < 0))
    return found


def check_races(campaigns: int, spare: float) -> None:
    for edits in (True, False):
        found = shares(edits, campaigns)
        print("edits" if edits else "unrelated", {f"{more:.0%}": said for more, said in found.items()})
        assert sum(found[0.0]) <= ALPHA + spare
        assert found[0.03][0] >= 0.90 - spare and found[0.10][0] >= 1 - spare / 10
        assert found[0.03][1] == found[0.10][1] == 0


def test_differences_are_found_and_the_same_work_is_not_called_different() -> None:
    check_races(20, 0.1)


@pytest.mark.slow
def test_differences_are_found_in_five_hundred_races() -> None:
    check_races(500, 0.01)


def places(tables: int, builds: int) -> tuple[float, float]:
    """The share of tables of eight programs, two of each work, with any wrong direction; and a place's width.

    Each program has as many builds; what builds them makes all a little faster or slower.
    """
    work = np.repeat([1.0, 1.03, 1.1, 1.3], 2)
    slower = work[:, None] > work[None, :]
    lines = [{build: program * builds + build for build in range(builds)} for program in range(len(work))]
    rng, wrong, widths = np.random.default_rng(5), 0, []
    for _ in range(tables):
        rounds = int(rng.choice([3, 5, 12, 60, 160]))
        each = np.outer(work, np.linspace(1, 1.1, builds)).ravel()
        logs = campaign(rng, each, rounds, edits=bool(rng.integers(2)))
        logs += np.linspace(0, rng.normal(0, 0.2), rounds)  # a drift of the machine
        logs += 0.7 * (rng.random(logs.shape) < 0.01)  # and runs that are far too slow
        ranking = rank(Times(logs, np.arange(1, rounds + 1)), ALPHA, lines=lines)
        wrong += bool((ranking.faster & ~slower.T).any())
        widths += [place.last - place.first for place in ranking.places]
    return wrong / tables, float(np.mean(widths))


def test_places_are_right_and_nearer_the_more_builds_a_program_has() -> None:
    (wrong, width), (wrong_of_four, width_of_four) = places(40, 1), places(40, 4)
    assert max(wrong, wrong_of_four) <= ALPHA + 0.05
    assert width_of_four < 0.8 * width


@pytest.mark.slow
@pytest.mark.parametrize("builds", [1, 4])
def test_places_are_right_in_five_hundred_tables(builds: int) -> None:
    wrong, width = places(500, builds)
    print(f"{builds} builds each: tables with a wrong direction: {wrong:.1%}, width of a place {width:.2f}")
    assert wrong <= ALPHA


def coverage(rounds: int, tables: int, balanced: bool) -> float:
    """How often the intervals at 95 % of a table of twelve programs hold the true ratio."""
    rng, hits, asked = np.random.default_rng(rounds), 0, 0
    work = np.linspace(1, 2, 12)
    for _ in range(tables):
        logs = np.full((18, max(rounds, 5)), np.nan)
        logs[:12, :rounds] = campaign(rng, work, rounds, False, balanced)
        logs[12:, :5] = campaign(rng, np.linspace(2, 8, 6), 5, False, balanced)  # other rows had five runs
        known = pool(logs)
        for row in range(1, 12):
            pair = estimate((logs[row] - logs[0])[:rounds], ALPHA, known)
            assert pair is not None and math.isfinite(pair.high - pair.low)
            hits += pair.low <= math.log(work[row]) <= pair.high
            asked += 1
    return hits / asked


ROUNDS = (1, 2, 3, 5, 10, 20, 40, 160)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_intervals_hold_the_true_ratio(rounds: int) -> None:
    assert coverage(rounds, 20, balanced=True) >= 0.88


@pytest.mark.slow
@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("rounds", ROUNDS)
def test_intervals_hold_the_true_ratio_in_five_hundred_tables(rounds: int, balanced: bool) -> None:
    """Balanced layouts make the ratios better than the intervals, which take rounds as independent, allow."""
    share = coverage(rounds, 500, balanced)
    print(f"{rounds} rounds, layouts {'balanced' if balanced else 'drawn'}: {share:.1%}")
    assert 0.92 <= share <= (0.99 if balanced else 0.98)
