"""Observations: benchmarks without a time: what arrived in which order, and whether that was expected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from headrace.base.text import visible
from headrace.report.grid import Grid
from headrace.report.prose import say
from headrace.results.schema import BenchmarkInfo, Campaign, Row

KIND = "observation"


@dataclass(frozen=True)
class Cell:
    """What arrived at one sink, or why nothing is known of it."""

    text: str
    as_expected: bool
    detail: str = ""

    @property
    def whole(self) -> str:
        """What arrived, and why it was not expected."""
        return " ".join(filter(None, (self.text, self.detail)))


@dataclass(frozen=True)
class Line:
    """One build with what arrived at each sink of the observation, in its order."""

    name: str
    toolchain: str
    notes: str
    cells: Sequence[Cell | None]  # None: not run on that sink

    @property
    def built(self) -> str:
        """The toolchain, with the notes."""
        return f"{self.toolchain} ({self.notes})" if self.notes else self.toolchain


@dataclass(frozen=True)
class Observation:
    """All that was observed of one benchmark."""

    info: BenchmarkInfo
    sinks: Sequence[str]
    lines: Sequence[Line]

    @property
    def heads(self) -> list[str]:
        """The heads of its table."""
        return ["contender", "toolchain", *(f"arrives at {sink}" for sink in self.sinks)]

    @property
    def verdict(self) -> str:
        """Say how many orders were the recorded ones."""
        cells = [cell for line in self.lines for cell in line.cells if cell is not None and cell.text]
        right = sum(cell.as_expected for cell in cells)
        if not cells:
            return say("nothing-observed")
        key = "orders-as-recorded" if right == len(cells) else "some-orders"
        return say(key, right=right, count=len(cells))


def observations(campaign: Campaign) -> list[Observation]:
    """Collect the observations of a campaign, in its order."""
    made = []
    for info in campaign.benchmarks:
        rows = [row for row in campaign.rows if row.benchmark == info.name]
        if info.kind == KIND and rows:
            sinks = list(dict.fromkeys(row.sink for row in rows))
            made.append(Observation(info, sinks, _lines(rows, sinks)))
    return made


def rows_of(campaign: Campaign) -> list[Row]:
    """Return the rows of observations, which no ranking has."""
    names = {info.name for info in campaign.benchmarks if info.kind == KIND}
    return [row for row in campaign.rows if row.benchmark in names]


def _lines(rows: Sequence[Row], sinks: Sequence[str]) -> list[Line]:
    builds: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        builds.setdefault((row.label, row.toolchain), {})[row.sink] = row
    return [
        Line(
            visible(name),
            visible(toolchain),
            "; ".join(dict.fromkeys(note for row in by_sink.values() for note in row.notes)),
            [_cell(by_sink[sink]) if sink in by_sink else None for sink in sinks],
        )
        for (name, toolchain), by_sink in builds.items()
    ]


def _cell(row: Row) -> Cell:
    text = visible(", ".join(row.observed))
    if row.outcome == "ok":
        return Cell(text, True)
    return Cell(text, False, visible(f"{row.outcome}: {row.detail}" if row.detail else row.outcome))


def render(observations: Sequence[Observation], console: Console) -> None:
    """Print each observation as a table, then what it says."""
    for observation in observations:
        console.print()
        console.print(
            Text(f"{visible(observation.info.name)} ({visible(observation.info.title)})", style="bold")
        )
        rows: list[list[str | Text]] = [
            [line.name, line.built, *map(_shown, line.cells)] for line in observation.lines
        ]
        console.print(Grid(observation.heads, rows).terminal())
        print_indented([observation.verdict, *map(visible, observation.info.explanation)], console)


def print_indented(texts: Iterable[str], console: Console, style: str = "") -> None:
    """Print lines that begin with two spaces and end with none, as a padding would leave in a pipe."""
    for line in (
        line for text in texts for line in Text(text, style).wrap(console, max(console.width - 2, 1))
    ):
        line.rstrip()
        console.print(Text("  ") + line)


def _shown(cell: Cell | None) -> Text:
    return Text(cell.whole, style="" if cell.as_expected else "yellow") if cell else Text("")
