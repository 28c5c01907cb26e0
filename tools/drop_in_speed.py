#!/usr/bin/env python3
"""How many times as fast programs are with replace_iostream.hpp and replace_stdio.hpp as without.

Each case is the body of a main() in which reading or writing is nearly all. It is compiled with the
header and without, and run in rounds, in a new order each, from a file to the null device: what the
kernel takes for writing is the same both ways (--sink file has it, too). A ratio is the median of the
rounds' ratios of user and system time together, followed by the smallest and the largest: other work on
the machine hits both alike. --exact counts instructions with valgrind instead, of a tenth of the work:
the same figure every time, but of instructions, not of time; what a program takes without anything to
read or write is left out. --divide N does a part of the work.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Case:
    """What main() does, and what it reads; N in the body is the amount of work."""

    kind: str  # the header, and what is included: iostream or stdio
    body: str
    input: str = "nothing"
    work: int = 2_000_000


CASES = {
    "cin >> int": Case(
        "iostream", "long long s = 0; for (int x; std::cin >> x;) s += x; std::cout << s;", "ints"
    ),
    "cin >> double": Case(
        "iostream", "double s = 0; for (double x; std::cin >> x;) s += x; std::cout << s;", "decimals"
    ),
    "cin >> string": Case(
        "iostream",
        "std::size_t n = 0; std::string w; while (std::cin >> w) n += w.size(); std::cout << n;",
        "words",
    ),
    "cin >> char": Case(
        "iostream", "long n = 0; for (char c; std::cin >> c;) n += c; std::cout << n;", "words"
    ),
    "cin.get": Case(
        "iostream", "long n = 0; for (char c; std::cin.get(c);) n += c; std::cout << n;", "words"
    ),
    "getline": Case(
        "iostream",
        "std::size_t n = 0; std::string l; while (std::getline(std::cin, l)) n += l.size(); std::cout << n;",
        "words",
    ),
    "cout << int": Case("iostream", "for (int i = 0; i < N; ++i) std::cout << i * 37 << ' ' << i << '\\n';"),
    "cout << double": Case("iostream", "for (int i = 0; i < N; ++i) std::cout << i * 0.37 << '\\n';"),
    "cout << string": Case(
        "iostream", "std::string w = \"word\"; for (int i = 0; i < N; ++i) std::cout << w << '\\n';"
    ),
    "cout << endl": Case(
        "iostream", "for (int i = 0; i < N; ++i) std::cout << i % 1000 << std::endl;", work=300_000
    ),
    "scanf %d": Case(
        "stdio", 'long long s = 0; for (int x; scanf("%d", &x) == 1;) s += x; printf("%lld", s);', "ints"
    ),
    "scanf %lf": Case(
        "stdio", 'double s = 0; for (double x; scanf("%lf", &x) == 1;) s += x; printf("%g", s);', "decimals"
    ),
    "scanf %s": Case(
        "stdio", 'long n = 0; char w[64]; while (scanf("%63s", w) == 1) n += w[0]; printf("%ld", n);', "words"
    ),
    "scanf %c": Case(
        "stdio", 'long n = 0; char c; while (scanf("%c", &c) == 1) n += c; printf("%ld", n);', "words"
    ),
    "getchar": Case(
        "stdio", 'long n = 0; for (int c; (c = getchar()) != EOF;) n += c; printf("%ld", n);', "words"
    ),
    "fgets": Case(
        "stdio", 'long n = 0; char l[80]; while (fgets(l, 80, stdin)) n += l[0]; printf("%ld", n);', "words"
    ),
    "printf %d": Case("stdio", 'for (int i = 0; i < N; ++i) printf("%d %d\\n", i * 37, i);'),
    "printf %.2f": Case("stdio", 'for (int i = 0; i < N; ++i) printf("%.2f\\n", i * 0.37);', work=800_000),
    "printf %s %c": Case("stdio", 'for (int i = 0; i < N; ++i) printf("%s %c\\n", "word", 97 + i % 26);'),
    "puts": Case(
        "stdio",
        'const char* w[] = {"word", "another one"}; for (int i = 0; i < N; ++i) puts(w[i & 1]);',
        work=10_000_000,
    ),
    "puts literals": Case(
        "stdio",
        'for (int i = 0; i < N; ++i) {\n    puts("word");\n    fputs("another one\\n", stdout);\n  }',
        work=5_000_000,
    ),
    "fputs": Case(
        "stdio",
        'const char* w[] = {"word", "another one"}; for (int i = 0; i < N; ++i) fputs(w[i & 1], stdout);',
        work=10_000_000,
    ),
    "putchar": Case("stdio", "for (int i = 0; i < N; ++i) putchar('a' + (i & 15));", work=30_000_000),
}
INCLUDES = {"iostream": ["iostream", "string"], "stdio": ["cstdio"]}
COMPILERS = ["g++ -O2", "clang++-19 -stdlib=libc++ -O2"]


def inputs(folder: Path, by: int) -> None:
    """Write what the cases read, a part of it."""
    draw = random.Random(5)
    ints = [str(draw.randint(-(10**9), 10**9)) for _ in range(1_500_000 // by)]
    words = ["".join(draw.choices("abcdefgh", k=draw.randint(1, 12))) for _ in range(3_000_000 // by)]
    texts = {
        "ints": "\n".join(ints),
        "decimals": "\n".join(f"{int(value) / 1000}" for value in ints[: 800_000 // by]),
        "words": " ".join(word if at % 8 else word + "\n" for at, word in enumerate(words)),
        "nothing": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text + "\n")


def built(case: Case, compiler: str, with_header: bool, work: int, folder: Path) -> Path:
    """Compile a case. Ends the script where that fails."""
    source, program = folder / "mine.cpp", folder / f"program{len(list(folder.iterdir()))}"
    names = "".join(f"#include <{name}>\n" for name in INCLUDES[case.kind])
    body = re.sub(r"\bN\b", str(work), case.body)
    source.write_text(f"{names}int main() {{\n  {body}\n}}\n")
    words = [*compiler.split(), "-std=c++17", f"-I{TOP / 'include'}"]
    words += ["-include", f"headrace/replace_{case.kind}.hpp"] if with_header else []
    if subprocess.run([*words, str(source), "-o", str(program)], check=False).returncode != 0:
        sys.exit(f"{' '.join(words)} failed; --compiler names another compiler")
    return program


def seconds(program: Path, given: Path, sink: Path) -> float:
    """Return the processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with given.open("rb") as source, sink.open("wb") as out:
        subprocess.run([program], stdin=source, stdout=out, check=True, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(program: Path, given: Path, folder: Path) -> float:
    """Return the instructions of one run, counted by valgrind."""
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind'}", program]
    with given.open("rb") as source, (folder / "out").open("wb") as out:
        done = subprocess.run(words, stdin=source, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        sys.exit(f"valgrind counted nothing: {done.stderr[-300:]}")
    return float(found[1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = ", ".join(CASES).replace("%", "%%")
    parser.add_argument("cases", nargs="*", metavar="case", help=f"of: {names}; all without one")
    parser.add_argument(
        "--compiler", action="append", help='a command and its flags; default: "g++ -O2" and clang'
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sink", choices=("null", "file"), default="null")
    parser.add_argument("--exact", action="store_true", help="count instructions")
    parser.add_argument("--divide", type=int, metavar="N", help="the work, by N; 1, with --exact 10")
    options = parser.parse_args()
    options.divide = options.divide or (10 if options.exact else 1)
    if unknown := [name for name in options.cases if name not in CASES]:
        parser.error(f"there is no case {unknown[0]!r}; there are {', '.join(CASES)}")
    for compiler in options.compiler or ():
        if shutil.which(compiler.split()[0]) is None:
            parser.error(f"there is no compiler {compiler.split()[0]}; --compiler names another one")
    how = "instructions" if options.exact else f"processor time, median of {options.rounds} rounds"
    print(f"times as fast by {how}; load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="headrace-drop-in-") as name:
        folder = Path(name)
        inputs(folder, options.divide)
        for compiler in options.compiler or COMPILERS:
            for title in options.cases or CASES:
                print(
                    f"{compiler:30} {title:16} {measured(CASES[title], compiler, options, folder)}",
                    flush=True,
                )


def measured(case: Case, compiler: str, options: argparse.Namespace, folder: Path) -> str:
    """Measure a case: how many times as fast, and what one run takes."""
    work = case.work // options.divide
    given = folder / case.input
    pair = [built(case, compiler, with_header, work, folder) for with_header in (False, True)]
    if options.exact:
        idle = pair
        if case.input == "nothing":
            idle = [built(case, compiler, with_header, 1, folder) for with_header in (False, True)]
        plain, replaced = (
            instructions(one, given, folder) - instructions(start, folder / "nothing", folder)
            for one, start in zip(pair, idle, strict=True)
        )
        return f"{plain / replaced:6.2f}   {plain / 1e6:.1f} -> {replaced / 1e6:.1f} million"
    sink = folder / "out" if options.sink == "file" else Path(os.devnull)
    draw = random.Random(1)
    times: dict[Path, list[float]] = {one: [] for one in pair}
    for _ in range(options.rounds):
        for one in draw.sample(pair, 2):
            times[one].append(seconds(one, given, sink))
    ratios = [a / b for a, b in zip(*times.values(), strict=True)]
    plain, replaced = (statistics.median(times[one]) for one in pair)
    middle = statistics.median(ratios)
    return f"{middle:6.2f}   {min(ratios):.2f} to {max(ratios):.2f}   {plain:.3f} -> {replaced:.3f} s"


if __name__ == "__main__":
    main()
