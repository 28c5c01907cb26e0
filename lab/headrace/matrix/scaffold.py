"""A new benchmark folder: a small one that works, for a user to change."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput

TOML = """\
title = "{name}"
question = "Which of two ways of reading integers is faster?"
baseline = "scanf_loop" # every ratio is to this contender
floor = "nothing"       # does nothing: the cost of a process
sources = ["file"]      # file, pipe, pty
sinks = ["null"]        # null, file, pipe, pty

[input]
generator = "ints" # makes the input and knows the answer: here, the sum
rows = 1_000
columns = 1_000

[quick]
rows = 100

# A contender is a source file beside this one. More keys: variants = {{ SIZE = [1, 2] }} builds it with
# -DSIZE=1 and -DSIZE=2; needs = ["fmt"] skips it where {{fmt}} is missing; standard = "c++20"; flags; libs.
[[contender]]
name = "scanf_loop"
note = "scanf, one number per call"

[[contender]]
name = "stream_loop"
note = "std::cin, unsynchronised and untied"

[[contender]]
name = "nothing"
note = "the floor: the process starts and does nothing"
answer = false # what it prints is not checked
"""

SOURCES = {
    "scanf_loop": """\
#include <cstdio>

int main() {
    long rows, columns;
    if (std::scanf("%ld %ld", &rows, &columns) != 2) return 1;
    long long sum = 0;
    for (int x; std::scanf("%d", &x) == 1;) sum += x;
    std::printf("%lld\\n", sum);
}
""",
    "stream_loop": """\
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    long rows, columns;
    std::cin >> rows >> columns;
    long long sum = 0;
    for (int x; std::cin >> x;) sum += x;
    std::cout << sum << '\\n';
}
""",
    "nothing": "int main() {}\n",
}


def create(folder: Path) -> list[Path]:
    """Write the folder. Returns its files; raises BadInput when it exists, cannot be written, or is named
    as a benchmark that comes with headrace: results of the two would look as if they were of one.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", folder.name):
        raise BadInput(f"{folder.name} is not a name for a benchmark: use letters, digits, _ and -")
    if folder.name in places.benchmark_names():
        raise BadInput(f"a benchmark {folder.name} comes with headrace; choose another name")
    files = {folder / "benchmark.toml": TOML.format(name=folder.name)}
    files |= {folder / f"{name}.cpp": text for name, text in SOURCES.items()}
    made = False
    try:
        folder.mkdir(parents=True)
        made = True
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
    except FileExistsError:
        raise BadInput(f"{folder} exists; choose another name, or remove it first") from None
    except OSError as error:
        if made:
            shutil.rmtree(folder, ignore_errors=True)  # the next attempt would find it and stop
        raise BadInput(
            f"cannot write {folder}: {error.strerror}; choose a folder that can be written"
        ) from error
    return list(files)
