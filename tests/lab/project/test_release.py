"""tools/release makes the same bytes twice, from a commit and nothing else. No network is used."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import native
from checkout import TOP, git, sources
from headrace import __version__

pytestmark = [
    pytest.mark.slow,  # it builds all of a release twice
    pytest.mark.skipif(shutil.which("git") is None, reason="no git on this machine"),
    pytest.mark.skipif(
        importlib.util.find_spec("cyclonedx_py") is None,
        reason="needs cyclonedx-bom: pip install '.[release]'",
    ),
]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
WHEN = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "1767225600 +0000")  # so commits are the same
SUM = """#include "headrace-contest.hpp"
int main() {
  double sum = 0;
  for (double value : headrace::in.values<double>()) sum += value;
  headrace::out << sum << '\\n';
}
"""


def checkout(folder: Path) -> Path:
    """Return a repository with what stands in this one, committed."""
    folder.mkdir(parents=True)
    for entry in sources():
        if entry.is_dir():
            shutil.copytree(entry, folder / entry.name, ignore=LEFT_OUT)
        else:
            shutil.copy(entry, folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all", variables=WHEN)
    return folder


def release(tree: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(tree / "tools" / "release.py"), *map(str, options)]
    return native.call(*words, cwd=tree)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a release of this checkout is, as a draft."""
    folder = tmp_path_factory.mktemp("release")
    tree = checkout(folder / "here")
    done = release(tree, "-o", folder / "dist", "--draft", "--environment", sys.executable)
    assert done.returncode == 0, done.stderr
    return folder / "dist"


def test_another_checkout_makes_the_same_bytes(made: Path, tmp_path: Path) -> None:
    tree = checkout(tmp_path / "another folder")
    done = release(tree, "--verify", made, "--environment", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"all files are as in {made / 'SHA256SUMS'}" in done.stdout


def test_a_release_is_whole(made: Path, tmp_path: Path) -> None:
    lines = (made / "SHA256SUMS").read_text().splitlines()
    assert {line[66:] for line in lines} == {file.name for file in made.iterdir()} - {"SHA256SUMS"}
    for line in lines:
        assert hashlib.sha256((made / line[66:]).read_bytes()).hexdigest() == line[:64]
    notes = (made / "PROVENANCE.md").read_text()
    assert all(line[66:] in notes for line in lines if not line.endswith("PROVENANCE.md"))
    assert re.search(r"^\| scanf of glibc \|", notes, re.M)  # a row of what others' tests found
    assert str(Path.home()) not in notes and str(tmp_path.parent) not in notes
    with tarfile.open(made / f"headrace-{__version__}.tar.gz") as sdist:
        top = f"headrace-{__version__}/"
        names = set(sdist.getnames())
    assert {top + "CMakeLists.txt", top + "include/headrace/headrace.hpp", top + "SECURITY.md"} <= names
    with zipfile.ZipFile(made / f"headrace-{__version__}-py3-none-any.whl") as wheel:
        assert "headrace/data/include/headrace/headrace.hpp" in wheel.namelist()
        about = wheel.read(f"headrace-{__version__}.dist-info/METADATA").decode()
    assert "\nLicense: MIT\n" in about
    bill = json.loads((made / f"headrace-{__version__}.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["version"] == __version__
    assert [each["license"]["id"] for each in bill["metadata"]["component"]["licenses"]] == ["MIT"]
    needed = next(each["dependsOn"] for each in bill["dependencies"] if each["ref"] == "root-component")
    assert {name.split("==")[0].lower() for name in needed} >= {"typer", "numpy", "pydantic", "jinja2"}


def test_the_contest_header_leaves_room_for_a_solution_and_works(made: Path, tmp_path: Path) -> None:
    size = (made / "headrace-contest.hpp").stat().st_size
    assert size <= 448 * 1024  # of the 512 KiB that AtCoder takes
    page = (TOP / "docs" / "versions.md").read_text("utf-8")
    said = re.search(r"headrace-contest\.hpp.*; about (\d+) KB", page)
    assert said is not None and abs(size - int(said[1]) * 1000) <= size // 20, f"versions.md: it is {size}"
    if shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    (tmp_path / "sum.cpp").write_text(SUM)
    program = tmp_path / "sum"
    words = ["g++", "-std=c++17", "-I", str(made), str(tmp_path / "sum.cpp"), "-o", str(program)]
    subprocess.run(words, check=True, timeout=200)
    given = native.call(program, input="1.5 2\n38.5\n")
    assert given.stdout == "42\n"


def test_what_is_not_ready_is_refused(made: Path, tmp_path: Path) -> None:
    tree = checkout(tmp_path / "tree")
    full = release(tree, "-o", made, "--draft")
    assert full.returncode == 2 and "is there and not empty" in full.stderr
    (tree / "more.hpp").write_text("#error\n")
    early = release(tree, "-o", tmp_path / "dist")
    assert early.returncode == 2 and f"this commit has no tag v{__version__}" in early.stderr
    assert "not committed: more.hpp" in early.stderr
    assert "the headers are not those of docs/trust.md" in early.stderr
    assert not (tmp_path / "dist").exists()
    module = tree / "MODULE.bazel"
    module.write_text(module.read_text().replace(__version__, "7.0.0"))
    git(tree, "commit", "--all", "--quiet", "--message", "another version", variables=WHEN)
    torn = release(tree, "-o", tmp_path / "dist", "--draft")
    assert torn.returncode == 2 and "MODULE.bazel says 7.0.0" in torn.stderr, torn.stderr


def test_a_changed_file_does_not_verify(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    with (copy / "headrace.hpp").open("a") as header:
        header.write("// more\n")
    done = release(TOP, "--verify", copy)
    assert done.returncode == 1 and "are not those of its SHA256SUMS" in done.stderr
    nothing = release(TOP, "--verify", tmp_path)
    assert nothing.returncode == 2 and "has no SHA256SUMS" in nothing.stderr
