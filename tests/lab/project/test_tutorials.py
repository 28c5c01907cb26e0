"""The first five minutes of each reader, followed to the letter from an empty folder that has the source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pages
from checkout import sources

PAGES = [page for page in pages.PAGES if "<!-- follow: " in page.read_text("utf-8")]
ACTIVATE = """PATH={folder}:$PATH
"""


def source(folder: Path) -> None:
    """Put what somebody unpacks there, and in place of its environment this one, which is ready."""
    folder.mkdir()
    for entry in sources():
        (folder / entry.name).symlink_to(entry)
    binaries = folder / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "activate").write_text(ACTIVATE.format(folder=Path(sys.executable).parent))
    for stamp in ("made", "race"):
        (folder / ".venv" / stamp).touch()


def test_the_three_readers_have_one() -> None:
    assert [page.name for page in PAGES] == ["application.md", "benchmark.md", "contest.md"]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_newcomer_can_follow(page: Path, tmp_path: Path) -> None:
    for tool in ("make", "cmake", "g++"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} on this machine")
    assert (Path(sys.executable).parent / "headrace").exists(), "not beside this Python: make .venv/test"
    source(tmp_path / "headrace")
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DESTDIR", "MAKEFLAGS", "PYTHONPATH")
    }
    activated = ""  # a shell that somebody goes on typing into
    for step in (block for block in pages.blocks(page) if block.follow):
        if step.follow != "run":
            (tmp_path / step.follow).write_text(step.text, "utf-8")
            continue
        done = subprocess.run(
            ["bash", "-euc", activated + step.text],
            cwd=tmp_path,
            env=clean,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=280,
        )
        assert done.returncode == 0, f"{step.name}:\n{done.stdout[-3000:]}"
        if "it prints" in step.beside:
            assert done.stdout == step.beside["it prints"], step.name
        if "it ends with" in step.beside:
            assert done.stdout.endswith(step.beside["it ends with"]), f"{step.name}:\n{done.stdout[-3000:]}"
        if "activate" in step.text:
            activated = ". headrace/.venv/bin/activate\n"
