"""A campaign as CSV: a line per row, plain numbers, units in the names of the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from headrace.base.text import visible
from headrace.report import observed
from headrace.report.columns import Column, for_programs
from headrace.report.ranking import Standing
from headrace.report.view import View
from headrace.results.schema import Campaign, Row

_FIRST = (  # in the order of version 0.1.0; newer columns follow
    "median interval min mean max user system peak_memory to_baseline to_limit tokens system_calls"
).split()
ROW = (
    "started benchmark contender settings toolchain optimisation source sink input outcome detail place "
    "samples"
).split()

_Cell: TypeAlias = str | int | float | None


def _numbers() -> list[Column]:
    return sorted(
        for_programs(), key=lambda column: _FIRST.index(column.key) if column.key in _FIRST else len(_FIRST)
    )


def _figures() -> list[str]:
    return [name for column in _numbers() for name in column.csv_names]


def text(views: Sequence[View]) -> str:
    """Make the document, header first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*ROW, *_figures(), "observed", "notes"])
    for view in views:
        campaign = view.campaign
        for group in view.groups:
            for standing in [*group.measured, *group.failed]:
                writer.writerow(_line(campaign, standing))
        for row in observed.rows_of(campaign):
            writer.writerow([*_start(campaign, row, row.outcome, "", 0), *_end(row, [])])
    return out.getvalue()


def _line(campaign: Campaign, standing: Standing) -> list[_Cell]:
    row = standing.row
    start = _start(campaign, row, standing.outcome, standing.place, len(row.samples))
    if standing.spread is None:
        return [*start, *_end(row, [])]
    figures = [number for column in _numbers() for number in column.numbers(standing)]
    return [*start, *_end(row, figures)]


def _start(campaign: Campaign, row: Row, outcome: str, place: str, samples: int) -> list[_Cell]:
    """What was run and how it went."""
    build = (row.contender, _settings(row.variant), row.toolchain, row.optimisation)
    texts = (campaign.started, row.benchmark, *build, row.source, row.sink, _settings(row.input), outcome)
    return [*map(_cell, (*texts, row.detail)), place, samples]


def _end(row: Row, figures: Sequence[_Cell]) -> list[_Cell]:
    """Figures, or empty cells for them; then the order that an observation saw and the notes of the row."""
    empty = [None] * (len(_figures()) - len(figures))
    return [*figures, *empty, _cell("; ".join(row.observed)), _cell("; ".join(row.notes))]


def _settings(settings: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(settings.items()))


def _cell(value: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    shown = visible(value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
