"""The page: one HTML file that needs no network, works without scripts, and never runs its data.

Every text of a results file passes through the template's escaping or `markupsafe.escape`; the
content-security policy allows only this module's own style and script, named by their digests.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup, escape

import headrace
from headrace.base import places, units
from headrace.base.text import plural, visible, when, without_option
from headrace.judge.table import grouped
from headrace.report import (
    conditions,
    observed,
    page_table,
    side_by_side,
    summary,
    svg,
    sweep,
    sweep_text,
    system_calls,
)
from headrace.report.ranking import Group
from headrace.report.view import View
from headrace.results.schema import BenchmarkInfo, Campaign

_MANY = 400  # rows beyond which a benchmark is laid out only where it is seen
_ASSETS = Path(__file__).parent / "assets"


def render(
    views: Sequence[View],
    path: Path,
    names: Sequence[str] = (),
    fleet: Sequence[str] | None = None,
) -> None:
    """Write the page of one or several campaigns; `names` tell several apart, as those of their files.

    `fleet`: they are one race on several hosts, which `names` are, and these sentences are about the hosts.
    Raises BadInput where it cannot be written.
    """
    text = html(views, names, fleet)
    with places.written_whole(path, "the page", "choose another place") as file:
        file.write(text.encode())


def html(views: Sequence[View], names: Sequence[str] = (), fleet: Sequence[str] | None = None) -> str:
    """Make the page's text. Of more hosts than fit, it has the table of agreement alone."""
    called = names or [f"{view.campaign.machine.cpu}, {when(view.campaign.started)}" for view in views]
    fits = fleet is None or len(views) <= side_by_side.SECTIONS
    style = _asset("page.css") + page_table.colours(".results")
    drawing = svg.style(".chart")
    script = _asset("page.js")
    return _template().render(
        title=_title(views, "campaign" if fleet is None else "host"),
        style=Markup(style),
        drawing=Markup(drawing),
        script=Markup(script),
        policy=f"default-src 'none'; style-src {digest(style)} {digest(drawing)}; "
        f"script-src {digest(script)}; base-uri 'none'; form-action 'none'",
        version=headrace.__version__,
        many=_MANY,
        marked=marked,
        plural=plural,
        sections=[_section(view, at, name) for at, (view, name) in enumerate(zip(views, called, strict=True))]
        if fits
        else [],
        across=side_by_side.rankings(views, called) if len(views) > 1 and fits else [],
        agreed=side_by_side.grid(views, called) if len(views) > 1 else None,
        absent=[visible(sentence) for sentence in fleet or ()],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_ASSETS), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html")


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Name a style or a script for a content-security policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _title(views: Sequence[View], noun: str) -> str:
    """Name what was raced; of one benchmark also its input, which --quick makes another one."""
    names = dict.fromkeys(row.benchmark for view in views for row in view.campaign.rows)
    shown = ", ".join(visible(name) for name in names) or "nothing measured"
    sizes = {_sizes(view.groups) for view in views} if len(names) == 1 else set()
    parts = [f"{len(views):,} {noun}s"] if len(views) != 1 else []
    parts += [size for size in sizes if size and len(sizes) == 1]
    return f"{shown}: {', '.join(parts)}" if parts else shown


def _sizes(members: Sequence[Group]) -> str:
    """Name the input of a benchmark's rankings, the smallest and the largest of several."""
    sizes = {row.row.tokens: group.size for group in members for row in group.measured if row.row.tokens}
    ends = [sizes[tokens] for tokens in (min(sizes), max(sizes))] if all(sizes.values()) and sizes else []
    return " to ".join(dict.fromkeys(ends))


def _section(view: View, number: int, name: str) -> dict[str, Any]:
    campaign = view.campaign
    by_benchmark = grouped(view.groups, lambda group: group.benchmark.name)
    return {
        "id": f"campaign-{number}",
        "name": visible(name),
        "facts": _facts(campaign),
        "warnings": [visible(warning) for warning in campaign.warnings],
        "quality": _quality(campaign),
        "benchmarks": [
            _benchmark(members, view, f"b{number}-{at}") for at, members in enumerate(by_benchmark.values())
        ],
        "observations": [
            {
                "id": f"o{number}-{at}",
                "seen": observation,
                "heads": ["contender", "toolchain", *(f"at {sink}" for sink in observation.sinks)],
                "rows": [
                    [line.name, _aside(line.toolchain, line.notes), *map(_arrived, line.cells)]
                    for line in observation.lines
                ],
                "sources": sorted(observation.info.sources.items()),
            }
            for at, observation in enumerate(view.observations)
        ],
        "conditions": [marked(sentence) for sentence in conditions.sentences(campaign)],
        "toolchains": [
            [
                *(chain.name, chain.compiler, chain.version, chain.library, chain.target),
                Markup("<code>{}</code>").format(" ".join(chain.flags)),
            ]
            for chain in campaign.toolchains
        ],
        "commands": sorted({shlex.join(row.command) for row in campaign.rows if row.command}),
        "noise": [
            (
                noise.round,
                units.percent(noise.stolen),
                units.percent(noise.pressure),
                f"{noise.foreign:.2f}",
                units.count(noise.involuntary_switches),
            )
            for noise in campaign.noise
        ],
    }


def _aside(text: str, aside: str, tag: str = "small") -> Markup:
    """Put what is said besides after a text, in an element of its own."""
    return escape(text) + (Markup(f" <{tag}>{{}}</{tag}>").format(aside) if aside else "")


def _arrived(cell: observed.Cell | None) -> Markup:
    return _aside(cell.text, cell.detail, "strong") if cell else Markup("")


def _quality(campaign: Campaign) -> str:
    """Say in one line how well a campaign could be measured."""
    parts = [plural(len(campaign.warnings), "warning") if campaign.warnings else "no warnings"]
    if campaign.interrupted:
        parts.append("interrupted")
    parts.append(f"a difference counts from {units.percent(campaign.margin)}")
    return f"Quality: {', '.join(parts)}"


def _facts(campaign: Campaign) -> list[Markup]:
    machine = campaign.machine
    memory = f", {units.memory(machine.memory)}" if machine.memory else ""
    texts = [
        visible(machine.cpu),
        plural(machine.cores, "core") + memory,
        ", ".join(visible(text) for text in (machine.system, machine.kernel) if text),
        f"governor {visible(machine.governor)}" if machine.governor else "",
        f"turbo {visible(machine.turbo)}" if machine.turbo else "",
        when(campaign.started),
        f"took {campaign.seconds:.0f} s" if campaign.seconds else "",
        f"commit {visible(campaign.commit)}" if campaign.commit else "",
    ]
    facts = [escape(text) for text in texts if text]
    command = shlex.join(without_option(campaign.command, "--out"))
    return [*facts, Markup("<code>{}</code>").format(command)] if campaign.command else facts


def marked(sentence: str) -> Markup:
    """Escape a sentence and set its names, which are between backticks, as code."""
    pieces = sentence.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if at % 2 else escape(piece)
        for at, piece in enumerate(pieces)
    )


def _benchmark(members: list[Group], view: View, identity: str) -> dict[str, Any]:
    info = members[0].benchmark
    table = page_table.Table(members, identity)
    return {
        "id": identity,
        "info": info,
        "size": _sizes(members),
        "sweeps": [_swept(swept, view) for swept in view.sweeps if swept.benchmark.name == info.name],
        "parts": [_part(group, view) for group in view.alone if group.benchmark.name == info.name],
        "filters": table.filters(),
        "columns": table.columns,
        "rows": table.rows(),
        "legend": table.legend(),
        "causes": table.causes(),
        "counted": system_calls.counted(members),
        "contenders": _contenders(info, table),
    }


def _part(group: Group, view: View) -> dict[str, Any]:
    """Return what the page shows of one route, besides its rows; the headline is as the terminal has it."""
    headline = summary.headline(group, view.campaign)
    findings = [sentence for sentence in summary.sentences(group, view.campaign) if sentence not in headline]
    return {
        "route": visible(f"{group.way}{group.settings}"),
        "headline": [*map(marked, headline)],
        "findings": [*map(marked, findings)],
        "pictures": _figures(view.pictures(group)),
    }


def _figures(pictures: Sequence[svg.Picture]) -> list[dict[str, str]]:
    return [
        {
            "title": picture.title,
            "caption": picture.caption,
            "svg": Markup(svg.inline(picture)),
            "narrow": Markup(svg.inline(picture.narrow)),
        }
        for picture in pictures
    ]


def _swept(swept: sweep.Sweep, view: View) -> dict[str, Any]:
    """What the page shows of a sweep: its sentences and curves, the costs, and each size by itself."""
    return {
        "title": visible(f"{swept.source} to {swept.sink}: cost against {swept.key}"),
        "sentences": [marked(sentence) for sentence in summary.of_sweep(swept)],
        "pictures": _figures(view.pictures(swept)),
        "unit": sweep_text.unit(swept),
        "costs": sweep_text.table(swept),
        "sizes": [
            {
                "title": visible(f"{swept.key} = {size:,}"),
                "sentences": [marked(sentence) for sentence in summary.sentences(group, view.campaign)],
            }
            for size, group in zip(swept.sizes, swept.members, strict=True)
        ],
    }


def _contenders(info: BenchmarkInfo, table: page_table.Table) -> list[dict[str, str | None]]:
    listed: list[dict[str, str | None]] = []
    sourced: set[str] = set()
    for file, text in info.sources.items():
        names = table.contenders_of(file)
        if not names and Path(file).stem in info.contenders:  # it did not take part
            names = [Path(file).stem]
        sourced.update(names)
        note = "; ".join(dict.fromkeys(info.contenders[name] for name in names if info.contenders.get(name)))
        shown = ", ".join(visible(name) for name in names) or visible(file)
        listed.append({"name": shown, "note": note, "source": text, "id": table.source_id(file)})
    for name, note in info.contenders.items():
        if name not in sourced:
            listed.append({"name": visible(name), "note": note, "source": None, "id": None})
    return listed
