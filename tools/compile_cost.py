#!/usr/bin/env python3
"""Compile time of bench.hpp as a ratio to that of <iostream>.

Each round compiles every case once in a new order; a ratio is the median of the rounds' ratios of user and
system time together.
"""

import argparse
import random
import resource
import shlex
import statistics
import subprocess
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[1] / "include"
IOSTREAM = "#include <iostream>\nint main() { std::cout << 1; }\n"
EMPTY = "#include <headrace/bench.hpp>\nint main() {}\n"
USE = """#include <headrace/bench.hpp>
int work(int);
int main() {
  headrace::bench suite{"cost"};
  suite.run("a", [] { return work(1); });
  suite.run("b", [] { return work(2); });
  suite.compare();
}
"""
CASES: dict[str, tuple[str, list[str]]] = {
    "<iostream>, used": (IOSTREAM, []),
    "bench.hpp, declarations only, used": (USE, ["-DHEADRACE_BENCH_IMPLEMENTATION=0"]),
    "bench.hpp, as it is, included": (EMPTY, []),
    "bench.hpp, as it is, used": (USE, []),
    "bench.hpp, the one implementation": (EMPTY, ["-DHEADRACE_BENCH_IMPLEMENTATION=1"]),
}


def seconds(command: list[str]) -> float:
    """Run a command that must succeed; return its user + system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(compiler: list[str], rounds: int, folder: Path) -> dict[str, list[float]]:
    """Return the times of every case, a round each; a warm-up round is dropped."""
    commands: dict[str, list[str]] = {}
    for number, (name, (text, flags)) in enumerate(CASES.items()):
        source = folder / f"{number}.cpp"
        source.write_text(text, "utf-8")
        output = str(folder / "out.o")
        commands[name] = [*compiler, "-std=c++17", f"-I{INCLUDE}", *flags, "-c", str(source), "-o", output]
    times: dict[str, list[float]] = {name: [] for name in CASES}
    for number in range(rounds + 1):
        for name in random.sample(list(CASES), len(CASES)):
            taken = seconds(commands[name])
            if number > 0:
                times[name].append(taken)
    return times


def main() -> None:
    """Print a line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++ -O2", help="with its flags, in quotes")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measure(shlex.split(given.compiler), max(1, given.rounds), Path(folder))
    base = next(iter(times.values()))
    for name, taken in times.items():
        ratio = statistics.median(a / b for a, b in zip(taken, base, strict=True))
        print(f"{name:36} {statistics.median(taken) * 1000:7.0f} ms   {ratio:5.2f} x <iostream>")


if __name__ == "__main__":
    main()
