"""A diagnosis: what this machine offers to the lab, what disturbs it, what is missing, how to get it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from headrace.base import places, units
from headrace.base.errors import BadInput, HeadraceError, NothingToDo
from headrace.base.text import plural
from headrace.machine import facts, noise
from headrace.matrix import compilers, needs, toolchains
from headrace.matrix.toolchains import Found
from headrace.processes import cage, wine
from headrace.results.schema import Machine, ToolchainInfo

State = Literal["good", "missing", "disturbs"]
Launcher = Callable[[Sequence[compilers.Toolchain]], Path]


class Check(BaseModel):
    """One thing that was looked at. `advice` is empty when all is well."""

    name: str
    state: State
    found: str
    advice: str = ""


class Diagnosis(BaseModel):
    """All that doctor knows."""

    machine: Machine
    toolchains: list[ToolchainInfo] = Field(default_factory=list)
    absent: dict[str, str] = Field(default_factory=dict)  # name -> why
    untried: list[str] = Field(default_factory=list)
    checks: list[Check] = Field(default_factory=list)


def diagnose(watch: Callable[[str], None] = lambda what: None, launcher: Launcher | None = None) -> Diagnosis:
    """Look at everything. Never raises for something that is missing. `launcher` builds the lab's own."""
    try:
        found = toolchains.find((), watch)
    except NothingToDo as error:
        found = Found([], [], [])
        compiler = _check("compiler", False, "", str(error))
    else:
        compiler = _check("compiler", True, ", ".join(chain.name for chain in found.toolchains))
    machine = facts.read()
    return Diagnosis(
        machine=machine,
        toolchains=[chain.info() for chain in found.toolchains],
        absent={chain.name: chain.reason for chain in found.absent},
        untried=found.untried,
        checks=[
            compiler,
            _library(found),
            *_noise(machine),
            *_tools(),
            *_room(),
            _cage(found.toolchains, launcher),
            *_needs(found.toolchains),
        ],
    )


def _check(name: str, is_good: bool, found: str, advice: str = "", state: State = "missing") -> Check:
    """Make a check; where what was looked at is not good, its state and the advice say so."""
    advice, state = ("", "good") if is_good else (advice, state)
    return Check(name=name, state=state, found=found or "none", advice=advice)


def _library(found: Found) -> Check:
    having = ", ".join(chain.name for chain in found.toolchains if chain.library == "libc++")
    advice = "pip install ziglang (clang with libc++, no root), or apt install clang libc++-dev"
    return _check("libc++", bool(having), having, advice)


WANDERING = {  # what makes times wander, and what to do about it
    "load": "other work takes processor time: end it, or wait",
    "governor": "cpupower frequency-set --governor performance",
    "turbo": "the clock rate depends on temperature; interleaved rounds allow for that",
    "memory": "less than 1 GiB is left: inputs may fall out of the page cache",
}


def _noise(machine: Machine) -> list[Check]:
    load, available, governor = noise.load(), facts.available_memory(), machine.governor
    processors = plural(machine.cores, "processor")
    memory = f"{units.memory(available)} of {units.memory(machine.memory)} available"
    looks = {
        "load": (load <= 0.5 * machine.cores, f"{load:.2f} processes on {processors}"),
        "governor": (
            governor in ("", "performance"),
            governor or "not reported (usual on a virtual machine)",
        ),
        "turbo": (machine.turbo != "on", machine.turbo or "not reported"),
        "memory": (not 0 < available < 1 << 30, memory),
    }
    return [_check(name, *look, WANDERING[name], "disturbs") for name, look in looks.items()]


TOOLS = {
    "perf": "apt install linux-perf: counts instructions where the processor does",
    "valgrind": "apt install valgrind: counts instructions for run --count",
    "cmake": "apt install cmake: builds the library's tests",
    "git": "apt install git: results then name the commit",
    "wine": f"{wine.GET}: runs Windows programs (--toolchain x86_64-windows)",
    "x86_64-w64-mingw32-g++": "apt install g++-mingw-w64-x86-64-posix: builds them; so does zig",
    "i686-w64-mingw32-g++": "apt install g++-mingw-w64-i686-posix: the same with 32 bits (x86-windows)",
    "aarch64-linux-gnu-g++": "apt install g++-aarch64-linux-gnu: programs for 64-bit ARM",
    "qemu-aarch64": "apt install qemu-user: runs them",
}


def _tools() -> list[Check]:
    paths = ((name, shutil.which(name), advice) for name, advice in TOOLS.items())
    return [*(_check(name, bool(path), path or "", advice) for name, path, advice in paths), *_foreign()]


def _foreign() -> list[Check]:
    """Look at what no program's name tells: 32-bit libraries, and the 32-bit part of wine."""
    having, reason = "", ""
    try:
        having = ", ".join(chain.name for chain in toolchains.find(["*/x86-linux"]).toolchains)
    except NothingToDo as error:
        reason = str(error)
    except BadInput:
        reason = "no compiler here has such a target"
    advice = "apt install g++-multilib: --toolchain x86-linux"
    checks = [_check("32-bit programs", bool(having), having or reason, advice)]
    if wine.program():
        folder = wine.folder_32()
        checks.append(_check("wine, 32-bit", bool(folder), str(folder or ""), wine.GET_32))
    return checks


def _room() -> list[Check]:
    checks = []
    for name, folder, minimum in (
        ("cache", places.cache_folder(), 2 << 30),
        ("RAM disk", places.fast_folder(), 1 << 30),
    ):
        free = shutil.disk_usage(folder).free
        has_room = free >= minimum and os.access(folder, os.W_OK)
        found = f"{folder}, {units.memory(free)} free"
        advice = f"inputs and outputs may need {units.memory(minimum)} there"
        checks.append(_check(name, has_room, found, advice, state="disturbs"))
    return checks


def _cage(chains: Sequence[compilers.Toolchain], launcher: Launcher | None) -> Check:
    """Look at what keeps contenders from each other: all of it, or what is not there."""
    try:
        lacking = _lacking(chains, launcher)
    except HeadraceError as error:
        return _check("cage", False, str(error), state="disturbs")
    found = "; ".join(f"{what} ({why})" for what, why in lacking.items())
    all_of_it = "its own files, processes and network for each run"
    return _check("cage", not lacking, found or all_of_it, cage.HOW_TO_ALLOW, state="disturbs")


def _lacking(chains: Sequence[compilers.Toolchain], launcher: Launcher | None) -> Mapping[str, str]:
    """Return what a cage does not keep here, with the reason."""
    if launcher is None or not chains:
        raise HeadraceError("not tried: a compiler makes what it needs")
    launcher(chains)
    return cage.look(Path.cwd()).lacking


def _needs(chains: Sequence[compilers.Toolchain]) -> list[Check]:
    """Try what contenders may need with each toolchain. One that has it is enough."""
    checks = []
    for name, need in needs.NEEDS.items():
        having = ", ".join(chain.name for chain in needs.owners(name, chains))
        checks.append(_check(name, bool(having), having, need.get))
    return checks
