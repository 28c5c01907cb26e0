"""The program that is looked at: built, watched, and run with limits on its input, its output kept."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput, Failed
from headrace.builds import build
from headrace.explain import findings
from headrace.explain.findings import Findings
from headrace.explain.observed import Observation, observe
from headrace.explain.trace import READS, WRITES
from headrace.fix.edits import BYTES, without_comments
from headrace.matrix.compilers import CompileOptions, Toolchain
from headrace.matrix.toolchains import first_error
from headrace.processes import launch, terminal
from headrace.processes.box import Box, Changes, View
from headrace.results.failure import Failure
from headrace.results.schema import Sample

SHIM = Path(__file__).with_name("native") / "shim.cpp"
LINES = 8  # of the input that are given on a terminal
LONGEST_LINE = 1000  # bytes; a terminal takes no more than 4095
QUICK = 2.0  # seconds of a run on an input that is made of the subject's own, at most
CONVERSATION = 3.0  # seconds on a terminal at most
COUNTED = 2.0  # seconds of the run whose calls are counted, at most
LARGEST_OUTPUT = 1 << 30  # bytes; a program that loops writes no more


@dataclass(frozen=True)
class Limits:
    """What a run may take."""

    seconds: float = 60.0
    memory: int = 4 << 30  # bytes of address space


@dataclass(frozen=True)
class Subject:
    """What a person asks about: a source or an executable, its arguments and its input."""

    file: Path
    is_source: bool
    toolchain: Toolchain
    flags: list[str]
    arguments: list[str]
    input: Path
    limits: Limits
    box: Box | None = None  # in which everything runs
    status: int = 0  # with which it ends; negative: a signal
    others: tuple[Path, ...] = ()  # more of its sources

    @property
    def text(self) -> str:
        """The source, a character for each byte; "" of an executable."""
        return text_of(self.file) if self.is_source else ""

    def within(self, seconds: float) -> Subject:
        """Return the subject with runs of at most so many seconds, and no more than it has now."""
        limits = replace(self.limits, seconds=min(seconds, self.limits.seconds))
        return replace(self, limits=limits)


@dataclass(frozen=True)
class Program:
    """Something to run: the subject as it is, or with remedies."""

    path: Path
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """How a run ended: its status (negative for a signal), what it wrote, and what it did to files."""

    status: int
    output: bytes
    errors: str | None  # None: not to be compared
    timed_out: bool = False
    left: Changes = field(default_factory=dict)
    seen: list[str] = field(default_factory=list, compare=False)  # by a watcher: see native/watch.hpp

    def saw(self, what: str) -> str | None:
        """Return what was first seen of a kind: of "outside" the path; None where nothing was."""
        first = next((line for line in self.seen if line.startswith(f"{what} ")), None)
        return None if first is None else first.partition(" ")[2]


def text_of(source: Path) -> str:
    """Return a source, a character for each byte."""
    return source.read_bytes().decode(BYTES)


def compile_source(
    subject: Subject,
    text: str,
    flags: Sequence[str],
    folder: Path,
    name: str,
    seconds: float = build.TIMEOUT,
) -> Path | str:
    """Compile a text in place of the subject's source; a phrase of the compiler's where it does not compile.

    The copy is in `folder`; what the source includes by quotes is found beside the original.
    """
    copy, program = folder / f"{name}{subject.file.suffix}", folder / name
    copy.write_bytes(text.encode(BYTES))
    chain = subject.toolchain
    words = [*chain.command, *chain.flags, "-g", *subject.flags, *flags]
    words += [f"-fdebug-prefix-map={copy}={subject.file}"]
    words += ["-I", str(places.include_folder()), "-iquote", str(subject.file.parent.resolve())]
    for source in (copy, *subject.others):
        words += ["-x", "c" if source.suffix == ".c" else "c++", str(source)]
    words += ["-x", "none", "-o", str(program), *(flag for flag in subject.flags if flag.startswith("-l"))]
    done = launch.call(words, timeout=seconds, environment=chain.environment)
    if done.ok and program.exists():
        return program
    if done.timed_out:
        return f"the compiler takes more than {seconds:.0f} s"
    message = first_error(done.err).replace(str(copy), str(subject.file))
    return message.replace(copy.name, subject.file.name) or f"the compiler ended with {done.code}"


def compile_shim(toolchain: Toolchain, folder: Path) -> Path:
    """Compile the shim for a standard library. Raises HeadraceError where that does not work."""
    way: CompileOptions = {"optimise": "O2", "shared": True, "after": ["-ldl"]}
    return build.made_once(SHIM, folder / "shim.so", [toolchain], [way], "the shim")


def library_of(program: Path) -> str:
    """Return the standard library that a program is linked with: "" for none, "static" for none to reach."""
    listed = launch.call(["ldd", str(program)], timeout=30).out
    if "=>" not in listed:
        return "static"
    if "libc++.so" in listed:
        return "libc++"
    return "libstdc++" if "libstdc++.so" in listed else ""


def limited(subject: Subject, program: Program) -> list[str]:
    """Return what goes before the program: a bound on its memory, and its environment."""
    bound = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(subject.limits.memory >> 10)]
    variables = [f"{name}={value}" for name, value in program.environment.items()]
    return [*bound, "env", *variables] if variables else bound


def request(subject: Subject, program: Program, expected: launch.Expected | None) -> launch.Request:
    """Return a measured run on the subject's input, its output to a file."""
    return launch.Request(
        command=[str(program.path), *subject.arguments],
        source="file",
        sink="file",
        input=subject.input,
        timeout=subject.limits.seconds,
        expected=expected,
        answer_on_stdout=False,
        variables=program.environment,
        memory=subject.limits.memory,
        chatty=True,
        status=subject.status,
        box=subject.box,
    )


def measured(subject: Subject, program: Program) -> Sample:
    """Run once, measured. Raises Failed where that does not end as it should."""
    ended = launch.run(request(subject, program, None))
    if isinstance(ended, Failure):
        raise Failed(f"{subject.file}: {ended.detail}")
    return ended


def traced(subject: Subject, program: Program) -> launch.Request:
    """Return a run under a tracer, which is not bounded itself."""
    runner = limited(subject, program)
    return replace(request(subject, program, None), variables={}, memory=None, runner=runner)


def kept(
    subject: Subject,
    program: Program,
    folder: Path,
    given: Path | None = None,
    is_watched: bool = False,
    kill_after: int = 0,
    in_one_file: bool = False,
) -> Ended:
    """Run once and return what was written.

    A watched run tells what it was seen to do. In a copy of its folder each run is, and ends where it writes
    elsewhere. `kill_after` so many bytes of output the program is killed. `in_one_file`: stderr goes where
    stdout goes.
    """
    out, err, report = folder / "kept.out", folder / "kept.err", folder / "kept.report"
    is_strict = subject.box is not None and subject.box.kind == "copy"
    watch = [str(launch.launcher()), "--watch", str(report), *(["--strict"] if is_strict else [])]
    watch += ["--kill-after", str(kill_after), "--"] if kill_after else ["--"]
    script = f'ulimit -f {LARGEST_OUTPUT >> 9}; exec "$@" <"$IN" >"$OUT" ' + (
        "2>&1" if in_one_file else '2>"$ERR"'
    )
    words = ["sh", "-c", script, "sh", *(watch if is_watched or is_strict or kill_after else [])]
    words += [*limited(subject, program), str(program.path), *subject.arguments]
    names = {"IN": str(given or subject.input), "OUT": str(out), "ERR": str(err)}
    done = launch.call(words, subject.limits.seconds, environment=names, box=subject.box, writable=[folder])
    output, errors, seen = (path.read_bytes() if path.exists() else b"" for path in (out, err, report))
    for path in (out, err, report):
        path.unlink(missing_ok=True)
    left = subject.box.left if subject.box else {}
    texts = [each.decode(errors="replace") for each in (errors, seen)]
    return Ended(done.code, output, texts[0], done.timed_out, left, texts[1].splitlines())


def loss(subject: Subject, program: Program, folder: Path, size: int) -> tuple[int, int] | None:
    """Kill a program when half of its `size` bytes of output are written, or after many writes.

    Returns the lines and the bytes that wait longest to be written: a kill may lose them. None where that
    cannot be told.
    """
    killed = kept(subject, program, folder, kill_after=max(1, size // 2))
    lines, _, most = (killed.saw("lost") or "").partition(" ")
    return (int(lines), int(most)) if most and killed.saw("blind") is None else None


def waits(subject: Subject, program: Program) -> list[terminal.Wait]:
    """Return what a program has written on a terminal each time that it waits for a line."""
    with subject.input.open("rb") as given:
        lines = [
            line for line in (given.readline(LONGEST_LINE) for _ in range(LINES)) if line.endswith(b"\n")
        ]
    words = [*limited(subject, program), str(program.path), *subject.arguments]
    with subject.box.view() if subject.box else nullcontext(View([], None)) as view:
        return terminal.converse([*view.words, *words], lines, CONVERSATION, view.folder)


def look(
    asked: Subject,
    program: Program,
    measured: Sample,
    told: Callable[[str], None] = lambda text: None,
    seconds: float = math.inf,
) -> Findings:
    """Count the calls of a run, and take samples of some, within about `seconds`.

    `measured` is a run that nothing watched.
    """
    bound = min(COUNTED, seconds / 2)
    counted = observe(traced(asked, program), bound)
    sampled = findings.sampled(traced(asked, program), measured.wall, longest=seconds / 2)
    texts = {
        "text": without_comments("\n".join([asked.text, *map(text_of, asked.others)])),
        "flags": " ".join(asked.flags) if asked.is_source else "-O?",
        "language": "C" if asked.is_source and asked.file.suffix == ".c" else "C++",
    }
    seen = findings.of(measured, counted, sampled, texts, asked.file.name)
    told(seen.split.says(asked.file.name))
    if isinstance(counted, Failure):
        return seen
    if not counted.complete:
        seen.remarks.append(f"system calls are those of the first {bound:g} s under the tracer")
    return replace(seen, floor=_floor(counted))


def _floor(counted: Observation) -> float:
    """Return the seconds in which cat reads what the program reads, and writes it if that writes as much."""
    read: dict[str, int] = {}
    for each in counted.calls:
        if each.call in READS and " file " in each.to and each.bytes:
            name = each.to.rsplit(" ", 1)[-1]
            read[name] = read.get(name, 0) + each.bytes
    written = sum(each.bytes for each in counted.calls if each.call in WRITES)
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


def try_box(box: Box) -> str:
    """Run nothing in a box; say what is wrong, "" for nothing."""
    done = launch.call(["true"], timeout=10, box=box)
    return "" if done.ok else done.complaint


def split(flags: str) -> list[str]:
    """Split flags or arguments as a shell does. Raises BadInput for a quote without its other half."""
    try:
        return shlex.split(flags)
    except ValueError as error:
        raise BadInput(f"{flags!r}: {error}") from error
