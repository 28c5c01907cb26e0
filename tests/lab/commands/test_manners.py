"""What a run says before it begins, what it runs around each run, and how it ends early."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from rich.console import Console

import native
import synthetic
from conftest import Command, command, refused
from headrace.base.errors import BadInput
from headrace.base.names import is_named
from headrace.commands import forecast
from headrace.matrix import compilers, inputs
from headrace.matrix.compilers import Toolchain
from headrace.matrix.toolchains import matches
from headrace.race import options
from headrace.race.options import RunOptions
from headrace.race.race import Preview
from headrace.report import skipped
from headrace.results import store
from headrace.results.schema import Row

SMALL = (
    "run",
    "read_ints",
    "--set",
    "rows=10",
    "--contender",
    "scanf_printf",
    "--rounds",
    "2",
    "--out",
    "r.json",
)


def test_a_dry_run_runs_nothing(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    twice = (*SMALL, "read_ints", "--toolchain", chain.name)
    done = headrace(*twice, "--dry-run", "--setup", "touch ran", code=0)
    assert f"read_ints scanf_printf rows=10 {chain.name} O2 file:null" in done.stdout
    assert re.search(r"1 benchmark, \d+ rows, \d+ of \d+ builds to make", done.stdout)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_all_benchmarks_say_first_how_long_they_take(headrace: Command, chain: Toolchain) -> None:
    done = headrace("run", "--toolchain", chain.name, "--dry-run", "--json")
    found = json.loads(done.stdout)
    names = {row["benchmark"] for row in found["rows"]}
    assert len(names) > 12 and found["seconds"] >= 75 * len(names)


def test_a_long_run_asks_on_a_terminal(tmp_path: Path, chain: Toolchain) -> None:
    code, said = refused(["run", "--toolchain", chain.name], tmp_path)
    assert code == 3 and b"in all" in said and b"--dry-run" in said
    assert not list(tmp_path.glob("results/*"))


def test_a_race_of_everything_says_how_long_it_takes(
    chain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "_found", lambda wanted: Preview([], {}, 4, 4, 0, None, 10.0))
    for names, rounds, agreed, says in (
        ([], 3, False, True),  # its rounds may take any time
        ([], 3, True, True),  # --yes asks nothing, and is told all the same
        (["a", "b"], 3, False, True),
        (["a"], 3, False, False),
        (["a", "b"], 3, True, False),
    ):
        out = Console(file=io.StringIO())
        asked = RunOptions(names or ["a", "b", "c"], rounds=rounds)
        assert forecast.is_agreed(asked, out, agreed, bool(names))
        assert ("3 rounds of measuring, however long" in out.file.getvalue()) is says  # type: ignore[attr-defined]


def test_commands_run_around_the_runs(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    around = (
        "--setup",
        "echo setup >> log",
        "--prepare",
        "echo $HEADRACE_CONTENDER >> log",
        "--cleanup",
        "echo end >> log",
    )
    headrace(*SMALL, "--toolchain", chain.name, *around, code=0)
    lines = (tmp_path / "log").read_text().split()
    assert lines[0] == "setup" and lines[-1] == "end" and lines.count("setup") == lines.count("end") == 1
    runs = sum(len(row.samples) for row in store.load(tmp_path / "r.json").rows)
    assert len(lines) - 2 >= runs and {"scanf_printf", "hand_written"} <= set(lines)


@pytest.mark.slow
def test_a_command_that_fails_is_said(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    done = headrace(*SMALL, "--toolchain", chain.name, "--setup", "echo no luck >&2; exit 4", code=2)
    assert "--setup ended with status 4: no luck" in done.stderr
    done = headrace(*SMALL, "--toolchain", chain.name, "--prepare", "exit 5", code=1)
    assert {row.detail for row in store.load(tmp_path / "r.json").rows if not row.twin_of} == {
        "--prepare ended with status 5"
    }


@pytest.mark.slow
def test_sets_of_flags_are_rows(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    headrace(*SMALL, "--toolchain", chain.name, "--flags", "-O3 -DNDEBUG; -fno-plt", code=0)
    rows = store.load(tmp_path / "r.json").rows
    assert {row.optimisation for row in rows} == {"O3 -DNDEBUG", "O2 -fno-plt"}
    for row in rows:
        words = row.command
        assert words[words.index("-" + row.optimisation.split()[0]) + 1] == row.optimisation.split()[1]


@pytest.mark.parametrize(
    ("text", "levels", "found"),
    [
        ("-O3 -march=native;-O2 -flto", [], ["O3 -march=native", "O2 -flto"]),
        ("-flto -O1", [], ["O1 -flto"]),
        ("-flto", ["O0", "O2"], ["O0 -flto", "O2 -flto"]),
        (" ; -g ;", [], ["O2 -g"]),
    ],
)
def test_flags_are_read(text: str, levels: list[str], found: list[str]) -> None:
    assert options.check_flags(text, levels) == found


@pytest.mark.parametrize("text", ["march=native", "-O2 -o x", "-c", "-O2 file.cpp"])
def test_what_is_no_flag_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a flag that a build can take"):
        options.check_flags(text, [])


def test_a_compiler_is_named_by_its_path(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    wrapper = tmp_path / "mycc"
    wrapper.write_text(f'#!/bin/sh\nexec {chain.command[0]} "$@"\n')
    wrapper.chmod(0o755)
    headrace(*SMALL, "--compiler", "./mycc", code=0)
    rows = store.load(tmp_path / "r.json").rows
    assert {row.command[0] for row in rows} == {str(wrapper)}
    assert compilers.by_path(Path(chain.command[0]), [chain]) == [chain]  # one that is known keeps its name


@pytest.mark.parametrize("path", ["/bin/true", "./absent"])
def test_what_is_no_compiler_is_said(headrace: Command, path: str) -> None:
    done = headrace("run", "read_ints", "--compiler", path, code=2)
    assert f"--compiler {path.removeprefix('./')}" in done.stderr.replace("./", "")


def test_a_name_without_a_version_names_a_toolchain() -> None:
    assert matches("g++-12/libstdc++/x86_64-windows", "g++/libstdc++/x86_64-windows")
    assert not matches("g++-12/libstdc++/x86_64-windows", "g++/libstdc++/x86-windows")
    assert not matches("zig-clang++-19/libc++/x86_64-linux", "clang++/libc++/x86_64-linux")


def test_patterns_name_contenders() -> None:
    assert is_named("fwrite", []) and is_named("fwrite", ["a", "f*"]) and not is_named("fwrite", ["write"])


def test_numbers_may_have_an_exponent() -> None:
    settings: inputs.Settings = {"generator": "ints", "rows": 5}
    assert inputs.changed(settings, {"rows": "1e2"})["rows"] == 100
    assert inputs.changed(settings, {"rows": "1.5e3"})["rows"] == 1500
    for wrong in ("1.5", "1.55e1", "nan", "1e-2"):
        with pytest.raises(BadInput, match="rows wants an integer"):
            inputs.changed(settings, {"rows": wrong})


def test_a_number_with_an_exponent_names_the_same_row() -> None:
    assert options.check_settings(["rows=1e2", "name=1e", "share=1e-2"], None) == [
        {"rows": "100", "name": "1e", "share": "1e-2"}
    ]


def test_an_input_larger_than_the_disk_is_said_before_it_is_made(headrace: Command) -> None:
    begun = time.monotonic()
    done = headrace("run", "read_ints", "--set", "rows=100000000000", code=2)
    assert "takes about" in done.stderr and "HEADRACE_CACHE" in done.stderr
    assert time.monotonic() - begun < 120


@pytest.mark.parametrize(
    "settings",
    [
        {"generator": "ints", "rows": 2000, "seed": 77},
        {"generator": "words", "count": 50_000, "seed": 77},
        {"generator": "text", "size": 123_456, "seed": 77},
    ],
)
def test_the_size_of_an_input_is_known_before_it_is_made(
    settings: dict[str, int | float | str], chains: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    expected = inputs.size(settings)
    assert inputs.make(settings).bytes == pytest.approx(expected, rel=0.05)
    assert inputs.size(settings) == 0  # it is there


def test_output_that_cannot_be_written_is_a_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = native.call(*command(["list"]), capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2 and done.stderr.strip() == (
        "headrace: cannot write what was asked for: No space left on device"
    )


@pytest.mark.parametrize(
    "words", [["run", "read_ints", "--out"], ["history", "add"], ["fix"], ["explain", "read_ints", "--with"]]
)
def test_a_name_that_is_no_text_is_refused_before_any_work(words: list[str], tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/in\xe4.json"
    Path(os.fsdecode(name)).touch()
    line = [*map(os.fsencode, command(words)), name]
    done = subprocess.run(line, capture_output=True, timeout=native.LONGEST)
    assert done.returncode == 2 and b"in\\xe4.json is not text in utf-8" in done.stderr, done.stderr
    assert b"Traceback" not in done.stderr


def test_a_folder_that_is_gone_or_has_a_name_that_is_no_text_is_said(tmp_path: Path) -> None:
    gone, named = tmp_path / "gone", Path(os.fsdecode(os.fsencode(tmp_path) + b"/f\xe4"))
    for folder, says in ((gone, "the current folder cannot be used"), (named, "f\\xe4 is not text in utf-8")):
        folder.mkdir()
        script = 'test "$0" = keep || rmdir "$PWD"; exec "$@"'
        words = ["bash", "-c", script, "gone" if folder == gone else "keep", *command(["list"])]
        done = native.call(*words, cwd=folder)
        assert done.returncode == 2 and says in done.stderr, done.stderr


def test_results_whose_page_cannot_be_written_are_told(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    (tmp_path / "r.html").mkdir()
    done = headrace(*SMALL, "--toolchain", chain.name, code=2)
    assert "The results are safe in r.json: headrace report r.json" in done.stderr
    assert store.load(tmp_path / "r.json").rows


def test_a_new_benchmark_without_room_leaves_nothing(tmp_path: Path) -> None:
    limited = ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", *command(["new", "mine"])]
    done = native.call(*limited, cwd=tmp_path)
    assert done.returncode == 2 and "cannot write mine: File too large" in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["doctor"]])
def test_a_reader_that_leaves_is_told_from_a_regression(words: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = native.call(*command(words), capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_an_input_is_made_leaves_nothing_half_done(
    tmp_path: Path, number: int, chain: Toolchain
) -> None:
    cache = tmp_path / "cache"
    words = command(["run", "read_words", "--set", "count=400000000", "--toolchain", chain.name])
    process = subprocess.Popen(
        words,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HEADRACE_CACHE": str(cache)},
    )
    deadline = time.monotonic() + 120
    while not list(cache.glob("inputs/.words*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=native.LONGEST)
    assert process.returncode == 130 and "interrupted before there was a result" in said
    assert list((cache / "inputs").iterdir()) == []


def test_one_program_of_several_that_does_not_compile_costs_only_itself(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    (tmp_path / "broken.cpp").write_text("int main() { return x; }\n")
    (tmp_path / "silent.cpp").write_text("int main() {}\n")
    headrace(*SMALL, "--toolchain", chain.name, "--with", "broken.cpp", "--with", "silent.cpp", code=1)
    outcomes = {row.contender: row.outcome for row in store.load(tmp_path / "r.json").rows}
    assert outcomes["broken"] == "does not compile" and outcomes["silent"] == "WRONG"
    assert outcomes["hand_written"] == "ok"


def test_rows_that_lack_a_library_are_one_sentence() -> None:
    def row(name: str, detail: str) -> Row:
        return synthetic.a_row(name, id=name + detail, outcome="skipped", detail=detail)

    rows = [
        row("one", "fmt was not found by g++: apt install libfmt-dev, or put {fmt} into HEADRACE_PEERS"),
        row("two", "fmt was not found by clang++: apt install libfmt-dev, or put {fmt} into HEADRACE_PEERS"),
        row("three", "zmij was not found by g++: put zmij into HEADRACE_PEERS"),
        row("four", "wine is not installed"),
    ]
    missing, rest = skipped.parted(rows)
    assert missing is not None and rest == rows[3:]
    assert missing.sentence == (
        "not found: fmt (one, two), zmij (three). apt install libfmt-dev; headrace peers says how to get zmij"
    )
