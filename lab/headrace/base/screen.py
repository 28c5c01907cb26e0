"""A terminal: the text in what it is told, and texts in columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from headrace.base.text import wrapped

if TYPE_CHECKING:  # tools/in_terminal.py runs where rich is not installed
    from rich.console import Console
    from rich.text import Text

ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[@-Z\\^_=>]")
RIGHT = re.compile(rb"\x1b\[(\d*)C")


def text(shown: bytes) -> bytes:
    """Return the text of what a terminal was told, without the moves of its cursor, colours and "\\r".

    wine's console moves over spaces instead of printing them.
    """
    shown = RIGHT.sub(lambda move: b" " * int(move.group(1) or 1), shown)
    return ESCAPES.sub(b"", shown).replace(b"\r", b"")


def beside(start: Text, texts: Iterable[str], console: Console, style: str = "") -> None:
    """Print texts beside what they are about, broken between words: names stay whole."""
    from rich.text import Text

    lines = [line for text in texts for line in wrapped(text, console.width - len(start))]
    for line in lines or [""]:
        console.print(start + Text(line, style=style), soft_wrap=True)
        start = Text(" " * len(start))
