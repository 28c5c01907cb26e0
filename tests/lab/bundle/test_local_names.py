"""Names that are local to a function: what may be shortened there, and what must keep its name."""

from __future__ import annotations

import pytest

from headrace.bundle import cpp
from headrace.bundle.declarations import Atom
from headrace.bundle.local_names import find


def local_names(text: str) -> set[str]:
    found, _ = find([[Atom(0, token) for token in cpp.code_tokens(text)]])
    return {word for _, _, word in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("; int twice(int value) { return 2 * value; }", {"value"}),
        (
            "; template <class Value, int Size> void send(Value const& it) { put<Size>(it); }",
            {"Value", "Size", "it"},
        ),
        (
            "; void run() { auto total = 0; for (char* at = begin(); at; ++at) total += *at; }",
            {"total", "at"},
        ),
        (
            "; struct window { int size(int most) { return size_ < most ? size_ : most; } int size_; };",
            {"most"},
        ),
        ("; struct bits {}; void run(bits& given) { bits* own = &given; send(own); }", {"given", "own"}),
        (
            "; int run() { const std::uint64_t low = load(at, 8), high = low >> 4; int a{low}, b; }",
            {"low", "high", "a"},
        ),
    ],
)
def test_what_a_function_declares_is_local(text: str, expected: set[str]) -> None:
    assert local_names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The address of another's, and a template with a default: `= &joiner` declares no joiner.
        (
            "; template <class = void> struct any {}; int joiner; void run() { auto hidden = &joiner; }",
            {"hidden"},
        ),
        # A variable with the name of a type: `bits & mask(1)` declares no mask.
        ("; struct bits {}; int run(int bits) { return bits & mask(1); }", {"bits"}),
        ("; struct bits {}; int run() { int bits = 1; return bits * scale + bits; }", {"bits"}),
        ("; struct fields {}; bool run() { int i = 0; return one.fields && ends[i]; }", {"i"}),
        # An argument after a comma, and what may be one of a template.
        ("; void run() { int one = f(two, three); send(one, four); }", {"one"}),
        ("; void run() { auto one = pair<two, three>(); one, five = 1; }", {"one"}),
    ],
)
def test_what_only_looks_declared_keeps_its_name(text: str, expected: set[str]) -> None:
    assert local_names(text) == expected


def test_words_that_meet_in_a_function_have_different_numbers() -> None:
    tokens = cpp.code_tokens(
        "; int a(int one, int two) { return one - two; } int b(int three) { return three; }"
    )
    found, numbers = find([[Atom(0, token) for token in tokens]])
    assert {word for _, _, word in found} == {"one", "two", "three"} == set(numbers)
    assert numbers["one"] != numbers["two"] and max(numbers.values()) == 1
