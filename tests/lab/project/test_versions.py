"""The version has one home, config.hpp: what can reads it there, and what cannot says the same."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import headrace
import native

sys.path.insert(0, str(native.TOP / "tools"))
import release


def test_all_files_that_say_the_version_say_the_same() -> None:
    assert release.version_of(native.TOP) == headrace.__version__


@pytest.mark.parametrize("name", release.WRITTEN)
def test_a_file_that_says_another_version_is_named(name: str, tmp_path: Path) -> None:
    for other in release.WRITTEN:
        (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(native.TOP / other, tmp_path / other)
    text = (tmp_path / name).read_text("utf-8")
    for written in (headrace.__version__, headrace.__version__.replace(".", "_")):
        text = text.replace(written, "7")
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(release.Refused, match=f"and {name} says "):
        release.version_of(tmp_path)


@pytest.mark.parametrize("beside", ["data/include", "../../include"])
def test_the_lab_has_the_version_of_the_headers_that_come_with_it(beside: str, tmp_path: Path) -> None:
    package = tmp_path / "lab" / "headrace"
    package.mkdir(parents=True)
    shutil.copy(headrace.__file__, package)
    config = package / beside / "headrace" / "config.hpp"
    config.parent.mkdir(parents=True)
    config.write_text("#define HEADRACE_VERSION 21304\n", "utf-8")
    command = [sys.executable, "-c", "import headrace; print(headrace.__version__)"]
    done = subprocess.run(command, cwd=package.parent, check=True, capture_output=True, text=True)
    assert done.stdout == "2.13.4\n"
