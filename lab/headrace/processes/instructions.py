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
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from headrace.processes import launch
from headrace.results.failure import Failure

Tool = Literal["valgrind", "qemu", "perf"]
HOW_TO_GET = "apt-get install valgrind counts instructions"


@dataclass(frozen=True)
class Count:
    """Instructions in user space of a whole run, and its system calls where the tool counts them, too."""

    tool: Tool
    instructions: int
    system_calls: int | None = None


def is_possible() -> bool:
    """Whether programs of this machine itself can be counted."""
    return shutil.which("valgrind") is not None or has_counters()


@cache
def has_counters() -> bool:
    """Whether perf counts instructions here."""
    return not isinstance(_by_perf(launch.Request(["true"]), started_by=_plainly), Failure)


def count(request: launch.Request, plugin: Callable[[], Path]) -> Count | Failure:
    """Run once and count. `plugin` makes qemu's plugin where it is needed."""
    if request.runner:
        if "qemu" in Path(request.runner[0]).name:
            return _by_qemu(request, plugin())
        return Failure("skipped", f"what runs under {Path(request.runner[0]).name} is not counted")
    found = _by_valgrind(request) if shutil.which("valgrind") else Failure("skipped", HOW_TO_GET)
    if isinstance(found, Failure) and has_counters():
        return _by_perf(request)
    return found


def _by_valgrind(request: launch.Request) -> Count | Failure:
    def words(output: Path) -> list[str]:
        return ["valgrind", "-q", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={output}"]

    found = _counted(request, lambda output: [*words(output), "--"], r"^summary: (\d+)")
    return found if isinstance(found, Failure) else Count("valgrind", int(found[1]))


def _by_perf(
    request: launch.Request, started_by: Callable[[launch.Request], Failure | None] | None = None
) -> Count | Failure:
    def words(output: Path) -> list[str]:
        return ["perf", "stat", "-e", "instructions:u", "-x", ",", "-o", str(output), "--"]

    found = _counted(request, words, r"^(\d+),", started_by)
    return found if isinstance(found, Failure) else Count("perf", int(found[1]))


def _by_qemu(request: launch.Request, plugin: Path) -> Count | Failure:
    bare = replace(request, runner=[])

    def words(output: Path) -> list[str]:
        return [*request.runner, "-plugin", f"{plugin},out={output}"]

    found = _counted(bare, words, r"^(\d+) (\d+)$")
    return found if isinstance(found, Failure) else Count("qemu", int(found[1]), int(found[2]))


def _counted(
    request: launch.Request,
    words: Callable[[Path], list[str]],
    pattern: str,
    start: Callable[[launch.Request], Failure | None] | None = None,
) -> re.Match[str] | Failure:
    """Run once under a tool, `words(output)`, and find the pattern in the file that it writes."""
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        output = Path(folder) / "counts"
        counted = replace(request, runner=[*words(output), *request.runner], pin=None, cold=False)
        failed = (start or _launched)(counted)
        if failed is not None:
            return failed
        text = output.read_text(errors="replace") if output.exists() else ""
    found = re.search(pattern, text, re.MULTILINE)
    return found or Failure("CRASHED", f"{words(output)[0]} wrote no count")


def _launched(request: launch.Request) -> Failure | None:
    """Run by the launcher, which opens source and sink and checks the answer."""
    ended = launch.run(request)
    return ended if isinstance(ended, Failure) else None


def _plainly(request: launch.Request) -> Failure | None:
    """Run without the launcher: only the tool is tried."""
    done = launch.call([*request.runner, *request.command], timeout=30)
    return None if done.ok else Failure("CRASHED", done.err)
