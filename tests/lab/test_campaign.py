"""Campaigns over a simulated machine: what is run, when it stops and what is said."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable

import numpy as np
import pytest

from headrace.judge import stats
from headrace.measure import remarks
from headrace.measure.campaign import measure
from headrace.measure.plan import Entry, Measured, Plan, Progress
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Comparison, Machine, Row, Sample


class World:
    """A machine that is simulated: runs take `cost` seconds with noise, and its clock moves by that."""

    def __init__(self, seed: int, noise: float = 0.02, drift: float = 0.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.noise = noise
        self.drift = drift
        self.now = 0.0
        self.order: list[str] = []

    def clock(self) -> float:
        return self.now

    def run(self, name: str, cost: float) -> Callable[[], Sample]:
        def once() -> Sample:
            self.order.append(name)
            slow = math.exp(self.noise * float(self.rng.standard_t(3)) + self.drift * self.now)
            wall = cost * slow
            self.now += wall
            return Sample(round=0, wall=wall, user=wall * 0.8, system=wall * 0.1, peak_memory=1 << 20)

        return once

    def entry(self, name: str, cost: float, baseline: str | None = "base") -> Entry:
        return Entry(row(name), self.run(name, cost), baseline)


def row(name: str) -> Row:
    return Row(
        id=name,
        benchmark="read_ints",
        contender=name,
        toolchain="g++",
        optimisation="O2",
        source="file",
        sink="null",
    )


def campaign(world: World, entries: list[Entry], plan: Plan | None = None) -> Measured:
    return measure(entries, plan or Plan(), lambda progress: None, world.clock)


def find(measured: Measured, name: str) -> Row:
    return next(one for one in measured.rows if one.id == name)


def wall(measured: Measured, name: str) -> Comparison:
    return next(one for one in find(measured, name).comparisons if one.metric == "wall")


def test_every_round_runs_each_entry_once_in_a_fresh_order() -> None:
    world = World(1)
    measured = campaign(
        world,
        [world.entry("base", 1, None), world.entry("a", 1), world.entry("b", 2)],
        Plan(rounds=20, seed=3),
    )
    assert len(world.order) == 4 * 21  # base, its twin, a, b; a warm-up round before
    rounds = [tuple(world.order[i : i + 4]) for i in range(0, 84, 4)]
    assert {tuple(sorted(one)) for one in rounds} == {("a", "b", "base", "base")}
    assert len(set(rounds)) > 6
    for one in measured.rows:
        assert [sample.round for sample in one.samples] == list(range(1, 21))
    assert len(measured.noise) == 20


def test_the_seed_decides_the_order() -> None:
    orders = []
    for seed in (1, 1, 2):
        world = World(5)
        campaign(world, [world.entry("base", 1, None), world.entry("a", 1)], Plan(rounds=8, seed=seed))
        orders.append(world.order)
    assert orders[0] == orders[1] != orders[2]


def test_a_clear_difference_stops_early_and_the_baseline_stays_for_the_others() -> None:
    world = World(2, noise=0.05)
    measured = campaign(
        world, [world.entry("base", 1, None), world.entry("slow", 20), world.entry("near", 1.0)]
    )
    assert len(find(measured, "slow").samples) == 12
    assert wall(measured, "slow").verdict == "slower"
    assert wall(measured, "slow").ratio == pytest.approx(20, rel=0.1)
    near = len(find(measured, "near").samples)
    assert near > 12
    assert len(find(measured, "base").samples) == len(find(measured, "base A/A").samples) == near
    assert {c.metric for c in find(measured, "slow").comparisons} == {"wall", "cpu"}


def test_same_and_small_differences_are_named() -> None:
    world = World(4, noise=0.001)
    measured = campaign(
        world,
        [
            world.entry("base", 1, None),
            world.entry("equal", 1),
            world.entry("small", 1.006),
            world.entry("fast", 0.5),
        ],
    )
    assert wall(measured, "equal").verdict in ("same", "detectable but small")
    assert wall(measured, "small").verdict == "detectable but small"
    assert wall(measured, "fast").verdict == "faster"
    assert measured.margin == stats.LEAST_MARGIN


def test_the_twin_is_marked_and_sets_the_margin() -> None:
    world = World(6, noise=0.2)
    measured = campaign(world, [world.entry("base", 1, None), world.entry("equal", 1.02)], Plan(rounds=12))
    twin = find(measured, "base A/A")
    assert twin.twin_of == "base" and twin.notes
    own = next(one for one in twin.comparisons if one.metric == "wall")
    assert own.high is not None and own.low > 0
    m = max(own.high, 1 / own.low) - 1
    assert m > 0.02
    assert own.margin == pytest.approx(m)
    assert wall(measured, "equal").margin == pytest.approx(m)
    assert measured.margin == pytest.approx(m)
    assert any("may differ by up to" in one for one in measured.warnings)
    assert all("base A/A" not in one.ties for one in measured.rows)


def test_ties_show_rows_that_share_a_rank() -> None:
    world = World(7, noise=0.05)
    measured = campaign(
        world,
        [
            world.entry("base", 1, None),
            world.entry("x", 3.0),
            world.entry("y", 3.0),
            world.entry("z", 9.0),
        ],
    )
    assert find(measured, "x").ties == ["y"]
    assert find(measured, "y").ties == ["x"]
    assert find(measured, "z").ties == find(measured, "base").ties == []


def test_too_few_rounds_for_an_interval_say_so_and_tie_nothing() -> None:
    for rounds, few in ((5, True), (6, False)):
        world = World(7, noise=0.05)
        entries = [world.entry("base", 1, None), world.entry("x", 3.0), world.entry("y", 9.0)]
        measured = campaign(world, entries, Plan(rounds=rounds))
        said = [one for one in measured.warnings if "too few for an interval (that takes 6)" in one]
        assert bool(said) == few
        assert find(measured, "x").ties == find(measured, "y").ties == []


def test_a_failure_ends_its_entry_alone() -> None:
    world = World(8)
    good = world.run("bad", 1)
    runs = 0

    def lies() -> Sample | Failure:
        nonlocal runs
        runs += 1
        return good() if runs < 5 else Failure("WRONG", "expected 7, got 8")

    entries = [world.entry("base", 1, None), Entry(row("bad"), lies, "base"), world.entry("a", 2)]
    measured = campaign(world, entries)
    bad = find(measured, "bad")
    assert (bad.outcome, bad.detail) == ("WRONG", "expected 7, got 8")
    assert bad.comparisons == [] and bad.ties == []
    assert runs == 5
    assert wall(measured, "a").verdict == "slower"


def test_a_failed_baseline_leaves_a_sentence() -> None:
    world = World(9)
    entries = [
        Entry(row("base"), lambda: Failure("CRASHED", "signal 11"), None),
        world.entry("a", 1),
        world.entry("b", 4),
    ]
    measured = campaign(world, entries)
    assert find(measured, "a").comparisons == []
    assert len(find(measured, "a").samples) == 12
    assert any(re.search(r"baseline base with .* failed \(CRASHED\)", one) for one in measured.warnings)
    assert find(measured, "a").ties == []


def test_interrupt_keeps_complete_rounds() -> None:
    world = World(10)
    inner = world.run("a", 1)

    def interrupted() -> Sample:
        if world.order.count("a") == 9:  # a warm-up and eight rounds
            raise KeyboardInterrupt
        return inner()

    entries = [world.entry("base", 1, None), Entry(row("a"), interrupted, "base"), world.entry("b", 1)]
    measured = campaign(world, entries)
    assert measured.interrupted
    assert {len(one.samples) for one in measured.rows} == {8}
    assert wall(measured, "a").high is not None


def test_interrupt_does_not_blame_the_build_that_it_killed() -> None:
    world = World(11)
    inner = world.run("a", 1)

    def killed() -> Sample | Failure:
        if world.order.count("a") < 5:
            return inner()
        failed.append("a")
        return Failure("CRASHED", "signal 2")

    def watch(progress: Progress) -> None:
        if failed and "stopped" not in seen:
            seen.append("stopped")
            raise KeyboardInterrupt

    seen: list[str] = []
    failed: list[str] = []
    entries = [world.entry("base", 1, None), Entry(row("a"), killed, "base")]
    measured = measure(entries, Plan(), watch, world.clock)
    assert measured.interrupted
    assert find(measured, "a").outcome == "ok"


def test_interrupt_in_the_warm_up_keeps_nothing() -> None:
    def stop() -> Sample:
        raise KeyboardInterrupt

    measured = measure([Entry(row("base"), stop, None)], Plan(), lambda progress: None)
    assert measured.interrupted
    assert measured.rows[0].samples == []


def test_budget_takes_rounds_from_the_dear_first() -> None:
    world = World(12, noise=0.01)
    entries = [world.entry("base", 1, None), world.entry("near", 1.0), world.entry("slow", 20.0)]
    measured = campaign(world, entries, Plan(max_seconds=350))
    assert world.now <= 350
    rounds = len(find(measured, "slow").samples)
    assert 6 <= rounds < 12
    assert wall(measured, "slow").verdict == "slower"
    assert len(find(measured, "near").samples) >= 12
    assert any(f"To keep within 350 s, slow got {rounds} rounds." in one for one in measured.warnings)


def test_a_machine_that_slows_down_takes_rounds_from_the_dear_only() -> None:
    """The budget fits at first; from round 9 on all takes thrice as long, and the slow entry stops there."""
    world = World(18, noise=0.01)

    def slowing(name: str, cost: float) -> Callable[[], Sample]:
        quick, tired = world.run(name, cost), world.run(name, 3 * cost)
        return lambda: (quick if world.order.count("slow") < 10 else tired)()

    entries = [
        Entry(row("base"), slowing("base", 1), None),
        Entry(row("near"), slowing("near", 1), "base"),
        Entry(row("slow"), slowing("slow", 20), "base"),
    ]
    measured = campaign(world, entries, Plan(max_seconds=400))
    assert world.now <= 400
    assert 6 <= len(find(measured, "slow").samples) < 12
    assert len(find(measured, "near").samples) >= 12


def test_a_budget_that_is_far_too_small_says_so() -> None:
    world = World(13)
    measured = campaign(world, [world.entry("base", 1, None), world.entry("a", 3)], Plan(max_seconds=20))
    assert world.now <= 21
    assert wall(measured, "a").verdict == "cannot tell apart"
    assert any("too few for an interval" in one for one in measured.warnings)


def test_a_budget_for_too_few_rounds_costs_the_dear_their_interval() -> None:
    """Six rounds of all take 200 s and more: the cheap rows keep theirs."""
    world = World(19, noise=0.01)
    entries = [world.entry("base", 1, None), world.entry("cheap", 2), world.entry("slow", 30)]
    measured = campaign(world, entries, Plan(max_seconds=180))
    assert world.now <= 180
    assert len(find(measured, "slow").samples) == 3
    assert wall(measured, "cheap").verdict == "slower"
    assert wall(measured, "slow").margin == wall(measured, "cheap").margin > stats.LEAST_MARGIN
    assert [one.ties for one in measured.rows] == [[]] * 4
    assert any("slow got 3 rounds, too few for an interval" in one for one in measured.warnings)


def test_a_generous_budget_changes_nothing() -> None:
    orders = []
    for budget in (None, 1e6):
        world = World(14)
        measured = campaign(
            world, [world.entry("base", 1, None), world.entry("a", 1)], Plan(max_seconds=budget)
        )
        assert not any("To keep within" in one for one in measured.warnings)
        orders.append(world.order)
    assert orders[0] == orders[1]


def test_progress_counts_down() -> None:
    world = World(15, noise=0.01)
    seen: list[Progress] = []
    measure([world.entry("base", 1, None), world.entry("a", 2)], Plan(rounds=12), seen.append, world.clock)
    assert seen[0].seconds_left is None  # nothing measured yet
    assert [one.done for one in seen] == list(range(len(seen)))
    known = [one for one in seen if one.seconds_left is not None]
    assert known[0].seconds_left == pytest.approx(4 * 12, rel=0.1)
    assert known[0].total == len(seen) - 1
    assert (seen[-1].what, seen[-1].seconds_left) == ("", 0.0)


def test_few_rounds_and_coarse_clocks_stay_valid_json() -> None:
    world = World(16)

    def coarse() -> Sample:
        return Sample(round=0, wall=0.001, user=0.0, system=0.0, peak_memory=0)

    busy = world.run("b", 1)
    entries = [Entry(row("base"), coarse, None), Entry(row("b"), busy, "base")]
    measured = campaign(world, entries, Plan(rounds=3))
    assert wall(measured, "b").high is None
    assert wall(measured, "b").low == 0.0
    assert any("too coarse" in one for one in measured.warnings)
    whole = Campaign(headrace_version="0", started="", machine=Machine(cpu="", cores=1), rows=measured.rows)
    text = whole.model_dump_json()
    assert "NaN" not in text and "Infinity" not in text
    assert Campaign.model_validate(json.loads(text)) == whole


def test_nonsense_is_refused() -> None:
    world = World(17)
    with pytest.raises(ValueError, match="two entries are called 'a'"):
        campaign(world, [world.entry("a", 1, None), world.entry("a", 1, None)])
    with pytest.raises(ValueError, match="which is no baseline here"):
        campaign(world, [world.entry("a", 1, "gone")])
    with pytest.raises(ValueError, match="at least one round"):
        campaign(world, [world.entry("a", 1, None)], Plan(rounds=0))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["wall", "cpu"])
def test_false_alarms_in_200_whole_campaigns(metric: str) -> None:
    """The same program twice on a noisy, drifting machine: a difference is called in at most 5 %."""
    alarms = 0
    for seed in range(200):
        world = World(seed, noise=0.03, drift=0.001)
        measured = campaign(world, [world.entry("base", 1, None), world.entry("same", 1)], Plan(seed=seed))
        pairs = [one for one in find(measured, "same").comparisons if one.metric == metric]
        alarms += pairs[0].verdict in ("faster", "slower", "detectable but small")
    assert alarms <= 10


def test_power_for_three_percent_within_36_rounds() -> None:
    found = 0
    for seed in range(60):
        world = World(seed, noise=0.01)
        plan = Plan(seed=seed, looks=(12, 24, 36))
        measured = campaign(world, [world.entry("base", 1, None), world.entry("more", 1.03)], plan)
        cpu = next(one for one in find(measured, "more").comparisons if one.metric == "cpu")
        found += cpu.verdict == "slower"
    assert found >= 54


def test_warnings_name_rows_as_people_do() -> None:
    rows = [
        row("a").model_copy(update={"id": str(at), "toolchain": chain, "contender": name})
        for at, (name, chain) in enumerate(
            [("cin", "g++-12/libstdc++/x86_64-linux"), ("cin", "clang++-19/libc++/x86_64-linux")]
            + [(name, "g++-12/libstdc++/x86_64-linux") for name in "stuvw"]
        )
    ]
    assert remarks.listed(rows[:2]) == "cin (g++-12/libstdc++, clang++-19/libc++)"
    assert remarks.listed(rows[2:]) == "s, t, u, v and 1 more"
