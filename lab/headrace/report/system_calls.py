"""System calls as people read them: by name per MiB, sizes as a histogram, on a terminal and on the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from markupsafe import Markup
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from headrace.base import units
from headrace.base.text import visible
from headrace.explain.trace import calls_a_mib
from headrace.report import ranking
from headrace.results.schema import Campaign, Row, SystemCalls

if TYPE_CHECKING:
    from headrace.explain.explainer import Explanation

MOST = 6  # names shown


def names(calls: SystemCalls) -> str:
    """List the commonest calls: "1,048,592 write, 257 read per MiB"."""
    by_count = sorted(calls_a_mib(calls).items(), key=lambda item: -item[1])
    if not by_count:
        return "none after its start"
    listed = [f"{units.rough_count(number)} {visible(name)}" for name, number in by_count[:MOST]]
    return f"{', '.join(listed)}{', and others' if len(by_count) > MOST else ''} per MiB"


def sizes(histogram: Mapping[int, int]) -> str:
    """Write a histogram of sizes: "1 B: 65,536; up to 4 KiB: 12"; calls that met the end of input go last."""
    ranges = [f"{_range(size)}: {units.count(number)}" for size, number in sorted(histogram.items()) if size]
    if histogram.get(0):
        ranges.append(f"nothing: {units.count(histogram[0])}")
    return "; ".join(ranges)


def _range(upper: int) -> str:
    return f"{upper} B" if upper <= 2 else f"up to {units.memory(upper).replace('.0 ', ' ')}"


def traced_on(calls: SystemCalls, row: Row) -> str:
    """Say what was traced: with which tool, on how much."""
    text = f"{calls.tool} of {units.memory(calls.moved)}" if calls.moved else calls.tool
    if not calls.complete:
        return f"{text}, then cut short"
    return f"{text} instead of {units.memory(row.input_bytes)}" if row.input_bytes > calls.moved else text


def render(
    explanations: Sequence[Explanation],
    campaign: Campaign,
    remarks: Sequence[str],
    console: Console,
    asked: Sequence[str] = (),
) -> None:
    """Print each row's cause and counts, the slowest last.

    Contenders that were `asked` for come first, then what they compare with: baseline, limit, floor.
    """
    rows = {row.id: row for row in campaign.rows}
    short = ranking.short_toolchains(row.toolchain for row in campaign.rows)
    for group in ranking.groups(campaign):
        console.print(Text(f"\n{visible(group.title)}", style="bold"))
        ids = {standing.row.id for standing in [*group.measured, *group.failed]}
        members = [why for why in explanations if why.id in ids]
        info = group.benchmark
        order = [*asked, info.baseline, info.limit, info.floor] if asked else []
        for why in sorted(members, key=lambda why: (_place(why.contender, order), why.cpu_ratio or 0.0)):
            _print(why, rows[why.id], short[why.toolchain], console)
    for remark in remarks:
        console.print(Text(visible(remark), style="yellow"))


def _place(contender: str, order: Sequence[str]) -> int:
    return order.index(contender) if contender in order else len(order)


def _print(why: Explanation, row: Row, toolchain: str, console: Console) -> None:
    ratio = (
        "" if why.cpu_ratio is None else f", {units.ratio(why.cpu_ratio)} times the baseline's processor time"
    )
    role = ", the baseline" if why.is_baseline else ratio
    heading = Text(visible(row.label), style="bold")
    level = f" {row.level}" if row.level not in ("", "-O2") else ""
    console.print(heading + Text(f" ({visible(toolchain)}{level}){role}", style="dim"))
    if why.cause:
        console.print(Padding(Text(visible(why.cause)), (0, 0, 0, 2)))
    for line in [*filter(None, [why.time]), *_details(why, row)]:
        console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))


def _details(why: Explanation, row: Row) -> list[str]:
    calls = row.system_calls
    if calls is None:
        return []
    lines = [f"{names(calls)} ({traced_on(calls, row)})"]
    for verb, histogram in (("reads", calls.read_sizes), ("writes", calls.write_sizes)):
        if histogram:
            lines.append(f"{verb} {sizes(histogram)}")
    if why.faults or why.switches:
        faults, switches = map(units.rough_count, (why.faults, why.switches))
        lines.append(f"{faults} page faults, {switches} context switches per MiB")
    return lines


# The page: a table of the counts, each row's histograms drawn.

_STEP = 7  # pixels a power of two
_TALL = 16  # pixels of the largest bar
_POWERS = 23  # 1 B to 4 MiB


def counted(members: Sequence[ranking.Group]) -> list[list[str]]:
    """List the rows whose calls were counted, each kind of build and route once.

    A row holds contender, toolchain, route, calls, sizes of reads and of writes, page faults, switches, and
    what was traced.
    """
    kinds: dict[tuple[str, str, str], list[str]] = {}
    for group in members:
        for row in [*group.measured, *group.failed]:
            calls = row.row.system_calls
            if calls is None or row.row.twin_of:
                continue
            key = (visible(row.label), visible(row.toolchain), f"{group.source} to {group.sink}")
            reads, writes = _drawn(calls.read_sizes), _drawn(calls.write_sizes)
            faults = _middle([sample.minor_faults + sample.major_faults for sample in row.row.samples])
            switches = _middle([sample.voluntary_switches for sample in row.row.samples])
            told = [names(calls), reads, writes, faults, switches, traced_on(calls, row.row)]
            kinds.setdefault(key, [*key, *told])
    return list(kinds.values())


def _middle(numbers: Sequence[int]) -> str:
    return units.count(round(median(numbers))) if numbers else ""


def _drawn(histogram: Mapping[int, int]) -> Markup:
    """Draw sizes from 1 B to 4 MiB along x and numbers of calls by their logarithm; in words, too."""
    if not histogram:
        return Markup("")
    most = math.log2(1 + max(histogram.values()))
    bars = "".join(
        f"M{_STEP * min(_POWERS, size.bit_length() - 1) + _STEP / 2:g} {_TALL}"
        f"v-{max(1.0, _TALL * math.log2(1 + number) / most):.1f}"
        for size, number in sorted(histogram.items())
        if size
    )
    drawing = Markup('<svg class="sizes" aria-hidden="true"><path d="{}"/></svg> <small>{}</small>')
    return drawing.format(bars, sizes(histogram))
