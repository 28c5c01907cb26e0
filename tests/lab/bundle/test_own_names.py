"""Short names for what the library declares, and for nothing else."""

from __future__ import annotations

import pytest

from headrace.bundle import cpp, own_names, repeats


def renamed(library: str, *taken: str) -> str:
    tokens = cpp.code_tokens(library)
    names = own_names.short_names([tokens], set(taken), repeats.names(set(tokens) | set(taken)))
    return cpp.join([names.get(token, token) for token in tokens])


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        ("; int total = 0; total += total;", ";int a=0;a+=a;"),
        ("; struct window { char* first; };", ";struct b{char*a;};"),
        (
            "; template <class Value, int Size> void send(Value const& it);",
            ";template<class a,int b>void d(a const&c);",
        ),
        ("; enum class kind { pipe, file = 2 }; kind of = kind::pipe;", ";enum class a{b,c=2};a d=a::b;"),
        ("; auto done = [](int* next) { return *next; };", ";auto b=[](int*a){return*a;};"),
    ],
)
def test_what_is_declared_is_renamed_everywhere(library: str, expected: str) -> None:
    assert renamed(library) == expected


@pytest.mark.parametrize(
    "library",
    [
        ";return total;",  # of somebody else
        ";std::errc interrupted(std::errc::interrupted);",
        ";void pause(){::pause();}",
        ";int count=other.count();",
        ";struct utimbuf*find();using times=struct utimbuf;",
        ';__attribute__((error("no")))int error;',
        ";[[nodiscard]]int nodiscard;",
        ";const char*what()const noexcept override;",
        ";class input_error;",
        ";int MAX_SIZE=_IO_save_end;",
        ';extern "C"{int pause(int);}int input=pause(1);',
        ';extern "C" int pause(int);int input=pause(1);',
    ],
)
def test_what_others_know_keeps_its_name(library: str) -> None:
    kept = renamed(library)
    for word in (
        "total interrupted pause count utimbuf error nodiscard what input_error MAX_SIZE _IO_save_end".split()
    ):
        assert kept.count(word) == library.count(word), kept


def test_what_the_user_mentions_keeps_its_name() -> None:
    assert renamed("; int total, sum; int sum();", "total") == ";int total,a;int a();"
    assert renamed("; int total;", "a", "b") == ";int c;"


def test_no_keyword_becomes_a_name() -> None:
    names = repeats.names(set())
    assert not {next(names) for _ in range(60000)} & (own_names.KEYWORDS | repeats.NEVER)
