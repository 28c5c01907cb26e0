"""Prove with CBMC that the digit steps, the index and the conversion of a group are a loop over bytes.

CBMC reads C. Its text is not written by hand: `translate` makes it from the headers, mechanically, and
stops where it meets what it does not know. The instructions are those of detail/simd/model.hpp; the test of
primitives shows that the real ones do the same. What is proved, and for how many bytes, is at the top of
each file in tools/proofs.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
DETAIL = TOP / "include/headrace/detail"
PROOFS = TOP / "tools/proofs"
BOUND = 16  # bytes of a window
UNWIND = {"digits": 10, "index": 258, "group": 18}  # rounds of loops: CBMC says so where these are too few

# What is translated: of each file these functions and types, in this order; () is all of it.
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("read_digits.hpp", ("is_whitespace", "load_eight", "every_byte", "not_digits", "join_eight_digits")),
    ("read_digits.hpp", ("join_eight_in_steps", "last_digits")),
    ("parse_tokens.hpp", ("integer_range", "store_value", "apply_sign", "parse_any_integer")),
    ("parse_tokens.hpp", ("parse_eight_digits",)),
    ("simd/bit_places.hpp", ("running_counts",)),
    ("simd/generic/vectors.hpp", ("bytes", "signed_bytes", "dwords", "qwords", "words_of_16")),
    ("simd/generic/vectors.hpp", ("load", "digit_block")),
    ("simd/model.hpp", ("all_bytes", "in_each_lane", "lookup", "mask_of_bytes", "max_signed")),
    ("simd/model.hpp", ("word_at", "set_word", "add_pairs", "add_pairs_of_words", "pack_words")),
    ("simd/model.hpp", ("even_dwords", "widen", "widen_places", "load_last_8")),
    ("simd/generic/check_digits.hpp", ("places_of_signs", "find_wrong")),
    (
        "simd/generic/convert.hpp",
        ("join_fours", "load_digits", "find_unsigned", "store_values", "load_group", "join_group"),
    ),
    ("simd/generic/convert.hpp", ("convert_group",)),
    ("simd/generic/scan_bytes.hpp", ("whitespace", "newlines")),
    ("simd/model.hpp", ("mask_of_block",)),
    ("simd/generic/scan_bytes.hpp", ("mask_of_solid", "mask_of_newlines", "place_writer")),
    ("simd/generic/index.hpp", ("index_tokens", "index_newlines")),
)

# A vector with a number: CBMC wants a vector on both sides. Each has to be there, or
# the headers have changed.
BROADCASTS = {
    "(dwords)((qwords)(pairs) >> 16)": "(dwords)shift_right((qwords)(pairs), 16)",
    "16) & 0xffff": "16) & all_dwords(0xffff)",
    "pairs & 0xffff)": "pairs & all_dwords(0xffff))",
    "(lengths > 8)": "(lengths > all_dwords(8))",
    "all_bytes(every_byte(0x80))) == 0)": "all_bytes(every_byte(0x80))) == all_qwords(0))",
    "((words_of_16){0}) + (uint16_t)(at)": "all_words((uint16_t)(at))",
    "+ offset + (uint16_t)(8 * k)": "+ offset + all_words((uint16_t)(8 * k))",
    "place_writer::skips_nothing || newlines": "newlines",  # and a constant of this kind of writer
}

PRELUDE = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef int errc;
enum { errc_none, errc_invalid_argument, errc_result_out_of_range };
#define likely(condition) (condition)
#define unlikely(condition) (condition)
#define vector_size_in_bytes 16
#define Width WIDTH
static const unsigned char last_of_sixteen[32] = {[16 ... 31] = 0xff};
"""
AFTER_VECTORS = """\
static qwords all_qwords(uint64_t value) { return (qwords){value, value}; }
static dwords all_dwords(int32_t value) { return (dwords){value, value, value, value}; }
static words_of_16 all_words(uint16_t value) {
  words_of_16 result;
  for (int i = 0; i < 8; ++i) result[i] = value;
  return result;
}
static qwords shift_right(qwords a, unsigned by) { return (qwords){a[0] >> by, a[1] >> by}; }
static struct { unsigned char of[256][8]; } table; /* bit_places, which proofs fill by its definition */
"""


class Unknown(Exception):
    """The headers have something that is not translated."""


# --- taking functions out of a header


def without_comments(text: str) -> str:
    """Return C++ without comments and without what is for processors whose first byte is the highest."""
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__.*?#endif\n", "", text, flags=re.DOTALL)


def end_of_block(text: str, at: int) -> int:
    """Return where the braces that open at or after `at` are closed."""
    depth = 0
    for place in range(text.index("{", at), len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise Unknown("a brace that nothing closes")


def definition(text: str, name: str) -> str:
    """Return the definition of a function, of a struct, or of an alias."""
    if alias := re.search(
        rf"^using {name} = (.*) __attribute__\(\(vector_size\((\w+)\)\)\);", text, re.MULTILINE
    ):
        return f"typedef {alias[1]} {name} __attribute__((vector_size(16)));\n"
    if struct := re.search(rf"^struct {name} {{", text, re.MULTILINE):
        return text[struct.start() : end_of_block(text, struct.start())] + ";\n"
    for start in re.finditer(rf"^[^\n{{}};#]*\b{name}\(", text, re.MULTILINE):
        end = text.find("{", start.end())
        if end > 0 and ";" not in text[start.start() : end]:
            return text[start.start() : end_of_block(text, end)] + "\n"
    raise Unknown(f"no definition of {name}")


# --- C++ to C


def split_arguments(text: str) -> list[str]:
    """Return the arguments of a call, whose text ends with its closing parenthesis."""
    parts: list[str] = []
    depth = begin = 0
    for at, byte in enumerate(text):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(byte, 0)
        if depth < 0:
            return [*parts, text[begin:at]]
        if byte == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    raise Unknown("a parenthesis that nothing closes")


def expression(text: str) -> str:
    """Translate what is inside functions, word by word."""
    for old, new in (
        (r"__attribute__\(\(noinline\)\)|\b(?:HEADRACE_INLINE|noexcept|constexpr|inline)\b", ""),
        (r"\bstatic_assert\([^;]*;", ""),
        (r"\bstatic_cast<([^<>]*)>\(", r"(\1)("),
        (r"\bstd::errc::(\w+)", r"errc_\1"),
        (r"\bstd::errc{}", "errc_none"),
        (r"\bstd::|\b__builtin_(?=memcpy\()", ""),
        (r"(?<![\w)] )(?<!\w)\b(u?int\d+_t|unsigned|size_t)\((?!\*)", r"(\1)("),
        (r"\b((?:signed_)?bytes|dwords|qwords|words_of_16)\(", r"(\1)("),
        (r"\b(bytes|dwords|qwords|words_of_16){}", r"((\1){0})"),
        (r"\b(bytes|dwords|qwords|words_of_16){([^{}]+)}", r"((\1){\2})"),
        (r"\b(bytes|dwords|qwords|words_of_16) (\w+){};", r"\1 \2 = {0};"),
        (r"\bconst auto signs = places_of_signs", "const uint32_t signs = places_of_signs"),
        (r"\bconst auto (length|digit) = \((\w+)\)", r"const \2 \1 = (\2)"),
        (r"\bconst auto (narrow) = \((\w+)\)", r"const \2 \1 = (\2)"),
        (r"<Width>", ""),
        (r"\bvector_size\b(?!\()", "vector_size_in_bytes"),
        (r"const unsigned char \(&(\w+)\)\[8\]", r"const unsigned char* \1"),
        (r"\bFound::in\(", "FOUND_in("),
        (r", (?:Pattern\.\.\. pattern|pattern\.\.\.)", ""),  # none for these two
        (r"\bmask_of_block<(\w+)>", r"mask_of_block_\1"),
        (r"\bconst place_writer places;", ""),
        (r"\bplaces\.write\(", "write_places("),
        (r"const (digit_block)& ", r"const \1 "),
    ):
        text = re.sub(old, new, text)
    return text


def function(text: str, references: dict[str, list[int]]) -> str:
    """Translate a function; what it takes by reference becomes pointers, which `references` remembers."""
    text = expression(text)
    head, body = text[: text.index("{")], text[text.index("{") :]
    name = re.findall(r"(\w+)\(", head)[0]
    parameters = split_arguments(head[head.index("(") + 1 :])
    places = [i for i, parameter in enumerate(parameters) if "&" in parameter]
    for i in places:
        by_reference = parameters[i].split("&")[1].strip()
        body = re.sub(rf"\b{by_reference}\b", f"(*{by_reference})", body)
    references[name] = places
    head = head.replace("&", "*")
    return "static " + re.sub(r"^\s*static\b", "", head) + body


def pass_addresses(text: str, references: dict[str, list[int]]) -> str:
    """Give addresses to the functions that take references."""
    for name, places in references.items():
        if not places:
            continue
        done = 0
        while call := re.compile(rf"(?<=[ (!&]){name}\(").search(text, done):
            arguments = split_arguments(text[call.end() :])
            done = call.end()
            if not re.match(r"\s*(const )?\w+[ *]+\w", arguments[0]):  # no declaration
                new = [f"&{a.strip()}" if i in places else a for i, a in enumerate(arguments)]
                text = text[:done] + ",".join(new) + text[done + len(",".join(arguments)) :]
    return text


def structure(text: str, name: str, references: dict[str, list[int]]) -> str:
    """Translate a struct of data, a set of bytes (whitespace, newlines), or the writer of places."""
    if name in ("whitespace", "newlines"):
        return function(definition(text.replace(" in(", f" {name}_in("), f"{name}_in"), references)
    if name == "place_writer":
        inside = text.replace(") const noexcept", ") noexcept").replace(" write(", " write_places(")
        inside = inside.replace(" write(", " write_places(")
        names = ("write_byte", "write_places")
        return "".join(function(definition(inside, each), references) for each in names)
    return "typedef " + expression(text).rstrip(";\n") + f" {name};\n"


def translate() -> str:
    """Return the C of all PARTS. Raises Unknown."""
    references: dict[str, list[int]] = {}
    done = [PRELUDE]
    for file, names in PARTS:
        text = without_comments((DETAIL / file).read_text())
        for name in names:
            found = definition(text, name)
            if found.startswith("typedef"):
                done.append(expression(found) + (AFTER_VECTORS if name == "words_of_16" else ""))
            elif found.startswith("struct"):
                done.append(structure(found, name, references))
            elif name == "mask_of_block":
                for kind in ("whitespace", "newlines"):
                    of_kind = found.replace("mask_of_block(", f"mask_of_block_{kind}(")
                    done.append(function(of_kind, references).replace("FOUND", kind))
            else:
                done.append(function(found, references))
    whole = pass_addresses("".join(done), references)
    whole = whole.replace("if  (", "if (")
    for old, new in BROADCASTS.items():
        if old not in whole:
            raise Unknown(f"not in the headers: {old}")
        whole = whole.replace(old, new)
    if left := re.findall(r"\w+::\w+|\btemplate\b|\bauto\b|\w+<\w+>\(", whole):
        raise Unknown(f"not translated: {', '.join(left)}")
    return whole


# --- running


def passed(command: Sequence[str], seconds: float) -> tuple[str, str]:
    """Return "proved", "wrong" or "no end", and what was printed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(seconds, 1))
    except subprocess.TimeoutExpired:
        return "no end", ""
    return "wrong" if done.returncode else "proved", done.stdout + done.stderr


def prove(name: str, folder: Path, width: int, bound: int, seconds: float) -> tuple[str, str]:
    """Run one proof: by CBMC, or as a program where its first word says so."""
    source = folder / f"{name}.c"
    text = (PROOFS / f"{name}.c").read_text()
    source.write_text(translate() + text)
    defines = [f"-DWIDTH={width}", f"-DBOUND={bound}"]
    if text.startswith("// Run:"):
        made, said = passed(["cc", "-O2", *defines, str(source), "-o", str(folder / name)], seconds)
        return passed([str(folder / name)], seconds) if made == "proved" else (made, said)
    checks = ["--no-standard-checks", "--unwinding-assertions", "--unwind", str(UNWIND[name])]
    short = ["--slice-formula", "--drop-unused-functions"]
    return passed(["cbmc", str(source), "--function", "prove", *defines, *checks, *short], seconds)


def main() -> int:
    """Return 0 when all is proved or CBMC is not here, 1 when something is wrong or did not end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bound", type=int, default=BOUND, help="how many bytes of a window (%(default)s)")
    parser.add_argument("--seconds", type=float, default=600, help="for all of it (%(default)s)")
    parser.add_argument("--print", action="store_true", help="print the C that is proved, and prove nothing")
    options = parser.parse_args()
    if options.print:
        print(translate())
        return 0
    for tool, package in (("cbmc", "cbmc"), ("cc", "gcc")):
        if shutil.which(tool) is None:
            print(f"prove: {tool} is not here: skipped (apt-get install {package}, where the system has it)")
            return 0
    end = time.monotonic() + options.seconds
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, width in (("digits", 4), ("index", 4), ("group", 4), ("values", 4), ("values", 8)):
            begin = time.monotonic()
            result, said = prove(name, Path(folder), width, options.bound, end - begin)
            results.append(result)
            about = " ".join(re.findall(r"(?<=// ).*", (PROOFS / f"{name}.c").read_text().split("\n\n")[0]))
            about = about.replace("BOUND", str(options.bound))
            print(
                f"{result} in {time.monotonic() - begin:.0f} s ({width} bytes an integer). {about}",
                flush=True,
            )
            if result == "wrong":
                print("\n".join(line for line in said.splitlines() if "SUCCESS" not in line))
    return 0 if set(results) == {"proved"} else 1


if __name__ == "__main__":
    sys.exit(main())
