"""Shorter C++ by macros: token sequences that come again and again get a name of one or two characters.

Grammar compression on tokens (after N. J. Larsson and A. Moffat, "Offline Dictionary-Based Compression",
1999, with sequences of up to LONGEST tokens for pairs). The preprocessor undoes it before the compiler proper
sees anything, so the program's meaning cannot change. A name occurs nowhere else in the text.
"""

from __future__ import annotations

import itertools
import string
from collections import Counter
from collections.abc import Iterator, Sequence

from headrace.bundle import cpp

LONGEST = 10
LEAST_GAIN = 2  # bytes that a macro must save
# Keywords, a macro of <complex.h>, and functions and a class of std that `using namespace std` brings in.
NEVER = frozenset("do if or and asm for int new not try xor I tm ws j0 j1 jn y0 y1 yn".split())
BATCH = 400  # macros chosen from one count
NEAR_BEST = 0.8  # of the best gain, which the others of a batch must have

Tokens = list[str]


def squeeze(
    runs: Sequence[Sequence[str]], taken: set[str], ending: str = "_"
) -> tuple[list[tuple[str, Tokens]], list[Tokens]]:
    """Return macros (name, replacement) and the runs rewritten with them.

    `taken`: identifiers that no macro may be called, besides those of the runs. `ending`: of each name, "_"
    where the text or what it includes may bring in others.
    """
    texts = [list(run) for run in runs]
    unused = names(taken.union(*texts), ending)
    cost = 1.8 + len(ending)
    macros: list[tuple[str, Tokens]] = []
    while True:
        chosen = _choose(_count([*texts, *(body for _, body in macros)]), cost)
        if not chosen:
            return macros, texts
        for sequence in chosen:
            name = next(unused)
            texts = [_replace(text, sequence, name) for text in texts]
            macros = [(other, _replace(body, sequence, name)) for other, body in macros]
            macros.append((name, list(sequence)))


def define(name: str, body: Tokens) -> str:
    """Return a macro's line."""
    return f"#define {name} {cpp.join(body)}\n"


def names(taken: set[str], ending: str = "") -> Iterator[str]:
    """Yield names that are not taken, the shortest first."""
    letters = string.ascii_letters
    taken = taken | NEVER
    for length in itertools.count(1):
        for parts in itertools.product(letters, repeat=length):
            name = "".join(parts) + ending
            if name not in taken:
                yield name


def _count(texts: Sequence[Tokens]) -> Counter[tuple[str, ...]]:
    """Count sequences of 1 to LONGEST tokens that do not overlap themselves and occur at least thrice."""
    total: Counter[tuple[str, ...]] = Counter()
    frequent: set[tuple[str, ...]] = set()
    for length in range(1, LONGEST + 1):
        counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            last: dict[tuple[str, ...], int] = {}
            for i in range(len(text) - length + 1):
                sequence = tuple(text[i : i + length])
                if length > 1 and sequence[:-1] not in frequent:
                    continue
                if last.get(sequence, -length) + length <= i:
                    counts[sequence] += 1
                    last[sequence] = i
        frequent = {sequence for sequence, count in counts.items() if count > 2}
        if not frequent:
            break
        total.update({sequence: counts[sequence] for sequence in frequent})
    return total


def _choose(counts: Counter[tuple[str, ...]], cost: float) -> list[tuple[str, ...]]:
    """Return the sequences that save most where a name takes `cost` bytes.

    No two share a token of more than two characters, as one would take from the other's count.
    """
    gains = []
    for sequence, count in counts.items():
        length = len(cpp.join(sequence))
        gain = count * (length - cost - 0.5) - (length + cost + len("#define  \n"))
        if gain >= LEAST_GAIN:
            gains.append((gain, sequence))
    gains.sort(key=lambda one: (-one[0], one[1]))
    chosen: list[tuple[str, ...]] = []
    seen: set[str] = set()
    minimum = 0.0
    for gain, sequence in gains:
        if len(chosen) == BATCH or gain < minimum:
            break
        rare = {token for token in sequence if len(token) > 2} or set(sequence)
        if not rare & seen:
            chosen.append(sequence)
            seen |= rare
            minimum = minimum or gain * NEAR_BEST
    return chosen


def _replace(text: Tokens, sequence: tuple[str, ...], name: str) -> Tokens:
    if sequence[0] not in text:
        return text
    result: Tokens = []
    wanted, length, at = list(sequence), len(sequence), 0
    while at < len(text):
        if text[at] == wanted[0] and text[at : at + length] == wanted:
            result.append(name)
            at += length
        else:
            result.append(text[at])
            at += 1
    return result
