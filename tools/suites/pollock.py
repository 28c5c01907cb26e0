"""Pollock's polluted files: as questions, each with its clean twin, and the score that a system has.

G. Vitagliano, M. Hameed, L. Jiang, L. Reisener, E. Wu and F. Naumann, "Pollock: A Data Loading Benchmark",
Proceedings of the VLDB Endowment 16(8), 2023.
"""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import peers
from cases import FIELD, ROW, Case, Suite, as_rows

HERE = Path(__file__).resolve().parent
FILES = Path("polluted_files")
MARK = FILES / "csv" / "source.csv"
WAYS = {"as it is": (), "going on": ("goes_on",)}  # name -> words of rows.cpp and readers.py
MEASURES = ("success", "header F1", "record F1", "cell F1")  # of what the score has
MUCH = 9  # of 10: a file with less is named


def files_of(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each polluted file and what is known of it."""
    for file in sorted((folder / FILES / "csv").glob("*.csv")):
        known = folder / FILES / "parameters" / f"{file.name}_parameters.json"
        yield file, json.loads(known.read_text("utf-8"))


def format_of(known: dict[str, Any], lines: int) -> tuple[str, ...]:
    """Return the format in the words of rows.cpp, with lines before the rows."""
    return (
        f"separator={known['delimiter'] or ','}",
        f"quote={known['quotechar'] or chr(34)}",
        f"skip={lines}",
    )


def cases(folder: Path) -> Suite:
    """Read polluted files, each with its format and a clean twin.

    Lines before the rows are skipped, as the format says; a header of several lines is one in the twin, so
    that only the rows below it are compared.
    """
    result = Suite("", "rows", [])
    for file, known in files_of(folder):
        headers = known["header_lines"]
        if len(known["delimiter"] or ",") != 1:
            result.not_asked["a separator of several characters: headrace has none"] += 1
            continue
        with (folder / FILES / "clean" / file.name).open(encoding="latin-1", newline="") as clean:
            table = list(csv.reader(clean))
        has_long_header = headers > 1
        lines = known["preamble_lines"] + (headers if has_long_header else 0)
        question = (str(file), str(known["n_columns"] or 9), *format_of(known, lines))
        expected = as_rows(table[has_long_header:])
        result.cases.append(Case(f"csv/{file.name}", question, expected, "pollution"))
    return result


# ---- the score ----


@dataclass(frozen=True)
class Twin:
    """A polluted file's clean twin, the question that asks for its rows, and the names of its columns."""

    name: str
    question: Case
    names: list[str]
    table: list[list[str]]
    weight: float


def twins(folder: Path, *words: str) -> list[Twin]:
    """Return all files with what the authors ask of a system: the rows below the header."""
    weights = json.loads((folder / "pollock_weights.json").read_text("utf-8"))
    result = []
    for file, known in files_of(folder):
        names = [name.strip() for name in known["column_names"]]
        names = names or [f"col_{number}" for number in range(max(known["n_columns"], 1))]
        escapes = known["escapechar"] not in ("", known["quotechar"])
        options = format_of(known, known["preamble_lines"] + known["header_lines"])
        options += (f"escape={known['escapechar']}",) if escapes else ()
        question = Case(file.name, (str(file), str(len(names)), *options, *words), "")
        with (folder / FILES / "clean" / file.name).open(encoding="utf-8-sig") as clean:
            result.append(Twin(file.name, question, names, list(csv.reader(clean)), weights[file.name]))
    return result


@cache
def normalized(cell: str) -> str:
    """Return a name or a cell of a record as they are compared: numbers, dates, times and prices by value.

    With the tables that the authors published beside the suite, each file's score is theirs for 13 of 16
    systems. For mysql, mariadb and rhypoparsr some differ; why was not looked into.
    """
    for read in (int, float):
        try:
            return str(read(cell))
        except ValueError:
            pass
    if found := re.fullmatch(r"(\d\d?):(\d\d)", cell):
        return f"{int(found[1]):02}:{found[2]}:00"
    if found := re.fullmatch(r"(\d\d?)/(\d\d?)/(\d{4})", cell):
        return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02} 00:00:00"
    if found := re.search(r"\$ ?(\d[\d,]*(?:\.\d+)?)", cell):
        return f"${float(found[1].replace(',', ''))}"
    return {"true": "1", "false": "0"}.get(cell.lower(), cell.lower())


def shared(expected: Sequence[str], loaded: Sequence[str]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of one multiset in place of another."""
    if not expected:
        return 1, 1, 1
    both = (Counter(expected) & Counter(loaded)).total()
    if both == 0:
        return 0, 0, 0
    return both / len(loaded), both / len(expected), 2 * both / (len(loaded) + len(expected))


def measured(clean: list[list[str]], loaded: list[list[str]] | None) -> dict[str, float]:
    """Return MEASURES of a table, from 0 to 1, and its score, up to 10. None is no table."""
    if loaded is None:
        return dict.fromkeys((*MEASURES, "score"), 0)
    if not clean:
        return {**dict.fromkeys(MEASURES, 1), "score": 10}
    header = shared(names_of(clean), names_of(loaded))
    records = shared(records_of(clean), records_of(loaded))
    cells = shared(list(chain(*clean)), list(chain(*loaded)))
    values = (1.0, header[2], records[2], cells[2])
    return {**dict(zip(MEASURES, values, strict=True)), "score": 1 + sum(header) + sum(records) + sum(cells)}


def names_of(table: list[list[str]]) -> list[str]:
    """Return the first row's cells."""
    return [normalized(cell) for cell in table[0]] if table else []


def records_of(table: list[list[str]]) -> list[str]:
    """Return each other row as one text, so that only its order of cells counts."""
    return ["".join(map(normalized, row)) for row in table[1:]]


def table_of(answer: str, names: list[str]) -> list[list[str]] | None:
    """Return what rows.cpp or readers.py printed with the names above it; None where it is no table."""
    if answer.startswith(("refused: ", "status ", "does not end")):
        return None
    rows = answer.replace("\r\n", "\n").replace("\r", "\n").split(ROW)[:-1]
    return [names, *(row.split(FIELD)[:-1] for row in rows)]


def scored(files: list[Twin], answers: Sequence[str]) -> dict[str, Any]:
    """Return the means of all files, and the names of those with little of the score."""
    each = [
        measured(file.table, table_of(said, file.names)) for file, said in zip(files, answers, strict=True)
    ]
    weight = sum(file.weight for file in files)
    return {
        **{name: round(fmean(one[name] for one in each), 3) for name in MEASURES},
        "simple": round(fmean(one["score"] for one in each), 3),
        "weighted": round(
            sum(one["score"] * file.weight for one, file in zip(each, files, strict=True)) / weight, 3
        ),
        "little": [file.name for one, file in zip(each, files, strict=True) if one["score"] < MUCH],
    }


def systems(version: str, program: Path) -> Iterator[tuple[str, str, Callable[[Sequence[Case]], list[str]]]]:
    """Yield names, versions and ways to ask: headrace, and each data frame library that is found."""
    if peers.built("rows.cpp", program, f"-I{HERE.parents[1] / 'include'}"):
        yield "headrace", version, peers.rows_by(program)
    for library in peers.FRAMES:
        if (its := peers.version_of(library)) is not None:
            yield library, its, peers.frames_by(library)


def table(suites: Sequence[Suite], version: str) -> list[dict[str, Any]]:
    """Return a row for each system and way, where the polluted files are there; `version` is headrace's."""
    rows: list[dict[str, Any]] = []
    for folder in [suite.folder for suite in suites if (suite.folder / MARK).exists()]:
        with tempfile.TemporaryDirectory(prefix="headrace-suites-") as name:
            for system in systems(version, Path(name) / "rows"):
                rows += scores(folder, *system)
    return rows


def scores(
    folder: Path, name: str, version: str, ask: Callable[[Sequence[Case]], list[str]]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each way of a system."""
    for way, words in WAYS.items():
        files = twins(folder, *words)
        means = scored(files, ask([file.question for file in files]))
        little = means.pop("little")
        row = {"system": name, "version": version, "way": way, "files": len(files), **means}
        print(*(f"{key}: {value};" for key, value in row.items()), flush=True)
        yield row | {"little": little}


def page(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of the page."""
    columns = (*MEASURES, "simple", "weighted")
    lines = [
        (HERE / "pollock.md").read_text("utf-8"),
        f"| system | way | {' | '.join(columns)} |",
        f"|---|---|{'--:|' * len(columns)}",
    ]
    for row in rows:
        figures = " | ".join(f"{row[name]:.3f}" for name in columns)
        lines.append(f"| {row['system']}, {row['version']} | {row['way']} | {figures} |")
    little = next(row["little"] for row in rows if row["system"] == "headrace" and row["way"] == "going on")
    return [*lines, "", f"headrace, going on, has less than {MUCH} with {', '.join(little) or 'no file'}."]
