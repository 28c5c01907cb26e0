"""Which builds run in the next round: those that an open question is about.

Questions come in the order in which people ask them: which contender is first; by how much (over the next
contender, the baseline, the next row, and the limit); which of its builds; each neighbour's order, from the
top; the pairs that a finding is about; each ratio to the baseline. A build that no open question is about
rests. The choice uses what has been measured; the level of each look allows for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from headrace import MARGIN
from headrace.judge.pair import LOOKS, Estimate
from headrace.judge.ranks import Ranking
from headrace.judge.verdict import is_exact, verdict

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
_WANTED: dict[Kind, float] = {"by how much": LEAD, "ratio to the limit": LEAD}
COMPANY = 4.0  # a round takes at most this many times as long as for its first question alone
CLOSE_COMPANY = 2.0  # the same where that one is about the leader and time is short
AHEAD = 80  # rounds; with time for as many, all that is asked of the leader runs together

Judged = Callable[[int, int], Estimate | None]  # two rows -> their pair, at the level of the table


@dataclass(frozen=True)
class Question:
    """An open question about two rows, and how many more rounds its answer may take (0: unknown)."""

    kind: Kind
    this: int
    other: int
    rounds: int = 0


def open_questions(
    ranking: Ranking,
    ranked: Sequence[int],
    judged: Judged,
    baselines: Sequence[int | None],
    findings: Iterable[tuple[int, int]] = (),
    margin: float = MARGIN,
    looks: Sequence[int] = LOOKS,
    contenders: Sequence[str] = (),
    limits: Sequence[int | None] = (),
) -> list[Question]:
    """List what is not answered, in order.

    `ranked`: the row of each member of the ranking. `baselines[row]`: the row that a row's ratio is to;
    `limits[row]`: that of its limit.
    `contenders[row]`: whose build a row is. The lead that people ask for is that over the next contender, not
    over another build of the winner; without names, every row is a contender of its own.
    """
    order = [ranked[member] for member in ranking.order]
    pairs = [(ranked[int(a)], ranked[int(b)]) for a, b in zip(*np.nonzero(ranking.faster), strict=True)]
    certain = {*pairs, *((b, a) for a, b in pairs)}
    tied = [ranked[member] for member in ranking.leaders]
    asked: list[tuple[Kind, int, int]] = []
    if order:
        own, lead, after = _at_the_top(order, tied, contenders, certain, baselines, judged)
        second = next((row for row in order if row != lead), lead)
        compared = [lead if row is None else row for row in (after, baselines[lead], second)]
        limit = limits[lead] if limits else None
        asked += [("who is first", row, lead) for row in tied if row not in own]
        asked += [("by how much", row, lead) for row in compared if row != lead]
        asked += [("ratio to the limit", lead, limit)] if limit is not None else []
        asked += [("which build is first", row, lead) for row in own if row != lead]
        asked += [("which neighbour is faster", slow, fast) for fast, slow in pairwise(order)]
    asked += [("finding", a, b) for a, b in findings]
    asked += [
        ("ratio to the baseline", row, base)
        for row, base in enumerate(baselines)
        if base is not None and base != row
    ]

    def question(kind: Kind, this: int, other: int) -> Question | None:
        """Return the question while it is open."""
        wanted = _WANTED.get(kind, margin if kind == "ratio to the baseline" else None)
        if wanted is None and (this, other) in certain:
            return None
        pair = judged(this, other)
        if pair is None or pair.rounds >= looks[-1]:
            return None
        if wanted is None:
            return None if verdict(pair, margin) != "not decided" else Question(kind, this, other)
        if is_exact(pair, wanted):
            return None
        shrink = (pair.half_width / math.log1p(wanted)) ** 2
        return Question(kind, this, other, math.ceil(pair.rounds * (shrink - 1)))

    return [one for asking in dict.fromkeys(asked) if (one := question(*asking))]


def _builds(
    rows: Sequence[int], contenders: Sequence[str], certain: Collection[tuple[int, int]]
) -> list[int]:
    """The first of some rows, and the builds of the same contender that are not known to differ from it."""
    if not rows or not contenders:
        return [*rows[:1]]
    first = rows[0]
    return [row for row in rows if contenders[row] == contenders[first] and (row, first) not in certain]


def _at_the_top(
    order: Sequence[int],
    tied: Sequence[int],
    contenders: Sequence[str],
    certain: Collection[tuple[int, int]],
    baselines: Sequence[int | None],
    judged: Judged,
) -> tuple[list[int], int, int | None]:
    """The leader's builds, and which of them and of the next contender's builds the lead is told of.

    Those that ran most often beside what they are compared with. Which build has the smallest median changes
    from look to look; rounds go on with the ones that they began with.
    """
    leading = {contenders[row] for row in tied} if contenders else set()
    rest = [row for row in order if row not in tied and not (contenders and contenders[row] in leading)]
    own, others = _builds(tied, contenders, certain), _builds(rest, contenders, certain)

    def rounds(row: int, other: int | None) -> int:
        pair = None if other is None or other == row else judged(row, other)
        return pair.rounds if pair else 0

    def beside(row: int) -> tuple[int, int]:
        return rounds(row, baselines[row]), max((rounds(row, other) for other in others), default=0)

    lead = max(own, key=beside)
    return own, lead, max(others, key=lambda row: rounds(row, lead)) if others else None


def about_the_leader(questions: Sequence[Question]) -> list[Question]:
    """Those that people come for, and what may ride along with them; none where the former are answered."""
    if not any(question.kind in LEADING for question in questions):
        return []
    return [question for question in questions if question.kind in BESIDE]


def next_round(
    questions: Sequence[Question], costs: Sequence[float], seconds_left: float | None = None
) -> set[int]:
    """The rows of the next round: those of the first open question, and of the next ones at little cost.

    `costs`: seconds of a run of each row. A question rides along as long as the round then takes at most
    COMPANY times as long as for the first one. With one about the leader only others about it do, and only
    while there is time for AHEAD such rounds or they take at most CLOSE_COMPANY times as long. A round that
    no longer fits is not begun, and neither is a ratio that would not become exact in the time left: the
    empty set means that nothing is left to do.
    """
    chosen: set[int] = set()
    allowed = 0.0
    alone = False  # whether only questions about the leader ride along
    for question in questions:
        if alone and question.kind not in BESIDE:
            continue
        pair = {question.this, question.other}
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
