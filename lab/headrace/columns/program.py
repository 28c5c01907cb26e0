"""The text of a program that reads a file of columns, with what decided it as comments."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence

from headrace.base.text import visible, wrapped
from headrace.bundle.own_names import KEYWORDS
from headrace.columns.choose import MOST_MEMBERS, Field, Plan
from headrace.columns.survey import PACKINGS, TYPES

WIDTH = 115  # of a line of comments
CHAR = "'"  # around a character
MACROS = frozenset("assert errno far hyper interface linux major makedev minor near small unix".split())
TAKEN = KEYWORDS | MACROS | {"and_eq", "bitand", "bitor", "compl", "consteval", "not_eq", "or_eq", "xor_eq"}
TAKEN |= {"stderr", "stdin", "stdout", "row"}


def write(plan: Plan) -> str:
    """Return the program. Nothing of the machine is in it but the file's name as it was given."""
    declared = _struct(plan) if plan.is_struct else _numbers(plan)
    parts = [_heading(plan), _includes(plan), declared, _main(plan)]
    return "\n\n".join(parts) + "\n"


def identifiers(names: Sequence[str | None]) -> list[str]:
    """Make names of columns names of C++, each another: "Unit price (EUR)" is unit_price_eur."""
    made: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        text = (name or "").encode("latin-1").decode("utf-8", "replace")
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
        word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", plain).strip("_").lower()
        if not word or word[0].isdigit():
            word = f"column_{word or number}"
        if word in TAKEN:
            word += "_"
        if word in made:
            others = (f"{word.rstrip('_')}_{again}" for again in itertools.count(2))
            word = next(other for other in others if other not in made)
        made[word] = None
    return [*made]


def _heading(plan: Plan) -> str:
    name = visible(str(plan.file))
    lines = [f"{name}, read whole: {plan.counts}."]
    lines += [f"The first that does not: {plan.first_unfit}."] if plan.unfit else []
    lines += ["", *plan.reasons]
    if not plan.is_struct:
        lines.append(f"A row is a struct of up to {MOST_MEMBERS} members: these columns are found by number.")
    elif plan.has_header and not plan.is_by_name:
        lines.append("Columns are found by position: the header does not have one name for each.")
    if len(plan.fields) == 1:
        lines.append("Empty lines are no rows; with_empty_lines() of the format makes them rows.")
    libraries = [*PACKINGS[plan.packing].libs, "-pthread"] if plan.packing else []
    command = ['g++ -O2 -std=c++17 -I"$(headrace --include-dir)" THIS.cpp', *libraries]
    lines += ["", f"To compile it: {' '.join(command)}"]
    return "\n".join(f"// {part}".rstrip() for line in lines for part in wrapped(line, WIDTH) or [""])


def _includes(plan: Plan) -> str:
    types = {field.type for field in plan.fields}
    dates = {name for name in types if name.startswith("date")}
    own = ["columns", *([plan.packing] if plan.packing else []), *(["time"] if dates else [])]
    standard = {
        "chrono": plan.is_struct and bool(dates - {"date"}),
        "cstddef": not plan.is_struct,
        "cstdint": True,
        "cstdio": True,
        "optional": plan.is_struct and any(field.is_optional for field in plan.fields),
        "string_view": plan.is_struct and not types <= {*TYPES},
    }
    lines = [f"#include <headrace/{name}.hpp>" for name in own]
    return "\n".join([*lines, "", *(f"#include <{name}>" for name, wanted in standard.items() if wanted)])


def _type(field: Field) -> str:
    type_ = TYPES.get(field.type, "std::string_view")
    return f"std::optional<{type_}>" if field.is_optional else type_


def _commented(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Put comments after lines, one below the other."""
    width = max(len(line) for line, _ in lines)
    return [f"  {line:<{width}}  // {comment}" for line, comment in lines]


def _struct(plan: Plan) -> str:
    names = identifiers([field.name for field in plan.fields])
    members = [(f"{_type(field)} {name};", field.why) for field, name in zip(plan.fields, names, strict=True)]
    return "\n".join(["struct row {", *_commented(members), "};"])


def _numbers(plan: Plan) -> str:
    """Return the columns of a table that is too wide for a struct, by number."""
    names = identifiers([field.name for field in plan.fields])
    lines = [
        (f"{name},", f"{_type(field)}: {field.why}") for field, name in zip(plan.fields, names, strict=True)
    ]
    return "\n".join(["struct column {", " enum : std::size_t {", *_commented(lines), " };", "};"])


def _literal(text: str, mark: str) -> str:
    """Write bytes, as Latin-1, as a literal of C++."""
    try:
        shown = text.encode("latin-1").decode()
    except UnicodeDecodeError:
        shown = text
    known = {"\t": "\\t", "\\": "\\\\", mark: f"\\{mark}"}
    is_text = shown is not text or text.isascii()
    return mark + "".join(known.get(char) or _escaped(char, is_text) for char in shown) + mark


def _escaped(char: str, is_text: bool) -> str:
    if char.isprintable() and (is_text or char.isascii()):
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8" if is_text else "latin-1"))


def _format(plan: Plan) -> str:
    form = plan.format
    if (form.separator, form.quote) == ("\t", ""):
        words = "headrace::tsv"
    else:
        is_csv = form.separator == ","
        words = "headrace::csv" if is_csv else f"headrace::delimited({_literal(form.separator, CHAR)})"
        if form.quote != '"':
            words += f".with_quote({_literal(form.quote, CHAR)})" if form.quote else ".without_quotes()"
    words += f".with_comments({_literal(form.comment, CHAR)})" if form.comment else ""
    words += ".trimmed()" if form.trims else ""
    words += ".with_decimal_comma()" if plan.has_decimal_comma else ""
    if not plan.has_header:
        return words
    if not plan.is_by_name:
        return f"{words}.with_header()"
    names = ", ".join(_literal(field.name or "", '"') for field in plan.fields)
    return f"{words}.with_header({names})"


def _main(plan: Plan) -> str:
    path = _literal(str(plan.file).encode().decode("latin-1"), '"')
    source = f"{{headrace::{plan.packing}_source(path)}}" if plan.packing else "(path)"
    if plan.is_struct:
        loop = "[[maybe_unused]] const row& each : file.rows<row>(format, bad)"
        use = f"each.{identifiers([plan.fields[0].name])[0]}"
    else:
        loop = "[[maybe_unused]] const headrace::record each : file.records(format, bad)"
        use = f"each.get<{_type(plan.fields[0])}>(column::{identifiers([plan.fields[0].name])[0]})"
    return f"""\
int main(int count, char** words) {{
  const char* const path = count > 1 ? words[1] : {path};
  const auto format = {_format(plan)};
  try {{
    headrace::reader file{source};
    headrace::rejects bad;
    std::uint64_t rows = 0;
    for ({loop}) {{
      ++rows;  // and what you do with {use}
    }}
    headrace::out.println(rows, " rows, ", bad.size(), " rejected");
    for (const headrace::rejected_row& refused : bad) std::fprintf(stderr, "%s\\n", refused.what());
    return bad.empty() ? 0 : 1;
  }} catch (const headrace::input_error& error) {{
    std::fprintf(stderr, "%s\\n", error.what());
    return 1;
  }}
}}"""
