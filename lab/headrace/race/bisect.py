"""The commit that made a row slower, found by races of commits against the fast end.

The ends are raced first: the slow one has to be slower for certain. From then on a commit counts as slow when
the gate proves that it is slower than the fast end by more than half of that change, as fast when the gate
proves that it is not, and where it proves neither, the estimate speaks with its error (judge/search.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from headrace.base.errors import BadInput, HeadraceError, NotDecided, NothingToDo
from headrace.judge import search, table
from headrace.judge.pair import ALPHA, LOOKS, look_level
from headrace.measure.plan import Plan
from headrace.race.commits import Commit, Trees, gate_of
from headrace.race.compare import Judgement, Side
from headrace.results.schema import Comparison

Word = Literal["fast", "slow", "not decided", "skipped"]


@dataclass(frozen=True)
class Tried:
    """The outcome of one commit. `why` says why it is skipped, or why it needed no race."""

    commit: Commit
    at: int
    word: Word
    comparison: Comparison | None = None
    why: str = ""


@dataclass(frozen=True)
class Answer:
    """Each commit's probability of being the first slow one; `certain`: the gate proved it of the best."""

    row: str
    change: Comparison  # of the slow end to the fast one
    commits: Sequence[Commit]
    tried: Sequence[Tried]
    chances: Sequence[float]
    likely: list[int] = field(default_factory=list)
    certain: bool = False

    @property
    def best(self) -> int:
        """The most probable commit."""
        return self.chances.index(max(self.chances))


@dataclass
class Bisection:
    """Races commits of a range until the first slow one is known, or nothing more can be.

    `plan`: by how much the slow end has to be slower (`gate`), and what the race of a commit may take.
    """

    trees: Trees
    plan: Plan
    tell: Callable[[Tried], None]
    known: dict[str, Tried] = field(default_factory=dict)  # by the build: commits of one build are alike
    row: str = ""

    def ends(self, good: Commit, bad: Commit) -> tuple[Side, Judgement]:
        """Race both ends. Returns the fast one, and the row that became slower by most.

        Raises NothingToDo where none did, NotDecided where the rounds do not tell.
        """
        fast = self.trees.side("good", good)
        slow = self.trees.side("next", bad)
        threshold = self.plan.gate or 0.0
        rows = self._gate(fast, slow, threshold)
        slower = [judged for judged in rows if judged.outcome == "FAILED" and judged.comparison]
        if not slower:
            told = "; ".join(_told(judged) for judged in rows) or "there is no row"
            if any(judged.outcome == "not decided" and judged.tried for judged in rows):
                raise NotDecided(
                    f"whether {bad.short} is slower than {good.short} by more than {threshold:.2%} is not "
                    f"decided: {told}; give more --seconds, or a smaller --slower"
                )
            builds = {name: row.build for name, row in fast.rows.items() if row.build}
            if not any(row.comparison or slow.rows[row.id].build == builds.get(row.id) for row in rows):
                raise BadInput(f"the ends cannot be raced: {told}")
            raise NothingToDo(
                f"{bad.short} is not slower than {good.short} by more than {threshold:.2%}: {told}"
            )
        worst = max(slower, key=lambda judged: judged.comparison.low if judged.comparison else 0.0)
        self.row = worst.id
        if build := slow.rows[worst.id].build:
            self.known[build] = Tried(bad, -1, "slow", worst.comparison)
        return fast, worst

    def find(self, fast: Side, change: Judgement, commits: Sequence[Commit]) -> Answer:
        """Find the first slow one of `commits`, whose last is the slow end."""
        pair = change.comparison
        level = self._seen(change.comparison)
        if pair is None or level is None:
            raise NotDecided("the change has no bounds: give more --seconds")
        tried: dict[int, Tried] = {}
        ratios: dict[int, search.Seen] = {len(commits) - 1: level}
        chances = search.probabilities(len(commits), level, ratios)
        while (number := search.next_commit(chances, tried)) is not None:
            tried[number], ratio = self._try(fast, commits[number], number, level)
            self.tell(tried[number])
            if ratio is not None:
                ratios[number] = ratio
            chances = search.probabilities(len(commits), level, ratios)
        words = {number: outcome.word for number, outcome in tried.items()}
        words |= {-1: "fast", len(commits) - 1: "slow"}  # what the race of the ends has proved
        best, likely = chances.index(max(chances)), search.likely(chances)
        certain = (words.get(best - 1), words.get(best)) == ("fast", "slow")
        return Answer(change.id, pair, commits, list(tried.values()), chances, likely, certain)

    def _try(
        self, fast: Side, commit: Commit, number: int, change: search.Seen
    ) -> tuple[Tried, search.Seen | None]:
        try:
            side = self.trees.side("next", commit, self.row)
        except HeadraceError as error:
            return Tried(commit, number, "skipped", why=str(error)), None
        row = side.rows.get(self.row)
        if row is None or row.outcome != "ok":
            why = f"{row.outcome}: {row.detail}" if row else f"it has no row {self.row}"
            return Tried(commit, number, "skipped", why=why), None
        if row.build in self.known:
            before = self.known[row.build]
            same = replace(before, commit=commit, at=number, why=f"the same build as {before.commit.short}")
            # One measurement counts once, unless it is beyond doubt.
            return same, None if before.word == "not decided" else self._seen(before.comparison)
        (judged,) = self._gate(fast, side, math.expm1(change.centre / 2))
        if judged.comparison is None:
            if judged.tried and judged.outcome == "ok":  # the build of the fast end
                why = f"the same build as {fast.name}"
                return Tried(commit, number, "fast", why=why), search.Seen(0.0, change.centre / 10)
            return Tried(commit, number, "skipped", why=judged.note), None
        words: dict[str, Word] = {"ok": "fast", "FAILED": "slow", "not decided": "not decided"}
        tried = Tried(commit, number, words[judged.outcome], judged.comparison)
        if row.build:
            self.known[row.build] = tried
        return tried, self._seen(judged.comparison)

    def _seen(self, pair: Comparison | None) -> search.Seen | None:
        """Read a ratio by the level of its interval; None where it has no bounds."""
        if pair is None or pair.low <= 0 or pair.high is None:
            return None
        level = look_level(ALPHA, 1 if self.plan.rounds else len(LOOKS))
        return search.seen(table.stored(pair, level))

    def _gate(self, old: Side, new: Side, threshold: float) -> list[Judgement]:
        report = gate_of(old, new, replace(self.plan, gate=threshold), self.trees.watch)
        if report.interrupted:
            raise KeyboardInterrupt
        return report.rows


def _told(judged: Judgement) -> str:
    pair = judged.comparison
    if pair is None:
        return f"{judged.name}: {judged.note}"
    high = "no bound" if pair.high is None else f"{pair.high:.3f}"
    return f"{judged.name} takes {pair.ratio:.3f} [{pair.low:.3f}, {high}] times as long"
