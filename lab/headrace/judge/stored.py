"""Results files as the judge reads them: those that an older headrace judged are judged again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from headrace.base.text import listed
from headrace.judge.table import place_of, rejudged
from headrace.results import store
from headrace.results.schema import SCHEMA_VERSION, Campaign, Role, Row


def load(path: Path) -> Campaign:
    """Read a results file. Raises BadInput that names the file, the key and the way out.

    Rows that ran in no round of their baseline have no ratio, whatever the file says: a warning names them.
    """
    campaign = store.load(path)
    if campaign.imported:
        return campaign  # its ratios are of medians, and no round is shared
    if campaign.schema_version != SCHEMA_VERSION:
        campaign = rejudged(campaign).model_copy(update={"schema_version": SCHEMA_VERSION})
    apart = _apart(campaign.rows)
    if not apart:
        return campaign
    names = listed(list(dict.fromkeys(f"{row.label} with {row.toolchain}" for row in apart)))
    warning = f"Not compared with the baseline, as no round ran both: {names}."
    ids = {row.id for row in apart}
    rows = [row.model_copy(update={"comparisons": []}) if row.id in ids else row for row in campaign.rows]
    return campaign.model_copy(update={"rows": rows, "warnings": [*campaign.warnings, warning]})


def _apart(rows: Sequence[Row]) -> list[Row]:
    """The rows that have samples, as their baseline has, but none of one round."""
    by_id = {row.id: row for row in rows}
    leading = {place_of(row): row for row in rows if row.role == Role.BASELINE and not row.by_peer}

    def is_apart(row: Row) -> bool:
        other = row.comparisons[0].other if row.comparisons else row.twin_of
        base = by_id.get(other) or leading.get(place_of(row), row)
        if base is row or not (row.samples and base.samples):
            return False
        return {sample.round for sample in row.samples}.isdisjoint({sample.round for sample in base.samples})

    return [row for row in rows if is_apart(row)]
