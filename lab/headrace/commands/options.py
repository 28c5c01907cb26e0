"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

ExportMarkdown = Annotated[
    Path | None, typer.Option("--export-markdown", help="Write the tables as Markdown here.")
]
ExportCsv = Annotated[Path | None, typer.Option("--export-csv", help="Write a line per row as CSV here.")]
ExportJson = Annotated[Path | None, typer.Option("--export-json", help="Write the rankings as JSON here.")]
ExportHyperfine = Annotated[
    Path | None, typer.Option("--export-hyperfine", help="Write JSON for hyperfine's scripts here.")
]
ExportGoogle = Annotated[
    Path | None,
    typer.Option("--export-google-benchmark", help="Write JSON for Google Benchmark's compare.py here."),
]
ExportPyperf = Annotated[Path | None, typer.Option("--export-pyperf", help="Write JSON for pyperf here.")]


def complete(begun: str) -> list[str]:
    """Offer benchmark names to the shell."""
    return [name for name in places.benchmark_names() if name.startswith(begun)]
