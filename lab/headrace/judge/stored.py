"""Results files, judged: those of an older version by today's rules."""

from __future__ import annotations

from pathlib import Path

from headrace.judge.table import rejudged
from headrace.results import store
from headrace.results.schema import SCHEMA_VERSION, Campaign


def load(path: Path) -> Campaign:
    """Read a results file. Raises BadInput that names the file, the key and the way out."""
    campaign = store.load(path)
    if campaign.schema_version == SCHEMA_VERSION:
        return campaign
    return rejudged(campaign).model_copy(update={"schema_version": SCHEMA_VERSION})
