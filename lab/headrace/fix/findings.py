"""What a program to be fixed does: watched in runs of it, beside a run of cat on what it reads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from headrace.explain import findings
from headrace.explain.findings import Findings
from headrace.explain.observed import Observation, observe
from headrace.explain.trace import READS, WRITES
from headrace.fix import edits, subject
from headrace.fix.subject import Program, Subject
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import Sample

COUNTED = 2.0  # seconds of the run whose calls are counted, at most


def look(
    one: Subject,
    program: Program,
    measured: Sample,
    told: Callable[[str], None] = lambda text: None,
    seconds: float = math.inf,
) -> Findings:
    """Count the calls of a run, and take samples of some, within about `seconds`.

    `measured` is a run that nothing watched.
    """
    bound = min(COUNTED, seconds / 2)
    counted = count(one, program, bound)
    sampled = findings.sampled(subject.traced(one, program), measured.wall, longest=seconds / 2)
    texts = {
        "text": edits.without_comments(one.text),
        "library": one.toolchain.library,
        "flags": " ".join(one.flags) if one.is_source else "-O?",
        "language": "C" if one.is_source and one.file.suffix == ".c" else "C++",
    }
    found = findings.of(measured, counted, sampled, texts, one.file.name)
    told(found.split.says(one.file.name))
    if isinstance(counted, Failure):
        return found
    if not counted.complete:
        found.remarks.append(f"system calls are those of the first {bound:g} s under the tracer")
    return replace(found, floor=_floor(counted))


def count(one: Subject, program: Program, bound: float) -> Observation | Failure:
    """Count the calls of one run of `bound` seconds at most."""
    return observe(subject.traced(one, program), bound)


def _floor(counted: Observation) -> float:
    """Return the seconds in which cat reads what the program reads, and writes it if that writes as much."""
    read: dict[str, int] = {}
    for each in counted.calls:
        if each.name in READS and " file " in each.to and each.bytes:
            name = each.to.rsplit(" ", 1)[-1]
            read[name] = read.get(name, 0) + each.bytes
    written = sum(each.bytes for each in counted.calls if each.name in WRITES)
    name = max(read, key=read.__getitem__, default="")
    if not counted.complete or not Path(name).is_file():
        return 0.0
    sink = "file" if written > read[name] // 2 else "null"
    times = []
    for _ in range(3):
        request = launch.Request(
            ["cat"], source="file", sink=sink, input=Path(name), timeout=30, answer_on_stdout=False
        )
        ended = launch.run(request)
        times += [] if isinstance(ended, Failure) else [ended.wall]
    return min(times, default=0.0)
