"""What a campaign says, in sentences made from its data and from nothing else."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import median

from headrace.base import units
from headrace.base.text import listed, name, plural, unmarked, visible
from headrace.judge import layouts
from headrace.judge.verdict import is_within_reach, outlook
from headrace.machine import noise
from headrace.report import agreement, ratios, sweep, sweep_text
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing, under
from headrace.report.sweep_text import build_name
from headrace.report.view import View
from headrace.results.schema import MOST_CACHED, Campaign, Finding, Role, Row, ToolchainInfo

_SLOW = 1.5  # rows that take this many times as long as the baseline are worth a cause
_CAUSES = 6  # the maximum in a summary; the page lists all
_START = 0.5  # of the fastest row's time: where starting takes more, that is said
FEW_SAMPLES = 6  # a row with fewer has a median without an interval
_CHANGED = 0.1  # a row whose runs beside the baseline took so much more, or less, than all changed meanwhile
_FEWEST_BESIDE = 3  # such runs that say so
_NARROW = 1.25  # upper to lower bound of a ratio that is worth telling, though nothing is decided
_FEW_RATIOS = 2  # are told with their intervals; of more, the smallest and the largest


def everything(view: View) -> list[tuple[str, list[str]]]:
    """Give the title and the sentences of each sweep, and of each ranking that is not a size of one."""
    said = [(one.title, of_sweep(one)) for one in view.sweeps]
    return said + [(group.title, sentences(group, view.campaign)) for group in view.alone]


def of_sweep(one: sweep.Sweep) -> list[str]:
    """Say what a sweep shows, and of a user's own programs their place at the largest size."""
    largest = f"At {visible(one.key)} = {one.sizes[-1]:,}: "
    said = [f"{largest}{sentence[0].lower()}{sentence[1:]}" for sentence in _own(one.members[-1])]
    said += sweep_text.sentences(one)
    for size, group in zip(one.sizes, one.members, strict=True):
        if group.failed:
            said.append(f"Without a time at {visible(one.key)} = {size:,}: {_failed(group)}.")
    return said


def sentences(group: Group, campaign: Campaign) -> list[str]:
    """Say who wins and by how much, who ties, what the findings show, what is slow and why."""
    if not group.ranked:
        return [*_own(group), f"Nothing could be ranked: {_failed(group)}."] if group.failed else []
    if not group.leaders:
        return [*_in_order_of_medians(campaign), *_own(group), *_without_rank(group)]
    said = [_first(group), *_limit(group), *_start(group), *_own(group), *_control(group, campaign)]
    said += _changed(group)
    for finding in group.benchmark.findings:
        said += _finding(finding, group, campaign)
    said += agreement.sentences(group)
    said += _slow(group)
    return said + _without_rank(group)


def headline(group: Group, campaign: Campaign) -> list[str]:
    """Say what was asked: of a user's own programs first, then who wins."""
    return [*_own(group), verdict(group, campaign)] if group.leaders else sentences(group, campaign)


def answers(group: Group, campaign: Campaign) -> list[str]:
    """Say what the race shows for certain besides: the findings, and why what is slow is slow."""
    if not group.leaders:
        return []
    found = [one for finding in group.benchmark.findings for one in _finding(finding, group, campaign, True)]
    return [*_start(group), *found, *_slow(group)]


def caveats(view: View) -> list[str]:
    """Say what a reader should do something about, the gravest first."""
    said = ["The campaign was interrupted: it holds what had been measured by then."]
    said = said if view.campaign.interrupted else []
    said += [one for group in view.groups for one in _control(group, view.campaign)]
    return [*said, *view.campaign.warnings]


def so_far(view: View) -> str:
    """Say in a line where a campaign stands that goes on; no advice, as there is time left."""
    return unmarked(verdict(view.ranked[0], view.campaign).removesuffix(".")) if view.ranked else ""


def _in_order_of_medians(campaign: Campaign) -> list[str]:
    return [
        f"Rows are in the order of their medians and have no places: {visible(campaign.imported)} ran one "
        "after the other, so no run of one has a partner in another."
    ]


def _start(group: Group) -> list[str]:
    """Say that the fastest does little but start, where the floor takes most of its time."""
    best = _spoken(group)
    floors = [
        one
        for one in group.measured
        if one.role == Role.FLOOR and one.row.toolchain == best.row.toolchain and one.spread
    ]
    if not floors or not best.spread or not floors[0].spread or best.spread.median <= 0:
        return []
    share = floors[0].spread.median / best.spread.median
    if share < _START:
        return []
    part = f"{units.percent(share)} of that is" if share < 1 else "All of that is"
    return [
        f"{part} starting a process ({name(floors[0].label)}, "
        f"{units.one_time(floors[0].spread.median)}): a larger input tells the rows apart better."
    ]


def _control(group: Group, campaign: Campaign) -> list[str]:
    """Say where a build differs from itself, and what that means for the table."""
    by_id = {one.row.id: one.row for one in group.measured}
    looks = max(1, len(campaign.run.looks))
    pairs = [
        (twin, ratio)
        for twin in group.measured
        if twin.role == Role.TWIN and twin.row.twin_of in by_id
        if (ratio := ratios.control(twin.row, by_id[twin.row.twin_of], looks)) is not None
    ]
    differing = [(twin, ratio) for twin, ratio in pairs if ratio.verdict in ("faster", "slower")]
    if not differing:
        return []
    several = len({one.row.toolchain for one in group.measured}) > 1
    texts = [ratio.text() + (f" with {twin.toolchain}" if several else "") for twin, ratio in differing]
    return [
        f"The control failed: {name(differing[0][0].label)} took another time than its own build beside it "
        f"({', '.join(texts)}, at 99 %), so differences of that size may be this run's, not the programs': "
        "run it again before you rely on one."
    ]


def _changed(group: Group) -> list[str]:
    """Name rows whose median and ratio do not fit: the ratio is of runs that took another time."""
    rounds = {one.row.id: {sample.round for sample in one.row.samples} for one in group.measured}
    said = []
    for one in group.measured:
        other = next((found.other for found in one.row.comparisons if found.metric == "wall"), "")
        beside = [sample.wall for sample in one.row.samples if sample.round in rounds.get(other, ())]
        if one.spread is None or one.spread.median <= 0 or len(beside) < _FEWEST_BESIDE:
            continue
        then, whole = median(beside), one.spread.median
        if abs(math.log(max(then, 1e-12) / whole)) > math.log1p(_CHANGED):
            runs = f"{len(beside)} of its {plural(len(one.row.samples), 'run')}"
            said.append(
                f"{build_name(one)} changed during the race: {units.one_time(then)} at the median of "
                f"the {runs} beside the baseline, which its ratio is of, and {units.one_time(whole)} at that "
                "of all."
            )
    return said


def _without_rank(group: Group) -> list[str]:
    return [f"Without a place: {_failed(group)}."] if group.failed else []


def conditions(campaign: Campaign) -> list[str]:
    """Say how far the differences can be trusted."""
    said = []
    if campaign.interrupted:
        said.append("The campaign was interrupted: it holds what had been measured by then.")
    said += how(campaign)
    said += _under(campaign)
    said.append(_margin(campaign))
    said += _few_samples(campaign)
    said += _layouts(campaign)
    said += _twins(campaign)
    said += _counted(campaign)
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
    return f"A difference counts from {units.percent(campaign.margin)}; a smaller one is called small."


def _layouts(campaign: Campaign) -> list[str]:
    """Say how much the layout alone moves builds, the one that it moves most by name."""
    if not any(row.samples for row in campaign.rows):
        return []
    if campaign.run.asked.get("layouts") == 1:
        return [
            "Each build ran in one layout (--layouts 1): a difference of a few percent may be the layout's."
        ]
    found = [(layouts.moved(row.samples), row) for row in campaign.rows]
    sure = [(one.share, row) for one, row in found if one is not None and one.certain]
    if not sure:
        return []
    share, worst = max(sure, key=lambda pair: pair[0])
    rest = [one for one, row in sure if row is not worst]
    more = f", and {plural(len(rest), 'other row')} by {_span(rest)}" if rest else ""
    return [
        f"The layout alone, where the linker puts a program's parts, moves {name(worst.label)} with "
        f"{visible(worst.toolchain)} by {units.percent(share)}{more}. Times and ratios are of all layouts "
        "together."
    ]


def _counted(campaign: Campaign) -> list[str]:
    """Say how instructions were counted, and that a tool without AVX-512 ran other kernels."""
    tools = list(dict.fromkeys(row.counted.tool for row in campaign.rows if row.counted))
    if not tools:
        return []
    said = [
        f"Instructions were counted by {listed(tools)}, in one run on the small input (that of --quick): "
        "they say how much a program does, not how long that takes."
    ]
    if "valgrind" in tools and any(one.startswith("avx512") for one in campaign.machine.features):
        said.append(
            "valgrind knows no AVX-512: of headrace it counted the AVX2 kernels, while the times are of the "
            "AVX-512 kernels that this machine has."
        )
    return said


def _span(shares: list[float]) -> str:
    return _from_to(units.percent(min(shares)), units.percent(max(shares)))


def _from_to(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _few_samples(campaign: Campaign) -> list[str]:
    """Say how many rows have too few samples, where others have enough."""
    counts = [len(row.samples) for row in campaign.rows if row.samples and row.outcome == "ok"]
    few = [number for number in counts if number < FEW_SAMPLES]
    if not few or len(few) == len(counts):
        return []  # of all rows it is said where there are no places
    return [
        f"{plural(len(few), 'row')} of {len(counts)} {'has' if len(few) == 1 else 'have'} fewer than "
        f"{FEW_SAMPLES} samples, too few for an interval of the median: decided early, or out of time."
    ]


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
        else f"Of {len(pairs)} A/A pairs, the one farthest from 1 ({where})"
    )
    return [f"{which}, one build against itself, has the ratio {ratio.text()}."]


def verdict(group: Group, campaign: Campaign) -> str:
    """Say in one sentence who wins, by how much, and who is next; all that is known is in `sentences`."""
    return _first(group) if group.leaders else next(iter(sentences(group, campaign)), "")


def _first(group: Group) -> str:
    """Name the fastest, or those that may be, what they gain on the baseline, and who is next."""
    spoken = _spoken(group)
    rest = [one for one in group.leaders if one is not spoken]
    labels = list(dict.fromkeys([spoken.label, *(one.label for one in group.leaders)]))
    several = len({one.toolchain for one in group.measured}) > 1
    time = units.one_time(spoken.spread.median) if spoken.spread else ""
    time += f" with {visible(spoken.toolchain)}" if several and spoken.row.toolchain != "script" else ""
    if len(labels) == 1:
        said = f"{name(spoken.label)} is fastest: {time}"
    else:
        apart = _apart(spoken, rest)
        said = f"{listed(_some([name(one) for one in labels], 4))} may each be the fastest, {apart}: "
        said += f"{name(spoken.label)} takes {time}"
    base = spoken.to_baseline
    if base and spoken.row.contender != group.benchmark.baseline:
        said += f", {_against(base, name(group.benchmark.baseline))}"
    if rest and len(labels) == 1:
        said += f"; its {len(rest) + 1} fastest builds are {_apart(spoken, rest)}"
    return f"{'; '.join([said, *_next(group, spoken)])}."


def _apart(one: Standing, rest: list[Standing]) -> str:
    """Say how far rows that share the first place may be from one of them."""
    found = [ratios.between(other.row, one.row) for other in rest]
    bounds = [max(ratio.high, 1 / ratio.low) for ratio in found if ratio and ratio.low and ratio.high]
    if len(bounds) < len(rest):
        return "not told apart"
    far = max(bounds)
    return (
        f"at most {units.percent(far - 1)} apart" if far < 2 else f"less than {units.ratio(far)} times apart"
    )


def _limit(group: Group) -> list[str]:
    """Say how far the fastest is from the limit."""
    spoken = _spoken(group)
    if not spoken.to_limit:
        return []
    limit = name(group.benchmark.limit)
    return [f"{build_name(spoken)} takes {spoken.to_limit.text()} times as long as the limit, {limit}."]


def _spoken(group: Group) -> Standing:
    """The build of the winner whose lead is told.

    Of those that are not told apart, the one that ran most often beside its baseline, as that is the ratio
    that rounds were spent on.
    """
    best = group.leaders[0]
    own = [one for one in group.leaders if one.row.contender == best.row.contender]
    return max(own, key=lambda one: one.to_baseline.rounds if one.to_baseline else 0)


def _against(ratio: Ratio, baseline: str) -> str:
    """Put a ratio to the baseline into words that its verdict allows."""
    if ratio.verdict == "faster":
        return f"{_times_as_fast(ratio)} {baseline}, the baseline"
    said = f"{ratio.text()} times as long as {baseline}, the baseline"
    within = f" within {units.percent(ratio.margin)}" if ratio.verdict == "the same" else ""
    return said if ratio.verdict == "slower" else f"{said}: {ratio.verdict}{within}"


def _some(parts: list[str], most: int) -> list[str]:
    return parts[:most] + ([f"{len(parts) - most} more"] if len(parts) > most else [])


def together(standings: list[Standing]) -> str:
    """Name rows with each contender said once: "`a` (g++, clang++) and `b` (g++)"."""
    by_label: dict[str, list[str]] = {}
    for standing in standings:
        toolchains = by_label.setdefault(standing.label, [])
        if visible(standing.toolchain) not in toolchains:
            toolchains.append(visible(standing.toolchain))
    parts = [name(label) + _in_brackets(toolchains) for label, toolchains in by_label.items()]
    return listed(_some(parts, 5))


def _toolchains(standings: list[Standing]) -> str:
    return listed(list(dict.fromkeys(visible(standing.toolchain) for standing in standings)))


def _in_brackets(toolchains: list[str]) -> str:
    if toolchains == ["script"]:
        return ""
    return f" ({', '.join(_some(toolchains, 3))})"


def _times_as_fast(ratio: Ratio) -> str:
    inverse = ratio.inverse()
    return f"{units.ratio(inverse.value)} times as fast {inverse.interval()}".rstrip() + " as"


def _next(group: Group, spoken: Standing) -> list[str]:
    """Name the next contender, where it is certain that it comes after the first one.

    Of its builds that are not told apart, it is the one that ran most often beside the winner.
    """
    leading = {one.row.contender for one in group.leaders}
    behind = [one for one in group.ranked if one.row.contender not in leading and one.rank > 1]
    builds = [
        (one, ratio)
        for one in behind
        if one.row.contender == behind[0].row.contender and one.rank <= behind[0].last
        if (ratio := ratios.between(one.row, spoken.row)) is not None
        if ratio.verdict in ("slower", "a small difference")
    ]
    if not builds:
        return []
    other, ratio = max(builds, key=lambda build: build[1].rounds)
    alike = other.toolchain == spoken.toolchain
    if alike and other.row.contender == group.benchmark.baseline != spoken.row.contender:
        return [f"next is {name(other.label)}, the baseline"]
    return [f"next is {name(other.label) if alike else build_name(other)}, {ratio.text()} times as long"]


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
        return f"Your {build_name(standing)} has no place yet: too few rounds."
    said = f"Your {build_name(standing)} takes place {standing.place} of {len(group.ranked)}"
    alike = [
        other
        for other in group.ranked
        if other is not standing and other.rank <= standing.last and standing.rank <= other.last
        if not ((pair := ratios.between(standing.row, other.row)) and pair.decided)
    ]
    said += f", not told apart from {together(alike)}" if alike else ""
    best = group.ranked[0]
    ratio = ratios.between(standing.row, best.row)
    if best is not standing and standing.rank > 1 and ratio is not None:
        said += f": {ratio.text()} times as long as the fastest, {build_name(best)}"
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
        said[cause] = (
            f"{build_name(standing)} takes {ratio.text()} times as long as {base}: {cause.rstrip('.')}."
        )
    return list(said.values())


def _finding(finding: Finding, group: Group, campaign: Campaign, decided: bool = False) -> list[str]:
    """Say what a finding shows; with `decided`, only what is certain."""
    by_place: dict[tuple[str, str], dict[str, Standing]] = {}
    for standing in sorted(group.measured, key=lambda standing: standing.colour):
        place = (standing.row.toolchain, standing.row.optimisation)
        if standing.role is not Role.TWIN and not standing.row.by_peer:
            by_place.setdefault(place, {})[standing.row.label] = standing
    if finding.compare == "contender":
        pairs = [
            (there[finding.a], there[finding.b])
            for there in by_place.values()
            if finding.a in there and finding.b in there
        ]
        return _effects(finding, pairs, decided)
    rows = [there[finding.a] for there in by_place.values() if finding.a in there]
    infos = {info.name: info for info in campaign.toolchains}
    return _across(finding, rows, infos, decided)


def _effects(finding: Finding, pairs: list[tuple[Standing, Standing]], decided: bool) -> list[str]:
    """Say what `a` changes against `b`; toolchains with the same kind of answer share a sentence.

    A pair of too few rounds to tell anything is passed over.
    """
    alike: dict[tuple[str, ...], list[tuple[Standing, Ratio]]] = {}
    for changed, plain in pairs:
        ratio = ratios.between(changed.row, plain.row)
        if ratio is not None and _tells(ratio, decided):
            alike.setdefault(_kind_of_change(ratio), []).append((changed, ratio))
    between = f"{name(finding.a)} to {name(finding.b)}"
    return [
        f"{_with([changed for changed, _ in found], len(pairs))}, {visible(finding.says)} "
        f"{_change([ratio for _, ratio in found])} ({between}: {_figures([ratio for _, ratio in found])})."
        for found in alike.values()
    ]


def _tells(ratio: Ratio, decided: bool = False) -> bool:
    """Whether a reader learns something: a verdict, a narrow interval, or how many rounds are missing."""
    if ratio.low is None or ratio.high is None:
        return False
    if decided or ratio.verdict != "not decided":
        return ratio.verdict != "not decided"
    return ratio.high <= _NARROW * ratio.low or is_within_reach(ratio.more_rounds)


def _kind_of_change(ratio: Ratio) -> tuple[str, ...]:
    """What answers of one sentence share: the verdict, and whether it takes a factor or a percentage."""
    if ratio.verdict in ("the same", "not decided"):
        return (ratio.verdict,)
    return ("less" if ratio.value < 1 else "more", "times" if _factor(ratio) >= 1.1 else "percent")


def _factor(ratio: Ratio) -> float:
    return max(ratio.value, 1 / ratio.value)


def _with(standings: list[Standing], whole: int) -> str:
    """Name the toolchains of rows, unless they are all of many."""
    if len(standings) == whole > _FEW_RATIOS:
        return f"With each of the {whole} toolchains"
    return f"With {_toolchains(standings)}"


def _figures(found: list[Ratio]) -> str:
    """Write ratios: a few with their intervals, many from the smallest to the largest."""
    if len(found) <= _FEW_RATIOS:
        return listed([ratio.text() for ratio in found])
    values = [ratio.value for ratio in found]
    return f"{units.ratio(min(values))} to {units.ratio(max(values))}"


def _change(alike: list[Ratio]) -> str:
    """Put ratios of times of one kind into a verb, no stronger than their verdict."""
    first = alike[0]
    if first.verdict == "the same":
        return f"changes nothing beyond {units.percent(first.margin)}"
    if first.verdict == "not decided":
        return _open_change(alike)
    if _factor(first) < 1.1:
        verb = "saves" if first.value < 1 else "costs"
        return f"{verb} {_span([abs(1 - ratio.value) for ratio in alike])}"
    factors = [_factor(ratio) for ratio in alike]
    times = _from_to(units.ratio(min(factors)), units.ratio(max(factors)))
    return f"makes it {times} times as fast" if first.value < 1 else f"makes it take {times} times as long"


def _open_change(alike: list[Ratio]) -> str:
    """Say how far pairs that are not decided may lie from no change, and what would decide them all."""
    saved = 1 - min(ratio.low or 1 for ratio in alike)
    cost = max(ratio.high or 1 for ratio in alike) - 1
    sides = (("saves", saved), ("costs", cost))
    bounds = " or ".join(f"{verb} at most {units.percent(by)}" for verb, by in sides if by > 0)
    missing = [ratio.more_rounds for ratio in alike if ratio.more_rounds]
    return f"{bounds}: not decided{outlook(max(missing) if len(missing) == len(alike) else None)}"


def _across(
    finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo], decided: bool
) -> list[str]:
    """Set one contender's toolchains against each other where they differ only in what is compared."""
    pairs = []
    for one, other in combinations(rows, 2):
        quick, slow = sorted((one, other), key=_median)
        sides = _differing(finding, slow, quick, infos)
        ratio = ratios.between(slow.row, quick.row)
        if sides and ratio:
            pairs.append((sides, ratio))
    if not pairs:
        return _best_of_each_library(finding, rows, infos, decided)
    pairs = [pair for pair in pairs if _tells(pair[1], decided)]
    said = [_set_against(finding, *pair) for pair in pairs if pair[1].verdict != "not decided"]
    return said + _open_pairs(finding, [pair for pair in pairs if pair[1].verdict == "not decided"])


def _open_pairs(finding: Finding, pairs: list[tuple[tuple[str, str, str], Ratio]]) -> list[str]:
    """Name the pairs that are not decided: those of several that share a compiler or a library at once."""
    alike: dict[str, list[tuple[tuple[str, str, str], Ratio]]] = {}
    for pair in pairs:
        alike.setdefault(pair[0][2], []).append(pair)
    said = []
    for shared, found in alike.items():
        if len(found) <= _FEW_RATIOS:
            said += [_set_against(finding, *pair) for pair in found]
            continue
        sides = sorted({visible(side) for (slow, quick, _), _ in found for side in (slow, quick)})
        against = listed([f"{visible(slow)} against {visible(quick)}" for (slow, quick, _), _ in found])
        every = len(found) == math.comb(len(sides), 2)
        told = f"{listed(sides)} are not told apart" if every else f"{against} are not decided"
        figures = f"({name(finding.a)}: {_figures([ratio for _, ratio in found])})"
        said.append(f"On {visible(shared)}, {visible(finding.says)}: {told} {figures}.")
    return said


def _best_of_each_library(
    finding: Finding, rows: list[Standing], infos: dict[str, ToolchainInfo], decided: bool
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
    if ratio is None or not _tells(ratio, decided):
        return []
    return [_set_against(finding, (slow.toolchain, quick.toolchain, ""), ratio)]


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


_SIDES = {  # of a compiler or a library against another
    "the same": " take as long with {slow} as with {quick}, within {near}",
    "not decided": ": {slow} against {quick} is not decided{outlook}",
    "longer": " take {percent} longer with {slow} than with {quick}",
    "times as long": " take {times} times as long with {slow} as with {quick}",
}


def _set_against(finding: Finding, sides: tuple[str, str, str], ratio: Ratio) -> str:
    slow, quick, shared = (visible(side) for side in sides)
    start = f"On {shared}, {visible(finding.says)}" if shared else visible(finding.says).capitalize()
    kind: str = ratio.verdict
    if kind not in _SIDES:
        if ratio.value < 1:
            slow, quick, ratio = quick, slow, ratio.inverse()
        kind = "longer" if ratio.value < 1.1 else "times as long"
    said = _SIDES[kind].format(
        slow=slow,
        quick=quick,
        near=units.percent(ratio.margin),
        outlook=outlook(ratio.more_rounds),
        percent=units.percent(ratio.value - 1),
        times=units.ratio(ratio.value),
    )
    return f"{start}{said} ({name(finding.a)}: {ratio.text()})."
