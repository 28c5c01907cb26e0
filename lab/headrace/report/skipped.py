"""Rows that were skipped because a library is missing: what is missing once, and the command that gets it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from headrace.base.text import visible
from headrace.results.schema import Row

_MISSING = re.compile(r"(?P<need>\S+) was not found by \S+: (?P<get>.+)", re.DOTALL)
_PACKAGE = re.compile(r"apt install ([\w.+-]+)")


@dataclass(frozen=True)
class Missing:
    """Rows that lack a library: contenders by what they need, and how to get it."""

    contenders: dict[str, list[str]]
    packages: list[str]
    others: list[str]  # libraries that no package brings

    @property
    def sentence(self) -> str:
        """All in one line."""
        lacks = ", ".join(f"{need} ({', '.join(names)})" for need, names in self.contenders.items())
        ways = [f"apt install {' '.join(self.packages)}"] if self.packages else []
        if self.others:
            ways.append(f"headrace peers says how to get {', '.join(self.others)}")
        return visible(f"not found: {lacks}. {'; '.join(ways)}")


def parted(rows: Iterable[Row]) -> tuple[Missing | None, list[Row]]:
    """Part the rows that lack a library from all others."""
    contenders: dict[str, list[str]] = {}
    packages: dict[str, None] = {}
    others: dict[str, None] = {}
    rest: list[Row] = []
    for row in rows:
        lacking = _MISSING.fullmatch(row.detail) if row.outcome == "skipped" else None
        if lacking is None:
            rest.append(row)
            continue
        names = contenders.setdefault(lacking["need"], [])
        if row.contender not in names:
            names.append(row.contender)
        brought = _PACKAGE.match(lacking["get"])
        (packages if brought else others)[brought[1] if brought else lacking["need"]] = None
    if not contenders:
        return None, rest
    return Missing(contenders, list(packages), list(others)), rest
