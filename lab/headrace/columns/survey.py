"""A file of columns as the library reads it: rows of each width, and which types take each column's values.

native/survey.cpp reads it, so that rows are split and values judged as in the program that is written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError
from headrace.builds import build
from headrace.matrix.compilers import CompileOptions
from headrace.matrix.needs import NEEDS
from headrace.processes import launch
from headrace.processes.launch import Completed
from headrace.processes.lines import Talking

SOURCE = Path(__file__).parent / "native" / "survey.cpp"
TYPES = {  # what a program calls them, the one to be preferred first; a bit each, as in survey.cpp
    "int": "int",
    "int64": "std::int64_t",
    "uint64": "std::uint64_t",
    "double": "double",
    "double with a decimal comma": "double",
    "date": "headrace::sys_days",
    "date and time": "headrace::sys_time<std::chrono::seconds>",
    "date and time, milliseconds": "headrace::sys_time<std::chrono::milliseconds>",
    "date and time, microseconds": "headrace::sys_time<std::chrono::microseconds>",
    "date and time, nanoseconds": "headrace::sys_time<std::chrono::nanoseconds>",
}
NAMES = list(TYPES)
COMMA = NAMES.index("double with a decimal comma")
WHY = (
    "",
    ", which is out of the range of a double",
    ", whose zeros a number would lose",
    ", which a double would round",
)
LONGEST_NAME = 1000  # bytes of a field of the first row that are told
UNBUILT = 3  # the status of a survey that was built without the library that unpacks the file


@dataclass(frozen=True)
class Packing:
    """How files are packed that the library reads by a header of its own."""

    begins: bytes  # such a file
    need: str  # of matrix.needs
    unpack: str  # the command

    @property
    def libs(self) -> list[str]:
        """Flags for the linker."""
        return NEEDS[self.need].libs


PACKINGS = {
    "gzip": Packing(b"\x1f\x8b", "zlib", "gunzip -k"),
    "zstd": Packing(b"\x28\xb5\x2f\xfd", "zstd", "zstd -d"),
}


@dataclass(frozen=True)
class Format:
    """How rows are written, as the library's `delimited`; no quote and no comment are ""."""

    separator: str
    quote: str = '"'
    comment: str = ""
    trims: bool = False

    @property
    def has_different_bytes(self) -> bool:
        """Whether no byte has two meanings."""
        given = [byte for byte in (self.separator, self.quote, self.comment) if byte]
        return len({*given}) == len(given)

    @property
    def word(self) -> str:
        """What native/survey.cpp is told."""
        numbers = [ord(byte) if byte else 0 for byte in (self.separator, self.quote, self.comment)]
        return ",".join(map(str, [*numbers, int(self.trims)]))


class Example(NamedTuple):
    """The first value of a kind: `types` has a bit for each of TYPES that takes it."""

    types: int
    why: int  # of WHY
    values: int
    line: int
    text: str  # Latin-1, its first 40 bytes


@dataclass(frozen=True)
class Column:
    """The values of a column."""

    empty: int
    empty_line: int
    repeats_line: int  # where the first row's text is there again; 0: nowhere
    examples: list[Example] = field(default_factory=list)

    def types(self, also: int = -1) -> int:
        """Return the types that take all values, and are among `also`; all of them where there is none."""
        for example in self.examples:
            also &= example.types
        return also & ((1 << len(TYPES)) - 1)

    def with_first(self, first: Column) -> Column:
        """Return the column with the first row, which is no header."""
        both: dict[tuple[int, int], Example] = {}
        for example in [*first.examples, *self.examples]:
            known = both.setdefault((example.types, example.why), example)
            if known is not example:
                both[example.types, example.why] = known._replace(values=known.values + example.values)
        lines = [column.empty_line for column in (first, self) if column.empty]
        return Column(first.empty + self.empty, min(lines, default=0), 0, list(both.values()))


@dataclass(frozen=True)
class Survey:
    """A file, or the beginning of one, in a format. Texts are Latin-1."""

    rows: int  # of any width, the first one included
    refused: int  # rows that the library refuses
    is_first_refused: bool
    first_refused: str  # what the library says of it, from its line on
    widths: dict[int, tuple[int, int]]  # number of fields -> rows but the first, and where these begin
    first_line: int
    names: list[str]  # the first row, of each field the beginning
    first: list[Column]  # its values
    most_lines: tuple[int, int]  # of a field, and where its row begins; 0: none has more than a few
    width: int  # that most rows have
    columns: list[Column]  # of rows of that width, without the first row; [] without any

    @property
    def is_first_usual(self) -> bool:
        """Whether the first row has the width of most."""
        return len(self.names) == self.width

    @property
    def fitting(self) -> int:
        """Rows of the width, the first one included."""
        return self.widths.get(self.width, (0, 0))[0] + self.is_first_usual

    @property
    def unfit(self) -> int:
        """Rows of other widths, and those that are refused; the first one included."""
        return self.rows - self.fitting + self.refused


def _place() -> Path:
    """Return where the program is that reads files, by what it is made of."""
    read = [SOURCE, *sorted(places.include_folder().rglob("*.hpp"))]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in read)).hexdigest()[:24]
    return places.cache_folder("survey") / digest


def is_built() -> bool:
    """Tell whether files can be read at once: to build what reads them takes seconds."""
    return _place().exists()


def program() -> Path:
    """Build native/survey.cpp, once for each version of the library. Raises HeadraceError."""
    usual: CompileOptions = {"optimise": "O2", "threads": True, "includes": [places.include_folder()]}
    ways: list[CompileOptions] = [
        {
            **usual,
            "macros": {f"SURVEY_{name.upper()}": "1" for name in names},
            "after": [flag for name in names for flag in PACKINGS[name].libs],
        }
        for names in (("gzip", "zstd"), ("gzip",), ("zstd",), ())
    ]
    made = build.made_once(SOURCE, _place(), [], ways, "the reader of columns")
    places.mark_used(made)
    return made


def surveys(
    file: Path,
    formats: Sequence[Format],
    packing: str = "",
    watch: Callable[[int], None] = lambda rows: None,
) -> list[Survey]:
    """Read a file whole, once for each format; `watch` hears how many rows were read. Raises BadInput."""
    found, survey = [], TypeAdapter(Survey)
    process = Talking(_command(file, packing, [each.word for each in formats]), "", {})
    try:
        for line in process.lines():
            said = json.loads(line)
            if "read" in said:
                watch(said["read"])
            else:
                said["first_refused"] = said["first_refused"].removeprefix(f"{file}:")
                found.append(survey.validate_python(said))
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            done = process.end()
    _check(done, file, packing)
    return found


def head(file: Path, packing: str, size: int) -> bytes:
    """Return the first bytes of a packed file, and less of one that is damaged. Raises BadInput."""
    with tempfile.TemporaryFile() as to:
        _check(launch.call(_command(file, packing, ["head", str(size)]), to=to), file, packing)
        to.seek(0)
        return to.read()


def _command(file: Path, packing: str, words: Sequence[str]) -> list[str]:
    return [str(program()), packing or "plain", str(file), *words]


def _check(done: Completed, file: Path, packing: str) -> None:
    """Raise BadInput or HeadraceError for a survey that did not end well."""
    if done.code == UNBUILT:
        of = PACKINGS[packing]
        raise BadInput(
            f"{file} is packed by {packing}, which needs {of.need} here ({NEEDS[of.need].get}); or unpack it "
            f"first: {of.unpack} {file}"
        )
    if not done.ok:
        raise (BadInput if done.code == 2 else HeadraceError)(
            done.err.strip() or f"{file}: the reader ended with {done.code}"
        )
