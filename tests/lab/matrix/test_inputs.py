"""Inputs: the text is what the generator meant, and its answer is right."""

from __future__ import annotations

import csv
import inspect
import io
import math
from functools import reduce
from operator import xor
from pathlib import Path

import numpy as np
import pytest

from headrace.base.errors import BadInput
from headrace.matrix import generators, inputs
from headrace.processes import launch


def made(name: str, **settings: int | float | str) -> tuple[str, generators.Made]:
    to = io.BytesIO()
    result = generators.GENERATORS[name](to, np.random.default_rng(7), **settings)
    return to.getvalue().decode(), result


@pytest.mark.parametrize(
    "name", [one.__name__ for one in generators.INPUTS if one not in (generators.text, generators.pairs)]
)
def test_the_head_is_that_of_the_file(name: str) -> None:
    parameters = inspect.signature(generators.GENERATORS[name]).parameters
    size = next(key for key in ("rows", "count", "size") if key in parameters)
    settings: dict[str, int | float | str] = {"generator": name, size: 5000}
    whole = inputs.make(settings)
    assert whole.path is not None and inputs.cached(settings) == whole
    assert inputs.head(settings, 300) == whole.path.read_bytes()[:300]
    assert inputs.cached({**settings, "seed": 99}) is None


@pytest.mark.parametrize("kind", generators.PAIRS)
@pytest.mark.parametrize("digits", [18, 37])
def test_pairs_of_each_kind_have_their_sums_as_output(kind: str, digits: int) -> None:
    text, result = made("pairs", count=200, digits=digits, negative=0.5, kind=kind)
    count, *lines = text.splitlines()
    numbers = [[int(word) for word in line.split()] for line in lines]
    assert count == "200" and result.tokens == 400
    assert all(abs(number) <= 10**digits for row in numbers for number in row)
    assert result.output.decode().splitlines() == [str(a + b) for a, b in numbers]


@pytest.mark.parametrize("kind", generators.FIELDS)
def test_fields_of_each_kind_are_those_that_python_reads(kind: str) -> None:
    text, result = made("fields", size=20_000, kind=kind)
    rows = list(csv.reader(io.StringIO(text), strict=True))
    columns, longest, share = generators.FIELDS[kind]
    assert {len(row) for row in rows} == {columns}
    assert {len(field) for row in rows for field in row} <= {*range(1, longest + 1)}
    assert ('"' in text) == ('""' in text) == ("," in "".join(map("".join, rows))) == (share > 0)
    count, size = columns * len(rows), sum(len(field) for row in rows for field in row)
    assert result == generators.Made(count, f"{count} {size}")
    with pytest.raises(BadInput, match='kind = "tall" is none of short, long'):
        made("fields", kind="tall")


@pytest.mark.parametrize("bits", [1, 3, 8, 20, 29, 30, 31, 32, 40, 62, 63])
def test_digits_are_those_of_python(bits: int) -> None:
    random = np.random.default_rng(bits)
    values = random.integers(-(2**bits), 2**bits, size=2000, dtype=np.int64, endpoint=bits < 63)
    values[:4] = [0, -1, 1, -(2**bits)]
    after = np.full(values.size, ord(" "), dtype=np.uint8)
    assert generators.digits(values, after).decode().split() == [str(value) for value in values.tolist()]


def test_digits_at_the_ends_of_their_types() -> None:
    after = np.full(3, ord("\n"), dtype=np.uint8)
    signed = np.array([-(2**63), 2**63 - 1, 0], dtype=np.int64)
    unsigned = np.array([0, 2**64 - 1, 10**19], dtype=np.uint64)
    assert generators.digits(signed, after) == b"-9223372036854775808\n9223372036854775807\n0\n"
    assert generators.digits(unsigned, after) == b"0\n18446744073709551615\n10000000000000000000\n"


def test_ints_are_rows_of_columns_within_their_range() -> None:
    text, result = made("ints", rows=300, columns=1000, low=-1_000_000, high=999_999)
    head, *rows = text.splitlines()
    numbers = [[int(word) for word in row.split(" ")] for row in rows]
    flat = [number for row in numbers for number in row]
    assert head == "300 1000"
    assert [len(row) for row in numbers] == [1000] * 300
    assert -1_000_000 <= min(flat) < -990_000 and 990_000 < max(flat) <= 999_999
    assert result == generators.Made(300_000, str(sum(flat)))


def test_ints_without_a_row_or_a_column() -> None:
    assert made("ints", rows=0, columns=5) == ("0 5\n", generators.Made(0, "0"))


@pytest.mark.parametrize("bits", [32, 64])
def test_unsigned_have_line_breaks_and_their_exclusive_or(bits: int) -> None:
    text, result = made("unsigned", count=300_000, bits=bits)
    numbers = [int(word) for word in text.split()]
    assert len(numbers) == result.tokens == 300_000
    assert 2 ** (bits - 1) < max(numbers) < 2**bits
    assert result.answer == str(reduce(xor, numbers))
    assert 11 < len(numbers) / text.count("\n") < 15


def test_mixed_have_every_length_and_a_sum_that_wraps() -> None:
    text, result = made("mixed", count=300_000)
    numbers = [int(word) for word in text.split()]
    wrapped = (sum(numbers) + 2**63) % 2**64 - 2**63
    assert {len(str(abs(number))) for number in numbers} == set(range(1, 20))
    assert result == generators.Made(300_000, str(wrapped))


@pytest.mark.parametrize("style", generators.STYLES)
def test_doubles_sum_to_their_answer(style: str) -> None:
    text, result = made("doubles", count=10_000, style=style)
    numbers = [float(word) for word in text.split()]
    assert len(numbers) == result.tokens == 10_000
    assert float(result.answer or "") == math.fsum(numbers)
    assert style != "fixed" or all(len(word.partition(".")[2]) == 6 for word in text.split())
    assert ("e" in text) == (style in ("exponents", "magnitudes", "digits17"))


def test_an_unknown_style_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match='style = "short" is none of shortest, fixed, digits17'):
        made("doubles", count=10, style="short")


def test_words_and_lines_count_what_they_hold() -> None:
    text, result = made("words", count=50_000)
    words = text.split()
    assert result == generators.Made(50_000, f"{len(words)} {sum(map(len, words))}")
    text, result = made("lines", count=50_000)
    rows = text.split("\n")[:-1]
    assert result == generators.Made(50_000, f"{len(rows)} {sum(map(len, rows))}")
    assert "" in rows


def test_records_add_up_exactly() -> None:
    text, made_records = made("records", count=70_001, longest=9)
    rows = [line.split(" ") for line in text.splitlines()]
    assert len(rows) == 70_001 and {len(row) for row in rows} == {3}
    letters = sum(len(row[0]) for row in rows)
    assert {len(row[0]) for row in rows} == set(range(1, 10))
    doubles = [float(row[2]) for row in rows]
    total = sum(doubles)
    assert total == math.fsum(doubles)
    assert made_records.answer == f"{letters} {sum(int(row[1]) for row in rows)} {total:.17g}"
    assert made_records.tokens == 3 * 70_001


def test_repeated_lines_are_their_own_answer() -> None:
    text, greetings = made("repeated", line="Hello", count=300_000)
    assert text == "Hello" * 300_000
    assert greetings.answer is None and greetings.tokens == 300_000


def test_text_has_the_size_asked_for() -> None:
    text, result = made("text", size=100_003)
    assert len(text) == 100_003 and result == generators.Made(100_003, None)


def test_an_input_is_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chains: list[object]
) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    settings: inputs.Settings = {"generator": "text", "size": 1000}
    first = inputs.make(settings)
    assert first.path is not None and first.expected.bytes == 1000
    before = first.path.stat().st_mtime_ns
    assert inputs.make(settings) == first and first.path.stat().st_mtime_ns == before
    first.path.write_text("cut short")
    again = inputs.make(settings)
    assert again.path == first.path and first.path.stat().st_size == 1000
    assert inputs.make({**settings, "seed": 2}).path != first.path


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"generator": "int"}, "no generator int; did you mean ints"),
        ({"generator": "ints", "row": 1}, "no setting row; did you mean rows"),
        ({"generator": "ints", "rows": "many"}, "rows wants an integer, not 'many'"),
        ({"generator": "ints", "rows": -1}, "rows is -1 and must be 0 or more"),
        ({"generator": "ints", "low": 5, "high": 4}, "low is 5, above high, which is 4"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, int | str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        inputs.check(settings, "here")


def test_changes_keep_the_type_of_a_setting() -> None:
    own: inputs.Settings = {"generator": "ints", "rows": 10}
    assert inputs.changed(own, {"rows": "7", "seed": "3"}) == {"generator": "ints", "rows": 7, "seed": 3}
    with pytest.raises(BadInput, match="rows wants an integer, not ten"):
        inputs.changed(own, {"rows": "ten"})


def test_an_expected_output_is_not_an_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chains: list[object]
) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    one = inputs.make({"generator": "repeated", "line": "ab\n", "count": 3})
    assert (one.path, one.bytes, one.tokens, one.expected.bytes) == (None, 0, 3, 9)
    (tmp_path / "same").write_text("ab\nab\nab\n")
    assert launch.digest(tmp_path / "same") == (one.expected.digest, 9)
    assert inputs.make({"generator": "repeated", "line": "ab\n", "count": 3}) == one
    assert made("numbered", count=3)[0] == "hello! 0\nhello! 1\nhello! 2\n"
    count = generators.CHUNK + 2
    assert made("numbered", count=count)[0].splitlines()[-1] == f"hello! {count - 1}"
