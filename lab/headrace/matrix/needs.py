"""Needs of contenders beyond a compiler: other people's libraries and parts of the standard library.

A need is met when a toolchain compiles its probe; one of a Python module, when a Python has it, too; one of
a package in another language, when its tool and all of its sources are here. Nothing is downloaded: headers
and clones come from the system or from HEADRACE_PEERS, crates from what cargo has fetched, modules from the
Python that HEADRACE_PYTHON names, or else from the one that runs the lab or is called python3.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from threading import Lock

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.matrix.compilers import Toolchain, of_line, remembered
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
    tool: str = ""  # what builds the package in another language: cargo, zig
    tool_version: str = ""  # that it has to be; "" is any
    manifest: str = ""  # and the file that names it, among our benchmarks or below HEADRACE_PEERS

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
    "fmt::output_file": Need(
        "apt install libfmt-dev, or build the {fmt} of HEADRACE_PEERS and name its library's folder in"
        " LIBRARY_PATH",
        "fmt/os.h",
        'fmt::output_file("/dev/null").print("{}", 1);',
        libs=["-lfmt"],
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
    "simditoa": Need(
        "put a clone of simditoa into HEADRACE_PEERS", "simditoa.cpp", version=("SIMDITOA_VERSION",)
    ),
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
    "simd-csv": Need(
        "install Rust, and let cargo fetch get it in the benchmarks' folder read_fields/simd_csv",
        tool="cargo",
        manifest="read_fields/simd_csv/Cargo.toml",
    ),
    "csv-zero": Need(
        "put a clone of csv-zero into HEADRACE_PEERS, and zig 0.15 onto PATH, or pip install ziglang==0.15.2"
        " for the Python that runs headrace",
        tool="zig",
        tool_version="0.15",
        manifest="csv-zero/build.zig.zon",
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
    if NEEDS[name].tool:
        return "" if builder(name) else f"{name} was not found by {NEEDS[name].tool}: {NEEDS[name].get}"
    key = (name, toolchain.name)
    if key not in _known:
        answer = _has(name, toolchain)
        with _lock:
            _known[key] = answer
    if _known[key]:
        return ""
    return f"{name} was not found by {toolchain.name}: {NEEDS[name].get}"


def is_python(names: Iterable[str]) -> bool:
    """Whether a program that needs these becomes a Python: then it is the same whatever compiles it."""
    return any(NEEDS[name].module for name in names)


def owners(name: str, toolchains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return the toolchains that have it, or of another language what builds it."""
    if NEEDS[name].tool:
        return list(filter(None, [builder(name)]))
    with ThreadPoolExecutor(2) as pool:
        reasons = pool.map(partial(missing, name), toolchains)
        return [chain for chain, reason in zip(toolchains, reasons, strict=True) if not reason]


def version(name: str, toolchain: Toolchain) -> str:
    """Return the version of a library that a toolchain has, as its headers tell it; "" where they do not."""
    need = NEEDS[name]
    if need.module:
        return _find_module(need.module)[1]
    if (manifest := _manifest(name)) is not None:
        named = re.search(rf'(?:^{name}|\.version) = "=?([\w.]+)"', manifest.read_text(), re.MULTILINE)
        return named[1] if named else ""
    if not need.version:
        return ""
    done = _probe(name, toolchain, ["-dM", "-E"])
    macros = dict(re.findall(r"^#define (\w+) \"?([\w.]+)", done.out, re.MULTILINE))
    values = [macros.get(macro, "") for macro in need.version]
    if len(values) == 1 and values[0].isdigit():  # 80101 is 8.1.1
        number = int(values[0])
        values = [str(number // 10000), str(number // 100 % 100), str(number % 100)]
    return ".".join(values) if all(values) else ""


@cache
def builder(name: str) -> Toolchain | None:
    """Return the tool that builds a package in another language; None where it or a source is missing."""
    tool, manifest = of_line(NEEDS[name].tool), _manifest(name)
    wanted = NEEDS[name].tool_version
    if tool.missing or manifest is None or not f"{tool.version}.".startswith(f"{wanted}." if wanted else ""):
        return None
    fetch = ["fetch", "--offline", "--manifest-path", str(manifest)]
    is_whole = NEEDS[name].tool != "cargo" or launch.call([*tool.command, *fetch]).ok
    return tool if is_whole else None


def folders(names: list[str]) -> dict[str, str]:
    """Return where packages in other languages are: a need -> the folder of its manifest."""
    found = ((name, _manifest(name)) for name in names)
    return {name: str(manifest.parent) for name, manifest in found if manifest is not None}


def _manifest(name: str) -> Path | None:
    """Find the file that names a package: among our benchmarks, or in a clone, which may be named itself."""
    manifest = NEEDS[name].manifest
    tops = [places.benchmarks_folder(), *(top for at in places.peer_folders() for top in (at, at.parent))]
    files = [top / manifest for top in tops] if manifest else []
    return next((file for file in files if file.is_file()), None)


def flags(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the compiler flags and the linker flags of these needs.

    GCC looks through LIBRARY_PATH after the system's folders: named by -L, a peer's own library goes before
    the system's older one, as its headers do.
    """
    includes = [word for folder in places.peer_folders() for word in ("-isystem", str(folder))]
    peers = any(NEEDS[name].peer for name in names)
    compile_flags = [flag for name in names for flag in [*NEEDS[name].flags, *_path_of_python(NEEDS[name])]]
    libs = [flag for name in names for flag in NEEDS[name].libs]
    folders = filter(None, os.environ.get("LIBRARY_PATH", "").split(os.pathsep)) if libs else ()
    return (includes if peers else []) + compile_flags, [*(f"-L{folder}" for folder in folders), *libs]


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
    with _lock:  # threads that want the same module wait for the one that asks
        if key not in _modules:
            question = f"import importlib.metadata, {module}; print(importlib.metadata.version({module!r}))"
            asked = (
                (python, launch.call([python, "-c", question], timeout=PROBE_TIMEOUT))
                for python in _pythons()
            )
            _modules[key] = next(((python, done.out.strip()) for python, done in asked if done.ok), ("", ""))
        return _modules[key]


def _path_of_python(need: Need) -> list[str]:
    python = _find_module(need.module)[0] if need.module else ""
    return [f'-DPYTHON="{python}"'] if python else []


def _has(name: str, toolchain: Toolchain) -> bool:
    """Ask a toolchain once for each state of its compiler and of the folders where headers come and go."""
    need = NEEDS[name]
    question: list[object] = [name, need.probe, need.standard, *flags([name])]
    question += [toolchain.name, toolchain.version, *toolchain.command, *toolchain.flags]
    question += [os.environ.get(variable, "") for variable in SEARCHED]
    peers = [entry for folder in places.peer_folders() for entry in [folder, *sorted(folder.iterdir())]]

    def ask() -> dict[str, str]:
        return {"has": "yes" if _probe(name, toolchain).ok else "no"}

    return remembered(question, [toolchain.file, *FOLDERS, *peers], ask)["has"] == "yes"


def _probe(name: str, toolchain: Toolchain, also: Sequence[str] = ()) -> launch.Completed:
    with places.scratch() as folder:
        source = folder / "probe.cpp"
        source.write_text(NEEDS[name].probe)
        before, after = flags([name])
        command = toolchain.compile(
            [source],
            None if also else folder / "probe",
            standard=NEEDS[name].standard,
            before=[*also, *before],
            after=[] if also else after,
        )
        return launch.call(command, timeout=PROBE_TIMEOUT, environment=toolchain.environment)
