#!/usr/bin/env python3
"""How often `headrace fix` names the true cause of 62 programs, whose authors did not know its rules.

tests/lab/fix/cases/truth.csv has for each program what it reads, the true cause, whether that clearly
dominates, and the least gain: 0.7 times what a version written by hand reached. Of each program it is printed
which cause is told first, whether it is called certain, and the gain that is proved; at the end, the counts.
All of them take a quarter of an hour.

--gain 1 1.10 diagnoses a program that its remedy does not help, and one that it makes 1.10 times as fast,
each --repeat times: how often is a gain proved? Each run takes up to one and a half times --seconds, so
that 2 x 100 with --seconds 3 take 10 to 15 minutes; the time left is printed after each. It needs a quiet
machine: on a busy one the time is over before remedies are measured.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[1]
CASES = TOP / "tests/lab/fix/cases"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SAYS = {  # a cause of truth.csv -> what fix calls it, where the words differ
    "computing": "own code",
    "already fast": "own code",
    "page faults": "page faults of memory",
}
FLAGS = {"no optimisation": "-O0"}


def inputs(folder: Path) -> None:
    """Write what the programs read."""
    draw = random.Random(20240611)
    vocabulary = ["".join(draw.choices(LETTERS, k=draw.randint(2, 9))) for _ in range(30_000)]
    made = {
        "empty.txt": [],
        "ints.txt": [f"{draw.randint(-(10**9), 10**9)}" for _ in range(400_000)],
        "words.txt": [draw.choice(vocabulary) for _ in range(200_000)],
        "lines.txt": [" ".join(draw.choices(vocabulary, k=draw.randint(5, 15))) for _ in range(100_000)],
        "rows.csv": [
            f"{at},{draw.randint(0, 9999)},{draw.uniform(0, 1000):.2f},{draw.uniform(-50, 50):.3f},{at % 500}"
            for at in range(1, 100_001)
        ],
    }
    for name, lines in made.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))


def contents(folder: Path) -> list[tuple[str, int, bytes]]:
    """Return what is in a folder, with times."""
    return sorted((file.name, file.stat().st_mtime_ns, file.read_bytes()) for file in folder.iterdir())


def diagnosed(file: str, folder: Path, given: Path, seconds: float, flags: str = "-O2") -> dict[str, Any]:
    """Return what `headrace fix --json` says of a program in a folder."""
    words = ["fix", file, "--json", "--input", str(given), "--flags", flags, "--seconds", f"{seconds:g}"]
    environment = {**os.environ, "PYTHONPATH": str(TOP / "lab")}
    done = subprocess.run([sys.executable, "-m", "headrace", *words], capture_output=True, text=True,
                          env=environment, cwd=folder, check=False)  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"{file}: {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def tried(case: dict[str, str], given: Path, folder: Path, seconds: float) -> Counter[str]:
    """Diagnose a program, print a line, and return what counts of it."""
    folder.mkdir()
    shutil.copy(CASES / case["file"], folder)
    before = contents(folder)
    begun = time.monotonic()
    found = diagnosed(case["file"], folder, given, seconds, FLAGS.get(case["cause"], "-O2"))
    first = found["causes"][0] if found["causes"] else {"name": "none", "certain": False}
    is_true = first["name"] == SAYS.get(case["cause"], case["cause"])
    gains = {one["name"]: one["times_as_fast"] for one in found["remedies"]}
    gain = gains.get(found["best"]) or 1.0
    said = f"{first['name']}{', certain' if first['certain'] else ''}{'' if is_true else ' (WRONG)'}"
    print(f"{case['file']:26} {said:34} {gain:5.1f} x, by hand {float(case['least_gain']) / 0.7:5.1f} x, "
          f"{time.monotonic() - begun:3.0f} s  {found['outcome']}", flush=True)  # fmt: skip
    return Counter(
        {
            "programs": 1,
            "true cause first": is_true,
            "of these called certain": is_true and first["certain"],
            "false cause called certain": not is_true and first["certain"],
            "folder changed": contents(folder) != before,
            "proved a gain": found["outcome"] == "proved",
        }
    )


FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where headrace has outputs
LINES = 3_000
CALIBRATED = """
#include <stdio.h>
static int (*volatile flush)(FILE*) = fflush;
int main(void) {
  unsigned x = 1;
  for (int line = 0; line < LINES; ++line) {
    for (int i = 0; i < WORK; ++i) x = x * 1664525u + 1013904223u;
    printf("%u\\n", x);
    if (ONCE) fflush(stdout);
    if (AGAIN) flush(stdout);
  }
}
"""


def seconds_of(folder: Path, **defined: int) -> float:
    """Build the calibrated program and return the least processor time of some runs."""
    (folder / "try.c").write_text(CALIBRATED)
    words = ["gcc", "-O2", "try.c", "-o", "try", *(f"-D{name}={value}" for name, value in defined.items())]
    subprocess.run(words, cwd=folder, check=True)
    times = []
    for _ in range(15):
        with tempfile.TemporaryFile(dir=FAST) as out:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(["./try"], cwd=folder, stdout=out, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(times)


def calibrated(folder: Path, gain: float) -> str:
    """Return a program that is so many times as fast without its fflush; for 1 it flushes again."""
    plain = seconds_of(folder, LINES=LINES, WORK=0, ONCE=0, AGAIN=0)
    flushed = seconds_of(folder, LINES=LINES, WORK=0, ONCE=1, AGAIN=0)
    working = seconds_of(folder, LINES=LINES, WORK=30_000, ONCE=0, AGAIN=0)
    step = (working - plain) / LINES / 30_000
    part = gain - 1 if gain > 1 else 0.1  # of the time without a flush
    work = max(0.0, ((flushed - plain) / part - plain) / step / LINES)
    known = {"LINES": LINES, "WORK": round(work), "ONCE": 1, "AGAIN": int(gain == 1)}
    return re.sub("LINES|WORK|ONCE|AGAIN", lambda name: str(known[name[0]]), CALIBRATED)


def repeated(gain: float, times: int, seconds: float, folder: Path) -> str:
    """Diagnose a calibrated program several times; say how often a gain was proved, and should be."""
    program, empty = calibrated(folder, gain), folder / "empty.txt"
    empty.touch()
    gains, tried, begun = list[float](), 0, time.monotonic()
    for number in range(1, times + 1):
        run = folder / str(number)
        run.mkdir()
        (run / "main.c").write_text(program)
        found = diagnosed("main.c", run, empty, seconds)
        own = [one["times_as_fast"] for one in found["remedies"] if one["name"] == found["best"]]
        gains += own
        tried += any(one["times_as_fast"] for one in found["remedies"])
        left = (time.monotonic() - begun) / number * (times - number)
        proved = f"{own[0]:.2f} by {found['best']}" if own else found["outcome"]
        print(f"{gain:.2f}, run {number:3} of {times}: {proved}; about {left / 60:.0f} min left", flush=True)
    told = f": median {statistics.median(gains):.2f}, {min(gains):.2f} to {max(gains):.2f}" if gains else ""
    wanted = f"at least {0.9 * times:.0f} should" if gain > 1 else f"at most {0.05 * times:.0f} may"
    return (
        f"{gain:.2f}: a gain was proved in {len(gains)} of {times} runs, where {wanted} be{told}; "
        f"remedies were measured in {tried}; {(time.monotonic() - begun) / 60:.1f} min"
    )


def main() -> None:
    """Diagnose all, and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("numbers", nargs="*", metavar="number", help="which, such as 17; all without")
    parser.add_argument("--gain", type=float, nargs="+", help="diagnose programs with these gains instead")
    parser.add_argument("--repeat", type=int, default=100, help="how often each; default 100")
    parser.add_argument("--seconds", type=float, default=40.0, help="of each diagnosis; default 40")
    asked = parser.parse_args()
    if asked.gain:
        told = []
        for gain in asked.gain:
            with tempfile.TemporaryDirectory(prefix="headrace-cases-") as name:
                told.append(repeated(gain, asked.repeat, asked.seconds, Path(name)))
        print("\n".join(told))
        return
    numbers = asked.numbers
    with (CASES / "truth.csv").open(encoding="utf-8", newline="") as file:
        cases = [one for one in csv.DictReader(file) if not numbers or one["file"][:2] in numbers]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="headrace-cases-") as name:
        inputs(Path(name))
        for case in cases:
            given, folder = Path(name) / case["input"], Path(name) / Path(case["file"]).stem
            counts.update(tried(case, given, folder, asked.seconds))
    print("; ".join(f"{what}: {count}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
