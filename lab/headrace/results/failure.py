"""A run that gave no sample."""

from __future__ import annotations

from dataclasses import dataclass

from headrace.results.schema import Outcome


@dataclass(frozen=True)
class Failure:
    """A run without a valid sample: what to write into the row."""

    outcome: Outcome
    detail: str
