"""A diagnosis: what this machine offers to the lab, what disturbs it, what is missing, how to get it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError, NothingToDo
from headrace.base.text import plural
from headrace.machine import facts, noise
from headrace.matrix import compilers, needs, toolchains
from headrace.matrix.toolchains import Found
from headrace.processes import cage, wine
from headrace.results.schema import Machine, ToolchainInfo

Launcher = Callable[[Sequence[compilers.Toolchain]], Path]


class Check(BaseModel):
    """One thing that was looked at. `advice` is empty when all is well."""

    name: str
    state: Literal["good", "missing", "disturbs"]
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
        compiler = Check(name="compiler", state="missing", found="none", advice=str(error))
    else:
        names = ", ".join(chain.name for chain in found.toolchains)
        compiler = Check(name="compiler", state="good", found=names)
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


def _library(found: Found) -> Check:
    having = [chain.name for chain in found.toolchains if chain.library == "libc++"]
    if having:
        return Check(name="libc++", state="good", found=", ".join(having))
    return Check(
        name="libc++",
        state="missing",
        found="none",
        advice="pip install ziglang (clang with libc++, no root), or apt install clang libc++-dev",
    )


def _noise(machine: Machine) -> list[Check]:
    """Look at what makes times wander."""
    load = noise.load()
    busy = load > 0.5 * machine.cores
    governor_steady = machine.governor in ("", "performance")
    checks = [
        Check(
            name="load",
            state="disturbs" if busy else "good",
            found=f"{load:.2f} processes on {plural(machine.cores, 'processor')}",
            advice="other work takes processor time: end it, or wait" if busy else "",
        ),
        Check(
            name="governor",
            state="good" if governor_steady else "disturbs",
            found=machine.governor or "not reported (usual on a virtual machine)",
            advice="" if governor_steady else "cpupower frequency-set --governor performance",
        ),
        Check(
            name="turbo",
            state="disturbs" if machine.turbo == "on" else "good",
            found=machine.turbo or "not reported",
            advice="the clock rate depends on temperature; interleaved rounds allow for that"
            if machine.turbo == "on"
            else "",
        ),
    ]
    available = facts.available_memory()
    short = 0 < available < 1 << 30
    found = f"{available / 2**30:.1f} of {machine.memory / 2**30:.1f} GiB available"
    advice = "less than 1 GiB is left: inputs may fall out of the page cache" if short else ""
    return [*checks, Check(name="memory", state="disturbs" if short else "good", found=found, advice=advice)]


TOOLS = {
    "perf": "apt install linux-perf: counts instructions where the processor does",
    "valgrind": "apt install valgrind: counts instructions for explain --deep",
    "cmake": "apt install cmake: builds the library's tests",
    "git": "apt install git: results then name the commit",
    "wine": f"{wine.GET}: runs Windows programs (--toolchain x86_64-windows)",
    "x86_64-w64-mingw32-g++": "apt install g++-mingw-w64-x86-64-posix: builds them; so does zig",
    "i686-w64-mingw32-g++": "apt install g++-mingw-w64-i686-posix: the same with 32 bits (x86-windows)",
    "aarch64-linux-gnu-g++": "apt install g++-aarch64-linux-gnu: programs for 64-bit ARM",
    "qemu-aarch64": "apt install qemu-user: runs them",
}


def _tools() -> list[Check]:
    checks = []
    for name, advice in TOOLS.items():
        path = shutil.which(name)
        state: Literal["good", "missing"] = "good" if path else "missing"
        checks.append(Check(name=name, state=state, found=path or "none", advice="" if path else advice))
    return [*checks, *_foreign()]


def _foreign() -> list[Check]:
    """Look at what no program's name tells: 32-bit libraries, and the 32-bit part of wine."""
    having: list[str] = []
    try:
        having = [chain.name for chain in toolchains.find(["*/x86-linux"]).toolchains]
        reason = ""
    except NothingToDo as error:
        reason = str(error)
    except BadInput:
        reason = "no compiler here has such a target"
    checks = [
        Check(
            name="32-bit programs",
            state="good" if having else "missing",
            found=", ".join(having) or reason,
            advice="" if having else "apt install g++-multilib: --toolchain x86-linux",
        )
    ]
    if wine.program():
        folder = wine.folder_32()
        state: Literal["good", "missing"] = "good" if folder else "missing"
        advice = "" if folder else wine.GET_32
        checks.append(Check(name="wine, 32-bit", state=state, found=str(folder or "none"), advice=advice))
    return checks


def _room() -> list[Check]:
    checks = []
    for name, folder, minimum in (
        ("cache", places.cache_folder(), 2 << 30),
        ("RAM disk", places.fast_folder(), 1 << 30),
    ):
        free = shutil.disk_usage(folder).free
        scarce = free < minimum or not os.access(folder, os.W_OK)
        checks.append(
            Check(
                name=name,
                state="disturbs" if scarce else "good",
                found=f"{folder}, {free / 2**30:.1f} GiB free",
                advice=f"inputs and outputs may need {minimum >> 30} GiB there" if scarce else "",
            )
        )
    return checks


def _cage(chains: Sequence[compilers.Toolchain], launcher: Launcher | None) -> Check:
    """Look at what keeps contenders from each other: all of it, or what is not there."""
    try:
        lacking = _lacking(chains, launcher)
    except HeadraceError as error:
        return Check(name="cage", state="disturbs", found=str(error))
    if not lacking:
        return Check(name="cage", state="good", found="its own files, processes and network for each run")
    found = "; ".join(f"{what} ({why})" for what, why in lacking.items())
    return Check(name="cage", state="disturbs", found=found, advice=cage.HOW_TO_ALLOW)


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
        having = [chain.name for chain in needs.owners(name, chains)]
        checks.append(
            Check(
                name=name,
                state="good" if having else "missing",
                found=", ".join(having) or "none",
                advice="" if having else need.get,
            )
        )
    return checks
