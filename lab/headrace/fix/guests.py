"""A user's own programs in a race (`--with`), to be diagnosed after it: how each was compiled and run."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.explain.measured_rows import MeasuredRow, measured_rows
from headrace.fix.subject import Limits, Subject
from headrace.race.race import After, Raced
from headrace.race.rows import Lane
from headrace.results.schema import Role


@dataclass
class Guests(After):
    """Notes the rows of a race that are a user's own."""

    rows: dict[tuple[str, str], MeasuredRow] = field(default_factory=dict)  # by benchmark and name: the first

    def __call__(self, raced: Raced) -> None:
        """Note what can be diagnosed, and remark on what cannot."""
        able = []
        for lane in (lane for lane in raced.lanes if lane.row().role is Role.OWN):
            if obstacle := _obstacle(lane):
                self.remark(f"{lane.contender.file.name} is not diagnosed: {obstacle}")
            else:
                able.append(lane)
        for each in measured_rows(replace(raced, lanes=able)):
            if not each.lane.toolchain.runner:
                self.rows.setdefault((each.lane.benchmark.name, each.lane.contender.name), each)
        for name in {lane.contender.name for lane in able} - {name for _, name in self.rows}:
            self.remark(f"{name} is not diagnosed: it has no row with a right answer here")


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


def subject_of(guest: MeasuredRow) -> Subject:
    """Return a program as the race compiled it, with its input."""
    lane = guest.lane
    is_source = not lane.contender.program
    flags = [
        f"-std={guest.made.order.standard}",
        *shlex.split(f"-{lane.optimise}"),
        *lane.contender.spec.flags,
    ]
    return Subject(
        lane.contender.file,
        is_source,
        lane.toolchain,
        flags if is_source else [],
        list(lane.contender.spec.arguments),
        guest.input.path or Path(os.devnull),
        Limits(guest.options.timeout or lane.benchmark.spec.timeout),
    )
