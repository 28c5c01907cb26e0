"""packaging/, the presets, and a library that exports a target built on headrace. No network is used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headrace import __version__

CHECKOUT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow  # a compilation each


def tool(name: str) -> str:
    """Return a tool's path, one beside this Python first."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"no {name} on this machine (pip install {name})")
    return found


def must(*words: str | Path, cwd: Path, given: str = "", **variables: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        input=given,
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """What a release has of the C++, and nothing that was built in it."""
    copy = tmp_path / "headrace"
    copy.mkdir()
    for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE"):
        shutil.copy(CHECKOUT / name, copy)
    for name in ("include", "src", "cmake", "packaging", "tests/consumer"):
        shutil.copytree(CHECKOUT / name, copy / name)
    return copy


def test_conan_creates_the_package_and_its_consumer_runs(source: Path, tmp_path: Path) -> None:
    conan = tool("conan")
    home = str(tmp_path / "conan")
    must(conan, "profile", "detect", cwd=source, CONAN_HOME=home)
    create = [conan, "create", "packaging/conan", "--no-remote", "-s", "compiler.cppstd=17"]
    must(*create, cwd=source, CONAN_HOME=home)
    listed = must(conan, "list", "headrace", "--format=json", cwd=source, CONAN_HOME=home)
    assert f"headrace/{__version__}" in json.loads(listed)["Local Cache"]


def test_a_meson_wrap_brings_both_dependencies(source: Path, tmp_path: Path) -> None:
    meson = tool("meson")
    tool("ninja")
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    must("git", "init", "-q", "-b", "main", cwd=source)
    must("git", "add", ".", cwd=source)
    must("git", *identity, "commit", "-q", "-m", "a release", cwd=source)
    project = tmp_path / "project"
    patch = project / "subprojects" / "packagefiles"
    shutil.copytree(CHECKOUT / "packaging" / "meson", patch / "headrace")
    (project / "subprojects" / "headrace.wrap").write_text(
        f"[wrap-git]\nurl = {source.as_uri()}\nrevision = main\npatch_directory = headrace\n"
        "[provide]\ndependency_names = headrace, headrace-compiled\n"
    )
    shutil.copy(CHECKOUT / "tests" / "consumer" / "main.cpp", project)
    (project / "meson.build").write_text(
        "project('consumer', 'cpp', default_options: ['cpp_std=c++17'])\n"
        f"found = dependency('headrace', version: '{__version__}')\n"
        "executable('consumer', 'main.cpp', dependencies: found)\n"
        "executable('consumer_of_compiled', 'main.cpp', dependencies: dependency('headrace-compiled'))\n"
    )
    must(meson, "setup", "build", cwd=project)
    must(meson, "compile", "-C", "build", cwd=project)
    for name in ("consumer", "consumer_of_compiled"):
        assert must(project / "build" / name, cwd=project, given="20 22\n") == "42\n"


def test_a_target_that_is_exported_brings_headrace(source: Path, tmp_path: Path) -> None:
    cmake = tool("cmake")
    prefix = tmp_path / "prefix"
    must(cmake, "-S", ".", "-B", "build", "-DHEADRACE_BUILD_TESTS=OFF", cwd=source)
    must(cmake, "--install", "build", "--prefix", prefix, cwd=source)
    where = f"-DCMAKE_PREFIX_PATH={prefix}"
    must(cmake, "-S", "tests/consumer/exports", "-B", "adder", where, cwd=source)
    must(cmake, "--install", "adder", "--prefix", prefix, cwd=source)
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(CHECKOUT / "tests" / "consumer" / "main.cpp", project)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES CXX)\nfind_package(adder REQUIRED)\n"
        "add_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE adder::adder)\n"
    )
    must(cmake, "-S", ".", "-B", "build", where, cwd=project)
    must(cmake, "--build", "build", cwd=project)
    assert must(project / "build" / "user", cwd=project, given="20 22\n") == "42\n"


def test_the_presets_configure_and_install(source: Path, tmp_path: Path) -> None:
    cmake = tool("cmake")
    tool("ninja")
    version = [int(part) for part in must(cmake, "--version", cwd=source).split()[2].split(".")[:2]]
    if version < [3, 23]:
        pytest.skip("the presets need CMake 3.23")
    listed = must(cmake, "--list-presets", cwd=source)
    assert all(f'"{name}"' in listed for name in ("release", "sanitize", "install"))
    must(cmake, "--preset", "install", cwd=source)
    must(cmake, "--install", "build-install", "--prefix", tmp_path / "prefix", cwd=source)
    assert (tmp_path / "prefix" / "include" / "headrace" / "headrace.hpp").is_file()
