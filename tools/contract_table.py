"""The reading contract as Markdown: tests/data/torture.tsv, the file that the tests run, as tables.

Each row says what is asked for, what the input holds, and what comes of it. Nothing is typed twice.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / "tests" / "data" / "torture.tsv"

# The types of the file, in the order of the page, and what C++ calls them.
_TYPES = {
    "i8": "std::int8_t", "u8": "std::uint8_t", "i16": "std::int16_t", "u16": "std::uint16_t",
    "i32": "std::int32_t", "u32": "std::uint32_t", "i64": "std::int64_t", "u64": "std::uint64_t",
    "i128": "headrace::int128", "u128": "headrace::uint128",
    "f32": "float", "f64": "double", "flong": "long double",
    "bool": "bool", "char": "char", "word": "std::string_view, a word", "line": "std::string_view, a line",
}  # fmt: skip
_ERRORS = {"malformed": "malformed", "out_of_range": "out of range"}
_LONGEST = 60  # characters of a cell: longer text is cut in the middle


class UnreadableCase(ValueError):
    """A row of the file that does not have its form; says which."""


def tables(text: str) -> str:
    """Make a heading and a table for each type from the file's text. Raises UnreadableCase."""
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != 4 or columns[1] not in _TYPES:
            raise UnreadableCase(f"torture.tsv:{number}: not an id, a known type, an input and a result")
        name, kind, given, expected = columns
        rows.setdefault(kind, []).append(f"| {name} | {_code(given)} | {_result(kind, expected, number)} |")
    made = []
    for kind, called in _TYPES.items():
        if kind in rows:
            made += [f"### {called}", "", "| case | input | gives |", "|---|---|---|", *rows[kind], ""]
    return "\n".join(made)


def _result(kind: str, expected: str, number: int) -> str:
    ending = re.search(r"(?:\$|!(\w+)@(\d+):(\d+))$", expected)
    if not ending or ending[1] not in {None, *_ERRORS}:
        raise UnreadableCase(f"torture.tsv:{number}: ends neither with $ nor with an error: {expected}")
    body = expected[: ending.start()].removesuffix(" ")
    found = body.split("|")[:-1] if kind == "line" else re.split(r" (?![^{]*})", body) if body else []
    values = [_code(value) for value in found]
    given = " ".join(values) if len(values) <= 12 else f"{' '.join(values[:3])} … ({len(values)} values)"
    if not ending[1]:
        return given or "the end"
    error = f"**{_ERRORS[ending[1]]}** at {ending[2]}:{ending[3]}"
    return f"{given}, then {error}" if given else error


def _code(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 3 :]}"
    safe = html.escape(text, quote=False).replace("|", "&#124;").replace("\\", "&#92;")
    for special in "*_`[]":
        safe = safe.replace(special, f"&#{ord(special)};")
    return f"<code>{safe.replace(' ', '&nbsp;')}</code>" if text else "(nothing)"
