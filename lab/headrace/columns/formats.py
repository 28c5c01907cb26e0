"""The format of a file of columns: all that may be are tried on its beginning, and the best is taken."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.columns.survey import PACKINGS, Format, Survey, head, surveys

SAMPLE = 256 << 10  # bytes that decide the format
SEPARATORS = (",", "\t", ";", "|")
NAMED = {"\t": "a tab", " ": "a blank", "'": "an apostrophe", "": "none"}
NEGLIGIBLE = 0.02  # share of rows that do not fit: with less, other things decide
WITHOUT_QUOTES = 0.25  # share of rows that have to fit better for quotes to be bytes as others; not with tabs
ENCODINGS = {  # by how a file begins: a mark, or two characters of ASCII
    rb"\xff\xfe|\xfe\xff": "UTF-16",
    rb"([\t-~]\0){2}": "UTF-16LE",
    rb"(\0[\t-~]){2}": "UTF-16BE",
}


@dataclass(frozen=True)
class Asked:
    """What was said about a file; None: it is found out. No quote and no comments are ""."""

    separator: str | None = None
    quote: str | None = None
    comment: str | None = None
    trims: bool | None = None
    has_header: bool | None = None
    has_decimal_comma: bool | None = None


def shown(byte: str) -> str:
    """Name a separator or a quote."""
    return NAMED.get(byte) or f"'{byte}'"


@contextlib.contextmanager
def rereadable(file: Path) -> Iterator[Path]:
    """Give a file that can be read as often as one likes: a pipe or a terminal is copied."""
    if not file.exists() or file.is_file():
        yield file
        return
    if file.is_dir():
        raise BadInput(f"{file} is a folder; name a file of columns")
    with places.scratch() as folder, file.open("rb") as pipe:
        if not (stat.S_ISFIFO(os.fstat(pipe.fileno()).st_mode) or pipe.isatty()):
            raise BadInput(f"{file} is neither a file nor a pipe; name a file of columns")
        copy = folder / "copy"
        try:
            with copy.open("wb") as to:
                shutil.copyfileobj(pipe, to, SAMPLE)
        except OSError as error:
            raise BadInput(
                f"{file} is a pipe, and cannot be copied to {folder.parent}: {error.strerror}; name another "
                "folder by TMPDIR, or write it to a file first"
            ) from error
        yield copy


def sample_of(source: Path, file: Path) -> tuple[bytes, str]:
    """Return the beginning of `source`, unpacked, up to the end of a line; and how it is packed.

    `file` is what it is called in what is said of it.
    """
    with source.open("rb") as plain:
        text = plain.read(SAMPLE)
    packing = next((name for name, of in PACKINGS.items() if text.startswith(of.begins)), "")
    if packing:
        text = head(source, packing, SAMPLE)  # of a damaged one perhaps none: what reads it whole says so
    elif not text:
        raise BadInput(f"{file} is empty: it has no columns")
    if encoding := next((name for begins, name in ENCODINGS.items() if re.match(begins, text)), ""):
        command = shlex.join(["iconv", "-f", encoding, "-t", "UTF-8", str(file)])
        raise BadInput(f"{file} is {encoding}; make it UTF-8 first: {command}")
    if (place := text.find(b"\0")) >= 0:
        raise BadInput(f"{file} is no text: its byte {place + 1} is NUL; name a file of columns")
    whole = text if len(text) < SAMPLE or b"\n" not in text else text[: text.rindex(b"\n") + 1]
    return whole, packing


@dataclass(frozen=True)
class _Trial:
    """A format, and what the sample is in it."""

    format: Format
    survey: Survey
    has_quotes: bool

    @property
    def unfit(self) -> float:
        """Share of the rows that do not fit."""
        return self.survey.unfit / max(self.survey.rows + self.survey.refused, 1)

    @property
    def typed(self) -> int:
        """Columns that are no text."""
        return sum(bool(column.types()) and bool(column.examples) for column in self.survey.columns)

    @property
    def makes_columns(self) -> bool:
        """Whether most rows have the same number of fields, and more than one."""
        return self.survey.width > 1 and self.unfit < 0.5

    @property
    def order(self) -> tuple[float, ...]:
        """What decides between formats, in this order; the least is taken."""
        unfit = self.unfit if self.unfit >= NEGLIGIBLE else 0.0
        unfit += 0 if self.format.quote or self.format.separator == "\t" else WITHOUT_QUOTES
        width = max(self.survey.width, 1)
        return (not self.makes_columns, unfit, -self.typed / width, -width, -self.has_quotes, self.unfit)


def choose_format(sample: bytes, asked: Asked) -> tuple[Format, list[str]]:
    """Choose the format by trying all on a sample, and say why."""
    formats = _formats(sample, asked)
    with places.scratch() as folder:
        part = folder / "sample"
        part.write_bytes(sample)
        found = surveys(part, formats)
    trials = [
        _Trial(form, survey, _opens(sample, form) > 0) for form, survey in zip(formats, found, strict=True)
    ]
    best = min(trials, key=lambda trial: trial.order)
    return best.format, [*_separator_reason(best, trials, asked), *_other_reasons(best.format, asked)]


def _formats(sample: bytes, asked: Asked) -> list[Format]:
    """Return what may be, what is usual first."""
    text = sample.decode("latin-1")
    separators = SEPARATORS if asked.separator is None else (asked.separator,)
    quotes = ('"', "'", "") if asked.quote is None else (asked.quote,)
    comments = ("", "#") if asked.comment is None else (asked.comment,)
    trims = (False, True) if asked.trims is None else (asked.trims,)
    every = [Format(*parts) for parts in itertools.product(separators, quotes, comments, trims)]
    found = [form for form in every if form.has_different_bytes and _may_be(text, form, asked)]
    if not found:
        raise BadInput("--delimiter, --quote and --comments name one byte twice; each has to be another")
    return found


def _may_be(text: str, form: Format, asked: Asked) -> bool:
    """Tell whether the sample has what a format is for: others are the same without it."""
    between = re.escape(form.separator)
    has_comments = asked.comment is not None or not form.comment or re.search(r"^#", text, re.M)
    has_quotes = asked.quote is not None or form.quote == '"' or (form.quote or '"') in text
    blanks = f"[ \t]({between}|$)|(^|{between})[ \t]"
    has_blanks = asked.trims is not None or not form.trims or re.search(blanks, text, re.M)
    return bool(has_comments and has_quotes and has_blanks)


def _opens(sample: bytes, form: Format) -> int:
    """Count the fields that begin with a quote."""
    if not form.quote:
        return 0
    blanks = "[ ]*" if form.trims else ""
    opening = f"(?:^|{re.escape(form.separator)}){blanks}{re.escape(form.quote)}"
    return len(re.findall(opening, sample.decode("latin-1"), re.M))


def _separator_reason(best: _Trial, trials: Sequence[_Trial], asked: Asked) -> list[str]:
    """Say which separator it is, and which others would do."""
    mine = shown(best.format.separator)
    if asked.separator is not None:
        return [f"The separator is {mine}, as --delimiter says."]
    if not best.makes_columns:
        tried = ", ".join(shown(separator) for separator in SEPARATORS)
        return [
            f"None of {tried} makes columns of most rows: there is one column (--delimiter says otherwise)."
        ]
    rows = best.survey.rows + best.survey.refused
    typed = f", {best.typed:,} of them numbers or dates" if best.typed else ""
    where = f"{best.survey.fitting:,} of the first {rows:,} rows" if rows > 1 else "the first row"
    sentence = f"The separator is {mine}: {best.survey.width:,} fields in {where}{typed}"
    others: dict[str, _Trial] = {}
    for trial in sorted(trials, key=lambda trial: trial.order):
        if trial.makes_columns and trial.format.separator != best.format.separator:
            others.setdefault(trial.format.separator, trial)
    also = [
        f"; {shown(separator)} makes {trial.survey.width:,} fields in {trial.survey.fitting:,}, "
        f"{trial.typed:,} of them numbers or dates"
        for separator, trial in others.items()
    ]
    return [f"{sentence}{''.join(also)} (--delimiter says otherwise)."]


def _other_reasons(form: Format, asked: Asked) -> list[str]:
    said = []
    if form.quote != '"' or asked.quote is not None:
        because = "as --quote says" if asked.quote is not None else "with which rows fit better (--quote)"
        said.append(f"Quotes: {shown(form.quote)}, {because}.")
    if form.comment:
        because = "as --comments says" if asked.comment else "without which rows fit worse (--comments none)"
        said.append(f"Lines that begin with {shown(form.comment)} are comments, {because}.")
    if form.trims:
        because = (
            "as --trim says" if asked.trims else "as more rows fit or more columns have types (--no-trim)"
        )
        said.append(f"Blanks around fields are no part of them, {because}.")
    return said
