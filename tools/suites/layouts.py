"""The layouts of suites that this tool knows: what each file means."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import drop_ins
import pollock
import streams
from cases import REFUSED, Case, Suite, UnknownLayout, as_rows, lines_of
from literals import bits_of, calls, rows, string, without_comments

INFINITE = {"7F800000", "FF800000", "7FF0000000000000", "FFF0000000000000"}
STL = "tests/std/tests/P0067R5_charconv"
COMPILER = "the value is an expression that only a compiler knows"


def reading(place: str, kind: str, text: str, bits: str) -> Case:
    """Ask for a text as a number; one that rounds to infinity, or to zero without being zero, is refused."""
    is_spelt = re.search(r"\d", text) is None
    mantissa = re.split("[eE]", text)[0]
    exception = ""
    if bits in INFINITE and not is_spelt:
        exception = "overflow"
    elif int(bits, 16) & ((1 << 4 * len(bits) - 1) - 1) == 0 and re.search("[1-9]", mantissa):
        exception = "underflow"
    return Case(place, ("read", kind, text), f"ok {bits}", exception, "refused: out of range")


def bits_and_text(folder: Path) -> Suite:
    """Read lines of a half, a float and a double in hexadecimal, and their text."""
    cases = []
    for file in sorted((folder / "data").glob("*.txt")):
        for number, line in enumerate(lines_of(file), 1):
            if not line:
                continue
            found = re.fullmatch(r"[0-9A-F]{4} ([0-9A-F]{8}) ([0-9A-F]{16}) (\S+)", line)
            if found is None:
                raise UnknownLayout(
                    f"{file.name}:{number} is not three groups of hexadecimal digits and a text"
                )
            place = f"data/{file.name}:{number}"
            cases += [
                reading(place, kind, found[3], bits) for kind, bits in (("f", found[1]), ("d", found[2]))
            ]
    return Suite("", "numbers", cases)


def writing(place: str, style: str, kind: str, bits: str, expected: str, precision: str = "") -> Case:
    """Ask for a number as text."""
    question = (style, kind, bits, *([precision] if precision else []))
    if "nan" in expected.lower():
        return Case(place, question, "nan" if expected == "NaN" else expected, "sign of nan", "nan")
    expected = expected.replace("Infinity", "inf")
    is_shortest = style == "shortest"
    exception = (
        "exact integer"
        if is_shortest and re.fullmatch(rf"-?\d{{{9 if kind == 'f' else 16},}}", expected)
        else ""
    )
    return Case(place, question, expected, exception, "", is_shortest)


def charconv(folder: Path) -> Suite:
    """Read the tables of from_chars and to_chars of Microsoft's library."""
    cases: list[Case] = []
    skipped: Counter[str] = Counter()
    for file in sorted((folder / STL).glob("*_test_cases*.hpp")):
        if file.name.startswith("wchar"):
            continue
        kind = file.name[0]
        text = without_comments(file.read_text("utf-8"))
        text = text.replace("errc{}", "errc_ok").replace("chars_format{}", "chars_format::plain")
        for line, row in rows(text, r"\w+_chars_test_cases\w*"):
            place = f"{file.name}:{line}"
            add = (from_chars if "from_chars" in file.name else to_chars)(place, kind, row)
            if isinstance(add, str):
                skipped[add] += 1
            else:
                cases.append(add)
    return Suite("", "numbers", cases, skipped)


def from_chars(place: str, kind: str, row: list[str]) -> Case | str:
    """Return the case of a row: text, format, how far it is read, error, value; or why there is none."""
    if len(row) != 5:
        raise UnknownLayout(f"{place} has {len(row)} fields, not 5")
    text, style, end, error = string(row[0]), row[1].removeprefix("chars_format::"), row[2], row[3]
    has_exponent = "e" in text.lower()
    if style == "hex":
        return "hexadecimal floating point: headrace has no such call"
    if (style == "fixed" and has_exponent) or (style == "scientific" and not has_exponent):
        return "a format that forbids or demands an exponent: headrace has no such call"
    bits = bits_of(row[4], kind)
    if error == "errc::result_out_of_range":
        whole = int(end) == len(text)
        return Case(place, ("read" if whole else "prefix", kind, text), "refused: out of range")
    if error != "errc_ok" or bits is None:
        raise UnknownLayout(f"{place}: {error}, {row[4]}")
    if int(end) == len(text):
        return reading(place, kind, text, bits)
    return Case(place, ("prefix", kind, text), f"ok {bits} {end}")


def to_chars(place: str, kind: str, row: list[str]) -> Case | str:
    """Return the case of a row: value, format, perhaps a precision, text; or why there is none."""
    if len(row) not in (3, 4):
        raise UnknownLayout(f"{place} has {len(row)} fields, not 3 or 4")
    bits, style, text = bits_of(row[0], kind), row[1].removeprefix("chars_format::"), string(row[-1])
    if style == "hex":
        return "hexadecimal floating point: headrace has no such call"
    if bits is None:
        return COMPILER
    if len(row) == 3:
        if style == "fixed":
            return "the shortest text without an exponent: headrace has no such call"
        return writing(place, "shortest", kind, bits, text)
    if style == "general":
        return "as %g, with a number of significant digits: headrace has no such call"
    if int(row[2]) < 0:
        return "a negative precision, which means another one: headrace refuses it"
    return writing(place, style, kind, bits, text, row[2])


def ryu(folder: Path) -> Suite:
    """Read the calls and tables of Ryu's tests of numbers."""
    cases: list[Case] = []
    skipped: Counter[str] = Counter()

    def add(place: str, kind: str, value: str, make: Callable[[str], Case]) -> None:
        bits = bits_of(value, kind)
        if bits is None:
            skipped[COMPILER] += 1
        else:
            cases.append(make(bits))

    tests = folder / "ryu" / "tests"
    for name, macro, kind in (("d2s", "ASSERT_D2S", "d"), ("f2s", "ASSERT_F2S", "f")):
        text = without_comments((tests / f"{name}_test.cc").read_text("utf-8"))
        for line, (expected, value) in calls(text, macro):
            place, wanted = f"{name}_test.cc:{line}", string(expected)
            add(
                place, kind, value, lambda bits, p=place, k=kind, w=wanted: writing(p, "shortest", k, bits, w)
            )
    for name, macro, kind in (("s2d", "EXPECT_S2D", "d"), ("s2f", "EXPECT_S2F", "f")):
        text = without_comments((tests / f"{name}_test.cc").read_text("utf-8"))
        for line, (value, given) in calls(text, macro):
            place, asked = f"{name}_test.cc:{line}", string(given)
            add(place, kind, value, lambda bits, p=place, k=kind, a=asked: reading(p, k, a, bits))
        for found in re.finditer(r'MALFORMED_INPUT, s2[df]\("(\S+?)"', text):
            line = text.count("\n", 0, found.start()) + 1
            cases.append(Case(f"{name}_test.cc:{line}", ("read", kind, found[1]), REFUSED))
    text = without_comments((tests / "d2fixed_test.cc").read_text("utf-8"))
    wanted_texts = [
        (line, style, row)
        for macro, style in (("EXPECT_FIXED", "fixed"), ("EXPECT_EXP", "scientific"))
        for line, row in calls(text, macro)
    ]
    for line, row in rows(text, r"const test_case \w+"):
        wanted_texts += [(line, "fixed", row[:3]), (line, "scientific", [row[0], *row[3:]])]
    for line, style, (value, precision, expected) in wanted_texts:
        if value.startswith("tc."):
            continue  # the loop over the tables
        place, wanted = f"d2fixed_test.cc:{line}", string(expected)
        add(place, "d", value,
            lambda bits, p=place, s=style, w=wanted, n=precision: writing(p, s, "d", bits, w, n))  # fmt: skip
    return Suite("", "numbers", cases, skipped)


def gay(folder: Path) -> Suite:
    """Read the shortest floats and doubles that Gay's program gave for double-conversion."""
    cases = []
    tests = folder / "third_party" / "double-conversion" / "test" / "cctest"
    for name, kind in (("gay-shortest-single.cc", "f"), ("gay-shortest.cc", "d")):
        if not (tests / name).exists():
            continue
        text = without_comments((tests / name).read_text("utf-8"))
        for line, row in rows(text, r"kShortest\w*TestNumbers"):
            bits = bits_of(row[0], kind)
            if bits is None or len(row) != 3:
                raise UnknownLayout(f"{name}:{line}: {row}")
            cases.append(writing(f"{name}:{line}", "shortest", kind, bits, f"0.{string(row[1])}e{row[2]}"))
    return Suite("double-conversion in ", "numbers", cases)


def fmt(folder: Path) -> Suite:
    """Read what {fmt} expects of floating-point literals, for the formats that headrace has."""
    cases = []
    skipped: Counter[str] = Counter()
    text = without_comments((folder / "test" / "format-test.cc").read_text("utf-8"))
    for line, row in calls(text, "EXPECT_EQ"):
        call, expected = row[::-1] if len(row) == 2 and row[1].startswith("fmt::format(") else [*row, ""][:2]
        found = re.fullmatch(
            r'fmt::format\("\{0?:?(?:(?:\.(\d+))?([ef]))?\}",(-?[\d.]+(?:e-?\d+)?)(f?)\)', call
        )
        if found is None or not expected.startswith('"') or not re.search("[.e]", found[3]):
            skipped["other types and formats than the floating point that headrace writes"] += 1
            continue
        kind = "f" if found[4] else "d"
        bits = bits_of(found[3] + found[4], kind)
        assert bits is not None  # it is a literal
        style = {"f": "fixed", "e": "scientific"}.get(found[2] or "", "shortest")
        case = writing(
            f"format-test.cc:{line}",
            style,
            kind,
            bits,
            string(expected),
            (found[1] or "6") if found[2] else "",
        )
        cases.append(case)
    return Suite("", "numbers", cases, skipped)


def csv_spectrum(folder: Path) -> Suite:
    """Read pairs of a file with a header and its rows as JSON objects."""
    cases = []
    skipped: Counter[str] = Counter()
    for file in sorted((folder / "csvs").glob("*.csv")):
        if (
            file.stem == "location_coordinates"
        ):  # its table has another number, and is what a person would repair
            skipped["its rows are not those of its file"] += 1
            continue
        objects = json.loads((folder / "json" / f"{file.stem}.json").read_text("utf-8"))
        objects = [objects] if isinstance(objects, dict) else objects  # a single row
        table = [list(objects[0]), *(list(row.values()) for row in objects)]
        question = (str(file), str(len(table[0])))
        cases.append(Case(f"csvs/{file.name}", question, as_rows(table)))
    return Suite("", "rows", cases, skipped)


def csv_test_data(folder: Path) -> Suite:
    """Read files whose names say what they are, and their rows as JSON: an empty line is a row there."""
    cases = []
    header = ("header=foo", "header=bar", "header=baz")
    for file in sorted((folder / "csv").glob("*.csv")):
        name, answer = file.stem, folder / "json" / f"{file.stem}.json"
        options = header if name.startswith(("bad-header-", "header-")) else ("empty_lines",)
        if name.startswith("bad-"):
            cases.append(Case(f"csv/{file.name}", (str(file), "3", *options), REFUSED))
            continue
        if not answer.exists():
            raise UnknownLayout(f"csv/{file.name} has no {answer.name}")
        table = json.loads(answer.read_text("utf-8"))
        table = [list(row.values()) if isinstance(row, dict) else row for row in table]
        columns = str(len(table[0]) if table else 3)
        cases.append(Case(f"csv/{file.name}", (str(file), columns, *options), as_rows(table)))
    return Suite("", "rows", cases)


def csvw(folder: Path) -> Suite:
    """Read files of W3C's "CSV on the Web" and their rows as JSON, where an empty field has no member."""
    cases = []
    skipped: Counter[str] = Counter()
    for entry in json.loads((folder / "tests/manifest-json.jsonld").read_text("utf-8"))["entries"]:
        if not entry["action"].endswith(".csv") or "implicit" in entry:
            skipped["metadata says what its rows are"] += 1
            continue
        file = folder / "tests" / entry["action"]
        rows = json.loads((folder / "tests" / entry["result"]).read_text("utf-8"))
        if not entry["option"].get("minimal"):
            rows = [row["describes"][0] for row in rows["tables"][0]["row"]]
        with file.open(encoding="utf-8", newline="") as text:
            header = next(csv.reader(text))
        table = [header, *([row.get(name, "") for name in header] for row in rows)]
        question = (str(file), str(len(header)))
        cases.append(Case(f"tests/{entry['id'].partition('#')[2]}", question, as_rows(table)))
    return Suite("", "rows", cases, skipped)


LAYOUTS: dict[str, Callable[[Path], Suite]] = {  # what is there -> how it is read
    "data/more-test-cases.txt": bits_and_text,
    f"{STL}/double_from_chars_test_cases.hpp": charconv,
    "ryu/tests/d2s_test.cc": ryu,
    "third_party/double-conversion/test/cctest/gay-shortest-single.cc": gay,
    "test/format-test.cc": fmt,
    "csvs/comma_in_quotes.csv": csv_spectrum,
    "tests/manifest-json.jsonld": csvw,
    str(pollock.MARK): pollock.cases,
    streams.LIBSTDCXX: streams.libstdcxx,
    streams.LIBCXX: streams.libcxx,
    drop_ins.SCANF: drop_ins.records,
    drop_ins.PRINTF: drop_ins.programs,
    "csv/bad-header-no-header.csv": csv_test_data,
}
