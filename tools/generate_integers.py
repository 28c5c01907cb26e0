"""Writes tests/data/integers.tsv: integers of 64 and 128 bits as text and their values, made exactly.

Columns: type, text, the value as 32 hexadecimal digits of two's complement, or out_of_range.
Usage: python3 tools/generate_integers.py [--check] [FILE]
"""

from __future__ import annotations

import random
import sys

from generated import ROOT, write_or_check

TABLE = ROOT / "tests" / "data" / "integers.tsv"
TITLE = "# Made by tools/generate_integers.py: type, text, value in two's complement or out_of_range."

TYPES = {
    "i64": (-(2**63), 2**63 - 1),
    "u64": (0, 2**64 - 1),
    "i128": (-(2**127), 2**127 - 1),
    "u128": (0, 2**128 - 1),
}


def row(kind: str, number: int, zeros: int = 0) -> str:
    """One line for `number`, written with leading zeros."""
    minimum, maximum = TYPES[kind]
    text = ("-" if number < 0 else "") + "0" * zeros + str(abs(number))
    fits = minimum <= number <= maximum
    return f"{kind}\t{text}\t{number % 2**128:032x}" if fits else f"{kind}\t{text}\tout_of_range"


def rows() -> list[str]:
    """The edges of each type, powers of ten and two around them, and random numbers of every length."""
    source = random.Random(20260101)
    lines = []
    for kind, (minimum, maximum) in TYPES.items():
        near = [edge + step for edge in (minimum, maximum) for step in range(-3, 4)]
        near += [10 * edge + step for edge in (minimum, maximum) for step in (-1, 0, 9)]
        near += [10**power + step for power in range(42) for step in (-1, 0)]
        near += [2**power + step for power in range(55, 140) for step in (-1, 0)]
        lines += [row(kind, number) for number in near]
        edges = (minimum, maximum, maximum + 1)
        lines += [row(kind, edge, zeros) for edge in edges for zeros in (1, 7, 17, 60)]
        for length in range(1, 41):
            lines += [row(kind, source.choice((1, -1)) * source.randrange(10**length)) for _ in range(2)]
    return lines


if __name__ == "__main__":
    text = "\n".join([TITLE, *rows(), ""])
    sys.exit(write_or_check("tools/generate_integers.py", __doc__, TABLE, text))
