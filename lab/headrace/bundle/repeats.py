"""Shorter C++ by macros: token sequences that come again and again get a name of one or two characters.

Grammar compression on tokens (after N. J. Larsson and A. Moffat, "Offline Dictionary-Based Compression",
1999, with sequences of up to LONGEST tokens for pairs). The preprocessor undoes it before the compiler proper
sees anything, so the program's meaning cannot change. A name occurs nowhere else in the text.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from headrace.bundle import cpp

LONGEST = 14
LEAST_GAIN = 2  # bytes that a macro must save
# Keywords, a macro of <complex.h>, and functions and a class of std that `using namespace std` brings in.
NEVER = frozenset("do if or and asm for int new not try xor I tm ws j0 j1 jn y0 y1 yn".split())
BATCH = 400  # macros chosen from one count
NEAR_BEST = 0.8  # of the best gain, which the others of a batch must have

Tokens = list[str]
Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def replaced(
    runs: Sequence[Sequence[str]], taken: set[str], ending: str = "_"
) -> tuple[list[tuple[str, Tokens]], list[Tokens]]:
    """Return macros (name, replacement) and the runs rewritten with them.

    `taken`: identifiers that no macro may be called, besides those of the runs. `ending`: of each name, "_"
    where the text or what it includes may bring in others.
    """
    text = _Text(runs)
    unused = names(taken.union(*runs), ending)
    cost = 1.8 + len(ending)
    macros: list[str] = []
    while chosen := text.most_saving(cost):
        for sequence in chosen:
            macros.append(next(unused))
            text.replace(sequence, macros[-1])
    parts = text.parts()
    return list(zip(macros, parts[len(runs) :], strict=True)), parts[: len(runs)]


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


class _Text:
    """Runs of tokens as one array of numbers, 0 after each run; macros' replacements are further runs."""

    def __init__(self, runs: Sequence[Sequence[str]]) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._sizes = [0]
        self._ends = [0]  # of each token, what it is as the left of two: a row of `_spaces`
        self._begins = [0]  # as the right: a column
        self._rows: dict[tuple[bool, str], tuple[int, str]] = {}  # with a token of that kind
        self._columns: dict[str, int] = {}
        self._spaces: Integers = np.zeros((1, 1), dtype=np.int64)  # 1 where a space keeps two tokens apart
        self._array = np.array([self._number(token) for run in runs for token in (*run, "")], dtype=np.int64)

    def parts(self) -> list[Tokens]:
        """Return the runs as tokens."""
        tokens = list(self._numbers)
        ends = np.flatnonzero(self._array == 0)
        return [[tokens[i] for i in part if i] for part in np.split(self._array, ends + 1)[:-1]]

    def replace(self, sequence: Sequence[str], name: str) -> None:
        """Put a name in the place of each such sequence, and append the sequence as a run."""
        numbers = [self._numbers[token] for token in sequence]
        array = self._array
        places: Integers = np.flatnonzero(array == numbers[0])
        for i, number in enumerate(numbers):  # no sequence reaches past the 0 at the end
            places = places[array[places + i] == number]
        kept = np.ones(len(array), dtype=bool)
        number = self._number(name)
        end = 0
        for place in map(int, places):
            if place >= end:
                end = place + len(numbers)
                array[place] = number
                kept[place + 1 : end] = False
        self._array = np.concatenate([array[kept], numbers, [0]])

    def most_saving(self, cost: float) -> list[tuple[str, ...]]:
        """Return the sequences that save most where a name takes `cost` bytes.

        No two share a token of more than two characters, as one would take from the other's count.
        """
        gains, places, lengths = self._gains(cost)
        least = max(LEAST_GAIN, gains.max(initial=0) * NEAR_BEST)
        tokens = list(self._numbers)
        sequences = [
            (float(gains[i]), tuple(tokens[j] for j in self._array[places[i] :][: lengths[i]]))
            for i in np.flatnonzero(gains >= least)
        ]
        chosen: list[tuple[str, ...]] = []
        seen: set[str] = set()
        for _, sequence in sorted(sequences, key=lambda item: (-item[0], item[1])):
            rare = {token for token in sequence if len(token) > 2} or set(sequence)
            if not rare & seen and len(chosen) < BATCH:
                chosen.append(sequence)
                seen |= rare
        return chosen

    def _gains(self, cost: float) -> tuple[Floats, Integers, Integers]:
        """Return what each sequence saves that occurs thrice, where one of it begins, and its tokens."""
        array = self._array
        bytes_before = self._bytes_before()
        every: list[tuple[Floats, Integers, Integers]] = []
        places = np.flatnonzero(array)
        groups = array[places]
        for length in range(1, LONGEST + 1):
            if length > 1:  # those that were frequent, by one token longer
                following = array[places + length - 1]
                places, groups, following = (each[following > 0] for each in (places, groups, following))
                groups = groups * len(self._numbers) + following
            some, groups, counts = _grouped(groups)
            _count_apart(places, groups, counts, length)
            frequent = counts > 2
            begin = places[some[frequent]]
            size = bytes_before[1][begin + length] - bytes_before[0][begin]
            saved = counts[frequent] * (size - cost - 0.5) - (size + cost + len("#define  \n"))
            every.append((saved, begin, np.full(len(begin), length)))
            places, groups = places[frequent[groups]], groups[frequent[groups]]
        gains, begins, lengths = (np.concatenate(column) for column in zip(*every, strict=True))
        return gains, begins, lengths

    def _bytes_before(self) -> tuple[Integers, Integers]:
        """Return the bytes of the text up to each token, with the space before it and without."""
        if self._spaces.shape != (len(self._rows) + 1, len(self._columns) + 1):
            self._spaces = np.array(
                [[0] * (len(self._columns) + 1)]
                + [
                    [0, *(int(cpp.would_merge(left, begin)) for begin in self._columns)]
                    for _, left in self._rows.values()
                ]
            )
        array = self._array
        between = self._spaces[np.array(self._ends)[array[:-1]], np.array(self._begins)[array[1:]]]
        sizes = np.array(self._sizes)[array]
        ends = np.cumsum(sizes + np.concatenate([[0], between]))
        return ends - sizes, np.concatenate([[0], ends])

    def _number(self, token: str) -> int:
        number = self._numbers.setdefault(token, len(self._numbers))
        if number == len(self._sizes):
            self._sizes.append(len(token))
            self._ends.append(self._rows.setdefault(cpp.end_of(token), (len(self._rows) + 1, token))[0])
            self._begins.append(self._columns.setdefault(token[0], len(self._columns) + 1))
        return number


def _grouped(groups: Integers) -> tuple[Integers, Integers, Integers]:
    """Return where each different value is (any of its places), each value's rank, and how often each occurs.

    np.unique does the same by a stable sort, which takes thrice as long.
    """
    order = np.argsort(groups)
    ordered = groups[order]
    is_new = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(groups)]
    starts = np.flatnonzero(is_new)
    ranks = np.empty_like(groups)
    ranks[order] = np.cumsum(is_new) - 1
    return order[starts], ranks, np.diff(starts, append=len(groups))


def _count_apart(places: Integers, groups: Integers, counts: Integers, length: int) -> None:
    """Count again the groups whose members overlap, as `a , a` does in `a , a , a`: from the left."""
    overlapping: set[int] = set()
    for apart in range(1, length):  # places ascend, so nobody farther along the list is near enough
        near = (places[apart:] - places[:-apart] < length) & (groups[apart:] == groups[:-apart])
        overlapping.update(groups[apart:][near].tolist())
    for group in overlapping:
        count, end = 0, 0
        for place in places[groups == group].tolist():
            if place >= end:
                count, end = count + 1, place + length
        counts[group] = count
