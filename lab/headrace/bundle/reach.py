"""What a program reaches of the library, by name: declarations whose names nobody mentions can go.

A declaration stays when its name occurs in the user's code, in a macro, or in another declaration that
stays; a member function needs its class to stay, too. All overloads and specialisations of a name stay
together, and so does all that C++ finds without a name: constructors, operators, data members.
Too much may stay, never too little. Text that this cannot follow stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headrace.bundle.declarations import WORD, Atom, Declaration, Parser, Unreadable, atoms_of, is_declared

MEMBER_OF = ("::", ".", "->", "&")
NAMED_BY_CPP = frozenset(
    "begin default_error_condition difference_type end get is_error_code_enum iterator_category message "
    "pointer reference value_type what".split()
)


def unreached(
    lines: Sequence[Sequence[str]], directives: Sequence[str], mentioned: set[str]
) -> list[set[int]]:
    """Return for each line the places of the tokens that can go; a directive that can go has place 0.

    `lines`: tokens of the library, empty where `directives` has a directive or a line of somebody else's.
    `mentioned`: the words of all that stays anyway.
    """
    atoms, places = atoms_of(lines, directives)
    gone: list[set[int]] = [set() for _ in lines]
    try:
        top = Declaration(0, len(atoms), is_scope=True, inner=Parser(atoms).scope(0, len(atoms)))
    except Unreadable:
        return gone
    _Reach(atoms, top, mentioned | NAMED_BY_CPP).mark()
    for declaration in _gone(top):
        for place in range(declaration.begin, declaration.end):
            gone[atoms[place].line].add(places[place])
    return gone


class _Reach:
    """What was found to be mentioned."""

    def __init__(self, atoms: Sequence[Atom], top: Declaration, mentioned: set[str]) -> None:
        self._atoms = atoms
        self._texts = [*(atom.text for atom in atoms), ";", ";", ";"]  # as if one stood before and after all
        self._top = top
        self._reached = set(mentioned)  # all words
        # Those that are where the name of a function may be: with how many arguments; None: any number.
        self._called: dict[str, set[int | None]] = {word: {None} for word in mentioned}

    def mark(self) -> None:
        """Mark what stays, until nothing more does."""
        waiting = [self._top]
        goes_on = True
        while goes_on:
            goes_on = False
            still: list[Declaration] = []
            for declaration in waiting:
                if not self._stays(declaration):
                    still.append(declaration)
                    continue
                goes_on = declaration.stays = True
                if not declaration.is_scope:
                    self._follow(list(declaration.own()))
                still.extend(declaration.inner)
            waiting = still

    def _stays(self, declaration: Declaration) -> bool:
        if not declaration.name or not declaration.is_function:
            return not declaration.name or declaration.name in self._reached
        counts = self._called.get(declaration.name, set())
        return bool(counts) and (
            declaration.arity is None or not counts.isdisjoint({None, declaration.arity})
        )

    def _follow(self, places: Sequence[int]) -> None:
        """Note the words at these places; a local variable names no function."""
        text = self._texts
        local = {
            text[place] for place in places if is_declared(text[place - 1], text[place - 2], text[place + 1])
        }
        for place in places:
            words = WORD.findall(text[place])
            self._reached.update(words)
            before, after = text[place - 1], text[place + 1]
            if (
                self._atoms[place].directive
                or after in ("(", "<")
                or before in MEMBER_OF
                or local.isdisjoint(words)
            ):
                is_call = after == "(" and not self._atoms[place].directive
                count = Parser(self._atoms).arity(place + 1) if is_call else None
                for word in words:
                    self._called.setdefault(word, set()).add(count)


def _gone(declaration: Declaration) -> Iterator[Declaration]:
    for inner in declaration.inner:
        if inner.stays:
            yield from _gone(inner)
        else:
            yield inner
