"""Rows in sentences, and what a campaign's clock could not tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headrace.base import units
from headrace.base.text import listed, plural, some
from headrace.judge.pair import LOOKS
from headrace.judge.schedule import LEAD
from headrace.judge.table import METRICS, grouped
from headrace.results.schema import Row

MANY = 12  # rows are counted rather than named


def of_coarse_clocks(rows: list[Row]) -> list[str]:
    """Name the rows whose processor time the clock cannot tell."""
    coarse = [
        row
        for row in rows
        if row.comparisons and not row.twin_of and {c.metric for c in row.comparisons} != set(METRICS)
    ]
    if not coarse:
        return []
    return [
        f"The clock is too coarse for a processor time of {row_names(coarse)}: "
        "give it a larger input to compare that metric."
    ]


def of_few_rounds(rounds: int, needed: int) -> list[str]:
    """Say that a number of rounds that was asked for is too few for intervals."""
    if rounds >= needed:
        return []
    return [
        f"--rounds {rounds} is too few for rows that are near each other (an interval takes {needed}): "
        "only rows that are far apart have places."
    ]


def of_rests(
    seconds: float,
    questions: Sequence[tuple[str, Row]],
    few: Sequence[Row] = (),
    postponed: Sequence[Row] = (),
) -> list[str]:
    """Say which questions the time did not suffice for, what ran a `few` times, and what never did."""
    still = _all_open(questions)
    rest = [f"Open after {seconds:g} s: {still}."] if still else []
    rest += [f"There was no time for more than a few runs of {row_names(few)}."] if few else []
    rest += [f"No time was left for {row_names(postponed)}."] if postponed else []
    if not rest:
        return []
    return [" ".join([*rest, "Give more --seconds, or name fewer contenders."])]


def of_closed(most: int, questions: Sequence[tuple[str, Row]]) -> list[str]:
    """Say which questions stay open after `most` pairs of runs, from which on nothing is asked."""
    still = _all_open(questions)
    more = " Give --rounds for more." if most == LOOKS[-1] else ""
    return [f"Open after {most:,} pairs of runs or more: {still}.{more}"] if still else []


def of_failed_baselines(rows: Sequence[Row]) -> list[str]:
    """Name baselines that failed."""
    return [
        f"The baseline {row.label} with {row.toolchain}, {row.source} to {row.sink}, failed ({row.outcome}), "
        "so the rows that compare with it have no ratio."
        for row in rows
    ]


def row_names(rows: Sequence[Row]) -> str:
    """Name rows as people do: each contender once, with its toolchains where there are several."""
    if len(rows) > MANY:
        return plural(len(rows), "row")
    several, parts = len({row.toolchain for row in rows}) > 1, []
    for label, alike in grouped(rows, lambda row: row.label).items():
        chains = dict.fromkeys(row.toolchain.rsplit("/", 1)[0] for row in alike)
        parts.append(f"{label} ({', '.join(some(chains, 3))})" if several else label)
    return listed(some(parts, 4))


def _all_open(questions: Sequence[tuple[str, Row]]) -> str:
    kinds = grouped(questions, lambda question: question[0])
    parts = (_still_open(kind, [row for _, row in asked]) for kind, asked in kinds.items())
    return "; ".join(filter(None, parts))


def _still_open(kind: str, rows: Sequence[Row]) -> str:
    """Say what is open of a kind of question; "" for the ratios, whose intervals say it."""
    sentences = {
        "who is first": f"who is first ({_briefly(rows)})",
        "by how much": f"by how much the first wins over {_briefly(rows)}, within {units.percent(LEAD)}",
        "which setting is first": f"which setting of {_briefly(rows, lambda row: row.contender)} is first",
        "which build is first": f"which build of {_briefly(rows)} is first",
        "which neighbour is faster": f"the order of {plural(len(rows), 'pair')} of neighbours in the table",
        "finding": f"what a finding compares ({_briefly(rows)})",
        "gate": f"whether it passes ({_briefly(rows)})",
    }
    return sentences.get(kind, "")


def _briefly(rows: Sequence[Row], called: Callable[[Row], str] = lambda row: row.label) -> str:
    """Name the contenders of rows, or count the rows where they are many."""
    if len(rows) > MANY:
        return plural(len(rows), "row")
    return listed(some(dict.fromkeys(map(called, rows)), 4))
