"""Several campaigns side by side: ratios within each, never times of one against times of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base import units
from headrace.base.text import name, plural, visible
from headrace.report.standing import Group, Standing
from headrace.report.view import View


@dataclass(frozen=True)
class Ranking:
    """One ranking that several campaigns have: a line per contender, a cell per campaign."""

    title: str
    baseline: str
    heads: Sequence[str]  # a campaign each: its name
    lines: Sequence[Sequence[str]]  # the contender, and a cell per campaign
    sentence: str


def rankings(views: Sequence[View], names: Sequence[str]) -> list[Ranking]:
    """Set the rankings side by side that at least two campaigns have; `names` are the campaigns'.

    Names of contenders in the sentences are marked.
    """
    by_title: dict[str, dict[int, Group]] = {}
    for at, view in enumerate(views):
        for group in view.ranked:
            by_title.setdefault(group.title, {})[at] = group
    heads = [visible(one) for one in names]
    return [_ranking(found, heads) for found in by_title.values() if len(found) > 1]


def _ranking(found: dict[int, Group], heads: Sequence[str]) -> Ranking:
    columns = {at: group.fastest for at, group in found.items()}
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    lines = [[visible(label), *(_cell(column.get(label)) for column in columns.values())] for label in labels]
    first = next(iter(found.values()))
    return Ranking(
        title=visible(first.title),
        baseline=visible(first.benchmark.baseline),
        heads=[heads[at] for at in columns],
        lines=lines,
        sentence=_who_wins(list(columns.values())),
    )


def _cell(standing: Standing | None) -> str:
    if standing is None:
        return ""
    if standing.to_baseline is None:
        return f"rank {standing.place}"
    return f"{standing.to_baseline.text} ({standing.place})"


def _who_wins(columns: Sequence[dict[str, Standing]]) -> str:
    """Say who is first in how many of the campaigns, and how far the ratios of the winner differ."""
    wins: dict[str, list[Standing]] = {}
    shared: set[str] = (
        set()
    )  # labels that lead a campaign together with another; builds of one contender share nothing
    for column in columns:
        leaders = [label for label, standing in column.items() if standing.rank == 1]
        for label in leaders:
            wins.setdefault(label, []).append(column[label])
        if len(leaders) > 1:
            shared.update(leaders)
    if not wins:
        return "No campaign has rounds enough to say who is first."
    label, standings = max(wins.items(), key=lambda pair: len(pair[1]))
    said = f"{name(label)} {'is, or may be,' if label in shared else 'is'} first "
    said += f"in {len(standings)} of {plural(len(columns), 'campaign')}"
    ratios = [one.to_baseline.value for one in standings if one.to_baseline is not None]
    if len(ratios) == len(standings) > 1:
        said += f", at {units.ratio(min(ratios))} to {units.ratio(max(ratios))} times the baseline's time"
    return f"{said}."
