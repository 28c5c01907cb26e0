"""What has to be small loses the declarations that nobody mentions, and repetition."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from headrace.base import places
from headrace.bundle import cpp, locals, reach, rename, settle, squeeze
from headrace.bundle.flatten import Piece, is_below

WORD = re.compile(r"\w+")
# Bodies of functions of one instruction, whose parentheses a macro for what repeats would break.
INSTRUCTION = r"HEADRACE_(?:ASM|INTO|ONE|TWO|MASK)"
# In each sentence that stands for a part that was left out.
OF_A_PART = "this file was bundled with --without "
# People never indented this text, and what would use the field may be left out. Nothing comes after a small
# bundle: it is a source, so that nothing has to be put back.
QUIET = '#pragma GCC diagnostic ignored "-Wmisleading-indentation"\n'
QUIET_CLANG = """#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-private-field"
#endif
"""


def with_instructions(pieces: Sequence[Piece]) -> list[Piece]:
    """Put the text of each function of one instruction where the library has a macro for it."""
    bodies: dict[str, tuple[list[str], list[str]]] = {}
    kept: list[Piece] = []
    for piece in pieces:
        text = piece.text.replace("\\\n", " ")
        made = re.match(rf"\s*#\s*define ({INSTRUCTION})\(([^)]*)\)(.*)", text, re.DOTALL)
        if piece.tokens:
            tokens = tuple(_expanded(list(piece.tokens), bodies))
            kept.append(
                piece if tokens == piece.tokens else replace(piece, text=cpp.join(tokens), tokens=tokens)
            )
        elif made:
            bodies[made[1]] = (WORD.findall(made[2].replace("...", "__VA_ARGS__")), cpp.code_tokens(made[3]))
        elif not re.fullmatch(rf"\s*#\s*undef {INSTRUCTION}\s*", text):
            kept.append(piece)
    return kept


def _expanded(tokens: list[str], bodies: Mapping[str, tuple[list[str], list[str]]]) -> list[str]:
    """Replace the macros that have `bodies`: parameters, and what they stand for."""
    at = next((place for place, token in enumerate(tokens) if token in bodies), None)
    if at is None:
        return tokens
    parameters, body = bodies[tokens[at]]
    arguments: list[list[str]] = [[]]
    depth, end = 1, at + 2
    while depth > 0:
        token = tokens[end]
        depth += (token in reach.OPENING) - (token in reach.CLOSING)
        if token == "," and depth == 1 and len(arguments) < len(parameters):
            arguments.append([])
        elif depth > 0:
            arguments[-1].append(token)
        end += 1
    given = dict(zip(parameters, arguments, strict=True))
    text = [word for token in body for word in given.get(token, [token])]
    return _expanded([*tokens[:at], *text, *tokens[end:]], bodies)


def reached(pieces: Sequence[Piece]) -> list[Piece]:
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


def shared(pieces: Sequence[Piece]) -> list[Piece]:
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


def without_sentences(pieces: Sequence[Piece]) -> list[Piece]:
    """Drop the sentence of each static_assert of the library: what does not compile still does not.

    Those that stand for a part that was left out stay: they tell it to who uses that part.
    """
    kept: list[Piece] = []
    depth = -1  # of parentheses within an assertion; -1: outside
    for piece in map(_without_promises, pieces):
        if not piece.tokens or any(OF_A_PART in token for token in piece.tokens):
            kept.append(piece)
            continue
        tokens: list[str] = []
        for token in piece.tokens:
            if token == "static_assert":
                depth = 0
            elif depth >= 0:
                depth += (token == "(") - (token == ")")
                if depth == 1 and token.startswith('"'):
                    continue  # the comma before it goes below
                if token == ";":
                    depth = -1
            tokens.append(token)
        kept.append(replace(piece, tokens=tuple(tokens)))  # its text follows below
    return _without_last_commas(kept)


def _without_promises(piece: Piece) -> Piece:
    """Drop `noexcept` where no condition follows, but from what overrides a function of std."""
    if "override" in piece.tokens or "what" in piece.tokens:
        return piece
    pairs = zip(piece.tokens, (*piece.tokens[1:], ""), strict=False)  # a line without tokens has no pair
    return replace(piece, tokens=tuple(word for word, after in pairs if word != "noexcept" or after == "("))


def _without_last_commas(pieces: Sequence[Piece]) -> list[Piece]:
    """Make text of tokens without commas after which a parenthesis closes, and without empty lines."""
    following = ""
    kept: list[Piece] = []
    for piece in reversed(pieces):
        tokens = list(piece.tokens)
        for at in range(len(tokens) - 1, -1, -1):
            if tokens[at] == "," and following == ")":
                del tokens[at]
            else:
                following = tokens[at]
        if not piece.tokens:
            kept.append(piece)
            following = ""
        elif tokens:
            kept.append(replace(piece, text=cpp.join(tokens), tokens=tuple(tokens)))
    return kept[::-1]


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


def squeezed(pieces: Sequence[Piece], for_clang: bool = True) -> str:
    """Join the library's lines and give what they repeat a short name; `for_clang`: it may compile this."""
    includes, pieces = _hoisted(pieces)
    # A header that is read after the macros may use a name as short as theirs.
    is_last = not any(re.match(r"\s*#\s*include\s*<(?!headrace)", piece.text) for piece in pieces)
    ending = "" if is_last else "_"
    others = {word for piece in pieces if not piece.tokens for word in WORD.findall(piece.text)}
    fresh = squeeze.names(others | {token for piece in pieces for token in piece.tokens})
    pieces, local = _with_local_names(pieces, fresh)
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if piece.macro:
            runs += [list(piece.tokens), []]
        elif not piece.tokens:
            runs.append([])
        else:
            runs[-1] += piece.tokens
    given = rename.short_names(runs, others | local, fresh)
    runs = [[given.get(token, token) for token in run] for run in runs]
    macros, texts = squeeze.squeeze(runs, others.union(*runs), ending)
    names = settle.Names(
        local=local,
        own=set(given.values()),
        macros={name for name, _ in macros},
        directives={word for text in _directives(pieces) for word in WORD.findall(text)},
        others=others,
        ending=ending,
    )
    macros, texts = settle.settled(macros, texts, names)
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
            QUIET_CLANG if for_clang else "",
            *(piece.text + "\n" for piece in includes),
            *(squeeze.define(name, text) for name, text in macros),
            *lines,
        ]
    )


def _with_local_names(pieces: Sequence[Piece], fresh: Iterator[str]) -> tuple[list[Piece], set[str]]:
    """Return the pieces with few names for all that is local to functions, and these names."""
    plain = [at for at, piece in enumerate(pieces) if not piece.macro]
    lines = [pieces[at] for at in plain]
    atoms, places = reach.atoms_of([piece.tokens for piece in lines], _directives(lines))
    texts = [atoms]
    origins = [[(plain[atom.line], place) for atom, place in zip(atoms, places, strict=True)]]
    for at, piece in enumerate(pieces):
        if piece.macro:
            texts.append([reach.Atom(0, token) for token in piece.tokens])
            origins.append([(at, place) for place in range(len(piece.tokens))])
    found, numbers = locals.find(texts)
    names = list(itertools.islice(fresh, 1 + max(numbers.values(), default=-1)))
    tokens = [list(piece.tokens) for piece in pieces]
    for text, place, word in found:
        at, within = origins[text][place]
        tokens[at][within] = names[numbers[word]]
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
        directive = re.match(r"\s*#\s*(\w+)", piece.text) if not piece.tokens else None
        word = directive[1] if directive else ""
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
