"""What a kernel is worth to a bundle that has to be small: worth.toml, which has measured times."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from headrace.bundle.wish import ALWAYS_KEPT

FILE = Path(__file__).with_name("worth.toml")


@cache
def _read() -> tuple[Mapping[str, Mapping[str, float]], Mapping[str, float]]:
    data = tomllib.loads(FILE.read_text("utf-8"))
    return data["nanoseconds"], data["machines"]


def is_known(kernel: str) -> bool:
    """Whether the kernel was measured."""
    return kernel in _read()[0]


def expected_time(kernels: Collection[str]) -> float:
    """Return what a value takes a program with these kernels, in nanoseconds, over all machines."""
    times, machines = _read()
    order = list(machines)  # the best first; a machine runs those after its best one, too
    total = 0.0
    for at, share in enumerate(machines.values()):
        best = next((name for name in order[at:] if name in kernels), ALWAYS_KEPT)
        total += share * sum(times[best].values())
    return total
