"""A campaign as CSV: a line per row, plain numbers, units in the names of the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from headrace.base.text import visible
from headrace.report import observed
from headrace.report.columns import for_programs
from headrace.report.view import View
from headrace.results.schema import Row

_FIRST = (  # in the order of version 0.1.0; newer columns follow
    "median interval min mean max user system peak_memory to_baseline to_limit tokens system_calls"
).split()
ROW = (
    "started benchmark contender settings toolchain optimisation source sink input outcome detail place "
    "samples"
).split()

_Cell: TypeAlias = str | int | float | None


def text(views: Sequence[View]) -> str:
    """Make the document, header first."""
    numbers = sorted(
        for_programs(), key=lambda column: _FIRST.index(column.key) if column.key in _FIRST else len(_FIRST)
    )
    figures = [name for column in numbers for name in column.csv_names]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*ROW, *figures, "observed", "notes"])
    for view in views:
        started = view.campaign.started
        for group in view.groups:
            for each in [*group.measured, *group.failed]:
                known = (
                    [number for column in numbers for number in column.numbers(each)] if each.spread else []
                )
                start = _start(started, each.row, each.outcome, each.place, len(each.row.samples))
                writer.writerow([*start, *known, *[None] * (len(figures) - len(known)), *_end(each.row)])
        for row in observed.rows_of(view.campaign):
            writer.writerow([*_start(started, row, row.outcome, "", 0), *[None] * len(figures), *_end(row)])
    return out.getvalue()


def _start(started: str, row: Row, outcome: str, place: str, samples: int) -> list[_Cell]:
    """What was run and how it went."""
    build = (row.contender, _settings(row.variant), row.toolchain, row.optimisation)
    texts = (started, row.benchmark, *build, row.source, row.sink, _settings(row.input), outcome, row.detail)
    return [*map(_cell, texts), place, samples]


def _end(row: Row) -> list[_Cell]:
    """The order that an observation saw, and the notes of the row."""
    return [_cell("; ".join(row.observed)), _cell("; ".join(row.notes))]


def _settings(settings: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(settings.items()))


def _cell(value: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    shown = visible(value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
