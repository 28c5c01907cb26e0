"""Remedies: the data of remedies.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from headrace.explain.rules import Rule

if TYPE_CHECKING:
    from headrace.explain.findings import Findings

FILE = Path(__file__).with_name("remedies.toml")
INCLUDE = "-include"  # a remedy's flag that an edited source has as a line


class Remedy(Rule):
    """What is tried; `says` is what a person writes where."""

    cures: list[str]
    replace: list[tuple[str, str]] = Field(default_factory=list)
    insert: str = ""
    header: str = ""
    flags: list[str] = Field(default_factory=list)
    shim: str = ""
    declared: str = ""  # what the source has to hold for a replacement, with \1 for its first group
    excludes: list[str] = Field(default_factory=list)  # remedies that are not tried together with it

    does: str  # in the verdict: "untie cin from cout"

    @property
    def edits(self) -> bool:
        """Whether it has something to change in a source."""
        return bool(self.replace or self.insert)

    def is_for(self, seen: Findings) -> bool:
        """Tell whether it is to be tried for what was seen."""
        return any(each.name in self.cures for each in seen.causes) and self.holds(seen.facts)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    pieces: dict[str, str]  # of patterns: what a name in angle brackets stands for
    remedy: list[Remedy]


@cache
def load() -> _File:
    """Read remedies.toml, which comes with the package."""
    return _File.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def possible(has_source: bool) -> list[Remedy]:
    """Return what can be tried: on a source by an edit or else by the shim, on an executable by the shim."""
    if has_source:
        return load().remedy
    alone = {"replace": [], "insert": "", "where": {}}
    return [remedy.model_copy(update=alone) for remedy in load().remedy if remedy.shim]


def flushes(seen: Findings) -> set[str]:
    """Return the names of the causes that hold and flush."""
    return {each.name for each in seen.causes if each.cause.flushes}


def combinations(safe: Sequence[Remedy], seen: Findings) -> list[list[Remedy]]:
    """Return safe remedies together: those that flush less, all but headrace, and headrace with the rest.

    Flushes hide one another: a tie and an endl in one loop cost as much as either.
    """
    own = [remedy for remedy in safe if INCLUDE not in remedy.flags]
    sets = [[remedy for remedy in own if flushes(seen) & {*remedy.cures}], own]
    for wider in _that_agree([remedy for remedy in safe if remedy not in own]):
        covered = {name for remedy in wider for name in remedy.cures}
        sets.append([*(remedy for remedy in own if not covered.issuperset(remedy.cures)), *wider])
    found: list[list[Remedy]] = []
    for chosen in sets:
        if len(chosen) > 1 and chosen not in found:
            found.append(chosen)
    return found


def _that_agree(all_of_them: Sequence[Remedy]) -> list[list[Remedy]]:
    """Return the largest sets of remedies that do not exclude one another, each once."""
    found: list[list[Remedy]] = []
    for first in all_of_them:
        chosen = [first]
        for remedy in all_of_them:
            if remedy not in chosen and not any(
                other.name in remedy.excludes or remedy.name in other.excludes for other in chosen
            ):
                chosen.append(remedy)
        ordered = [remedy for remedy in all_of_them if remedy in chosen]
        if ordered not in found:
            found.append(ordered)
    return found
