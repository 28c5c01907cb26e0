#!/usr/bin/env python3
"""Build the library's tests for other targets than this machine's and run them: i386, aarch64, Windows.

cross_tests.py [--test NAME]... [PATTERN...]

PATTERN names toolchains as for headrace run --toolchain; without any, one of each family for a target.

On Linux programs are linked with headrace::headrace, but those of what is behind the headers; on Windows
they have all of it from the headers.

What is missing here is skipped with a reason and the way to get it. The exit status is 1 when a test fails,
else 0. The lab finds the compilers and starts their programs, by wine or qemu-user where it has to.
A program that ends well without saying so is a failure: wine does that where it cannot start one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "lab"))

from headrace.base import places  # noqa: E402
from headrace.matrix import toolchains  # noqa: E402
from headrace.matrix.compilers import Toolchain  # noqa: E402
from headrace.matrix.toolchains import Absent  # noqa: E402
from headrace.processes import launch  # noqa: E402

TESTS = TOP / "tests"
GOOGLETEST = Path(os.environ.get("GOOGLETEST", "/usr/src/googletest/googletest"))  # Debian's libgtest-dev
TARGETS = ("x86-linux", "aarch64-linux", "x86_64-windows", "x86-windows")
POSIX_ONLY = {  # on Windows
    "columns_memory_posix": "pipes, /proc",
    "reader_calls_posix": "system calls that a test answers itself",
    "threads": "file descriptors and pipes as POSIX has them; ThreadSanitizer runs it",
    "reader_posix": "pseudo-terminals, signals, sockets, fifos, descriptors that do not block, /proc",
    "reader_large_file": "replaces pread(2); windows reads beyond 4 GiB, too",
    "replace_sstream_posix": "address space without memory, by mmap",
    "split_posix": "limits, pipes, signals, fork",
    "writer_posix": "/dev/full, limits, signals, fork, descriptors that do not block, pseudo-terminals",
}
# What one target finds with 32 bits and another on Windows is not looked for again where both meet: the
# tests that stay are of what differs there. As an argument, x86-windows runs them all.
MEETING = {"x86-windows": {"x86-linux", "x86_64-windows"}}
WHERE_THEY_MEET = {"copy", "parse", "reader", "torture", "windows", "writer"}
BENCH = "times loops, which mean nothing in an emulator"
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror".split()
AS_COMPILED = "-DHEADRACE_COMPILED=1"
RUN_LIMIT = 300.0  # seconds that a test program may take
BUILD_LIMIT = 900.0
SHARE = "11"  # of its work a long test does an eleventh in an emulator
SHOWN = 40  # lines of a failing test
WIDTH = 200  # characters of such a line


@dataclass(frozen=True)
class Outcome:
    """How a test of a target ended; `reason` is empty when it passed."""

    chain: str
    test: str
    passed: int = 0
    skipped: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Target:
    """A target that tests are built for."""

    chain: Toolchain
    folder: Path  # with the objects and programs
    names: list[str]  # of the tests that it takes

    @property
    def objects(self) -> list[Path]:
        """What is compiled once: GoogleTest, its main(), and headrace::headrace where programs take it."""
        compiled = [] if self.chain.is_windows else [self.compiled]
        return [self.folder / "gtest.o", self.folder / "gtest_main.o", *compiled]

    @property
    def compiled(self) -> Path:
        """headrace::headrace as an object."""
        return self.folder / "headrace.o"

    def takes_compiled(self, name: str) -> bool:
        """Return whether a test is linked with headrace::headrace."""
        return not self.chain.is_windows and name not in tests_of_headers()


@cache
def tests_of_headers() -> set[str]:
    """Return the tests that tests/CMakeLists.txt names as those of what is behind the headers."""
    text = (TESTS / "CMakeLists.txt").read_text("utf-8")
    found = re.search(r"^set\(tests_of_headers ([^)]+)\)", text, re.MULTILINE)
    assert found is not None, "tests/CMakeLists.txt sets no tests_of_headers"
    return set(found[1].split())


def selected(chain: Toolchain, others: set[str]) -> tuple[list[str], dict[str, str]]:
    """Return the tests that a target takes beside other targets, and those left out with the reason."""
    names = sorted(file.stem.removesuffix("_test") for file in TESTS.glob("*_test.cpp"))
    left_out = {"bench": BENCH, "compressed": "zlib and libzstd are not here for other processors"}
    if chain.is_windows:
        left_out |= POSIX_ONLY
    else:
        left_out["windows"] = "only on Windows"
    if chain.target in MEETING and MEETING[chain.target] <= others:
        reason = f"run as {' and as '.join(sorted(MEETING[chain.target]))}"
        left_out = {name: reason for name in names if name not in WHERE_THEY_MEET} | left_out
    return [name for name in names if name not in left_out], left_out


def target_of(chain: Toolchain, only: list[str], others: set[str]) -> Target:
    """Choose the tests of a target, and say which are left out."""
    names, left_out = selected(chain, others)
    for reason in sorted(set(left_out.values())):
        names_left = ", ".join(name for name, why in left_out.items() if why == reason)
        print(f"{chain.name}: {names_left} left out: {reason}", flush=True)
    folder = places.cache_folder("cross-tests", re.sub(r"\W+", "-", chain.name))
    return Target(chain, folder, [name for name in names if not only or name in only])


def run_all(targets: list[Target]) -> list[Outcome]:
    """Build GoogleTest, headrace::headrace and the tests for all targets, two at a time, and run each.

    No target waits for another's last program. What runs in an emulator, and what is long, begins first.
    """
    with ThreadPoolExecutor(2) as pool:
        pieces = [(one, piece) for one in targets for piece in one.objects]
        errors = list(pool.map(lambda each: _build_piece(*each), pieces))
        broken = {one.chain.name: error for (one, _), error in zip(pieces, errors, strict=True) if error}
        failed = [Outcome(name, "what all programs share", reason=error) for name, error in broken.items()]
        for outcome in failed:
            print(f"{outcome.chain}: {outcome.test}: FAILED\n{outcome.reason}", flush=True)
        wanted = [(one, name) for one in targets if one.chain.name not in broken for name in one.names]
        wanted.sort(key=lambda each: (not each[0].chain.runner, -_source(each[1]).stat().st_size))
        return failed + list(pool.map(lambda each: _build_and_run(*each), wanted))


def _source(name: str) -> Path:
    return TESTS / f"{name}_test.cpp"


def _build_piece(target: Target, piece: Path) -> str:
    if piece == target.compiled:
        flags = [*_warnings(target.chain), "-O2", AS_COMPILED, f"-I{TOP / 'include'}"]
        return _compile(target.chain, TOP / "src" / "headrace.cpp", piece, flags)
    source = GOOGLETEST / "src" / {"gtest": "gtest-all.cc"}.get(piece.stem, f"{piece.stem}.cc")
    return _compile(target.chain, source, piece, [f"-I{GOOGLETEST}", "-w", "-O1"])


def _build_and_run(target: Target, name: str) -> Outcome:
    chain, begun = target.chain, time.monotonic()
    compiled, program = target.folder / f"{name}.o", target.folder / f"{name}{target.chain.suffix}"
    is_linked = target.takes_compiled(name)
    flags = [*_warnings(chain), "-O1", f'-DHEADRACE_TEST_DATA="{TESTS / "data"}"', f"-I{TOP / 'include'}"]
    error = _compile(chain, _source(name), compiled, [*flags, *([AS_COMPILED] if is_linked else [])])
    if not error:
        objects = [one for one in target.objects if is_linked or one != target.compiled]
        error = _link(chain, [compiled, *objects], program)
    built = time.monotonic()
    outcome = Outcome(chain.name, name, reason=error) if error else _run(chain, program, name)
    told = (
        f"FAILED\n{outcome.reason}"
        if outcome.reason
        else f"{outcome.passed} passed, {outcome.skipped} skipped"
    )
    took = f"{built - begun:.0f} + {time.monotonic() - built:.0f} s"
    print(f"{chain.name}: {name}: {told} ({took})", flush=True)
    return outcome


def _warnings(chain: Toolchain) -> list[str]:
    """Return the warnings that are asked for: clang's -Wpedantic objects to macros of GoogleTest."""
    return [flag for flag in WARNINGS if chain.family == "gcc" or flag != "-Wpedantic"]


def _compile(chain: Toolchain, source: Path, to: Path, flags: list[str]) -> str:
    ccache = [path] if chain.family != "zig" and (path := shutil.which("ccache")) else []
    command = [
        *ccache,
        *chain.command,
        "-std=c++17",
        *chain.flags,
        *flags,
        "-isystem",
        str(GOOGLETEST / "include"),
    ]
    command = [word for word in command if word != "-static"]
    done = launch.call(
        [*command, "-c", str(source), "-o", str(to)], timeout=BUILD_LIMIT, environment=chain.environment
    )
    return "" if done.ok else f"does not compile: {_tail(done.err)}"


def _link(chain: Toolchain, objects: list[Path], program: Path) -> str:
    words = [*chain.command, *chain.flags, *map(str, objects)]
    libraries = [] if chain.is_windows else ["-pthread", "-lutil"]
    done = launch.call(
        [*words, *libraries, "-o", str(program)], timeout=BUILD_LIMIT, environment=chain.environment
    )
    return "" if done.ok else f"does not link: {_tail(done.err)}"


def _run(chain: Toolchain, program: Path, name: str) -> Outcome:
    """Run a test program. The tests of a console get one."""
    words = [*chain.runner, str(program), "--gtest_brief=1", "--gtest_color=no"]
    if name == "windows" and chain.runner:
        words = [sys.executable, str(TOP / "tools" / "in_terminal.py"), *words]
    environment = {**chain.run_environment, **({"HEADRACE_TEST_SHARE": SHARE} if chain.runner else {})}
    done = launch.call(words, timeout=RUN_LIMIT, environment=environment)
    said = done.out.replace("\r", "")
    passed = re.search(r"^\[  PASSED  \] (\d+) test", said, re.MULTILINE)
    skipped = len(re.findall(r"^\[  SKIPPED \] \w+\.\w+", said, re.MULTILINE))
    if done.ok and passed and "[  FAILED  ]" not in said:
        return Outcome(chain.name, name, int(passed.group(1)), skipped)
    return Outcome(
        chain.name, name, reason=f"status {done.code}\n{_tail(said + done.err) or 'it printed nothing'}"
    )


def _tail(text: str) -> str:
    return "\n".join([line[:WIDTH] for line in text.splitlines() if line.strip()][-SHOWN:])


def _one_a_target(found: list[Toolchain]) -> list[Toolchain]:
    """Keep for each target the first of each family of compilers: g++ and, where it is here, zig."""
    kept: dict[tuple[str, bool], Toolchain] = {}
    for chain in found:
        if chain.family != "clang" and (chain.family == "gcc" or chain.is_windows):
            kept.setdefault((chain.target, chain.family == "zig"), chain)
    return list(kept.values())


def main() -> int:
    """Test every target that is here."""
    if not (GOOGLETEST / "src" / "gtest-all.cc").exists():
        print(
            f"skipped: {GOOGLETEST} has no source of GoogleTest: apt install libgtest-dev, or set GOOGLETEST"
        )
        return 0
    parser = argparse.ArgumentParser(description="The library's tests on other targets.")
    parser.add_argument("pattern", nargs="*", help="toolchains; without any, one of each family for a target")
    parser.add_argument(
        "--test", action="append", default=[], help="only this one, as torture; may be repeated"
    )
    wanted = parser.parse_args()
    found = toolchains.find(wanted.pattern or TARGETS, lambda what: print(what, flush=True))
    chains = found.toolchains if wanted.pattern else _one_a_target(found.toolchains)
    _say_absent(found.absent, {chain.target for chain in chains})
    others: set[str] = set() if wanted.pattern else {chain.target for chain in chains}
    outcomes = run_all([target_of(chain, wanted.test, others) for chain in chains])
    bad = [outcome for outcome in outcomes if outcome.reason]
    passed = sum(outcome.passed for outcome in outcomes)
    print(f"{len(chains)} targets, {len(outcomes)} programs, {len(bad)} failed; {passed} tests passed")
    return 1 if bad else 0


def _say_absent(absent: list[Absent], having: set[str]) -> None:
    for one in absent:
        if one.name.rsplit("/", 1)[-1] not in having:
            print(f"skipped: {one.name}: {one.reason}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
