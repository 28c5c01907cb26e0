"""A table of rows as the judge sees it: rows in, rows with comparisons and places out.

A table holds the rows of one benchmark on one route with one input. Places come from wall times, and are of
contenders, each with all its builds. Roles (a floor, a limit, the A/A twin, another harness) are compared,
but take no place and no part in the level. Results files that an older headrace judged are judged again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np

from headrace import MARGIN
from headrace.base.text import listed
from headrace.judge.pair import ALPHA, Estimate, estimate, look_level
from headrace.judge.pool import pool
from headrace.judge.ranks import Ranking, rank
from headrace.judge.samples import Array, Builds, Times, gather, shared
from headrace.judge.verdict import more_rounds, verdict
from headrace.results import store
from headrace.results.schema import (
    SCHEMA_VERSION,
    BenchmarkInfo,
    Campaign,
    Comparison,
    Judged,
    Metric,
    Role,
    Row,
    Sample,
    TableNoise,
    role_of,
)

METRICS: tuple[Metric, ...] = ("wall", "cpu")
_Member = TypeVar("_Member")
_Key = TypeVar("_Key", bound=Hashable)
CONTROL = 0.01  # the level at which an A/A pair that differs is worth a sentence


def seconds(sample: Sample, metric: Metric) -> float:
    """The time of a sample by a metric: cpu is user + system."""
    return sample.wall if metric == "wall" else sample.user + sample.system


def times_of(rows: Sequence[Row], metric: Metric = "wall", by_token: bool = False) -> Times:
    """Join the samples of rows; with `by_token`, divided by the tokens of each row's input."""
    scales = [row.tokens if by_token and row.tokens else 1 for row in rows]
    by_scale = zip(rows, scales, strict=True)
    return gather(
        [{each.round: seconds(each, metric) / scale for each in row.samples} for row, scale in by_scale]
    )


def tables(rows: Iterable[Row]) -> list[list[Row]]:
    """Split rows into tables, in the order in which rows name them."""
    same = grouped(rows, lambda row: (row.benchmark, row.source, row.sink, *sorted(row.input.items())))
    return list(same.values())


def grouped(members: Iterable[_Member], key: Callable[[_Member], _Key]) -> dict[_Key, list[_Member]]:
    """Collect what shares a key, in the order in which keys come."""
    groups: dict[_Key, list[_Member]] = {}
    for member in members:
        groups.setdefault(key(member), []).append(member)
    return groups


def place_of(row: Row) -> tuple[object, ...]:
    """What rows share that differ by contender alone: benchmark, toolchain, flags, route and input."""
    build = row.toolchain, row.optimisation
    return row.benchmark, *build, row.source, row.sink, *sorted(row.input.items())


@dataclass(frozen=True)
class Table:
    """Rows with samples. `baselines`: row id -> id that it is compared with; `roles`: ids without a place.

    With `gate`, each row's ratio by `gate_metric` is a claim of its own, and nothing is ranked.
    """

    rows: Sequence[Row]
    baselines: Mapping[str, str]
    roles: Collection[str] = ()
    margin: float = MARGIN
    looks: int = 1
    gate: float | None = None
    gate_metric: Metric = "wall"

    @cached_property
    def lines(self) -> list[Builds]:
        """A line takes a place: a contender with a setting, with its builds that have run, from fast to slow.

        Where there is one such contender alone, each of its builds takes a place.
        """
        ran = [[build for build in line.items() if self.rows[build[1]].samples] for line in self._lines_to_be]
        return [dict(sorted(line, key=lambda build: self.times.median(build[1]))) for line in ran if line]

    @cached_property
    def _lines_to_be(self) -> list[Builds]:
        """The lines that there are once all has run."""
        lines: dict[str, dict[Hashable, int]] = {}
        for number, row in enumerate(self.rows if self.gate is None else ()):
            if row.outcome == "ok" and row.id not in self.roles:
                line, build = lines.setdefault(row.label, {}), (row.toolchain, row.optimisation)
                line[row.id if build in line else build] = number
        if len(lines) == 1:
            return [{build: row} for line in lines.values() for build, row in line.items()]
        return [*lines.values()]

    @cached_property
    def _line_of(self) -> dict[int, int]:
        """Row -> the line that it belongs to."""
        return {row: number for number, line in enumerate(self.lines) for row in line.values()}

    @cached_property
    def times(self) -> Times:
        """Wall times of all rows."""
        return times_of(self.rows)

    @cached_property
    def ranking(self) -> Ranking:
        """Places of `lines`, in its order."""
        absent = len(self._lines_to_be) - len(self.lines)  # what is certain before these run stays so
        return rank(self.times, ALPHA, self.looks, absent, self.noise, self.lines)

    def is_certain(self, this: int, other: int) -> bool:
        """Whether it is certain which of two rows belongs to the faster line."""
        lines = self._line_of.get(this), self._line_of.get(other)
        return None not in lines and bool(self.ranking.faster[lines] or self.ranking.faster[lines[::-1]])

    def builds(self, this: int, other: int) -> tuple[int, int]:
        """The rows that speak for two lines next: built alike, and of these the ones least often together."""
        these, others = self.lines[this], self.lines[other]
        alike = [(row, others[build]) for build, row in these.items() if build in others]
        pairs = alike or product(these.values(), others.values())
        return min(pairs, key=lambda pair: len(self.times.pairs(*pair)))

    @cached_property
    def index(self) -> dict[str, int]:
        """Row id -> its number in `rows`."""
        return {row.id: number for number, row in enumerate(self.rows)}

    def baseline(self, row: int) -> int | None:
        """The number of the row that a row is compared with."""
        return self.index.get(self.baselines.get(self.rows[row].id, ""))

    def pair(self, this: int, other: int, lines: bool = False) -> Estimate | None:
        """Compare two rows at the level of the table: by that a campaign decides what is still open.

        With `lines`, the lines that they belong to.
        """
        level = self.ranking.level
        if not lines:
            return estimate(self.times.pairs(this, other), level, self.noise)
        both = [self.lines[self._line_of[row]] for row in (this, other)]
        return estimate(self.times.line_pairs(*both), level, self.noise, max(1, len(shared(*both))))

    @cached_property
    def noise(self) -> TableNoise:
        """The noise of all rows' wall times: also those without a place tell of the machine."""
        return pool(self.times.logs)

    def judged(self) -> list[Row]:
        """Return the rows with their comparisons and places."""
        judged = Judged(level=self.ranking.level, margin=self.margin, noise=self.noise)
        places = self.ranking.places
        placed = {
            row: judged.model_copy(update=places[line]._asdict()) for row, line in self._line_of.items()
        }
        done = [row.model_copy(update={"judged": placed.get(n, judged)}) for n, row in enumerate(self.rows)]
        by_id = {row.id: row for row in done}
        return [row.model_copy(update={"comparisons": self._comparisons(row, by_id)}) for row in done]

    def _comparisons(self, row: Row, by_id: Mapping[str, Row]) -> list[Comparison]:
        other = by_id.get(self.baselines.get(row.id, ""))
        if other is None or not row.samples or not other.samples or {row.outcome, other.outcome} != {"ok"}:
            return []
        level = ALPHA if self.gate is None else look_level(ALPHA, self.looks)
        pairs = ((metric, compare(row, other, metric, level=level)) for metric in METRICS)
        return [comparison(pair, row, other, metric) for metric, pair in pairs if pair is not None]


def control(twin: Row, base: Row, looks: int = 1) -> Estimate | None:
    """Compare an A/A twin with its baseline at the control's own level, shared by the looks."""
    return compare(twin, base, level=look_level(CONTROL, looks))


def compare(
    row: Row, other: Row, metric: Metric = "wall", by_token: bool = False, level: float = ALPHA
) -> Estimate | None:
    """Compare any two rows on the rounds that both have. The interval is this pair's own, at 95 %.

    None without a common round, or where half of the times of a side are 0: the clock is too coarse.
    """
    if _is_coarse(row, metric) or _is_coarse(other, metric):
        return None
    times = times_of([row, other], metric, by_token)
    known = row.judged.noise if metric == "wall" and not by_token else pool(times.logs)
    return estimate(times.pairs(0, 1), level, known)


def _is_coarse(row: Row, metric: Metric) -> bool:
    zeros = sum(1 for sample in row.samples if seconds(sample, metric) <= 0)
    return 2 * zeros >= max(1, len(row.samples))


def comparison(pair: Estimate, row: Row, other: Row, metric: Metric = "wall") -> Comparison:
    """Write an estimate down with its verdict."""
    margin = row.judged.margin
    return Comparison(
        other=other.id,
        metric=metric,
        ratio=pair.ratio,
        low=pair.low_ratio,
        high=pair.high_ratio,
        rounds=pair.rounds,
        margin=margin,
        verdict=verdict(pair, margin),
        more_rounds=more_rounds(pair, margin),
    )


def stored(pair: Comparison, level: float = ALPHA) -> Estimate:
    """Read a comparison that was written down."""
    return bounded(pair.ratio, pair.low, pair.high, pair.rounds, level)


def bounded(
    ratio: float, low: float | None, high: float | None, rounds: int = 0, level: float = ALPHA
) -> Estimate:
    """Read a ratio that was written down; an end that it lacks is without a bound."""
    below = math.log(low) if low and low > 0 else -math.inf
    return Estimate(math.log(ratio), below, math.inf if high is None else math.log(high), rounds, level)


def rejudged(campaign: Campaign) -> Campaign:
    """Judge all rows of a campaign afresh, such as one that an older headrace judged by other rules."""
    infos = {info.name: info for info in campaign.benchmarks}
    baselines = {row.id: row.comparisons[0].other for row in campaign.rows if row.comparisons}
    baselines |= {row.id: row.twin_of for row in campaign.rows if row.twin_of}
    roles = {row.id for row in campaign.rows if has_role(row, infos.get(row.benchmark))}
    looks = max(1, len(campaign.run.looks))
    done = {
        row.id: row
        for table in tables(campaign.rows)
        for row in Table(table, baselines, roles, campaign.margin, looks=looks).judged()
    }
    return campaign.model_copy(update={"rows": [done[row.id] for row in campaign.rows]})


def load(path: Path) -> Campaign:
    """Read a results file. Raises BadInput that names the file, the key and the way out.

    Rows that ran in no round of their baseline have no ratio, whatever the file says: a warning names them.
    """
    campaign = store.load(path)
    if campaign.imported:
        return campaign  # its ratios are of medians, and no round is shared
    if campaign.schema_version != SCHEMA_VERSION:
        campaign = rejudged(campaign).model_copy(update={"schema_version": SCHEMA_VERSION})
    apart = _apart(campaign.rows)
    if not apart:
        return campaign
    names = listed(list(dict.fromkeys(f"{row.label} with {row.toolchain}" for row in apart)))
    warning = f"Not compared with the baseline, as no round ran both: {names}."
    ids = {row.id for row in apart}
    rows = [row.model_copy(update={"comparisons": []}) if row.id in ids else row for row in campaign.rows]
    return campaign.model_copy(update={"rows": rows, "warnings": [*campaign.warnings, warning]})


def _apart(rows: Sequence[Row]) -> list[Row]:
    """The rows that have samples, as their baseline has, but none of one round."""
    by_id = {row.id: row for row in rows}
    leading = {place_of(row): row for row in rows if row.role == Role.BASELINE and not row.by_peer}

    def is_apart(row: Row) -> bool:
        other = row.comparisons[0].other if row.comparisons else row.twin_of
        base = by_id.get(other) or leading.get(place_of(row), row)
        if base is row or not (row.samples and base.samples):
            return False
        return {sample.round for sample in row.samples}.isdisjoint({sample.round for sample in base.samples})

    return [row for row in rows if is_apart(row)]


def has_role(row: Row, info: BenchmarkInfo | None) -> bool:
    """Whether a row is shown for comparison only: a twin, a floor, a limit, a row by another harness."""
    role = row.role if info is None else role_of(row, info)
    return bool(row.twin_of) or row.by_peer or role in (Role.FLOOR, Role.LIMIT, Role.TWIN, Role.PEER)


# What was chosen because it looked best is partly best by luck, and its own rounds flatter it (the winner's
# curse). So it is chosen on odd rounds, and estimated on even ones, which had no part in the choice.


def from_fast_to_slow(rows: Sequence[Row], by_token: bool = False) -> list[Row]:
    """Sort rows by their odd rounds."""
    return [rows[number] for number in np.argsort(typical(times_of(rows, by_token=by_token)), kind="stable")]


def typical(times: Times) -> Array:
    """The median of each row's odd rounds; of all rounds where a row has no odd one."""
    odd = times.half(odd=True).logs
    return np.asarray(np.nanmedian(odd if np.isfinite(odd).any(axis=1).all() else times.logs, axis=1))


def compare_chosen(row: Row, other: Row, by_token: bool = False) -> Estimate | None:
    """Compare two rows, of which one or both were chosen, on the even rounds: one comparison at 5 %."""
    times = times_of([row, other], by_token=by_token)
    return estimate(times.half(odd=False).pairs(0, 1), ALPHA, pool(times.logs))
