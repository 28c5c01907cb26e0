"""Seeded generators that write a benchmark's input and know its answer.

A generator is a function (to, random, settings...) that writes text in chunks, so that its memory stays
bounded, and returns what it made. The keys of a benchmark's [input] table are its parameters.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from headrace.base.errors import BadInput
from headrace.base.later import Later
from headrace.processes import launch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Random = np.random.Generator
    Bytes = npt.NDArray[np.uint8]
else:
    np = Later("numpy")

COMMAND_TIMEOUT = 3600.0  # seconds that a command may take to make an input
VERSION = 1  # of the generators: a change of what they write makes new files
CHUNK = 1 << 18  # values made at a time


@dataclass(frozen=True)
class Made:
    """The work of a generator: its tokens, and the answer (None: the input itself, or `output`)."""

    tokens: int
    answer: str | None
    output: bytes = b""  # all that a program has to print, where it is not the input


def digits(values: npt.NDArray[np.int64] | npt.NDArray[np.uint64], after: Bytes) -> bytes:
    """Return the decimal text of each value followed by its byte of `after` (a separator).

    Every value gets a row of a fixed width, filled from the right; leading zeros are then dropped by one
    mask.
    """
    if values.size == 0:
        return b""
    negative = values < 0
    # Modulo 2^64, the magnitude of the minimum int64 comes out right too.
    rest = np.where(negative, np.negative(values.astype(np.uint64)), values.astype(np.uint64))
    width = len(str(int(rest.max())))
    rest = rest.astype(np.uint32) if width <= 9 else rest
    text = np.empty((values.size, width + 2), dtype=np.uint8)
    keep = np.empty(text.shape, dtype=bool)
    text[:, width + 1] = after
    keep[:, width + 1] = True
    for column in range(width, 0, -1):
        keep[:, column] = rest != 0
        quotient = rest // 10
        text[:, column] = rest - quotient * 10 + ord("0")
        rest = quotient
    keep[:, width] = True  # a zero keeps one digit
    keep[:, 0] = False
    if negative.any():
        first = width + 1 - keep[:, 1 : width + 1].sum(axis=1)
        text[negative, first[negative] - 1] = ord("-")
        keep[negative, first[negative] - 1] = True
    kept: bytes = text[keep].tobytes()
    return kept


def _chunks(total: int, size: int = CHUNK) -> Iterator[int]:
    for start in range(0, total, size):
        yield min(size, total - start)


def _fold(answer: str, total: int, values: npt.NDArray[np.int64] | npt.NDArray[np.uint64]) -> int:
    """Add a chunk to what was made so far: to an exact sum, an exclusive or, or a count."""
    if answer == "xor":
        return total ^ int(np.bitwise_xor.reduce(values))
    if answer == "count":
        return total + int(values.size)
    if values.dtype == np.uint64 or np.abs(values).max(initial=0) > 2**40:
        exact: list[int] = values.tolist()  # type: ignore[assignment]
        return total + sum(exact)
    return total + int(values.sum())


def _wrapped(answer: str, total: int, bits: int = 64) -> int:
    """Return a sum as a program gets it that adds in 64 bits with wrap-around."""
    if answer != "sum":
        return total
    total &= (1 << bits) - 1
    return total - (1 << bits) if total >> (bits - 1) else total


def ints(
    to: BinaryIO,
    random: Random,
    rows: int = 10_000,
    columns: int = 1_000,
    low: int = -1_000_000,
    high: int = 999_999,
    answer: str = "sum",
) -> Made:
    """Write "rows columns", then rows lines of integers in [low, high], separated by one space."""
    to.write(f"{rows} {columns}\n".encode())
    total = 0
    for count in _chunks(rows, max(1, CHUNK // max(1, columns))):
        values = random.integers(low, high, size=count * columns, dtype=np.int64, endpoint=True)
        to.write(digits(values, _ends(count, columns, " ")))
        total = _fold(answer, total, values)
    return Made(rows * columns, str(_wrapped(answer, total)))


def unsigned(
    to: BinaryIO,
    random: Random,
    count: int = 10_000_000,
    bits: int = 64,
    per_line: int = 13,
    answer: str = "xor",
) -> Made:
    """Write unsigned integers of `bits` bits, broken into lines at random, about `per_line` numbers each."""

    def draw(size: int) -> npt.NDArray[np.uint64]:
        return random.integers(0, (1 << bits) - 1, size=size, dtype=np.uint64, endpoint=True)

    total = _integers(to, random, count, per_line, answer, draw)
    return Made(count, str(total & ((1 << 64) - 1)))


def mixed(
    to: BinaryIO, random: Random, count: int = 10_000_000, per_line: int = 13, answer: str = "sum"
) -> Made:
    """Write signed integers of every length from 1 to 19 digits, all equally likely."""

    def draw(size: int) -> npt.NDArray[np.int64]:
        lengths = random.integers(1, 20, size=size)
        tops = np.minimum(10.0**lengths, float(2**63 - 1024)).astype(np.int64)
        values = random.integers(0, tops, dtype=np.int64)
        return np.multiply(values, random.choice(np.array([-1, 1]), size=size))

    return Made(count, str(_wrapped(answer, _integers(to, random, count, per_line, answer, draw))))


def _integers(
    to: BinaryIO,
    random: Random,
    count: int,
    per_line: int,
    answer: str,
    draw: Callable[[int], npt.NDArray[np.int64] | npt.NDArray[np.uint64]],
) -> int:
    total = 0
    for size in _chunks(count):
        values = draw(size)
        to.write(digits(values, _separators(random, size, per_line)))
        total = _fold(answer, total, values)
    to.write(b"\n")
    return total


def _ends(rows: int, columns: int, separator: str) -> Bytes:
    """Return what comes after each field of some rows: a separator, and after the last one a line's end."""
    after = np.full((rows, columns), ord(separator), dtype=np.uint8)
    after[:, -1] = ord("\n")
    return after.reshape(-1)


def _separators(random: Random, size: int, per_line: int) -> Bytes:
    """Return what comes after each of `size` tokens: a blank, or a line's end after about `per_line`."""
    return np.where(random.integers(0, per_line, size=size) == 0, ord("\n"), ord(" ")).astype(np.uint8)


def _coordinates(random: Random, size: int) -> npt.NDArray[np.float64]:
    """Return degrees as on a map of Canada: half of them longitudes, from -140 to -50, half latitudes."""
    return np.where(
        random.integers(0, 2, size=size) == 0,
        random.uniform(-140.0, -50.0, size=size),
        random.uniform(40.0, 80.0, size=size),
    )


def _scaled(random: Random, size: int) -> npt.NDArray[np.float64]:
    """Return numbers of all magnitudes from 10^-200 to 10^200."""
    powers: npt.NDArray[np.float64] = np.power(10.0, random.integers(-200, 200, size=size))
    return np.multiply(random.uniform(-0.5, 0.5, size=size), powers)


# How doubles are drawn and written (None: the shortest digits that give them back), by the name of the style.
STYLES: Mapping[str, tuple[Callable[[Random, int], npt.NDArray[np.float64]], str | None]] = {
    "shortest": (lambda random, size: random.uniform(-1000.0, 1000.0, size=size), None),
    "fixed": (lambda random, size: np.round(random.uniform(-1000.0, 1000.0, size=size), 6), ".6f"),
    "digits17": (lambda random, size: random.uniform(0.0, 1.0, size=size), ".17g"),
    "places": (lambda random, size: np.exp(random.uniform(0.0, math.log(1e4), size=size)), ".2f"),
    "coordinates": (_coordinates, ".12f"),
    "whole": (lambda random, size: random.integers(0, 1000, size=size).astype(np.float64), ".0f"),
    "exponents": (_scaled, ".6e"),
    "magnitudes": (_scaled, None),
}


def doubles(
    to: BinaryIO, random: Random, count: int = 1_000_000, per_line: int = 8, style: str = "shortest"
) -> Made:
    """Write doubles of a style, one of STYLES: "shortest" and "fixed" (six decimals) are in [-1000, 1000).

    The answer is the correctly rounded sum of what is written, so the benchmark needs a tolerance.
    Raises BadInput for another style.
    """
    _check_one_of(STYLES, "style", style)
    draw, form = STYLES[style]
    sums = []
    for size in _chunks(count):
        plain: list[float] = draw(random, size).tolist()  # type: ignore[assignment]
        texts = [repr(value) if form is None else format(value, form) for value in plain]
        lines = (" ".join(texts[start : start + per_line]) for start in range(0, size, per_line))
        to.write(("\n".join(lines) + "\n").encode())
        sums.append(math.fsum(map(float, texts)))
    return Made(count, repr(math.fsum(sums)))


def _check_one_of(known: Iterable[str], key: str, value: str) -> None:
    if value not in known:
        raise BadInput(f'{key} = "{value}" is none of {", ".join(known)}')


NAMES = ("alpha", "beta", "gamma", "delta-7", "epsilon", "zeta", "eta", "theta_long")


def table(to: BinaryIO, random: Random, rows: int = 3_000_000, quoted: float = 0.0) -> Made:
    """Write rows of id,name,price,quantity,flag; a share `quoted` of the names is in quotes, with a comma.

    The answer is the sum of all numbers, so the benchmark needs a tolerance.
    """
    whole, cents = 0, 0
    for size in _chunks(rows):
        ids = random.integers(0, 100_000_000, size=size)
        kinds = random.integers(0, len(NAMES), size=size)
        prices = random.integers(0, 10_000_000, size=size)
        quantities = random.integers(-1000, 100_000, size=size)
        flags = random.integers(0, 2, size=size)
        in_quotes = random.random(size) < quoted
        kind_list: list[int] = kinds.tolist()  # type: ignore[assignment]
        wrapped_list: list[bool] = in_quotes.tolist()  # type: ignore[assignment]
        names = [
            f'"{NAMES[kind]},{kind}"' if wrapped else NAMES[kind]
            for kind, wrapped in zip(kind_list, wrapped_list, strict=True)
        ]
        numbers = np.stack([ids, prices, quantities, flags], axis=1)
        rows_of_numbers: list[list[int]] = numbers.tolist()  # type: ignore[assignment]
        lines = [
            f"{key},{name},{price // 100}.{price % 100:02},{quantity},{flag}\n"
            for name, (key, price, quantity, flag) in zip(names, rows_of_numbers, strict=True)
        ]
        to.write("".join(lines).encode())
        whole += int(ids.sum() + quantities.sum() + flags.sum())
        cents += int(prices.sum())
    return Made(rows * 5, repr(whole + cents / 100))


def grid(
    to: BinaryIO, random: Random, rows: int = 1_000_000, columns: int = 10, numbers: str = "ints"
) -> Made:
    """Write rows of numbers with commas between: "ints" below a million, or "doubles" with nine decimals.

    The answer is their sum, so the benchmark needs a tolerance.
    """
    sums = []
    for size in _chunks(rows, max(1, CHUNK // max(1, columns))):
        if numbers == "doubles":
            values = random.integers(0, 10**12, size=size * columns, dtype=np.int64)
            plain: list[int] = values.tolist()  # type: ignore[assignment]
            texts = [f"{value // 10**9}.{value % 10**9:09}" for value in plain]
            lines = (",".join(texts[at : at + columns]) for at in range(0, size * columns, columns))
            to.write(("\n".join(lines) + "\n").encode())
            sums.append(int(values.sum()) / 1e9)
        else:
            values = random.integers(-1_000_000, 1_000_000, size=size * columns, dtype=np.int64)
            to.write(digits(values, _ends(size, columns, ",")))
            sums.append(float(values.sum()))
    return Made(rows * columns, repr(math.fsum(sums)))


# Files of text by the name of their kind: columns, the longest field, and which share of fields is in quotes.
FIELDS: Mapping[str, tuple[int, int, float]] = {
    "short": (10, 6, 0.0),
    "long": (10, 200, 0.0),
    "quoted": (10, 20, 0.5),
    "wide": (15_000, 10, 0.0),
    "many": (2, 4, 0.0),
}
DOUBLED = 0.1  # share of the fields in quotes that hold a quote


def fields(to: BinaryIO, random: Random, size: int = 100_000_000, kind: str = "short") -> Made:
    """Write about `size` bytes of rows of letters with commas between, of a kind, one of FIELDS.

    The kinds are short or long fields, half of them in quotes with a comma and some with a quote, wide rows
    of 15,000 columns, and many rows of two. The answer is "fields bytes", without quotes around them and with
    one for two. Raises BadInput for another kind.
    """
    _check_one_of(FIELDS, "kind", kind)
    columns, longest, share = FIELDS[kind]
    rows = max(1, 2 * size // (columns * (longest + 3)))
    total = 0
    for some in _chunks(rows, max(1, CHUNK // 4 // columns)):
        count = some * columns
        lengths = random.integers(1, longest + 1, size=count)
        is_quoted = random.random(count) < share
        has_quote = is_quoted & (lengths > 2) & (random.random(count) < DOUBLED)
        text = random.integers(ord("a"), ord("z") + 1, size=(count, longest + 3), dtype=np.uint8)
        text[is_quoted, 1] = ord(",")
        text[has_quote, 2:4] = ord('"')
        text[is_quoted, 0] = text[is_quoted, lengths[is_quoted] + 1] = ord('"')
        ends = lengths + 1 + is_quoted
        text[np.arange(count), ends] = _ends(some, columns, ",")
        place = np.arange(longest + 3)
        to.write(text[(place <= ends[:, None]) & ((place > 0) | is_quoted[:, None])].tobytes())
        total += int(lengths.sum() - has_quote.sum())
    return Made(rows * columns, f"{rows * columns} {total}")


def words(
    to: BinaryIO, random: Random, count: int = 10_000_000, longest: int = 12, per_line: int = 10
) -> Made:
    """Write words of 1 to `longest` letters. The answer is "count letters", both numbers."""
    letters = 0
    for size in _chunks(count):
        lengths = random.integers(1, longest + 1, size=size)
        text = random.integers(ord("a"), ord("z") + 1, size=(size, longest + 1), dtype=np.uint8)
        to.write(_cut(text, lengths, _separators(random, size, per_line)))
        letters += int(lengths.sum())
    to.write(b"\n")
    return Made(count, f"{count} {letters}")


def _cut(text: Bytes, lengths: npt.NDArray[np.int64], after: Bytes | int) -> bytes:
    """Return rows of letters, each cut to its length, with what comes after it."""
    text[np.arange(len(text)), lengths] = after
    cut: bytes = text[np.arange(text.shape[1]) <= lengths[:, None]].tobytes()
    return cut


def lines(to: BinaryIO, random: Random, count: int = 1_000_000, longest: int = 120) -> Made:
    """Write lines of 0 to `longest` characters. The answer is "count characters", without line ends."""
    total = 0
    for size in _chunks(count, CHUNK // 4):
        lengths = random.integers(0, longest + 1, size=size)
        text = random.integers(ord(" "), ord("~") + 1, size=(size, longest + 1), dtype=np.uint8)
        to.write(_cut(text, lengths, ord("\n")))
        total += int(lengths.sum())
    return Made(count, f"{count} {total}")


def text(to: BinaryIO, random: Random, size: int = 1 << 30) -> Made:
    """Write `size` bytes of printable lines of 80 characters. The answer is the input itself: a copy."""
    for count in _chunks(size, CHUNK * 16):
        block = random.integers(ord(" "), ord("~") + 1, size=count, dtype=np.uint8)
        block[79::80] = ord("\n")
        to.write(block.tobytes())
    return Made(size, None)


def records(to: BinaryIO, random: Random, count: int = 2_000_000, longest: int = 12) -> Made:
    """Write lines of a word of 1 to `longest` letters, an integer and a double.

    The doubles are multiples of 1/64 below 2^20 with up to six decimals, so that their sum is exact in any
    order. The answer is "letters sum-of-integers sum-of-doubles", the last as printf writes it by %.17g.
    """
    letters, total, parts = 0, 0, 0
    for size in _chunks(count, CHUNK // 4):
        lengths = random.integers(1, longest + 1, size=size)
        alphabet = random.integers(ord("a"), ord("z") + 1, size=(size, longest), dtype=np.uint8)
        integers = random.integers(-(10**6), 10**6, size=size)
        parted = random.integers(-(2**26), 2**26, size=size)  # doubles in 1/64
        plain: list[int] = parted.tolist()  # type: ignore[assignment]
        words = [row.tobytes().decode() for row in alphabet]  # each of `longest` letters, then cut
        rows = zip(words, lengths, integers, plain, strict=True)
        text = (f"{word[:end]} {x} {part / 64:.6f}\n" for word, end, x, part in rows)
        to.write("".join(text).encode())
        letters += int(lengths.sum())
        total += int(integers.sum())
        parts += int(parted.sum())
    return Made(3 * count, f"{letters} {total} {parts / 64:.17g}")


def written_ints(to: BinaryIO, random: Random, count: int = 100_000, rounds: int = 100) -> Made:
    """Write what a program prints that makes `count` integers and writes them `rounds` times, one per line.

    They come from x -> 1664525 x + 1013904223 (mod 2^32), starting at 1: (x >> 11) % 2000000 - 1000000.
    """
    states = _congruential(count, 1664525, 1013904223, 32)
    values = np.array([(state >> 11) % 2_000_000 - 1_000_000 for state in states], dtype=np.int64)
    block = digits(values, np.full(count, ord("\n"), dtype=np.uint8))
    for _ in range(rounds):
        to.write(block)
    return Made(count * rounds, None)


def written_doubles(to: BinaryIO, random: Random, count: int = 100_000, rounds: int = 20) -> Made:
    """Write what a program prints that makes `count` doubles and writes them `rounds` times, one per line.

    They come from x -> 6364136223846793005 x + 1442695040888963407 (mod 2^64), starting at 1: the top
    53 bits as a fraction, times 2000, less 1000; in the shortest text that gives them back.
    """
    states = _congruential(count, 6364136223846793005, 1442695040888963407, 64)
    texts = [repr((state >> 11) * 2.0**-53 * 2000 - 1000) for state in states]
    block = ("\n".join(texts) + "\n").encode()
    for _ in range(rounds):
        to.write(block)
    return Made(count * rounds, None)


def _congruential(count: int, factor: int, addend: int, bits: int) -> Iterator[int]:
    """Yield what follows 1 by x -> factor x + addend (mod 2^bits)."""
    state = 1
    for _ in range(count):
        state = (state * factor + addend) & ((1 << bits) - 1)
        yield state


def blocks(to: BinaryIO, random: Random, count: int = 100, size: int = 1 << 20) -> Made:
    """Write a block of `size` letters `count` times. The answer is the input itself."""
    block = (bytes(range(ord("a"), ord("z") + 1)) * (size // 26 + 1))[:size]
    for _ in range(count):
        to.write(block)
    return Made(count, None)


def none(to: BinaryIO, random: Random, answer: str = "") -> Made:
    """Write nothing. `answer` is what a program prints."""
    return Made(0, answer)


def amount(to: BinaryIO, random: Random, bytes: int = 100 << 20) -> Made:
    """Write nothing: a program is told to write `bytes` bytes, and answers how many of them it wrote."""
    return Made(bytes, str(bytes))


def _up_to(random: Random, most: int, count: int) -> list[int]:
    """Return `count` random numbers from 0 to `most`, which may have more than 64 bits."""
    size, used = 20, 17  # a draw is of whole words of four bytes, as it is where each number is drawn alone
    found: list[int] = []
    while len(found) < count:
        drawn = random.bytes(size * (count - len(found)))
        values = (int.from_bytes(drawn[i : i + used], "little") for i in range(0, len(drawn), size))
        found += [value for each in values if (value := each >> (8 * used - most.bit_length())) <= most]
    return found


def _uniform(random: Random, digits: int, count: int) -> list[tuple[int, int]]:
    values = _up_to(random, 10**digits, 2 * count)
    return list(zip(values[::2], values[1::2], strict=True))


def _of_equal_length(random: Random, digits: int) -> tuple[int, int]:
    length = int(random.integers(1, digits + 1))
    low = 10 ** (length - 1) if length > 1 else 0
    a, b = _up_to(random, 10**length - 1 - low, 2)
    return low + a, low + b


def _carrying(random: Random, digits: int) -> tuple[int, int]:
    value = 10 ** int(random.integers(1, digits)) + int(random.integers(0, 10))
    return value, 10**digits - value


# How pairs are drawn whose numbers have up to `digits` digits, or are 10^digits.
PAIRS: Mapping[str, Callable[[Random, int, int], list[tuple[int, int]]]] = {
    "uniform": _uniform,
    "digits": lambda random, digits, count: [_of_equal_length(random, digits) for _ in range(count)],
    "greatest": lambda _, digits, count: [(10**digits, 10**digits)] * count,
    "zero": lambda _, digits, count: [(0, 0)] * count,
    "carries": lambda random, digits, count: [_carrying(random, digits) for _ in range(count)],
}


def pairs(
    to: BinaryIO,
    random: Random,
    count: int = 1_000_000,
    digits: int = 18,
    negative: float = 0.0,
    kind: str = "uniform",
) -> Made:
    """Write `count`, then so many lines of two integers: Library Checker's "Many A + B".

    The kind is one of PAIRS: uniform up to 10^digits, by number of digits, all 10^digits, all zero, sums
    with a carry at each digit. A share `negative` of the pairs is negative. The output is the sums, one per
    line. Raises BadInput for another kind.
    """
    _check_one_of(PAIRS, "kind", kind)
    to.write(f"{count}\n".encode())
    sums: list[str] = []
    for size in _chunks(count):
        signs: list[int] = np.where(random.random(size) < negative, -1, 1).tolist()  # type: ignore[assignment]
        found = PAIRS[kind](random, digits, size)
        drawn = [(sign * a, sign * b) for sign, (a, b) in zip(signs, found, strict=True)]
        to.write("".join(f"{a} {b}\n" for a, b in drawn).encode())
        sums += [f"{a + b}\n" for a, b in drawn]
    return Made(2 * count, None, "".join(sums).encode())


def repeated(to: BinaryIO, random: Random, line: str = "Hello World!\n", count: int = 100_000) -> Made:
    """Write the output expected of a program that reads nothing: a text, `count` times."""
    for size in _chunks(count, 1 << 16):
        to.write(line.encode() * size)
    return Made(count, None)


def numbered(to: BinaryIO, random: Random, line: str = "hello! ", count: int = 1_000_000) -> Made:
    """Write the output expected of a program that reads nothing: lines that end in 0, 1, 2 and so on."""
    start = 0
    for size in _chunks(count):
        to.write("".join(f"{line}{number}\n" for number in range(start, start + size)).encode())
        start += size
    return Made(count, None)


def file(
    to: BinaryIO, random: Random, path: str = "", answer: str = "agree", tokens: int = 0, folder: str = ""
) -> Made:
    """Take a file of your own as it is, `path` from the benchmark's folder.

    The answer is a text; "input", the file itself; or "agree", what all contenders agree on. Without
    `tokens` its words are counted.
    """
    raise AssertionError("a file of the user's is not made")


def command(
    to: BinaryIO, random: Random, command: str = "", answer: str = "agree", tokens: int = 0, folder: str = ""
) -> Made:
    """Take what a command prints, which is run in the benchmark's folder, without a shell.

    It runs again when it, or a file that it names, has changed. The answer is as for `file`.
    """
    to.flush()
    words = shlex.split(command)
    done = launch.call(words, timeout=COMMAND_TIMEOUT, cwd=Path(folder), to=to)
    if not done.ok:
        how = done.last_words or f"it ended with {done.code}"
        raise BadInput(f"the input's command, {command}, did not make it: {how}")
    return Made(tokens, answer)


Generator = Callable[..., Made]


INPUTS: tuple[Generator, ...]  # these write what a program reads
INPUTS = (ints, unsigned, mixed, doubles, table, grid, fields, words, lines, records, pairs, text)
OWN: tuple[Generator, ...] = (file, command)  # a user's text, which nobody here knows the answer of
TASKS: tuple[Generator, ...] = (none, amount)  # these write nothing at all
OUTPUTS: tuple[Generator, ...]  # these write what is expected, not what is read
OUTPUTS = (repeated, numbered, written_ints, written_doubles, blocks)
GENERATORS: dict[str, Generator] = {one.__name__: one for one in (*INPUTS, *OWN, *TASKS, *OUTPUTS)}
