"""Other harnesses' results as campaigns: the JSON of Google Benchmark, hyperfine and pyperf.

These harnesses run one row to its end and then the next, so no run of one row has a partner in another. Each
run gets a round of its own here; ratios are of medians, without bounds, and nothing gets a verdict.

The keys are those of Google Benchmark's docs/user_guide.md and its JSON reporter, of hyperfine's
BenchmarkResult, and of the pyperf file format, version 1.0.
"""

from __future__ import annotations

import hashlib
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.names import unknown
from headrace.base.text import visible
from headrace.results.schema import (
    BenchmarkInfo,
    Campaign,
    Comparison,
    Machine,
    Outcome,
    Role,
    Row,
    Run,
    Sample,
    ToolchainInfo,
    parsed,
)

Kind = Literal["Google Benchmark", "hyperfine", "pyperf"]
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True)
class Facts:
    """Facts that a person adds to a file that lacks them. Empty: as the file says, or as usual."""

    benchmark: str = ""
    baseline: str = ""
    started: str = ""
    commit: str = ""
    machine: Machine | None = None
    host: str = ""


@dataclass(frozen=True)
class _Timed:
    """One row of a file. Its runs have no rounds yet."""

    name: str
    runs: list[Sample]
    setting: dict[str, str] = field(default_factory=dict)
    bytes: int = 0
    notes: list[str] = field(default_factory=list)
    outcome: Outcome = "ok"
    detail: str = ""


@dataclass(frozen=True)
class _Read:
    """The content of a file."""

    rows: list[_Timed]
    benchmark: str = ""
    started: str = ""
    host: str = ""
    machine: Machine | None = None
    version: str = ""  # of what ran the rows: a library, an interpreter
    process: bool = False  # whether a run is a whole process
    warnings: list[str] = field(default_factory=list)


def _sample(wall: float, user: float = 0.0, system: float = 0.0, peak_memory: int = 0) -> Sample:
    return Sample(round=0, wall=wall, user=user, system=system, peak_memory=peak_memory)


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


# --- which kind


def kind_of(data: object) -> Kind | None:
    """Tell whose JSON it is; None for none of them."""
    if not isinstance(data, dict):
        return None
    rows = data.get("benchmarks")
    if isinstance(data.get("context"), dict) and isinstance(rows, list):
        return "Google Benchmark"
    if isinstance(data.get("version"), str) and isinstance(rows, list) and "schema_version" not in data:
        return "pyperf" if _are_all(rows, "runs") else None
    results = data.get("results")
    return "hyperfine" if isinstance(results, list) and _are_all(results, "command") else None


def _are_all(rows: Sequence[object], key: str) -> bool:
    """Whether there are rows, each with a key."""
    return bool(rows) and all(isinstance(row, dict) and key in row for row in rows)


def read(path: Path, given: Facts) -> Campaign:
    """Read another harness's file. Raises BadInput that names the file, and what is wrong with it."""
    content = _content(path)
    try:
        data = parsed(content)
    except ValueError as error:
        raise BadInput(f"{path} is not JSON, or was cut short ({error})") from error
    kind = kind_of(data)
    if kind is None:
        raise BadInput(f"{path} {_what_it_is(data)}")
    try:
        found = READERS[kind](data)
    except ValidationError as error:
        raise BadInput(f"{path} looks like {kind}'s JSON, but {first_fault(error)}") from error
    if not any(row.runs for row in found.rows):
        raise BadInput(f"{path} is {kind}'s JSON, and has no times")
    return _campaign(path, content, kind, found, given)


def _content(path: Path) -> bytes:
    try:
        return places.read_plain(path)
    except OSError as error:
        raise BadInput(
            f"cannot read {path}: {error.strerror or error}; name a file that Google Benchmark, hyperfine or "
            "pyperf wrote"
        ) from error


def _what_it_is(data: object) -> str:
    if isinstance(data, dict) and isinstance(data.get("schema_version"), int):
        return "is a results file of headrace already; headrace history add, and report, take it as it is"
    keys = ", ".join(list(map(visible, data))[:5]) if isinstance(data, dict) else ""
    has = f"it has the keys {keys}" if keys else "it is no object with keys"
    return f"is JSON of an unknown kind, neither Google Benchmark's nor hyperfine's nor pyperf's: {has}"


# --- Google Benchmark


class _GoogleContext(_Model):
    date: str = ""
    host_name: str = ""
    executable: str = ""
    num_cpus: int = 0
    mhz_per_cpu: float = 0
    library_version: str = ""
    library_build_type: str = ""


class _GoogleEntry(_Model):
    name: str
    run_name: str = ""
    run_type: str = "iteration"
    aggregate_name: str = ""
    real_time: float | None = Field(default=None, ge=0)
    cpu_time: float | None = Field(default=None, ge=0)
    time_unit: Literal["ns", "us", "ms", "s"] = "ns"
    bytes_per_second: float = 0
    label: str = ""
    error_occurred: bool = False
    error_message: str = ""
    skipped: bool = False
    skip_message: str = ""


class _Google(_Model):
    context: _GoogleContext
    benchmarks: list[_GoogleEntry]


def _google(data: dict[str, Any]) -> _Read:
    file = _Google.model_validate(data)
    context = file.context
    by_name: dict[str, list[_GoogleEntry]] = {}
    for entry in file.benchmarks:
        by_name.setdefault(entry.run_name or entry.name, []).append(entry)
    mhz = f", {context.mhz_per_cpu:,.0f} MHz" if context.mhz_per_cpu else ""
    debug = context.library_build_type == "debug"
    return _Read(
        rows=[_google_row(name, entries) for name, entries in by_name.items()],
        benchmark=Path(context.executable).stem,
        started=context.date,
        host=context.host_name,
        machine=Machine(cpu=f"a processor without a name{mhz}", cores=context.num_cpus),
        version=context.library_version,
        warnings=["Google Benchmark was built for debugging: its own part of each time is larger"] * debug,
    )


def _google_row(name: str, entries: Sequence[_GoogleEntry]) -> _Timed:
    contender, setting = _google_name(name)
    notes = list(dict.fromkeys(entry.label for entry in entries if entry.label))
    failed = next((entry for entry in entries if entry.error_occurred or entry.skipped), None)
    if failed is not None:
        outcome: Outcome = "CRASHED" if failed.error_occurred else "skipped"
        detail = failed.error_message or failed.skip_message
        return _Timed(contender, [], setting=setting, notes=notes, outcome=outcome, detail=detail)
    runs = [run for run in entries if run.run_type == "iteration" and run.real_time is not None]
    if not runs:
        runs = [run for run in entries if run.aggregate_name == "median" and run.real_time is not None]
        notes += ["only aggregates were written: the median counts as one run"] * bool(runs)
    walls = [(run.real_time or 0.0) * UNITS[run.time_unit] for run in runs]
    cpus = [(run.cpu_time or 0.0) * UNITS[run.time_unit] for run in runs]
    real = not {"real_time", "manual_time"}.isdisjoint(name.split("/"))  # else rates are per processor time
    sizes = [
        run.bytes_per_second * seconds for run, seconds in zip(runs, walls if real else cpus, strict=True)
    ]
    size = round(statistics.median(sizes)) if sizes else 0
    samples = [_sample(*times) for times in zip(walls, cpus, strict=True)]
    return _Timed(contender, samples, setting=setting, bytes=size, notes=notes)


HOW = re.compile(
    r"(min_time|min_warmup_time|iterations|repeats):.*|real_time|process_time|manual_time|process_time/real_time"
)


def _google_name(name: str) -> tuple[str, dict[str, str]]:
    """Take "BM_read/1024/real_time/threads:2" apart: the function, and what it is given.

    Functions with the same arguments are then compared with each other, and no function with itself.
    """
    parts = [part for part in name.split("/") if not HOW.fullmatch(part)]
    words: list[str] = []
    setting: dict[str, str] = {}
    number = 0
    for part in parts:
        key, colon, value = part.partition(":")
        if words and re.fullmatch(r"-?\d+", part):
            setting["size" if number == 0 else f"size {number + 1}"] = part
            number += 1
        elif words and colon and not value.startswith(":") and re.fullmatch(r"\w+", key):
            setting[key] = value
        else:
            words.append(part)
    return "/".join(words), setting


# --- hyperfine


class _HyperfineResult(_Model):
    command: str
    mean: float | None = Field(default=None, ge=0)
    median: float | None = Field(default=None, ge=0)
    user: float | None = None
    system: float | None = None
    times: list[Annotated[float, Field(ge=0)]] | None = None
    memory_usage_byte: list[int] | None = None
    exit_codes: list[int | None] = Field(default_factory=list)


class _Hyperfine(_Model):
    results: list[_HyperfineResult]


def _hyperfine(data: dict[str, Any]) -> _Read:
    return _Read([_hyperfine_row(result) for result in _Hyperfine.model_validate(data).results], process=True)


def _hyperfine_row(result: _HyperfineResult) -> _Timed:
    notes = []
    walls = result.times or []
    if not walls and (known := result.median if result.median is not None else result.mean) is not None:
        walls = [known]
        notes.append("its single times were not written: one figure counts as one run")
    failed = [code for code in result.exit_codes if code != 0]
    if failed:
        which = "a signal" if failed[0] is None else f"status {failed[0]}"
        notes.append(f"{len(failed)} of {len(result.exit_codes)} runs ended with {which}")
    if result.user is not None and walls:
        notes.append("processor times are the mean of all runs")
    cpu = (result.user or 0.0, result.system or 0.0)
    memory = zip_longest(walls, (result.memory_usage_byte or [])[: len(walls)], fillvalue=0)
    return _Timed(result.command, [_sample(wall, *cpu, peak) for wall, peak in memory], notes=notes)


# --- pyperf


class _PyperfFacts(_Model):
    name: str = ""
    unit: str = "second"
    description: str = ""
    date: str = ""
    hostname: str = ""
    cpu_model_name: str = ""
    cpu_count: int = 0
    platform: str = ""
    python_implementation: str = ""
    python_version: str = ""
    mem_max_rss: int = 0


class _PyperfRun(_Model):
    values: list[Annotated[float, Field(ge=0)]] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)


class _PyperfBenchmark(_Model):
    runs: list[_PyperfRun]
    metadata: dict[str, Any] = Field(default_factory=dict)


class _Pyperf(_Model):
    version: str
    benchmarks: list[_PyperfBenchmark]
    metadata: dict[str, Any] = Field(default_factory=dict)


def _pyperf(data: dict[str, Any]) -> _Read:
    """Read pyperf's. What all runs share is written once, at the benchmark or at the top."""
    file = _Pyperf.model_validate(data)
    known = [
        [
            _PyperfFacts.model_validate({**file.metadata, **benchmark.metadata, **run.metadata})
            for run in benchmark.runs
        ]
        for benchmark in file.benchmarks
    ]
    first = next((facts for runs in known for facts in runs), _PyperfFacts())
    return _Read(
        rows=[
            _pyperf_row(benchmark, facts, number)
            for number, (benchmark, facts) in enumerate(zip(file.benchmarks, known, strict=True), start=1)
        ],
        started=min((facts.date for runs in known for facts in runs if facts.date), default=""),
        host=first.hostname,
        machine=Machine(
            cpu=first.cpu_model_name or "a processor without a name",
            cores=first.cpu_count,
            system=first.platform,
        ),
        version=f"{first.python_implementation} {first.python_version}".strip(),
    )


def _pyperf_row(benchmark: _PyperfBenchmark, facts: Sequence[_PyperfFacts], number: int) -> _Timed:
    first = facts[0] if facts else _PyperfFacts()
    name = first.name or f"benchmark {number}"
    if first.unit != "second":
        return _Timed(
            name, [], outcome="skipped", detail=f"its values are of the unit {first.unit}, no times"
        )
    return _Timed(
        name,
        runs=[
            _sample(value, peak_memory=fact.mem_max_rss)
            for run, fact in zip(benchmark.runs, facts, strict=True)
            for value in run.values
        ],
        notes=[first.description] if first.description else [],
    )


READERS: dict[Kind, Callable[[dict[str, Any]], _Read]] = {
    "Google Benchmark": _google,
    "hyperfine": _hyperfine,
    "pyperf": _pyperf,
}


# --- a campaign of it


def _campaign(path: Path, content: bytes, kind: Kind, found: _Read, given: Facts) -> Campaign:
    benchmark = given.benchmark or found.benchmark or path.stem
    names = list(dict.fromkeys(visible(row.name) for row in found.rows))
    if given.baseline and given.baseline not in names:
        raise BadInput(f"{path}: {unknown('row', given.baseline, names)}")
    baseline = given.baseline or next(visible(row.name) for row in found.rows if row.runs)
    started, undated = _started(path, found.started, given.started)
    machine = given.machine or found.machine or Machine(cpu="unknown", cores=0)
    host = given.host or (
        hashlib.sha256(f"{kind} {found.host}".encode()).hexdigest()[:16] if found.host else ""
    )
    unnamed = not (given.machine or found.machine)
    return Campaign(
        headrace_version=__version__,
        started=started,
        commit=given.commit,
        imported=kind,
        machine=machine,
        toolchains=[ToolchainInfo(name=kind, compiler="", version=found.version, library="", target="")],
        benchmarks=[
            BenchmarkInfo(
                name=benchmark,
                title=f"{benchmark}, measured by {kind}",
                question="",
                kind="process" if found.process else "in-process",
                baseline=baseline,
                contenders={name: "" for name in names},
            )
        ],
        rows=_rows(found.rows, benchmark, baseline, kind),
        run=Run(id=hashlib.sha256(content).hexdigest()[:16], host=host),
        warnings=[
            *(["the file does not say when it was measured: the date is the file's own"] * undated),
            *(
                ["the file does not say on which machine it was measured; --here says that it was this one"]
                * unnamed
            ),
            *found.warnings,
        ],
    )


def _started(path: Path, written: str, given: str) -> tuple[str, bool]:
    """Return when it was measured, with a zone, and whether that is only the file's own date."""
    for text in filter(None, (given, written)):
        try:
            return datetime.fromisoformat(text).astimezone().isoformat(timespec="seconds"), False
        except ValueError:
            if text == given:
                raise BadInput(f"--started wants a time such as 2026-11-22T10:30, not {given}") from None
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone().isoformat(timespec="seconds"), True


def _rows(found: Sequence[_Timed], benchmark: str, baseline: str, kind: Kind) -> list[Row]:
    rows: list[Row] = []
    rounds = 0
    for timed in found:
        setting = "".join(f" {key}={value}" for key, value in sorted(timed.setting.items()))
        wanted = f"{benchmark} {visible(timed.name)}{setting} {kind}"
        taken = sum(row.id == wanted or row.id.startswith(f"{wanted} #") for row in rows)
        rows.append(
            Row(
                id=f"{wanted} #{taken + 1}" if taken else wanted,
                benchmark=benchmark,
                contender=visible(timed.name),
                variant={"run": str(taken + 1)} if taken else {},
                toolchain=kind,
                optimisation="",
                source="none",
                sink="null",
                input=timed.setting,
                input_bytes=timed.bytes,
                checked=False,
                outcome=timed.outcome,
                detail=timed.detail,
                role=Role.BASELINE if visible(timed.name) == baseline and not taken else Role.CONTENDER,
                notes=timed.notes,
                samples=[
                    run.model_copy(update={"round": number})  # of its own: it has no partner in another row
                    for number, run in enumerate(timed.runs, rounds + 1)
                ],
            )
        )
        rounds += len(timed.runs)
    return [_compared(row, rows) for row in rows]


def _compared(row: Row, rows: Sequence[Row]) -> Row:
    """Compare a row with the baseline by medians; with the first of its setting where that has none."""
    beside = [other for other in rows if other.input == row.input and other.samples]
    name = next((other.contender for other in rows if other.role is Role.BASELINE), None)
    base = min(beside, key=lambda other: other.contender != name, default=row)
    if base.id == row.id or not row.samples:
        return row
    below = statistics.median(sample.wall for sample in base.samples)
    above = statistics.median(sample.wall for sample in row.samples)
    if below <= 0 or above <= 0:
        return row
    ratio = Comparison(
        other=base.id,
        metric="wall",
        ratio=above / below,
        low=0,
        high=None,
        rounds=min(len(row.samples), len(base.samples)),
        verdict="not decided",
        more_rounds=None,
    )
    return row.model_copy(update={"comparisons": [ratio]})
