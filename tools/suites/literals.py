"""Tables of numbers in C++ sources, read without a compiler."""

from __future__ import annotations

import re
import struct
from fractions import Fraction

from cases import UnknownLayout

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^",()]+|[,()]')
NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
NAMED = {"NAN": "nan", "INFINITY": "inf", "double_nan_payload": "nan", "float_nan_payload": "nan"}
NAMED |= {"double_nan": "nan", "float_nan": "nan", "double_inf": "inf", "float_inf": "inf"}
LIMITS = {"FLT_MIN": "00800000", "FLT_MAX": "7F7FFFFF"}


def without_comments(text: str) -> str:
    """Blank out comments; no string of these tables has two slashes."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def fields(text: str) -> list[str]:
    """Split at commas outside parentheses and strings; adjacent strings are one, in quotes."""
    found, depth = [""], 0
    for word in WORD.findall(text):
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            found.append("")
        elif word.startswith('"') and found[-1].endswith('"'):
            found[-1] = found[-1][:-1] + word[1:]
        else:
            found[-1] += word.strip()
    return found


def string(text: str) -> str:
    """Return what a string literal holds. Raises UnknownLayout."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"' or "\\" in text:
        raise UnknownLayout(f"{text[:60]} is not a plain string")
    return text[1:-1]


def calls(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the line and the arguments of each call of a macro; not its definition."""
    found = []
    for start in re.finditer(rf"(?<!define )\b{name}\(", text):
        end, depth = start.end(), 1
        while depth != 0 and end < len(text):
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        found.append((text.count("\n", 0, start.start()) + 1, fields(text[start.end() : end - 1])))
    return found


def rows(text: str, table: str) -> list[tuple[int, list[str]]]:
    """Return the line and the fields of each row of the arrays that match. Raises UnknownLayout."""
    found = []
    for start in re.finditer(rf"{table}\[\] = \{{", text):
        end = text.index("};", start.end())
        for row in re.finditer(r"\{([^{}]+)\}", text[start.end() : end]):
            line = text.count("\n", 0, start.end() + row.start()) + 1
            found.append((line, [one for one in fields(row[1]) if one]))
    if not found:
        raise UnknownLayout(f"no table that is declared as {table}[]")
    return found


def _float32(exact: Fraction) -> bytes:
    """Return the bytes of the nearest float, rounded once."""
    try:
        near = int.from_bytes(struct.pack(">f", float(exact)), "big")
    except OverflowError:
        return struct.pack(">f", float("inf") if exact > 0 else float("-inf"))
    best = min(
        (bits for bits in (near - 1, near, near + 1) if 0 <= bits & 0x7FFFFFFF < 0x7F800000),
        key=lambda bits: (abs(_value32(bits) - exact), bits & 1),
    )
    return best.to_bytes(4, "big")


def _value32(bits: int) -> Fraction:
    return Fraction(struct.unpack(">f", (bits & 0xFFFFFFFF).to_bytes(4, "big"))[0])


def bits_of(expression: str, kind: str) -> str | None:
    """Return the bits of a value of type f or d in hexadecimal; None where only a compiler knows them."""
    text = expression.replace(" ", "")
    negative = text.startswith("-")
    name = text.lstrip("-")
    if name in NAMED:
        value = float(NAMED[name])
        return struct.pack(f">{kind}", -value if negative else value).hex().upper()
    if name in LIMITS and kind == "f":
        return LIMITS[name]
    if found := re.fullmatch(r"int(?:64Bits2Double|32Bits2Float)\((0x[0-9a-fA-F]+|\d+)u?\)", text):
        return f"{int(found[1], 0):0{16 if kind == 'd' else 8}X}"
    if found := re.fullmatch(r"ieeeParts2Double\((true|false),(\d+),(\d+|maxMantissa)\)", text):
        mantissa = (1 << 53) - 1 if found[3] == "maxMantissa" else int(found[3])
        bits = (found[1] == "true") << 63 | int(found[2]) << 52
        return f"{bits | mantissa:016X}"
    literal = text if "x" in text.lower() and "p" not in text.lower() else re.sub(r"[fF]$", "", text)
    if NUMBER.fullmatch(literal) is None:
        return None
    if kind == "d" and literal != text:
        return None  # a float that is widened
    value = float.fromhex(literal) if "x" in literal.lower() else float(literal)
    if kind == "d":
        return struct.pack(">d", value).hex().upper()
    exact = Fraction(value) if "x" in literal.lower() else Fraction(literal)
    return "80000000" if negative and exact == 0 else _float32(exact).hex().upper()
