"""Warnings without which the numbers of a race would be misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from headrace.base import units
from headrace.base.text import listed
from headrace.matrix import toolchains
from headrace.matrix.benchmarks import Benchmark
from headrace.matrix.inputs import Input
from headrace.processes import launch
from headrace.processes.launch import Expected
from headrace.race.options import RunOptions
from headrace.race.row_inputs import Key
from headrace.results import schema
from headrace.results.schema import Row


def of_choice(options: RunOptions, chosen: Sequence[Benchmark], found: toolchains.Found) -> list[str]:
    """Return what a reader must know to read the numbers."""
    remarks = []
    if options.quick:
        sizes = [""] if options.input else [f"{each.name} on {_quick_size(each)} and " for each in chosen]
        remarks = [f"A quick run: {size}few rounds; leave --quick out for the full one." for size in sizes]
    if not options.toolchains and not any(chain.library == "libc++" for chain in found.toolchains):
        remarks.append("No toolchain here has libc++; pip install ziglang adds one.")
    return remarks


def _quick_size(benchmark: Benchmark) -> str:
    return ", ".join(f"{key} = {value}" for key, value in benchmark.spec.quick.items()) or "its usual size"


def of_inputs(options: RunOptions, data: Mapping[Key, Sequence[Input]]) -> list[str]:
    """Name the benchmarks whose rounds all read one input though --inputs asked for several."""
    alone = list(dict.fromkeys(name for (name, _), inputs in data.items() if len(inputs) < options.inputs))
    if not alone:
        return []
    return [
        f"All rounds of {listed(alone)} had the same input in spite of --inputs {options.inputs}: "
        "it is not made from a seed, or an answer is recorded for it alone."
    ]


def of_agreement(
    options: RunOptions, asked: Mapping[Key, Sequence[Input]], made: Mapping[Key, Sequence[Input]]
) -> list[str]:
    """Say which answers of --input are what contenders agree on, and no more; `asked`: the inputs before."""
    if not options.input:
        return []
    file = launch.shown_path(Path(options.input))
    return [
        f"All contenders answer {_short(data.expected)} to {file}, and nothing else checks that: see with "
        f"headrace list {key[0]} whether the file is like the usual input."
        for key, (data, *_) in made.items()
        if asked[key][0].expected.agree and not data.expected.agree
    ]


def _short(answer: Expected) -> str:
    return f"with {answer.bytes:,} bytes" if answer.text is None else launch.short(answer.text)


def of_cold(options: RunOptions, rows: Sequence[Row]) -> list[str]:
    """Say where --cold had no effect: a RAM disk, a file system that ignores it, no input at all."""
    if not options.cold:
        return []
    remarks = []
    if any(row.samples and row.source == "none" for row in rows):
        remarks.append("--cold changes nothing for programs that read nothing: they have no input to drop.")
    stayed = [sample.cached for row in rows for sample in row.samples if sample.cached is not None]
    warm = [share for share in stayed if share > schema.MOST_CACHED]
    if warm:
        remarks.append(
            f"In {len(warm)} of {len(stayed)} runs up to {units.percent(max(warm))} of the input stayed in "
            "the page cache in spite of --cold: the cache folder is on a RAM disk, or on a file system that "
            "ignores posix_fadvise. Set HEADRACE_CACHE to a folder on a disk."
        )
    return remarks


def without_absent_peers(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Leave out the rows of a harness that no toolchain has, and say so once a harness and toolchain."""
    absent = [row for row in rows if row.by_peer and row.outcome == "skipped"]
    absences = [f"{row.benchmark} was not timed by {row.harness} too: {row.detail}." for row in absent]
    return [row for row in rows if row not in absent], list(dict.fromkeys(absences))
