"""Which builds run in the next round: those that an open question is about.

Questions come in the order in which people ask them: who is first; by how much; each neighbour's order, from
the top; the pairs that a finding is about; each ratio to the baseline. A build that no open question is about
rests. The choice uses what has been measured; the level of each look allows for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from headrace.judge.pair import LOOKS, Estimate
from headrace.judge.ranks import Ranking
from headrace.judge.verdict import MARGIN, is_exact, verdict

Kind = Literal["who is first", "by how much", "neighbours", "finding", "ratio to the baseline"]
KINDS: tuple[Kind, ...] = ("who is first", "by how much", "neighbours", "finding", "ratio to the baseline")
LEAD = 0.03  # the first one's lead over the next is wanted to +- 3 %
COMPANY = 2.0  # later questions ride along while a round takes at most this many times as long as without

Judged = Callable[[int, int], Estimate | None]  # two rows -> their pair, at the level of the table


@dataclass(frozen=True)
class Question:
    """What two rows are still to run for."""

    kind: Kind
    this: int
    other: int


def open_questions(
    ranking: Ranking,
    judged: Judged,
    baselines: Sequence[int | None],
    findings: Iterable[tuple[int, int]] = (),
    margin: float = MARGIN,
) -> list[Question]:
    """List what is not answered, in order. `baselines[row]`: the row that a row's ratio is to."""
    known = _Known(ranking, judged, margin)
    order = ranking.order
    asked: list[Question] = []
    if order:
        first, rest = order[0], order[1:]
        asked += [Question("who is first", row, first) for row in rest if row in ranking.leaders]
        asked += [Question("by how much", rest[0], first)] if rest else []
        asked += [Question("neighbours", slow, fast) for fast, slow in pairwise(order)]
    asked += [Question("finding", a, b) for a, b in findings]
    asked += [
        Question("ratio to the baseline", row, base)
        for row, base in enumerate(baselines)
        if base is not None and base != row
    ]
    return [question for question in asked if known.is_open(question)]


@dataclass(frozen=True)
class _Known:
    ranking: Ranking
    judged: Judged
    margin: float

    def is_open(self, question: Question) -> bool:
        pair = self.judged(question.this, question.other)
        if pair is None or pair.rounds >= LOOKS[-1]:
            return False
        if question.kind == "by how much":
            return not is_exact(pair, LEAD)
        if question.kind == "ratio to the baseline":
            return not is_exact(pair, self.margin)
        faster = self.ranking.faster
        if faster[question.this, question.other] or faster[question.other, question.this]:
            return False
        return verdict(pair, self.margin) == "not decided"


def next_round(
    questions: Sequence[Question], costs: Sequence[float], seconds_left: float | None = None
) -> set[int]:
    """The rows of the next round: those of the first kind that has open questions, and cheap company.

    `costs`: seconds of a run of each row. A later question rides along as long as the round then takes at
    most COMPANY times as long as its first kind does. A question that no longer fits is left out; an empty
    set means that nothing is open, or that nothing fits.
    """
    chosen: set[int] = set()
    kind: Kind | None = None
    allowed = 0.0
    for question in questions:
        with_it = chosen | {question.this, question.other}
        cost = sum(costs[row] for row in with_it)
        if seconds_left is not None and cost > seconds_left:
            continue
        if kind is None:
            kind = question.kind
        if question.kind == kind:
            chosen, allowed = with_it, COMPANY * cost
        elif cost <= allowed:
            chosen = with_it
    return chosen


def is_look(rounds: int) -> bool:
    """Whether a pair is looked at after this many common rounds."""
    return rounds in LOOKS
