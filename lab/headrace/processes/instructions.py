"""Instructions of one run: counted, so the same on a busy machine as on a quiet one.

- valgrind counts what this machine's own programs run. It knows no AVX-512: a program that asks the processor
  is told of AVX2 and less, one that was compiled for AVX-512 ends by SIGILL.
- qemu counts what it emulates, by native/count_plugin.cpp.
- perf counts in hardware, where a machine has counters for it, which few virtual ones have. It takes what
  valgrind cannot run.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal

from headrace.base import places
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import Counted

Tool = Literal["valgrind", "qemu", "perf"]
HOW_TO_GET = "apt-get install valgrind counts instructions"


def is_possible() -> bool:
    """Whether programs of this machine itself can be counted."""
    return shutil.which("valgrind") is not None or has_counters()


@cache
def has_counters() -> bool:
    """Whether perf counts instructions here."""
    return not isinstance(_counted("perf", launch.Request(["true"]), PERF, _plainly), Failure)


# The words that go before a command, where the tool writes, and what is looked for there.
How = tuple[Callable[[Path], list[str]], str]
VALGRIND: How = (
    lambda out: [
        "valgrind",
        "-q",
        "--tool=cachegrind",
        "--cache-sim=no",
        f"--cachegrind-out-file={out}",
        "--",
    ],
    r"^summary: (\d+)",
)
PERF: How = (
    lambda out: ["perf", "stat", "-e", "instructions:u", "-x", ",", "-o", str(out), "--"],
    r"^(\d+),",
)


def count(request: launch.Request, plugin: Callable[[], Path]) -> Counted | Failure:
    """Run once and count. `plugin` makes qemu's plugin where it is needed."""
    runner = request.runner
    if runner and "qemu" in Path(runner[0]).name:
        made = plugin()
        how: How = (lambda out: [*runner, "-plugin", f"{made},out={out}"], r"^(\d+) (\d+)$")
        return _counted("qemu", replace(request, runner=[]), how)
    if runner:
        return Failure("skipped", f"what runs under {Path(runner[0]).name} is not counted")
    counted: Counted | Failure = Failure("skipped", HOW_TO_GET)
    if shutil.which("valgrind"):
        counted = _counted("valgrind", request, VALGRIND)
    return _counted("perf", request, PERF) if isinstance(counted, Failure) and has_counters() else counted


def _counted(
    tool: Tool,
    request: launch.Request,
    how: How,
    start: Callable[[launch.Request], Failure | None] | None = None,
) -> Counted | Failure:
    """Run once under a tool, and read its counts from the file that it writes."""
    words, pattern = how
    with places.scratch() as folder:
        output = folder / "counts"
        counted = replace(
            request,
            runner=[*words(output), *request.runner],
            pin=None,
            cold=False,
            writable=(*request.writable, folder),
        )
        failed = (start or _launched)(counted)
        if failed is not None:
            return failed
        text = output.read_text(errors="replace") if output.exists() else ""
        numbers = re.search(pattern, text, re.MULTILINE)
        if numbers is None:
            return Failure("CRASHED", f"{words(output)[0]} wrote no count")
    figures = zip(("instructions", "system_calls"), numbers.groups(), strict=False)
    return Counted.model_validate({"tool": tool, **dict(figures)})


def _launched(request: launch.Request) -> Failure | None:
    """Run by the launcher, which opens source and sink and checks the answer."""
    ended = launch.run(request)
    return ended if isinstance(ended, Failure) else None


def _plainly(request: launch.Request) -> Failure | None:
    """Run without the launcher: only the tool is tried."""
    done = launch.call([*request.runner, *request.command], timeout=30)
    return None if done.ok else Failure("CRASHED", done.err)
