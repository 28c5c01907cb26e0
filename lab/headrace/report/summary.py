"""What a campaign says, in sentences made from its data and from nothing else."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import listed, name, plural, visible
from headrace.judge.pair import least_rounds
from headrace.machine import noise
from headrace.report import agreement, ratios, sweep, sweep_text
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing, groups, under
from headrace.results.schema import MOST_CACHED, Campaign, Finding, Row, ToolchainInfo

_SLOW = 1.5  # rows that take this many times as long as the baseline are worth a cause
_CAUSES = 6  # the maximum in a summary; the page lists all


def everything(campaign: Campaign) -> list[tuple[str, list[str]]]:
    """Give the title and the sentences of each sweep, and of each ranking that is not a size of one."""
    found = sweep.sweeps(campaign)
    said = [(one.title, of_sweep(one)) for one in found]
    alone = [group for group in groups(campaign) if not sweep.swept(found, group)]
    return said + [(group.title, sentences(group, campaign)) for group in alone]


def of_sweep(one: sweep.Sweep) -> list[str]:
    """Say what a sweep shows, and of a user's own programs their place at the largest size."""
    said = sweep_text.sentences(one)
    largest = f"At {visible(one.key)} = {one.sizes[-1]:,}: "
    said += [f"{largest}{sentence[0].lower()}{sentence[1:]}" for sentence in _own(one.members[-1])]
    for size, group in zip(one.sizes, one.members, strict=True):
        if group.failed:
            said.append(f"Without a time at {visible(one.key)} = {size:,}: {_failed(group)}.")
    return said


def sentences(group: Group, campaign: Campaign) -> list[str]:
    """Say who wins and by how much, who ties, what the findings show, what is slow and why."""
    if not group.ranked:
        return [*_own(group), f"Nothing could be ranked: {_failed(group)}."] if group.failed else []
    if group.withheld:
        return [*_withheld(group), *_without_rank(group)]
    if not group.leaders:
        return [*_too_few_rounds(group), *_own(group), *_without_rank(group)]
    said = [*_winner(group), *_runner_up(group), *_own(group)]
    for finding in group.benchmark.findings:
        said += _finding(finding, group, campaign)
    said += agreement.sentences(group)
    said += _slow(group)
    return said + _without_rank(group)


def _too_few_rounds(group: Group) -> list[str]:
    rounds = max(len(standing.row.samples) for standing in group.ranked)
    needed = least_rounds(group.ranked[0].row.judged.level)
    return [
        f"{plural(rounds, 'round')}: too few to tell the rows apart (that takes {needed}), so they have no "
        "places and are in the order of their medians. Give more --seconds, or name fewer contenders."
    ]


def _withheld(group: Group) -> list[str]:
    """Say that the control failed: the same build twice is not the same."""
    for standing in group.measured:
        if standing.role == "A/A" and standing.row.judged.withheld and standing.to_baseline:
            if abs(standing.to_baseline.value - 1) <= standing.row.judged.margin:
                continue
            return [
                "Nothing is said of differences: the A/A pair, one build twice, has the ratio "
                f"{standing.to_baseline.text()}. Something else than the build decides about times here."
            ]
    return ["Nothing is said of differences: the A/A pair, one build twice, differs."]


def _without_rank(group: Group) -> list[str]:
    return [f"Without a rank: {_failed(group)}."] if group.failed else []


def conditions(campaign: Campaign) -> list[str]:
    """Say how far the differences can be trusted."""
    said = []
    if campaign.interrupted:
        said.append("The campaign was interrupted: it holds what had been measured by then.")
    said += how(campaign)
    said += _under(campaign)
    said.append(_margin(campaign))
    said += _twins(campaign)
    return said + noise.described(campaign.rows, campaign.noise)


def how(campaign: Campaign) -> list[str]:
    """Say what was unusual about the runs: a cold cache, one processor."""
    said = []
    stayed = [sample.cached or 0.0 for row in campaign.rows for sample in row.samples]
    if campaign.cold and max(stayed, default=0.0) > MOST_CACHED:
        said.append("A cold cache was asked for (--cold), but the input stayed in it: see the warning.")
    elif campaign.cold:
        said.append("Cold cache: the input was dropped from the page cache before each run (--cold).")
    if campaign.pin is not None:
        said.append(f"Every program ran on processor {campaign.pin} (--pin).")
    return said


def _under(campaign: Campaign) -> list[str]:
    """Name the toolchains whose programs ran under something else than this machine's own system."""
    toolchains: dict[str, list[str]] = {}
    for row in campaign.rows:
        if (what := under(row)) and (row.samples or row.observed):
            toolchains.setdefault(what, [])
            if (shown := name(row.toolchain)) not in toolchains[what]:
                toolchains[what].append(shown)
    return [f"What {listed(names)} built ran {visible(what)}." for what, names in toolchains.items()]


def _margin(campaign: Campaign) -> str:
    return f"A difference counts from {units.percent(campaign.margin)} on; a smaller one is called small."


def _twins(campaign: Campaign) -> list[str]:
    """Say what the worst A/A pair shows: the same build against itself."""
    rows = {row.id: row for row in campaign.rows}
    pairs: list[tuple[Row, Ratio]] = []
    for row in campaign.rows:
        original = rows.get(row.twin_of)
        ratio = ratios.between(row, original) if original and row.samples else None
        if ratio is not None:
            pairs.append((row, ratio))
    if not pairs:
        return []
    row, ratio = max(pairs, key=lambda pair: max(pair[1].value, 1 / pair[1].value))
    where = f"{visible(row.toolchain)}, {visible(row.source)} to {visible(row.sink)}"
    which = (
        f"The A/A pair ({where})"
        if len(pairs) == 1
        else f"Of {len(pairs)} A/A pairs the farthest from 1 ({where})"
    )
    return [f"{which}, one build against itself, has the ratio {ratio.text()}."]


def _of(standing: Standing) -> str:
    with_toolchain = "" if standing.row.toolchain == "script" else f" with {visible(standing.toolchain)}"
    return f"{name(standing.label)}{with_toolchain}"


def _winner(group: Group) -> list[str]:
    """Name the fastest, or those that may be; what it gains on the baseline, and the limit."""
    best, others = group.leaders[0], group.leaders[1:]
    time = units.one_time(best.spread.median) if best.spread else ""
    if others:
        first = f"{together([best, *others])} may each be the fastest"
        ratio = ratios.between(others[0].row, best.row)
        first += f": {_of(others[0])} takes {ratio.text()} times as long as {_of(best)}" if ratio else ""
        first += f", {_undecided(ratio)}" if ratio else ""
        first += f". {_of(best)} takes {time}" if time else ""
    else:
        first = f"{_of(best)} is fastest: {time}"
    base = best.to_baseline
    if base and best.row.contender != group.benchmark.baseline:
        first += f", {_against(base, name(group.benchmark.baseline))}"
    said = [f"{first}."]
    if best.to_limit:
        limit = name(group.benchmark.limit)
        said.append(f"It takes {best.to_limit.text()} times as long as the limit, {limit}.")
    return said


def verdict(group: Group, campaign: Campaign) -> str:
    """Say in one sentence who wins and by how much; all that is known is in `sentences`."""
    if group.withheld or not group.leaders:
        return next(iter(sentences(group, campaign)), "")
    best, others = group.leaders[0], group.leaders[1:]
    labels = list(dict.fromkeys(standing.label for standing in group.leaders))
    alike = {
        1: f"{name(best.label)} is fastest",
        2: f"{listed([name(one) for one in labels])} may each be the fastest",
    }
    said = alike.get(
        len(labels), f"{len(labels)} contenders may each be the fastest, {name(best.label)} first"
    )
    said += f" at {units.one_time(best.spread.median)}" if best.spread else ""
    said += f" with {visible(best.toolchain)}" if not others else ""
    base = best.to_baseline
    if base and best.row.contender != group.benchmark.baseline:
        said += f", {_against(base, name(group.benchmark.baseline))}"
    if len(labels) == 1 and others:
        said += f"; {len(others) + 1} of its builds are not told apart"
    return f"{said}."


def _undecided(ratio: Ratio) -> str:
    """Say what is known of a pair that shares a place."""
    if ratio.verdict == "the same":
        return f"the same within {units.percent(ratio.margin)}"
    if ratio.verdict != "not decided":
        return ratio.verdict
    if not ratio.more_rounds:
        return "not decided"
    return f"not decided; about {plural(ratio.more_rounds, 'more round')} would"


def _against(ratio: Ratio, baseline: str) -> str:
    """Put a ratio to the baseline into words that its verdict allows."""
    if ratio.verdict == "faster":
        return f"{_times_as_fast(ratio)} {baseline}, the baseline"
    said = f"{ratio.text()} times as long as {baseline}, the baseline"
    return said if ratio.verdict == "slower" else f"{said}: {_undecided(ratio)}"


def together(standings: list[Standing]) -> str:
    """Name rows with each contender said once: "`a` (g++, clang++) and `b` (g++)"."""
    by_label: dict[str, list[str]] = {}
    for standing in standings:
        toolchains = by_label.setdefault(standing.label, [])
        if visible(standing.toolchain) not in toolchains:
            toolchains.append(visible(standing.toolchain))
    parts = [name(label) + _in_brackets(toolchains) for label, toolchains in by_label.items()]
    more = [f"{len(parts) - 5} more"] if len(parts) > 5 else []
    return listed(parts[:5] + more)


def _in_brackets(toolchains: list[str]) -> str:
    if toolchains == ["script"]:
        return ""
    more = [f"{len(toolchains) - 3} more"] if len(toolchains) > 3 else []
    return f" ({', '.join(toolchains[:3] + more)})"


def _times_as_fast(ratio: Ratio) -> str:
    inverse = ratio.inverse()
    return f"{units.ratio(inverse.value)} times as fast {inverse.interval()}".rstrip() + " as"


def _runner_up(group: Group) -> list[str]:
    best = group.leaders[0]
    for other in group.ranked:
        if other.row.contender != best.row.contender and other.rank > 1:
            ratio = ratios.between(other.row, best.row)
            return [f"Next is {_of(other)}, which takes {ratio.text()} times as long."] if ratio else []
    return []


def _own(group: Group) -> list[str]:
    """Say which place a user's own programs take, each by its fastest build, and why."""
    said = []
    for own in group.benchmark.own:
        ranked = [standing for standing in group.ranked if standing.row.contender == own]
        failed = [standing for standing in group.failed if standing.row.contender == own]
        if ranked:
            said.append(_place(ranked[0], group))
        alike: dict[str, list[Standing]] = {}
        for standing in failed:
            alike.setdefault(visible(standing.problem).rstrip("."), []).append(standing)
        said += [f"Your {together(those)} has no time: {problem}." for problem, those in alike.items()]
    return said


def _place(standing: Standing, group: Group) -> str:
    """Say a program's place among all rows, and who may share it."""
    if not standing.rank:
        return f"Your {_of(standing)} has no place yet: too few rounds."
    said = f"Your {_of(standing)} takes place {standing.place} of {len(group.ranked)}"
    alike = [
        other
        for other in group.ranked
        if other is not standing and other.rank <= standing.last and standing.rank <= other.last
    ]
    said += f", not told apart from {together(alike)}" if alike else ""
    best = group.ranked[0]
    ratio = ratios.between(standing.row, best.row)
    if best is not standing and standing.rank > 1 and ratio is not None:
        said += f": {ratio.text()} times as long as the fastest, {_of(best)}"
    base = standing.to_baseline
    if base and group.benchmark.baseline not in (best.row.contender, standing.row.contender):
        said += f", {base.text()} times as long as {name(group.benchmark.baseline)}, the baseline"
    cause = visible(standing.row.cause).rstrip(".")
    return f"{said}. Cause: {cause}." if cause else f"{said}."


def _failed(group: Group) -> str:
    by_outcome: dict[str, list[Standing]] = {}
    for standing in group.failed:
        by_outcome.setdefault(standing.outcome, []).append(standing)
    return "; ".join(f"{outcome}: {together(failed)}" for outcome, failed in by_outcome.items())


def _slow(group: Group) -> list[str]:
    """Name what is slow with its cause, the slowest first; one cause is told once."""
    said: dict[str, str] = {}
    for standing in reversed(group.ranked):
        ratio = standing.to_baseline
        cause = visible(standing.row.cause)
        if standing.row.contender in group.benchmark.own:
            continue  # told with its place
        if ratio is None or ratio.value < _SLOW or not cause or cause in said or len(said) == _CAUSES:
            continue
        base = name(group.benchmark.baseline)
        said[cause] = f"{_of(standing)} takes {ratio.text()} times as long as {base}: {cause.rstrip('.')}."
    return list(said.values())


def _finding(finding: Finding, group: Group, campaign: Campaign) -> list[str]:
    by_place: dict[tuple[str, str], dict[str, Standing]] = {}
    for standing in sorted(group.measured, key=lambda standing: standing.colour):
        place = (standing.row.toolchain, standing.row.optimisation)
        if standing.role != "A/A" and not standing.row.by_peer:
            by_place.setdefault(place, {})[standing.row.label] = standing
    if finding.compare == "contender":
        pairs = [
            (there[finding.a], there[finding.b])
            for there in by_place.values()
            if finding.a in there and finding.b in there
        ]
        return _effects(finding, pairs)
    rows = [there[finding.a] for there in by_place.values() if finding.a in there]
    infos = {info.name: info for info in campaign.toolchains}
    return _across(finding, rows, infos)


def _effects(finding: Finding, pairs: list[tuple[Standing, Standing]]) -> list[str]:
    """Say what `a` changes against `b`; toolchains with the same answer share a sentence.

    A pair with too few rounds for an interval is passed over.
    """
    alike: dict[str, list[tuple[str, str]]] = {}
    for changed, plain in pairs:
        ratio = ratios.between(changed.row, plain.row)
        if ratio is not None and ratio.low is not None:
            change = _change(ratio)
            alike.setdefault(change, []).append((visible(changed.toolchain), ratio.text()))
    between = f"{name(finding.a)} to {name(finding.b)}"
    return [
        f"With {listed([toolchain for toolchain, _ in found])}, {visible(finding.says)} {change} "
        f"({between}: {listed([text for _, text in found])})."
        for change, found in alike.items()
    ]


def _change(ratio: Ratio) -> str:
    """Put a ratio of times into a verb, no stronger than its verdict."""
    if ratio.verdict == "the same":
        return f"changes nothing beyond {units.percent(ratio.margin)}"
    if ratio.verdict == "not decided":
        return "may or may not change the time: not decided"
    factor = 1 / ratio.value if ratio.value < 1 else ratio.value
    if factor < 1.1:
        return f"{'saves' if ratio.value < 1 else 'costs'} {units.percent(abs(1 - ratio.value))}"
    if ratio.value < 1:
        return f"makes it {units.ratio(factor)} times as fast"
    return f"makes it take {units.ratio(factor)} times as long"


def _across(finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo]) -> list[str]:
    """Set one contender's toolchains against each other where they differ only in what is compared."""
    said = []
    for at, one in enumerate(rows):
        for other in rows[at + 1 :]:
            quick, slow = sorted((one, other), key=_median)
            sides = _differing(finding, slow, quick, infos)
            ratio = ratios.between(slow.row, quick.row)
            if sides and ratio:
                said.append(_set_against(finding, sides, ratio))
    return said or _best_of_each_library(finding, rows, infos)


def _best_of_each_library(
    finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo]
) -> list[str]:
    """Where no compiler has both libraries, set the fastest build of each against the other."""
    best: dict[str, Standing] = {}
    for row in sorted(rows, key=_median):
        info = infos.get(row.row.toolchain)
        if info is not None and not info.runner:
            best.setdefault(info.library, row)
    if finding.compare != "library" or len(best) != 2:
        return []
    quick, slow = best.values()
    ratio = ratios.between(slow.row, quick.row)
    return [_set_against(finding, (slow.toolchain, quick.toolchain, ""), ratio)] if ratio else []


def _median(standing: Standing) -> float:
    return standing.spread.median if standing.spread else 0.0


def _differing(
    finding: Finding, one: Standing, other: Standing, infos: dict[str, ToolchainInfo]
) -> tuple[str, str, str] | None:
    """Give the two sides and what they share, or None when more than the one thing differs."""
    first, second = infos.get(one.row.toolchain), infos.get(other.row.toolchain)
    if not first or not second or first.target != second.target:
        return None
    if one.row.optimisation != other.row.optimisation:
        return None
    compilers = (first.name.split("/")[0], second.name.split("/")[0])
    libraries = (first.library, second.library)
    if finding.compare == "library" and compilers[0] == compilers[1] and libraries[0] != libraries[1]:
        return (*libraries, compilers[0])
    if finding.compare == "compiler" and compilers[0] != compilers[1] and libraries[0] == libraries[1]:
        return (*compilers, libraries[0])
    return None


def _set_against(finding: Finding, sides: tuple[str, str, str], ratio: Ratio) -> str:
    slow, quick, shared = (visible(side) for side in sides)
    start = f"On {shared}, {visible(finding.says)}" if shared else visible(finding.says).capitalize()
    figures = f"({name(finding.a)}: {ratio.text()})"
    if ratio.verdict == "the same":
        near = units.percent(ratio.margin)
        return f"{start} take as long with {slow} as with {quick}, within {near} {figures}."
    if ratio.verdict == "not decided":
        return f"{start}: {slow} against {quick} is not decided {figures}."
    if ratio.value < 1:
        slow, quick, ratio = quick, slow, ratio.inverse()
        figures = f"({name(finding.a)}: {ratio.text()})"
    if ratio.value < 1.1:
        return (
            f"{start} take {units.percent(ratio.value - 1)} longer with {slow} than with {quick} {figures}."
        )
    return f"{start} take {units.ratio(ratio.value)} times as long with {slow} as with {quick} {figures}."
