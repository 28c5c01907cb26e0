"""Run the tests that standard libraries have of their streams, as they are and with headrace's drop-ins.

A test is a program that says by its status whether it passed. Those are asked that pass on this machine with
the standard library's own streams, as C++17 or by the standard that they name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cases import Case, Suite

TOP = Path(__file__).resolve().parents[2]
PASSES = "passes"
NOT_COMPILED = "does not compile"
NOT_HERE = "it does not pass with the standard library's own streams on this machine"
KEPT = ("kept streams", "status")  # an exception, and how the answer begins
SECONDS = 60  # of a test
DROP_INS = {  # header -> the names that it replaces
    "replace_sstream.hpp": r"\b[io]?stringstream\b",
    "replace_iostream.hpp": r"\b(cin|cout)\b",
}
LIBSTDCXX = "libstdc++-v3/testsuite"
LIBCXX = "libcxx/test"


@dataclass(frozen=True)
class Library:
    """How a library's tests are compiled and run."""

    compiler: str
    flags: tuple[str, ...]
    standard: str  # of a test that names none
    data: str = ""  # a folder whose files are beside the running test


# What libstdc++'s own checking header declares, as far as the tests of streams use it.
CHECKS = """#pragma once
#include <cstdio>
#include <cstdlib>
#define VERIFY(is_so) \\
  do { \\
    if (!(is_so)) std::fprintf(stderr, "line %d: %s\\n", __LINE__, #is_so), std::abort(); \\
  } while (false)
namespace __gnu_test {
inline void set_memory_limits(float = 0) {}
}
"""


def libstdcxx(folder: Path) -> Suite:
    """Read libstdc++'s tests that are run."""
    return suite_of(folder / LIBSTDCXX, "*.cc", r"/performance/", r"wchar_t|dg-do (compile|link|preprocess)")


def libcxx(folder: Path) -> Suite:
    """Read libc++'s tests that are run."""
    return suite_of(folder / LIBCXX, "*.pass.cpp", r"/(libcxx|support)/", r"(?!)")


def suite_of(folder: Path, pattern: str, other_paths: str, other_texts: str) -> Suite:
    """Return a case for each test and drop-in, without those whose paths or texts have one of the others."""
    cases = []
    for file in sorted(one for one in folder.rglob(pattern) if one.is_file()):
        text = file.read_text("utf-8", "replace")
        place = str(file.relative_to(folder))
        if re.search(other_paths, f"/{place}") or re.search(other_texts, f"{place}\n{text}"):
            continue
        for header, names in DROP_INS.items():
            if re.search(names, re.sub(r"//.*", "", text)):
                is_counted = "count_new.h" in text and header == "replace_sstream.hpp"
                exception = KEPT if is_counted else (NOT_COMPILED, NOT_COMPILED)
                cases.append(Case(f"{place} with {header}", (str(file), header), PASSES, *exception))
    return Suite("", "streams", cases)


def release_of(folder: Path) -> str:
    """Return the version of a release's unpacked archive, which is no git checkout; empty if it is none."""
    gcc, llvm = folder / "gcc/BASE-VER", folder / "cmake/Modules/LLVMVersion.cmake"
    if gcc.is_file():
        return f"release {gcc.read_text('utf-8').strip()}"
    if llvm.is_file():
        parts = re.findall(r"set\(LLVM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)\)", llvm.read_text("utf-8"))
        return f"release {'.'.join(parts)}" if len(parts) == 3 else ""
    return ""


def library_of(suite: Suite, folder: Path) -> Library:
    """Return how the tests of a suite are compiled; `folder` gets the header of checks."""
    file = suite.cases[0].question[0]
    if f"/{LIBCXX}/" in file:
        compiler = next(filter(shutil.which, ("clang++-19", "clang++")), "clang++")
        support = f"{file.split(f'/{LIBCXX}/')[0]}/{LIBCXX}/support"
        return Library(os.environ.get("CLANGXX", compiler), ("-stdlib=libc++", f"-I{support}"), "c++20")
    tests = f"{file.split(f'/{LIBSTDCXX}/')[0]}/{LIBSTDCXX}"
    (folder / "testsuite_hooks.h").write_text(CHECKS, "utf-8")
    includes = (f"-I{folder}", f"-I{tests}/util")
    return Library(os.environ.get("CXX", "g++"), includes, "gnu++17", f"{tests}/data")


def answer(suite: Suite, folder: Path) -> dict[str, list[str]]:
    """Return what each test says with its drop-in. Tests that fail without it go to what is not asked."""
    library = library_of(suite, folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(dict.fromkeys(case.question[0] for case in suite.cases))
        plain = dict(zip(files, pool.map(partial(outcome, library, ""), files), strict=True))
        asked = [case for case in suite.cases if plain[case.question[0]] == PASSES]
        suite.not_asked[NOT_HERE] += len(suite.cases) - len(asked)
        suite.cases = asked
        said = pool.map(lambda case: outcome(library, case.question[1], case.question[0]), asked)
        return {"-O1": list(said)}


def outcome(library: Library, header: str, file: str) -> str:
    """Compile and run a test; the drop-in's header is included first."""
    found = re.search(r"std=((?:gnu|c)\+\+(?!98|11|14)[0-9a-z]+)", Path(file).read_text("utf-8", "replace"))
    words = [library.compiler, f"-std={found[1] if found else library.standard}", "-O1", "-w", "-pthread"]
    words += [*library.flags, f"-I{TOP / 'include'}", *(["-include", f"headrace/{header}"] if header else [])]
    with tempfile.TemporaryDirectory(prefix="headrace-suites-") as name:
        program = Path(name) / "test"
        made = subprocess.run([*words, file, "-o", program], capture_output=True, text=True, errors="replace")
        if made.returncode != 0:
            error = re.search(r"error: (.*)", made.stderr)
            return f"{NOT_COMPILED}: {error[1] if error else made.stderr[-100:]}"
        if library.data:
            shutil.copytree(library.data, name, dirs_exist_ok=True)
        try:
            done = subprocess.run(
                [program], cwd=name, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"does not end within {SECONDS} s"
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        return PASSES if done.returncode == 0 else f"status {done.returncode}: {said[-1] if said else ''}"
