"""A campaign: rounds in shuffled order, looks, and the questions that each further round is for.

`measure` knows nothing of compilers or launchers: it calls each entry's `run`, and the judge says what the
samples show. Each baseline runs a second time per round as its own A/A twin, while there is time for AHEAD
such rounds. Where the two differ, a sentence says so, and withholds nothing.

Wall and cpu (user + system) are compared side by side: Linux with tick accounting
(CONFIG_TICK_CPU_ACCOUNTING, the default of most distributions) knows the sum to the microsecond but splits it
by which of the two the 4 ms tick hit: user alone of a run of a few ms is all, nothing or half of it.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from headrace.base.step import Step, Watch
from headrace.judge import schedule
from headrace.judge.pair import least_rounds
from headrace.judge.schedule import Question
from headrace.judge.table import Table, tables
from headrace.machine import noise
from headrace.measure.plan import Entry, Measured, Plan
from headrace.measure.warnings import (
    of_closed,
    of_coarse_clocks,
    of_failed_baselines,
    of_few_rounds,
    of_rests,
)
from headrace.results.failure import Failure
from headrace.results.schema import Noise, Role, Row, Sample

OPENING = 3  # rounds of what costs little: enough to place those that are far from the others
FEWEST = 5  # runs of each entry that can be afforded, before anything else is sharpened
NEAR = 4.0  # times the fastest; what is dear and takes longer waits until the leader is known
QUARTER = 0.25  # of the time left is for the leader at first: as much as tells who it is
MOST = 0.9  # the same for FEWEST runs, which tell most of the other places
HALF = 0.5  # of the budget: what is dear and has not run by then waits
BRIEF = 0.1  # of the time left is for each opening round but the first
WARM = 0.1  # seconds; a run that takes longer needs no warm-up
DEAR = 0.01  # of the budget; a run that takes longer may have to wait until the leader is known
PATIENCE = 16  # times the rounds of a look: then it waits no longer
KEEP = 10.0  # seconds between two calls of `keep`

Keep = Callable[[Measured], None]


@dataclass(eq=False)
class _Runner:
    """An entry while it is measured."""

    entry: Entry
    samples: list[Sample] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)  # seconds of each run, launcher included
    failure: Failure | None = None
    postponed: bool = False  # whether its first run waits until the leader is known

    @property
    def id(self) -> str:
        return self.entry.row.id

    @property
    def cost(self) -> float:
        """The median of the last three runs."""
        last = sorted(self.costs[-3:])
        return last[len(last) // 2] if last else 0.0

    @property
    def rounds(self) -> set[int]:
        return {sample.round for sample in self.samples}

    def row(self) -> Row:
        update: dict[str, object] = {"samples": list(self.samples)}
        if self.failure is not None:
            update |= {"outcome": self.failure.outcome, "detail": self.failure.detail}
        return self.entry.row.model_copy(update=update)


def measure(
    entries: list[Entry],
    plan: Plan,
    watch: Watch = lambda step: None,
    clock: Callable[[], float] = time.monotonic,
    keep: Keep = lambda measured: None,
    before: Mapping[str, Sequence[Sample]] | None = None,
) -> Measured:
    """Run the campaign. A failing entry ends alone; Ctrl-C keeps the complete rounds.

    `watch` is called before each run and once at the end; `keep` with what there is after the opening rounds,
    every KEEP seconds, and before an exception leaves. `before`: samples of an earlier part of the campaign.
    """
    return _Campaign(_with_twins(entries, before or {}), plan, watch, clock, keep).measure()


class _Campaign:
    def __init__(
        self, runners: list[_Runner], plan: Plan, watch: Watch, clock: Callable[[], float], keep: Keep
    ) -> None:
        self.runners, self.plan, self.watch, self.clock, self.keep = runners, plan, watch, clock, keep
        self.by_id = {runner.id: runner for runner in runners}
        # The number of the last whole round.
        self.number = max((number for runner in runners for number in runner.rounds), default=0)
        self.random = random.Random(plan.seed + self.number)
        self.noise: list[Noise] = []
        self.open: list[Question] = []  # of all tables
        self.chosen: set[_Runner] = set()
        self.looked: dict[tuple[str, str], int] = {}  # rounds of an open question at its last look
        self.due: dict[tuple[str, str], float] = {}  # when each open question began to run
        self.last: _Runner | None = None
        self.others = noise.processes()
        self.started = self.kept = clock()
        self.budget = math.inf if plan.max_seconds is None else plan.max_seconds
        self.ends = self.started + self.budget

    @property
    def done(self) -> int:
        return sum(len(runner.costs) for runner in self.runners)

    def measure(self) -> Measured:
        interrupted = False
        try:
            self._warm_up()
            self._fixed() if self.plan.rounds is not None else self._asking()
        except KeyboardInterrupt:
            interrupted = True
            self._drop_incomplete_round()
        except BaseException:
            self._drop_incomplete_round()
            self.keep(self._so_far())
            raise
        measured = self._so_far()
        warnings = self._warnings(measured.rows, interrupted)
        self.watch(Step("runs", "", self.done, self.done, 0.0))
        return replace(measured, warnings=warnings, interrupted=interrupted)

    # Rounds

    def _warm_up(self) -> None:
        """Run each entry once. For what takes long it is the first round; the others drop it.

        One toolchain goes first, and tells what the others' builds will cost: these go from cheap to dear.
        Dear ones wait where they are far from the fastest, or where half of the budget is over: see `_late`.
        """
        if not self.plan.warmup or self.number:
            return
        counts = self.plan.rounds is None
        first = self.runners[0].entry.row.toolchain if self.runners else ""
        order = self._shuffled(self.runners)
        order.sort(key=lambda runner: runner.entry.row.toolchain != first)
        leading = sum(runner.entry.row.toolchain == first for runner in self.runners)
        for place in range(len(order)):
            if place == leading:
                if counts:
                    self._keep()  # the first table: one run of each build of the first toolchain
                order[place:] = sorted(order[place:], key=self._expected)
            runner = order[place]
            runner.postponed = counts and place >= leading and self._may_wait(runner)
            if not runner.postponed:
                self._run(runner, 1)
                if counts:
                    self._keep(KEEP)
        for runner in self.runners:
            if runner.cost <= WARM or not counts:
                runner.samples = []

    def _first_costs(self, runner: _Runner) -> list[float]:
        """Seconds of the first run of each build of a runner's contender, from low to high; 0 without any."""
        label = runner.entry.row.label
        alike = [runner for runner in self.runners if runner.entry.row.label == label]
        return sorted(runner.costs[0] for runner in alike if runner.costs) or [0.0]

    def _expected(self, runner: _Runner) -> float:
        """The median of what the contender took by other toolchains, of two the smaller."""
        known = self._first_costs(runner)
        return known[(len(known) - 1) // 2]

    def _may_wait(self, runner: _Runner) -> bool:
        """Whether a run is dear, and either cannot win or comes when half of the budget is over."""
        expected = self._expected(runner)
        if expected <= DEAR * self.budget:
            return False
        ranked = [runner.cost for runner in self.runners if runner.entry.ranked and runner.costs]
        return self._elapsed() > HALF * self.budget or (bool(ranked) and expected > NEAR * min(ranked))

    def _late(self) -> None:
        """Run what has not run, cheapest first, while there is time.

        What waited takes part in the first round. In a campaign that goes on that is long ago: there it has
        a round of its own with its baseline.
        """
        waiting = [runner for runner in self.runners if not runner.samples and runner.failure is None]
        for runner in sorted(waiting, key=self._expected):
            if self._first_costs(runner)[-1] > self._seconds_left():
                continue
            if runner.postponed:
                self._run(runner, 1)
                runner.postponed = False
            else:
                self._round(self._with_baselines([runner]))
            self._keep(KEEP)

    def _fixed(self) -> None:
        for _ in range((self.plan.rounds or 0) - self.number):
            chosen = self._alive(self.runners)
            if not chosen or (self.number > 0 and self._too_long(chosen, self.ends)):
                return
            self._round(chosen)

    def _asking(self) -> None:
        """Run the opening rounds, then what open questions are about: first of all the leader."""
        if self.plan.gate is None:
            self._opening()
            self._answer(leading=True)
            self._late()
            self._fewest()
        self._answer()
        self._late()

    def _opening(self) -> None:
        """Run all entries; in the second and third round only those that leave time for questions."""
        while self.number < OPENING:
            chosen = self._alive(self.runners)
            if self.number > 0:
                chosen = self._affordable(chosen, BRIEF)
            if not chosen:
                return
            self._round(chosen)
            if self.number == 1:
                self.ends = max(self.ends, self.clock() + HALF * self.budget)

    def _fewest(self) -> None:
        """Give FEWEST runs to all that can have them, the cheapest first; then to others as many as fit."""
        for among in (self._affordable(self._short(FEWEST), MOST, FEWEST), self.runners):
            for runs in range(2, FEWEST + 1):
                short = [runner for runner in self._short(runs) if runner in among]
                wanted = self._with_baselines(self._affordable(short, MOST))
                if wanted and not self._too_long(wanted, self.ends):
                    self._round(wanted)

    def _short(self, runs: int) -> list[_Runner]:
        return self._alive([runner for runner in self.runners if 0 < len(runner.samples) < runs])

    def _with_baselines(self, chosen: Collection[_Runner]) -> list[_Runner]:
        bases = {runner.entry.baseline for runner in chosen}
        return self._alive([runner for runner in self.runners if runner in chosen or runner.id in bases])

    def _affordable(self, chosen: Collection[_Runner], share: float, runs: int = 0) -> list[_Runner]:
        """Take the cheapest, for a share of the time left.

        With `runs`, the time of each is that until it has had so many; else that of one run.
        """
        taken, left = [], share * self._seconds_left()
        for runner in sorted(chosen, key=lambda runner: runner.cost):
            left -= runner.cost * max(1, runs - len(runner.samples))
            if left >= 0:
                taken.append(runner)
        return taken

    def _answer(self, leading: bool = False) -> None:
        """Run what open questions are about: all, or the leader's in a QUARTER of the time left."""
        until = self.clock() + self._seconds_left() * (QUARTER if leading else 1)
        self._look(leading, until)
        while self.chosen:
            self._round(self.chosen)
            failed = len(self._alive(self.chosen)) < len(self.chosen)
            if failed or self._looks_now() or self._too_long(self.chosen, until):
                self._look(leading, until)

    def _round(self, chosen: Collection[_Runner]) -> None:
        watcher = noise.Watcher()
        watcher.begin()
        number, switches = self.number + 1, 0
        for runner in self._shuffled(chosen):
            if number in runner.rounds:
                continue  # its warm-up was its first round
            if self._run(runner, number):
                switches += runner.samples[-1].involuntary_switches
        self.noise.append(watcher.end(number, switches))
        self.number = number
        self._keep(KEEP)

    def _shuffled(self, chosen: Collection[_Runner]) -> list[_Runner]:
        order = self._alive(chosen)
        self.random.shuffle(order)
        return order

    def _alive(self, chosen: Collection[_Runner]) -> list[_Runner]:
        """Return those that can run, in the order of the entries."""
        able = [runner for runner in self.runners if runner.failure is None and not runner.postponed]
        return [runner for runner in able if runner in chosen]

    def _run(self, runner: _Runner, number: int) -> bool:
        """Run an entry once, in a round. Returns whether that gave a sample."""
        self.watch(self._step(runner.id))
        begun = self.clock()
        result = runner.entry.run(number)
        runner.costs.append(self.clock() - begun)
        self.last = runner
        if isinstance(result, Failure):
            runner.failure = result
            return False
        runner.samples.append(result.model_copy(update={"round": number}))
        return True

    def _drop_incomplete_round(self) -> None:
        """Ctrl-C reaches the build that runs too: its crash is ours, not its own."""
        if self.last is not None and self.last.failure is not None and self.last.failure.outcome == "CRASHED":
            self.last.failure = None
        complete = max(self.number, int(self.plan.rounds is None))  # a first round that is not whole counts
        for runner in self.runners:
            runner.samples = [sample for sample in runner.samples if sample.round <= complete]

    # Questions

    def _looks_now(self) -> bool:
        """Whether an open question has run for the rounds of a look, and long enough."""
        now = self.clock()
        for asked in self.open:
            if {self.by_id[row] for row in asked.pair} <= self.chosen:
                since = self.due.setdefault(asked.pair, now)
                seen, rounds = self.looked.get(asked.pair, 0), self._common(asked)
                look = next((look for look in self.plan.looks if look > seen), self.plan.looks[-1])
                is_long = now - since >= self.plan.elapsed or rounds >= PATIENCE * look
                if is_long and rounds >= look:
                    return True
        return False

    def _common(self, asked: Question) -> int:
        """The number of pairs of runs that answer a question: one per round that both rows ran in."""
        return asked.elsewhere + len(self.by_id[asked.this].rounds & self.by_id[asked.other].rounds)

    def _look(self, leading: bool, until: float) -> None:
        """Ask the judge what is open, of the leader or of all, and choose what runs from here on."""
        left = until - self.clock()
        self.open = []
        ids: set[str] = set()
        costs = {runner.id: runner.cost for runner in self.runners}
        for table in self._tables():
            asked = schedule.open_questions(table, self.plan.findings, self.plan.looks[-1], leading)
            self.open += asked
            ids |= schedule.next_round(asked, costs, left)
        # The control runs as often as the baseline that it vouches for, where there is time for it.
        both = self._alive([runner for runner in self.runners if ids & {runner.id, runner.entry.row.twin_of}])
        has_time = schedule.AHEAD * sum(runner.cost for runner in both) <= left
        self.chosen = {runner for runner in both if has_time or runner.id in ids}
        self.looked |= {asked.pair: self._common(asked) for asked in self.open}
        if self._too_long(self.chosen, until):
            self.chosen = set()
        if self.number == OPENING:
            self._keep()

    def _named(self, questions: Sequence[Question]) -> list[tuple[str, Row]]:
        return [(question.kind, self.by_id[question.this].row()) for question in questions]

    def _closed(self) -> list[Question]:
        """What has no answer after the rounds of the last look, from which on nothing is asked."""
        asked = (schedule.open_questions(table, self.plan.findings, math.inf) for table in self._tables())
        return [each for of_table in asked for each in of_table if self._common(each) >= self.plan.looks[-1]]

    def _tables(self) -> list[Table]:
        plan, looks = self.plan, 1 if self.plan.rounds is not None else len(self.plan.looks)
        baselines = {runner.id: runner.entry.baseline for runner in self.runners if runner.entry.baseline}
        roles = {runner.id for runner in self.runners if runner.entry.row.twin_of or not runner.entry.ranked}
        how = (baselines, roles, plan.margin, looks, plan.gate, plan.gate_metric)
        return [Table(rows, *how) for rows in tables(runner.row() for runner in self.runners)]

    # Time

    def _elapsed(self) -> float:
        return self.clock() - self.started

    def _too_long(self, chosen: Collection[_Runner], until: float) -> bool:
        """Whether a round of these would end after a time."""
        return self.clock() + sum(runner.cost for runner in chosen) > until

    def _seconds_left(self) -> float:
        return self.ends - self.clock()

    def _step(self, what: str) -> Step:
        """Where the campaign is; the seconds left are an estimate."""
        asking = f"{self.open[0].kind}?" if self.open else ""
        if self.plan.rounds is None:
            left = None if self.ends == math.inf else max(0.0, self._seconds_left())
            return Step("runs", what, self.done, 0, left, asking)
        alive = [runner for runner in self.runners if runner.failure is None]
        to_come = [(runner, max(0, self.plan.rounds - len(runner.samples))) for runner in alive]
        total = self.done + sum(runs for _, runs in to_come)
        known = all(runner.costs for runner in alive)
        seconds = sum(runs * runner.cost for runner, runs in to_come) if known else None
        return Step("runs", what, self.done, total, seconds, asking)

    # The end

    def _keep(self, period: float = 0.0) -> None:
        """Hand over what there is, unless that was done less than `period` seconds ago."""
        if self.clock() - self.kept >= period:
            self.kept = self.clock()
            self.keep(self._so_far())

    def _so_far(self) -> Measured:
        judged = {row.id: row for table in self._tables() for row in table.judged()}
        rows = [judged[runner.id] for runner in self.runners]
        return Measured(rows, self.noise, [], True, self._elapsed())

    def _warnings(self, rows: list[Row], interrupted: bool) -> list[str]:
        warnings = []
        wants_answers = self.plan.rounds is None and self.plan.gate is None
        if self.plan.rounds is not None:
            warnings += of_few_rounds(self.plan.rounds, least_rounds(rows[0].judged.level if rows else 0.05))
        if self.plan.max_seconds is not None and not interrupted:
            postponed = [runner.row() for runner in self.runners if runner.postponed]
            few = [runner.row() for runner in self._short(FEWEST)] if wants_answers else []
            warnings += of_rests(self.plan.max_seconds, self._named(self.open), few, postponed)
        if wants_answers and not interrupted:
            warnings += of_closed(self.plan.looks[-1], self._named(self._closed()))
        leading = [runner for runner in self.runners if runner.entry.baseline is None]
        warnings += of_failed_baselines([runner.row() for runner in leading if runner.failure is not None])
        warnings += of_coarse_clocks(rows)
        return warnings + noise.warnings(
            self.noise, noise.busiest(self.others, noise.processes(), self._elapsed())
        )


def _with_twins(entries: list[Entry], before: Mapping[str, Sequence[Sample]]) -> list[_Runner]:
    """Put an A/A twin after each baseline that somebody is compared with."""
    needed = {entry.baseline for entry in entries}
    doubled = ((entry, _twin(entry)) if entry.row.id in needed else (entry,) for entry in entries)
    return [_Runner(entry, list(before.get(entry.row.id, ()))) for alike in doubled for entry in alike]


def _twin(entry: Entry) -> Entry:
    update = {
        "id": entry.row.id + " A/A",
        "role": Role.TWIN,
        "twin_of": entry.row.id,
        "notes": [*entry.row.notes, "A/A: the baseline's build once more; a control"],
    }
    return Entry(entry.row.model_copy(update=update), entry.run, entry.row.id)
