"""A made-up repository whose commits differ in how long its one benchmark takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from checkout import git

TOML = """\
title = "A sum"
question = "Which?"
baseline = "mine"
[input]
generator = "ints"
rows = 3
columns = 3
[[contender]]
name = "mine"
"""
SOURCE = """\
#include "../../src/work.hpp"
#include <cstdio>
int main() {
    long rows, columns, sum = 0;
    if (std::scanf("%ld %ld", &rows, &columns) != 2) return 1;
    for (long x; std::scanf("%ld", &x) == 1;) sum += x;
    work();
    std::printf("%ld\\n", sum);
}
"""
WORK = "inline void work() {{ volatile long n = 0; for (long i = 0; i < {}L; ++i) n = n + i; }}\n"
FAST, SLOW = WORK.format(100_000), WORK.format(30_000_000)


def repository(folder: Path, works: Sequence[str]) -> list[str]:
    """Make a repository with a commit for each text of work.hpp. Returns their ids."""
    bench = folder / "bench" / "sums"
    bench.mkdir(parents=True)
    (folder / "src").mkdir()
    (bench / "benchmark.toml").write_text(TOML)
    (bench / "mine.cpp").write_text(SOURCE)
    git(folder, "init", "-q")
    ids = []
    for number, work in enumerate(works):
        (folder / "src" / "work.hpp").write_text(work)
        (folder / "README").write_text(f"{number}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"change {number}")
        ids.append(git(folder, "rev-parse", "HEAD"))
    return ids
