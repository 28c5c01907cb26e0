"""C++ as far as a bundle needs it: tokens, logical lines without comments, and the conditions of #if.

A logical line is what the language calls one: physical lines joined where they end in a backslash, a comment
counted as one space, a raw string kept as it is with its newlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
    for found in TOKEN.finditer(text):
        piece, kind = found[0], found.lastgroup
        if kind == "newline":
            yield Line(begun, "".join(source), "".join(code).rstrip(), tuple(tokens))
            source, code, tokens = [], [], []
            number += 1
            begun = number
            continue
        if kind == "mark" and piece == "/" and text.startswith("/*", found.start()):
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
        found[0] for found in TOKEN.finditer(code) if found.lastgroup not in ("space", "newline", "splice")
    ]


def join(tokens: tuple[str, ...] | list[str]) -> str:
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


def would_merge(left: str, right: str) -> bool:
    """Tell whether two tokens need a space between them, from `end_of` the one and the other's first."""
    (is_number, end), begin = end_of(left), right[0]
    wordlike = end.isalnum() or end in "_\"'"
    if wordlike and (begin.isalnum() or begin in "_\"'"):
        return True
    if is_number:
        return begin in ".+-"  # 0xE +1 would become one number
    return end in "+-&|<>=:./%*^!#" and begin in "+-&|<>=:.*/%#"


class Condition:
    """The value of an #if expression: True, False, or None where it depends on the compiler.

    Macros, `defined` and arithmetic are not known; literals, !, && and || are.
    """

    def __init__(self, tokens: tuple[str, ...]) -> None:
        self._tokens = tokens
        self._at = 0

    def value(self) -> bool | None:
        """Evaluate; a malformed expression is the compiler's to report: None."""
        result = self._either()
        return result if self._at == len(self._tokens) else None

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _either(self) -> bool | None:
        result = self._both()
        while self._peek() == "||":
            self._at += 1
            other = self._both()
            known = True if True in (result, other) else None
            result = False if result is False and other is False else known
        return result

    def _both(self) -> bool | None:
        result = self._operand()
        while self._peek() == "&&":
            self._at += 1
            other = self._operand()
            known = False if False in (result, other) else None
            result = True if result is True and other is True else known
        return result

    def _operand(self) -> bool | None:
        result = self._unary()
        if self._peek() in ("", "&&", "||", ")"):
            return result
        while self._peek() not in ("", "&&", "||", ")"):  # arithmetic, a comparison
            self._at += 1
            if self._tokens[self._at - 1] == "(":
                self._pass_parentheses()
        return None

    def _unary(self) -> bool | None:
        token = self._peek()
        self._at += 1
        if token == "!":
            inner = self._unary()
            return None if inner is None else not inner
        if token == "(":
            inner = self._either()
            self._at += 1
            return inner
        if re.fullmatch(r"\d+", token):
            return int(token) != 0
        if token == "defined" and self._peek() != "(":
            self._at += 1
        elif self._peek() == "(":  # a macro with arguments, or defined(...)
            self._at += 1
            self._pass_parentheses()
        return None

    def _pass_parentheses(self) -> None:
        depth = 1
        while depth and self._at < len(self._tokens):
            depth += {"(": 1, ")": -1}.get(self._tokens[self._at], 0)
            self._at += 1
