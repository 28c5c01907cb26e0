"""Facts of this machine, read from /proc and /sys; "" or 0 where the system does not tell."""

from __future__ import annotations

import os
import platform
import re
from functools import cache

from headrace.base.places import system_text
from headrace.machine import noise
from headrace.results.schema import Machine

FEATURES = (  # the ones that decide how text is read and written
    "sse4_1", "sse4_2", "avx2", "bmi2",
    "avx512f", "avx512bw", "avx512vl", "avx512_vbmi", "avx512_vbmi2", "asimd", "sve",
)  # fmt: skip


def read() -> Machine:
    """Return what a results file keeps of the machine."""
    info = _processor()
    flags = set(info.get("flags", info.get("Features", "")).split())
    return Machine(
        cpu=info.get("model name") or platform.processor() or platform.machine(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        features=[name for name in FEATURES if name in flags],
        memory=_memory("MemTotal"),
        kernel=platform.release(),
        system=_system(),
        governor=noise.governor(),
        turbo=noise.turbo(),
    )


@cache
def most_memory() -> int:
    """Return how many bytes a measured program may have: a quarter of the memory is left to all else."""
    return _memory("MemTotal") * 3 // 4


def available_memory() -> int:
    """Return the bytes that programs can still get."""
    return _memory("MemAvailable")


def _processor() -> dict[str, str]:
    first = system_text("/proc/cpuinfo").partition("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _memory(key: str) -> int:
    told = re.search(rf"^{key}: *(\d+)", system_text("/proc/meminfo"), re.MULTILINE)
    return int(told[1]) * 1024 if told else 0


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.platform()
