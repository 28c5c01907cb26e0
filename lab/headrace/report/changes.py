"""Two campaigns compared, as a person reads it, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TypeVar

from rich.console import Console

from headrace.base.text import plural
from headrace.judge.table import grouped
from headrace.race.compare import Change, Difference, GateReport, Judgement
from headrace.report.grid import Grid, escaped

_Row = TypeVar("_Row", Change, Judgement)


def show_difference(difference: Difference, as_json: bool) -> None:
    """Print a comparison of stored ratios."""
    if as_json:
        print(json.dumps({**asdict(difference), "sentence": difference.sentence}, indent=1))
        return
    heads = ["row", "OLD", "NEW", "NEW/OLD", "verdict"]
    title = f"{{}} ({difference.metric}, ratios to the baseline)"
    _print(_by_group(difference.changes, heads, _cells, "lrrll"), title)
    for names, file in ((difference.only_old, "OLD"), (difference.only_new, "NEW")):
        for name in names:
            print(f"only in {file}: {name}")
    print(difference.sentence)


def show_gate(report: GateReport, as_json: bool) -> None:
    """Print what the gate found, or instructions per token of two files."""
    if as_json:
        rows = [
            {**asdict(row), "comparison": row.comparison and row.comparison.model_dump(), "ratio": row.ratio}
            for row in report.rows
        ]
        print(json.dumps({**asdict(report), "by": report.metric, "rows": rows}, indent=1))
        return
    _print(_gate(report), "{} (instructions per token)" if report.metric == "instructions" else "{}")
    for sentence in report.warnings:
        print(f"warning: {sentence}")


def gate_as_markdown(report: GateReport) -> str:
    """Write what the gate found as Markdown: a sentence, and a table for each group of rows."""
    lines = [f"**{escaped(_in_short(report, f'{(report.threshold or 0) * 100:g} %'))}**", ""]
    for group, grid in _gate(report).items():
        lines += [escaped(group), "", *grid.markdown(), ""]
    lines += [f"- Warning: {escaped(sentence)}" for sentence in report.warnings]
    return "\n".join(lines).rstrip() + "\n"


def _by_group(
    rows: Iterable[_Row], heads: Sequence[str], cells: Callable[[_Row], Sequence[str]], align: str
) -> dict[str, Grid]:
    groups = grouped(rows, lambda row: row.group)
    return {group: Grid(heads, [cells(row) for row in alike], align) for group, alike in groups.items()}


def _gate(report: GateReport) -> dict[str, Grid]:
    if report.metric == "instructions":
        cells = partial(_count_cells, is_gate=report.threshold is not None)
        return _by_group(report.rows, ["row", "OLD", "NEW", "NEW/OLD", "gate"], cells, "lrrrl")
    heads = ["row", f"NEW/OLD {report.metric}", "rounds", "verdict", "gate"]
    return _by_group(report.rows, heads, _gate_cells, "llrll")


def _print(grids: Mapping[str, Grid], title: str) -> None:
    console = Console(soft_wrap=True, highlight=False, markup=False)
    for group, grid in grids.items():
        console.print(title.format(group))
        console.print(grid.terminal(fold=False), soft_wrap=False)


def _in_short(report: GateReport, limit: str) -> str:
    """Say in a sentence what the gate found."""
    whole = plural(len(report.rows), "row")
    if report.failures:
        return f"Slower by more than {limit}, or no answer any more: {len(report.failures)} of {whole}."
    if report.untried:
        return f"{len(report.untried)} of {whole} could not be raced."
    if report.undecided:
        return f"Not decided for {len(report.undecided)} of {whole}: the rounds do not tell."
    return f"Not slower by more than {limit}: {whole}, proved."


def _mark(row: Judgement) -> str:
    return row.outcome if row.tried else "not tried"


def _count_cells(row: Judgement, is_gate: bool) -> list[str]:
    mark = _mark(row) if is_gate else ""
    if row.old is None or row.new is None or row.ratio is None:
        return [row.name, "", "", row.note, mark]
    return [row.name, f"{row.old:,.2f}", f"{row.new:,.2f}", f"{row.ratio:.4f}", mark]


def _cells(row: Change) -> list[str]:
    if row.ratio is None or row.old is None or row.new is None:
        return [row.name, "", "", "", row.note]
    span = f"{row.ratio:.3f} {interval(row.low, row.high)}"
    return [row.name, f"{row.old:.3f}", f"{row.new:.3f}", span, row.verdict or ""]


def _gate_cells(row: Judgement) -> list[str]:
    pair = row.comparison
    if pair is None:
        return [row.name, "", "", row.note, _mark(row)]
    return [
        row.name,
        f"{pair.ratio:.3f} {interval(pair.low, pair.high)}",
        str(pair.rounds),
        pair.verdict,
        _mark(row),
    ]


def interval(low: float, high: float | None) -> str:
    """Write an interval of ratios; an unbounded end as such."""
    return f"[{low:.3f}, {'no bound' if high is None else f'{high:.3f}'}]"
