"""packaging/, the presets, and a library that exports a target built on headrace. No network is used."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import consumers
from checkout import git
from consumers import CHECKOUT, CONSUMERS, MAIN, check_sum, must, run, tool
from headrace import __version__

REGISTRIES = Path(__file__).with_name("registries")
FILL_IN = CHECKOUT / "tools" / "packages.py"
HOMEPAGE = "https://headrace.example.org"
MAINTAINER = "headrace authors <headrace@example.org>"
pytestmark = pytest.mark.slow  # a compilation each


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return consumers.copy_release(tmp_path / "headrace")


@dataclass(frozen=True)
class Release:
    archive: Path
    packages: Path  # packaging/, filled in for it


def archive_of(version: str, folder: Path) -> Path:
    """Make an archive of the source, as a release has it."""
    tree = consumers.copy_release(folder / f"headrace-{version}")
    archive = folder / f"{tree.name}.tar.gz"
    with tarfile.open(archive, "w:gz") as files:
        files.add(tree, tree.name)
    return archive


def fill_in(archive: Path, out: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    options = {"url": archive.as_uri(), "homepage": HOMEPAGE, "maintainer": MAINTAINER, **changes}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return run(sys.executable, FILL_IN, archive, *words, "-o", out, cwd=archive.parent)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("release")
    archive = archive_of(__version__, folder)
    done = fill_in(archive, folder / "packages")
    assert done.returncode == 0, done.stderr
    return Release(archive, folder / "packages")


def test_conan_creates_the_package_and_its_consumer_runs(source: Path, tmp_path: Path) -> None:
    conan = tool("conan")
    home = str(tmp_path / "conan")
    before = {path for path in source.rglob("*") if path.is_file()}
    must(conan, "profile", "detect", cwd=source, CONAN_HOME=home)
    create = [conan, "create", "packaging/conan", "--no-remote", "-s", "compiler.cppstd=17"]
    must(*create, cwd=source, CONAN_HOME=home)
    listed = must(conan, "list", "headrace", "--format=json", cwd=source, CONAN_HOME=home)
    assert f"headrace/{__version__}" in json.loads(listed)["Local Cache"]
    left = {path for path in source.rglob("*") if path.is_file()} - before
    assert left and all(path.is_relative_to(source / "build") for path in left)  # which git ignores


def test_a_meson_wrap_brings_both_dependencies(source: Path, tmp_path: Path) -> None:
    meson = tool("meson")
    tool("ninja")
    git(source, "init", "-q", "-b", "main")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "a release")
    project = tmp_path / "project"
    patch = project / "subprojects" / "packagefiles"
    shutil.copytree(CHECKOUT / "packaging" / "meson", patch / "headrace")
    (project / "subprojects" / "headrace.wrap").write_text(
        f"[wrap-git]\nurl = {source.as_uri()}\nrevision = main\npatch_directory = headrace\n"
        "[provide]\ndependency_names = headrace, headrace-header-only, headrace-compiled\n"
    )
    shutil.copy(MAIN, project)
    (project / "meson.build").write_text(
        "project('consumer', 'cpp', default_options: ['cpp_std=c++17'])\n"
        f"found = dependency('headrace', version: '{__version__}')\n"
        "executable('consumer', 'main.cpp', dependencies: found)\n"
        "executable('consumer_of_headers', 'main.cpp', dependencies: dependency('headrace-header-only'))\n"
    )
    must(meson, "setup", "build", cwd=project)
    must(meson, "compile", "-C", "build", cwd=project)
    for name in ("consumer", "consumer_of_headers"):
        check_sum(project / "build" / name)


def bazel(file: Path) -> dict[str, dict[str, Any]]:
    """Read a file of Bazel, whose language is a part of Python's: the words of each call, by name."""
    calls: dict[str, dict[str, Any]] = {}

    def noted(**words: Any) -> None:
        calls[words["name"]] = words

    def glob(patterns: list[str]) -> list[str]:
        return [str(path.relative_to(file.parent)) for each in patterns for path in file.parent.glob(each)]

    functions = dict.fromkeys(("module", "bazel_dep", "cc_library"), noted)
    nothing = dict.fromkeys(("load", "package"), lambda *_, **__: None)
    exec(compile(file.read_text("utf-8"), file, "exec"), {**functions, **nothing, "glob": glob})
    return calls


def test_bazel_s_files_make_a_program(source: Path, tmp_path: Path) -> None:
    """As far as it goes without Bazel: libraries as it makes them, from the files that they name alone."""
    for name in ("MODULE.bazel", "BUILD.bazel"):
        shutil.copy(CHECKOUT / name, source)
    libraries = bazel(source / "BUILD.bazel")
    headers = libraries["header_only"]["hdrs"]
    assert {*headers} == {str(each.relative_to(source)) for each in source.glob("include/**/*.hpp")}
    shown = tmp_path / "shown"
    for name in headers:
        (shown / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, shown / name)
    include = [f"-I{shown / each}" for each in libraries["header_only"]["includes"]]
    objects = []
    for name, library in libraries.items():
        for each in library.get("srcs", ()):
            defines = [f"-D{one}" for key in ("defines", "local_defines") for one in library.get(key, ())]
            objects.append(tmp_path / f"{name}.o")
            words = [*library["copts"], *defines, *include, "-c", source / each, "-o", objects[-1]]
            must("g++", *words, cwd=tmp_path)
    for name in ("header_only", "headrace"):
        defines = [f"-D{each}" for each in libraries[name].get("defines", ())]
        linked = objects if name == "headrace" else []
        must(
            "g++",
            "-std=c++17",
            *defines,
            *include,
            MAIN,
            *linked,
            "-o",
            tmp_path / f"of_{name}",
            cwd=tmp_path,
        )
        check_sum(tmp_path / f"of_{name}")


def test_a_target_that_is_exported_brings_headrace(source: Path, tmp_path: Path) -> None:
    cmake = tool("cmake")
    prefix = tmp_path / "prefix"
    must(cmake, "-S", ".", "-B", "build", "-DHEADRACE_BUILD_TESTS=OFF", cwd=source)
    must(cmake, "--build", "build", cwd=source)
    must(cmake, "--install", "build", "--prefix", prefix, cwd=source)
    where = f"-DCMAKE_PREFIX_PATH={prefix}"
    must(cmake, "-S", "tests/consumer/exports", "-B", "adder", where, cwd=source)
    must(cmake, "--install", "adder", "--prefix", prefix, cwd=source)
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(MAIN, project)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user LANGUAGES CXX)\nfind_package(adder REQUIRED)\n"
        "add_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE adder::adder)\n"
    )
    must(cmake, "-S", ".", "-B", "build", where, cwd=project)
    must(cmake, "--build", "build", cwd=project)
    check_sum(project / "build" / "user")


def test_a_target_that_is_exported_may_use_a_folder_of_the_project(source: Path, tmp_path: Path) -> None:
    cmake = tool("cmake")
    exports = ("-S", "tests/consumer/exports", "-DHEADRACE_SOURCE=../../..")
    refused = run(cmake, *exports, "-B", "without", cwd=source)
    assert refused.returncode != 0 and "not in any export set" in refused.stderr
    must(cmake, *exports, "-B", "build", "-DHEADRACE_INSTALL=ON", cwd=source)
    must(cmake, "--build", "build", cwd=source)
    must(cmake, "--install", "build", "--prefix", tmp_path, cwd=source)
    assert (tmp_path / "share" / "cmake" / "adder").is_dir() and (
        tmp_path / "lib" / "cmake" / "headrace"
    ).is_dir()


def test_the_presets_configure_and_install(source: Path, tmp_path: Path) -> None:
    cmake = consumers.cmake_since((3, 23))
    tool("ninja")
    listed = must(cmake, "--list-presets", cwd=source)
    assert all(f'"{name}"' in listed for name in ("release", "sanitize", "install"))
    must(cmake, "--preset", "install", cwd=source)
    must(cmake, "--build", "--preset", "install", cwd=source)
    must(cmake, "--install", "build-install", "--prefix", tmp_path / "prefix", cwd=source)
    assert (tmp_path / "prefix" / "include" / "headrace" / "headrace.hpp").is_file()


# ---- filled in for a release ----


def test_every_package_has_the_version(release: Release) -> None:
    written = {
        "vcpkg/headrace/vcpkg.json": '"version": "{}"',
        "xmake/packages/h/headrace/xmake.lua": 'add_versions("{}"',
        "homebrew/Formula/headrace.rb": 'version "{}"',
        "rpm/headrace.spec": "Version:        {}\n",
        "debian/changelog": "headrace ({}-1) ",
    }
    for name, line in written.items():
        assert line.format(__version__) in (release.packages / name).read_text("utf-8"), name
    for wanted in CONSUMERS.glob("*/CMakeLists.txt"):  # what asks for a version asks for this one
        for asked in re.findall(r"find_package\(headrace (\S+) ", wanted.read_text("utf-8")):
            assert __version__.startswith(f"{asked}."), wanted
    for file in (path for path in (CHECKOUT / "packaging").rglob("*") if path.is_file()):
        assert __version__ not in file.read_text("utf-8"), f"{file} has a version of its own"


def test_nothing_is_left_to_fill_in(release: Release) -> None:
    for file in (path for path in release.packages.rglob("*") if path.is_file()):
        assert not re.search(r"@[A-Z][A-Z0-9_]*@", file.read_text("utf-8")), file


def test_the_same_archive_and_date_give_the_same_files(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    for name in ("once", "again"):
        assert fill_in(release.archive, tmp_path / name).returncode == 0
    spec, changes = (tmp_path / "once" / name for name in ("rpm/headrace.spec", "debian/changelog"))
    assert "* Thu Jan 01 2026 headrace authors <" in spec.read_text("utf-8")
    assert changes.read_text("utf-8").endswith(">  Thu, 01 Jan 2026 00:00:00 +0000\n")
    for file in (path for path in (tmp_path / "once").rglob("*") if path.is_file()):
        assert file.read_bytes() == (tmp_path / "again" / file.relative_to(tmp_path / "once")).read_bytes()


def test_a_date_that_is_none_is_a_sentence(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    done = fill_in(release.archive, tmp_path / "out")
    assert done.returncode == 2 and "SOURCE_DATE_EPOCH is 'yesterday': set it to seconds" in done.stderr


def test_another_version_is_filled_in_by_its_archive_alone(tmp_path: Path) -> None:
    archive = tmp_path / "headrace-2.13.4.tar.gz"
    config = tmp_path / "headrace-2.13.4" / "include" / "headrace" / "config.hpp"
    config.parent.mkdir(parents=True)
    config.write_text("#define HEADRACE_VERSION 21304\n", "utf-8")
    with tarfile.open(archive, "w:gz") as files:
        files.add(config.parents[2], config.parents[2].name)
    assert fill_in(archive, tmp_path / "out").returncode == 0
    texts = [path.read_text("utf-8") for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert sum("2.13.4" in text for text in texts) >= 5


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"maintainer": "nobody"}, "packages: --maintainer 'nobody': write 'Name <mail@example.org>'"),
        ({"url": "headrace.tar.gz"}, "packages: --url 'headrace.tar.gz': write an address that starts with"),
        ({"archive": "missing.tar.gz"}, "missing.tar.gz: No such file or directory"),
        ({"archive": "text.tar.gz"}, "text.tar.gz: it is no whole tar archive"),
        ({"archive": "cut.tar.gz"}, "cut.tar.gz: it is no whole tar archive"),
        ({"archive": "other.tar.gz"}, "its folder is other-1, and its config.hpp says version 0.1.0"),
        (
            {"archive": "empty.tar.gz"},
            "has no top/include/headrace/config.hpp: give an archive of the source",
        ),
    ],
    ids=lambda given: next(iter(given)) if isinstance(given, dict) else "",
)
def test_what_cannot_be_filled_in_is_a_sentence(
    changes: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "text.tar.gz").write_text("no archive", "utf-8")
    (tmp_path / "config.hpp").write_text("#define HEADRACE_VERSION 100\n", "utf-8")
    inside = {"other": "other-1/include/headrace/config.hpp", "empty": "top/config.hpp"}
    for name, path in inside.items():
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as files:
            files.add(tmp_path / "config.hpp", path)
    (tmp_path / "cut.tar.gz").write_bytes((tmp_path / "other.tar.gz").read_bytes()[:60])
    archive = tmp_path / changes.pop("archive", "other.tar.gz")
    done = fill_in(archive, tmp_path / "out", **changes)
    assert done.returncode == 2 and sentence in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()


def test_a_folder_that_is_there_is_not_written_into(release: Release, tmp_path: Path) -> None:
    done = fill_in(release.archive, tmp_path)
    assert done.returncode == 2 and "is there already" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_vcpkg_port_installs_and_is_found(release: Release, tmp_path: Path) -> None:
    port = release.packages / "vcpkg" / "headrace"
    schema = json.loads((REGISTRIES / "vcpkg.schema.json").read_text("utf-8"))
    manifest = json.loads((port / "vcpkg.json").read_text("utf-8"))
    jsonschema.validate(manifest, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**manifest, "version": "one"}, schema)
    cmake = consumers.cmake_since((3, 19))
    must(
        cmake, f"-DPORT_FOLDER={port}", f"-DROOT={tmp_path}", "-P", REGISTRIES / "portfile.cmake",
        cwd=tmp_path,
    )  # fmt: skip
    where = f"-DCMAKE_PREFIX_PATH={tmp_path / 'packages'}"
    must(cmake, "-S", CONSUMERS / "find_package", "-B", "consumer", where, cwd=tmp_path)
    must(cmake, "--build", "consumer", "--target", "consumer", cwd=tmp_path)
    check_sum(tmp_path / "consumer" / "consumer")


def test_the_homebrew_formula_installs_and_tests(release: Release, tmp_path: Path) -> None:
    ruby = tool("ruby", "apt-get install ruby")
    tool("cmake")
    formula = release.packages / "homebrew" / "Formula" / "headrace.rb"
    assert must(ruby, "-c", formula, cwd=tmp_path) == "Syntax OK\n"
    shutil.unpack_archive(release.archive, tmp_path)
    (tmp_path / "test").mkdir()
    said = must(
        ruby, REGISTRIES / "formula.rb", formula, release.archive, tmp_path / "prefix", tmp_path / "test",
        cwd=tmp_path / f"headrace-{__version__}",
    )  # fmt: skip
    assert said.splitlines()[-1] == __version__


def test_xmake_installs_the_package(release: Release, tmp_path: Path) -> None:
    xmake = tool("xmake", "pip install xmake-wheel, on Linux with x86-64")
    shutil.copy(MAIN, tmp_path)
    (tmp_path / "xmake.lua").write_text(
        f'add_repositories("here {release.packages / "xmake"}")\nadd_requires("headrace")\n'
        'target("sum")\n    set_kind("binary")\n    set_languages("c++17")\n'
        '    set_targetdir("out")\n    add_files("main.cpp")\n    add_packages("headrace")\n',
        "utf-8",
    )
    mine = {"XMAKE_GLOBALDIR": str(tmp_path / "global"), "XMAKE_ROOT": "y"}
    must(xmake, "g", "--network=private", cwd=tmp_path, **mine)
    must(xmake, "build", "--yes", cwd=tmp_path, **mine)
    check_sum(tmp_path / "out" / "sum")


def test_rpmbuild_makes_the_package(release: Release, tmp_path: Path) -> None:
    rpmbuild, rpm = tool("rpmbuild", "apt-get install rpm"), tool("rpm", "apt-get install rpm")
    spec = release.packages / "rpm" / "headrace.spec"
    (tmp_path / "SOURCES").mkdir()
    shutil.copy(release.archive, tmp_path / "SOURCES")
    must(rpmbuild, "-bb", "--nodeps", "--define", f"_topdir {tmp_path}", spec, cwd=tmp_path)
    (made,) = (tmp_path / "RPMS").rglob("*.rpm")
    assert made.name.startswith(f"headrace-devel-{__version__}-1") and not made.name.endswith(".noarch.rpm")
    files = must(rpm, "-qlp", made, cwd=tmp_path).splitlines()
    wanted = ("include/headrace/headrace.hpp", "share/headrace/headrace.cppm")
    assert {f"/usr/{name}" for name in wanted} <= set(files)
    assert {"libheadrace.a", "headrace.pc", "headrace-header-only.pc"} <= {Path(name).name for name in files}
    rpmlint = tool("rpmlint", "apt-get install rpmlint")
    assert " 0 errors" in must(rpmlint, spec, cwd=tmp_path)


@pytest.fixture(scope="module")
def debian(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the Debian packages, of source and of the library, in a folder."""
    build = tool("dpkg-buildpackage", "apt-get install dpkg-dev")
    tool("dh", "apt-get install debhelper")
    folder = tmp_path_factory.mktemp("debian")
    tree = folder / f"headrace-{__version__}"
    shutil.copy(release.archive, folder / f"headrace_{__version__}.orig.tar.gz")
    shutil.unpack_archive(release.archive, folder)
    shutil.copytree(release.packages / "debian", tree / "debian")
    must(build, "-us", "-uc", "-d", cwd=tree)  # debian/rules runs the first program of debian/tests
    shutil.rmtree(tree)
    return folder


def test_the_debian_packages_are_clean(debian: Path) -> None:
    lintian = tool("lintian", "apt-get install lintian")
    (changes,) = debian.glob("*.changes")
    options = ("--display-info", "--fail-on", "error,warning,info")
    complaints = run(lintian, *options, changes, cwd=debian)
    assert complaints.returncode == 0, complaints.stdout


def test_the_programs_that_test_the_debian_package_pass(debian: Path, tmp_path: Path) -> None:
    must("dpkg-source", "-x", *debian.glob("*.dsc"), tmp_path / "tree", cwd=tmp_path)
    root = tmp_path / "root"
    must("dpkg-deb", "-x", *debian.glob("libheadrace-dev_*.deb"), root, cwd=tmp_path)
    (description,) = root.rglob("headrace.pc")
    installed = {"CMAKE_PREFIX_PATH": str(root / "usr"), "PKG_CONFIG_PATH": str(description.parent)}
    programs = tmp_path / "tree" / "debian" / "tests"
    tests = re.findall(r"^Tests: (.+)$", (programs / "control").read_text("utf-8"), re.M)
    assert tests == ["header", "cmake", "pkg-config"]
    for name in tests[1:]:
        tool(name, f"apt-get install {name}")
        must(programs / name, cwd=tmp_path / "tree", **installed)


def test_cps_files_say_the_same_from_any_cmake(source: Path, tmp_path: Path) -> None:
    newer = consumers.cmake_since((4, 3))
    folders = os.environ["PATH"].split(os.pathsep)
    others = {shutil.which("cmake", path=folder) for folder in folders} - {None, newer}
    said = []
    for number, cmake in enumerate([newer, *sorted(map(str, others))]):
        build, prefix = f"build{number}", tmp_path / f"prefix{number}"
        must(cmake, "-S", source, "-B", build, "-DHEADRACE_BUILD_TESTS=OFF", cwd=tmp_path)
        must(cmake, "--install", build, "--prefix", prefix, "--component", "cps", cwd=tmp_path)
        said.append(json.loads((prefix / "lib" / "cps" / "headrace" / "headrace.cps").read_text("utf-8")))
    assert all(one == said[0] for one in said) and said[0]["version"] == __version__
    assert said[0]["components"]["header_only"] == {
        "type": "interface", "compile_features": ["c++17"], "includes": ["@prefix@/include"],
    }  # fmt: skip
    must(newer, "--build", build, cwd=tmp_path)
    must(newer, "--install", build, "--prefix", tmp_path / "plain", cwd=tmp_path)
    assert not (tmp_path / "plain" / "lib" / "cps").exists(), "only where it is asked for"
    shutil.copytree(tmp_path / "plain", prefix, dirs_exist_ok=True)
    shutil.copy(MAIN, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 4.3)\nproject(user LANGUAGES CXX)\n"
        "find_package(headrace 0.2 REQUIRED COMPONENTS ${WANTED})\nmessage(NOTICE ${headrace_CONFIG})\n"
        "add_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE headrace::headrace)\n"
    )
    where = f"-DCMAKE_PREFIX_PATH={prefix}"
    for wanted, found in (("compiled", "headraceConfig.cmake"), ("headrace", "headrace.cps")):
        configured = run(newer, "-B", "user", where, f"-DWANTED={wanted}", "--fresh", cwd=tmp_path)
        assert configured.returncode == 0 and f"/{found}" in configured.stderr, configured.stderr
    must(newer, "--build", "user", cwd=tmp_path)
    check_sum(tmp_path / "user" / "user")
