"""The largest bundle that fits into a number of bytes."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp
from headrace.bundle.bundle import Bundle, made_of, make, pieces_of, sizes_of
from headrace.bundle.flatten import is_below
from headrace.bundle.options import ALWAYS_KEPT, PARTS, BundleOptions, default_kernels, headers_of

PARTS_BY_USE = ("copy", "floats", "windows")  # the least used first
MENTIONS = {  # the words of a source that call for a part
    "floats": ("double", "float", "fixed", "scientific"),
    "copy": ("copy",),
}
# To shorten a text takes seconds, so the size is guessed first: the library becomes about so much of itself,
# the user's own text stays as it is.
SHORTENED_CODE = 0.38
# How far a guess was off for one bundle of a source, it is about as far for the others.
GUESS_VARIES_BY = 0.97
KERNEL_TIMES = Path(__file__).with_name("kernel_times.toml")


@dataclass(frozen=True)
class Fitted:
    """A bundle, and what was dropped so that it fits: options that say so, "" for nothing."""

    bundle: Bundle
    dropped: str = ""


def fit(source: Path, options: BundleOptions, most: int, drop: bool = False) -> Fitted:
    """Bundle a source into at most `most` bytes, small if need be. Raises BadInput with what to drop.

    `drop`: drop it, unless the source mentions it.
    """
    made = make(source, options)
    if made.size <= most:
        return Fitted(made)
    small = _Attempt(source, replace(options, small=True))
    if small.size <= most:
        return Fitted(small.bundle)
    off_by = small.size / small.guess * GUESS_VARIES_BY
    needed = _needed(source, options)
    kept = [part for part in needed if part not in options.without]
    attempt = small
    lesser = list(_lesser(options, kept))
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
    fewest = f", with {_options(smallest.options)}" if smallest is not asked else ""
    lines = [
        f"cannot fit {source.name} into {most} bytes: the minimum is {smallest.size}{fewest}, "
        f"{smallest.size - most} too many.",
        f"The largest of what it reaches: {', '.join(_largest(smallest))}.",
        *_reasons(needed, kept),
    ]
    if "floats" in kept and not {"fixed", "scientific"} & {*needed["floats"]}:
        without = replace(smallest.options, without=_in_order([*smallest.options.without, "floats"]))
        guess = round(_Attempt(source, without).guess, -3)
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

    def __init__(self, source: Path, options: BundleOptions) -> None:
        self.options = options
        self._pieces = pieces_of(source, options)

    @cached_property
    def guess(self) -> int:
        """About how many bytes it makes."""
        library = places.include_folder()
        parts = sizes_of(self._pieces).items()
        code = sum(size for file, size in parts if is_below(file, library))
        return round(sum(size for _, size in parts) - code * (1 - SHORTENED_CODE))

    @cached_property
    def bundle(self) -> Bundle:
        """The result."""
        return made_of(self._pieces, self.options)

    @property
    def size(self) -> int:
        """Bytes of the result."""
        return self.bundle.size


def _needed(source: Path, options: BundleOptions) -> dict[str, list[str]]:
    """Return the parts that the user's own code calls for, with the words that do."""
    mentions: dict[str, list[str]] = {}
    for piece in pieces_of(source, options):
        if is_below(piece.origin, places.include_folder()):
            continue
        tokens = cpp.code_tokens(piece.text)
        for part, words in MENTIONS.items():
            for place, token in enumerate(tokens):
                is_other = tokens[max(place - 2, 0) : place] == ["std", "::"] or tokens[
                    place - 1 : place
                ] in (
                    ["."],
                    ["->"],
                )
                if token in words and not is_other and token not in mentions.setdefault(part, []):
                    mentions[part].append(token)
    return {part: words for part, words in mentions.items() if words}


def _lesser(options: BundleOptions, kept: Sequence[str] = ()) -> Iterator[BundleOptions]:
    """Yield optionses that leave out more, the least useful first; the parts `kept` stay in all of them."""
    for part in PARTS_BY_USE:
        is_needed = part in kept or (part == "windows" and options.macros.get("HEADRACE_WINDOWS") == "1")
        if part not in options.without and not is_needed:
            options = replace(options, without=_in_order([*options.without, part]))
            yield options
    for kernels in _subsets(options.kernels):
        yield replace(options, kernels=kernels)


def _subsets(kernels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the subsets of kernels, those first whose programs take the least time: see kernel_times.toml.

    A kernel of other processors than a judge's, which is an x86, is in none of them. Of two subsets that take
    the same time the one with less text comes first.
    """
    folder = places.include_folder() / "headrace" / "detail" / "simd"
    optional = [kernel for kernel in kernels if kernel != ALWAYS_KEPT and kernel in _kernel_times()[0]]
    sizes = {kernel: sum(file.stat().st_size for file in headers_of(kernel, folder)) for kernel in optional}
    subsets = [
        subset for count in range(len(optional) + 1) for subset in itertools.combinations(optional, count)
    ]
    subsets.sort(key=lambda subset: (expected_time(subset), sum(sizes[kernel] for kernel in subset)))
    chosen = [tuple(kernel for kernel in kernels if kernel in (*subset, ALWAYS_KEPT)) for subset in subsets]
    return [subset for subset in chosen if subset != tuple(kernels)]


@cache
def _kernel_times() -> tuple[Mapping[str, Mapping[str, float]], Mapping[str, float]]:
    data = tomllib.loads(KERNEL_TIMES.read_text("utf-8"))
    return data["nanoseconds"], data["machines"]


def expected_time(kernels: Collection[str]) -> float:
    """Return what a value takes a program with these kernels, in nanoseconds, over all machines."""
    times, machines = _kernel_times()
    order = list(machines)  # the best first; a machine runs those after its best one, too
    total = 0.0
    for rank, share in enumerate(machines.values()):
        best = next((name for name in order[rank:] if name in kernels), ALWAYS_KEPT)
        total += share * sum(times[best].values())
    return total


def _in_order(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in parts)


def _options(options: BundleOptions) -> str:
    words = f"--without {','.join(options.without)}" if options.without else ""
    if options.kernels != default_kernels():
        words += f" --kernels {','.join(options.kernels)}"
    return words.strip()
