"""The overlays of bundles: each of their declarations is one of the library's, and takes its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import cpp, overlay

LIBRARY = places.include_folder() / "headrace"
FILES = [file.relative_to(overlay.FOLDER) for file in sorted(overlay.FOLDER.rglob("*.hpp"))]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_each_file_changes_its_header(file: Path) -> None:
    header = LIBRARY.joinpath(*file.parts[1:])
    lines = tuple(cpp.lines(header.read_text()))
    assert overlay.applied(header, lines, [overlay.FOLDER / file]) != lines


def changed(tmp_path: Path, header: str, *changes: str) -> str:
    """Return a header's code as overlays change it."""
    files = []
    for number, text in enumerate(changes):
        files.append(tmp_path / f"{number}.hpp")
        files[-1].write_text(text)
    lines = overlay.applied(Path("x.hpp"), tuple(cpp.lines(header)), files)
    return " ".join(line.code for line in lines if line.tokens)


HEADER = """namespace n {
inline namespace v {
int f(int one, const char* two = "");  // which is declared here
int f(long);
class c {
  c(int);
  int g() const { return 1; }
};
c::c(int x) : x_(x) {}
int f(int one, const char* two) {
#if A
  return one;
#else
  return two;
#endif
}
int f(long) { return 2; }
int x = 1, y = f(3); int z = 2;
}  // namespace v
}  // namespace n
"""


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        (
            "int f(int, const char*) { return 7; }",
            "int f(int one, const char* two) {\n#if A\n  return one;\n#else\n  return two;\n#endif\n}",
            "int f(int,const char*){return 7;}",
        ),
        ("int f(long) = delete;", ("int f(long);", "int f(long) { return 2; }"), ""),
        ("c::c(int) = delete;", ("c(int);", "c::c(int x) : x_(x) {}"), ""),
        (
            "class c { int g() const { return 3; } };",
            "int g() const { return 1; }",
            "int g()const{return 3;}",
        ),
        ("int z = 4;", "int z = 2;", "int z=4;"),
    ],
)
def test_a_declaration_takes_the_place_of_its_like(
    change: str, gone: str | tuple[str, ...], new: str, tmp_path: Path
) -> None:
    expected = HEADER
    for text in [gone] if isinstance(gone, str) else gone:
        expected = expected.replace(text, new)
    text = changed(tmp_path, HEADER, f"namespace n::v {{ {change} }}")
    assert cpp.code_tokens(text) == [token for line in cpp.lines(expected) for token in line.tokens]


@pytest.mark.parametrize(
    "change",
    ["int f(int) { return 1; }", "int h;", "class c { int g() { return 1; } };", "int c::h() = delete;"],
)
def test_what_names_nothing_is_an_error(change: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"0.hpp:1: x.hpp declares no n::v::"):
        changed(tmp_path, HEADER, f"namespace n::v {{ {change} }}")


def test_what_cannot_be_followed_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot follow the declarations of x.hpp: a bracket without an end"):
        changed(tmp_path, "int f() {", "int f();")


def test_a_stand_in_is_the_whole_header(tmp_path: Path) -> None:
    assert changed(tmp_path, "int a;", "#pragma once\nint b;", "int c;") == "#pragma once int b;"


def test_a_kernel_that_is_left_out_has_no_declarations() -> None:
    text = (
        '#if A\nnamespace n { namespace fast {\n#include "x"\nint a; }\n'
        "template<> int f<fast::kernel> = fast::a; }\n#endif\nint b;  // stays\n"
    )
    lines = overlay.without_kernels(Path("x.hpp"), tuple(cpp.lines(text)), frozenset(["fast"]))
    assert [line.source for line in lines if line.tokens] == [
        "#if A",
        "namespace n{",
        "}",
        "#endif",
        "int b;  // stays",
    ]
