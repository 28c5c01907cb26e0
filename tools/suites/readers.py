"""Read files of delimited text by a data frame library, and answer as rows.cpp prints them.

The argument is the library; questions are lines of JSON on standard input, the words of rows.cpp without its
way. The first answer is the library's version. Every column is text, and a missing value an empty one.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from cases import as_rows

Table = Iterable[Iterable[object]]


@dataclass
class Question:
    """A file, how many columns it has, and its format."""

    file: str
    columns: int
    separator: str = ","
    quote: str = '"'
    escape: str = ""  # of a quote in quotes, where it is not another quote
    skip: int = 0
    goes_on: bool = False  # after a bad row, and makes of it what it can
    header: list[str] = field(default_factory=list)  # empty: the file has none, or it is a row like any other

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return self.header or [f"c{number}" for number in range(self.columns)]


def question_of(words: list[str]) -> Question:
    """Return the question in the words of rows.cpp."""
    result = Question(words[-1], int(words[0]))
    for name, _, value in (word.partition("=") for word in words[1:-1]):
        if name in ("separator", "quote", "escape"):
            setattr(result, name, value)
        result.goes_on |= name == "goes_on"
        result.skip = int(value) if name == "skip" else result.skip
        result.header += [value] if name == "header" else []
    return result


def by_polars(asked: Question) -> Table:
    """Read by polars."""
    library = importlib.import_module("polars")
    options = {"separator": asked.separator, "quote_char": asked.quote, "skip_lines": asked.skip}
    if asked.goes_on:
        options |= {"ignore_errors": True, "truncate_ragged_lines": True}
    as_text = {"infer_schema": False, "empty_string_is_null": False}
    frame = library.read_csv(asked.file, has_header=bool(asked.header), **options, **as_text)
    if asked.header and frame.columns != asked.header:
        raise ValueError(f"other columns: {frame.columns}")
    return frame.iter_rows()  # type: ignore[no-any-return]


def by_duckdb(asked: Question) -> Table:
    """Read by duckdb, without its guesses."""
    library = importlib.import_module("duckdb")
    columns = dict.fromkeys(asked.names, "VARCHAR")
    options = "header=?, delim=?, quote=?, escape=?, skip=?, columns=?"
    if asked.goes_on:  # as Pollock's authors ask it, and by one thread, as its errors advise
        options += ", strict_mode=false, ignore_errors=true, null_padding=true, parallel=false"
    escape = asked.escape or asked.quote
    values = (bool(asked.header), asked.separator, asked.quote, escape, asked.skip, columns)
    done = library.execute(f"SELECT * FROM read_csv(?, auto_detect=false, {options})", (asked.file, *values))
    return done.fetchall()  # type: ignore[no-any-return]


def by_pyarrow(asked: Question) -> Table:
    """Read by pyarrow."""
    library = importlib.import_module("pyarrow.csv")
    text = importlib.import_module("pyarrow").string()
    names = None if asked.header else asked.names
    table = library.read_csv(
        asked.file,
        read_options=library.ReadOptions(column_names=names, skip_rows=asked.skip),
        parse_options=library.ParseOptions(
            delimiter=asked.separator,
            quote_char=asked.quote,
            escape_char=asked.escape or False,
            newlines_in_values=True,
            invalid_row_handler=(lambda row: "skip") if asked.goes_on else None,
        ),
        convert_options=library.ConvertOptions(
            column_types=dict.fromkeys(asked.names, text), include_columns=asked.header or None
        ),
    )
    return zip(*table.to_pydict().values(), strict=True)


READERS: dict[str, Callable[[Question], Table]] = {
    "polars": by_polars,
    "duckdb": by_duckdb,
    "pyarrow": by_pyarrow,
}


def answer(library: str, asked: Question) -> str:
    """Return the rows, or "refused: " and the first line of the error."""
    try:
        return as_rows(READERS[library](asked))
    except Exception as error:  # each library has errors of its own
        return f"refused: {str(error).splitlines()[0] if str(error) else type(error).__name__}"


def main() -> None:
    """Answer all questions by the library that is named."""
    (library,) = sys.argv[1:]
    print(json.dumps(importlib.import_module(library).__version__), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(library, question_of(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
