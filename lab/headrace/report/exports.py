"""Campaigns as files for others: our own tables, and what the tools of other harnesses read.

- hyperfine's JSON: `results`, one per command, with every time; its scripts and its plots read it.
- Google Benchmark's JSON: an entry per repetition; its tools/compare.py reads it.
- pyperf's JSON, version 1.0: `python -m pyperf show`, `stats` and `compare_to` read it.

Rows without a sample are left out there, as are the A/A twins.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.report import advice, csv, markdown
from headrace.report.plain_data import as_data
from headrace.report.view import View
from headrace.results.schema import Campaign, Row

NANOSECONDS = 1e9


def _rows(views: Sequence[View]) -> Iterable[tuple[Campaign, Row]]:
    """Yield what was measured; a row's id is unique in one campaign."""
    for view in views:
        for row in view.campaign.rows:
            if row.samples and not row.twin_of:
                yield view.campaign, row


def _name(views: Sequence[View], campaign: Campaign, row: Row) -> str:
    """Name a row; of several campaigns with the time when each began."""
    return row.id if len(views) == 1 else f"{row.id} {campaign.started}"


def ours(views: Sequence[View]) -> str:
    """Make the rankings as JSON, as `headrace report --json` prints them."""
    return json.dumps([as_data(view) for view in views], indent=1) + "\n"


def hyperfine(views: Sequence[View]) -> str:
    """Make what `hyperfine --export-json` writes. Times are seconds."""
    results = []
    for campaign, row in _rows(views):
        times = [sample.wall for sample in row.samples]
        results.append(
            {
                "command": _name(views, campaign, row),
                "mean": statistics.fmean(times),
                "stddev": statistics.stdev(times) if len(times) > 1 else None,
                "median": statistics.median(times),
                "user": statistics.fmean(sample.user for sample in row.samples),
                "system": statistics.fmean(sample.system for sample in row.samples),
                "min": min(times),
                "max": max(times),
                "times": times,
                "memory_usage_byte": [sample.peak_memory for sample in row.samples],
                "exit_codes": [0] * len(times),
                "parameters": _parameters(row),
            }
        )
    return json.dumps({"results": results}, indent=1) + "\n"


def _parameters(row: Row) -> dict[str, str]:
    return {
        "benchmark": row.benchmark,
        "contender": row.contender,
        "toolchain": row.toolchain,
        "optimisation": row.optimisation,
        "route": f"{row.source}:{row.sink}",
        **row.variant,
        **row.input,
    }


def google_benchmark(views: Sequence[View]) -> str:
    """Make what `--benchmark_out` writes: each sample is a repetition of one iteration, in nanoseconds."""
    entries = []
    for family, (campaign, row) in enumerate(_rows(views)):
        name = _name(views, campaign, row)
        for index, sample in enumerate(row.samples):
            entries.append(
                {
                    "name": name,
                    "family_index": family,
                    "per_family_instance_index": 0,
                    "run_name": name,
                    "run_type": "iteration",
                    "repetitions": len(row.samples),
                    "repetition_index": index,
                    "threads": 1,
                    "iterations": 1,
                    "real_time": sample.wall * NANOSECONDS,
                    "cpu_time": (sample.user + sample.system) * NANOSECONDS,
                    "time_unit": "ns",
                    **(
                        {"bytes_per_second": row.input_bytes / sample.wall}
                        if row.input_bytes and sample.wall
                        else {}
                    ),
                }
            )
    first = views[0].campaign
    context = {
        "date": first.started,
        "host_name": "",
        "executable": " ".join(first.command[:2]) or "headrace",
        "num_cpus": first.machine.cores,
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": first.machine.governor not in ("", "performance"),
        "caches": [],
        "load_avg": [],
        "library_version": f"headrace {first.headrace_version}",
        "library_build_type": "release",
        "json_schema_version": 1,
    }
    return json.dumps({"context": context, "benchmarks": entries}, indent=1) + "\n"


def pyperf(views: Sequence[View]) -> str:
    """Make what `pyperf` writes: each sample is a run of one value, in seconds."""
    made = []
    for campaign, row in _rows(views):
        facts = {
            "name": _name(views, campaign, row),
            "unit": "second",
            "cpu_model_name": campaign.machine.cpu,
            "cpu_count": campaign.machine.cores,
            "platform": campaign.machine.system,
            "description": f"{row.label}, {row.toolchain} {row.optimisation}",
        }
        made.append(
            {
                "metadata": {key: value for key, value in facts.items() if value},
                "runs": [{"values": [sample.wall]} for sample in row.samples],
            }
        )
    return json.dumps({"version": "1.0", "benchmarks": made}, indent=1) + "\n"


Maker = Callable[[Sequence[View]], str]
EXPORTS: dict[str, Maker] = {
    "markdown": markdown.text,
    "csv": csv.text,
    "json": ours,
    "hyperfine": hyperfine,
    "google-benchmark": google_benchmark,
    "pyperf": pyperf,
    "advice": advice.text,
}
FOR_OTHERS = {"hyperfine", "google-benchmark", "pyperf"}
STDOUT = Path("-")


def check(wanted: Mapping[str, Path]) -> None:
    """Look whether all can be written: `wanted` has places by names of EXPORTS. Raises BadInput."""
    for path in wanted.values():
        if path != STDOUT:
            places.check_writable(path)


def write(
    views: Sequence[View], wanted: Mapping[str, Path], own: Mapping[str, Maker] | None = None
) -> list[Path]:
    """Write the exports, each whole or not at all; `own` makers come before EXPORTS. Returns the files.

    Raises BadInput.
    """
    makers = {**EXPORTS, **(own or {})}
    if FOR_OTHERS & set(wanted) and not any(_rows(views)):
        raise BadInput("nothing was measured, so there is nothing to export for other tools")
    for name, path in wanted.items():
        text = makers[name](views)
        if path == STDOUT:
            sys.stdout.write(text)
        elif path.is_char_device() or path.is_fifo():
            path.write_bytes(text.encode())  # a device is not replaced
        else:
            places.write_whole(path, text.encode())
    return [path for path in wanted.values() if path != STDOUT]
