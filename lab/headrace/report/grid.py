"""A table of texts, as Markdown and on a terminal, and how a text is written in Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from headrace.base.text import visible

ALWAYS = 99  # a column that no terminal is too narrow for

_SPECIAL = re.compile(r"([\\`*_{}\[\]#])")


def escaped(value: str) -> str:
    """Escape what Markdown or HTML would take for markup."""
    return _marks(visible(value))


def marked(sentence: str) -> str:
    """Escape a sentence but for its names, which are between backticks."""
    pieces = sentence.split("`")
    return "".join(f"`{piece}`" if at % 2 else _marks(piece) for at, piece in enumerate(pieces))


def _marks(piece: str) -> str:
    """Escape, by an entity what not all dialects let escape by a backslash."""
    marks = html.escape(_SPECIAL.sub(r"\\\1", piece), quote=False)
    return marks.replace("|", "&#124;").replace("~", "&#126;")


@dataclass(frozen=True)
class Grid:
    """Heads and rows. align: "l" or "r" for each column, the last letter for all that follow.

    On a terminal a row may have a style. Where that is too narrow, the column with the least in `keep` goes
    first, and those with ALWAYS never.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str | Text]]
    align: str = "l"
    keep: Sequence[int] = ()
    styles: Sequence[str] = ()

    def is_number(self, column: int) -> bool:
        """Whether a column is aligned to the right."""
        return self.align[min(column, len(self.align) - 1)] == "r"

    def of(self, columns: Sequence[int]) -> Grid:
        """Return the grid of some columns."""
        rows = [[row[at] for at in columns] for row in self.rows]
        align = "".join("r" if self.is_number(at) else "l" for at in columns)
        keep = [self.keep[at] for at in columns] if self.keep else []
        return replace(self, heads=[self.heads[at] for at in columns], rows=rows, align=align, keep=keep)

    def markdown(self, escape: Callable[[str], str] = escaped) -> list[str]:
        """Write the lines of a Markdown table."""
        rule = "|".join("--:" if self.is_number(at) else "---" for at in range(len(self.heads)))
        lines: list[Sequence[str | Text]] = [self.heads, *self.rows]
        heads, *rows = (f"| {' | '.join(escape(str(cell)) for cell in line)} |" for line in lines)
        return [heads, f"|{rule}|", *rows]

    def terminal(self, *, fold: bool = True, gap: int = 2) -> Table:
        """Lay the table out; texts that are too long go on below, or else those of the first column of texts.

        A line is below the heads, and there is no frame.
        """
        padding = (0, gap - 1, 0, 0)
        made = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=padding, header_style="dim"
        )
        for at, head in enumerate(self.heads):
            is_number = self.is_number(at)
            justify: Literal["left", "right"] = "right" if is_number else "left"
            no_wrap = is_number or (not fold and at != self.align.find("l"))
            made.add_column(head, justify=justify, overflow="fold", no_wrap=no_wrap)
        for cells, style in zip_longest(self.rows, self.styles, fillvalue=""):
            made.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells), style=str(style))
        return made

    def fitted(self, console: Console, gap: int = 2) -> tuple[Table, list[str]]:
        """Leave columns out until it fits the terminal; return the heads of those, too."""
        grid, hidden, room = self, list[str](), console.options.update(max_width=10_000)
        while True:
            table = grid.terminal(fold=False, gap=gap)
            columns = range(len(grid.heads))
            least = min(columns, key=grid.keep.__getitem__)
            fits = Measurement.get(console, room, table).maximum <= console.width
            if fits or grid.keep[least] >= ALWAYS:
                return table, hidden
            hidden += filter(None, [grid.heads[least]])
            grid = grid.of([at for at in columns if at != least])
