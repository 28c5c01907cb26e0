"""Tests of what is declared once: the columns of the tables, the roles of rows, the ends of routes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import synthetic
from headrace.base import units
from headrace.processes import routes
from headrace.report import columns, csv, markdown, page, terminal
from headrace.report.columns import COUNT, Column
from headrace.report.plain_data import as_data
from headrace.report.ranking import groups
from headrace.report.view import View
from headrace.results import store
from headrace.results.schema import Campaign, Role, role_of

FIGURES_OF_0_1_0 = (
    "median_s,median_low_s,median_high_s,min_s,mean_s,max_s,user_s,system_s,peak_memory_bytes,to_baseline,"
    "to_baseline_low,to_baseline_high,to_limit,tokens,system_calls"
)
JSON_OF_0_1_0 = {"median", "interval", "min", "max", "mean", "user", "system", "peak_memory", "to_baseline"}


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return synthetic.read_ints()


def test_a_new_column_is_shown_everywhere(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    new = Column("rounds", "runs of it", "how often it ran", COUNT, lambda standing: 4321, keep=99)
    monkeypatch.setattr(columns, "COLUMNS", (*columns.COLUMNS, new))
    out = io.StringIO()
    terminal.render(View(campaign), Console(file=out, width=200), wide=True)
    assert "runs of it" in out.getvalue() and "4,321" in out.getvalue()
    as_markdown, as_html = markdown.text([View(campaign)]), page.html([View(campaign)])
    assert "| runs of it |" in as_markdown and "| 4,321 |" in as_markdown
    assert "runs of it</th>" in as_html and "how often it ran" in as_html
    assert as_data(View(campaign))["rankings"][0]["rows"][0]["rounds"] == 4321
    head, first = csv.text([View(campaign)]).splitlines()[:2]
    assert first.split(",")[head.split(",").index("rounds")] == "4321"


def test_programs_find_the_columns_of_0_1_0_where_they_were(campaign: Campaign) -> None:
    assert f",{FIGURES_OF_0_1_0}," in csv.text([View(campaign)]).splitlines()[0]
    (entry, *_) = as_data(View(campaign))["rankings"][0]["rows"]
    assert JSON_OF_0_1_0 | {"to_limit", "samples", "place"} <= set(entry)


@pytest.mark.parametrize(("value", "text"), [(2.156, "2.16"), (999.994, "999.99"), (66318.29, "66,318")])
def test_a_time_per_token_has_the_digits_that_it_needs(value: float, text: str) -> None:
    assert columns.NANOSECONDS.text(value, columns.Look(units.time_unit([1.0]))) == text


def test_every_column_has_a_name_of_its_own_and_a_help() -> None:
    names = [name for column in columns.for_programs() for name in column.csv_names]
    assert len(names) == len(set(names))
    assert all(column.help for column in columns.COLUMNS)


def test_results_without_roles_show_the_same_table(campaign: Campaign, tmp_path: Path) -> None:
    data = json.loads(campaign.model_dump_json())
    for row in data["rows"]:
        del row["role"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps(data))
    info = campaign.benchmarks[0]
    stored = campaign.model_copy(
        update={"rows": [row.model_copy(update={"role": role_of(row, info)}) for row in campaign.rows]}
    )
    new = tmp_path / "new.json"
    store.save(stored, new)
    assert {row.role for row in store.load(old).rows} == {None}
    assert {Role.FLOOR, Role.LIMIT, Role.BASELINE, Role.TWIN, Role.CONTENDER} <= {
        row.role for row in store.load(new).rows
    }
    assert markdown.text([View(store.load(old))]) == markdown.text([View(store.load(new))])


def test_a_stored_role_is_what_counts(campaign: Campaign) -> None:
    first = groups(campaign)[0].ranked[0]
    rows = [
        row.model_copy(update={"role": Role.LIMIT}) if row.id == first.row.id else row
        for row in campaign.rows
    ]
    again = groups(campaign.model_copy(update={"rows": rows}))[0]
    assert first.row.id not in [standing.row.id for standing in again.ranked]


def test_ends_of_routes_have_names_of_their_own() -> None:
    assert len(routes.BY_NAME) == len(routes.ENDS)
    assert "null" not in routes.SOURCES and "none" not in routes.SINKS
