"""Siblings: rows that differ in one thing, which confirm a cause or do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headrace.base import units
from headrace.explain import rules
from headrace.explain.accounts import Account
from headrace.explain.measured_rows import MeasuredRow, place_of

HALF = 0.5
FASTER = 1.1  # times as fast: a change that gains less confirms nothing


@dataclass(frozen=True, eq=False)
class Sibling:
    """A row that differs in one thing, which `words` names."""

    words: str  # in a sentence: "untied"
    account: Account


def siblings_of(
    one: MeasuredRow, measured: Iterable[MeasuredRow], known: Mapping[str, Account]
) -> list[Sibling]:
    """Return the rows of a row's benchmark and route that differ from it in one thing."""
    found = []
    for other in measured:
        if other.row.id == one.row.id or other.row.benchmark != one.row.benchmark:
            continue
        if place_of(other.row) == place_of(one.row) and (words := _difference(one, other)):
            found.append(Sibling(words, known[other.row.id]))
    return found


def _difference(one: MeasuredRow, other: MeasuredRow) -> str:
    """Say what another row has changed, if that is one thing: a setting, the library, a finding's."""
    mine, theirs = one.row, other.row
    if mine.toolchain != theirs.toolchain:
        same = (mine.contender, mine.variant, mine.input) == (theirs.contender, theirs.variant, theirs.input)
        mine_chain, their_chain = one.lane.toolchain, other.lane.toolchain
        differ = mine_chain.library != their_chain.library and mine_chain.target == their_chain.target
        return f"on {their_chain.library}" if same and differ else ""
    if mine.contender == theirs.contender:
        names = {*mine.variant, *theirs.variant}
        changed = [name for name in names if mine.variant.get(name) != theirs.variant.get(name)]
        if len(changed) != 1:
            return ""
        setting = f"{changed[0]}={theirs.variant.get(changed[0], '')}"
        return rules.load().settings.get(setting, f"with {setting}")
    for finding in one.lane.benchmark.spec.finding:
        if (finding.a, finding.b, finding.compare) == (mine.label, theirs.label, "contender"):
            return f"{finding.b}, without {finding.says},"
    return ""


def confirmation(cause: str, own: Account, siblings: Sequence[Sibling]) -> str:
    """Say whether a row that differs in one thing lacks a cause, and is faster.

    It lacks the cause where at most half as much time goes to it.
    """
    lacking = [one for one in siblings if one.account.spent(cause) <= HALF * own.spent(cause)]
    ratios = {one: own.time / one.account.time for one in lacking if one.account.time > 0}
    if not ratios:
        return "not confirmed"
    best = max(ratios, key=ratios.__getitem__)
    if ratios[best] < FASTER:
        return f"not confirmed: {best.words} takes as long"
    return f"confirmed: {best.words} {units.ratio(ratios[best])} times as fast"
