#!/usr/bin/env python3
"""Writes include/headrace/detail/powers_table.hpp: 128-bit powers of five, from exact integers.

Usage: python3 tools/generate_powers.py [--check] [FILE]

Without FILE the header in this repository is meant. With --check nothing is written: the exit code is 1 if the
file differs from what would be written.
"""

import sys

from generated import ROOT, write_or_check

MIN = -342  # Eisel-Lemire: below 10^-342 a 19-digit decimal is less than half the smallest double
MAX = 324  # Schubfach: the smallest double is 2^-1074, whose digits need 10^324

HEADER = ROOT / "include" / "headrace" / "detail" / "powers_table.hpp"

OPENING = """\
// headrace/detail/powers_table.hpp: the powers of five that powers.hpp hands out.
// Written by tools/generate_powers.py from exact integers: change that, not this.
#pragma once

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

// 32 bits per character, the lowest first: to compile a literal costs a third of what numbers in braces cost. Two
// powers per line; the comment is the exponent of the first.
inline constexpr char32_t powers_of_five[] =
"""

CLOSING = """\
    ;

}  // namespace detail
}  // namespace HEADRACE_ABI
}  // namespace headrace
"""


def leading_bits(q: int) -> int:
    """The first 128 bits of 5**q, cut off, top bit set."""
    if q >= 0:
        power = 5**q
        shift = 128 - power.bit_length()
        return power << shift if shift >= 0 else power >> -shift
    divisor = 5**-q  # never a power of two: the quotient below has exactly 128 bits
    return (1 << (divisor.bit_length() + 127)) // divisor


def header() -> str:
    """The text of powers_table.hpp."""
    powers = []
    for q in range(MIN, MAX + 1):
        bits = leading_bits(q)
        if bits.bit_length() != 128:
            raise AssertionError(f"5^{q} has {bits.bit_length()} bits")
        if bits % 2**64 == 2**64 - 1:
            raise AssertionError(f"rounding 5^{q} up would carry into its high half")
        powers.append("".join(f"\\x{bits >> place & (2**32 - 1):08x}" for place in (0, 32, 64, 96)))
    pairs = (f'U"{"".join(powers[i : i + 2])}"' for i in range(0, len(powers), 2))
    rows = (f"    {pair:83}  // {q}\n" for q, pair in zip(range(MIN, MAX + 1, 2), pairs, strict=True))
    return OPENING + "".join(rows) + CLOSING


if __name__ == "__main__":
    sys.exit(write_or_check("tools/generate_powers.py", __doc__, HEADER, header()))
