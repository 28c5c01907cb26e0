"""Where a program spends its time, by function: samples at moments of a clock (observed.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from headrace.base import units
from headrace.explain import rules
from headrace.explain.observed import Observation

EVERY = 0.001  # seconds between samples
FEWEST = 50  # samples that a sentence is made from
MOST = 3  # parts in a sentence
LEAST = 0.05  # of the time, for a part

Shares = Mapping[
    tuple[str, str], float
]  # by function ("": all without a name) and library, the largest first


def shares(seen: Observation) -> Shares:
    """Return what share of the time on a processor each function has. Empty for too few samples."""
    counts: Counter[tuple[str, str]] = Counter()
    for each in seen.samples:
        if each.state == "R" and each.callers:
            leaf = each.callers[0]
            counts[("", "the kernel") if each.call else (leaf.function, leaf.library)] += round(each.count)
    total = counts.total()
    return {place: number / total for place, number in counts.most_common()} if total >= FEWEST else {}


def phrase(found: Shares) -> str:
    """Say where the time goes: ": 62 % in formatted extraction (num_get::do_get), 20 % in ...". "" for none.

    Functions are gathered into the parts that rules.toml names; the others stand for themselves.
    """
    parts: dict[str, list[tuple[str, float]]] = {}
    for (function, library), share in found.items():
        parts.setdefault(_part(function, library), []).append((function, share))
    totals = {part: sum(share for _, share in members) for part, members in parts.items()}
    said = []
    for part, share in sorted(totals.items(), key=lambda item: -item[1])[:MOST]:
        if share >= LEAST:
            members = list(dict.fromkeys(function for function, _ in parts[part] if function))[:2]
            known = f" ({', '.join(members)})" if members and members != [part] else ""
            said.append(f"{units.rounded_percent(share)} in {part}{known}")
    return f": {', '.join(said)}" if said else ""


def _part(function: str, library: str) -> str:
    if not function:
        return library if library == "the kernel" else f"unnamed functions of {library}"
    return rules.part(function) or function
