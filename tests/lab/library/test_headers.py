"""The headers include one way: the core names no add-on, and each add-on stays behind its door."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import native
from checkout import TOP

LIBRARY = TOP / "include/headrace"
CORE = "core"
DOORS = {  # what users include -> the part that it opens; all other doors are the core's
    "arrow.hpp": "arrow",
    "bench.hpp": "bench",
    "column.hpp": "columns",
    "columns.hpp": "columns",
    "gzip.hpp": "compressed",
    "iostreams.hpp": "iostreams",
    "replace_iostream.hpp": "replace",
    "replace_sstream.hpp": "replace",
    "replace_stdio.hpp": "replace",
    "split.hpp": "split",
    "time.hpp": "time",
    "zstd.hpp": "compressed",
}
MAY_INCLUDE = {  # besides its own files
    CORE: set[str](),
    "arrow": {CORE, "columns", "split", "time"},
    "bench": set[str](),
    "columns": {CORE},
    "compressed": {CORE},
    "iostreams": {CORE},
    "replace": {CORE},
    "split": {CORE, "columns"},
    "time": {CORE},
}


def part_of(header: Path) -> str:
    """Return the part of the library that a header belongs to."""
    folder, *rest = header.relative_to(LIBRARY).parts
    if not rest:
        return DOORS.get(folder, CORE)
    return CORE if folder == "detail" else folder


def code_of(header: Path) -> str:
    """Return a header without its comments."""
    return re.sub(r"//[^\n]*", "", header.read_text("utf-8"))


def includes(headers: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield each header with one that it includes; both exist."""
    for header in headers:
        for name in re.findall(r'^#\s*include "([^"]+)"', header.read_text("utf-8"), re.M):
            yield header, (header.parent / name).resolve(strict=True)


def wrong_ways(headers: list[Path]) -> list[str]:
    """Return the includes that lead from a part to one that it may not name."""
    return [
        f"{header.relative_to(LIBRARY)} includes {other.relative_to(LIBRARY)}"
        for header, other in includes(headers)
        if part_of(other) not in MAY_INCLUDE[part_of(header)] | {part_of(header)}
    ]


HEADERS = sorted(LIBRARY.rglob("*.hpp"))


def test_each_part_includes_only_what_is_below_it() -> None:
    assert {part_of(header) for header in HEADERS} == set(MAY_INCLUDE)
    assert wrong_ways(HEADERS) == []


def test_the_core_includes_no_header_that_costs_much() -> None:
    """<charconv> is where std::errc is in other standard libraries than libstdc++."""
    costly = r"#\s*include <(optional|algorithm|vector|charconv|iostream)>"
    found = {
        header.name: re.findall(costly, code_of(header)) for header in HEADERS if part_of(header) == CORE
    }
    assert {name: costs for name, costs in found.items() if costs} == {"number_traits.hpp": ["charconv"]}


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["header-only", "compiled"])
@pytest.mark.parametrize("door", sorted(path.name for path in LIBRARY.glob("*.hpp")))
def test_each_door_needs_no_other_before_it(tmp_path: Path, door: str, compiled: bool) -> None:
    (tmp_path / "mine.cpp").write_text(f"#include <headrace/{door}>\n", "utf-8")
    words = ["-std=c++17", "-fsyntax-only", *(["-DHEADRACE_COMPILED=1"] if compiled else [])]
    done = native.call("g++", *words, "-I", LIBRARY.parent, tmp_path / "mine.cpp")
    assert done.returncode == 0, done.stderr[:2000]


def test_an_include_of_an_add_on_by_the_core_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "columns").mkdir()
    (tmp_path / "columns/table.hpp").write_text("", "utf-8")
    (tmp_path / "reader.hpp").write_text('#include "columns/table.hpp"\n', "utf-8")
    monkeypatch.setitem(globals(), "LIBRARY", tmp_path)
    assert wrong_ways([tmp_path / "reader.hpp"]) == ["reader.hpp includes columns/table.hpp"]


def test_the_core_declares_only_what_it_defines() -> None:
    """A class that is declared here and defined in an add-on is one that the core names."""
    core = "".join(code_of(header) for header in HEADERS if part_of(header) == CORE)
    declared = set(
        re.findall(r"^\s*(?:friend )?(?:class|struct|union) (?:\w+::)*(\w+)(?:<\w+>)?;", core, re.M)
    )
    defined = set(
        re.findall(r"\b(?:class|struct|union) (?:\w+::)*(\w+)(?:<[^;{]*>)?(?: final)?(?: : [^;{]+)? {", core)
    )
    assert "reader_access" in declared
    others = {"io"} | {name for name in declared if name.startswith("_")}  # the user's, the system's
    assert declared - defined - others == set()
