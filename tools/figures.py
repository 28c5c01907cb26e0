"""Put the figures of a campaign into the documents: nobody types one.

    python tools/figures.py results/figures.json

writes docs/which.md (`headrace report --advice`), the table between the markers in README.md, the picture
docs/images/read_ints.svg, and docs/data/figures.json.gz: the results themselves, with every sample, from
which all of it can be made again. `make figures` runs the campaign first. Without a file, the stored results
are used.

    python tools/figures.py --newest results/newest-*.json

puts what newer compilers and standard libraries change at the end of docs/which.md, and stores it beside, as
docs/data/newest-BENCHMARK.json.gz, in place of earlier ones. `make figures-newest` runs the
campaigns first.

Titles, questions, notes and the words of findings are always those of benchmarks/ as it is now; what was
measured stays as it is.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "lab"))

from headrace.base import units  # noqa: E402
from headrace.base.errors import BadInput, HeadraceError  # noqa: E402
from headrace.judge.table import load  # noqa: E402 (found by the line above)
from headrace.matrix import benchmarks  # noqa: E402
from headrace.report import advice, lane_chart, svg  # noqa: E402
from headrace.report.grid import Grid, escaped  # noqa: E402
from headrace.report.ranking import Group  # noqa: E402
from headrace.report.view import View  # noqa: E402
from headrace.results.schema import BenchmarkInfo, Campaign  # noqa: E402

DATA = TOP / "docs" / "data"
STORED = DATA / "figures.json.gz"
PAGE = TOP / "docs" / "which.md"
README = TOP / "README.md"
PICTURE = TOP / "docs" / "images" / "read_ints.svg"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
PICTURED = "read_ints"
CHANGED = 1.5  # times as long or as fast: what a newer compiler or library changes is said from here on


def described(campaign: Campaign) -> Campaign:
    """Describe the benchmarks in the words of today's benchmark.toml, where they are still here."""
    here = benchmarks.known()
    infos = [_described(info) if info.name in here else info for info in campaign.benchmarks]
    return campaign.model_copy(update={"benchmarks": infos})


def _described(info: BenchmarkInfo) -> BenchmarkInfo:
    today = benchmarks.find(info.name).info()
    notes = {name: today.contenders.get(name, note) for name, note in info.contenders.items()}
    says = {(one.a, one.b, one.compare): one.says for one in today.findings}
    findings = [
        one.model_copy(update={"says": says.get((one.a, one.b, one.compare), one.says)})
        for one in info.findings
    ]
    words = {"title": today.title, "question": today.question, "explanation": today.explanation}
    return info.model_copy(update={**words, "contenders": notes, "findings": findings})


def stored(campaign: Campaign) -> bytes:
    """Give what is kept of a campaign: all but paths, and the contenders' sources, which are in the tree.

    Of the environment, what names no place; the options that were asked for are for going on on that machine.
    """
    infos = [info.model_copy(update={"sources": {}}) for info in campaign.benchmarks]
    toolchains = [one.model_copy(update={"compiler": Path(one.compiler).name}) for one in campaign.toolchains]
    rows = [row.model_copy(update={"command": []}) for row in campaign.rows]
    environment = {name: value for name, value in campaign.run.environment.items() if "/" not in value}
    run = campaign.run.model_copy(update={"environment": environment, "asked": {}})
    kept = {"benchmarks": infos, "toolchains": toolchains, "rows": rows, "run": run}
    text = campaign.model_copy(update=kept).model_dump_json()
    return gzip.compress(text.encode(), 9, mtime=0)


def readme(before: str, view: View) -> str:
    """Put the table and where it comes from between the markers of the README."""
    head, found, rest = before.partition(BEGIN)
    _, closed, tail = rest.partition(END)
    if not found or not closed:
        sys.exit(f"figures: {README.name} has no {BEGIN} ... {END} to put the table into")
    table = "\n".join(advice.overview(view, brief=True))
    trust = f"[How far to trust this](docs/{PAGE.name}#how-far-to-trust-this)."
    mean = advice.overall(view)
    table += f"\n\n{mean}" if mean else ""
    return f"{head}{BEGIN}\n{table}\n\nMeasured on {advice.origin(view.campaign)}. {trust}\n{END}{tail}"


def picture(view: View) -> str:
    """Draw the race that the README shows, all contenders of it."""
    for group in view.groups:
        if group.benchmark.name == PICTURED:
            return svg.standalone(lane_chart.charts(group, view.campaign)[0])
    sys.exit(f"figures: the campaign has no {PICTURED}; run it with that benchmark")


def stored_newest() -> list[Path]:
    """Return the stored campaigns with newer compilers."""
    return sorted(DATA.glob("newest-*.json.gz"))


def newest_name(campaign: Campaign) -> str:
    """Return how a campaign with newer compilers is stored: by its benchmarks."""
    return f"newest-{'-'.join(info.name for info in campaign.benchmarks)}.json.gz"


def store_newest(campaigns: Sequence[Campaign], folder: Path) -> None:
    """Let a folder have these campaigns with newer compilers and no others. Raises BadInput."""
    kept = {folder / newest_name(campaign): campaign for campaign in campaigns}
    if len(kept) < len(campaigns):
        raise BadInput("two results files with newer compilers are of the same benchmark; name one of them")
    for path, campaign in kept.items():
        path.write_bytes(stored(campaign))
    for path in {*folder.glob("newest-*.json.gz")} - kept.keys():
        path.unlink()


def newest(campaigns: Sequence[Campaign]) -> str:
    """Make the section on newer compilers: a table for each ranking, of the ways by the toolchains."""
    if not campaigns:
        return ""
    lines = ["", "## What newer compilers and standard libraries change", ""]
    lines += [
        "Medians per token; each way by each toolchain, from fast to slow by its best. Below a table is what "
        f"a newer release makes {CHANGED} times as fast or slow, or more.",
        "",
    ]
    for campaign in campaigns:
        lines += [f"**Measured on:** {advice.origin(campaign)}.", ""]
        for group in View(campaign).groups:
            lines += [f"### {escaped(group.benchmark.title)}: {group.source} to {group.sink}", ""]
            lines += [*_by_toolchain(group), ""]
    return "\n".join([*lines[:-1], ""])


def _by_toolchain(group: Group) -> list[str]:
    """Make a table of medians, from fast to slow; those of a token where they have some."""
    times: dict[str, dict[str, float]] = {}
    for standing in group.ranked:
        tokens = standing.row.tokens if standing.row.tokens > 1 else 1
        if standing.spread:
            times.setdefault(standing.label, {})[standing.toolchain] = standing.spread.median / tokens
    chains = sorted({chain for of_way in times.values() for chain in of_way})
    rows = [
        [f"`{label}`", *(units.one_time(of_way[chain]) if chain in of_way else "" for chain in chains)]
        for label, of_way in sorted(times.items(), key=lambda way: min(way[1].values()))
    ]
    table = Grid(["way", *map(escaped, chains)], rows, "l" + "r" * len(chains)).markdown(str)
    changes = [text for label, of_way in times.items() for text in _changes(label, of_way)]
    return [*table, "", f"Newer releases: {'; '.join(changes)}."] if changes else table


def _changes(label: str, medians: Mapping[str, float]) -> list[str]:
    """Say where a way is CHANGED times as fast or slow with a compiler's newest release as with the first."""
    releases: dict[str, list[tuple[int, str]]] = {}
    for chain in medians:
        if named := re.fullmatch(r"(.+)-(\d+)(/.+)", chain):
            releases.setdefault(named[1] + named[3], []).append((int(named[2]), chain))
    said = []
    for chains in releases.values():
        older, newer = min(chains)[1], max(chains)[1]
        ratio = medians[newer] / medians[older]
        if max(ratio, 1 / ratio) >= CHANGED:
            verb = "is {} times as fast" if ratio < 1 else "takes {} times as long"
            factor = verb.format(units.three_digits(max(ratio, 1 / ratio)))
            said.append(f"`{label}` {factor} with {escaped(newer)} as with {escaped(older)}")
    return said


def main() -> None:
    """Load the campaigns and write all that is made of them."""
    parser = argparse.ArgumentParser(description="Put the figures of a campaign into the documents.")
    parser.add_argument("--newest", type=Path, nargs="+", default=stored_newest(), metavar="RESULTS")
    parser.add_argument(
        "results", type=Path, nargs="?", default=STORED, help="a results file (.json, .json.gz)"
    )
    try:
        given = parser.parse_args()
        campaign = described(load(given.results))
        others = sorted((described(load(file)) for file in given.newest), key=newest_name)
        view = View(campaign)
        text = readme(README.read_text(encoding="utf-8"), view)
        drawn = picture(view)
        DATA.mkdir(parents=True, exist_ok=True)
        store_newest(others, DATA)
        README.write_text(text, encoding="utf-8")
        PAGE.write_text(advice.text([view]) + newest(others), encoding="utf-8")
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_text(drawn, encoding="utf-8")
        STORED.write_bytes(stored(campaign))
    except (HeadraceError, OSError) as error:
        sys.exit(f"figures: {error}")
    for path in (README, PAGE, PICTURE, STORED):
        print(f"wrote {path.relative_to(TOP)}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
