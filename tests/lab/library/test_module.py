"""`import headrace;`: what the module exports, and a project that is built with it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import consumers
from consumers import CHECKOUT, must, run

COMPILER = "clang++-19"
PROJECT = consumers.CONSUMERS / "module"
SETTINGS = (
    "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror",
)  # fmt: skip
HEADERS = ("arrow", "columns", "headrace", "iostreams", "split", "time")  # what the module has

pytestmark = [
    pytest.mark.slow,  # a compilation each
    pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"no {COMPILER} on this machine"),
]


def names_after(opening: str, folder: Path, *flags: str | Path) -> set[str]:
    """Return what the compiler offers after `headrace::` in a file that opens like this."""
    file = folder / "offer.cpp"
    file.write_text(f"{opening}\nint x = headrace::\n", "utf-8")
    at = f"-code-completion-at={file}:{len(opening.splitlines()) + 1}:19"
    offered = must(COMPILER, "-std=gnu++20", *flags, "-fsyntax-only", "-Xclang", at, file, cwd=folder)
    return set(re.findall(r"^COMPLETION: (\w+)", offered, re.M))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a project that finds the installed module; return its folder."""
    cmake = consumers.cmake_since((3, 28))
    consumers.tool("ninja")
    if shutil.which("clang-scan-deps-19") is None:
        pytest.skip("no clang-scan-deps-19 on this machine (apt-get install clang-tools-19)")
    folder = tmp_path_factory.mktemp("module")
    source = consumers.copy_release(folder / "headrace")
    must(cmake, "-S", source, "-B", "install", "-DHEADRACE_BUILD_TESTS=OFF", cwd=folder)
    must(cmake, "--build", "install", cwd=folder)
    must(cmake, "--install", "install", "--prefix", folder / "prefix", cwd=folder)
    shutil.rmtree(source)
    where = f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}"
    must(cmake, "-S", PROJECT, "-B", "build", *SETTINGS, where, cwd=folder)
    must(cmake, "--build", "build", "--parallel", "2", cwd=folder)
    return folder


def test_a_project_imports_the_module(built: Path) -> None:
    given = "2 0.5 0.25 16\n1 2\n3\nend\nxyz\n"
    assert must(built / "build" / "consumer", cwd=built, given=given) == (
        '0.75 2 sum: 6\n7x 8y 2\n1 <stdin>:5:1: expected an integer, found "xyz"\n'
    )


def test_the_module_exports_what_the_headers_declare(built: Path) -> None:
    (interface,) = (built / "build").rglob("headrace.pcm")
    imported = names_after("import headrace;", built, f"-fmodule-file=headrace={interface}")
    opening = "\n".join(f"#include <headrace/{name}.hpp>" for name in HEADERS)
    included = names_after(opening, built, f"-I{CHECKOUT / 'include'}")
    version = {name for name in included if re.fullmatch(r"v\d+_\d+_\d+", name)}
    assert len(version) == 1 and {"reader", "writer", "in", "read_columns", "split"} <= imported
    assert imported == included - version - {"detail", "process"}  # neither is for users


def test_a_folder_of_a_project_has_the_module(tmp_path: Path) -> None:
    cmake = consumers.cmake_since((3, 28))
    consumers.tool("ninja")
    must(cmake, "-S", PROJECT, "-B", tmp_path, *SETTINGS, f"-DHEADRACE_SOURCE={CHECKOUT}", cwd=tmp_path)
    assert str(CHECKOUT / "src" / "headrace.cppm") in (tmp_path / "build.ninja").read_text("utf-8")


@pytest.mark.parametrize(
    ("setting", "lacks"),
    [
        (["-G", "Unix Makefiles"], "headrace::module needs the generator Ninja"),
        (["-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-14"], "headrace::module needs clang++ 16 or newer"),
        (["-G", "Ninja", "-DCMAKE_CXX_COMPILER=g++"], "headrace::module needs clang++ 16 or newer; "),
    ],
    ids=["makefiles", "clang 14", "g++"],
)
def test_what_cannot_build_modules_is_refused_in_one_sentence(
    setting: list[str], lacks: str, tmp_path: Path
) -> None:
    cmake = consumers.cmake_since((3, 28))
    consumers.tool("ninja")
    compiler = setting[-1].partition("=")[2]
    if compiler and shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    done = run(cmake, "-S", CHECKOUT, "-B", tmp_path, "-DHEADRACE_MODULE=ON", *setting, cwd=tmp_path)
    assert done.returncode != 0 and done.stderr.count("CMake Error") == 1
    assert lacks in " ".join(done.stderr.split())
