"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from headrace.base import places

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def complete(begun: str) -> list[str]:
    """Offer benchmark names to the shell."""
    return [name for name in places.benchmark_names() if name.startswith(begun)]
