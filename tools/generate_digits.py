#!/usr/bin/env python3
"""Writes include/headrace/digits.hpp: the numbers below 1000 as text, in two string literals.

Usage: python3 tools/generate_digits.py [--check] [FILE]

Without FILE the header in this repository is meant. With --check nothing is written: the exit code is 1 if the
file differs from what would be written.
"""

import argparse
import sys
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "include" / "headrace" / "digits.hpp"

OPENING = """\
// headrace/digits.hpp: the numbers below 1000 as text, four bytes each. String literals, because a compiler reads
// them forty times faster than it evaluates a constexpr table.
// Written by tools/generate_digits.py: change that, not this.
#pragma once

namespace headrace::detail {

"""


def literal(entries: list[str]) -> str:
    """A C++ string literal of all entries, 25 to a line."""
    lines = ["".join(entries[start : start + 25]) for start in range(0, len(entries), 25)]
    return "\n".join(f'    "{line}"' for line in lines) + ";\n"


def header() -> str:
    """The text of digits.hpp."""
    padded = [f"{n:03d} " for n in range(1000)]
    leading = [f"{n:<3d}{len(str(n))}" for n in range(1000)]
    return (
        OPENING
        + "// Three digits and a blank.\n"
        + "alignas(64) inline constexpr char three_digits[] =\n"
        + literal(padded)
        + "\n// No leading zeros; the fourth byte says how many digits there are.\n"
        + "alignas(64) inline constexpr char leading_digits[] =\n"
        + literal(leading)
        + "\n}  // namespace headrace::detail\n"
    )


def main() -> int:
    """Writes or checks the header; the exit code is 1 for a difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("file", nargs="?", type=Path, default=HEADER)
    options = parser.parse_args()
    if not options.check:
        options.file.write_text(header(), encoding="utf-8")
        return 0
    if options.file.read_text(encoding="utf-8") == header():
        return 0
    print(f"{options.file} is not what tools/generate_digits.py writes: run it without --check", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
