"""A gate passes on evidence, fails on evidence, and otherwise says that it does not know."""

from __future__ import annotations

import math
from typing import Literal

from headrace.judge.pair import Estimate

Outcome = Literal["ok", "FAILED", "not decided"]


def outcome(pair: Estimate, threshold: float) -> Outcome:
    """Judge new / old: *ok* when all of the interval lies below 1 + threshold, *FAILED* when above."""
    edge = math.log1p(threshold)
    if pair.high < edge:
        return "ok"
    return "FAILED" if pair.low > edge else "not decided"
