"""A command that is forked is the command: what it prints, its exit code, its folder and its variables."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import forked
import native
from conftest import command

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture(scope="module")
def server() -> Iterator[forked.Server]:
    made = forked.Server()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["list"], 0),
        (["run", "read_int"], 2),
        (["new", "mine"], 0),
        (["history", "show"], 2),
        (["report", "absent.json"], 2),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_forked_command_does_as_a_new_process(
    server: forked.Server, tmp_path: Path, words: list[str], code: int
) -> None:
    variables = {**os.environ, "COLUMNS": "50", "HEADRACE_CACHE": str(tmp_path / "cache")}
    assert server.can_have(variables)
    found = []
    for name in ("new", "forked"):
        folder = tmp_path / name
        folder.mkdir()
        if name == "new":
            done = native.call(*command(words), cwd=folder, env=variables)
        else:
            done = server.run(words, folder, variables, 60)
        made = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        found.append((done.returncode, done.stdout, done.stderr, made))
    assert found[0] == found[1]
    assert found[0][0] == code and found[0][1] + found[0][2]


def test_one_that_takes_too_long_is_ended_and_the_next_one_runs(
    server: forked.Server, tmp_path: Path
) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        server.run(["list"], tmp_path, os.environ, 0.001)
    assert server.run(["--version"], tmp_path, os.environ, 60).returncode == 0


def test_what_python_reads_when_it_starts_wants_a_new_process(server: forked.Server) -> None:
    assert server.can_have({**os.environ, "HEADRACE_CACHE": "/nowhere", "PATH": "/nowhere"})
    assert not server.can_have({**os.environ, "PYTHONPATH": "/nowhere"})
    assert not server.can_have({**os.environ, "_HEADRACE_COMPLETE": "complete_bash"})
    assert not server.can_have(
        {name: value for name, value in os.environ.items() if name != "PATH"} | {"A": "b"}
    )
