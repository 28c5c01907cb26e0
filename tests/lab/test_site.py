"""The site builds strictly, and nothing in it is loaded from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import native

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("mkdocs") is None,
        reason="mkdocs is missing: pip install '.[docs]', or make docs",
    ),
]


def test_site_builds_and_stands_alone(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(words, cwd=native.TOP, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert {"index.html", "which.html", "contract.html"} <= {page.name for page in pages}
    assert (tmp_path / "site" / "reference" / "reader.html").exists()
    for page in pages:
        text = page.read_text("utf-8")
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"?(https?://[^\" >]+)", text)
        assert not [url for url in loaded if not url.startswith("https://squidfunk")], (
            f"{page.name}: {loaded}"
        )
