#!/usr/bin/env python3
"""Writes include/headrace/detail/digits.hpp: the numbers below 1000 as text, in two string literals.

Usage: python3 tools/generate_digits.py [--check] [FILE]

Without FILE the header in this repository is meant. With --check nothing is written: the exit code is 1 if the
file differs from what would be written.
"""

import sys

from generated import ROOT, write_or_check

HEADER = ROOT / "include" / "headrace" / "detail" / "digits.hpp"

OPENING = """\
// headrace/detail/digits.hpp: the numbers below 1000 as text, four bytes each. String literals, because a compiler
// reads them forty times faster than it evaluates a constexpr table.
// Written by tools/generate_digits.py: change that, not this.
#pragma once

#include "../config.hpp"

namespace headrace {
inline namespace HEADRACE_ABI {
namespace detail {

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
        + "// Three digits and a space.\n"
        + "alignas(64) inline constexpr char three_digits[] =\n"
        + literal(padded)
        + "\n// No leading zeros; the fourth byte says how many digits there are.\n"
        + "alignas(64) inline constexpr char leading_digits[] =\n"
        + literal(leading)
        + "\n}  // namespace detail\n}  // namespace HEADRACE_ABI\n}  // namespace headrace\n"
    )


if __name__ == "__main__":
    sys.exit(write_or_check("tools/generate_digits.py", __doc__, HEADER, header()))
