"""A campaign as Markdown: for an issue, a pull request or a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.report import conditions, observed, summary, sweep_text
from headrace.report.columns import BORROWED, Look, shown
from headrace.report.standing import Group, Standing
from headrace.report.view import View

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def text(views: Sequence[View], names: Sequence[str] = ()) -> str:
    """Make the document: sentences and a table for each ranking, then the conditions.

    `names` tell several campaigns apart, as those of their files; each is then a heading.
    """
    heads = [[f"# {escaped(name)}", ""] for name in names] or [[] for _ in views]
    lines = [line for head, view in zip(heads, views, strict=True) for line in [*head, *_campaign(view)]]
    return "\n".join(lines).rstrip() + "\n"


def escaped(value: str) -> str:
    """Escape what Markdown or HTML would take for markup."""
    return _marks(visible(value))


def _marks(piece: str) -> str:
    return _SPECIAL.sub(r"\\\1", piece)


def _campaign(view: View) -> list[str]:
    lines, campaign = [], view.campaign
    for one in view.sweeps:
        lines += [f"## {escaped(one.title)}", ""]
        lines += [*(f"- {_sentence(sentence)}" for sentence in summary.of_sweep(one)), ""]
        lines += [f"{escaped(sweep_text.unit(one))}:", ""]
        heads, rows = sweep_text.table(one)
        lines += [f"| {' | '.join(map(escaped, heads))} |", "|---|---|" + "--:|" * (len(heads) - 2)]
        lines += [*(f"| {' | '.join(map(escaped, row))} |" for row in rows), ""]
    for group in view.alone:
        lines += [f"## {escaped(group.title)}", ""]
        sentences = summary.sentences(group, campaign)
        if sentences:
            lines += [*(f"- {_sentence(sentence)}" for sentence in sentences), ""]
        lines += [*_table(group), ""]
    for observation in view.observations:
        lines += [*_observation(observation), ""]
    machine = campaign.machine
    facts = [machine.cpu, plural(machine.cores, "core"), machine.system, machine.kernel, campaign.started]
    lines += [escaped(", ".join(fact for fact in facts if fact)) + ".", ""]
    lines += [f"- {_sentence(sentence)}" for sentence in conditions.sentences(campaign)]
    lines += [f"- Warning: {escaped(warning)}" for warning in campaign.warnings]
    return [*lines, ""]


def _observation(observation: observed.Observation) -> list[str]:
    """What arrived at each sink; an order that is not the recorded one is bold, with the reason."""
    info = observation.info
    lines = [f"## {escaped(f'{info.name} ({info.title})')}", "", f"- {escaped(observation.verdict)}", ""]
    heads = ["contender", "toolchain", *(f"arrives at {sink}" for sink in observation.sinks)]
    lines += [f"| {' | '.join(map(escaped, heads))} |", "|---" * len(heads) + "|"]
    for line in observation.lines:
        toolchain = f"{line.toolchain} ({line.notes})" if line.notes else line.toolchain
        cells = [escaped(line.name), escaped(toolchain), *map(_arrived, line.cells)]
        lines.append(f"| {' | '.join(cells)} |")
    for paragraph in info.explanation:
        lines += ["", escaped(paragraph)]
    return lines


def _arrived(cell: observed.Cell | None) -> str:
    if cell is None or cell.as_expected:
        return "" if cell is None else escaped(cell.text)
    return f"**{escaped(' '.join(filter(None, (cell.text, cell.detail))))}**"


def _sentence(sentence: str) -> str:
    pieces = sentence.split("`")
    return "".join(f"`{piece}`" if at % 2 else _marks(piece) for at, piece in enumerate(pieces))


def _table(group: Group) -> list[str]:
    look = Look(units.time_unit(s.spread.median for s in group.measured if s.spread))
    figures = shown("markdown")
    heads = ["", "contender", "toolchain", *(escaped(look.title(one)) for one in figures)]
    lines = [f"| {' | '.join(heads)} |", "|--:|---|---|" + "--:|" * (len(heads) - 3)]
    for standing in group.measured:
        start = [standing.place, escaped(standing.label), _toolchain(standing)]
        cells = [*start, *(escaped(one.text(standing, look)) for one in figures)]
        lines.append(f"| {' | '.join(cells)} |")
    for standing in group.failed:
        cells = ["", escaped(standing.label), _toolchain(standing), escaped(standing.problem)]
        lines.append(f"| {' | '.join(cells + [''] * (len(heads) - len(cells)))} |")
    if any(standing.borrowed_baseline for standing in group.measured):
        lines += ["", f"{escaped(BORROWED)}."]
    return lines


def _toolchain(standing: Standing) -> str:
    return escaped(f"{standing.toolchain} ({standing.under})" if standing.under else standing.toolchain)
