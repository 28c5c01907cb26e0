"""The drop-in: each program of replace/ does the same with replace_iostream.hpp and without, on every input.

The programs are compiled together, each in a namespace of its own, but those whose whole process matters.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from headrace.matrix.toolchains import Toolchain

TOP = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).with_name("replace")
HEADER = "headrace/replace_iostream.hpp"

# What a program does that concerns its whole process, so that it is compiled on its own.
WHOLE_PROCESS = re.compile(r"printf|scanf|puts|getchar|putchar|stdout|system|_exit|fork|static noisy")

INPUTS = {
    "nothing": b"",
    "numbers": b"3 4\n1 2 3 4\n5 6 7 8\n-9 10 2147483647 -2147483648\n0 1",
    "words": b"7 John Smith\n  second line, with a comma\n\nlast line",
    "pairs": b"1 one 2 two\n3 three 4 four\n10 ten",
    "menu": b"1\n50.5\n2\nfoo\n2 20\n\n0\n",
    "malformed": b"12abc -x +5 1.5.2 0x1F 3e5 -- 1e+ . 1,000 99999999999 -99999999999999999999 4294967296\n",
    "doubles": b"0.1 1.5 -2.25 1e10 1e-7 .5 5. 123456789.125 1e400 nan inf 0.30000000000000004 7",
    "plain doubles": b"0.1 1.5 -2.25 1e10 1e-7 .5 5. 123456789.125 2.5 1e22 123456.5 0 -0.0 1e-310 ",
    "words of bools": b"1 0 2 true false true\n",
    "sums": b"1+2 3*4\n5 - 6\n1/2/2024 31.12.1999",
    "bases": b"10 0x10 010 ff FF z 8 9",
    "long lines": b"5 " + b"x" * 70000 + b"\n" + b"123456 " * 20000 + b"\nend",
    "zeros": b"\x00\x01 \xff\xfe\n 1\x002\r\n\t\v\f 3\r\n",
}


@dataclass(frozen=True)
class Pair:
    """A program as it is and with the drop-in; `words` go before the arguments."""

    plain: Path
    replaced: Path


def compiled(
    source: Path, program: Path, chain: Toolchain, before: Sequence[str], level: str = "-O1"
) -> None:
    words = [*chain.command, "-std=c++17", level, *chain.flags, f"-I{TOP / 'include'}", *before]
    done = subprocess.run(
        [*words, str(source), "-o", str(program)], capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "error" in line)


def pair(source: Path, folder: Path, chain: Toolchain, level: str = "-O1") -> Pair:
    made = Pair(folder / f"{source.stem}-plain", folder / f"{source.stem}-replaced")
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(compiled, source, made.plain, chain, [], level),
            pool.submit(compiled, source, made.replaced, chain, ["-include", HEADER], level),
        ]
        for job in jobs:
            job.result()
    return made


def together(files: Sequence[Path]) -> str:
    """Return one source of all programs: its first argument chooses one."""
    texts = {file.stem: file.read_text() for file in files}
    includes = sorted({line for text in texts.values() for line in re.findall(r"#include .*", text)})
    parts = [*includes, "#include <cstring>"]
    for name, text in texts.items():
        body = (
            re.sub(r"#include .*", "", text).rstrip().removesuffix("}")
        )  # main() is last, and returns by itself
        parts.append(f"namespace program_{name} {{\n{body}return 0; }}\n}}")
    calls = "".join(
        f'  if (!std::strcmp(name[1], "{name}")) return program_{name}::main();\n' for name in texts
    )
    return "\n".join(parts) + f"\nint main(int, char** name) {{\n{calls}}}\n"


def outcome(program: Path, arguments: list[str], given: Path, sink: Path) -> tuple[object, ...]:
    """Return what a run leaves: the status, standard output as a file and as a pipe, standard error."""
    with given.open("rb") as source, sink.open("wb") as out:
        to_file = subprocess.run(
            [program, *arguments], stdin=source, stdout=out, stderr=subprocess.PIPE, timeout=60
        )
    piped = subprocess.run([program, *arguments], input=given.read_bytes(), capture_output=True, timeout=60)
    return to_file.returncode, sink.read_bytes(), to_file.stderr, piped.returncode, piped.stdout, piped.stderr


def libraries(chains: Sequence[Toolchain]) -> list[Toolchain]:
    """Return a toolchain of each standard library."""
    first: dict[str, Toolchain] = {}
    for one in chains:
        if not one.runner and not one.optional:
            first.setdefault(one.library, one)
    return list(first.values())


def first_difference(plain: object, replaced: object) -> str:
    one, two = str(plain), str(replaced)
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"...{one[max(0, at - 30) : at + 50]} plain, ...{two[max(0, at - 30) : at + 50]} replaced"


def differences(made: Pair, arguments: list[str], folder: Path) -> list[str]:
    found = []
    for name, data in INPUTS.items():
        given = folder / "input"
        given.write_bytes(data)
        results = [
            outcome(program, arguments, given, folder / "output") for program in (made.plain, made.replaced)
        ]
        found += [
            f"{' '.join(arguments) or made.plain.name} on {name}: {what}: {first_difference(one, two)}"
            for what, one, two in zip(
                ("status", "file", "errors", "status in a pipe", "pipe", "errors in a pipe"),
                *results,
                strict=True,
            )
            if one != two
        ]
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_programs_do_the_same(chains: list[Toolchain], tmp_path: Path) -> None:
    files = sorted(PROGRAMS.glob("*.cpp"))
    alone = [file for file in files if WHOLE_PROCESS.search(file.read_text())]
    source = tmp_path / "together.cpp"
    source.write_text(together([file for file in files if file not in alone]))
    assert len(files) >= 60
    found = []
    for number, chain in enumerate(libraries(chains)):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = pair(source, folder, chain)
        for file in files:
            if file in alone:
                found += differences(pair(file, folder, chain), [], folder)
            else:
                found += differences(made, [file.stem], folder)
    assert not found, "\n".join(found)


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wsign-conversion", "-Werror"]


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_it_compiles_without_warnings(chains: list[Toolchain], tmp_path: Path, standard: str) -> None:
    file = PROGRAMS / "menu.cpp"
    for chain in libraries(chains):
        compiled(file, tmp_path / "menu", chain, ["-include", HEADER, f"-std={standard}", *STRICT], "-O0")


@pytest.mark.parametrize("name", ["wcin", "wcout"])
def test_wide_streams_are_one_sentence(chain: Toolchain, tmp_path: Path, name: str) -> None:
    file = tmp_path / "wide.cpp"
    file.write_text(f"#include <{HEADER}>\nint main() {{ return std::{name}.fail(); }}\n")
    words = [*chain.command, "-std=c++17", *chain.flags, f"-I{TOP / 'include'}", "-fsyntax-only", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert done.returncode != 0
    assert len(errors) == 1 and "has no wide streams: leave it out here" in errors[0]


def started(chain: Toolchain, folder: Path, body: str) -> subprocess.Popen[bytes]:
    file = folder / "mine.cpp"
    file.write_text(f"#include <{HEADER}>\n#include <iostream>\nint main() {{\n{body}\n}}\n")
    compiled(file, folder / "mine", chain, [])
    return subprocess.Popen([folder / "mine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def test_a_prompt_is_there_before_the_answer(chain: Toolchain, tmp_path: Path) -> None:
    body = '  int n, i = 3;\n  while (i--) { std::cout << "n? "; std::cin >> n; std::cout << n << "\\n"; }'
    with started(chain, tmp_path, body) as program:
        assert program.stdin is not None and program.stdout is not None
        asked = []
        for answer in (b"1\n", b"22\n", b"3\n"):
            asked.append(os.read(program.stdout.fileno(), 100))
            program.stdin.write(answer)
        assert asked == [b"n? ", b"1\nn? ", b"22\nn? "]
        assert program.stdout.read() == b"3\n"


def test_a_flush_in_a_pipe_is_done_at_once(chain: Toolchain, tmp_path: Path) -> None:
    body = '  std::cin.tie(nullptr);\n  std::cout << "here" << std::endl;\n  while (true) {}'
    with started(chain, tmp_path, body) as program:
        assert program.stdout is not None
        assert os.read(program.stdout.fileno(), 100) == b"here\n"
        program.kill()


def test_files_of_one_program_share_the_streams(chain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "other.cpp").write_text(
        "#include <cstdio>\n#include <iostream>\n"
        "void other() { int n; std::cin >> n; std::cout << n; OUT; }\n"
    )
    (tmp_path / "main.cpp").write_text(
        "#include <iostream>\nvoid other();\nint main() { int n; std::cin >> n; std::cout << n; other(); "
        'std::cout << "end"; }\n'
    )
    for out in ('std::cout << "."', 'printf(".")'):
        words = [*chain.command, "-std=c++17", *chain.flags, f"-I{TOP / 'include'}", "-include", HEADER]
        files = [tmp_path / "main.cpp", tmp_path / "other.cpp"]
        subprocess.run([*words, f"-DOUT={out}", *files, "-o", tmp_path / "both"], check=True, timeout=120)
        done = subprocess.run([tmp_path / "both"], input=b"1 2", capture_output=True, timeout=20)
        assert done.stdout == b"12.end"


def processor_time(program: Path, given: Path, sink: Path) -> float:
    """Return the least processor time of three runs, in seconds."""
    times = []
    for _ in range(3):
        before = os.times()
        with given.open("rb") as source, sink.open("wb") as out:
            subprocess.run([program], stdin=source, stdout=out, check=True, timeout=120)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        times.append(used)
    return min(times)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "least"),
    [
        ("  long long s = 0;\n  for (int x; std::cin >> x;) s += x;\n  std::cout << s << std::endl;", 4),
        ("  for (int i = 0; i < 3000000; ++i) std::cout << i * 37 << ' ' << i << '\\n';", 3),
        ("  for (int i = 0; i < 300000; ++i) std::cout << i % 1000 << std::endl;", 3),
    ],
)
def test_it_is_as_fast_as_promised(chains: list[Toolchain], tmp_path: Path, body: str, least: float) -> None:
    given, sink = tmp_path / "input", tmp_path / "output"
    given.write_text("".join(f"{number * 7919 % 1000003 * 1009}\n" for number in range(1_500_000)))
    file = tmp_path / "mine.cpp"
    file.write_text(f"#include <iostream>\nint main() {{\n{body}\n}}\n")
    for number, chain in enumerate(libraries(chains)):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = pair(file, folder, chain, "-O2")
        plain, replaced = (processor_time(program, given, sink) for program in (made.plain, made.replaced))
        assert plain >= least * replaced, f"{chain.name}: {plain:.3f} s and {replaced:.3f} s"
