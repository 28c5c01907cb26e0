"""What contenders need: found where it is, and a reason where it is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.matrix import needs
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start without answers from earlier tests, and without folders of peers."""
    monkeypatch.setattr(needs, "_known", {})
    monkeypatch.setattr(needs, "_modules", {})
    needs.builder.cache_clear()
    monkeypatch.delenv("HEADRACE_PEERS", raising=False)


def peer(folder: Path, text: str = "#pragma once\n") -> None:
    folder.mkdir(parents=True)
    (folder / "mitata.hpp").write_text(text)


def test_a_missing_library_has_a_reason_and_a_way_out(chain: Toolchain) -> None:
    reason = needs.missing("mitata", chain)
    assert reason == f"mitata was not found by {chain.name}: put mitata into HEADRACE_PEERS"


def test_a_header_in_a_named_folder_is_found(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer(tmp_path / "peers")
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path / "peers"))
    assert needs.missing("mitata", chain) == ""
    assert needs.flags(["mitata"])[0][:2] == ["-isystem", str(tmp_path / "peers")]


def test_a_folder_of_clones_is_enough(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer(tmp_path / "clones" / "mitata" / "include")
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("HEADRACE_PEERS", os.pathsep.join([str(tmp_path / "other"), str(tmp_path / "clones")]))
    assert needs.missing("mitata", chain) == ""


def test_a_header_that_does_not_compile_is_missing(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer(tmp_path / "peers", "#error not for this compiler\n")
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path / "peers"))
    assert needs.missing("mitata", chain) != ""


@pytest.mark.parametrize(("body", "is_whole"), [(";", False), (" { return true; }", True)])
def test_a_header_whose_library_is_elsewhere_is_missing(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, is_whole: bool
) -> None:
    (tmp_path / "csv.hpp").write_text(
        f"namespace csv {{ struct CSVReader {{ CSVReader(const char*) {{}} bool empty() const{body} }}; }}\n"
    )
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path))
    assert (needs.missing("csv-parser", chain) == "") == is_whole


def test_a_folder_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_PEERS", "/nowhere/at/all")
    with pytest.raises(BadInput, match="HEADRACE_PEERS names /nowhere/at/all, which is not a folder"):
        places.peer_folders()


@pytest.mark.parametrize("place", ["", "include", "single_include", "src", "src/include"])
@pytest.mark.parametrize("is_one_clone", [True, False])
def test_a_clone_or_a_folder_of_clones_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, is_one_clone: bool
) -> None:
    clone = tmp_path / "clone"
    (clone / place).mkdir(parents=True)
    (clone / place / "mitata.hpp").touch()
    monkeypatch.setenv("HEADRACE_PEERS", str(clone if is_one_clone else tmp_path))
    assert (clone / place).resolve() in places.peer_folders()


def test_parts_of_the_standard_library_take_no_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path))
    assert needs.flags(["std::format"]) == ([], [])
    assert needs.standard(["std::print"], "c++17") == "c++23"
    assert needs.standard([], "c++20") == "c++20"


def test_to_chars_is_there_since_long_ago(chains: list[Toolchain]) -> None:
    assert not all(needs.missing("std::to_chars<double>", chain) for chain in chains)


def test_an_answer_is_kept_until_folders_change(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = needs._probe

    def counted(name: str, toolchain: Toolchain) -> launch.Completed:
        asked.append(name)
        return ask(name, toolchain)

    monkeypatch.setattr(needs, "_probe", counted)
    (tmp_path / "peers").mkdir()
    monkeypatch.setenv("HEADRACE_PEERS", str(tmp_path / "peers"))
    for _ in range(2):
        monkeypatch.setattr(needs, "_known", {})  # as in another process
        assert needs.missing("mitata", chain) != ""
    assert len(asked) == 1
    (tmp_path / "peers" / "mitata.hpp").write_text("#pragma once\n")
    monkeypatch.setattr(needs, "_known", {})
    monkeypatch.setattr(needs, "_modules", {})
    assert needs.missing("mitata", chain) == "" and len(asked) == 2


def python_with(folder: Path, modules: str) -> Path:
    """Write a Python that has a module called `polars`, or has none."""
    folder.mkdir()
    python = folder / "python"
    python.write_text(f'#!/bin/sh\ncase "$2" in *{modules}*) echo 9.8.7;; *) exit 1;; esac\n')
    python.chmod(0o755)
    return python


@pytest.mark.skipif(os.name == "nt", reason="a script stands for Python")
def test_a_module_is_found_in_the_python_that_is_named(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_with(tmp_path / "a place", "polars")
    monkeypatch.setenv("HEADRACE_PYTHON", str(python))
    assert needs.missing("polars", chain) == ""
    assert needs.version("polars", chain) == "9.8.7"
    assert needs.flags(["polars"])[0] == [f'-DPYTHON="{python}"']
    reason = needs.missing("duckdb", chain)
    assert reason.startswith("duckdb was not found by python: pip install duckdb")
    assert needs.flags(["duckdb"])[0] == []


def tool(folder: Path, name: str, whole: bool, version: str = "1.2.3") -> None:
    """Write a program that has a version, and all sources of a package or not."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(
        f'#!/bin/sh\ncase "$1" in fetch) exit {int(not whole)};; esac; echo {name} {version}\n'
    )
    (folder / name).chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="a script stands for cargo")
@pytest.mark.parametrize("whole", [True, False])
def test_a_crate_is_found_by_the_tool_that_builds_it(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    tool(tmp_path / "bin", "cargo", whole)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    assert [built.name for built in needs.owners("simd-csv", [chain])] == ["cargo-1.2.3"] * whole
    reason = "" if whole else "simd-csv was not found by cargo: install Rust, and let cargo fetch"
    assert needs.missing("simd-csv", chain).startswith(reason) and bool(reason) != whole
    manifest = places.benchmarks_folder() / "read_fields/simd_csv/Cargo.toml"
    assert f'simd-csv = "={needs.version("simd-csv", chain)}"' in manifest.read_text()


@pytest.mark.skipif(os.name == "nt", reason="a script stands for zig")
@pytest.mark.parametrize("version", ["0.15.2", "0.16.0"])
def test_a_clone_is_found_for_a_build_line_of_its_version_of_zig(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    tool(tmp_path / "bin", "zig", True, version)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    assert needs.missing("csv-zero", chain).startswith("csv-zero was not found by zig: put a clone")
    needs.builder.cache_clear()
    clone = tmp_path / "peers" / "csv-zero"
    clone.mkdir(parents=True)
    (clone / "build.zig.zon").write_text(
        '.{ .name = .csvzero, .version = "0.1.0", .minimum_zig_version = "0" }'
    )
    for named in (clone, clone.parent):
        monkeypatch.setenv("HEADRACE_PEERS", str(named))
        assert needs.folders(["csv-zero", "fmt"]) == {"csv-zero": str(clone)}
    if version == "0.16.0":
        assert needs.missing("csv-zero", chain).startswith("csv-zero was not found by zig: put a clone")
        return
    assert needs.missing("csv-zero", chain) == "" and needs.version("csv-zero", chain) == "0.1.0"


def test_a_python_that_is_none_is_named(chain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_PYTHON", "/nowhere/python")
    with pytest.raises(BadInput, match="HEADRACE_PYTHON names /nowhere/python, which is no program"):
        needs.missing("polars", chain)
