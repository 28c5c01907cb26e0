"""What a remedy makes of a source: edits at their offsets, and every other byte as it was.

A source is text with one character for each of its bytes, whatever its encoding and its line endings are.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from headrace.bundle.cpp import TOKEN
from headrace.fix.remedies import Remedy, load

BYTES = "latin-1"  # the encoding with one character for each byte
REPLACED_AGAIN = 20  # times at most that a replacement is applied to a line
STATEMENT = ";"  # a replacement by this alone takes a whole statement away

_MARK = b"\xef\xbb\xbf".decode(BYTES)  # of UTF-8, at the start of a file
_MAIN = re.compile(r"\bint\s+main\s*\([^)]*\)\s*\{")


@dataclass(frozen=True)
class Edit:
    """A source with a remedy's changes, and the lines of the original that they are on, from 1."""

    text: str
    lines: list[int]
    by_hand: list[int] = field(default_factory=list)  # lines that it is for, but where no edit is safe


def edited(text: str, remedy: Remedy) -> Edit:
    """Apply a remedy to a source. Where it has nothing to change the text is as it was, with no lines."""
    source = _Source(text, without_comments(text), _without(text, literals=True))
    result, lines, by_hand, begin = "", [], [], 0
    for number, original in enumerate(_lines(text), 1):
        line = _Line(source, begin, begin + len(original))
        is_safe = all(line.replace(pattern, to, remedy.declared) for pattern, to in _patterns(remedy))
        if is_safe and not line.loses_a_comment:
            result += line.written
            lines += [number] if line.is_changed else []
        else:
            result += original
            by_hand.append(number)
        begin += len(original)
    if remedy.insert and (main := _MAIN.search(_without(result, literals=True))):
        lines.append(result.count("\n", 0, main.start()) + 1)
        result = _inserted(result, main.end(), remedy)
    return Edit(result, lines, by_hand)


def _lines(text: str) -> list[str]:
    """Split a text into lines with their ends: only "\\n" is one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _patterns(remedy: Remedy) -> Iterator[tuple[re.Pattern[str], str]]:
    for pattern, to in remedy.replace:
        for name, piece in load().pieces.items():
            pattern = pattern.replace(f"<{name}>", piece)
        yield re.compile(pattern), to


def without_comments(text: str) -> str:
    """Return a source whose comments are spaces; every other character stays where it is."""
    return _without(text, literals=False)


def _without(text: str, literals: bool) -> str:
    """Replace comments by spaces, and literals as well where that is asked for."""

    def blank(token: re.Match[str]) -> str:
        is_blank = token["comment"] or (literals and (token["raw"] or token["quoted"]))
        return re.sub(r"[^\r\n]", " ", token[0]) if is_blank else token[0]

    return TOKEN.sub(blank, text)


@dataclass(frozen=True)
class _Source:
    """A source as it is, without its comments, and without its literals as well."""

    text: str
    plain: str
    code: str


class _Line:
    """A line in the course of its edits: its characters, and for each the offset in the source it is from."""

    def __init__(self, source: _Source, begin: int, end: int) -> None:
        self._source, self._begin, self._end = source, begin, end
        self._new = source.plain[begin:end]
        self._offsets: list[int | None] = list(range(begin, end))

    @property
    def is_changed(self) -> bool:
        """Whether anything was replaced."""
        return self._new != self._source.plain[self._begin : self._end]

    def replace(self, pattern: re.Pattern[str], to: str, declared: str) -> bool:
        """Replace what `declared` allows, and again in what comes of it. False where that is not safe."""
        for _ in range(REPLACED_AGAIN):
            before = self._new
            for match in reversed([*pattern.finditer(before)]):
                if declared and not re.search(_filled(declared, match), self._source.plain):
                    continue
                if to == STATEMENT and not self._take_away(match):
                    return False
                if to != STATEMENT:
                    self._put(match, to)
            if self._new == before or to == STATEMENT:
                break
        return True

    def _put(self, match: re.Match[str], to: str) -> None:
        """Put a template in the place of a match; what it takes of the match keeps its offsets once."""
        new, offsets = "", list[int | None]()
        for part in re.split(r"(\\\d)", to):
            if re.fullmatch(r"\\\d", part):
                begin, end = match.span(int(part[1]))
                taken = self._offsets[begin:end]
                new += match[int(part[1])]
                offsets += [None if offset in offsets else offset for offset in taken]
            else:
                new += part
                offsets += [None] * len(part)
        self._splice(match.start(), match.end(), new, offsets)

    def _take_away(self, match: re.Match[str]) -> bool:
        """Take a statement away, or leave ";" where one is needed. False where it is part of another."""
        begin, end = match.span()
        before = self._source.code[: self._begin] + _without(self._new[:begin], literals=True)
        last = before.rstrip()[-1:]
        if _open_bracket(before) == "(":
            return False
        if last in ";{}":
            if self._new[:begin].strip():  # other code is before it: the blanks between go, too
                begin = len(self._new[:begin].rstrip())
            else:
                after = self._text[end:]
                end += len(after) - len(after.lstrip(" \t"))
            self._splice(begin, end, "", [])
            return True
        if last in "):" or re.search(r"\b(else|do)\s*$", before):  # it is all that is done there
            self._splice(begin, end, STATEMENT, [None])
            return True
        return False

    def _splice(self, begin: int, end: int, new: str, offsets: list[int | None]) -> None:
        self._new = self._new[:begin] + new + self._new[end:]
        self._offsets[begin:end] = offsets

    @property
    def _text(self) -> str:
        """The characters with the comments in their places."""
        pairs = zip(self._new, self._offsets, strict=True)
        return "".join(new if offset is None else self._source.text[offset] for new, offset in pairs)

    @property
    def loses_a_comment(self) -> bool:
        """Whether a part of a comment would be gone."""
        gone = {*range(self._begin, self._end)} - {*self._offsets}
        return any(self._source.text[offset] != self._source.plain[offset] for offset in gone)

    @property
    def written(self) -> str:
        """The line, with its comments; nothing where all of it is taken away."""
        return self._text if self._text.strip() or not self.is_changed else ""


def _open_bracket(code: str) -> str:
    """Return the innermost bracket that is open at the end of a code, "" for none."""
    closed = 0
    for char in reversed(code):
        if char in ")}]":
            closed += 1
        elif char in "({[":
            if not closed:
                return char
            closed -= 1
    return ""


def _filled(template: str, match: re.Match[str]) -> str:
    return re.sub(r"\\(\d)", lambda place: re.escape(match[int(place[1])]), template)


def _inserted(text: str, place: int, remedy: Remedy) -> str:
    """Put a remedy's line at the start of main, indented as the next one, and its header before all."""
    below = re.match(r"[^\S\n]*\n([^\S\n]+)\S", text[place:])
    line = f"{_ending(text)}{below[1] if below else '  '}{remedy.insert}"
    result = text[:place] + line + text[place:]
    is_there = re.search(rf"#\s*include\s*<({remedy.header}|bits/stdc\+\+\.h)>", without_comments(text))
    return result if is_there or not remedy.header else with_headers(result, [remedy.header])


def with_headers(text: str, headers: Sequence[str]) -> str:
    """Include headers before everything else, but for a mark of UTF-8."""
    mark = _MARK if text.startswith(_MARK) else ""
    return mark + "".join(f"#include <{name}>{_ending(text)}" for name in headers) + text[len(mark) :]


def _ending(text: str) -> str:
    return "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"


def difference(before: str, after: str, name: str, new_name: str) -> str:
    """Return a unified diff that `patch` takes."""
    parts = difflib.unified_diff(_lines(before), _lines(after), name, new_name)
    return "".join(
        part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts
    )


def shown(text: str) -> str:
    """Return a source, or a part of it, as people read it."""
    data = text.encode(BYTES)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return text
