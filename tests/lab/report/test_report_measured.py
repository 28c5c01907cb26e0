"""Every view of what `measure` itself gives: simulated programs of known speed, the judge's own places."""

from __future__ import annotations

import csv as standard_csv
import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from rich.console import Console

import synthetic
from headrace.measure.campaign import measure
from headrace.measure.plan import Entry, Plan
from headrace.report import advice, conditions, csv, lane_chart, markdown, page, ranking, summary, terminal
from headrace.report.plain_data import as_data
from headrace.report.view import View
from headrace.results.failure import Failure
from headrace.results.schema import (
    BenchmarkInfo,
    Campaign,
    Finding,
    Machine,
    Role,
    Row,
    Sample,
    ToolchainInfo,
    row_id,
)

CHAIN = "g++/libstdc++/linux"
TRUE = {"base": 0.100, "quick": 0.020, "same": 0.020, "slow": 3.0, "nothing": 0.001}  # seconds
ROUNDS = 24


def program(name: str, rng: np.random.Generator) -> Callable[[int], Sample | Failure]:
    """A run of a program: its true time, a per cent of noise, and a neighbour who comes and goes."""
    runs = 0

    def run(layout: int) -> Sample | Failure:
        nonlocal runs
        runs += 1
        if name == "liar" and runs > 5:
            return Failure("WRONG", "expected 7, got 8")
        wall = TRUE.get(name, 0.05) * float(rng.lognormal(0, 0.01)) * (1.3 if runs % 12 < 2 else 1.0)
        return Sample(round=0, wall=wall, user=wall * 0.9, system=wall * 0.1, peak_memory=4096)

    return run


def row(name: str) -> Row:
    return synthetic.a_row(
        name,
        id=row_id("task", name, {}, CHAIN, "O2", "file:null"),
        benchmark="task",
        toolchain=CHAIN,
        tokens=1000,
        input_bytes=2**20,
        role=Role.FLOOR if name == "nothing" else Role.CONTENDER,
    )


@pytest.fixture(scope="module")
def measured() -> Campaign:
    rng = np.random.default_rng(5)
    base = row("base").id
    entries = [
        Entry(row(name), program(name, rng), None if name == "base" else base, name != "nothing")
        for name in [*TRUE, "liar"]
    ]
    found = measure(entries, Plan(rounds=ROUNDS, seed=3, findings=((row("quick").id, base),)))
    info = BenchmarkInfo(
        name="task",
        title="A task",
        question="?",
        kind="process",
        baseline="base",
        floor="nothing",
        findings=[Finding(a="quick", b="base", says="a better loop")],
    )
    return Campaign(
        headrace_version="0",
        started="2026-11-20T09:30:00+00:00",
        machine=Machine(cpu="A CPU", cores=2),
        toolchains=[
            ToolchainInfo(name=CHAIN, compiler="g++", version="12", library="libstdc++", target="linux")
        ],
        benchmarks=[info],
        rows=found.rows,
        noise=found.noise,
        warnings=found.warnings,
    )


def test_places_are_the_judges_and_true(measured: Campaign) -> None:
    (group,) = ranking.groups(measured)
    places = {one.label: one.place for one in group.measured if one.role != "A/A"}
    assert places == {"nothing": "floor", "quick": "1-2", "same": "1-2", "base": "3", "slow": "4"}
    assert [one.problem for one in group.failed] == ["WRONG: expected 7, got 8"]
    for one in group.ranked:
        assert (one.rank, one.last) == (one.row.judged.first, one.row.judged.last) != (0, 0)
        said = {found.other: found.ratio for found in one.row.comparisons if found.metric == "wall"}
        if one.label != "base":
            assert one.to_baseline is not None and said[row("base").id] == one.to_baseline.value
            assert one.to_baseline.value == pytest.approx(TRUE[one.label] / TRUE["base"], rel=0.03)


def test_sentences_say_what_is_true(measured: Campaign) -> None:
    (group,) = ranking.groups(measured)
    said = " ".join(summary.sentences(group, measured))
    assert "`quick`" in said and "`same`" in said and "Without a place: WRONG: `liar`" in said
    assert re.search(r"a better loop makes it (4\.[89]|5\.[012])\d* times as fast", said), said
    assert summary.verdict(group, measured).startswith("`quick` and `same` may each be the fastest") or (
        summary.verdict(group, measured).startswith("`same` and `quick` may each be the fastest")
    )
    trusted = " ".join(conditions.sentences(measured))
    assert "The A/A pair" in trusted and "runs were disturbed" in trusted


def test_every_view_has_every_row_and_sample(measured: Campaign) -> None:
    (group,) = ranking.groups(measured)
    output = Console(file=io.StringIO(), width=200)
    terminal.render(View(measured), output)
    text = output.file.getvalue()  # type: ignore[attr-defined]
    views = [text, markdown.text([View(measured)]), page.html([View(measured)])]
    for one in [*group.measured, *group.failed]:
        assert all(one.label in view for view in views), one.label
    rows = list(standard_csv.DictReader(io.StringIO(csv.text([View(measured)]))))
    assert len(rows) == len(measured.rows)
    samples = {one["contender"]: int(one["samples"]) for one in rows}
    assert samples["quick"] == ROUNDS and samples["slow"] == ROUNDS
    data = as_data(View(measured))["rankings"][0]
    assert {one["id"]: one["to_baseline"] for one in data["rows"] if one.get("to_baseline")}.keys() == {
        one.row.id for one in group.measured if one.to_baseline
    }
    drawn = lane_chart.charts(group, measured)[0]
    lanes = [lane for _, lanes in drawn.categories for lane in lanes]
    assert {len(lane.standing.row.samples) for lane in lanes} == {ROUNDS}
    assert drawn.axis.is_log and drawn.start < TRUE["nothing"] and drawn.end > TRUE["slow"]


def test_advice_from_it_is_true(measured: Campaign) -> None:
    text = advice.text([View(measured)]).replace("\N{NO-BREAK SPACE}", " ")
    first, second = re.findall(r"\*\*Use\*\* `(\w+)`|May be as fast here: `(\w+)`", text)
    assert {first[0], second[1]} == {"quick", "same"}
    assert re.search(r"\*\*Avoid\*\* `slow`: 1[45]\d", text)


def test_a_start_that_takes_most_of_the_time_is_said(measured: Campaign) -> None:
    (group,) = ranking.groups(measured)
    assert not any("starting a process" in one for one in summary.sentences(group, measured))

    def slower(row: Row, factor: int) -> Row:
        if row.contender != "nothing":
            return row
        samples = [one.model_copy(update={"wall": one.wall * factor}) for one in row.samples]
        return row.model_copy(update={"samples": samples})

    for factor, pattern in (
        (15, r"7\d\.\d % of that is starting a process \(`nothing`, 1[456]\.\d ms\)"),
        (40, r"All of that is starting a process \(`nothing`, 4\d\.\d ms\)"),  # no faster than to do nothing
    ):
        short = measured.model_copy(update={"rows": [slower(row, factor) for row in measured.rows]})
        said = summary.sentences(ranking.groups(short)[0], short)
        (sentence,) = [one for one in said if "starting a process" in one]
        assert re.match(pattern, sentence), sentence


def test_rows_of_few_samples_are_counted(measured: Campaign) -> None:
    assert not any("fewer than 6 samples" in one for one in conditions.sentences(measured)[:2])
    cut = [
        row.model_copy(update={"samples": row.samples[:3]}) if row.contender == "slow" else row
        for row in measured.rows
        if row.outcome == "ok"
    ]
    said = conditions.sentences(measured.model_copy(update={"rows": cut}))
    assert any(one.startswith(f"1 row of {len(cut)} has fewer than 6 samples") for one in said), said
    every = [row.model_copy(update={"samples": row.samples[:3]}) for row in cut]
    assert not any(
        "fewer than 6" in one for one in conditions.sentences(measured.model_copy(update={"rows": every}))
    )
