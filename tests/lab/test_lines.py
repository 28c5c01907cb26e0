"""A process that says line by line how far it is, and how it is ended."""

from __future__ import annotations

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
