"""A cage around a contender: what it starts, writes and sends ends with its run and reaches nobody else.

native/box.hpp makes it of Linux's namespaces, before the clock starts. That of the network is made once and
joined by every run, for ending one is work of the kernel; files and the tree of processes are a run's own.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from headrace.processes import box, launch
from headrace.processes.box import Cage
from headrace.processes.lines import Talking

FILES = "what contenders write stays"
PROCESSES = "contenders see all processes"
NETWORK = "contenders can reach the network"
HOW_TO_ALLOW = f"{box.ALLOW_NAMESPACES}, or run benchmarks of others as a user of their own"


@dataclass(frozen=True)
class Found:
    """What this machine allows: the words that make a cage, and what is not there, with the reason."""

    words: tuple[str, ...] = ()
    offline: tuple[str, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)  # FILES, PROCESSES, NETWORK -> why


def here(network: bool = False) -> Cage | None:
    """Return the cage for contenders that are started in this folder; None where there can be none."""
    found = look(Path.cwd())
    if not found.words:
        return None
    return Cage((str(launch.launcher()), "--box", *found.words, *(() if network else found.offline)))


@cache
def look(folder: Path) -> Found:
    """Try each part of a cage with a program that does nothing. Needs the launcher."""
    words = [word for each in _private(folder) for word in ("--private", str(each))]
    if (why := _trouble(words)) or not words:
        why = why or "no folder for what they write is there"
        return Found(lacking={FILES: why, PROCESSES: why, NETWORK: why})
    lacking = {}
    if why := _trouble([*words, "--alone"]):
        lacking[PROCESSES] = why
    else:
        words.append("--alone")
    holder, why = _holder()
    offline = () if why else ("--join", str(holder))
    if why := why or _trouble([*words, *offline]):
        return Found(tuple(words), (), {**lacking, NETWORK: why})
    return Found(tuple(words), offline, lacking)


def _private(folder: Path) -> list[Path]:
    """Return where programs write, an outer folder first: what they write there goes with them."""
    named = ["/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir(), os.path.expanduser("~"), str(folder)]
    real = {Path(name).resolve() for name in named}
    usable = [each for each in sorted(real) if box.is_usable(each) and each.parent != each]
    if not _trouble([word for each in usable for word in ("--private", str(each))]):
        return usable
    return [each for each in usable if not _trouble(["--private", str(each)])]


def _trouble(words: list[str]) -> str:
    """Run nothing in a cage; say what is wrong, "" for nothing."""
    done = launch.call([str(launch.launcher()), "--box", *words, "--", "true"], timeout=10)
    return "" if done.ok else done.complaint


@cache
def _holder() -> tuple[int, str]:
    """Start what holds the network's namespace while this process lives: its number, or why it cannot."""
    holder = Talking([str(launch.launcher()), "--hold"], "", {})
    if next(holder.lines(), ""):
        atexit.register(holder.end)
        return holder.number, ""
    return 0, holder.end().complaint
