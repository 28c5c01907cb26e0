"""A gate passes on evidence, fails on evidence, and otherwise says that it does not know."""

from __future__ import annotations

import math
from typing import Literal

from headrace.judge.pair import Estimate

Outcome = Literal["ok", "FAILED", "not decided"]


def outcome(pair: Estimate, threshold: float) -> Outcome:
    """Judge new / old: *ok* when all of the interval lies below 1 + threshold, *FAILED* when above.

    Where a build differs from itself, both with that much to spare.
    """
    edge = math.log1p(threshold)
    if pair.high + pair.doubt < edge:
        return "ok"
    return "FAILED" if pair.low - pair.doubt > edge else "not decided"
