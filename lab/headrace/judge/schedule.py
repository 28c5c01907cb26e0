"""Which builds run in the next round: those that an open question is about.

Questions come in the order in which people ask them: which contender is first; by how much (over the next
contender, the baseline, and the limit); which of its settings, or of one contender alone which build; each
neighbour's order, from the top; the pairs that a finding is about; each ratio to the baseline. What asks who
is faster is of contenders, and runs the builds of both that ran least often together. A gate asks only
whether each row passes. A build that no open question is about rests. The choice uses what has been measured;
the level of each look allows for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from headrace.judge.pair import LOOKS
from headrace.judge.table import Table, stored
from headrace.judge.verdict import gate, verdict
from headrace.results.schema import Role

Kind = Literal[
    "who is first",
    "by how much",
    "ratio to the limit",
    "which setting is first",
    "which build is first",  # of one contender alone
    "which neighbour is faster",
    "finding",
    "ratio to the baseline",
    "gate",
]
LEADING: tuple[Kind, ...] = ("who is first", "by how much", "ratio to the limit")  # what people come for
OF_THE_WINNER: tuple[Kind, ...] = ("which setting is first", "which build is first")
BESIDE: tuple[Kind, ...] = (*LEADING, *OF_THE_WINNER)  # what may ride along with these
OF_PLACES: tuple[Kind, ...] = ("who is first", *OF_THE_WINNER, "which neighbour is faster")
LEAD = 0.03  # the first one's lead over the next is wanted to +- 3 %
COMPANY = 4.0  # a round takes at most this many times as long as for its first question alone
CLOSE_COMPANY = 2.0  # the same where that one is about the leader and time is short
AHEAD = LOOKS[0]  # rounds; with time for as many, all that is asked of the leader runs together


@dataclass(frozen=True)
class Question:
    """An open question about two rows, by their ids, and how many more rounds it may take (0: unknown).

    `elsewhere`: pairs of runs that other builds of the two contenders have already answered it with.
    """

    kind: Kind
    this: str
    other: str
    rounds: int = 0
    elsewhere: int = 0

    @property
    def pair(self) -> tuple[str, str]:
        """The rows that it is about."""
        return self.this, self.other

    @property
    def least(self) -> int:
        """The rounds that are worth beginning: a ratio that would not become exact is not begun."""
        return max(1, self.rounds) if self.kind == "ratio to the baseline" else 1


def open_questions(
    table: Table,
    findings: Iterable[tuple[str, str]] = (),
    most: float = LOOKS[-1],
    leading: bool = False,
) -> list[Question]:
    """List what is not answered, in order; `most`: rounds of a pair after which nothing is asked of it.

    `findings`: ids of rows that a sentence will compare. `leading`: only what is asked of the leader, until
    what people come for is answered.
    """
    if table.gate is not None:
        return _of_the_gate(table, table.gate, most)
    if not table.lines:
        return []
    order = table.ranking.order
    asked = _of_the_leader(table, order)
    if not leading:
        asked += [("which neighbour is faster", *table.builds(slow, fast)) for fast, slow in pairwise(order)]
        known = [pair for pair in findings if table.index.keys() >= {*pair}]
        asked += [("finding", table.index[this], table.index[other]) for this, other in known]
        bases = ((row, table.baseline(row)) for row, each in enumerate(table.rows) if not each.twin_of)
        asked += [
            ("ratio to the baseline", row, base) for row, base in bases if base is not None and base != row
        ]
    questions = (_question(table, *wanted, most) for wanted in dict.fromkeys(asked))
    still = [question for question in questions if question is not None]
    return still if not leading or any(question.kind in LEADING for question in still) else []


_Asked = tuple[Kind, int, int]  # rows by their number in the table


def _question(table: Table, kind: Kind, this: int, other: int, most: float) -> Question | None:
    by_kind = {"by how much": LEAD, "ratio to the limit": LEAD, "ratio to the baseline": table.margin}
    wanted = by_kind.get(kind)
    rows = table.rows[this], table.rows[other]
    of_lines = kind in OF_PLACES
    if (of_lines and table.is_certain(this, other)) or {row.outcome for row in rows} != {"ok"}:
        return None
    pair = table.pair(this, other, of_lines)
    if pair is None or pair.rounds >= most:
        return None
    elsewhere = pair.rounds - len(table.times.pairs(this, other))
    question = Question(kind, rows[0].id, rows[1].id, elsewhere=max(0, elsewhere))
    if wanted is None:
        return question if verdict(pair, table.margin) == "not decided" else None
    shrink = (pair.half_width / math.log1p(wanted)) ** 2
    return replace(question, rounds=math.ceil(pair.rounds * (shrink - 1))) if shrink > 1 else None


def _of_the_gate(table: Table, threshold: float, most: float) -> list[Question]:
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
    """Ask who is first, by how much, and with which setting.

    While several may be first, the ratio to the baseline comes before the one to the next contender.

    The lead is told of one of the leader's builds and one of the next contender's: those that ran most often
    beside what they are compared with. Which build has the smallest median changes from look to look; rounds
    go on with the ones that they began with.
    """

    def contender(line: int) -> str:
        return next(table.rows[row].contender for row in table.lines[line].values())

    first, *tied = table.ranking.leaders
    leading = {contender(line) for line in (first, *tied)}
    after_them = [line for line in order if contender(line) not in leading][:1]
    own = [*table.lines[first].values()]
    others = [row for line in after_them for row in table.lines[line].values()]

    def rounds(row: int, other: int | None) -> int:
        return 0 if other is None or other == row else len(table.times.pairs(row, other))

    def beside(row: int) -> tuple[int, int]:
        return rounds(row, table.baseline(row)), max((rounds(row, other) for other in others), default=0)

    lead = max(own, key=beside)
    after = max(others, key=lambda row: (_alike(table, row, lead), rounds(row, lead)), default=None)
    base, limit = table.baseline(lead), _limit(table, lead)
    settings = [line for line in tied if contender(line) == contender(first)]
    asked: list[_Asked] = [
        ("who is first", *table.builds(line, first)) for line in tied if line not in settings
    ]
    compared = (base, after) if asked else (after, base)
    asked += [("by how much", row, lead) for row in compared if row is not None and row != lead]
    asked += [("ratio to the limit", lead, limit)] if limit is not None else []
    alone = len({table.rows[row].label for line in table.lines for row in line.values()}) == 1
    which: Kind = "which build is first" if alone else "which setting is first"
    return asked + [(which, *table.builds(line, first)) for line in settings]


def _alike(table: Table, this: int, other: int) -> bool:
    """Whether two rows were built alike: their rounds tell their contenders apart."""
    builds = {(table.rows[row].toolchain, table.rows[row].optimisation) for row in (this, other)}
    return len(builds) == 1


def _limit(table: Table, row: int) -> int | None:
    """The row of the limit that was built as a row was."""
    limits = (number for number, other in enumerate(table.rows) if other.role == Role.LIMIT and other.samples)
    alike = [limit for limit in limits if _alike(table, limit, row)]
    return alike[-1] if alike else None


def next_round(
    questions: Sequence[Question], costs: Mapping[str, float], seconds_left: float = math.inf
) -> set[str]:
    """The rows of the next round: those of the first open question, and of the next ones at little cost.

    `costs`: seconds of a run of each row. A question rides along as long as the round then takes at most
    COMPANY times as long as for the first one. With one about the leader only others about it do, and only
    while there is time for AHEAD such rounds or they take at most CLOSE_COMPANY times as long. A round that
    no longer fits is not begun, and neither is a ratio that would not become exact in the time left: the
    empty set means that nothing is left to do.
    """

    def cost(rows: Iterable[str]) -> float:
        return sum(costs[row] for row in rows)

    able = [question for question in questions if question.least * cost({*question.pair}) <= seconds_left]
    if not able:
        return set()
    first, *others = able
    chosen, is_leading = {*first.pair}, first.kind in LEADING
    allowed = (CLOSE_COMPANY if is_leading else COMPANY) * cost(chosen)
    if is_leading and seconds_left < math.inf:
        allowed = max(allowed, seconds_left / AHEAD)
    for question in others:
        both = chosen | {*question.pair}
        if (question.kind in BESIDE or not is_leading) and cost(both) <= min(allowed, seconds_left):
            chosen = both
    return chosen
