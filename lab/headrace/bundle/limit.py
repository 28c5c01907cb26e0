"""From a source, or a header of the library, to a file: whole, or the largest bundle that fits."""

from __future__ import annotations

import bisect
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp
from headrace.bundle.bundle import Bundle, make, pieces_of
from headrace.bundle.flatten import is_below
from headrace.bundle.options import ALWAYS_KEPT, PARTS, BundleOptions, default_kernels

PARTS_BY_USE = ("copy", "floats", "windows")  # the least used first
# The least missed first. Few machines have nothing better than SSE4.1; an int and a double, read and
# written, take 1.05 times as long with AVX2 as with AVX-512, and 1.4 times with the scalar kernel (g++ 12
# -O2, Intel, 2026-11-22).
KERNELS_BY_USE = ("sse41", "avx512", "avx2")
INSTEAD = "Instead, read a double with std::stod, write it with std::snprintf, and add --without floats."
MENTIONS = {  # the words of a source that call for a part
    "floats": ("double", "float", "fixed", "scientific"),
    "copy": ("copy",),
}


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
    needed = _needed(source, options)
    kept = [part for part in needed if part not in options.without]
    attempts = [replace(less, small=True) for less in (options, *_lesser(options, kept))]
    bundle_of = cache(lambda number: make(source, attempts[number]))  # which takes seconds
    small = bundle_of(0)
    if small.size <= most:
        return Fitted(small)
    place = bisect.bisect_left(
        range(len(attempts)), True, 1, key=lambda number: bundle_of(number).size <= most
    )
    if place == len(attempts):
        raise BadInput(_too_large(source, most, attempts, bundle_of(place - 1), needed, kept))
    dropped = _options(attempts[place])
    if drop:
        return Fitted(bundle_of(place), dropped)
    verdict = f"{source.name} makes {small.size} bytes, more than {most}. What fits:"
    fitting = f"{bundle_of(place).size:8}  {dropped}"
    raise BadInput("\n".join([verdict, fitting, *_reasons(needed, kept), "--fit does so by itself."]))


def _too_large(
    source: Path,
    most: int,
    attempts: Sequence[BundleOptions],
    smallest: Bundle,
    needed: dict[str, list[str]],
    kept: Sequence[str],
) -> str:
    """Say by how much the smallest is too large, and what it consists of."""
    options = attempts[-1]
    fewest = f", with {_options(options)}" if len(attempts) > 1 else ""
    lines = [
        f"cannot fit {source.name} into {most} bytes: the minimum is {smallest.size}{fewest}, "
        f"{smallest.size - most} too many.",
        f"The largest of what it reaches: {', '.join(_largest(smallest))}.",
        *_reasons(needed, kept),
    ]
    if "floats" in kept and not {"fixed", "scientific"} & {*needed["floats"]}:
        without = replace(options, without=_in_order([*options.without, "floats"]))
        lines.append(f"If it reads and writes none: {make(source, without).size} with {_options(without)}.")
    if "floats" in kept:
        lines.append(INSTEAD)
    return "\n".join(lines)


def _reasons(needed: dict[str, list[str]], kept: Sequence[str]) -> list[str]:
    return [
        f"It mentions {' and '.join(needed[part])}, so {part} stay{'s' * (part == 'copy')}." for part in kept
    ]


def _largest(bundle: Bundle) -> list[str]:
    sizes = bundle.sizes
    share = bundle.size / sum(sizes.values())
    largest = sorted(sizes, key=lambda file: (-sizes[file], file))[:3]
    return [f"{file.name} (about {round(sizes[file] * share / 100) * 100} bytes)" for file in largest]


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


def _lesser(options: BundleOptions, kept: Sequence[str]) -> list[BundleOptions]:
    """Return options that leave out more and more, what is missed least first; the parts `kept` stay in all.

    A judge is an x86: kernels of other processors go before those of x86.
    """
    lesser = []
    for part in PARTS_BY_USE:
        is_needed = part in kept or (part == "windows" and options.macros.get("HEADRACE_WINDOWS") == "1")
        if part not in options.without and not is_needed:
            options = replace(options, without=_in_order([*options.without, part]))
            lesser.append(options)
    others = [name for name in options.kernels if name not in (*KERNELS_BY_USE, ALWAYS_KEPT)]
    for kernel in (*others, *KERNELS_BY_USE):
        if kernel in options.kernels:
            options = replace(options, kernels=tuple(name for name in options.kernels if name != kernel))
            lesser.append(options)
    return lesser


def _in_order(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for part in PARTS if part in parts)


def _options(options: BundleOptions) -> str:
    words = f"--without {','.join(options.without)}" if options.without else ""
    if options.kernels != default_kernels():
        words += f" --kernels {','.join(options.kernels)}"
    return words.strip()


def write_bundle(
    source: Path | None,
    header: str | None,
    out: Path | None,
    options: BundleOptions,
    max_bytes: int | None,
    drop: bool = False,
) -> Bundle:
    """Make a bundle and write it; nothing is written on an error. Raises BadInput.

    `source`, or else `header`: one of the library's, which stays a header. `drop`: what does not fit,
    and say so.
    """
    if (source is None) == (header is None):
        raise BadInput("name a source, or give --library or --bench: just one of the three")
    if source is not None and not source.is_file():
        raise BadInput(f"{source} is not a file; name a C++ source")
    entry = source or places.include_folder() / "headrace" / str(header)
    if out is not None and out.resolve() == entry.resolve():
        raise BadInput(f"{out} is the source itself; write the bundle to another file")
    if out is not None and not out.resolve().parent.is_dir():
        raise BadInput(f"the folder of {out} does not exist; make it, or write elsewhere")
    dropped = ""
    if max_bytes is not None and header is None:
        fitted = fit(entry, options, max_bytes, drop)
        made, dropped = fitted.bundle, fitted.dropped
    else:
        made = make(entry, options)
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
    if dropped:
        print(f"headrace: left out, to make it fit: what {dropped} leaves out", file=sys.stderr)
    if not made.holds_library:
        print(f"headrace: {entry.name} includes nothing of headrace: nothing was put in", file=sys.stderr)
    return made
