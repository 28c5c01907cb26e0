"""The table on a terminal: one a benchmark and route, as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from rich.console import Console
from rich.console import Group as Lines
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headrace.base import units
from headrace.base.text import plural, unmarked, visible
from headrace.report import conditions, observed, skipped, summary, sweep, sweep_text
from headrace.report.columns import BORROWED, Look, shown
from headrace.report.grid import ALWAYS, Grid
from headrace.report.observed import print_indented
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.view import View
from headrace.results.schema import Campaign, Role

_BAR = 16  # cells of the longest bar
_CAVEATS = 4  # at most are printed
_EIGHTHS = " ▏▎▍▌▋▊▉"
_ROLES = (Role.FLOOR, Role.LIMIT, Role.TWIN)  # in the order of the legend
_Column: TypeAlias = tuple[str, str, int, Callable[[Standing], str | Text]]  # head, alignment, keep, cell
_COLOURS = ("blue", "dark_orange3", "green", "magenta", "yellow", "cyan", "white")


def render(view: View, console: Console, *, wide: bool = False) -> None:
    """Print a campaign: each ranking with what it answers, then what a reader should do something about.

    With `wide`, all columns, and all that can be said.
    """
    rankings(view, console, wide=wide)
    observed.render(view.observations, console)
    if wide:
        _print_sentences(view, console)
    else:
        _print_caveats(view, console)


def rankings(view: View, console: Console, *, wide: bool = False) -> None:
    """Print every ranking and sweep of a campaign, below its headline."""
    for swept in view.sweeps:
        console.print()
        console.print(Text(f"{visible(swept.title)} ({sweep_text.unit(swept)})", style="bold"))
        console.print(_costs(swept, console))
        for group in swept.members:
            if group.failed:
                console.print(_failures(group, console))
        print_indented([] if wide else map(unmarked, summary.of_sweep(swept)), console)
    for group in view.alone:
        console.print()
        _ranking(group, view.campaign, console, wide)


def _ranking(group: Group, campaign: Campaign, console: Console, wide: bool) -> None:
    console.print(Text(_heading(group), style="bold"))
    print_indented([] if wide else map(unmarked, summary.headline(group, campaign)), console)
    if group.measured:
        fitted, hidden = _grid(group, console, wide).fitted(console, 2 if console.width >= 100 else 1)
        console.print(fitted)
        print_indented([*_legend(group, hidden, wide), *map(visible, group.provisos)], console, "dim")
    if group.failed:
        console.print(_failures(group, console))
    print_indented([] if wide else map(unmarked, summary.answers(group, campaign)), console)


def _in_brief(group: Group) -> list[Standing]:
    """One build of each contender, and the fastest floor, limit and control; the wide table has all."""
    kept = {row.place: row for row in reversed(group.measured) if row.role}
    ids = {row.row.id for row in [*kept.values(), *group.lines]}
    return [row for row in group.measured if row.row.id in ids]


def _heading(group: Group) -> str:
    """Name the benchmark, the route, and the toolchain where all rows share one."""
    toolchains = {visible(row.toolchain) for row in group.measured}
    shared = [name for name in toolchains if len(toolchains) == 1 and name != "script"]
    title = ", ".join([visible(group.title), *shared])
    return f"{title} ({visible(group.benchmark.title)})" if group.benchmark.title else title


def _costs(swept: sweep.Sweep, console: Console) -> Table:
    """The costs at each size; on a narrow terminal the fit goes first, then sizes in the middle."""
    costs, sizes = sweep_text.table(swept), len(swept.sizes)
    ends = [ALWAYS if at in (0, sizes - 1) else abs(2 * at - sizes + 1) for at in range(sizes)]
    fits = [-at for at in range(1, len(costs.heads) - sizes - 1)]
    styles = ["dim" if curve.role else "" for curve in swept.curves]
    return replace(costs, keep=[ALWAYS, ALWAYS, *ends, *fits], styles=styles).fitted(console)[0]


def _legend(group: Group, hidden: Sequence[str], wide: bool) -> list[str]:
    """Say what a row and a place are, what an interval is, and of a wide table which columns had no room."""
    hidden = hidden if wide else []
    shared = next((row for row in group.ranked if row.rank != row.last), None)
    has_ratios = not any(head.endswith(" base") for head in hidden)
    bounded = has_ratios and any(row.to_baseline and row.to_baseline.interval for row in group.measured)
    borrowed = has_ratios and any(row.borrowed_baseline for row in group.measured)
    roles = {row.role for row in group.measured}
    told = [
        say("all-builds" if wide else "fastest-builds") if group.folds else "",
        say("shared-place", row=shared) if shared else "",
        say("in-brackets") if bounded else "",
        BORROWED if borrowed else "",
    ]
    parts = [told, [say(f"role-{role.name.lower()}") for role in _ROLES if role in roles]]
    lines = [f"{'; '.join(filter(None, part))}." for part in parts if any(part)]
    return lines + ([say("too-narrow", hidden=hidden)] if hidden else [])


def _grid(group: Group, console: Console, wide: bool) -> Grid:
    """Make the table; columns with nothing to say are left out."""
    plain = console.options.ascii_only
    look = Look(units.time_unit(s.spread.median for s in group.measured if s.spread), plain)
    longest = max((s.spread.median for s in group.measured if s.spread), default=0.0)
    several = len({s.toolchain for s in group.measured}) > 1

    def bar(s: Standing) -> Text:
        share = s.spread.median / longest if s.spread and longest else 0.0
        return Text(_bar(share, plain), style=_COLOURS[s.colour % len(_COLOURS)])

    bars: list[_Column] = [("", "l", 60 if wide else 40, bar)]
    columns: list[_Column] = [
        ("", "r", ALWAYS, lambda s: s.place),
        ("contender", "l", ALWAYS, lambda s: visible(s.label)),
        *([("toolchain", "l", 98, lambda s: visible(s.toolchain))] if several else []),
        *(bars if wide else []),
        *(
            (look.title(column), "r", column.keep, partial(column.text, look=look))
            for column in shown("wide" if wide else "terminal")
        ),
        *([] if wide else bars),
    ]
    heads, align, keep, cells = zip(*columns, strict=True)
    standings = group.measured if wide else _in_brief(group)
    rows = [[cell(standing) for cell in cells] for standing in standings]
    styles = ["dim" if s.role else "bold" if s.rank == 1 else "" for s in standings]
    grid = Grid(heads, rows, "".join(align), keep, styles)
    return grid.of([at for at in range(len(heads)) if any(row[at] for row in rows)])


def _bar(share: float, plain: bool) -> str:
    if plain:
        return "#" * round(share * _BAR)
    eighths = max(1, round(share * _BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].rstrip()


def _failures(group: Group, console: Console) -> Lines:
    """List what has no rank, and why: beside its name, or below it where a path would not fit.

    Rows that lack a library share one line.
    """
    missing, rest = skipped.parted(standing.row for standing in group.failed)
    left = {row.id for row in rest}
    cells = [_failure(standing) for standing in group.failed if standing.row.id in left]
    lines = [Text.assemble(("skipped", "yellow"), f"  {missing.sentence}")] if missing else []
    return Lines(Text(), *([_listed(cells, console)] if cells else []), *lines)


def _listed(cells: Sequence[tuple[Text, Text, Text]], console: Console) -> Table | Lines:
    room = console.width - sum(max(len(line[at]) for line in cells) for at in (0, 1)) - 4
    if max(len(word) for _, _, detail in cells for word in ["", *str(detail).split()]) <= max(room, 1):
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, overflow="ellipsis")
        table.add_column(overflow="fold")
        for line in cells:
            table.add_row(*line)
        return table
    parts = [
        part
        for outcome, name, detail in cells
        for part in (Text("  ").join([outcome, name]), Padding(detail, (0, 0, 0, 2)))
    ]
    return Lines(*parts)


def _failure(standing: Standing) -> tuple[Text, Text, Text]:
    grave = standing.row.outcome in ("WRONG", "CRASHED", "TIMED OUT")
    return (
        Text(standing.outcome, style="bold red" if grave else "yellow"),
        Text(f"{visible(standing.label)}, {visible(standing.toolchain)}"),
        Text(visible(standing.row.detail), style="dim"),
    )


def _print_caveats(view: View, console: Console) -> None:
    """Print the gravest few; the rest is in the page and in the wide form."""
    caveats = summary.caveats(view)
    shown = caveats if len(caveats) <= _CAVEATS else caveats[: _CAVEATS - 1]
    if caveats:
        console.print()
    for caveat in shown:
        console.print(Text(f"warning: {unmarked(caveat)}", style="yellow"))
    if rest := len(caveats) - len(shown):
        console.print(Text(f"and {plural(rest, 'more warning')} with --wide", style="yellow"))


def _print_sentences(view: View, console: Console) -> None:
    for title, sentences in summary.everything(view):
        if sentences:
            console.print()
            console.print(Text(visible(title), style="bold"))
        print_indented(map(unmarked, sentences), console)
    notes = conditions.sentences(view.campaign)
    if notes:
        console.print()
    for note in notes:
        console.print(Text(unmarked(note), style="dim"))
    for warning in view.campaign.warnings:
        console.print(Text(f"warning: {visible(warning)}", style="yellow"))
