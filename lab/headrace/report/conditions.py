"""How far the differences of a campaign can be trusted, in sentences."""

from __future__ import annotations

from headrace.base.text import name
from headrace.judge import layouts
from headrace.machine import noise
from headrace.report import ratios
from headrace.report.prose import say
from headrace.report.ranking import under
from headrace.results.schema import MOST_CACHED, Campaign

FEW_SAMPLES = 6  # a row with fewer has a median without an interval


def sentences(campaign: Campaign) -> list[str]:
    """Say how far the differences can be trusted."""
    told = [say("interrupted")] if campaign.interrupted else []
    told += [*unusual(campaign), *_under(campaign), say("margin", margin=campaign.margin)]
    told += [*_few_samples(campaign), *_layouts(campaign), *_twins(campaign), *_counted(campaign)]
    return told + noise.described(campaign.rows, campaign.noise)


def unusual(campaign: Campaign) -> list[str]:
    """Say what was unusual about the runs: a cold cache, one processor."""
    stayed = [sample.cached or 0.0 for row in campaign.rows for sample in row.samples]
    warm = max(stayed, default=0.0) > MOST_CACHED
    told = [say("cold-stayed" if warm else "cold")] if campaign.cold else []
    return told + ([say("pinned", pin=campaign.pin)] if campaign.pin is not None else [])


def _under(campaign: Campaign) -> list[str]:
    """Name the toolchains whose programs ran under something else than this machine's own system."""
    toolchains: dict[str, dict[str, None]] = {}
    for row in campaign.rows:
        if (system := under(row)) and (row.samples or row.observed):
            toolchains.setdefault(system, {})[name(row.toolchain)] = None
    return [say("under", toolchains=names, under=system) for system, names in toolchains.items()]


def _layouts(campaign: Campaign) -> list[str]:
    """Say how much the layout alone moves builds, the one that it moves most by name."""
    if not any(row.samples for row in campaign.rows):
        return []
    if campaign.run.asked.get("layouts") == 1:
        return [say("one-layout")]
    moves = [(layouts.moved(row.samples), row) for row in campaign.rows]
    sure = [(moved.share, row) for moved, row in moves if moved is not None and moved.certain]
    if not sure:
        return []
    share, worst = max(sure, key=lambda pair: pair[0])
    rest = [share for share, row in sure if row is not worst]
    others = say("layout-others", rows=len(rest), shares=rest) if rest else ""
    return [say("layout", worst=worst, share=share, others=others)]


def _counted(campaign: Campaign) -> list[str]:
    """Say how instructions were counted, and that a tool without AVX-512 ran other kernels."""
    tools = list(dict.fromkeys(row.counted.tool for row in campaign.rows if row.counted))
    told = [say("counted", tools=tools)] if tools else []
    other = "valgrind" in tools and any(key.startswith("avx512") for key in campaign.machine.features)
    return told + ([say("counted-without-avx512")] if other else [])


def _few_samples(campaign: Campaign) -> list[str]:
    """Say how many rows have too few samples, where others have enough."""
    counts = [len(row.samples) for row in campaign.rows if row.samples and row.outcome == "ok"]
    few = sum(number < FEW_SAMPLES for number in counts)
    if few in (0, len(counts)):
        return []  # of all rows it is said where there are no places
    have = "has" if few == 1 else "have"
    return [say("few-samples", few=few, all=len(counts), have=have, enough=FEW_SAMPLES)]


def _twins(campaign: Campaign) -> list[str]:
    """Say what the worst A/A pair shows: a build against itself."""
    rows = {row.id: row for row in campaign.rows}
    pairs = [
        (row, ratio)
        for row in campaign.rows
        if row.samples and (original := rows.get(row.twin_of))
        if (ratio := ratios.between(row, original))
    ]
    if not pairs:
        return []
    row, ratio = max(pairs, key=lambda pair: pair[1].factor)
    route = say("route", toolchain=row.toolchain, source=row.source, sink=row.sink)
    return [say("twin" if len(pairs) == 1 else "twins", count=len(pairs), route=route, ratio=ratio)]
