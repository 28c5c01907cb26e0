"""Compile and run C++ as a user of the library does: for the tests of the examples and of the documents."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from headrace.matrix import needs
from headrace.matrix.compilers import Toolchain

TOP = Path(__file__).resolve().parents[2]
WARNINGS = ("-Wall", "-Wextra", "-Werror")
# Seconds: what hangs is ended, also where others have the processors.
LONGEST = 600.0  # of any command; pytest's timeout in pyproject.toml is just over it
RUNNING = 120.0
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
CCACHE = shutil.which("ccache")
OF_THE_LINKER = re.compile(r"-[lL].*|.*\.(o|a|so)")
OF_WHERE = re.compile(r"In file included from| +from |\S+: In ")  # what compilers say before an error
# For CMake: what one package builds of the library the next one does not compile again, where ccache is here.
CACHED = {
    "CMAKE_CXX_COMPILER_LAUNCHER": str(Path(__file__).with_name("compile_once")) if CCACHE else "",
    "CCACHE_BASEDIR": tempfile.gettempdir(),
    "CCACHE_NOHASHDIR": "1",
}


def others_slow(values: Sequence[object]) -> list[object]:
    """Return compilers, or others, as parameters, of which `make test` takes the first alone."""
    return [*values[:1], *(pytest.param(value, marks=pytest.mark.slow) for value in values[1:])]


def one_of_each_family(chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return the first g++ and the first clang++ of this machine, or what there is of them."""
    first: dict[str, Toolchain] = {}
    for one in chains:
        if not one.runner:
            first.setdefault(one.family, one)
    return list(first.values())


def command(
    source: Path, program: Path, chain: Toolchain, wanted: Sequence[str] = (), more: Sequence[str] = ()
) -> list[str]:
    """Return the command that compiles `source` as C++17, warnings being errors."""
    before, after = needs.flags(list(wanted))
    words = [*chain.command, "-std=c++17", *chain.flags, *WARNINGS, f"-I{TOP / 'include'}", *before]
    return [*words, str(source), *more, "-o", str(program), *after]


def library(chain: Toolchain, folder: Path) -> list[str]:
    """Compile the library once for many programs; return the options that link one with it."""
    made, as_compiled = folder / "headrace.o", "-DHEADRACE_COMPILED=1"
    words = command(TOP / "src" / "headrace.cpp", made, chain, more=[as_compiled, "-c"])
    done = compiler(*words, variables=chain.environment)
    assert done.returncode == 0, done.stderr
    return [as_compiled, str(made)]


def compiler(
    *words: str | Path, timeout: float = LONGEST, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Call a compiler as `words` say; where ccache is here, what was compiled before is not compiled again.

    ccache keeps objects alone: a program is compiled and linked in two steps, and `-fsyntax-only` makes an
    object, which goes. It knows a source by the name that it is given, and tests have new folders each time:
    a source is compiled in its folder. So `words` name files absolutely, or relative to each source's folder.
    """
    given, settings = [str(word) for word in words], {**os.environ, **(variables or {})}

    def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=folder, env=settings, capture_output=True, text=True, timeout=timeout
        )

    sources = [Path(word).resolve() for word in given if word.endswith(".cpp")]
    if CCACHE is None:
        return call(sources[0].parent, *given)
    options = [word for word in given if not word.endswith(".cpp") and word not in ("-c", "-fsyntax-only")]
    target = Path("a.out")
    if "-o" in options:
        at = options.index("-o")
        target = Path(options[at + 1]).resolve()
        del options[at : at + 2]
    of_both = [word for word in options if not OF_THE_LINKER.fullmatch(word)]
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        said, objects = "", []
        for number, source in enumerate(sources):
            objects.append(str(target if "-c" in given else Path(folder) / f"{number}.o"))
            done = call(source.parent, CCACHE, *of_both, "-c", source.name, "-o", objects[-1])
            said += done.stderr
            if done.returncode != 0:
                break
        if done.returncode == 0 and not {"-c", "-fsyntax-only"} & {*given}:
            of_the_linker = [word for word in options if OF_THE_LINKER.fullmatch(word)]
            done = call(sources[0].parent, *of_both, *objects, *of_the_linker, "-o", str(target))
            said += done.stderr
    return subprocess.CompletedProcess(given, done.returncode, "", said)


REPLACE = ("replace_iostream", "replace_stdio")  # of which a file includes one, after all else


def all_headers(last: str) -> str:
    """Return the includes of every header of the library, of REPLACE this one alone."""
    names = sorted(path.stem for path in (TOP / "include" / "headrace").glob("*.hpp"))
    order = [*(name for name in names if name not in REPLACE), last]
    return "".join(f"#include <headrace/{name}.hpp>\n" for name in order)


@cache
def read_once(compiler: str, headers: str, folder: Path) -> list[str]:
    """Let a compiler read includes once, as many programs share them. Returns the options for them."""
    (folder / f"{compiler}.hpp").write_text(headers, encoding="utf-8")
    clang = compiler.startswith("clang")
    made = folder / f"{compiler}.hpp.{'pch' if clang else 'gch'}"
    source = ["-x", "c++-header", f"{compiler}.hpp"]
    words = [compiler, "-std=c++17", f"-I{TOP / 'include'}", *source, "-o", made]
    call(*words, cwd=folder, check=True)
    return ["-include-pch", str(made)] if clang else ["-include", str(folder / f"{compiler}.hpp")]


@cache
def errors_of_each(compiler: str, headers: str, uses: Sequence[str], folder: Path) -> list[str]:
    """Compile all uses at once after `headers`; return what is said of each: its errors, with their notes.

    Compilers name an instance that is wrong once, so no two uses may be wrong in the same one.
    """
    program = "".join(
        f'#line 1 "use{number}.cpp"\nnamespace use{number} {{ {use} }}\n' for number, use in enumerate(uses)
    )
    is_clang = "clang" in compiler
    options = ["-ferror-limit=0"] if is_clang else []
    options += ["-std=c++17", f"-I{TOP / 'include'}", *read_once(compiler, headers, folder)]
    words = [compiler, "-fsyntax-only", *options, "-x", "c++", "-"]
    lines = call(*words, input=program, env={**os.environ, "LC_ALL": "C"}).stderr.splitlines()
    said = [""] * len(uses)
    begins = [number for number, line in enumerate(lines) if "error:" in line]
    for begin, end in itertools.pairwise([*begins, len(lines)]):
        # The use that an instance is of: clang names it after the error, g++ before.
        named = lines[begin:end] if is_clang else lines[begin::-1]
        use = next((int(found[1]) for line in named if (found := re.search(r"\buse(\d+)\.cpp", line))), 0)
        said[use] += "".join(f"{line}\n" for line in lines[begin:end] if not OF_WHERE.match(line))
    return said


def call(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, with what it says as text. `more` is as subprocess.run has it."""
    usual = {"capture_output": True, "text": True, "timeout": LONGEST}
    return subprocess.run([str(word) for word in words], **{**usual, **more})


def compile_program(
    source: Path, program: Path, chain: Toolchain, wanted: Sequence[str] = (), more: Sequence[str] = ()
) -> None:
    """Compile, or fail with what the compiler says."""
    words = command(source, program, chain, wanted, more)
    done = compiler(*words, variables=chain.environment)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stderr}"


def run(
    words: Sequence[str | Path], given: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end with `given` on its standard input."""
    short = {**os.environ, "HEADRACE_BENCH_SECONDS": "0.02"}
    return subprocess.run(words, input=given, capture_output=True, timeout=RUNNING, cwd=folder, env=short)
