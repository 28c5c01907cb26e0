"""Several campaigns side by side: who is first in how many, and ratios within each, never times of two."""

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
_TOLD = 4  # exceptions that are told

_Columns: TypeAlias = Mapping[int, Mapping[str, Standing]]  # a row of each contender, by campaign and label


@dataclass(frozen=True)
class Other:
    """A campaign in which the usual winner is not first."""

    host: str  # or its file
    first: str  # the contenders that are, or may be, first there; "" where nothing is known
    place: str  # of the usual winner there; "" where it was not measured

    def told(self, usual: str) -> str:
        """Say who is first there, and which place the usual winner has."""
        place = f"place {self.place}" if self.place else "not measured"
        there = f"{self.first} ({name(usual)}: {place})" if self.first else "not decided"
        return f"{visible(self.host)}: {there}"


@dataclass(frozen=True)
class Agreement:
    """Who is first in one ranking, by campaigns: of a fleet, by hosts."""

    title: str
    first: str  # the contender that is, or may be, first in most of them
    on: int  # of them, those in which it is
    shared: int  # of these, those in which the rounds do not tell it from another
    of: int  # campaigns that have the ranking
    others: Sequence[Other]

    @property
    def alone(self) -> str:
        """In how many nobody shares the first place with it, where that is not all."""
        return str(self.on - self.shared or "none") if self.shared else ""

    @property
    def verb(self) -> str:
        """How sure it is that it is first."""
        return "is, or may be," if self.shared else "is"

    @property
    def elsewhere(self) -> str:
        """Say where another is first: "rpi4: getc_unlocked (headrace_bulk: place 2)". Names are marked."""
        more = len(self.others) - _TOLD
        told = [other.told(self.first) for other in self.others[:_TOLD]]
        return "; ".join([*told, f"and {more} more"] if more > 0 else told)

    @property
    def sentence(self) -> str:
        """Say it all. Names are marked."""
        return say("first-of-campaigns" if self.first else "campaigns-open", agreement=self)

    @property
    def cells(self) -> list[str]:
        """A line of the table of agreement."""
        first = say("first-and-alone", agreement=self) if self.first else "not decided"
        return [self.title, first, f"{self.on} of {self.of}", unmarked(self.elsewhere)]


@dataclass(frozen=True)
class Ranking:
    """One ranking that several campaigns have: a line per contender, a cell per campaign."""

    agreement: Agreement
    grid: Grid


def agreements(views: Sequence[View], names: Sequence[str]) -> list[Agreement]:
    """Return who is first in each ranking; `names` are the campaigns'."""
    return [
        _agreement(title, {at: group.briefly for at, group in groups.items()}, names)
        for title, groups in _by_title(views).items()
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
    columns = {at: group.briefly for at, group in groups.items()}
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    baseline = visible(next(iter(groups.values())).benchmark.baseline) or "baseline"
    heads = [f"contender, \N{MULTIPLICATION SIGN} {baseline}", *(visible(names[at]) for at in columns)]
    rows = [[visible(label), *(_cell(column.get(label)) for column in columns.values())] for label in labels]
    return Ranking(_agreement(title, columns, names), Grid(heads, rows))


def _cell(row: Standing | None) -> str:
    if row is None:
        return ""
    return f"{row.to_baseline.text} ({row.place})" if row.to_baseline else f"place {row.place}"


def grid(views: Sequence[View], names: Sequence[str]) -> Grid:
    """Make the table of agreement."""
    rows = [agreement.cells for agreement in agreements(views, names)]
    return Grid(["ranking", "first", "in", "elsewhere"], rows, "llrl")


def render(
    views: Sequence[View],
    names: Sequence[str],
    console: Console,
    *,
    sections: bool = True,
    wide: bool = False,
) -> None:
    """Print a section per campaign, where they are wanted, and of several the table of agreement."""
    for view, called in zip(views, names, strict=True) if sections else ():
        console.print()
        console.rule(Text(f"{visible(called)}: {visible(view.campaign.machine.cpu)}"), align="left")
        terminal.render(view, console, wide=wide)
    if len(views) > 1:
        console.print()
        console.rule(say("who-is-first"), align="left")
        console.print(grid(views, names).terminal())


def as_data(views: Sequence[View], names: Sequence[str]) -> list[dict[str, Any]]:
    """Give the agreement as plain data."""
    return [
        {
            **asdict(agreement),
            "others": [{**asdict(other), "first": unmarked(other.first)} for other in agreement.others],
            "sentence": unmarked(agreement.sentence),
        }
        for agreement in agreements(views, names)
    ]
