"""What a campaign says, in sentences made from its data and from nothing else."""

from __future__ import annotations

from headrace.report import ratios, units
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing, groups
from headrace.report.text import listed, name, plural, visible
from headrace.results import Campaign, Finding, ToolchainInfo

_SLOW = 1.5  # rows that take this many times as long as the baseline are worth a cause
_CAUSES = 6  # at most so many causes in a summary; the page lists all


def everything(campaign: Campaign) -> list[tuple[str, list[str]]]:
    """Give each ranking's title with its sentences."""
    return [(group.title, sentences(group, campaign)) for group in groups(campaign)]


def sentences(group: Group, campaign: Campaign) -> list[str]:
    """Say who wins and by how much, who ties, what the findings show, what is slow and why."""
    if not group.ranked:
        return [f"Nothing could be ranked: {_failed(group)}."] if group.failed else []
    said = [_winner(group), *_runner_up(group)]
    for finding in group.benchmark.findings:
        said += _finding(finding, group, campaign)
    said += _slow(group)
    if group.failed:
        said.append(f"Without a rank: {_failed(group)}.")
    return said


def conditions(campaign: Campaign) -> list[str]:
    """Say how far the differences can be trusted."""
    said = []
    if campaign.interrupted:
        said.append("The campaign was interrupted: it holds what had been measured by then.")
    said.append(f"Differences of less than {units.percent(campaign.margin)} count as none (the margin).")
    if campaign.noise:
        foreign = max(noise.foreign for noise in campaign.noise)
        stolen = max(noise.stolen for noise in campaign.noise)
        said.append(
            f"In the noisiest of {plural(len(campaign.noise), 'round')} other processes used {foreign:.2f} "
            f"cores, and the hypervisor took {units.percent(stolen)} of the processor time."
        )
    return said


def _of(standing: Standing) -> str:
    with_toolchain = "" if standing.row.toolchain == "script" else f" with {visible(standing.toolchain)}"
    return f"{name(standing.label)}{with_toolchain}"


def _winner(group: Group) -> str:
    best = group.ranked[0]
    median = units.one_time(best.spread.median) if best.spread else ""
    sentence = f"{_of(best)} is fastest: {median}"
    if best.to_baseline and best.row.contender != group.benchmark.baseline:
        sentence += f", {_times_as_fast(best.to_baseline)} {name(group.benchmark.baseline)}, the baseline"
    if best.to_limit:
        sentence += f"; the limit, {name(group.benchmark.limit)}, leaves a factor of {best.to_limit.text()}"
    tied = [_of(other) for other in group.ranked[1:] if other.rank == best.rank]
    if tied:
        sentence += f". {listed(tied[:4])} cannot be told apart from it"
    if len(tied) > 4:
        sentence += f", nor can {plural(len(tied) - 4, 'more row')}"
    return sentence + "."


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


def _failed(group: Group) -> str:
    by_outcome: dict[str, list[str]] = {}
    for standing in group.failed:
        outcome = "not measured" if standing.row.outcome == "ok" else standing.row.outcome
        by_outcome.setdefault(outcome, []).append(_of(standing))
    return "; ".join(
        f"{outcome}: {listed(rows[:3])}" + (f" and {len(rows) - 3} more" if len(rows) > 3 else "")
        for outcome, rows in by_outcome.items()
    )


def _slow(group: Group) -> list[str]:
    """Name what is slow with its cause, the slowest first; one cause is told once."""
    said: dict[str, str] = {}
    for standing in reversed(group.ranked):
        ratio = standing.to_baseline
        cause = visible(standing.row.cause)
        if ratio is None or ratio.value < _SLOW or not cause or cause in said or len(said) == _CAUSES:
            continue
        base = name(group.benchmark.baseline)
        said[cause] = f"{_of(standing)} takes {ratio.text()} times as long as {base}: {cause.rstrip('.')}."
    return list(said.values())


def _finding(finding: Finding, group: Group, campaign: Campaign) -> list[str]:
    by_place: dict[tuple[str, str], dict[str, Standing]] = {}
    for standing in group.measured:
        place = (standing.row.toolchain, standing.row.optimisation)
        if not standing.row.variant and standing.role != "A/A":
            by_place.setdefault(place, {})[standing.row.contender] = standing
    if finding.compare == "contender":
        found = [
            _effect(finding, there[finding.a], there[finding.b], campaign.margin)
            for there in by_place.values()
            if finding.a in there and finding.b in there
        ]
        return [sentence for sentence in found if sentence]
    rows = [there[finding.a] for there in by_place.values() if finding.a in there]
    infos = {info.name: info for info in campaign.toolchains}
    return _across(finding, rows, infos, campaign.margin)


def _effect(finding: Finding, changed: Standing, plain: Standing, margin: float) -> str:
    ratio = ratios.between(changed.row, plain.row)
    if ratio is None:
        return ""
    what = visible(finding.says)
    return (
        f"With {visible(changed.toolchain)}, {what} {_change(ratio, margin)} "
        f"({name(finding.a)} to {name(finding.b)}: {ratio.text()})."
    )


def _change(ratio: Ratio, margin: float) -> str:
    """Put a ratio of times into a verb, no stronger than its interval allows."""
    low, high = (ratio.low, ratio.high) if ratio.low and ratio.high else (ratio.value, ratio.value)
    if 1 / (1 + margin) <= low and high <= 1 + margin:
        return "changes nothing"
    if low <= 1 <= high:
        return "has no effect that could be told from noise"
    factor = 1 / ratio.value if ratio.value < 1 else ratio.value
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
            slow, quick = (other, one) if _median(other) >= _median(one) else (one, other)
            sides = _differing(finding, slow, quick, infos)
            ratio = ratios.between(slow.row, quick.row)
            if sides and ratio:
                said.append(_set_against(finding, sides, ratio, margin))
    return said


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
    what = visible(finding.says)
    low, high = (ratio.low, ratio.high) if ratio.low and ratio.high else (ratio.value, ratio.value)
    if low <= 1 + margin:
        alike = "take as long" if high <= 1 + margin else "cannot be told apart"
        between = f"with {slow} and {quick}" if alike == "take as long" else f"of {slow} and {quick}"
        return f"On {shared}, {what} {between} {alike} ({name(finding.a)}: {ratio.text()})."
    return (
        f"On {shared}, {what} with {slow} take {units.ratio(ratio.value)} times as long as with {quick} "
        f"({name(finding.a)}: {ratio.text()})."
    )
