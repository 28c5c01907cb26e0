"""Rankings as plain data, for scripts."""

from __future__ import annotations

from typing import Any

from headrace.base.text import unmarked
from headrace.report import conditions, observed, summary, sweep
from headrace.report.columns import for_programs
from headrace.report.ranking import Group, Standing
from headrace.report.view import View
from headrace.results.schema import Campaign


def as_data(view: View) -> dict[str, Any]:
    """Give the rankings as plain data; times in seconds, ratios as [value, low, high]."""
    campaign = view.campaign
    return {
        "started": campaign.started,
        "machine": campaign.machine.cpu,
        "margin": campaign.margin,
        "sweeps": [_sweep(swept) for swept in view.sweeps],
        "rankings": [_ranking(group, campaign) for group in view.groups],
        "observations": [_observation(observation) for observation in view.observations],
        "conditions": [unmarked(sentence) for sentence in conditions.sentences(campaign)],
        "warnings": campaign.warnings,
    }


def _sweep(swept: sweep.Sweep) -> dict[str, Any]:
    """Costs are nanoseconds per token, or seconds per run; `start` is in seconds."""
    return {
        "benchmark": swept.benchmark.name,
        "source": swept.source,
        "sink": swept.sink,
        "key": swept.key,
        "sizes": list(swept.sizes),
        "summary": [unmarked(sentence) for sentence in summary.of_sweep(swept)],
        "curves": [
            {
                "contender": curve.label,
                "toolchain": curve.toolchain,
                "role": curve.role,
                "costs": {str(point.size): point.cost for point in curve.points},
                "start": curve.begins,
                "fit": list(curve.fit),
            }
            for curve in swept.curves
        ],
        "crossings": [
            {
                "faster_below": crossing.small.label,
                "faster_above": crossing.large.label,
                "toolchain": crossing.large.toolchain,
                "at": crossing.at,
                "low": crossing.low,
                "high": crossing.high,
            }
            for crossing in swept.crossings
        ],
    }


def _observation(observation: observed.Observation) -> dict[str, Any]:
    """Tell for each build what arrived at each sink; `detail` says why where that was not expected."""
    return {
        "benchmark": observation.info.name,
        "verdict": observation.verdict,
        "rows": [
            {
                "contender": line.name,
                "toolchain": line.toolchain,
                "notes": line.notes,
                "sink": sink,
                "arrived": cell.text.split(", ") if cell.text else [],
                "as_expected": cell.as_expected,
                "detail": cell.detail,
            }
            for line in observation.lines
            for sink, cell in zip(observation.sinks, line.cells, strict=True)
            if cell is not None
        ],
    }


def _ranking(group: Group, campaign: Campaign) -> dict[str, Any]:
    return {
        "benchmark": group.benchmark.name,
        "source": group.source,
        "sink": group.sink,
        "input": dict(group.setting),
        "summary": [unmarked(sentence) for sentence in summary.sentences(group, campaign)],
        "rows": [_entry(standing) for standing in [*group.measured, *group.failed]],
    }


def _entry(standing: Standing) -> dict[str, Any]:
    row = standing.row
    entry: dict[str, Any] = {"id": row.id, "outcome": row.outcome, "detail": row.detail}
    if standing.spread is not None:
        entry |= {"place": standing.place, "samples": len(standing.spread.walls)}
        entry |= {column.key: column.plain(standing) for column in for_programs()}
    return entry
