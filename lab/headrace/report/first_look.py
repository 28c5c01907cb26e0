"""The first look at a race that goes on, where no table can sharpen in place: a few lines of text."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.judge.table import has_role
from headrace.report.standing import Group, Standing
from headrace.report.view import View

_MOST = 16  # lines of a table, and rankings of several


def lines(view: View) -> list[str]:
    """Show the fastest build of each contender so far; of several rankings the first, next and last of each.

    Nothing where nothing has a time yet.
    """
    every = view.ranked
    if not every:
        return []
    runs = [len(one.row.samples) for group in every for one in group.ranked]
    said = (
        f"First look, after {units.duration(view.campaign.seconds)} of measuring and "
        f"{_span(min(runs), max(runs))} of each build that has run. The race goes on; places and intervals "
        "come at its end."
    )
    if len(every) > 1:
        more = len(every) - _MOST
        return [said, *map(_in_a_line, every[:_MOST]), *([f"  and {more} more"] if more > 0 else [])]
    (group,) = every
    title = f"{visible(group.title)}: the fastest build of each contender, by its median"
    return [said, title, *_table(group)]


def _span(low: int, high: int) -> str:
    return plural(high, "run") if low == high else f"{low} to {plural(high, 'run')}"


def _time(standing: Standing) -> float:
    return standing.spread.median if standing.spread else 0.0


def _table(group: Group) -> list[str]:
    found = list(group.fastest.values())
    left_out = len(found) - _MOST
    if left_out > 0:
        found = [*found[: _MOST - 1], found[-1]]
    cells = [(visible(one.label), units.one_time(_time(one)), _times(one, found[0]), one) for one in found]
    name, time, times = (max(len(str(line[at])) for line in cells) for at in range(3))
    shown = [
        f"  {label:{name}}  {median:>{time}}  {ratio:>{times}}  {visible(one.toolchain)}".rstrip()
        for label, median, ratio, one in cells
    ]
    if left_out > 0:
        shown.insert(-1, f"  ... {plural(left_out, 'contender')} between these two")
    known = {one.label for one in group.ranked}
    waiting = {
        one.label
        for one in group.failed
        if one.outcome == "not measured" and not has_role(one.row, group.benchmark)
    } - known
    if waiting:
        shown.append(f"  not yet run: {', '.join(sorted(visible(label) for label in waiting))}")
    return shown


def _times(one: Standing, first: Standing) -> str:
    """How many times as long as the first it takes."""
    return f"{units.ratio(_time(one) / _time(first))} x" if _time(first) > 0 else ""


def _in_a_line(group: Group) -> str:
    """Name the first, the next and the last of a ranking."""
    first, *rest = group.fastest.values()
    said = f"  {visible(group.title)}: {visible(first.label)} {units.one_time(_time(first))}"
    for one in [*rest[:1], *rest[1:][-1:]]:
        said += f", {visible(one.label)} {units.one_time(_time(one))} ({_times(one, first)})"
    return said
