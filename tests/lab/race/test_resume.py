"""A campaign that ended early goes on where it was; bad files and bad margins are refused in a sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from conftest import Command
from headrace.base.errors import BadInput
from headrace.judge.table import load
from headrace.matrix.compilers import Toolchain
from headrace.race import options, race, resume
from headrace.race.options import RunOptions
from headrace.results import store
from headrace.results.schema import Campaign


def ran(chain: Toolchain, **more: Any) -> Campaign:
    asked = RunOptions(
        ["read_ints"], [chain.name], ["hand_written"], rounds=6, settings=[{"rows": "10"}], **more
    )
    return race.run(asked)


def cut(campaign: Campaign, rounds: int, **more: Any) -> Campaign:
    """The same campaign, ended after some rounds."""
    rows = [
        row.model_copy(update={"samples": [one for one in row.samples if one.round <= rounds]})
        for row in campaign.rows
    ]
    return campaign.model_copy(update={"rows": rows, "interrupted": True, **more})


def test_a_cut_campaign_goes_on_with_what_it_has(chain: Toolchain, tmp_path: Path) -> None:
    whole, file = ran(chain), tmp_path / "results.json"
    store.save(cut(whole, 2), file)
    earlier = resume.read(file)
    again = race.run(earlier.options, earlier=earlier)
    assert not again.interrupted and again.run == whole.run and again.started == whole.started
    for before, after in zip(whole.rows, again.rows, strict=True):
        assert [one.round for one in after.samples] == [1, 2, 3, 4, 5, 6]
        assert after.samples[:2] == before.samples[:2]
        assert after.samples[2:] != before.samples[2:]


def test_samples_of_other_builds_are_not_lost_without_a_word(chain: Toolchain, tmp_path: Path) -> None:
    whole, file = ran(chain), tmp_path / "results.json"
    rows = [row.model_copy(update={"build": "0" * len(row.build)}) for row in whole.rows]
    store.save(cut(whole.model_copy(update={"rows": rows}), 2), file)
    earlier = resume.read(file)
    with pytest.raises(
        BadInput, match="have changed or are gone since .*: hand_written, .*; .* --out OTHER.json"
    ) as told:
        race.run(earlier.options, earlier=replace(earlier, replaced=file))
    assert str(file) in str(told.value) and told.value.exit_code == 2
    again = race.run(earlier.options, earlier=earlier)
    assert any(said.startswith("Left out are the earlier samples of builds that") for said in again.warnings)
    assert all(len(row.samples) == 6 for row in again.rows)


def test_the_file_says_how_it_was_run(chain: Toolchain) -> None:
    run = ran(chain, seed=7, margin=0.02).run
    assert (run.seed, run.looks, run.alpha, len(run.host), len(run.id)) == (7, [6], 0.05, 16, 16)
    assert run.asked["rounds"] == 6 and run.asked["margin"] == 0.02


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"headrace_version": "0.0.9"}, "was measured by headrace 0.0.9, and this is"),
        ({"host": "0123456789abcdef"}, "was measured on another machine"),
        ({"asked": {}}, "does not say what was asked for"),
        ({"asked": {"nonsense": 1}}, "does not say what was asked for"),
        ({"asked": {"benchmarks": ["read_ints"], "guests": 1}}, "key run.asked.guests: "),
        ({"asked": {"benchmarks": ["read_ints"], "routes": ["here:there"]}}, "here"),
    ],
)
def test_what_cannot_go_on_says_why(
    chain: Toolchain, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    whole, file = ran(chain), tmp_path / "results.json"
    inside = {key: value for key, value in change.items() if key in ("host", "asked")}
    outside = {key: value for key, value in change.items() if key not in inside}
    store.save(cut(whole, 2, run=whole.run.model_copy(update=inside), **outside), file)
    with pytest.raises(BadInput, match=sentence) as told:
        resume.read(file)
    assert str(file) in str(told.value) and told.value.exit_code == 2


@pytest.mark.parametrize("version", [1, 2, 3])
def test_files_of_earlier_versions_are_judged_afresh(chain: Toolchain, tmp_path: Path, version: int) -> None:
    whole, file = ran(chain), tmp_path / "results.json"
    data = whole.model_dump(mode="json")
    data["schema_version"] = version
    if version == 1:
        del data["run"]
    for row in data["rows"]:
        del row["judged"]["noise"]
        for one in row["comparisons"]:
            one["low"], one["high"] = 0, None  # unbounded, as few rounds were
        if version == 1:
            del row["judged"]
            row["ties"] = ["somebody"]
            for one in row["comparisons"]:
                one["verdict"] = "cannot tell apart"
                del one["more_rounds"]
    file.write_text(json.dumps(data))
    old = load(file)
    assert [row.judged.first for row in old.rows] == [row.judged.first for row in whole.rows]
    assert old.schema_version == 4
    assert all(one.low > 0 and one.high for row in old.rows for one in row.comparisons)


@pytest.mark.parametrize("text", ["0", "0%", "-1", "x", "nan", "200%", ""])
def test_a_margin_that_nothing_can_meet_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--margin is a percentage") as told:
        options.check_margin(text)
    assert told.value.exit_code == 2


def test_margins_are_percentages() -> None:
    assert options.check_margin("2%") == pytest.approx(0.02)
    assert options.check_margin("0.5") == pytest.approx(0.005)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM")
def test_a_campaign_that_is_terminated_has_saved_its_rounds(chain: Toolchain, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    words = ["run", "read_ints", "--toolchain", chain.name, "--contender", "hand_written"]
    words += ["--set", "rows=10", "--rounds", "100000", "--out", str(file)]
    ran(chain)  # the builds are in the cache from here on
    with subprocess.Popen(
        [sys.executable, "-m", "headrace", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 120
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    saved = load(file)
    assert process.returncode == 130
    assert saved.interrupted and min(len(row.samples) for row in saved.rows) > 5


# --- one model


def test_options_survive_the_way_through_a_file(tmp_path: Path) -> None:
    asked = RunOptions(
        ["read_ints"],
        guests=[tmp_path / "mine.cpp"],
        routes=[("file", "null"), ("pipe", "pty")],
        folder=tmp_path,
        seconds=2.5,
        settings=[{"rows": "1"}, {"rows": "2"}],
    )
    assert options.of_plain(json.loads(json.dumps(options.plain(asked))), "a file") == asked


def test_what_an_archive_may_ask_names_no_path_and_no_command() -> None:
    local = {"benchmarks", "guests", "compilers", "pin", "folder", "input", "include", "jobs"}
    commands = {"setup", "prepare", "cleanup"}
    everything = {one.name for one in fields(RunOptions)}
    assert everything - options.OF_THE_QUESTION == local | commands


def test_a_field_of_a_later_version_is_not_passed_over_and_a_missing_one_is_as_usual() -> None:
    with pytest.raises(BadInput, match="a file does not say what was asked for"):
        options.of_plain({"benchmarks": ["read_ints"], "newer": 1}, "a file")
    assert options.of_plain({"benchmarks": ["read_ints"]}, "a file") == RunOptions(["read_ints"])


def test_going_on_takes_new_seconds_and_nothing_else(
    headrace: Command, chain: Toolchain, tmp_path: Path
) -> None:
    whole, file = ran(chain), tmp_path / "results.json"
    store.save(cut(whole, 2), file)
    for words, flag in (
        (["--rounds", "9"], "--rounds"),
        (["--opt", "O0"], "--opt or --flags"),
        (["read_ints"], "the benchmarks"),
        (["--with", "x.cpp"], "--with"),
    ):
        done = headrace("run", *words, "--resume", str(file))
        assert done.returncode == 2 and f"leave {flag} out" in done.stderr, done.stderr
    done = headrace("run", "--resume", str(file), "--seconds", "33")
    assert done.returncode == 0, done.stderr
    again = load(file)
    assert again.run.budget == 33 and again.run.asked["seconds"] == 33
    assert all(len(row.samples) == 6 for row in again.rows)
