"""The quantities that rules compare: counts per MiB, times over the floor, and what each explains of a time.

All are plain numbers by name. `of` makes those of one row; `against` adds the baseline's (as `base.NAME`),
the ratios of times, and the shares. Counts are per MiB of input, or of output where a program reads nothing.
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import median

from headrace.explain.rules import Facts
from headrace.explain.trace import MOVES, READS, WRITES
from headrace.results.schema import Row, SystemCalls

MIB = 1 << 20
MOST_OF_A_CALL = 20  # times the cheapest call: what a write to a terminal or a fresh file may cost
GROUPS = {"reads": READS, "writes": WRITES, "copies": MOVES}
Values = dict[str, float]


@dataclass(frozen=True)
class Costs:
    """What the kernel takes on this machine at least, in seconds."""

    call: float
    fault: float


@cache
def costs() -> Costs:
    """Measure a write of one byte to /dev/null and the first touch of a page: the best of several tries."""
    return Costs(min(_call_cost() for _ in range(5)), min(_fault_cost() for _ in range(5)))


def _call_cost(times: int = 5000) -> float:
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        begun = time.thread_time()
        for _ in range(times):
            os.write(sink, b"x")
        return (time.thread_time() - begun) / times
    finally:
        os.close(sink)


def _fault_cost(pages: int = 2048) -> float:
    with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
        if hasattr(memory, "madvise") and hasattr(mmap, "MADV_NOHUGEPAGE"):
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        begun = time.thread_time()
        for at in range(0, len(memory), mmap.PAGESIZE):
            memory[at] = 1
        return (time.thread_time() - begun) / pages


def calls_a_mib(calls: SystemCalls) -> Values:
    """Return the calls by name once bytes move, per MiB. Empty when nothing moved."""
    if calls.moved <= 0:
        return {}
    scale = MIB / calls.moved
    counts = {name: count - calls.start_up.get(name, 0) for name, count in calls.counts.items()}
    return {name: count * scale for name, count in counts.items() if count > 0 and name != "exit_group"}


def of(row: Row, size: int, floor: Row | None, loading: float = 0.0) -> Values:
    """Return a row's own quantities. `size`: bytes that a sample moves. Times are over the floor's.

    `loading`: seconds that this program's start takes longer than the floor's.
    """
    values = _times(row, floor, loading)
    mib = max(size, 1) / MIB
    faults = _median(row, "minor_faults") - (_median(floor, "minor_faults") if floor else 0.0)
    values["faults"] = max(0.0, faults) / mib
    values["switches"] = _median(row, "voluntary_switches") / mib
    values["peak"] = max((float(sample.peak_memory) for sample in row.samples), default=0.0)
    if row.system_calls is not None:
        values |= _counts(row.system_calls)
    return values


def _times(row: Row, floor: Row | None, loading: float) -> Values:
    user, system, wall = (_median(row, name) for name in ("user", "system", "wall"))
    start = _median(floor, "user") + _median(floor, "system") + loading if floor else 0.0
    start_wall = _median(floor, "wall") + loading if floor else 0.0
    whole = user + system
    return {
        "cpu": max(whole - start, 0.02 * whole),  # a row as fast as the floor keeps a little, to divide by
        "wall": max(wall - start_wall, 0.02 * wall),
        "user": user,
        "system": system,
        "start_share": min(1.0, start / whole) if whole else 0.0,
        "start_wall": min(start_wall, wall),
        "whole_wall": wall,
    }


def _median(row: Row, name: str) -> float:
    return float(median(getattr(sample, name) for sample in row.samples)) if row.samples else 0.0


def _counts(calls: SystemCalls) -> Values:
    values = calls_a_mib(calls)
    total = sum(values.values())
    for group, names in GROUPS.items():
        values[group] = sum(values.get(name, 0.0) for name in names)
    values["calls"] = total
    reads, writes = (
        sum(n for size, n in sizes.items() if size) for sizes in (calls.read_sizes, calls.write_sizes)
    )
    values["read_size"] = calls.bytes_read / reads if reads else 0.0
    values["write_size"] = calls.bytes_written / writes if writes else 0.0
    values["bytes_a_seek"] = MIB / values["lseek"] if values.get("lseek") else 0.0
    return values


def against(own: Values, base: Values, size: int, known: Costs) -> Facts:
    """Set a row against its baseline: ratios, and the shares of the difference in time between the two."""
    values = own | {f"base.{name}": value for name, value in base.items()}
    for name in ("cpu", "wall", "system"):
        values[f"{name}_ratio"] = own[name] / max(base[name], 1e-6)
    extra = own["cpu"] - base["cpu"]
    values["user_part"] = _part(own["user"] - base["user"], extra)
    values["user_saved"] = _part(base["user"] - own["user"], -extra)
    mib = max(size, 1) / MIB
    saved = _shares(base, own, mib, known)
    values["saved_by_calls"] = saved.get("all calls", 0.0)
    values["saved_by_faults"] = saved.get("faults", 0.0)
    shares = _shares(own, base, mib, known)
    values["waits"] = shares["waits"]
    values["call_share"] = shares.pop("all calls", 0.0)
    top = _top(own, base)
    if top:
        values |= {"top": own[top], "base.top": base.get(top, 0.0), "bytes_a_top": MIB / own[top]}
        shares["top"] = shares.get(top, 0.0)
    return Facts(values, {"top_name": top or "none"}, shares)


def _part(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole)) if whole > 0 else 0.0


def _shares(own: Values, base: Values, mib: float, known: Costs) -> Values:
    """Return what part of the extra processor time the extra calls and faults account for, and the rest.

    A call costs at least what the cheapest one costs here, and at most 20 times that; in between, the extra
    system time decides.
    """
    extra = own["cpu"] - base["cpu"]
    waits = own["wall"] - base["wall"] - max(0.0, extra)
    shares = {"waits": _part(waits, own["wall"] - base["wall"])}
    if extra <= 0:
        return shares
    more = _more_calls(own, base)
    count = sum(more.values()) * mib
    system = max(0.0, own["system"] - base["system"])
    seconds = min(max(count * known.call, system), count * known.call * MOST_OF_A_CALL)
    faults = max(0.0, own["faults"] - base["faults"]) * mib * known.fault
    spoken_for = max(extra, seconds + faults)
    for name, number in more.items():
        shares[name] = seconds / spoken_for * (number * mib / count)
    for group, names in GROUPS.items():
        shares[group] = sum(shares.get(name, 0.0) for name in names)
    shares["faults"] = faults / spoken_for
    shares["all calls"] = seconds / spoken_for
    shares["rest"] = max(0.0, 1.0 - shares["all calls"] - shares["faults"])
    return shares


def _more_calls(own: Mapping[str, float], base: Mapping[str, float]) -> Values:
    """Return by how many calls per MiB a row exceeds its baseline, by name."""
    more = {name: own[name] - base.get(name, 0.0) for name in own if name not in OTHERS}
    return {name: number for name, number in more.items() if number > 0}


def _top(own: Values, base: Values) -> str:
    more = _more_calls(own, base)
    return max(more, key=more.__getitem__, default="")


OTHERS = frozenset(
    "cpu wall user system start_share start_wall whole_wall faults switches peak calls read_size write_size "
    "bytes_a_seek".split()
).union(GROUPS)
