"""replace_sstream.hpp: each program of replace_sstream/ does the same with it and without, on every input."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from drop_in import STRICT, compiled, differences, libraries, programs, together, ways
from headrace.matrix.compilers import Toolchain

PROGRAMS = programs(Path(__file__).with_name("replace_sstream"))
HEADER = "headrace/replace_sstream.hpp"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_programs_do_the_same(chains: list[Toolchain], tmp_path: Path) -> None:
    assert len(PROGRAMS) >= 13
    found = []
    for number, way in enumerate(ways(chains)):
        found += differences(PROGRAMS, HEADER, way, tmp_path / str(number))
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_it_compiles_without_warnings(chains: list[Toolchain], tmp_path: Path) -> None:
    file = tmp_path / "together.cpp"
    file.write_text(together({name: PROGRAMS[name] for name in ("handed_on", "modes")}))
    for chain in libraries(chains):
        compiled(file, tmp_path / "together", chain, ["-include", HEADER, *STRICT, "-fsyntax-only"])


@pytest.mark.parametrize("other", ["iostream", "stdio"])
def test_it_goes_with_the_other_headers(chain: Toolchain, tmp_path: Path, other: str) -> None:
    words = ["-w", "-fsyntax-only", "-include", f"headrace/replace_{other}.hpp", "-include", HEADER]
    file = tmp_path / "words.cpp"
    file.write_text(PROGRAMS["words"])
    compiled(file, tmp_path / "words", chain, words)


THREADS = """#include <headrace/replace_sstream.hpp>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

static std::string sum(int to) {
  std::string found;
  for (int i = 0; i < to; ++i) {
    std::ostringstream out;
    out << i << ' ';
    std::istringstream in(out.str());
    int back = 0;
    in >> back;
    if (back == i) found = out.str();
  }
  return found;
}
struct at_the_end {
  std::ostringstream held;
  ~at_the_end() {
    held << sum(5);
    std::puts(held.str().c_str());
  }
};
static at_the_end last;

int main() {
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (auto& one : found) threads.emplace_back([&one] { one = sum(1000); });
  for (auto& one : threads) one.join();
  for (auto& one : found) std::fputs(one.c_str(), stdout);
}
"""


def test_each_thread_has_a_store_that_ends_with_it(chain: Toolchain, tmp_path: Path) -> None:
    file = tmp_path / "threads.cpp"
    file.write_text(THREADS)
    compiled(file, tmp_path / "threads", chain, ["-fsanitize=address,undefined", "-pthread"])
    done = subprocess.run([tmp_path / "threads"], capture_output=True, timeout=60)
    assert done.stdout == b"999 999 999 999 4 \n" and not done.stderr
