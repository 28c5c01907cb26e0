"""Rows to explain, with what is needed to run them again, and what they are set against."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from headrace.builds import build
from headrace.matrix import generators, inputs
from headrace.processes import launch
from headrace.race import row_programs
from headrace.race.options import RunOptions
from headrace.race.race import Raced
from headrace.race.rows import Lane
from headrace.results.schema import Role, Row

SIZES = ("rows", "count", "size")  # settings of generators that scale their output


@dataclass(frozen=True)
class MeasuredRow:
    """A measured row with what is needed to run it again."""

    lane: Lane
    made: build.Build
    row: Row
    options: RunOptions

    @cached_property
    def input(self) -> inputs.Input:
        """Its whole input."""
        return inputs.make(self.lane.settings, self.lane.benchmark.spec.tolerance)

    @cached_property
    def size(self) -> int:
        """The bytes that one sample moves; 0: unknown."""
        if self.row.input_bytes:
            return self.row.input_bytes
        calls = self.row.system_calls
        return self.input.expected.bytes or (calls.bytes_written if calls and calls.complete else 0)

    def request(self, data: inputs.Input) -> launch.Request:
        """Return a run of it on an input."""
        return row_programs.request(self.lane, self.made, data, self.options)


def is_for_own(lane: Lane) -> bool:
    """Whether a row is a user's own program, or one that it is set against."""
    spec = lane.benchmark.spec
    return lane.row().role is Role.OWN or lane.contender.name in (spec.baseline, spec.floor)


def measured_rows(raced: Raced) -> list[MeasuredRow]:
    """Return the rows that were measured."""
    entries = []
    for lane in raced.lanes:
        row, made = raced.rows[lane.row().id], raced.built[lane.row().id]
        if isinstance(made, build.Build) and row.outcome == "ok" and row.samples:
            entries.append(MeasuredRow(lane, made, row, raced.options))
    return entries


def identity(entry: MeasuredRow) -> tuple[object, ...]:
    """Name what a trace depends on: rows of a sweep share one."""
    setting = {key: value for key, value in entry.lane.setting.items() if key not in SIZES}
    environment = entry.lane.contender.environment
    program = entry.made.digest or entry.lane.contender.program
    return (program, entry.lane.route, *sorted(environment.items()), *sorted(setting.items()))


def scaled(entry: MeasuredRow, size: int) -> inputs.Input:
    """Return the input of a row with about `size` bytes, at most its own."""
    whole = entry.input
    if whole.bytes <= size:
        return whole
    settings = dict(entry.lane.settings)
    parameters = inspect.signature(generators.GENERATORS[str(settings["generator"])]).parameters
    for key in SIZES:
        if key in parameters:
            own = int(settings.get(key, parameters[key].default))
            settings[key] = max(1, round(own * size / whole.bytes))
            return inputs.make(settings, entry.lane.benchmark.spec.tolerance)
    return whole


def floor_of(entry: MeasuredRow, measured: Iterable[MeasuredRow]) -> Row | None:
    """Find the floor of a row's toolchain, on its route if it is there."""
    name = entry.lane.benchmark.spec.floor
    floors = [
        other.row
        for other in measured
        if other.row.benchmark == entry.row.benchmark
        and other.row.contender == name
        and other.row.toolchain == entry.row.toolchain
    ]
    floors.sort(key=lambda row: place_of(row) != place_of(entry.row))
    return floors[0] if floors else None


def place_of(row: Row) -> tuple[str, str, str]:
    """Return what rows that can be set against each other have in common: level, source, sink."""
    return (row.optimisation, row.source, row.sink)


def baseline_of(entry: MeasuredRow, measured: Iterable[MeasuredRow]) -> MeasuredRow | None:
    """Find the baseline of a row's group."""
    name = entry.lane.benchmark.spec.baseline
    return next(
        (other for other in measured if other.lane.group == entry.lane.group and other.row.contender == name),
        None,
    )
