#!/usr/bin/env python3
"""What the headers cost to compile and what a hello world weighs, as ratios to <iostream> and <cstdio>.

Each round compiles every case once in a new order; a ratio is the median of the rounds' ratios of user and
system time together, so other work on the machine hits all cases alike. --exact counts the compiler's
instructions with valgrind instead: the same figure every time, with one run a case. Other libraries are
measured where the compiler finds them or the folders in HEADRACE_PEERS hold them (separated by colons); a
case that does not compile is named. --sizes weighs only hello worlds, with every compiler and library
that is found.
"""

import argparse
import os
import random
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[1] / "include"
BENCH = """#include <headrace/bench.hpp>
int work(int);
int main() {
  headrace::bench suite{"cost"};
  suite.run("a", [] { return work(1); });
  suite.run("b", [] { return work(2); });
  suite.compare();
}
"""
HELLO = {  # the first is the measure of the others
    "cstdio": '#include <cstdio>\nint main() { std::puts("hello"); }\n',
    "iostream": '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n',
    "headrace": '#include <headrace/headrace.hpp>\nint main() { headrace::out << "hello\\n"; }\n',
}


@dataclass(frozen=True)
class Case:
    """One translation unit and what it is compiled with beyond -I."""

    text: str
    flags: tuple[str, ...] = ()


def includes(header: str, *flags: str) -> Case:
    """A file that only includes."""
    return Case(f"#include {header}\n", flags)


COMPILED = "-DHEADRACE_COMPILED=1"
PEERS = {
    "fmt/base.h": includes("<fmt/base.h>"),
    "fmt/format.h": includes("<fmt/format.h>"),
    "scn/scan.h": includes("<scn/scan.h>"),
    "fast_io.h (C++20)": includes("<fast_io.h>", "-std=c++20"),
}
CASES = {  # the first is the measure of the others
    "<iostream>": includes("<iostream>"),
    "<string>": includes("<string>"),
    "headrace.hpp": includes("<headrace/headrace.hpp>"),
    "headrace.hpp, headrace::compiled": includes("<headrace/headrace.hpp>", COMPILED),
    "  error.hpp": includes("<headrace/error.hpp>"),
    "  parse.hpp": includes("<headrace/parse.hpp>"),
    "  format.hpp": includes("<headrace/format.hpp>"),
    "  reader.hpp": includes("<headrace/reader.hpp>"),
    "  writer.hpp": includes("<headrace/writer.hpp>"),
    "  copy.hpp": includes("<headrace/copy.hpp>"),
    "bench.hpp": includes("<headrace/bench.hpp>"),
    "bench.hpp, used": Case(BENCH),
    "bench.hpp, declarations only, used": Case(BENCH, ("-DHEADRACE_BENCH_IMPLEMENTATION=0",)),
    "hello world, iostream": Case(HELLO["iostream"]),
    "hello world, headrace": Case(HELLO["headrace"]),
    "hello world, headrace::compiled": Case(HELLO["headrace"], (COMPILED,)),
    **PEERS,
}


def command_of(compiler: list[str], case: Case, source: Path, *end: str) -> list[str]:
    """The command that compiles a case."""
    source.write_text(case.text, "utf-8")
    peers = [f"-I{folder}" for folder in os.environ.get("HEADRACE_PEERS", "").split(":") if folder]
    return [*compiler, "-std=c++17", f"-I{INCLUDE}", *peers, *case.flags, str(source), *end]


def seconds(command: list[str]) -> float:
    """Run a command that must succeed; return its user + system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(command: list[str]) -> float:
    """The instructions, in millions, of the greatest process that a command starts: the compiler proper."""
    valgrind = ["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no"]
    done = subprocess.run(
        [*valgrind, "--cachegrind-out-file=/dev/null", *command], check=True, capture_output=True, text=True
    )
    return max(int(count.replace(",", "")) for count in re.findall(r"I +refs: +([\d,]+)", done.stderr)) / 1e6


def measure(commands: dict[str, list[str]], rounds: int) -> dict[str, list[float]]:
    """Return the times of every case, a round each; a warm-up round is dropped."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name in random.sample(list(commands), len(commands)):
            taken = seconds(commands[name])
            if number > 0:
                times[name].append(taken)
    return times


def commands_of(compiler: list[str], folder: Path, wanted: str) -> dict[str, list[str]]:
    """The commands of the first case and of those with `wanted` in the name; other libraries may lack."""
    commands: dict[str, list[str]] = {}
    for number, (name, case) in enumerate(CASES.items()):
        if number > 0 and wanted not in name:
            continue
        command = command_of(compiler, case, folder / f"{number}.cpp", "-c", "-o", str(folder / "out.o"))
        if name in PEERS and subprocess.run(command, capture_output=True).returncode != 0:
            print(f"{name:36} is not here, or does not compile")
        else:
            commands[name] = command
    return commands


def sizes_of(compiler: list[str], folder: Path) -> dict[str, int]:
    """The size of each hello world without its symbol table, in bytes."""
    sizes: dict[str, int] = {}
    for name, text in HELLO.items():
        program = folder / name
        command = command_of(compiler, Case(text), folder / f"{name}.cpp", "-s", "-o", str(program))
        subprocess.run(command, check=True)
        sizes[name] = program.stat().st_size
    return sizes


def compilers_here() -> list[list[str]]:
    """Each g++ and clang++ on the PATH once, clang++ with each standard library that it can build with."""
    names: dict[Path, str] = {}
    for folder in os.get_exec_path():
        for path in sorted(Path(folder).glob("*++*"), reverse=True):
            if re.fullmatch(r"(g|clang)\+\+(-\d+)?", path.name) and path.resolve().name != "ccache":
                names.setdefault(path.resolve(), path.name)
    libraries = ("-stdlib=libstdc++", "-stdlib=libc++")
    commands = [[name, "-O2"] for name in names.values() if name.startswith("g++")]
    commands += [
        [name, "-O2", one] for name in names.values() if name.startswith("clang++") for one in libraries
    ]
    probe = ["-x", "c++", "-std=c++17", "-fsyntax-only", "-"]
    return [
        command
        for command in sorted(commands)
        if subprocess.run([*command, *probe], input=b"#include <string>", capture_output=True).returncode == 0
    ]


def print_sizes(compilers: list[list[str]], folder: Path) -> None:
    """A line for each compiler and hello world."""
    for compiler in compilers:
        sizes = sizes_of(compiler, folder)
        for name, size in sizes.items():
            ratio = size / sizes["cstdio"]
            print(f"hello world, {name:9} {size:7} bytes {ratio:5.2f} x cstdio   {shlex.join(compiler)}")


def main() -> int:
    """Print a line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++ -O2", help="with its flags, in quotes")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--exact", action="store_true", help="count instructions with valgrind")
    parser.add_argument("--sizes", action="store_true", help="only weigh hello worlds, by each compiler")
    given = parser.parse_args()
    compiler = shlex.split(given.compiler)
    try:
        with tempfile.TemporaryDirectory() as name:
            if given.sizes:
                print_sizes(compilers_here(), Path(name))
                return 0
            commands = commands_of(compiler, Path(name), given.only)
            if given.exact:
                figures = {case: [instructions(command)] for case, command in commands.items()}
            else:
                figures = measure(commands, max(1, given.rounds))
            base = next(iter(figures.values()))
            for case, taken in figures.items():
                ratio = statistics.median(a / b for a, b in zip(taken, base, strict=True))
                figure = statistics.median(taken) * (1 if given.exact else 1000)
                unit = "M instructions" if given.exact else "ms"
                print(f"{case:36} {figure:7.0f} {unit}   {ratio:5.2f} x <iostream>")
            print_sizes([compiler], Path(name))
    except FileNotFoundError as error:
        print(
            f"compile_cost: cannot run {error.filename}: install it, or name another compiler",
            file=sys.stderr,
        )
        return 2
    except subprocess.CalledProcessError as error:
        print(f"compile_cost: {shlex.join(error.cmd)} failed", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
