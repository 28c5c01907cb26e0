"""Answer glibc's tests of scanf and printf by the C library and by headrace's drop-in for it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from cases import Case, Suite, UnknownLayout, lines_of

RECORDS = "tst-scanf-format-*.input"
OTHER_FORMATS = (
    "a width or precision that is an argument, or the flags of a format that is asked in another order"
)
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


SCANF, PRINTF = "stdio-common/tst-scanf-format-skeleton.c", "stdio-common/tst-printf-format-skeleton.c"
PRINTED = {  # a type -> the conversions that it is printed by; long double is the C library's
    **dict.fromkeys(("char", "short", "int", "long", "llong"), "di"),
    **dict.fromkeys(("uchar", "ushort", "uint", "ulong", "ullong"), "ouxX"),
    "double": "EeFfGg",
    "c": "c",
    "s": "s",
}
SUPPORT = {  # what the programs of printf include, as far as they use it
    "array_length.h": "#define array_length(array) (sizeof(array) / sizeof *(array))\n",
    "support/test-driver.c": "int main(int n, char** words) { return TEST_FUNCTION_ARGV(n, words); }\n",
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
    return Suite("scanf of ", "formats", cases)


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


def programs(folder: Path) -> Suite:
    """Find programs that print records of a format and what printf makes of it, which become the cases."""
    if not any(program_of(folder, kind).exists() for kind in PRINTED):
        raise UnknownLayout("no program of printf is one of a type that is known")
    return Suite("printf of ", "prints", [])


def program_of(folder: Path, kind: str) -> Path:
    """Return the source of a type's values and the loop over formats."""
    return folder / "stdio-common" / f"tst-printf-format-skeleton-{kind}.c"


def print_all(
    suite: Suite, kernels: list[str], folder: Path, compiled: Callable[..., Path]
) -> dict[str, list[str]]:
    """Return the answers by kernel, where the C library's are expected, to the formats that are literals."""
    for name, text in SUPPORT.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    by_way: dict[str, list[str]] = {kernel: [] for kernel in kernels}
    for kind, letters in PRINTED.items():
        source = program_of(suite.folder, kind)
        if not source.exists():  # one of the missing files
            continue
        flags = (f"-I{folder}", "-w", "-O1", f'-DPROGRAM="{source}"')
        original = compiled("printing", folder, *flags, program=f"printing-{kind}")
        for letter in letters:
            expected = printed(original, letter, "")
            if not expected:
                raise UnknownLayout(f"{source.name} prints no records of %{letter}")
            literals = literals_of(expected)
            (folder / "formats.inc").write_text("".join(f'FORMAT("{one}")\n' for one in literals), "utf-8")
            replaced = compiled("printing", folder, *flags, "-DREPLACED", program="printing-replaced")
            chosen = [number for number, line in enumerate(expected) if line.split(":")[0] in literals]
            suite.not_asked[OTHER_FORMATS] += len(expected) - len(chosen)
            suite.cases += [
                Case(f"{source.name}:{number}", (kind, letter), expected[number]) for number in chosen
            ]
            for kernel in kernels:
                answers = printed(replaced, letter, kernel)
                answers += ["no answer"] * (len(expected) - len(answers))
                by_way[kernel] += [answers[number] for number in chosen]
    return by_way


def printed(program: Path, letter: str, kernel: str) -> list[str]:
    """Return the records that a program prints of a conversion."""
    environment = {**os.environ, **({"HEADRACE_SIMD": kernel} if kernel else {})}
    done = subprocess.run([program, letter], capture_output=True, env=environment)
    return [line for line in done.stdout.decode("latin-1").split("\n") if line.startswith("%")]


def literals_of(lines: list[str]) -> dict[str, None]:
    """Return one format of each set of flags, width and precision; none with a star."""
    formats: dict[tuple[str, str], str] = {}
    for line in lines:
        text = line.split(":")[0]
        if "*" not in text:
            rest = text.lstrip("%-+ #0")
            formats.setdefault(("".join(sorted(set(text.removesuffix(rest)))), rest), text)
    return dict.fromkeys(formats.values())
