"""The table of causes, rules.toml: conditions over named quantities, and the sentences that they say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from headrace.base import units

FILE = Path(__file__).with_name("rules.toml")

_PLACE = re.compile(r"\{([\w.]+)(?::(\w+|#[\w ]+))?\}")


@dataclass(frozen=True)
class Facts:
    """What is known of a program: quantities, and texts."""

    values: dict[str, float]
    texts: dict[str, str] = field(default_factory=dict)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(_Model):
    """Conditions and a sentence: the ranges of quantities, and patterns that are found in texts.

    A name of `where` may be repeated with a space after it.
    """

    name: str
    says: str
    when: dict[str, tuple[float, float]] = Field(default_factory=dict)
    where: dict[str, str] = Field(default_factory=dict)

    def holds(self, facts: Facts) -> bool:
        """Tell whether every condition holds. A quantity that was not counted is 0."""
        ranges, patterns = self.when.items(), self.where.items()
        return all(low <= facts.values.get(name, 0.0) <= high for name, (low, high) in ranges) and all(
            re.search(pattern, facts.texts.get(name.strip(), "")) for name, pattern in patterns
        )


class Cause(Rule):
    """Why a program is slow, by what it was seen to do (observed.py)."""

    path: str = ""  # searched in who called whom: "[write] write < fflush < *main", the user's with a star
    call: str = ""  # the system calls that are counted: `count` and `size` in `when` are theirs
    to: str = ""  # searched in "descriptor kind flags path"
    category: str = ""  # of the time: "io", "streams", "own", or what is waited for
    least: float = 0.05  # share of the time from which it is told
    flushes: bool = False  # one of those that hide one another: any of them makes the system calls
    hidden: str = ""  # of these, searched in samples: it may flush what another has just written
    around: str = ""  # searched in samples, too, where it holds
    is_io: bool = True  # false: nothing to win by reading and writing otherwise


class Categories(_Model):
    """Parts of the time, each by a pattern."""

    io: str
    streams: str
    waits: dict[str, str]


class Rules(_Model):
    """The whole file."""

    categories: Categories
    settings: dict[str, str]
    comparison: dict[str, str]  # sentences on a row and its baseline
    cause: list[Cause]

    @field_validator("cause", mode="before")
    @classmethod
    def _with_names(cls, table: dict[str, dict[str, object]]) -> list[dict[str, object]]:
        return [{"name": name, **each} for name, each in table.items()]


@cache
def load() -> Rules:
    """Read rules.toml, which comes with the package."""
    return Rules.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def sentence(says: str, facts: Facts) -> str:
    """Fill a sentence with texts, and with quantities in one of FORMS or, by #noun, counted."""

    def fill(place: re.Match[str]) -> str:
        name, form = place[1], place[2] or "count"
        if name in facts.texts:
            return facts.texts[name]
        value = facts.values.get(name, 0.0)
        return _counted(value, form[1:]) if form.startswith("#") else FORMS[form](value)

    return _PLACE.sub(fill, says)


def _counted(value: float, noun: str) -> str:
    """Count a noun: "1 time", "2.5 times", "3 processes"."""
    count = units.rough_count(value)
    return f"{count} {noun}{'' if count == '1' else 'es' if noun.endswith('s') else 's'}"


FORMS: dict[str, Callable[[float], str]] = {
    "count": units.rough_count,
    "ratio": units.ratio,
    "percent": lambda share: units.rounded_percent(share) if share >= 0.005 else "less than 1 %",
    "time": units.one_time,
}


def markdown() -> str:
    """Return the causes as the table of docs/explain.md."""
    lines = ["| cause | says |", "|---|---|"]
    lines += [f"| {each.name} | {each.says} |" for each in load().cause]
    return "\n".join(lines) + "\n"
