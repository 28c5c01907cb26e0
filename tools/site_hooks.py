"""What mkdocs cannot know: pages and tables that are made from the sources when the documents are built."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parent))
import api_reference
import contract_table
import packages

CASES = "<!-- cases -->"
KEYS = re.compile(r"<!-- keys: (\w+) -->")


def on_config(config: Any) -> Any:
    """Say at the foot of each page which version it is about."""
    headers = Path(__file__).resolve().parent.parent / "include" / "headrace" / "config.hpp"
    config.copyright = f"headrace {packages.version_in(headers.read_text('utf-8'))}"
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the reference, one page per header."""
    for name, text in api_reference.pages().items():
        files.append(File.generated(config, f"reference/{name}", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the cases of the contract, and the keys of a document, where a page asks for them."""
    markdown = KEYS.sub(lambda found: _keys(found[1]), markdown)
    if CASES not in markdown:
        return markdown
    return markdown.replace(CASES, contract_table.tables(contract_table.CASES.read_text(encoding="utf-8")))


def _keys(document: str) -> str:
    """Ask headrace for the tables of a document."""
    words = [sys.executable, "-m", "headrace", "list", "--schema", document, "--markdown"]
    lab = Path(__file__).resolve().parent.parent / "lab"
    return subprocess.run(
        words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(lab)}
    ).stdout
