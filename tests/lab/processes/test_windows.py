"""Windows programs: under wine where it is installed, and said to be skipped where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import native
from headrace.base import places
from headrace.base.errors import NothingToDo
from headrace.matrix import toolchains
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch, wine
from headrace.race import race
from headrace.race.options import RunOptions
from headrace.results.schema import Campaign


@pytest.fixture(scope="module")
def chain() -> Toolchain:
    try:
        return toolchains.find(["*/x86_64-windows"]).toolchains[0]
    except NothingToDo as error:
        pytest.skip(str(error))


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
        done = native.call(*tool, "sh", "-c", line)
        return done.returncode, done.stdout

    assert shell("test -t 1 && printf '\\033[31mred\\033[0m\\n'") == (0, "red\n")
    assert shell("echo x; exit 4") == (4, "x\n")
    assert shell("true") == (97, "")
    assert shell("kill -TERM $$")[0] == 128 + 15
