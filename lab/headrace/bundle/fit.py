"""The largest bundle that fits into a number of bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp
from headrace.bundle.bundle import Bundle, made_of, make, pieces_of, sizes_of
from headrace.bundle.flatten import is_below
from headrace.bundle.wish import ALWAYS_KEPT, ONLY_ON_REQUEST, PARTS, Wish, default_kernels

PARTS_BY_USE = ("copy", "floats", "windows")  # the least used first


MENTIONS = {  # the words of a source that call for a part
    "floats": ("double", "float", "fixed", "scientific"),
    "copy": ("copy",),
}


# Squeezing takes seconds, so its size is guessed first: the library becomes about so much of itself, the
# user's own text stays as it is. Guesses were within 12 % of what came out.
SQUEEZED_CODE = 0.41


GUESS_IS_OFF_BY = 1.2


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
        self._pieces = pieces_of(source, wish)

    @cached_property
    def guess(self) -> int:
        """About how many bytes it makes."""
        library = places.include_folder()
        parts = sizes_of(self._pieces).items()
        code = sum(size for file, size in parts if is_below(file, library))
        return round(sum(size for _, size in parts) - code * (1 - SQUEEZED_CODE))

    def may_fit(self, most: int) -> bool:
        """Whether it is worth the seconds to make it."""
        return self.guess <= most * GUESS_IS_OFF_BY

    @cached_property
    def bundle(self) -> Bundle:
        """The result."""
        return made_of(self._pieces, self.wish)

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
    for piece in pieces_of(source, wish):
        if is_below(piece.origin, places.include_folder()):
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
