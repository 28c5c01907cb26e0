"""A campaign as Markdown: for an issue, a pull request or a document."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.base import units
from headrace.base.text import plural
from headrace.report import conditions, observed, side_by_side, summary, sweep_text
from headrace.report.columns import BORROWED, Look, shown
from headrace.report.grid import Grid, escaped, marked
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.view import View


def text(views: Sequence[View], names: Sequence[str] = ()) -> str:
    """Make the document: sentences and a table for each ranking, then the conditions.

    `names` tell several campaigns apart, as those of their files; each is then a heading, and who is first in
    how many comes last.
    """
    heads = [[f"# {escaped(name)}", ""] for name in names] or [[] for _ in views]
    lines = [line for head, view in zip(heads, views, strict=True) for line in [*head, *_campaign(view)]]
    if len(names) > 1:
        lines += [f"# {say('who-is-first')}", "", *side_by_side.grid(views, names).markdown()]
    return "\n".join(lines).rstrip() + "\n"


def _campaign(view: View) -> list[str]:
    lines, campaign = [], view.campaign
    for sweep in view.sweeps:
        lines += [f"## {escaped(sweep.title)}", ""]
        lines += [*(f"- {marked(sentence)}" for sentence in summary.of_sweep(sweep)), ""]
        lines += [f"{escaped(sweep_text.unit(sweep))}:", "", *sweep_text.table(sweep).markdown(), ""]
    for group in view.alone:
        lines += [f"## {escaped(group.title)}", ""]
        sentences = summary.sentences(group, campaign)
        if sentences:
            lines += [*(f"- {marked(sentence)}" for sentence in sentences), ""]
        lines += [*_table(group), ""]
    for observation in view.observations:
        lines += [*_observation(observation), ""]
    machine = campaign.machine
    facts = [machine.cpu, plural(machine.cores, "core"), machine.system, machine.kernel, campaign.started]
    lines += [escaped(", ".join(fact for fact in facts if fact)) + ".", ""]
    lines += [f"- {marked(sentence)}" for sentence in conditions.sentences(campaign)]
    lines += [f"- Warning: {escaped(warning)}" for warning in campaign.warnings]
    return [*lines, ""]


def _observation(observation: observed.Observation) -> list[str]:
    """What arrived at each sink; an order that is not the recorded one is bold, with the reason."""
    info = observation.info
    rows = [
        [escaped(line.name), escaped(line.built), *map(_arrived, line.cells)] for line in observation.lines
    ]
    lines = [f"## {escaped(f'{info.name} ({info.title})')}", "", f"- {escaped(observation.verdict)}", ""]
    lines += Grid(observation.heads, rows).markdown(str)
    for paragraph in info.explanation:
        lines += ["", escaped(paragraph)]
    return lines


def _arrived(cell: observed.Cell | None) -> str:
    if cell is None or cell.as_expected:
        return escaped(cell.whole) if cell else ""
    return f"**{escaped(cell.whole)}**"


def _table(group: Group) -> list[str]:
    look = Look(units.time_unit(s.spread.median for s in group.measured if s.spread))
    figures = shown("markdown")
    heads = ["", "contender", "toolchain", *(look.title(figure) for figure in figures)]
    rows = [_start(row) + [figure.text(row, look) for figure in figures] for row in group.measured]
    rows += [[*_start(row), row.problem] + [""] * (len(figures) - 1) for row in group.failed]
    lines = Grid(heads, rows, "rllr").markdown()
    legend = [say("all-builds").capitalize()] if group.folds else []
    legend += [escaped(BORROWED)] if any(standing.borrowed_baseline for standing in group.measured) else []
    return [*lines, *(line for part in legend for line in ("", f"{part}."))]


def _start(standing: Standing) -> list[str]:
    under = f" ({standing.under})" if standing.under else ""
    place = "" if standing.spread is None else standing.place
    return [place, standing.label, f"{standing.toolchain}{under}"]
