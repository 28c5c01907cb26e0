"""C++ declarations: where each begins and ends, what it is called, and which are within it.

A parser of the library's own layout and of what macros and #if do in it, not of all C++.
"""

from __future__ import annotations

import itertools
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
NO_TYPES = frozenset(
    "and case co_await co_return co_yield const_cast delete do dynamic_cast else goto new not or operator "
    "return reinterpret_cast sizeof static_cast throw xor".split()
)
DECLARES_A_CLASS = ("{", ":", ";", "<", ",", ">", "=", "final")  # after its name
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

    arity: int | None = None  # how many arguments a function takes; None: that is not known, or may vary

    def own(self) -> Iterator[int]:
        """Yield the places of the atoms that belong to no inner declaration."""
        place = self.begin
        for declaration in self.inner:
            yield from range(place, declaration.begin)
            place = declaration.end
        yield from range(place, self.end)


class Parser:
    """Splits atoms into declarations. Raises Unreadable."""

    def __init__(self, atoms: Sequence[Atom]) -> None:
        self._atoms = atoms

    def scope(self, place: int, end: int, owner: str = "") -> list[Declaration]:
        """Return the declarations of [at, end), the body of a namespace or of the class `owner`."""
        declarations = []
        while place < end:
            atom = self._atoms[place]
            if atom.directive:
                place += 1
            elif atom.text in ACCESS and self._text(place + 1) == ":":
                place += 2
            elif BETWEEN.fullmatch(atom.text):
                place = self.close(place + 1) if self._text(place + 1) == "(" else place + 1
            else:
                declarations.append(self._namespace(place) or self._declaration(place, owner))
                place = declarations[-1].end
        return declarations

    def _text(self, place: int) -> str:
        return self._atoms[place].text if place < len(self._atoms) else ""

    def _next(self, place: int) -> int:
        while place < len(self._atoms) and self._atoms[place].directive:
            place += 1
        return place

    def close(self, place: int) -> int:
        """Return the place after the bracket that closes the one at `at`; each branch of an #if is apart."""
        depth = 0
        before: list[int] = []
        for i in range(place, len(self._atoms)):
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

    def close_angle(self, place: int) -> int:
        """Return the place after the > that closes the < at a place."""
        depth = 0
        while place < len(self._atoms):
            text = self._text(place)
            if text in OPENING:
                place = self.close(place)
                continue
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            place += 1
            if depth <= 0:
                return place
        raise Unreadable("template arguments without an end")

    def _namespace(self, place: int) -> Declaration | None:
        first = place
        if self._text(place) == "inline":
            place += 1
        if (
            self._text(place) == "extern"
            and self._text(place + 1).startswith('"')
            and self._text(place + 2) == "{"
        ):
            opening = place + 2
        elif self._text(place) == "namespace":
            opening = place
            while self._text(opening) not in ("{", "="):
                opening += 1
            if self._text(opening) == "=":
                return None
        else:
            return None
        end = self.close(opening)
        return Declaration(first, end, opening, is_scope=True, inner=self.scope(opening + 1, end - 1))

    def _declaration(self, place: int, owner: str) -> Declaration:
        first, name, words = place, "", set[str]()
        while True:
            place = self._next(place)
            text = self._text(place)
            if text == "":
                raise Unreadable("a declaration without an end")
            if text == "operator":
                name, place = "", self._parameters(place)
                break
            if text == "(" and self._text(place - 1) in TAKES_PARENTHESES:
                place = self.close(place)
            elif text in ("(", "=", "{", ":", ";"):
                break
            elif text == "[":
                place = self.close(place)
            elif text == "<":
                place = self.close_angle(place)
            else:
                if WORD.fullmatch(text) and text != "final":
                    words.add(text)
                    name = text
                place += 1
        is_function = self._text(place) == "("
        is_type = not words.isdisjoint(CLASS_KEYS) and self._text(place) in ("{", ":", ";")
        is_data = not is_function and not is_type and "using" not in words
        may_go = not owner or not is_data or name.endswith("_") or ("static" in words and name != "value")
        if name in NO_NAMES or name == owner or not words.isdisjoint(ALWAYS) or not may_go:
            name = ""
        has_parameters = is_function and "typedef" not in words
        made = Declaration(first, place, place, name, has_parameters=has_parameters)
        opening = self._body(place) if is_type and "enum" not in words else None
        closing = 0
        if is_function:
            made.arity = self.arity(place)
            following = self._next(self.close(place))
            made.end = self._end_of_function(place)
            # X name(arguments); may be a variable
            made.is_function = owner != "" or self._text(following) not in (";", ",")
        elif opening is not None:
            closing = self.close(opening)
            made.inner = self.scope(opening + 1, closing - 1, name)
            made.end = self._end_of_statement(closing)
        else:
            made.end = self._end_of_statement(place)
        is_one = is_function or is_type or "template" in words
        several = not is_one and self._has_comma(place, made.end)
        variable_of_type = opening is not None and self._text(self._next(closing)) != ";"
        if "enum" in words or several or variable_of_type or not self._is_balanced(made):
            made.name = ""  # there are more names than one
        return made

    def arity(self, place: int) -> int | None:
        """Return how many arguments are in the parenthesis at a place; None where < may hide a comma."""
        tokens = [atom.text for atom in self._atoms[place + 1 : self.close(place) - 1]]
        if {"<", "...", "="} & {*tokens}:
            return None
        depths = itertools.accumulate((token in OPENING) - (token in CLOSING) for token in tokens)
        commas = sum(token == "," and depth == 0 for token, depth in zip(tokens, depths, strict=True))
        return commas + 1 if tokens else 0

    def _has_comma(self, place: int, end: int) -> bool:
        """Whether a comma is outside of all brackets; one of template arguments is as good."""
        while place < end:
            if self._text(place) == ",":
                return True
            place = self.close(place) if self._text(place) in OPENING else place + 1
        return False

    def _parameters(self, place: int) -> int:
        """The parenthesis after `operator` and its name, which may be a pair of them."""
        place += 1
        if self._text(place) == "(" and self._text(place + 1) == ")":
            place += 2
        while self._text(place) != "(":
            place += 1
        return place

    def _body(self, place: int) -> int | None:
        """The brace that opens a class, after its bases."""
        while self._text(place) not in ("{", ";", ""):
            place = self.close_angle(place) if self._text(place) == "<" else place + 1
        return place if self._text(place) == "{" else None

    def _end_of_statement(self, place: int) -> int:
        while self._text(place) != ";" or self._atoms[place].directive:
            if place >= len(self._atoms):
                raise Unreadable("a statement without an end")
            place = self.close(place) if self._text(place) in OPENING else place + 1
        return place + 1

    def _end_of_function(self, place: int) -> int:
        """After a semicolon, or after a body, which neither a comma nor a brace follows."""
        while place < len(self._atoms):
            text = self._text(place)
            if text == ";":
                return place + 1
            if text == "=":
                return self._end_of_statement(place)
            if text in OPENING:
                place = self.close(place)
                if text == "{" and self._text(self._next(place)) not in (",", "{"):
                    return place
            else:
                place += 1
        raise Unreadable("a function without an end")

    def _is_balanced(self, declaration: Declaration) -> bool:
        depth = 0
        for atom in self._atoms[declaration.begin : declaration.end]:
            depth += atom.directive in ("if", "ifdef", "ifndef")
            if atom.directive in ("else", "elif", "endif") and depth == 0:
                return False
            depth -= atom.directive == "endif"
        return depth == 0


def is_declared(before: str, earlier: str, after: str) -> bool:
    """Whether a word is where C++ declares something: `type word`, `type* word`, `class word`."""
    if before in ("struct", "class", "union", "enum"):  # struct stat status; declares no stat
        return earlier != "=" and after in DECLARES_A_CLASS
    if before in ("*", "&", "&&", "*const", "..."):
        return bool(re.match(r"\w|>|\*|\.\.\.", earlier)) and earlier not in NO_TYPES
    return before == ">" or (WORD.fullmatch(before) is not None and before not in NO_TYPES)


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
