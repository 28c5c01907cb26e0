"""What the tests of packages share: tools, a release's files, and a way to run what must succeed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import native

CHECKOUT = Path(__file__).resolve().parents[2]
CONSUMERS = CHECKOUT / "tests" / "consumer"
MAIN = CONSUMERS / "main.cpp"


def tool(name: str, way_out: str = "") -> str:
    """Return a tool's path, one beside this Python first."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"no {name} on this machine ({way_out or f'pip install {name}'})")
    return found


def cmake_since(version: tuple[int, int]) -> str:
    """Return a CMake of this version or newer; pip has newer ones than most systems."""
    cmake = tool("cmake")
    said = re.search(r"(\d+)\.(\d+)", must(cmake, "--version", cwd=CHECKOUT))
    assert said is not None
    if (int(said[1]), int(said[2])) < version:
        wanted = ".".join(map(str, version))
        pytest.skip(f"no cmake {wanted} or newer on this machine (pip install cmake)")
    return cmake


def run(
    *words: str | Path, cwd: Path = CHECKOUT, given: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return native.call(*words, input=given, cwd=cwd, env={**native.CACHED, **os.environ, **variables})


def must(*words: str | Path, cwd: Path = CHECKOUT, given: str = "", **variables: str) -> str:
    done = run(*words, cwd=cwd, given=given, **variables)
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def check_sum(program: Path) -> None:
    assert must(program, cwd=program.parent, given="20 22\n-2") == "40\n"


def copy_release(to: Path) -> Path:
    """Copy what a release has of the C++, and nothing that was built in it; and the lab's pyproject.toml."""
    to.mkdir(parents=True)
    tops = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml")
    for name in tops:
        shutil.copy(CHECKOUT / name, to)
    for name in ("include", "src", "cmake", "packaging", "tests/consumer"):
        shutil.copytree(CHECKOUT / name, to / name)
    return to
