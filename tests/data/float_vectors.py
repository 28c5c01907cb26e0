#!/usr/bin/env python3
"""Writes float_vectors.tsv beside itself: doubles with the text that Python's exact decimals give them.

Columns: the bits in hexadecimal, the shortest text, a precision, the value in fixed and in scientific style
with it.
"""

import random
import struct
from decimal import ROUND_HALF_EVEN, Context, Decimal
from pathlib import Path

ROWS = 500


def shortest(value: float) -> str:
    """repr() without the ".0" of whole numbers."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def rounded(value: float, precision: int) -> tuple[str, str]:
    """The value in fixed and in scientific style, from its exact decimal expansion."""
    exact = Decimal(value)
    context = Context(prec=2000, rounding=ROUND_HALF_EVEN)
    fixed = exact.quantize(Decimal(1).scaleb(-precision, context), context=context)
    digits = Context(prec=precision + 1, rounding=ROUND_HALF_EVEN).create_decimal(exact)
    mantissa, exponent = f"{digits:.{precision}e}".split("e")
    return f"{fixed:f}", f"{mantissa}e{exponent[0]}{int(exponent[1:]):02d}"


def main() -> None:
    """Writes the file."""
    source = random.Random(1)
    lines = []
    while len(lines) < ROWS:
        bits = source.getrandbits(64)
        if len(lines) % 2 == 0:  # an exponent near 0, as people's numbers have
            bits = bits & ~(0x7FF << 52) | (1023 + source.randint(-60, 60)) << 52
        (value,) = struct.unpack("<d", struct.pack("<Q", bits))
        if value != value or value in (float("inf"), float("-inf")):
            continue
        precision = source.randint(0, 30)
        fixed, scientific = rounded(value, precision)
        lines.append(f"{bits:016x}\t{shortest(value)}\t{precision}\t{fixed}\t{scientific}\n")
    Path(__file__).with_suffix(".tsv").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
