"""Changes between two results files, and a gate that trusts no stored time.

Two campaigns ran at different times, perhaps on different machines, so their times are not pairs and are
never divided by each other. What can be compared is each row's ratio to its own baseline, measured in pairs
inside each campaign: change = ratio in NEW / ratio in OLD. Its interval joins the ends of two intervals, each
at half of alpha, so that both hold together with at least 1 - alpha.

With a threshold nothing stored is trusted: the builds of both files run again, interleaved, and a row fails
only when the near bound of its paired interval passes the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from headrace.base.errors import HeadraceError, NothingToDo
from headrace.base.names import is_named
from headrace.base.step import Watch
from headrace.base.text import listed, plural
from headrace.judge import table
from headrace.judge.pair import ALPHA, Estimate
from headrace.judge.verdict import Outcome, quotient, verdict
from headrace.judge.verdict import gate as outcome_of
from headrace.measure.campaign import measure
from headrace.measure.plan import Entry, Measured, Plan, Run
from headrace.results.schema import Campaign, Comparison, Metric, Row, Verdict


@dataclass(frozen=True)
class Side:
    """One side of a gate: rows by their ids, and how a row's build runs again.

    `run` raises HeadraceError with the reason where it cannot.
    """

    rows: Mapping[str, Row]
    run: Callable[[Row], Run]
    name: str = ""  # of its commit


@dataclass(frozen=True)
class _OfBoth:
    """A row that both sides have, and something of each."""

    id: str
    group: str  # what it shares with the rows beside it
    name: str  # contender and variant
    note: str = ""  # why there is no ratio
    old: float | None = None
    new: float | None = None


@dataclass(frozen=True)
class Change(_OfBoth):
    """One row of both files. `old`, `new`: ratios to the baseline of each."""

    ratio: float | None = None  # new / old
    low: float = 0.0  # 0: unbounded
    high: float | None = None  # None: unbounded
    verdict: Verdict | None = None  # only where both files hold parts of one campaign


@dataclass(frozen=True)
class Difference:
    """Two results files, compared without running anything."""

    metric: Metric
    same_machine: bool
    one_campaign: bool  # both files hold parts of it, so that rows have verdicts
    changes: list[Change]
    only_old: list[str]
    only_new: list[str]

    @property
    def sentence(self) -> str:
        """Explain the ratios to a reader who takes them for times."""
        if not self.same_machine:
            return (
                "Two machines: each row is compared by its ratio to its own machine's baseline, not by times."
            )
        if self.one_campaign:
            return "Both files are of one campaign: each row is compared by its ratio to the baseline there."
        moved = sorted(change.ratio for change in self.changes if change.ratio is not None)
        spread = f"; NEW/OLD of {plural(len(moved), 'row')} is {moved[0]:.3f}" if moved else ""
        spread += f" to {moved[-1]:.3f}" if len(moved) > 1 else ""
        return (
            f"Two campaigns that ran apart are no pairs, so there is no verdict: each row is compared by its "
            f"ratio to its own campaign's baseline{spread}. --fail-if-slower runs both builds again, "
            "interleaved, and judges."
        )


@dataclass(frozen=True)
class Judgement(_OfBoth):
    """One row of the gate. Without a ratio, `outcome` says whether that is a fault.

    `comparison`: of times that were measured again. `old`, `new`: stored instructions per token, or per run
    where tokens are not known.
    """

    comparison: Comparison | None = None
    outcome: Outcome = "ok"
    tried: bool = True

    @property
    def ratio(self) -> float | None:
        """new / old."""
        if self.comparison is not None:
            return self.comparison.ratio
        return self.new / self.old if self.new is not None and self.old else None


@dataclass(frozen=True)
class GateReport:
    """The outcome of a gate. `threshold` is a share: 0.05 is 5 %; None: nothing fails for its ratio."""

    threshold: float | None
    metric: Metric | Literal["instructions"]
    rows: list[Judgement]
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def failures(self) -> list[Judgement]:
        """Rows that are slower beyond doubt, or that no longer give an answer."""
        return [row for row in self.rows if row.outcome == "FAILED"]

    @property
    def undecided(self) -> list[Judgement]:
        """Rows of which the rounds say neither."""
        return [row for row in self.rows if row.tried and row.outcome == "not decided"]

    @property
    def untried(self) -> list[Judgement]:
        """Rows that could not run again."""
        return [row for row in self.rows if not row.tried]


# Stored ratios


def compare_files(old: Campaign, new: Campaign, metric: Metric = "wall") -> Difference:
    """Compare every row that both files have by its ratio to its own baseline."""
    olds, news = by_id(old), by_id(new)
    same = all(getattr(old.machine, key) == getattr(new.machine, key) for key in ("cpu", "cores", "features"))
    return Difference(
        metric=metric,
        same_machine=same,
        one_campaign=interleaved(old, new),
        changes=[_change(old, new, olds[name], news[name], metric, same) for name in olds if name in news],
        only_old=[name for name in olds if name not in news],
        only_new=[name for name in news if name not in olds],
    )


def common(olds: Mapping[str, Row], news: Mapping[str, Row], contenders: Sequence[str]) -> list[str]:
    """Return the ids of the wanted rows that are in both files. Raises NothingToDo without any."""
    both = [name for name in olds if name in news]
    if not both:
        examples = (f"{file} has {next(iter(rows), 'none')}" for file, rows in (("OLD", olds), ("NEW", news)))
        raise NothingToDo(f"no row is in both files: {', '.join(examples)}")
    chosen = [name for name in both if is_named(news[name].contender, contenders)]
    if not chosen:
        there = listed(list(dict.fromkeys(news[name].contender for name in both)))
        wanted = " or ".join(contenders)
        raise NothingToDo(f"no row is in both files and matches --contender {wanted}; both have {there}")
    return chosen


def by_id(campaign: Campaign) -> dict[str, Row]:
    """Return a campaign's rows by their id, without the A/A twins."""
    return {row.id: row for row in campaign.rows if not row.twin_of}


def _change(old: Campaign, new: Campaign, before: Row, after: Row, metric: Metric, same: bool) -> Change:
    if note := _obstacle(old, new, before, after, same):
        return Change(*named(before), note)
    pair_old, pair_new = _to_baseline(old, before, metric), _to_baseline(new, after, metric)
    if pair_old is None or pair_new is None:
        side = "OLD" if pair_old is None else "NEW"
        return Change(*named(before), f"no {metric} ratio to a baseline in {side}")
    change = quotient(pair_new, pair_old)
    return Change(
        *named(before),
        old=pair_old.ratio,
        new=pair_new.ratio,
        ratio=change.ratio,
        low=change.low_ratio,
        high=change.high_ratio if math.isfinite(change.high) else None,
        verdict=verdict(change, new.margin) if interleaved(old, new) else None,
    )


def _obstacle(old: Campaign, new: Campaign, before: Row, after: Row, same: bool) -> str:
    """Why two rows of one name cannot be compared; "" when they can."""
    for row, name in ((before, "OLD"), (after, "NEW")):
        if row.outcome != "ok":
            return f"{row.outcome} in {name}: {row.detail}" if row.detail else f"{row.outcome} in {name}"
    if old.cold != new.cold:
        return f"the input was dropped from the page cache in {'OLD' if old.cold else 'NEW'} only (--cold)"
    if before.input_bytes != after.input_bytes:
        return f"the inputs differ: {before.input_bytes:,} and {plural(after.input_bytes, 'byte')}"
    base_old, base_new = baseline_of(before), baseline_of(after)
    if not base_old and not base_new:
        return "the baseline, 1 by definition"
    if base_old != base_new:
        return "the baselines differ"
    if same:
        builds = [rows[base_old].build for rows in (by_id(old), by_id(new)) if base_old in rows]
        if len(set(builds)) > 1:
            return f"the build of its baseline changed ({base_old}), so the ratios are to different things"
    return ""


def named(row: Row) -> tuple[str, str, str]:
    """A row's id, its group (benchmark, toolchain, flags, route, input) and its name within the group."""
    settings = [f"{key}={value}" for key, value in sorted(row.input.items())]
    route = f"{row.source} to {row.sink}"
    group = ", ".join([row.benchmark, f"{row.toolchain} {row.optimisation}".strip(), route, *settings])
    return row.id, group, row.label


def baseline_of(row: Row) -> str:
    """The id of the row that a row is compared with, "" for a baseline."""
    return row.comparisons[0].other if row.comparisons else ""


def interleaved(old: Campaign, new: Campaign) -> bool:
    """Whether two files are of one campaign, whose rounds ran both."""
    return bool(old.run.id) and old.run.id == new.run.id


def _to_baseline(campaign: Campaign, row: Row, metric: Metric) -> Estimate | None:
    """Estimate a row's ratio to its baseline from the stored samples of common rounds, at half of alpha.

    Of another harness's runs, which are no pairs, it is the ratio of medians, without bounds.
    """
    if campaign.imported:
        medians = next((pair for pair in row.comparisons if pair.metric == metric and pair.ratio > 0), None)
        return table.stored(medians) if medians else None
    base = next((other for other in campaign.rows if other.id == baseline_of(row)), None)
    return None if base is None else table.compare(row, base, metric, level=ALPHA / 2)


# The gate


def gate(
    old: Side, new: Side, plan: Plan, contenders: Sequence[str] = (), watch: Watch = lambda step: None
) -> GateReport:
    """Run the builds of both sides again, interleaved, and judge each row by its near bound and `plan.gate`.

    `contenders` (patterns) chooses rows. Raises NothingToDo when no row is on both sides.
    """
    chosen = common(old.rows, new.rows, contenders)
    judged: dict[str, Judgement] = {}
    entries: list[Entry] = []
    for name in chosen:
        before, after = old.rows[name], new.rows[name]
        if lost := _lost(before, after):
            judged[name] = lost
        elif before.build and before.build == after.build:
            judged[name] = Judgement(*named(after), note="the same build in both files")
        else:
            try:
                runs = {_old_id(name): old.run(before), name: new.run(after)}
            except HeadraceError as error:
                judged[name] = _untried(after, str(error))
                continue
            for row, id_, base in ((before, _old_id(name), None), (after, name, _old_id(name))):
                cleared = row.model_copy(update={"id": id_, "samples": [], "comparisons": []})
                entries.append(Entry(cleared, runs[id_], base))
    measured = measure(entries, plan, watch) if entries else Measured([], [], [], False, 0.0)
    rows = {row.id: row for row in measured.rows}
    judged |= {name: _judge(rows[name], rows[_old_id(name)], plan) for name in chosen if name in rows}
    ordered = [judged[name] for name in chosen]
    return GateReport(plan.gate or 0.0, plan.gate_metric, ordered, measured.warnings, measured.interrupted)


def _lost(before: Row, after: Row) -> Judgement | None:
    """Judge a row that gave no answer in one of the files."""
    if before.outcome != "ok":
        return Judgement(*named(after), note=f"was {before.outcome} in OLD already: nothing to lose")
    if after.outcome == "skipped":
        return _untried(after, f"skipped in NEW: {after.detail}")
    if after.outcome != "ok":
        return Judgement(*named(after), outcome="FAILED", note=f"{after.outcome} in NEW: {after.detail}")
    return None


def _untried(row: Row, note: str) -> Judgement:
    return Judgement(*named(row), outcome="not decided", tried=False, note=note)


def _old_id(name: str) -> str:
    return f"{name} (OLD)"


def _judge(row: Row, before: Row, plan: Plan) -> Judgement:
    if before.outcome != "ok":
        return _untried(row, f"the old build is {before.outcome} now: {before.detail}")
    if row.outcome != "ok":
        return Judgement(*named(row), outcome="FAILED", note=f"{row.outcome}: {row.detail}")
    pair = next((pair for pair in row.comparisons if pair.metric == plan.gate_metric), None)
    if pair is None:
        return _untried(row, f"there is no {plan.gate_metric} time to compare")
    return Judgement(*named(row), comparison=pair, outcome=outcome_of(table.stored(pair), plan.gate or 0.0))


# Instructions: counts of one program on one input agree from run to run to about a part in a million. Both
# files' are compared as they are stored: nothing runs again, there is no interval, and no busy machine moves
# the gate.


def compare_counts(
    old: Campaign, new: Campaign, threshold: float | None, contenders: Sequence[str] = ()
) -> GateReport:
    """Compare the rows of both files. Raises NothingToDo where one of them holds no count."""
    olds, news = by_id(old), by_id(new)
    for rows, name in ((olds, "OLD"), (news, "NEW")):
        if not any(row.counted for row in rows.values()):
            raise NothingToDo(
                f"{name} holds no counts of instructions; headrace run --count instructions counts them"
            )
    judged = [_counted(olds[name], news[name], threshold) for name in common(olds, news, contenders)]
    return GateReport(threshold, "instructions", judged)


def _counted(before: Row, after: Row, threshold: float | None) -> Judgement:
    was, now = before.counted, after.counted
    if lost := _lost(before, after):
        return lost
    if was is None or now is None:
        note = f"its instructions were not counted in {'OLD' if was is None else 'NEW'}"
        return _untried(after, note)
    if (was.tool, was.input, was.tokens) != (now.tool, now.input, now.tokens):
        what = f"by {was.tool} and by {now.tool}" if was.tool != now.tool else "on different inputs"
        return _untried(after, f"they were counted {what}")
    failed = threshold is not None and now.instructions > was.instructions * (1 + threshold)
    old, new = (counts.instructions / max(was.tokens, 1) for counts in (was, now))
    return Judgement(*named(after), outcome="FAILED" if failed else "ok", old=old, new=new)
