#!/usr/bin/env python3
"""How good `headrace fix` is on the slow programs of tests/lab/fix/slow, whose causes are known.

Of each it says whether the cause that is told first is a true one, and which share of the possible gain
the best remedy finds: the part of the running time that it saves, over the part that a program saves
that somebody writes by hand who knows the cause (BY_HAND below). What is written by hand has to give
the same output. Both are wall times in rounds against the program as it is. All of them take a quarter
of an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PROGRAMS = TOP / "tests/lab/fix/slow"
HEADER = re.compile(r"// causes: (.*); input: (\w+); flags: (.*)")
COMPILER = ["g++", "-O2", "-std=c++17", f"-I{TOP / 'include'}"]
ROUNDS = 7
ENOUGH = 0.8  # of the possible gain

INCLUDES = """#include <headrace/headrace.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
#include <unistd.h>
using namespace std;
using headrace::in, headrace::out;
"""
NUMBERS = "for (int i = 0; i < COUNT; ++i) out << i << '\\n';"
ECHO = "for (int x; in.try_read(x);) out << x << '\\n';"
COPY = "headrace::copy(0, 1);"
LINES = "static char b[65536]; long n = 0; for (ssize_t g; (g = read(0, b, sizeof b)) > 0;) "
SUM = "long long s = 0; for (int x; in.try_read(x);) s += x; out << s << '\\n';"
TEXT = "for (int i = 0; i < COUNT; ++i) out << WHAT;"


def numbers(count: int) -> str:
    """Return what prints the numbers below `count`."""
    return NUMBERS.replace("COUNT", str(count))


def text(count: int, what: str) -> str:
    """Return what prints a text so often."""
    return TEXT.replace("COUNT", str(count)).replace("WHAT", what)


COUNT_LINES = LINES + "n += count(b, b + g, '\\n'); out << n << '\\n';"
BY_HAND = {
    "asks_the_shell": 'out << "done\\n";',
    "byte_copy": COPY,
    "byte_reads": COUNT_LINES,
    "byte_writes": "for (int i = 0; i < 400000; ++i) out << static_cast<char>('a' + i % 26);",
    "copied_output": "for (int i = 0; i < 60000; ++i) out << i; out << '\\n';",
    "copied_string": "string a; for (string_view w : in.words()) { if (a.size() >= 400000) break; a += w; "
    "a += ','; } out << a << '\\n';",
    "endl_file": numbers(300000),
    "endl_numbers": numbers(300000),
    "endl_table": "char b[32]; for (int i = 0; i < 200000; ++i) out.write(string_view(b, static_cast<size_t>("
    'snprintf(b, sizeof b, "%8d%8d\\n", i, i % 100))));',
    "endl_unsynced": ECHO,
    "fflush_all": text(200000, '"a line of text\\n"'),
    "fflush_lines": numbers(300000),
    "fflush_reading": ECHO,
    "flush_manipulator": numbers(300000),
    "flush_member": numbers(300000),
    "line_buffered": numbers(300000),
    "line_buffered_again": text(300000, '"some text\\n"'),
    "line_writes": numbers(200000),
    "parsed_by_stream": SUM,
    "plain_iostream": ECHO,
    "runs_others": text(60, '"line\\n"'),
    "sync_characters": COUNT_LINES,
    "sync_copy": COPY,
    "sync_lines": "size_t n = 0; for (string_view l : in.lines()) n += l.size(); out << n << '\\n';",
    "sync_output": "for (int i = 0; i < 400000; ++i) out << i << ' ' << i % 7 << '\\n';",
    "sync_sum": SUM,
    "sync_words": "size_t n = 0; for (string_view w : in.words()) n += w.size(); out << n << '\\n';",
    "tell_each_line": "long long s = 0, at = 0; for (int i = 0; i < 200000; ++i) { out << i << '\\n'; "
    "at += static_cast<long long>(to_string(i).size()) + 1; s += at; } out << s << '\\n';",
    "tell_input": "long n = 0; for (string_view l : in.lines()) n += l.size() < 99; out << (n > 0) << '\\n';",
    "tied_and_endl": "for (int x; in.try_read(x);) out << x * 2 << '\\n';",
    "tied_lines": "for (string_view l : in.lines()) out << l << '\\n';",
    "tied_numbers": "for (int x; in.try_read(x);) out << x + 1 << '\\n';",
    "tied_words": "for (string_view w : in.words()) out << w << ' ' << w.size() << '\\n';",
    "unbuffered_input": LINES + "for (int i = 0; i < g; ++i) n += static_cast<unsigned char>(b[i]); "
    "out << n << '\\n';",
    "unbuffered_output": numbers(200000),
    "unit_buffer": numbers(200000),
    "unit_buffer_set": numbers(200000),
    "unoptimised": "vector<int> v(3000000); unsigned r = 1; for (int& x : v) { "
    "r = r * 1664525u + 1013904223u; x = int(r >> 8); } "
    "sort(v.begin(), v.end()); out << v[1500000] << '\\n';",
    "unoptimised_loop": "vector<unsigned> v(1000, 3); unsigned s = 0; for (int t = 0; t < 20000; ++t) "
    "for (size_t i = 0; i < v.size(); ++i) s = s * 31 + v[i]; out << s << '\\n';",
    "written_by_stream": numbers(300000),
}


def divided(text: str, by: int) -> str:
    """Return a program with a part of its work: numbers of five digits and more are counts."""
    return re.sub(r"\b\d{5,}\b", lambda number: str(int(number[0]) // by), text)


def inputs(folder: Path, by: int) -> None:
    """Write what the programs read."""
    draw = random.Random(5)
    values = [f"{draw.randint(-(10**9), 10**9)}\n" for _ in range(500_000)]
    for name, count in (("ints", 500_000), ("few", 120_000), ("nothing", 0)):
        (folder / name).write_text("".join(values[: count // by]))


def run(program: Path, given: Path, sink: Path) -> float:
    """Run once; return the seconds."""
    with given.open("rb") as source, sink.open("wb") as out:
        began = time.perf_counter()
        subprocess.run([program], stdin=source, stdout=out, check=True, timeout=60)
        return time.perf_counter() - began


def by_hand(text: str, file: Path, flags: list[str], given: Path, folder: Path) -> float:
    """Return how many times as fast the program written by hand is. Ends the script if it is wrong."""
    source, plain, hand = folder / "hand.cpp", folder / "plain", folder / "hand"
    source.write_text(f"{INCLUDES}int main() {{\n  {text}\n}}\n")
    subprocess.run([*COMPILER, str(source), "-o", str(hand)], check=True)
    subprocess.run([COMPILER[0], "-std=c++17", *flags, str(file), "-o", str(plain)], check=True)
    logs = []
    for _ in range(ROUNDS):
        slow, fast = run(plain, given, folder / "out"), run(hand, given, folder / "hand.out")
        if (folder / "out").read_bytes() != (folder / "hand.out").read_bytes():
            sys.exit(f"{file.stem} written by hand has another output")
        logs.append(slow / fast)
    return statistics.median(logs)


def main() -> None:
    """Diagnose all, and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="program", help="of tests/lab/fix/slow; default: all")
    parser.add_argument("--seconds", type=float, default=5.0, help="of measuring, for each; default 5")
    parser.add_argument("--divide", type=int, default=1, help="the work of each, by N; start-ups count more")
    options = parser.parse_args()
    if unknown := [name for name in options.programs if name not in BY_HAND]:
        parser.error(f"there is no program {unknown[0]} in tests/lab/fix/slow")
    named = found = done = 0
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="headrace-proof-") as name:
        folder = Path(name)
        inputs(folder, options.divide)
        for program in options.programs or BY_HAND:
            is_named, share = proved(program, options, folder)
            named, found, done = named + is_named, found + (share >= ENOUGH), done + 1
    print(f"a true cause first: {named} of {done}; at least {ENOUGH:.0%} of the gain: {found} of {done}")


def proved(program: str, options: argparse.Namespace, folder: Path) -> tuple[bool, float]:
    """Diagnose a program and print what was found. Return whether a true cause is first, and the share."""
    file = folder / f"{program}.cpp"
    file.write_text(divided((PROGRAMS / file.name).read_text(), options.divide))
    header = HEADER.match(file.read_text())
    assert header is not None, file
    flags = [] if header[3] == "none" else header[3].split()
    given = folder / header[2]
    words = [
        "fix",
        str(file),
        "--flags",
        " ".join(flags),
        "--seconds",
        f"{options.seconds:g}",
        "--json",
        "--input",
    ]
    environment = {**os.environ, "PYTHONPATH": str(TOP / "lab")}
    command = [sys.executable, "-m", "headrace", *words, str(given)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    data = json.loads(done.stdout)
    causes = [cause["name"] for cause in data["causes"]]
    is_named = bool(causes) and causes[0] in header[1].split(", ")
    times = {one["name"]: one["times_as_fast"] for one in data["remedies"]}
    best = times.get(data["best"]) or 1.0
    possible = by_hand(divided(BY_HAND[program], options.divide), file, flags, given, folder)
    share = (1 - 1 / best) / (1 - 1 / possible)
    said = f"first: {causes[0] if causes else 'none'}{'' if is_named else ' (WRONG)'}"
    print(f"{program:20} {said:36} {best:6.2f} of {possible:6.2f}, {share:5.0%}  {data['best']}", flush=True)
    return is_named, share


if __name__ == "__main__":
    main()
