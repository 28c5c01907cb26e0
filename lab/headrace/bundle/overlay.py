"""What takes the place of the library's own text in a bundle: the files of the folder overlay/.

Each folder there is for one purpose: `small`, `in_and_out` (a small program of these two, without columns),
or a part that is left out. A file's path is that of the header that it changes. With `#pragma once` it stands
for all of that header. Without, each declaration in it takes the place of the one with its scope, name and
types of parameters; `= delete` takes that one away. One that names no declaration of the header is an error:
the header has changed, and the overlay has to follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from headrace.base.errors import BadInput
from headrace.bundle import cpp, declarations

FOLDER = Path(__file__).with_name("overlay")
IN_A_NAME = frozenset(("::", "~", "operator"))


@cache
def files(name: str) -> dict[Path, Path]:
    """Return the files of one overlay, by the path of their header below the library's folder."""
    folder = FOLDER / name
    return {file.relative_to(folder): file for file in sorted(folder.rglob("*.hpp"))}


def applied(header: Path, lines: Sequence[cpp.Line], changes: Sequence[Path]) -> Sequence[cpp.Line]:
    """Return a header's lines as files of overlays change them. Raises BadInput for what names nothing."""
    for file in changes:
        new = tuple(cpp.lines(file.read_text("utf-8")))
        if any(line.tokens[:3] == ("#", "pragma", "once") for line in new):
            return new
        lines = _replaced(header, lines, file, new)
    return lines


def without_kernels(header: Path, lines: Sequence[cpp.Line], kernels: frozenset[str]) -> Sequence[cpp.Line]:
    """Return a header's lines without what is declared for these kernels."""
    if not any(kernels.intersection(line.tokens) for line in lines if not line.directive):
        return lines
    text = _followed(header, lines)
    return list(text.with_replaced([(begin, end, []) for begin, end in text.of_kernels(kernels)]))


def _followed(file: Path, lines: Sequence[cpp.Line]) -> _Text:
    try:
        return _Text(lines)
    except declarations.Unreadable as error:
        raise BadInput(f"cannot follow the declarations of {file}: {error}") from error


def _replaced(
    header: Path, lines: Sequence[cpp.Line], file: Path, changes: Sequence[cpp.Line]
) -> Sequence[cpp.Line]:
    old, new = _followed(header, lines), _followed(file, changes)
    targets: dict[str, list[_Named]] = {}
    for named in old.named:
        targets.setdefault(named.key, []).append(named)
    replaced: list[tuple[int, int, list[cpp.Line]]] = []
    for named in new.named:
        if named.key not in targets:
            number = changes[new.atoms[named.begin].line].number
            raise BadInput(f"{file}:{number}: {header} declares no {named.key}")
        for target in targets[named.key]:
            if named.is_deleted or named.has_body == target.has_body:
                text = [] if named.is_deleted else new.between(named.begin, named.end)
                replaced.append((target.begin, target.end, text))
    return list(old.with_replaced(replaced))


@dataclass(frozen=True)
class _Named:
    """One declaration: the atoms [begin, end), and what it is found by."""

    key: str
    begin: int
    end: int
    has_body: bool
    is_deleted: bool


class _Text:
    """Lines, and the declarations in them. Raises Unreadable."""

    def __init__(self, lines: Sequence[cpp.Line]) -> None:
        self._lines = lines
        tokens = [() if line.directive else line.tokens for line in lines]
        self.atoms, self._places = declarations.atoms_of(
            tokens, [line.code * bool(line.directive) for line in lines]
        )
        self._declarations = declarations.Parser(self.atoms).scope(0, len(self.atoms))
        self.named = list(self._names(self._declarations, ""))

    def between(self, begin: int, end: int) -> list[cpp.Line]:
        """Return the atoms [begin, end) as lines."""
        by_line: dict[int, list[str]] = {}
        for atom in self.atoms[begin:end]:
            by_line.setdefault(atom.line, []).append(atom.text)
        return [
            self._lines[line] if self._lines[line].directive else _line(self._lines[line].number, tokens)
            for line, tokens in by_line.items()
        ]

    def with_replaced(self, changes: Sequence[tuple[int, int, list[cpp.Line]]]) -> Iterator[cpp.Line]:
        """Yield the lines, with other lines for the atoms [begin, end) of each change."""
        new = {begin: lines for begin, _, lines in changes}
        gone = {place for begin, end, _ in changes for place in range(begin, end)}
        of_line: dict[int, list[int]] = {}
        for place, atom in enumerate(self.atoms):
            of_line.setdefault(atom.line, []).append(place)
        for number, line in enumerate(self._lines):
            places = of_line.get(number, [])
            if gone.isdisjoint(places):
                yield line
                continue
            tokens: list[str] = []
            for place in places:
                if place in new:
                    yield _line(line.number, tokens)
                    yield from new[place]
                    tokens = []
                if place not in gone:
                    tokens.append(self.atoms[place].text)
            yield _line(line.number, tokens)

    def of_kernels(self, kernels: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Yield the places of the outermost declarations that only these kernels need."""
        waiting = [*reversed(self._declarations)]
        while waiting:
            declaration = waiting.pop()
            tokens = [atom.text for atom in self.atoms[declaration.begin : declaration.end]]
            pairs = zip(tokens, tokens[2:], strict=False)
            if declaration.is_scope and tokens[1] not in kernels:
                waiting += reversed(declaration.inner)
            elif declaration.is_scope or any(word in kernels and last == "kernel" for word, last in pairs):
                yield declaration.begin, declaration.end

    def _names(self, declarations: Sequence[declarations.Declaration], scope: str) -> Iterator[_Named]:
        for declaration in declarations:
            tokens = [atom.text for atom in self.atoms[declaration.begin : declaration.end]]
            name = self._name(declaration)
            if declaration.inner or declaration.is_scope:
                yield from self._names(declaration.inner, f"{scope}{name}::" if name else scope)
            else:
                yield _Named(
                    scope + name,
                    declaration.begin,
                    declaration.end,
                    has_body=tokens[-1] == "}",
                    is_deleted=tokens[-3:] == ["=", "delete", ";"],
                )

    def _name(self, declaration: declarations.Declaration) -> str:
        """Return a declaration's own name, of a function with its parameters and what follows them."""
        first = stop = declaration.stop
        while first > declaration.begin and self._is_in_name(first):
            first -= 1
        name = [atom.text for atom in self.atoms[first:stop]]
        if declaration.has_parameters:
            closing = declarations.Parser(self.atoms).close(stop)
            name += _unnamed([atom.text for atom in self.atoms[stop + 1 : closing - 1] if not atom.directive])
            name += [atom.text for atom in self.atoms[closing : closing + 2] if atom.text in ("const", "&&")]
        return cpp.join(name)

    def _is_in_name(self, place: int) -> bool:
        """Whether the atom before a place belongs to the name that goes on there."""
        before, after = self.atoms[place - 1].text, self.atoms[place].text
        if before in IN_A_NAME or after == "::" or self.atoms[place - 2].text == "operator":
            return True
        return (
            declarations.WORD.fullmatch(before) is not None
            and not declarations.WORD.fullmatch(after)
            and after != "~"
        )


def _unnamed(tokens: Sequence[str]) -> list[str]:
    """Return parameters in parentheses, without names, defaults and attributes."""
    kept: list[str] = []
    depth = 0
    parameter: list[str] = []
    for token in [*tokens, ","]:
        if token == "," and depth == 0:
            if parameter[:2] == ["[", "["]:
                del parameter[: parameter.index("]") + 2]
            before_default = parameter[: parameter.index("=")] if "=" in parameter else parameter
            has_name = len(before_default) > 1 and _may_be_a_name(*before_default[-2:])
            kept += [",", *before_default[: len(before_default) - has_name]]
            parameter = []
            continue
        depth += (token in "([{<") - (token in ")]}>") - 2 * (token == ">>")
        parameter.append(token)
    return ["(", *kept[1:], ")"]


def _may_be_a_name(before: str, word: str) -> bool:
    is_word = declarations.WORD.fullmatch(word) is not None and word not in declarations.NO_NAMES
    return is_word and before not in ("::", "const", "typename")


def _line(number: int, tokens: Sequence[str]) -> cpp.Line:
    text = cpp.join(tokens)
    return cpp.Line(number, text, text, tuple(tokens))
