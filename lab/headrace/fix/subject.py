"""The program that is looked at, and how it is built and run: with limits, on its input, its output kept."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.matrix.compilers import Toolchain
from headrace.matrix.toolchains import first_error
from headrace.processes import launch, terminal

SHIM = Path(__file__).with_name("native") / "shim.cpp"
LINES = 8  # of the input that are given on a terminal
LONGEST_LINE = 1000  # bytes; a terminal takes no more than 4095
CONVERSATION = 3.0  # seconds on a terminal at most
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

    @property
    def text(self) -> str:
        """The source; "" of an executable."""
        return self.file.read_text(errors="replace") if self.is_source else ""


@dataclass(frozen=True)
class Program:
    """Something to run: the subject as it is, or with remedies."""

    path: Path
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """How a run ended: its status (negative for a signal), and what it wrote."""

    status: int
    output: bytes
    errors: str
    timed_out: bool = False


def compile_source(subject: Subject, text: str, flags: Sequence[str], folder: Path, name: str) -> Path | str:
    """Compile a text in place of the subject's source; a phrase of the compiler's where it does not compile.

    The copy is in `folder`; what the source includes by quotes is found beside the original.
    """
    copy, program = folder / f"{name}{subject.file.suffix}", folder / name
    copy.write_text(text)
    chain = subject.toolchain
    words = [*chain.command, *chain.flags, *subject.flags, *flags]
    words += ["-I", str(places.include_folder()), "-iquote", str(subject.file.parent.resolve())]
    words += [str(copy), "-o", str(program), *(flag for flag in subject.flags if flag.startswith("-l"))]
    done = launch.call(words, timeout=build.TIMEOUT, environment=chain.environment)
    if done.ok and program.exists():
        return program
    said = first_error(done.err).replace(str(copy), str(subject.file))
    return said.replace(copy.name, subject.file.name) or f"the compiler ended with {done.code}"


def compile_shim(toolchain: Toolchain, folder: Path) -> Path | str:
    """Compile the shim for a standard library."""
    made = folder / "shim.so"
    words = [*toolchain.command, *toolchain.flags, "-std=c++17", "-O2", "-shared", "-fPIC", str(SHIM)]
    done = launch.call(
        [*words, "-o", str(made), "-ldl"], timeout=build.TIMEOUT, environment=toolchain.environment
    )
    return made if done.ok else first_error(done.err)


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
    )


def traced(subject: Subject, program: Program) -> launch.Request:
    """Return a run under a tracer, which is not bounded itself."""
    runner = limited(subject, program)
    return replace(request(subject, program, None), variables={}, memory=None, runner=runner)


def kept(subject: Subject, program: Program, folder: Path, given: Path | None = None) -> Ended:
    """Run once and return what was written."""
    out, err = folder / "kept.out", folder / "kept.err"
    script = f'ulimit -f {LARGEST_OUTPUT >> 9}; exec "$@" <"$IN" >"$OUT" 2>"$ERR"'
    words = ["sh", "-c", script, "sh", *limited(subject, program), str(program.path), *subject.arguments]
    names = {"IN": str(given or subject.input), "OUT": str(out), "ERR": str(err)}
    done = launch.call(words, timeout=subject.limits.seconds, environment=names)
    output, errors = (path.read_bytes() if path.exists() else b"" for path in (out, err))
    for path in (out, err):
        path.unlink(missing_ok=True)
    status = 128 - done.code if done.code < 0 else done.code
    return Ended(status, output, errors.decode(errors="replace"), "did not end within" in done.err)


def waits(subject: Subject, program: Program) -> list[terminal.Wait]:
    """Return what a program has written on a terminal each time that it waits for a line."""
    with subject.input.open("rb") as given:
        lines = [
            line for line in (given.readline(LONGEST_LINE) for _ in range(LINES)) if line.endswith(b"\n")
        ]
    words = [*limited(subject, program), str(program.path), *subject.arguments]
    return terminal.converse(words, lines, CONVERSATION)


def split(flags: str) -> list[str]:
    """Split flags or arguments as a shell does. Raises BadInput for a quote without its other half."""
    try:
        return shlex.split(flags)
    except ValueError as error:
        raise BadInput(f"{flags!r}: {error}") from error


def quickly(subject: Subject) -> Subject:
    """Return the subject with a short bound: for the inputs that are made of its own."""
    return replace(subject, limits=replace(subject.limits, seconds=min(5.0, subject.limits.seconds)))
