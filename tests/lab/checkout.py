"""This checkout as tests use it, what is source here, and git; and what a folder holds."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
_MADE_HERE = (".git", ".venv", ".cache", "results", "site", "dist")
_PERSON = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A Person"), ("EMAIL", "a@example.org"))
}
_NOTHING_OF_THE_USER = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def sources() -> list[Path]:
    """Return the files and folders at the top that are source: not what make, git or a tool has made."""
    return [
        entry
        for entry in sorted(TOP.iterdir())
        if entry.name not in _MADE_HERE
        and not entry.name.startswith("build")
        and not entry.name.endswith("_cache")
    ]


def git(folder: Path, *words: str, variables: Mapping[str, str] | None = None) -> str:
    """Run git as a person whom nothing on this machine has set up. Returns what it prints."""
    environment = {**os.environ, **_PERSON, **_NOTHING_OF_THE_USER, **(variables or {})}
    done = subprocess.run(
        ["git", "-C", str(folder), *words], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def manifest(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything about a folder that can be told from outside, with times, but when it was last read."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        facts = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(facts.st_mode) else b""
        found[str(path)] = (facts.st_mode, facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns, data)
    return found
