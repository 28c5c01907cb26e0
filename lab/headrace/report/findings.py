"""Findings: one contender against another, or two toolchains that differ in one thing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

from headrace.base.text import listed, visible
from headrace.judge.verdict import is_within_reach
from headrace.report import ratios
from headrace.report.prose import FORMS, say
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.results.schema import Campaign, Finding, Role, ToolchainInfo

_NARROW = 1.25  # upper to lower bound of a ratio that is worth telling, though nothing is decided
_FEW_RATIOS = 2  # are told with their intervals; of more, the smallest and the largest
_AS_FACTOR = 1.1  # from here on a change is told as a factor, a smaller one as a percentage


def sentences(group: Group, campaign: Campaign, decided: bool = False) -> list[str]:
    """Say what each finding shows; with `decided`, only what is certain."""
    by_build: dict[tuple[str, str], dict[str, Standing]] = {}
    for row in sorted(group.measured, key=lambda row: row.colour):
        if row.role is not Role.TWIN and not row.row.by_peer:
            by_build.setdefault((row.row.toolchain, row.row.optimisation), {})[row.row.label] = row
    told = []
    for finding in group.benchmark.findings:
        rows = [there for there in by_build.values() if finding.a in there]
        if finding.compare == "contender":
            pairs = [(there[finding.a], there[finding.b]) for there in rows if finding.b in there]
            told += _effects(finding, pairs, decided)
        else:
            told += _sides(finding, [there[finding.a] for there in rows], campaign, decided)
    return told


def _effects(finding: Finding, pairs: Sequence[tuple[Standing, Standing]], decided: bool) -> list[str]:
    """Say what `a` changes against `b`; toolchains with the same kind of answer share a sentence.

    A pair of too few rounds to tell anything is passed over.
    """
    alike: dict[tuple[str, ...], list[tuple[str, Ratio]]] = {}
    for changed, plain in pairs:
        ratio = ratios.between(changed.row, plain.row)
        if ratio is not None and tells(ratio, decided):
            alike.setdefault(_kind_of_change(ratio), []).append((visible(changed.toolchain), ratio))
    told = []
    for alike_ratios in alike.values():
        is_all = len(alike_ratios) == len(pairs) > _FEW_RATIOS
        toolchains = list(dict.fromkeys(toolchain for toolchain, _ in alike_ratios))
        known = [ratio for _, ratio in alike_ratios]
        told.append(
            say(
                "effect",
                who=say("with-each", count=len(pairs)) if is_all else say("with", toolchains=toolchains),
                **{"says": finding.says, "a": finding.a, "b": finding.b},
                change=change(known),
                figures=_figures(known),
            )
        )
    return told


def tells(ratio: Ratio, decided: bool = False) -> bool:
    """Whether a reader learns something: a verdict, a narrow interval, or how many rounds are missing."""
    if ratio.low is None or ratio.high is None:
        return False
    if decided or ratio.verdict != "not decided":
        return ratio.verdict != "not decided"
    return ratio.high <= _NARROW * ratio.low or is_within_reach(ratio.more_rounds)


def _kind_of_change(ratio: Ratio) -> tuple[str, ...]:
    """Tell which answers share a sentence: those of a verdict, told as factors or as percentages."""
    if ratio.verdict in ("the same", "not decided"):
        return (ratio.verdict,)
    return ("less" if ratio.value < 1 else "more", "times" if ratio.factor >= _AS_FACTOR else "percent")


def change(alike: Sequence[Ratio]) -> str:
    """Put ratios of times of one kind into a verb, no stronger than their verdict."""
    first = alike[0]
    if first.verdict == "the same":
        return say("change-none", margin=first.margin)
    if first.verdict == "not decided":
        return _open_change(alike)
    if first.factor < _AS_FACTOR:
        verb = "saves" if first.value < 1 else "costs"
        return say(verb, shares=[abs(1 - ratio.value) for ratio in alike])
    return say("faster" if first.value < 1 else "slower", factors=[ratio.factor for ratio in alike])


def _open_change(alike: Sequence[Ratio]) -> str:
    """Say how far pairs that are not decided may lie from no change, and what would decide them all."""
    saved = 1 - min(ratio.low or 1 for ratio in alike)
    cost = max(ratio.high or 1 for ratio in alike) - 1
    bounds = [say("bound", verb=verb, share=by) for verb, by in (("saves", saved), ("costs", cost)) if by > 0]
    missing = [ratio.more_rounds for ratio in alike if ratio.more_rounds]
    return say("change-open", bounds=bounds, rounds=max(missing) if len(missing) == len(alike) else None)


def _figures(ratios_of: Sequence[Ratio]) -> str:
    """Write ratios: a few with their intervals, many from the smallest to the largest."""
    if len(ratios_of) <= _FEW_RATIOS:
        return listed([ratio.text for ratio in ratios_of])
    return FORMS["ratios"]([ratio.value for ratio in ratios_of])


def _sides(finding: Finding, rows: Sequence[Standing], campaign: Campaign, decided: bool) -> list[str]:
    """Set one contender's toolchains against each other where they differ only in what is compared."""
    infos = {info.name: info for info in campaign.toolchains}
    every = [
        (*sides, ratio)
        for pair in combinations(rows, 2)
        for quick, slow in [sorted(pair, key=lambda row: row.median)]
        if (sides := _differing(finding, slow, quick, infos))
        if (ratio := ratios.between(slow.row, quick.row))
    ]
    every = every or _best_of_each_library(finding, rows, infos)
    pairs = [pair for pair in every if tells(pair[-1], decided)]
    told = [_against(finding, *pair) for pair in pairs if pair[-1].verdict != "not decided"]
    return told + _open_pairs(finding, [pair for pair in pairs if pair[-1].verdict == "not decided"])


def _differing(
    finding: Finding, slow: Standing, quick: Standing, infos: dict[str, ToolchainInfo]
) -> tuple[str, str, str] | None:
    """Give the two sides and what they share, or None when more than the one thing differs."""
    first, second = infos.get(slow.row.toolchain), infos.get(quick.row.toolchain)
    if not first or not second or first.target != second.target:
        return None
    if slow.row.optimisation != quick.row.optimisation:
        return None
    compilers = (first.name.split("/")[0], second.name.split("/")[0])
    libraries = (first.library, second.library)
    if finding.compare == "library" and compilers[0] == compilers[1] and libraries[0] != libraries[1]:
        return (*libraries, compilers[0])
    if finding.compare == "compiler" and compilers[0] != compilers[1] and libraries[0] == libraries[1]:
        return (*compilers, libraries[0])
    return None


def _best_of_each_library(
    finding: Finding, rows: Iterable[Standing], infos: dict[str, ToolchainInfo]
) -> list[tuple[str, str, str, Ratio]]:
    """Where no compiler has both libraries, set the fastest build of each against the other."""
    best: dict[str, Standing] = {}
    for row in sorted(rows, key=lambda row: row.median):
        info = infos.get(row.row.toolchain)
        if info is not None and not info.runner:
            best.setdefault(info.library, row)
    if finding.compare != "library" or len(best) != 2:
        return []
    quick, slow = best.values()
    ratio = ratios.between(slow.row, quick.row)
    return [(slow.toolchain, quick.toolchain, "", ratio)] if ratio else []


def _against(finding: Finding, slow: str, quick: str, shared: str, ratio: Ratio) -> str:
    says = visible(finding.says)
    kind = {"the same": "same", "not decided": "open"}.get(ratio.verdict, "")
    if not kind:
        if ratio.value < 1:
            slow, quick, ratio = quick, slow, ratio.inverse()
        kind = "longer" if ratio.value < _AS_FACTOR else "times"
    return say(
        f"sides-{kind}",
        says=say("sides-on", shared=visible(shared), says=says) if shared else says.capitalize(),
        **{"slow": visible(slow), "quick": visible(quick)},
        **{"a": finding.a, "ratio": ratio, "share": ratio.value - 1},
    )


def _open_pairs(finding: Finding, pairs: Sequence[tuple[str, str, str, Ratio]]) -> list[str]:
    """Name the pairs that are not decided: those of several that share a compiler or a library at once."""
    told = []
    for shared in dict.fromkeys(pair[2] for pair in pairs):
        found = [pair for pair in pairs if pair[2] == shared]
        if len(found) <= _FEW_RATIOS:
            told += [_against(finding, *pair) for pair in found]
            continue
        sides = sorted({visible(side) for pair in found for side in pair[:2]})
        every = len(found) == math.comb(len(sides), 2)
        told.append(
            say(
                "sides-level" if every else "sides-pairs",
                **{"shared": shared, "says": finding.says, "a": finding.a, "sides": sides},
                pairs=[say("sides-pair", slow=slow, quick=quick) for slow, quick, *_ in found],
                figures=_figures([ratio for *_, ratio in found]),
            )
        )
    return told
