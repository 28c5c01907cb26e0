"""Which builds run in the next round: those that an open question is about.

Questions come in the order in which people ask them: which contender is first; by how much (over the next
contender, the baseline, the next row, and the limit); which of its builds; each neighbour's order, from the
top; the pairs that a finding is about; each ratio to the baseline. A gate asks only whether each row passes.
A build that no open question is about rests. The choice uses what has been measured; the level of each look
allows for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from headrace.judge.pair import LOOKS
from headrace.judge.table import Table, stored
from headrace.judge.verdict import gate, is_exact, verdict
from headrace.results.schema import Role

Kind = Literal[
    "who is first",
    "by how much",
    "ratio to the limit",
    "which build is first",
    "which neighbour is faster",
    "finding",
    "ratio to the baseline",
    "gate",
]
LEADING: tuple[Kind, ...] = ("who is first", "by how much", "ratio to the limit")  # what people come for
BESIDE: tuple[Kind, ...] = (*LEADING, "which build is first")  # what may ride along with these
LEAD = 0.03  # the first one's lead over the next is wanted to +- 3 %
COMPANY = 4.0  # a round takes at most this many times as long as for its first question alone
CLOSE_COMPANY = 2.0  # the same where that one is about the leader and time is short
AHEAD = LOOKS[0]  # rounds; with time for as many, all that is asked of the leader runs together


@dataclass(frozen=True)
class Question:
    """An open question about two rows, by their ids, and how many more rounds it may take (0: unknown)."""

    kind: Kind
    this: str
    other: str
    rounds: int = 0

    @property
    def pair(self) -> tuple[str, str]:
        """The rows that it is about."""
        return self.this, self.other


def open_questions(
    table: Table, findings: Iterable[tuple[str, str]] = (), most: int = LOOKS[-1]
) -> list[Question]:
    """List what is not answered, in order; `most`: rounds of a pair after which nothing is asked of it.

    `findings`: ids of rows that a sentence will compare.
    """
    if table.gate is not None:
        return _of_the_gate(table, table.gate, most)
    if not table.ranked:
        return []
    order = [table.ranked[member] for member in table.ranking.order]
    asked = _of_the_leader(table, order)
    asked += [("which neighbour is faster", slow, fast) for fast, slow in pairwise(order)]
    known = [pair for pair in findings if table.index.keys() >= {*pair}]
    asked += [("finding", table.index[this], table.index[other]) for this, other in known]
    bases = ((row, table.baseline(row)) for row in range(len(table.rows)) if not table.rows[row].twin_of)
    asked += [("ratio to the baseline", row, base) for row, base in bases if base is not None and base != row]
    questions = (_question(table, *wanted, most) for wanted in dict.fromkeys(asked))
    return [question for question in questions if question is not None]


_Asked = tuple[Kind, int, int]  # rows by their number in the table


def _question(table: Table, kind: Kind, this: int, other: int, most: int) -> Question | None:
    """Return a question while it is open."""
    by_kind = {"by how much": LEAD, "ratio to the limit": LEAD, "ratio to the baseline": table.margin}
    wanted = by_kind.get(kind)
    rows = table.rows[this], table.rows[other]
    if (wanted is None and (this, other) in table.certain) or {row.outcome for row in rows} != {"ok"}:
        return None
    pair = table.pair(this, other)
    if pair is None or pair.rounds >= most:
        return None
    question = Question(kind, rows[0].id, rows[1].id)
    if wanted is None:
        return question if verdict(pair, table.margin) == "not decided" else None
    if is_exact(pair, wanted):
        return None
    shrink = (pair.half_width / math.log1p(wanted)) ** 2
    return replace(question, rounds=math.ceil(pair.rounds * (shrink - 1)))


def _of_the_gate(table: Table, threshold: float, most: int) -> list[Question]:
    """Ask of each row whether it is slower than its baseline by more than the gate allows."""
    asked = []
    for row in table.judged():
        base = table.baseline(table.index[row.id])
        if base is None or row.twin_of or {row.outcome, table.rows[base].outcome} != {"ok"}:
            continue
        pair = next((pair for pair in row.comparisons if pair.metric == table.gate_metric), None)
        if pair is None or (pair.rounds < most and gate(stored(pair), threshold) == "not decided"):
            asked.append(Question("gate", row.id, table.rows[base].id))
    return asked


def _of_the_leader(table: Table, order: Sequence[int]) -> list[_Asked]:
    """Ask who is first, by how much, and which build of it.

    While several may be first, the ratio to the baseline comes before the one to the next contender.

    The lead is told of one of the leader's builds and one of the next contender's: those that ran most often
    beside what they are compared with. Which build has the smallest median changes from look to look; rounds
    go on with the ones that they began with.
    """
    tied = [table.ranked[member] for member in table.ranking.leaders]
    leading = {table.rows[row].contender for row in tied}
    rest = [row for row in order if row not in tied and table.rows[row].contender not in leading]
    own, others = _builds_of_the_first(table, tied), _builds_of_the_first(table, rest)

    def rounds(row: int, other: int | None) -> int:
        return 0 if other is None or other == row else len(table.times.pairs(row, other))

    def beside(row: int) -> tuple[int, int]:
        return rounds(row, table.baseline(row)), max((rounds(row, other) for other in others), default=0)

    lead = max(own, key=beside)
    after = max(others, key=lambda row: rounds(row, lead), default=None)
    second = next((row for row in order if row != lead), None)
    base, limit = table.baseline(lead), _limit(table, lead)
    asked: list[_Asked] = [("who is first", row, lead) for row in tied if row not in own]
    compared = (base, after, second) if asked else (after, base, second)
    asked += [("by how much", row, lead) for row in compared if row is not None and row != lead]
    asked += [("ratio to the limit", lead, limit)] if limit is not None else []
    return asked + [("which build is first", row, lead) for row in own if row != lead]


def _builds_of_the_first(table: Table, rows: Sequence[int]) -> list[int]:
    """The first of some rows, and the builds of the same contender that are not known to differ from it."""
    wanted = {table.rows[row].contender for row in rows[:1]}
    return [
        row for row in rows if table.rows[row].contender in wanted and (row, rows[0]) not in table.certain
    ]


def _limit(table: Table, row: int) -> int | None:
    """The row of the limit that was built as a row was."""
    build = table.rows[row].toolchain, table.rows[row].optimisation
    limits = (number for number, other in enumerate(table.rows) if other.role == Role.LIMIT and other.samples)
    alike = [row for row in limits if (table.rows[row].toolchain, table.rows[row].optimisation) == build]
    return alike[-1] if alike else None


def about_the_leader(questions: Sequence[Question]) -> list[Question]:
    """Those that people come for, and what may ride along with them; none where the former are answered."""
    if not any(question.kind in LEADING for question in questions):
        return []
    return [question for question in questions if question.kind in BESIDE]


def next_round(
    questions: Sequence[Question], costs: Mapping[str, float], seconds_left: float | None = None
) -> set[str]:
    """The rows of the next round: those of the first open question, and of the next ones at little cost.

    `costs`: seconds of a run of each row. A question rides along as long as the round then takes at most
    COMPANY times as long as for the first one. With one about the leader only others about it do, and only
    while there is time for AHEAD such rounds or they take at most CLOSE_COMPANY times as long. A round that
    no longer fits is not begun, and neither is a ratio that would not become exact in the time left: the
    empty set means that nothing is left to do.
    """
    chosen: set[str] = set()
    allowed = 0.0
    alone = False  # whether only questions about the leader ride along
    for question in questions:
        if alone and question.kind not in BESIDE:
            continue
        pair = {*question.pair}
        own, cost = sum(costs[row] for row in pair), sum(costs[row] for row in chosen | pair)
        exact = question.rounds * own if question.kind == "ratio to the baseline" else own
        if seconds_left is not None and max(cost, exact) > seconds_left:
            continue
        if not chosen:
            alone = question.kind in LEADING
            chosen, allowed = pair, (CLOSE_COMPANY if alone else COMPANY) * own
            if alone and seconds_left is not None:
                allowed = max(allowed, seconds_left / AHEAD)
        elif cost <= allowed:
            chosen = chosen | pair
    return chosen
