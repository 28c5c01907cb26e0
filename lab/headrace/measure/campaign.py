"""A campaign: rounds in shuffled order, looks, early stopping, ties.

`measure` knows nothing of compilers or launchers: it calls each entry's `run` and judges the samples.

- A round runs every active entry once, in a freshly shuffled order. Warm-up rounds are dropped.
- Each baseline runs a second time per round as its own A/A twin, an entry like any other. The bound of that
  pair is the margin of the baseline's comparisons. One more run of the baseline a round is cheap (baselines
  are among the fast entries), and a route or toolchain with more noise gets its own, wider margin.
- Without `Plan.rounds`, pairs are looked at after 12, 24, 36 and 60 rounds, each at alpha/4; with it, once
  at the end at alpha. An entry stops when the verdicts of both its metrics are known; a baseline and its
  twin stop when nobody needs them.
- A budget (`Plan.max_seconds`) lowers the rounds of the entries that would spend most, see `_fit_budget`.
- Wall and cpu (user + system) are compared side by side. Their sum is used because Linux with tick accounting
  (CONFIG_TICK_CPU_ACCOUNTING, the default of most distributions) knows the sum to the microsecond but splits
  it by which of the two the 4 ms tick hit: user alone of a run of a few ms is all, nothing or half of it.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from headrace.base.text import plural
from headrace.judge import stats
from headrace.machine import noise
from headrace.measure.plan import METRICS, Entry, Measured, Plan, Progress
from headrace.measure.remarks import listed, of_coarse_clocks, place_of
from headrace.results.failure import Failure
from headrace.results.schema import Comparison, Metric, Noise, Role, Row, Sample

FEWEST = 3  # rounds of an entry that the budget denies an interval: a median at least


CLEARLY = 1.3  # an entry this far from its baseline is expected to be decided at the first look


@dataclass
class _Runner:
    """An entry while it is measured."""

    entry: Entry
    twin_of: str = ""
    samples: list[Sample] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)  # seconds of the last three runs, launcher included
    cost: float = 0.0  # their median
    failure: Failure | None = None
    active: bool = True
    cap: int = 0  # rounds to run at most

    @property
    def id(self) -> str:
        return self.entry.row.id

    @property
    def leads(self) -> bool:
        """Whether others are compared with it."""
        return self.entry.baseline is None

    def spent(self, seconds: float) -> None:
        self.costs = [*self.costs[-2:], seconds]
        self.cost = sorted(self.costs)[len(self.costs) // 2]

    def times(self, metric: Metric) -> list[float]:
        if metric == "wall":
            return [sample.wall for sample in self.samples]
        return [sample.user + sample.system for sample in self.samples]


def measure(
    entries: list[Entry],
    plan: Plan,
    watch: Callable[[Progress], None] = lambda progress: None,
    clock: Callable[[], float] = time.monotonic,
) -> Measured:
    """Run the campaign. A failing entry ends alone; Ctrl-C keeps the complete rounds.

    `watch` is called before each run and once at the end. Raises ValueError for two entries with one id, a
    baseline that is not among the entries, or fewer than one round.
    """
    return _Campaign(entries, plan, watch, clock).measure()


class _Campaign:
    """The state of one call of `measure`."""

    def __init__(
        self,
        entries: list[Entry],
        plan: Plan,
        watch: Callable[[Progress], None],
        clock: Callable[[], float],
    ) -> None:
        self.plan = plan
        self.watch = watch
        self.clock = clock
        self.looks = (plan.rounds,) if plan.rounds is not None else plan.looks
        if not self.looks or min(self.looks) < 1:
            raise ValueError("a campaign takes at least one round")
        self.runners = _with_twins(entries)
        self.by_id = {runner.id: runner for runner in self.runners}
        _check(self.runners, self.by_id)
        for runner in self.runners:
            runner.cap = self._wanted(runner)
        self.random = random.Random(plan.seed)
        self.noise: list[Noise] = []
        self.warnings: list[str] = []
        self.done = 0
        self.last: _Runner | None = None
        self.started = clock()

    def measure(self) -> Measured:
        interrupted = False
        try:
            self._warm_up()
            self._rounds()
        except KeyboardInterrupt:
            interrupted = True
            self._drop_incomplete_round()
        rows, margin = self._finish()
        self.watch(Progress("", self.done, self.done, 0.0))
        return Measured(rows, self.noise, margin, self.warnings, interrupted, self.clock() - self.started)

    # Rounds

    def _warm_up(self) -> None:
        for _ in range(self.plan.warmup):
            for runner in self._shuffled():
                self._run(runner)
        self._fit_budget(0)

    def _rounds(self) -> None:
        watcher = noise.Watcher()
        for number in range(1, max(self.looks) + 1):
            self._retire(number)
            runners = self._shuffled()
            if not runners or self._out_of_time(number):
                break
            watcher.begin()
            switches = 0
            for runner in runners:
                sample = self._run(runner)
                if sample is not None:
                    runner.samples.append(sample.model_copy(update={"round": number}))
                    switches += sample.involuntary_switches
            self.noise.append(watcher.end(number, switches))
            if number in self.looks:
                self._look()
            self._fit_budget(number)

    def _shuffled(self) -> list[_Runner]:
        active = [runner for runner in self.runners if runner.active]
        self.random.shuffle(active)
        return active

    def _run(self, runner: _Runner) -> Sample | None:
        self.watch(self._progress(runner.id))
        begun = self.clock()
        result = runner.entry.run()
        runner.spent(self.clock() - begun)
        self.last = runner
        self.done += 1
        if isinstance(result, Failure):
            runner.failure = result
            runner.active = False
            return None
        return result

    def _retire(self, number: int) -> None:
        """Stop whoever has run its rounds, then the leaders and twins that nobody needs."""
        for runner in self.runners:
            runner.active = runner.active and number <= runner.cap
        for runner in self.runners:
            if (runner.leads or runner.twin_of) and runner.active and number > 1:
                leader = runner.twin_of or runner.id
                runner.active = self._is_needed(leader)

    def _is_needed(self, leader: str) -> bool:
        followers = [one for one in self.runners if one.entry.baseline == leader and not one.twin_of]
        return not followers or any(one.active for one in followers)

    def _drop_incomplete_round(self) -> None:
        """Ctrl-C reaches the build that runs too: its crash is ours, not its own."""
        complete = len(self.noise)
        if self.last is not None and self.last.failure is not None and self.last.failure.outcome == "CRASHED":
            self.last.failure = None
        for runner in self.runners:
            runner.samples = [sample for sample in runner.samples if sample.round <= complete]

    # Looks

    def _look(self) -> None:
        for runner in self.runners:
            if runner.active and not runner.leads and not runner.twin_of:
                runner.active = not all(self._is_known(runner, metric) for metric in METRICS)

    def _is_known(self, runner: _Runner, metric: Metric) -> bool:
        pair = self._pair(runner, metric)
        if self._leader(runner).failure is not None:
            return True
        if pair is None:  # the clock is too coarse for this metric, more rounds do not help
            return True
        if self.plan.gate is not None:
            return metric != self.plan.gate_metric or not stats.straddles(pair, 1 + self.plan.gate)
        return stats.is_known(pair, self._margin(runner, metric))

    def _leader(self, runner: _Runner) -> _Runner:
        return self.by_id[runner.entry.baseline or runner.id]

    def _pair(self, runner: _Runner, metric: Metric) -> stats.Estimate | None:
        """Compare an entry with its baseline."""
        leader = self._leader(runner)
        if runner.failure is not None or leader.failure is not None:
            return None
        return self._estimate(runner, leader, metric, len(runner.samples))

    def _estimate(self, this: _Runner, other: _Runner, metric: Metric, most: int) -> stats.Estimate | None:
        """Compare two entries in at most `rounds` rounds that both have: both start at round 1.

        Before the first look no other has been spent, so that whatever ends an entry there (a budget, Ctrl-C)
        leaves it one look with all of alpha.
        """
        n = min(most, len(this.samples), len(other.samples))
        level = stats.ALPHA if n < self.looks[0] else stats.look_alpha(len(self.looks))
        return stats.estimate(this.times(metric)[:n], other.times(metric)[:n], level)

    def _margin(self, runner: _Runner, metric: Metric) -> float:
        """m for a pair with this runner's baseline, from as many rounds of the A/A pair as the runner has."""
        leader = self._leader(runner)
        twin = next((one for one in self.runners if one.twin_of == leader.id), None)
        if twin is None or twin.failure is not None or leader.failure is not None:
            return stats.LEAST_MARGIN
        pair = self._estimate(twin, leader, metric, len(runner.samples))
        if stats.bound(pair) is None:  # too few rounds of this entry: show what the pair can say
            pair = self._estimate(twin, leader, metric, len(twin.samples))
        return stats.margin(pair)

    # Time

    def _wanted(self, runner: _Runner) -> int:
        """Rounds without a budget: an entry that has nobody to be compared with gets the first look only."""
        lonely = runner.leads and not any(one.entry.baseline == runner.id for one in self.runners)
        return self.looks[0] if lonely else max(self.looks)

    def _expected_rounds(self, runner: _Runner) -> int:
        """Rounds in all that an active entry will run, by its distance from its baseline so far."""
        done = len(runner.samples)
        leader = self._leader(runner)
        ratio = runner.cost / leader.cost if leader.cost > 0 else 1.0
        if runner.leads or runner.twin_of:
            followers = [
                one
                for one in self.runners
                if one.entry.baseline == leader.id and not one.twin_of and one.active
            ]
            return min(runner.cap, max((self._expected_rounds(one) for one in followers), default=runner.cap))
        if ratio > CLEARLY or ratio < 1 / CLEARLY:
            return min(runner.cap, next((look for look in self.looks if look > done), runner.cap))
        return runner.cap

    def _progress(self, what: str) -> Progress:
        left = [(r, max(0, self._expected_rounds(r) - len(r.samples))) for r in self.runners if r.active]
        runs = sum(rounds for _, rounds in left)
        known = all(runner.costs for runner in self.runners if runner.active)
        seconds = sum(rounds * runner.cost for runner, rounds in left) if known else None
        if seconds is not None and self.plan.max_seconds is not None:
            seconds = min(seconds, max(0.0, self.plan.max_seconds - (self.clock() - self.started)))
        return Progress(what, self.done, self.done + runs, seconds)

    def _fit_budget(self, number: int) -> None:
        """Lower caps until the expected time fits, dearest entry first. `number` rounds are done.

        The entry with the largest expected remaining time steps down the ladder of looks, below the first
        look round by round to the fewest that have an interval at all (6, with all of alpha for that one
        look); past these it may stop at any round. So an entry that is 20 times slower than its baseline
        gives up rounds first: its difference shows in a few. Only when all are down there and it still does
        not fit, the dearest give up their interval and get 3 rounds. The choice looks at costs, never at
        verdicts, and a stop is the entry's last look. Baselines follow whoever needs them.
        """
        if self.plan.max_seconds is None:
            return
        left = self.plan.max_seconds - (self.clock() - self.started)
        floor = min(stats.least_rounds(stats.ALPHA), max(self.looks))
        rungs = {number, *range(floor, self.looks[0]), *stats.LOOKS, *self.looks}
        for ladder in (sorted(rung for rung in rungs if rung >= floor), [FEWEST, max(FEWEST, number)]):
            while self._expected_seconds() > left:
                lower = {
                    index: self._lower(runner, ladder, number)
                    for index, runner in enumerate(self.runners)
                    if runner.active and not runner.leads and not runner.twin_of
                }
                choices = [index for index, cap in lower.items() if cap < self.runners[index].cap]
                if not choices:
                    break
                dearest = max(choices, key=lambda index: self._spend(self.runners[index]))
                self.runners[dearest].cap = lower[dearest]

    def _lower(self, runner: _Runner, ladder: Sequence[int], number: int) -> int:
        """The next rung down for an entry that has run `number` rounds."""
        below = [rung for rung in ladder if number <= rung < self._expected_rounds(runner)]
        return max(below, default=runner.cap)

    def _spend(self, runner: _Runner) -> float:
        return runner.cost * max(0, self._expected_rounds(runner) - len(runner.samples))

    def _expected_seconds(self) -> float:
        return sum(self._spend(runner) for runner in self.runners if runner.active)

    def _out_of_time(self, number: int) -> bool:
        """Whether the next round would end after the budget. The first round always runs."""
        if self.plan.max_seconds is None or number == 1:
            return False
        ends = self.clock() - self.started + sum(one.cost for one in self.runners if one.active)
        if ends <= self.plan.max_seconds:
            return False
        for runner in self.runners:
            if runner.active:
                runner.cap = number - 1
        return True

    # The end

    def _finish(self) -> tuple[list[Row], float]:
        rows: dict[str, Row] = {}
        for runner in self.runners:
            comparisons = list(self._comparisons(runner))
            update: dict[str, object] = {"samples": runner.samples, "comparisons": comparisons}
            if runner.failure is not None:
                update |= {"outcome": runner.failure.outcome, "detail": runner.failure.detail}
            rows[runner.id] = runner.entry.row.model_copy(update=update)
        for ids in self._ties():
            for one in ids:
                rows[one] = rows[one].model_copy(update={"ties": [other for other in ids if other != one]})
        margins = {metric: _largest_margin(rows.values(), metric) for metric in METRICS}
        self._warn(list(rows.values()), margins)
        return list(rows.values()), margins["wall"]

    def _comparisons(self, runner: _Runner) -> Iterable[Comparison]:
        if runner.leads:
            return
        for metric in METRICS:
            pair = self._pair(runner, metric)
            if pair is not None:
                yield comparison(pair, runner.entry.baseline or "", metric, self._margin(runner, metric))

    def _ties(self) -> list[list[str]]:
        """Groups of ids that share a rank, table by table, by paired wall time (see stats.rank_groups)."""
        return [
            [table[index].id for index in group]
            for table in self._tables()
            for group in stats.rank_groups(len(table), partial(self._separation, table))
        ]

    def _separation(self, table: list[_Runner], fast: int, slow: int) -> float:
        """The level at which two entries of a table differ by more than the margin; 1 if they do not."""
        this, other = table[slow], table[fast]
        n = min(len(this.samples), len(other.samples))
        x = stats.log_ratios(this.times("wall")[:n], other.times("wall")[:n])
        m = max(self._margin(this, "wall"), self._margin(other, "wall"))
        if abs(stats.median(x)) <= math.log1p(m):
            return 1.0
        return stats.sign_level(x)

    def _tables(self) -> list[list[_Runner]]:
        """Entries that rank together, fast first; without those that have too few rounds for an interval.

        Such an entry can be told apart from nothing, and so would join all ranks above it into one.
        """
        tables: dict[tuple[object, ...], list[_Runner]] = {}
        for runner in self.runners:
            denied = min(runner.cap, max(self.looks)) < stats.least_rounds(stats.ALPHA)
            shown = not runner.twin_of and not runner.entry.row.by_peer
            if runner.failure is None and runner.samples and shown and not denied:
                row = runner.entry.row
                key = (row.benchmark, row.source, row.sink, tuple(sorted(row.input.items())))
                tables.setdefault(key, []).append(runner)
        for table in tables.values():
            table.sort(key=lambda runner: stats.median(runner.times("wall")))
        return list(tables.values())

    def _warn(self, rows: list[Row], margins: dict[Metric, float]) -> None:
        if max(self.looks) < stats.least_rounds(stats.ALPHA):
            self.warnings.append(
                f"--rounds {max(self.looks)} is too few for an interval (that takes "
                f"{stats.least_rounds(stats.ALPHA)}): the ranks are the order of the medians, no more."
            )
        self.warnings += self._budget_warnings()
        for runner in self.runners:
            if runner.leads and runner.failure is not None:
                self.warnings.append(
                    f"The baseline {place_of(runner.entry.row)} failed ({runner.failure.outcome}), "
                    "so the rows that compare with it have no ratio."
                )
        self.warnings += of_coarse_clocks(rows)
        # A sample of an in-process row is a call, while its switches are those of the whole process.
        samples = [sample for row in rows if not row.harness for sample in row.samples]
        seconds = sum(sample.wall for sample in samples)
        switches = sum(sample.involuntary_switches for sample in samples)
        rate = switches / seconds if seconds > 0 else 0.0
        self.warnings += noise.warnings(self.noise, margins, rate)

    def _budget_warnings(self) -> list[str]:
        if self.plan.max_seconds is None:
            return []
        short: dict[int, list[Row]] = {}
        for runner in self.runners:
            if runner.failure is None and not runner.twin_of and not runner.leads and self._was_cut(runner):
                short.setdefault(len(runner.samples), []).append(runner.entry.row)
        return [
            f"To keep within {self.plan.max_seconds:g} s, {listed(rows)} got {plural(count, 'round')}"
            + (
                f", too few for an interval (that takes {stats.least_rounds(stats.ALPHA)})."
                if count < stats.least_rounds(stats.ALPHA)
                else "."
            )
            for count, rows in sorted(short.items())
        ]

    def _was_cut(self, runner: _Runner) -> bool:
        """Whether the budget, and not a known verdict or the plan, ended this entry."""
        if len(runner.samples) >= max(self.looks) or len(runner.samples) < runner.cap:
            return False
        return not (
            len(runner.samples) in self.looks and all(self._is_known(runner, metric) for metric in METRICS)
        )


def comparison(pair: stats.Estimate, other: str, metric: Metric, m: float) -> Comparison:
    """Write an estimate down with its verdict at margin m."""
    return Comparison(
        other=other,
        metric=metric,
        ratio=pair.ratio,
        low=pair.low_ratio,
        high=pair.high_ratio,
        rounds=pair.rounds,
        margin=m,
        verdict=stats.verdict(pair, m),
    )


def _with_twins(entries: list[Entry]) -> list[_Runner]:
    """Put an A/A twin after each baseline that somebody is compared with."""
    needed = {entry.baseline for entry in entries}
    runners: list[_Runner] = []
    for entry in entries:
        runners.append(_Runner(entry))
        if entry.baseline is None and entry.row.id in needed:
            row = entry.row.model_copy(
                update={
                    "id": entry.row.id + " A/A",
                    "role": Role.TWIN,
                    "twin_of": entry.row.id,
                    "notes": [*entry.row.notes, "A/A: the baseline's build once more; it shows the noise"],
                }
            )
            runners.append(_Runner(Entry(row, entry.run, entry.row.id), twin_of=entry.row.id))
    return runners


def _check(runners: list[_Runner], by_id: dict[str, _Runner]) -> None:
    if len(by_id) != len(runners):
        ids = [runner.id for runner in runners]
        double = next(one for one in ids if ids.count(one) > 1)
        raise ValueError(f"two entries are called {double!r}")
    for runner in runners:
        wanted = runner.entry.baseline
        if wanted is not None and (wanted not in by_id or not by_id[wanted].leads):
            raise ValueError(f"the baseline of {runner.id!r} is {wanted!r}, which is no baseline here")


def _largest_margin(rows: Iterable[Row], metric: Metric) -> float:
    margins = [one.margin for row in rows for one in row.comparisons if one.metric == metric]
    return max(margins, default=stats.LEAST_MARGIN)
