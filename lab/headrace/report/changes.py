"""Two campaigns compared, as a person reads it, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from rich.console import Console
from rich.table import Table

from headrace.base.text import plural
from headrace.race.compare import Change, CountReport, Counts, Difference, GateReport, Judgement
from headrace.report.grid import escaped


def show_difference(difference: Difference, as_json: bool) -> None:
    """Print a comparison of stored ratios."""
    if as_json:
        print(json.dumps({**asdict(difference), "sentence": difference.sentence}, indent=1))
        return
    console = Console(soft_wrap=True, highlight=False, markup=False)
    for group in dict.fromkeys(one.group for one in difference.changes):
        console.print(f"{group} ({difference.metric}, ratios to the baseline)")
        table = _table(["row", "OLD", "NEW", "NEW/OLD", "verdict"], "OLD NEW")
        for one in difference.changes:
            if one.group == group:
                table.add_row(*_cells(one))
        console.print(table)
    for names, file in ((difference.only_old, "OLD"), (difference.only_new, "NEW")):
        for name in names:
            console.print(f"only in {file}: {name}")
    console.print(difference.sentence)


def show_gate(report: GateReport, as_json: bool) -> None:
    """Print what the gate found."""
    if as_json:
        rows = [
            {**asdict(one), "comparison": one.comparison and one.comparison.model_dump()}
            for one in report.rows
        ]
        print(json.dumps({**asdict(report), "rows": rows}, indent=1))
        return
    console = Console(soft_wrap=True, highlight=False, markup=False)
    for group in dict.fromkeys(one.group for one in report.rows):
        console.print(group)
        table = _table(["row", f"NEW/OLD {report.metric}", "rounds", "verdict", "gate"], "rounds")
        for one in report.rows:
            if one.group == group:
                table.add_row(*_gate_cells(one))
        console.print(table)
    for sentence in report.warnings:
        console.print(f"warning: {sentence}")


def gate_as_markdown(report: GateReport) -> str:
    """Write what the gate found as Markdown: a sentence, and a table for each group of rows."""
    limit = f"{report.threshold * 100:g} %"
    lines = [f"**{escaped(_in_short(report, limit))}**", ""]
    for group in dict.fromkeys(one.group for one in report.rows):
        heads = ["row", f"NEW/OLD {report.metric}", "rounds", "verdict", "gate"]
        lines += [escaped(group), "", f"| {' | '.join(heads)} |", "|---|---|--:|---|---|"]
        cells = [_gate_cells(one) for one in report.rows if one.group == group]
        lines += [f"| {' | '.join(map(escaped, row))} |" for row in cells]
        lines.append("")
    lines += [f"- Warning: {escaped(sentence)}" for sentence in report.warnings]
    return "\n".join(lines).rstrip() + "\n"


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


def show_counts(report: CountReport, as_json: bool) -> None:
    """Print instructions per token of two files."""
    if as_json:
        rows = [{**asdict(one), "ratio": one.ratio} for one in report.rows]
        print(json.dumps({"by": "instructions", "threshold": report.threshold, "rows": rows}, indent=1))
        return
    console = Console(soft_wrap=True, highlight=False, markup=False)
    for group in dict.fromkeys(one.group for one in report.rows):
        console.print(f"{group} (instructions per token)")
        table = _table(["row", "OLD", "NEW", "NEW/OLD", "gate"], "OLD NEW NEW/OLD")
        for one in report.rows:
            if one.group == group:
                table.add_row(*_count_cells(one, report.threshold is not None))
        console.print(table)


def _count_cells(one: Counts, is_gate: bool) -> list[str]:
    mark = {"not decided": "not tried"}.get(one.outcome, one.outcome) if is_gate else ""
    if one.old is None or one.new is None or one.ratio is None:
        return [one.name, "", "", one.note, mark]
    return [one.name, f"{one.old:,.2f}", f"{one.new:,.2f}", f"{one.ratio:.4f}", mark]


def _table(titles: Sequence[str], numbers: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for title in titles:
        justify: Literal["left", "right"] = "right" if title in numbers.split() else "left"
        table.add_column(title, justify=justify, no_wrap=title != "verdict")
    return table


def _cells(one: Change) -> list[str]:
    if one.ratio is None or one.old is None or one.new is None:
        return [one.name, "", "", "", one.note]
    span = f"{one.ratio:.3f} {interval(one.low, one.high)}"
    return [one.name, f"{one.old:.3f}", f"{one.new:.3f}", span, one.verdict or ""]


def _gate_cells(one: Judgement) -> list[str]:
    mark = one.outcome if one.tried else "not tried"
    pair = one.comparison
    if pair is None:
        return [one.name, "", "", one.note, mark]
    span = f"{pair.ratio:.3f} {interval(pair.low, pair.high)}"
    return [one.name, span, str(pair.rounds), pair.verdict, mark]


def interval(low: float, high: float | None) -> str:
    """Write an interval of ratios; an unbounded end as such."""
    return f"[{low:.3f}, {'no bound' if high is None else f'{high:.3f}'}]"
