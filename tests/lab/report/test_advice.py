"""Tests of the advice: it follows from the rows, whatever the rows say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

import synthetic
from headrace.cli import app
from headrace.report import advice, page
from headrace.report.view import View
from headrace.results import store
from headrace.results.schema import BenchmarkInfo, Campaign, Machine, Sample


def spaced(text: str) -> str:
    """Show the spaces that keep a figure in one piece, as a tilde."""
    return text.replace("\N{NO-BREAK SPACE}", "~")


def race(
    times: dict[str, float], rounds: int = 24, tokens: dict[str, int] | None = None, noise: float = 0.01
) -> Campaign:
    """Make a campaign of one ranking: contender -> seconds, with the noise of its rounds."""
    rng = random.Random(1)
    rows = []
    for name, seconds in times.items():
        walls = [seconds * rng.lognormvariate(0, noise) for _ in range(rounds)]
        samples = [
            Sample(round=number, wall=wall, user=wall, system=0, peak_memory=0)
            for number, wall in enumerate(walls)
        ]
        rows.append(
            synthetic.a_row(
                name,
                benchmark="task",
                toolchain="g++/libstdc++/linux",
                tokens=(tokens or {}).get(name, 1000),
                samples=samples,
            )
        )
    info = BenchmarkInfo(
        name="task",
        title="Do | it",
        question="?",
        kind="process",
        baseline="",
        contenders={"loop": "a <loop>"},
    )
    return Campaign(
        headrace_version="0", started="2026-11-20T09:30:00+00:00", machine=Machine(cpu="A CPU", cores=2),
        benchmarks=[info], rows=rows, command=["headrace", "run", "task", "--out", "x.json", "--quick"],
    )  # fmt: skip


def test_the_fastest_is_advised_and_the_slowest_warned_of() -> None:
    times = {"naive": 0.08, "headrace_bulk": 0.001, "loop": 0.004, "other": 0.006}
    text = spaced(advice.text([View(race(times, noise=0))]))
    assert "- **Use** `headrace_bulk`: 1.00~µs/token." in text
    assert "- **Without headrace**, `loop` takes 4.00~\\[4.00,~4.00\\] times as long." in text
    assert "- **Avoid** `naive`: 80.0~\\[80.0,~80.0\\] times as long." in text
    assert text.index("| `headrace_bulk`") < text.index("| `loop`") < text.index("| `other`")


def test_another_way_may_win() -> None:
    """Nothing favours the library: where it loses, the page says what to use, and by how much it loses."""
    campaign = race({"headrace": 0.004, "loop": 0.002, "naive": 0.02}, noise=0)
    text = advice.text([View(campaign)])
    assert "- **Use** `loop`" in text and "Without headrace" not in text
    assert spaced(advice.overview(View(campaign))[-1]) == (
        "| Do &#124; it | `headrace` | 4.00~µs/token | `loop` | 0.500~\\[0.500,~0.500\\] "
        "| `naive` | 5.00~\\[5.00,~5.00\\] |"
    )


def test_another_task_cannot_win() -> None:
    campaign = race({"quick_but_wrong": 0.001, "headrace": 0.002, "loop": 0.004})
    rows = [row.model_copy(update={"checked": row.id != "quick_but_wrong"}) for row in campaign.rows]
    text = advice.text([View(campaign.model_copy(update={"rows": rows}))])
    assert "- **Use** `headrace`" in text
    assert "for another task, so not ranked: `quick_but_wrong`." in text


def test_what_cannot_be_told_apart_is_said() -> None:
    text = advice.text([View(race({"headrace": 0.002, "loop": 0.002, "naive": 0.02}, noise=0.05))])
    assert "May be as fast here: " in text


def test_too_few_rounds_promise_nothing() -> None:
    text = advice.text([View(race({"headrace": 0.001, "loop": 0.0013}, rounds=1))])
    assert "May be as fast here: `loop`." in text


def test_inputs_of_different_sizes_compare_a_token() -> None:
    campaign = race({"headrace": 0.004, "loop": 0.001}, tokens={"headrace": 4000, "loop": 100}, noise=0)
    (task,) = advice.tasks(View(campaign))
    assert [way.standing.label for way in task.ways] == ["headrace", "loop"]
    assert task.ways[1].to_best.value == pytest.approx(10)
    assert spaced(task.time(task.ways[0])) == "1.00~µs/token"


def test_each_contender_stands_once_by_its_best_toolchain() -> None:
    (task, _) = advice.tasks(View(synthetic.read_ints()))
    names = [way.standing.row.contender for way in task.ways]
    assert len(names) == len(set(names)) and "null" not in names and "raw_read" not in names
    cin = next(way for way in task.ways if way.standing.row.contender == "faster_cin_cout")
    assert cin.standing.toolchain != "clang++-19/libc++"  # where it is nine times as slow


def test_a_setting_that_costs_is_told_with_the_way_that_it_belongs_to() -> None:
    campaign = race(
        {"headrace": 0.001, "headrace as it comes": 0.005, "loop": 0.004, "loop slow": 0.0042}, noise=0
    )
    variants = {"headrace": "full", "headrace as it comes": "as_is", "loop": "full", "loop slow": "as_is"}
    rows = [
        row.model_copy(update={"contender": row.contender.split()[0], "variant": {"MODE": variants[row.id]}})
        for row in campaign.rows
    ]
    text = spaced(advice.text([View(campaign.model_copy(update={"rows": rows}))]))
    assert "- **Use** `headrace MODE=full`: " in text
    assert (
        "- **Mind the setting**: as `headrace MODE=as_is` it takes 5.00~\\[5.00,~5.00\\] times as long."
        in text
    )
    assert text.count("Mind the setting") == 1  # that of loop costs little, and nobody is told to use it


def test_the_slowest_build_is_listed_and_warned_of_not_the_better_one() -> None:
    """`getline` is no bad way; synchronised, or on libc++, it is."""
    times = {"headrace": 0.001, "loop": 0.002, "fgets": 0.004}
    builds = {
        ("false", "g++"): 0.003,
        ("false", "clang++"): 0.024,
        ("true", "g++"): 0.027,
        ("true", "clang++"): 0.0245,
    }
    campaign = race(times | {f"getline {sync} {chain}": at for (sync, chain), at in builds.items()}, noise=0)
    rows = [
        row
        if row.id in times
        else row.model_copy(
            update={
                "contender": "getline",
                "variant": {"SYNC": row.id.split()[1]},
                "toolchain": f"{row.id.split()[2]}/lib/linux",
            }
        )
        for row in campaign.rows
    ]
    campaign = campaign.model_copy(update={"rows": rows})
    text = spaced(advice.text([View(campaign)]))
    assert (
        "- **Avoid** `getline SYNC=true`: 27.0~\\[27.0,~27.0\\]~times as long; "
        "`getline SYNC=false` takes 3.00~\\[3.00,~3.00\\]~times." in text.replace(" times", "~times")
    )
    listed = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| `")]
    assert listed == [
        "`headrace`",
        "`loop`",
        "`getline SYNC=false`",
        "`fgets`",
        "`getline SYNC=false`",
        "`getline SYNC=true`",
    ]
    slow = next(
        line for line in text.splitlines() if "*slow build*" in line and "| `getline SYNC=false`" in line
    )
    assert "clang++/lib" in slow and "24.0~" in slow
    assert "| `getline SYNC=true` built by g++/lib | 27.0" in advice.overview(View(campaign))[-1].replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_the_toolchain_that_makes_a_way_slow_is_named() -> None:
    campaign = race({"headrace": 0.001, "cin fast": 0.010, "cin slow": 0.050}, noise=0)
    rows = [
        row
        if row.id == "headrace"
        else row.model_copy(update={"contender": "cin", "toolchain": f"{row.id[4:]}/lib/linux"})
        for row in campaign.rows
    ]
    text = spaced(advice.text([View(campaign.model_copy(update={"rows": rows}))]))
    assert (
        "**Avoid** `cin` built by slow/lib: 50.0~\\[50.0,~50.0\\] times as long; "
        "`cin` built by fast/lib takes 10.0" in text
    )


def test_a_brief_overview_has_a_row_a_benchmark() -> None:
    campaign = synthetic.read_ints()
    assert len(advice.overview(View(campaign))) == 4
    assert len(advice.overview(View(campaign), brief=True)) == 3
    assert "(file to null)" in advice.overview(View(campaign), brief=True)[-1]


def test_markup_in_names_and_notes_is_shown_as_text() -> None:
    text = advice.text([View(race({"headrace": 0.001, "loop": 0.004}))])
    assert "a &lt;loop&gt;" in text
    assert "<loop>" not in text


def test_origin_names_machine_date_and_command_but_no_path() -> None:
    said = advice.origin(race({"headrace": 0.001, "loop": 0.004}))
    assert "A CPU, 2 processors" in said and "2026-11-20 09:30" in said
    assert said.endswith("`headrace run task --quick`")


def test_nothing_to_advise() -> None:
    text = advice.text([View(race({"loop": 0.004}))])
    assert "**Use**" not in text and "How far to trust this" in text


def test_without_headrace_there_is_no_table_of_it() -> None:
    plain = advice.text([View(race({"fast": 0.01, "slow": 0.03}))])
    assert "At a glance" not in plain and "| task |" not in plain
    assert "**Use** `fast`" in spaced(plain)
    assert "At a glance" in advice.text([View(race({"headrace_bulk": 0.01, "slow": 0.03}))])


def test_command_writes_the_page(tmp_path: Path) -> None:
    store.save(synthetic.read_ints(), tmp_path / "r.json")
    page = tmp_path / "which.md"
    done = CliRunner().invoke(app, ["report", str(tmp_path / "r.json"), "--advice", str(page)])
    assert done.exit_code == 0, done.output
    assert page.read_text("utf-8").startswith("# Which I/O should I use here?\n")
    assert not (tmp_path / "r.html").exists()
    piped = CliRunner().invoke(app, ["report", str(tmp_path / "r.json"), "--advice", "-"])
    assert piped.stdout == page.read_text("utf-8")


@pytest.mark.parametrize("place", [["--out", "home/me/x.json"], ["--out=home/me/x.json"]])
def test_no_page_says_where_the_results_went(place: list[str]) -> None:
    command = ["headrace", "run", "task", *place, "--quick"]
    campaign = race({"loop": 0.004, "naive": 0.02}).model_copy(update={"command": command})
    for text in (advice.origin(campaign), " ".join(page._facts(campaign))):
        assert "headrace run task --quick" in text and "home/me" not in text
