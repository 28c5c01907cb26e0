"""What a row's time goes to, in seconds per MiB by cause, and what it is beyond that of another row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from headrace.base import units
from headrace.explain import rules
from headrace.explain.causes import UNSEEN, Known
from headrace.explain.measured_rows import MeasuredRow, floor_of
from headrace.explain.observed import Observation, Split
from headrace.explain.rules import Facts
from headrace.explain.trace import MIB
from headrace.results.schema import Row

START = 0.7  # of the processor time: a row with more of it in its start has too little work to explain
ALIKE = 1.15  # times the time: rows no further apart are as fast
PART = 0.25  # of the time between two rows: a cause with less explains nothing
FEWEST = 50  # samples that the time in the loader is known by
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


def account(
    one: MeasuredRow,
    measured: Iterable[MeasuredRow],
    sampled: Observation = UNSEEN,
    split: Split | None = None,
    causes: Iterable[Known] = (),
) -> Account:
    """Return what a row's time goes to. Its start is the floor's, or longer where it loads more libraries."""
    floor = floor_of(one, measured)
    cpu, wall = processor_time(one.row), middle(one.row, "wall")
    is_seen = sampled.moments >= FEWEST
    loading = sampled.loading / (sampled.moments + sampled.loading) * cpu if is_seen else 0.0
    start = min(cpu, max(processor_time(floor) if floor else 0.0, loading))
    start_wall = min(wall, max(middle(floor, "wall") if floor else 0.0, loading))
    # What reads a pipe or a terminal has a pace of its own, which is none of the program's doing.
    ends = ["another process"] if "pipe" in (one.row.source, one.row.sink) else []
    runs = 1.0 - split.of_waiting("a terminal", *ends) if split else 1.0
    work = max(cpu - start, LEAST * cpu)
    mib = max(one.size, 1) / MIB
    return Account(
        work / mib,
        max(wall - start_wall, LEAST * wall) / mib,
        work / max(runs, 1e-3) / mib,
        [*causes],
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
