"""Names that a person typed and that nothing here has."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Sequence

from headrace.base.text import either


def is_named(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether one of the patterns, as fwrite or head*, names it; no pattern names all."""
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


CLEARLY_NEARER = 0.25  # of the likeness of two words, which is 1 where they are the same


def _likeness(typed: str, known: str) -> float:
    return difflib.SequenceMatcher(None, known, typed).ratio()


def nearest(name: str, known: Sequence[str]) -> list[str]:
    """Return up to three names that were perhaps meant."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.45)
    if near:  # a clear slip of the finger has one answer
        near = [
            candidate
            for candidate in near
            if _likeness(name, candidate) > _likeness(name, near[0]) - CLEARLY_NEARER
        ]
    near += [
        candidate for candidate in known if len(name) > 2 and name in candidate and candidate not in near
    ]
    return near[:3]


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """Return the sentence for an unknown name, with the nearest ones."""
    near = nearest(name, known)
    if near:
        return f"there is no {kind} {name}; did you mean {either(near)}?"
    there = f"there is only {known[0]}" if len(known) == 1 else f"there are {', '.join(known) or 'none'}"
    return f"there is no {kind} {name}; {there}"
