"""What each judge takes: judges.toml, and what a bundle for it can do without."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from headrace.base import names
from headrace.base.errors import BadInput

FILE = Path(__file__).with_name("judges.toml")
FACTS = ("bytes", "standards", "compiler", "system")
SYSTEMS: Mapping[str, Mapping[str, str | None]] = MappingProxyType(
    {
        "linux": {
            "_WIN32": None,
            "HEADRACE_WINDOWS": "0",
            "__linux__": "1",
            "__ANDROID__": None,
            "__GLIBC__": "",
        },
        "windows": {"_WIN32": "", "HEADRACE_WINDOWS": "1", "__linux__": None, "__GLIBC__": None},
    }
)
COMPILERS: Mapping[str, Mapping[str, str | None]] = MappingProxyType(
    {
        "g++": {"__clang__": None, "__has_feature": None},
        "clang++": {"__clang__": "", "__has_feature": ""},
    }
)
PROCESSOR: Mapping[str, str | None] = MappingProxyType(  # every judge here has an x86-64
    {
        "__x86_64__": "",
        "__aarch64__": None,
        "__SIZEOF_INT128__": "",
        "__BYTE_ORDER__": "1",
        "__ORDER_BIG_ENDIAN__": "2",
    }
)


@dataclass(frozen=True)
class Fact:
    """One thing that is known of a judge, and by whom."""

    value: str | int | list[str]
    source: str
    date: str
    sure: bool


@dataclass(frozen=True)
class Judge:
    """What a judge takes."""

    key: str
    name: str
    facts: Mapping[str, Fact]
    also: tuple[str, ...] = ()  # other names that people know it by

    @property
    def bytes(self) -> int:
        """The most that a source may have."""
        value = self.facts["bytes"].value
        assert isinstance(value, int)
        return value

    @property
    def system(self) -> str:
        """Return "linux" or "windows"."""
        return str(self.facts["system"].value)

    @property
    def macros(self) -> Mapping[str, str | None]:
        """What is known of its compiler's macros."""
        compiler, version = str(self.facts["compiler"].value).split()
        known = {"__GNUC__": version.split(".")[0]} if compiler == "g++" else {}
        return {**PROCESSOR, **SYSTEMS[self.system], **COMPILERS[compiler], **known}

    @property
    def sentence(self) -> str:
        """Say what it takes, and what of that is not confirmed."""
        standards = self.facts["standards"].value
        assert isinstance(standards, list)
        takes = (
            f"{self.name} takes {self.bytes} bytes, compiled by {self.facts['compiler'].value} on "
            f"{self.system.capitalize()} as {' or '.join(standards)}"
        )
        unsure = [fact for fact in FACTS if not self.facts[fact].sure]
        return takes + (f" (not confirmed by its own pages: {', '.join(unsure)})" if unsure else "")


@cache
def read(file: Path = FILE) -> Mapping[str, Judge]:
    """Return the judges of a file, by their names. Raises BadInput for a fact that lacks something."""
    judges = {}
    for key, entry in tomllib.loads(file.read_text("utf-8")).items():
        try:
            facts = {name: Fact(**entry[name]) for name in FACTS}
            judge = Judge(key, entry["name"], facts, tuple(entry.get("also", ())))
            if judge.bytes < 1 or not judge.macros or any(not (f.source and f.date) for f in facts.values()):
                raise KeyError("source or date")
        except (KeyError, TypeError, ValueError, AssertionError) as error:
            raise BadInput(
                f"{file}: [{key}] is not whole ({error}); each judge needs {', '.join(FACTS)}"
            ) from error
        judges[key] = judge
    return judges


def find(name: str) -> Judge:
    """Return a judge, by any of its names in any case. Raises BadInput with the nearest name and the list."""
    known = read()
    by_name = {each: judge for judge in known.values() for each in (judge.key, *judge.also)}
    lower = name.strip().lower()
    if lower in by_name:
        return by_name[lower]
    sentence = names.unknown("judge", lower, tuple(known))
    there_are = f"there are {', '.join(known)}"
    raise BadInput(sentence if there_are in sentence else f"{sentence} {there_are.capitalize()}")
