"""Names for good: once what repeats has become macros, what is mentioned most gets the fewest letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from headrace.bundle import cpp, squeeze

Tokens = list[str]
Macros = list[tuple[str, Tokens]]


@dataclass(frozen=True)
class Names:
    """The names that this package gave, by what they may become; and the words that others know."""

    local: set[str]  # within functions: whatever the user's own code mentions
    own: set[str]  # anything but what others mention
    macros: set[str]  # the same, with an ending
    directives: set[str]  # words that the preprocessor may replace
    others: set[str]  # words of directives, of the user's code
    ending: str = ""

    @property
    def given(self) -> set[str]:
        """All of them."""
        return self.local | self.own | self.macros


def settled(macros: Macros, texts: Sequence[Tokens], names: Names) -> tuple[Macros, list[Tokens]]:
    """Return macros and texts without macros that do not pay, in final names."""
    macros, texts = _paying(macros, texts)
    everything = [*texts, *(body for _, body in macros)]
    given = names.given
    counts = Counter(token for text in everything for token in text if token in given)
    counts.update(name for name, _ in macros)
    kept = {token for text in everything for token in text} - given
    final = _assigned(counts, names, kept)
    return (
        [(final[name], [final.get(token, token) for token in body]) for name, body in macros],
        [[final.get(token, token) for token in text] for text in texts],
    )


@dataclass
class _Supply:
    """Names, the shortest first, that are not used yet."""

    names: Iterator[str]
    used: set[str]
    _next: str = field(init=False)

    def __post_init__(self) -> None:
        self._next = next(self.names)

    def peek(self) -> str:
        """Return the shortest name."""
        while self._next in self.used:
            self._next = next(self.names)
        return self._next


def _assigned(counts: Counter[str], names: Names, kept: set[str]) -> dict[str, str]:
    used: set[str] = set()
    users = names.others - names.directives - kept
    local = _Supply(squeeze.names(names.directives | kept), used)
    apart = _Supply(
        (name for name in squeeze.names(names.directives | kept) if name in users or len(name) > 2), used
    )
    own = _Supply(squeeze.names(names.others | kept), used)
    macros = _Supply(squeeze.names(names.others | kept, names.ending), used)
    final: dict[str, str] = {}
    for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if name in names.local:  # what the user's code mentions is free for nothing else
            chosen = min(apart.peek(), local.peek(), key=len)
        else:
            chosen = (macros if name in names.macros else own).peek()
        used.add(chosen)
        final[name] = chosen
    return final


def _paying(macros: Macros, texts: Sequence[Tokens]) -> tuple[Macros, list[Tokens]]:
    """Put back what macros stand for that cost more than they save."""
    bodies = dict(macros)
    uses = Counter(token for text in [*texts, *bodies.values()] for token in text if token in bodies)
    back: dict[str, Tokens] = {}
    for name, body in macros:
        saved = uses[name] * (len(cpp.join(body)) - len(name))
        if saved <= len(squeeze.define(name, body)):
            back[name] = body

    def restored(tokens: Tokens) -> Tokens:
        return [inner for token in tokens for inner in (restored(back[token]) if token in back else [token])]

    return (
        [(name, restored(body)) for name, body in macros if name not in back],
        [restored(text) for text in texts],
    )
