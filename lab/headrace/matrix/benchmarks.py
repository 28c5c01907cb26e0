"""Benchmarks: folders with a benchmark.toml and one source file per contender, checked on reading."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.names import is_named, unknown
from headrace.matrix import inputs
from headrace.matrix.needs import NEEDS
from headrace.processes.routes import BY_NAME, SINKS, SOURCES
from headrace.results.schema import BenchmarkInfo, Finding

SOURCE_SUFFIXES = (".cpp", ".cc", ".cxx", ".c++")
MOST_VARIANTS = 200
LONGEST_SHOWN = 200_000  # bytes of a source that the page shows

if TYPE_CHECKING:
    SourceName = str
    SinkName = str
else:
    SourceName = Literal[SOURCES]
    SinkName = Literal[SINKS]
Value = int | float | str


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Order(_Model):
    """A [[contender.order]] table of an observation: what arrives. The first that applies counts."""

    expected: str  # what arrives, one piece per line
    settings: dict[str, list[str]] = Field(default_factory=dict)  # macro -> values
    toolchains: list[str] = Field(default_factory=list)  # patterns
    sinks: list[SinkName] = Field(default_factory=list)  # where it holds; empty: everywhere


class ContenderSpec(_Model):
    """A [[contender]] table. Lists of patterns restrict it; what is empty follows the benchmark."""

    name: str  # unique in the file
    note: str = ""  # what it does, in a few words
    source: str = ""  # file name; "" for NAME.cpp
    build: str = ""  # in place of a C++ compiler, what makes {program} of the source, run in its folder
    variants: dict[str, list[Value]] = Field(
        default_factory=dict
    )  # macro -> values; all combinations are built
    environment: dict[str, list[str]] = Field(
        default_factory=dict
    )  # variable -> values, as variants without a build
    needs: list[str] = Field(
        default_factory=list
    )  # libraries: skipped where one is missing; with a module of Python, one toolchain builds it
    toolchains: list[str] = Field(default_factory=list)  # patterns as for --toolchain
    flags: list[str] = Field(default_factory=list)  # for the compiler
    libs: list[str] = Field(default_factory=list)  # linker flags, after the source
    arguments: list[str] = Field(default_factory=list)  # given to the program
    standard: str = ""  # "c++20"
    optimise: list[str] = Field(default_factory=list)  # levels that it takes
    sources: list[SourceName] = Field(default_factory=list)  # that it takes
    sinks: list[SinkName] = Field(default_factory=list)  # that it takes
    input: dict[str, Value] = Field(
        default_factory=dict
    )  # a smaller size for a slow one; then compared per token
    expected: str = ""  # what this one prints, where it differs from the input's answer
    order: list[Order] = Field(default_factory=list)  # the same by setting, toolchain and sink
    answer: bool = True  # false: its output is not checked (a floor or a limit)
    role: Literal["", "floor", "limit"] = ""  # a further floor or limit of the benchmark: not ranked


class FindingSpec(Finding):
    """A [[finding]] table: two contenders, or one on two libraries or compilers, for a sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class InProcessSpec(_Model):
    """The [in_process] table: contenders are shared objects, and a harness loads and times one per launch.

    `arguments` are the harness's; {object} is the contender, {report} a file for its measurement, {sink} a
    file to write, and {rows} any setting of the input.
    """

    harness: str  # a main program that times with bench.hpp, beside the benchmark.toml
    arguments: list[str]  # the harness's
    companion: str = ""  # a source compiled after each contender, in its translation unit
    peers: dict[str, str] = Field(default_factory=dict)  # a need -> the same harness with that library


class BenchmarkSpec(_Model):
    """A benchmark.toml."""

    title: str  # a few words: what is raced
    question: str  # the one question that it answers
    kind: Literal["process", "in-process", "observation"] = (
        "process"  # what is timed: runs, calls, or nothing
    )
    sources: list[SourceName] = Field(default=["file"], min_length=1)  # where the input comes from
    sinks: list[SinkName] = Field(default=["null"], min_length=1)  # where the output goes
    routes: list[str] = Field(default_factory=list)  # "file:null"; empty: every source with every sink
    baseline: str  # the contender that all others are compared with
    limit: str = ""  # the contender that does the minimum of work
    floor: str = ""  # the contender that does nothing: process start
    answer: Literal["stdout", "output"] = "stdout"  # a short text on stdout, or the whole output at the sink
    tolerance: float = 0.0  # relative, for an answer that is a rounded number
    toolchains: list[str] = Field(default_factory=list)  # patterns: used besides the usual ones, where here
    optimise: list[str] = Field(default=["O2"], min_length=1)  # levels, without the dash
    standard: str = "c++17"  # that sources are compiled by
    timeout: float = Field(default=60.0, gt=0)  # seconds per run
    network: bool = False  # contenders may reach other machines
    input: dict[str, Value]  # the generator, and its settings
    quick: dict[str, Value] = Field(default_factory=dict)  # what --quick changes in the input
    in_process: InProcessSpec | None = None  # where kind is "in-process", and only there
    contender: list[ContenderSpec] = Field(min_length=1)  # the ways to answer
    finding: list[FindingSpec] = Field(default_factory=list)  # what the page makes sentences from
    explanation: list[str] = Field(default_factory=list)  # paragraphs for the page


@dataclass(frozen=True)
class Contender:
    """A contender with one choice of its settings: what becomes one build a toolchain and flag set."""

    spec: ContenderSpec
    file: Path
    macros: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    program: tuple[str, ...] = ()  # how to start one that needs no compiler, instead of a build

    @property
    def name(self) -> str:
        """The contender's name, the same for all its variants."""
        return self.spec.name

    @property
    def variant(self) -> dict[str, str]:
        """All settings, those of the build and those of the environment."""
        return {**self.macros, **self.environment}

    @property
    def label(self) -> str:
        """The name with all settings: "fread BUFFER=8192"."""
        return " ".join([self.name, *(f"{key}={value}" for key, value in sorted(self.variant.items()))])

    @property
    def is_foreign(self) -> bool:
        """Whether no C++ compiler makes it: it is a program already, or its own line builds it."""
        return bool(self.program or self.spec.build)


@dataclass(frozen=True)
class Benchmark:
    """A benchmark read from its folder."""

    name: str
    folder: Path
    spec: BenchmarkSpec
    guests: tuple[Contender, ...] = ()  # a user's own programs
    include: Path | None = None  # the headers that its contenders are built with; None: this headrace's

    @property
    def routes(self) -> list[tuple[str, str]]:
        """Sources with sinks, as the benchmark wants them."""
        if self.spec.routes:
            return [route(text) for text in self.spec.routes]
        return list(itertools.product(self.spec.sources, self.spec.sinks))

    def contenders(self) -> list[Contender]:
        """Return every contender in every variant, in the file's order."""
        return [contender for spec in self.spec.contender for contender in self._variants(spec)] + list(
            self.guests
        )

    def harnesses(self) -> set[Path]:
        """Return the sources that in-process contenders are built and timed with."""
        own = self.spec.in_process
        names = [own.harness, own.companion, *own.peers.values()] if own else []
        return {self.folder / name for name in names if name}

    def _variants(self, spec: ContenderSpec) -> list[Contender]:
        file = self.folder / (spec.source or f"{spec.name}.cpp")
        macros = _combinations(spec.variants)
        environments = _combinations(spec.environment)
        return [Contender(spec, file, chosen, other) for chosen in macros for other in environments]

    def info(self) -> BenchmarkInfo:
        """Return what the page shows of the benchmark."""
        files = {contender.file for contender in self.contenders()} | self.harnesses()
        files = {file for file in files if file.stat().st_size <= LONGEST_SHOWN}
        return BenchmarkInfo(
            name=self.name,
            title=self.spec.title,
            question=self.spec.question,
            kind=self.spec.kind,
            baseline=self.spec.baseline,
            limit=self.spec.limit,
            floor=self.spec.floor,
            findings=list(self.spec.finding),
            input={key: str(value) for key, value in self.spec.input.items()},
            own=[guest.name for guest in self.guests],
            explanation=self.spec.explanation,
            contenders={contender.name: contender.spec.note for contender in self.contenders()},
            sources={file.name: file.read_text(encoding="utf-8", errors="replace") for file in sorted(files)},
        )


def route(text: str) -> tuple[str, str]:
    """Read "file:null". Raises BadInput that says which part is unknown."""
    source, colon, sink = text.partition(":")
    if not colon:
        raise BadInput(f"a route is a source and a sink such as file:null, not {text}")
    if source not in SOURCES:
        raise BadInput(unknown("source", source, SOURCES))
    if sink not in SINKS:
        raise BadInput(unknown("sink", sink, SINKS))
    return source, sink


def known() -> list[str]:
    """Return the names of the benchmarks that come with headrace."""
    return places.benchmark_names()


def find(name: str) -> Benchmark:
    """Find a benchmark by its name, or by the path of its folder, which has a slash: ./mine.

    A bare name is never a folder, so that none can stand in for a benchmark that comes with headrace.
    Raises BadInput with the nearest names.
    """
    path = Path(name)
    if path.is_file() and name not in known():
        raise BadInput(f"{name} is a file, not a benchmark: {_use_of(path)}")
    if "/" in name or os.sep in name or name in (".", ".."):
        if not (path / "benchmark.toml").is_file():
            raise BadInput(f"there is no benchmark.toml in {name}; headrace list shows the benchmarks")
        return read(path.resolve())
    if name not in known():
        if (path / "benchmark.toml").is_file():
            raise BadInput(f"no benchmark {name} comes with headrace; for the folder here say ./{name}")
        raise BadInput(unknown("benchmark", name, known()))
    return read(places.benchmarks_folder() / name)


def find_all(names: Sequence[str]) -> list[Benchmark]:
    """Find each by `find`. Raises BadInput for two of one name, too: their rows could not be told apart."""
    found = [find(name) for name in names]
    for name, times in Counter(benchmark.name for benchmark in found).items():
        if times > 1:
            raise BadInput(f"two of the benchmarks are called {name}; race one at a time")
    return found


def _use_of(file: Path) -> str:
    """Say which commands take a file that was named in place of a benchmark."""
    words = shlex.quote(str(file))
    if file.suffix == ".json":
        return f"headrace report {words} shows results"
    if file.suffix == ".headrace":
        return f"headrace rerun {words} races an archive"
    if file.name == "benchmark.toml":
        return "name its folder"
    return (
        f"headrace fix {words} --input FILE says why a program is slow, and --with {words} races it in a "
        "benchmark"
    )


def read(folder: Path) -> Benchmark:
    """Read a folder. Raises BadInput that names the file, the key and the way out."""
    file = folder / "benchmark.toml"
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        spec = BenchmarkSpec.model_validate(data)
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} is not valid TOML: {error}") from error
    except ValidationError as error:
        raise BadInput(_sentence(file, data, error)) from error
    benchmark = Benchmark(folder.name, folder, spec)
    _check(benchmark, file)
    return benchmark


def _sentence(file: Path, data: dict[str, Any], error: ValidationError) -> str:
    # A misspelt key comes as two errors, one missing and one too many: the second says more.
    first = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        keys = list(_table(first["loc"][:-1]).model_fields)
        return f"{file}: {unknown('key', str(first['loc'][-1]), keys)} (at {where})"
    if first["type"] == "missing":
        return f"{file}: the key {where} is missing"
    return f"{file}: {first_fault(error)}"


def _table(path: Sequence[int | str]) -> type[BaseModel]:
    """Return the model of the table at a path of keys, as ("contender", 0, "order", 1)."""
    names = ".".join(key for key in path if isinstance(key, str))
    tables: dict[str, type[BaseModel]] = {
        "contender": ContenderSpec,
        "contender.order": Order,
        "finding": FindingSpec,
        "in_process": InProcessSpec,
    }
    return tables.get(names, BenchmarkSpec)


def _check(benchmark: Benchmark, file: Path) -> None:
    """Check what one key alone cannot: names of contenders, files that exist, settings of the input."""
    spec = benchmark.spec
    names = [contender.name for contender in spec.contender]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{file}: there are two contenders named {name}; rename one")
    for key, name in (("baseline", spec.baseline), ("limit", spec.limit), ("floor", spec.floor)):
        if name and name not in names:
            raise BadInput(f"{file}: key {key}: {unknown('contender', name, names)}")
    if not next(contender for contender in spec.contender if contender.name == spec.baseline).answer:
        raise BadInput(
            f"{file}: contender {spec.baseline}: key answer is false, but nothing may be compared with a "
            "baseline whose answer nobody checks; remove the key, or name what it prints with expected"
        )
    for named in spec.contender:
        if named.role and named.name == spec.baseline:
            raise BadInput(f"{file}: contender {named.name}: a baseline is no {named.role}: remove role")
    labels = [contender.label for contender in benchmark.contenders()]
    for finding in spec.finding:
        for name in filter(None, (finding.a, finding.b)):
            if name in names and name not in labels:
                which = next(label for label in labels if label.startswith(f"{name} "))
                raise BadInput(f"{file}: finding: {name} has variants; name one of them, as {which}")
            if name not in labels:
                raise BadInput(f"{file}: finding: {unknown('contender', name, labels)}")
        if (finding.compare == "contender") != bool(finding.b):
            wanted = "the key b" if not finding.b else 'no key b, or compare = "contender"'
            raise BadInput(f"{file}: finding: {finding.a} needs {wanted}")
    for built in benchmark.contenders():
        if not built.file.is_file():
            raise BadInput(f"{file}: contender {built.name}: there is no file {built.file.name} beside it")
    for own in spec.contender:
        for need in own.needs:
            if need not in NEEDS:
                raise BadInput(f"{file}: contender {own.name}: needs: {unknown('need', need, list(NEEDS))}")
        if own.build:
            _check_build(own, spec, f"{file}: contender {own.name}: key build")
    for text in spec.routes:
        route(text)
    inputs.check({**spec.input, **spec.quick}, f"{file}: input")
    _check_in_process(benchmark, file)
    if inputs.is_own(spec.input) and spec.kind != "process":
        raise BadInput(f'{file}: generator {spec.input["generator"]} goes with kind = "process" alone')
    reads = inputs.makes_input(spec.input)
    for source, _ in benchmark.routes:
        if BY_NAME[source].is_empty == reads:
            wanted = "a source such as file or pipe" if reads else 'sources = ["none"]'
            raise BadInput(
                f"{file}: the source {source} does not go with {spec.input['generator']}; use {wanted}"
            )
    for contender in spec.contender:
        inputs.check({**spec.input, **contender.input}, f"{file}: contender {contender.name}: input")
        if len(_combinations(contender.variants)) * len(_combinations(contender.environment)) > MOST_VARIANTS:
            raise BadInput(
                f"{file}: contender {contender.name} has more than {MOST_VARIANTS} variants; give it fewer"
            )


def _check_build(own: ContenderSpec, spec: BenchmarkSpec, where: str) -> None:
    """Check a build line: its words, what {braces} stand for, and no key that only a C++ compiler heeds."""
    try:
        words = shlex.split(own.build)
    except ValueError as error:
        raise BadInput(f"{where}: {error}") from error
    if not words or "{" in words[0]:
        raise BadInput(f'{where}: it begins with a program, as in "cc -O2 sum.c -o {{program}}"')
    _check_braces(own.build, ["program", *own.variants], list(own.needs), where, "the contender")
    for key in ("flags", "libs", "standard", "optimise", "toolchains"):
        if getattr(own, key):
            raise BadInput(f"{where}: the key {key} is for C++ compilers; say it in the line itself")
    for need in own.needs:
        if not NEEDS[need].tool:
            raise BadInput(
                f"{where}: needs names {need}, which is for C++ compilers; say it in the line itself"
            )
    if spec.kind == "in-process":
        raise BadInput(f'{where}: it makes programs, and kind = "in-process" times functions')


def _check_braces(text: str, needed: Sequence[str], others: Sequence[str], where: str, whose: str) -> None:
    """Check that {braces} stand for nothing unknown, and that what is needed is there."""
    for name in re.findall(r"\{(.*?)\}", text):
        if name not in (*needed, *others):
            raise BadInput(f"{where}: {unknown('placeholder', name, [*needed, *others])}")
    for name in needed:
        if f"{{{name}}}" not in text:
            raise BadInput(f"{where}: {{{name}}} is missing, which {whose} needs")


def _check_in_process(benchmark: Benchmark, file: Path) -> None:
    """Check the [in_process] table: there when it has to be, its files, and what {braces} stand for."""
    spec, own = benchmark.spec, benchmark.spec.in_process
    if (spec.kind == "in-process") != (own is not None):
        raise BadInput(f'{file}: kind = "in-process" and a table [in_process] go together; there is only one')
    if own is None:
        return
    for source in sorted(benchmark.harnesses()):
        if not source.is_file():
            raise BadInput(f"{file}: in_process: there is no file {source.relative_to(benchmark.folder)}")
    for need in own.peers:
        if need not in NEEDS:
            raise BadInput(f"{file}: in_process.peers: {unknown('need', need, list(NEEDS))}")
    others = ["sink", *inputs.settings_of(spec.input)]
    where = f"{file}: in_process.arguments"
    _check_braces(" ".join(own.arguments), ["object", "report"], others, where, "the harness")
    if "{sink}" in own.arguments and any(not BY_NAME[sink].is_file for _, sink in benchmark.routes):
        raise BadInput(f'{file}: in_process.arguments: {{sink}} is a file, so give it sinks = ["file"]')


def _combinations(choices: dict[str, Any]) -> list[dict[str, str]]:
    """Return every combination of a dict of lists; one empty combination without any."""
    return [
        {name: str(value) for name, value in zip(choices, values, strict=True)}
        for values in itertools.product(*choices.values())
    ]


def with_input(benchmark: Benchmark, file: Path) -> Benchmark:
    """Let a benchmark read a user's file, whose answer is what all contenders agree on. Raises BadInput."""
    if benchmark.spec.kind != "process" or not inputs.makes_input(benchmark.spec.input):
        what = (
            "reads nothing" if benchmark.spec.kind == "process" else f"is of the kind {benchmark.spec.kind}"
        )
        raise BadInput(f"{benchmark.name} {what}, so --input has no place in it")
    own: dict[str, Value] = {"generator": "file", "path": str(file.resolve())}
    contenders = [each.model_copy(update={"input": {}, "expected": ""}) for each in benchmark.spec.contender]
    return replace(
        benchmark, spec=benchmark.spec.model_copy(update={"input": own, "quick": {}, "contender": contenders})
    )


def with_guests(benchmark: Benchmark, files: Sequence[Path]) -> Benchmark:
    """Add a user's own programs: C++ sources, scripts and executables. Raises BadInput for anything else."""
    names = {contender.name for contender in benchmark.contenders()}
    guests = []
    for file in files:
        guest = _guest(file)
        if guest.program and benchmark.spec.kind == "in-process":
            raise BadInput(
                f"{file}: {benchmark.name} times functions in one process; only a C++ source can join"
            )
        if guest.name in names:
            raise BadInput(f"{file}: there is a contender named {guest.name} already; rename the file")
        names.add(guest.name)
        guests.append(guest)
    return replace(benchmark, guests=tuple(guests))


def _guest(file: Path) -> Contender:
    if not file.is_file():
        raise BadInput(f"there is no file {file}")
    path = file.resolve()
    spec = ContenderSpec(name=file.stem, source=file.name, note=f"a program of your own, {file.name}")
    if file.suffix in SOURCE_SUFFIXES:
        peers = [word for folder in places.peer_folders() for word in ("-isystem", str(folder))]
        return Contender(spec.model_copy(update={"flags": peers}), path)
    if file.suffix == ".py":
        return Contender(spec, path, program=(sys.executable, str(path)))
    if os.access(file, os.X_OK):
        return Contender(spec, path, program=(str(path),))
    raise BadInput(
        f"{file} is neither a C++ source ({', '.join(SOURCE_SUFFIXES)}) nor a program; "
        "chmod +x makes a script one"
    )


def choose(contenders: Sequence[Contender], wanted: Sequence[str], always: Sequence[str]) -> list[Contender]:
    """Keep the contenders that a name or a pattern names, and those that the others are compared with.

    Raises BadInput with the nearest names for what names no contender.
    """
    names = list(dict.fromkeys(contender.name for contender in contenders))
    for pattern in wanted:
        if not any(is_named(name, [pattern]) for name in names):
            raise BadInput(unknown("contender", pattern, names))
    return [
        contender for contender in contenders if is_named(contender.name, wanted) or contender.name in always
    ]
