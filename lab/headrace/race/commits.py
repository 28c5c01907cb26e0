"""Commits of a git repository as folders, and the builds of one.

A commit is checked out into a temporary folder, of which the repository hears nothing. Its builds are made
beside it, not in the cache: nothing of either is left when it is over.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from headrace.base.errors import BadInput, HeadraceError
from headrace.base.step import Step
from headrace.builds import build
from headrace.matrix import inputs
from headrace.measure.plan import Plan, Run
from headrace.processes import launch
from headrace.race import compare, race, row_inputs, row_programs
from headrace.race.compare import Side
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.schema import Row

TIMEOUT = 300.0  # seconds for git
QUIETLY = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


class NoRace(BadInput):
    """A commit that has not what is to be raced: no such benchmark, contender or program."""


@dataclass(frozen=True)
class Commit:
    """A commit, as a person recognises it."""

    id: str
    subject: str
    author: str
    date: str
    parents: int

    @property
    def short(self) -> str:
        """The part of its id that is shown."""
        return self.id[:10]


class Repository:
    """A git repository. Raises BadInput where a folder is in none."""

    def __init__(self, folder: Path) -> None:
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # they would lead git to another tree
            if os.environ.get(name):
                raise BadInput(
                    f"{name} is set, as git does in a hook; unset it, so that git finds trees itself"
                )
        done = launch.call(["git", "-C", str(folder), "rev-parse", "--show-toplevel"], timeout=TIMEOUT)
        if not done.ok or not done.out.strip():
            raise BadInput(f"{folder.resolve()} is in no git repository; go to the one that has the commits")
        self.top = Path(done.out.strip()).resolve()

    def _call(self, *words: str) -> launch.Completed:
        return launch.call(["git", "-C", str(self.top), *QUIETLY, *words], timeout=TIMEOUT)

    def git(self, *words: str) -> str:
        """Run git. Raises BadInput with what it says."""
        done = self._call(*words)
        if not done.ok:
            raise BadInput(f"git {words[0]}: {done.complaint}")
        return done.out

    def commit(self, name: str) -> Commit:
        """Return the commit that a name means. Raises BadInput where it means none."""
        done = self._call("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if not done.ok:
            raise BadInput(f"{name} is not a commit of {self.top}; git log shows them")
        return self._log("--max-count=1", done.out.strip())[0]

    def between(self, good: Commit, bad: Commit) -> list[Commit]:
        """Return the commits after `good` up to `bad`, the oldest first; of merges the first parent's."""
        if good.id == bad.id or not self._call("merge-base", "--is-ancestor", good.id, bad.id).ok:
            raise BadInput(
                f"{good.short} is not an ancestor of {bad.short}: name the older, fast commit first, then "
                "the slow one"
            )
        return self._log("--reverse", "--first-parent", f"{good.id}..{bad.id}")

    def _log(self, *words: str) -> list[Commit]:
        form = "--format=%H%x00%s%x00%an%x00%as%x00%p"
        lines = self.git("log", "--no-show-signature", form, *words).rstrip("\n").split("\n")
        rows = (line.split("\0") for line in lines)  # not splitlines: subjects have other line ends
        return [
            Commit(name, subject, author, date, len(parents.split()))
            for name, subject, author, date, parents in rows
        ]


def check_out(top: Path, commit: str, folder: Path, *parts: str) -> str:
    """Write the files of a commit, or of some folders in it, into a folder. Returns "" or what git says.

    The index is one of its own, so that the repository's tree, index and HEAD stay as they are.
    """
    git = ["git", "-C", str(top), *QUIETLY, f"--work-tree={folder}"]
    words = [*git, "checkout", "--quiet", "--force", commit, "--", *(f":/{part}" for part in parts or [""])]
    with tempfile.TemporaryDirectory(prefix="headrace-") as place:
        index = {"GIT_INDEX_FILE": str(Path(place) / "index")}
        done = launch.call(words, timeout=TIMEOUT, environment=index)
    return "" if done.ok else (done.err.strip().splitlines() or [f"status {done.code}"])[0]


class Trees(contextlib.ExitStack):
    """Commits of a repository in a temporary folder, which goes when this is left."""

    def __init__(self, repository: Repository, here: Path) -> None:
        super().__init__()
        self.repository, self.here = repository, here.resolve()
        self._folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="headrace-"))).resolve()
        self._inputs: dict[str, inputs.Input] = {}

    def check_out(self, place: str, commit: Commit) -> Path:
        """Return the folder of a commit. A later commit in the same place takes the folder over."""
        tree = self._folder / place
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir()
        if error := check_out(self.repository.top, commit.id, tree):
            raise BadInput(f"git checkout {commit.short}: {error}")
        return tree

    def options(self, tree: Path, options: RunOptions) -> RunOptions:
        """Let options mean a tree: its benchmarks, programs and headers, where it has them."""
        include = tree / "include"
        own = (include / "headrace" / "headrace.hpp").is_file()

        def benchmark(name: str) -> str:
            if "/" in name:
                return str(self._moved(Path(name), tree))
            inside = tree / "benchmarks" / name
            return str(inside) if own and (inside / "benchmark.toml").is_file() else name

        return replace(
            options,
            benchmarks=[benchmark(name) for name in options.benchmarks],
            guests=[self._moved(path, tree) for path in options.guests],
            include=str(include) if own else "",
        )

    def _moved(self, path: Path, tree: Path) -> Path:
        """Return where a path of the repository is in a tree; another path stays."""
        whole = (self.here / path).resolve()
        top = self.repository.top
        return tree / whole.relative_to(top) if whole == top or top in whole.parents else whole

    def side(
        self,
        place: str,
        commit: Commit,
        options: RunOptions,
        is_wanted: Callable[[Lane], bool],
        watch: Callable[[Step], None],
    ) -> Side:
        """Check a commit out and build its rows. Raises NoRace where it has none of them."""
        tree = self.check_out(place, commit)
        moved = self.options(tree, options)
        try:
            _, found, lanes = race.choose(moved, watch)
        except HeadraceError as error:
            raise NoRace(f"{commit.short}: {str(error).replace(f'{tree}/', './')}") from error
        build.launcher(found.toolchains)
        make = row_programs.make_in(Path(tempfile.mkdtemp(dir=self._folder)))
        rows: dict[str, Row] = {}
        runs: dict[str, Run] = {}
        wanted = [lane for lane in lanes if is_wanted(lane)]
        for number, lane in enumerate(wanted):
            if lane.benchmark.spec.kind == "observation":
                raise BadInput(f"{lane.benchmark.name} is an observation, which has no time to compare")
            watch(Step("builds", f"{commit.short}: {lane.row().id}", number, len(wanted)))
            made = row_programs.reason_to_skip(lane) or _with_harness(row_programs.program(lane, make))
            row = row_programs.described(lane, made)
            if row.outcome == "ok" and not isinstance(made, str):
                try:
                    data = self._input(lane, made, options, watch)
                    row = row_programs.described(lane, made, data)
                    runs[row.id] = row_programs.linked(lane, made, data, options)
                except HeadraceError as error:
                    row = row.model_copy(update={"outcome": "skipped", "detail": str(error)})
            rows[row.id] = row
        return Side(rows, lambda row: runs[row.id], commit.short)

    def _input(
        self, lane: Lane, made: build.Build, options: RunOptions, watch: Callable[[Step], None]
    ) -> inputs.Input:
        """Return a row's input: what the first commit made it, as both sides of a race read the same.

        Where nobody knows the answer to it, that of the first commit's build is the right one.
        """
        name, key = lane.row().id, row_inputs.input_key(lane)
        if name not in self._inputs:
            data = inputs.make(lane.settings, lane.benchmark.spec.tolerance)
            answered = row_inputs.agreed([lane], {key: [data]}, {name: made}, options, watch)
            self._inputs[name] = answered[key][0]
        return self._inputs[name]


def _with_harness(made: build.Build) -> build.Build:
    """Let a build's digest be of its harness, too: the same bytes are the same, whatever commit has them."""
    if made.harness is None:
        return made
    return replace(made, digest=hashlib.sha256(made.digest.encode() + made.harness.read_bytes()).hexdigest())


def gate_of(
    old: Side, new: Side, plan: Plan, watch: Callable[[Step], None] = lambda step: None
) -> compare.GateReport:
    """Race the rows that both commits have, interleaved, and judge each by `plan.gate`. Raises BadInput."""
    if not old.rows.keys() & new.rows.keys():
        raise BadInput(f"{new.name} has no row of {old.name}")
    return compare.gate(old, new, plan, watch=watch)
