"""The table of causes, rules.toml: conditions over named quantities, and the sentences that they say."""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from headrace.base import units

FILE = Path(__file__).with_name("rules.toml")
LEAST_SHARE = 0.25  # of the time that a row takes longer: a cause that accounts for less explains nothing
LEAST_PART = 0.15  # of the share of a cause on two quantities, for each of them
NOTHING = "no rule explains this: calls and faults are like the baseline's, and so is the user time's part"

_COMPARISON = re.compile(r"(<=|>=|<|>) *(?:([\d.e+]+)(?: *\* *([a-z][\w.]*))?|([a-z][\w.]*))")
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_PLACE = re.compile(r"\{([\w.]+)(?::(\w+))?\}")

Values = Mapping[str, float]


@dataclass(frozen=True)
class Facts:
    """What is known of a row or a program: quantities, and texts.

    `shares`: the part of the time that a row takes longer than its baseline which each quantity explains.
    """

    values: dict[str, float]
    texts: dict[str, str] = field(default_factory=dict)
    shares: dict[str, float] = field(default_factory=dict)

    @property
    def compares(self) -> bool:
        """Whether they are of a row and its baseline."""
        return "cpu_ratio" in self.values


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(_Model):
    """Conditions and a sentence. `when` compares quantities, `where` searches texts.

    A name of either may be repeated with a space after it.
    """

    name: str
    says: str
    when: dict[str, str] = Field(default_factory=dict)
    where: dict[str, str] = Field(default_factory=dict)

    @field_validator("when")
    @classmethod
    def _comparisons(cls, when: dict[str, str]) -> dict[str, str]:
        for name, text in when.items():
            if not _COMPARISON.fullmatch(text):
                raise ValueError(f"{name}: {text!r} is no comparison such as '>= 4 * base.writes'")
        return when

    def holds(self, facts: Facts) -> bool:
        """Tell whether every condition holds. A quantity that was not counted is 0."""
        return all(_compare(facts.values, name.strip(), text) for name, text in self.when.items()) and all(
            re.search(pattern, facts.texts.get(name.strip(), "")) for name, pattern in self.where.items()
        )


class Cause(Rule):
    """Why a row or a program is slow: by its quantities, or by what it was seen to do (observed.py)."""

    share: str = ""  # quantities whose shares are its own: "writes + lseek"
    decides: bool = False  # the first of these that holds is the cause
    path: str = ""  # searched in who called whom: "[write] write < fflush < *main", the user's with a star
    call: str = ""  # the system calls that are counted: `count`, `size` and `bytes` in `when` are theirs
    to: str = ""  # searched in "descriptor kind flags path"
    category: str = ""  # of the time: "io", "streams", "own", or what is waited for
    least: float = 0.05  # share of the time from which it is told
    flushes: bool = False  # one of those that hide one another: any of them makes the system calls
    hidden: str = ""  # of these, searched in samples: it may flush what another has just written
    around: str = ""  # searched in samples, too, where it holds
    is_io: bool = True  # false: nothing to win by reading and writing otherwise

    @property
    def compares(self) -> bool:
        """Whether it is of a row and its baseline."""
        return self.decides or bool(self.share)

    def explains(self, facts: Facts) -> float:
        """Return the part, 0 to 1, of the time that a row takes longer which is its own.

        A cause on two quantities explains nothing where one of them plays no part: that is another's.
        """
        shares = [facts.shares.get(name, 0.0) for name in self.share.split(" + ")]
        total = 1.0 if self.decides else min(1.0, sum(shares))
        is_spread = min(shares) >= LEAST_PART * sum(shares)
        return total if is_spread and total >= LEAST_SHARE else 0.0


class Categories(_Model):
    """Parts of the time, each by a pattern."""

    io: str
    streams: str
    waits: dict[str, str]


class Rules(_Model):
    """The whole file."""

    categories: Categories
    settings: dict[str, str] = Field(default_factory=dict)
    cause: list[Cause]
    parts: dict[str, str]  # names for where time goes, and the functions that match

    @field_validator("cause", mode="before")
    @classmethod
    def _with_names(cls, table: dict[str, dict[str, object]]) -> list[dict[str, object]]:
        return [{"name": name, **each} for name, each in table.items()]


@cache
def load() -> Rules:
    """Read rules.toml, which comes with the package."""
    return Rules.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def _compare(values: Values, name: str, text: str) -> bool:
    found = _COMPARISON.fullmatch(text)
    assert found is not None  # checked on reading
    sign, factor, quantity, alone = found.groups()
    right = float(factor or 1) * (values.get(quantity or alone, 0.0) if quantity or alone else 1.0)
    return _OPERATORS[sign](values.get(name, 0.0), right)


def sentence(rule: Rule, facts: Facts, say: Callable[[str], str] = lambda place: "") -> str:
    """Fill a rule's sentence. `say` is asked for what is neither a quantity nor a text."""

    def fill(found: re.Match[str]) -> str:
        name, form = found[1], found[2] or "count"
        if name in facts.texts:
            return facts.texts[name]
        if name.startswith("sibling.") or name in ("hot", "loading"):
            return say(name)
        return FORMS[form](facts.values.get(name, 0.0))

    return _PLACE.sub(fill, rule.says)


def count(value: float) -> str:
    """Write a count per MiB: whole from ten on, two digits below."""
    return f"{round(value):,}" if value >= 9.95 else f"{value:.2g}"


FORMS: dict[str, Callable[[float], str]] = {
    "count": count,
    "ratio": units.ratio,
    "percent": lambda share: units.rounded_percent(share) if share >= 0.005 else "less than 1 %",
    "bytes": lambda size: units.memory(int(size)),
    "time": units.one_time,
}


def part(function: str) -> str:
    """Name the part of the work that a function belongs to; "" when no pattern knows it."""
    return next((name for name, pattern in load().parts.items() if re.search(pattern, function)), "")


def markdown() -> str:
    """Return the causes of a row and its baseline as the table of docs/explain.md."""
    lines = ["| rule | holds when | says |", "|---|---|---|"]
    for rule in filter(lambda each: each.compares, load().cause):
        conditions = [f"`{name.strip()} {text}`" for name, text in rule.when.items()]
        conditions += [f"{name} has `{pattern}`" for name, pattern in rule.where.items()]
        explains = f"; explains the share of {rule.share}" if rule.share else ""
        cells = (rule.name, ", ".join(conditions) + explains, rule.says)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"
