"""Programs with a drop-in and without: compiled, run on inputs, compared, timed.

The programs of a folder are compiled together, each in a namespace of its own, but those whose whole process
matters.
"""

from __future__ import annotations

import re
import resource
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from headrace.matrix.compilers import Toolchain

TOP = Path(__file__).resolve().parents[2]

INPUTS = {
    "nothing": b"",
    "numbers": b"3 4\n1 2 3 4\n5 6 7 8\n-9 10 2147483647 -2147483648\n0 1",
    "words": b"7 John Smith\n  second line, with a comma\n\nlast line",
    "pairs": b"1 one 2 two\n3 three 4 four\n10 ten",
    "menu": b"1\n50.5\n2\nfoo\n2 20\n\n0\n",
    "malformed": b"12abc -x +5 1.5.2 0x1F 3e5 -- 1e+ . 1,000 99999999999 -99999999999999999999 4294967296\n",
    "doubles": b"0.1 1.5 -2.25 1e10 1e-7 .5 5. 123456789.125 1e400 nan inf 0.30000000000000004 7",
    "plain doubles": b"0.1 1.5 -2.25 1e10 1e-7 .5 5. 123456789.125 2.5 1e22 123456.5 0 -0.0 1e-310 ",
    "words of bools": b"1 0 2 true false true\n",
    "sums": b"1+2 3*4\n5 - 6\n1/2/2024 31.12.1999",
    "bases": b"10 0x10 010 ff FF z 8 9",
    "long lines": b"5 " + b"x" * 70000 + b"\n" + b"123456 " * 20000 + b"\nend",
    "rows": b"1 , pear , 2.50\n2,apple tree,10\n 3 , x ,-1e2\n4, y z, none\n",
    "zeros": b"\x00\x01 \xff\xfe\n 1\x002\r\n\t\v\f 3\r\n",
}


@dataclass(frozen=True)
class Pair:
    """A program as it is and with a drop-in."""

    plain: Path
    replaced: Path


def compiled(
    source: Path, program: Path, chain: Toolchain, before: Sequence[str], level: str = "-O1"
) -> None:
    words = [*chain.command, "-std=c++17", level, *chain.flags, f"-I{TOP / 'include'}", *before]
    done = subprocess.run(
        [*words, str(source), "-o", str(program)], capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "error" in line)


def pair(source: Path, folder: Path, chain: Toolchain, header: str, level: str = "-O1") -> Pair:
    made = Pair(folder / f"{source.stem}-plain", folder / f"{source.stem}-replaced")
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(compiled, source, made.plain, chain, [], level),
            pool.submit(compiled, source, made.replaced, chain, ["-include", header], level),
        ]
        for job in jobs:
            job.result()
    return made


def together(files: Sequence[Path]) -> str:
    """Return one source of all programs: its first argument chooses one."""
    texts = {file.stem: file.read_text() for file in files}
    includes = sorted({line for text in texts.values() for line in re.findall(r"#include .*", text)})
    parts = [*includes, "#include <cstring>"]
    for name, text in texts.items():
        body = re.sub(r"#include .*", "", text).rstrip().removesuffix("}")  # main() is last
        parts.append(f"namespace program_{name} {{\n{body}return 0; }}\n}}")
    calls = "".join(
        f'  if (!std::strcmp(name[1], "{name}")) return program_{name}::main();\n' for name in texts
    )
    return "\n".join(parts) + f"\nint main(int, char** name) {{\n{calls}}}\n"


def outcome(program: Path, arguments: list[str], given: Path, sink: Path) -> tuple[object, ...]:
    """Return what a run leaves: the status, standard output as a file and as a pipe, standard error."""
    with given.open("rb") as source, sink.open("wb") as out:
        to_file = subprocess.run(
            [program, *arguments], stdin=source, stdout=out, stderr=subprocess.PIPE, timeout=60
        )
    piped = subprocess.run([program, *arguments], input=given.read_bytes(), capture_output=True, timeout=60)
    return to_file.returncode, sink.read_bytes(), to_file.stderr, piped.returncode, piped.stdout, piped.stderr


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wsign-conversion", "-Werror"]


def libraries(chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return a toolchain of each standard library."""
    first: dict[str, Toolchain] = {}
    for one in chains:
        if not one.runner and not one.optional:
            first.setdefault(one.library, one)
    return list(first.values())


def first_difference(plain: object, replaced: object) -> str:
    one, two = str(plain), str(replaced)
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"...{one[max(0, at - 30) : at + 50]} plain, ...{two[max(0, at - 30) : at + 50]} replaced"


def differences(made: Pair, arguments: list[str], folder: Path) -> list[str]:
    found = []
    for name, data in INPUTS.items():
        given = folder / "input"
        given.write_bytes(data)
        results = [
            outcome(program, arguments, given, folder / "output") for program in (made.plain, made.replaced)
        ]
        found += [
            f"{' '.join(arguments) or made.plain.name} on {name}: {what}: {first_difference(one, two)}"
            for what, one, two in zip(
                ("status", "file", "errors", "status in a pipe", "pipe", "errors in a pipe"),
                *results,
                strict=True,
            )
            if one != two
        ]
    return found


def all_differences(
    files: Sequence[Path],
    whole_process: re.Pattern[str],
    header: str,
    chains: Sequence[Toolchain],
    folder: Path,
) -> list[str]:
    """Compare all programs, with one toolchain of each standard library."""
    alone = [file for file in files if whole_process.search(file.read_text())]
    source = folder / "together.cpp"
    source.write_text(together([file for file in files if file not in alone]))
    found = []
    for number, chain in enumerate(libraries(chains)):
        own = folder / str(number)
        own.mkdir()
        made = pair(source, own, chain, header)
        for file in files:
            if file in alone:
                found += differences(pair(file, own, chain, header), [], own)
            else:
                found += differences(made, [file.stem], own)
    return found


def processor_time(program: Path, given: Path, sink: Path) -> float:
    """Return the least processor time of three runs, in seconds."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with given.open("rb") as source, sink.open("wb") as out:
            subprocess.run([program], stdin=source, stdout=out, check=True, timeout=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def times_as_fast(
    body: str, includes: str, header: str, given: bytes, chain: Toolchain, folder: Path
) -> float:
    """Return how many times as fast main() { body } is with a drop-in, by processor time."""
    folder.mkdir()
    file, source = folder / "input", folder / "mine.cpp"
    file.write_bytes(given)
    names = "".join(f"#include <{name}>\n" for name in includes.split())
    source.write_text(f"{names}int main() {{\n{body}\n}}\n")
    made = pair(source, folder, chain, header, "-O2")
    plain, replaced = (processor_time(one, file, folder / "out") for one in (made.plain, made.replaced))
    return plain / replaced


def sentence(chain: Toolchain, folder: Path, text: str) -> str:
    """Return the first error of a file that cannot be compiled."""
    file = folder / "wrong.cpp"
    file.write_text(text)
    words = [*chain.command, "-std=c++17", *chain.flags, f"-I{TOP / 'include'}", "-fsyntax-only", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert done.returncode != 0
    return errors[0]
