"""Check with nm that shared objects of different versions of headrace have none of its symbols in common."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys

OURS = "8headrace"  # as it is mangled
VERSIONED = re.compile(r"8headrace\d+v\d")


def symbols_of(nm: str, library: str) -> set[str]:
    """Return the symbols of headrace that a shared object defines."""
    command = [nm, "--defined-only", "--format=posix", "--dynamic", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0] for line in lines if OURS in line}


def main() -> int:
    """Return 1 and say what is wrong, or 0."""
    nm, *libraries = sys.argv[1:]
    found = {library: symbols_of(nm, library) for library in libraries}
    wrong = []
    for library, symbols in found.items():
        if not symbols:
            wrong.append(f"{library}: nm shows no symbol of headrace: this test tests nothing")
        wrong += [f"{library}: {name}: no version in it" for name in symbols if not VERSIONED.search(name)]
    for (first, ours), (second, theirs) in itertools.combinations(found.items(), 2):
        wrong += [f"{first} and {second}: {name}: in both" for name in ours & theirs]
    print("\n".join(wrong) or f"{sum(map(len, found.values()))} symbols, none shared")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
