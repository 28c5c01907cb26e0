"""The first look at a race that goes on, where no table can sharpen in place: a few lines of text."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.judge.table import has_role
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.view import View

_MOST = 16  # lines of a table, and rankings of several


def lines(view: View) -> list[str]:
    """Show the fastest build of each contender so far; of several rankings the first, next and last of each.

    Nothing where nothing has a time yet.
    """
    every = view.ranked
    if not every:
        return []
    runs = [len(row.row.samples) for group in every for row in group.ranked]
    number = (
        plural(max(runs), "run") if min(runs) == max(runs) else f"{min(runs)} to {plural(max(runs), 'run')}"
    )
    told = say("first-look", after=units.duration(view.campaign.seconds), runs=number)
    if len(every) == 1:
        return [told, say("first-table", ranking=every[0].title), *_table(every[0])]
    more = [say("more-rankings", more=len(every) - _MOST)] if len(every) > _MOST else []
    return [told, *map(_in_a_line, every[:_MOST]), *more]


def _table(group: Group) -> list[str]:
    rows = list(group.fastest.values())
    left_out = len(rows) - _MOST
    if left_out > 0:
        rows = [*rows[: _MOST - 1], rows[-1]]
    cells = [(visible(row.label), units.one_time(row.median), _times(row, rows[0]), row) for row in rows]
    name, time, times = (max(len(str(line[at])) for line in cells) for at in range(3))
    shown = [
        f"  {label:{name}}  {median:>{time}}  {ratio:>{times}}  {visible(row.toolchain)}".rstrip()
        for label, median, ratio, row in cells
    ]
    if left_out > 0:
        shown.insert(-1, say("between", contenders=left_out))
    unmeasured = [row for row in group.failed if row.outcome == "not measured"]
    waiting = {visible(row.label) for row in unmeasured if not has_role(row.row, group.benchmark)}
    waiting -= {visible(row.label) for row in group.ranked}
    return [*shown, say("not-yet-run", labels=sorted(waiting))] if waiting else shown


def _times(row: Standing, first: Standing) -> str:
    """How many times as long as the first it takes."""
    return f"{units.ratio(row.median / first.median)} x" if first.median > 0 else ""


def _in_a_line(group: Group) -> str:
    """Name the first, the next and the last of a ranking."""
    first, *rest = group.fastest.values()
    line = f"  {visible(group.title)}: {visible(first.label)} {units.one_time(first.median)}"
    for row in [*rest[:1], *rest[1:][-1:]]:
        line += f", {visible(row.label)} {units.one_time(row.median)} ({_times(row, first)})"
    return line
