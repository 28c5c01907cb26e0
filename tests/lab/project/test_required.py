"""A required tool that is missing fails what needs it."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import native
import required
from checkout import TOP
from conftest import HERE


def test_every_package_is_one_that_the_script_installs() -> None:
    script = (TOP / ".ci" / "run").read_text("utf-8") + (TOP / "pyproject.toml").read_text("utf-8")
    for packages in required.PACKAGES.values():
        for one in packages:
            assert re.search(rf'[\s("]{re.escape(one)}[\s)=]', script), one


@pytest.mark.parametrize(
    ("reason", "wanted", "lacks"),
    [
        ("zstd is not installed", "all", "zstd"),
        ("zstd is not installed", "chromium zstd", "zstd"),
        ("zstd is not installed", "chromium", ""),
        ("zstd is not installed", "", ""),
        ("needs Chromium: apt-get install chromium", "all", "chromium"),
        ("no g++ on this machine", "g++", "g++"),
        ("needs a compiler for aarch64 and qemu", "qemu-user", "qemu-user"),
        ("needs a compiler for aarch64 and qemu", "g++", ""),
        ("no g++-11 on this machine", "all", ""),
        ("no rpmlint on this machine (apt-get install rpmlint)", "rpm", ""),
        ("no rpmbuild on this machine (apt-get install rpm)", "rpm", "rpm"),
        ("no xmake on this machine (...)", "all", ""),
        ("no clang++-14 on this machine", "all", ""),
        ("no clang++-19 on this machine", "clang-19", "clang-19"),
        ("no clang++-19 on this machine, nor an older clang++", "all", "clang-19"),
        ("x86_64-w64-mingw32-g++ is not on this machine", "all", "g++-mingw-w64-x86-64-posix"),
        ("no make on this machine", "all", "make"),
        ("no g++ on this machine", "all", "g++"),
        ("no cmake 3.28 or newer on this machine (pip install cmake)", "all", "cmake"),
        ("perf may not trace here: denied", "all", ""),
        ("no RAM disk on this system", "all", ""),
    ],
)
def test_only_a_missing_package_is_a_failure(reason: str, wanted: str, lacks: str) -> None:
    assert required.lacking(reason, wanted) == lacks


@pytest.mark.parametrize(
    ("wanted", "code", "word"),
    [("all", 1, "error"), ("wine", 1, "error"), ("zstd", 0, "skipped"), ("", 0, "skipped")],
)
def test_a_test_that_is_skipped_for_want_of_it_fails(
    tmp_path: Path, wanted: str, code: int, word: str
) -> None:
    (tmp_path / "conftest.py").write_text((HERE / "conftest.py").read_text("utf-8"), "utf-8")
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.skipif(True, reason='wine is not installed')\ndef test_it(): pass\n",
        "utf-8",
    )
    folders = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    done = native.call(
        *native.PYTEST,
        tmp_path,
        cwd=tmp_path,
        env={**os.environ, "HEADRACE_REQUIRE": wanted, "PYTHONPATH": folders},
    )
    assert done.returncode == code and f"1 {word}" in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("wanted", "code"), [("all", 1), ("chromium valgrind", 1), ("valgrind-dbg", 0), ("", 0)]
)
def test_the_shell_scripts_do_the_same(wanted: str, code: int) -> None:
    done = native.call(
        TOP / "tools" / "missing",
        "valgrind",
        "valgrind is not here",
        env={**os.environ, "HEADRACE_REQUIRE": wanted},
    )
    assert done.returncode == code
    assert done.stdout == "valgrind is not here: skipped (apt-get install valgrind)\n"
    assert ("HEADRACE_REQUIRE wants valgrind" in done.stderr) == bool(code)


def test_what_is_installed_in_continuous_integration_is_within_the_ranges() -> None:
    """Each dependency has an exact version in the constraints, and one that pyproject.toml allows."""
    text = (TOP / ".ci" / "constraints.txt").read_text("utf-8")
    pinned = dict(line.lower().replace("_", "-").split("==") for line in text.splitlines() if "==" in line)
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    for wanted in map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["test"]]):
        assert wanted.name.lower() in pinned, wanted
        assert wanted.specifier.contains(pinned[wanted.name.lower()]), wanted
