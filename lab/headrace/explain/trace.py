"""System calls of one run, by name and by the sizes of what moved from the source and to the sink.

What a program does before its first byte moves (the loader, the runtime) is counted apart, so that "calls per
MiB" means the same for an input of 64 KiB and for one of a gigabyte.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.explain import observed
from headrace.explain.observed import Observation
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import SystemCalls

MIB = 1 << 20
READS = ("read", "readv", "pread64", "preadv", "preadv2")
WRITES = ("write", "writev", "pwrite64", "pwritev", "pwritev2")
MOVES = ("sendfile", "splice", "copy_file_range")  # from one descriptor to another


def check() -> None:
    """Trace a program that does nothing. Raises BadInput where programs may not be traced."""
    build.launcher([])
    seen = observed.observe(launch.Request(["true"], "none", "null"), bound=30, with_callers=False)
    if isinstance(seen, Failure) or seen.failure is not None:
        raise BadInput(seen.detail if isinstance(seen, Failure) else observed.HOW_TO_ALLOW)


def watched(request: launch.Request, bound: float, with_callers: bool = True) -> Observation | Failure:
    """Count the calls of one run for at most `bound` seconds; what takes longer gives those until then.

    A program that fails by itself is a failure.
    """
    seen = observed.observe(replace(request, pin=None, cold=False), bound, with_callers=with_callers)
    if isinstance(seen, Failure) or seen.failure is None or not seen.complete:
        return seen
    return seen.failure


def counts_of(seen: Observation) -> SystemCalls:
    """Return the calls of a run by name and size, those of its start apart.

    `moved` is how many bytes it has worked on: a copy may have read ahead of what it wrote.
    """
    counts, start_up, failed = Counter[str](), Counter[str](), Counter[str]()
    read_sizes, write_sizes = Counter[int](), Counter[int]()
    bytes_read = bytes_written = 0
    for each in [*seen.loader, *seen.calls]:
        counts[each.call] += each.count
        start_up[each.call] += each.count if each.is_early else 0
        failed[f"{each.call} {each.error}"] += each.count if each.error else 0
        if each.reads_source and each.call in READS + MOVES:
            read_sizes[each.size] += each.count
            bytes_read += each.bytes
        if each.writes_sink:
            write_sizes[each.size] += each.count
            bytes_written += each.bytes
    return SystemCalls(
        counts=_ordered(counts),
        read_sizes=dict(sorted(read_sizes.items())),
        write_sizes=dict(sorted(write_sizes.items())),
        bytes_read=bytes_read,
        bytes_written=bytes_written,
        start_up=_ordered(start_up),
        failed=_ordered(failed),
        moved=bytes_written if bytes_written >= bytes_read // 2 else bytes_read,
        complete=seen.complete,
        tool="ptrace",
    )


def calls_a_mib(calls: SystemCalls) -> dict[str, float]:
    """Return the calls by name once bytes move, per MiB. Empty when nothing moved."""
    if calls.moved <= 0:
        return {}
    scale = MIB / calls.moved
    counts = {name: count - calls.start_up.get(name, 0) for name, count in calls.counts.items()}
    return {name: count * scale for name, count in counts.items() if count > 0 and name != "exit_group"}


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in counts.most_common() if count}
