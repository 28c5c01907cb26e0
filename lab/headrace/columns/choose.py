"""What follows from a file of columns: whether it has a header, and the type of each column; and why."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.base.errors import BadInput
from headrace.base.text import plural
from headrace.columns.formats import Asked, choose_format, rereadable, sample_of
from headrace.columns.survey import COMMA, LONGEST_NAME, NAMES, WHY, Column, Format, Survey, surveys

MOST_MEMBERS = 24  # of a struct that the library takes as a row
ALL = (1 << len(NAMES)) - 1
POINT = NAMES.index("double")


@dataclass(frozen=True)
class Field:
    """A column of the program."""

    name: str | None  # in the header, Latin-1
    type: str  # of survey.TYPES; "text", or "nothing" where no row has a value
    is_optional: bool
    why: str


@dataclass(frozen=True)
class Plan:
    """What the program says. Texts of the file are Latin-1."""

    file: Path
    packing: str  # of survey.PACKINGS, or ""
    format: Format
    has_header: bool
    has_decimal_comma: bool
    rows: int  # that fit
    unfit: int
    first_unfit: str  # the first row that does not fit: its line, and what is wrong; "" without any
    fields: list[Field]
    reasons: list[str]  # of the format and the header, a sentence each

    @property
    def counts(self) -> str:
        """Count rows and fields: "3 rows of 2 fields fit, and 1 row does not"."""
        rows = f"{plural(self.rows, 'row')} of {plural(len(self.fields), 'field')}"
        if not self.unfit:
            return f"{rows}; every row fits"
        fit, unfit = ("fits" if self.rows == 1 else "fit"), ("does" if self.unfit == 1 else "do")
        return f"{rows} {fit}, and {plural(self.unfit, 'row')} {unfit} not"

    @property
    def is_struct(self) -> bool:
        """Whether a struct takes a row."""
        return len(self.fields) <= MOST_MEMBERS

    @property
    def is_by_name(self) -> bool:
        """Whether the members of a struct are found by the names in the header."""
        names = {field.name for field in self.fields if len(field.name or "") < LONGEST_NAME} - {None}
        return self.is_struct and self.has_header and len(names) == len(self.fields)


def readable(text: str) -> str:
    """Decode bytes of a file, kept as Latin-1; what is no UTF-8 is escaped."""
    return text.replace("\\", "\\\\").encode("latin-1").decode("utf-8", "backslashreplace")


def quoted(text: str) -> str:
    """Show a text of a file in double quotes."""
    escaped = (char if char.isprintable() else ascii(char)[1:-1] for char in readable(text))
    return '"' + "".join(escaped).replace('"', '\\"') + '"'


def plan(file: Path, asked: Asked, watch: Callable[[int], None] = lambda rows: None) -> Plan:
    """Read a file and decide. Raises BadInput for a file that has no columns to read."""
    with rereadable(file) as source:
        try:
            sample, packing = sample_of(source, file)
            form, reasons = choose_format(sample, asked)
            survey = surveys(source, [form], packing, watch)[0]
        except BadInput as error:
            raise BadInput(str(error).replace(str(source), str(file))) from error
    if survey.width == 0:
        refused = f"; {_place(survey.first_refused)}" if survey.refused else ""
        if b"\r" in sample and b"\n" not in sample:
            refused += f"; make newlines of them first: tr '\\r' '\\n' < {shlex.quote(str(file))}"
        raise BadInput(f"{file} has no row that can be read{refused}")
    if survey.width > MOST_MEMBERS and not survey.is_first_usual:
        raise BadInput(
            f"{file}: the first row has {plural(len(survey.names), 'field')} and most have {survey.width:,}; "
            f"of more than {MOST_MEMBERS} columns it has to be like the others: take it out or correct it"
        )
    has_header, header_reason = _header(survey, asked)
    columns = survey.columns or [Column(0, 0, 0)] * survey.width
    if survey.is_first_usual and not has_header:
        columns = [rest.with_first(first) for first, rest in zip(survey.first, columns, strict=True)]
    has_comma, comma_reason = _decimal_comma(columns, form, asked)
    names: Sequence[str | None] = survey.names
    if not (survey.is_first_usual and has_header):
        names = [None] * survey.width
    return Plan(
        file=file,
        packing=packing,
        format=form,
        has_header=has_header,
        has_decimal_comma=has_comma,
        rows=survey.fitting - (has_header and survey.is_first_usual),
        unfit=survey.unfit - (has_header and not survey.is_first_usual),
        first_unfit=_first_unfit(survey, has_header),
        fields=[_field(name, column, has_comma) for name, column in zip(names, columns, strict=True)],
        reasons=[*reasons, header_reason, *comma_reason, *_lost_quote(survey)],
    )


# ---- the header ----


def _header(survey: Survey, asked: Asked) -> tuple[bool, str]:
    if asked.has_header is not None:
        return asked.has_header, f"There is {'a' if asked.has_header else 'no'} header, as you say."
    if above := _name_above_values(survey):
        return True, f"The first row is a header: {above} (--no-header says otherwise)."
    if obstacle := _no_header(survey):
        return False, f"There is no header: {obstacle} (--header says otherwise)."
    return True, "The first row is a header, which is a guess: all is text (--no-header says otherwise)."


def _name_above_values(survey: Survey) -> str:
    """Say which text of the first row is above numbers or dates; "" where none is."""
    if survey.is_first_usual and not survey.is_first_refused:
        for name, first, rest in zip(survey.names, survey.first, survey.columns, strict=False):
            is_name = first.examples and not first.types() and len(name) < LONGEST_NAME
            if is_name and rest.examples and rest.types():
                value = rest.examples[0]
                return f"{quoted(name[:40])} is above {quoted(value.text)} in line {value.line}"
    return ""


def _no_header(survey: Survey) -> str:
    """Say why the first row is no header; "" where nothing speaks against it."""
    if survey.is_first_refused:
        return "the first row cannot be read"
    if not survey.is_first_usual:
        return f"the first row has {plural(len(survey.names), 'field')} and most have {survey.width:,}"
    if any(len(name) >= LONGEST_NAME for name in survey.names):
        return "a field of the first row is too long for a name"
    for name, first in zip(survey.names, survey.first, strict=True):
        if not name:
            return "a field of the first row is empty"
        if first.types():
            return f"{quoted(name[:40])} in the first row is a value"
    for name, rest in zip(survey.names, survey.columns, strict=False):
        if rest.repeats_line:
            return f"{quoted(name[:40])} is in the first row and in line {rest.repeats_line}, too"
    if len({*survey.names}) < survey.width:
        return "a text is in the first row twice"
    return "that is a guess, as there is one column of text" if survey.width == 1 else ""


# ---- the types ----


def _decimal_comma(columns: Sequence[Column], form: Format, asked: Asked) -> tuple[bool, list[str]]:
    if asked.has_decimal_comma is not None:
        which = "comma" if asked.has_decimal_comma else "point"
        return asked.has_decimal_comma, [f"Numbers have a decimal {which}, as you say."]
    commas = [example for column in columns if column.types() == 1 << COMMA for example in column.examples]
    example = next((each for each in commas if each.types == 1 << COMMA), None)
    if example is None:
        return False, []
    text = f"line {example.line} has {quoted(example.text)}"
    points = [column for column in columns if column.examples and column.types() == 1 << POINT]
    if form.separator == "," or points:
        return False, [f"Numbers have a decimal point: {text}, which is taken for text (--decimal-comma)."]
    return True, [f"Numbers have a decimal comma: {text} (--decimal-point says otherwise)."]


def _field(name: str | None, column: Column, has_comma: bool) -> Field:
    """Choose the type of a column: the first one that takes all values."""
    if not column.examples:
        return Field(name, "nothing", False, "no row has a value")
    usable = ALL & ~(1 << (POINT if has_comma else COMMA))
    left = column.types(usable)
    chosen = (left & -left).bit_length() - 1 if left else len(NAMES)
    type_ = "text" if not left else NAMES[chosen]
    is_optional = bool(left and column.empty)
    why = _deciding(column, usable & ((1 << chosen) - 1))
    if is_optional:
        why += f"; {plural(column.empty, 'row')} without, the first is line {column.empty_line}"
    return Field(name, type_, is_optional, why)


def _deciding(column: Column, better: int) -> str:
    """Say which value excludes the last of the types that would have been better."""
    values = sum(example.values for example in column.examples)
    left = better
    for example in sorted(column.examples, key=lambda example: example.line):
        if left and not left & example.types:
            why = WHY[example.why] if better.bit_length() == len(NAMES) else ""  # it is text
            return f"line {example.line} has {quoted(example.text)}{why}{_others(column, better, values)}"
        left &= example.types
    return plural(values, "value")


def _others(column: Column, better: int, values: int) -> str:
    """Say what a column would be without a few of its values."""
    for bit, name in enumerate(NAMES):
        count = sum(example.values for example in column.examples if example.types >> bit & 1)
        if better >> bit & 1 and 0.9 * values <= count < values:
            return f"; of {values:,} values {count:,} are {name}"
    return ""


def _lost_quote(survey: Survey) -> list[str]:
    """Say which field may have lost the quote that closes it, so that its rows are one."""
    lines, begin = survey.most_lines
    if not begin:
        return []
    return [
        f"A text of the row in line {begin} goes on for {lines:,} lines: was a quote lost, these are rows."
    ]


def _place(what: str) -> str:
    """Turn "3:1: sentence" into "line 3: sentence"."""
    line, _, sentence = what.partition(":")
    return f"line {line}:{sentence.partition(':')[2]}"


def _first_unfit(survey: Survey, has_header: bool) -> str:
    found = []
    if survey.refused:
        place = _place(survey.first_refused)
        found.append((int(place.split()[1].rstrip(":")), place))
    widths = [(width, line) for width, (_, line) in survey.widths.items()]
    widths += [] if has_header else [(len(survey.names), survey.first_line)]
    for width, line in widths:
        if width != survey.width:
            found.append((line, f"line {line}: expected {plural(survey.width, 'field')}, found {width}"))
    return min(found, default=(0, ""))[1]
