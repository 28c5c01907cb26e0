"""Run the builds of a results file again: from the cache by digest, else rebuilt from the recorded commit.

A results file is data. It names a build and a commit, and nothing from it is run as a command: what is
rebuilt is a contender of a benchmark, by a toolchain that was found on this machine.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.matrix import benchmarks, inputs, toolchains
from headrace.matrix.benchmarks import Benchmark, Contender
from headrace.matrix.compilers import Toolchain, of_line
from headrace.measure.plan import Run
from headrace.race import row_programs
from headrace.race.commits import check_out
from headrace.race.compare import Side, by_id
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.schema import Campaign, Row

DIGEST = re.compile(r"[0-9a-f]{16,64}")
COMMIT = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/-]{3,80}")
PLAIN = re.compile(r"O\w*|m[\w.+=-]+|f(?!plugin|use-ld)[\w=-]+|g\d?|std=[\w+]+")  # flags that load nothing


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
