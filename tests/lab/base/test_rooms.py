"""The lab's rooms import one way: each only from those below it, as pyproject.toml lists them."""

from __future__ import annotations

from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from checkout import TOP

UPSIDE_DOWN = """
[importlinter]
root_package = headrace

[importlinter:contract:upside-down]
name = Errors are above everything
type = layers
containers = headrace
layers =
    base
    results
"""


def test_rooms_import_downwards(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(TOP / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out


def test_an_import_upwards_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "importlinter.ini"
    config.write_text(UPSIDE_DOWN)
    assert lint_imports(config_filename=str(config), no_cache=True) != 0
    assert "headrace.results.store -> headrace.base.errors" in capsys.readouterr().out
