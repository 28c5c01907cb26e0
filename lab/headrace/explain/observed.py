"""What a program was seen to do: its system calls with who made them, and samples of where it was.

The launcher observes (native/observe.hpp); here addresses become functions and lines, by binutils' addr2line.
"""

from __future__ import annotations

import errno
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from headrace.base import places, units
from headrace.explain import rules
from headrace.processes import launch
from headrace.results.failure import Failure

HOW_TO_ALLOW = (
    "programs may not be traced here; in a container start it with --cap-add=SYS_PTRACE, elsewhere run "
    "outside of sandboxes, as root, or with kernel.yama.ptrace_scope at 1 or 0"
)
LEAST = 2.0  # seconds that the observer gets beyond its bound
START = re.compile(r"^(_start|_*libc_start\w*|_*libc_csu_init|_init|start_call_main|start_main\w*)$")

_SYSTEM = re.compile(
    r"^(/usr/(lib|include)|/lib|\[)|/include/c\+\+/|/include/headrace/|/lib/gcc|\.\./sysdeps|^\./"
)
_SYSTEM_CALL = re.compile(r"^(std|__gnu_cxx|__cxxabiv1|headrace)::|^operator (new|delete)|^_")


@dataclass(frozen=True)
class Place:
    """A function, and the line in it where it was, 0 if not known. `library`: the file with the code."""

    function: str
    file: str
    line: int
    library: str
    is_own: bool  # written by the user, as far as that can be told


Callers = tuple[Place, ...]  # the innermost place first


class _Placed:
    """What was seen, and where: who called whom."""

    callers: Callers
    call: str  # the system call; "" for none

    @property
    def own(self) -> Place | None:
        """The innermost place in the user's own code."""
        return next((each for each in self.callers if each.is_own), None)

    @property
    def inner(self) -> list[str]:
        """The functions that the user's own code called, the innermost first."""
        return [each.function for each in itertools.takewhile(lambda each: not each.is_own, self.callers)]

    @property
    def is_loading(self) -> bool:
        """Whether the loader did it, before the program began."""
        return self.own is None and any(each.library.startswith("ld-") for each in self.callers)

    @cached_property
    def path(self) -> str:
        """Write it as rules search it: "[write] write < ostream::flush < *main", the user's with a star."""
        names = [*self.inner, *([f"*{self.own.function}"] if self.own is not None else [])]
        return f"[{self.call}] " * bool(self.call) + " < ".join(name for name, _ in itertools.groupby(names))


@dataclass(frozen=True)
class Calls(_Placed):
    """System calls of one kind from one place: `to` is "descriptor kind flags path"."""

    call: str
    to: str
    count: int
    bytes: int
    seconds: float = 0.0
    callers: Callers = ()
    error: str = ""  # "EAGAIN": they failed so
    size: int = 0  # of what each moved, up to the next power of two; 0 at the end of input
    reads_source: bool = False
    writes_sink: bool = False
    is_early: bool = False  # before its process moved a byte of the source or the sink


@dataclass(frozen=True)
class Sampled(_Placed):
    """Moments at one place. `state`: R runs, S waits, D waits for a disk; `call`: in which, "" for none."""

    count: float
    state: str
    call: str
    callers: Callers


@dataclass(frozen=True)
class Observation:
    """One run, or several runs together."""

    complete: bool
    seconds: float
    ran: float  # seconds on a processor, of the main thread
    waited: float  # seconds that it waited for one
    faults: int
    processes: int  # that it started
    calls: list[Calls] = field(default_factory=list)
    samples: list[Sampled] = field(default_factory=list)
    loader: list[Calls] = field(default_factory=list)  # what the loader did before the program began
    loading: float = 0.0  # samples of that
    scale: float = 1.0  # what counts are multiplied by where they are told: to be per MiB
    failure: Failure | None = None  # how it ended, unless as it should

    @property
    def moments(self) -> float:
        """How many samples there are."""
        return sum(each.count for each in self.samples)

    def undelayed(self) -> Observation:
        """Return it without the time in which it waited for a processor: what runs counts for less.

        How long that was is what the system says of the main thread.
        """
        runs = self.ran / (self.ran + self.waited) if self.ran + self.waited else 1.0
        samples = [
            replace(each, count=each.count * runs) if each.state == "R" else each for each in self.samples
        ]
        return replace(self, samples=samples, loading=self.loading * runs)


def observe(
    request: launch.Request, bound: float, every: float = 0.0, with_callers: bool = True
) -> Observation | Failure:
    """Run once: count calls or, `every` so many seconds, take samples. It is ended after `bound` seconds.

    `with_callers`: with who made them, and what the loader did before the program began apart.
    """
    with places.scratch() as folder:
        report = folder / "report"
        words = [str(launch.launcher()), "--observe", str(report), "--for", f"{bound:g}"]
        words += ["--every", f"{every:.6f}"] if every else []
        words += [] if with_callers else ["--no-callers"]
        runner, writable = [*words, "--", *request.runner], (*request.writable, folder)
        ended = launch.run(replace(request, runner=runner, timeout=bound + LEAST, writable=writable))
        lines = report.read_text(errors="replace").splitlines() if report.exists() else []
    if "blind" in lines:
        return Failure("skipped", HOW_TO_ALLOW)
    if not any(line.startswith("ended\t") for line in lines):
        return ended if isinstance(ended, Failure) else Failure("CRASHED", "nothing was observed")
    seen = parse(lines, request.command[0])
    return replace(seen, failure=ended) if isinstance(ended, Failure) else seen


@dataclass(frozen=True)
class _Map:
    begin: int
    end: int
    base: int
    path: str


def parse(lines: Iterable[str], program: str) -> Observation:
    """Read a report of native/observe.hpp."""
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for line in lines:
        kind, _, rest = line.partition("\t")
        rows[kind].append(rest.split("\t"))
    maps = [_Map(int(row[0], 16), int(row[1], 16), int(row[2], 16), row[3]) for row in rows["map"]]
    chains = [row[-1] for row in [*rows["call"], *rows["sample"]]]
    known = _Places(maps, program, chains)
    files = {int(row[0]): " ".join([row[1], *_flags(int(row[2], 8)), row[3]]) for row in rows["file"]}
    how, seconds, ran, waited, faults, processes = rows["ended"][0]
    counted = [
        Calls(
            name,
            f"{to} {files.get(int(file), '')}",
            int(count),
            int(moved),
            float(took),
            known.of(chain),
            errno.errorcode.get(int(error), error) if int(error) else "",
            int(size),
            ends in ("1", "3"),
            ends in ("2", "3"),
            early == "1",
        )
        for name, to, file, ends, early, error, size, count, moved, took, chain in rows["call"]
    ]
    taken = [_sampled(row, known.of(row[3])) for row in rows["sample"]]
    return Observation(
        how == "whole",
        float(seconds),
        float(ran),
        float(waited),
        int(faults),
        int(processes),
        [each for each in counted if not each.is_loading],
        [each for each in taken if not each.is_loading],
        [each for each in counted if each.is_loading],
        sum(each.count for each in taken if each.is_loading),
    )


def _sampled(row: Sequence[str], callers: Callers) -> Sampled:
    call = row[2]
    if call == "call":  # its number was gone: it was about to return, or a stop had interrupted it
        call = re.sub(r"^_+|_nocancel$", "", callers[0].function) if callers else ""
    return Sampled(float(row[0]), row[1], call, callers)


def _flags(flags: int) -> list[str]:
    names = {0o2000: "append", 0o10000: "sync", 0o4000: "nonblock", 0o40000: "direct"}
    return [name for bit, name in names.items() if flags & bit]


class _Places:
    def __init__(self, maps: list[_Map], program: str, chains: Iterable[str]) -> None:
        self._maps, self._program = maps, program
        self._known: dict[tuple[str, int], list[Place]] = {}
        wanted: dict[str, set[int]] = defaultdict(set)
        for chain in set(chains):
            for file, address in self._addresses(chain):
                wanted[file].add(address)
        for file, addresses in wanted.items():
            self._look_up(file, sorted(addresses))

    def of(self, chain: str) -> Callers:
        """Return the places of a chain of addresses, inlined functions among them."""
        return tuple(place for key in self._addresses(chain) for place in self._known.get(key, []))

    def _addresses(self, chain: str) -> list[tuple[str, int]]:
        addresses = []
        for number, word in enumerate(chain.split(",") if chain else []):
            address = int(word, 16) - (number > 0)  # a return address is past its call
            home = next((each for each in self._maps if each.begin <= address < each.end), None)
            if home is not None:
                addresses.append((home.path, address - home.begin + home.base))
        return addresses

    def _look_up(self, file: str, addresses: list[int]) -> None:
        words = ["addr2line", "-afiC", "-e", file]
        done = launch.call(words, timeout=60, given="\n".join(f"{each:#x}" for each in addresses) + "\n")
        lines, key = iter(done.out.splitlines()), (file, 0)
        for line in lines:
            if line.startswith("0x"):
                key = (file, int(line, 16))
                self._known[key] = []
            else:
                self._known[key].append(self._place(line, next(lines, ""), file))

    def _place(self, name: str, where: str, library: str) -> Place:
        source, _, number = where.split(" (")[0].rpartition(":")
        line = int(number) if number.isdigit() else 0
        source = "" if source == "??" else source
        function = short(name) if name != "??" else ""
        is_library = library != self._program and _SYSTEM.match(library) is not None
        is_own = not is_library and bool(function) and not START.match(function) and library.startswith("/")
        if source:
            is_own = is_own and not _SYSTEM.search(source)
        else:
            is_own = is_own and not _SYSTEM_CALL.match(name.split("(")[0].split("<")[0].split(" ")[-1])
        return Place(function, source, line, library.split("/")[-1], is_own)


_BRACKETED = re.compile(r"operator *(<<=?|>>=?|<=>|<=?|>=?|->\*?|\(\))|\(anonymous namespace\)")
_OF_LIBC = re.compile(r"^(__GI_|__libc_|_IO_new_|_IO_|___?)+(?=[a-z])")
_OF_ITS_KERNELS = re.compile(
    r"^__([a-z]\w*?)(_(avx\d*|evex\d*|sse\d(_\d)?|ssse3|unaligned|erms|rtm|movbe))+$"
)


def short(name: str) -> str:
    """Shorten a C++ name: no arguments, no template arguments, no inline namespaces.

    "std::__1::num_get<char, ...>::do_get(...) const" becomes "num_get::do_get"; an address becomes "".
    """
    if re.fullmatch(r"0x[0-9a-f]+", name):
        return ""
    name = re.sub(r"@.*|\[abi:\w+\]|\[clone .*\]", "", name)  # a symbol's version, an ABI tag
    kept: list[str] = []  # brackets that belong to a name are kept as a control character

    def aside(match: re.Match[str]) -> str:
        kept.append(match[0])
        return chr(len(kept))

    plain, depth = "", 0
    for char in _BRACKETED.sub(aside, name):
        if char == "(" and not depth:
            break
        depth += (char == "<") - (char == ">" and depth > 0)
        plain += char if not depth and char != ">" else ""
    text = plain.rstrip().split(" ")[-1]  # what comes before it is the type that it returns
    text = "".join(kept[ord(char) - 1] if ord(char) <= len(kept) else char for char in text)
    if "operator new" in name or "operator delete" in name:
        text = "operator new" if "operator new" in name else "operator delete"
    text = text if "::" in text else _OF_LIBC.sub("", _OF_ITS_KERNELS.sub(r"\1", text))
    return re.sub(r"\b(std|__gnu_cxx)::(__1::|__cxx11::)?", "", text).replace("basic_", "") or name


# How the time is split

ALWAYS = ("sleep", "disk", "another process")  # wait in calls even where they are seen to run


@dataclass(frozen=True)
class Spot:
    """What the user's own code does: its share, what it calls ("" for itself), the function and the line."""

    share: float
    callee: str
    place: Place

    def says(self, file: str = "") -> str:
        """Say it: "std::regex_search in parse() at line 31". `file`: whose name goes without saying."""
        name = self.place.file.rsplit("/", 1)[-1]
        where = "" if name == file else f" of {name}"
        line = f" at line {self.place.line}{where}" if self.place.line else ""
        inside = f"{self.place.function}()"
        return f"{self.callee} in {inside}{line}" if self.callee else f"{inside}{line}"


@dataclass(frozen=True)
class Split:
    """Where the time goes, 0 to 1: the three and `waiting` by what for; together 1.

    It is without the time in which the program waited for a processor; `delayed` is that, as part of the run.
    """

    io: float = 0.0
    streams: float = 0.0
    own: float = 0.0
    waiting: Mapping[str, float] = field(default_factory=dict)
    spots: Sequence[Spot] = ()  # of the own code, the largest first
    delayed: float = 0.0

    @property
    def of_io(self) -> float:
        """I/O calls, conversion and streams."""
        return self.io + self.streams

    def of_waiting(self, *besides: str) -> float:
        """Waiting for anything but `besides`, of the time without these."""
        left = sum(share for why, share in self.waiting.items() if why not in besides)
        return left / max(1.0 - sum(self.waiting.values()) + left, 1e-9)

    @property
    def is_known(self) -> bool:
        """Whether anything was seen."""
        return bool(self.io or self.streams or self.own or self.waiting)

    def own_work(self, file: str) -> str:
        """Say what most of the own code is: "42 % main() at line 14, 3 % peek() at line 6"."""
        return ", ".join(f"{units.rounded_percent(each.share)} {each.says(file)}" for each in self.spots[:3])

    def says(self, file: str = "") -> str:
        """Say it in one line, in whole percent that add up to 100; "" where nothing was seen."""
        if not self.is_known:
            return ""
        names = ["I/O calls", "conversion and streams", "your own code", "waiting"]
        shares = whole_percent([self.io, self.streams, self.own, sum(self.waiting.values())])
        own = self.own_work(file) if self.own >= 0.05 else ""
        reasons = sorted(self.waiting.items(), key=lambda item: -item[1])
        waits = [f"{why} {units.rounded_percent(share)}" for why, share in reasons if share >= 0.005]
        notes = ["", "", own, f"for {', '.join(waits)}" if waits else ""]
        parts = zip(names, shares, notes, strict=True)
        line = ", ".join(
            f"{name} {units.rounded_percent(share / 100)}" + (f" ({note})" if note else "")
            for name, share, note in parts
        )
        delay = f"; besides, others kept the processor for {units.rounded_percent(self.delayed)} of the run"
        return line + (delay if self.delayed >= 0.005 else "")


def whole_percent(shares: Sequence[float]) -> list[int]:
    """Round shares that add up to 1 to percents that add up to 100: the largest remainders are rounded up."""
    exact = [share * 100 for share in shares]
    rounded = [int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda place: rounded[place] - exact[place])
    for place in order[: 100 - sum(rounded)] if sum(exact) > 99 else []:
        rounded[place] += 1
    return rounded


def category(each: Sampled) -> str:
    """Return "io", "streams", "own", or what is waited for."""
    known = rules.load().categories
    for why, pattern in known.waits.items():
        is_called = why in ALWAYS and "pipe" not in each.call
        if re.search(pattern, each.call) and (each.state != "R" or is_called):
            return why
    if each.state == "D":
        return "disk"
    is_io = re.match(known.io, each.call)
    if is_io or each.state == "S":
        return "io" if is_io else "something else"
    if each.call in ("mmap", "munmap", "madvise", "mremap") and not re.search(
        r"alloc|operator|free", " ".join(each.inner)
    ):
        return "io"
    return "streams" if any(re.search(known.streams, name) for name in each.inner) else "own"


def split(seen: Observation) -> Split:
    """Split the time of a sampled run."""
    own = seen.undelayed()
    total = own.moments
    if not total:
        return Split()
    shares: dict[str, float] = defaultdict(float)
    spots: dict[tuple[str, str], list[Sampled]] = defaultdict(list)
    for each in own.samples:
        kind = category(each)
        share = each.count / total
        shares[kind] += share
        if kind == "own" and each.own is not None:
            callee = "".join(each.inner[-1:])
            spots[each.own.function, callee].append(replace(each, count=share))
    named = [_spot(callee, members) for (_, callee), members in spots.items()]
    waiting = {why: share for why, share in shares.items() if why not in ("io", "streams", "own")}
    return Split(
        shares["io"],
        shares["streams"],
        shares["own"],
        waiting,
        sorted(named, key=lambda spot: -spot.share),
        1.0 - total / seen.moments,
    )


def _spot(callee: str, members: Sequence[Sampled]) -> Spot:
    lines: dict[Place, float] = defaultdict(float)
    for each in members:
        assert each.own is not None  # of the own code
        lines[each.own] += each.count
    is_of_std = re.search(r"regex|sort|map|vector|string|set|deque|list|hash", callee)
    full = f"std::{callee}" if is_of_std else callee
    return Spot(sum(each.count for each in members), full, max(lines, key=lines.__getitem__))
