"""What a program reaches of the library, by name: declarations whose names nobody mentions can go.

A declaration stays when its name occurs in the user's code, in a macro, or in another declaration that
stays; a member function needs its class to stay, too. All overloads and specialisations of a name stay
together, and so does all that C++ finds without a name: constructors, operators, data members.
Too much may stay, never too little. Text that this cannot follow stays whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headrace.bundle.declarations import (
    CLOSING,
    OPENING,
    WORD,
    Atom,
    Declaration,
    Parser,
    Unreadable,
    atoms_of,
)

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
    _mark(top, atoms, mentioned | NAMED_BY_CPP)
    for declaration in _gone(top):
        for at in range(declaration.begin, declaration.end):
            gone[atoms[at].line].add(places[at])
    return gone


def _mark(top: Declaration, atoms: Sequence[Atom], mentioned: set[str]) -> None:
    """Mark what stays, until nothing more does."""
    waiting = [top]
    reached = set(mentioned)  # all words
    called = set(mentioned)  # those that are where the name of a function may be
    goes_on = True
    while goes_on:
        goes_on = False
        still: list[Declaration] = []
        for declaration in waiting:
            if declaration.name and declaration.name not in (called if declaration.is_function else reached):
                still.append(declaration)
                continue
            goes_on = declaration.stays = True
            for at in [] if declaration.is_scope else declaration.own():
                words = WORD.findall(atoms[at].text)
                reached.update(words)
                if atoms[at].directive or _may_be_a_call(atoms, at):
                    called.update(words)
            still.extend(declaration.inner)
        waiting = still


def _may_be_a_call(atoms: Sequence[Atom], at: int) -> bool:
    """f(), f<...>(), x.f, X::f, &f, {1, f, 2}; a local variable is elsewhere, but where it initialises."""
    after = atoms[at + 1].text if at + 1 < len(atoms) else ""
    before = atoms[at - 1].text if at > 0 else ""
    if after in ("(", "<") or before in ("::", ".", "->", "&"):
        return True
    return before in ("{", ",") and after in (",", "}") and _innermost(atoms, at) == "{"


def _innermost(atoms: Sequence[Atom], at: int) -> str:
    """The bracket that the atom at a place is in; "" for none."""
    depth = 0
    for atom in reversed(atoms[max(at - 100, 0) : at]):
        depth += (not atom.directive) * ((atom.text in CLOSING) - (atom.text in OPENING))
        if depth < 0:
            return atom.text
    return ""


def _gone(declaration: Declaration) -> Iterator[Declaration]:
    for inner in declaration.inner:
        if inner.stays:
            yield from _gone(inner)
        else:
            yield inner
