"""Archives: what goes in, what a changed or foreign one is told, and that another place races the same."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import pytest

import synthetic
from conftest import Command, refused
from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput
from headrace.exchange import archive, pack, replay
from headrace.matrix import benchmarks
from headrace.matrix.compilers import Toolchain
from headrace.results import store
from headrace.results.schema import Campaign, Run

Packed = Callable[..., Path]

TOML = """\
title = "A sum"
question = "Which?"
baseline = "plain"
[input]
generator = "ints"
rows = 10
columns = 10
[[contender]]
name = "plain"
[[contender]]
name = "other"
"""
SOURCE = """\
#include "../../src/add.hpp"
#include <cstdio>
int main() {
    long rows, columns, sum = 0;
    if (std::scanf("%ld %ld", &rows, &columns) != 2) return 1;
    for (long x; std::scanf("%ld", &x) == 1;) sum = add(sum, x);
    std::printf("%ld\\n", sum);
}
"""
SCRIPT = """\
#!/bin/sh
exec awk 'NR > 1 { for (i = 1; i <= NF; ++i) sum += $i } END { printf "%d\\n", sum }'
"""


def campaign(**asked: object) -> Campaign:
    """A campaign of a benchmark that comes with headrace; no commit holds its sources."""
    folder = places.benchmarks_folder() / "read_ints"
    source = (folder / "hand_written.cpp").read_text()
    row = synthetic.a_row("a", contender="hand_written", benchmark="read_ints", build="ab" * 12)
    info = synthetic.an_info("read_ints", "hand_written", sources={"hand_written.cpp": source})
    return synthetic.a_campaign(
        [row], headrace_version=__version__, benchmarks=[info], run=Run(id="1", asked=dict(asked))
    )


@pytest.fixture
def packed(tmp_path: Path) -> Packed:
    """Pack a campaign, with the manifest or the files changed before the checksums are made."""

    def make(
        asked: Mapping[str, object] | None = None, files: Mapping[str, bytes] | None = None, **changes: object
    ) -> Path:
        store.save(campaign(**(asked or {})), tmp_path / "run.json")
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            found = pack.gather(tmp_path / "run.json", Path(folder))
            manifest = found.manifest.model_copy(update=changes)
            mine = {name: Path(folder, str(number)) for number, name in enumerate(files or {})}
            for name, file in mine.items():
                file.write_bytes((files or {})[name])
            archive.save(tmp_path / "run.headrace", manifest, {**found.files, **mine})
        return tmp_path / "run.headrace"

    return make


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """Change an archive's files, and leave its checksums as they are."""
    with zipfile.ZipFile(file) as before:
        files = {name: before.read(name) for name in before.namelist()}
    change(files)
    return zipped(file, files)


def zipped(file: Path, files: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return file


# --- what goes in


def test_an_archive_holds_results_headers_and_sources(packed: Packed) -> None:
    found = archive.read(packed())
    own = places.benchmarks_folder() / "read_ints"
    assert {name for name in found.manifest.files if "/benchmarks/" in name} == {
        f"headrace/benchmarks/read_ints/{file.relative_to(own).as_posix()}"
        for file in own.rglob("*")
        if file.is_file()
    }
    header = (places.include_folder() / "headrace" / "reader.hpp").read_bytes()
    assert found.content(f"{found.manifest.include}/headrace/reader.hpp") == header
    assert replay.campaign_of(found).rows[0].id == "a"
    assert found.manifest.flags == {"g++": ["O2"]}
    assert replay.strangers(found) == []


def test_the_same_campaign_gives_the_same_bytes(packed: Packed) -> None:
    assert packed().read_bytes() == packed().read_bytes()
    with zipfile.ZipFile(packed()) as made:  # a time in it would be the same for two seconds
        assert {entry.date_time for entry in made.infolist()} == {archive.WHEN}


def test_a_source_that_changed_since_is_not_packed(tmp_path: Path) -> None:
    one = campaign()
    info = one.benchmarks[0].model_copy(update={"sources": {"hand_written.cpp": "int main() {}\n"}})
    store.save(one.model_copy(update={"benchmarks": [info]}), tmp_path / "run.json")
    with pytest.raises(BadInput, match=r"hand_written.cpp of read_ints has changed since .*run.json"):
        pack.gather(tmp_path / "run.json", tmp_path)


def test_sources_that_benchmarks_share_come_along(tmp_path: Path) -> None:
    shares = campaign().model_copy(update={"benchmarks": [benchmarks.find("read_fields").info()]})
    store.save(shares, tmp_path / "run.json")
    files = pack.gather(tmp_path / "run.json", tmp_path).files
    shared = ("read_csv/null.cpp", "read_fields/simd_csv/fields.rs")
    assert {f"headrace/benchmarks/{name}" for name in shared} <= {*files}


def test_what_headrace_did_not_measure_has_no_sources(tmp_path: Path) -> None:
    store.save(synthetic.read_ints().model_copy(update={"imported": "hyperfine"}), tmp_path / "run.json")
    with pytest.raises(BadInput, match="measured by hyperfine: headrace has no sources"):
        pack.gather(tmp_path / "run.json", tmp_path)


# --- what is refused


def break_zip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)


def edit(name: str) -> Callable[[Path], None]:
    def change(files: dict[str, bytes]) -> None:
        files[name] += b"// more\n"

    return lambda file: rewritten(file, change) and None


def drop(file: Path) -> None:
    rewritten(file, lambda files: files.pop("results.json") and None)


def add(name: str) -> Callable[[Path], None]:
    return lambda file: rewritten(file, lambda files: files.update({name: b"x"})) and None


def new_format(file: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        files["manifest.json"] = json.dumps({"format": 9, "files": "elsewhere now"}).encode()

    rewritten(file, change)


def no_manifest(file: Path) -> None:
    rewritten(file, lambda files: files.pop("manifest.json") and None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda file: file.write_bytes(b"hello"), "run.headrace is no .headrace archive, or was damaged"),
        (lambda file: file.write_bytes(file.read_bytes()[:5000]), "was damaged or cut short"),
        (break_zip, "run.headrace (is no .headrace archive, or was damaged|was changed)"),
        (edit("headrace/include/headrace/reader.hpp"), "reader.hpp is not what its checksum says"),
        (edit("results.json"), "results.json is not what its checksum says"),
        (drop, r"its files are not those listed in its manifest.json \(results.json is missing\)"),
        (add("evil.cpp"), r"its files are not those listed in its manifest.json \(evil.cpp is not listed\)"),
        (add("../../evil.cpp"), r"names the file ../../evil.cpp, which may be outside"),
        (add("/evil.cpp"), "names the file /evil.cpp, which may be outside"),
        (new_format, "is of format 9, and this headrace reads up to 1; update headrace"),
        (no_manifest, "is a zip file of something else: it has no manifest.json"),
        (lambda file: file.unlink(), "cannot read .*run.headrace: No such file"),
    ],
)
def test_a_broken_or_tampered_archive_is_a_sentence(
    packed: Packed, change: Callable[[Path], None], words: str
) -> None:
    file = packed()
    change(file)
    with pytest.raises(BadInput, match=words):
        archive.read(file)


def test_an_archive_that_unpacks_to_too_much_is_refused(
    packed: Packed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = packed()
    monkeypatch.setattr(archive, "LARGEST", 100_000)
    with pytest.raises(BadInput, match="unpacks to more than"):
        archive.read(file)


@pytest.mark.parametrize("size", [None, 1 << 24], ids=["as it is", "as it pretends"])
def test_an_archive_of_nearly_nothing_that_unpacks_to_much_is_refused(
    size: int | None, tmp_path: Path
) -> None:
    file = tmp_path / "bomb.headrace"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("manifest.json", bytes(64 << 20))
    if size:
        content = bytearray(file.read_bytes())
        listed = content.index(b"PK\1\2") + 20  # where the directory says how much was packed
        content[listed : listed + 4] = size.to_bytes(4, "little")
        file.write_bytes(content)
    with pytest.raises(BadInput, match="or 30 times its size"):
        archive.read(file)


@pytest.mark.parametrize("noise", [0, 400, 600], ids=["to nothing", "to 1/38", "to 1/26"])
def test_what_packs_well_is_packed_as_it_can_be_read(packed: Packed, noise: int) -> None:
    draw = random.Random(1).randbytes
    text = b"".join(draw(noise).ljust(1 << 14, b" ") for _ in range(places.SMALL >> 14)) + b" "
    files = {archive.RESULTS: text, "input/a": text[: places.SMALL - 1], "input/b": text[: places.SMALL - 1]}
    found = archive.read(packed(files=files))
    assert all(found.content(name) == content for name, content in files.items())
    with zipfile.ZipFile(found.path) as made:
        is_packed = made.getinfo(archive.RESULTS).compress_type == zipfile.ZIP_DEFLATED
    assert is_packed == (noise == 600)


def test_more_than_an_archive_holds_is_not_packed(packed: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST", places.SMALL + 1000)
    with pytest.raises(BadInput, match="leave out --with-input"):
        packed()
    monkeypatch.setattr(places, "TEXT", 1000)
    with pytest.raises(BadInput, match=r"run\.json has more; race with fewer rows"):
        packed()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["own/a", "own/a/b"], "names own/a as a file and as a folder"),
        (["own/A", "own/a"], "names both own/A and own/a; rename one"),
        (["own/A/b", "own/a/c"], "names both own/"),
        (["own/\N{LATIN SMALL LETTER E WITH ACUTE}", "own/e\N{COMBINING ACUTE ACCENT}"], "names both own/"),
        (["own/\N{RIGHT-TO-LEFT OVERRIDE}ppc.exe"], "may be outside of its folder"),
        (["own/\N{ZERO WIDTH SPACE}a"], "may be outside of its folder"),
        (["own/a\nb"], "may be outside of its folder"),
    ],
)
def test_names_are_checked_as_a_set_before_anything_is_written(
    tmp_path: Path, names: list[str], words: str
) -> None:
    file = zipped(tmp_path / "x.headrace", dict.fromkeys(names, b""))
    with pytest.raises(BadInput, match=words):
        archive.read(file)


def test_what_cannot_be_written_whole_leaves_nothing(
    packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = archive.read(packed())
    written = places.written_whole

    def full(path: Path) -> AbstractContextManager[BinaryIO]:
        if path.name == "reader.hpp":
            raise BadInput("no room")
        return written(path)

    monkeypatch.setattr(places, "written_whole", full)
    with pytest.raises(BadInput, match="no room"):
        found.unpack(tmp_path / "in" / "out")
    assert list((tmp_path / "in").iterdir()) == []


def test_an_archive_that_changes_after_it_was_read_is_refused(packed: Packed, tmp_path: Path) -> None:
    name = "headrace/benchmarks/read_ints/hand_written.cpp"
    found = archive.read(packed())
    rewritten(found.path, lambda files: files.update({name: b"int main() {}"}))
    for read in (lambda: found.content(name), lambda: found.unpack(tmp_path / "out")):
        with pytest.raises(BadInput, match=r"hand_written.cpp is not what its checksum says"):
            read()
    found.path.write_bytes(b"")
    with pytest.raises(BadInput, match="was damaged or cut short"):
        found.unpack(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_takes_memory_to_unpack_is_refused(tmp_path: Path, method: int) -> None:
    file = zipped(tmp_path / "x.headrace", {"manifest.json": b"{}"}, method)
    with pytest.raises(BadInput, match="a file is packed by another method"):
        archive.read(file)


def test_a_manifest_that_takes_memory_to_read_is_refused(tmp_path: Path) -> None:
    lists = b"[]," * (places.SMALL // 2)
    noise = random.Random(1).randbytes(2 * len(lists) // places.RATIO)  # with which it is not little
    files = {"manifest.json": lists, "own/noise": noise}
    file = zipped(tmp_path / "x.headrace", files, zipfile.ZIP_DEFLATED)
    with pytest.raises(BadInput, match=r"its manifest\.json has over 16 MiB"):
        archive.read(file)


def test_a_list_of_millions_of_files_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "x.headrace"
    with zipfile.ZipFile(file, "w") as made:
        for number in range(100):
            entry = zipfile.ZipInfo(str(number))
            entry.comment = bytes(60_000)
            made.writestr(entry, b"")
    with pytest.raises(BadInput, match="it lists too many files"):
        archive.read(file)


def test_large_inputs_take_no_memory(packed: Packed, tmp_path: Path) -> None:
    text = random.Random(1).randbytes(1 << 19).hex().encode()
    files = {"input/zeros.txt": bytes(32 << 20), "input/digits.txt": text * 20}
    file = packed(files=files)
    (tmp_path / "copy").mkdir()
    with zipfile.ZipFile(file) as made:
        kept = {entry.filename: entry.compress_type for entry in made.infolist()}
        made.extractall(tmp_path / "copy")
    assert (kept["input/zeros.txt"], kept["input/digits.txt"]) == (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    copies = {name: tmp_path / "copy" / name for name in files}
    del files
    tracemalloc.start()
    try:
        archive.save(tmp_path / "again.headrace", archive.Manifest(), {archive.RESULTS: file, **copies})
        archive.read(tmp_path / "again.headrace").unpack(tmp_path / "out")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert places.digest(tmp_path / "out/input/digits.txt") == places.digest(copies["input/digits.txt"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"benchmarks": {"read_ints": "../../elsewhere/read_ints"}}, "has no benchmark.toml of read_ints"),
        ({"benchmarks": {"other": "headrace/benchmarks/read_ints"}}, "has no benchmark.toml of other"),
        ({"include": "../include"}, "has no headers in ../include"),
    ],
)
def test_a_manifest_that_leads_elsewhere_is_refused(
    packed: Packed, changes: dict[str, object], words: str
) -> None:
    found = archive.read(packed(**changes))
    with pytest.raises(BadInput, match=words):
        replay.options(found, replay.campaign_of(found), {})


def test_options_of_another_type_are_refused(packed: Packed) -> None:
    found = archive.read(packed(asked={"rounds": "many"}))
    with pytest.raises(BadInput, match=r"key run.asked.rounds: "):
        replay.options(found, replay.campaign_of(found), {})


# --- what was asked for, and what is asked before


def test_the_question_is_taken_over_and_what_is_the_machines_is_not(packed: Packed) -> None:
    asked = {
        "optimise": ["O3 -march=native"],
        "settings": [{"rows": "7"}],
        "routes": ["pipe:null"],
        "pin": 3,
        "prepare": "rm -rf ~",
        "compilers": ["/evil/g++"],
        "toolchains": ["g++-77"],
    }
    found = archive.read(packed(asked=asked))
    then = replay.campaign_of(found)
    wanted = replay.options(found, then, {"toolchains": ["clang"]})
    assert (wanted.optimise, wanted.settings) == (["O3 -march=native"], [{"rows": "7"}])
    assert (wanted.routes, wanted.toolchains) == ([("pipe", "null")], ["clang"])
    assert (wanted.pin, wanted.prepare, wanted.compilers) == (None, "", [])
    assert wanted.benchmarks == ["read_ints"] and wanted.include == ""  # nothing of it is foreign
    assert any("not taken from a file" in sentence for sentence in replay.introduction(found, then))


def test_what_is_not_ours_is_named(packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    name = "headrace/include/headrace/reader.hpp"
    found = archive.read(packed(files={name: b"// another\n"}))
    then = replay.campaign_of(found)
    assert replay.strangers(found) == [name]
    assert any(
        "1 source that this headrace does not have: " + name in s for s in replay.introduction(found, then)
    )
    wanted = replay.options(found, then, {})
    assert (Path(wanted.include) / "headrace" / "reader.hpp").read_text() == "// another\n"
    assert Path(wanted.benchmarks[0]).is_relative_to(tmp_path / "cache" / "archives")


@pytest.mark.parametrize(
    ("flags", "strange"),
    [
        ("O3 -march=native", []),
        ("O2 -fplugin=./evil.so", ["-fplugin=./evil.so"]),
        ("O2 -Wl,-T,x", ["-Wl,-T,x"]),
        ("O2 'unclosed", ["O2 'unclosed"]),
    ],
)
def test_flags_that_load_something_are_strange(packed: Packed, flags: str, strange: list[str]) -> None:
    found = archive.read(packed(asked={"optimise": [flags]}))
    assert replay.strange_flags(found, replay.campaign_of(found)) == strange


def test_an_input_that_was_not_packed_must_be_the_same(packed: Packed, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("1 1\n5\n")
    (tmp_path / "else.txt").write_text("1 1\n6\n")
    asked = {"input": str(tmp_path / "mine.txt")}
    found = archive.read(packed(asked=asked))
    assert not any(name.startswith("input/") for name in found.manifest.files)
    then = replay.campaign_of(found)
    with pytest.raises(BadInput, match="a file of --input that is not in the archive"):
        replay.options(found, then, {})
    with pytest.raises(BadInput, match=r"else.txt is not the file that was measured"):
        replay.options(found, then, {"input": str(tmp_path / "else.txt")})
    wanted = replay.options(found, then, {"input": str(tmp_path / "mine.txt")})
    assert wanted.input == str(tmp_path / "mine.txt")
    contents = pack.gather(tmp_path / "run.json", tmp_path, with_input=True)
    assert contents.files["input/mine.txt"] == tmp_path / "mine.txt"


# --- the commands


@pytest.mark.parametrize("words", [("rerun", "run.headrace"), ("export", "run.headrace")])
def test_a_bad_file_ends_with_2(inside: Command, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "run.headrace").write_bytes(b"PK nothing")
    done = inside(*words, code=2)
    assert "run.headrace" in done.stderr


def test_without_a_terminal_nothing_foreign_is_compiled(inside: Command, packed: Packed) -> None:
    packed(files={"headrace/benchmarks/read_ints/hand_written.cpp": b"#error compiled\n"})
    done = inside("rerun", "run.headrace", code=2)
    assert "hand_written.cpp" in done.stderr and "--unpack FOLDER, then say --yes" in done.stderr


def test_unpacking_writes_what_is_inside_and_runs_nothing(
    inside: Command, packed: Packed, tmp_path: Path
) -> None:
    packed()
    done = inside("rerun", "run.headrace", "--unpack", "looked", code=0)
    assert (tmp_path / "looked" / "results.json").read_bytes() == (tmp_path / "run.json").read_bytes()
    done = inside("rerun", "run.headrace", "--unpack", "looked", code=2)
    assert "looked exists and is not empty" in done.stderr


def test_the_folder_that_a_shell_is_in_takes_an_archive(
    inside: Command, packed: Packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    inside("rerun", "../run.headrace", "--unpack", ".", code=0)
    assert {*os.listdir()} == {"headrace", "manifest.json", "results.json"}


def test_a_folder_that_cannot_be_made_is_no_fault_of_the_archive(packed: Packed, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot unpack into the folder .*: File name too long"):
        archive.read(packed()).unpack(tmp_path / ("x" * 300))


@pytest.mark.parametrize("key", ["generator", "command", "path", "folder"])
def test_no_setting_of_a_file_runs_a_command_or_reads_another_file(
    inside: Command, packed: Packed, tmp_path: Path, key: str
) -> None:
    setting = {"generator": "command", "command": "touch ran"} if key == "generator" else {key: "touch ran"}
    packed(asked={"settings": [setting]})
    done = inside("rerun", "run.headrace", "--yes", code=2)
    assert f"the input's {key} is the benchmark's own" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_an_input_that_is_given_has_to_be_the_one_that_was_measured(
    inside: Command, packed: Packed, tmp_path: Path
) -> None:
    (tmp_path / "other").write_text("other")
    name, text = "input/mine.txt", b"1 2\n"
    packed(files={name: text}, input=name, input_digest=hashlib.sha256(text).hexdigest())
    done = inside("rerun", "run.headrace", "--yes", "--input", "other", code=2)
    assert "is not the file that was measured" in done.stderr


def test_no_is_an_answer(packed: Packed, tmp_path: Path) -> None:
    packed(files={"headrace/benchmarks/read_ints/hand_written.cpp": b"#error compiled\n"})
    code, said = refused(["rerun", "run.headrace"], tmp_path)
    assert code == 3 and b"hand_written.cpp" in said
    assert not list(tmp_path.glob("results/*"))


@pytest.mark.slow
def test_a_users_benchmark_runs_again_elsewhere(headrace: Command, tmp_path: Path, chain: Toolchain) -> None:
    """With a header of its repository, a program of --with, and after its own sources are gone."""
    home = tmp_path / "project"
    folder = home / "bench" / "sums"
    (home / "src").mkdir(parents=True)
    folder.mkdir(parents=True)
    (home / "src" / "add.hpp").write_text("inline long add(long a, long b) { return a + b; }\n")
    (home / "src" / "unread.hpp").write_text("#error nobody reads this\n")
    (folder / "benchmark.toml").write_text(TOML)
    for name in ("plain", "other"):
        (folder / f"{name}.cpp").write_text(SOURCE)
    (home / "mine.cpp").write_text(SOURCE.replace("../../src", "src"))
    subprocess.run(["git", "init", "-q", str(home)], check=True)
    (home / "script.sh").write_text(SCRIPT)
    (home / "script.sh").chmod(0o755)
    words = ("--with", "project/mine.cpp", "--with", "project/script.sh", "--toolchain", chain.name)
    words += ("--rounds", "1", "--layouts", "1")
    done = headrace("run", "./project/bench/sums", *words, "--out", "run.json", code=0)
    done = headrace("export", "run.json", code=0)
    for name in ("src/add.hpp", "bench/sums/plain.cpp", "mine.cpp", "script.sh"):
        assert f"own/project/{name}" in done.stdout
    assert "unread" not in done.stdout
    shutil.rmtree(home)
    done = headrace("rerun", "run.headrace", "--yes", "--out", "again.json", code=0)
    assert "own/project/src/add.hpp" in done.stderr and "OLD: as in the archive" in done.stdout
    then, now = (store.load(tmp_path / name) for name in ("run.json", "again.json"))
    assert {row.id for row in then.rows} == {row.id for row in now.rows}
    assert {row.outcome for row in now.rows} == {"ok"}
    assert "script" in {row.contender for row in now.rows}


@pytest.mark.parametrize(
    "toml",
    [
        'input = { command = "rm -rf ~" }',
        '[input]\n"command" = "rm -rf ~"',
        'input."command" = """rm -rf ~"""',
        '[[contender]]\nname = "a"\nbuild = ["rm", "-rf", "~"]',
        '[[contender]]\nname = "a"\nbuild = "rm -rf ~"',
        '[a]\nb = [{ c = { command = "rm -rf ~" } }]',
    ],
)
def test_a_command_is_shown_however_it_is_written(packed: Packed, toml: str) -> None:
    name = "headrace/benchmarks/read_ints/benchmark.toml"
    found = archive.read(packed(files={name: toml.encode()}))
    said = replay.introduction(found, replay.campaign_of(found))
    assert any(one.startswith("it runs a command (") and one.endswith(": rm -rf ~") for one in said), said


def test_an_archive_is_opened_once_for_all_that_is_shown(
    packed: Packed, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"headrace/benchmarks/read_ints/{number}/benchmark.toml" for number in range(50)]
    found = archive.read(packed(files=dict.fromkeys(names, b'build = "make"')))
    then, opened, times = replay.campaign_of(found), archive.opened, []
    monkeypatch.setattr(archive, "opened", lambda *asked: times.append(asked) or opened(*asked))
    assert sum(one == "it runs a command (build): make" for one in replay.introduction(found, then)) == 50
    assert len(times) == 1


def test_a_benchmark_whose_commands_cannot_be_shown_is_refused(packed: Packed) -> None:
    found = archive.read(packed(files={"headrace/benchmarks/read_ints/benchmark.toml": b"input = {"}))
    with pytest.raises(BadInput, match="read_ints/benchmark.toml is not TOML"):
        replay.introduction(found, replay.campaign_of(found))
