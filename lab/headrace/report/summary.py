"""What a campaign says, in sentences made from its data alone: who wins, what is slow, and why."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from headrace.base import units
from headrace.base.text import listed, name, some, unmarked, visible
from headrace.judge.table import grouped
from headrace.report import findings, harnesses, ratios, sweep_text
from headrace.report.prose import say, span, together
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.report.sweep import Sweep
from headrace.report.view import View
from headrace.results.schema import Campaign, Role

_SLOW = 1.5  # rows that take this many times as long as the baseline are worth a cause
_CAUSES = 6  # the maximum in a summary; the page lists all
_START = 0.5  # of the fastest row's time: where starting takes more, that is said
_CHANGED = 0.1  # a row whose runs beside the baseline took so much more, or less, than all changed meanwhile
_FEWEST_BESIDE = 3  # such runs that say so


def everything(view: View) -> list[tuple[str, list[str]]]:
    """Give the title and the sentences of each sweep, and of each ranking that is not a size of one."""
    swept = [(sweep.title, of_sweep(sweep)) for sweep in view.sweeps]
    return swept + [(group.title, sentences(group, view.campaign)) for group in view.alone]


def of_sweep(sweep: Sweep) -> list[str]:
    """Say what a sweep shows, and of a user's own programs their place at the largest size."""
    told = [
        say("own-at-size", key=sweep.key, size=sweep.sizes[-1], sentence=sentence[0].lower() + sentence[1:])
        for sentence in _own(sweep.members[-1])
    ]
    told += sweep_text.sentences(sweep)
    for size, group in zip(sweep.sizes, sweep.members, strict=True):
        if group.failed:
            told.append(say("without-time", key=sweep.key, size=size, failed=_failed(group)))
    return told


def sentences(group: Group, campaign: Campaign) -> list[str]:
    """Say who wins and by how much, who ties, what the findings show, what is slow and why."""
    without = [say("without-place", failed=_failed(group))] if group.failed else []
    if not group.ranked:
        return [*_own(group), say("unranked", failed=_failed(group))] if group.failed else []
    if not group.leaders:
        return [say("medians", imported=campaign.imported), *_own(group), *without]
    told = [_first(group), *_limit(group), *_start(group), *_own(group), *_control(group, campaign)]
    told += [*_changed(group), *findings.sentences(group, campaign), *harnesses.sentences(group)]
    return [*told, *_slow(group), *without]


def verdict(group: Group, campaign: Campaign) -> str:
    """Say in one sentence who wins, by how much, and who is next; all that is known is in `sentences`."""
    return _first(group) if group.leaders else next(iter(sentences(group, campaign)), "")


def headline(group: Group, campaign: Campaign) -> list[str]:
    """Say what was asked: of a user's own programs first, then who wins."""
    return [*_own(group), _first(group)] if group.leaders else sentences(group, campaign)


def answers(group: Group, campaign: Campaign) -> list[str]:
    """Say what the race shows for certain besides: the findings, and why what is slow is slow."""
    if not group.leaders:
        return []
    return [*_start(group), *findings.sentences(group, campaign, decided=True), *_slow(group)]


def caveats(view: View) -> list[str]:
    """Say what a reader should do something about, the gravest first."""
    told = [say("interrupted")] if view.campaign.interrupted else []
    told += [sentence for group in view.groups for sentence in _control(group, view.campaign)]
    return [*told, *view.campaign.warnings]


def so_far(view: View) -> str:
    """Say in a line where a campaign is that goes on; no advice, as there is time left."""
    return unmarked(verdict(view.ranked[0], view.campaign).removesuffix(".")) if view.ranked else ""


def _first(group: Group) -> str:
    """Name the fastest, or those that may be, what they gain on the baseline, and who is next."""
    best = _spoken(group)
    labels = list(dict.fromkeys([best.label, *(leader.label for leader in group.leaders)]))
    builds = [leader for leader in group.leaders if leader.label == best.label]
    every = [row for row in group.ranked if row.label == best.label]
    baseline, ratio = group.benchmark.baseline, best.to_baseline
    against = _against(ratio, baseline) if ratio and best.row.contender != baseline else ""
    alone, several = len(labels) == 1, len(builds) > 1
    return say(
        "fastest" if alone else "leaders",
        best=best,
        labels=some(map(name, labels), 4),
        apart=_apart(best, group),
        time=_time(group, builds),
        builds=say("leading-builds", count=len(builds), fastest=" fastest" if builds != every else "")
        if several
        else "",
        whose=visible(best.toolchain) if several and against else "",
        against=against,
        next=_next(group, best),
    )


def _time(group: Group, builds: Sequence[Standing]) -> str:
    """Say the winner's time: of several builds those of all, so that the table's first row is among them."""
    medians = [build.spread.median for build in builds if build.spread]
    if not medians:
        return ""
    time = span(units.one_time(end) for end in (min(medians), max(medians)))
    several = len({row.toolchain for row in group.measured}) > 1 and builds[0].row.toolchain != "script"
    return f"{time} with {visible(builds[0].toolchain)}" if several and len(builds) == 1 else time


def _apart(best: Standing, group: Group) -> str:
    """Say how far those that share the first place may be from one of them, built alike where they are."""
    rest = _others(best, group.leaders)
    between = [ratios.between(other.row, best.row) for other in rest]
    bounds = [max(ratio.high, 1 / ratio.low) for ratio in between if ratio and ratio.low and ratio.high]
    if len(bounds) < len(rest):
        return "not told apart"
    far = max(bounds, default=1.0)
    return say("apart", share=far - 1) if far < 2 else say("far-apart", far=far)


def _others(than: Standing, rows: Sequence[Standing]) -> list[Standing]:
    """A row of each other contender: the one that was built alike, where there is one, or else the first."""
    found: dict[str, Standing] = {}
    for row in sorted(rows, key=lambda row: row.toolchain != than.toolchain):
        found.setdefault(row.label, row)
    return [row for row in rows if row.label != than.label and found[row.label] is row]


def _spoken(group: Group) -> Standing:
    """Choose the build of the winner whose lead is told.

    Of those that are not told apart, the one that ran most often beside its baseline, as that is the ratio
    that rounds were spent on.
    """
    best = group.leaders[0]
    own = [leader for leader in group.leaders if leader.row.contender == best.row.contender]
    return max(own, key=lambda leader: leader.to_baseline.rounds if leader.to_baseline else 0)


def _against(ratio: Ratio, baseline: str) -> str:
    """Put a ratio to the baseline into words that its verdict allows."""
    kinds = {"faster": "faster", "slower": "slower", "the same": "same"}
    return say(
        f"against-{kinds.get(ratio.verdict, 'open')}", ratio=ratio, inverse=ratio.inverse(), baseline=baseline
    )


def _next(group: Group, best: Standing) -> str:
    """Name the next contender, where it is certain that it comes after the first one, and who may be as fast.

    Of its builds that are not told apart, it is the one that was built alike, as rounds go to that one, or
    else the one that ran most often beside the winner. Where the table's rows are of other builds, the two
    that the ratio is of are named.
    """
    leading = {leader.row.contender for leader in group.leaders}
    after = [row for row in group.ranked if row.row.contender not in leading and row.rank > 1]
    builds = [
        (row, ratio)
        for row in after
        if row.row.contender == after[0].row.contender and row.rank <= after[0].last
        if (ratio := ratios.between(row.row, best.row)) is not None
        if ratio.verdict in ("slower", "a small difference")
    ]
    if not builds:
        return ""
    other, ratio = max(builds, key=lambda build: (build[0].toolchain == best.toolchain, build[1].rounds))
    alike = other.toolchain == best.toolchain
    others = any(group.briefly[row.label] is not row for row in (other, best))  # than the table shows
    is_baseline = other.row.contender == group.benchmark.baseline != best.row.contender
    key = "next-is-baseline" if alike and is_baseline else "next" if alike else "next-of-another"
    tied = {row.label: None for row in _alike(other, group) if row.row.contender not in leading}
    tied.pop(other.label, None)
    names = listed(some(map(name, tied), 2)) if tied else ""
    both, than = visible(best.toolchain) if others else "", together([best]) if others else ""
    return say(key, other=other, ratio=ratio, both=both, than=than) + (
        say("next-tied", names=names) if tied else ""
    )


def _limit(group: Group) -> list[str]:
    best = _spoken(group)
    return [say("limit", best=best, limit=group.benchmark.limit)] if best.to_limit else []


def _start(group: Group) -> list[str]:
    """Say that the fastest does little but start, where the floor takes most of its time."""
    best = _spoken(group)
    if not best.spread or best.spread.median <= 0:
        return []
    for floor in group.measured:
        if floor.role is Role.FLOOR and floor.row.toolchain == best.row.toolchain and floor.spread:
            share = floor.spread.median / best.spread.median
            part = units.percent(share) if share < 1 else "All"
            return [say("start", part=part, floor=floor)] if share >= _START else []
    return []


def _control(group: Group, campaign: Campaign) -> list[str]:
    """Say where a build differs from itself, and what that means for the table."""
    by_id = {row.row.id: row.row for row in group.measured}
    looks = max(1, len(campaign.run.looks))
    differing = [
        (twin, ratio)
        for twin in group.measured
        if twin.role is Role.TWIN and twin.row.twin_of in by_id
        if (ratio := ratios.control(twin.row, by_id[twin.row.twin_of], looks)) and ratio.decided
    ]
    if not differing:
        return []
    several = len({row.toolchain for row in group.measured}) > 1
    told = [ratio.text + (f" with {twin.toolchain}" if several else "") for twin, ratio in differing]
    return [say("control", label=differing[0][0].label, ratios=told)]


def _changed(group: Group) -> list[str]:
    """Name rows whose median and ratio do not fit: the ratio is of runs that took another time."""
    rounds = {row.row.id: {sample.round for sample in row.row.samples} for row in group.measured}
    told = []
    for row in group.measured:
        other = next((pair.other for pair in row.row.comparisons if pair.metric == "wall"), "")
        beside = [sample.wall for sample in row.row.samples if sample.round in rounds.get(other, ())]
        if row.spread is None or row.spread.median <= 0 or len(beside) < _FEWEST_BESIDE:
            continue
        then, whole = median(beside), row.spread.median
        if abs(math.log(max(then, 1e-12) / whole)) > math.log1p(_CHANGED):
            runs = len(row.row.samples)
            told.append(say("changed", row=row, then=then, beside=len(beside), runs=runs, whole=whole))
    return told


def _own(group: Group) -> list[str]:
    """Say which place a user's own programs take, each by its fastest build, and why."""
    told = []
    for own in group.benchmark.own:
        ranked = [row for row in group.ranked if row.row.contender == own]
        told += [_place(ranked[0], group)] if ranked else []
        failed = [row for row in group.failed if row.row.contender == own]
        for problem, builds in grouped(failed, lambda row: visible(row.problem).rstrip(".")).items():
            told.append(say("own-failed", builds=builds, problem=problem))
    return told


def _place(own: Standing, group: Group) -> str:
    """Say a program's place among all contenders, who may share it, and how long one of its builds takes."""
    whole = len(group.fastest) > 1  # a place is that of all builds
    who = say("own-contender" if whole else "own-build", own=own)
    if not own.rank:
        return say("own-unplaced", who=who)
    alike = _alike(own, group)
    best, base = group.ranked[0], own.to_baseline
    ratio = ratios.between(own.row, best.row) if best is not own and own.rank > 1 else None
    baseline = group.benchmark.baseline
    figures = [say("own-against", ratio=ratio, best=best)] if ratio else []
    if base and baseline not in (best.row.contender, own.row.contender):
        figures.append(say("against-slower", ratio=base, baseline=baseline))
    if figures and whole and own.toolchain != "script" and len({row.toolchain for row in group.ranked}) > 1:
        figures.insert(0, say("own-built", own=own))
    cause = visible(own.row.cause).rstrip(".")
    return say(
        "own-placed",
        who=who,
        own=own,
        count=len(group.lines),
        alike=together(alike) if alike else "",
        figures=", ".join(figures),
        cause=cause and f"{cause}.",
    )


def _alike(own: Standing, group: Group) -> list[Standing]:
    """The others that may have a row's place, and that no interval tells apart from it."""
    return [
        other
        for other in _others(own, group.ranked) or group.ranked
        if other is not own and other.rank <= own.last and own.rank <= other.last
        if not ((pair := ratios.between(own.row, other.row)) and pair.decided)
    ]


def _failed(group: Group) -> str:
    outcomes = grouped(group.failed, lambda row: row.outcome)
    return "; ".join(f"{outcome}: {together(rows)}" for outcome, rows in outcomes.items())


def _slow(group: Group) -> list[str]:
    """Name what is slow with its cause, the slowest first; one cause is told once."""
    told: dict[str, str] = {}
    for row in reversed(group.ranked):
        ratio, cause = row.to_baseline, visible(row.row.cause)
        if row.row.contender in group.benchmark.own:
            continue  # told with its place
        if ratio is None or ratio.value < _SLOW or not cause or cause in told or len(told) == _CAUSES:
            continue
        baseline = group.benchmark.baseline
        told[cause] = say("slow", row=row, ratio=ratio, baseline=baseline, cause=cause.rstrip("."))
    return list(told.values())
