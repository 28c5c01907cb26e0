"""C++ declarations: where each begins and ends, what it is called, and which are within it.

A parser of the library's own layout and of what macros and #if do in it, not of all C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from headrace.bundle import cpp

OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")
CLASS_KEYS = ("class", "struct", "union", "enum")
TAKES_PARENTHESES = ("__attribute__", "__declspec", "alignas", "decltype", "noexcept", "HEADRACE_TARGET")
ACCESS = ("public", "protected", "private")
ALWAYS = ("typedef", "static_assert", "virtual")  # whose names C++ may use without anybody's writing them
NO_NAMES = frozenset(
    "auto bool char char16_t char32_t const constexpr double explicit extern float inline int long mutable "
    "short signed static unsigned void volatile wchar_t".split()
)
WORD = re.compile(r"[^\W\d]\w*")
BETWEEN = re.compile(
    r"HEADRACE_(KERNELS|\w+_(BEGIN|END))"
)  # macros that stand for whole declarations or pragmas


class Unreadable(ValueError):
    """Text that is not laid out as this module expects."""


@dataclass(frozen=True)
class Atom:
    """A token, or a directive as a whole; `line` is its place among the lines that were given."""

    line: int
    text: str
    directive: str = ""  # "if", "define" ...; "" for a token


@dataclass
class Declaration:
    """The atoms [begin, end): `name` is "" for what always stays with its scope."""

    begin: int
    end: int
    stop: int = 0  # the atom after what is declared: a bracket, = : or ;
    name: str = ""
    is_scope: bool = False  # a namespace: its own tokens mention nothing
    is_function: bool = False  # which a variable of the same name does not mention
    has_parameters: bool = False  # a function, or what looks like its declaration
    inner: list[Declaration] = field(default_factory=list)
    stays: bool = False

    def own(self) -> Iterator[int]:
        """Yield the places of the atoms that belong to no inner declaration."""
        at = self.begin
        for declaration in self.inner:
            yield from range(at, declaration.begin)
            at = declaration.end
        yield from range(at, self.end)


class Parser:
    """Splits atoms into declarations. Raises Unreadable."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = atoms

    def scope(self, at: int, end: int, owner: str = "") -> list[Declaration]:
        """Return the declarations of [at, end), the body of a namespace or of the class `owner`."""
        found = []
        while at < end:
            atom = self._atoms[at]
            if atom.directive:
                at += 1
            elif atom.text in ACCESS and self._text(at + 1) == ":":
                at += 2
            elif BETWEEN.fullmatch(atom.text):
                at = self.close(at + 1) if self._text(at + 1) == "(" else at + 1
            else:
                found.append(self._namespace(at) or self._declaration(at, owner))
                at = found[-1].end
        return found

    def _text(self, at: int) -> str:
        return self._atoms[at].text if at < len(self._atoms) else ""

    def _next(self, at: int) -> int:
        """The first token from `at`."""
        while at < len(self._atoms) and self._atoms[at].directive:
            at += 1
        return at

    def close(self, at: int) -> int:
        """Return the place after the bracket that closes the one at `at`; each branch of an #if is apart."""
        depth = 0
        before: list[int] = []
        for i in range(at, len(self._atoms)):
            atom = self._atoms[i]
            if atom.directive in ("if", "ifdef", "ifndef"):
                before.append(depth)
            elif atom.directive in ("else", "elif", "endif"):
                if not before:
                    raise Unreadable("an #if that begins outside of a bracket and goes on inside")
                if atom.directive == "endif":
                    before.pop()
                else:
                    depth = before[-1]
            elif not atom.directive:
                depth += (atom.text in OPENING) - (atom.text in CLOSING)
                if depth == 0:
                    return i + 1
        raise Unreadable("a bracket without an end")

    def close_angle(self, at: int) -> int:
        """Return the place after the > that closes the < at a place."""
        depth = 0
        while at < len(self._atoms):
            text = self._text(at)
            if text in OPENING:
                at = self.close(at)
                continue
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            at += 1
            if depth <= 0:
                return at
        raise Unreadable("template arguments without an end")

    def _namespace(self, at: int) -> Declaration | None:
        first = at
        if self._text(at) == "inline":
            at += 1
        if self._text(at) == "extern" and self._text(at + 1).startswith('"') and self._text(at + 2) == "{":
            opening = at + 2
        elif self._text(at) == "namespace":
            opening = at
            while self._text(opening) not in ("{", "="):
                opening += 1
            if self._text(opening) == "=":
                return None
        else:
            return None
        end = self.close(opening)
        return Declaration(first, end, opening, is_scope=True, inner=self.scope(opening + 1, end - 1))

    def _declaration(self, at: int, owner: str) -> Declaration:
        first, name, words = at, "", set[str]()
        while True:
            at = self._next(at)
            text = self._text(at)
            if text == "":
                raise Unreadable("a declaration without an end")
            if text == "operator":
                name, at = "", self._parameters(at)
                break
            if text == "(" and self._text(at - 1) in TAKES_PARENTHESES:
                at = self.close(at)
            elif text in ("(", "=", "{", ":", ";"):
                break
            elif text == "[":
                at = self.close(at)
            elif text == "<":
                at = self.close_angle(at)
            else:
                if WORD.fullmatch(text) and text != "final":
                    words.add(text)
                    name = text
                at += 1
        is_function = self._text(at) == "("
        is_type = not words.isdisjoint(CLASS_KEYS) and self._text(at) in ("{", ":", ";")
        is_data = not is_function and not is_type and "using" not in words
        may_go = not owner or not is_data or name.endswith("_") or ("static" in words and name != "value")
        if name in NO_NAMES or name == owner or not words.isdisjoint(ALWAYS) or not may_go:
            name = ""
        has_parameters = is_function and "typedef" not in words
        made = Declaration(first, at, at, name, has_parameters=has_parameters)
        opening = self._body(at) if is_type and "enum" not in words else None
        closing = 0
        if is_function:
            following = self._next(self.close(at))
            made.end = self._end_of_function(at)
            # X name(arguments); may be a variable
            made.is_function = owner != "" or self._text(following) not in (";", ",")
        elif opening is not None:
            closing = self.close(opening)
            made.inner = self.scope(opening + 1, closing - 1, name)
            made.end = self._end_of_statement(closing)
        else:
            made.end = self._end_of_statement(at)
        is_one = is_function or is_type or "template" in words
        several = not is_one and self._has_comma(at, made.end)
        variable_of_type = opening is not None and self._text(self._next(closing)) != ";"
        if "enum" in words or several or variable_of_type or not self._is_balanced(made):
            made.name = ""  # there are more names than one
        return made

    def _has_comma(self, at: int, end: int) -> bool:
        """Whether a comma is outside of all brackets; one of template arguments is as good."""
        while at < end:
            if self._text(at) == ",":
                return True
            at = self.close(at) if self._text(at) in OPENING else at + 1
        return False

    def _parameters(self, at: int) -> int:
        """The parenthesis after `operator` and its name, which may be a pair of them."""
        at += 1
        if self._text(at) == "(" and self._text(at + 1) == ")":
            at += 2
        while self._text(at) != "(":
            at += 1
        return at

    def _body(self, at: int) -> int | None:
        """The brace that opens a class, after its bases."""
        while self._text(at) not in ("{", ";", ""):
            at = self.close_angle(at) if self._text(at) == "<" else at + 1
        return at if self._text(at) == "{" else None

    def _end_of_statement(self, at: int) -> int:
        while self._text(at) != ";" or self._atoms[at].directive:
            if at >= len(self._atoms):
                raise Unreadable("a statement without an end")
            at = self.close(at) if self._text(at) in OPENING else at + 1
        return at + 1

    def _end_of_function(self, at: int) -> int:
        """After a semicolon, or after a body, which neither a comma nor a brace follows."""
        while at < len(self._atoms):
            text = self._text(at)
            if text == ";":
                return at + 1
            if text == "=":
                return self._end_of_statement(at)
            if text in OPENING:
                at = self.close(at)
                if text == "{" and self._text(self._next(at)) not in (",", "{"):
                    return at
            else:
                at += 1
        raise Unreadable("a function without an end")

    def _is_balanced(self, declaration: Declaration) -> bool:
        depth = 0
        for atom in self._atoms[declaration.begin : declaration.end]:
            depth += atom.directive in ("if", "ifdef", "ifndef")
            if atom.directive in ("else", "elif", "endif") and depth == 0:
                return False
            depth -= atom.directive == "endif"
        return depth == 0


def atoms_of(lines: Sequence[Sequence[str]], directives: Sequence[str]) -> tuple[list[Atom], list[int]]:
    """Return what lines consist of, and the place of each within its line."""
    atoms: list[Atom] = []
    places: list[int] = []
    for number, (tokens, directive) in enumerate(zip(lines, directives, strict=True)):
        if directive:
            words = cpp.code_tokens(directive)
            atoms.append(Atom(number, directive, words[1] if len(words) > 1 else "#"))
            places.append(0)
        for place, token in enumerate(tokens):
            atoms.append(Atom(number, token))
            places.append(place)
    return atoms, places
