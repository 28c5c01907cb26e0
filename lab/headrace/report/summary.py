"""What a campaign says, in sentences made from its data and from nothing else."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import listed, name, plural, visible
from headrace.judge import stats
from headrace.report import agreement, ratios, sweep, sweep_text
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing, groups, under
from headrace.results.schema import MOST_CACHED, Campaign, Finding, Row, ToolchainInfo

_NOTHING = 0.05  # an effect is called none within the margin, if that is no wider than this
_BUSY = 0.2  # a margin of wall times from which on they say little
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
    if _rounds(group) < stats.least_rounds(stats.ALPHA):
        return [*_too_few_rounds(group), *_own(group), *_without_rank(group)]
    said = [*_too_busy(group), *_winner(group, campaign.margin), *_runner_up(group), *_own(group)]
    for finding in group.benchmark.findings:
        said += _finding(finding, group, campaign)
    said += agreement.sentences(group, campaign.margin)
    said += _slow(group)
    return said + _without_rank(group)


def _rounds(group: Group) -> int:
    """The rounds of the entry that has most of them."""
    return max(len(standing.row.samples) for standing in group.ranked)


def _too_few_rounds(group: Group) -> list[str]:
    return [
        f"{plural(_rounds(group), 'round')}: too few to tell anything apart (that takes "
        f"{stats.least_rounds(stats.ALPHA)}), so the places are the order of the medians. "
        "Name fewer contenders or toolchains, or leave --quick out."
    ]


def _too_busy(group: Group) -> list[str]:
    """Say that this ranking's own A/A pairs differ too much; those of other rankings say nothing of it."""
    margin = max(_margin(standing, 0.0) for standing in group.ranked)
    if margin < _BUSY:
        return []
    return [
        f"The machine was too busy for wall times: one build differed from itself by up to "
        f"{units.percent(margin)}. Compare user and system times, or run again when it is idle."
    ]


def _without_rank(group: Group) -> list[str]:
    return [f"Without a rank: {_failed(group)}."] if group.failed else []


def conditions(campaign: Campaign) -> list[str]:
    """Say how far the differences can be trusted."""
    said = []
    if campaign.interrupted:
        said.append("The campaign was interrupted: it holds what had been measured by then.")
    said += how(campaign)
    said += _under(campaign)
    said.append(_margins(campaign))
    said += _twins(campaign)
    if campaign.noise:
        foreign = max(noise.foreign for noise in campaign.noise)
        stolen = max(noise.stolen for noise in campaign.noise)
        said.append(
            f"In the noisiest of {plural(len(campaign.noise), 'round')} other processes used {foreign:.2f} "
            f"cores, and the hypervisor took {units.percent(stolen)} of the processor time."
        )
    return said


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


def _margins(campaign: Campaign) -> str:
    if len(campaign.noise) < stats.least_rounds(stats.ALPHA):
        return "The A/A pairs have too few rounds to say from where on a difference counts."
    margins = [one.margin for row in campaign.rows for one in row.comparisons if one.metric == "wall"]
    low, high = (min(margins), max(margins)) if margins else (campaign.margin, campaign.margin)
    if units.percent(low) == units.percent(high):
        return f"Differences count from {units.percent(high)} on, the margin that the A/A pairs allow."
    return (
        f"Differences count from {units.percent(low)} to {units.percent(high)} on, "
        "the margin that the A/A pair of each toolchain and route allows."
    )


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
    row, ratio = max(pairs, key=lambda pair: max(pair[1].high or 1.0, 1 / (pair[1].low or 1.0)))
    where = f"{visible(row.toolchain)}, {visible(row.source)} to {visible(row.sink)}"
    which = (
        f"The A/A pair ({where})" if len(pairs) == 1 else f"The noisiest of {len(pairs)} A/A pairs ({where})"
    )
    return [f"{which}, one build against itself, has the ratio {ratio.text()}."]


def _of(standing: Standing) -> str:
    with_toolchain = "" if standing.row.toolchain == "script" else f" with {visible(standing.toolchain)}"
    return f"{name(standing.label)}{with_toolchain}"


def _winner(group: Group, margin: float) -> list[str]:
    """Name the fastest, or those that share the first place; what it gains on the baseline, and the limit."""
    best = group.ranked[0]
    tied = [other for other in group.ranked[1:] if other.rank == best.rank]
    time = units.one_time(best.spread.median) if best.spread else ""
    if any(other.label != best.label for other in tied):
        first = f"No single winner: {together([best, *tied])} cannot be told apart. "
        first += f"The smallest median is that of {_of(best)}: {time}"
    else:
        first = f"{together([best, *tied]) if tied else _of(best)} is fastest: {time}"
    base = best.to_baseline
    if base and best.row.contender != group.benchmark.baseline:
        if _is_told_apart(base, _margin(best, margin)):
            first += f", {_times_as_fast(base)} {name(group.benchmark.baseline)}, the baseline"
        else:
            first += f", {base.text()} times the baseline, {name(group.benchmark.baseline)}: no difference"
    said = [f"{first}."]
    if best.to_limit:
        limit = name(group.benchmark.limit)
        said.append(f"It takes {best.to_limit.text()} times as long as the limit, {limit}.")
    return said


def _margin(standing: Standing, margin: float) -> float:
    """The margin by which this row was judged; that of the campaign where it was not compared."""
    return max((one.margin for one in standing.row.comparisons if one.metric == "wall"), default=margin)


def _is_told_apart(ratio: Ratio, margin: float) -> bool:
    """Whether the ratio itself lies beyond the margin and its interval leaves 1 out."""
    if ratio.low is None or ratio.high is None or ratio.low <= 1 <= ratio.high:
        return False
    return max(ratio.value, 1 / ratio.value) > 1 + margin


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
    best = group.ranked[0]
    for other in group.ranked:
        if other.row.contender != best.row.contender and other.rank != best.rank:
            ratio = ratios.between(other.row, best.row)
            if ratio is None:
                return []
            return [f"Next is {_of(other)}, which takes {ratio.text()} times as long."]
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
    """Say a program's place among all contenders, each counted once, by its fastest build."""
    fastest: dict[str, Standing] = {}
    for other in group.ranked:
        fastest.setdefault(other.label, other)
    ahead = sum(1 for other in fastest.values() if other.rank < standing.rank)
    alike = [other for other in fastest.values() if other.rank == standing.rank and other is not standing]
    said = f"Your {_of(standing)} takes place {ahead + 1} of {len(fastest)}"
    said += f", together with {together(alike)}" if alike else ""
    best = group.ranked[0]
    ratio = ratios.between(standing.row, best.row)
    if best.rank != standing.rank and ratio is not None:
        said += f": {ratio.text()} times as long as the fastest, {_of(best)}"
    base = standing.to_baseline
    if base and group.benchmark.baseline not in (best.row.contender, standing.row.contender):
        said += f", {base.text()} times as long as {name(group.benchmark.baseline)}, the baseline"
    cause = visible(standing.row.cause).rstrip(".")
    return f"{said}. Cause: {cause}." if cause else f"{said}."


def _failed(group: Group) -> str:
    by_outcome: dict[str, list[Standing]] = {}
    for standing in group.failed:
        outcome = "not measured" if standing.row.outcome == "ok" else standing.row.outcome
        by_outcome.setdefault(outcome, []).append(standing)
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
        return _effects(finding, pairs, campaign.margin)
    rows = [there[finding.a] for there in by_place.values() if finding.a in there]
    infos = {info.name: info for info in campaign.toolchains}
    return _across(finding, rows, infos, campaign.margin)


def _effects(finding: Finding, pairs: list[tuple[Standing, Standing]], margin: float) -> list[str]:
    """Say what `a` changes against `b`; toolchains with the same answer share a sentence.

    A pair with too few rounds for an interval is passed over.
    """
    alike: dict[str, list[tuple[str, str]]] = {}
    for changed, plain in pairs:
        ratio = ratios.between(changed.row, plain.row)
        if ratio is not None and ratio.low is not None:
            change = _change(ratio, max(_margin(changed, margin), _margin(plain, margin)))
            alike.setdefault(change, []).append((visible(changed.toolchain), ratio.text()))
    between = f"{name(finding.a)} to {name(finding.b)}"
    return [
        f"With {listed([toolchain for toolchain, _ in found])}, {visible(finding.says)} {change} "
        f"({between}: {listed([text for _, text in found])})."
        for change, found in alike.items()
    ]


def _change(ratio: Ratio, margin: float) -> str:
    """Put a ratio of times into a verb, no stronger than its interval and the margin allow."""
    low, high = (ratio.low, ratio.high) if ratio.low and ratio.high else (ratio.value, ratio.value)
    within = min(margin, _NOTHING)
    if 1 / (1 + within) <= low and high <= 1 + within:
        return "changes nothing"
    factor = 1 / ratio.value if ratio.value < 1 else ratio.value
    if low <= 1 <= high or factor <= 1 + margin:
        return "has no effect that could be told from noise"
    if factor < 1.1:
        return f"{'saves' if ratio.value < 1 else 'costs'} {units.percent(abs(1 - ratio.value))}"
    if ratio.value < 1:
        return f"makes it {units.ratio(factor)} times as fast"
    return f"makes it take {units.ratio(factor)} times as long"


def _across(
    finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo], margin: float
) -> list[str]:
    """Set one contender's toolchains against each other where they differ only in what is compared."""
    said = []
    for at, one in enumerate(rows):
        for other in rows[at + 1 :]:
            quick, slow = sorted((one, other), key=_median)
            sides = _differing(finding, slow, quick, infos)
            ratio = ratios.between(slow.row, quick.row)
            if sides and ratio:
                said.append(_set_against(finding, sides, ratio, margin))
    return said or _best_of_each_library(finding, rows, infos, margin)


def _best_of_each_library(
    finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo], margin: float
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
    return [_set_against(finding, (slow.toolchain, quick.toolchain, ""), ratio, margin)] if ratio else []


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


def _set_against(finding: Finding, sides: tuple[str, str, str], ratio: Ratio, margin: float) -> str:
    slow, quick, shared = (visible(side) for side in sides)
    start = f"On {shared}, {visible(finding.says)}" if shared else visible(finding.says).capitalize()
    figures = f"({name(finding.a)}: {ratio.text()})"
    low, high = (ratio.low, ratio.high) if ratio.low and ratio.high else (ratio.value, ratio.value)
    within = min(margin, _NOTHING)
    if 1 / (1 + within) <= low and high <= 1 + within:
        return f"{start} take as long with {slow} as with {quick} {figures}."
    if low <= 1:
        return f"{start} cannot be told apart with {slow} and with {quick} {figures}."
    if ratio.value < 1.1:
        return (
            f"{start} take {units.percent(ratio.value - 1)} longer with {slow} than with {quick} {figures}."
        )
    return f"{start} take {units.ratio(ratio.value)} times as long with {slow} as with {quick} {figures}."
