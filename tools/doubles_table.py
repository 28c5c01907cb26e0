"""Put what bench/doubles_bench measures into docs/fast.md: nobody types a figure.

    HEADRACE_PEERS=/folder/of/fast_float/and/zmij python tools/doubles_table.py build/bench/doubles_bench

runs the program with as many values as a branch predictor forgets, and writes its two tables, with the
machine, the date and the command, between the markers of the document.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "fast.md"
BEGIN, END = "<!-- doubles: begin -->", "<!-- doubles: end -->"
VALUES, ROUNDS = 50_000, 40


def processor() -> str:
    """Name the processor as Linux does, or as Python knows it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def replaced(page: str, tables: str) -> str:
    """Put the tables between the markers. Raises ValueError where the page has none."""
    head, found, rest = page.partition(BEGIN)
    _, closed, tail = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{PAGE} has no markers {BEGIN} and {END}: put them where the tables belong")
    return f"{head}{BEGIN}\n{tables}\n{END}{tail}"


def main() -> int:
    """Run the program and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path, help="doubles_bench, built with -O2")
    program: Path = parser.parse_args().program
    command = [program, str(VALUES), str(ROUNDS)]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        if "zmij" not in done.stdout or "fast_float" not in done.stdout:
            raise ValueError(
                f"{program} was built without fast_float or zmij: set HEADRACE_PEERS, then configure anew"
            )
        day = datetime.datetime.now(datetime.UTC).date()
        source = (
            "The first way in nanoseconds of processor time per value, the others in units of it: "
            f"{VALUES} values, the fastest of {ROUNDS} rounds in which all ways take turns. "
            f"{processor()}, {platform.system()}, {day}; `doubles_bench {VALUES} {ROUNDS}`."
        )
        PAGE.write_text(replaced(PAGE.read_text(), f"{source}\n{done.stdout.rstrip()}\n"))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
