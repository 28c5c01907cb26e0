"""C++ as far as a bundle needs it: tokens, logical lines without comments, and the conditions of #if.

A logical line is what the language calls one: physical lines joined where they end in a backslash, a comment
counted as one space, a raw string kept as it is with its newlines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

SPLICE = r"\\[ \t]*\r?\n"
TOKEN = re.compile(
    rf"""
      (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\"]{{0,16}})\([\s\S]*?\)(?P=delimiter)")
    | (?P<quoted>(?:u8|[uUL])?(?:"(?:{SPLICE}|\\.|[^"\\\n])*"|'(?:{SPLICE}|\\.|[^'\\\n])+'))
    | (?P<comment>/(?:{SPLICE})*(?:/(?:{SPLICE}|[^\n])*|\*[\s\S]*?\*(?:{SPLICE})*/))
    | (?P<number>\.?\d(?:{SPLICE}|[eEpP][+-]|'?\w|\.)*)
    | (?P<word>[^\W\d]\w*)
    | (?P<splice>{SPLICE})
    | (?P<newline>\n)
    | (?P<space>[ \t\r\f\v]+)
    | (?P<mark>%:|<<=|>>=|\.\.\.|\.\*|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\#\#|[-+*/%&|^]=|.)
    """,
    re.VERBOSE,
)


class Unfinished(ValueError):
    """A comment without an end; `line` counts from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Line:
    """One logical line: where it starts (from 1), as it was written, and without comments."""

    number: int
    source: str
    code: str
    tokens: tuple[str, ...]  # of the code, without whitespace

    @property
    def directive(self) -> str:
        """Return "include", "if" and so on; "" for a line that is none."""
        if len(self.tokens) > 1 and self.tokens[0] in ("#", "%:"):
            return self.tokens[1]
        return ""


def lines(text: str) -> Iterator[Line]:
    """Yield the logical lines of a source. Raises Unfinished for a comment that does not end."""
    number = begun = 1
    source: list[str] = []
    code: list[str] = []
    tokens: list[str] = []
    for match in TOKEN.finditer(text):
        piece, kind = match[0], match.lastgroup
        if kind == "newline":
            yield Line(begun, "".join(source), "".join(code).rstrip(), tuple(tokens))
            source, code, tokens = [], [], []
            number += 1
            begun = number
            continue
        if kind == "mark" and piece == "/" and text.startswith("/*", match.start()):
            raise Unfinished(number)
        source.append(piece)
        number += piece.count("\n")
        if kind == "splice":
            continue
        if kind in ("comment", "space"):
            code.append(piece if kind == "space" else " ")
            continue
        if kind != "raw":
            piece = re.sub(SPLICE, "", piece)
        code.append(piece)
        tokens.append(piece)
    if source:
        yield Line(begun, "".join(source), "".join(code).rstrip(), tuple(tokens))


def code_tokens(code: str) -> list[str]:
    """Return the tokens of text without comments."""
    return [
        match[0] for match in TOKEN.finditer(code) if match.lastgroup not in ("space", "newline", "splice")
    ]


def join(tokens: Sequence[str]) -> str:
    """Return tokens as text with no more spaces than keep them apart."""
    parts: list[str] = []
    before = ""
    for token in tokens:
        if before and would_merge(before, token):
            parts.append(" ")
        parts.append(token)
        before = token
    return "".join(parts)


def end_of(token: str) -> tuple[bool, str]:
    """Return whether a token is a number, and its last character."""
    return token[0].isdigit() or (token[0] == "." and token[1:2].isdigit()), token[-1]


@cache
def would_merge(left: str, right: str) -> bool:
    """Tell whether two tokens need a space between them, from `end_of` the one and the other's first."""
    (is_number, end), begin = end_of(left), right[0]
    wordlike = end.isalnum() or end in "_\"'"
    if wordlike and (begin.isalnum() or begin in "_\"'"):
        return True
    if is_number:
        return begin in ".+-"  # 0xE +1 would become one number
    return end in "+-&|<>=:./%*^!#" and begin in "+-&|<>=:.*/%#"


def condition(tokens: Sequence[str]) -> bool | None:
    """Return the value of an #if expression: True, False, or None where it depends on the compiler.

    Macros, `defined` and arithmetic are not known; literals, !, && and || are. A malformed expression is the
    compiler's to report: None.
    """
    depths = list(itertools.accumulate((token == "(") - (token == ")") for token in tokens))
    for operator, decisive in (("||", True), ("&&", False)):
        breaks = [place for place, token in enumerate(tokens) if token == operator and depths[place] == 0]
        if breaks:
            bounds = itertools.pairwise([-1, *breaks, len(tokens)])
            values = [condition(tokens[begin + 1 : end]) for begin, end in bounds]
            return decisive if decisive in values else None if None in values else not decisive
    if tokens and tokens[0] == "!":
        value = condition(tokens[1:])
        return None if value is None else not value
    if tokens and tokens[0] == "(" and depths[-1] == 0 and min(depths[:-1]) > 0:
        return condition(tokens[1:-1])
    return int(tokens[0]) != 0 if len(tokens) == 1 and tokens[0].isdecimal() else None
