"""Toolchains: every compiler here with each standard library and target that it can really link and run.

A candidate is cheap (the compiler was asked for its predefined macros). It becomes a toolchain when a small
program with iostreams and strings was built and ran. Both answers are cached, keyed by the compiler's path,
size and time.
"""

from __future__ import annotations

import fnmatch
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput, NothingToDo
from headrace.base.names import nearest
from headrace.processes import launch, wine
from headrace.results.schema import ToolchainInfo

PROGRAM = r"""
#include <iostream>
#include <string>
int main() {
    std::string word;
    std::cin >> word;
#if defined(_LIBCPP_VERSION)
    std::cout << word << " libc++ " << _LIBCPP_VERSION << '\n';
#elif defined(__GLIBCXX__)
    std::cout << word << " libstdc++ " << __GLIBCXX__ << '\n';
#else
    std::cout << word << " other 0\n";
#endif
}
"""
COMPILER_NAME = re.compile(r"(g\+\+|clang\+\+)(-\d+(\.\d+)*)?$")
CROSS_COMPILERS = {  # of the distributions: target as we name it -> command, how to get it
    "aarch64-linux": ("aarch64-linux-gnu-g++", "apt install g++-aarch64-linux-gnu qemu-user"),
    "x86_64-windows": ("x86_64-w64-mingw32-g++", "apt install g++-mingw-w64-x86-64-posix wine"),
    "x86-windows": ("i686-w64-mingw32-g++", "apt install g++-mingw-w64-i686-posix wine"),
}
FIRST_RUN = 120.0  # seconds; wine starts its services
FIRST_BUILD = 600.0  # seconds; zig builds its standard library at the first use of a target

INSTALL_HINT = (
    "install one (Debian and Ubuntu: apt install g++; Fedora: dnf install gcc-c++), "
    "or pip install ziglang, which is clang with libc++ and needs no root"
)


@dataclass(frozen=True)
class Toolchain:
    """A compiler with one standard library and one target."""

    name: str  # "g++-12/libstdc++/x86_64-linux"
    command: list[str]  # how to start the compiler
    family: str  # "gcc" | "clang" | "zig"
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
        """What the name of a program ends in."""
        return ".exe" if self.is_windows else ""

    @property
    def run_environment(self) -> dict[str, str]:
        """Variables for its programs."""
        return wine.environment() if self.is_windows and self.runner else {}

    @property
    def environment(self) -> dict[str, str]:
        """Variables for the compiler: zig keeps its own cache, which belongs below ours."""
        return _zig_environment() if self.family == "zig" else {}

    def info(self) -> ToolchainInfo:
        """Return what the results file keeps."""
        return ToolchainInfo(
            name=self.name,
            compiler=" ".join(self.command),
            version=self.version,
            library=self.library,
            target=self.target,
            flags=self.flags,
            runner=self.runner,
        )


@dataclass(frozen=True)
class Absent:
    """A candidate that did not become a toolchain, and why."""

    name: str
    reason: str
    chain: Toolchain | None = None  # what it would have been


@dataclass(frozen=True)
class Found:
    """The outcome of a search."""

    toolchains: list[Toolchain]
    absent: list[Absent]
    untried: list[str]  # optional ones that were not asked for


def find(
    patterns: Sequence[str] = (),
    watch: Callable[[str], None] = lambda what: None,
    also: Sequence[str] = (),
) -> Found:
    """Find the native toolchains, or those whose name matches a pattern ("all", "g++-12", "*musl*", "clang").

    `also` adds patterns that may match nothing here.

    Raises NothingToDo without any compiler, BadInput with the nearest names for a pattern that matches
    nothing.
    """
    candidates = list(_candidates())
    if not patterns and all(one.missing for one in candidates):
        raise NothingToDo(f"no C++ compiler was found on PATH: {INSTALL_HINT}")
    for pattern in patterns:
        if not any(matches(one.name, pattern) for one in candidates):
            raise BadInput(_unknown(pattern, candidates))
    wanted = [
        one
        for one in candidates
        if _is_wanted(one, patterns) or any(matches(one.name, more) for more in also)
    ]
    with ThreadPoolExecutor(2) as pool:
        tried = list(pool.map(lambda one: _try(one, watch), wanted))
    found = [one for one in tried if isinstance(one, Toolchain)]
    absent = [one for one in tried if isinstance(one, Absent)]
    if not found:
        reasons = "; ".join(f"{one.name}: {one.reason}" for one in absent)
        hint = "" if patterns else f": {INSTALL_HINT}"
        raise NothingToDo(f"no compiler here can build and run a program ({reasons}){hint}")
    return Found(found, absent, [one.name for one in candidates if one not in wanted])


def _unknown(pattern: str, candidates: Sequence[Toolchain]) -> str:
    """Return the sentence for a pattern that matches nothing: the nearest names, then all, one per line."""
    near = nearest(pattern, _selectable(candidates))
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    names = [f"  {one.name}" for one in candidates if not one.missing]
    if not names:
        return f"there is no toolchain {pattern}{meant}; there are none here"
    says = "Here are these; a part between slashes or a pattern names one, too:"
    return "\n".join([f"there is no toolchain {pattern}{meant}{'' if meant else '.'} {says}", *names])


def _selectable(candidates: Sequence[Toolchain]) -> list[str]:
    """Return what a person may name: compilers, libraries, targets, whole names."""
    parts = {part: None for one in candidates for part in one.name.split("/")}
    return [*parts, *(one.name for one in candidates)]


def matches(name: str, pattern: str) -> bool:
    """Tell whether a pattern names a toolchain: "all", a glob over the name, or a leading part of it."""
    if pattern == "all" or fnmatch.fnmatchcase(name, pattern):
        return True
    parts = name.split("/")
    return name.startswith(pattern) or pattern in parts or parts[0].split("-")[0] == pattern


def _is_wanted(one: Toolchain, patterns: Sequence[str]) -> bool:
    if not patterns:
        return not one.optional
    exact = [pattern for pattern in patterns if pattern == "all" or "/" in pattern or "*" in pattern]
    if one.optional:  # "g++-12" means the native one; its -m32 sibling wants its target named
        named = [pattern for pattern in patterns if pattern in one.name.split("/")[1:]]
        return any(matches(one.name, pattern) for pattern in exact + named)
    return any(matches(one.name, pattern) for pattern in patterns)


def _candidates() -> Iterable[Toolchain]:
    """Yield what may work here, cheapest facts only, each compiler once."""
    names: set[str] = set()
    for path in _compilers_on_path():
        facts = _facts([str(path)], path)
        if facts is None:
            continue
        for one in _variants([str(path)], facts):
            name = one.name if one.name not in names else f"{one.name}@{path}"
            names.add(name)
            yield Toolchain(**{**asdict(one), "name": name})
    yield from _cross_compilers()
    yield from _zig()


def _runner(target: str) -> tuple[list[str], list[str], str]:
    """Return what starts a target's programs here, the notes for its rows, and what is missing for it."""
    here = platform.machine()
    machine, _, system = target.partition("-")
    if system == "windows" and sys.platform != "win32":
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
    """What a compiler's predefined macros say."""

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
        wanted = (
            "__clang__ __clang_major__ __clang_minor__ __clang_patchlevel__ __GNUC__ __GNUC_MINOR__ "
            "__GNUC_PATCHLEVEL__ __x86_64__ __i386__ __aarch64__ __linux__ __APPLE__ _WIN32"
        ).split()
        return {name: macros[name] for name in wanted if name in macros} or {"reason": "no answer"}

    macros = _remembered(["facts", *command, *extra], file, ask)
    if "__GNUC__" not in macros:
        return None
    clang = "__clang__" in macros
    keys = (
        ("__clang_major__", "__clang_minor__", "__clang_patchlevel__")
        if clang
        else ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__")
    )
    machines = {"__x86_64__": "x86_64", "__i386__": "x86", "__aarch64__": "aarch64"}
    systems = {"__linux__": "linux", "__APPLE__": "macos", "_WIN32": "windows"}
    return _Facts(
        family="clang" if clang else "gcc",
        version=".".join(macros[key] for key in keys),
        machine=next((name for macro, name in machines.items() if macro in macros), platform.machine()),
        system=next((name for macro, name in systems.items() if macro in macros), sys.platform),
    )


def _variants(command: list[str], facts: _Facts) -> Iterable[Toolchain]:
    """Yield a compiler's libraries and its 32-bit side."""
    driver = "clang++" if facts.family == "clang" else "g++"
    short = f"{driver}-{facts.version.split('.')[0]}"
    choices = (
        [("libstdc++", [])]
        if facts.family == "gcc"
        else [
            ("libstdc++", ["-stdlib=libstdc++"]),
            ("libc++", ["-stdlib=libc++"]),
        ]
    )
    targets: list[tuple[str, list[str], bool]] = [(f"{facts.machine}-{facts.system}", [], False)]
    if facts.machine == "x86_64":
        targets.append((f"x86-{facts.system}", ["-m32", *_kernel_headers()], True))
    for target, target_flags, optional in targets:
        for library, flags in choices:
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


def _zig() -> Iterable[Toolchain]:
    """Yield zig's targets that run here, by themselves or under qemu.

    An explicit target keeps zig from compiling for this very processor (its default), which would be an
    unfair advantage; its sanitizer is off for the same reason.
    """
    if importlib.util.find_spec("ziglang") is not None:
        import ziglang  # type: ignore[import-not-found, import-untyped, unused-ignore]

        command, file = [sys.executable, "-m", "ziglang", "c++"], Path(str(ziglang.__file__)).parent / "zig"
    elif path := shutil.which("zig"):
        command, file = [path, "c++"], Path(path).resolve()
    else:
        return
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


def _try(one: Toolchain, watch: Callable[[str], None]) -> Toolchain | Absent:
    """Build and run PROGRAM."""
    if one.missing:
        return Absent(one.name, one.missing, one)
    if one.is_windows and one.runner:
        reason = wine.prepare(watch)
        if reason:
            return Absent(one.name, reason, one)
    file = Path(shutil.which(one.command[0]) or one.command[0]).resolve()

    def attempt() -> dict[str, str]:
        watch(f"{one.name}: trying it" + (" (zig builds its library, once)" if one.family == "zig" else ""))
        with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
            source, program = Path(folder) / "probe.cpp", Path(folder) / f"probe{one.suffix}"
            source.write_text(PROGRAM)
            command = [*one.command, "-std=c++17", *one.flags, str(source), "-o", str(program)]
            built = launch.call(command, timeout=FIRST_BUILD, environment=one.environment)
            if not built.ok:
                return {"reason": f"{first_error(built.err)}{_multilib_hint(one)}"}
            command = [*one.runner, str(program)]
            ran = launch.call(command, timeout=FIRST_RUN, environment=one.run_environment, given="hello")
            words = ran.out.split()
            if not ran.ok or len(words) != 3 or words[0] != "hello":
                return {"reason": f"its program does not run: {_why_not(one, ran)}"}
            if words[1] != one.library:
                return {"reason": f"its programs use {words[1]}"}
            return {"library": f"{words[1]} {words[2]}"}

    answer = _remembered(["try", *one.command, *one.flags, PROGRAM], file, attempt)
    return one if "library" in answer else Absent(one.name, answer["reason"], one)


def _multilib_hint(one: Toolchain) -> str:
    return "; apt install g++-multilib" if "-m32" in one.flags else ""


def _why_not(one: Toolchain, ran: launch.Completed) -> str:
    """Say why a program did not run. A 32-bit one that wine cannot start ends with status 0 and no output."""
    if one.target == "x86-windows" and one.runner and not ran.out and wine.folder_32() is None:
        return wine.GET_32
    return first_error(ran.err) or (f"status {ran.code}" if ran.code else "it printed nothing")


def first_error(text: str) -> str:
    """Return a compiler's first error line, without the colours and the folders."""
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"\b(fatal )?error\b|undefined reference|cannot find", line):
            return re.sub(r"(?<![\w.])(/[\w.+@-]+)+/", "", line.strip())
    return lines[0].strip() if lines else ""


def _remembered(question: list[str], file: Path, ask: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Ask once for each state of the compiler's file."""
    try:
        state = file.stat()
    except OSError:
        return ask()
    text = json.dumps([*question, str(file), state.st_size, state.st_mtime_ns])
    place = places.cache_folder("toolchains") / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
    if place.exists():
        answer: dict[str, str] = json.loads(place.read_text())
        return answer
    answer = ask()
    if "reason" not in answer:  # a missing library may be installed any time
        places.write_whole(place, json.dumps(answer).encode())
    return answer
