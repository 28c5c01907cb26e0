"""What a suite is here: cases, each a question with the answer that the suite expects."""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

FIELD, ROW = "\x1f", "\x1e"  # after each
REFUSED = "refused"  # expected of what is malformed; an answer goes on with the reason

# Documented differences between a suite and headrace: name -> reason. All others are faults.
EXCEPTIONS = {
    "overflow": "The number rounds to infinity, which the suite expects; headrace refuses it as out of range.",  # noqa: E501
    "underflow": "The number is not zero and rounds to zero, which the suite expects; headrace refuses it as out of "  # noqa: E501
    "range.",
    "sign of nan": "headrace writes every NaN as `nan`, without a sign or a payload.",
    "exact integer": "The suite expects all digits of a large whole number; headrace writes the shortest text that "  # noqa: E501
    "reads back as the same value.",
    "does not compile": "The drop-in's header names what does not compile with it, such as a class that derives from a string stream.",  # noqa: E501
    "kept streams": "The test counts what is allocated when a string stream is gone; the drop-in keeps some for the next ones.",  # noqa: E501
    "C library": "The C library of this machine answers so, too: it is older than the suite, or another one.",
    "pollution": "The suite expects what a person would repair; headrace refuses the file, with the place of the fault.",  # noqa: E501
}


class UnknownLayout(Exception):
    """A folder looks like a suite, and something in it is not as this tool knows it."""


@dataclass(frozen=True)
class Case:
    """A question, in the words of numbers.cpp or rows.cpp, and its answer.

    `exception` is a name of EXCEPTIONS that explains an answer which starts with `instead`. With `is_number`
    two texts are the same that stand for the same digits and exponent.
    """

    place: str
    question: tuple[str, ...]
    expected: str
    exception: str = ""
    instead: str = REFUSED
    is_number: bool = False


@dataclass
class Suite:
    """All cases of a suite, and how many others it has for which headrace has no call, by reason."""

    name: str
    kind: str  # numbers, rows, formats, prints or streams: which program answers
    cases: list[Case]
    not_asked: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)  # files of its commit, of the same folder, not there
    version: str = ""
    folder: Path = Path()


def digits_of(text: str) -> tuple[str, str, int] | str:
    """Return sign, digits without zeros around them, and the exponent of the first; other text as it is."""
    found = re.fullmatch(r"(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", text)
    if found is None:
        return text
    whole, part = found[2], found[3] or ""
    digits = (whole + part).lstrip("0")
    exponent = int(found[4] or 0) + len(digits) - len(part)
    return found[1], digits.rstrip("0"), exponent if digits else 0


def same_value(case: Case, answer: str) -> bool:
    """Tell whether a text reads back as the value whose text was asked for."""
    code = "f" if case.question[1] == "f" else "d"
    try:
        return struct.pack(code, float(answer)) == struct.pack(code, float(case.expected))
    except ValueError:
        return False


def verdict(case: Case, answer: str) -> str:
    """Return right, refused, different, or the name of an exception."""
    if case.expected == REFUSED:
        return "right" if answer.startswith(f"{REFUSED}: ") else "different"
    if answer == case.expected or (case.is_number and digits_of(answer) == digits_of(case.expected)):
        return "right"
    if case.exception == "exact integer" and not same_value(case, answer):
        return "different"
    if case.exception and answer.startswith(case.instead):
        return case.exception
    return "refused" if answer.startswith(f"{REFUSED}: ") else "different"


def as_rows(table: Iterable[Iterable[object]]) -> str:
    """Return rows as rows.cpp prints them; nothing is an empty field."""
    texts = (("" if field is None else str(field) for field in row) for row in table)
    return "".join("".join(text + FIELD for text in row) + ROW for row in texts)


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file in UTF-8. Raises UnknownLayout."""
    try:
        return file.read_text("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise UnknownLayout(f"{file} is not UTF-8") from error
