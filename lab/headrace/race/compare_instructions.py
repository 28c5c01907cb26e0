"""Two results files by instructions per token: a gate that a busy machine does not move.

Counts of one program on one input agree from run to run to about a part in a million, so that both files' are
compared as they are stored: nothing runs again, and there is no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base.errors import NothingToDo
from headrace.judge.gate import Outcome
from headrace.race.compare import by_id, common, named
from headrace.results.schema import Campaign, Row

HOW = "headrace run --count instructions counts them"


@dataclass(frozen=True)
class Counts:
    """One row of both files: instructions per token, or per run where tokens are not known."""

    id: str
    group: str
    name: str
    old: float | None = None
    new: float | None = None
    outcome: Outcome = "ok"
    note: str = ""  # why it cannot be compared

    @property
    def ratio(self) -> float | None:
        """new / old."""
        return self.new / self.old if self.new is not None and self.old else None


@dataclass(frozen=True)
class CountReport:
    """What two files say. `threshold` is a share; None: there is no gate."""

    threshold: float | None
    rows: list[Counts]

    @property
    def failures(self) -> list[Counts]:
        """Rows that take more instructions than the threshold allows, or no longer give an answer."""
        return [one for one in self.rows if one.outcome == "FAILED"]

    @property
    def untried(self) -> list[Counts]:
        """Rows that cannot be compared."""
        return [one for one in self.rows if one.outcome == "not decided"]


def compare_counts(
    old: Campaign, new: Campaign, threshold: float | None, contenders: Sequence[str] = ()
) -> CountReport:
    """Compare the rows of both files. Raises NothingToDo where neither holds a count."""
    olds, news = by_id(old), by_id(new)
    for rows, name in ((olds, "OLD"), (news, "NEW")):
        if not any(row.counted for row in rows.values()):
            raise NothingToDo(f"{name} holds no counts of instructions; {HOW}")
    return CountReport(
        threshold,
        [_compared(olds[one], news[one], threshold) for one in common(olds, news, contenders)],
    )


def _compared(before: Row, after: Row, threshold: float | None) -> Counts:
    was, now = before.counted, after.counted
    if before.outcome != "ok":
        return Counts(*named(after), note=f"was {before.outcome} in OLD already: nothing to lose")
    if after.outcome not in ("ok", "skipped"):
        return Counts(*named(after), outcome="FAILED", note=f"{after.outcome} in NEW: {after.detail}")
    if was is None or now is None:
        note = f"its instructions were not counted in {'OLD' if was is None else 'NEW'}"
        return Counts(*named(after), outcome="not decided", note=note)
    if (was.tool, was.input, was.tokens) != (now.tool, now.input, now.tokens):
        what = f"by {was.tool} and by {now.tool}" if was.tool != now.tool else "on different inputs"
        return Counts(*named(after), outcome="not decided", note=f"they were counted {what}")
    per = max(was.tokens, 1)
    failed = threshold is not None and now.instructions > was.instructions * (1 + threshold)
    outcome: Outcome = "FAILED" if failed else "ok"
    return Counts(*named(after), was.instructions / per, now.instructions / per, outcome)
