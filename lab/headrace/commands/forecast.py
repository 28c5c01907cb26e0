"""The forecast of `headrace run`: all of it with --dry-run, a sentence before a long race."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.text import Text

from headrace.base.progress import Line
from headrace.base.text import plural, visible
from headrace.base.units import duration, memory
from headrace.race.options import RunOptions
from headrace.race.race import Preview, preview

LONG = 600.0  # seconds; a run that may take longer is said first, and asked about on a terminal
LARGE = 2 << 30  # bytes of inputs that are said first


def show(wanted: RunOptions, console: Console, as_json: bool) -> None:
    """Print the rows of a race and what they take. Nothing is built, run or written."""
    cost = _found(wanted)
    if as_json:
        print(json.dumps(_plain(cost), indent=1))
        return
    for row in [lane.row() for lane in cost.rows]:
        why = cost.skipped.get(row.id, "")
        console.print(Text(f"{row.id}{f' (skipped: {visible(why)})' if why else ''}"), soft_wrap=True)
    console.print(Text(_sentence(cost, wanted), style="bold"), soft_wrap=True)


def is_agreed(wanted: RunOptions, console: Console, agreed: bool, named: bool) -> bool:
    """Say how long a long race takes and what room it needs; on a terminal ask whether to begin.

    A race of everything says so in any case: `named` is whether the benchmarks were.
    """
    if named and (agreed or (len(wanted.benchmarks) == 1 and not any(wanted.settings))):
        return True  # one benchmark with its own input has a budget and a size that suit anyone
    cost = _found(wanted)
    unknown = cost.measuring is None and len(wanted.benchmarks) > 1
    is_long = unknown or cost.seconds >= LONG or cost.bytes_to_make >= LARGE
    if named and not is_long:
        return True
    console.print(Text(f"headrace: {_sentence(cost, wanted)}"), soft_wrap=True)
    if agreed or not (is_long and sys.stdin.isatty() and console.is_terminal):
        return True
    console.print(Text("--quick takes less, --dry-run shows every row. Begin? [y/N] "), end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _found(wanted: RunOptions) -> Preview:
    with Line() as line:
        return preview(wanted, line.show)


def _sentence(cost: Preview, wanted: RunOptions) -> str:
    rows = len(cost.rows) - len(cost.skipped)
    parts = [
        f"{plural(len(wanted.benchmarks), 'benchmark')}, {plural(rows, 'row')}",
        f"{cost.builds_to_make:,} of {plural(cost.builds, 'build')} to make",
    ]
    if cost.bytes_to_make:
        parts.append(f"inputs of about {memory(cost.bytes_to_make)} to make")
    if cost.measuring is None:
        parts.append(f"{plural(wanted.rounds or 0, 'round')} of measuring, however long these take")
    else:
        parts.append(f"up to {duration(cost.measuring)} of measuring")
    total = f": up to {duration(cost.seconds)} in all" if cost.measuring is not None else ""
    return f"{', '.join(parts)}{total}."


def _plain(cost: Preview) -> dict[str, object]:
    keys = {"id", "benchmark", "contender", "toolchain", "optimisation", "source", "sink"}
    rows = [
        {**row.model_dump(include=keys), "skipped": cost.skipped.get(row.id, "")}
        for row in (lane.row() for lane in cost.rows)
    ]
    return {
        "rows": rows,
        "builds": cost.builds,
        "builds_to_make": cost.builds_to_make,
        "bytes_to_make": cost.bytes_to_make,
        "seconds": None if cost.measuring is None else round(cost.seconds, 1),
    }
