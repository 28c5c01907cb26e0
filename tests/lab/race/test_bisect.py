"""The commit that made a row slower: the search over simulated races, and over a real repository."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import native
import synthetic
from checkout import git
from commits import FAST, SLOW, TOML, repository
from conftest import Command
from conftest import command as command_line
from headrace.base.errors import BadInput, NotDecided, NothingToDo
from headrace.base.step import Step
from headrace.commands import bisect as command
from headrace.commands import race_of_commits
from headrace.judge import search
from headrace.judge.pair import Estimate
from headrace.judge.search import Seen
from headrace.matrix.compilers import Toolchain
from headrace.measure.plan import Plan
from headrace.race.bisect import Answer, Bisection, Tried
from headrace.race.commits import Commit, Repository, Trees
from headrace.race.compare import Side
from headrace.race.options import RunOptions
from headrace.results.failure import Failure
from headrace.results.schema import Sample

# --- the search: numbers in, probabilities out


def test_without_ratios_all_are_alike() -> None:
    chances = search.probabilities(8, Seen(0.05, 0.002), {7: Seen(0.05, 0.002)})
    assert chances == pytest.approx([1 / 8] * 8)
    assert search.next_commit(chances, ()) == 3


def test_clear_ratios_bisect() -> None:
    change, ratios, done = Seen(0.05, 0.002), {99: Seen(0.05, 0.002)}, []
    while (at := search.next_commit(search.probabilities(100, change, ratios), done)) is not None:
        ratios[at] = Seen(0.05 if at >= 42 else 0.0, 0.002)
        done.append(at)
    chances = search.probabilities(100, change, ratios)
    assert len(done) <= 8 and search.likely(chances) == [42] and chances[42] > 0.999


def test_what_it_says_of_its_certainty_is_true() -> None:
    """With errors as large as half of the change: the likely commits hold the right one as often as said."""
    draw = random.Random(7)
    right, lengths = 0, []
    for _ in range(300):
        first, change = draw.randrange(30), 0.05
        ratios = {29: Seen(change, 0.004)}
        for _ in range(40):
            chances = search.probabilities(30, ratios[29], ratios)
            at = search.next_commit(chances, ratios)
            if at is None:
                break
            ratios[at] = Seen(draw.gauss(change if at >= first else 0.0, 0.025), 0.025)
        found = search.likely(search.probabilities(30, ratios[29], ratios))
        right += first in found
        lengths.append(len(found))
    assert right / 300 >= 0.93
    assert np.mean(lengths) < 15


def test_an_interval_becomes_a_standard_error() -> None:
    known = search.seen(Estimate(0.1, 0.08, 0.12, 30, level=0.05))
    assert known.error == pytest.approx(0.02 / 1.96, rel=0.01)


# --- the bisection over simulated commits


ROW = "sums mine g++ O2 file:null"


def commits(count: int) -> list[Commit]:
    return [Commit(f"{at:040x}", f"change {at}", "A", "2026-11-22", 1) for at in range(count + 1)]


class Simulated:
    """Stands for Trees: a commit's build takes `seconds[commit]`; a text instead is why it does not build."""

    def __init__(self, seconds: Sequence[float | str], noise: float, builds: Sequence[str] = ()) -> None:
        self.seconds, self.noise, self.builds = seconds, noise, builds
        self.random = np.random.default_rng(3)
        self.raced: list[int] = []

    def watch(self, step: Step) -> None:
        pass

    def side(self, place: str, commit: Commit, *rest: object) -> Side:
        at = int(commit.id, 16)
        takes = self.seconds[at]
        if isinstance(takes, str) and takes == "gone":
            raise BadInput("there is no benchmark.toml in ./bench")
        self.raced.append(at)

        def run(number: int) -> Sample | Failure:
            if isinstance(takes, str):
                return Failure("WRONG", takes)
            wall = takes * float(self.random.lognormal(0, self.noise))
            return Sample(round=0, wall=wall, user=wall, system=0, peak_memory=0)

        digest = self.builds[at] if self.builds else f"{at:024x}"
        row = synthetic.a_row("mine", id=ROW, benchmark="sums", build=digest)
        if takes == "broken":
            row = row.model_copy(update={"outcome": "does not compile", "detail": "#error"})
        return Side({ROW: row}, lambda row: run, commit.short)


def bisected(
    seconds: Sequence[float | str],
    noise: float = 0.01,
    builds: Sequence[str] = (),
    rounds: int = 36,
    threshold: float = 0.01,
) -> tuple[Answer, list[Tried]]:
    told: list[Tried] = []
    trees = Simulated(seconds, noise, builds)
    made = Bisection(
        trees,  # type: ignore[arg-type]  # it has what is used of Trees
        Plan(rounds=rounds, max_seconds=600.0, gate=threshold),
        told.append,
    )
    all_of_them = commits(len(seconds) - 1)
    fast, change = made.ends(all_of_them[0], all_of_them[-1])
    return made.find(fast, change, all_of_them[1:]), told


def test_the_commit_is_found_in_few_races() -> None:
    answer, told = bisected([1.0] * 14 + [1.05] * 6)
    assert answer.certain and answer.commits[answer.best].subject == "change 14"
    assert answer.chances[answer.best] > 0.99
    assert len(told) <= 6
    assert {one.word for one in told} == {"fast", "slow"}


def test_commits_that_do_not_build_are_skipped_and_said() -> None:
    answer, told = bisected([1.0, 1.0, 1.0, "broken", "gone", "expected 7, got 8", 1.1, 1.1, 1.1])
    whys = [one.why for one in told if one.word == "skipped"]
    assert any("#error" in why for why in whys)
    assert any("no benchmark.toml" in why for why in whys)
    assert any("expected 7, got 8" in why for why in whys)
    # Which of the four it is cannot be known: three of them gave no answer.
    assert [answer.commits[at].subject for at in answer.likely] == [f"change {at}" for at in (3, 4, 5, 6)]
    assert not answer.certain
    assert "could not be raced" in command._why_not(answer)


def test_a_skipped_commit_elsewhere_costs_nothing() -> None:
    answer, _ = bisected([1.0, 1.0, "broken", 1.0, 1.0, 1.1, 1.1, "broken", 1.1])
    assert answer.certain and answer.commits[answer.best].subject == "change 5"


def test_the_same_build_is_not_raced_again() -> None:
    names = ["a" * 24] * 3 + ["b" * 24] * 3 + ["c" * 24] * 3
    answer, told = bisected([1.0] * 6 + [1.2] * 3, builds=names)
    assert answer.certain and answer.commits[answer.best].subject == "change 6"
    assert any("the same build as" in one.why for one in told)


def test_where_the_gate_cannot_tell_there_are_probabilities() -> None:
    """A change of 3 % in noise of 6 %, with few rounds: no single gate decides, all of them together say."""
    answer, told = bisected([1.0] * 10 + [1.06] * 10, noise=0.05, rounds=60, threshold=0.0)
    assert any(one.word == "not decided" for one in told)
    subjects = [answer.commits[at].subject for at in answer.likely]
    assert "change 10" in subjects and len(subjects) < 10
    assert sum(answer.chances) == pytest.approx(1)
    said = "\n".join(command._conclusion(answer))
    assert "probability" in said or answer.certain


def test_ends_that_do_not_differ_leave_nothing_to_do() -> None:
    with pytest.raises(NothingToDo, match=r"is not slower than 0{10} by more than 3.00%"):
        bisected([1.0, 1.0, 1.0], threshold=0.03)
    with pytest.raises(NotDecided, match="is not decided: mine takes"):
        bisected([1.0, 1.0, 1.05], noise=0.3, threshold=0.03, rounds=12)
    with pytest.raises(BadInput, match="the ends cannot be raced"):
        bisected(["broken", 1.0, 1.0])


# --- a real repository


def test_a_subject_may_hold_other_ends_of_lines(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for subject in ("one\u2028two", "a\x0cform feed"):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", subject)
    found = Repository(tmp_path).commit("HEAD~1")
    assert found.subject == "one\u2028two" and found.parents == 0


def test_commits_between_two_are_in_order(tmp_path: Path) -> None:
    ids = repository(tmp_path, [FAST] * 4)
    found = Repository(tmp_path / "bench")
    assert [one.id for one in found.between(found.commit(ids[0]), found.commit("HEAD"))] == ids[1:]
    assert found.commit("HEAD").subject == "change 3" and found.commit("HEAD").author == "A Person"


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ("nothing", "HEAD", "nothing is not a commit of"),
        ("--help", "HEAD", "--help is not a commit of"),
        ("HEAD", "HEAD~1", "is not an ancestor of"),
        ("HEAD", "HEAD", "is not an ancestor of"),
    ],
)
def test_bad_ends_are_sentences(tmp_path: Path, good: str, bad: str, words: str) -> None:
    repository(tmp_path, [FAST] * 2)
    found = Repository(tmp_path)
    with pytest.raises(BadInput, match=words):
        found.between(found.commit(good), found.commit(bad))


def test_outside_of_a_repository_it_says_so(inside: Command, chain: Toolchain) -> None:
    done = inside("bisect", "a", "b", "--", "read_ints", "--toolchain", chain.name)
    assert done.returncode == 2 and "is in no git repository" in done.stderr


def test_worktrees_leave_nothing_behind(tmp_path: Path) -> None:
    ids = repository(tmp_path, [FAST, SLOW])
    hook = tmp_path / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    hook.chmod(0o755)
    (tmp_path / "README").write_text("not committed\n")
    found = Repository(tmp_path)
    options = RunOptions(["./bench/sums", "read_ints"], guests=[Path("mine.cpp")])
    with pytest.raises(KeyboardInterrupt), Trees(found, tmp_path, options) as trees:
        first = trees.check_out("good", found.commit(ids[0]))
        (first / "made.o").write_text("")
        assert trees.check_out("good", found.commit(ids[1])) == first
        assert (first / "src" / "work.hpp").read_text() == SLOW
        assert not (first / "made.o").exists()
        moved = trees.options_of(first)
        assert moved.benchmarks == [str(first / "bench" / "sums"), "read_ints"] and moved.include == ""
        assert moved.guests == [first / "mine.cpp"]
        raise KeyboardInterrupt
    assert not first.exists()
    assert len(git(tmp_path, "worktree", "list").splitlines()) == 1
    assert not (tmp_path / ".git" / "worktrees").exists()
    assert (tmp_path / "README").read_text() == "not committed\n"
    assert not (tmp_path / "hooked").exists()


def test_in_a_hook_of_git_it_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There GIT_DIR would let a checkout in the temporary folder move the user's own HEAD."""
    repository(tmp_path, [FAST])
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    with pytest.raises(BadInput, match="GIT_DIR is set"):
        Repository(tmp_path)


def test_a_checkout_of_headrace_brings_its_headers_and_benchmarks(tmp_path: Path) -> None:
    repository(tmp_path, [FAST])
    (tmp_path / "include" / "headrace").mkdir(parents=True)
    (tmp_path / "include" / "headrace" / "headrace.hpp").write_text("")
    (tmp_path / "benchmarks" / "read_ints").mkdir(parents=True)
    (tmp_path / "benchmarks" / "read_ints" / "benchmark.toml").write_text(TOML)
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "headrace")
    found = Repository(tmp_path)
    with Trees(found, tmp_path, RunOptions(["read_ints", "write_ints"])) as trees:
        tree = trees.check_out("good", found.commit("HEAD"))
        moved = trees.options_of(tree)
        assert moved.benchmarks == [str(tree / "benchmarks" / "read_ints"), "write_ints"]
        assert moved.include == str(tree / "include")


@pytest.mark.slow
def test_the_slow_commit_of_a_repository_is_found(tmp_path: Path, chain: Toolchain) -> None:
    """It takes 300 times the work of the commit before: no noise hides that."""
    home = tmp_path / "project"
    home.mkdir()
    comment = "// a comment\n"
    ids = repository(home, [FAST, FAST + comment, "#error\n", FAST, SLOW, SLOW + comment])
    words = ("--rounds", "20", "--by", "cpu", "--json", "--", "./bench/sums", "--toolchain", chain.name)
    done = run_in(home, "bisect", ids[0], "HEAD", *words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["commit"] == ids[4] and found["certain"]
    assert found["probability"] > 0.95
    assert len(git(home, "worktree", "list").splitlines()) == 1
    assert git(home, "status", "--short") == ""


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return native.call(*command_line(words), cwd=folder)


# --- the words after --


def test_the_race_takes_the_options_of_run(chain: Toolchain) -> None:
    words = [
        "read_ints",
        "--contender",
        "head*",
        "--toolchain",
        chain.name,
        "--set",
        "rows=10",
        "--opt",
        "O3",
    ]
    found = race_of_commits.read_race([*words, "--route", "pipe:null", "--quick"])
    assert (found.benchmarks, found.contenders) == (["read_ints"], ["head*"])
    assert (found.settings, found.optimise, found.quick) == ([{"rows": "10"}], ["O3"], True)
    assert found.routes == [("pipe", "null")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["HEAD~1", "HEAD", "--", "read_ints", "--rounds", "3"], "No such option: --rounds"),
        (["HEAD~1", "HEAD", "--", "./nowhere", "--toolchain", "g++"], "there is no benchmark.toml in"),
        (["HEAD~1", "HEAD", "--slower", "much", "--", "sums"], "--slower wants a percentage such as 5%"),
        (["HEAD~1", "HEAD"], "Missing argument"),
    ],
)
def test_bad_words_are_sentences(inside: Command, tmp_path: Path, words: list[str], said: str) -> None:
    repository(tmp_path, [FAST, SLOW])
    done = inside("bisect", *words)
    assert done.returncode == 2 and said in done.stderr
    assert not (tmp_path / ".git" / "worktrees").exists()
