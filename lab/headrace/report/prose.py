"""Every sentence of a report: a template of sentences.toml, filled in, each kind of value written one way.

A value is written as its form says: `{time:time}` is "24.1 ms", `{runs:#run}` is "12 runs", and `{next:?; }`
is "; " and the value where there is one.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from headrace.base import units
from headrace.base.text import either, listed, name, plural, some, visible
from headrace.judge.table import grouped
from headrace.judge.verdict import outlook
from headrace.report.ratios import Ratio

_TABLE = Path(__file__).parent / "sentences.toml"


class Build(Protocol):
    """What one compiler made of one source with its settings."""

    @property
    def label(self) -> str:
        """The contender with its settings."""

    @property
    def toolchain(self) -> str:
        """Its toolchain; "script" where there is none."""


def say(key: str, /, **values: Any) -> str:
    """Write a sentence, or a part of one. Names in it are marked."""
    return _FORMATTER.vformat(sentences()[key], (), values)


@cache
def sentences() -> Mapping[str, str]:
    """Return the table."""
    table: dict[str, str] = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return table


def span(texts: Iterable[str]) -> str:
    """Write the least and the most: "2 to 5", or "2" where they read alike."""
    return " to ".join(dict.fromkeys(texts))


def together(builds: Iterable[Build]) -> str:
    """Name builds with each contender said once: "`a` (g++, clang++) and `b` (g++)"."""
    named = []
    for label, alike in grouped(builds, lambda build: build.label).items():
        chains = dict.fromkeys(visible(build.toolchain) for build in alike)
        named.append(name(label) + ("" if [*chains] == ["script"] else f" ({', '.join(some(chains, 3))})"))
    return listed(some(named, 5))


def _build(build: Build) -> str:
    """Name a build: "`cin` with g++-12/libstdc++"; a script has no toolchain."""
    return name(build.label) + ("" if build.toolchain == "script" else f" with {visible(build.toolchain)}")


def _ratio(value: Ratio | float) -> str:
    return value.text if isinstance(value, Ratio) else units.ratio(value)


FORMS: dict[str, Callable[[Any], str]] = {
    "time": units.one_time,
    "percent": units.percent,
    "percents": lambda shares: span(units.percent(share) for share in (min(shares), max(shares))),
    "ratio": _ratio,
    "ratios": lambda values: span(units.ratio(value) for value in (min(values), max(values))),
    "count": units.count,
    "name": name,
    "text": visible,
    "build": _build,
    "builds": together,
    "and": lambda parts: listed(list(parts)),
    "or": lambda parts: either(list(parts)),
    "comma": ", ".join,
    "outlook": outlook,
}


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("?"):
            return f"{format_spec[1:]}{value}" if value else ""
        if format_spec.startswith("#"):
            return plural(value, format_spec[1:])
        return FORMS[format_spec](value) if format_spec else str(value)


_FORMATTER = _Formatter()
