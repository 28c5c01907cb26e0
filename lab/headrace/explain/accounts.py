"""What a row's time goes to, in seconds per MiB by cause, and what it is beyond that of another row.

Siblings are rows that differ in one thing: they confirm a cause, or do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from headrace.base import units
from headrace.explain import rules
from headrace.explain.causes import UNSEEN, Known
from headrace.explain.findings import Findings
from headrace.explain.measured_rows import MeasuredRow, floor_of, place_of
from headrace.explain.rules import Facts
from headrace.explain.trace import MIB
from headrace.results.schema import Row

START = 0.7  # of the processor time: a row with more of it in its start has too little work to explain
ALIKE = 1.15  # times the time: rows no further apart are as fast
PART = 0.25  # of the time between two rows: a cause with less explains nothing
FEWEST = 50  # samples that the time in the loader is known by
HALF = 0.5  # of the time that goes to a cause: a sibling with less lacks it
FASTER = 1.1  # times as fast: a sibling that gains less confirms nothing
LEAST = 0.02  # of its time is left to a row that takes no longer than the floor, to divide by


@dataclass(frozen=True)
class Account:
    """A row's time. The processor's is less noisy than a clock, so waiting is added as samples know it."""

    cpu: float  # seconds per MiB on a processor, without the start
    wall: float  # seconds per MiB by a clock, without the start
    time: float  # seconds per MiB on a processor or waiting for anything else
    causes: list[Known]
    start: float = 0.0  # the start's share of the processor time
    start_wall: float = 0.0  # seconds
    loading: float = 0.0  # seconds of the start in which libraries are loaded
    whole_wall: float = 0.0  # seconds

    def spent(self, cause: str) -> float:
        """Return the seconds per MiB that go to a cause; none to what others hide."""
        return self.time * sum(
            each.share for each in self.causes if each.name == cause and not each.is_hidden
        )


def account(entry: MeasuredRow, measured: Iterable[MeasuredRow], findings: Findings | None = None) -> Account:
    """Return what a row's time goes to. Its start is the floor's, or longer where it loads more libraries."""
    floor = floor_of(entry, measured)
    cpu, wall = processor_time(entry.row), middle(entry.row, "wall")
    sampled = findings.sampled if findings else UNSEEN
    is_seen = sampled.moments >= FEWEST
    loading = sampled.loading / (sampled.moments + sampled.loading) * cpu if is_seen else 0.0
    start = min(cpu, max(processor_time(floor) if floor else 0.0, loading))
    start_wall = min(wall, max(middle(floor, "wall") if floor else 0.0, loading))
    # What reads a pipe or a terminal has a pace of its own, which is none of the program's doing.
    ends = ["another process"] if "pipe" in (entry.row.source, entry.row.sink) else []
    runs = 1.0 - findings.split.of_waiting("a terminal", *ends) if findings else 1.0
    work = max(cpu - start, LEAST * cpu)
    mib = max(entry.size, 1) / MIB
    return Account(
        work / mib,
        max(wall - start_wall, LEAST * wall) / mib,
        work / max(runs, 1e-3) / mib,
        findings.causes if findings else [],
        start / cpu if cpu else 0.0,
        start_wall,
        loading,
        wall,
    )


def middle(row: Row, name: str) -> float:
    """Return the median of a quantity over the samples of a row."""
    return float(median(getattr(sample, name) for sample in row.samples)) if row.samples else 0.0


def processor_time(row: Row) -> float:
    """Return the median seconds on a processor."""
    return middle(row, "user") + middle(row, "system")


def compared(own: Account, base: Account) -> tuple[str, str, Known | None]:
    """Say why a row takes longer than its baseline, or less: a word or the cause, a sentence, the cause.

    The cause is the one on which the slower of the two spends most beyond the faster.
    """
    ratio = own.time / max(base.time, 1e-12)
    values = {"ratio": ratio, **{name: getattr(own, name) for name in ("start", "start_wall", "whole_wall")}}
    libraries = f", of which loading libraries {units.one_time(own.loading)}" if own.loading else ""
    texts = {"loading": libraries}
    kind, cause = "start-up" if own.start >= START else "as fast", None
    if own.start < START and not 1 / ALIKE <= ratio <= ALIKE:
        slow, fast = (own, base) if ratio > 1 else (base, own)
        shown = [each for each in slow.causes if not each.is_hidden]
        extra = {each.name: slow.spent(each.name) - fast.spent(each.name) for each in shown}
        cause = max(shown, key=lambda each: extra[each.name], default=None)
        values["share"] = min(1.0, extra[cause.name] / (slow.time - fast.time)) if cause else 0.0
        kind = "nothing" if values["share"] < PART else "slower" if ratio > 1 else "faster"
        cause = None if kind == "nothing" else cause
        texts["cause"] = cause.says if cause else ""
    says = rules.sentence(rules.load().comparison[kind], Facts(values, texts))
    name = cause.name if kind == "slower" and cause else "" if kind == "nothing" else kind
    return name, says, cause if kind == "slower" else None


def siblings_of(
    entry: MeasuredRow, measured: Iterable[MeasuredRow], known: Mapping[str, Account]
) -> list[tuple[str, Account]]:
    """Return the rows of a row's benchmark and route that differ from it in one thing: "untied", for one."""
    near = [
        other
        for other in measured
        if other.row.id != entry.row.id
        and other.row.benchmark == entry.row.benchmark
        and place_of(other.row) == place_of(entry.row)
    ]
    return [(words, known[other.row.id]) for other in near if (words := _difference(entry, other))]


def _difference(entry: MeasuredRow, other: MeasuredRow) -> str:
    """Say what another row has changed, if that is one thing: a setting, the library, a finding's."""
    mine, theirs = entry.row, other.row
    if mine.toolchain != theirs.toolchain:
        same = (mine.contender, mine.variant, mine.input) == (theirs.contender, theirs.variant, theirs.input)
        mine_chain, their_chain = entry.lane.toolchain, other.lane.toolchain
        differ = mine_chain.library != their_chain.library and mine_chain.target == their_chain.target
        return f"on {their_chain.library}" if same and differ else ""
    if mine.contender == theirs.contender:
        names = {*mine.variant, *theirs.variant}
        changed = [name for name in names if mine.variant.get(name) != theirs.variant.get(name)]
        if len(changed) != 1:
            return ""
        setting = f"{changed[0]}={theirs.variant.get(changed[0], '')}"
        return rules.load().settings.get(setting, f"with {setting}")
    for finding in entry.lane.benchmark.spec.finding:
        if (finding.a, finding.b, finding.compare) == (mine.label, theirs.label, "contender"):
            return f"{finding.b}, without {finding.says},"
    return ""


def confirmation(cause: str, own: Account, siblings: Iterable[tuple[str, Account]]) -> str:
    """Say whether a row that differs in one thing lacks a cause, and is faster."""
    lacking = [sibling for sibling in siblings if sibling[1].spent(cause) <= HALF * own.spent(cause)]
    ratios = [(own.time / each.time, words) for words, each in lacking if each.time > 0]
    if not ratios:
        return "not confirmed"
    ratio, words = max(ratios)
    if ratio < FASTER:
        return f"not confirmed: {words} takes as long"
    return f"confirmed: {words} {units.ratio(ratio)} times as fast"
