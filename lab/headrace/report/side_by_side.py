"""Several campaigns side by side: who is first on how many, and ratios within each, never times of two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from rich.console import Console
from rich.text import Text

from headrace.base.text import listed, name, unmarked, visible
from headrace.report import terminal
from headrace.report.grid import Grid
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.view import View

SECTIONS = 24  # hosts whose sections a page and a terminal show; of more there is the table
_TOLD = 4  # exceptions that a sentence names

_Columns: TypeAlias = Mapping[int, Mapping[str, Standing]]  # the fastest builds, by campaign and contender


@dataclass(frozen=True)
class Other:
    """A host on which the usual winner is not first."""

    host: str
    first: str  # the contenders that are, or may be, first there; "" where nothing is known
    place: str  # of the usual winner there; "" where it was not measured

    def told(self, usual: str) -> str:
        """Say who is first there."""
        if not self.first:
            return say("host-open", host=self.host)
        return say("host-placed" if self.place else "host-without", other=self, usual=usual)

    def brief(self, usual: str) -> str:
        """Say it in a cell of a table."""
        there = f"{self.first} ({usual} {self.place or 'not measured'})" if self.first else "not decided"
        return f"{visible(self.host)}: {unmarked(there)}"


@dataclass(frozen=True)
class Agreement:
    """Who is first in one ranking, by hosts."""

    title: str
    first: str  # the contender that is, or may be, first on most hosts
    on: int  # hosts on which it is
    shared: int  # of these, hosts on which the rounds do not tell it from another
    of: int  # hosts that have the ranking, with rounds enough to say who is first
    others: Sequence[Other]

    @property
    def alone(self) -> str:
        """On how many hosts nobody shares the first place with it, where that is not on all."""
        return str(self.on - self.shared or "none") if self.shared else ""

    @property
    def verb(self) -> str:
        """How sure it is that it is first."""
        return "is, or may be," if self.shared else "is"

    @property
    def sentence(self) -> str:
        """Say it: "headrace_bulk first on 5 of 6; on rpi4 ...". Names are marked."""
        if not self.first:
            return say("hosts-open")
        verb = f"{self.verb} " if self.shared else ""
        told = [other.told(self.first) for other in self.others[:_TOLD]]
        more = len(self.others) - _TOLD
        told += [say("hosts-more", more=more)] if more > 0 else []
        return say("hosts", agreement=self, verb=verb, others="; ".join(told))

    @property
    def cells(self) -> list[str]:
        """A line of the table of agreement."""
        first = say("hosts-cell", agreement=self) if self.first else "not decided"
        told = [other.brief(self.first) for other in self.others]
        more = [f"and {len(told) - _TOLD} more"] if len(told) > _TOLD else []
        return [self.title, first, f"{self.on} of {self.of}", "; ".join([*told[:_TOLD], *more])]


@dataclass(frozen=True)
class Ranking:
    """One ranking that several campaigns have: a line per contender, a cell per campaign."""

    title: str
    grid: Grid
    sentence: str


def agreements(views: Mapping[str, View]) -> list[Agreement]:
    """Return who is first in each ranking; `views` by the names of their hosts."""
    names = list(views)
    return [
        _agreement(title, {at: group.fastest for at, group in groups.items()}, names)
        for title, groups in _by_title(list(views.values())).items()
    ]


def rankings(views: Sequence[View], names: Sequence[str]) -> list[Ranking]:
    """Set the rankings side by side that at least two campaigns have; `names` are the campaigns'."""
    return [_ranking(title, groups, names) for title, groups in _by_title(views).items() if len(groups) > 1]


def _by_title(views: Sequence[View]) -> dict[str, dict[int, Group]]:
    """Collect the rankings of several campaigns, by title and by the number of the campaign."""
    by_title: dict[str, dict[int, Group]] = {}
    for at, view in enumerate(views):
        for group in view.ranked:
            by_title.setdefault(group.title, {})[at] = group
    return by_title


def _agreement(title: str, columns: _Columns, names: Sequence[str]) -> Agreement:
    leaders = {
        at: [label for label, row in column.items() if row.rank == 1] for at, column in columns.items()
    }
    wins = Counter(label for labels in leaders.values() for label in labels)
    if not wins:
        return Agreement(visible(title), "", 0, 0, len(columns), [])
    alone = Counter(labels[0] for labels in leaders.values() if len(labels) == 1)
    first = max(wins, key=lambda label: (wins[label], alone[label]))
    others = [
        Other(
            names[at],
            listed([name(label) for label in labels]) if labels else "",
            columns[at][first].place if first in columns[at] else "",
        )
        for at, labels in leaders.items()
        if first not in labels
    ]
    shared = sum(len(labels) > 1 for labels in leaders.values() if first in labels)
    return Agreement(visible(title), visible(first), wins[first], shared, len(columns), others)


def _ranking(title: str, groups: Mapping[int, Group], names: Sequence[str]) -> Ranking:
    columns = {at: group.fastest for at, group in groups.items()}
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    baseline = visible(next(iter(groups.values())).benchmark.baseline) or "baseline"
    heads = [f"contender, \N{MULTIPLICATION SIGN} {baseline}", *(visible(names[at]) for at in columns)]
    rows = [[visible(label), *(_cell(column.get(label)) for column in columns.values())] for label in labels]
    agreed = _agreement(title, columns, names)
    if not agreed.first:
        return Ranking(visible(title), Grid(heads, rows), say("campaigns-open"))
    firsts = [row for column in columns.values() for row in column.values() if row.rank == 1]
    values = [
        row.to_baseline.value for row in firsts if row.to_baseline and visible(row.label) == agreed.first
    ]
    known = len(values) == agreed.on > 1
    ratios = say("at-ratios", low=min(values), high=max(values)) if known else ""
    return Ranking(visible(title), Grid(heads, rows), say("campaigns", agreement=agreed, ratios=ratios))


def _cell(row: Standing | None) -> str:
    if row is None:
        return ""
    return f"{row.to_baseline.text} ({row.place})" if row.to_baseline else f"rank {row.place}"


def grid(views: Mapping[str, View]) -> Grid:
    """Make the table of agreement."""
    return Grid(
        ["ranking", "first", "on", "elsewhere"], [agreement.cells for agreement in agreements(views)], "llrl"
    )


def render(views: Mapping[str, View], console: Console, *, mean: bool = False, wide: bool = False) -> None:
    """Print a section per host, and the table of agreement after them, where it is seen."""
    if len(views) <= SECTIONS:
        for host, view in views.items():
            console.print()
            console.rule(Text(f"{visible(host)}: {visible(view.campaign.machine.cpu)}"), align="left")
            terminal.render(view, console, mean=mean, wide=wide)
    if len(views) > 1:
        console.print()
        console.rule(say("hosts-title"), align="left")
        console.print(grid(views).terminal())


def markdown(views: Mapping[str, View]) -> str:
    """Make the table of agreement as Markdown; of one host there is none."""
    if len(views) < 2:
        return ""
    return "\n".join(["", f"# {say('hosts-title')}", "", *grid(views).markdown()]) + "\n"


def as_data(views: Mapping[str, View]) -> list[dict[str, Any]]:
    """Give the agreement as plain data."""
    return [
        {
            **asdict(agreement),
            "others": [{**asdict(other), "first": unmarked(other.first)} for other in agreement.others],
            "sentence": unmarked(agreement.sentence),
        }
        for agreement in agreements(views)
    ]
