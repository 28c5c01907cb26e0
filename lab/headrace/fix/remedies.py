"""Causes and remedies: the data of remedies.toml, and what a remedy makes of a source."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from headrace.explain.rules import Facts, Rule

FILE = Path(__file__).with_name("remedies.toml")
REPLACED_AGAIN = 20  # times at most that a replacement is applied to a line
INCLUDE = "-include"  # a remedy's flag that an edited source has as a line

_MAIN = re.compile(r"\bint\s+main\s*\([^)]*\)\s*\{")
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Cause(Rule):
    """Why a program is slow, and how to tell."""

    weight: float = 0.0  # the gain, a natural logarithm, at which it is told where nothing cures it
    part: float = 0.9  # of a wider remedy's gain, where it has none of its own
    stays: bool = False  # told at its weight where its remedy gains less, too: that is for some cases only
    flushes: bool = False  # one of those that hide one another: any of them makes the system calls


class Remedy(Rule):
    """What is tried; `says` is what a person writes where."""

    cures: list[str]
    replace: list[tuple[str, str]] = Field(default_factory=list)
    insert: str = ""
    header: str = ""
    flags: list[str] = Field(default_factory=list)
    shim: str = ""
    on_source: bool = False
    declared: str = ""  # what the source has to hold for a replacement, with \1 for its first group
    excludes: list[str] = Field(default_factory=list)  # remedies that are not tried together with it

    def is_for(self, facts: Facts, has_source: bool) -> bool:
        """Tell whether it is to be tried."""
        possible = not self.shim or self.on_source or not has_source
        return possible and (has_source or bool(self.shim)) and self.holds(facts)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    pieces: dict[str, str]  # of patterns: what a name in angle brackets stands for
    cause: list[Cause]
    remedy: list[Remedy]


@cache
def load() -> _File:
    """Read remedies.toml, which comes with the package."""
    return _File.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def flushes(facts: Facts) -> set[str]:
    """Return the names of the causes that hold and flush."""
    return {one.name for one in load().cause if one.flushes and one.holds(facts)}


def against_flushes(safe: Sequence[Remedy], facts: Facts) -> list[Remedy]:
    """Return the remedies, but for headrace, that cure causes which hold and flush."""
    return [one for one in safe if INCLUDE not in one.flags and flushes(facts) & {*one.cures}]


def combinations(safe: Sequence[Remedy], facts: Facts) -> list[list[Remedy]]:
    """Return safe remedies together: those that flush less, all but headrace, and headrace with the rest.

    Flushes hide one another: a tie and an endl in one loop cost as much as either.
    """
    own = [one for one in safe if INCLUDE not in one.flags]
    sets = [against_flushes(safe, facts), own]
    for wider in _that_agree([one for one in safe if one not in own]):
        covered = {name for one in wider for name in one.cures}
        sets.append([*(one for one in own if not covered.issuperset(one.cures)), *wider])
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
        for one in all_of_them:
            if one not in chosen and not any(_exclude(one, other) for other in chosen):
                chosen.append(one)
        ordered = [one for one in all_of_them if one in chosen]
        if ordered not in found:
            found.append(ordered)
    return found


def _exclude(one: Remedy, other: Remedy) -> bool:
    return other.name in one.excludes or one.name in other.excludes


def without_comments(text: str) -> str:
    """Return a source whose comments are spaces; its lines stay where they are."""

    def blank(found: re.Match[str]) -> str:
        return found[1] or re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text)


@dataclass(frozen=True)
class Edit:
    """A source with a remedy's changes, and the lines of the original that they are on, from 1."""

    text: str
    lines: list[int]


def edited(text: str, remedy: Remedy) -> Edit:
    """Apply a remedy to a source. Where it has nothing to change the text is as it was, with no lines."""
    lines = text.split("\n")
    plain = without_comments(text).split("\n")
    changed = []
    for number, line in enumerate(plain):
        new = line
        for pattern, to in remedy.replace:
            new = _replaced(new, _whole(pattern), to, remedy, text)
        if new != line:
            lines[number] = new.rstrip()
            changed.append(number + 1)
    result = "\n".join(lines)
    if remedy.insert and (found := _MAIN.search(without_comments(result))):
        result = f"{result[: found.end()]}\n  {remedy.insert}{result[found.end() :]}"
        changed.append(text.count("\n", 0, found.start()) + 1)
        if remedy.header and not re.search(rf"#\s*include\s*<({remedy.header}|bits/stdc\+\+\.h)>", text):
            result = f"#include <{remedy.header}>\n{result}"
    return Edit(result, changed)


def _whole(pattern: str) -> str:
    """Put the pieces into a pattern."""
    for name, piece in load().pieces.items():
        pattern = pattern.replace(f"<{name}>", piece)
    return pattern


def _replaced(line: str, pattern: str, to: str, remedy: Remedy, text: str) -> str:
    """Replace in a line what `declared` allows, and again in what comes of it."""

    def new(found: re.Match[str]) -> str:
        if remedy.declared and not re.search(_filled(remedy.declared, found), text):
            return found[0]
        return _filled(to, found)

    for _ in range(REPLACED_AGAIN):
        before, line = line, re.sub(pattern, new, line)
        if line == before:
            break
    return line


def _filled(template: str, found: re.Match[str]) -> str:
    """Put groups in the places of \\1 and \\2; other backslashes are the C++ text's own."""
    return re.sub(r"\\(\d)", lambda place: found[int(place[1])], template)


def flags_of(remedy: Remedy, as_lines: bool) -> tuple[list[str], list[str]]:
    """Return the flags of a remedy, without the headers that it includes where `as_lines`, and those."""
    flags, headers = list(remedy.flags), []
    while as_lines and INCLUDE in flags:
        at = flags.index(INCLUDE)
        headers.append(flags[at + 1])
        del flags[at : at + 2]
    return flags, headers


def difference(before: str, after: str, name: str, new_name: str) -> str:
    """Return a unified diff."""
    parts = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, new_name
    )
    return "".join(parts)
