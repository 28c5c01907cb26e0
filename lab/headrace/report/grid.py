"""A table of texts, as Markdown and on a terminal, and how a text is written in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.table import Table
from rich.text import Text

from headrace.base.text import visible

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def escaped(value: str) -> str:
    """Escape what Markdown or HTML would take for markup."""
    return _marks(visible(value))


def marked(sentence: str) -> str:
    """Escape a sentence but for its names, which are between backticks."""
    pieces = sentence.split("`")
    return "".join(f"`{piece}`" if at % 2 else _marks(piece) for at, piece in enumerate(pieces))


def _marks(piece: str) -> str:
    return _SPECIAL.sub(r"\\\1", piece)


@dataclass(frozen=True)
class Grid:
    """Heads and rows. align: "l" or "r" for each column, the last letter for all that follow."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str = "l"

    def is_number(self, column: int) -> bool:
        """Whether a column is aligned to the right."""
        return self.align[min(column, len(self.align) - 1)] == "r"

    def markdown(self, escape: Callable[[str], str] = escaped) -> list[str]:
        """Write the lines of a Markdown table."""
        rule = "|".join("--:" if self.is_number(at) else "---" for at in range(len(self.heads)))
        heads, *rows = (f"| {' | '.join(map(escape, cells))} |" for cells in (self.heads, *self.rows))
        return [heads, f"|{rule}|", *rows]

    def terminal(self, *, fold: bool = True) -> Table:
        """Lay the table out for a terminal; texts that are too long go on below, or are left whole."""
        made = plain_table()
        for at, head in enumerate(self.heads):
            is_number = self.is_number(at)
            justify: Literal["left", "right"] = "right" if is_number else "left"
            no_wrap = is_number or (not fold and at > 0)
            made.add_column(head, justify=justify, overflow="fold", no_wrap=no_wrap)
        for cells in self.rows:
            made.add_row(*(Text(cell) for cell in cells))
        return made


def plain_table(gap: int = 2) -> Table:
    """Begin a table as all are on a terminal: a line below the heads, and no frame."""
    padding = (0, gap - 1, 0, 0)
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=padding, header_style="dim")
