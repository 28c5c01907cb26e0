"""Includes replaced by what they name.

Local includes (found beside the including file, below -I, or in the library) are replaced by what they name,
each once; system headers stay. A header that is left out is as if it were empty; what overlays change is read
as they have it. Branches of #if known to be dead go.

A header of the library without #pragma once is text for several namespaces: it becomes one macro.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp, overlay
from headrace.bundle.options import BundleOptions

BASELINE = ("HEADRACE_BASELINE_BEGIN", "HEADRACE_BASELINE_END")
TARGET = ("HEADRACE_TARGET_BEGIN", "HEADRACE_TARGET_END")


@dataclass(frozen=True)
class Piece:
    """One line of the result. `tokens` is empty where the line must stay as it is."""

    origin: Path
    text: str
    tokens: tuple[str, ...] = ()
    repeat: int = 0  # which inclusion of a text that may be included several times; 0: it is no such text
    macro: str = ""  # the line defines this, as `tokens`

    @property
    def directive(self) -> str:
        """Return "include", "if" and so on; "" for what is none."""
        match = None if self.tokens else re.match(r"\s*#\s*(\w+)", self.text)
        return match[1] if match else ""

    def with_tokens(self, tokens: Sequence[str]) -> Piece:
        """Return the same with other tokens; a line without any stays as it is."""
        return replace(self, text=cpp.join(tokens), tokens=tuple(tokens)) if self.tokens else self


def joined(pieces: Sequence[Piece], only_repeats: bool = False) -> Iterator[Piece]:
    """Yield one piece for all lines of a file between two that must stay as they are."""
    for (_, repeat, has_tokens), group in itertools.groupby(
        pieces, lambda piece: (piece.origin, piece.repeat, bool(piece.tokens))
    ):
        lines = list(group)
        if has_tokens and (repeat or not only_repeats):
            yield lines[0].with_tokens([token for line in lines for token in line.tokens])
        else:
            yield from lines


def shared(pieces: Iterable[Piece]) -> list[Piece]:
    """Make a macro of each text that is included several times, and always alike; a piece holds all of it."""
    pieces = list(pieces)
    uses: dict[Path, list[Piece]] = {}
    for piece in pieces:
        if piece.repeat:
            uses.setdefault(piece.origin, []).append(piece)
    names = {
        origin: f"HEADRACE_GENERIC_{number}"
        for number, (origin, all_uses) in enumerate(uses.items())
        if len(all_uses) > 1 and len({use.tokens for use in all_uses}) == 1 and "\n" not in all_uses[0].text
    }
    result: list[Piece] = []
    depth = outside = 0  # outside of any #if, what is defined is there for all that follows
    for piece in pieces:
        if depth == 0:
            outside = len(result)
        depth += (piece.directive in ("if", "ifdef", "ifndef")) - (piece.directive == "endif")
        name = names.get(piece.origin) if piece.repeat else None
        if name and piece is uses[piece.origin][0]:
            text = f"#define {name} {cpp.join(piece.tokens)}"
            result.insert(outside, Piece(piece.origin, text, piece.tokens, macro=name))
        result.append(Piece(piece.origin, name, (name,)) if name else piece)
    return result


@dataclass
class _Branch:
    """One #if that is open."""

    alive: bool  # lines of the present branch are emitted
    written: bool  # the #if itself was, so that #endif must be
    decided: bool  # a branch before or now is taken whatever the compiler says
    reachable: bool  # the #if is where lines are emitted


@dataclass
class Flattener:
    """Replaces includes by what they name. Raises BadInput that names file and line."""

    options: BundleOptions
    pieces: list[Piece] = field(default_factory=list)
    _stack: list[Path] = field(default_factory=list)
    # The files that are here whenever this place is: outside of any #if, then in each branch that is open.
    _here: list[set[Path]] = field(default_factory=lambda: [set()])
    _once: set[Path] = field(default_factory=set)  # those with #pragma once: a ring of them is none
    _system: set[str] = field(default_factory=set)
    _defining: dict[str, Path] = field(default_factory=dict)  # a macro -> the file that is there for it
    _guards: dict[Path, str] = field(default_factory=dict)
    _guarded: dict[str, list[int]] = field(default_factory=dict)  # the lines of a guard, three per use
    _depth: int = 0  # of #if in the result
    _repeats: int = 0
    _repeat: int = 0  # which of them is being added

    def result(self) -> list[Piece]:
        """Return all pieces, without the guards of files that are there only once."""
        gone = {place for places_of in self._guarded.values() if len(places_of) == 3 for place in places_of}
        return [piece for place, piece in enumerate(self.pieces) if place not in gone]

    def add(self, path: Path) -> None:
        """Append a file and all that it includes."""
        path = path.resolve()
        lines = _read(path, self.options)
        once = any(line.tokens[:3] == ("#", "pragma", "once") for line in lines)
        if any(path in files for files in self._here):
            return
        if once:
            self._once.add(path)
        defines = _only_defines(lines)
        if defines:  # until an #undef
            self._defining[defines] = path
            self._here[-1].add(path)
        guarded = (once and self._depth > 0) or path in self._guards
        lines_of_guard: list[int] = []
        if guarded:  # an #if around this place may be false: the next place that includes it has it again
            name = self._guards.setdefault(path, f"HEADRACE_BUNDLE_{len(self._guards)}")
            lines_of_guard = self._guarded.setdefault(name, [])
            lines_of_guard += [len(self.pieces), len(self.pieces) + 1]
            self._emit(path, f"#ifndef {name}")
            self._emit(path, f"#define {name}")
        if once:  # inside a guard, too: where it is false, its file was included before, and this one with it
            self._here[-1].add(path)
        may_repeat = is_below(path, places.include_folder()) and not any(line.directive for line in lines)
        if may_repeat and not self.options.comments:
            self._repeats += 1
            self._repeat = self._repeats
        self._stack.append(path)
        self._depth += guarded
        self._add_lines(path, lines)
        self._depth -= guarded
        self._stack.pop()
        self._repeat = 0
        if guarded:
            lines_of_guard.append(len(self.pieces))
            self._emit(path, "#endif")

    def _add_lines(self, path: Path, lines: Sequence[cpp.Line]) -> None:
        branches: list[_Branch] = []
        for line in lines:
            if line.directive in ("if", "ifdef", "ifndef"):
                self._open(path, line, branches)
            elif line.directive in ("elif", "elifdef", "elifndef", "else", "endif"):
                if not branches:
                    raise BadInput(f"{path}:{line.number}: #{line.directive} without an #if")
                self._next(path, line, branches)
            elif not branches or branches[-1].alive:
                self._add_line(path, line)
        if branches:
            raise BadInput(f"{path}:{lines[-1].number}: an #if of this file has no #endif")

    def _add_line(self, path: Path, line: cpp.Line) -> None:
        if line.directive == "include":
            self._include(path, line)
        elif line.tokens[:3] == ("#", "pragma", "once"):
            pass
        elif line.directive:
            if line.directive == "undef" and line.tokens[2:3] and line.tokens[2] in self._defining:
                for files in self._here:
                    files.discard(self._defining[line.tokens[2]])
            self._emit(path, line.source if self.options.comments else line.code.strip())
        elif self.options.comments:
            self.pieces.append(Piece(path, line.source.rstrip(), line.tokens))
        elif self.options.small and line.tokens and line.tokens[0] in BASELINE:
            pass  # a small bundle's program has one file
        elif self.options.is_scalar and line.tokens and line.tokens[0] in TARGET:
            pass  # nothing is between the two
        elif self.options.small and line.tokens[:1] == ("HEADRACE_ASSERT",):
            pass  # said of a debug build, and a macro for what repeats would break its parentheses
        elif line.tokens:
            is_library = is_below(path, places.include_folder())
            text = cpp.join(line.tokens) if is_library else line.code
            self.pieces.append(Piece(path, text, line.tokens if is_library else (), self._repeat))

    def _emit(self, path: Path, text: str) -> None:
        self.pieces.append(Piece(path, text))

    # --- conditions

    def _open(self, path: Path, line: cpp.Line, branches: list[_Branch]) -> None:
        reachable = not branches or branches[-1].alive
        branch = _Branch(alive=False, written=False, decided=False, reachable=reachable)
        branches.append(branch)
        if not reachable:
            return
        if line.directive == "if":
            self._decide(path, line, branch, "if")
        else:
            self._write(path, branch, line.code.strip())

    def _next(self, path: Path, line: cpp.Line, branches: list[_Branch]) -> None:
        branch = branches[-1]
        if line.directive == "endif":
            branches.pop()
            if branch.written:
                self._depth -= 1
                self._here.pop()
                self._emit(path, "#endif")
        elif not branch.reachable or branch.decided:
            branch.alive = False
        elif line.directive == "else":
            branch.alive = branch.decided = True
            if branch.written:
                self._else(path)
        elif line.directive == "elif":
            self._decide(path, line, branch, "elif" if branch.written else "if")
        else:  # elifdef, elifndef
            text = line.code.strip()
            self._write(path, branch, text if branch.written else text.replace("#el", "#", 1))

    def _decide(self, path: Path, line: cpp.Line, branch: _Branch, word: str) -> None:
        expression = re.sub(r"^\s*#\s*\w+", "", line.code)

        def presence(match: re.Match[str]) -> str:
            return self._presence(path, match[1], match[2], match[0])

        expression = re.sub(r"__has_include\s*\(\s*([\"<])([^\">]+)[\">]\s*\)", presence, expression)
        facts = self.options.facts
        if not is_below(path, places.include_folder()):  # the user may define macros anew
            facts = {name: value for name, value in facts.items() if name == "HEADRACE_WINDOWS"}
        expression = _with_facts(expression, facts)
        value = cpp.condition(cpp.code_tokens(expression))
        if value is None:
            self._write(path, branch, f"#{word} {expression.strip()}")
            return
        branch.alive = branch.decided = value
        if value and branch.written:
            self._else(path)

    def _write(self, path: Path, branch: _Branch, text: str) -> None:
        if branch.written:
            self._here.pop()
        else:
            self._depth += 1
        self._here.append(set())
        branch.alive = branch.written = True
        self._emit(path, text)

    def _else(self, path: Path) -> None:
        self._here[-1] = set()
        self._emit(path, "#else")

    def _presence(self, path: Path, opening: str, name: str, otherwise: str) -> str:
        """Return 1 or 0 for a local header: it is in the result, or it is not."""
        if (header := self._find(path, opening, name)) is not None:
            return str(int(header not in self.options.left_out))
        # A bundle takes what every standard library has: an #include in an #if would come after macros.
        is_of_one_library = name.startswith("bits/") and is_below(path, places.include_folder())
        is_system = opening == "<" and not name.startswith("headrace/") and not is_of_one_library
        return otherwise if is_system else "0"

    # --- includes

    def _include(self, path: Path, line: cpp.Line) -> None:
        place = f"{path}:{line.number}"
        named = re.match(r"\s*#\s*include\s*([\"<])([^\">]+)[\">]\s*$", line.code)
        if named is None:
            raise BadInput(f'{place}: cannot follow "{line.code.strip()}"; name the file itself')
        opening, name = named[1], named[2]
        header = self._find(path, opening, name)
        if header is not None:
            if header in self.options.left_out:
                pass
            elif header not in self._stack:
                self.add(header)
            elif header not in self._once:
                ring = [file.name for file in self._stack[self._stack.index(header) :]]
                raise BadInput(
                    f"{place}: {name} includes itself ({' -> '.join([*ring, header.name])}); break the ring"
                )
        elif opening == '"' or name.startswith("headrace/"):
            looked = ", ".join(str(folder) for folder in self._folders(path, opening))
            raise BadInput(f"{place}: cannot find {name} (looked in {looked}); name its folder with -I")
        elif name not in self._system:
            if self._depth == 0:
                self._system.add(name)
            self._emit(path, f"#include <{name}>")

    def _folders(self, path: Path, opening: str) -> Iterator[Path]:
        if opening == '"':
            yield path.parent
        yield from self.options.folders
        yield places.include_folder().resolve()

    def _find(self, path: Path, opening: str, name: str) -> Path | None:
        for folder in self._folders(path, opening):
            file = (folder / name).resolve()
            if file.is_file():
                return file
        return None


def _only_defines(lines: Sequence[cpp.Line]) -> str:
    """Return NAME where all of a file is within one `#if !defined(NAME)`; "" for other files."""
    lines_of_code = [line for line in lines if line.tokens]
    guard = (
        re.fullmatch(r"\s*#\s*if\s+!\s*defined\s*\(\s*(\w+)\s*\)\s*", lines_of_code[0].code)
        if lines_of_code
        else None
    )
    depth, outside = 0, 0
    for line in lines_of_code:
        depth += line.directive in ("if", "ifdef", "ifndef")
        outside += depth == 0 or (depth == 1 and line.directive in ("elif", "else"))
        depth -= line.directive == "endif"
        outside += depth == 0 and line is not lines_of_code[-1]
    return guard[1] if guard and outside == 0 else ""


def _with_facts(expression: str, facts: Mapping[str, str | None]) -> str:
    """Put in what is known of macros, when the result is compiled."""
    for name, value in facts.items():
        is_defined = str(int(value is not None))
        expression = re.sub(rf"\bdefined\s*(\(\s*{name}\s*\)|{name}\b)", is_defined, expression)
        if value:
            expression = re.sub(rf"(?<!\()\b{name}\b", value, expression)
    return re.sub(r"\b(\d+)\s*(<|>=|[!=]=)\s*(\d+)L?\b", _compared, expression)


def _compared(match: re.Match[str]) -> str:
    left, right = int(match[1]), int(match[3])
    return str(
        int({"<": left < right, ">=": left >= right, "==": left == right, "!=": left != right}[match[2]])
    )


@cache
def is_below(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder, at any depth."""
    return folder.resolve() in path.parents


def _read(path: Path, options: BundleOptions) -> Sequence[cpp.Line]:
    """Return a file's logical lines, the library's as the options have them. Raises BadInput."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from error
    try:
        is_library = is_below(path, places.include_folder())
        changes, lacking = options.changes.get(path, ()), options.lacking if is_library else frozenset()
        return _lines(text, path, changes, lacking)
    except cpp.Unfinished as unfinished:
        raise BadInput(f"{path}:{unfinished.line}: this comment has no end") from unfinished


@cache
def _lines(text: str, path: Path, changes: tuple[Path, ...], lacking: frozenset[str]) -> Sequence[cpp.Line]:
    lines = overlay.applied(path, tuple(cpp.lines(text)), changes)
    return overlay.without_kernels(path, lines, lacking)
