"""A small bundle's text: few letters for each name, and a macro for each sequence of tokens that repeats."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headrace.base import places
from headrace.bundle import cpp, declarations, local_names, own_names, repeats
from headrace.bundle.flatten import Piece, is_below

WORD = re.compile(r"\w+")
# People never indented this text, and what would use the field may be left out. Nothing comes after a small
# bundle: it is a source, so that nothing has to be put back.
QUIET = '#pragma GCC diagnostic ignored "-Wmisleading-indentation"\n'
QUIET_CLANG = """#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-private-field"
#endif
"""


def shortened(pieces: Sequence[Piece], for_clang: bool = True) -> str:
    """Join the library's lines and give what they repeat a short name; `for_clang`: it may compile this."""
    includes, pieces = _hoisted(pieces)
    # A header that is read after the macros may use a name as short as theirs.
    is_last = not any(re.match(r"\s*#\s*include\s*<(?!headrace)", piece.text) for piece in pieces)
    ending = "" if is_last else "_"
    own_macros = _macros_of_library(pieces)
    others = {word for piece in pieces if not piece.tokens for word in WORD.findall(piece.text)} - own_macros
    fresh = repeats.names(others | {token for piece in pieces for token in piece.tokens})
    pieces, local = _with_local_names(pieces, fresh)
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if piece.macro:
            runs += [list(piece.tokens), []]
        elif not piece.tokens:
            runs.append([])
        else:
            runs[-1] += piece.tokens
    own = own_names.short_names(runs, others | local, fresh)
    own.update(zip(sorted(own_macros), fresh, strict=False))
    runs = [[own.get(token, token) for token in run] for run in runs]
    macros, texts = repeats.replaced(runs, others.union(own.values(), *runs), ending)
    final = _final_names(
        [*texts, *(body for _, body in macros)],
        {name for name, _ in macros} | {own[name] for name in own_macros},
        local | {*own.values()},
        others,
        ending,
    )
    of_macros = {name: final[own[name]] for name in own_macros}
    texts = [[final.get(token, token) for token in text] for text in texts]
    following = iter(texts)
    lines = [_wrap(next(following))]
    for piece in pieces:
        if piece.macro:
            lines.append(repeats.define(of_macros[piece.macro], next(following)))
            lines.append(_wrap(next(following)))
        elif not piece.tokens:
            text = piece.text
            if piece.directive and is_below(piece.origin, places.include_folder()):
                text = WORD.sub(lambda word: of_macros.get(word[0], word[0]), text)
            lines.append(text + "\n")
            lines.append(_wrap(next(following)))
    definitions = [
        repeats.define(final[name], [final.get(token, token) for token in body]) for name, body in macros
    ]
    heads = [piece.text + "\n" for piece in includes]
    return "".join([QUIET, QUIET_CLANG * for_clang, *heads, *definitions, *lines])


def _macros_of_library(pieces: Sequence[Piece]) -> set[str]:
    """Return the names of macros that nothing but the library's own lines mentions, and no #if."""
    defined = {piece.macro for piece in pieces if piece.macro}
    mentioned: set[str] = set()
    for piece in pieces:
        words = WORD.findall(piece.text) if not piece.tokens else []
        if not is_below(piece.origin, places.include_folder()) or "if" in piece.directive:
            mentioned.update(words)
        elif piece.directive == "define" and words[1].startswith("HEADRACE_"):
            defined.add(words[1])
    return defined - mentioned


def _final_names(
    texts: Sequence[Sequence[str]], macros: set[str], given: set[str], others: set[str], ending: str
) -> dict[str, str]:
    """Return what the names of macros, and others that were given, become: the most frequent the shortest."""
    counts = Counter(token for text in texts for token in text)
    counts.update(macros)
    may_change = macros | (given & counts.keys())
    unused = repeats.names(others | (counts.keys() - may_change))
    of_macros = repeats.names(others | (counts.keys() - may_change), ending) if ending else unused
    by_use = sorted(may_change, key=lambda name: (-counts[name], name))
    return {name: next(of_macros if name in macros else unused) for name in by_use}


def _with_local_names(pieces: Sequence[Piece], fresh: Iterator[str]) -> tuple[list[Piece], set[str]]:
    """Return the pieces with few names for all that is local to functions, and these names."""
    plain = [number for number, piece in enumerate(pieces) if not piece.macro]
    lines = [pieces[number] for number in plain]
    atoms, places = declarations.atoms_of(
        [piece.tokens for piece in lines], [piece.text if piece.directive else "" for piece in lines]
    )
    texts = [atoms]
    origins = [[(plain[atom.line], place) for atom, place in zip(atoms, places, strict=True)]]
    for number, piece in enumerate(pieces):
        if piece.macro:
            texts.append([declarations.Atom(0, token) for token in piece.tokens])
            origins.append([(number, place) for place in range(len(piece.tokens))])
    mentions, numbers = local_names.find(texts)
    names = list(itertools.islice(fresh, 1 + max(numbers.values(), default=-1)))
    tokens = [list(piece.tokens) for piece in pieces]
    for text, place, word in mentions:
        number, within = origins[text][place]
        tokens[number][within] = names[numbers[word]]
    renamed = [
        replace(piece, tokens=tuple(new)) if piece.tokens else piece
        for piece, new in zip(pieces, tokens, strict=True)
    ]
    return renamed, set(names)


def _hoisted(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Return the includes that are below no #if and after no #define of the user's, and what is left."""
    includes: list[Piece] = []
    others: list[Piece] = []
    depth = 0
    may_move = True
    for piece in pieces:
        word = piece.directive
        depth += (word in ("if", "ifdef", "ifndef")) - (word == "endif")
        if word in ("define", "undef", "pragma") and not is_below(piece.origin, places.include_folder()):
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
