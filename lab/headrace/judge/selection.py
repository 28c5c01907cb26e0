"""Honest figures for what was chosen because it looked best: chosen on odd rounds, estimated on even ones.

The fastest of many variants is partly the fastest by luck, and its own rounds flatter it (the winner's
curse). Rounds that had no part in the choice do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from headrace.judge.pair import ALPHA, Estimate, estimate
from headrace.judge.pool import pool
from headrace.judge.samples import Times


def fastest(times: Times, among: Sequence[int]) -> int:
    """The row with the smallest typical time on the odd rounds; on all where a row has no odd one."""
    return min(among, key=_typical(times, among))


def slowest(times: Times, among: Sequence[int]) -> int:
    """The row with the largest typical time on the odd rounds; on all where a row has no odd one."""
    return max(among, key=_typical(times, among))


def _typical(times: Times, among: Sequence[int]) -> Callable[[int], float]:
    odd = times.half(odd=True)
    usable = all(np.isfinite(odd.logs[row]).any() for row in among)
    logs = odd.logs if usable else times.logs
    return lambda row: float(np.nanmedian(logs[row]))


def against(times: Times, this: int, other: int) -> Estimate | None:
    """Compare two rows, of which one or both were chosen on the odd rounds, on the even ones.

    One comparison, at its own 5 %; None where no even round has both.
    """
    return estimate(times.half(odd=False).pairs(this, other), ALPHA, pool(times.logs))
