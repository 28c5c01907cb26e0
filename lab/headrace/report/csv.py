"""A campaign as CSV: a line per row, plain numbers, units in the names of the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from headrace.base.text import visible
from headrace.report import observed
from headrace.report.ratios import Ratio
from headrace.report.standing import Standing, groups
from headrace.results.schema import Campaign, Row

FIGURES = (
    "median_s median_low_s median_high_s min_s mean_s max_s user_s system_s peak_memory_bytes "
    "to_baseline to_baseline_low to_baseline_high to_limit tokens system_calls"
).split()
ROW = (
    "started benchmark contender settings toolchain optimisation source sink input outcome detail place "
    "samples"
).split()
COLUMNS = [*ROW, *FIGURES, "observed", "notes"]

_Cell: TypeAlias = str | int | float | None


def text(campaigns: Sequence[Campaign]) -> str:
    """Make the document, header first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for campaign in campaigns:
        for group in groups(campaign):
            for standing in [*group.measured, *group.failed]:
                writer.writerow(_line(campaign, standing))
        for row in observed.rows_of(campaign):
            writer.writerow([*_start(campaign, row, row.outcome, "", 0), *_end(row, [])])
    return out.getvalue()


def _line(campaign: Campaign, standing: Standing) -> list[_Cell]:
    row, spread = standing.row, standing.spread
    outcome = "not measured" if row.outcome == "ok" and spread is None else row.outcome
    start = _start(campaign, row, outcome, standing.place, len(row.samples))
    if spread is None:
        return [*start, *_end(row, [])]
    times = [spread.median, spread.low, spread.high, spread.minimum, spread.mean, spread.maximum]
    limit = standing.to_limit.value if standing.to_limit else None
    figures = [
        *(round(seconds, 9) for seconds in [*times, spread.user, spread.system]),
        spread.peak_memory,
        *_ratio(standing.to_baseline),
        limit,
        row.tokens or None,
        standing.calls,
    ]
    return [*start, *_end(row, figures)]


def _start(campaign: Campaign, row: Row, outcome: str, place: str, samples: int) -> list[_Cell]:
    """What was run and how it went."""
    return [
        _cell(campaign.started),
        _cell(row.benchmark),
        _cell(row.contender),
        _cell(_settings(row.variant)),
        _cell(row.toolchain),
        _cell(row.optimisation),
        _cell(row.source),
        _cell(row.sink),
        _cell(_settings(row.input)),
        _cell(outcome),
        _cell(row.detail),
        place,
        samples,
    ]


def _end(row: Row, figures: Sequence[_Cell]) -> list[_Cell]:
    """Figures, or empty cells for them; then the order that an observation saw and the notes of the row."""
    empty = [None] * (len(FIGURES) - len(figures))
    return [*figures, *empty, _cell("; ".join(row.observed)), _cell("; ".join(row.notes))]


def _ratio(ratio: Ratio | None) -> tuple[float | None, float | None, float | None]:
    return (ratio.value, ratio.low, ratio.high) if ratio else (None, None, None)


def _settings(settings: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(settings.items()))


def _cell(value: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    shown = visible(value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
