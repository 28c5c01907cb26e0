"""The contest tasks in examples/contest: their answers, as they are and with cin and cout instead."""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import native

FOLDER = native.TOP / "examples" / "contest"
SPEC = importlib.util.spec_from_file_location("contest_tasks", FOLDER / "tasks.py")
assert SPEC is not None and SPEC.loader is not None
tasks = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = tasks
SPEC.loader.exec_module(tasks)


def test_each_program_is_a_task() -> None:
    assert sorted(tasks.TASKS) == sorted(path.stem for path in FOLDER.glob("*.cpp"))
    listed = (FOLDER / "README.md").read_text()
    assert all(f"[{name}]({name}.cpp)" in listed for name in tasks.TASKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(tasks.TASKS))
def test_answers_are_those_of_the_plain_way(name: str, tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    programs = [tasks.build(name, iostream, tmp_path) for iostream in (False, True)]
    task = tasks.TASKS[name]
    for seed in range(5):
        given = task.make(random.Random(seed), task.small)
        expected = task.answer(given)
        for program in programs:
            done = native.call(program, input=given)
            assert done.returncode == 0 and done.stdout == expected, (program.name, seed)


@pytest.mark.slow
def test_a_question_arrives_before_its_answer_is_awaited(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    program = tasks.build("guess_number", False, tmp_path)
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asker:
        assert asker.stdin is not None and asker.stdout is not None
        asker.stdin.write("100\n")
        for _ in range(8):
            asker.stdin.flush()
            asked = int(asker.stdout.readline().removeprefix("? "))
            asker.stdin.write("=\n" if asked == 73 else "<\n" if asked > 73 else ">\n")
            if asked == 73:
                break
        asker.stdin.close()
        assert asked == 73 and asker.wait(timeout=60) == 0
