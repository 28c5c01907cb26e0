"""headrace as others get it: through CMake, pkg-config, and as a wheel in an empty environment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import native
from consumers import CHECKOUT, CONSUMERS, check_sum, must, run

pytestmark = pytest.mark.slow  # each builds the library, or a package
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on this machine")
ALONE = {
    name: value for name, value in os.environ.items() if name != "PYTHONPATH"
}  # no checkout before the wheel


def build_consumer(way: str, folder: Path, settings: Sequence[str]) -> None:
    must("cmake", "-S", CONSUMERS / way, "-B", folder, *settings)
    must("cmake", "--build", folder)
    check_sum(folder / "consumer")
    check_sum(folder / "consumer_of_headers")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user fetches: the files under version control that concern C++."""
    copy = tmp_path_factory.mktemp("fetched") / "headrace"
    copy.mkdir()
    shutil.copy(CHECKOUT / "CMakeLists.txt", copy)
    for name in ("include", "src", "cmake"):
        shutil.copytree(CHECKOUT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def prefix(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where `cmake --install` put it. The source is gone afterwards, so that nothing can lean on it."""
    folder = tmp_path_factory.mktemp("install")
    copy = folder / "source"
    shutil.copytree(source, copy)
    must("cmake", "-S", copy, "-B", folder / "build", "-DHEADRACE_BUILD_TESTS=OFF")
    must("cmake", "--build", folder / "build")
    must("cmake", "--install", folder / "build", "--prefix", folder / "prefix")
    shutil.rmtree(copy)
    shutil.rmtree(folder / "build")
    return folder / "prefix"


@needs_cmake
def test_find_package(prefix: Path, tmp_path: Path) -> None:
    build_consumer("find_package", tmp_path / "build", [f"-DCMAKE_PREFIX_PATH={prefix}"])


@needs_cmake
def test_a_moved_installation_works(prefix: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(prefix, moved)
    build_consumer("find_package", tmp_path / "build", [f"-DCMAKE_PREFIX_PATH={moved}"])


@needs_cmake
def test_another_version_is_not_taken(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(consumer LANGUAGES CXX)\n"
        "find_package(headrace 7.3 REQUIRED)\n"
    )
    done = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    assert done.returncode != 0 and '"7.3"' in done.stderr


@needs_cmake
def test_add_subdirectory(source: Path, tmp_path: Path) -> None:
    build_consumer("add_subdirectory", tmp_path, [f"-DHEADRACE_SOURCE={source}"])
    assert not (tmp_path / "headrace" / "tests").exists(), "our tests stay out of other projects"


@needs_cmake
def test_fetch_content(source: Path, tmp_path: Path) -> None:
    build_consumer("fetch_content", tmp_path, [f"-DHEADRACE_SOURCE={source}"])


@pytest.mark.parametrize("way", ["installed", "folder"])
@needs_cmake
def test_a_shared_library_has_what_is_compiled_once(
    way: str, source: Path, prefix: Path, tmp_path: Path
) -> None:
    where = f"-DCMAKE_PREFIX_PATH={prefix}" if way == "installed" else f"-DHEADRACE_SOURCE={source}"
    must("cmake", "-S", CONSUMERS / "shared", "-B", tmp_path, where)
    must("cmake", "--build", tmp_path)
    check_sum(tmp_path / "consumer")


@pytest.mark.skipif(
    not (shutil.which("pkg-config") and shutil.which("make") and shutil.which("g++")),
    reason="no pkg-config, make or g++ on this machine",
)
@needs_cmake
def test_pkg_config(prefix: Path, tmp_path: Path) -> None:
    folders = os.pathsep.join(str(file.parent) for file in prefix.rglob("headrace.pc"))
    must("make", "-C", CONSUMERS / "pkg_config", f"OUT={tmp_path}", "CXX=g++", PKG_CONFIG_PATH=folders)
    check_sum(tmp_path / "consumer")
    check_sum(tmp_path / "consumer_of_headers")


COMPRESSION = {"gzip": "zlib.h", "zstd": "zstd_errors.h"}


@pytest.fixture(params=COMPRESSION)
def compression(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name a component whose library is here, and write a project that uses it."""
    name = str(request.param)
    (tmp_path / "main.cpp").write_text(
        f"#include <headrace/headrace.hpp>\n#include <headrace/{name}.hpp>\n"
        f'int main() {{\n  {{ headrace::writer(headrace::{name}_sink("x")) << 42; }}\n'
        f'  headrace::out << headrace::reader(headrace::{name}_source("x")).read<int>();\n}}\n'
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(mine LANGUAGES CXX)\n"
        "if(HEADRACE)\n  add_subdirectory(${HEADRACE} headrace)\nelse()\n"
        f"  find_package(headrace REQUIRED COMPONENTS {name})\nendif()\nadd_executable(mine main.cpp)\n"
        f"target_link_libraries(mine PRIVATE headrace::headrace headrace::{name})\n"
    )
    header = COMPRESSION[name]
    if run("g++", "-fsyntax-only", "-include", header, "-x", "c++", os.devnull).returncode != 0:
        pytest.skip(f"no {header} on this machine (apt install zlib1g-dev libzstd-dev)")
    return name


@pytest.mark.parametrize("way", ["installed", "folder"])
@needs_cmake
def test_a_component_brings_what_compressed_files_need(
    way: str, compression: str, source: Path, prefix: Path, tmp_path: Path
) -> None:
    where = f"-DCMAKE_PREFIX_PATH={prefix}" if way == "installed" else f"-DHEADRACE={source}"
    must("cmake", "-S", tmp_path, "-B", tmp_path / "build", where)
    must("cmake", "--build", tmp_path / "build")
    assert must(tmp_path / "build" / "mine", cwd=tmp_path) == "42", compression


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="no pkg-config on this machine")
@needs_cmake
def test_pkg_config_names_what_compressed_files_need(compression: str, prefix: Path, tmp_path: Path) -> None:
    (file,) = prefix.rglob(f"headrace-{compression}.pc")
    folders = os.pathsep.join((str(file.parent), os.environ.get("PKG_CONFIG_PATH", "")))
    words = ("pkg-config", "--cflags", "--libs", f"headrace-{compression}", "headrace")
    flags = must(*words, PKG_CONFIG_PATH=folders).split()
    must("g++", "-std=c++17", tmp_path / "main.cpp", "-o", tmp_path / "mine", *flags, "-pthread")
    assert must(tmp_path / "mine", cwd=tmp_path) == "42"


def configured_and_built(prefix: Path, folder: Path, flags: str) -> subprocess.CompletedProcess[str]:
    """Build the consumer of the installed archive with these flags."""
    where = (f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_FLAGS={flags}", "-DCMAKE_BUILD_TYPE=Release")
    must("cmake", "-S", CONSUMERS / "find_package", "-B", folder, *where, "-DCMAKE_CXX_COMPILER=clang++-19")
    return run("cmake", "--build", folder, "--target", "consumer")


needs_clang = pytest.mark.skipif(shutil.which("clang++-19") is None, reason="no clang++-19 on this machine")


@needs_cmake
@needs_clang
@pytest.mark.parametrize("flags", ["-fno-exceptions", "-fno-rtti", "-std=c++20", "-fsanitize=undefined"])
def test_the_archive_serves_other_flags(flags: str, prefix: Path, tmp_path: Path) -> None:
    done = configured_and_built(prefix, tmp_path, flags)
    assert done.returncode == 0, done.stdout + done.stderr
    check_sum(tmp_path / "consumer")


@needs_cmake
@needs_clang
@pytest.mark.parametrize("flags", ["-stdlib=libc++", "-fsanitize=address", "-fsanitize=thread"])
def test_a_consumer_that_the_archive_does_not_fit_is_told_the_other_target(
    flags: str, prefix: Path, tmp_path: Path
) -> None:
    done = configured_and_built(prefix, tmp_path, flags)
    assert done.returncode != 0 and "or_use_headrace_header_only" in done.stdout + done.stderr
    must("cmake", "--build", tmp_path, "--target", "consumer_of_headers")
    check_sum(tmp_path / "consumer_of_headers")


@needs_cmake
def test_the_archive_is_linked_with_link_time_optimisation(prefix: Path, tmp_path: Path) -> None:
    where = (f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_FLAGS=-O2 -flto")
    build_consumer("find_package", tmp_path, where)


@pytest.mark.skipif(shutil.which("pkg-config") is None, reason="no pkg-config on this machine")
@pytest.mark.parametrize("lib", ["lib", "/dev/lib"])
@needs_cmake
def test_folders_may_be_given_as_absolute_paths(lib: str, source: Path, tmp_path: Path) -> None:
    """As Nix gives them: the headers of a package are in another prefix than the rest."""
    include, prefix = tmp_path / "dev" / "include", tmp_path / "out"
    data = f"{tmp_path}{lib}" if lib.startswith("/") else lib
    folders = [f"-DCMAKE_INSTALL_INCLUDEDIR={include}", f"-DCMAKE_INSTALL_LIBDIR={data}"]
    build = tmp_path / "build"
    settings = ("-DHEADRACE_BUILD_TESTS=OFF", f"-DCMAKE_INSTALL_PREFIX={prefix}", *folders)
    must("cmake", "-S", source, "-B", build, *settings)
    must("cmake", "--build", build)
    must("cmake", "--install", build)
    must("cmake", "--install", build, "--component", "cps")
    where = str(prefix / data / "pkgconfig")
    said = must("pkg-config", "--cflags", "headrace", PKG_CONFIG_PATH=where)
    assert set(said.split()) == {f"-I{include}", "-DHEADRACE_COMPILED=1"}
    library = (
        must("pkg-config", "--libs-only-L", "headrace", PKG_CONFIG_PATH=where).strip().removeprefix("-L")
    )
    assert (Path(library) / "libheadrace.a").is_file()
    cps = json.loads((prefix / data / "cps" / "headrace" / "headrace.cps").read_text("utf-8"))
    assert cps["components"]["header_only"]["includes"] == [str(include)]
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES CXX)\nfind_package(headrace REQUIRED)\n"
        "get_target_property(folders headrace::header_only INTERFACE_INCLUDE_DIRECTORIES)\n"
        "message(NOTICE ${folders})\n"
    )
    found = run(
        "cmake", "-S", tmp_path, "-B", tmp_path / "user", f"-Dheadrace_DIR={prefix / data}/cmake/headrace"
    )
    assert found.returncode == 0 and found.stderr.strip() == str(include)


@needs_cmake
def test_all_headers_are_installed(prefix: Path) -> None:
    here = {path.relative_to(CHECKOUT / "include") for path in (CHECKOUT / "include").rglob("*.hpp")}
    there = {path.relative_to(prefix / "include") for path in (prefix / "include").rglob("*.hpp")}
    assert here == there and here


@needs_cmake
@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_a_compiler_without_cpp17_is_refused_in_one_sentence(source: Path, tmp_path: Path) -> None:
    old = tmp_path / "g++-4.8"
    old.write_text('#!/bin/sh\nexec g++ -U__GNUC__ -D__GNUC__=4 -U__GNUC_MINOR__ -D__GNUC_MINOR__=8 "$@"\n')
    old.chmod(0o755)
    done = run("cmake", "-S", source, "-B", tmp_path / "build", f"-DCMAKE_CXX_COMPILER={old}")
    assert done.returncode != 0
    assert done.stderr.count("CMake Error") == 1
    assert "headrace needs C++17" in done.stderr and "-DCMAKE_CXX_COMPILER=" in done.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
@pytest.mark.parametrize("last", native.REPLACE)
def test_every_header_can_be_used_with_the_compiled_library(last: str) -> None:
    words = ["-std=c++17", "-fsyntax-only", "-DHEADRACE_COMPILED=1", f"-I{CHECKOUT / 'include'}"]
    must("g++", *words, "-x", "c++", "-", given=native.all_headers(last))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `pip wheel .` makes, without the network: its build tool is a test requirement."""
    folder = tmp_path_factory.mktemp("wheel")
    must(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        folder,
        CHECKOUT,
        TMPDIR=str(folder),
    )
    (made,) = folder.glob("headrace-*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in an environment with nothing but the wheel, whose requirements are lent by this one."""
    folder = tmp_path_factory.mktemp("environment") / "env"
    venv.create(folder, with_pip=True)
    must(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel)
    packages = must(folder / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    lent = must(sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    borrowed = tmp_path_factory.mktemp("lent")
    for entry in Path(lent).iterdir():  # all but headrace itself, which may be installed there as a checkout
        if "headrace" not in entry.name and entry.suffix != ".pth":
            (borrowed / entry.name).symlink_to(entry)
    (Path(packages.strip()) / "lent.pth").write_text(f"{borrowed}\n")
    return folder / "bin" / "headrace"


def test_the_wheels_readme_links_to_no_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        (name,) = [name for name in files.namelist() if name.endswith(".dist-info/METADATA")]
        about = files.read(name).decode("utf-8")
    code = re.compile(r"```.*?```|`[^`]*`", re.S)
    assert re.findall(r"\]\((?!https?:)[^)]*\)", code.sub("", about)) == []
    assert about.count("```") == (CHECKOUT / "README.md").read_text("utf-8").count("```")
    assert "in an application (`docs/start/application.md`)" in about and "`CHANGELOG.md`" in about
    assert "Description-Content-Type: text/markdown" in about


def test_the_wheel_carries_all_that_it_uses(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for top in ("include", "benchmarks"):
        for path in (CHECKOUT / top).rglob("*"):
            if path.is_file():
                assert f"headrace/data/{path.relative_to(CHECKOUT)}" in names
    for path in (CHECKOUT / "lab" / "headrace").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert str(path.relative_to(CHECKOUT / "lab")) in names
    assert not [name for name in names if name.startswith(("tests", "headrace/tests"))]


def test_the_installed_command_says_where_the_headers_are(installed: Path, tmp_path: Path) -> None:
    include = Path(
        native.call(installed, "--include-dir", cwd=tmp_path, env=ALONE, check=True).stdout.strip()
    )
    assert (include / "headrace" / "headrace.hpp").is_file()
    assert CHECKOUT not in include.parents
    if shutil.which("g++"):
        must("g++", "-std=c++17", "-I", include, CONSUMERS / "main.cpp", "-o", tmp_path / "consumer")
        check_sum(tmp_path / "consumer")


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")
def test_the_installed_command_races_in_any_folder(installed: Path, tmp_path: Path) -> None:
    done = native.call(
        installed,
        "run",
        "read_ints",
        "--quick",
        "--rounds",
        "3",
        "--toolchain",
        "g++",
        "--contender",
        "headrace_bulk",
        "--set",
        "rows=10",
        cwd=tmp_path,
        env={**ALONE, "HEADRACE_CACHE": str(tmp_path / "cache")},
    )
    assert done.returncode == 0, done.stderr
    assert "headrace_bulk" in done.stdout
    assert list((tmp_path / "results").glob("*.json")) and list((tmp_path / "results").glob("*.html"))
