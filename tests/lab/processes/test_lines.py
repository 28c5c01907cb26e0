"""A process that says line by line how far it is, and how it is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from headrace.processes import lines
from headrace.processes.lines import Talking


def test_it_says_what_it_was_told_and_how_it_ended() -> None:
    program = "import sys; print('told', input()); sys.exit('no more')"
    one = Talking([sys.executable, "-c", program], "this", {})
    assert list(one.lines()) == ["told this\n"]
    ended = one.end()
    assert (ended.code, ended.err) == (1, "no more\n")


def test_one_that_does_not_end_is_ended_by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 0.2)
    one = Talking([sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(600)"], "", {})
    said = one.lines()
    assert next(said) == "begun\n"
    threading.Thread(target=one.stop).start()  # while somebody listens
    assert list(said) == []
    assert one.end().code == -9


# Starts a program in a session of its own, which starts one in a session of its own and ends.
FAMILY = """
import subprocess, sys, time
from headrace.processes.lines import adopt
adopt()
waits = "import time; time.sleep(600)"
starts = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {waits!r}], "
starts += "start_new_session=True, stdout=subprocess.DEVNULL).pid, flush=True)"
subprocess.run([sys.executable, "-c", starts], start_new_session=True)
own = subprocess.Popen([sys.executable, "-c", waits], start_new_session=True, stdout=subprocess.DEVNULL)
print(own.pid, flush=True)
time.sleep(600)
"""


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as status:
            return status.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt")
def test_force_reaches_what_is_in_other_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PATIENCE", 0.2)
    paths = os.pathsep.join(path for path in sys.path if path)
    one = Talking([sys.executable, "-c", FAMILY], "", {"PYTHONPATH": paths})
    said = one.lines()
    orphan, child = int(next(said)), int(next(said))
    assert is_running(orphan) and is_running(child)
    assert sorted(lines.descendants(one._process.pid)) == sorted([orphan, child])
    assert one.end().code == -9
    assert not is_running(orphan) and not is_running(child)


def test_what_others_have_started_is_not_below_a_process() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert other.pid in lines.descendants(os.getpid())
        assert lines.descendants(other.pid) == []
        other.communicate(b"\n")
