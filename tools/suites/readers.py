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

FIELD, ROW = "\x1f", "\x1e"
Table = Iterable[Iterable[object]]


@dataclass
class Question:
    """A file, how many columns it has, and its format."""

    file: str
    columns: int
    separator: str = ","
    quote: str = '"'
    skip: int = 0
    header: list[str] = field(default_factory=list)  # empty: the file has none, or it is a row like any other

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return self.header or [f"c{number}" for number in range(self.columns)]


def question_of(words: list[str]) -> Question:
    """Return the question in the words of rows.cpp."""
    result = Question(words[-1], int(words[0]))
    for name, _, value in (word.partition("=") for word in words[1:-1]):
        if name in ("separator", "quote"):
            setattr(result, name, value)
        result.skip = int(value) if name == "skip" else result.skip
        result.header += [value] if name == "header" else []
    return result


def by_polars(asked: Question) -> Table:
    """Read by polars."""
    library = importlib.import_module("polars")
    options = {"separator": asked.separator, "quote_char": asked.quote, "skip_lines": asked.skip}
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
    values = (bool(asked.header), asked.separator, asked.quote, asked.quote, asked.skip, columns)
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
            delimiter=asked.separator, quote_char=asked.quote, newlines_in_values=True
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
        rows = [["" if one is None else str(one) for one in row] for row in READERS[library](asked)]
    except Exception as error:  # each library has errors of its own
        return f"refused: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
    return "".join("".join(one + FIELD for one in row) + ROW for row in rows)


def main() -> None:
    """Answer all questions by the library that is named."""
    (library,) = sys.argv[1:]
    print(json.dumps(importlib.import_module(library).__version__), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(library, question_of(json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
