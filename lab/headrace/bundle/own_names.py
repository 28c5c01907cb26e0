"""Shorter C++ by other names: what the library declares, and nobody else mentions, gets a few letters.

One name for one name, everywhere, so that whatever was apart stays apart. A word is left alone when somebody
else may know it: the user's text, a directive, the standard library, the system, the compiler. Which words
those are cannot be told from the library alone: one that is declared here and looked up in a class there
(`size`, `data`) is in KNOWN_ELSEWHERE. A mistake is an error of the compiler, not another program.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from headrace.bundle.declarations import CLOSING, NO_TYPES, OPENING, WORD, is_declared
from headrace.bundle.reach import NAMED_BY_CPP

# Members of classes that are not the library's; what a template or C++ itself looks up, in ALWAYS_ELSEWHERE.
KNOWN_ELSEWHERE = frozenset(
    "append assign at back c_str capacity clear code column compare const_iterator count data ec emplace "
    "emplace_back empty erase error events fd find first flush front good has_value hash imbue insert join "
    "key key_type length line mapped_type max max_size min npos open pop_back ptr push_back put rbegin rdbuf "
    "read rend reserve reset resize resume revents second seek size str string substr swap tell traits_type "
    "type value value_type width write".split()
)
ALWAYS_ELSEWHERE = NAMED_BY_CPP | frozenset(
    "c_str category clear data equivalent errno fileno insert make_error_code name push_back rdbuf reserve "
    "resize size stat stat64 std str tuple_element tuple_size".split()
)
# What a program that ends with an exception shows.
SHOWN = frozenset(("headrace", "input_error", "output_error"))
KEYWORDS = NO_TYPES | frozenset(
    "alignas alignof asm auto bool break catch char char16_t char32_t char8_t class const constexpr "
    "constinit continue decltype default double enum explicit export extern false final float for friend "
    "if inline int long mutable namespace noexcept nullptr override private protected public register "
    "requires concept short signed static static_assert struct switch template this thread_local true try "
    "typedef typeid typename union unsigned using virtual void volatile wchar_t while".split()
)


def short_names(runs: Sequence[Sequence[str]], taken: set[str], names: Iterator[str]) -> dict[str, str]:
    """Return a shorter name for each word of the library's tokens that may have one.

    `taken`: all words of other text, which mean what they did. `names`: what to take, the shortest first.
    """
    tokens = [token for run in runs for token in run]
    own = _declared(tokens) - _known(tokens) - taken - KEYWORDS - SHOWN
    counts = Counter(token for token in tokens if token in own)
    return {word: next(names) for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))}


def _known(tokens: Sequence[str]) -> set[str]:
    """Return the words that may belong to somebody else."""
    known = {token for token in tokens if re.match(r"_[_A-Z]|[A-Z_0-9]{2,}$|HEADRACE_", token)}
    of_others = False  # whether the name before :: is
    for place in range(1, len(tokens) - 1):
        before, mark, word = tokens[place - 1 : place + 2]
        if mark == "::":
            is_first = not re.match(r"\w|>", before) or before in NO_TYPES
            of_others = is_first or before == "std" or (of_others and tokens[place - 2] == "::")
            if of_others:
                known.add(word)  # ::word, std::word, std::class::word
        if mark in (".", "->", "::") and word in KNOWN_ELSEWHERE:
            known.add(word)
        elif before in ("__attribute__", "[") and mark in ("(", "["):
            known.update(_inside(tokens, place))
        elif before == "extern" and mark == '"C"':
            known.update(_called_in_c(tokens, place + 1))
    return known | ALWAYS_ELSEWHERE


def _called_in_c(tokens: Sequence[str], place: int) -> Iterator[str]:
    """Yield the functions that an extern "C" declares, whose names the linker knows."""
    ends = "}" if tokens[place] == "{" else ";"
    while tokens[place] != ends:
        if tokens[place + 1] == "(":
            yield tokens[place]
        place += 1


def _inside(tokens: Sequence[str], place: int) -> Iterator[str]:
    """Yield the tokens in the bracket at a place."""
    depth = 0
    for token in tokens[place:]:
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0:
            return
        yield token


def _declared(tokens: Sequence[str]) -> set[str]:
    declared: set[str] = set()
    for place, token in enumerate(tokens):
        if not WORD.fullmatch(token) or not 0 < place < len(tokens) - 1:
            continue
        if is_declared(tokens[place - 1], tokens[place - 2] if place > 1 else ";", tokens[place + 1]):
            declared.add(token)
        if token == "enum":
            declared |= _enumerators(tokens, place)
    return declared


def _enumerators(tokens: Sequence[str], place: int) -> set[str]:
    while tokens[place] not in ("{", ";"):
        place += 1
    if tokens[place] == ";":
        return set()
    body = list(_inside(tokens, place))
    return {
        word for before, word in itertools.pairwise(body) if before in ("{", ",") and WORD.fullmatch(word)
    }
