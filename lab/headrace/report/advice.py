"""Which way to use: a Markdown page made from campaigns, and the short table in a README.

Every word of advice follows from the rows: the fastest way, those that cannot be told apart from it, the
fastest that is not headrace, the slowest. A contender counts by its fastest build, and once more by its
slowest where that is clearly slower: the same source may be a good way and a bad one. Times are compared per
token, as ways may have had inputs of different sizes.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from headrace.base import units
from headrace.base.text import listed, plural, unmarked, visible, when, without_option
from headrace.judge import table, verdict
from headrace.report import conditions, ratios
from headrace.report.grid import Grid, escaped
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.report.view import View
from headrace.results.schema import Campaign, Row

OURS = "headrace"  # how the names of the library's own contenders begin
CLEARLY = 1.2  # times as long: from here on a setting is worth a sentence, a slow build a line


@dataclass(frozen=True)
class Way:
    """One contender, by the toolchain and the variant that make it fastest, or else slowest."""

    standing: Standing
    time: float  # seconds, or seconds per token where all of the task have tokens
    to_best: Ratio
    better: Way | None = None  # of a slow build: the contender's fastest

    @property
    def is_ours(self) -> bool:
        """Whether it is the library of this project."""
        return self.standing.row.contender.startswith(OURS)

    @property
    def name(self) -> str:
        """The contender with its setting."""
        return _code(self.standing.label)

    @property
    def built(self) -> str:
        """The contender with its toolchain."""
        return f"{self.name} built by {escaped(self.standing.toolchain)}"

    @property
    def times(self) -> str:
        """Against the fastest way."""
        return _whole(self.to_best.text)


@dataclass(frozen=True)
class Task:
    """A ranking as advice sees it: each contender once, from fast to slow, and the builds that cost."""

    group: Group
    ways: Sequence[Way]
    costly: Sequence[Way]  # settings, built by the toolchain that makes them clearly slower than the best
    by_token: bool
    aside: Sequence[Standing] = ()  # of a neighbouring task: their answer is not checked, so they cannot win

    @property
    def ours(self) -> Way | None:
        """The library's fastest way."""
        return next((way for way in self.ways if way.is_ours), None)

    @property
    def others(self) -> list[Way]:
        """The ways that need no headrace."""
        return [way for way in self.ways if not way.is_ours]

    @property
    def lines(self) -> list[Way]:
        """All ways, the costly builds among them, from fast to slow."""
        return sorted([*self.ways, *self.costly], key=lambda way: way.time)

    def time(self, way: Way) -> str:
        """Say how long a way takes: "2.31 ns/token", or of the whole run."""
        row = way.standing.row
        each = "byte" if row.tokens == row.input_bytes else "token"
        time = f"{units.one_time(way.time)}{f'/{each}' if self.by_token else ''}"
        return time.replace(" ", "\N{NO-BREAK SPACE}")


def tasks(view: View) -> list[Task]:
    """Give the rankings in which at least two ways compete."""
    made = [_task(group) for group in view.groups]
    return [task for task in made if len(task.ways) > 1]


def _task(group: Group) -> Task:
    ranked = [standing for standing in group.ranked if standing.row.checked]
    by_token = all(standing.row.tokens > 1 for standing in ranked)
    alike = table.grouped(ranked, lambda standing: standing.row.contender)
    fastest = {name: _from_fast_to_slow(builds, by_token)[0] for name, builds in alike.items()}
    best = min(fastest.values(), key=lambda standing: _time(standing, by_token), default=None)

    def way(standing: Standing, better: Way | None = None) -> Way:
        assert best is not None  # there is a standing
        to_best = between(standing.row, best.row, by_token)
        return Way(standing, _time(standing, by_token), to_best, better)

    ways = {name: way(standing) for name, standing in fastest.items()}
    costly = [
        way(slow, ways[name])
        for name, builds in alike.items()
        for same in table.grouped(builds, lambda standing: standing.label).values()
        if _time(slow := _from_fast_to_slow(same, by_token)[-1], by_token) >= CLEARLY * ways[name].time
    ]
    aside = {standing.row.contender: standing for standing in group.ranked if not standing.row.checked}
    ordered = sorted(ways.values(), key=lambda way: way.time)
    return Task(group, ordered, costly, by_token, list(aside.values()))


def _from_fast_to_slow(builds: Sequence[Standing], by_token: bool) -> list[Standing]:
    by_id = {standing.row.id: standing for standing in builds}
    return [by_id[row.id] for row in table.from_fast_to_slow([row.row for row in builds], by_token)]


def _time(standing: Standing, by_token: bool) -> float:
    assert standing.spread is not None  # ranked rows are measured ones
    return standing.spread.median / (standing.row.tokens if by_token else 1)


def between(row: Row, other: Row, by_token: bool) -> Ratio:
    """Ratio of wall times row/other, a token's where asked; 1 for a row and itself.

    Both were chosen for being the fastest of their kind on the odd rounds; what is said of them is from the
    even ones. Where they share none, as one of them ran once, it is from all.
    """
    if row.id == other.id:
        return Ratio(1.0)
    made = table.compare_chosen(row, other, by_token) or table.compare(row, other, by_token=by_token)
    if made is None:
        scale = (row.tokens, other.tokens) if by_token else (1, 1)
        medians = [median([sample.wall for sample in row.samples]) for row in (row, other)]
        return Ratio(medians[0] / scale[0] / (medians[1] / scale[1]), verdict="not decided")
    return ratios.of(table.comparison(made, row, other))


def overview(view: View, *, brief: bool = False) -> list[str]:
    """Make the short table: what the library takes for each task, and what other ways take against it.

    A brief one has each benchmark's first route only.
    """
    heads = "task,headrace,takes,best other way,times as long,slowest way,times as long".split(",")
    shown = [task for task in tasks(view) if task.ours and task.others]
    names = [task.group.benchmark.name for task in shown]
    rows = []
    for at, (task, name) in enumerate(zip(shown, names, strict=True)):
        ours = task.ours
        if ours is None or (brief and name in names[:at]):
            continue
        route = f" ({task.group.source} to {task.group.sink})" if names.count(name) > 1 else ""
        cells = [f"{escaped(task.group.benchmark.title)}{route}", ours.name, task.time(ours)]
        slowest = [way for way in task.lines if not way.is_ours][-1]
        for way in (task.others[0], slowest):
            ratio = between(way.standing.row, ours.standing.row, task.by_token)
            cells += [way.built if way.better else way.name, _whole(ratio.text)]
        rows.append(cells)
    return Grid(heads, rows, "llrlrlr").markdown(str)


def overall(view: View) -> str:
    """Say what the best other way takes against the library over all benchmarks, each by its first route."""
    first: dict[str, Ratio] = {}
    for task in tasks(view):
        if task.ours and task.others:
            ratio = between(task.others[0].standing.row, task.ours.standing.row, task.by_token)
            first.setdefault(task.group.benchmark.name, ratio)
    known = [(ratio.value, ratio.low, ratio.high) for ratio in first.values() if ratio.low and ratio.high]
    if len(known) < 2:
        return ""
    mean = verdict.geometric_mean([table.bounded(*ratio) for ratio in known])
    over = "all-with-interval" if len(known) == len(first) else "some-with-interval"
    told = say(over, known=len(known), all=len(first))
    times = Ratio(mean.ratio, mean.low_ratio, mean.high_ratio).text
    return say("best-other-way", over=told, times=escaped(times))


def origin(campaign: Campaign) -> str:
    """Say where the figures come from: machine, date, toolchains, command."""
    machine = campaign.machine
    system = " ".join(part for part in (machine.system, machine.kernel) if part)
    compilers = listed(
        [f"{chain.name} ({chain.version})" for chain in campaign.toolchains] or ["no compiler"]
    )
    command = visible(shlex.join(without_option(campaign.command, "--out"))).replace("`", "")
    return (
        f"{escaped(machine.cpu)}, {plural(machine.cores, 'processor')}, {escaped(system)}; "
        f"{when(campaign.started)}; {escaped(compilers)}; `{command}`"
    )


def text(views: Sequence[View]) -> str:
    """Make the page."""
    lines = [
        "# Which I/O should I use here?",
        "",
        "Made from measurements by `headrace report FILE --advice PAGE`: no figure on this page is typed.",
        "*Here* is the machine named below; make the page on yours before you rely on it. Each contender",
        "is listed by the toolchain and setting that suit it best. A *slow build* is one of its settings by",
        "the toolchain that makes it slowest, listed where it takes at least "
        f"{CLEARLY:g} times as long as its best.",
        "A ratio is paired round by round; after it comes its 95 % interval.",
        "Ratios are of even rounds, as the odd ones chose the builds: they may differ from those of times.",
    ]
    for view in views:
        campaign = view.campaign
        lines += ["", f"**Measured on:** {origin(campaign)}."]
        table = overview(view)
        if len(table) > 2:  # without a row of headrace's there is nothing to set others against
            lines += ["", "## At a glance", "", *table]
        for task in tasks(view):
            lines += ["", *_section(task)]
        lines += ["", "## How far to trust this", ""]
        lines += [f"- {escaped(unmarked(sentence))}" for sentence in conditions.sentences(campaign)]
        lines += [f"- Warning: {escaped(warning)}" for warning in campaign.warnings]
    return "\n".join(lines) + "\n"


def _section(task: Task) -> list[str]:
    info, group = task.group.benchmark, task.group
    lines = [f"## {escaped(info.title)}: {group.source} to {group.sink}{escaped(group.settings)}", ""]
    lines += [f"- {sentence}" for sentence in _advice(task)]
    rows = [
        [
            way.name,
            "*slow build*" if way.better else escaped(info.contenders.get(way.standing.row.contender, "")),
            task.time(way),
            way.times,
            escaped(way.standing.toolchain),
        ]
        for way in task.lines
    ]
    heads = ["way", "what it is", "takes", "times the fastest", "built by"]
    lines += ["", *Grid(heads, rows, "llrrl").markdown(str)]
    if task.aside:
        lines += ["", say("aside", names=[f"`{visible(row.row.contender)}`" for row in task.aside])]
    return lines


def _advice(task: Task) -> list[str]:
    best, slowest = task.ways[0], task.lines[-1]
    told = [say("use", way=best.name, time=task.time(best))]
    level = [way for way in task.ways[1:] if not way.to_best.decided]
    if level:
        told.append(say("as-fast", ways=[way.name for way in level]))
    ours = [task.ours] if task.ours and task.ours is not best else []
    minded = [found for way in (best, *ours) if (found := _worst_setting(task, way))]
    told += [say("mind", setting=_code(row.label), times=_whole(ratio.text)) for ratio, row in minded]
    others = [way for way in task.others if way is not best]
    if others and best.is_ours:
        told.append(say("without-ours", way=others[0].name, times=others[0].times))
    if slowest not in [best, *level, *others[:1]] and all(row is not slowest.standing for _, row in minded):
        told.append(_avoid(slowest))
    return told


def _avoid(way: Way) -> str:
    """Warn of the slowest way; where another build of it is better, say which, and what that takes."""
    if way.better is None:
        return say("avoid", way=way.name, times=way.times)
    apart = way.standing.toolchain != way.better.standing.toolchain
    this, that = (way.built if apart else way.name for way in (way, way.better))
    return say("avoid-build", way=this, times=way.times, better=that, better_times=way.better.times)


def _worst_setting(task: Task, way: Way) -> tuple[Ratio, Standing] | None:
    """Find what the way costs by its slowest setting with the same toolchain; None unless clearly slower."""
    row = way.standing.row
    same = [
        (between(standing.row, row, task.by_token), standing)
        for standing in task.group.ranked
        if standing.row.contender == row.contender
        and (standing.row.toolchain, standing.row.optimisation) == (row.toolchain, row.optimisation)
    ]
    ratio, slowest = max(same, key=lambda pair: pair[0].value)
    return (ratio, slowest) if ratio.value >= CLEARLY and ratio.decided else None


def _whole(text: str) -> str:
    """Keep a figure and what belongs to it on one line of a table."""
    return escaped(text.replace(" ", "\N{NO-BREAK SPACE}"))


def _code(label: str) -> str:
    return f"`{visible(label).replace('`', '')}`"
