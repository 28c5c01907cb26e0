"""`headrace bundle`: the library, or a source with what it reaches of the library, as one file.

Local includes (found beside the including file, below -I, or in the library) are replaced by what they name,
each once; system headers stay. Branches of #if known to be dead go: `#if 0`, and `__has_include` of a
header that is left out: so the library says what it can do without: its kernels, floats, copy.

What has to be small also loses the declarations that nobody mentions (reach), and then gets macros for what
repeats (squeeze).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer

from headrace import __version__, cpp, places, reach, squeeze
from headrace.errors import BadInput

KERNELS = ("scalar", "sse41", "avx2", "avx512", "neon")
PARTS = {  # what --without takes, and the headers that it leaves out
    "floats": ("detail/parse_float.hpp", "detail/format_float.hpp"),
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
# Squeezing takes seconds, so its size is guessed first: code becomes about so much of itself, tables of
# numbers and the user's own text stay as they are. Guesses were within 12 % of what came out.
SQUEEZED_CODE = 0.55
TABLES = ("powers.hpp", "short_digits.hpp")
GUESS_IS_OFF_BY = 1.2


@dataclass(frozen=True)
class Wish:
    """What to leave out and where to look."""

    kernels: tuple[str, ...] = KERNELS
    without: tuple[str, ...] = ()
    comments: bool = False
    folders: tuple[Path, ...] = ()
    small: bool = False  # no declarations that nobody mentions, no long tables, macros for what repeats

    def left_out(self) -> frozenset[Path]:
        """Return the library's headers that are not to be there."""
        library = places.include_folder().resolve() / "headrace"
        names = [name for part in self.without for name in PARTS[part]]
        for kernel in KERNELS:
            if kernel not in self.kernels:
                names += [f"detail/simd/{kernel}.hpp", f"detail/simd/format_{kernel}.hpp"]
        if self.small:
            names.append("detail/digits.hpp")
        return frozenset(library / name for name in names)


@dataclass(frozen=True)
class Piece:
    """One line of the result. `tokens` is empty where the line must stay as it is."""

    origin: Path
    text: str
    tokens: tuple[str, ...] = ()


@dataclass
class _Branch:
    """One #if that is open."""

    alive: bool  # lines of the present branch are emitted
    written: bool  # the #if itself was, so that #endif must be
    decided: bool  # a branch before or now is taken whatever the compiler says
    reachable: bool  # the #if stands where lines are emitted


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
    _depth: int = 0  # of #if in the result

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
        if guarded:  # an #if around this place may be false: the next place that includes it has it again
            name = self._guards.setdefault(path, f"HEADRACE_BUNDLE_{len(self._guards)}")
            self._emit(path, f"#ifndef {name}")
            self._emit(path, f"#define {name}")
        if once and self._depth == 0:
            self._done.add(path)
        self._stack.append(path)
        self._depth += guarded
        self._add_lines(path, lines)
        self._depth -= guarded
        self._stack.pop()
        if guarded:
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
        elif line.tokens:
            is_library = _is_below(path, places.include_folder())
            text = cpp.join(line.tokens) if is_library else line.code
            self.pieces.append(Piece(path, text, line.tokens if is_library else ()))

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
        if self.wish.small:  # then nothing is linked with it
            expression = re.sub(r"(?<!\()\bHEADRACE_COMPILED\b", "0", expression)
        value = cpp.Condition(tuple(cpp.code_tokens(expression))).value()
        if value is None:
            self._write(path, branch, f"#{word} {expression.strip()}")
            return
        branch.alive = branch.decided = value
        if value and branch.written:
            self._emit(path, "#else")

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
            looked = ", ".join(str(one) for one in self._folders(path, opening))
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
                return None if file in self.wish.left_out() else file
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
    return _reached(flat.pieces) if wish.small else flat.pieces


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
        tokens = tuple(one for place, one in enumerate(piece.tokens) if place not in places_gone)
        if not places_gone:
            kept.append(piece)
        elif tokens:
            kept.append(Piece(piece.origin, cpp.join(tokens), tokens))
    return _without_empty(kept)


def _directives(pieces: Sequence[Piece]) -> list[str]:
    """Return each piece that is a directive, and an empty text for each other."""
    return [
        piece.text if not piece.tokens and piece.text.lstrip().startswith("#") else "" for piece in pieces
    ]


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


def _opens_namespace(tokens: Sequence[str]) -> bool:
    return tokens[:1] == ("namespace",) and tokens[-1] == "{" and tokens.count("{") == 1


def _squeeze(pieces: Sequence[Piece]) -> str:
    """Join the library's lines and give what they repeat a short name."""
    includes, pieces = _hoisted(pieces)
    # A header that is read behind the macros may use a name as short as theirs.
    is_last = not any(re.match(r"\s*#\s*include\s*<(?!headrace)", piece.text) for piece in pieces)
    ending = "" if is_last else "_"
    taken = {word for piece in pieces for word in re.findall(r"\w+", piece.text)}
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if not piece.tokens:
            runs.append([])
        else:
            runs[-1] += piece.tokens
    macros, texts = squeeze.squeeze(runs, taken, ending)
    following = iter(texts)
    lines = [_wrap(next(following))]
    for piece in pieces:
        if not piece.tokens:
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
    """Return the includes that stand below no #if and behind no #define of the user's, and what is left."""
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
    """Return tokens as lines of about a hundred columns, broken where a blank would stand anyway."""
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
    """Bundle a source into at most so many bytes, small if need be. Raises BadInput with what to drop."""
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
        code = sum(size for file, size in parts if _is_below(file, library) and file.name not in TABLES)
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
    least = f", with {_options(attempt.wish)}" if attempt is not asked else ""
    lines = [f"cannot fit {source.name} into {most} bytes: the least is {attempt.size}{least}.", *stays]
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
    for drop in ("neon", "avx512", "sse41", "avx2"):
        if drop in wish.kernels:
            wish = replace(wish, kernels=tuple(one for one in wish.kernels if one != drop))
            yield wish


def _in_order(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in parts)


def _options(wish: Wish) -> str:
    words = f"--without {','.join(wish.without)}" if wish.without else ""
    if wish.kernels != KERNELS:
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
    chosen = KERNELS if kernels is None else _names(kernels, KERNELS, "--kernels")
    if "scalar" not in chosen:  # the other kernels leave to it what is odd
        chosen = ("scalar", *chosen)
    return Wish(
        kernels=tuple(one for one in KERNELS if one in chosen),
        without=_names(without, tuple(PARTS), "--without"),
        comments=comments,
        folders=tuple(one.resolve() for one in folders),
    )


def run(source: Path | None, library: bool, out: Path | None, wish: Wish, most: int | None) -> Bundle:
    """Make a bundle and write it; nothing is written on an error. Raises BadInput."""
    if (source is None) != library:
        raise BadInput("name a source, or give --library, and not both")
    if source is not None and not source.is_file():
        raise BadInput(f"{source} is not a file; name a C++ source")
    entry = source or places.include_folder() / "headrace" / "headrace.hpp"
    if out is not None and out.resolve() == entry.resolve():
        raise BadInput(f"{out} is the source itself; write the bundle to another file")
    if out is not None and not out.resolve().parent.is_dir():
        raise BadInput(f"the folder of {out} does not exist; make it, or write elsewhere")
    made = make(entry, wish) if most is None else fit(entry, wish, most)
    if library:
        made = Bundle("#pragma once\n" + made.text, made.sizes)
    if out is None:
        print(made.text, end="")
    else:
        places.write_whole(out, made.text.encode())
    if not made.holds_library:
        print(f"headrace: {entry.name} includes nothing of headrace: nothing was put in", file=sys.stderr)
    return made


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
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="Where to write; standard output without it.")
        ] = None,
        kernels: Annotated[
            str | None, typer.Option(help="Keep only these, as scalar,avx2; all without it.")
        ] = None,
        without: Annotated[str | None, typer.Option(help=f"Leave out parts: {', '.join(PARTS)}.")] = None,
        max_bytes: Annotated[
            int | None,
            typer.Option(
                parser=_bytes,
                metavar="BYTES",
                help="Fit into so many bytes (65536, 64K), by macros if need be, or say what to drop.",
            ),
        ] = None,
        include: Annotated[
            list[Path] | None, typer.Option("-I", help="Where includes are looked for, too.")
        ] = None,
        comments: Annotated[
            bool | None, typer.Option(help="Keep comments; only --library does without being told.")
        ] = None,
        as_json: Annotated[
            bool, typer.Option("--json", help="With -o: print the size and its parts as JSON.")
        ] = False,
    ) -> None:
        """Make one file of a source and what it reaches of the library, or of the library."""
        if as_json and out is None:
            raise BadInput("--json goes with -o: without it, standard output is the bundle")
        keep = library and max_bytes is None if comments is None else comments
        made = run(source, library, out, _wish(kernels, without, keep, include or []), max_bytes)
        if out is not None and as_json:
            parts = {str(file): size for file, size in made.sizes.items()}
            print(json.dumps({"file": str(out), "bytes": made.size, "parts": parts}, indent=1))
        elif out is not None:
            files = len(made.sizes)
            print(f"{out}: {made.size} bytes from {files} file{'' if files == 1 else 's'}")
