"""The recipe for continuous integration: its shell, as the document has it, races commits of a repository."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import native
from checkout import TOP, git
from commits import FAST, SLOW, repository
from conftest import Command, command
from headrace.base.errors import NothingToDo
from headrace.matrix import toolchains
from headrace.matrix.compilers import Toolchain
from pages import blocks

PAGE = TOP / "docs" / "ci.md"


def of_page(title: str) -> str:
    """Return a file that the page shows."""
    found = [block.beside[title] for block in blocks(PAGE) if title in block.beside]
    assert len(found) == 1, title
    return found[0]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository in which the recipe's script is, and a headrace on the PATH that is these sources."""
    home, programs = tmp_path / "project", tmp_path / "bin"
    home.mkdir()
    programs.mkdir()
    (home / "race.sh").write_text(of_page("race.sh"))
    words = shlex.join([*command([])])
    (programs / "headrace").write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    (programs / "headrace").chmod(0o755)
    return home


def race(project: Path, base: str, chain: Toolchain, **variables: str) -> subprocess.CompletedProcess[str]:
    return native.call(
        "sh",
        "race.sh",
        base,
        cwd=project,
        env={
            **os.environ,
            "PATH": f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RACE": f"./bench/sums --toolchain {chain.name}",
            **variables,
        },
    )


@pytest.mark.slow
def test_the_recipe_tells_a_slow_commit_from_one_that_is_not(project: Path, chain: Toolchain) -> None:
    """SLOW takes 300 times the work of FAST: no noise hides that. The same build needs no race."""
    ids = repository(project, [FAST, FAST + "// a comment\n", SLOW])
    git(project, "checkout", "-q", ids[1])
    done = race(project, ids[0], chain)
    assert done.returncode == 0, done.stderr
    table = (project / "race.md").read_text()
    assert "Not slower by more than 5 %: 1 row, proved." in table and "the same build" in table
    git(project, "checkout", "-q", ids[2])
    done = race(project, ids[0], chain)
    assert done.returncode == 1, done.stdout + done.stderr
    table = (project / "race.md").read_text()
    assert "**Slower by more than 5 %" in table and "| mine |" in table and "FAILED" in table
    assert len(git(project, "worktree", "list").splitlines()) == 1


@pytest.mark.slow
def test_the_recipe_says_what_could_not_be_raced(project: Path, chain: Toolchain) -> None:
    ids = repository(project, [FAST, "#error no\n"])
    done = race(project, ids[0], chain)
    assert done.returncode == 1
    assert "does not compile in NEW" in (project / "race.md").read_text()
    git(project, "mv", "bench/sums", "bench/totals")
    git(project, "commit", "-q", "-m", "another name")
    (project / "src" / "work.hpp").write_text(FAST)
    git(project, "commit", "-q", "-a", "-m", "it builds")
    new = {"RACE": f"./bench/totals --toolchain {chain.name}"}
    done = race(project, ids[0], chain, **new)
    assert done.returncode == 0, done.stderr
    assert (project / "race.md").read_text() == "Nothing to race: the base has no such benchmark.\n"
    done = race(project, "no-such-branch", chain)
    assert done.returncode == 2
    done = race(project, ids[0], chain, RACE="./nowhere")
    assert done.returncode == 2
    assert "did not take place" in (project / "race.md").read_text()


def test_the_workflow_is_one_and_its_shell_is_shell() -> None:
    workflow: dict[Any, Any] = yaml.safe_load(of_page(".github/workflows/race.yml"))
    # YAML reads the key `on` as true.
    assert workflow[True] == "pull_request" and workflow["permissions"]["contents"] == "read"
    steps = workflow["jobs"]["race"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert any(run.startswith("sh race.sh ") for run in runs)
    assert any("race.md" in run and "GITHUB_STEP_SUMMARY" in run for run in runs)
    for text in [*runs, of_page("race.sh")]:
        done = native.call("sh", "-n", input=text)
        assert done.returncode == 0, (text, done.stderr)
    assert all("uses" in step or "run" in step for step in steps)


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="no actionlint on this machine")
def test_actionlint_finds_nothing_in_the_workflow(tmp_path: Path) -> None:
    (tmp_path / "race.yml").write_text(of_page(".github/workflows/race.yml"))
    done = native.call("actionlint", "race.yml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_job_for_gitlab_races_against_the_target_branch() -> None:
    job: dict[str, Any] = yaml.safe_load(of_page(".gitlab-ci.yml"))["race"]
    known = "image rules timeout variables before_script script artifacts"  # of GitLab's keywords for a job
    assert set(job) == set(known.split())
    assert job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}]
    assert job["variables"]["GIT_DEPTH"] == "0"
    assert job["script"] == ['sh race.sh "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"']
    assert job["artifacts"]["when"] == "always" and "race.md" in job["artifacts"]["paths"]
    for line in [*job["before_script"], *job["script"]]:
        done = subprocess.run(["sh", "-n"], input=line, capture_output=True, text=True)
        assert done.returncode == 0, (line, done.stderr)


@pytest.mark.slow
def test_another_answer_to_a_file_of_ones_own_fails(project: Path, chain: Toolchain) -> None:
    """Nobody knows the answer to it, so the base's is right."""
    ids = repository(project, [FAST, FAST])
    source = project / "bench" / "sums" / "mine.cpp"
    source.write_text(source.read_text().replace("sum += x", "sum += 2 * x"))
    git(project, "commit", "-q", "-a", "-m", "another answer")
    (project / "own.txt").write_text("1 2\n3 4\n")
    done = race(
        project, ids[0], chain, RACE=f"./bench/sums --toolchain {chain.name} --layouts 1 --input own.txt"
    )
    assert done.returncode == 1, done.stderr
    assert "expected '7', got '14'" in (project / "race.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["HEAD", "HEAD", "--", "./bench/sums"], "say --fail-if-slower 5%"),
        (["a.json", "b.json", "--markdown", "x.md"], "say --fail-if-slower 5%, too"),
        (["a.json", "b.json", "c.json"], "c.json is one name too many"),
    ],
)
def test_nothing_is_raced_without_a_limit(
    inside: Command, tmp_path: Path, words: list[str], said: str
) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}")
    done = inside("compare", *words, code=2)
    assert said in done.stderr


def test_without_a_compiler_nothing_passes(
    inside: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script takes 3 for a base without the benchmark, so it must not be the code of anything else."""

    def none(*words: object) -> None:
        raise NothingToDo("no C++ compiler was found on PATH")

    ids = repository(tmp_path, [FAST, SLOW])
    monkeypatch.setattr(toolchains, "find", none)
    for more in ([], ["--toolchain", "g++"]):
        done = inside(
            "compare", ids[0], ids[1], "--fail-if-slower", "5%", "--", "./bench/sums", *more, code=2
        )
        assert "no C++ compiler" in done.stderr
