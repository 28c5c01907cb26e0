"""headrace.toml: what a folder asks of the lab. There is one key so far."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from pathlib import Path

from headrace.base.errors import BadInput
from headrace.base.names import unknown
from headrace.history.index import NAME, Index

FILE = Path("headrace.toml")
KEYS = ("history",)


def index_file() -> Path:
    """Return where the index is: HEADRACE_HISTORY, or among the results."""
    return Path(os.environ.get("HEADRACE_HISTORY") or Path("results") / NAME)


def wants_history(file: Path = FILE) -> bool:
    """Whether each campaign is to be added to the index. Raises BadInput for what is not clear.

    An index that cannot be used is found out now: after the race it would be a fault of its end.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"cannot read {file}: {error}") from error
    for key in data:
        if key not in KEYS:
            raise BadInput(f"{file}: {unknown('key', key, KEYS)}")
    wanted = data.get("history", False)
    if not isinstance(wanted, bool):
        raise BadInput(f"{file}: history wants true or false, not {wanted!r}")
    if wanted and index_file().exists():
        Index(index_file()).close()
    return bool(wanted)


def remember(files: Iterable[Path]) -> None:
    """Add results files to the index. Raises BadInput: what a person waits for has been shown before."""
    with Index(index_file()) as index:
        for file in files:
            index.add(file)
