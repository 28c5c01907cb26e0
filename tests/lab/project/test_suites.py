"""tools/suites: what is right, wrong or unknown in a suite is told apart."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import native
from checkout import TOP

RIGHT = "3E00 3FC00000 3FF8000000000000 1.5\n7C00 7F800000 7FF0000000000000 1e999\n"
pytestmark = pytest.mark.slow  # it compiles


def suite(
    folder: Path, name: str, text: str, is_checkout: bool = True, path: str = "data/more-test-cases.txt"
) -> None:
    file = folder / name / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if is_checkout:
        git = ["git", "-C", str(folder / name), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a"]):
            subprocess.run([*git, *words], check=True)


def run(folder: Path, out: Path) -> tuple[int, dict[str, list[dict[str, object]]], str]:
    words = [
        sys.executable,
        str(TOP / "tools/suites"),
        "--peers",
        "--json",
        str(out / "t.json"),
        "--markdown",
    ]
    done = native.call(
        *words, out / "t.md", env={**os.environ, "HEADRACE_SUITES": str(folder), "HEADRACE_PEERS": ""}
    )
    return done.returncode, json.loads((out / "t.json").read_text()), (out / "t.md").read_text()


def test_right_wrong_and_unknown_are_told_apart(tmp_path: Path) -> None:
    suites = tmp_path / "suites"
    suite(suites, "right", "0.5 of another file\n", False, "data/gone.md")
    suite(suites, "right", RIGHT)
    # As a checkout of some files has it: an index without any.
    subprocess.run(["git", "-C", str(suites / "right"), "rm", "-q", "-r", "--cached", "."], check=True)
    (suites / "right/data/gone.md").unlink()
    suite(suites, "unversioned", RIGHT, is_checkout=False)
    suite(suites, "unknown", "1.5 is not a line of it\n")
    status, result, page = run(suites, tmp_path)
    (row,) = result["suites"]
    assert status == 0
    assert (row["suite"], row["cases"], row["right"], row["refused with a place"]) == ("right", 4, 2, 2)
    assert row["exceptions"] == {"overflow": 2}
    assert set(result["skipped"]) == {"unversioned", "unknown"}
    assert row["missing files"] == 1 and "right: not there, of the commit's files: data/gone.md." in page
    assert "unversioned: skipped" in page and "| right | headrace | 2 | 2 | 0 | 0 |" in page
    (other,) = result["peers"]
    assert (other["peer"], other["right"], other["refused"]) == ("<charconv>", 2, 2)
    suite(suites, "wrong", "3E00 3FC00000 3FF8000000000001 1.5\n")
    status, result, page = run(suites, tmp_path)
    assert status == 1
    assert [one["silently different"] for one in result["suites"]] == [0, 1]


def test_the_drop_in_is_asked_what_glibc_asks_scanf(tmp_path: Path) -> None:
    suites, folder = tmp_path / "suites", "stdio-common/tst-scanf-format"
    suite(suites, "glibc", "", False, f"{folder}-skeleton.c")
    suite(suites, "glibc", "# words\n%2s:The :1:2:Th:\n%*s:The :0:3:\n", False, f"{folder}-c-s.input")
    suite(suites, "glibc", "%hd:12 :1:2:12:\n%hd:x :0:-1:\n%hd:7 :1:9:7:\n", True, f"{folder}-short-d.input")
    status, result, _ = run(suites, tmp_path)
    (row,) = result["suites"]
    assert (status, row["cases"], row["right"], row["silently different"]) == (0, 5, 4, 0)
    assert row["exceptions"] == {"C library": 1}  # a count of 9 is what no C library says


# A program as glibc's: a loop over formats and values; one says by REPLACED what no drop-in may.
PRINTS = """#include <array_length.h>
#include <string.h>
static const char* const formats[] = {"%s", "%-9s", "%*s", "%9.2s", "%- s", "% -s"};
static const char* const values[] = {"one", WORD};
static int run(int count, char** words) {
  for (unsigned i = 0; i < array_length(formats) * 2; ++i) {
    const char* format = formats[i / 2];
    printf("%s:", format);
    if (strchr(format, '*') == NULL) printf_under_test(format, values[i % 2]);
    else printf_under_test(format, 5, values[i % 2]);
    puts(":");
  }
  return count - 2;
}
#define TEST_FUNCTION_ARGV run
#include <support/test-driver.c>
"""


def test_the_drop_in_is_asked_what_glibc_asks_printf(tmp_path: Path) -> None:
    suites, folder = tmp_path / "suites", "stdio-common/tst-printf-format-skeleton"
    suite(suites, "glibc", "", False, f"{folder}.c")
    suite(suites, "glibc", '#define WORD "two"\n' + PRINTS, False, f"{folder}-s.c")
    another = '#ifdef REPLACED\n#define WORD "three"\n#else\n#define WORD "two"\n#endif\n'
    suite(suites, "glibc", another + PRINTS, True, f"{folder}-c.c")
    status, result, _ = run(suites, tmp_path)
    (row,) = result["suites"]
    assert (row["suite"], row["cases"], list(row["not asked"].values())) == ("printf of glibc", 16, [8])
    assert (status, row["right"], row["silently different"]) == (1, 12, 4)


def test_polluted_rows_are_right_or_refused_never_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(TOP / "tools/suites"))
    pollock, cases = importlib.import_module("pollock"), importlib.import_module("cases")
    known = {"delimiter": ";", "quotechar": "'", "n_columns": 2, "header_lines": 1, "preamble_lines": 1}
    files = {
        "csv": "about\na;b\n1;'2;3'\n",
        "clean": '"a","b"\r\n"1","2;3"\r\n',
        "parameters": json.dumps(known),
    }
    for kind, text in files.items():
        file = tmp_path / "polluted_files" / kind / f"source.csv{'_parameters.json' * (kind == 'parameters')}"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    (case,) = pollock.cases(tmp_path).cases
    assert case.question[1:] == ("2", "separator=;", "quote='", "skip=1")
    assert cases.verdict(case, cases.as_rows([["a", "b"], ["1", "2;3"]])) == "right"
    assert cases.verdict(case, "refused: source.csv:3:1: expected 2 fields, found 1") == "pollution"
    assert cases.verdict(case, cases.as_rows([["a", "b"], ["1", "2"]])) == "different"


def test_pollocks_score_is_of_what_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOP / "tools/suites"))
    pollock, cases = importlib.import_module("pollock"), importlib.import_module("cases")
    clean = [["a", "b"], ["1", "x"], ["2", "01/02/2003"]]
    assert pollock.measured(clean, clean)["score"] == 10
    assert pollock.measured(clean, None)["score"] == 0
    assert pollock.measured([], []) == {**dict.fromkeys(pollock.MEASURES, 1), "score": 10}
    lost = pollock.measured(clean, clean[:2])  # a record of two, two cells of six
    assert lost["record F1"] == pytest.approx(2 / 3) and lost["cell F1"] == pytest.approx(0.8)
    assert lost["score"] == pytest.approx(1 + 3 + (1 + 1 / 2 + 2 / 3) + (1 + 2 / 3 + 0.8))
    moved = pollock.measured(clean, [["a", "b"], ["01", "X"], ["2", "01/02/2003"]])
    assert moved["record F1"] == 1 and moved["cell F1"] == pytest.approx(2 / 3)  # by value, and by text
    merged = pollock.measured(clean, [["a", "b"], ["1x", ""], ["201/02/2003"]])
    assert merged["record F1"] == 0.5  # a date that is part of another cell is none

    twins = [pollock.Twin(name, None, ["a", "b"], clean, weight) for name, weight in (("one", 3), ("two", 1))]
    means = pollock.scored(twins, [cases.as_rows(clean[1:]), "refused: two:3:1: expected 2 fields"])
    assert (means["success"], means["simple"], means["weighted"]) == (0.5, 5, 7.5)
    assert means["little"] == ["two"]


def test_rows_of_the_web_are_asked_where_no_metadata_says_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(TOP / "tools/suites"))
    layouts = importlib.import_module("layouts")
    tests = tmp_path / "tests"
    tests.mkdir()
    entry = {"id": "m#test1", "action": "1.csv", "result": "1.json", "option": {"minimal": True}}
    described = {**entry, "implicit": ["1-metadata.json"]}
    whole = {**entry, "id": "m#test2", "result": "2.json", "option": {}}
    (tests / "manifest-json.jsonld").write_text(json.dumps({"entries": [entry, described, whole]}))
    (tests / "1.csv").write_text('a,b\n1,"2,3"\n,4\n')
    rows = [{"a": "1", "b": "2,3"}, {"b": "4"}]
    (tests / "1.json").write_text(json.dumps(rows))
    (tests / "2.json").write_text(json.dumps({"tables": [{"row": [{"describes": [row]} for row in rows]}]}))
    found = layouts.csvw(tmp_path)
    expected = layouts.as_rows([["a", "b"], ["1", "2,3"], ["", "4"]])
    assert [(case.place, case.expected) for case in found.cases] == [
        ("tests/test1", expected),
        ("tests/test2", expected),
    ]
    assert found.not_asked.total() == 1


def test_digits_of_another_number_are_no_documented_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOP / "tools/suites"))
    cases = importlib.import_module("cases")
    digits = cases.Case("a:1", ("shortest", "d", "0"), "9007199254740993000", "exact integer", "", True)
    assert cases.verdict(digits, "9007199254740993000") == "right"
    assert cases.verdict(digits, "9.007199254740993e+18") == "right"  # the same digits
    assert cases.verdict(digits, "9007199254740992999") == "exact integer"  # the same double
    assert cases.verdict(digits, "9.1e+18") == cases.verdict(digits, "nan") == "different"


STREAMS = {
    "passes.cc": "#include <sstream>\nint main() { std::stringstream s; s << 5; VERIFY(s.good()); }\n",
    "derives.cc": "#include <sstream>\nstruct mine : std::stringstream {};\nint main() { mine(); }\n",
    "fails.cc": "#include <iostream>\nint main() { VERIFY(std::cout.fail()); }\n",
    "differs.cc": "#include <iostream>\nint main() {\n#ifdef cout\n  return 1;\n#endif\n}\n",
}


def test_a_standard_librarys_tests_are_asked_with_the_drop_ins(tmp_path: Path) -> None:
    suites = tmp_path / "suites"
    for name, text in STREAMS.items():
        text = f"#include <testsuite_hooks.h>\n{text}"
        suite(suites, "gcc", text, False, f"libstdc++-v3/testsuite/27_io/{name}")
    suite(suites, "gcc", "", False, "libstdc++-v3/testsuite/data/some.txt")
    suite(suites, "gcc", "12.2.0\n", False, "gcc/BASE-VER")
    status, result, page = run(suites, tmp_path)
    (row,) = result["suites"]
    assert (row["version"], row["cases"], row["right"]) == ("release 12.2.0", 3, 1)
    assert row["exceptions"] == {"does not compile": 1}
    assert (status, row["silently different"], list(row["not asked"].values())) == (1, 1, [1])
    assert "own streams on this machine" in page
