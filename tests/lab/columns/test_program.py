"""`headrace columns`: what it finds in a file, and the program that it writes, run on the file."""

from __future__ import annotations

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import native
import pages
from conftest import Command
from headrace.base.errors import BadInput
from headrace.columns import choose, program
from headrace.columns.formats import Asked
from headrace.columns.survey import PACKINGS
from headrace.matrix import needs
from headrace.matrix.compilers import Toolchain

NUMBERS = b"id,price,big,huge\n1,0.5,1,18446744073709551615\n-2,1e3,-5000000000,7\n"
TEXTS = b'id,name\n1,"a ""b"", c\nd"\n2,plain\n3,\n'
DATES = (
    b"day,at,ms\n2026-02-28,2026-02-28 23:30:00,2026-02-28T23:30:00.250Z\n"
    b"2026-03-01,2026-03-01T07:00:00+05:30,"
)
RAGGED = b'a,b\n1,2\n3\n4,5,6\n7,8\n9,10\n11,"12"x\n13,14\n15,16\n17,18\n'
ZSTD = bytes.fromhex(  # NUMBERS
    "28b52ffd2444dd0100c2c30c11a0ed4c9cc71e007e4f5aa935a2e5bf6746a09f1c4e967e04c05a94f96493cedd2ebb46af6791"
    "57b0586c670e7d2507df950b0100490028ae841db9"
)
UNCLOSED = b'a,b\n1,2\n3,"4\n5,6\n7,8\n9,0\n'
OPTIONAL = b'a,b,c\n"",1.5,2026-01-01\n2,,\n'
SHAPES = [  # a file, its types (? is an optional), how many rows fit, and how many do not
    pytest.param(NUMBERS, "int double int64 uint64", 2, 0, id="numbers"),
    pytest.param(TEXTS, "int text", 3, 0, id="quoted", marks=pytest.mark.slow),
    pytest.param(
        DATES, "date date and time date and time, milliseconds?", 2, 0, id="dates", marks=pytest.mark.slow
    ),
    pytest.param(OPTIONAL, "int? double? date?", 2, 0, id="optionals"),
    pytest.param(b"1,2.5,x\n2,3,y\n", "int double text", 2, 0, id="no-header", marks=pytest.mark.slow),
    pytest.param(b'a\tb\n1\t5" wide\n2\tx\n', "int text", 2, 0, id="tabs", marks=pytest.mark.slow),
    pytest.param(
        b"a;b\n1,5;x, y\n2;z, w\n",
        "double with a decimal comma text",
        2,
        0,
        id="semicolons",
        marks=pytest.mark.slow,
    ),
    pytest.param(b"a,b\r\n1,x\r\n2,y\r\n", "int text", 2, 0, id="crlf", marks=pytest.mark.slow),
    pytest.param(b"\xef\xbb\xbfid,caf\xc3\xa9\n1,2\n", "int int", 1, 0, id="mark", marks=pytest.mark.slow),
    pytest.param(RAGGED, "int int", 6, 3, id="ragged"),
    pytest.param(UNCLOSED, "int int", 4, 1, id="unclosed", marks=pytest.mark.slow),
    pytest.param(b"1\n2\n\n3\n", "int", 3, 0, id="one-column", marks=pytest.mark.slow),
    pytest.param(b"a,b\n", "nothing nothing", 0, 0, id="header-alone", marks=pytest.mark.slow),
    pytest.param(b"a,a\n1,2\n", "int int", 1, 0, id="same-names", marks=pytest.mark.slow),
    pytest.param(b"# x\na,b\n1,2\n#y\n", "int int", 1, 0, id="comments", marks=pytest.mark.slow),
    pytest.param(b'a , b\n1 , "x, y"\n 2, z\n', "int text", 2, 0, id="blanks", marks=pytest.mark.slow),
    pytest.param(b"'a','b'\n'1','x, y'\n'2','z'\n", "int text", 2, 0, id="quote", marks=pytest.mark.slow),
    pytest.param(b'gr\xf6\xdfe,"a""\\b"\n1,\xe4\n', "int text", 1, 0, id="latin", marks=pytest.mark.slow),
]


def types(plan: choose.Plan) -> str:
    return " ".join(field.type + "?" * field.is_optional for field in plan.fields)


def rows_read(plan: choose.Plan, chain: Toolchain) -> tuple[str, list[str]]:
    """Compile the program of a plan and run it on the file: its count, and what it says of bad rows."""
    source, reads = Path("reads.cpp").absolute(), Path("reads").absolute()
    source.write_text(program.write(plan), encoding="utf-8")
    native.compile_program(source, reads, chain, [PACKINGS[plan.packing].need] if plan.packing else [])
    done = native.run([reads], folder=source.parent)
    bad = done.stderr.decode("utf-8", "replace").splitlines()
    assert done.returncode == bool(bad)
    return done.stdout.decode().rstrip("\n"), bad


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("text", "expected", "rows", "unfit"), SHAPES)
def test_the_program_reads_what_the_command_said(
    here: Path, chain: Toolchain, text: bytes, expected: str, rows: int, unfit: int
) -> None:
    file = Path("file.csv")
    file.write_bytes(text)
    plan = choose.plan(file, Asked())
    assert (types(plan), plan.rows, plan.unfit) == (expected, rows, unfit)
    count, bad = rows_read(plan, chain)
    assert count == f"{rows} rows, {unfit} rejected" and len(bad) == unfit
    if unfit:
        _, line, _, sentence = bad[0].split(":", 3)
        where = f"line {line}:{sentence}"
        assert plan.first_unfit == where.replace(' "b"', "")


@pytest.mark.slow
def test_more_columns_than_a_struct_takes_are_numbers(here: Path, chain: Toolchain) -> None:
    names = ",".join(f"c{number}" for number in range(40))
    values = ",".join(str(number) for number in range(40))
    Path("wide.csv").write_text(f"{names}\n{values}\n1,2\n{values}\n")
    plan = choose.plan(Path("wide.csv"), Asked())
    text = program.write(plan)
    assert "  c39,  // int: 2 values" in text and "file.records(format, bad)" in text
    assert rows_read(plan, chain) == (
        "2 rows, 1 rejected",
        ["wide.csv:3:1: expected 40 fields, found 2"],
    )


@pytest.mark.parametrize(
    ("packing", "packed"),
    [("gzip", gzip.compress(NUMBERS, mtime=0)), pytest.param("zstd", ZSTD, marks=pytest.mark.slow)],
    ids=["gzip", "zstd"],
)
def test_a_packed_file_is_read_by_a_program_that_unpacks_it(
    here: Path, chain: Toolchain, packing: str, packed: bytes
) -> None:
    if reason := needs.missing(PACKINGS[packing].need, chain):
        pytest.skip(reason)
    Path("file").write_bytes(packed)
    plan = choose.plan(Path("file"), Asked())
    assert plan.packing == packing and rows_read(plan, chain) == ("2 rows, 0 rejected", [])
    Path("cut").write_bytes(packed[:-12])
    with pytest.raises(BadInput, match=rf"cut: cannot read: the {packing} data is cut off"):
        choose.plan(Path("cut"), Asked())


@pytest.mark.parametrize(
    ("values", "type_", "why"),
    [
        ("7 2147483647", "int", "2 values"),
        ("7 2147483648", "int64", 'line 3 has "2147483648"'),
        ("7 1.5 2.5", "double", 'line 3 has "1.5"'),
        ("7 00501", "text", 'line 3 has "00501", whose zeros a number would lose'),
        ("1.5 9007199254740993", "text", 'line 3 has "9007199254740993", which a double would round'),
        ("1.5 9007199254740992", "double", 'line 2 has "1.5"'),
        ("18446744073709551615 -1", "text", 'line 3 has "-1"'),
        ("1 1e999", "text", 'line 3 has "1e999", which is out of the range of a double'),
        ("1 2 3 4 5 6 7 8 9 n/a", "text", 'line 11 has "n/a"; of 10 values 9 are int'),
        ("n/a 2 3 4 5 6 7 8 9 10", "text", 'line 2 has "n/a"; of 10 values 9 are int'),
        ("2026-01-31 2026-02-29", "text", 'line 3 has "2026-02-29"'),
        ("2026-01-31 7", "text", 'line 3 has "7"'),
        ("2026-01-31T00:00:00.1234567 1970-01-01T00:00:00Z", "date and time, nanoseconds", "line 2 has"),
        ("2026-01-31T00:00:00.1234567 2300-01-01T00:00:00", "text", "line 3 has"),
        ("nan -inf 7", "double", 'line 2 has "nan"'),
        ("0x10 1", "text", 'line 2 has "0x10"'),
        ("1_000 1", "text", 'line 2 has "1_000"'),
    ],
)
def test_a_type_is_the_first_that_takes_all_values(here: Path, values: str, type_: str, why: str) -> None:
    Path("t.csv").write_text("value\n" + values.replace(" ", "\n") + "\n")
    plan = choose.plan(Path("t.csv"), Asked(has_header=True))
    assert plan.fields[0].type == type_ and plan.fields[0].why.startswith(why), plan.fields


@pytest.mark.parametrize(
    ("text", "asked", "says"),
    [
        ("a,b\n1,2\n", Asked(), 'The first row is a header: "a" is above "1" in line 2'),
        ("1,b\n1,2\n", Asked(), 'The first row is a header: "b" is above "2" in line 2'),
        ("a,b\nc,d\ne,b\n", Asked(), 'There is no header: "b" is in the first row and in line 3, too'),
        ("a,b\nc,d\n", Asked(), "The first row is a header, which is a guess: all is text"),
        ("a\nc\n", Asked(), "no header: that is a guess, as there is one column"),
        (
            "1 2\n3 4\n",
            Asked(),
            "None of ',', a tab, ';', '|' makes columns of most rows: there is one column",
        ),
        (
            "1,2\n",
            Asked(),
            "The separator is ',': 2 fields in the first row (--delimiter says",
        ),
        ("x" * 2000 + "\n1.5\n", Asked(), "There is no header: a field of the first row is too long"),
        ("a,b\n1,2\n", Asked(has_header=False), "There is no header, as you say."),
        ("t\na,b\nc,d\n", Asked(), "There is no header: the first row has 1 field and most have 2"),
        (
            "a;b,c\nd;e,f\n",
            Asked(),
            "The separator is ',': 2 fields in 2 of the first 2 rows; ';' makes 2 fie",
        ),
        ("a;1,c\nd;2,f\n", Asked(separator=";"), "The separator is ';', as --delimiter says."),
        ("a,b\n'1',2\n'3','4'\n", Asked(), "Quotes: an apostrophe, with which rows fit better"),
        ('a,b\n"1,2\n"3,4\n', Asked(quote=""), "Quotes: none, as --quote says."),
        ("#a,b\n1,2\n", Asked(), 'The first row is a header: "#a" is above "1" in line 2'),
        ("#a,b\n1,2\n", Asked(comment="#"), "Lines that begin with '#' are comments, as --comments says."),
        ('a,b\n"1,5",2\n', Asked(), 'a decimal point: line 2 has "1,5", which is taken for text'),
        ('a,b\n"1,5",2\n', Asked(has_decimal_comma=True), "Numbers have a decimal comma, as you say."),
        ("a,b\n 1,2\n", Asked(), "Blanks around fields are no part of them, as more rows fit or more"),
        (
            'a,b\n1,"' + "x\n" * 25 + '"\n2,y\n',
            Asked(),
            "A text of the row in line 2 goes on for 25 lines: was",
        ),
    ],
)
def test_what_could_be_otherwise_is_said(here: Path, text: str, asked: Asked, says: str) -> None:
    Path("t.csv").write_text(text)
    said = choose.plan(Path("t.csv"), asked).reasons
    assert any(says in sentence for sentence in said), said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "t.csv: No such file or directory"),
        (b"", "t.csv is empty: it has no columns"),
        (b"\n\n", "t.csv has no row that can be read"),
        (b"\x7fELF\2\1\1\0\0", "t.csv is no text: its byte 8 is NUL; name a file of columns"),
        ("a,b\n".encode("utf-16"), "t.csv is UTF-16; make it UTF-8 first: iconv -f UTF-16 -t UTF-8 t.csv"),
        (
            "a,b\n".encode("utf-16-le"),
            "t.csv is UTF-16LE; make it UTF-8 first: iconv -f UTF-16LE -t UTF-8 t.csv",
        ),
        (
            "a,b\n".encode("utf-16-be"),
            "t.csv is UTF-16BE; make it UTF-8 first: iconv -f UTF-16BE -t UTF-8 t.csv",
        ),
        (b"a,b\r1,2\r", r"no newline follows; make newlines of them first: tr '\r' '\n' < t.csv"),
        (b"x\n" + b"1," * 30 + b"1\n" + b"2," * 30 + b"2\n", "the first row has 1 field and most have 31"),
    ],
)
def test_a_file_without_columns_is_a_sentence(
    headrace: Command, tmp_path: Path, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / "t.csv").write_bytes(content)
    done = headrace("columns", "t.csv", code=2)
    assert says in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_the_command_that_makes_it_utf_8_is_for_a_shell(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "a b.csv").write_bytes("a,b\n".encode("utf-16"))
    assert headrace("columns", "a b.csv", code=2).stderr.endswith("iconv -f UTF-16 -t UTF-8 'a b.csv'\n")


def test_the_command_writes_a_program_or_says_what_it_found(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(RAGGED)
    text = headrace("columns", "t.csv", code=0).stdout
    assert text.startswith(
        "// t.csv, read whole: 6 rows of 2 fields fit, and 3 rows do not.\n// The first that"
    )
    done = headrace("columns", "t.csv", "-o", "reads.cpp", code=0)
    assert done.stdout == "reads.cpp: 6 rows of 2 fields fit, and 3 rows do not\n"
    assert (tmp_path / "reads.cpp").read_text() == text
    found = json.loads(headrace("columns", "t.csv", "--json", code=0).stdout)
    assert (found["rows"], found["unfit"], found["has_header"]) == (6, 3, True)
    assert [field["name"] for field in found["fields"]] == ["a", "b"]
    assert (
        "not 'ab'; a tab is written tab" in headrace("columns", "t.csv", "--delimiter", "ab", code=2).stderr
    )
    done = headrace("columns", "t.csv", "--delimiter", ";", "--comments", ";", code=2)
    assert "name one byte twice" in done.stderr
    assert "is the file itself" in headrace("columns", "t.csv", "-o", "t.csv", code=2).stderr
    assert (tmp_path / "t.csv").read_bytes() == RAGGED


def test_the_page_shows_what_the_command_writes(here: Path) -> None:
    page = pages.TOP / "docs" / "start" / "columns.md"
    shown = next(block for block in pages.blocks(page) if "read whole" in block.text)
    Path("trades.csv").write_text(shown.beside["trades.csv"])
    assert program.write(choose.plan(Path("trades.csv"), Asked())) == shown.text


def test_a_pipe_is_read_as_the_file_would_be(here: Path) -> None:
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(Path("pipe").write_bytes, RAGGED)
        plan = choose.plan(Path("pipe"), Asked())
    Path("file").write_bytes(RAGGED)
    assert plan == replace(choose.plan(Path("file"), Asked()), file=Path("pipe"))
    with pytest.raises(BadInput, match="/dev/null is neither a file nor a pipe"):
        choose.plan(Path("/dev/null"), Asked())


def test_many_bad_rows_are_counted_all(here: Path) -> None:
    Path("t.csv").write_text("a,b\n" + '1,2"3\n1,2\n' * 2500)
    plan = choose.plan(Path("t.csv"), Asked(quote='"'))
    assert (plan.rows, plan.unfit) == (2500, 2500)
    assert plan.first_unfit == "line 2: column 2: a quote inside a field that is not in quotes"


def test_names_of_columns_become_names_of_members() -> None:
    names = [
        "Unit price (EUR)",
        "unitPrice",
        "class",
        "2026",
        "",
        "a",
        "A",
        "a_2",
        "größe".encode().decode("latin-1"),
    ]
    assert program.identifiers(names) == [
        *("unit_price_eur", "unit_price", "class_", "column_2026", "column_5", "a", "a_2", "a_2_2", "groe"),
    ]
