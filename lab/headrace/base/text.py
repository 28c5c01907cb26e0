"""Text from a results file, made safe for where it is shown."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime


def visible(text: str) -> str:
    """Put text on one line with no control characters, so that a file cannot steer a terminal."""
    if text.isprintable():
        return text.strip()
    return "".join(" " if char in "\t\n\r" else _shown(char) for char in text).strip()


def harmless(text: str) -> str:
    """Replace characters that steer a terminal or turn a text around; lines stay lines."""
    if text.isprintable():
        return text
    return "".join(char if char in "\t\n" else _shown(char) for char in text.replace("\r\n", "\n"))


def _shown(char: str) -> str:
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


def when(started: str) -> str:
    """Shorten an ISO 8601 time to the minute, with its zone; other texts stay as they are."""
    try:
        return datetime.fromisoformat(started).strftime("%Y-%m-%d %H:%M %z").strip()
    except ValueError:
        return visible(started)


def name(text: str) -> str:
    """Mark a name in a sentence; `unmarked`, Markdown and the page each show the mark their way."""
    return f"`{visible(text).replace('`', chr(0x2019))}`"


def unmarked(sentence: str) -> str:
    """Drop the marks of names."""
    return sentence.replace("`", "")


def listed(parts: list[str]) -> str:
    """Join as people do: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def either(parts: list[str]) -> str:
    """Join what may be chosen from: "a", "a or b", "a, b or c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def some(parts: Iterable[str], most: int) -> list[str]:
    """Keep the first few, and count the others: "a", "b", "4 more"."""
    every = list(parts)
    return every[:most] + ([f"{len(every) - most} more"] if len(every) > most else [])


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines between words only: a name that is longer than a line stays whole."""
    return textwrap.wrap(text, max(width, 20), break_long_words=False, break_on_hyphens=False)


def plural(number: int, noun: str) -> str:
    """Count a noun whose plural takes an s: "1 row", "12 rows"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def without_option(command: Sequence[str], option: str) -> list[str]:
    """Drop an option and its value, written as `--out X` or `--out=X`, from a command."""
    words = iter(command)
    kept = []
    for word in words:
        if word == option:
            next(words, None)
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept
