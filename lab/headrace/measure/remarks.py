"""Rows in sentences, and what a campaign's clock could not tell."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.measure.plan import METRICS
from headrace.results.schema import Row


def of_coarse_clocks(rows: list[Row]) -> list[str]:
    """Name the rows whose processor time the clock cannot tell."""
    coarse = [
        row
        for row in rows
        if row.comparisons and not row.twin_of and {c.metric for c in row.comparisons} != set(METRICS)
    ]
    if not coarse:
        return []
    return [
        f"The clock is too coarse for a processor time of {listed(coarse)}: "
        "give it a larger input to compare that metric."
    ]


def listed(rows: Sequence[Row]) -> str:
    """Name rows as people do: each contender once, with its toolchains where there are several."""
    several = len({row.toolchain for row in rows}) > 1
    chains: dict[str, list[str]] = {}
    for row in rows:
        names = chains.setdefault(row.label, [])
        short = row.toolchain.rsplit("/", 1)[0]
        if short not in names:
            names.append(short)
    parts = [f"{label} ({_some(names, 3)})" if several else label for label, names in chains.items()]
    return _some(parts, 4)


def place_of(row: Row) -> str:
    """Name one row in a sentence."""
    return f"{row.label} with {row.toolchain}, {row.source} to {row.sink},"


def _some(names: Sequence[str], most: int) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
