"""The kernels' names have one home, the table in detail/simd/kernels.hpp, from which all else takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import TOP

TABLE = TOP / "include/headrace/detail/simd/kernels.hpp"
PLACES = ("include", "src", "tests", "fuzz", "bench", "lab", "tools", "cmake", ".ci")
FILES = ("CMakeLists.txt", "Makefile")
COMMENTS = {".hpp": "//", ".cpp": "//", ".py": "#", ".txt": "#", ".cmake": "#", "": "#"}  # by suffix

# English words, too: these count only in quotes or as a value of HEADRACE_SIMD.
WORDS = ("scalar", "model")
ALLOWED = {
    "include/headrace/bench.hpp": (("model",), "a model of how time grows"),
    "include/headrace/bench/report.hpp": (("model",), "a model of how time grows"),
    "include/headrace/detail/simd/index_fields.hpp": (
        ("avx2", "avx512", "neon", "sse41"),
        "what columns add to each kernel, apart so that only programs with columns compile it",
    ),
    "lab/headrace/bundle/options.py": (
        WORDS,
        "the kernel that every bundle keeps, and the one that none needs",
    ),
    "lab/headrace/commands/race_on_hosts.py": (("model",), "the model of a machine"),
    "lab/headrace/fleet/order.py": (("model",), "the model of a machine"),
    "lab/headrace/machine/facts.py": (
        ("avx2",),
        "a feature of processors that happens to have a kernel's name",
    ),
    "lab/headrace/report/conditions.py": (
        ("avx512",),
        "a feature of processors, which valgrind does not know",
    ),
    "lab/headrace/report/sentences.toml": (("avx512", "avx2"), "what valgrind counts instead"),
    "lab/headrace/bundle/overlay/floats/detail/simd/avx2.hpp": (
        ("avx2",),
        "what a bundle changes",
    ),
    "lab/headrace/bundle/overlay/floats/detail/simd/avx512.hpp": (
        ("avx512",),
        "what a bundle changes",
    ),
    "lab/headrace/bundle/limit.py": (
        ("avx2", "avx512", "sse41"),
        "which kernel a bundle that is too large misses least",
    ),
    "tests/data/bench/report.json": (("model",), "a model of how time grows"),
    "tests/data/bench/report.schema.json": (("model",), "a model of how time grows"),
    "tests/lab/synthetic.py": (("avx2",), "a feature of processors"),
    "tests/lab/library/test_bench_header.py": (("scalar",), "a variable that is only passed on"),
    "tests/lab/library/test_bench_report.py": (("model",), "a model of how time grows"),
    "tests/lab/matrix/test_benchmarks.py": (("avx2", "scalar"), "the variants of a made-up benchmark"),
    "tests/lab/bundle/test_bundle.py": (
        ("avx2", "avx512", "neon", "scalar", "sse41", "model"),
        "bundles that keep a few kernels, named as a user names them",
    ),
    "tests/lab/race/test_counts.py": (("avx512",), "a feature of processors"),
    "tests/lab/library/test_delimited_text.py": (("scalar",), "the best kernel and the reference"),
    "tests/lab/fleet/test_fleet.py": (("model",), "the model of a machine"),
    "tests/lab/bundle/test_judges.py": (("neon",), "what is not in a bundle for a judge"),
    "tests/lab/processes/test_launch.py": (("scalar",), "a variable that is only passed on"),
    "tests/lab/bundle/test_reach.py": (("avx2",), "a made-up text to parse"),
    "tests/reader_posix_test.cpp": (WORDS, "two names that every build knows"),
    "tools/fleet_cost.py": (("model",), "the model of a machine"),
    "tools/release.py": (("avx2",), "the kernel that a header for contests keeps"),
    "tests/lab/library/test_instruction_sets.py": (
        ("avx2", "avx512", "scalar", "sse41"),
        "what each may use",
    ),
    "tests/primitives_test.cpp": (("avx2", "neon", "sse41"), "a line per kernel that has primitives"),
    "Makefile": (WORDS, "the kernels that MemorySanitizer and valgrind see into"),
}


def names() -> list[str]:
    found = re.findall(r"^ *row\((\w+)\)", TABLE.read_text(), re.MULTILINE)
    assert "scalar" in found and len(found) > 3, "the table of kernels is laid out in another way"
    return found


def files() -> Iterator[Path]:
    for place in PLACES:
        for path in sorted((TOP / place).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and "corpus" not in path.parts:
                yield path
    yield from (TOP / name for name in FILES)


def is_own(path: Path, name: str) -> bool:
    """Whether a header is a kernel's own: avx512.hpp, avx512_format.hpp."""
    return path.parent == TABLE.parent and (path.stem == name or path.stem.startswith(f"{name}_"))


def mentions(line: str, name: str) -> bool:
    if name in WORDS:
        return bool(re.search(rf"""["']{name}["']|HEADRACE_SIMD\W+{name}\b""", line))
    line = re.sub(
        r"TARGET_BEGIN\(.*|FEATURES .*|target\(.*", "", line
    )  # what a processor has may have the same name
    return bool(re.search(rf"(?<!\w){name}(?!\w)", line))


def without_comment(line: str, path: Path) -> str:
    mark = COMMENTS.get(path.suffix)
    return re.split(rf"(?:^|\s){re.escape(mark)}(?:\s|$)", line)[0] if mark else line


def found() -> Iterator[tuple[str, str, int, str]]:
    """Yield each mention outside the table and a kernel's own files: file, name, line and its number."""
    for path in files():
        if path == TABLE:
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for name in names():
            if name not in text or is_own(path, name) or path == Path(__file__).resolve():
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if mentions(without_comment(line, path), name):
                    yield path.relative_to(TOP).as_posix(), name, number, line.strip()


def test_a_kernel_is_named_in_the_table_only() -> None:
    elsewhere = [
        f"{path}:{number}: {line}"
        for path, name, number, line in found()
        if name not in ALLOWED.get(path, ((), ""))[0]
    ]
    assert not elsewhere, "take the names from detail/simd/kernels.hpp:\n" + "\n".join(elsewhere)


@pytest.mark.parametrize(
    "line, name, expected",
    [
        ('names[] = {"avx2", "neon"}', "avx2", True),
        ("avx2::index_tokens(text)", "avx2", True),
        ("HEADRACE_SIMD=scalar", "scalar", True),
        ("scalar::kernel", "scalar", False),
        ('TARGET_BEGIN("avx2,bmi")', "avx2", False),
        ("avx2_bmi", "avx2", False),
    ],
)
def test_what_counts_as_a_mention(line: str, name: str, expected: bool) -> None:
    assert mentions(line, name) == expected


def test_comments_may_be_about_an_instruction_set() -> None:
    assert without_comment("code  // as avx2 has it", Path("a.hpp")) == "code "
    assert without_comment("# avx2", Path("Makefile")) == ""
