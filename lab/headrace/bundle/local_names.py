"""Parameters and local variables of the library's functions: where they are, and which may share a name.

Two words that no function has together can share one: a colouring of the graph whose edges are the pairs that
some function has. Greedy, the most frequent word first (D. J. A. Welsh and M. B. Powell, "An upper bound for
the chromatic number of a graph", 1967).

A word is local to a function where its first mention there declares it, inside brackets. What this cannot
tell from a member, or from a comparison, is left alone.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from headrace.bundle.declarations import (
    CLOSING,
    NO_TYPES,
    OPENING,
    WORD,
    Atom,
    Declaration,
    Parser,
    Unreadable,
)
from headrace.bundle.own_names import KEYWORDS

TYPE = re.compile(
    r"(?:auto|bool|char(?:16_t|32_t)?|const|double|float|int|long|short|signed|unsigned|void|\w+_t)"
)
MACRO = re.compile(r"_\w*|[A-Z][A-Z_0-9]+")
MEMBER_OF = (".", "->", "::")
NAMES_A_TYPE = ("struct", "class", "union", "enum", "using", "typename")
AFTER_A_NAME = frozenset("= ; , ) { ( : [ >".split())
IN_ARGUMENTS = re.compile(r"\w+|::|[,*&<>]|\.\.\.")  # of a template, where it is a type's

Names = list[tuple[int, int, str]]  # text, place in it, the word there


def find(texts: Sequence[Sequence[Atom]]) -> tuple[Names, dict[str, int]]:
    """Return where local names are, and a number for each: words that meet in a function have different ones.

    Each text has declarations at its top; one that cannot be split into them has no local names.
    """
    types = {
        after.text
        for text in texts
        for word, after in itertools.pairwise(text)
        if word.text in NAMES_A_TYPE and WORD.fullmatch(after.text)  # `class = void` names none
    }
    names: Names = []
    counts = Counter[str]()
    together: dict[str, set[str]] = defaultdict(set)
    for number, text in enumerate(texts):
        for places in _functions(text):
            own = _Function(text, places, types).names()
            words = {word for _, word in own}
            counts.update(word for _, word in own)
            for word in words:
                together[word] |= words - {word}
            names += [(number, place, word) for place, word in own]
    return names, _coloured(counts, together)


def _coloured(counts: Counter[str], together: dict[str, set[str]]) -> dict[str, int]:
    chosen: dict[str, int] = {}
    for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        met = {chosen[other] for other in together[word] if other in chosen}
        chosen[word] = next(number for number in range(len(chosen) + 1) if number not in met)
    return chosen


def _functions(text: Sequence[Atom]) -> Iterator[list[int]]:
    try:
        waiting: Iterable[Declaration] = Parser(text).scope(0, len(text))
    except Unreadable:
        return
    while waiting:
        for declaration in waiting:
            if declaration.has_parameters and not declaration.inner:
                yield list(range(declaration.begin, declaration.end))
        waiting = [inner for declaration in waiting for inner in declaration.inner]


class _Function:
    """The tokens of one function, with the head of a template."""

    def __init__(self, text: Sequence[Atom], places: Sequence[int], types: set[str]) -> None:
        self._directives = {
            word for index in places if text[index].directive for word in WORD.findall(text[index].text)
        }
        self._places = [index for index in places if not text[index].directive]
        self._tokens = [text[index].text for index in self._places]
        self._types = types
        self._variables: set[str] = set()  # declared so far, after the template's head
        is_template = self._tokens[:2] == ["template", "<"]
        self._head_ends = Parser(text).close_angle(self._places[1]) if is_template else 0

    def names(self) -> list[tuple[int, str]]:
        """Return the place of each mention of each local name."""
        mentions: dict[str, list[int]] = {}
        others = set(self._directives)
        depth = 0
        for i, token in enumerate(self._tokens):
            depth += (token in OPENING) - (token in CLOSING)
            if not WORD.fullmatch(token) or self._at(i - 1) in MEMBER_OF:
                continue
            if self._at(i - 1) in ("struct", "class", "union") and self._at(i + 1) in ("{", ":", "final"):
                return []  # a class in a function: its members are no variables
            is_of_head = self._places[i] < self._head_ends
            is_local = token in mentions or ((depth > 0 or is_of_head) and self._is_declared(i))
            if is_local and token not in mentions and not is_of_head:
                self._variables.add(token)
            initialises = depth == 0 and self._at(i - 1) in (":", ",") and self._at(i + 1) in ("(", "{")
            first = mentions.get(token, [self._places[i]])[0]  # in the template's head it may be a type
            qualifies = self._at(i + 1) == "::" and first >= self._head_ends
            if not is_local or initialises or qualifies:
                others.add(token)
            mentions.setdefault(token, []).append(self._places[i])
        return [
            (place, word)
            for word, places in mentions.items()
            if word not in others and word not in KEYWORDS and not MACRO.fullmatch(word)
            for place in places
        ]

    def _at(self, i: int) -> str:
        return self._tokens[i] if 0 <= i < len(self._tokens) else ";"

    def _is_declared(self, i: int) -> bool:
        """`type word`, `type* word`, `type<arguments> word`, `class word`."""
        before = self._at(i - 1)
        if before in ("class", "typename"):  # which also names a type that is declared elsewhere
            return self._places[i] < self._head_ends and self._at(i + 1) in (",", "=", ">")
        if self._at(i + 1) not in AFTER_A_NAME:
            return False
        if before == ",":
            return self._continues_declaration(i - 1)
        while before in ("*", "&", "&&", "...", "*const"):
            i -= 1
            before = self._at(i - 1)
            if self._at(i - 2) in (".", "->"):  # `one.fields && word`: a member may have the name of a type
                return False
            if self._is_type(before) or (self._at(i - 2), self._at(i - 3)) == ("::", "std"):
                return True
        if before == ">":
            return self._ends_arguments(i - 1)
        if i < 0 or not WORD.fullmatch(before) or before in NO_TYPES:
            return False
        return self._tokens[i] not in ("*", "&", "&&") or self._is_type(before)

    def _continues_declaration(self, i: int) -> bool:
        """Whether the comma at a place separates variables: `int a = f(b, c), d`, without any < or >."""
        depth = 0
        begin = i
        for index in range(i - 1, -1, -1):
            token = self._tokens[index]
            if token in ("<", ">") or (depth == 0 and token in ("(", "[")):
                return False
            if depth == 0 and token in (";", "{", "}"):
                break
            depth += (token in CLOSING) - (token in OPENING)
            begin = index
        while self._at(begin) in ("const", "constexpr", "static"):
            begin += 1
        if (self._at(begin), self._at(begin + 1)) == ("std", "::"):
            begin += 2
        return self._is_type(self._at(begin)) and self._at(begin + 1) in self._variables

    def _is_type(self, word: str) -> bool:
        """Whether a word names a type here: in `bits & mask(1)`, a variable may have the name of a type."""
        return bool(TYPE.fullmatch(word)) or (word in self._types and word not in self._variables)

    def _ends_arguments(self, i: int) -> bool:
        """Whether the > at a place ends a template's arguments."""
        depth = 0
        for index in range(i, max(i - 40, 0), -1):
            token = self._tokens[index]
            if not IN_ARGUMENTS.fullmatch(token):
                return False
            depth += (token == ">") - (token == "<")
            if depth == 0:
                return bool(WORD.fullmatch(self._at(index - 1)))
        return False
