"""Options that several commands have."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headrace.base import places

if TYPE_CHECKING:
    from rich.console import Console

PIPE = 200  # characters: room for every column where no terminal says how many there are

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

ExportMarkdown = Annotated[
    Path | None, typer.Option("--export-markdown", help="Write the tables to this file as Markdown.")
]
ExportCsv = Annotated[
    Path | None, typer.Option("--export-csv", help="Write one line per row to this file as CSV.")
]
ExportJson = Annotated[
    Path | None, typer.Option("--export-json", help="Write the rankings to this file as JSON.")
]
ExportHyperfine = Annotated[
    Path | None, typer.Option("--export-hyperfine", help="Write JSON for hyperfine's scripts to this file.")
]
ExportGoogle = Annotated[
    Path | None,
    typer.Option(
        "--export-google-benchmark", help="Write JSON for Google Benchmark's compare.py to this file."
    ),
]
ExportPyperf = Annotated[
    Path | None, typer.Option("--export-pyperf", help="Write JSON for pyperf to this file.")
]


def console() -> Console:
    """Return where tables go: as wide as the terminal, and wide enough for all columns in a pipe."""
    from rich.console import Console  # here, as the shell asks this module for names of benchmarks

    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console()
    return Console(width=PIPE)


def complete(begun: str) -> list[str]:
    """Offer benchmark names to the shell."""
    return [name for name in places.benchmark_names() if name.startswith(begun)]
