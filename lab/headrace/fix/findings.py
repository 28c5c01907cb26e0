"""What a program does, found in one run whose calls are counted and a few of which samples are taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.base.errors import Failed
from headrace.explain import causes, observed, quantities
from headrace.explain.causes import Known
from headrace.explain.observed import Observation, Split
from headrace.explain.rules import Facts
from headrace.explain.trace import READS, WRITES
from headrace.fix import edits, subject
from headrace.fix.subject import Program, Subject
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import Sample

COUNTED = 2.0  # seconds of the run whose calls are counted, at most
SAMPLED = 3.0  # seconds of runs with samples at most
SAMPLES = 1000  # wanted
FEWEST = 600  # that a share is known by, to four percent either way
EVERY = (0.00025, 0.005)  # seconds between samples at least, and at most
GROUPS = {  # system calls that are counted together
    "reads": READS,
    "writes": WRITES,
    "lseeks": ("lseek",),
    "opens": ("open", "openat", "creat"),
    "fsyncs": ("fsync", "fdatasync", "msync", "sync"),
    "sleeps": ("nanosleep", "clock_nanosleep", "select", "pselect6"),
    "mmaps": ("mmap",),
    "futexes": ("futex",),
    "forks": ("fork", "vfork"),
}


@dataclass(frozen=True)
class Findings:
    """What is known of a program as it is."""

    sample: Sample  # of a run that nothing watched
    split: Split
    causes: list[Known]
    facts: Facts
    floor: float = 0.0  # seconds that reading and writing as much takes at least; 0: not known
    remarks: list[str] = field(default_factory=list)

    def holds(self, name: str) -> bool:
        """Tell whether a cause is among those that hold."""
        return any(each.name == name for each in self.causes)


def look(one: Subject, program: Program, told: Callable[[str], None] = lambda text: None) -> Findings:
    """Measure a run, count one's calls, take samples of some. Raises Failed where it does not run."""
    measured = launch.run(subject.request(one, program, None))
    if isinstance(measured, Failure):
        raise Failed(f"{one.file}: {measured.detail}")
    values = {"wall": measured.wall, "user": measured.user, "system": measured.system}
    remarks = []
    counted = count(one, program, COUNTED)
    sampled = _sampled(one, program, measured.wall)
    if isinstance(counted, Failure) or isinstance(sampled, Failure):
        why = next(each.detail for each in (counted, sampled) if isinstance(each, Failure))
        remarks.append(f"what it does could not be seen: {why}")
        counted = sampled = causes.UNSEEN
    if not counted.complete:
        remarks.append(f"system calls are those of the first {COUNTED:g} s under the tracer")
    split = observed.split(sampled)
    told(split.says(one.file.name))
    values |= numbers(counted) | {"faults": float(sampled.faults)}
    in_kernel = min(measured.system, sampled.faults * quantities.costs().fault)
    values["fault_share"] = min(1.0, in_kernel / max(measured.wall, 1e-6))
    facts = Facts(values, texts_of(one, split))
    found = causes.known(facts, counted, sampled, one.file.name)
    return Findings(measured, split, found, facts, _floor(one, counted), remarks)


def count(one: Subject, program: Program, bound: float) -> Observation | Failure:
    """Count the calls of one run of `bound` seconds at most."""
    return observed.observe(subject.traced(one, program), bound)


def _sampled(one: Subject, program: Program, wall: float) -> Observation | Failure:
    """Take samples of runs until there are enough."""
    every = min(max(wall / SAMPLES, EVERY[0]), EVERY[1])
    seen = observed.observe(subject.traced(one, program), SAMPLED, every)
    spent = wall
    while not isinstance(seen, Failure) and seen.moments < FEWEST and spent < SAMPLED / 2:
        more = observed.observe(subject.traced(one, program), SAMPLED, every)
        if isinstance(more, Failure) or not more.moments:
            break
        seen = replace(
            seen,
            samples=[*seen.samples, *more.samples],
            ran=seen.ran + more.ran,
            waited=seen.waited + more.waited,
        )
        spent += max(wall, 0.05)
    return seen


def texts_of(one: Subject, split: Split) -> dict[str, str]:
    """Return what `where` searches."""
    return {
        "text": edits.without_comments(one.text),
        "library": one.toolchain.library,
        "flags": " ".join(one.flags) if one.is_source else "-O?",
        "language": "C" if one.is_source and one.file.suffix == ".c" else "C++",
        "spots": split.own_work(one.file.name),
    }


def numbers(seen: Observation) -> dict[str, float]:
    """Return the counts of a run."""
    values: dict[str, float] = {
        group: sum(each.count for each in seen.calls if each.name in names and (each.bytes or names != READS))
        for group, names in GROUPS.items()
    }
    for name, group in (("bytes_read", READS), ("bytes_written", WRITES)):
        values[name] = sum(each.bytes for each in seen.calls if each.name in group)
    values["calls"] = sum(each.count for each in seen.calls)
    values["forks"] = max(seen.processes, values["forks"])
    values["maps_input"] = sum(each.name == "mmap" and " file " in each.to for each in seen.calls)
    return {name: float(value) for name, value in values.items()}


def _floor(one: Subject, counted: Observation) -> float:
    """Return the seconds in which cat reads what the program reads, and writes it if that writes as much."""
    read: dict[str, int] = {}
    for each in counted.calls:
        if each.name in READS and " file " in each.to and each.bytes:
            name = each.to.rsplit(" ", 1)[-1]
            read[name] = read.get(name, 0) + each.bytes
    written = sum(each.bytes for each in counted.calls if each.name in WRITES)
    if not counted.complete or not read:
        return 0.0
    name = max(read, key=read.__getitem__)
    if not Path(name).is_file():
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
