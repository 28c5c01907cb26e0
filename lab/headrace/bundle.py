"""`headrace bundle`: the library, bench.hpp, or a source with what it reaches of the library, as one file.

Local includes (found beside the including file, below -I, or in the library) are replaced by what they name,
each once; system headers stay. Branches of #if known to be dead go: `#if 0`, and `__has_include` of a
header that is left out: so the library says what it can do without: its kernels, floats, copy.

A header of the library without #pragma once is text for several namespaces: it becomes one macro.
What has to be small also loses the declarations that nobody mentions (reach), then gets short names (rename)
and macros for what repeats (squeeze).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated

import typer

from headrace import __version__, cpp, places, reach, rename, squeeze
from headrace.errors import BadInput

TABLE_OF_KERNELS = Path("headrace", "detail", "simd", "kernels.hpp")  # below the folder of includes
ALWAYS_KEPT = "scalar"  # the kernel to which the others leave what is odd
ONLY_ON_REQUEST = "model"  # the kernel that says what the others do, for tools and not for speed
PARTS = {  # what --without takes, and the headers that it leaves out
    "floats": (
        "detail/parse_float.hpp",
        "detail/format_float.hpp",
        "detail/simd/avx512_parse_float.hpp",
        "detail/simd/avx512_format_float.hpp",
    ),
    "copy": ("copy.hpp",),
    "windows": (),  # code below #if HEADRACE_WINDOWS
}

QUIET = """#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-private-field"
#endif
"""  # people never indented this text, and what would use the field may be left out
PARTS_BY_USE = ("copy", "floats", "windows")  # the least used first
MENTIONS = {  # the words of a source that call for a part
    "floats": ("double", "float", "fixed", "scientific"),
    "copy": ("copy",),
}
# Squeezing takes seconds, so its size is guessed first: the library becomes about so much of itself, the
# user's own text stays as it is. Guesses were within 12 % of what came out.
SQUEEZED_CODE = 0.41
LONG_TABLES = ("digits.hpp", "powers_table.hpp")  # which the compiler can work out instead
GUESS_IS_OFF_BY = 1.2


def kernel_names() -> tuple[str, ...]:
    """Return the names of the kernels, best first, from the library's table. Raises BadInput without one."""
    return _names_in(places.include_folder() / TABLE_OF_KERNELS)


@cache
def _names_in(table: Path) -> tuple[str, ...]:
    try:
        text = table.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"cannot read the table of kernels {table}: {error.strerror}") from error
    names = tuple(re.findall(r"^\s*row\((\w+)\)", text, re.M))
    if not names:
        raise BadInput(f'{table} has no table of kernels; it needs a line "row(NAME)" for each, best first')
    return names


def default_kernels() -> tuple[str, ...]:
    """Return the kernels of a bundle that is not told otherwise. Raises BadInput."""
    return tuple(name for name in kernel_names() if name != ONLY_ON_REQUEST)


def _headers_of(kernel: str, folder: Path) -> list[Path]:
    """Return the headers that only this kernel needs."""
    of_kernel = re.compile(rf"{kernel}|\w+_{kernel}|{kernel}_\w+")
    return [header for header in folder.glob("*.hpp") if of_kernel.fullmatch(header.stem)]


@dataclass(frozen=True)
class Wish:
    """What to leave out and where to look."""

    kernels: tuple[str, ...] = field(default_factory=default_kernels)
    without: tuple[str, ...] = ()
    comments: bool = False
    folders: tuple[Path, ...] = ()
    small: bool = False  # only what is mentioned, no long tables, short names, macros for what repeats

    @cached_property
    def left_out(self) -> frozenset[Path]:
        """The library's headers that are not to be there."""
        library = places.include_folder().resolve() / "headrace"
        headers = [library / name for part in self.without for name in PARTS[part]]
        for kernel in kernel_names():
            if kernel not in self.kernels:
                headers += _headers_of(kernel, library / "detail" / "simd")
        if self.small:
            headers += [library / "detail" / name for name in LONG_TABLES]
        return frozenset(headers)


@dataclass(frozen=True)
class Piece:
    """One line of the result. `tokens` is empty where the line must stay as it is."""

    origin: Path
    text: str
    tokens: tuple[str, ...] = ()
    repeat: int = 0  # which inclusion of a text that may be included several times; 0: it is no such text
    macro: str = ""  # the line defines this, as `tokens`


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

    wish: Wish
    pieces: list[Piece] = field(default_factory=list)
    _stack: list[Path] = field(default_factory=list)
    _done: set[Path] = field(default_factory=set)
    _once: set[Path] = field(default_factory=set)  # those with #pragma once: a ring of them is none
    _system: set[str] = field(default_factory=set)
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
        lines = _read(path)
        once = any(line.tokens[:3] == ("#", "pragma", "once") for line in lines)
        if path in self._done:
            return
        if once:
            self._once.add(path)
        guarded = (once and self._depth > 0) or path in self._guards
        lines_of_guard: list[int] = []
        if guarded:  # an #if around this place may be false: the next place that includes it has it again
            name = self._guards.setdefault(path, f"HEADRACE_BUNDLE_{len(self._guards)}")
            lines_of_guard = self._guarded.setdefault(name, [])
            lines_of_guard += [len(self.pieces), len(self.pieces) + 1]
            self._emit(path, f"#ifndef {name}")
            self._emit(path, f"#define {name}")
        if once and self._depth == 0:
            self._done.add(path)
        may_repeat = _is_below(path, places.include_folder()) and not any(line.directive for line in lines)
        if may_repeat and not self.wish.comments:
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
            self._emit(path, line.source if self.wish.comments else line.code.strip())
        elif self.wish.comments:
            self.pieces.append(Piece(path, line.source.rstrip(), line.tokens))
        elif self.wish.small and line.tokens[:1] == ("HEADRACE_ASSERT",):
            pass  # said of a debug build, and a macro for what repeats would break its parentheses
        elif line.tokens:
            is_library = _is_below(path, places.include_folder())
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
                self._emit(path, "#endif")
        elif not branch.reachable or branch.decided:
            branch.alive = False
        elif line.directive == "else":
            branch.alive = branch.decided = True
            if branch.written:
                self._emit(path, "#else")
        elif line.directive == "elif":
            self._decide(path, line, branch, "elif" if branch.written else "if")
        else:  # elifdef, elifndef
            text = line.code.strip()
            self._write(path, branch, text if branch.written else text.replace("#el", "#", 1))

    def _decide(self, path: Path, line: cpp.Line, branch: _Branch, word: str) -> None:
        expression = re.sub(r"^\s*#\s*\w+", "", line.code)
        expression = re.sub(
            r"__has_include\s*\(\s*([\"<])([^\">]+)[\">]\s*\)",
            lambda found: self._presence(path, found[1], found[2], found[0]),
            expression,
        )
        if "windows" in self.wish.without:
            expression = re.sub(r"\bHEADRACE_WINDOWS\b", "0", expression)
        for name, known in self._known().items():
            expression = re.sub(rf"(?<!\()\b{name}\b", known, expression)
        value = cpp.Condition(tuple(cpp.code_tokens(expression))).value()
        if value is None:
            self._write(path, branch, f"#{word} {expression.strip()}")
            return
        branch.alive = branch.decided = value
        if value and branch.written:
            self._emit(path, "#else")

    def _known(self) -> dict[str, str]:
        """Return what is known of the library's macros where every byte counts."""
        if not self.wish.small:
            return {}
        return {"HEADRACE_COMPILED": "0", "HEADRACE_MODEL": "0", "HEADRACE_EXCEPTIONS": "1"}

    def _write(self, path: Path, branch: _Branch, text: str) -> None:
        self._depth += not branch.written
        branch.alive = branch.written = True
        self._emit(path, text)

    def _presence(self, path: Path, opening: str, name: str, otherwise: str) -> str:
        """Return 1 or 0 for a local header: it is in the result, or it is not."""
        if self._find(path, opening, name) is not None:
            return "1"
        is_system = opening == "<" and not name.startswith("headrace/")
        return otherwise if is_system else "0"

    # --- includes

    def _include(self, path: Path, line: cpp.Line) -> None:
        place = f"{path}:{line.number}"
        named = re.match(r"\s*#\s*include\s*([\"<])([^\">]+)[\">]\s*$", line.code)
        if named is None:
            raise BadInput(f'{place}: cannot follow "{line.code.strip()}"; name the file itself')
        opening, name = named[1], named[2]
        found = self._find(path, opening, name)
        if found is not None:
            if found not in self._stack:
                self.add(found)
            elif found not in self._once:
                ring = [file.name for file in self._stack[self._stack.index(found) :]]
                raise BadInput(
                    f"{place}: {name} includes itself ({' -> '.join([*ring, found.name])}); break the ring"
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
        yield from self.wish.folders
        yield places.include_folder().resolve()

    def _find(self, path: Path, opening: str, name: str) -> Path | None:
        for folder in self._folders(path, opening):
            file = (folder / name).resolve()
            if file.is_file():
                return None if file in self.wish.left_out else file
        return None


def _is_below(path: Path, folder: Path) -> bool:
    return folder.resolve() in path.parents


def _read(path: Path) -> list[cpp.Line]:
    """Return a file's logical lines. Raises BadInput."""
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
        return list(cpp.lines(text))
    except cpp.Unfinished as unfinished:
        raise BadInput(f"{path}:{unfinished.line}: this comment has no end") from unfinished


# --- the result


@dataclass(frozen=True)
class Bundle:
    """The result, and how many bytes of it come from each file before any squeezing."""

    text: str
    sizes: dict[Path, int]

    @property
    def size(self) -> int:
        """Bytes of UTF-8."""
        return len(self.text.encode())

    @property
    def holds_library(self) -> bool:
        """Whether any of it is the library's."""
        return any(_is_below(file, places.include_folder()) for file in self.sizes)


def make(source: Path, wish: Wish) -> Bundle:
    """Bundle a source. Raises BadInput."""
    return _made(_pieces(source, wish), wish)


def _pieces(source: Path, wish: Wish) -> list[Piece]:
    """Return what a bundle consists of, before any squeezing. Raises BadInput."""
    flat = Flattener(wish)
    flat.add(source)
    pieces = flat.result()
    return _shared(_reached(pieces) if wish.small else pieces)


def _sizes(pieces: Sequence[Piece]) -> dict[Path, int]:
    """Return the bytes that come from each file."""
    sizes: dict[Path, int] = {}
    for piece in pieces:
        sizes[piece.origin] = sizes.get(piece.origin, 0) + len(piece.text.encode()) + 1
    return sizes


def _made(pieces: Sequence[Piece], wish: Wish) -> Bundle:
    banner = (
        f"// Contains headrace {__version__} (MIT licence, copyright 2026 the headrace authors), "
        'put here by "headrace bundle".\n'
    )
    body = _squeeze(pieces) if wish.small else "".join(piece.text + "\n" for piece in pieces)
    return Bundle(banner + body, _sizes(pieces))


def _reached(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without the library's declarations that nobody mentions."""
    mentioned = {
        word
        for piece in pieces
        if not piece.tokens and not re.match(r"\s*#\s*include", piece.text)
        for word in re.findall(r"\w+", piece.text)
    }
    gone = reach.unreached([piece.tokens for piece in pieces], _directives(pieces), mentioned)
    kept: list[Piece] = []
    for piece, places_gone in zip(pieces, gone, strict=True):
        tokens = tuple(token for place, token in enumerate(piece.tokens) if place not in places_gone)
        if not places_gone:
            kept.append(piece)
        elif tokens:
            kept.append(replace(piece, text=cpp.join(tokens), tokens=tokens))
    return _without_reopening(_without_empty(kept))


def _shared(pieces: Sequence[Piece]) -> list[Piece]:
    """Make a macro of each text that is included several times.

    Its uses are alike even after reach, which drops by names alone; where they are not, all stay as they are.
    """
    uses: dict[Path, dict[int, list[int]]] = {}
    for place, piece in enumerate(pieces):
        if piece.repeat:
            uses.setdefault(piece.origin, {}).setdefault(piece.repeat, []).append(place)
    begins = _outside_of_ifs(pieces)
    defined: dict[int, list[Piece]] = {}  # by the place that they come before
    called: dict[int, Piece] = {}
    gone: set[int] = set()
    number = 0
    for origin, places_of in uses.items():
        texts = {tuple(token for at in use for token in pieces[at].tokens) for use in places_of.values()}
        tokens = min(texts)
        if len(places_of) < 2 or len(texts) > 1 or any("\n" in token for token in tokens):
            continue
        name = f"HEADRACE_GENERIC_{number}"
        number += 1
        first = min(at for use in places_of.values() for at in use)
        text = f"#define {name} {cpp.join(tokens)}"
        defined.setdefault(begins[first], []).append(Piece(origin, text, tokens, macro=name))
        for use in places_of.values():
            called[use[0]] = Piece(origin, name, (name,))
            gone.update(use[1:])
    result: list[Piece] = []
    for place, piece in enumerate(pieces):
        result += defined.get(place, [])
        if place not in gone:
            result.append(called.get(place, piece))
    return result


def _directives(pieces: Sequence[Piece]) -> list[str]:
    """Return each piece that is a directive, and an empty text for each other."""
    return [
        piece.text if not piece.tokens and piece.text.lstrip().startswith("#") else "" for piece in pieces
    ]


def _outside_of_ifs(pieces: Sequence[Piece]) -> list[int]:
    """Return for each piece the last place, up to its own, that is in no #if: all that follows sees it."""
    found: list[int] = []
    depth = outside = 0
    for place, directive in enumerate(_directives(pieces)):
        if depth == 0:
            outside = place
        found.append(outside)
        word = re.match(r"\s*#\s*(\w+)", directive)
        if word:
            depth += word[1] in ("if", "ifdef", "ifndef")
            depth -= word[1] == "endif"
    return found


def _without_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Drop each #if that has become empty, and each namespace."""
    kept: list[Piece] = []
    for piece in pieces:
        kept.append(piece)
        if len(kept) > 1 and re.match(r"#\s*endif\b", piece.text) and not piece.tokens:
            if re.match(r"#\s*if", kept[-2].text) and not kept[-2].tokens:
                del kept[-2:]
        elif len(kept) > 1 and piece.tokens == ("}",) and _opens_namespace(kept[-2].tokens):
            del kept[-2:]
    return kept


def _without_reopening(pieces: Sequence[Piece]) -> list[Piece]:
    """Drop each end of a namespace that the next line opens again, with that line."""
    kept: list[tuple[Piece, tuple[str, ...]]] = []  # each with what it closes
    braces: list[tuple[str, ...]] = []  # what opened each; () where that is no namespace
    for piece in pieces:
        if _opens_namespace(piece.tokens):
            braces.append(piece.tokens)
            if kept and kept[-1][1] == piece.tokens:
                kept.pop()
            else:
                kept.append((piece, ()))
            continue
        closed: tuple[str, ...] = ()
        for token in piece.tokens:
            if token == "{":
                braces.append(())
            elif token == "}" and braces:
                closed = braces.pop()
        kept.append((piece, closed if piece.tokens == ("}",) else ()))
    return [piece for piece, _ in kept]


def _opens_namespace(tokens: Sequence[str]) -> bool:
    named = tokens[1:] if tokens[:1] == ("inline",) else tokens
    return named[:1] == ("namespace",) and tokens[-1] == "{" and tokens.count("{") == 1


def _squeeze(pieces: Sequence[Piece]) -> str:
    """Join the library's lines and give what they repeat a short name."""
    includes, pieces = _hoisted(pieces)
    # A header that is read after the macros may use a name as short as theirs.
    is_last = not any(re.match(r"\s*#\s*include\s*<(?!headrace)", piece.text) for piece in pieces)
    ending = "" if is_last else "_"
    taken = {word for piece in pieces for word in re.findall(r"\w+", piece.text)}
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if piece.macro:
            runs += [list(piece.tokens), []]
        elif not piece.tokens:
            runs.append([])
        else:
            runs[-1] += piece.tokens
    others = {word for piece in pieces if not piece.tokens for word in re.findall(r"\w+", piece.text)}
    runs = rename.renamed(runs, others, squeeze.names(taken))
    taken = others.union(*runs)
    macros, texts = squeeze.squeeze(runs, taken, ending)
    following = iter(texts)
    lines = [_wrap(next(following))]
    for piece in pieces:
        if piece.macro:
            lines.append(squeeze.define(piece.macro, next(following)))
            lines.append(_wrap(next(following)))
        elif not piece.tokens:
            lines.append(piece.text + "\n")
            lines.append(_wrap(next(following)))
    return "".join(
        [
            QUIET,
            *(piece.text + "\n" for piece in includes),
            *(squeeze.define(name, text) for name, text in macros),
            *lines,
            "#pragma GCC diagnostic pop\n",
        ]
    )


def _hoisted(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Return the includes that are below no #if and after no #define of the user's, and what is left."""
    includes: list[Piece] = []
    others: list[Piece] = []
    depth = 0
    may_move = True
    for piece in pieces:
        directive = re.match(r"\s*#\s*(\w+)", piece.text) if not piece.tokens else None
        word = directive[1] if directive else ""
        depth += (word in ("if", "ifdef", "ifndef")) - (word == "endif")
        if word in ("define", "undef", "pragma") and not _is_below(piece.origin, places.include_folder()):
            may_move = False
        if word == "include" and depth == 0 and may_move:
            includes.append(piece)
        else:
            others.append(piece)
    return includes, others


def _wrap(tokens: Sequence[str]) -> str:
    """Return tokens as lines of about a hundred columns, broken where a space would be anyway."""
    parts: list[str] = []
    before, column = "", 0
    for token in tokens:
        if before and cpp.would_merge(before, token):
            parts.append("\n" if column > 100 else " ")
            column = 0 if column > 100 else column + 1
        parts.append(token)
        column += len(token)
        before = token
    return "".join(parts) + "\n" if parts else ""


def fit(source: Path, wish: Wish, most: int) -> Bundle:
    """Bundle a source into at most `most` bytes, small if need be. Raises BadInput with what to drop."""
    made = make(source, wish)
    if made.size <= most:
        return made
    small = _Attempt(source, replace(wish, small=True))
    if small.may_fit(most) and small.size <= most:
        return small.bundle
    raise BadInput(_advice(source, wish, most, small))


class _Attempt:
    """A small bundle: guessed, and made only when it is asked for."""

    def __init__(self, source: Path, wish: Wish) -> None:
        self.wish = wish
        self._pieces = _pieces(source, wish)

    @cached_property
    def guess(self) -> int:
        """About how many bytes it makes."""
        library = places.include_folder()
        parts = _sizes(self._pieces).items()
        code = sum(size for file, size in parts if _is_below(file, library))
        return round(sum(size for _, size in parts) - code * (1 - SQUEEZED_CODE))

    def may_fit(self, most: int) -> bool:
        """Whether it is worth the seconds to make it."""
        return self.guess <= most * GUESS_IS_OFF_BY

    @cached_property
    def bundle(self) -> Bundle:
        """The result."""
        return _made(self._pieces, self.wish)

    @property
    def size(self) -> int:
        """Bytes of the result."""
        return self.bundle.size


def _advice(source: Path, wish: Wish, most: int, asked: _Attempt) -> str:
    """Say what fits; or that nothing does, and what comes nearest."""
    needed = _needed(source, wish)
    kept = [part for part in needed if part not in wish.without]
    stays = [
        f"It mentions {' and '.join(needed[part])}, so {part} stay{'s' * (part == 'copy')}." for part in kept
    ]
    attempt = asked
    for less in _lesser(wish, kept):
        attempt = _Attempt(source, replace(less, small=True))
        if attempt.may_fit(most) and attempt.size <= most:
            verdict = f"{source.name} makes about {_round(asked.guess)} bytes, more than {most}. What fits:"
            return "\n".join([verdict, f"{attempt.size:8}  {_options(less)}", *stays])
    fewest = f", with {_options(attempt.wish)}" if attempt is not asked else ""
    lines = [f"cannot fit {source.name} into {most} bytes: the minimum is {attempt.size}{fewest}.", *stays]
    if "floats" in kept and not {"fixed", "scientific"} & {*needed["floats"]}:
        without = replace(attempt.wish, without=_in_order([*attempt.wish.without, "floats"]))
        guess = _round(_Attempt(source, without).guess)
        lines.append(f"If it reads and writes none: about {guess} with {_options(without)}.")
    return "\n".join(lines)


def _round(size: int) -> int:
    return round(size, -3)


def _needed(source: Path, wish: Wish) -> dict[str, list[str]]:
    """Return the parts that the user's own code calls for, with the words that do."""
    found: dict[str, list[str]] = {}
    for piece in _pieces(source, wish):
        if _is_below(piece.origin, places.include_folder()):
            continue
        tokens = cpp.code_tokens(piece.text)
        for part, words in MENTIONS.items():
            for at, token in enumerate(tokens):
                is_other = tokens[max(at - 2, 0) : at] == ["std", "::"] or tokens[at - 1 : at] in (
                    ["."],
                    ["->"],
                )
                if token in words and not is_other and token not in found.setdefault(part, []):
                    found[part].append(token)
    return {part: words for part, words in found.items() if words}


def _lesser(wish: Wish, kept: Sequence[str] = ()) -> Iterator[Wish]:
    """Yield ever smaller wishes; the parts `kept` stay in all of them."""
    for part in PARTS_BY_USE:
        if part not in wish.without and part not in kept:
            wish = replace(wish, without=_in_order([*wish.without, part]))
            yield wish
    for drop in _from_rarest(wish.kernels):
        wish = replace(wish, kernels=tuple(kernel for kernel in wish.kernels if kernel != drop))
        yield wish


def _from_rarest(kernels: Sequence[str]) -> list[str]:
    """Return kernels in the order in which to drop them.

    First those of other processors than a judge's, which is an x86; then the best and the plainest of the
    others in turn: few machines have the one, and few must do with the other.
    """
    folder = places.include_folder() / "headrace" / "detail" / "simd"
    left = [kernel for kernel in kernels if kernel not in (ALWAYS_KEPT, ONLY_ON_REQUEST)]
    header = {kernel: folder / f"{kernel}.hpp" for kernel in left}
    is_x86 = {
        kernel: header[kernel].is_file() and "__x86_64__" in header[kernel].read_text("utf-8")
        for kernel in left
    }
    dropped = [kernel for kernel in kernels if kernel == ONLY_ON_REQUEST]
    dropped += [kernel for kernel in left if not is_x86[kernel]]
    left = [kernel for kernel in left if is_x86[kernel]]
    while left:
        dropped.append(left.pop(0))
        if left:
            dropped.append(left.pop())
    return dropped


def _in_order(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in parts)


def _options(wish: Wish) -> str:
    words = f"--without {','.join(wish.without)}" if wish.without else ""
    if wish.kernels != default_kernels():
        words += f" --kernels {','.join(wish.kernels)}"
    return words.strip()


# --- the command


def _bytes(text: str) -> int:
    """Return a number of bytes: 65536, 64K, 64KiB. Raises BadInput."""
    found = re.fullmatch(r"(\d+)(?:([KM])(?:iB)?)?", text.strip())
    most = int(found[1]) * {None: 1, "K": 1 << 10, "M": 1 << 20}[found[2]] if found else 0
    if most == 0:
        raise BadInput(f"--max-bytes does not understand {text!r}; write 65536, 64K or 64KiB")
    return most


def _names(text: str | None, known: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the names of a list. Raises BadInput for one that is not known."""
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    for name in names:
        if name not in known:
            raise BadInput(f"{option} does not know {name!r}; it takes {', '.join(known)}")
    return names


def _wish(kernels: str | None, without: str | None, comments: bool, folders: Sequence[Path]) -> Wish:
    known = kernel_names()
    chosen = default_kernels() if kernels is None else _names(kernels, known, "--kernels")
    return Wish(
        kernels=tuple(kernel for kernel in known if kernel in chosen or kernel == ALWAYS_KEPT),
        without=_names(without, tuple(PARTS), "--without"),
        comments=comments,
        folders=tuple(folder.resolve() for folder in folders),
    )


def run(
    source: Path | None, header: str | None, out: Path | None, wish: Wish, max_bytes: int | None
) -> Bundle:
    """Make a bundle and write it; nothing is written on an error. Raises BadInput.

    `source`, or else `header`: one of the library's, which stays a header.
    """
    if (source is None) == (header is None):
        raise BadInput("name a source, or give --library or --bench, and no two of them")
    if source is not None and not source.is_file():
        raise BadInput(f"{source} is not a file; name a C++ source")
    entry = source or places.include_folder() / "headrace" / str(header)
    if out is not None and out.resolve() == entry.resolve():
        raise BadInput(f"{out} is the source itself; write the bundle to another file")
    if out is not None and not out.resolve().parent.is_dir():
        raise BadInput(f"the folder of {out} does not exist; make it, or write elsewhere")
    made = fit(entry, wish, max_bytes) if max_bytes is not None and header is None else make(entry, wish)
    if header is not None:
        if max_bytes is not None and made.size > max_bytes:
            raise BadInput(
                f"{header} makes {made.size} bytes, more than {max_bytes}; bundle a source that includes "
                "it, which can lose what it does not use"
            )
        made = Bundle("#pragma once\n" + made.text, made.sizes)
    if out is None:
        print(made.text, end="")
    else:
        places.write_whole(out, made.text.encode())
    if not made.holds_library:
        print(f"headrace: {entry.name} includes nothing of headrace: nothing was put in", file=sys.stderr)
    return made


def _help_on_kernels() -> str:
    try:
        return f"Keep only these: {', '.join(kernel_names())}. All but {ONLY_ON_REQUEST} without it."
    except BadInput:  # which the command says when it is called
        return "Keep only these; all without it."


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    _register(app.command(epilog="Example: headrace bundle solution.cpp -o submit.cpp --max-bytes 65536"))


def _register(command: Callable[..., object]) -> None:
    @command
    def bundle(
        source: Annotated[Path | None, typer.Argument(help="A C++ source that includes headrace.")] = None,
        library: Annotated[
            bool, typer.Option("--library", help="Bundle the library itself: one header.")
        ] = False,
        bench: Annotated[
            bool, typer.Option("--bench", help="Bundle headrace/bench.hpp with its parts: one header.")
        ] = False,
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="Where to write; standard output without it.")
        ] = None,
        kernels: Annotated[str | None, typer.Option(help=_help_on_kernels())] = None,
        without: Annotated[str | None, typer.Option(help=f"Leave out parts: {', '.join(PARTS)}.")] = None,
        max_bytes: Annotated[
            int | None,
            typer.Option(
                parser=_bytes,
                metavar="BYTES",
                help="Fit into this many bytes (65536, 64K), by macros if need be, or say what to drop.",
            ),
        ] = None,
        include: Annotated[
            list[Path] | None, typer.Option("-I", help="Where includes are looked for, too.")
        ] = None,
        comments: Annotated[
            bool | None,
            typer.Option(help="Keep comments; only --library and --bench do without being told."),
        ] = None,
        as_json: Annotated[
            bool, typer.Option("--json", help="With -o: print the size and its parts as JSON.")
        ] = False,
    ) -> None:
        """Make one file of a source and what it reaches of the library, or of a header of the library."""
        if as_json and out is None:
            raise BadInput("--json goes with -o: without it, standard output is the bundle")
        headers = [name for name, asked in (("headrace.hpp", library), ("bench.hpp", bench)) if asked]
        if len(headers) > 1:
            raise BadInput("give --library or --bench, not both: each makes one header")
        keep = bool(headers) and max_bytes is None if comments is None else comments
        header = headers[0] if headers else None
        made = run(source, header, out, _wish(kernels, without, keep, include or []), max_bytes)
        if out is not None and as_json:
            parts = {str(file): size for file, size in made.sizes.items()}
            print(json.dumps({"file": str(out), "bytes": made.size, "parts": parts}, indent=1))
        elif out is not None:
            files = len(made.sizes)
            print(f"{out}: {made.size} bytes from {files} file{'' if files == 1 else 's'}")
