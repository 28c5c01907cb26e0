"""Processes. Every process that the lab starts begins in this module.

`call` runs a tool (a compiler, a probe) and returns what it printed. `run` runs a build once on a route by
native/launch.cpp, checks its answer and returns the measured sample.
"""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places, screen
from headrace.base.context import context
from headrace.base.errors import BadInput, HeadraceError, first_fault
from headrace.base.text import plural
from headrace.base.units import memory
from headrace.processes.box import Box, Cage, Changes, View
from headrace.processes.routes import BY_NAME
from headrace.results.failure import Failure
from headrace.results.schema import Sample

MOST = 1 << 30  # bytes that a program may write into one file, where its answer is not known to be as large
GRACE = 10.0  # seconds that the launcher gets beyond the time-out that it enforces itself


@dataclass(frozen=True)
class Completed:
    """How a tool ended. `code` is negative for a signal, and 127 when it could not be started."""

    code: int
    out: str
    err: str
    timed_out: bool = False  # it was ended, as it took too long

    @property
    def ok(self) -> bool:
        """Whether it ended with status 0."""
        return self.code == 0

    @property
    def last_words(self) -> str:
        """The last line of what it wrote to stderr."""
        return "".join(self.err.strip().splitlines()[-1:])

    @property
    def complaint(self) -> str:
        """Its last words, or its status where there are none."""
        return self.last_words.removeprefix("launch: ") or f"status {self.code}"


@dataclass(frozen=True)
class Expected:
    """The right answer: a short text, or the digest and length of a long output."""

    text: str | None = None
    digest: str | None = None
    bytes: int | None = None
    tolerance: float = 0.0  # relative; above 0 the text is compared as a number
    agree: bool = False  # nobody knows it yet: it is what all contenders agree on
    left: Changes | None = None  # in files, of a run in a box


class Report(BaseModel):
    """The launcher's line about a run: seconds and bytes, as native/launch.cpp prints it."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False, defer_build=True)

    wall: float = Field(ge=0)
    waited: float = Field(default=0.0, ge=0)
    user: float = Field(ge=0)
    system: float = Field(ge=0)
    peak_memory: int = Field(ge=0)
    minor_faults: int
    major_faults: int
    voluntary_switches: int
    involuntary_switches: int
    exit: int
    signal: int  # 0: it ended by itself
    timed_out: bool
    rewritten: bool = False  # the input file changed meanwhile
    stayed: float  # share of the input that stayed in the page cache with --cold; negative: not asked for
    bytes: int  # of output
    digest: str  # of the output
    head: Base64Bytes  # the first bytes of the output, at most 64 KiB
    stderr: Base64Bytes  # at most 4 KiB of it


@dataclass(frozen=True)
class Request:
    """One run of one build: `command` is the program with its arguments, `runner` goes before it."""

    command: list[str]
    source: str = "none"  # one of routes.SOURCES
    sink: str = "null"  # one of routes.SINKS
    input: Path | None = None
    timeout: float = 60.0  # seconds
    expected: Expected | None = None  # None: nothing to check but the exit status
    answer_on_stdout: bool = True  # the answer is a few bytes on stdout: captured whatever the sink
    environment: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    runner: list[str] = field(default_factory=list)  # wine, qemu
    variables: Mapping[str, str] = field(default_factory=dict)  # of the program's environment alone
    memory: int | None = None  # bytes of address space that the program may take
    data: int | None = None  # bytes of memory of its own that each of its processes may have
    text_mode: bool = False  # its lines may end in "\\r\\n", which compares as "\\n"
    redraws: bool = False  # on a terminal it draws a screen: what arrives there is not what was printed
    pin: int | None = None
    cold: bool = False
    folder: Path | None = None  # for a file sink; None: a RAM disk
    chatty: bool = False  # what it writes to stderr is a complaint only where it ends with a status
    status: int = 0  # with which it ends rightly; negative: a signal
    box: Box | None = None  # in a fresh view of which it runs, the launcher and `runner` as well
    cage: Cage | None = None  # in which it runs, where there is no box
    writable: tuple[Path, ...] = ()  # folders outside of either in which `runner` writes

    @property
    def loses_output(self) -> bool:
        """Whether the sink does not give back what was printed."""
        sink = BY_NAME[self.sink]
        return sink.is_lost or (self.redraws and sink.is_terminal)


def call(
    command: Sequence[str],
    timeout: float = 60.0,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    given: str = "",
    discard: bool = False,
    to: BinaryIO | None = None,
    box: Box | None = None,
    writable: Sequence[Path] = (),
) -> Completed:
    """Run a tool to its end, with `given` on its stdin. Never raises for a tool that fails.

    `discard` throws away what it prints: for one that leaves others behind, which would keep its output open.
    `to` is a file for its output, which is then not returned. In a `box` the tool sees a fresh view of the
    box's folder, where it starts, and writes elsewhere only in folders that are `writable`.
    """
    output = subprocess.DEVNULL if discard else subprocess.PIPE
    with box.view(writable) if box else nullcontext(View([], cwd)) as view:
        words = [*view.words, *command]
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=to or output,
                stderr=output,
                env={**os.environ, **(environment or {})},
                cwd=view.folder,
                text=True,
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            return Completed(127, "", f"cannot start {words[0]}: {error.strerror}")
        try:
            out, err = process.communicate(given, timeout=timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            late = f"{words[0]} did not end within {timeout:g} s"
            return Completed(-signal.SIGKILL, "", late, timed_out=True)
        except BaseException:  # Ctrl-C: leave nothing running
            _end(process)
            raise
        return Completed(process.returncode, out or "", err or "")


def _end(process: subprocess.Popen[str]) -> None:
    """End a tool and what it started: first by the signal that the launcher passes on, then by force."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.communicate(timeout=2)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
        return


def run(request: Request) -> Sample | Failure:
    """Run once: measured, and the answer checked. `round` of the sample is 0, the campaign fills it in."""
    report = _report(request)
    if isinstance(report, Failure):
        return report
    failure = _failure(request, report)
    if failure:
        _check_room(request, report)
    return failure or _sample(report)


def _check_room(request: Request, report: Report) -> None:
    """Raise BadInput where a run failed because the disk of a file sink is full."""
    folder = _sink_folder(request)
    if folder is None or (request.answer_on_stdout and request.expected is not None):
        return
    wanted = max(report.bytes, (request.expected and request.expected.bytes) or 0)
    free = shutil.disk_usage(folder).free  # the launcher has removed the sink's file
    if free < wanted:
        raise BadInput(
            f"{folder} is full: a file sink takes {wanted:,} bytes there, and {free:,} are free; "
            "free some, or choose another folder with --folder"
        )


def observe(request: Request) -> str | Failure:
    """Run once and return what arrived at the sink, at most 64 KiB of it. The answer is not checked."""
    report = _report(replace(request, expected=Expected(), answer_on_stdout=False))
    if isinstance(report, Failure):
        return report
    told = report.head
    arrived = screen.text(told) if request.redraws and BY_NAME[request.sink].is_terminal else told
    return _failure(replace(request, expected=None), report) or arrived.decode("utf-8", "replace")


def _report(request: Request) -> Report | Failure:
    with places.scratch(_sink_folder(request)) as folder:
        command = _launcher_command(request, folder / "sink")
        if request.cage is not None and request.box is None:
            files = (request.input, request.command[0])
            command = request.cage.around(command, (folder, *request.writable), files)
        done = call(
            command,
            timeout=request.timeout + GRACE,
            environment=request.environment,
            cwd=request.cwd,
            box=request.box,
            writable=(folder, *request.writable),
        )
    if done.timed_out:
        return Failure("TIMED OUT", f"the launcher itself did not end within {request.timeout + GRACE:g} s")
    if not done.ok:
        return Failure("CRASHED", done.err.strip() or f"the launcher ended {ending(done.code)}")
    try:
        return Report.model_validate_json(done.out)
    except ValidationError as error:
        raise HeadraceError(f"the launcher's report is not usable: {first_fault(error)}") from error


@dataclass(frozen=True)
class Answer:
    """The output of a run: its first bytes, at most 64 KiB of them, its digest and its size."""

    head: bytes
    digest: str
    bytes: int


def answer(request: Request) -> Answer | Failure:
    """Run once and return its answer, unchecked."""
    sink = "pipe" if request.loses_output and not request.answer_on_stdout else request.sink
    wanted = replace(request, expected=Expected(), sink=sink)
    report = _report(wanted)
    if isinstance(report, Failure):
        return report
    failed = _failure(replace(wanted, expected=None), report)
    return failed or Answer(report.head, report.digest, report.bytes)


def digest(path: Path) -> tuple[str, int]:
    """Return the digest and the size of a file, as the launcher reports them for an output."""
    done = call([str(launcher()), "--digest", str(path)], timeout=600)
    if not done.ok:
        raise HeadraceError(done.err.strip())
    size, value = done.out.split()
    return value, int(size)


def _sink_folder(request: Request) -> Path | None:
    return (request.folder or places.fast_folder()) if BY_NAME[request.sink].is_file else None


def _launcher_command(request: Request, sink_file: Path) -> list[str]:
    expected = request.expected
    is_captured = request.answer_on_stdout and expected is not None
    reads = None if BY_NAME[request.source].is_empty else request.input
    amounts = {
        "--source": request.source,
        "--timeout": f"{request.timeout:g}",
        "--input": reads,
        "--sink": "capture" if is_captured else request.sink,
        "--output": None if is_captured else sink_file,
        "--pin": request.pin,
        "--most": max(MOST, 2 * ((expected and expected.bytes) or 0)),
        "--memory": request.memory,
        "--data": request.data,
    }
    flags = {"--no-check": expected is None, "--text": request.text_mode, "--cold": request.cold}
    command = [str(launcher()), *(name for name, is_wanted in flags.items() if is_wanted)]
    for name, value in amounts.items():
        command += [] if value is None else [name, str(value)]
    for name, value in request.variables.items():
        command += ["--variable", f"{name}={value}"]
    return [*command, "--", *request.runner, *request.command]


def _sample(report: Report) -> Sample:
    measured = report.model_dump(include={*Sample.model_fields})
    return Sample(round=0, cached=report.stayed if report.stayed >= 0 else None, **measured)


def _failure(request: Request, report: Report) -> Failure | None:
    """Say what was wrong with a run, or None for a right one."""
    if report.rewritten:
        return Failure(
            "WRONG",
            f"it changed its input, {request.input}, which others read, too: remove it and race again",
        )
    if report.timed_out:
        return Failure("TIMED OUT", f"did not end within {request.timeout:g} s; --timeout allows more")
    words = report.stderr.decode("utf-8", "replace").strip()
    last_words = f": {words.splitlines()[-1]}" if words and (report.exit or not request.chatty) else ""
    status = -report.signal or report.exit
    if status != request.status:
        is_endless = report.signal == getattr(signal, "SIGXFSZ", None)
        more = " for writing too much into one file" if is_endless else ""
        hint = _hint_of_memory(request, report, words)
        return Failure("CRASHED", f"ended {ending(status)}{more}{last_words}{hint}")
    if request.expected is None:
        return None
    if request.box is not None and request.expected.left not in (None, request.box.left):
        return Failure("WRONG", "its files are not as they were")
    if request.loses_output and not request.answer_on_stdout:
        nothing = not BY_NAME[request.sink].is_lost and not report.bytes and request.expected.bytes
        return Failure("WRONG", f"nothing was printed on the terminal{last_words}") if nothing else None
    wrong = _difference(request.expected, report)
    read = f"; the input is {shown_path(request.input)}" if request.input else ""
    return Failure("WRONG", wrong + last_words + read) if wrong else None


def _hint_of_memory(request: Request, report: Report, words: str) -> str:
    """Name the bound on memory where a run that failed seems to have come to it."""
    complains = any(each in words for each in ("bad_alloc", "Cannot allocate memory", "out of memory"))
    if not request.data or not (complains or report.peak_memory > request.data * 0.9):
        return ""
    return f"; a run may have {memory(request.data)} of memory, three quarters of the machine's"


def ending(status: int) -> str:
    """Say how a program ended: "by SIGABRT" (a negative status), "with status 3"."""
    if status >= 0:
        return f"with status {status}"
    return f"by {signal.Signals(-status).name if -status in signal.valid_signals() else -status}"


def _difference(expected: Expected, report: Report) -> str:
    """Compare the answer. Returns "" when it is right, else a phrase with both."""
    if expected.text is not None:
        answer = report.head.decode("utf-8", "replace").strip()
        if answer == expected.text or is_near(answer, expected.text, expected.tolerance):
            return ""
        return f"expected {short(expected.text)}, got {short(answer)}"
    if report.digest == expected.digest:
        return ""
    if expected.bytes is not None and report.bytes != expected.bytes:
        return f"expected {plural(expected.bytes, 'byte')} of output, got {report.bytes:,}"
    return f"the output's digest is {report.digest}, expected {expected.digest} (the lengths are equal)"


def shown_path(path: Path) -> str:
    """Write a path as a person here would: from this folder, or from the home folder on."""
    for top, before in ((Path.cwd(), ""), (Path(os.path.expanduser("~")), "~/")):
        if path.is_relative_to(top):
            return f"{before}{path.relative_to(top)}"
    return str(path)


def is_near(answer: str, other: str, tolerance: float) -> bool:
    """Whether two answers are numbers within a relative tolerance."""
    if tolerance <= 0:
        return False
    try:
        return math.isclose(float(answer), float(other), rel_tol=tolerance)
    except ValueError:
        return False


def short(text: str) -> str:
    """Quote an answer for a message: one line of at most 60 characters."""
    if not text:
        return "nothing"
    return repr(text if len(text) <= 60 else text[:57] + "...")


def launcher() -> Path:
    """Return the built launcher. Raises HeadraceError before `build.launcher` made it."""
    path = context().launcher
    if path is None:
        raise HeadraceError("the launcher has not been built yet")
    return path
