"""The command `headrace history`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headrace import MARGIN
from headrace.base import ctrl_c, places, units
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.names import is_named, unknown
from headrace.base.text import plural, visible
from headrace.commands.options import Json, console
from headrace.history import settings
from headrace.history.index import Index, Point, Question, Series, rebuilt
from headrace.report.grid import Grid

if TYPE_CHECKING:
    from headrace.history.picture import Line as Drawn
    from headrace.history.trend import Change

RESULTS = Path("results")

IndexFile = Annotated[
    Path | None,
    typer.Option("--index", help="The index file. Default: $HEADRACE_HISTORY, or results/history.sqlite."),
]
Host = Annotated[str, typer.Option(help="Only machines whose name begins with this.")]
Since = Annotated[str, typer.Option(help="Only from this time on, such as 2026-11 or 2026-11-22T10.")]
Until = Annotated[str, typer.Option(help="Only up to this time.")]
Commit = Annotated[str, typer.Option(help="Only commits that begin with this.")]


def register(app: typer.Typer) -> None:
    """Add the command and its parts to the command line."""
    app.callback(epilog="Example: headrace history add results/*.json")(history)
    app.command("add", epilog="Example: headrace history add results/*.json")(add)
    app.command("list", epilog="Example: headrace history list --since 2026-11")(list_)
    app.command("show", epilog="Example: headrace history show read_ints --contender 'headrace_*'")(show)
    app.command("rebuild", epilog="Example: headrace history rebuild")(rebuild)


def history() -> None:
    """Keep an index of results files, and show what changed across dates, commits and compilers."""


def add(
    files: Annotated[list[Path], typer.Argument(help="Results files.")],
    index: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Add results files to the index. Files already in it are skipped; edited ones are read again."""
    with ctrl_c.loading():
        from headrace.judge.table import load

    place = index or settings.index_file()
    opened: Index | None = None
    counts = {"added": 0, "known": 0, "read again": 0}
    faults = []
    for file in files:
        try:
            campaign = load(file)
        except BadInput as error:
            faults.append(str(error))
            continue
        try:
            opened = opened or Index(place)  # now: where no file can be read, none is made
            counts[opened.add_read(file, campaign)] += 1
        except BadInput as error:  # of the index, and so the same for those that follow
            faults.append(str(error))
            break
    summary = ", ".join(f"{number} {word}" for word, number in counts.items() if number) or "nothing added"
    if as_json:
        print(json.dumps({"index": str(place), **counts, "faults": faults}, indent=1))
    else:
        print(f"{place}: {summary}")
    if faults:
        raise BadInput("\n".join(faults))


def list_(
    benchmark: Annotated[str, typer.Option(help="Only campaigns of this benchmark.")] = "",
    host: Host = "",
    since: Since = "",
    until: Until = "",
    commit: Commit = "",
    failed: Annotated[
        bool, typer.Option("--failed", help="Only campaigns with a row that gave no right answer.")
    ] = False,
    most: Annotated[int, typer.Option(min=1, help="How many to show, newest first.")] = 20,
    index: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Show campaigns, the newest first."""
    with _existing(index) as opened:
        question = Question(benchmark, host, since, until, commit, failed)
        found = opened.campaigns(question, most)
        gone = opened.check(entry.file for entry in found)
        if as_json:
            print(json.dumps([asdict(entry) | {"file": str(entry.file)} for entry in found], indent=1))
            return
        if not found:
            raise NothingToDo(f"no campaign in {opened.file} matches; headrace history list shows the newest")
        titles = ["started", "commit", "host", "machine", "benchmarks", "failed", "file"]
        rows = [
            [
                entry.started[:16],
                entry.revision[:9],
                entry.host,
                entry.machine,
                (entry.benchmarks or "").replace(",", ", "),
                str(entry.failed or ""),
                f"{entry.file}{' (gone)' * (entry.file in gone)}",
            ]
            for entry in found
        ]
        _print_table(titles, rows, "lllllrl")


def show(
    benchmark: Annotated[str, typer.Argument(help="The benchmark.")],
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these contenders; patterns such as headrace_* work.")
    ] = None,
    toolchain: Annotated[
        list[str] | None, typer.Option(help="Only these toolchains; patterns such as g++* work.")
    ] = None,
    host: Host = "",
    since: Since = "",
    until: Until = "",
    svg: Annotated[Path | None, typer.Option(help="Draw the ratios over time to this SVG file.")] = None,
    index: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Show the ratios to the baseline over time, series by series, and where they changed.

    Changes are found among campaigns that ran apart: suspicions, until headrace compare runs both sides.
    """
    with ctrl_c.loading():
        from headrace.history import picture, trend

    with _existing(index) as opened:
        question = Question(benchmark, host, since, until)
        wanted = _wanted(opened, benchmark, host, contender or [], toolchain or [])
        found = opened.points([number for number, _ in wanted], question)
        lines = [
            (series, points) for (_, series), points in zip(wanted, found, strict=True) if points.ratios.any()
        ]
        if not lines:
            raise NothingToDo(
                f"no row of {benchmark} in {opened.file} matches and has a ratio to the baseline"
            )
        drawn = [picture.Line(series, points, trend.changes(points.ratios)) for series, points in lines]
        shown = [line.points[at] for line in drawn for at in (0, -1)]
        shown += [point for line in drawn for change in line.changes for point in _sides(line, change)]
        opened.check(point.file for point in shown)
        if svg:
            places.write_whole(svg, picture.draw(benchmark, drawn).encode())
        if as_json:
            _print_json(drawn)
        else:
            _print(drawn)
            if svg:
                print(f"drawn: {svg}")


def rebuild(
    folder: Annotated[
        Path, typer.Argument(help="Folder that holds the results files, at any depth.")
    ] = RESULTS,
    index: IndexFile = None,
    as_json: Json = False,
) -> None:
    """Rebuild the index from the files that are there. The old index stays until the new one is complete."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder; name the one with the results files")
    file = index or settings.index_file()
    files = [path for ending in ("json", "json.gz") for path in folder.rglob(f"*.{ending}")]
    count, left_out = rebuilt(file, sorted(files))
    if as_json:
        print(json.dumps({"index": str(file), "campaigns": count, "left out": left_out}, indent=1))
        return
    print(f"{file}: {plural(count, 'campaign')}")
    for sentence in left_out:
        print(f"left out: {sentence}")


def _existing(index: Path | None) -> Index:
    file = index or settings.index_file()
    if not file.exists():
        raise BadInput(f"there is no index {file}; headrace history add results/*.json makes one")
    return Index(file)


def _wanted(
    index: Index, benchmark: str, host: str, contenders: Sequence[str], chains: Sequence[str]
) -> list[tuple[int, Series]]:
    known = index.benchmarks()
    if benchmark not in known:
        raise BadInput(unknown("benchmark", benchmark, known))
    return [
        (number, series)
        for number, series in index.series(benchmark, host)
        if (
            not contenders
            or is_named(series.name, contenders)
            or is_named(series.name.split()[0], contenders)
        )
        and (not chains or is_named(series.toolchain, chains))
    ]


def _print(lines: Sequence[Drawn]) -> None:
    rows = []
    for line in lines:
        series, compared = line.series, line.points.ratios.nonzero()[0]
        ratios = line.points.ratios[compared]
        first, last = (line.points[int(compared[at])] for at in (0, -1))
        build = " ".join(
            word for word in (series.toolchain, series.optimisation, series.route, series.setting) if word
        )
        rows.append(
            [
                series.name,
                build,
                series.host,
                str(len(ratios)),
                f"{first.started[:10]} to {last.started[:10]}",
                f"{units.ratio(ratios.min())} to {units.ratio(ratios.max())}",
                last.text,
                str(len(line.changes) or ""),
            ]
        )
    titles = ["contender", "build", "host", "campaigns", "from", "x baseline", "the newest", "changes"]
    _print_table(titles, rows, "lllrlllr")
    gates = []
    for line in lines:
        for change in line.changes:
            gates.append(_gate(line, change))
            print("\n".join(visible(text) for text in (_sentence(line, change), gates[-1]) if text))
    if gates:
        way = ": these commands run both sides of a change, interleaved" if any(gates) else ""
        lacking = "" if all(gates) else "; of imported ones headrace has no build to run again"
        print(f"Campaigns that ran apart are not paired{way}{lacking}.")


def _sides(line: Drawn, change: Change) -> tuple[Point, Point]:
    """Return the last point with a ratio before a change, and the first after it."""
    before = change.at - 1
    while not line.points.ratios[before]:
        before -= 1
    return line.points[before], line.points[change.at]


def _gate(line: Drawn, change: Change) -> str:
    """Return the command that runs the builds on both sides of a change again; "" of imported campaigns.

    Those have ratios without bounds, and no builds.
    """
    sides = _sides(line, change)
    if not all(point.low and point.high for point in sides):
        return ""
    files = [str(point.file) for point in sides]
    contender = line.series.name.split()[0]
    words = ["headrace", "compare", *files, "--fail-if-slower", f"{MARGIN:.0%}", "--contender", contender]
    return shlex.join(words)


def _sentence(line: Drawn, change: Change) -> str:
    before, after = _sides(line, change)
    also = ""
    if after.revision != before.revision:
        also += f", commit {before.revision[:9]} to {after.revision[:9]}"
    if after.compiler != before.compiler:
        also += f", compiler {before.compiler} to {after.compiler}"
    return (
        f"{line.series.name}, {line.series.toolchain}: {units.ratio(change.before)} until "
        f"{before.started[:16]}, {units.ratio(change.after)} from {after.started[:16]} on "
        f"({units.ratio(change.factor)} times{also})"
    )


def _print_json(lines: Sequence[Drawn]) -> None:
    """Print one series after another, with a line for each point: there may be millions."""
    for line in lines:
        changes = [
            asdict(change) | {"factor": change.factor, "command": _gate(line, change)}
            for change in line.changes
        ]
        head = json.dumps(asdict(line.series) | {"changes": changes}, indent=1)
        points = (json.dumps(point._asdict() | {"file": str(point.file)}) for point in line.points)
        print("[" if line is lines[0] else ",", head.removesuffix("\n}"), sep="\n", end=',\n "points": [\n  ')
        print(",\n  ".join(points), "]}", sep="\n ")
    print("]")


def _print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> None:
    """Print a table of texts that an index has: it may be older than what a results file is read by."""
    console().print(Grid(titles, [[visible(cell) for cell in row] for row in rows], align).terminal())
