"""What a race says in a pipe while it goes on: one first look, then a line per minute."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import synthetic
from headrace.base.progress import Line
from headrace.base.step import Step
from headrace.commands.racing import keeper
from headrace.judge.table import rejudged
from headrace.report import unfinished
from headrace.report.view import View
from headrace.results.schema import Campaign


class Pipe:
    """A line in a pipe, and a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.out = io.StringIO()
        self.line = Line(Console(file=self.out, width=80), lambda: self.now)

    def at(self, seconds: float, stage: str = "runs", left: float | None = 60.0) -> bool:
        """Show a step at that time; return whether a first look is wanted."""
        self.now = 100.0 + seconds
        self.line.show(Step(stage, "a row", 1, 0, left, "who is first?"))  # type: ignore[arg-type]
        return self.line.wants_a_look

    @property
    def said(self) -> list[str]:
        return self.out.getvalue().splitlines()


def early(routes: tuple[tuple[str, str], ...] = (("file", "null"),)) -> Campaign:
    """The campaign after a round, and two more of what is fast."""
    whole = synthetic.read_ints(routes)
    rows = [
        row.model_copy(
            update={"samples": row.samples[: 3 if row.samples and row.samples[0].wall < 0.2 else 1]}
        )
        for row in whole.rows
    ]
    return rejudged(whole.model_copy(update={"rows": rows, "seconds": 21.7}))


def test_a_pipe_gets_one_first_look_within_half_a_minute_of_measuring() -> None:
    pipe = Pipe()
    assert not pipe.at(40, "builds")
    assert not pipe.at(41)  # measuring begins
    assert not pipe.at(50)
    assert pipe.at(57)
    pipe.line.look(["the look"])
    assert not pipe.at(70) and not pipe.at(100)
    assert pipe.said == ["the look"]
    pipe.at(118)
    assert pipe.said == ["the look", "1:58 measuring (who is first?): 1:00 left at most"]


def test_a_race_that_is_nearly_over_has_only_its_last_table() -> None:
    pipe = Pipe()
    pipe.at(0, left=20)
    assert not pipe.at(16, left=4)


def test_a_look_without_times_is_put_off() -> None:
    pipe = Pipe()
    pipe.at(0)
    assert pipe.at(20)
    pipe.line.look([])
    assert pipe.at(30)


def test_a_terminal_sharpens_its_table_and_has_no_first_look() -> None:
    now = 0.0
    with Line(Console(file=io.StringIO(), width=80, force_terminal=True), lambda: now) as line:
        line.show(Step("runs", "a row", 1, 0, 60.0))
        now = 20.0
        line.show(Step("runs", "a row", 2, 0, 40.0))
        assert line.in_place and not line.wants_a_look


def test_the_first_look_has_the_fastest_build_of_each_contender() -> None:
    campaign = early()
    said, title, *table = unfinished.lines(View(campaign))
    assert said.startswith("First look, after 22 s of measuring and 1 to 3 runs of each build that has run. ")
    assert title == "read_ints, file to null: the fastest build of each contender, by its median"
    names = [line.split()[0] for line in table]
    assert names[:2] == ["headrace_bulk", "headrace_stream"]
    assert len(names) == len(set(names)) == len(synthetic.SPEEDS) - 2  # neither floor nor limit
    medians: dict[str, list[float]] = {}
    for row in campaign.rows:
        if row.outcome == "ok" and row.contender in names:
            walls = sorted(sample.wall for sample in row.samples)
            medians.setdefault(row.contender, []).append(walls[len(walls) // 2])
    fastest = [min(medians[name]) for name in names]
    assert fastest == sorted(fastest)
    assert f"{fastest[0] * 1e3:.1f} ms  1.00 x" in table[0]
    assert f" {fastest[-1] / fastest[0]:.1f} x  " in table[-1]
    assert max(map(len, table)) <= 80


def test_contenders_that_have_not_run_yet_are_named() -> None:
    campaign = early()
    late = ("scanf_printf", "naive_cin_cout", "null")
    rows = [row.model_copy(update={"samples": []}) if row.contender in late else row for row in campaign.rows]
    shown = unfinished.lines(View(campaign.model_copy(update={"rows": rows})))
    assert shown[-1] == "  not yet run: naive_cin_cout, scanf_printf"


def test_several_rankings_have_a_line_each() -> None:
    said, *rankings = unfinished.lines(View(early((("file", "null"), ("pipe", "null")))))
    assert "places and intervals come at its end" in said
    assert [line.split(":")[0] for line in rankings] == [
        "  read_ints, file to null",
        "  read_ints, pipe to null",
    ]
    assert all(" headrace_bulk " in line and line.count(" x)") == 2 for line in rankings)


def test_what_is_kept_is_shown_once(tmp_path: Path) -> None:
    pipe = Pipe()
    keep = keeper(tmp_path / "r.json", pipe.line)
    pipe.at(0)
    keep(early())
    assert pipe.said == [] and (tmp_path / "r.json").is_file()
    for seconds in (20, 30, 40):
        pipe.at(seconds)
        keep(early())
    assert sum(line.startswith("First look, ") for line in pipe.said) == 1
    pipe.at(80)
    (last,) = pipe.said[-1:]
    assert last.startswith("1:20 measuring (who is first?): headrace_bulk ") and "`" not in last


def test_nothing_measured_is_no_look() -> None:
    campaign = early()
    rows = [row.model_copy(update={"samples": []}) for row in campaign.rows]
    assert unfinished.lines(View(campaign.model_copy(update={"rows": rows}))) == []
