"""Which builds run in the next round: those that an open question is about.

Questions come in the order in which people ask them: which contender is first; by how much (over the next
contender, the baseline, and the next row); which of its builds; each neighbour's order, from the top; the
pairs that a finding is about; each ratio to the baseline. A build that no open question is about rests. The
choice uses what has been measured; the level of each look allows for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

import numpy as np

from headrace.judge.pair import LOOKS, Estimate
from headrace.judge.ranks import Ranking
from headrace.judge.verdict import MARGIN, is_exact, is_luck, verdict

Kind = Literal["who is first", "by how much", "neighbours", "finding", "ratio to the baseline", "gate"]
LEAD = 0.03  # the first one's lead over the next is wanted to +- 3 %
COMPANY = 4.0  # a round takes at most this many times as long as for its first question alone

Judged = Callable[[int, int], Estimate | None]  # two rows -> their pair, at the level of the table


@dataclass(frozen=True)
class Question:
    """What two rows are still to run for, and how many more rounds that may take (0: unknown)."""

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
) -> list[Question]:
    """List what is not answered, in order.

    `ranked`: the row of each member of the ranking. `baselines[row]`: the row that a row's ratio is to.
    `contenders[row]`: whose build a row is. The lead that people ask for is that over the next contender, not
    over another build of the winner; without names, every row is a contender of its own.
    """
    order = [ranked[member] for member in ranking.order]
    leaders = {ranked[member] for member in ranking.leaders}
    asked: list[tuple[Kind, int, int]] = []
    if order:
        first, rest = order[0], order[1:]
        tied = [row for row in rest if row in leaders]
        own = [row for row in tied if contenders and contenders[row] == contenders[first]]
        asked += [("who is first", row, first) for row in tied if row not in own]
        asked += [("by how much", row, first) for row in _followers(first, rest, contenders, baselines)]
        asked += [("who is first", row, first) for row in own]
        asked += [("neighbours", slow, fast) for fast, slow in pairwise(order)]
    asked += [("finding", a, b) for a, b in findings]
    asked += [
        ("ratio to the baseline", row, base)
        for row, base in enumerate(baselines)
        if base is not None and base != row
    ]
    known = _Known(_certain(ranking, ranked), judged, margin, looks)
    questions = (known.question(*one) for one in asked)
    return [question for question in questions if question is not None]


def _followers(
    first: int, rest: Sequence[int], contenders: Sequence[str], baselines: Sequence[int | None]
) -> list[int]:
    """The rows to which the first one's lead is told: that of the next contender, the baseline, the next."""
    others = (row for row in rest if contenders and contenders[row] != contenders[first])
    base = baselines[first]
    found = [*islice(others, 1), *([base] if base is not None and base != first else []), *rest[:1]]
    return list(dict.fromkeys(found))


def _certain(ranking: Ranking, ranked: Sequence[int]) -> set[tuple[int, int]]:
    """The pairs of rows of which one is faster for certain, either way round."""
    pairs = [(ranked[int(a)], ranked[int(b)]) for a, b in zip(*np.nonzero(ranking.faster), strict=True)]
    return {*pairs, *((b, a) for a, b in pairs)}


@dataclass(frozen=True)
class _Known:
    certain: set[tuple[int, int]]
    judged: Judged
    margin: float
    looks: Sequence[int]

    def question(self, kind: Kind, this: int, other: int) -> Question | None:
        """Return the question while it is open."""
        wanted = {"by how much": LEAD, "ratio to the baseline": self.margin}.get(kind)
        if wanted is None and (this, other) in self.certain:
            return None
        pair = self.judged(this, other)
        if pair is None or pair.rounds >= self.looks[-1]:
            return None
        if wanted is None:
            decided = verdict(pair, self.margin) != "not decided" or is_luck(pair)
            return None if decided else Question(kind, this, other)
        if is_exact(pair, wanted):
            return None
        if not pair.bounded:
            return Question(kind, this, other, max(1, self.looks[0] - pair.rounds))
        shrink = (pair.half_width / math.log1p(wanted)) ** 2
        return Question(kind, this, other, math.ceil(pair.rounds * (shrink - 1)))


def next_round(
    questions: Sequence[Question], costs: Sequence[float], seconds_left: float | None = None
) -> set[int]:
    """The rows of the next round: those of the first open question, and of the next ones at little cost.

    `costs`: seconds of a run of each row. A question rides along as long as the round then takes at most
    COMPANY times as long as for the first one. A round that no longer fits is not begun, and neither is a
    ratio that would not become exact in the time left: the empty set means that nothing is left to do.
    """
    chosen: set[int] = set()
    allowed = 0.0
    for question in questions:
        pair = {question.this, question.other}
        own, cost = sum(costs[row] for row in pair), sum(costs[row] for row in chosen | pair)
        exact = question.rounds * own if question.kind == "ratio to the baseline" else own
        if seconds_left is not None and max(cost, exact) > seconds_left:
            continue
        if not chosen:
            chosen, allowed = pair, COMPANY * own
        elif cost <= allowed:
            chosen = chosen | pair
    return chosen
