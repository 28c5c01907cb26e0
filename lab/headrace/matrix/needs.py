"""Needs of contenders beyond a compiler: other people's libraries and parts of the standard library.

A need is met when a toolchain compiles its probe; one of a Python module, when a Python has it, too. Nothing
is downloaded: headers come from the system or from those in HEADRACE_PEERS, modules from the Python that
HEADRACE_PYTHON names, or else from the one that runs the lab or is called python3.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch

PROBE_TIMEOUT = 120.0  # seconds
SEARCHED = ("CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")  # variables that compilers search by
FOLDERS = [
    Path(top) / folder
    for top in ("/usr", "/usr/local")
    for folder in ("include", "include/c++", "lib", "lib64", f"lib/{platform.machine()}-linux-gnu")
]


@dataclass(frozen=True)
class Need:
    """A probe and how to get what it looks for."""

    get: str  # sentence part: how to get it
    headers: str = ""  # that the probe includes, one word each
    test: str = ""  # in its main
    before: str = ""  # lines before the headers
    flags: list[str] = field(default_factory=list)
    libs: list[str] = field(default_factory=list)
    standard: str = "c++17"
    peer: bool = True  # a library by others, found in HEADRACE_PEERS or on the system
    version: tuple[str, ...] = ()  # macros that tell its version, in order
    packages: dict[str, str] = field(default_factory=dict)  # package manager -> what it calls it
    module: str = ""  # of Python: the program becomes that Python, whose path is the macro PYTHON

    @property
    def probe(self) -> str:
        """The program that has to compile and link."""
        included = "".join(f"#include <{name}>\n" for name in self.headers.split())
        return f"{self.before}{included}int main() {{ {self.test} }}\n"


def _std(get: str, headers: str, test: str, standard: str = "c++17") -> Need:
    return Need(get, headers, test, standard=standard, peer=False)


def _module(name: str) -> Need:
    get = f"pip install {name} for the Python that runs headrace, or name one that has it in HEADRACE_PYTHON"
    becomes = 'return execl("python", "python", nullptr);'
    elsewhere = "#ifdef _WIN32\n#error a Windows program cannot become the Python that is here\n#endif\n"
    return Need(get, "unistd.h", becomes, elsewhere, module=name)


def _parts(prefix: str, last: str = "PATCH") -> tuple[str, ...]:
    return tuple(f"{prefix}_{part}" for part in ("MAJOR", "MINOR", last))


NEEDS: dict[str, Need] = {
    "fmt": Need(
        "apt install libfmt-dev, or put {fmt} into HEADRACE_PEERS",
        "fmt/format.h",
        flags=["-DFMT_HEADER_ONLY"],
        version=("FMT_VERSION",),
        packages={"apt": "libfmt-dev", "dnf": "fmt-devel", "brew": "fmt"},
    ),
    "fast_io": Need("put fast_io into HEADRACE_PEERS", "fast_io.h", standard="c++20"),
    "scnlib": Need(
        "install scnlib with its compiled part, and name its headers in HEADRACE_PEERS",
        "scn/scan.h",
        'return scn::input<int>("{}") ? 0 : 1;',
        libs=["-lscn"],
        version=_parts("SCN_VERSION"),
    ),
    "fast_float": Need(
        "apt install libfast-float-dev, or put it into HEADRACE_PEERS",
        "fast_float/fast_float.h",
        version=_parts("FASTFLOAT_VERSION"),
        packages={"apt": "libfast-float-dev", "dnf": "fast_float-devel", "brew": "fast_float"},
    ),
    "blazingio": Need("put blazingio into HEADRACE_PEERS", "blazingio.min.hpp"),
    "zmij": Need("put zmij into HEADRACE_PEERS", "zmij.h"),
    "nanobench": Need(
        "apt install libnanobench-dev, or put it into HEADRACE_PEERS",
        "nanobench.h",
        version=_parts("ANKERL_NANOBENCH_VERSION"),
        packages={"apt": "libnanobench-dev"},
    ),
    "mitata": Need("put mitata into HEADRACE_PEERS", "cstring iomanip mitata.hpp"),  # it lacks two
    "csv2": Need("put csv2 into HEADRACE_PEERS", "csv2/reader.hpp"),
    "fast-cpp-csv-parser": Need(
        "name a clone of fast-cpp-csv-parser in HEADRACE_PEERS",
        "csv.h",
        "return sizeof(io::LineReader) == 0;",
        "#define CSV_IO_NO_THREAD\n",
    ),
    "zsv": Need(
        "build zsv by ./configure and make -C src install, and name its include folder in HEADRACE_PEERS"
        " and its lib folder in LIBRARY_PATH",
        test="return zsv_lib_version() == nullptr;",
        before='#define restrict __restrict\nextern "C" {\n#include <zsv.h>\n}\n',
        libs=["-lzsv", "-pthread"],
    ),
    "csv-parser": Need(
        "put csv-parser's csv.hpp, whole, in one header, which a clone does not have, into HEADRACE_PEERS",
        "csv.hpp",
        'return csv::CSVReader("").empty();',
        libs=["-pthread"],
    ),
    "polars": _module("polars"),
    "pyarrow": _module("pyarrow"),
    "duckdb": _module("duckdb"),
    "zlib": Need(
        "apt install zlib1g-dev",
        "zlib.h",
        "return zlibVersion() == nullptr;",
        libs=["-lz"],
        version=("ZLIB_VERSION",),
        packages={"apt": "zlib1g-dev", "dnf": "zlib-devel", "brew": "zlib"},
    ),
    "zstd": Need(
        "apt install libzstd-dev",
        "zstd.h",
        "return ZSTD_versionNumber() == 0;",
        libs=["-lzstd"],
        version=_parts("ZSTD_VERSION", "RELEASE"),
        packages={"apt": "libzstd-dev", "dnf": "libzstd-devel", "brew": "zstd"},
    ),
    "std::format": _std(
        "use libstdc++ 13 or libc++ 17 and newer",
        "format string",
        'return std::format("{}", 1).size() != 1;',
        "c++20",
    ),
    "std::print": _std("use libstdc++ 14 or libc++ 18 and newer", "print", 'std::print("{}", 1);', "c++23"),
    "std::from_chars<double>": _std(
        "use libstdc++ 11 or libc++ 20 and newer",
        "charconv",
        "double x = 0; const char t[] = {'1'}; return std::from_chars(t, t + 1, x).ptr != t + 1;",
    ),
    "std::to_chars<double>": _std(
        "use libstdc++ 11 or libc++ 14 and newer",
        "charconv",
        "char t[32]; return std::to_chars(t, t + 32, 0.1).ptr == t;",
    ),
}

_known: dict[tuple[str, str], bool] = {}
_modules: dict[str, tuple[str, str]] = {}  # a module of Python -> the Python that has it, and its version
_lock = Lock()


def missing(name: str, toolchain: Toolchain) -> str:
    """Return "" when the toolchain has it, else the reason for skipping, with the way to get it."""
    if NEEDS[name].module and not _find_module(NEEDS[name].module)[0]:
        return f"{name} was not found by {Path(_pythons()[0]).name}: {NEEDS[name].get}"
    key = (name, toolchain.name)
    if key not in _known:
        answer = _remembered(name, toolchain)
        with _lock:
            _known[key] = answer
    if _known[key]:
        return ""
    return f"{name} was not found by {toolchain.name}: {NEEDS[name].get}"


def is_python(names: Iterable[str]) -> bool:
    """Whether a program that needs these becomes a Python: then it is the same whatever compiles it."""
    return any(NEEDS[name].module for name in names)


def owners(name: str, toolchains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return the toolchains that have it."""
    with ThreadPoolExecutor(2) as pool:
        reasons = pool.map(partial(missing, name), toolchains)
        return [chain for chain, reason in zip(toolchains, reasons, strict=True) if not reason]


def version(name: str, toolchain: Toolchain) -> str:
    """Return the version of a library that a toolchain has, as its headers tell it; "" where they do not."""
    need = NEEDS[name]
    if need.module:
        return _find_module(need.module)[1]
    if not need.version:
        return ""
    done = _probe(name, toolchain, ["-dM", "-E"])
    macros = dict(re.findall(r"^#define (\w+) \"?([\w.]+)", done.out, re.MULTILINE))
    values = [macros.get(macro, "") for macro in need.version]
    if len(values) == 1 and values[0].isdigit():  # 80101 is 8.1.1
        number = int(values[0])
        values = [str(number // 10000), str(number // 100 % 100), str(number % 100)]
    return ".".join(values) if all(values) else ""


def flags(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the compiler flags and the linker flags of these needs."""
    includes = [word for folder in places.peer_folders() for word in ("-isystem", str(folder))]
    peers = any(NEEDS[name].peer for name in names)
    compile_flags = [flag for name in names for flag in [*NEEDS[name].flags, *_path_of_python(NEEDS[name])]]
    return (includes if peers else []) + compile_flags, [flag for name in names for flag in NEEDS[name].libs]


def standard(names: list[str], wanted: str) -> str:
    """Return the newest standard among the wanted one and those that the needs require."""
    return max([wanted, *(NEEDS[name].standard for name in names)])


def _pythons() -> list[str]:
    """Return the Pythons that are asked: the one that HEADRACE_PYTHON names, or else ours and `python3`."""
    named = os.environ.get("HEADRACE_PYTHON", "")
    if not named:
        return list(filter(None, dict.fromkeys([sys.executable, shutil.which("python3")])))
    path = shutil.which(named)
    if path is None:
        raise BadInput(
            f"HEADRACE_PYTHON names {named}, which is no program; name a Python, such as .venv/bin/python"
        )
    return [str(Path(path).absolute())]


def _find_module(module: str) -> tuple[str, str]:
    """Return the first Python that has a module, and its version; two empty texts where there is none."""
    key = f"{os.environ.get('HEADRACE_PYTHON', '')} {module}"
    if key not in _modules:
        question = f"import importlib.metadata, {module}; print(importlib.metadata.version({module!r}))"
        asked = (
            (python, launch.call([python, "-c", question], timeout=PROBE_TIMEOUT)) for python in _pythons()
        )
        _modules[key] = next(((python, done.out.strip()) for python, done in asked if done.ok), ("", ""))
    return _modules[key]


def _path_of_python(need: Need) -> list[str]:
    python = _find_module(need.module)[0] if need.module else ""
    return [f'-DPYTHON="{python}"'] if python else []


def _remembered(name: str, toolchain: Toolchain) -> bool:
    """Ask a toolchain once for each state of its compiler and of the folders where headers come and go."""
    need = NEEDS[name]
    question = [
        [name, need.probe, need.standard, *flags([name])],
        [toolchain.name, toolchain.version, *toolchain.command, *toolchain.flags],
        [os.environ.get(variable, "") for variable in SEARCHED],
        [_state(folder) for folder in [toolchain.file, *FOLDERS]],
        [_state(entry) for folder in places.peer_folders() for entry in [folder, *sorted(folder.iterdir())]],
    ]
    digest = hashlib.sha256(json.dumps(question).encode()).hexdigest()[:24]
    place = places.cache_folder("needs") / digest
    if place.exists():
        return place.read_bytes() == b"yes"
    answer = _probe(name, toolchain).ok
    places.write_whole(place, b"yes" if answer else b"no")
    return answer


def _state(path: Path) -> list[str | int]:
    """Tell a file or a folder from what it was: installing a header changes the time of a folder."""
    try:
        facts = path.stat()
    except OSError:
        return [str(path)]
    return [str(path), facts.st_size, facts.st_mtime_ns]


def _probe(name: str, toolchain: Toolchain, also: Sequence[str] = ()) -> launch.Completed:
    """Compile a need's probe, with more words for the compiler."""
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        source = Path(folder) / "probe.cpp"
        source.write_text(NEEDS[name].probe)
        before, after = flags([name])
        command = toolchain.compile(
            [source],
            None if also else Path(folder) / "probe",
            standard=NEEDS[name].standard,
            before=[*also, *before],
            after=[] if also else after,
        )
        return launch.call(command, timeout=PROBE_TIMEOUT, environment=toolchain.environment)
