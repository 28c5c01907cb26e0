"""A side of a gate: the rows of a commit of a git repository, or those of a results file, which run again.

A commit is checked out into a temporary folder, of which the repository hears nothing. Its builds are made
beside it, not in the cache: nothing of either is left when it is over. The builds of a results file come from
the cache by digest, or are made again from the recorded commit.

A results file is data. It names a build and a commit, and nothing from it is run as a command: what is
rebuilt is a contender of a benchmark, by a toolchain that was found on this machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.matrix import benchmarks, inputs, toolchains
from headrace.matrix.benchmarks import Benchmark, Contender
from headrace.matrix.compilers import Toolchain, of_line
from headrace.measure.plan import Plan, Run
from headrace.processes import launch
from headrace.race import compare, race, row_inputs, row_programs
from headrace.race.compare import Side, by_id
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.schema import Campaign, Row

TIMEOUT = 300.0  # seconds for git
QUIETLY = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")
DIGEST = re.compile(r"[0-9a-f]{16,64}")
COMMIT = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/-]{3,80}")
PLAIN = re.compile(r"O\w*|m[\w.+=-]+|f(?!plugin|use-ld)[\w=-]+|g\d?|std=[\w+]+")  # flags that load nothing


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
    """Commits of a repository, raced as `options` say, in a temporary folder that goes when this is left."""

    def __init__(
        self,
        repository: Repository,
        here: Path,
        options: RunOptions,
        is_wanted: Callable[[Lane], bool] = lambda lane: True,
        watch: Watch = lambda step: None,
    ) -> None:
        super().__init__()
        self.repository, self.here = repository, here.resolve()
        self.options, self.is_wanted, self.watch = options, is_wanted, watch
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

    def options_of(self, tree: Path) -> RunOptions:
        """Let the options mean a tree: its benchmarks, programs and headers, where it has them."""
        include = tree / "include"
        own = (include / "headrace" / "headrace.hpp").is_file()

        def benchmark(name: str) -> str:
            if "/" in name:
                return str(self._moved(Path(name), tree))
            inside = tree / "benchmarks" / name
            return str(inside) if own and (inside / "benchmark.toml").is_file() else name

        return replace(
            self.options,
            benchmarks=[benchmark(name) for name in self.options.benchmarks],
            guests=[self._moved(path, tree) for path in self.options.guests],
            include=str(include) if own else "",
        )

    def _moved(self, path: Path, tree: Path) -> Path:
        """Return where a path of the repository is in a tree; another path stays."""
        whole = (self.here / path).resolve()
        top = self.repository.top
        return tree / whole.relative_to(top) if whole == top or top in whole.parents else whole

    def side(self, place: str, commit: Commit, row: str = "") -> Side:
        """Check a commit out and build its rows, or a row alone. Raises NoRace where it has none of them."""
        tree = self.check_out(place, commit)
        try:
            _, found, lanes = race.choose(self.options_of(tree), self.watch)
        except HeadraceError as error:
            raise NoRace(f"{commit.short}: {str(error).replace(f'{tree}/', './')}") from error
        build.launcher(found.toolchains)
        make = row_programs.make_in(Path(tempfile.mkdtemp(dir=self._folder)))
        rows: dict[str, Row] = {}
        runs: dict[str, Run] = {}
        wanted = [lane for lane in lanes if (lane.row().id == row if row else self.is_wanted(lane))]
        for number, lane in enumerate(wanted):
            if lane.benchmark.spec.kind == "observation":
                raise BadInput(f"{lane.benchmark.name} is an observation, which has no time to compare")
            self.watch(Step("builds", f"{commit.short}: {lane.row().id}", number, len(wanted)))
            made = row_programs.reason_to_skip(lane) or _with_harness(row_programs.program(lane, make))
            described = row_programs.described(lane, made)
            if described.outcome == "ok" and not isinstance(made, str):
                try:
                    data = self._input(lane, made)
                    described = row_programs.described(lane, made, data)
                    runs[described.id] = row_programs.linked(lane, made, data, self.options)
                except HeadraceError as error:
                    described = described.model_copy(update={"outcome": "skipped", "detail": str(error)})
            rows[described.id] = described
        return Side(rows, lambda row: runs[row.id], commit.short)

    def _input(self, lane: Lane, made: build.Build) -> inputs.Input:
        """Return a row's input: what the first commit made it, as both sides of a race read the same.

        Where nobody knows the answer to it, that of the first commit's build is the right one.
        """
        name = lane.row().id
        if name not in self._inputs:
            data = inputs.make(lane.settings, lane.benchmark.spec.tolerance)
            self._inputs[name] = row_inputs.agreed(data, [lane], {name: made}, self.options, self.watch)
        return self._inputs[name]


def _with_harness(made: build.Build) -> build.Build:
    """Let a build's digest be of its harness, too: the same bytes are the same, whatever commit has them."""
    if made.harness is None:
        return made
    return replace(made, digest=hashlib.sha256(made.digest.encode() + made.harness.read_bytes()).hexdigest())


def gate_of(old: Side, new: Side, plan: Plan, watch: Watch = lambda step: None) -> compare.GateReport:
    """Race the rows that both commits have, interleaved, and judge each by `plan.gate`. Raises BadInput."""
    if not old.rows.keys() & new.rows.keys():
        raise BadInput(f"{new.name} has no row of {old.name}")
    return compare.gate(old, new, plan, watch=watch)


class Builds(contextlib.ExitStack):
    """Makes the rows of results files runnable again.

    Unpacked commits live in a temporary folder until this is left.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="headrace-")))
        self._toolchains: dict[str, Toolchain] = {}
        self._trees: dict[str, Path] = {}

    def side(self, campaign: Campaign) -> Side:
        """Return what a gate runs of a results file."""
        return Side(by_id(campaign), partial(self._run, campaign))

    def _run(self, campaign: Campaign, row: Row) -> Run:
        """Return how the row's build runs on its route and its input. Raises BadInput."""
        if campaign.imported:
            raise BadInput(f"it was measured by {campaign.imported}: headrace has no build of it")
        benchmark = _benchmark(campaign, row)
        if benchmark.spec.kind == "observation":
            raise BadInput("an observation has no time to compare")
        contender = _contender(benchmark, row)
        toolchain = self._toolchain(row.toolchain, contender.spec.build)
        route = (row.source, row.sink)
        lane = Lane(
            benchmark, contender, toolchain, row.optimisation, route, dict(row.input), harness=row.harness
        )
        made = row_programs.program(lane, lambda order: self._made(order, lane, campaign, row))
        if made.program is None:
            raise BadInput(made.error)
        data = inputs.make(lane.settings, benchmark.spec.tolerance)
        if data.bytes != row.input_bytes:
            raise BadInput(f"its input has {data.bytes:,} bytes now, and had {row.input_bytes:,}")
        return row_programs.linked(lane, made, data, RunOptions([row.benchmark]))

    def _made(self, order: build.Order, lane: Lane, campaign: Campaign, row: Row) -> build.Build:
        """Return a row's stored build, or one of its commit; and the harness of today."""
        if order != lane.order:
            return build.build(order)
        if program := cached(row.build):
            return build.Build(order, row.command, row.build, program)
        return self._rebuild(campaign, row, lane)

    def _toolchain(self, name: str, line: str) -> Toolchain:
        """Return a toolchain by its name, or what builds by a contender's own line. Raises BadInput.

        Lines that begin with one tool share its name, but no words: none is kept.
        """
        if not self._toolchains or not (line or name in self._toolchains):
            chains = toolchains.find([] if line else [name]).toolchains
            build.launcher(chains)
            self._toolchains |= {chain.name: chain for chain in chains}
        chain = of_line(line) if line else self._toolchains.get(name)
        if chain is None or chain.name != name:
            raise BadInput(f"the toolchain {name} is not on this machine")
        return chain

    def _rebuild(self, campaign: Campaign, row: Row, lane: Lane) -> build.Build:
        """Build the row's contender as it was at the campaign's commit."""
        missing = f"its build {row.build or '(none)'} is not in the cache and cannot be rebuilt: "
        recorded = next((chain for chain in campaign.toolchains if chain.name == row.toolchain), None)
        if recorded is not None and recorded.version != lane.toolchain.version:
            raise BadInput(
                f"{missing}it was made by {row.toolchain} {recorded.version}, and this machine has "
                f"{lane.toolchain.version}"
            )
        strange = [word for word in row.optimisation.split() if not PLAIN.fullmatch(word.removeprefix("-"))]
        if strange:
            raise BadInput(
                f"{missing}the file asks for {strange[0]}, which headrace does not take from a file"
            )
        if campaign.commit not in self._trees:
            tree = Path(tempfile.mkdtemp(dir=self._folder))
            try:
                unpack_commit(campaign.commit, tree)
            except BadInput as error:
                raise BadInput(f"{missing}{error}") from error
            self._trees[campaign.commit] = tree
        tree = self._trees[campaign.commit]
        old = replace(benchmarks.read(tree / "benchmarks" / row.benchmark), include=tree / "include")
        contender = _contender(old, row)
        chain = self._toolchain(row.toolchain, contender.spec.build)
        then = replace(lane, benchmark=old, contender=contender, toolchain=chain)
        made = row_programs.make_in(self._folder)(then.order)
        if made.program is None:
            raise BadInput(f"{missing}{made.error}")
        return made


def unpack_commit(commit: str, folder: Path) -> None:
    """Unpack the headers and benchmarks of a commit of the checkout. Raises BadInput with the reason."""
    if not COMMIT.fullmatch(commit):
        raise BadInput("the results file names no commit")
    if commit.endswith("-dirty"):
        base = commit.removesuffix("-dirty")
        raise BadInput(f"it was made from changes on top of {base} that no commit holds")
    top = places.checkout()
    if top is None:
        raise BadInput("that takes a git checkout of headrace, and this one is installed without it")
    if reason := check_out(top, commit, folder, "include", "benchmarks"):
        raise BadInput(f"git has no commit {commit} here ({reason})")


def cached(digest: str) -> Path | None:
    """Return the cached binary that a digest names, or None."""
    if not DIGEST.fullmatch(digest):
        return None
    program = places.cache_folder("builds") / digest / build.PROGRAM
    places.mark_used(program.parent)
    return program if program.is_file() else None


def _benchmark(campaign: Campaign, row: Row) -> Benchmark:
    """Return the row's benchmark, with the file that the user had it read, if any."""
    here = Path.cwd() / row.benchmark  # one of the user's own is found in this folder, by its name alone
    own = row.benchmark not in benchmarks.known() and Path(row.benchmark).name == row.benchmark
    benchmark = benchmarks.find(str(here) if own and (here / "benchmark.toml").is_file() else row.benchmark)
    info = next((info for info in campaign.benchmarks if info.name == row.benchmark), None)
    path = info.input.get("path", "") if info else ""
    if path and not inputs.is_own(benchmark.spec.input):
        return benchmarks.with_input(benchmark, Path(path))
    return benchmark


def _contender(benchmark: Benchmark, row: Row) -> Contender:
    """Find a row's contender in its variant."""
    for contender in benchmark.contenders():
        if contender.name == row.contender and contender.variant == row.variant:
            return contender
    raise BadInput(f"{benchmark.name} has no contender {row.label}")
