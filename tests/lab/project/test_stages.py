"""`make test`: stages with names and times, what `make -n` does, and Ctrl-C where SIGINT was ignored."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

import native
from checkout import TOP


def stages(*words: str) -> subprocess.CompletedProcess[str]:
    return native.call(TOP / "tools/stages", *words)


def test_each_stage_says_its_name_and_its_time() -> None:
    done = stages("echo", "-n", "one", "two")
    assert done.returncode == 0
    assert re.fullmatch(
        r"== one\none== one passed in \d+ s\n== two\ntwo== two passed in \d+ s\n", done.stdout
    )


def test_the_first_stage_that_fails_is_the_last() -> None:
    done = stages("false", "one", "two")
    assert done.returncode == 1
    assert re.fullmatch(r"== one\n== one FAILED after \d+ s\n", done.stdout)


@pytest.mark.skipif(not (TOP / ".venv/test").exists(), reason="make test has not set up this checkout")
def test_make_n_runs_no_test() -> None:
    done = native.call("make", "-n", "test-all", cwd=TOP)
    assert done.returncode == 0, done.stderr
    assert "tools/stages" in done.stdout and "== " not in done.stdout


def test_a_test_can_end_a_command_by_ctrl_c_wherever_it_was_started(tmp_path: Path) -> None:
    """Run a test of a project of its own, with this conftest, while SIGINT is ignored."""
    (tmp_path / "test_it.py").write_text(
        "import signal, subprocess, sys\n"
        "def test_it():\n"
        "    end = 'import os, signal; os.kill(os.getpid(), signal.SIGINT)'\n"
        "    done = subprocess.run([sys.executable, '-c', end])\n"
        "    assert done.returncode == -signal.SIGINT\n"
    )
    (tmp_path / "conftest.py").write_text("from lab_conftest import *\n")
    (tmp_path / "lab_conftest.py").write_text((TOP / "tests/lab/conftest.py").read_text(encoding="utf-8"))
    folders = os.pathsep.join([str(TOP / "tests/lab"), str(tmp_path)])
    done = native.call(
        *native.PYTEST,
        tmp_path,
        env={**os.environ, "PYTHONPATH": folders},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert done.returncode == 0, done.stdout
