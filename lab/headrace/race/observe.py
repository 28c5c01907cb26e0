"""Rows that are looked at, not timed: what arrives, in which order."""

from __future__ import annotations

from headrace.processes import launch
from headrace.race.rows import Lane, is_allowed
from headrace.results.failure import Failure
from headrace.results.schema import Row


def observe(row: Row, lane: Lane, wanted: launch.Request) -> Row:
    """Run once and keep what arrived, in its order; WRONG where that is not what was recorded."""
    arrived = launch.observe(wanted)
    if isinstance(arrived, Failure):
        return row.model_copy(update={"outcome": arrived.outcome, "detail": arrived.detail})
    lines = arrived.split("\n")[: -1 if arrived.endswith("\n") else None]
    expected = _order(lane) or lane.contender.spec.expected
    expected = expected or (wanted.expected.text if wanted.expected and wanted.expected.text else "")
    if lines == expected.split("\n"):
        return row.model_copy(update={"observed": lines})
    detail = f"recorded is {', '.join(expected.splitlines())}"
    return row.model_copy(update={"observed": lines, "outcome": "WRONG", "detail": detail})


def _order(lane: Lane) -> str:
    """Return the order that is recorded for a row of an observation, or "" where the usual one is."""
    for order in lane.contender.spec.order:
        settings = all(lane.contender.variant.get(key) in values for key, values in order.settings.items())
        here = not order.sinks or lane.route[1] in order.sinks
        if settings and here and is_allowed(order.toolchains, lane.toolchain):
            return order.expected
    return ""
