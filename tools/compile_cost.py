#!/usr/bin/env python3
"""What the library costs to compile: its headers included alone, and programs that use it.

An include is set against including <iostream>. A program that reads and writes is set against the one that
does the minimum with <iostream>: `int x; std::cin >> x; std::cout << x;`, and a scanf under
replace_stdio.hpp against the same without. Each round compiles every case once with every compiler, in a
new order. A ratio is the median of the rounds' ratios of user and system time together, followed by the
smallest and the largest of them; other work on the machine hits all cases alike.
--exact counts the compiler's instructions with valgrind instead: the same figure every time, with one run per
case. Other libraries are measured where the compiler finds them or the folders in HEADRACE_PEERS hold them
(separated by colons); a case that does not compile is named. A file that imports is measured with clang++,
and beside it what is done once for a program: compiling src/headrace.cppm. --sizes weighs only hello worlds,
with every compiler and library that is found.
"""

import argparse
import os
import random
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
INCLUDE = TOP / "include"
INTERFACE = TOP / "src" / "headrace.cppm"
BENCH = """#include <headrace/bench.hpp>
int work(int);
int main() {
  headrace::bench suite{"cost"};
  suite.run("a", [] { return work(1); });
  suite.run("b", [] { return work(2); });
  suite.compare();
}
"""
HELLO = {  # the first is what the others are compared with
    "cstdio": '#include <cstdio>\nint main() { std::puts("hello"); }\n',
    "iostream": '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n',
    "headrace": '#include <headrace/headrace.hpp>\nint main() { headrace::out << "hello\\n"; }\n',
}


AN_INT = {
    "iostream": "#include <iostream>\nint main() { int x; std::cin >> x; std::cout << x; }\n",
    "scanf": "#include <cstdio>\n"
    'int main() { int x; if (std::scanf("%d", &x) == 1) std::printf("%d", x); }\n',
    "headrace": "#include <headrace/headrace.hpp>\nusing headrace::in, headrace::out;\n"
    "int main() { int x; in >> x; out << x; }\n",
    "fmt": "#include <cstdio>\n#include <fmt/format.h>\n"
    'int main() { int x; if (std::scanf("%d", &x) == 1) fmt::print("{}", x); }\n',
    "fast_io": "#include <fast_io.h>\nint main() { int x; fast_io::io::scan(x); fast_io::io::print(x); }\n",
}
WORDS = {
    "iostream": "#include <iostream>\n#include <string>\nint main() {\n  std::string word;\n"
    "  while (std::cin >> word) std::cout << word << '\\n';\n}\n",
    "headrace": "#include <headrace/headrace.hpp>\n#include <string>\nint main() {\n  std::string word;\n"
    "  while (headrace::in.try_read(word)) headrace::out << word << '\\n';\n}\n",
}
BULK = {
    "iostream": "#include <iostream>\n#include <vector>\nint main() {\n  std::size_t n;\n  std::cin >> n;\n"
    "  std::vector<int> v(n);\n  for (int& x : v) std::cin >> x;\n  std::cout << v.size();\n}\n",
    "headrace": "#include <headrace/headrace.hpp>\n#include <vector>\nint main() {\n  std::size_t n;\n"
    "  headrace::in >> n;\n  std::vector<int> v(n);\n  headrace::in.read(v);\n"
    "  headrace::out << v.size();\n}\n",
}


@dataclass(frozen=True)
class Case:
    """One translation unit and what it is compiled with beyond -I."""

    text: str
    flags: tuple[str, ...] = ()
    may_lack: bool = False  # it includes somebody else's library
    is_interface: bool = False  # the module itself, src/headrace.cppm
    imports: bool = False  # it needs that to be compiled before


CXX20 = "-std=c++20"


def importing(text: str) -> Case:
    """A program with the module instead of the header."""
    text = text.replace("#include <headrace/headrace.hpp>\n", "")
    last = text.rfind("#include")
    at = text.find("\n", last) + 1 if last >= 0 else 0
    return Case(f"{text[:at]}import headrace;\n{text[at:]}", (CXX20,), imports=True)


def includes(header: str, *flags: str, may_lack: bool = False) -> Case:
    """A file that only includes."""
    return Case(f"#include {header}\n", flags, may_lack)


COMPILED = "-DHEADRACE_COMPILED=1"
INCLUDES = {
    "<iostream>": includes("<iostream>"),
    "<string>": includes("<string>"),
    "headrace.hpp": includes("<headrace/headrace.hpp>"),
    "headrace.hpp, headrace::compiled": includes("<headrace/headrace.hpp>", COMPILED),
    "  error.hpp": includes("<headrace/error.hpp>"),
    "  parse.hpp": includes("<headrace/parse.hpp>"),
    "  format.hpp": includes("<headrace/format.hpp>"),
    "  reader.hpp": includes("<headrace/reader.hpp>"),
    "  writer.hpp": includes("<headrace/writer.hpp>"),
    "  copy.hpp": includes("<headrace/copy.hpp>"),
    "bench.hpp": includes("<headrace/bench.hpp>"),
    "fmt/base.h": includes("<fmt/base.h>", may_lack=True),
    "fmt/format.h": includes("<fmt/format.h>", may_lack=True),
    "scn/scan.h": includes("<scn/scan.h>", may_lack=True),
    "fast_io.h (C++20)": includes("<fast_io.h>", "-std=c++20", may_lack=True),
}
USES = {
    "int, iostream": Case(AN_INT["iostream"]),
    "int, scanf and printf": Case(AN_INT["scanf"]),
    "int, headrace": Case(AN_INT["headrace"]),
    "int, headrace::compiled": Case(AN_INT["headrace"], (COMPILED,)),
    "int, headrace::compiled (C++20)": Case(AN_INT["headrace"], (COMPILED, CXX20)),
    "int, import headrace": importing(AN_INT["headrace"]),
    "int, scanf and fmt::print": Case(AN_INT["fmt"], may_lack=True),
    "int, fast_io (C++20)": Case(AN_INT["fast_io"], ("-std=c++20",), may_lack=True),
    "headrace.cppm, once per program": Case("", is_interface=True),
    "words, iostream": Case(WORDS["iostream"]),
    "words, headrace": Case(WORDS["headrace"]),
    "words, headrace::compiled": Case(WORDS["headrace"], (COMPILED,)),
    "words, import headrace": importing(WORDS["headrace"]),
    "vector of int, iostream": Case(BULK["iostream"]),
    "vector of int, headrace": Case(BULK["headrace"]),
    "vector of int, headrace::compiled": Case(BULK["headrace"], (COMPILED,)),
    "vector of int, import headrace": importing(BULK["headrace"]),
    "hello world, iostream": Case(HELLO["iostream"]),
    "hello world, headrace": Case(HELLO["headrace"]),
    "hello world, headrace::compiled": Case(HELLO["headrace"], (COMPILED,)),
    "bench.hpp": Case(BENCH),
    "bench.hpp, declarations only": Case(BENCH, ("-DHEADRACE_BENCH_IMPLEMENTATION=0",)),
}
DROP_IN = '#include <{}>\nint main() {{ int x; return std::scanf("%d", &x); }}\n'
SCANF = {
    "a scanf": Case(DROP_IN.format("cstdio")),
    "a scanf, replaced": Case(DROP_IN.format("headrace/replace_stdio.hpp")),
    "a scanf, replaced, headrace::compiled": Case(DROP_IN.format("headrace/replace_stdio.hpp"), (COMPILED,)),
}
GROUPS = {  # title, what a ratio is to, cases: the first is what the others are compared with
    "include": ("Included alone", "<iostream>", INCLUDES),
    "use": ("Used", '"int, iostream"', USES),
    "scanf": ("Replaced", '"a scanf"', SCANF),
}
Key = tuple[int, str, str]  # compiler, group, case


def command_of(compiler: list[str], case: Case, source: Path, *end: str) -> list[str]:
    """The command that compiles a case."""
    source.write_text(case.text, "utf-8")
    peers = [f"-I{folder}" for folder in os.environ.get("HEADRACE_PEERS", "").split(":") if folder]
    return [*compiler, "-std=c++17", f"-I{INCLUDE}", *peers, *case.flags, str(source), *end]


def interface_command(compiler: list[str], to: Path) -> list[str]:
    """The command that compiles the module's interface, which files that import it read."""
    return [*compiler, CXX20, f"-I{INCLUDE}", COMPILED, "--precompile", str(INTERFACE), "-o", str(to)]


def seconds(command: list[str]) -> float:
    """Run a command that must succeed; return its user + system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(command: list[str]) -> float:
    """The instructions, in millions, of the largest process that a command starts: the compiler proper."""
    valgrind = ["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no"]
    done = subprocess.run(
        [*valgrind, "--cachegrind-out-file=/dev/null", *command], check=True, capture_output=True, text=True
    )
    return max(int(count.replace(",", "")) for count in re.findall(r"I +refs: +([\d,]+)", done.stderr)) / 1e6


def measure(commands: dict[Key, list[str]], rounds: int) -> dict[Key, list[float]]:
    """Return the times of every case, one per round; a warm-up round is dropped."""
    times: dict[Key, list[float]] = {key: [] for key in commands}
    for number in range(rounds + 1):
        for key in random.sample(list(commands), len(commands)):
            taken = seconds(commands[key])
            if number > 0:
                times[key].append(taken)
    return times


def has_module(compiler: list[str], module: Path) -> bool:
    """Compile the module unless that was done; False where the compiler cannot."""
    if not module.exists():
        subprocess.run(interface_command(compiler, module), capture_output=True)
    return module.exists()


def commands_of(compilers: list[list[str]], folder: Path, wanted: str) -> dict[Key, list[str]]:
    """The commands of all cases with `wanted` in the name and of what those are compared with."""
    commands: dict[Key, list[str]] = {}
    for number, compiler in enumerate(compilers):
        module = folder / f"headrace{number}.pcm"
        for group, (_, _, cases) in GROUPS.items():
            if not any(wanted in name for name in cases):
                continue
            for at, (name, case) in enumerate(cases.items()):
                if at > 0 and wanted not in name:
                    continue
                source = folder / f"{group}{at}.cpp"
                command = command_of(compiler, case, source, "-c", "-o", str(folder / "out.o"))
                if case.is_interface:
                    command = interface_command(compiler, folder / "again.pcm")
                elif case.imports:
                    command.append(f"-fmodule-file=headrace={module}")
                if (case.is_interface or case.imports) and not has_module(compiler, module):
                    print(
                        f"{name}: {shlex.join(compiler)} does not compile the module: clang++ 16 and newer do"
                    )
                elif case.may_lack and subprocess.run(command, capture_output=True).returncode != 0:
                    print(f"{name}: not here, or does not compile with {shlex.join(compiler)}")
                else:
                    commands[number, group, name] = command
    return commands


def print_costs(compilers: list[list[str]], figures: dict[Key, list[float]], exact: bool) -> None:
    """A table per compiler and group; each line has the ratio to the first line of its group."""
    unit, scale = ("M instructions", 1) if exact else ("ms", 1000)
    for number, compiler in enumerate(compilers):
        for group, (title, base_name, cases) in GROUPS.items():
            base = figures.get((number, group, next(iter(cases))))
            if base is None:
                continue
            print(f"\n{title}, {shlex.join(compiler)}: ratios to {base_name}")
            for name in cases:
                taken = figures.get((number, group, name))
                if taken is None:
                    continue
                ratios = [own / other for own, other in zip(taken, base, strict=True)]
                figure = statistics.median(taken) * scale
                spread = f" [{min(ratios):.2f}, {max(ratios):.2f}]" if len(ratios) > 1 else ""
                print(
                    f"{name:36} {figure:7.0f} {unit}   {statistics.median(ratios):5.2f} x {base_name}{spread}"
                )


def sizes_of(compiler: list[str], folder: Path) -> dict[str, int]:
    """The size of each hello world without its symbol table, in bytes."""
    sizes: dict[str, int] = {}
    for name, text in HELLO.items():
        program = folder / name
        command = command_of(compiler, Case(text), folder / f"{name}.cpp", "-s", "-o", str(program))
        subprocess.run(command, check=True)
        sizes[name] = program.stat().st_size
    return sizes


def compilers_here() -> list[list[str]]:
    """Each g++ and clang++ on the PATH once, clang++ with each standard library that it can build with."""
    names: dict[Path, str] = {}
    for folder in os.get_exec_path():
        for path in sorted(Path(folder).glob("*++*"), reverse=True):
            if re.fullmatch(r"(g|clang)\+\+(-\d+)?", path.name) and path.resolve().name != "ccache":
                names.setdefault(path.resolve(), path.name)
    libraries = ("-stdlib=libstdc++", "-stdlib=libc++")
    commands = [[name, "-O2"] for name in names.values() if name.startswith("g++")]
    commands += [
        [name, "-O2", library]
        for name in names.values()
        if name.startswith("clang++")
        for library in libraries
    ]
    probe = ["-x", "c++", "-std=c++17", "-fsyntax-only", "-"]
    return [
        command
        for command in sorted(commands)
        if subprocess.run([*command, *probe], input=b"#include <string>", capture_output=True).returncode == 0
    ]


def print_sizes(compilers: list[list[str]], folder: Path) -> None:
    """A line per compiler and hello world."""
    for compiler in compilers:
        sizes = sizes_of(compiler, folder)
        for name, size in sizes.items():
            ratio = size / sizes["cstdio"]
            print(f"hello world, {name:9} {size:7} bytes {ratio:5.2f} x cstdio   {shlex.join(compiler)}")


def main() -> int:
    """Print a line per case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--compiler",
        action="append",
        help="with its flags, in quotes; may be given several times, whose rounds are then interleaved "
        "(g++ -O2 unless given)",
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--exact", action="store_true", help="count instructions with valgrind")
    parser.add_argument("--sizes", action="store_true", help="only weigh hello worlds, by each compiler")
    given = parser.parse_args()
    compilers = [shlex.split(compiler) for compiler in given.compiler or ["g++ -O2"]]
    try:
        with tempfile.TemporaryDirectory() as name:
            if given.sizes:
                print_sizes(compilers_here(), Path(name))
                return 0
            commands = commands_of(compilers, Path(name), given.only)
            if not commands:
                print(f"compile_cost: no case has {given.only!r} in its name", file=sys.stderr)
                return 2
            if given.exact:
                figures = {case: [instructions(command)] for case, command in commands.items()}
            else:
                figures = measure(commands, max(1, given.rounds))
            print_costs(compilers, figures, given.exact)
            print("\nWithout its symbol table, in bytes")
            print_sizes(compilers, Path(name))
    except FileNotFoundError as error:
        print(
            f"compile_cost: cannot run {error.filename}: install it, or name another compiler",
            file=sys.stderr,
        )
        return 2
    except subprocess.CalledProcessError as error:
        print(f"compile_cost: {shlex.join(error.cmd)} failed", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
