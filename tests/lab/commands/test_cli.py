"""The command as a person meets it: what is printed, what is written, which exit code."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import click
import pytest
import typer
from rich.console import Console

import synthetic
from conftest import Command, command
from headrace import __version__, cli
from headrace.base import places
from headrace.base.board import Board
from headrace.base.errors import BadInput
from headrace.base.progress import Line
from headrace.base.step import Step
from headrace.commands import doctor as doctor_command
from headrace.commands import racing
from headrace.machine import facts
from headrace.machine.doctor import Check, Diagnosis
from headrace.matrix import benchmarks, catalogue, inputs, scaffold
from headrace.matrix.compilers import Toolchain
from headrace.results import schema, store

SMALL = ("run", "read_ints", "--set", "rows=10", "--rounds", "2", "--contender", "scanf_printf")

RUN_ON = ("run", "read_ints", "--on", "tcp://127.0.0.1:1")


def test_a_run_prints_a_table_and_writes_its_files(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    done = headrace(*SMALL, "--toolchain", chain.name, "--out", "here/small.json", code=0)
    assert "scanf_printf" in done.stdout and "hand_written" in done.stdout
    assert done.stderr == ""  # no progress in a pipe
    campaign = store.load(tmp_path / "here" / "small.json")
    assert (
        campaign.command[:3] == ["headrace", "run", "read_ints"] and campaign.headrace_version == __version__
    )
    written = {path.suffix for path in (tmp_path / "here").iterdir()}
    assert written == {".json", ".html", ".svg", ".png"}
    assert "scanf_printf" in (tmp_path / "here" / "small.html").read_text()


def test_json_is_the_campaign(headrace: Command, chain: Toolchain) -> None:
    done = headrace(*SMALL, "--toolchain", chain.name, "--json")
    campaign = schema.Campaign.model_validate_json(done.stdout)
    assert done.returncode == 0 and {row.outcome for row in campaign.rows} == {"ok"}


def test_without_out_the_file_has_a_name_of_its_own(
    headrace: Command, tmp_path: Path, chain: Toolchain
) -> None:
    assert headrace(*SMALL, "--toolchain", chain.name).returncode == 0
    assert len(list((tmp_path / "results").glob("20*.json"))) == 1


def test_a_wrong_answer_is_exit_1_and_names_the_input(
    headrace: Command, misbehaving: Path, chain: Toolchain, tmp_path: Path
) -> None:
    done = headrace(
        "run", str(misbehaving), "--contender", "lies", "--rounds", "1", "--toolchain", chain.name, code=1
    )
    assert "WRONG" in done.stdout
    said = re.search(r"the input\s+is\s+(\S+ints-\w+\.txt)", done.stdout)
    assert said, done.stdout
    assert os.path.getsize(tmp_path / os.path.expanduser(said[1])) > 100


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "read_int"), "there is no benchmark read_int; did you mean read_ints"),
        (
            ("run", "read_ints", "--contender", "hand_writen"),
            "no contender hand_writen; did you mean hand_written",
        ),
        (("run", "read_ints", "--route", "file:nul"), "there is no sink nul; did you mean null"),
        (("run", "read_ints", "--opt", "O7"), "O7 is not an optimisation level"),
        (("run", "read_ints", "--set", "rwos=1"), "there is no setting rwos; did you mean rows"),
        (("run", "read_ints", "--flags", "-O2 '-g"), "--flags: -O2 '-g: no closing quotation"),
        (("run", "read_ints", "--flags", ";"), "--flags ; has no set of flags"),
        (("run", "read_ints", "--route", "a:null"), "there is no source a; there are "),
        (("run", "read_ints", "--rounds", "0"), "--rounds"),
        (("run", "./nowhere"), "there is no benchmark.toml in ./nowhere"),
        (("run", "read_in"), "did you mean read_ints, read_lines or "),
        (("run", "write_ints", "--sweep", "rows=1..9"), "the input of write_ints: there is no setting rows"),
        (("rnu",), "there is no command rnu; did you mean run"),
        (("history",), "headrace history needs a command after it: add, list, show or rebuild"),
        (("history", "shw"), "there is no command history shw; did you mean show?"),
        (("fleet", "-x"), "No such option"),
        (("report", "absent.json"), "cannot read absent.json"),
        (("history", "show", "read_ints"), "there is no index results/history.sqlite; headrace history add"),
        (("history", "rebuild", "nowhere"), "nowhere is not a folder"),
        (("history", "list", "--index", "other.sqlite"), "there is no index other.sqlite"),
        (("run", "--resume", "absent.fleet"), "cannot read absent.fleet"),
        (("run", "read_ints", "--insecure"), "--insecure is about --on"),
        (("run", "read_ints", "--on", "head:8786"), "head:8786 is not the address of a scheduler"),
        (("run", "read_ints", "--on", "tcp://192.0.2.7:1"), "is plain tcp to another machine"),
        (("run", "read_ints", "--on", "tls://127.0.0.1:1"), "settings have no distributed.comm.tls.ca-file"),
        ((*RUN_ON,), "no scheduler answers at tcp://127.0.0.1:1 (Connection ref"),
        ((*RUN_ON, "--contender", "frea"), "there is no contender frea"),
        ((*RUN_ON, "--out", "a.json"), "ends in .fleet"),
        ((*RUN_ON, "--input", "mine.txt"), "--input does not go with --on"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_2(
    headrace: Command, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "mine.txt").write_text("1\n")
    done = headrace(*words)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]  # nothing is left
    assert done.returncode == 2, done
    assert message in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "say --fail-if-slower 5%"),
        (["--fail-if-slower", "5%", "--by", "instructions"], "leave --by out"),
        (["--fail-if-slower", "5%", "--contender", "a"], "--contender goes after the --"),
    ],
)
def test_two_commits_are_refused_for_what_is_wrong_alone(
    headrace: Command, options: list[str], says: str
) -> None:
    done = headrace("compare", "HEAD~1", "HEAD", *options, "--", "read_ints", code=2)
    assert says in done.stderr
    others = {"--fail-if-slower", "--by", "--contender"} - set(says.split())
    assert not any(other in done.stderr for other in others)


@pytest.mark.parametrize(("name", "path"), [("mine", "./mine"), ("../other/mine", "../other/mine")])
def test_a_new_benchmark_is_run_as_it_says(headrace: Command, tmp_path: Path, name: str, path: str) -> None:
    assert f"try it: headrace run {path} --quick\n" in headrace("new", name).stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("slow.cpp", "headrace fix slow.cpp --input FILE says why"),
        ("./slow.cpp", "--with slow.cpp races it"),
        ("a.json", "headrace report a.json shows"),
        ("a.headrace", "headrace rerun a.headrace races"),
    ],
)
@pytest.mark.parametrize("command", ["run", "explain", "list"])
def test_a_file_in_place_of_a_benchmark_is_told_its_command(
    headrace: Command, tmp_path: Path, command: str, name: str, says: str
) -> None:
    (tmp_path / name).write_text("")
    done = headrace(command, name, code=2)
    assert f"{name} is a file, not a benchmark: " in done.stderr
    assert says in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_an_unknown_toolchain_gets_the_list(headrace: Command, chain: Toolchain) -> None:
    done = headrace("run", "read_ints", "--toolchain", "gcc-0", code=2)
    assert done.stdout == ""
    assert "there is no toolchain gcc-0" in done.stderr and f"  {chain.name}" in done.stderr.splitlines()


def test_an_unwritable_place_is_told_before_the_work(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    begun = time.monotonic()
    done = headrace("run", "read_ints", "--out", "file/results.json", code=2)
    assert "cannot write results to file/results.json" in done.stderr
    assert "--out" in done.stderr and time.monotonic() - begun < 60  # the work takes minutes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_full_disk_leaves_no_half_written_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    campaign = synthetic.a_campaign()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match="No space left on device"):
        store.save(campaign, tmp_path / "r.json")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_stays_empty_goes_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with click.Context(click.Command("run")):
        racing.results_place(tmp_path / "new" / "deep" / "r.json")
        racing.results_place(tmp_path / "there" / "r.json")
        racing.results_place(tmp_path / "used" / "r.json").write_text("{}")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["there", "used"]


def test_a_cache_is_bounded_by_age_and_by_size(tmp_path: Path) -> None:
    now = time.time()
    for name, age, size in (("old", 100, 1), ("folder", 50, 4), ("middle", 30, 4), ("new", 10, 9)):
        file = tmp_path / name / "file" if name == "folder" else tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(bytes(size))
        os.utime(tmp_path / name, (now - age, now - age))
    places.mark_used(tmp_path / "absent")
    places.prune(tmp_path, 20, age=90)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "middle", "new"]
    places.prune(tmp_path, 14, age=90)  # "folder" is now one too many
    assert sorted(one.name for one in tmp_path.iterdir()) == ["middle", "new"]
    places.mark_used(tmp_path / "middle")
    places.prune(tmp_path, 5, age=90)
    assert [one.name for one in tmp_path.iterdir()] == ["middle"]
    assert places.prune(tmp_path, 1, age=90) == 4  # the last one stays
    assert [one.name for one in tmp_path.iterdir()] == ["middle"]


def test_doctor_prunes_what_was_not_used_for_two_weeks(
    inside: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    folder = places.cache_folder("inputs")
    for name in ("old.txt", "old.json", "used.txt", "used.json", "new.txt"):
        (folder / name).write_text("text")
        long_ago = time.time() - places.KEPT - 10
        if name != "new.txt":
            os.utime(folder / name, (long_ago, long_ago))
    places.mark_used(folder / "used.json")  # keeps used.txt, too
    done = inside("doctor", "--prune", "--json")
    assert json.loads(done.stdout)["bytes"]["inputs"] == 12
    assert sorted(one.name for one in folder.iterdir()) == ["new.txt", "used.json", "used.txt"]
    assert "inputs: 0 of at most 8,192 MiB" in inside("doctor", "--prune").stdout


def test_runs_of_one_second_have_places_of_their_own(tmp_path: Path) -> None:
    wanted = tmp_path / "results" / "2026-01-01-000000.json"
    wanted.parent.mkdir()
    with click.Context(click.Command("run")), click.Context(click.Command("run")):
        first, second = racing._claimed(wanted), racing._claimed(wanted)
        assert first == wanted and second.name == "2026-01-01-000000-2.json"
    second.write_text("{}")
    first.write_text("{}")
    with click.Context(click.Command("run")):
        assert racing._claimed(wanted).name == "2026-01-01-000000-3.json"
    assert sorted(path.name for path in wanted.parent.iterdir()) == sorted([first.name, second.name])


def test_no_compiler_is_exit_3(headrace: Command, tmp_path: Path) -> None:
    # A package in the way hides zig, which is found by its module and not by PATH.
    (tmp_path / "ziglang").mkdir()
    (tmp_path / "ziglang" / "__init__.py").write_text("__file__ = '/nowhere'\n")
    hidden = {
        "PATH": str(tmp_path),
        "HEADRACE_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": _search_path(tmp_path),
    }
    done = headrace("run", "read_ints", **hidden, code=3)
    assert "no C++ compiler was found" in done.stderr and "apt install g++" in done.stderr
    diagnosis = headrace("doctor", "--json", **hidden, code=3)
    checks = {check["name"]: check for check in json.loads(diagnosis.stdout)["checks"]}
    assert checks["compiler"]["state"] == "missing" and "apt install g++" in checks["compiler"]["advice"]


def _search_path(first: Path) -> str:
    return os.pathsep.join([str(first), *filter(None, [os.environ.get("PYTHONPATH", "")])])


def test_ctrl_c_saves_and_shows_what_was_measured(
    tmp_path: Path, misbehaving: Path, chain: Toolchain
) -> None:
    words = ["run", str(misbehaving), "--contender", "honest", "--rounds", "100000", "--out", "cut.json"]
    for patience in (3, 6, 12, 24, 48):  # until the first rounds were run, on however slow a machine
        process = subprocess.Popen(
            command([*words, "--toolchain", chain.name]),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(patience)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        if (tmp_path / "cut.json").exists():
            break
    campaign = store.load(tmp_path / "cut.json")
    assert campaign.interrupted and "honest" in out
    rounds = {len(row.samples) for row in campaign.rows if row.outcome == "ok"}
    assert len(rounds) == 1 and rounds.pop() > 0


def test_list_is_a_line_a_benchmark(headrace: Command) -> None:
    lines = headrace("list", COLUMNS="40").stdout.splitlines()
    assert [line.split()[0] for line in lines] == places.benchmark_names()
    (line,) = [line for line in lines if line.startswith("read_ints ")]
    assert re.search(r"\d+ contenders  Read integers and print their sum$", line)


def test_list_of_one_shows_what_a_new_contender_has_to_know(headrace: Command, tmp_path: Path) -> None:
    cache = {"HEADRACE_CACHE": str(tmp_path / "cache")}
    shown = headrace("list", "read_ints", **cache).stdout
    one = benchmarks.find("read_ints")
    made = inputs.make({**one.spec.input, **one.spec.quick})
    assert made.path is not None
    words = " ".join(shown.split())
    for said in (
        one.spec.question,
        "process: whole runs are timed",
        'write "rows columns", then rows lines of integers',
        f"answer {made.expected.text} (with --quick)",
        made.path.read_text()[:60].replace("\n", " "),
        "sources file sinks null",
        "baseline hand_written, limit raw_read, floor null",
        'scanf_printf scanf("%d")',
        "its answer is not checked",
    ):
        assert said in words, said
    assert "needs fmt" in headrace("list", "print", **cache).stdout


@pytest.mark.parametrize("name", places.benchmark_names())
def test_every_benchmark_can_be_shown(name: str) -> None:
    console = Console(file=io.StringIO(), width=60)
    catalogue.show(benchmarks.find(name), console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    for contender in benchmarks.find(name).spec.contender:
        assert re.search(rf"^{re.escape(contender.name)} +\S", shown, re.MULTILINE)
    assert all(char.isprintable() for char in shown.replace("\n", ""))


def test_a_folder_s_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    for file in scaffold.create(tmp_path / "mine"):
        if file.suffix == ".toml":
            text = file.read_text().replace("scanf, one number", "\\u001b[31m[red]scanf, one number")
            file.write_text(text)
    console = Console(file=io.StringIO(), width=80)
    catalogue.show(benchmarks.find(str(tmp_path / "mine")), console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "[31m[red]scanf, one number" in shown and "\x1b" not in shown


def test_list_as_json_has_the_contenders(headrace: Command) -> None:
    (one,) = json.loads(headrace("list", "read_ints", "--json").stdout)
    assert one["name"] == "read_ints"
    found = {one["name"]: one for one in json.loads(headrace("list", "--json").stdout)}
    assert found["read_ints"]["baseline"] == "hand_written"
    assert "scanf_printf" in found["read_ints"]["contenders"]


@pytest.mark.slow
def test_doctor_tells_what_is_here(headrace: Command, chains: list[Toolchain]) -> None:
    done = headrace("doctor", "--json", code=0)
    diagnosis = json.loads(done.stdout)
    assert {one["name"] for one in diagnosis["toolchains"]} == {one.name for one in chains}
    assert diagnosis["machine"]["cores"] >= 1 and diagnosis["machine"]["memory"] > 1 << 28
    names = {check["name"] for check in diagnosis["checks"]}
    assert names >= {"compiler", "libc++", "load", "governor", "turbo", "memory", "valgrind", "cache"}
    for check in diagnosis["checks"]:
        assert (check["advice"] == "") == (check["state"] == "good"), check


def test_doctor_keeps_names_whole(
    inside: Command, monkeypatch: pytest.MonkeyPatch, chains: list[Toolchain]
) -> None:
    names = ("valgrind", "std::from_chars<double>", "cache")
    checks = [
        Check(name=name, state="missing", found="none", advice="get it, or do without") for name in names
    ]
    all_names = ", ".join(chain.name for chain in chains)
    checks.append(Check(name="compiler", state="good", found=all_names))
    found = Diagnosis(machine=facts.read(), toolchains=[one.info() for one in chains], checks=checks)
    monkeypatch.setattr(doctor_command, "diagnose", lambda watch, launcher: found)
    for width in ("50", "80", "200"):
        monkeypatch.setenv("COLUMNS", width)
        words = inside("doctor").stdout.split()
        assert {one.name for one in chains} <= set(words), width
        assert {"compiler", "valgrind", "std::from_chars<double>", "cache"} <= set(words), width


def test_progress_keeps_bar_count_and_time_left() -> None:
    what = "read_ints/naive_cin_cout SYNC=true TIE=true/clang++-19/libstdc++/x86_64-linux/O2/file:null"
    for width in (80, 120):
        console = Console(file=io.StringIO(), width=width, force_terminal=True)
        with Line(console) as line:
            line.show(Step("runs", what, 123, 3456, 605))
            (shown,) = console.render_lines(line._progress.get_renderable())
        text = "".join(segment.text for segment in shown)
        assert len(text) <= width
        assert "Measuring" in text and re.search("[━╸╺]{24}", text)
        assert " 123/3456 10:05 left read_ints/" in text and text.rstrip().endswith("\N{HORIZONTAL ELLIPSIS}")


def test_a_board_has_a_line_for_each_host_that_works() -> None:
    for is_terminal in (True, False):
        console = Console(file=(out := io.StringIO()), width=100, force_terminal=is_terminal)
        with Board(console, iter([0.0, 65.0]).__next__) as board:
            board.host("athena", step=Step("runs", "naive", 3, 24, 60.0))
            board.host("hermes", "waits for its turn")
            board.end("zeus", "done, zeus.json")
            board.tick()
            lines = console.render_lines(board._progress.get_renderable()) if is_terminal else []
            shown = ["".join(segment.text for segment in line).split() for line in lines]
        said = re.sub(r"\x1b.*?[a-zA-Z]|\r", "", out.getvalue())
        assert "headrace: zeus: done, zeus.json" in said
        standing = "1:05 1 of 3 hosts ended"
        if is_terminal:
            head, athena, hermes = shown
            assert " ".join(head) == standing
            assert (athena[0], athena[1], *athena[-4:]) == (
                "athena",
                "Measuring",
                "3/24",
                "1:00",
                "left",
                "naive",
            )
            assert hermes[:5] == ["hermes", "waits", "for", "its", "turn"]
        else:
            assert said.endswith(f"{standing}; athena measuring 3/24 and hermes waits for its turn\n")


def test_version_and_include_folder(headrace: Command) -> None:
    assert headrace("--version").stdout == f"headrace {__version__}\n"
    folder = Path(headrace("--include-dir").stdout.strip())
    assert (folder / "headrace" / "headrace.hpp").is_file()


def test_every_command_has_help_with_an_example(inside: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    group = typer.main.get_command(cli.app)
    assert isinstance(group, click.Group)
    names = group.list_commands(click.Context(group))
    assert set(names) >= {"run", "list", "new", "doctor", "report", "explain", "compare", "selftest"}
    parts = {name: cli._load(name) for name in names}
    commands = [
        [name, *part]
        for name, command in parts.items()
        for part in ([[one] for one in command.commands] if isinstance(command, click.Group) else [[]])
    ]
    assert ["history", "show"] in commands
    for words in commands:
        done = inside(*words, "--help", code=0)
        assert f"Example: headrace {words[0]}" in done.stdout, words
        assert "None" not in done.stdout, f"{words}: no default is no news"
        assert "--json" in done.stdout or words == ["fleet", "join"], words  # which has no result to print


def test_what_has_gone_says_what_to_use(inside: Command) -> None:
    for name, instead in cli.MOVED.items():
        done = inside(*name.split(), code=2)
        assert done.stderr == f"headrace: headrace {name} has gone; use {instead}\n"


def test_the_help_names_the_exit_codes(headrace: Command) -> None:
    shown = " ".join(headrace("--help").stdout.split())
    assert "Exit codes: 0 done, 1 a wrong answer" in shown and "130 after Ctrl-C" in shown


def test_commands_of_other_modules_are_described_as_they_describe_themselves() -> None:
    for name, said in cli.COMMANDS.items():
        assert (cli._load(name).help or "").splitlines()[0] == said


@pytest.mark.parametrize(
    ("words", "completed"), [(("--version",), ""), ((), "headrace run read_"), ((), "headrace re")]
)
def test_the_shell_does_not_wait(headrace: Command, words: tuple[str, ...], completed: str) -> None:
    asked = {"PYTHONPROFILEIMPORTTIME": "1"}
    if completed:
        count = str(len(completed.split()) - 1)
        asked |= {"_HEADRACE_COMPLETE": "complete_bash", "COMP_WORDS": completed, "COMP_CWORD": count}
    done = headrace(*words, **asked, code=0)
    assert done.stdout
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "headrace.cli" in loaded
    assert not loaded & {"numpy", "resvg_py", "pydantic", "jinja2", "headrace.results.schema"}


@pytest.mark.parametrize(
    ("module", "words"),
    [("click", ("--help",)), ("headrace.commands", ("doctor",)), ("numpy", ("run", "read_ints"))],
)
def test_ctrl_c_while_modules_are_loaded_is_no_traceback(
    headrace: Command, tmp_path: Path, module: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys, time\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "            time.sleep(60)\n"
        "sys.meta_path.insert(0, Interrupts())\n"
    )
    done = headrace(*words, PYTHONPATH=_search_path(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_shell_is_offered_benchmarks(headrace: Command) -> None:
    asked = {"_HEADRACE_COMPLETE": "complete_bash", "COMP_WORDS": "headrace run read_w", "COMP_CWORD": "2"}
    assert headrace(**asked).stdout.split() == ["read_words"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "cannot write what was asked for: No space"),
        (OSError(errno.EACCES, "Permission denied", "in/here"), "in/here: Permission denied; it takes other"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "the system refused: Cannot allocate memory; end"),
        (OSError(errno.EMFILE, "Too many open files"), "the system refused: Too many open files; raise"),
    ],
)
def test_what_the_system_refuses_is_told_for_what_it_is(
    error: OSError, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**how: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "_drop_output", lambda: None)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2 and f"headrace: {sentence}" in capsys.readouterr().err
