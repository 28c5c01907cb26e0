"""Answer glibc's records of scanf by the C library and by headrace's drop-in for it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from cases import Case, Suite, UnknownLayout, lines_of

RECORDS = "tst-scanf-format-*.input"
TYPES = {
    "c": "",
    **{
        sign + kind: f"{sign and 'unsigned '}{name}"
        for sign in ("", "u")
        for kind, name in {"short": "short", "int": "int", "long": "long", "llong": "long long"}.items()
    },
    "char": "signed char",
    "uchar": "unsigned char",
    "float": "float",
    "double": "double",
    "ldouble": "long double",
}


def records(folder: Path) -> Suite:
    """Read records of a format, an input, what scanf returns, how much it reads, and the value."""
    cases = []
    for file in sorted((folder / "stdio-common").glob(RECORDS)):
        for number, line in enumerate(lines_of(file), 1):
            if not line or line.startswith("#"):
                continue
            parts = re.fullmatch(r"(%[^:]*):[^:]*:(-?\d+:-?\d+:(?:[^:]*:)?)", line)
            if parts is None or type_of(file) is None:
                raise UnknownLayout(f"{file.name}:{number} is no record of a format, input, result and count")
            cases.append(Case(f"{file.name}:{number}", (str(file), parts[1]), parts[2], "C library"))
    return Suite("", "formats", cases)


def type_of(file: Path) -> str | None:
    """Return the type of the values of a file of records; of texts an empty one."""
    return TYPES.get(file.name.removeprefix("tst-scanf-format-").split("-")[0])


def formats(suite: Suite) -> str:
    """Return formats.inc: each format of the records with the type of its value."""
    lines = {}
    for case in suite.cases:
        file, text = case.question
        kind = type_of(Path(file))
        name = "STARS" if "*" in text else "FORMAT" if kind else "TEXT"
        lines[text] = f'{name}("{text}"{f", {kind}" if name == "FORMAT" else ""})'
    return "\n".join([*lines.values(), ""])


def answer(
    suite: Suite, kernels: list[str], folder: Path, compiled: Callable[..., Path]
) -> dict[str, list[str]]:
    """Return the answers by way: with %lln, and by position, where the original's answer is expected.

    Where the original differs from what the suite expects, its answer becomes a documented difference.
    """
    (folder / "formats.inc").write_text(formats(suite), "utf-8")
    flags = (f"-I{folder}", "-w")
    original = compiled("formats", folder, *flags)
    replaced = compiled("formats", folder, *flags, "-DREPLACED", program="formats-replaced")
    by_original = {way: ask(suite, original, way, "") for way in ("count", "position")}
    suite.cases = [
        case if case.expected == said else Case(case.place, case.question, case.expected, "C library", said)
        for case, said in zip(suite.cases, by_original["count"], strict=True)
    ]
    by_way = {}
    for kernel in kernels:
        by_way[f"count {kernel}"] = ask(suite, replaced, "count", kernel)
        positions = zip(by_original["position"], ask(suite, replaced, "position", kernel), strict=True)
        by_way[f"position {kernel}"] = [
            usual if theirs == ours else f"{ours}, the original {theirs}"
            for usual, (theirs, ours) in zip(by_original["count"], positions, strict=True)
        ]
    return by_way


def ask(suite: Suite, program: Path, way: str, kernel: str) -> list[str]:
    """Return a program's answer to each case: a run for each file of records."""
    environment = {**os.environ, **({"HEADRACE_SIMD": kernel} if kernel else {})}
    answers: list[str] = []
    for file in dict.fromkeys(case.question[0] for case in suite.cases):
        with Path(file).open("rb") as text:
            done = subprocess.run([program, way], stdin=text, capture_output=True, env=environment)
        wanted = sum(case.question[0] == file for case in suite.cases)
        lines = done.stdout.decode("utf-8", "surrogateescape").splitlines()
        answers += (lines + ["no answer"] * wanted)[:wanted]
    return answers
