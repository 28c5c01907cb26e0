"""Ask other libraries the questions of the suites: what they get right, refuse, and get wrong without a word.

Headers are found in the folders of HEADRACE_PEERS, data frame libraries by HEADRACE_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cases import Case, Suite, verdict

HERE = Path(__file__).resolve().parent
NO_CALL = "no call"
FRAMES = ("polars", "duckdb", "pyarrow")
PYTHON = os.environ.get("HEADRACE_PYTHON") or sys.executable


@dataclass(frozen=True)
class Peer:
    """A library, and how it answers questions."""

    name: str
    version: str
    answers: Callable[[Sequence[Case]], list[str]]


def folders_of(header: str) -> list[tuple[Path, Path]]:
    """Return the clone of a peer, in or below the folders, and where in it a header is found; or nothing."""
    tops = [Path(entry) for entry in os.environ.get("HEADRACE_PEERS", "").split(os.pathsep) if entry]
    clones = [clone for top in tops for clone in (top, *sorted(top.glob("*/")))]
    pairs = [(clone, clone / below) for clone in clones for below in ("", "include", "single_include")]
    return [(clone, folder) for clone, folder in pairs if (folder / header).is_file()][:1]


def checkout(folder: Path) -> str:
    """Return commit and day of a peer's folder."""
    words = ["git", "-C", str(folder), "log", "-1", "--format=%h, %cs"]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout.strip() or "version unknown"


def built(source: str, program: Path, *words: str | Path, standard: str = "c++17") -> bool:
    """Compile a program beside this file. False, and a sentence, where that fails."""
    compiler = os.environ.get("CXX", "g++")
    flags = [f"-std={standard}", "-O2", "-w", "-pthread"]
    done = subprocess.run(
        [compiler, *flags, HERE / source, *words, "-o", program], capture_output=True, text=True
    )
    if done.returncode != 0:
        print(f"{program.name} is left out: {source} does not compile with it here", file=sys.stderr)
    return done.returncode == 0


def numbers_by(program: Path) -> Callable[[Sequence[Case]], list[str]]:
    """Ask a program all at once."""

    def ask(cases: Sequence[Case]) -> list[str]:
        text = "".join("\t".join(case.question) + "\n" for case in cases)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return ask


def rows_by(program: Path) -> Callable[[Sequence[Case]], list[str]]:
    """Ask a program about each file."""

    def ask_one(case: Case) -> str:
        file, columns, *options = case.question
        try:
            done = subprocess.run([program, "rows", columns, *options, file], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return "does not end"
        if done.returncode == 3:
            return f"refused: {done.stderr.decode('utf-8', 'replace')}"
        if done.returncode != 0:
            return f"status {done.returncode}"
        return done.stdout.decode("utf-8", "surrogateescape")

    return lambda cases: [ask_one(case) for case in cases]


def frames_by(library: str) -> Callable[[Sequence[Case]], list[str]]:
    """Ask a library of Python all at once; what ends it is no answer to one question, and it starts anew."""

    def ask(cases: Sequence[Case]) -> list[str]:
        answers: list[str] = []
        while len(answers) < len(cases):
            asked = [json.dumps([*case.question[1:], case.question[0]]) for case in cases[len(answers) :]]
            words = [PYTHON, HERE / "readers.py", library]
            done = subprocess.run(words, input="\n".join(asked), capture_output=True, text=True)
            answers += [json.loads(line) for line in done.stdout.splitlines()[1:]]
            if done.returncode != 0:
                answers.append(f"status {done.returncode}")
        return answers

    return ask


def version_of(library: str) -> str | None:
    """Return the version of a library of Python; None where there is none."""
    words = [PYTHON, HERE / "readers.py", library]
    done = subprocess.run(words, input="", capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[0]) if done.returncode == 0 else None


def of_numbers(folder: Path) -> Iterator[Peer]:
    """Yield the peers that read or write numbers; `folder` is for their programs."""
    for name, header in {"fast_float": "fast_float/fast_float.h", "fmt": "fmt/format.h"}.items():
        for top, include in folders_of(header):
            if built("peers.cpp", folder / name, f"-I{include}", f"-DPEER_{name.upper()}"):
                yield Peer(name, checkout(top), numbers_by(folder / name))
    if built("peers.cpp", folder / "charconv"):
        compiler = [os.environ.get("CXX", "g++"), "-dumpfullversion"]
        version = subprocess.run(compiler, capture_output=True, text=True).stdout.strip()
        yield Peer("<charconv>", f"of {compiler[0]} {version}", numbers_by(folder / "charconv"))


def of_rows(folder: Path) -> Iterator[Peer]:
    """Yield the peers that read delimited text."""
    for top, include in folders_of("internal/csv_reader.hpp"):
        sources = sorted(include.rglob("*.cpp"))
        if built("csv_parser.cpp", folder / "csv-parser", f"-I{include}", *sources, standard="c++20"):
            yield Peer("csv-parser", checkout(top), rows_by(folder / "csv-parser"))
    for top, include in folders_of("zsv.h"):
        libraries = sorted(top.rglob("libzsv.a"))[:1] or ["-lzsv"]
        if built("zsv.cpp", folder / "zsv", f"-I{include}", *libraries):
            yield Peer("zsv", checkout(top), rows_by(folder / "zsv"))
    for library in FRAMES:
        if (version := version_of(library)) is not None:
            yield Peer(library, version, frames_by(library))


OF_KIND: dict[str, Callable[[Path], Iterator[Peer]]] = {"numbers": of_numbers, "rows": of_rows}


def outcome(case: Case, said: str) -> str:
    """Return right, refused, silently different or not asked."""
    if said == NO_CALL:
        return "not asked"
    if case.expected == said or verdict(case, said) == "right":
        return "right"
    return "refused" if said.startswith("refused: ") else "silently different"


def table(suites: Sequence[Suite]) -> list[dict[str, object]]:
    """Return a row for each peer and suite that it has answers to."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="headrace-suites-") as name:
        for kind, peers in OF_KIND.items():
            asked = [suite for suite in suites if suite.kind == kind and suite.cases]
            for peer in peers(Path(name)) if asked else ():
                rows += [row for suite in asked if (row := judged(peer, suite))]
    return rows


def judged(peer: Peer, suite: Suite) -> dict[str, object] | None:
    """Return a row; None where the peer has no call for any question."""
    pairs = list(zip(suite.cases, peer.answers(suite.cases), strict=True))
    outcomes = [outcome(case, said) for case, said in pairs]
    counts = Counter(outcomes)
    if counts["not asked"] == len(outcomes):
        return None
    examples = [
        f"{case.place}: expected {case.expected[:80]!r}, {said[:80]!r}"
        for (case, said), one in zip(pairs, outcomes, strict=True)
        if one == "silently different"
    ]
    row: dict[str, object] = {"peer": peer.name, "version": peer.version, "suite": suite.name}
    row |= {key: counts[key] for key in ("right", "refused", "silently different", "not asked")}
    print(*(f"{key}: {value};" for key, value in row.items()), flush=True)
    return row | {"examples": examples[:10]}


def page(rows: Sequence[dict[str, object]], own: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of the page: each suite by headrace and by its peers. `own` are headrace's rows."""
    lines = [
        "## Other libraries",
        "",
        (HERE / "peers.md").read_text("utf-8"),
        "| suite | library | right | refused | silently different | not asked |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for suite in dict.fromkeys(row["suite"] for row in rows):
        ours = next(row for row in own if row["suite"] == suite)
        figures = [f"{ours[key]:,}" for key in ("right", "refused with a place", "silently different")]
        if documented := sum(ours["exceptions"].values()) - ours["refused with a place"]:
            figures[-1] += f" ({documented:,} documented)"
        lines.append(f"| {suite} | headrace | {' | '.join(figures)} | 0 |")
        for row in rows:
            if row["suite"] == suite:
                figures = [f"{row[key]:,}" for key in ("right", "refused", "silently different", "not asked")]
                lines.append(f"| {suite} | {row['peer']}, {row['version']} | {' | '.join(figures)} |")
    return lines
