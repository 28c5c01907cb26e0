"""Copies of headrace in one process (versions, modes, shared objects) share one stdin and one stdout.

A program alternates between two copies, `a` and `b`. Each word of its command line is a step: the copy, and
how many numbers it reads (-1: all that are left) and adds up, or "l" for the line that it is at. Each prints
its answer by its own `out`, so the order of the answers shows that no bytes are held back.
"""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import native
from conftest import CompiledLibrary

SOURCES = Path(__file__).with_name("shared_streams")
COMPILERS = [name for name in ("g++", "clang++-19") if shutil.which(name)]
COMPILED = "-DHEADRACE_COMPILED=1"
COUNT = 40_000  # numbers: more than one buffer holds
NUMBERS = "".join(f"{number}\n" for number in range(1, COUNT + 1))
ALL = COUNT * (COUNT + 1) // 2
STEPS = [
    ("a3 b2 a1 bl b-1 a-1", [6, 9, 6, 6, ALL - 21, 0]),
    ("b3 a2 b1 al a1 bl b-1", [6, 9, 6, 6, 7, 7, ALL - 28]),
    ("a1 b1 a1 b1 a20000 b1 al b-1", [1, 2, 3, 4, 200_090_000, 20_005, 20_005, ALL - 200_110_015]),
    ("a-1 b1", [ALL, 0]),
]

pytestmark = pytest.mark.skipif(not COMPILERS, reason="no compiler was found")


def compiled(folder: Path, name: str, source: str, *options: str, compiler: str, include: Path) -> Path:
    """Compile a source of this test to an object, or with -shared to a shared object."""
    target = folder / name
    action = ["-shared", "-fPIC"] if name.endswith(".so") else ["-c"]
    words = ["-std=c++17", "-O1", *action, f"-I{include}", *options, SOURCES / source, "-o", target]
    done = native.compiler(compiler, *words)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Return folders of headers: as they are, and two that are made from them."""
    folder = tmp_path_factory.mktemp("headers")

    def changed(name: str, file: str, before: str, after: str) -> Path:
        shutil.copytree(native.TOP / "include", folder / name)
        place = folder / name / "headrace" / file
        text = place.read_text(encoding="utf-8")
        assert before in text
        place.write_text(text.replace(before, after), encoding="utf-8")
        return folder / name

    other = changed("other version", "config.hpp", "HEADRACE_ABI v", "HEADRACE_ABI v99")
    block = changed("other block", "detail/process.hpp", "streams_version = 1", "streams_version = 2")
    return {"": native.TOP / "include", "other version": other, "other block": block}


Link = Callable[..., Path]


@pytest.fixture(params=native.others_slow(COMPILERS))
def link(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    headers: Mapping[str, Path],
    compiled_library: CompiledLibrary,
) -> Link:
    """Return what makes a program: copy `a` is of this version's headers, and `b` is as it is asked for."""
    compiler = request.param

    def unit(name: str, kind: str, include: str, *options: str) -> Path:
        words = [f"-DSUM={name}_sum", f"-DPRINT={name}_print", f"-DLINE={name}_line", *options]
        return compiled(
            tmp_path, f"lib{name}.{kind}", "unit.cpp", *words, compiler=compiler, include=headers[include]
        )

    def build(
        include: str = "",
        flags: Sequence[str] = (),
        kind: str = "o",
        main: str = "main.cpp",
        options: Sequence[str] = (),
        order: str = "ab",
    ) -> Path:
        parts = {"a": unit("a", "o", ""), "b": unit("b", kind, include, *flags)}
        inputs: list[Path | str] = [parts[name] for name in order]
        if COMPILED in flags:
            inputs.insert(1, compiled_library(compiler))
        started = compiled(tmp_path, "main.o", main, compiler=compiler, include=headers[""])
        program = tmp_path / "program"
        words = [compiler, started, *inputs, *options, f"-Wl,-rpath,{tmp_path}", "-ldl", "-o", program]
        made = native.call(*words)
        assert made.returncode == 0, made.stderr
        return program

    return build


def answers(program: Path, steps: str, source: str, folder: Path, **variables: str) -> list[int]:
    """Run a program with the numbers from a file or a pipe."""
    file = folder / "numbers"
    file.write_text(NUMBERS)
    settings = {"env": {**os.environ, **variables}, "capture_output": True, "text": True, "timeout": 60}
    if source == "file":
        with file.open() as given:
            done = subprocess.run([program, *steps.split()], stdin=given, **settings)  # type: ignore[call-overload]
    else:
        done = subprocess.run([program, *steps.split()], input=NUMBERS, **settings)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def check(program: Path, folder: Path, **variables: str) -> None:
    for source in ("file", "pipe"):
        for steps, right in STEPS:
            assert answers(program, steps, source, folder, **variables) == right, (source, steps)


@pytest.mark.parametrize(
    "copy",
    [
        {"flags": ["-fno-exceptions"]},
        {"include": "other version"},
        {"include": "other version", "kind": "so"},
    ],
    ids=["no exceptions", "other version", "shared object"],
)
def test_no_number_is_lost_between_two_copies(copy: dict[str, object], link: Link, tmp_path: Path) -> None:
    check(link(**copy), tmp_path)


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_the_compiled_library_and_its_headers_are_linked_in_any_order(
    order: str, link: Link, tmp_path: Path
) -> None:
    check(link(flags=[COMPILED], order=order), tmp_path)


@pytest.mark.parametrize("close", ["", "1"])
def test_a_plugin_shares_the_streams_of_a_program_that_exports_its_symbols(
    close: str, link: Link, tmp_path: Path
) -> None:
    program = link("other version", kind="so", main="plugin.cpp", order="a", options=["-rdynamic"])
    check(program, tmp_path, CLOSE=close)


def test_a_plugin_of_a_program_that_exports_nothing_is_the_case_that_versions_md_lists(
    link: Link, tmp_path: Path
) -> None:
    program = link("other version", kind="so", main="plugin.cpp", order="a")
    assert answers(program, "a3 b2", "file", tmp_path) != [6, 9]
    text = " ".join((native.TOP / "docs/versions.md").read_text(encoding="utf-8").split())
    assert "a program that was linked without `-rdynamic`" in text


def test_two_copies_take_turns_at_a_terminal(link: Link) -> None:
    program = link(flags=["-fno-exceptions"])
    control, terminal = pty.openpty()
    with subprocess.Popen(
        [program, "a1", "b1", "a1"], stdin=terminal, stdout=subprocess.PIPE, text=True
    ) as running:
        os.close(terminal)
        os.write(control, b"1 2 3\n")
        assert running.stdout is not None and running.stdout.read().split() == ["1", "2", "3"]
    os.close(control)


def test_a_layout_that_is_not_known_is_refused_before_bytes_are_lost(link: Link) -> None:
    program = link("other block", flags=["-fno-exceptions"], order="ba")
    done = native.call(program, "a1", input="1 2")
    assert done.returncode != 0 and "shares standard input in another way" in done.stderr
