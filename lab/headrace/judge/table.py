"""A table of rows as the judge sees it: rows in, rows with comparisons and places out.

A table holds the rows of one benchmark on one route with one input. Places come from wall times. Roles (a
floor, a limit, the A/A twin, another harness) are compared, but take no place and no part in the level.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from headrace.judge.pair import ALPHA, Estimate, Reach, estimate, look_level, reach
from headrace.judge.ranks import Ranking, rank
from headrace.judge.samples import Times, gather
from headrace.judge.selection import against, fastest, slowest
from headrace.judge.verdict import MARGIN, excludes_one, geometric_mean, more_rounds, verdict
from headrace.results.schema import (
    BenchmarkInfo,
    Campaign,
    Comparison,
    Judged,
    Metric,
    Role,
    Row,
    Sample,
    Verdict,
    role_of,
)

METRICS: tuple[Metric, ...] = ("wall", "cpu")
CONTROL = 0.01  # the level at which an A/A pair that differs puts small differences of its table in doubt


def seconds(sample: Sample, metric: Metric) -> float:
    """The time of a sample by a metric: cpu is user + system."""
    return sample.wall if metric == "wall" else sample.user + sample.system


def times_of(rows: Sequence[Row], metric: Metric = "wall", by_token: bool = False) -> Times:
    """Join the samples of rows; with `by_token`, divided by the tokens of each row's input."""
    scales = [row.tokens if by_token and row.tokens else 1 for row in rows]
    return gather(
        [
            {sample.round: seconds(sample, metric) / scale for sample in row.samples}
            for row, scale in zip(rows, scales, strict=True)
        ]
    )


def tables(rows: Iterable[Row]) -> list[list[Row]]:
    """Split rows into tables, in the order in which rows name them."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        key = (row.benchmark, row.source, row.sink, *sorted(row.input.items()))
        found.setdefault(key, []).append(row)
    return list(found.values())


@dataclass(frozen=True)
class Table:
    """Rows with samples. `baselines`: row id -> id that it is compared with; `roles`: ids without a place."""

    rows: Sequence[Row]
    baselines: Mapping[str, str]
    roles: Collection[str] = ()
    margin: float = MARGIN
    alpha: float = ALPHA
    looks: int = 1
    gated: bool = False  # each row is a claim of its own: nothing is ranked

    @cached_property
    def ranked(self) -> list[int]:
        """The rows that take places."""
        able = [
            row.outcome == "ok" and row.samples and row.id not in self.roles and not self.gated
            for row in self.rows
        ]
        return [at for at, takes_part in enumerate(able) if takes_part]

    @cached_property
    def absent(self) -> int:
        """How many rows would take places, had they run: what is certain before they do stays so."""
        able = [row.outcome == "ok" and row.id not in self.roles and not self.gated for row in self.rows]
        return sum(able) - len(self.ranked)

    @cached_property
    def times(self) -> Times:
        """Wall times of all rows."""
        return times_of(self.rows)

    @cached_property
    def ranking(self) -> Ranking:
        """Places of `ranked`, in its order."""
        times = Times(self.times.logs[self.ranked], self.times.rounds)
        doubts = [self.doubt_of(self.rows[at]) for at in self.ranked]
        return rank(times, self.alpha, self.looks, doubts, self.absent)

    @cached_property
    def index(self) -> dict[str, int]:
        """Row id -> its place in `rows`."""
        return {row.id: at for at, row in enumerate(self.rows)}

    def pair(self, this: int, other: int) -> Estimate | None:
        """Compare two rows at the level of the table."""
        x, state = self.times.pairs(this, other), self.times.state(this, other)
        pair = estimate(x, self.ranking.level, self.ranking.strayed, state)
        doubt = max(self.doubt_of(self.rows[at]) for at in (this, other))
        return None if pair is None else replace(pair, doubt=doubt)

    @cached_property
    def doubts(self) -> dict[str, float]:
        """How far each baseline is from its A/A twin, in ln, where that is certain and beyond the margin."""
        found = {}
        for row in self.rows:
            if row.twin_of in self.index and row.samples:
                pair = control(row, self.rows[self.index[row.twin_of]], self.looks)
                if pair and excludes_one(pair) and abs(pair.centre) > math.log1p(self.margin):
                    found[row.twin_of] = abs(pair.centre)
        return found

    def doubt_of(self, row: Row) -> float:
        """What is not judged of a row: how far its baseline is from its twin.

        A baseline is a build by the same toolchain with the same options, laid out by the same linker: what
        it gains or loses by luck, others of them may. Of another toolchain's builds its pair says nothing.
        """
        return self.doubts.get(row.id, self.doubts.get(self.baselines.get(row.id, ""), 0.0))

    def judged(self) -> list[Row]:
        """Return the rows with their comparisons and places."""
        places = dict(zip(self.ranked, self.ranking.places, strict=True))
        strayed = self.ranking.strayed
        done = []
        for at, row in enumerate(self.rows):
            place = places.get(at)
            known = place is not None and place.known
            found = Judged(
                first=place.first if place and known else 0,
                last=place.last if place and known else 0,
                level=self.ranking.level,
                margin=self.margin,
                strayed=strayed.log if math.isfinite(strayed.log) else None,
                runs=strayed.runs,
                doubt=self.doubt_of(row),
            )
            row = row.model_copy(update={"judged": found})
            done.append(row)
        by_id = {row.id: row for row in done}
        return [row.model_copy(update={"comparisons": self._comparisons(row, by_id)}) for row in done]

    def _comparisons(self, row: Row, by_id: Mapping[str, Row]) -> list[Comparison]:
        other = by_id.get(self.baselines.get(row.id, ""))
        if other is None or not row.samples or not other.samples or {row.outcome, other.outcome} != {"ok"}:
            return []
        found = ((metric, compare(row, other, metric)) for metric in METRICS)
        return [comparison(pair, row, other, metric) for metric, pair in found if pair is not None]


def control(twin: Row, base: Row, looks: int) -> Estimate | None:
    """Compare an A/A twin with its baseline at the control's own level, shared by the looks.

    That is one question asked of the pair beforehand; the intervals of a table hold for all its pairs
    together, and are wider.
    """
    times = times_of([twin, base])
    return estimate(times.pairs(0, 1), look_level(CONTROL, looks), state=times.state(0, 1))


def compare(row: Row, other: Row, metric: Metric = "wall", by_token: bool = False) -> Estimate | None:
    """Compare any two rows on the rounds that both have, at the stricter level of their tables.

    None without a common round, or where half of the times of a side are 0: the clock is too coarse.
    """
    times = times_of([row, other], metric, by_token)
    if _is_coarse(row, metric) or _is_coarse(other, metric):
        return None
    strayed = reach_of(row) if metric == "wall" and not by_token else reach(times.logs)
    level = min(row.judged.level, other.judged.level)
    pair = estimate(times.pairs(0, 1), level, strayed, times.state(0, 1))
    return None if pair is None else replace(pair, doubt=max(row.judged.doubt, other.judged.doubt))


def reach_of(row: Row) -> Reach:
    """How far runs strayed in a row's table."""
    judged = row.judged
    return Reach(math.inf if judged.strayed is None else judged.strayed, judged.runs)


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
        block=pair.block,
    )


def worded(ratio: float, low: float | None, high: float | None, margin: float) -> Verdict:
    """The verdict on a stored interval by another margin than the one it was judged by."""
    if low is None or high is None:
        return "not decided"
    return verdict(Estimate(math.log(ratio), math.log(low), math.log(high), 0), margin)


def mean_ratio(ratios: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """The geometric mean of ratios with bounds: (ratio, low, high)."""
    mean = geometric_mean(
        [Estimate(math.log(ratio), math.log(low), math.log(high), 0) for ratio, low, high in ratios]
    )
    return mean.ratio, mean.low_ratio, mean.high_ratio or math.inf


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


def has_role(row: Row, info: BenchmarkInfo | None) -> bool:
    """Whether a row is shown for comparison only: a twin, a floor, a limit, a row by another harness."""
    if row.twin_of or row.by_peer:
        return True
    role = row.role if info is None else role_of(row, info)
    return role in (Role.FLOOR, Role.LIMIT, Role.TWIN, Role.PEER)


def chosen_fastest(rows: Sequence[Row], by_token: bool = False) -> Row:
    """The row that is fastest by its odd rounds; all rounds where a row has no odd one."""
    return rows[fastest(times_of(rows, by_token=by_token), range(len(rows)))]


def chosen_slowest(rows: Sequence[Row], by_token: bool = False) -> Row:
    """The row that is slowest by its odd rounds; all rounds where a row has no odd one."""
    return rows[slowest(times_of(rows, by_token=by_token), range(len(rows)))]


def compare_chosen(row: Row, other: Row, by_token: bool = False) -> Estimate | None:
    """Compare two rows that were chosen for being fastest or slowest on odd rounds: on the even ones.

    The even rounds had no part in the choice, so this is one comparison, at its own 5 %.
    """
    return against(times_of([row, other], by_token=by_token), 0, 1)
