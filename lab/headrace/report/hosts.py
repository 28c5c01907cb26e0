"""On how many hosts the same contender is first, and who is first on the others. Never times of two hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from headrace.base.text import listed, name, plural, unmarked, visible
from headrace.report import table
from headrace.report.markdown import escaped
from headrace.report.standing import Standing
from headrace.report.view import View

SECTIONS = 24  # hosts whose sections a page and a terminal show; of more there is the table
_TOLD = 4  # exceptions that a sentence names


@dataclass(frozen=True)
class Other:
    """A host on which the usual winner is not first."""

    host: str
    first: str  # the contenders that are, or may be, first there; "" where nothing is known
    place: str  # of the usual winner there; "" where it was not measured


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
    def sentence(self) -> str:
        """Say it: "headrace_bulk first on 5 of 6; on rpi4 ...". Names are marked."""
        if not self.first:
            return "on no host were there rounds enough to say who is first."
        said = f"{name(self.first)} {'is, or may be, ' if self.shared else ''}first on {self.on} of "
        said += plural(self.of, "host")
        if self.shared:
            said += f", alone on {self.on - self.shared or 'none'}"
        told = [f"on {visible(one.host)} {self._there(one)}" for one in self.others[:_TOLD]]
        if len(self.others) > _TOLD:
            told.append(f"on {len(self.others) - _TOLD} more it is not")
        return "; ".join([said, *told]) + "."

    def _there(self, one: Other) -> str:
        if not one.first:
            return "the rounds do not tell"
        where = f"has place {one.place}" if one.place else "was not measured"
        return f"{one.first}, and {name(self.first)} {where}"


def agreements(views: Mapping[str, View]) -> list[Agreement]:
    """Return who is first in each ranking; `views` by the names of their hosts."""
    columns: dict[str, dict[str, dict[str, Standing]]] = {}
    for host, view in views.items():
        for group in view.ranked:
            columns.setdefault(group.title, {})[host] = group.fastest
    return [_agreement(title, found) for title, found in columns.items()]


def _agreement(title: str, found: Mapping[str, Mapping[str, Standing]]) -> Agreement:
    leaders = {host: _leaders(column) for host, column in found.items()}
    wins = Counter(label for labels in leaders.values() for label in labels)
    if not wins:
        return Agreement(visible(title), "", 0, 0, len(found), [])
    most = max(wins.values())
    alone = Counter(labels[0] for labels in leaders.values() if len(labels) == 1)
    first = max((label for label in wins if wins[label] == most), key=lambda label: alone[label])
    others = [
        Other(
            host,
            listed([name(label) for label in labels]) if labels else "",
            found[host][first].place if first in found[host] else "",
        )
        for host, labels in leaders.items()
        if first not in labels
    ]
    shared = sum(len(labels) > 1 for labels in leaders.values() if first in labels)
    return Agreement(visible(title), visible(first), most, shared, len(found), others)


def _leaders(column: Mapping[str, Standing]) -> list[str]:
    return [label for label, standing in column.items() if standing.rank == 1]


def render(views: Mapping[str, View], console: Console, *, mean: bool = False, wide: bool = False) -> None:
    """Print a section per host, and the table of agreement after them, where it is seen."""
    if len(views) <= SECTIONS:
        for host, view in views.items():
            console.print()
            console.rule(Text(f"{visible(host)}: {visible(view.campaign.machine.cpu)}"), align="left")
            table.render(view, console, mean=mean, wide=wide)
    if len(views) > 1:
        _print(agreements(views), console)


def _print(found: Sequence[Agreement], console: Console) -> None:
    console.print()
    console.rule("Who is first, by hosts", align="left")
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for title in ("ranking", "first", "on", "elsewhere"):
        shown.add_column(title, justify="right" if title == "on" else "left", overflow="fold")
    for one in found:
        shown.add_row(*(Text(cell) for cell in cells(one)))
    console.print(shown)


def markdown(views: Mapping[str, View]) -> str:
    """Make the table of agreement as Markdown; of one host there is none."""
    if len(views) < 2:
        return ""
    lines = ["", "# Who is first, by hosts", "", "| ranking | first | on | elsewhere |", "|---|---|--:|---|"]
    lines += [f"| {' | '.join(map(escaped, cells(one)))} |" for one in agreements(views)]
    return "\n".join(lines) + "\n"


def cells(one: Agreement) -> list[str]:
    """Return a line of the table of agreement."""
    others = [f"{visible(other.host)}: {unmarked(_elsewhere(other, one.first))}" for other in one.others]
    more = [f"and {len(others) - _TOLD} more"] if len(others) > _TOLD else []
    return [
        one.title,
        one.first + (f", alone on {one.on - one.shared or 'none'}" if one.shared else "")
        if one.first
        else "not decided",
        f"{one.on} of {one.of}",
        "; ".join([*others[:_TOLD], *more]),
    ]


def _elsewhere(other: Other, first: str) -> str:
    if not other.first:
        return "not decided"
    return f"{other.first} ({first} {other.place or 'not measured'})"


def as_data(views: Mapping[str, View]) -> list[dict[str, Any]]:
    """Give the agreement as plain data."""
    return [
        {
            **asdict(one),
            "others": [{**asdict(other), "first": unmarked(other.first)} for other in one.others],
            "sentence": unmarked(one.sentence),
        }
        for one in agreements(views)
    ]
