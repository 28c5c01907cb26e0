"""System calls of one run, counted under a tracer: strace, or perf trace where strace is missing.

A tracer writes one line per call. Here the lines become counts by name and the sizes of what was read from
the source and written to the sink. What a program does before its first byte moves (the loader, the runtime)
is counted apart, so that "calls per MiB" means the same for an input of 64 KiB and for one of a gigabyte.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from headrace.base.errors import BadInput, NothingToDo
from headrace.processes import launch
from headrace.results.failure import Failure

ToolName = Literal["strace", "perf trace"]

READS = ("read", "readv", "pread64", "preadv", "preadv2")
WRITES = ("write", "writev", "pwrite64", "pwritev", "pwritev2")
MOVES = {  # from one descriptor to another: places of the two among the arguments, and perf trace's labels
    "sendfile": (1, 0, "in_fd", "out_fd"),
    "splice": (0, 2, "fd_in", "fd_out"),
    "copy_file_range": (0, 2, "fd_in", "fd_out"),
}
# Old 32-bit calls, under the names of their successors.
ALIASES = {
    "_llseek": "lseek",
    "mmap2": "mmap",
    "fstat64": "fstat",
    "fstatat64": "newfstatat",
    "sendfile64": "sendfile",
    "fcntl64": "fcntl",
    "old_mmap": "mmap",
}
STANDARD = re.compile(r'"(/dev/(stdin|stdout|fd/[01])|/proc/self/fd/[01])"')

HOW_TO_GET = "apt-get install strace (or dnf install strace)"


@dataclass(frozen=True)
class Call:
    """One finished call: `result` is None where the tracer shows none, `error` a name such as EAGAIN."""

    pid: int
    name: str
    arguments: str
    result: int | None
    error: str = ""


@dataclass(frozen=True)
class Trace:
    """What a run asked of the kernel. Sizes are keyed by their upper power of two; 0 is the end of input."""

    counts: dict[str, int]
    start_up: dict[str, int]  # the part of `counts` before the first byte moved
    failed: dict[str, int] = field(default_factory=dict)  # "read EAGAIN" -> calls
    read_sizes: dict[int, int] = field(default_factory=dict)
    write_sizes: dict[int, int] = field(default_factory=dict)
    bytes_read: int = 0
    bytes_written: int = 0
    complete: bool = True  # False: the run was ended by the bound on its time


@dataclass(frozen=True)
class Tool:
    """A tracer that works here."""

    name: ToolName

    def words(self, output: Path) -> list[str]:
        """Return what goes before a program to trace it."""
        if self.name == "strace":
            return [
                "strace",
                "-f",
                "-qq",
                "-s",
                "0",
                "-e",
                "signal=none",
                "-e",
                "trace=all",
                "-o",
                str(output),
            ]
        return ["perf", "trace", "-o", str(output), "--"]


def find_tool() -> Tool:
    """Return a tracer that was tried. Raises NothingToDo without one, BadInput where tracing is refused."""
    refused = ""
    names: list[ToolName] = ["strace", "perf trace"]
    for name in names:
        if shutil.which(name.split()[0]) is None:
            continue
        with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
            output = Path(folder) / "trace"
            done = launch.call([*Tool(name).words(output), "true"], timeout=30)
            seen = parse(name, output.read_text(errors="replace").splitlines()) if output.exists() else None
        if done.ok and seen is not None and "exit_group" in seen.counts:
            return Tool(name)
        said = done.err.strip().splitlines()
        refused = refused or f"{name} says: {said[0] if said else f'status {done.code}, nothing traced'}"
    if not refused:
        raise NothingToDo(f"explain needs a tracer, and neither strace nor perf is here; {HOW_TO_GET}")
    raise BadInput(
        f"programs may not be traced here ({refused}); in a container start it with --cap-add=SYS_PTRACE, "
        "elsewhere run outside of sandboxes, as root, or with kernel.yama.ptrace_scope at 1 or 0"
    )


def run(tool: Tool, request: launch.Request, bound: float) -> Trace | Failure:
    """Trace one run for at most `bound` seconds; one that takes longer gives what was seen until then."""
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        output = Path(folder) / "trace"
        traced = replace(request, runner=[*tool.words(output), *request.runner], timeout=bound)
        ended = launch.run(traced)
        cut = isinstance(ended, Failure) and ended.outcome == "TIMED OUT"
        if isinstance(ended, Failure) and not cut:
            return ended
        if not output.exists():
            return Failure("TIMED OUT" if cut else "CRASHED", f"{tool.name} wrote no trace")
        with output.open(encoding="utf-8", errors="replace") as lines:
            found = parse(tool.name, lines)
    return replace(found, complete=not cut)


def parse(name: ToolName, lines: Iterable[str]) -> Trace:
    """Count the calls of a tracer's output. Lines that are no calls (signals, exits) count nothing."""
    return _count(strace_calls(lines) if name == "strace" else perf_calls(lines), name)


# strace: "pid name(arguments) = result", cut in two where another process came between.

_PID = re.compile(r"(?:\[pid +)?(\d+)?\]? *(.*)")
_WHOLE = re.compile(r"(\w+)\((.*)\) += (\S+)(?: (E[A-Z0-9]+))?")
_BEGUN = re.compile(r"(\w+)\((.*?),? *<unfinished \.\.\.>")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)\) += (\S+)(?: (E[A-Z0-9]+))?")


def strace_calls(lines: Iterable[str]) -> Iterator[Call]:
    """Read strace's lines; a call that another process interrupted is put together again."""
    begun: dict[int, str] = {}  # pid -> first half of the arguments
    for line in lines:
        prefix = _PID.match(line)
        assert prefix is not None  # every part of it may be empty
        pid, text = int(prefix[1] or 0), prefix[2]
        if found := _WHOLE.match(text):
            yield _call(pid, found[1], found[2], found[3], found[4])
        elif found := _RESUMED.match(text):
            yield _call(pid, found[1], f"{begun.pop(pid, '')}, {found[2]}", found[3], found[4])
        elif found := _BEGUN.match(text):
            begun[pid] = found[2]


def _call(pid: int, name: str, arguments: str, result: str, error: str | None) -> Call:
    plain = ALIASES.get(name, name)
    if result == "?" and error:  # interrupted by a signal: it is made again, and counted then
        return Call(pid, plain, arguments, None, error)
    return Call(pid, plain, arguments, number(result), error or "")


def number(text: str) -> int | None:
    """Read a decimal, hexadecimal or octal number as tracers print it; None for anything else."""
    digits = text.rstrip(",")
    try:
        if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
            return int(digits, 8)
        return int(digits, 0)
    except ValueError:
        return None


# perf trace: "time ( duration ): command/pid name(label: value, ...) = result", without labels that are 0.

_PERF = re.compile(
    r" *[\d.]+ \(.*?\): (?:\S.*?/(\d+) )? *(?:\.\.\. \[continued\]: )?(\w+)\((.*?)\) += (\S+)(?: (E\w+))?"
)
_PERF_BEGUN = re.compile(r" *[\d.]+ \( +\): (?:\S.*?/(\d+) )?(\w+)\((.*?)\) +\.\.\.$")


def perf_calls(lines: Iterable[str]) -> Iterator[Call]:
    """Read perf trace's lines."""
    begun: dict[int, str] = {}
    for line in lines:
        if found := _PERF.match(line.rstrip("\n")):
            pid = int(found[1] or 0)
            arguments = begun.pop(pid, "") if "[continued]" in line else found[3]
            yield _call(pid, found[2], arguments, found[4], found[5])
        elif found := _PERF_BEGUN.match(line.rstrip("\n")):
            begun[int(found[1] or 0)] = found[3]


class _Arguments:
    """Finds descriptors among a call's arguments, by place (strace) or by label (perf trace)."""

    def __init__(self, call: Call, tool: ToolName) -> None:
        self._text = call.arguments
        self._parts = call.arguments.split(", ")
        self._labelled = tool == "perf trace"

    def descriptor(self, place: int, label: str = "fd") -> int | None:
        """Return a descriptor, or None where there is none."""
        if self._labelled:
            found = re.search(rf"(?:^|, ){label}: (-?\d+)", self._text)
            return int(found[1]) if found else 0
        return number(self._parts[place].split("<")[0]) if place < len(self._parts) else None

    def has(self, word: str) -> bool:
        """Tell whether a flag is among the arguments."""
        return word in self._text

    def opens_an_end(self) -> bool:
        """Tell whether data is opened: to be written, by a standard name, or not as runtimes open files."""
        if STANDARD.search(self._text) or "WRONLY" in self._text or "RDWR" in self._text:
            return True
        return "CLOEXEC" not in self._text and "DIRECTORY" not in self._text


@dataclass
class _Process:
    """What one process did since its program began to move bytes."""

    moving: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    read_sizes: Counter[int] = field(default_factory=Counter)
    write_sizes: Counter[int] = field(default_factory=Counter)
    bytes_read: int = 0
    bytes_written: int = 0

    def read(self, size: int) -> None:
        self.read_sizes[upper_power(size)] += 1
        self.bytes_read += size

    def wrote(self, size: int) -> None:
        self.write_sizes[upper_power(size)] += 1
        self.bytes_written += size


class _Counter:
    """Counts calls; knows which descriptors are the source or the sink."""

    def __init__(self, tool: ToolName) -> None:
        self.tool = tool
        self.ends = {0, 1}
        self.counts: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.processes: defaultdict[int, _Process] = defaultdict(_Process)

    def add(self, call: Call) -> None:
        """Count one call."""
        if call.result is None and call.error:  # to be restarted
            return
        self._follow(call)
        self.counts[call.name] += 1
        if self.processes[call.pid].moving:
            self.processes[call.pid].counts[call.name] += 1
        if call.error:
            self.failed[f"{call.name} {call.error}"] += 1

    def _follow(self, call: Call) -> None:
        """Note the bytes that a call moved, and the descriptors that it opened."""
        known = _Arguments(call, self.tool)
        if call.name in READS and known.descriptor(0) in self.ends:
            self._move(call, incoming=True)
        elif call.name in WRITES and known.descriptor(0) in self.ends:
            self._move(call, outgoing=True)
        elif call.name in MOVES:
            source, sink, in_label, out_label = MOVES[call.name]
            incoming = known.descriptor(source, in_label) in self.ends
            self._move(call, incoming, known.descriptor(sink, out_label) in self.ends)
        elif call.name == "mmap" and not known.has("ANON") and known.descriptor(4) in self.ends:
            self.processes[call.pid].moving = True
        elif call.name == "execve" and call.result == 0:  # what a wrapper did was start-up
            self.processes[call.pid] = _Process()
        elif call.result is not None and call.result > 2:
            self._open(call, known)

    def _open(self, call: Call, known: _Arguments) -> None:
        assert call.result is not None
        if call.name in ("open", "openat", "creat"):
            (self.ends.add if known.opens_an_end() else self.ends.discard)(call.result)
        elif (call.name == "dup" or known.has("F_DUPFD")) and known.descriptor(0) in self.ends:
            self.ends.add(call.result)

    def _move(self, call: Call, incoming: bool = False, outgoing: bool = False) -> None:
        process = self.processes[call.pid]
        process.moving = process.moving or incoming or outgoing
        if call.result is not None and call.result >= 0:
            if incoming:
                process.read(call.result)
            if outgoing:
                process.wrote(call.result)


def _count(calls: Iterable[Call], tool: ToolName) -> Trace:
    counter = _Counter(tool)
    for call in calls:
        counter.add(call)
    each = counter.processes.values()
    moving = sum((one.counts for one in each), Counter[str]())
    read_sizes = sum((one.read_sizes for one in each), Counter[int]())
    write_sizes = sum((one.write_sizes for one in each), Counter[int]())
    return Trace(
        counts=_ordered(counter.counts),
        start_up=_ordered(counter.counts - moving),
        failed=_ordered(counter.failed),
        read_sizes=dict(sorted(read_sizes.items())),
        write_sizes=dict(sorted(write_sizes.items())),
        bytes_read=sum(one.bytes_read for one in each),
        bytes_written=sum(one.bytes_written for one in each),
    )


def _ordered(counts: Counter[str]) -> dict[str, int]:
    return dict(counts.most_common())


def upper_power(size: int) -> int:
    """Return the smallest power of two that is not below `size`; 0 for 0."""
    return 0 if size <= 0 else 1 << (size - 1).bit_length()
