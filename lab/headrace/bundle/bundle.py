"""One file: the library, bench.hpp, or a source with what it reaches of the library."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from headrace import __version__
from headrace.base import places
from headrace.bundle.flatten import Flattener, Piece, is_below, joined, shared
from headrace.bundle.options import BundleOptions
from headrace.bundle.reduce import reduced
from headrace.bundle.shorten import shortened

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
        return any(is_below(file, places.include_folder()) for file in self.sizes)


def make(source: Path, options: BundleOptions) -> Bundle:
    """Bundle a source, shortened where the result is to be small. Raises BadInput."""
    pieces = pieces_of(source, options)
    sizes: dict[Path, int] = {}
    for piece in pieces:
        sizes[piece.origin] = sizes.get(piece.origin, 0) + len(piece.text.encode()) + 1
    banner = (
        f"// Contains headrace {__version__} (MIT licence, copyright 2026 the headrace authors), "
        'put here by "headrace bundle".\n'
    )
    if options.small:
        body = shortened(pieces, for_clang=options.macros.get("__clang__", "") is not None)
    else:
        body = "".join(piece.text + "\n" for piece in pieces)
    return Bundle(banner + body, sizes)


def pieces_of(source: Path, options: BundleOptions) -> list[Piece]:
    """Return what a bundle consists of, before any squeezing. Raises BadInput."""
    pieces = _flattened(source, options)
    if not options.small:
        return shared(joined(pieces, only_repeats=True))
    macros = {**options.macros}
    if not any(_is_wide(piece) for piece in pieces):
        macros["__SIZEOF_INT128__"] = None
    only_in_and_out = not any(_needs_more(piece) for piece in pieces)
    pieces = _flattened(source, replace(options, only_in_and_out=only_in_and_out, macros=macros))
    return shared(reduced(pieces))


def _flattened(source: Path, options: BundleOptions) -> list[Piece]:
    flat = Flattener(options)
    flat.add(source)
    return flat.result()


def _needs_more(piece: Piece) -> bool:
    """Whether this is for more than `in` and `out`: of columns, or the user's own text and names a stream."""
    if is_below(piece.origin, places.include_folder()):
        return piece.origin.name == "columns.hpp"
    return re.search(r"\b(reader|writer)\b", piece.text) is not None


def _is_wide(piece: Piece) -> bool:
    """Whether this is the user's own text and names an integer of 128 bits."""
    return not is_below(piece.origin, places.include_folder()) and "int128" in piece.text
