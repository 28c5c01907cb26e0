"""replace_iostream.hpp: each program of replace/ does the same with it and without, on every input."""

from __future__ import annotations

import os
import pickle
import re
import signal as signals
import subprocess
from pathlib import Path

import pytest

from conftest import BuiltOnce
from drop_in import STRICT, TOP, Way, compiled, differences, libraries, programs, runs_of, sentence, ways
from headrace.matrix.compilers import Toolchain

PROGRAMS = programs(Path(__file__).with_name("replace"))
HEADER = "headrace/replace_iostream.hpp"

# What concerns the whole process that a program is in: such programs are compiled apart from the others.
APART = {
    "shared": r"printf|scanf|puts|getchar|putchar|stdout",  # both streams are given back
    "not alone": r"system|_exit",  # no place is kept, no flush put off
    "static": r"static noisy",  # writes before main()
}
# With libc++ tellg and tellp say -1 of the file's ends, and cin keeps one byte to put back.
WITH_LIBSTDCXX = ("places", "unget_at_the_end")


PUT_OFF = "-DHEADRACE_PUT_OFF_FLUSHES"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("flags", [(), (PUT_OFF,)], ids=["as written", "put off"])
def test_the_programs_do_the_same(
    chains: list[Toolchain], built_once: BuiltOnce, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    assert len(PROGRAMS) >= 60
    kinds = {
        name: kind for name, text in PROGRAMS.items() for kind, by in APART.items() if re.search(by, text)
    }
    flushing = re.compile("endl|flush|unitbuf|exit|abort|cerr|tellp|fork")
    found = []
    for number, way in enumerate(ways(chains)):
        is_libstdcxx = way.chain.library == "libstdc++"
        for kind in ("", *APART):
            here = {
                name: text
                for name, text in PROGRAMS.items()
                if kinds.get(name, "") == kind and (is_libstdcxx or not name.startswith(WITH_LIBSTDCXX))
            }

            def fill(folder: Path, texts: dict[str, str] = here, way: Way = way) -> None:
                (folder / "runs").write_bytes(pickle.dumps(runs_of(texts, way, folder / "plain")))

            plain = pickle.loads((built_once(f"plain {kind}{number}", fill) / "runs").read_bytes())
            texts = {name: text for name, text in here.items() if not flags or flushing.search(text)}
            found += differences(texts, HEADER, way, tmp_path / f"{kind}{number}", flags, plain)
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_it_compiles_without_warnings(chains: list[Toolchain], tmp_path: Path, standard: str) -> None:
    file = tmp_path / "menu.cpp"
    file.write_text(PROGRAMS["menu"])
    words = ["-include", HEADER, f"-std={standard}", *STRICT, "-fsyntax-only"]
    for chain in libraries(chains):
        compiled(file, tmp_path / "menu", chain, words)


@pytest.mark.parametrize("name", ["wcin", "wcout"])
def test_wide_streams_are_one_sentence(chain: Toolchain, tmp_path: Path, name: str) -> None:
    said = sentence(chain, tmp_path, f"#include <{HEADER}>\nint main() {{ return std::{name}.fail(); }}\n")
    assert "has no wide streams: leave it out here" in said


def made(chain: Toolchain, folder: Path, body: str, *words: str) -> Path:
    file = folder / "mine.cpp"
    includes = "".join(f"#include <{name}>\n" for name in (HEADER, "iostream", "csignal", "cstdio"))
    file.write_text(f"{includes}int main() {{\n{body}\n}}\n")
    compiled(file, folder / "mine", chain, words)
    return folder / "mine"


def started(chain: Toolchain, folder: Path, body: str) -> subprocess.Popen[bytes]:
    program = made(chain, folder, body)
    return subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


LINES = "  for (int i = 0; i < 1000; ++i) std::cout << i << {flush};\n  std::raise({signal});"
FLUSHES = ["std::endl", "'\\n' << std::flush", "std::unitbuf << '\\n'"]


@pytest.mark.parametrize(
    ("flush", "signal", "words", "kept"),
    [
        *((flush, "SIGKILL", (), 1000) for flush in FLUSHES),
        ("std::endl", "SIGKILL", (PUT_OFF,), 0),
        ("std::endl", "SIGTERM", (PUT_OFF,), 1000),
    ],
)
def test_lines_of_a_killed_program_that_are_in_the_file(
    chain: Toolchain, tmp_path: Path, flush: str, signal: str, words: tuple[str, ...], kept: int
) -> None:
    program = made(chain, tmp_path, LINES.format(flush=flush, signal=signal), *words)
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run([program], stdout=out, timeout=20)
    assert done.returncode == -getattr(signals, signal)
    assert (tmp_path / "out").read_text() == "".join(f"{i}\n" for i in range(kept))


def test_it_handles_no_signals(chain: Toolchain, tmp_path: Path) -> None:
    body = "  std::cout << 1 << std::endl;\n  return std::signal(SIGTERM, SIG_IGN) == SIG_DFL ? 0 : 1;"
    with (tmp_path / "out").open("wb") as out:
        assert subprocess.run([made(chain, tmp_path, body)], stdout=out, timeout=20).returncode == 0


def test_names_of_std_can_be_used_one_by_one(chain: Toolchain, tmp_path: Path) -> None:
    body = (
        "  using std::cin; using std::cout; using std::getline; using std::printf; using std::scanf;\n"
        '  int x = 0; std::string s; getline(cin, s); cout << s; scanf("%d", &x);\n'
        "  int (*pointer)(const char*, ...) = printf;\n"
        '  return printf("%d", x) + std::printf("!") + pointer(".");'
    )
    done = subprocess.run([made(chain, tmp_path, body)], input=b"line\n7\n", capture_output=True, timeout=20)
    assert done.stdout == b"line7!." and done.returncode == 3


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


@pytest.mark.slow
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
