"""The place of each row among the rows that answer the same question on the same route."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from headrace.base import units
from headrace.base.text import plural
from headrace.judge.samples import median_interval
from headrace.judge.table import tables, times_of
from headrace.report import ratios
from headrace.report.ratios import Ratio
from headrace.results.schema import BenchmarkInfo, Campaign, Role, Row, role_of


@dataclass(frozen=True)
class Spread:
    """What the samples of one row say. Times in seconds, memory in bytes."""

    median: float  # as if the row had run in every round of its ranking; where it has, of `walls`
    low: float  # interval of the median; equal to it when there are too few samples
    high: float
    minimum: float
    maximum: float
    mean: float
    user: float
    system: float
    peak_memory: int | None  # None: whoever ran it did not say
    walls: tuple[float, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the median."""
        return self.low, self.high


@dataclass(frozen=True)
class Standing:
    """One row with all that a report shows of it."""

    row: Row
    label: str  # the contender with its settings: "fread BUFFER=8192"
    toolchain: str  # short where all share a target
    colour: int  # its toolchain's place among those of the campaign
    spread: Spread | None  # None: no rank, `row.outcome` says why
    role: Role | None = None  # of what is shown in order of speed, but not ranked
    rank: int = 0  # the best place that its contender may have; 0: a role, or too few rounds to say
    last: int = 0  # the worst
    to_baseline: Ratio | None = None
    borrowed_baseline: bool = False  # the baseline is of another toolchain: this one has none
    to_limit: Ratio | None = None

    @property
    def place(self) -> str:
        """The place as people write it: "2", "2-4" where it may be any of these, a role, or nothing."""
        if not self.rank:
            return self.role_name
        return str(self.rank) if self.rank == self.last else f"{self.rank}-{self.last}"

    @property
    def role_name(self) -> str:
        """The role as people read it: "floor", or the harness that timed it; "" of what is ranked."""
        return self.row.harness if self.role is Role.PEER else self.role or ""

    @property
    def median(self) -> float:
        """Seconds; 0 where there is no time."""
        return self.spread.median if self.spread else 0.0

    @property
    def under(self) -> str:
        """What ran the program, where that was not this machine's own system: "under wine, not Windows"."""
        return under(self.row)

    @property
    def token_time(self) -> float | None:
        """Nanoseconds per token at the median."""
        if self.spread is None or self.row.tokens <= 0:
            return None
        return self.spread.median * 1e9 / self.row.tokens

    @property
    def throughput(self) -> float | None:
        """Bytes of input, or of output where nothing is read, per second at the median."""
        moved = self.row.input_bytes or self.row.output_bytes
        if self.spread is None or not moved or self.spread.median <= 0 or self.role is Role.FLOOR:
            return None
        return moved / self.spread.median

    @property
    def runs(self) -> int | None:
        """How many runs were measured, if any."""
        return len(self.row.samples) or None

    @property
    def calls(self) -> int | None:
        """System calls of the whole run, where they were counted."""
        return None if self.row.system_calls is None else sum(self.row.system_calls.counts.values())

    @property
    def outcome(self) -> str:
        """The row's outcome; of a row that no round came to, "not measured"."""
        return "not measured" if self.row.outcome == "ok" and self.spread is None else self.row.outcome

    @property
    def problem(self) -> str:
        """Why there is no time, as one line: the outcome and its detail."""
        return f"{self.outcome}: {self.row.detail}" if self.row.detail else self.outcome


@dataclass(frozen=True)
class Group:
    """The rows that can be ranked against each other: one benchmark, one route, one input."""

    benchmark: BenchmarkInfo
    source: str
    sink: str
    setting: Mapping[str, str]
    measured: Sequence[Standing] = field(default_factory=list)  # by speed
    failed: Sequence[Standing] = field(default_factory=list)

    @property
    def route(self) -> str:
        """Source and sink: "file:null"."""
        return f"{self.source}:{self.sink}"

    @property
    def title(self) -> str:
        """Benchmark, route and the settings that differ."""
        return f"{self.benchmark.name}, {self.way}{self.settings}"

    @property
    def settings(self) -> str:
        """What goes after a route: ", rows = 10"; "" for the benchmark's own input."""
        return "".join(f", {key} = {value}" for key, value in self.setting.items())

    @property
    def size(self) -> str:
        """What was raced, as its rows have it: "10,000,000 tokens, 70.5 MiB"; "" where they do not say."""
        rows = [standing.row for standing in self.measured if standing.row.tokens]
        tokens = {row.tokens for row in rows}
        if len(tokens) != 1:  # none, or functions that have inputs of their own
            return ""
        moved = {row.input_bytes or row.output_bytes for row in rows} - {0}
        kind = "" if any(row.input_bytes for row in rows) else " of output"
        size = f", {units.memory(moved.pop())}{kind}" if len(moved) == 1 else ""
        return plural(tokens.pop(), "token") + size

    @property
    def way(self) -> str:
        """Where the data come from and go to, and "in process" where functions were timed."""
        within = ", in process" if self.benchmark.kind == "in-process" else ""
        return f"{self.source} to {self.sink}{within}"

    @property
    def provisos(self) -> list[str]:
        """Say of each toolchain what its programs ran under, where that was not this machine's own system."""
        notes = {
            s.toolchain: s.under
            for s in sorted([*self.measured, *self.failed], key=lambda s: s.colour)
            if s.under
        }
        return [f"{toolchain}: {under}" for toolchain, under in notes.items()]

    @property
    def ranked(self) -> list[Standing]:
        """The measured rows that take part in the ranking, from fast to slow."""
        return [standing for standing in self.measured if not standing.role]

    @property
    def fastest(self) -> dict[str, Standing]:
        """The fastest build of each contender with a setting, by label, from fast to slow."""
        best: dict[str, Standing] = {}
        for standing in self.ranked:
            best.setdefault(standing.label, standing)
        return best

    @property
    def briefly(self) -> dict[str, Standing]:
        """A row of each contender with a setting: the fastest build that has a ratio, or else the fastest."""
        return self.fastest | {row.label: row for row in reversed(self.ranked) if row.to_baseline}

    @property
    def lines(self) -> list[Standing]:
        """What takes places, from fast to slow: the rows of `briefly`, or of one contender alone all."""
        if len(self.fastest) < 2:
            return self.ranked
        shown = self.briefly
        return [row for row in self.ranked if shown[row.label] is row]

    @property
    def folds(self) -> bool:
        """Whether several rows share the place of one contender."""
        return len(self.lines) < len(self.ranked)

    @property
    def leaders(self) -> list[Standing]:
        """The rows of what may be the fastest; none where nothing is known."""
        return [standing for standing in self.ranked if standing.rank == 1]


def groups(campaign: Campaign) -> list[Group]:
    """Split a campaign into rankings, in the order in which its rows name them."""
    infos = {row.benchmark: _unknown(row.benchmark) for row in campaign.rows}
    infos |= {info.name: info for info in campaign.benchmarks}
    timed = [row for row in campaign.rows if infos[row.benchmark].kind != "observation"]  # see observed.py
    names = _names(campaign)
    return [_group(infos[rows[0].benchmark], rows, names) for rows in tables(timed)]


def _names(campaign: Campaign) -> dict[tuple[str, str], tuple[str, int]]:
    """Name each toolchain and level shortly, and number it: a picture's colour is the same on every route."""
    short = short_toolchains(row.toolchain for row in campaign.rows)
    levels = {row.optimisation for row in campaign.rows if row.level}
    names: dict[tuple[str, str], tuple[str, int]] = {}
    numbers: dict[str, int] = {}
    for row in campaign.rows:
        shown = " ".join(filter(None, (short[row.toolchain], row.level if len(levels) > 1 else "")))
        names[row.toolchain, row.optimisation] = shown, numbers.setdefault(shown, len(numbers))
    return names


def short_toolchains(names: Iterable[str]) -> dict[str, str]:
    """Drop the target from "compiler/library/target" where all toolchains share it."""
    distinct = list(dict.fromkeys(names))
    targets = {name.rsplit("/", 1)[1] for name in distinct if name.count("/") == 2}
    if len(targets) > 1:
        return {name: name for name in distinct}
    return {name: name.rsplit("/", 1)[0] if name.count("/") == 2 else name for name in distinct}


def under(row: Row) -> str:
    """Find the note of a toolchain whose programs do not run here by themselves; "" where there is none."""
    return next((note for note in row.notes if note.startswith("under ")), "")


def _unknown(name: str) -> BenchmarkInfo:
    return BenchmarkInfo(name=name, title=name, question="", kind="process", baseline="")


def _group(info: BenchmarkInfo, rows: list[Row], names: dict[tuple[str, str], tuple[str, int]]) -> Group:
    shifts = _shifts(rows)
    standings = [_standing(info, row, rows, shifts, *names[row.toolchain, row.optimisation]) for row in rows]
    measured = [standing for standing in standings if standing.spread is not None]
    twins_of = {standing.row.id for standing in standings if standing.spread is None}
    failed = [row for row in standings if row.spread is None and row.row.twin_of not in twins_of]
    first = rows[0]
    return Group(info, first.source, first.sink, first.input, _sorted(measured), failed)


def _shifts(rows: list[Row]) -> dict[str, float]:
    """What each row's median is multiplied by, as if it had run in every round of its ranking."""
    ran = [row for row in rows if row.outcome == "ok" and row.samples]
    if not ran:
        return {}
    return {row.id: math.exp(shift) for row, shift in zip(ran, times_of(ran).shifts(), strict=True)}


def _standing(
    info: BenchmarkInfo,
    row: Row,
    rows: list[Row],
    shifts: Mapping[str, float],
    toolchain: str,
    colour: int,
) -> Standing:
    if row.outcome != "ok" or not row.samples:
        return Standing(row, row.label, toolchain, colour, None)
    baseline, borrowed = _reference(info.baseline, row, rows)
    limit, _ = _reference(info.limit, row, rows)
    role = role_of(row, info)
    return Standing(
        row,
        row.label,
        toolchain,
        colour,
        _spread(row, shifts[row.id]),
        role=None if role in (Role.CONTENDER, Role.BASELINE, Role.OWN) else role,
        rank=row.judged.first,
        last=row.judged.last,
        to_baseline=_ratio(row, baseline),
        borrowed_baseline=borrowed,
        to_limit=_ratio(row, limit),
    )


def _reference(contender: str, row: Row, rows: list[Row]) -> tuple[Row | None, bool]:
    """Find the named contender as built like `row`; else, for what no C++ compiler built, as any did."""
    usable = [
        other
        for other in rows
        if other.contender == contender and other.outcome == "ok" and other.samples
        if not other.twin_of and not other.by_peer
    ]
    usable.sort(key=lambda other: bool(other.variant))
    for other in usable:
        if (other.toolchain, other.optimisation) == (row.toolchain, row.optimisation):
            return other, False
    if not row.level and usable:
        return usable[0], True
    return None, False


def _ratio(row: Row, other: Row | None) -> Ratio | None:
    if other is None:
        return None
    return Ratio(1.0) if other.id == row.id else ratios.between(row, other)


def _spread(row: Row, shift: float) -> Spread:
    walls = [sample.wall for sample in row.samples]
    middle = median(walls)
    low, high = median_interval(walls) or (middle, middle)
    return Spread(
        median=middle * shift,
        low=low * shift,
        high=high * shift,
        minimum=min(walls),
        maximum=max(walls),
        mean=fmean(walls),
        user=median(sample.user for sample in row.samples),
        system=median(sample.system for sample in row.samples),
        peak_memory=max(sample.peak_memory for sample in row.samples) or None,
        walls=tuple(walls),
    )


def _sorted(measured: list[Standing]) -> list[Standing]:
    """Sort rows by their medians; none is above the first build of a contender that is faster for certain."""
    medians = {row.row.id: row.spread.median for row in measured if row.spread}
    fastest: dict[tuple[str, int], float] = {}  # by contender and last place
    for row in sorted(measured, key=lambda row: medians[row.row.id]):
        fastest.setdefault((row.label, row.last), medians[row.row.id])

    def key(row: Standing) -> tuple[float, int, float]:
        faster = [time for (_, last), time in fastest.items() if 0 < last < row.rank]
        return max([medians[row.row.id], *faster]), row.last, medians[row.row.id]

    return sorted(measured, key=key)
