"""What a program asks of the system, counted in one run under a tracer."""

from __future__ import annotations

from dataclasses import replace

from headrace.base.errors import BadInput
from headrace.explain import trace
from headrace.fix import subject
from headrace.fix.subject import Program, Subject
from headrace.results.failure import Failure

NOTHING = dict.fromkeys(("reads", "writes", "lseeks", "calls", "forks"), 0.0)  # where nothing can be counted
PROCESSES = ("fork", "vfork", "clone", "clone3")


def of(one: Subject, program: Program, seconds: float) -> tuple[dict[str, float], bool]:
    """Count the calls of one run of `seconds` at most, and tell whether that was all of it.

    Raises NothingToDo without a tracer, BadInput where it cannot trace.
    """
    request = replace(subject.traced(one, program), runner=[])
    found = trace.run(trace.find_tool(), request, seconds)
    if isinstance(found, Failure):
        raise BadInput(found.detail)
    after = {name: number - found.start_up.get(name, 0) for name, number in found.counts.items()}
    reads = float(sum(number for size, number in found.read_sizes.items() if size))
    writes = float(sum(found.write_sizes.values()))
    counted = {
        "reads": reads,
        "writes": writes,
        "lseeks": float(after.get("lseek", 0)),
        "calls": float(sum(after.values())),
        "forks": float(sum(found.counts.get(name, 0) for name in PROCESSES)),
        "bytes_read": float(found.bytes_read),
        "bytes_written": float(found.bytes_written),
        "read_size": found.bytes_read / reads if reads else 0.0,
        "write_size": found.bytes_written / writes if writes else 0.0,
    }
    return counted, found.complete
