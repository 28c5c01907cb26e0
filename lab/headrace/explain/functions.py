"""Where a program spends its time, by function: samples at moments of a clock (observed.py)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from headrace.base import units
from headrace.explain import observed, rules
from headrace.explain.observed import Observation
from headrace.processes import launch
from headrace.results.failure import Failure

EVERY = 0.001  # seconds between samples
FEWEST = 50  # samples that a sentence is made from


@dataclass(frozen=True)
class Spot:
    """A function (or all that have no name in one library) and its share of the samples, 0 to 1."""

    function: str
    library: str
    share: float


def sample(request: launch.Request) -> list[Spot] | Failure:
    """Run once. Returns the functions by share of the time on a processor, the largest first."""
    seen = observed.observe(request, request.timeout, EVERY)
    return seen if isinstance(seen, Failure) else spots(seen)


def spots(seen: Observation) -> list[Spot]:
    """Return the functions of a run by their share. Empty for too few samples."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in seen.samples:
        if each.state == "R" and each.callers:
            leaf = each.callers[0]
            counts["" if each.call else leaf.function, "the kernel" if each.call else leaf.library] += round(
                each.count
            )
    total = sum(counts.values())
    if total < FEWEST:
        return []
    return [Spot(function, library, number / total) for (function, library), number in counts.most_common()]


def phrase(spots: list[Spot], most: int = 3) -> str:
    """Say where the time goes: ": 62 % in formatted extraction (num_get::do_get), 20 % in ...". "" for none.

    Functions are gathered into the parts that rules.toml names; the others stand for themselves.
    """
    by_part: dict[str, list[Spot]] = {}
    for spot in spots:
        by_part.setdefault(_part(spot), []).append(spot)
    parts = sorted(by_part.items(), key=lambda item: -sum(spot.share for spot in item[1]))
    said = []
    for name, members in parts[:most]:
        share = sum(spot.share for spot in members)
        if share < 0.05:
            break
        functions = list(dict.fromkeys(spot.function for spot in members if spot.function))[:2]
        known = f" ({', '.join(functions)})" if functions and functions != [name] else ""
        said.append(f"{units.rounded_percent(share)} in {name}{known}")
    return f": {', '.join(said)}" if said else ""


def _part(spot: Spot) -> str:
    if spot.library == "the kernel":
        return "the kernel"
    if not spot.function:
        return f"unnamed functions of {spot.library}"
    return rules.part(spot.function) or spot.function
