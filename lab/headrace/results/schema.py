"""The results file: one JSON document a campaign, with every sample.

The models below are the schema. Times are seconds, memory is bytes, counts are plain numbers.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, field_validator

from headrace.base.text import harmless

SCHEMA_VERSION = 4
MOST_CACHED = 0.01  # of an input: with more than that in the page cache, a run with --cold was not cold
OWN_HARNESS = "bench.hpp"

MOST_DIGITS = 20  # of a whole number: 64 bits
AS_IT_WAS = ("asked", "sources")  # keys of what a command takes up again, or compares with files

Verdict = Literal["faster", "slower", "a small difference", "the same", "not decided"]
Metric = Literal["wall", "cpu"]  # cpu: user + system
Outcome = Literal[
    "ok",  # every sample gave the expected answer
    "skipped",  # something it needs is missing; `detail` says what and how to get it
    "does not compile",  # `detail` is the compiler's first error
    "WRONG",  # the answer differs from the expected one; `detail` shows both
    "CRASHED",  # ended by a signal or a non-zero exit; `detail` names it
    "TIMED OUT",  # ended by --timeout
]


_NOT_PLAIN = re.compile(r"[^\n\r\t -~]|\\[bfru]")  # what texts that steer are written with


def parsed(text: str | bytes) -> Any:
    """Parse a JSON document, whose texts are then harmless to show, but for those below AS_IT_WAS.

    Raises ValueError where it is none, or nothing could be calculated with it.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    try:
        data = json.loads(text, parse_int=_whole)
        return _harmless(data) if _NOT_PLAIN.search(text) else data
    except RecursionError as error:
        raise ValueError("brackets in brackets without end") from error


def _harmless(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, list):
        return [_harmless(each) for each in value]
    if isinstance(value, dict):
        return {harmless(key): each if key in AS_IT_WAS else _harmless(each) for key, each in value.items()}
    return value


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a whole number of {len(digits):,} digits")
    return int(digits)


class Role(StrEnum):
    """The purpose of a row. Only contenders, the baseline and a user's own programs are ranked."""

    CONTENDER = "contender"
    BASELINE = "baseline"  # what the others of its toolchain are compared with
    FLOOR = "floor"  # starts and ends: what nothing can be faster than
    LIMIT = "limit"  # moves the bytes and does nothing else
    TWIN = "A/A"  # the baseline's build once more
    PEER = "peer"  # timed by another harness than ours
    OWN = "own"  # a user's program


class Model(BaseModel):
    """Base of every record: numbers that are not finite are errors, instances are values.

    Unknown keys are those of a newer headrace, and passed over. What an old reader would misread without
    them raises SCHEMA_VERSION.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False, defer_build=True)


class Sample(Model):
    """One measured run of one build on one route."""

    round: int
    wall: float = Field(ge=0)  # without `waited`
    waited: float = Field(default=0.0, ge=0)  # while it was ready to run and others had the processor
    user: float = Field(ge=0)
    system: float = Field(ge=0)
    peak_memory: int = Field(ge=0)
    minor_faults: int = 0
    major_faults: int = 0
    voluntary_switches: int = 0
    involuntary_switches: int = 0
    layout: int = 0  # the build's layout that ran; 0: as the compiler links it
    input: int = 0  # the input that it read, of those by other seeds; 0: the benchmark's own
    cached: float | None = (
        None  # with --cold: the share of the input that stayed in the page cache all the same
    )


class SystemCalls(Model):
    """Counted by an untimed extra run under a tracer; sizes are bytes returned."""

    counts: dict[str, int]
    read_sizes: dict[int, int] = Field(default_factory=dict)  # upper power of two -> calls
    write_sizes: dict[int, int] = Field(default_factory=dict)
    bytes_read: int = 0
    bytes_written: int = 0
    start_up: dict[str, int] = Field(default_factory=dict)  # the part of `counts` before the first byte moved
    failed: dict[str, int] = Field(default_factory=dict)  # "read EAGAIN" -> calls
    moved: int = 0  # bytes of input, or of output without one, that the counts are for; 0: unknown
    complete: bool = True  # False: the traced run was cut short, `moved` is what it did until then
    tool: str = ""  # "ptrace"; of earlier versions "strace" or "perf trace"


class Counted(Model):
    """Instructions and system calls of one untimed run on a small input: no other program moves them."""

    tool: str  # "valgrind" (which knows no AVX-512) | "qemu" | "perf"
    instructions: int = Field(ge=0)  # in user space
    system_calls: int | None = None
    tokens: int = 0  # of the input that was read; 0: unknown
    input: dict[str, str] = Field(default_factory=dict)  # its settings, where they are not the benchmark's


class Comparison(Model):
    """A paired ratio time(this)/time(other) with its interval, from the rounds that both have."""

    other: str  # row id
    metric: Metric
    ratio: float
    low: float  # of the interval at 95 %; 0 where an imported file has none
    high: float | None  # None where an imported file has none
    rounds: int
    margin: float = 0.01  # a smaller difference counts as small; fixed before the campaign
    verdict: Verdict  # "faster": this row is faster than the other
    more_rounds: int | None = 0  # that would decide it, if the noise stays as it is; None: unknown


class TableNoise(Model):
    """The noise of a table's wall times, by which few runs are judged, of logarithms."""

    square: float = 0.04  # typical variance of a row
    freedom: float = 3.0  # of that: the more, the more alike the rows are
    often: float = 0.02  # share of rare runs, far above their row's median
    far: float = 1.0  # how far above it these were at most


class Judged(Model):
    """The place of the row's contender in its table, and how the table was judged."""

    first: int = 0  # it takes one of the places first to last, with all its builds; 0: it does not rank
    last: int = 0
    level: float = 0.05  # that all pairs of the table shared at the end: places are sure at it
    margin: float = 0.01
    noise: TableNoise = Field(default_factory=lambda: TableNoise())


class Row(Model):
    """One build (contender x variant x toolchain x flags) on one route, on one input size."""

    id: str  # unique in the file, made by `row_id`
    benchmark: str
    contender: str
    variant: dict[str, str] = Field(default_factory=dict)
    toolchain: str  # a Toolchain's name, another tool's ("cargo-1.91.1"), or "script" where nothing built it
    optimisation: str  # "O2"; "" where the contender's own build line says it
    source: str  # none | file | pipe | socket | pty | pty-raw
    sink: str  # null | file | pipe | socket | pty | pty-raw
    input: dict[str, str] = Field(default_factory=dict)  # settings that differ from the benchmark's: a sweep
    tokens: int = 0  # what a time is divided by for "a token"; 0: unknown
    input_bytes: int = 0
    output_bytes: int = 0
    checked: bool = True  # whether its answer was: a floor, a limit or a neighbouring task has none to check
    outcome: Outcome = "ok"
    detail: str = ""
    build: str = ""  # digest that names the cached binary
    command: list[str] = Field(default_factory=list)  # how it was compiled
    observed: list[str] = Field(default_factory=list)  # the lines that an observation saw, as they arrived
    source_file: str = ""  # relative to the benchmark's folder
    harness: str = ""  # what timed it inside one process: "bench.hpp" or another's name; "": whole processes
    samples: list[Sample] = Field(default_factory=list)
    comparisons: list[Comparison] = Field(default_factory=list)
    judged: Judged = Field(default_factory=Judged)
    role: Role | None = None  # None in files of 0.1.0, see `role_of`
    twin_of: str = ""  # the A/A pair: id of the row whose build this one runs again; never ranked
    system_calls: SystemCalls | None = None
    counted: Counted | None = None  # with --count instructions
    cause: str = ""  # sentence from `explain`
    notes: list[str] = Field(default_factory=list)  # e.g. "under wine, not Windows"

    @property
    def label(self) -> str:
        """Name the contender with its settings: "fread BUFFER=8192", "fwrite by nanobench"."""
        settings = [f"{key}={value}" for key, value in sorted(self.variant.items())]
        return " ".join([self.contender, *settings, *(["by", self.harness] if self.by_peer else [])])

    @property
    def level(self) -> str:
        """The flag of its level, "-O2"; "" for what no C++ compiler built."""
        return f"-{self.optimisation}" if self.optimisation and self.toolchain != "script" else ""

    @property
    def by_peer(self) -> bool:
        """Whether another harness than ours timed it: shown beside our row, never ranked."""
        return self.harness not in ("", OWN_HARNESS)


class ToolchainInfo(Model):
    """A compiler with one standard library and one target."""

    name: str  # "g++-12/libstdc++/x86_64-linux"
    compiler: str  # path or command
    version: str
    library: str
    target: str
    flags: list[str] = Field(default_factory=list)
    runner: list[str] = Field(default_factory=list)  # e.g. ["wine"] or ["qemu-aarch64", "-L", ...]


class Finding(Model):
    """The source of a sentence in reports: two contenders, or one on two libraries or compilers."""

    a: str  # contender, with its settings where it has some: "fread BUFFER=8192"
    b: str = ""  # the contender that `a` is set against; only with compare = "contender"
    says: str  # subject of the sentence: "untying and unsyncing", "iostreams"
    compare: Literal["contender", "library", "compiler"] = "contender"  # what differs between the two


class BenchmarkInfo(Model):
    """All that a page needs to know of a benchmark without its folder."""

    name: str
    title: str
    question: str
    kind: str
    baseline: str
    limit: str = ""  # the contender that shows the limit (raw_read)
    floor: str = ""  # the contender that does nothing: process start (null)
    explanation: list[str] = Field(default_factory=list)  # paragraphs
    contenders: dict[str, str] = Field(default_factory=dict)  # name -> note
    sources: dict[str, str] = Field(default_factory=dict)  # file name -> text, shown by the page
    findings: list[Finding] = Field(default_factory=list)  # `[[finding]]` of benchmark.toml
    input: dict[str, str] = Field(default_factory=dict)  # its own settings; a row's `input` differs from them
    own: list[str] = Field(default_factory=list)  # contenders that a user brought along (--with)


class Machine(Model):
    """The machine a campaign ran on."""

    cpu: str
    cores: int = Field(ge=0, le=1_000_000)  # 0 where nobody said
    features: list[str] = Field(default_factory=list)  # sse4_1 avx2 avx512_vbmi2 ...
    memory: int = 0
    kernel: str = ""
    system: str = ""
    governor: str = ""
    turbo: str = ""


class Noise(Model):
    """Disturbances by other work on the machine in one round."""

    round: int
    stolen: float = 0.0  # share of the round's processor time taken by the hypervisor
    pressure: float = 0.0  # PSI "some" share for the processor
    foreign: float = 0.0  # processor time used by others, in cores
    involuntary_switches: int = 0


class Run(Model):
    """How a campaign was run: what it takes to go on with it, and to know what its figures depend on."""

    id: str = ""
    host: str = ""  # a digest that names the machine
    boot: str = ""  # Linux's boot id
    seed: int = 1
    looks: list[int] = Field(default_factory=list)  # rounds after which a pair is looked at
    alpha: float = 0.05  # shared by the looks
    budget: float | None = None  # seconds
    aslr: str = ""  # kernel.randomize_va_space: "2" is all
    environment: dict[str, str] = Field(default_factory=dict)  # variables that change how programs run
    asked: dict[str, Any] = Field(default_factory=dict)  # the options, for --resume


class Campaign(Model):
    """A whole results file."""

    schema_version: int = SCHEMA_VERSION
    headrace_version: str
    started: str  # ISO 8601 with zone; "" where an imported file does not say
    seconds: float = 0.0
    command: list[str] = Field(default_factory=list)
    commit: str = ""
    imported: str = ""  # the harness that measured it, where that was not headrace
    cold: bool = False  # the input was dropped from the page cache before each run
    pin: int | None = None  # the processor that every program ran on
    machine: Machine
    toolchains: list[ToolchainInfo] = Field(default_factory=list)
    benchmarks: list[BenchmarkInfo] = Field(default_factory=list)
    rows: list[Row] = Field(default_factory=list)
    noise: list[Noise] = Field(default_factory=list)
    margin: float = 0.01  # a smaller difference counts as small; fixed before the campaign
    run: Run = Field(default_factory=lambda: Run())
    warnings: list[str] = Field(default_factory=list)
    interrupted: bool = False

    @field_validator("started")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        if value:
            datetime.fromisoformat(value)  # says what is wrong with it
        return value


class Named(Protocol):
    """Names the contenders that have a role: a BenchmarkInfo, or the benchmark that it is made from."""

    baseline: str  # of the contender that others are compared with
    limit: str  # of the one that moves the bytes; "" for none
    floor: str  # of the one that starts and ends; "" for none


def role_of(row: Row, names: Named) -> Role:
    """Return a row's role: as stored, or by the names that its benchmark gives."""
    if row.role is not None:
        return row.role
    if row.twin_of:
        return Role.TWIN
    if row.contender == names.floor:
        return Role.FLOOR
    if row.by_peer:
        return Role.PEER
    by_name = {names.baseline: Role.BASELINE, names.limit: Role.LIMIT}
    return by_name.get(row.contender, Role.CONTENDER)


def row_id(
    benchmark: str,
    contender: str,
    variant: dict[str, str],
    toolchain: str,
    optimisation: str,
    route: str,
    setting: dict[str, str] | None = None,
) -> str:
    """Name a row so that the same row of another campaign has the same name."""
    settings = [f"{key}={value}" for key, value in sorted({**variant, **(setting or {})}.items())]
    return " ".join([benchmark, contender, *settings, toolchain, optimisation, route])
