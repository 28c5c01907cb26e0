"""Builds: contender x variant x toolchain x flags, kept in a cache keyed by content.

A build is found again when its command, its compiler and every file that it read are unchanged. The compiler
lists the files it reads (-MD); they are compared by size and time first, and by content when these differ. A
build's digest names its folder, so that a newer source never replaces the binary that older results were made
with.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from headrace.base import context, places
from headrace.base.errors import BadInput, HeadraceError
from headrace.matrix import needs
from headrace.matrix.benchmarks import Contender
from headrace.matrix.compilers import CompileOptions, Toolchain
from headrace.matrix.toolchains import find, first_error
from headrace.processes import launch

TIMEOUT = 600.0  # seconds for one build
KEPT = 16  # builds remembered for one command line
LARGEST_SOURCE = 8 << 20  # bytes: a larger file beside a source is data
PROGRAM, OBJECT, READ = "program", "object.o", "read.d"  # of a build, in its folder


Made = TypeVar("Made")


@dataclass(frozen=True)
class Order:
    """A build that is wanted."""

    contender: Contender
    toolchain: Toolchain
    optimise: str  # "O2"
    standard: str  # "c++17"
    shared: bool = False  # a shared object, not a program
    companion: Path | None = None  # a source compiled after the contender's, in its translation unit
    include: Path | None = None  # the folder of another headrace's headers


@dataclass(frozen=True)
class Build:
    """A build in the cache, or why there is none (`error` is then the compiler's first error)."""

    order: Order
    command: list[str]
    digest: str = ""
    program: Path | None = None
    error: str = ""
    harness: Path | None = None  # the program that loads it, where it is a shared object


@dataclass(frozen=True)
class _File:
    """A file that a build read."""

    path: str
    size: int
    time: int  # nanoseconds
    content: str  # sha256

    def is_same(self) -> bool:
        """Tell whether the file is as it was."""
        try:
            facts = Path(self.path).stat()
            if (facts.st_size, facts.st_mtime_ns) == (self.size, self.time):
                return True
            return facts.st_size == self.size and places.digest(Path(self.path)) == self.content
        except OSError:
            return False


def command(
    order: Order, program: Path | None = None, include: Path | None = None, reads: Path | None = None
) -> list[str]:
    """Return the command line that makes a program at once; without `program`, all but where that goes.

    `include` is the folder of another headrace's headers, `reads` where the files that it read are listed.
    """
    file = order.contender.file
    given = file if order.companion else None
    wanted: CompileOptions = {**_options(order, include), "given": given, "reads": reads}
    return order.toolchain.compile([order.companion or file], program, **wanted)


def _options(order: Order, include: Path | None = None) -> CompileOptions:
    """Return what compiling and linking of an order have in common."""
    spec = order.contender.spec
    before, after = needs.flags(spec.needs)
    return {
        "standard": needs.standard(spec.needs, spec.standard or order.standard),
        "optimise": order.optimise,
        "shared": order.shared,
        "macros": {**order.contender.macros, **needs.folders(spec.needs)},
        "includes": [include or order.include or places.include_folder()],
        "before": [*spec.flags, *before],
        "after": [*spec.libs, *after],
    }


def make(order: Order, folder: Path, include: Path | None = None) -> str:
    """Compile and link an order in a folder: `object.o`, `program`, and `read.d`, the files that it read.

    A contender's own build line makes `program` alone. Returns "" or the first error.
    """
    if order.contender.spec.build:
        return _made_by(order, command(order, folder / PROGRAM), folder / PROGRAM)
    file = order.contender.file
    wanted: CompileOptions = {**_options(order, include), "after": [], "only_object": True}
    wanted |= {"given": file if order.companion else None, "reads": folder / READ}
    words = order.toolchain.compile([order.companion or file], folder / OBJECT, **wanted)
    return _made_by(order, words, folder / OBJECT) or link(order, [folder / OBJECT], folder / PROGRAM)


def link(order: Order, objects: Sequence[Path], program: Path) -> str:
    """Link a program of objects. Returns "" or the first error."""
    made = program.with_name(f".{program.name}.new{order.toolchain.suffix}")
    error = _made_by(order, order.toolchain.compile(objects, made, **_options(order)), made)
    if not error:
        made.replace(program)
    return error


def _made_by(order: Order, words: Sequence[str], file: Path) -> str:
    """Run a command that makes a file. Returns "" or the first error."""
    done = launch.call(
        words,
        timeout=context.context().build_seconds,
        environment=order.toolchain.environment,
        cwd=order.contender.file.parent,
    )
    if done.ok and file.exists():
        return ""
    return first_error(done.err) or (f"the build ended with {done.code}" if done.code else "it made nothing")


def _identity(order: Order) -> str:
    """Name what a build is, besides the files that it reads."""
    chain = order.toolchain
    words = [*command(order), *([str(order.contender.file)] if order.contender.spec.build else [])]
    return json.dumps([words, chain.version, chain.name, chain.fingerprint])


def _index(identity: str) -> Path:
    key = hashlib.sha256(identity.encode()).hexdigest()[:24]
    return places.cache_folder("build-index") / f"{key}.json"


def is_cached(order: Order) -> bool:
    """Tell whether a build need not be made."""
    return bool(_remembered(_index(_identity(order)), order))


def files_read(digests: Collection[str]) -> dict[str, str]:
    """Return the files that builds of the cache read, each with its sha256 then: path -> sha256."""
    found: dict[str, str] = {}
    for index in sorted(places.cache_folder("build-index").glob("*.json")):
        for entry in json.loads(index.read_text()):
            if entry["digest"] in digests:
                found |= {file.path: file.content for file in (_File(*words) for words in entry["files"])}
    return found


def build(order: Order) -> Build:
    """Find a build in the cache or make it. A source that does not compile gives a Build with an error."""
    shown, source = command(order), order.contender.file
    identity = _identity(order)
    remembered = _index(identity)
    for digest in _remembered(remembered, order):
        places.mark_used(_program(digest).parent)
        places.mark_used(remembered)
        return Build(order, shown, digest, _program(digest))
    with tempfile.TemporaryDirectory(prefix=".new-", dir=places.cache_folder("builds")) as name:
        folder = Path(name)
        if error := make(order, folder):
            return Build(order, shown, error=error)
        read = _files_of_line(order) if order.contender.spec.build else _files_read(folder / READ, source)
        files = [_describe(path) for path in read]
        digest = hashlib.sha256((identity + "".join(file.content for file in files)).encode()).hexdigest()[
            :24
        ]
        _keep(folder, digest)
    _remember(remembered, digest, files)
    return Build(order, shown, digest, _program(digest))


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def build_all(orders: Sequence[Order], watch: Callable[[int, int, str], None], jobs: int = 0) -> list[Build]:
    """Build `jobs` at a time, as `at_once` does."""
    made = at_once([(order, partial(build, order)) for order in orders], watch, jobs)
    for name in ("builds", "build-index"):
        places.bound_cache(name)
    return made


def at_once(
    work: Sequence[tuple[Order, Callable[[], Made]]], watch: Callable[[int, int, str], None], jobs: int = 0
) -> list[Made]:
    """Do work `jobs` at a time, 0: one per processor; `watch` hears (done, total, what was just done)."""
    done = 0

    def do(job: tuple[Order, Callable[[], Made]]) -> Made:
        nonlocal done
        order, make_it = job
        made = make_it()
        done += 1
        watch(done, len(work), f"{order.contender.name} {order.toolchain.name}")
        return made

    with ThreadPoolExecutor(jobs or processors()) as pool:
        try:
            return list(pool.map(do, work))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def launcher(toolchains: Sequence[Toolchain]) -> Path:
    """Build native/launch.cpp with the first toolchain that can, and tell `launch` where it is.

    Only toolchains for this machine as it is: a 32-bit launcher could not open large files. It is static
    where that works: a smaller launcher lowers the floor of a child's peak memory. Raises BadInput where this
    is not Linux.
    """
    if sys.platform != "linux":
        raise BadInput(
            f"headrace races on Linux, and this is {sys.platform}; on Windows use its subsystem for Linux; "
            "programs for Windows are raced on Linux, under wine: --toolchain x86_64-windows"
        )
    sources = sorted(places.native_folder().glob("*.?pp"))
    content = hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:24]
    main = places.native_folder() / "launch.cpp"
    ways: list[CompileOptions] = [
        {"optimise": "O2", "threads": True, "static": static} for static in (True, False)
    ]

    def works(made: Path) -> bool:
        itself = [str(made), "--", str(made), "--digest", str(main)]  # a program that is surely here
        return launch.call(itself, timeout=10).ok

    native = [chain for chain in toolchains if not chain.optional]
    program = places.cache_folder("launcher") / content
    context.use(launcher=made_once(main, program, native, ways, "the launcher", works))
    return program


def count_plugin() -> Path:
    """Build native/count_plugin.cpp, with which qemu counts instructions, by the first toolchain that can."""
    source = places.native_folder() / "count_plugin.cpp"
    content = places.digest(source)[:24]
    place = places.cache_folder("count-plugin") / f"{content}.so"
    return made_once(source, place, [], [{"optimise": "O2", "shared": True}], "qemu's plugin")


def made_once(
    source: Path,
    place: Path,
    chains: Sequence[Toolchain],
    ways: Sequence[CompileOptions],
    called: str,
    works: Callable[[Path], bool] = lambda made: True,
) -> Path:
    """Compile a source of our own, once, by the first of the toolchains (none: all here) and ways that works.

    Raises HeadraceError with what was wrong with each toolchain.
    """
    errors = []
    for chain in [] if place.exists() else chains or find().toolchains:
        with tempfile.TemporaryDirectory(prefix=".new-", dir=place.parent) as folder:
            made = Path(folder) / place.name
            for way in ways:
                words = chain.compile([source], made, **way)
                done = launch.call(words, timeout=TIMEOUT, environment=chain.environment)
                if done.ok and works(made):
                    made.replace(place)
                    return place
            errors.append(f"{chain.name}: {first_error(done.err) or 'it does not run'}")
    if not place.exists():
        raise HeadraceError(f"cannot build {called} ({'; '.join(errors) or 'no toolchain'})")
    return place


def _program(digest: str) -> Path:
    return places.cache_folder("builds", digest) / PROGRAM


def _keep(folder: Path, digest: str) -> None:
    """Move a program and its object into the cache, where another process may put the same."""
    for file in (folder / PROGRAM, folder / OBJECT):
        place = _program(digest).with_name(file.name)
        if file.exists() and not place.exists():
            shutil.move(file, place.with_name(f".{folder.name}"))
            place.with_name(f".{folder.name}").replace(place)


def _remembered(index: Path, order: Order) -> list[str]:
    """Return the digests of the builds whose files are unchanged: one or none."""
    if not index.exists():
        return []
    for entry in json.loads(index.read_text()):
        program = _program(entry["digest"])
        parts = (program,) if order.contender.spec.build else (program, program.with_name(OBJECT))
        if all(part.exists() for part in parts) and all(_File(*file).is_same() for file in entry["files"]):
            return [entry["digest"]]
    return []


def _remember(index: Path, digest: str, files: Sequence[_File]) -> None:
    new = {"digest": digest, "files": [[file.path, file.size, file.time, file.content] for file in files]}
    with places.locked(index.parent):
        entries = json.loads(index.read_text()) if index.exists() else []
        others = [entry for entry in entries if entry["digest"] != digest]
        places.write_whole(index, json.dumps([new, *others][:KEPT]).encode())


def _files_read(list_file: Path, source: Path) -> list[Path]:
    """Read a dependency file as make would: a target, then names; a space within a name is escaped."""
    if not list_file.exists():
        return [source]
    text = list_file.read_text(errors="replace").replace("\\\n", " ").partition(": ")[2]
    names = text.replace("\\ ", "\0").split()
    paths = {(source.parent / name.replace("\0", " ")).resolve() for name in names} | {source.resolve()}
    return sorted(path for path in paths if path.is_file())


def _files_of_line(order: Order) -> list[Path]:
    """Name what a build line may read: what is beside its source, and of clones the files in its language.

    Hidden ones and large ones are no sources.
    """
    spec, source = order.contender.spec, order.contender.file
    clones = map(Path, needs.folders(spec.needs).values())
    return sorted(
        file
        for top, names in [(_package(source), "*"), *((clone, f"*{source.suffix}") for clone in clones)]
        for file in top.rglob(names)
        if not any(part.startswith(".") for part in file.relative_to(top).parts)
        if file.is_file() and file.stat().st_size <= LARGEST_SOURCE
    )


def _package(source: Path) -> Path:
    """Return a source's folder, or the one above it that its benchmark has: sum_rust of sum_rust/src/main.rs.

    A tool looks for its manifest upwards from the source.
    """
    above = Path(os.path.normpath(source)).parents
    tops = [folder for folder, top in pairwise(above) if (top / "benchmark.toml").is_file()]
    return above[0] if (above[0] / "benchmark.toml").is_file() or not tops else tops[0]


def _describe(path: Path) -> _File:
    facts = path.stat()
    return _File(str(path), facts.st_size, facts.st_mtime_ns, places.digest(path))
