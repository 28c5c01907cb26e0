"""Campaigns over a simulated machine: what is run, when it stops and what is said."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import synthetic
from headrace.base.step import Step
from headrace.judge.pair import LOOKS, Estimate
from headrace.judge.table import compare
from headrace.judge.verdict import gate
from headrace.measure import warnings
from headrace.measure.campaign import measure
from headrace.measure.plan import Entry, Measured, Plan
from headrace.report import ranking, summary
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Comparison, Machine, Row, Sample
from synthetic import likely


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

    def run(self, name: str, cost: float) -> Callable[[int], Sample]:
        def once(number: int) -> Sample:
            self.order.append(name)
            slow = math.exp(self.noise * float(self.rng.standard_t(3)) + self.drift * self.now)
            wall = cost * slow
            self.now += wall
            return Sample(round=0, wall=wall, user=wall * 0.8, system=wall * 0.1, peak_memory=1 << 20)

        return once

    def entry(self, name: str, cost: float, baseline: str | None = "base") -> Entry:
        return Entry(row(name), self.run(name, cost), baseline)


def row(name: str) -> Row:
    return synthetic.a_row(name, benchmark="read_ints")


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


def test_what_is_decided_rests_and_what_is_open_goes_on() -> None:
    """Two near ties at the top and a row 20 times slower, which runs less often."""
    world = World(3, noise=0.01)
    near = [world.entry("base", 0.02, None), world.entry("near", 0.0202)]
    measured = campaign(world, [*near, world.entry("slow", 0.4)], Plan(max_seconds=30))
    slow, near_row = find(measured, "slow"), find(measured, "near")
    assert 2 * len(slow.samples) <= len(near_row.samples)
    assert slow.judged.first == slow.judged.last == 3
    assert wall(measured, "slow").verdict == "slower"


def test_the_winner_is_named_with_its_lead_within_three_percent() -> None:
    """Thirty rows from 20 ms to 0.5 s, the second 5 % slower than the first, in 60 s of a noisy machine."""
    world = World(4, noise=0.015)
    costs = [0.020, 0.021, *(0.024 * 1.11**step for step in range(28))]
    entries = [world.entry(f"row{at}", cost, "row20") for at, cost in enumerate(costs)]
    entries[20] = world.entry("row20", costs[20], None)
    measured = campaign(world, entries, Plan(max_seconds=75))
    assert measured.seconds <= 76
    assert (find(measured, "row0").judged.first, find(measured, "row0").judged.last) == (1, 1)
    pair = compare(find(measured, "row1"), find(measured, "row0"))
    assert pair is not None and pair.low <= math.log(1.05) <= pair.high
    assert pair.half_width <= math.log(1.03)
    assert all(one.judged.first for one in measured.rows if not one.twin_of)
    assert min(len(one.samples) for one in measured.rows) >= 5


@pytest.mark.parametrize("seed", range(4))
def test_each_row_that_can_be_afforded_runs_five_times_before_places_are_sharpened(seed: int) -> None:
    """Ten ties at the top would take all the time; rows of half a second get their five runs first."""
    world = World(seed, noise=0.03)
    costs = {**{f"tie{at}": 0.050 for at in range(10)}, **{f"slow{at}": 0.5 for at in range(6)}, "dear": 9.0}
    entries = [world.entry("base", 0.2, None), *(world.entry(name, cost) for name, cost in costs.items())]
    measured = campaign(world, entries, Plan(max_seconds=60, seed=seed))
    runs = {one.id: len(one.samples) for one in measured.rows if not one.twin_of}
    assert measured.seconds <= 61
    assert runs.pop("dear") < 5  # five of these would leave no time for anything else
    assert min(runs.values()) >= 5, runs
    assert max(runs[name] for name in runs if name.startswith("tie")) > 12, runs


FIVE_TOOLCHAINS = {  # seconds as of read_ints on a virtual machine: with four, and with the fifth
    "bulk": (0.0235, 0.0233),
    "stream": (0.0262, 0.0260),
    "loop": (0.070, 0.069),
    "base": (0.110, 0.107),
    "getc": (0.145, 0.149),
    "untied": (0.39, 3.5),
    "read": (0.55, 1.5),
    "scanf": (0.74, 0.75),
    "cin": (1.7, 3.6),
    "iterator": (1.65, 3.2),
}


def by_five_toolchains(world: World) -> list[Entry]:
    entries = []
    for chain in range(5):
        for name, costs in FIVE_TOOLCHAINS.items():
            one = world.entry(f"{name} {chain}", costs[chain == 4] * float(world.rng.uniform(1, 1.02)))
            known = one.row.model_copy(update={"contender": name, "toolchain": f"g++-{chain}"})
            entries.append(Entry(known, one.run, None if name == "base" else f"base {chain}"))
    return entries


@pytest.mark.parametrize("seed", [0, 1])
def test_the_winners_baseline_runs_beside_it(seed: int) -> None:
    """It takes five times as long as the winner, the noise is large, and ten rows are near the top."""
    world = World(seed, noise=0.08)
    measured = campaign(world, by_five_toolchains(world), Plan(max_seconds=75, seed=seed))
    whole = synthetic.a_campaign(measured.rows, benchmarks=[synthetic.an_info("read_ints", "base")])
    winner = ranking.groups(whole)[0].leaders[0]
    assert winner.row.contender == "bulk"
    own = [one for one in measured.rows if one.contender == "bulk"]
    most = max(own, key=lambda one: len(one.samples))
    rounds = wall(measured, most.id).rounds
    assert rounds >= 12 and 2 * rounds >= len(most.samples), (rounds, len(most.samples))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_slow_rows_take_no_rounds_from_the_winners_lead(seed: int) -> None:
    """One round of all takes half of the budget: yet what is said of the lead is exact to 3 %."""
    world = World(seed, noise=0.012)
    measured = campaign(world, by_five_toolchains(world), Plan(max_seconds=75, seed=seed))
    assert measured.seconds <= 76
    assert sum(not one.samples for one in measured.rows) <= 1
    whole = synthetic.a_campaign(measured.rows, benchmarks=[synthetic.an_info("read_ints", "base")])
    said = " ".join(summary.sentences(ranking.groups(whole)[0], whole))
    winner = re.search(r"`bulk`.* times as fast \[(\S+), (\S+)\] as `base`", said)
    after = re.search(r"next is `stream`.*?, \S+ \[(\S+), (\S+)\] times as long", said)
    assert winner and after, said
    for found in (winner, after):
        assert float(found[2]) / float(found[1]) <= 1.03**2 * 1.005, said  # of three digits


def test_a_machine_that_is_far_too_slow_still_names_the_winner() -> None:
    """A round of all takes twice the budget: dear builds of the second toolchain wait until it is known."""
    world = World(12, noise=0.01)
    costs = {"best": 0.05, "next": 0.06, "base": 0.1, "slow": 6.0, "slower": 9.0, "slowest": 12.0}

    def entry(name: str, chain: str) -> Entry:
        one = world.entry(f"{name} {chain}", costs[name] * (1.2 if chain == "clang" else 1.0))
        return Entry(
            one.row.model_copy(update={"contender": name, "toolchain": chain}),
            one.run,
            None if name == "base" else f"base {chain}",
        )

    entries = [entry(name, chain) for chain in ("g++", "clang") for name in costs]
    measured = campaign(world, entries, Plan(max_seconds=30))
    assert measured.seconds <= 30 * 1.6
    assert find(measured, "best g++").judged.last == 1
    left = [row for row in measured.rows if not row.samples]
    assert left and {row.toolchain for row in left} == {"clang"}
    assert {row.contender for row in left} <= {"slow", "slower", "slowest"}
    assert any("No time was left for " in said for said in measured.warnings)


def test_verdicts_name_what_is_the_same_and_what_is_small() -> None:
    world = World(5, noise=0.004)
    entries = [world.entry("base", 0.02, None), world.entry("same", 0.02), world.entry("small", 0.02012)]
    measured = campaign(world, entries, Plan(rounds=100))
    assert wall(measured, "same").verdict == "the same"
    assert wall(measured, "small").verdict in ("a small difference", "the same")
    assert campaign_places(measured, "same") & campaign_places(measured, "base")


def campaign_places(measured: Measured, name: str) -> set[int]:
    judged = find(measured, name).judged
    return set(range(judged.first, judged.last + 1))


def test_the_twin_of_a_baseline_takes_no_place() -> None:
    """That a control which fails withholds nothing is in test_judge.py."""
    world = World(6, noise=0.01)
    others = [world.entry("slow", 0.03), world.entry("near", 0.021)]
    calm = campaign(world, [world.entry("base", 0.02, None), *others], Plan(rounds=24))
    assert find(calm, "base A/A").twin_of == "base" and not find(calm, "base A/A").judged.first
    assert wall(calm, "slow").verdict == wall(calm, "near").verdict == "slower"


def test_a_round_tells_each_build_its_number() -> None:
    world, heard = World(9), list[int]()

    def run(number: int) -> Sample:
        heard.append(number)
        return world.run("a", 0.02)(number)

    campaign(world, [Entry(row("a"), run, None)], Plan(rounds=4, warmup=0))
    assert heard == [1, 2, 3, 4]
    heard.clear()
    campaign(world, [Entry(row("a"), run, None)], Plan(rounds=2))
    assert heard == [1, 1, 2]  # a warm-up, which may be the first round of what takes long, has its input


def test_one_round_leaves_places_open_where_times_are_near() -> None:
    world = World(7)
    measured = campaign(
        world, [world.entry("base", 1.0, None), world.entry("a", 1.1)], Plan(rounds=1, warmup=0)
    )
    assert [(one.judged.first, one.judged.last) for one in measured.rows] == [(1, 2), (0, 0), (1, 2)]
    assert any("--rounds 1 is too few" in said for said in measured.warnings)


def test_a_gate_runs_until_it_knows() -> None:
    world = World(8, noise=0.01)
    plan = Plan(gate=0.05, max_seconds=60)
    near = campaign(world, [world.entry("base", 0.02, None), world.entry("new", 0.0201)], plan)
    assert gate(as_pair(wall(near, "new")), 0.05) == "ok"
    far = campaign(world, [world.entry("base", 0.02, None), world.entry("new", 0.023)], plan)
    assert gate(as_pair(wall(far, "new")), 0.05) == "FAILED"
    assert far.seconds < 4.5  # known as soon as it is looked at
    same = world.entry("same", 0.02)
    brief = campaign(world, [world.entry("base", 0.02, None), world.entry("dear", 14), same], plan)
    assert 0 < len(find(brief, "dear").samples) < 5 and not find(brief, "dear").judged.first
    assert not any("few runs" in said for said in brief.warnings)  # a gate says what it does not decide


def as_pair(one: Comparison) -> Estimate:
    return Estimate(math.log(one.ratio), math.log(one.low), math.log(one.high or 9e9), one.rounds)


def test_an_exception_keeps_what_there_is_and_it_can_go_on() -> None:
    world = World(9)
    kept: list[Measured] = []

    def broken(number: int) -> Sample:
        if len(world.order) > 30:
            raise RuntimeError("a bug")
        return world.run("a", 0.02)(number)

    entries = [world.entry("base", 0.02, None), Entry(row("a"), broken, "base")]
    with pytest.raises(RuntimeError):
        measure(entries, Plan(rounds=60), clock=world.clock, keep=kept.append)
    rounds = len(find(kept[-1], "a").samples)
    assert rounds > 5 and kept[-1].interrupted
    before = {one.id: one.samples for one in kept[-1].rows}
    entries = [world.entry("base", 0.02, None), world.entry("a", 0.02)]
    done = measure(entries, Plan(rounds=24), clock=world.clock, before=before)
    assert [sample.round for sample in find(done, "a").samples] == list(range(1, 25))
    assert find(done, "a").samples[:rounds] == before["a"]


def test_results_are_kept_every_ten_seconds() -> None:
    world, kept = World(10), list[float]()
    entries = [world.entry("base", 0.5, None), world.entry("a", 0.51)]
    measure(entries, Plan(max_seconds=60), clock=world.clock, keep=lambda measured: kept.append(world.now))
    assert len(kept) >= 4
    assert max(b - a for a, b in itertools.pairwise(kept)) <= 13


def test_a_failure_ends_its_entry_alone() -> None:
    world = World(8)
    good = world.run("bad", 1)
    runs = 0

    def lies(number: int) -> Sample | Failure:
        nonlocal runs
        runs += 1
        return good(number) if runs < 5 else Failure("WRONG", "expected 7, got 8")

    entries = [world.entry("base", 1, None), Entry(row("bad"), lies, "base"), world.entry("a", 2)]
    measured = campaign(world, entries)
    bad = find(measured, "bad")
    assert (bad.outcome, bad.detail) == ("WRONG", "expected 7, got 8")
    assert bad.comparisons == [] and not bad.judged.first
    assert runs == 5
    assert wall(measured, "a").verdict == "slower"


def test_a_failed_baseline_leaves_a_sentence() -> None:
    world = World(9)
    entries = [
        Entry(row("base"), lambda number: Failure("CRASHED", "signal 11"), None),
        world.entry("a", 1),
        world.entry("b", 4),
    ]
    measured = campaign(world, entries)
    assert find(measured, "a").comparisons == []
    assert find(measured, "b").judged.first == 2
    assert any(re.search(r"baseline base with .* failed \(CRASHED\)", one) for one in measured.warnings)


def test_interrupt_keeps_complete_rounds() -> None:
    world = World(10)
    inner = world.run("a", 1)

    def interrupted(number: int) -> Sample:
        if world.order.count("a") == 9:  # a warm-up and eight rounds
            raise KeyboardInterrupt
        return inner(number)

    entries = [world.entry("base", 1, None), Entry(row("a"), interrupted, "base"), world.entry("b", 1)]
    measured = campaign(world, entries, Plan(rounds=20))
    assert measured.interrupted
    assert {len(one.samples) for one in measured.rows} == {8}
    assert wall(measured, "a").high is not None


def test_interrupt_does_not_blame_the_build_that_it_killed() -> None:
    world = World(11)
    inner = world.run("a", 1)

    def killed(number: int) -> Sample | Failure:
        if world.order.count("a") < 5:
            return inner(number)
        failed.append("a")
        return Failure("CRASHED", "signal 2")

    def watch(step: Step) -> None:
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
    def stop(number: int) -> Sample:
        raise KeyboardInterrupt

    measured = measure([Entry(row("base"), stop, None)], Plan(), lambda progress: None)
    assert measured.interrupted
    assert measured.rows[0].samples == []


def test_a_budget_is_kept_and_what_stayed_open_is_said() -> None:
    world = World(11)
    entries = [world.entry("base", 0.5, None), world.entry("a", 0.505), world.entry("b", 0.51)]
    measured = campaign(world, entries, Plan(max_seconds=20))
    assert measured.seconds <= 21
    assert any(said.startswith("Open after 20 s: who is first") for said in measured.warnings)


def test_what_is_open_of_a_contender_alone_is_its_builds_and_else_its_settings() -> None:
    rows = [synthetic.a_row("bulk", variant={"N": digit}, toolchain=f"g++-{digit}") for digit in "12"]
    asked = [("which setting is first", row) for row in rows]
    assert "which setting of bulk is first." in warnings.of_rests(20, asked)[0]
    asked = [("which build is first", synthetic.a_row("bulk"))]
    assert "which build of bulk is first." in warnings.of_rests(20, asked)[0]


def test_a_row_has_five_runs_or_is_named() -> None:
    world = World(12)
    entries = [world.entry("base", 0.05, None), world.entry("a", 0.06), world.entry("dear", 3.0)]
    measured = campaign(world, entries, Plan(max_seconds=10))
    assert {one.id for one in measured.rows if len(one.samples) < 5} == {"dear"}
    (said,) = measured.warnings
    assert "There was no time for more than a few runs of dear." in said


def test_no_contender_is_said_to_win_over_itself() -> None:
    """The next row is another build of the winner, certainly slower, and by how much is open."""
    world = World(3, noise=0.04)
    entries = []
    for name, chain, cost in (("best", "g++", 0.05), ("best", "clang", 0.06), ("base", "g++", 0.2)):
        one = world.entry(f"{name} {chain}", cost)
        known = one.row.model_copy(update={"contender": name, "toolchain": chain})
        entries.append(Entry(known, one.run, None if name == "base" else "base g++"))
    measured = campaign(world, entries, Plan(max_seconds=6, elapsed=1.0))
    (said,) = [one for one in measured.warnings if "by how much the first wins over" in one]
    assert "wins over base," in said


def test_progress_counts_down() -> None:
    world = World(15, noise=0.01)
    seen: list[Step] = []
    measure([world.entry("base", 1, None), world.entry("a", 2)], Plan(rounds=12), seen.append, world.clock)
    assert seen[0].seconds_left is None  # nothing measured yet
    assert [one.done for one in seen] == list(range(len(seen)))
    known = [one for one in seen if one.seconds_left is not None]
    assert known[0].seconds_left == pytest.approx(4 * 12, rel=0.1)
    assert known[0].total == len(seen) - 1
    assert (seen[-1].what, seen[-1].seconds_left) == ("", 0.0)


def test_few_rounds_and_coarse_clocks_stay_valid_json() -> None:
    world = World(16)

    def coarse(number: int) -> Sample:
        return Sample(round=0, wall=0.001, user=0.0, system=0.0, peak_memory=0)

    busy = world.run("b", 1)
    entries = [Entry(row("base"), coarse, None), Entry(row("b"), busy, "base")]
    measured = campaign(world, entries, Plan(rounds=1))
    assert 0 < wall(measured, "b").low < 1000 < (wall(measured, "b").high or 0) < math.inf
    assert any("too coarse" in one for one in measured.warnings)
    whole = Campaign(headrace_version="0", started="", machine=Machine(cpu="", cores=1), rows=measured.rows)
    text = whole.model_dump_json()
    assert "NaN" not in text and "Infinity" not in text
    assert Campaign.model_validate(json.loads(text)) == whole


@pytest.mark.slow
def test_whole_campaigns_of_rows_that_are_the_same_seldom_say_otherwise() -> None:
    words, places, campaigns = 0, 0, 60
    for seed in range(campaigns):
        world = World(seed, noise=0.01)
        entries = [world.entry("base", 0.02, None), world.entry("a", 0.02), world.entry("b", 0.02)]
        measured = campaign(world, entries, Plan(seed=seed, max_seconds=20))
        words += sum(wall(measured, name).verdict not in ("the same", "not decided") for name in ("a", "b"))
        judged = [one.judged for one in measured.rows if not one.twin_of]
        places += any(one.first and (one.first, one.last) != (1, 3) for one in judged)
    assert words <= likely(2 * campaigns)  # each interval misses the truth in one of twenty
    assert places <= likely(campaigns)


def test_warnings_name_rows_as_people_do() -> None:
    rows = [
        row("a").model_copy(update={"id": str(at), "toolchain": chain, "contender": name})
        for at, (name, chain) in enumerate(
            [("cin", "g++-12/libstdc++/x86_64-linux"), ("cin", "clang++-19/libc++/x86_64-linux")]
            + [(name, "g++-12/libstdc++/x86_64-linux") for name in "stuvw"]
        )
    ]
    assert warnings.row_names(rows[:2]) == "cin (g++-12/libstdc++, clang++-19/libc++)"
    assert warnings.row_names(rows[2:]) == "s, t, u, v and 1 more"


class Neighbour(World):
    """A machine whose neighbour comes and goes, for up to 30 rounds of three runs."""

    def feels(self, name: str, cost: float, slowed: float) -> Callable[[int], Sample]:
        def once(number: int) -> Sample:
            busy = self.is_busy()
            wall = cost * (slowed if busy else 1.0) * math.exp(0.01 * float(self.rng.standard_normal()))
            self.now += wall + 0.003  # the launcher's part
            return Sample(round=0, wall=wall, user=wall, system=0.0, peak_memory=1 << 20)

        return once

    def is_busy(self) -> bool:
        while self.now >= self.until:
            self.until += float(self.rng.integers(1, 31)) * 0.069
            self.busy = self.rng.random() < 0.3
        return self.busy

    until, busy = 0.0, False


@pytest.mark.slow
def test_an_interval_holds_what_a_neighbour_of_long_phases_does() -> None:
    """Two builds that take the same without a neighbour, and 1.30 and 1.32 times as long with it.

    It is there for 30 % of the time; rounds with it weigh less than those without.
    """
    campaigns, wrong = 60, 0
    mean = (1.32 / 1.30) ** 0.3
    for seed in range(campaigns):
        world = Neighbour(seed)
        base = Entry(row("base"), world.feels("base", 0.02, 1.30), None)
        other = Entry(row("other"), world.feels("other", 0.02, 1.32), "base")
        found = wall(campaign(world, [base, other], Plan(seed=seed, max_seconds=30)), "other")
        assert found.low is not None and found.high is not None
        wrong += found.low > mean or found.high < 1
    assert wrong <= likely(campaigns)


def test_a_question_that_no_more_rounds_are_spent_on_is_said_to_be_open() -> None:
    world = World(11)
    entries = [world.entry("base", 0.5, None), world.entry("a", 0.505)]
    measured = campaign(world, entries, Plan(looks=(12, 24), elapsed=0.0))
    (said,) = [warning for warning in measured.warnings if warning.startswith("Open after")]
    assert said.startswith("Open after 24 pairs of runs or more: who is first (")
    assert "--" not in said  # that it is a quick run, and what the full one is, stands elsewhere
    first = measured.rows[0]
    (full,) = warnings.of_closed(LOOKS[-1], [("who is first", first)])
    assert full.endswith(" Give --rounds for more.")
