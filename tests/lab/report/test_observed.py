"""Observations: what arrives in which order, and whether that is the recorded one."""

from __future__ import annotations

import csv as csv_module
import io
from pathlib import Path

import pytest
from rich.console import Console

from headrace.matrix.benchmarks import find
from headrace.matrix.compilers import Toolchain
from headrace.race import options, race
from headrace.report import csv, markdown, observed, page, terminal
from headrace.report.plain_data import as_data
from headrace.report.view import View
from headrace.results.schema import Campaign
from headrace.results.store import load, save

pytestmark = pytest.mark.usefixtures("chains")
IN_ORDER = ["out 1", "err 1", "out 2", "err 2", "out 3", "err 3"]
ERRORS_FIRST = ["err 1", "err 2", "err 3", "out 1", "out 2", "out 3"]


def observe(chain: Toolchain, name: str, contenders: list[str]) -> Campaign:
    return race.run(options.RunOptions(benchmarks=[name], toolchains=[chain.name], contenders=contenders))


def seen(campaign: Campaign, contender: str, mode: str, sink: str) -> list[str]:
    rows = [
        row
        for row in campaign.rows
        if (row.contender, row.variant["MODE"], row.sink) == (contender, mode, sink)
    ]
    assert len(rows) == 1
    return rows[0].observed


@pytest.fixture(scope="module")
def campaign(chains: list[Toolchain]) -> Campaign:
    return observe(chains[0], "interleave", [])


def test_the_order_is_the_one_that_buffering_makes(campaign: Campaign) -> None:
    assert seen(campaign, "printf_fprintf", "as_is", "pty") == IN_ORDER
    assert seen(campaign, "printf_fprintf", "as_is", "pipe") == ERRORS_FIRST
    assert seen(campaign, "printf_fprintf", "line", "file") == IN_ORDER
    assert seen(campaign, "cout_cerr", "full", "file") == IN_ORDER
    assert seen(campaign, "cout_clog", "full", "pty") == ERRORS_FIRST
    assert [row.detail for row in campaign.rows if row.outcome != "ok"] == []
    assert not any(row.samples for row in campaign.rows)
    assert race.exit_code(campaign) == 0


def test_every_mode_arrives_at_every_sink(campaign: Campaign) -> None:
    (one,) = observed.observations(campaign)
    assert list(one.sinks) == ["pty", "file", "pipe"]
    assert len(one.lines) == len(find("interleave").contenders())
    assert all(cell is not None and cell.as_expected for line in one.lines for cell in line.cells)
    assert one.verdict == f"All {3 * len(one.lines)} orders are as recorded."


def test_table_and_page_show_orders_and_say_why(campaign: Campaign, tmp_path: Path) -> None:
    save(campaign, tmp_path / "results.json")
    again = load(tmp_path / "results.json")
    text = io.StringIO()
    terminal.render(View(again), Console(file=text, width=250))
    html = page.html([View(again)])
    for shown in (text.getvalue(), html):
        assert "out 1, err 1, out 2, err 2, out 3, err 3" in shown
        assert "err 1, err 2, err 3, out 1, out 2, out 3" in shown
        assert "orders are as recorded" in shown
        assert "unit-buffered" in shown and "tied" in shown
    assert "median" not in text.getvalue()
    assert "std::clog" in html


def test_markdown_csv_and_json_have_what_arrived(campaign: Campaign) -> None:
    text = markdown.text([View(campaign)])
    assert "| contender | toolchain | arrives at pty | arrives at file | arrives at pipe |" in text
    row = next(line for line in text.splitlines() if line.startswith("| printf\\_fprintf MODE=as\\_is |"))
    assert row.count(", ".join(IN_ORDER)) == 1 and row.count(", ".join(ERRORS_FIRST)) == 2
    assert "orders are as recorded" in text and "unit-buffered" in text
    lines = list(csv_module.DictReader(io.StringIO(csv.text([View(campaign)]))))
    assert len(lines) == len(campaign.rows)
    wanted = {"contender": "printf_fprintf", "settings": "MODE=as_is", "sink": "pipe"}
    (line,) = [line for line in lines if wanted.items() <= line.items()]
    assert (line["observed"], line["outcome"], line["median_s"]) == ("; ".join(ERRORS_FIRST), "ok", "")
    (data,) = as_data(View(campaign))["observations"]
    assert len(data["rows"]) == len(campaign.rows)
    assert data["rows"][0]["arrived"] == IN_ORDER


def test_another_order_than_the_recorded_is_marked(chain: Toolchain, tmp_path: Path) -> None:
    folder = tmp_path / "surprise"
    folder.mkdir()
    (folder / "one.cpp").write_text('#include <cstdio>\nint main() { std::puts("b\\na"); }\n')
    (folder / "benchmark.toml").write_text(
        """
title = "A surprise"
question = "?"
kind = "observation"
sources = ["none"]
sinks = ["pipe"]
baseline = "one"
answer = "output"
[input]
generator = "none"
answer = "a\\nb"
[[contender]]
name = "one"
"""
    )
    result = observe(chain, str(folder), [])
    (row,) = result.rows
    assert (row.outcome, row.observed, row.detail) == ("WRONG", ["b", "a"], "recorded is a, b")
    assert race.exit_code(result) == 1
    (one,) = observed.observations(result)
    assert one.verdict == "0 of 1 orders are as recorded; the others are marked."
    text = io.StringIO()
    terminal.render(View(result), Console(file=text, width=200))
    assert "b, a WRONG: recorded is a, b" in text.getvalue()
    assert "<strong>WRONG: recorded is a, b</strong>" in page.html([View(result)])
    assert "| **b, a WRONG: recorded is a, b** |" in markdown.text([View(result)])


def test_a_program_that_crashes_is_no_order(chain: Toolchain, tmp_path: Path) -> None:
    folder = tmp_path / "crash"
    folder.mkdir()
    (folder / "one.cpp").write_text("int main() { return 3; }\n")
    text = find("interleave").folder.joinpath("benchmark.toml").read_text().split("[[contender]]")[0]
    text = text.replace('"printf_fprintf"', '"one"') + '[[contender]]\nname = "one"\n'
    (folder / "benchmark.toml").write_text(text)
    result = observe(chain, str(folder), [])
    assert {row.outcome for row in result.rows} == {"CRASHED"}
    assert "ended with status 3" in result.rows[0].detail
