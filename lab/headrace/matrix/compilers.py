"""Compilers: where each kind is looked for, and how its command line is written.

A kind is a `Driver` in DRIVERS and a function in FINDERS that yields candidates, cheapest facts only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypedDict, Unpack

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.processes import launch, wine
from headrace.results.schema import ToolchainInfo

COMPILER_NAME = re.compile(r"(g\+\+|clang\+\+)(-\d+(\.\d+)*)?$")


CROSS_COMPILERS = {  # of the distributions: target as we name it -> command, how to get it
    "aarch64-linux": ("aarch64-linux-gnu-g++", "apt install g++-aarch64-linux-gnu qemu-user"),
    "x86_64-windows": ("x86_64-w64-mingw32-g++", "apt install g++-mingw-w64-x86-64-posix wine"),
    "x86-windows": ("i686-w64-mingw32-g++", "apt install g++-mingw-w64-i686-posix wine"),
}


# Predefined macros: the parts of a version by family, the target's processor and system.
VERSIONS: Mapping[str, tuple[str, ...]] = {
    "clang": ("__clang_major__", "__clang_minor__", "__clang_patchlevel__"),
    "gcc": ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__"),
}
MACHINES = {"__x86_64__": "x86_64", "__i386__": "x86", "__aarch64__": "aarch64"}
SYSTEMS = {"__linux__": "linux", "__APPLE__": "macos", "_WIN32": "windows"}

# By family: how it is called, and the standard libraries that it may have, with its flags for them.
DRIVER_NAMES = {"clang": "clang++", "gcc": "g++"}
LIBRARIES: Mapping[str, list[tuple[str, list[str]]]] = {
    "gcc": [("libstdc++", [])],
    "clang": [("libstdc++", ["-stdlib=libstdc++"]), ("libc++", ["-stdlib=libc++"])],
}

FIRST_BUILD = 600.0  # seconds; zig builds its standard library at the first use of a target


class CompileOptions(TypedDict, total=False):
    """A wish for what is made of sources, in no compiler's words."""

    standard: str  # without it, c++17
    optimise: str  # "O2", "O3 -march=native"; without it, what the compiler does by itself
    only_object: bool  # compile, and leave the linking
    shared: bool  # a shared object, not a program
    static: bool
    threads: bool
    macros: Mapping[str, str]
    includes: Sequence[Path]  # folders
    before: Sequence[str]  # words of a user's, before the sources
    after: Sequence[str]  # the same, after them: libraries
    given: Path | None  # a source put before the others, in their translation unit
    reads: Path | None  # where to list the files that are read, as make does


class Driver:
    """How a kind of compiler is spoken to: this one as GCC is, which clang and zig understand."""

    def environment(self) -> dict[str, str]:
        """Return the variables that it is started with."""
        return {}

    def file(self, chain: Toolchain) -> Path:
        """Return the compiler's own file."""
        return Path(shutil.which(chain.command[0]) or chain.command[0]).resolve()

    def words(
        self, chain: Toolchain, sources: Sequence[str], program: Path | None, wanted: CompileOptions
    ) -> list[str]:
        """Return the command line."""
        optimise, reads, given = wanted.get("optimise"), wanted.get("reads"), wanted.get("given")
        return [
            *chain.command,
            f"-std={wanted.get('standard', 'c++17')}",
            *(shlex.split(f"-{optimise}") if optimise else []),
            *chain.flags,
            *(["-c"] if wanted.get("only_object") else []),
            *(["-shared", "-fPIC"] if wanted.get("shared") else []),
            *(["-pthread"] if wanted.get("threads") else []),
            *(["-static"] if wanted.get("static") else []),
            *(f"-D{name}={value}" for name, value in wanted.get("macros", {}).items()),
            *wanted.get("before", ()),
            *(word for folder in wanted.get("includes", ()) for word in ("-I", str(folder))),
            *(["-MD", "-MF", str(reads)] if reads else []),
            *(["-include", str(given)] if given else []),
            *sources,
            *(["-o", str(program)] if program else []),
            *wanted.get("after", ()),
        ]


class Zig(Driver):
    """zig keeps a cache of its own, which belongs below ours."""

    def file(self, chain: Toolchain) -> Path:
        """Return zig itself, not the Python that starts it."""
        call = _zig_call()
        return call[1] if call else super().file(chain)

    def environment(self) -> dict[str, str]:
        """Return the places of its cache."""
        return _zig_environment()


class OwnLine(Driver):
    """A contender's own build line: {program} and the contender's settings stand in braces."""

    def environment(self) -> dict[str, str]:
        """Return the places of zig's cache, which is no business of the source's folder."""
        return _zig_environment()

    def words(
        self, chain: Toolchain, sources: Sequence[str], program: Path | None, wanted: CompileOptions
    ) -> list[str]:
        """Return the line's words. The line names its sources itself."""
        values = {**wanted.get("macros", {}), "program": str(program or "program")}
        return [
            *chain.command,
            *(re.sub(r"\{(.*?)\}", lambda name: values[str(name[1])], word) for word in chain.flags),
        ]


DRIVERS = {"gcc": Driver(), "clang": Driver(), "zig": Zig(), "line": OwnLine()}  # by Toolchain.family


@dataclass(frozen=True)
class Toolchain:
    """A compiler with one standard library and one target."""

    name: str  # "g++-12/libstdc++/x86_64-linux"
    command: list[str]  # how to start the compiler
    family: str  # "gcc" | "clang" | "zig" | "line"
    version: str
    library: str  # "libstdc++" | "libc++"
    target: str
    flags: list[str] = field(default_factory=list)
    runner: list[str] = field(default_factory=list)  # what starts its programs: wine, qemu-aarch64
    notes: list[str] = field(default_factory=list)  # shown with each of its rows
    optional: bool = False  # used only when asked for by name or "all"
    missing: str = ""  # why it cannot be used here, where that is plain before any try

    @property
    def is_windows(self) -> bool:
        """Whether its programs are for Windows: named .exe, with lines that end in two characters."""
        return self.target.endswith("-windows")

    @property
    def suffix(self) -> str:
        """The ending of a program's name."""
        return ".exe" if self.is_windows else ""

    @property
    def run_environment(self) -> dict[str, str]:
        """Variables for its programs."""
        return wine.environment() if self.is_windows and self.runner else {}

    @property
    def environment(self) -> dict[str, str]:
        """Variables for the compiler."""
        return DRIVERS[self.family].environment()

    @property
    def file(self) -> Path:
        """The compiler's own file."""
        return DRIVERS[self.family].file(self)

    @property
    def fingerprint(self) -> str:
        """A hash of the compiler's own file: another compiler by the same name makes other programs."""
        return remembered(["sha256"], [self.file], lambda: {"sha256": _hash(self.file)})["sha256"]

    def compile(
        self, sources: Sequence[Path | str], program: Path | None, **wanted: Unpack[CompileOptions]
    ) -> list[str]:
        """Return the command line that makes a program; without `program`, all but where it goes."""
        return DRIVERS[self.family].words(self, [str(source) for source in sources], program, wanted)

    def info(self) -> ToolchainInfo:
        """Return what the results file keeps."""
        return ToolchainInfo(
            name=self.name,
            compiler=" ".join(self.command),
            version=self.version,
            library=self.library,
            target=self.target,
            flags=[] if self.family == "line" else self.flags,  # a line is one contender's, and in its rows
            runner=self.runner,
        )


def candidates() -> Iterable[Toolchain]:
    """Yield what may work here, cheapest facts only, each compiler once."""
    for finder in FINDERS:
        yield from finder()


def _on_path() -> Iterable[Toolchain]:
    names: set[str] = set()
    for path in _compilers_on_path():
        facts = _facts([str(path)], path)
        if facts is None:
            continue
        for chain in _variants([str(path)], facts):
            name = chain.name if chain.name not in names else f"{chain.name}@{path}"
            names.add(name)
            yield replace(chain, name=name)


def by_path(path: Path, known: Iterable[Toolchain]) -> list[Toolchain]:
    """Return the toolchains of a compiler by its path; of one that is known already, those.

    Raises BadInput for a file that does not answer as a compiler.
    """
    found = shutil.which(str(path))
    if not found:
        raise BadInput(f"--compiler {path}: there is no such program")
    file = Path(found).resolve()
    same = [chain for chain in known if not chain.missing and chain.file == file]
    if same:
        return same
    facts = _facts([str(Path(found).absolute())], file)
    if facts is None:
        raise BadInput(f"--compiler {path}: it does not answer as g++ and clang++ do (-dM -E -x c++)")
    names = {chain.name for chain in known}
    made = _variants([str(Path(found).absolute())], facts)
    return [
        chain if chain.name not in names else replace(chain, name=f"{chain.name}@{found}") for chain in made
    ]


def of_line(line: str) -> Toolchain:
    """Return what builds by a contender's own line: the program that is its first word, with its version.

    One that is named by a path is not asked for its version: a script may do its work whatever it is asked.
    """
    tool, *words = shlex.split(line)
    path = shutil.which(tool)
    zig = _zig_call() if tool == "zig" and not path else None  # PATH first: a line may want another version
    command = zig[0][:-1] if zig else [path or tool]
    version = "" if "/" in tool else _version(*command)
    absent = f"there is no program {tool} here: install it, or add its folder to PATH"
    return Toolchain(
        name="-".join(filter(None, (Path(tool).name, version))),
        command=command,
        family="line",
        version=version,
        library="",
        target=f"{platform.machine()}-{sys.platform}",
        flags=words,
        missing="" if "/" in command[0] else absent,
    )


@cache
def _version(*command: str) -> str:
    """Return what a program calls its version, if it knows --version or, as zig and go, version."""
    answers = (launch.call([*command, word], timeout=10) for word in ("--version", "version"))
    versions = (re.search(r"\d+(\.\d+)+", answer.out) for answer in answers if answer.ok)
    return next((found[0] for found in versions if found), "")


def _runner(target: str) -> tuple[list[str], list[str], str]:
    """Return what starts a target's programs here, the notes for its rows, and what is missing for it."""
    here = platform.machine()
    machine, _, system = target.partition("-")
    if system == "windows":
        missing = "" if wine.program() else f"wine is not installed: {wine.GET}"
        return [wine.program() or "wine"], [wine.NOTE], missing
    if machine in {"x86_64": ("x86_64", "x86"), "AMD64": ("x86_64", "x86")}.get(here, (here,)):
        return [], [], ""
    emulator = shutil.which(f"qemu-{machine}") or shutil.which(f"qemu-{machine}-static")
    missing = "" if emulator else f"qemu-{machine} is not installed: apt install qemu-user"
    return [emulator or f"qemu-{machine}"], [f"under qemu on {here}, not on a real {machine}"], missing


def _cross_compilers() -> Iterable[Toolchain]:
    """Yield the distributions' compilers for other targets; a missing one with the way to get it."""
    for target, (command, get) in CROSS_COMPILERS.items():
        path = shutil.which(f"{command}-posix") or shutil.which(command)  # the other has no std::thread
        facts = _facts([path], Path(path)) if path else None
        if (path and facts is None) or (
            target.partition("-")[0] == platform.machine() and target.endswith("linux")
        ):
            continue
        runner, notes, missing = _runner(target)
        version = facts.version if facts else ""
        yield Toolchain(
            name=f"g++{'-' if facts else ''}{version.split('.')[0]}/libstdc++/{target}",
            command=[path or command],
            family="gcc",
            version=version,
            library="libstdc++",
            target=target,
            flags=["-static"],  # their libraries are not where a program would look for them
            runner=runner,
            notes=notes,
            optional=True,
            missing=missing if facts else f"{command} is not installed: {get}",
        )


def _compilers_on_path() -> list[Path]:
    """Return compilers by PATH order, versioned names first, each real file once, without ccache's links."""
    seen: dict[Path, Path] = {}
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    found = [
        folder / name
        for folder in folders
        if folder.is_dir()
        for name in sorted(os.listdir(folder), reverse=True)
        if COMPILER_NAME.match(name) and os.access(folder / name, os.X_OK)
    ]
    for path in found:
        real = path.resolve()
        if real.name not in ("ccache", "distcc", "icecc"):
            seen.setdefault(real, path)
    return sorted(seen.values(), key=lambda path: (path.name.startswith("clang"), path.name))


@dataclass(frozen=True)
class _Facts:
    """A compiler, as its predefined macros describe it."""

    family: str
    version: str
    machine: str
    system: str


def _facts(
    command: list[str], file: Path, extra: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> _Facts | None:
    """Ask a compiler who it is. None when it does not answer as one."""

    def ask() -> dict[str, str]:
        asked = [*command, *extra, "-dM", "-E", "-x", "c++", os.devnull]
        done = launch.call(asked, timeout=FIRST_BUILD, environment=environment)
        macros = dict(re.findall(r"^#define (\w+) (.*)$", done.out, re.MULTILINE)) if done.ok else {}
        wanted = ["__clang__", "__GNUC__", *sum(VERSIONS.values(), ()), *MACHINES, *SYSTEMS]
        return {name: macros[name] for name in wanted if name in macros} or {"reason": "no answer"}

    macros = remembered(["facts", *command, *extra], [file], ask)
    if "__GNUC__" not in macros:
        return None
    family = "clang" if "__clang__" in macros else "gcc"
    return _Facts(
        family=family,
        version=".".join(macros[key] for key in VERSIONS[family]),
        machine=next((name for macro, name in MACHINES.items() if macro in macros), platform.machine()),
        system=next((name for macro, name in SYSTEMS.items() if macro in macros), sys.platform),
    )


def _variants(command: list[str], facts: _Facts) -> Iterable[Toolchain]:
    short = f"{DRIVER_NAMES[facts.family]}-{facts.version.split('.')[0]}"
    targets: list[tuple[str, list[str], bool]] = [(f"{facts.machine}-{facts.system}", [], False)]
    if facts.machine == "x86_64":
        targets.append((f"x86-{facts.system}", ["-m32", *_kernel_headers()], True))
    for target, target_flags, optional in targets:
        for library, flags in LIBRARIES[facts.family]:
            yield Toolchain(
                name=f"{short}/{library}/{target}",
                command=command,
                family=facts.family,
                version=facts.version,
                library=library,
                target=target,
                flags=[*target_flags, *flags],
                optional=optional,
            )


def _kernel_headers() -> list[str]:
    """Return the way to <asm/errno.h>, which Debian's g++-multilib links and g++-12-multilib does not."""
    folder = Path("/usr/include/x86_64-linux-gnu")
    missing = not Path("/usr/include/asm").exists() and (folder / "asm").is_dir()
    return ["-idirafter", str(folder)] if missing else []


def _zig_environment() -> dict[str, str]:
    folder = str(places.cache_folder("zig"))
    return {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}


ZIG_TARGETS = [  # target as zig names it, as we name it, optional
    ("x86_64-linux-gnu", "x86_64-linux", False),
    ("x86_64-linux-musl", "x86_64-linux-musl", True),
    ("x86-linux-musl", "x86-linux-musl", True),
    ("aarch64-linux-gnu", "aarch64-linux", False),
    ("aarch64-linux-musl", "aarch64-linux-musl", True),
    ("x86_64-windows-gnu", "x86_64-windows", True),
    ("x86-windows-gnu", "x86-windows", True),
]


def _hash(file: Path) -> str:
    try:
        return places.digest(file)
    except OSError:
        return ""


def _zig_call() -> tuple[list[str], Path] | None:
    if importlib.util.find_spec("ziglang") is not None:
        import ziglang  # type: ignore[import-not-found, import-untyped, unused-ignore]

        return [sys.executable, "-m", "ziglang", "c++"], Path(str(ziglang.__file__)).parent / "zig"
    path = shutil.which("zig")
    return ([path, "c++"], Path(path).resolve()) if path else None


def _zig() -> Iterable[Toolchain]:
    """Yield zig's targets that run here, by themselves or under qemu.

    An explicit target keeps zig from compiling for this very processor (its default), which would be an
    unfair advantage; its sanitizer is off for the same reason.
    """
    call = _zig_call()
    if call is None:
        return
    command, file = call
    for target, name, optional in ZIG_TARGETS:
        runner, notes, missing = _runner(name)
        emulated = bool(runner) and not name.endswith("windows")
        if emulated and (missing or not target.endswith("musl")):  # musl's programs are static
            continue
        flags = ["-target", target, "-fno-sanitize=undefined"]
        facts = _facts(command, file, ["-target", target], _zig_environment())
        if facts is not None:
            yield Toolchain(
                name=f"zig-clang++-{facts.version.split('.')[0]}/libc++/{name}",
                command=command,
                family="zig",
                version=facts.version,
                library="libc++",
                target=name,
                flags=flags,
                runner=runner,
                notes=notes,
                optional=optional,
                missing=missing,
            )


def remembered(
    question: Sequence[object], files: Sequence[Path], ask: Callable[[], dict[str, str]]
) -> dict[str, str]:
    """Ask once for each state of the files and folders that the answer depends on."""
    text = json.dumps([*question, *map(_state, files)])
    place = places.cache_folder("toolchains") / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
    if place.exists():
        answer: dict[str, str] = json.loads(place.read_text())
        return answer
    answer = ask()
    if "reason" not in answer:  # a missing library may be installed any time
        places.write_whole(place, json.dumps(answer).encode())
    return answer


def _state(path: Path) -> list[str | int]:
    """Tell a file or a folder from what it was: installing a header changes the time of a folder."""
    try:
        facts = path.stat()
    except OSError:
        return [str(path)]
    return [str(path), facts.st_size, facts.st_mtime_ns]


FINDERS: list[Callable[[], Iterable[Toolchain]]] = [_on_path, _cross_compilers, _zig]
