"""Toolchains: every compiler here with each standard library and target that it can really link and run.

A candidate is cheap (the compiler was asked for its predefined macros). It becomes a toolchain when a small
program with iostreams and strings was built and ran. Both answers are cached, keyed by the compiler's path,
size and time.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.names import nearest
from headrace.base.text import either
from headrace.matrix import compilers
from headrace.matrix.compilers import FIRST_BUILD, Toolchain, remembered
from headrace.processes import launch, wine

PROGRAM = r"""
#include <iostream>
#include <string>
int main() {
    std::string word;
    std::cin >> word;
#if defined(_LIBCPP_VERSION)
    std::cout << word << " libc++ " << _LIBCPP_VERSION << '\n';
#elif defined(__GLIBCXX__)
    std::cout << word << " libstdc++ " << __GLIBCXX__ << '\n';
#else
    std::cout << word << " other 0\n";
#endif
}
"""


FIRST_RUN = 120.0  # seconds; wine starts its services


INSTALL_HINT = (
    "install one (Debian and Ubuntu: apt install g++; Fedora: dnf install gcc-c++), "
    "or pip install ziglang, which is clang with libc++ and needs no root"
)


@dataclass(frozen=True)
class Absent:
    """A candidate that did not become a toolchain, and why."""

    name: str
    reason: str
    chain: Toolchain | None = None  # what it would have been


@dataclass(frozen=True)
class Found:
    """The outcome of a search."""

    toolchains: list[Toolchain]
    absent: list[Absent]
    untried: list[str]  # optional ones that were not asked for


def find(
    patterns: Sequence[str] = (),
    watch: Callable[[str], None] = lambda what: None,
    also: Sequence[str] = (),
    more: Sequence[str] = (),
) -> Found:
    """Find the native toolchains, or those whose name matches a pattern ("all", "g++-12", "*musl*", "clang").

    `also` adds patterns that may match nothing here, `more` compilers by their paths: without patterns,
    only these.

    Raises NothingToDo without any compiler, BadInput with the nearest names for a pattern that matches
    nothing.
    """
    candidates = list(compilers.candidates())
    named = list(
        {chain.name: chain for path in more for chain in compilers.by_path(Path(path), candidates)}.values()
    )
    candidates += [chain for chain in named if chain not in candidates]
    if not patterns and all(chain.missing for chain in candidates):
        raise NothingToDo(f"no C++ compiler was found on PATH: {INSTALL_HINT}")
    for pattern in patterns:
        if not any(matches(chain.name, pattern) for chain in candidates):
            raise BadInput(_unknown(pattern, candidates))
    wanted = [
        chain
        for chain in candidates
        if (_is_wanted(chain, patterns) if patterns or not more else chain in named and not chain.optional)
        or any(matches(chain.name, more) for more in also)
    ]
    with ThreadPoolExecutor(2) as pool:
        tried = list(pool.map(lambda chain: _try(chain, watch), wanted))
    found = [chain for chain in tried if isinstance(chain, Toolchain)]
    absent = [chain for chain in tried if isinstance(chain, Absent)]
    if not found:
        reasons = "; ".join(f"{chain.name}: {chain.reason}" for chain in absent)
        hint = "" if patterns else f": {INSTALL_HINT}"
        because = f" ({reasons})" if reasons else ""
        raise NothingToDo(f"no compiler here can build and run a program{because}{hint}")
    return Found(found, absent, [chain.name for chain in candidates if chain not in wanted])


def _unknown(pattern: str, candidates: Sequence[Toolchain]) -> str:
    """Return the sentence for a pattern that matches nothing: the nearest names, then all, one per line."""
    near = nearest(pattern, _selectable(candidates))
    meant = f"; did you mean {either(near)}?" if near else ""
    names = [f"  {chain.name}" for chain in candidates if not chain.missing]
    if not names:
        return f"there is no toolchain {pattern}{meant}; there are none here"
    says = "These are here; a part between slashes or a pattern works as a name, too:"
    return "\n".join([f"there is no toolchain {pattern}{meant}{'' if meant else '.'} {says}", *names])


def _selectable(candidates: Sequence[Toolchain]) -> list[str]:
    """Return what a person may name: compilers, libraries, targets, whole names."""
    parts = {part: None for chain in candidates for part in chain.name.split("/")}
    return [*parts, *(chain.name for chain in candidates)]


def matches(name: str, pattern: str) -> bool:
    """Tell whether a pattern names a toolchain: "all", a glob over the name, or a leading part of it."""
    if pattern == "all" or fnmatch.fnmatchcase(name, pattern):
        return True
    parts = name.split("/")
    if pattern.split("/") == [re.sub(r"-[0-9]+$", "", parts[0]), *parts[1:]]:
        return True  # as doctor names a compiler that is missing, without a version
    return name.startswith(pattern) or pattern in parts or parts[0].split("-")[0] == pattern


def _is_wanted(chain: Toolchain, patterns: Sequence[str]) -> bool:
    if not patterns:
        return not chain.optional
    exact = [pattern for pattern in patterns if pattern == "all" or "/" in pattern or "*" in pattern]
    if chain.optional:  # "g++-12" means the native one; its -m32 sibling wants its target named
        named = [pattern for pattern in patterns if pattern in chain.name.split("/")[1:]]
        return any(matches(chain.name, pattern) for pattern in exact + named)
    return any(matches(chain.name, pattern) for pattern in patterns)


def _try(chain: Toolchain, watch: Callable[[str], None]) -> Toolchain | Absent:
    """Build and run PROGRAM."""
    if chain.missing:
        return Absent(chain.name, chain.missing, chain)
    if chain.is_windows and chain.runner:
        reason = wine.prepare(watch)
        if reason:
            return Absent(chain.name, reason, chain)

    def attempt() -> dict[str, str]:
        watch(
            f"{chain.name}: trying it" + (" (zig builds its library, once)" if chain.family == "zig" else "")
        )
        with places.scratch() as folder:
            source, program = folder / "probe.cpp", folder / f"probe{chain.suffix}"
            source.write_text(PROGRAM)
            built = launch.call(
                chain.compile([source], program), timeout=FIRST_BUILD, environment=chain.environment
            )
            if not built.ok:
                return {"reason": f"{first_error(built.err)}{_multilib_hint(chain)}"}
            command = [*chain.runner, str(program)]
            ran = launch.call(command, timeout=FIRST_RUN, environment=chain.run_environment, given="hello")
            words = ran.out.split()
            if not ran.ok or len(words) != 3 or words[0] != "hello":
                return {"reason": f"its program does not run: {_why_not(chain, ran)}"}
            if words[1] != chain.library:
                return {"reason": f"its programs use {words[1]}"}
            return {"library": f"{words[1]} {words[2]}"}

    answer = remembered(["try", *chain.command, *chain.flags, PROGRAM], [chain.file], attempt)
    return chain if "library" in answer else Absent(chain.name, answer["reason"], chain)


def _multilib_hint(chain: Toolchain) -> str:
    return "; apt install g++-multilib" if "-m32" in chain.flags else ""


def _why_not(chain: Toolchain, ran: launch.Completed) -> str:
    """Say why a program did not run. A 32-bit one that wine cannot start ends with status 0 and no output."""
    if chain.target == "x86-windows" and chain.runner and not ran.out and wine.folder_32() is None:
        return wine.GET_32
    return first_error(ran.err) or (f"status {ran.code}" if ran.code else "it printed nothing")


def first_error(text: str) -> str:
    """Return a compiler's first error line, without the colours and the folders."""
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"\b(fatal )?error\b|undefined reference|cannot find|No space left", line):
            return re.sub(r"(?<![\w.])(/[\w.+@-]+)+/", "", line.strip())
    return lines[0].strip() if lines else ""
