"""The largest bundle that fits into a number of bytes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp, worth
from headrace.bundle.bundle import Bundle, made_of, make, pieces_of, sizes_of
from headrace.bundle.flatten import is_below
from headrace.bundle.wish import ALWAYS_KEPT, PARTS, Wish, default_kernels, headers_of

PARTS_BY_USE = ("copy", "floats", "windows")  # the least used first


MENTIONS = {  # the words of a source that call for a part
    "floats": ("double", "float", "fixed", "scientific"),
    "copy": ("copy",),
}


# Squeezing takes seconds, so its size is guessed first: the library becomes about so much of itself, the
# user's own text stays as it is. Guesses were within 12 % of what came out.
SQUEEZED_CODE = 0.38


GUESS_IS_OFF_BY = 1.2


# Once a bundle of the same source has been made, the guesses for what leaves more out are nearer.
SAME_SOURCE_IS_OFF_BY = 0.97


@dataclass(frozen=True)
class Fitted:
    """A bundle, and what was dropped so that it fits: options that say so, "" for nothing."""

    bundle: Bundle
    dropped: str = ""


def fit(source: Path, wish: Wish, most: int, drop: bool = False) -> Fitted:
    """Bundle a source into at most `most` bytes, small if need be. Raises BadInput with what to drop.

    `drop`: drop it, unless the source mentions it.
    """
    made = make(source, wish)
    if made.size <= most:
        return Fitted(made)
    small = _Attempt(source, replace(wish, small=True))
    if small.may_fit(most) and small.size <= most:
        return Fitted(small.bundle)
    off_by = small.size / small.guess * SAME_SOURCE_IS_OFF_BY
    needed = _needed(source, wish)
    kept = [part for part in needed if part not in wish.without]
    attempt = small
    lesser = list(_lesser(wish, kept))
    for less in lesser:
        attempt = _Attempt(source, replace(less, small=True))
        is_last = less is lesser[-1]  # whose size is told in any case
        if (is_last or attempt.guess * off_by <= most) and attempt.size <= most:
            if drop:
                return Fitted(attempt.bundle, _options(less))
            verdict = f"{source.name} makes {small.size} bytes, more than {most}. What fits:"
            fitting = f"{attempt.size:8}  {_options(less)}"
            raise BadInput("\n".join([verdict, fitting, *_reasons(needed, kept), "--fit does so by itself."]))
    raise BadInput(_too_large(source, most, attempt, small, needed, kept))


def _too_large(
    source: Path,
    most: int,
    smallest: _Attempt,
    asked: _Attempt,
    needed: dict[str, list[str]],
    kept: Sequence[str],
) -> str:
    """Say by how much the smallest is too large, and what it consists of."""
    fewest = f", with {_options(smallest.wish)}" if smallest is not asked else ""
    lines = [
        f"cannot fit {source.name} into {most} bytes: the minimum is {smallest.size}{fewest}, "
        f"{smallest.size - most} too many.",
        f"The largest of what it reaches: {', '.join(_largest(smallest))}.",
        *_reasons(needed, kept),
    ]
    if "floats" in kept and not {"fixed", "scientific"} & {*needed["floats"]}:
        without = replace(smallest.wish, without=_in_order([*smallest.wish.without, "floats"]))
        guess = _round(_Attempt(source, without).guess)
        lines.append(f"If it reads and writes none: about {guess} with {_options(without)}.")
    return "\n".join(lines)


def _reasons(needed: dict[str, list[str]], kept: Sequence[str]) -> list[str]:
    return [
        f"It mentions {' and '.join(needed[part])}, so {part} stay{'s' * (part == 'copy')}." for part in kept
    ]


def _largest(attempt: _Attempt) -> list[str]:
    """Return the three files that take most of the result, as a sentence does."""
    sizes = attempt.bundle.sizes
    share = attempt.size / sum(sizes.values())
    largest = sorted(sizes, key=lambda file: (-sizes[file], file))[:3]
    return [f"{file.name} (about {round(sizes[file] * share / 100) * 100} bytes)" for file in largest]


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
    """Yield wishes that leave out more, the least useful first; the parts `kept` stay in all of them."""
    for part in PARTS_BY_USE:
        is_needed = part in kept or (part == "windows" and wish.macros.get("HEADRACE_WINDOWS") == "1")
        if part not in wish.without and not is_needed:
            wish = replace(wish, without=_in_order([*wish.without, part]))
            yield wish
    for kernels in _subsets(wish.kernels):
        yield replace(wish, kernels=kernels)


def _subsets(kernels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the subsets of kernels, those first whose programs take the least time: see worth.toml.

    A kernel of other processors than a judge's, which is an x86, is in none of them. Of two subsets that take
    the same time the one with less text comes first.
    """
    folder = places.include_folder() / "headrace" / "detail" / "simd"
    optional = [kernel for kernel in kernels if kernel != ALWAYS_KEPT and worth.is_known(kernel)]
    sizes = {kernel: sum(file.stat().st_size for file in headers_of(kernel, folder)) for kernel in optional}
    found = [
        subset for count in range(len(optional) + 1) for subset in itertools.combinations(optional, count)
    ]
    found.sort(key=lambda subset: (worth.expected_time(subset), sum(sizes[kernel] for kernel in subset)))
    chosen = [tuple(kernel for kernel in kernels if kernel in (*subset, ALWAYS_KEPT)) for subset in found]
    return [subset for subset in chosen if subset != tuple(kernels)]


def _in_order(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in parts)


def _options(wish: Wish) -> str:
    words = f"--without {','.join(wish.without)}" if wish.without else ""
    if wish.kernels != default_kernels():
        words += f" --kernels {','.join(wish.kernels)}"
    return words.strip()
