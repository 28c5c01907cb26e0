"""Builds: made once for the same content, made again for another, and never replaced."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from headrace.base import context, places
from headrace.base.errors import BadInput
from headrace.builds import build, layout
from headrace.matrix.benchmarks import Contender, ContenderSpec
from headrace.matrix.compilers import Toolchain, of_line
from headrace.processes import launch

SOURCE = '#include "value.hpp"\nint main() { return VALUE + value; }\n'


@pytest.fixture
def order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chain: Toolchain) -> build.Order:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "one.cpp").write_text(SOURCE)
    (tmp_path / "value.hpp").write_text("const int value = 1;\n")
    contender = Contender(ContenderSpec(name="one"), tmp_path / "one.cpp", {"VALUE": "4"})
    return build.Order(contender, chain, "O0", "c++17")


def status(made: build.Build) -> int:
    assert made.program is not None, made.error
    return os.waitstatus_to_exitcode(os.system(str(made.program)))


def test_a_variant_is_a_macro(order: build.Order) -> None:
    assert status(build.build(order)) == 5


def test_the_same_content_is_built_once(order: build.Order, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build.build(order)
    os.utime(order.contender.file, ns=(10**18, 10**18))  # another time, the same content
    monkeypatch.setattr(launch, "call", None)
    assert build.build(order) == first


def test_a_changed_header_makes_another_build_and_keeps_the_old(order: build.Order) -> None:
    first = build.build(order)
    header = order.contender.file.with_name("value.hpp")
    header.write_text("const int value = 3;\n")
    second = build.build(order)
    assert second.digest != first.digest and (status(first), status(second)) == (5, 7)
    header.write_text("const int value = 1;\n")
    assert build.build(order) == first


@pytest.mark.slow
def test_a_changed_header_makes_another_launcher(
    own_cache: Path, chains: list[Toolchain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "use", lambda **what: None)
    before = build.launcher(chains)
    folder = tmp_path / "native"
    shutil.copytree(places.native_folder(), folder)
    monkeypatch.setattr(places, "native_folder", lambda: folder)
    assert build.launcher(chains) == before
    header = folder / "options.hpp"
    header.write_text(header.read_text().replace("double timeout = 60;", "double timeout = 61;"))
    after = build.launcher(chains)
    assert after != before and after.exists() and before.exists()


def test_other_flags_are_another_build(order: build.Order) -> None:
    optimised = build.Order(order.contender, order.toolchain, "O2", "c++17")
    assert build.build(optimised).digest != build.build(order).digest


def test_what_does_not_compile_keeps_its_first_error(order: build.Order) -> None:
    order.contender.file.write_text("int main() { return missing; }\nint other() { return absent; }\n")
    made = build.build(order)
    assert made.program is None and made.digest == ""
    assert made.error.startswith("one.cpp:1:") and "missing" in made.error


@pytest.fixture
def line(order: build.Order) -> build.Order:
    """A contender that its own line builds, whose compiler happens to be one of C++."""
    file = order.contender.file.parent / "own" / "one.cpp"
    file.parent.mkdir()
    for name in (file.name, "value.hpp"):
        shutil.copy(order.contender.file.with_name(name), file.with_name(name))
    words = f"{order.toolchain.command[0]} -DVALUE={{VALUE}} one.cpp -o {{program}}"
    spec = ContenderSpec(name="one", source="one.cpp", build=words)
    return replace(order, contender=replace(order.contender, spec=spec, file=file), toolchain=of_line(words))


def test_a_line_of_one_s_own_is_built_once(line: build.Order, monkeypatch: pytest.MonkeyPatch) -> None:
    first = build.build(line)
    assert status(first) == 5 and first.command[1:] == ["-DVALUE=4", "one.cpp", "-o", "program"]
    assert not layout.can_be_laid_out(first)
    with monkeypatch.context() as patched:
        patched.setattr(launch, "call", None)
        assert build.is_cached(line) and build.build(line) == first
    line.contender.file.with_name("value.hpp").write_text("const int value = 3;\n")
    assert status(build.build(line)) == 7


def test_a_manifest_above_the_source_is_one_of_its_files(line: build.Order) -> None:
    package = line.contender.file.parent
    (package / "src").mkdir()
    for name in ("one.cpp", "value.hpp"):
        (package / name).rename(package / "src" / name)
    below = replace(line, contender=replace(line.contender, file=package / "src" / "one.cpp"))
    for file in ("benchmark.toml", "own/Cargo.toml"):
        (package.parent / file).write_text("before")
    assert status(build.build(below)) == 5
    (package.parent / "benchmark.toml").write_text("after")
    assert build.is_cached(below)
    (package / "Cargo.toml").write_text("after")
    assert not build.is_cached(below)


def test_two_folders_may_have_the_same_line(line: build.Order) -> None:
    other = shutil.copytree(line.contender.file.parent, line.contender.file.parents[1] / "other")
    (other / "value.hpp").write_text("const int value = 3;\n")
    contender = replace(line.contender, file=other / "one.cpp")
    assert [status(build.build(each)) for each in (line, replace(line, contender=contender))] == [5, 7]


def test_a_line_that_fails_says_why(line: build.Order) -> None:
    line.contender.file.write_text("int main() { return missing; }\n")
    assert build.build(line).error.startswith("one.cpp:1:")
    nothing = replace(line, toolchain=of_line("true {program}"))
    assert build.build(nothing).error == "it made nothing"
    assert of_line("no-such-tool {program}").missing.startswith("there is no program no-such-tool here")


def test_all_are_built_and_counted(order: build.Order) -> None:
    heard: list[tuple[int, int]] = []
    levels = [build.Order(order.contender, order.toolchain, level, "c++17") for level in ("O0", "O1", "O2")]
    built = build.build_all(levels, lambda done, total, what: heard.append((done, total)))
    assert [one.order.optimise for one in built] == ["O0", "O1", "O2"]
    assert sorted(heard) == [(1, 3), (2, 3), (3, 3)]


def test_a_dependency_file_is_read_as_make_would(tmp_path: Path) -> None:
    for name in ("a b.cpp", "c.hpp"):
        (tmp_path / name).write_text("")
    (tmp_path / "read.d").write_text("x: a\\ b.cpp \\\n c.hpp gone.hpp\n")
    found = build._files_read(tmp_path / "read.d", tmp_path / "a b.cpp")
    assert [path.name for path in found] == ["a b.cpp", "c.hpp"]


def test_what_is_remembered_of_builds_is_written_by_one_process_at_a_time(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    index = tmp_path / "index.json"
    processes = [fork.Process(target=build._remember, args=(index, str(n), [])) for n in range(build.KEPT)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert {one["digest"] for one in json.loads(index.read_text())} == {str(n) for n in range(build.KEPT)}


def test_the_lab_says_that_it_is_for_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(BadInput, match="headrace races on Linux, and this is darwin"):
        build.launcher([])
