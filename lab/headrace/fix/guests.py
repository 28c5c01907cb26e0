"""A user's own programs in a race (`--with`), to be diagnosed after it: how each was compiled and run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace.base.step import Watch
from headrace.builds import build
from headrace.explain.measured_rows import MeasuredRow, measured_rows
from headrace.fix.subject import Limits, Subject
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.schema import Row


@dataclass
class Guests:
    """Notes the rows of a race that are a user's own, see `race.After`."""

    rows: dict[tuple[str, str], MeasuredRow] = field(default_factory=dict)  # by benchmark and name: the first
    remarks: list[str] = field(default_factory=list)

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: RunOptions,
        watch: Watch,
    ) -> list[Row]:
        """Note what can be diagnosed, and remark on what cannot."""
        own = [
            lane for lane in lanes if any(one.name == lane.contender.name for one in lane.benchmark.guests)
        ]
        for name, obstacle in {lane.contender.file.name: _obstacle(lane) for lane in own}.items():
            if obstacle:
                self.remarks.append(f"{name} is not diagnosed: {obstacle}")
        for each in measured_rows({row.id: row for row in rows}, own, built):
            if not _obstacle(each.lane) and not each.lane.toolchain.runner:
                self.rows.setdefault((each.lane.benchmark.name, each.lane.contender.name), each)
        known = {name for _, name in self.rows}
        for name in {lane.contender.name for lane in own if not _obstacle(lane)} - known:
            self.remarks.append(f"{name} is not diagnosed: it has no row with a right answer here")
        return rows


def _obstacle(lane: Lane) -> str:
    """Say why a program cannot be diagnosed; "" where it can."""
    if lane.harness:
        return "it is timed inside a process; headrace fix runs whole programs"
    if len(lane.contender.program) > 1 or (
        lane.contender.program and not _is_executable(lane.contender.file)
    ):
        return "it is a script, and headrace fix is for C++"
    return ""


def _is_executable(file: Path) -> bool:
    with file.open("rb") as program:
        return program.read(4) == b"\x7fELF"


def subject_of(one: MeasuredRow, options: RunOptions, folder: Path) -> Subject:
    """Return a program as the race compiled it, with its input. `folder` is for an empty one."""
    lane, given = one.lane, one.input.path
    if given is None:
        given = folder / "nothing"
        given.touch()
    is_source = not lane.contender.program
    flags = [f"-std={one.made.order.standard}", *shlex.split(f"-{lane.optimise}"), *lane.contender.spec.flags]
    return Subject(
        lane.contender.file,
        is_source,
        lane.toolchain,
        flags if is_source else [],
        list(lane.contender.spec.arguments),
        given,
        Limits(options.timeout or lane.benchmark.spec.timeout),
    )
