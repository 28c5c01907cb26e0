"""What a program does: the calls of one run, samples of a few, and the causes that hold."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from headrace.explain import causes, observed
from headrace.explain.causes import UNSEEN, Known
from headrace.explain.observed import Observation, Split
from headrace.explain.rules import Facts
from headrace.explain.trace import READS, WRITES
from headrace.processes.launch import Request
from headrace.results.failure import Failure
from headrace.results.schema import Sample

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
    sampled: Observation = UNSEEN


def of(
    sample: Sample,
    counted: Observation | Failure,
    sampled: Observation | Failure,
    texts: Mapping[str, str],
    file: str,
) -> Findings:
    """Return the causes in a run whose calls were counted and in samples of others.

    `sample` is of a run that nothing watched, `texts` what `where` searches, `file` the source whose name
    goes without saying.
    """
    values = {"wall": sample.wall, "user": sample.user, "system": sample.system}
    remarks = []
    if isinstance(counted, Failure) or isinstance(sampled, Failure):
        why = next(each.detail for each in (counted, sampled) if isinstance(each, Failure))
        remarks.append(f"what it does could not be seen: {why}")
        counted = sampled = UNSEEN
    split = observed.split(sampled)
    values |= numbers(counted) | {"faults": float(sampled.faults)}
    undelayed = sampled.undelayed()  # as the wall time of `sample` is
    in_calls = sum(each.count for each in undelayed.samples if each.call and each.state == "R")
    in_kernel = sample.system / max(sample.wall, 1e-6) - in_calls / max(undelayed.moments, 1e-6)
    values["fault_share"] = min(1.0, max(0.0, in_kernel))  # what else it does there is next to nothing
    facts = Facts(values, {**texts, "spots": split.own_work(file)})
    known = causes.known(facts, counted, undelayed, file)
    return Findings(sample, split, known, facts, remarks=remarks, sampled=sampled)


def sampled(
    request: Request, wall: float, fewest: int = FEWEST, longest: float = SAMPLED
) -> Observation | Failure:
    """Take samples of runs of `wall` seconds until there are at least `fewest`, or the time is up."""
    longest = min(longest, SAMPLED)
    every = min(max(wall / SAMPLES, EVERY[0]), EVERY[1])
    began = time.monotonic()
    seen = observed.observe(request, longest, every)
    spent = time.monotonic() - began
    while not isinstance(seen, Failure) and seen.moments < fewest and spent < longest / 2:
        more = observed.observe(request, longest - spent, every)
        if isinstance(more, Failure) or not more.moments + more.loading:
            break
        seen = replace(
            seen,
            samples=[*seen.samples, *more.samples],
            ran=seen.ran + more.ran,
            waited=seen.waited + more.waited,
            loading=seen.loading + more.loading,
        )
        spent = time.monotonic() - began
    return seen


def numbers(seen: Observation) -> dict[str, float]:
    """Return the counts of a run."""
    values: dict[str, float] = {
        group: sum(each.count for each in seen.calls if each.call in names and (each.bytes or names != READS))
        for group, names in GROUPS.items()
    }
    for name, group in (("bytes_read", READS), ("bytes_written", WRITES)):
        values[name] = sum(each.bytes for each in seen.calls if each.call in group)
    values["calls"] = sum(each.count for each in seen.calls)
    values["forks"] = max(seen.processes, values["forks"])
    values["maps_input"] = sum(each.call == "mmap" and " file " in each.to for each in seen.calls)
    return {name: float(value) for name, value in values.items()}
