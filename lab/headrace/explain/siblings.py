"""Siblings: rows that differ in one thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headrace.explain import rules
from headrace.explain.measured_rows import MeasuredRow, place_of
from headrace.explain.quantities import Values

HALF = 0.5
LESS = 0.8
FASTER = 1.1  # times as fast: a change that gains less confirms nothing


@dataclass(frozen=True, eq=False)
class Sibling:
    """A row that differs in one thing, which `words` names."""

    words: str  # subject of a sentence: "the same program untied"
    values: Values
    kind: str  # "setting" | "finding" | "undone" (a finding the other way round) | "library"


def siblings_of(
    one: MeasuredRow, measured: Iterable[MeasuredRow], known: Mapping[str, Values]
) -> list[Sibling]:
    """Return the rows of a row's benchmark and route that differ from it in one thing."""
    found = []
    for other in measured:
        if other.row.id == one.row.id or other.row.benchmark != one.row.benchmark:
            continue
        if place_of(other.row) == place_of(one.row):
            kind, words = _difference(one, other)
            if words:
                found.append(Sibling(words, known[other.row.id], kind))
    return found


def _difference(one: MeasuredRow, other: MeasuredRow) -> tuple[str, str]:
    """Say what another row has changed, if that is one thing."""
    mine, theirs = one.row, other.row
    if mine.toolchain != theirs.toolchain:
        same = (mine.contender, mine.variant, mine.input) == (theirs.contender, theirs.variant, theirs.input)
        mine_chain, their_chain = one.lane.toolchain, other.lane.toolchain
        if same and mine_chain.library != their_chain.library and mine_chain.target == their_chain.target:
            return "library", f"the same program on {their_chain.library}"
        return "", ""
    if mine.contender == theirs.contender:
        names = {*mine.variant, *theirs.variant}
        changed = [name for name in names if mine.variant.get(name) != theirs.variant.get(name)]
        if len(changed) != 1:
            return "", ""
        setting = f"{changed[0]}={theirs.variant.get(changed[0], '')}"
        return "setting", f"the same program {rules.load().settings.get(setting, f'with {setting}')}"
    for finding in one.lane.benchmark.spec.finding:
        if (finding.a, finding.b, finding.compare) == (theirs.label, mine.label, "contender"):
            return "finding", f"{finding.says} ({finding.a})"
        if (finding.a, finding.b, finding.compare) == (mine.label, theirs.label, "contender"):
            return "undone", f"{finding.b}, without {finding.says},"
    return "", ""


def clause(quantity: str, own: Values, siblings: Sequence[Sibling]) -> str:
    """Say what siblings do otherwise, as the end of a sentence."""
    if quantity == "cpu":
        return _time_clause(own, siblings)
    settings = [one for one in siblings if one.kind == "setting" and quantity in one.values]
    fewer = [one for one in settings if one.values[quantity] <= HALF * own[quantity]]
    if not fewer:
        return ""
    best = min(fewer, key=lambda one: one.values[quantity])
    text = f"; {best.words} makes {rules.count(best.values[quantity])}"
    same = [one for one in settings if abs(one.values[quantity] - own[quantity]) <= 0.05 * own[quantity]]
    if same:
        words = same[0].words.removeprefix("the same program ")
        text += f", {words} still {rules.count(same[0].values[quantity])}"
    return text


def _time_clause(own: Values, siblings: Sequence[Sibling]) -> str:
    """Name the setting and the library that save most time, and a setting that changes nothing."""
    ratios = {one: one.values["cpu_a_mib"] / own["cpu_a_mib"] for one in siblings if own["cpu_a_mib"] > 0}
    said = []
    for kinds in (("setting", "finding"), ("library",)):
        saving = [one for one, ratio in ratios.items() if one.kind in kinds and ratio <= LESS]
        if saving:
            best = min(saving, key=ratios.__getitem__)
            said.append(f"; {best.words} takes {rules.FORMS['percent'](ratios[best])} of its processor time")
    useless = [
        one for one, ratio in ratios.items() if one.kind in ("setting", "finding") and LESS < ratio < 1 / LESS
    ]
    if useless:
        said.append(f"; {useless[0].words} takes as much")
    return "".join(said)


def confirmation(cause: rules.Cause, facts: rules.Facts, siblings: Sequence[Sibling]) -> str:
    """Say whether a row that differs in one thing lacks a cause, and is faster.

    It lacks what is counted where it has half of it at most; a cause in user or kernel time it lacks where
    the calls stay and the time goes. The other standard library counts where the cause is about the library.
    """
    own = facts.values
    kinds = {"setting", "undone"} | ({"library"} if {"library", "toolchain"} & cause.where.keys() else set())
    top = facts.texts.get("top_name", "")
    names = [top if name == "top" else name for name in cause.share.split(" + ")]
    lacking = [one for one in siblings if one.kind in kinds and _lacks(one, own, names)]
    ratios = {
        one: own["cpu_a_mib"] / one.values["cpu_a_mib"] for one in lacking if one.values["cpu_a_mib"] > 0
    }
    if not ratios:
        return "not confirmed"
    best = max(ratios, key=ratios.__getitem__)
    words = best.words.removeprefix("the same program ")
    if ratios[best] < FASTER:
        return f"not confirmed: {words} takes as long"
    return f"confirmed: {words} {rules.FORMS['ratio'](ratios[best])} times as fast"


def _lacks(other: Sibling, own: Values, names: Sequence[str]) -> bool:
    if names == ["rest"]:
        same_calls = other.values["calls"] > HALF * own["calls"]
        return same_calls and other.values["cpu_a_mib"] * FASTER <= own["cpu_a_mib"]
    mine = sum(own.get(name, 0.0) for name in names)
    return sum(other.values.get(name, 0.0) for name in names) <= HALF * mine
