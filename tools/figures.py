"""Put the figures of a campaign into the documents: nobody types one.

    python tools/figures.py results/figures.json

writes docs/which.md (`headrace report --advice`), the table between the markers in README.md, the picture
docs/images/read_ints.svg, and docs/data/figures.json.gz: the results themselves, with every sample, from
which all of it can be made again. `make figures` runs the campaign first. Without a file, the stored results
are used. Titles, questions, notes and the words of findings are always those of benchmarks/ as it is now;
what was measured stays as it is.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "lab"))

from headrace.base.errors import HeadraceError  # noqa: E402
from headrace.judge.stored import load  # noqa: E402 (found by the line above)
from headrace.matrix import benchmarks  # noqa: E402
from headrace.report import advice, chart, svg  # noqa: E402
from headrace.report.view import View  # noqa: E402
from headrace.results.schema import BenchmarkInfo, Campaign  # noqa: E402

STORED = TOP / "docs" / "data" / "figures.json.gz"
PAGE = TOP / "docs" / "which.md"
README = TOP / "README.md"
PICTURE = TOP / "docs" / "images" / "read_ints.svg"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
PICTURED = "read_ints"


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
            return svg.standalone(chart.charts(group, view.campaign)[0])
    sys.exit(f"figures: the campaign has no {PICTURED}; run it with that benchmark")


def main() -> None:
    """Load the campaign and write all four."""
    parser = argparse.ArgumentParser(description="Put the figures of a campaign into the documents.")
    parser.add_argument(
        "results", type=Path, nargs="?", default=STORED, help="a results file (.json, .json.gz)"
    )
    try:
        campaign = described(load(parser.parse_args().results))
        view = View(campaign)
        text = readme(README.read_text(encoding="utf-8"), view)
        drawn = picture(view)
        README.write_text(text, encoding="utf-8")
        PAGE.write_text(advice.text([view]), encoding="utf-8")
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_text(drawn, encoding="utf-8")
        STORED.parent.mkdir(parents=True, exist_ok=True)
        STORED.write_bytes(stored(campaign))
    except (HeadraceError, OSError) as error:
        sys.exit(f"figures: {error}")
    for path in (README, PAGE, PICTURE, STORED):
        print(f"wrote {path.relative_to(TOP)}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
