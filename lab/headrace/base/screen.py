"""What a terminal is told, and the text in it."""

from __future__ import annotations

import re

ESCAPES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[@-Z\\^_=>]")
RIGHT = re.compile(rb"\x1b\[(\d*)C")


def text(told: bytes) -> bytes:
    """Return the text of what a terminal was told, without the moves of its cursor, colours and "\\r".

    wine's console moves over spaces instead of printing them.
    """
    told = RIGHT.sub(lambda move: b" " * int(move.group(1) or 1), told)
    return ESCAPES.sub(b"", told).replace(b"\r", b"")
