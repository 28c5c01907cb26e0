"""Programs with a drop-in and without: compiled, run on inputs, compared.

A file has several programs, each below a line `// ---- NAME`; what is above the first is shared. All of a
folder are compiled together, each in a namespace of its own, and run by one process, each in a child
(drop_in_runner.cpp). So thousands of runs take seconds.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path

import native
from headrace.matrix.compilers import Toolchain

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]

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
class Way:
    """How programs are compiled."""

    chain: Toolchain
    level: str


@dataclass(frozen=True)
class Run:
    """What a run leaves."""

    status: int
    output: bytes
    errors: bytes


def compiled(
    source: Path, program: Path, chain: Toolchain, words: Sequence[str | Path], level: str = "-O0"
) -> None:
    before = [*chain.command, "-std=c++17", level, *chain.flags, f"-I{TOP / 'include'}"]
    done = native.compiler(*before, *words, source, "-o", program)
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "error" in line)


def together(texts: Mapping[str, str]) -> str:
    """Return one source of all programs, each a function, with a table of them."""
    parts = sorted({line for text in texts.values() for line in re.findall(r"#include .*", text)})
    for name, text in texts.items():
        body = re.sub(r"#include .*", "", text).rstrip().removesuffix("}")  # main() is last
        parts.append(f"namespace program_{name} {{\n{body}return 0; }}\n}}")
    rows = "".join(f'  {{"{name}", program_{name}::main}},\n' for name in texts)
    parts.append("struct program { const char* name; int (*function)(); };")
    parts.append("extern const program programs[];")
    parts.append(f"const program programs[] = {{\n{rows}  {{nullptr, nullptr}}}};")
    return "\n".join(parts) + "\n"


def programs(folder: Path) -> dict[str, str]:
    """Return each program of a folder's files by its name."""
    texts = {}
    for file in sorted(folder.glob("*.cpp")):
        shared, *parts = re.split(r"^// ---- (\w+)\n", file.read_text(), flags=re.M)
        new = {name: shared + text for name, text in zip(parts[::2], parts[1::2], strict=True)}
        assert len(new) == len(parts) // 2 and texts.keys().isdisjoint(new), file
        texts |= new
    return texts


def runner(way: Way, folder: Path) -> Path:
    """Return drop_in_runner.cpp compiled, made once in a folder."""
    made = folder / f"runner-{way.chain.library}.o"
    if not made.exists():
        compiled(HERE / "drop_in_runner.cpp", made, way.chain, ["-c"])
    return made


def runs(
    program: Path,
    folder: Path,
    inputs: Mapping[str, bytes] = INPUTS,
    variables: Mapping[str, str] | None = None,
) -> dict[tuple[str, str, str], Run]:
    """Run all that was put together, on every input: by program, input, and file or pipe."""
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
    report = program.with_suffix(".report")
    words = [program, report, program.with_suffix(".output"), *(folder / name for name in inputs)]
    environment = {**os.environ, **(variables or {})}
    with Path(os.devnull).open("rb") as nothing:
        subprocess.run(
            words, stdin=nothing, stdout=subprocess.DEVNULL, check=True, timeout=500, env=environment
        )
    found = {}
    with report.open("rb") as lines:
        while line := lines.readline().decode().split():
            name, given, route, status, *sizes = line
            output, errors = (lines.read(int(size)) for size in sizes)
            found[name, list(inputs)[int(given)], route] = Run(int(status), output, errors)
    return found


def first_difference(plain: object, replaced: object) -> str:
    one, two = str(plain), str(replaced)
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"...{one[max(0, at - 30) : at + 50]} plain, ...{two[max(0, at - 30) : at + 50]} replaced"


Runs = Mapping[tuple[str, str, str], Run]  # by program, input, and file or pipe


def runs_of(texts: Mapping[str, str], way: Way, folder: Path, words: Sequence[str] = ()) -> Runs:
    """Run programs that are compiled in one file of a new folder, as they are or with these words."""
    folder.mkdir(parents=True)
    source, program = folder / "together.cpp", folder / "program"
    source.write_text(together(texts))
    compiled(source, program, way.chain, ["-w", *words, runner(way, folder), "-pthread"], way.level)
    return runs(program, folder)


def differences(
    texts: Mapping[str, str],
    header: str,
    way: Way,
    folder: Path,
    flags: Sequence[str] = (),
    plain: Runs | None = None,
) -> list[str]:
    """Compare programs with a drop-in (and flags for it) and without, compiled in one file.

    `plain`: what `runs_of` found of these and of others, where somebody knows it.
    """
    with ThreadPoolExecutor(2) as pool:
        job = pool.submit(runs_of, texts, way, folder / "replaced", [*flags, "-include", header])
        found = runs_of(texts, way, folder / "plain") if plain is None else plain
        replaced = job.result()
    was_run = {key: run for key, run in found.items() if key[0] in texts}
    assert len(was_run) == len(texts) * len(INPUTS) * 2 and was_run.keys() == replaced.keys()
    return [
        f"{way.chain.name}: {name} on {given}, {route}: {what}: {first_difference(was, now)}"
        for (name, given, route), run in was_run.items()
        for what, was, now in zip(
            ("status", "output", "errors"), astuple(run), astuple(replaced[name, given, route]), strict=True
        )
        if was != now
    ]


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wsign-conversion", "-Werror"]


def libraries(chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return a toolchain of each standard library."""
    first: dict[str, Toolchain] = {}
    for one in chains:
        if not one.runner and not one.optional:
            first.setdefault(one.library, one)
    return list(first.values())


def ways(chains: Sequence[Toolchain]) -> list[Way]:
    """Return a toolchain of each standard library: the first optimises, too."""
    return [Way(chain, "-O0" if number else "-O1") for number, chain in enumerate(libraries(chains))]


def sentence(chain: Toolchain, folder: Path, text: str) -> str:
    """Return the first error of a file that cannot be compiled."""
    file = folder / "wrong.cpp"
    file.write_text(text)
    words = [*chain.command, "-std=c++17", *chain.flags, f"-I{TOP / 'include'}", "-fsyntax-only", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert done.returncode != 0
    return errors[0]
