"""The box of `headrace fix`: what a program does to files is noted, and not done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from checkout import manifest
from headrace.base import places
from headrace.fix import subject
from headrace.matrix.compilers import Toolchain
from headrace.processes import box, launch
from headrace.processes.box import Box, Entry

Make = Callable[[Path], Box]


@pytest.fixture(params=["overlay", "copy"])
def make(request: pytest.FixtureRequest, chains: list[Toolchain]) -> Make:
    """Return what boxes a folder, by an overlay and as where there can be none."""

    def boxed(folder: Path) -> Box:
        refuse = "not here" if request.param == "copy" else ""
        made, remark = box.make(folder, launch.launcher(), lambda each: refuse or subject.try_box(each))
        if made.kind != request.param:
            pytest.skip(f"no namespaces here: {remark}")
        return made

    return boxed


def test_what_a_killed_process_left_goes_when_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "import os, sys, time\nfrom pathlib import Path\nfrom headrace.base import places\n"
        "with places.scratch(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'shut').mkdir(mode=0)\n    print(folder, flush=True)\n    time.sleep(60)\n"
    )
    words = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        monkeypatch.setattr(places, "YOUNG", 0.0)
        for is_alive in (True, False):
            places.sweep.cache_clear()
            with places.scratch(tmp_path) as folder:
                assert left.exists() == is_alive and folder.exists()
            process.kill()
            process.wait()
    assert list(tmp_path.iterdir()) == []


def filled(folder: Path) -> Path:
    (folder / "old").mkdir()
    (folder / "old/log").write_text("first\n")
    (folder / "stays").write_text("as it is\n")
    (folder / "goes").write_text("away\n")
    (folder / "link").symlink_to("stays")
    (folder / "empty").mkdir()
    return folder


SCRIPT = """
echo second >> old/log; echo made > new; rm goes; mv stays moved; ln -sf new link; chmod 600 new
rmdir empty; mkdir -p a/b; echo deep > a/b/c; rm -r old; mkdir old; echo other > old/file; cat moved
"""


def test_what_a_program_does_to_files_is_noted_and_not_done(make: Make, tmp_path: Path) -> None:
    boxed = make(filled(tmp_path))
    before = manifest(tmp_path)
    for _ in range(2):  # each run begins with the folder as it is
        done = launch.call(["sh", "-c", SCRIPT], box=boxed)
        assert done.ok and done.out == "as it is\n", done.err
        left = dict(boxed.left)
        assert {path for path, each in left.items() if each.kind == "deleted"} == {
            "goes",
            "stays",
            "empty",
            "old/log",
        }
        assert left["new"].data == b"made\n" and left["new"].mode == 0o600
        assert left["moved"].data == b"as it is\n" and left["link"] == Entry("link", digest="new")
        assert left["a/b/c"].data == b"deep\n" and left["old/file"].data == b"other\n"
    assert manifest(tmp_path) == before


def test_a_file_that_stays_as_it_was_is_no_change(make: Make, tmp_path: Path) -> None:
    boxed = make(filled(tmp_path))
    launch.call(["sh", "-c", "cat stays > copy; cat copy > stays; rm copy; touch goes"], box=boxed)
    assert boxed.left == {}


def test_what_is_outside_of_the_view_is_read_only(chains: list[Toolchain], tmp_path: Path) -> None:
    inner, outer = tmp_path / "in", tmp_path / "out"
    inner.mkdir(), outer.mkdir()
    made, remark = box.make(inner, launch.launcher(), subject.try_box)
    if made.kind != "overlay":
        pytest.skip(f"no namespaces here: {remark}")
    made.private = {}  # else the folder of the test is a temporary one
    done = launch.call(["sh", "-c", f"echo x > {outer}/x; echo y > y"], box=made)
    assert "Read-only" in done.err and "y" in made.left and not list(outer.iterdir())
    done = launch.call(["sh", "-c", f"echo x > {outer}/x"], box=made, writable=[outer])
    assert done.ok and (outer / "x").exists()


def test_temporary_files_are_private(chains: list[Toolchain], tmp_path: Path) -> None:
    made, remark = box.make(tmp_path, launch.launcher(), subject.try_box)
    if made.kind != "overlay":
        pytest.skip(f"no namespaces here: {remark}")
    runs = []
    for _ in range(2):
        done = launch.call(["sh", "-c", "mktemp; echo same > /tmp/same.headrace"], box=made)
        assert done.ok and not Path(done.out.strip()).exists()
        runs.append(made.left)
    assert not Path("/tmp/same.headrace").exists()
    made.settle(*runs)
    launch.call(["sh", "-c", "mktemp; echo same > /tmp/same.headrace"], box=made)
    assert set(made.left) == {"/tmp/same.headrace"}


def test_nothing_is_left_behind(make: Make, tmp_path: Path) -> None:
    boxed = make(filled(tmp_path))
    with places.scratch(boxed.place) as boxed.place:  # where no other test works
        launch.call(["sh", "-c", "mkdir -m 0 locked; mkdir -p deep/deeper; chmod 0 deep"], box=boxed)
        assert not list(boxed.place.iterdir())


def test_a_large_folder_is_not_copied(chains: list[Toolchain], tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(box.LIMIT + 1)
    with pytest.raises(box.BadInput, match="--in-place"):
        box.make(tmp_path, launch.launcher(), lambda each: "not here")


def watched(folder: Path, script: str, *words: str) -> tuple[launch.Completed, list[str]]:
    report = folder.parent / f"{folder.name}.report"
    command = [str(launch.launcher()), "--watch", str(report), *words, "--", "sh", "-c", script]
    done = launch.call(command, cwd=folder, environment={"TMPDIR": str(folder)})  # which it may write in
    lines = report.read_text().splitlines()
    if "blind " in lines:
        pytest.skip("programs may not be traced here")
    return done, lines


def test_a_strict_watcher_ends_a_program_that_writes_elsewhere(
    chains: list[Toolchain], tmp_path: Path
) -> None:
    inner = tmp_path / "in"
    inner.mkdir()
    for script in ("echo x > ../out", "cd ..; ln -s none link", "mv ./x ../out", "rm ../keep"):
        (inner / "x").write_text("x")
        (tmp_path / "keep").write_text("keep")
        done, lines = watched(inner, f"echo y > y; {script}; echo on", "--strict")
        assert "on" not in done.out and any(line.startswith(f"outside {tmp_path}/") for line in lines), script
        assert not (tmp_path / "out").exists() and (tmp_path / "keep").exists()
        assert not os.path.lexists(tmp_path / "link") and (inner / "x").exists()


@pytest.mark.parametrize(("script", "code"), [("exit 7", 7), ("kill -ABRT $$", -6), ("sh -c 'exit 3'", 3)])
def test_a_watched_program_ends_as_it_would_alone(
    chains: list[Toolchain], tmp_path: Path, script: str, code: int
) -> None:
    done, lines = watched(tmp_path, f"echo out; {script}")
    assert (done.code, done.out, lines) == (code, "out\n", [])


def test_a_kill_tells_what_was_not_written_yet(chains: list[Toolchain], tmp_path: Path) -> None:
    script = "seq 10 > a; seq 5 > b; seq 7 > c; echo never > d"
    done, lines = watched(tmp_path, script, "--kill-after", "40")
    assert lines == ["lost 10 21"] and not (tmp_path / "d").exists()


def test_an_ordinary_user_has_a_box(chains: list[Toolchain], tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv")
    outer = Path(tempfile.mkdtemp(prefix="headrace-test-", dir="/var/tmp"))
    try:
        for name in ("folder", "upper", "work"):
            (outer / name).mkdir()
        shutil.copy(launch.launcher(), outer / "launch")
        (outer / "folder/log").write_text("first\n")
        for path in [outer, *outer.rglob("*")]:
            os.chown(path, 65534, 65534)
        views = [str(outer / name) for name in ("folder", "upper", "work")]
        words = [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            str(outer / "launch"),
            "--box",
        ]
        done = launch.call(
            [*words, "--view", *views, "--", "sh", "-c", f"id -u; echo more >> log; echo x > {outer}/x"],
            cwd=outer / "folder",
        )
        if "no namespaces" in done.err:
            pytest.skip("users have no namespaces here")
        assert done.out == "65534\n" and "Read-only" in done.err
        assert (outer / "folder/log").read_text() == "first\n"
        assert (outer / "upper/log").read_text() == "first\nmore\n"
    finally:
        shutil.rmtree(outer)
