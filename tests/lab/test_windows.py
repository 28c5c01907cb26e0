"""Windows programs: under wine where it is installed, and said to be skipped where it is not."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest

from headrace.base import places
from headrace.base.errors import NothingToDo
from headrace.matrix import toolchains
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch, wine
from headrace.race import race
from headrace.race.options import RunOptions
from headrace.results.schema import Campaign

PROGRAM = """
#include <cstdio>
int main() {
    int sum = 0;
    for (int value = 0; std::scanf("%d", &value) == 1;) sum += value;
    std::printf("%d\\n", sum);
    std::FILE* console = std::fopen("CONOUT$", "w");
    if (console != nullptr) std::fputs("drawn\\n", console);
    return sum == 6 ? 0 : 3;
}
"""


@pytest.fixture(scope="module")
def chain() -> Toolchain:
    try:
        return toolchains.find(["*/x86_64-windows"]).toolchains[0]
    except NothingToDo as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def folder(chain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The launcher for Windows and a program that adds."""
    place = tmp_path_factory.mktemp("windows")
    (place / "add.cpp").write_text(PROGRAM)
    for source, name in (
        (places.native_folder() / "launch_windows.cpp", "launch"),
        (place / "add.cpp", "add"),
    ):
        command = [*chain.command, "-std=c++17", "-O1", "-Wall", "-Wextra", *chain.flags, str(source)]
        done = launch.call([*command, "-o", str(place / f"{name}.exe")], 600, chain.environment)
        assert done.ok and not done.err, done.err
    (place / "input").write_text("1 2 3\n")
    return place


def run(chain: Toolchain, folder: Path, *words: str) -> launch.Completed:
    """Run the launcher. Paths are relative: wine's Z: is the root of this machine."""
    command = [*chain.runner, "launch.exe", *words]
    return launch.call(command, 60, chain.run_environment, cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["file", "pipe"])
@pytest.mark.parametrize("sink", ["capture", "pipe", "file", "null", "pty"])
def test_the_launcher_of_windows(chain: Toolchain, folder: Path, source: str, sink: str) -> None:
    route = ["--source", source, "--input", "input", "--sink", sink, "--output", "sink", "--text"]
    done = run(chain, folder, *route, "--", ".\\add.exe")
    assert done.ok, done.err
    report = json.loads(done.out)
    assert (report["exit"], report["signal"], report["timed_out"]) == (0, 0, False)
    assert report["wall"] > 0  # wine forgets the memory of a process that has ended
    head = base64.b64decode(report["head"])
    if sink == "pty":
        assert b"drawn" in head
    else:
        assert head == (b"" if sink == "null" else b"6\n")
    assert not (folder / "sink").exists()


WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror".split()


@pytest.mark.slow
def test_every_windows_toolchain_builds_the_launcher(tmp_path: Path) -> None:
    """Without a warning; it then runs programs on a file, the null device and a console that they open."""
    try:
        chains = toolchains.find(["*-windows"]).toolchains
    except NothingToDo as error:
        pytest.skip(str(error))
    (tmp_path / "input").write_text("1 2 3\n")
    (tmp_path / "add.cpp").write_text(PROGRAM)
    launcher = places.native_folder() / "launch_windows.cpp"
    for chain in chains:
        for source, name, flags in ((launcher, "launch", WARNINGS), (tmp_path / "add.cpp", "add", [])):
            words = [*chain.command, "-std=c++17", "-O1", *flags, *chain.flags, str(source)]
            done = launch.call([*words, "-o", str(tmp_path / f"{name}.exe")], 600, chain.environment)
            assert done.ok, f"{chain.name}: {done.err}"
        for sink, arrives in (("file", b"6\n"), ("null", b""), ("pty", b"drawn")):
            route = ["--source", "file", "--input", "input", "--sink", sink, "--output", "sink", "--text"]
            report = json.loads(run(chain, tmp_path, *route, "--", ".\\add.exe").out)
            assert report["exit"] == 0, f"{chain.name} to {sink}"
            assert arrives in base64.b64decode(report["head"]), f"{chain.name} to {sink}"


@pytest.mark.slow
def test_the_launcher_of_windows_says_what_is_wrong(chain: Toolchain, folder: Path) -> None:
    gone = run(chain, folder, "--", ".\\gone.exe")
    assert (gone.code, gone.out) == (2, "") and "cannot start .\\gone.exe" in gone.err
    assert "no program to start" in run(chain, folder, "--sink", "null").err
    assert "--cold needs Linux" in run(chain, folder, "--cold", "--", "x").err
    late = run(chain, folder, "--timeout", "1", "--", "cmd.exe", "/c", "ping", "-n", "30", "127.0.0.1")
    assert json.loads(late.out)["timed_out"] is True
    failing = json.loads(run(chain, folder, "--", ".\\add.exe").out)
    assert failing["exit"] == 3
    digest = run(chain, folder, "--digest", "input").out.split()
    assert digest[0] == "6" and len(digest[1]) == 16


@pytest.mark.slow
def test_rows_under_wine_say_so(chain: Toolchain) -> None:
    wanted = RunOptions(
        benchmarks=["print"],
        toolchains=[chain.name],
        contenders=["headrace"],
        routes=[("none", "file"), ("none", "pipe")],
        rounds=1,
    )
    result = race.run(wanted)
    assert {row.outcome for row in result.rows} == {"ok"}, [row.detail for row in result.rows]
    assert all(wine.NOTE in row.notes for row in result.rows)


def without_wine(monkeypatch: pytest.MonkeyPatch, chains: list[Toolchain]) -> Campaign:
    monkeypatch.setattr(wine, "program", lambda: "")
    names = [chains[0].name, "*/x86_64-windows"]
    routes = [("none", "file")]
    options = RunOptions(["print"], names, contenders=["puts"], routes=routes, rounds=1)
    return race.run(options)


def test_without_wine_its_rows_are_skipped_and_the_rest_is_complete(
    monkeypatch: pytest.MonkeyPatch, chains: list[Toolchain]
) -> None:
    result = without_wine(monkeypatch, chains)
    skipped = [row for row in result.rows if row.outcome == "skipped"]
    assert skipped and all(row.toolchain.endswith("/x86_64-windows") for row in skipped)
    assert all("apt install" in row.detail for row in skipped)
    measured = [row for row in result.rows if row.samples]
    assert {"puts", "printf"} <= {row.contender for row in measured}
    assert race.exit_code(result) == 0


def test_a_start_without_output_is_no_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    """wine ends with status 0 where it cannot start a 32-bit program."""
    silent = launch.Completed(0, "", "")
    chain = Toolchain(
        "g++/libstdc++/x86-windows", ["g++"], "gcc", "12", "libstdc++", "x86-windows", runner=["wine"]
    )
    monkeypatch.setattr(wine, "folder_32", lambda: None)
    assert toolchains._why_not(chain, silent) == wine.GET_32
    monkeypatch.setattr(wine, "folder_32", lambda: Path("/"))
    assert toolchains._why_not(chain, silent) == "it printed nothing"


def test_a_terminal_of_its_own_passes_on_the_text_and_the_status(tmp_path: Path) -> None:
    top = places.checkout()
    assert top is not None
    tool = ["python3", str(top / "tools" / "in_terminal.py")]

    def shell(line: str) -> tuple[int, str]:
        done = subprocess.run([*tool, "sh", "-c", line], capture_output=True, text=True, timeout=20)
        return done.returncode, done.stdout

    assert shell("test -t 1 && printf '\\033[31mred\\033[0m\\n'") == (0, "red\n")
    assert shell("echo x; exit 4") == (4, "x\n")
    assert shell("true") == (97, "")
    assert shell("kill -TERM $$")[0] == 128 + 15
