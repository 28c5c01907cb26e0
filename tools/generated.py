"""What the generators of checked-in files share: write the file, or check that it is what they write."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write_or_check(generator: str, description: str | None, default: Path, text: str) -> int:
    """Command line of `generator`: writes `text` to a file, `default` unless named; --check compares.

    Returns the exit code: 1 for a difference.
    """
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=shape)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("file", nargs="?", type=Path, default=default)
    options = parser.parse_args()
    if not options.check:
        options.file.write_text(text, encoding="utf-8")
        return 0
    if options.file.exists() and options.file.read_text(encoding="utf-8") == text:
        return 0
    print(f"{options.file} is not what {generator} writes: run it without --check", file=sys.stderr)
    return 1
