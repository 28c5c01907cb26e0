"""What a small bundle does without: declarations that nobody mentions, sentences, promises."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from headrace.bundle import cpp, reach
from headrace.bundle.declarations import CLOSING, OPENING
from headrace.bundle.flatten import Piece, joined

# Bodies of functions of one instruction, whose parentheses a macro for what repeats would break.
INSTRUCTION = r"HEADRACE_(?:ASM|INTO|ONE|TWO|MASK)"
# In each sentence that stands for a part that was left out.
OF_A_PART = "this file was bundled with --without "


def reduced(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without all that the program can do without."""
    whole = _without_idle_undefs(list(_with_instructions(joined(pieces))))
    return _reached(
        [piece.with_tokens(_without_promises(_without_sentences(piece.tokens))) for piece in whole]
    )


def _with_instructions(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Put the text of each function of one instruction where the library has a macro for it."""
    bodies: dict[str, tuple[list[str], list[str]]] = {}
    for piece in pieces:
        text = piece.text.replace("\\\n", " ")
        made = re.match(rf"\s*#\s*define ({INSTRUCTION})\(([^)]*)\)(.*)", text, re.DOTALL)
        if piece.tokens:
            yield piece.with_tokens(_expanded(list(piece.tokens), bodies))
        elif made:
            parameters = re.findall(r"\w+", made[2].replace("...", "__VA_ARGS__"))
            bodies[made[1]] = (parameters, cpp.code_tokens(made[3]))
        else:
            yield piece


def _without_idle_undefs(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Drop what takes back a macro that is not there, as those of kernels that were left out."""
    made = {found[1] for piece in pieces if (found := re.match(r"\s*#\s*define (\w+)", piece.text))}
    for piece in pieces:
        taken_back = re.fullmatch(r"\s*#\s*undef (HEADRACE_\w+)\s*", piece.text)
        if taken_back is None or taken_back[1] in made:
            yield piece


def _expanded(tokens: list[str], bodies: Mapping[str, tuple[list[str], list[str]]]) -> list[str]:
    """Replace the macros that have `bodies`: parameters, and what they stand for."""
    if bodies.keys().isdisjoint(tokens):
        return tokens
    begin = next(place for place, token in enumerate(tokens) if token in bodies)
    parameters, body = bodies[tokens[begin]]
    arguments: list[list[str]] = [[]]
    depth, end = 1, begin + 2
    while depth > 0:
        token = tokens[end]
        depth += (token in OPENING) - (token in CLOSING)
        if token == "," and depth == 1 and len(arguments) < len(parameters):
            arguments.append([])
        elif depth > 0:
            arguments[-1].append(token)
        end += 1
    given = dict(zip(parameters, arguments, strict=True))
    text = [word for token in body for word in given.get(token, [token])]
    return _expanded([*tokens[:begin], *text, *tokens[end:]], bodies)


def _without_sentences(tokens: Sequence[str]) -> list[str]:
    """Drop the sentence of each static_assert: what does not compile still does not.

    Those that stand for a part that was left out stay: they tell it to who uses that part.
    """
    kept: list[str] = []
    depth = -1  # of parentheses within an assertion; -1: outside
    for token in tokens:
        if token == "static_assert":
            depth = 0
        elif depth >= 0:
            depth += (token == "(") - (token == ")")
            if depth == 1 and token.startswith('"') and OF_A_PART not in token:
                continue
            if depth == 0 and kept[-1] == ",":
                kept.pop()
            if token == ";":
                depth = -1
        kept.append(token)
    return kept


def _without_promises(tokens: Sequence[str]) -> list[str]:
    """Drop `noexcept` where no condition follows, but from what overrides a function of std."""
    kept: list[str] = []
    for token, after in itertools.pairwise([*tokens, ""]):
        if token != "noexcept" or after in ("(", "override") or kept[-4:-3] == ["what"]:
            kept.append(token)
    return kept


def _reached(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without the library's declarations that nobody mentions."""
    others = [piece.text for piece in pieces if not piece.tokens and piece.directive != "include"]
    mentioned = {word for text in others for word in re.findall(r"\w+", text)}
    directives = [piece.text if piece.directive else "" for piece in pieces]
    gone = reach.unreached([piece.tokens for piece in pieces], directives, mentioned)
    kept: list[Piece] = []
    for piece, places_gone in zip(pieces, gone, strict=True):
        tokens = [token for place, token in enumerate(piece.tokens) if place not in places_gone]
        if tokens:
            kept.append(piece.with_tokens(tokens))
        elif not places_gone:
            kept.append(piece)
    return kept
