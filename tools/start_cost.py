#!/usr/bin/env python3
"""What starting a program costs, and how much of that is loading the C++ standard library.

Whole processes, from before they are started until they have ended: two programs that do nothing, without the
C++ standard library and with it, and programs that read numbers and write their sum. Each round runs each
program once, in a new order. Shown are medians of times, and of ratios to scanf within a round, each with an
interval between order statistics (95 %).
"""

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

INCLUDE = Path(__file__).resolve().parents[1] / "include"
NOTHING = "int main() {}\n"
SCANF = """#include <cstdio>
int main() {
  long long sum = 0;
  for (int x; std::scanf("%d", &x) == 1;) sum += x;
  std::printf("%lld\\n", sum);
}
"""
HEADRACE = """#include <headrace/headrace.hpp>
int main() {
  long long sum = 0;
  for (int x; headrace::in.try_read(x);) sum += x;
  headrace::out << sum << '\\n';
}
"""
AS_NEEDED = "-Wl,--as-needed"
WITHOUT, WITH, BASE = "nothing", "nothing, C++ library loaded", "scanf"
PROGRAMS = {  # text and flags; those of the linker come last
    WITHOUT: (NOTHING, [AS_NEEDED]),
    WITH: (NOTHING, ["-Wl,--no-as-needed", "-lstdc++"]),
    BASE: (SCANF, [AS_NEEDED]),
    "headrace": (HEADRACE, [AS_NEEDED]),
    "headrace, -fno-exceptions": (HEADRACE, ["-fno-exceptions", AS_NEEDED]),
    "headrace, -static-libstdc++": (HEADRACE, ["-static-libstdc++", "-static-libgcc", AS_NEEDED]),
}


def build(compiler: list[str], folder: Path) -> dict[str, Path]:
    """Compile every program. Raises CalledProcessError."""
    built: dict[str, Path] = {}
    for number, (name, (text, flags)) in enumerate(PROGRAMS.items()):
        source, program = folder / f"{number}.cpp", folder / f"program{number}"
        source.write_text(text, "utf-8")
        words = [*compiler, "-std=c++17", f"-I{INCLUDE}", str(source), "-o", str(program), *flags]
        subprocess.run(words, check=True)
        built[name] = program
    return built


def run(program: Path, numbers: Path) -> float:
    """Run a program on the numbers; return the seconds from before its start until its end."""
    silent = [
        (os.POSIX_SPAWN_OPEN, 0, str(numbers), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    begun = time.perf_counter()
    child = os.posix_spawn(program, [str(program)], os.environ, file_actions=silent)
    _, status = os.waitpid(child, 0)
    taken = time.perf_counter() - begun
    if status != 0:
        raise subprocess.CalledProcessError(os.waitstatus_to_exitcode(status), [str(program)])
    return taken


def measure(programs: dict[str, Path], numbers: Path, rounds: int) -> dict[str, list[float]]:
    """Return the times of each program, one per round; ten rounds before them are dropped."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(-10, rounds):
        for name in random.sample(list(programs), len(programs)):
            taken = run(programs[name], numbers)
            if number >= 0:
                times[name].append(taken)
    return times


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The order statistics between which the median is with 95 % or more; all values where they are few."""
    ordered = sorted(values)
    below, term, rank = 0.0, 0.5 ** len(ordered), 0
    while 2 * (below + term) <= 0.05:
        below += term
        rank += 1
        term *= (len(ordered) - rank + 1) / rank
    place = max(rank - 1, 0)
    return ordered[place], ordered[len(ordered) - 1 - place]


def report(times: dict[str, list[float]], count: int) -> str:
    """Return a line per program, and what loading the library is of each."""
    lines = []
    for name, taken in times.items():
        ratios = [own / other for own, other in zip(taken, times[BASE], strict=True)]
        low, high = (1000 * end for end in interval(taken))
        smallest, largest = interval(ratios)
        lines.append(
            f"{name:28} {1000 * median(taken):6.3f} ms [{low:.3f}, {high:.3f}]"
            f"   {median(ratios):5.2f} x {BASE} [{smallest:.2f}, {largest:.2f}]"
        )
    loading = [1000 * (own - other) for own, other in zip(times[WITH], times[WITHOUT], strict=True)]
    low, high = interval(loading)
    whole = 1000 * median(times["headrace"])
    lines.append(
        f"\nheadrace on {count} numbers takes {whole:.2f} ms, of which starting a process "
        f"{1000 * median(times[WITH]):.2f} ms, of which loading the C++ standard library "
        f"{median(loading):.2f} ms [{low:.2f}, {high:.2f}]"
    )
    return "\n".join(lines)


def main() -> int:
    """Print a line per program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++ -O2", help="with its flags, in quotes")
    parser.add_argument("--rounds", type=int, default=201)
    parser.add_argument("--count", type=int, default=1000, help="of the numbers that the programs read")
    given = parser.parse_args()
    compiler = shlex.split(given.compiler)
    try:
        with tempfile.TemporaryDirectory() as name:
            programs = build(compiler, Path(name))
            numbers = Path(name) / "numbers"
            numbers.write_text("".join(f"{random.randrange(-(10**9), 10**9)}\n" for _ in range(given.count)))
            print(f"{shlex.join(compiler)}, {given.count} numbers from a file, {given.rounds} rounds\n")
            print(report(measure(programs, numbers, max(1, given.rounds)), given.count))
    except FileNotFoundError as error:
        print(f"start_cost: cannot run {error.filename}: install it, or name another", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"start_cost: {shlex.join(error.cmd)} failed", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
