"""bench.hpp as users compile it: in two translation units, split by its define, without exceptions."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[2] / "include"
BENCH = Path(__file__).parents[2] / "bench"
HEADER = "#include <headrace/bench.hpp>\n"
OTHER = HEADER + "int work(int x) { headrace::keep(x); return x + 1; }\n"
MAIN = (
    HEADER
    + """
int work(int);
int main() {
  headrace::bench suite{"two files"};
  suite.machine(false).budget(0.02);
  suite.run("work", [] { return work(1); });
  suite.run("more work", [] { int sum = 0; for (int i = 0; i < 50; ++i) sum += work(i); return sum; });
  return suite.compare().reference == "work" ? 0 : 1;
}
"""
)

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on this machine")


def build(folder: Path, sources: dict[str, str], flags: list[str]) -> Path:
    for name, text in sources.items():
        (folder / name).write_text(text, "utf-8")
    program = folder / "program"
    files = [str(folder / name) for name in sources]
    command = ["g++", "-std=c++17", "-O1", f"-I{INCLUDE}", *flags, *files, "-o", str(program)]
    subprocess.run(command, check=True, timeout=120)
    return program


def test_inline_in_two_files(tmp_path: Path) -> None:
    program = build(tmp_path, {"a.cpp": MAIN, "b.cpp": OTHER}, [])
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "faster than more work" in done.stdout
    assert "\033" not in done.stdout and done.stderr == ""


@pytest.mark.parametrize("value", ["", "1"])
def test_implementation_in_one_file(tmp_path: Path, value: str) -> None:
    declared = "#define HEADRACE_BENCH_IMPLEMENTATION 0\n"
    sources = {"a.cpp": declared + MAIN, "b.cpp": f"#define HEADRACE_BENCH_IMPLEMENTATION {value}\n" + OTHER}
    program = build(tmp_path, sources, [])
    assert subprocess.run([program], capture_output=True, timeout=60).returncode == 0


def test_without_exceptions_a_wrong_use_prints_its_sentence(tmp_path: Path) -> None:
    text = HEADER + (
        'int main() { headrace::bench s{"s"}; s.machine(false).budget(0.01);'
        ' s.run("f", [] {}); s.run("f", [] {}); }\n'
    )
    program = build(tmp_path, {"a.cpp": text}, ["-fno-exceptions", "-fno-rtti"])
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert done.returncode < 0
    sentence = '"f" is already a function of "s": each needs a name of its own'
    assert done.stderr == f"headrace::bench: {sentence}\n"


def test_the_one_macro_that_a_user_sees(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(HEADER, "utf-8")
    command = ["g++", "-std=c++17", f"-I{INCLUDE}", "-dM", "-E", str(source)]
    macros = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line for line in macros if "HEADRACE" in line] == ["#define HEADRACE_BENCH_HPP "]


# nanobench_bench needs another library and a second file: the CMake target headrace_bench builds it.
OWN = sorted(path for path in BENCH.glob("*_bench.cpp") if path.stem != "nanobench_bench")


@pytest.mark.slow
@pytest.mark.parametrize("source", OWN, ids=lambda path: path.stem)
def test_the_project_s_own_benchmarks_run(tmp_path: Path, source: Path) -> None:
    program = tmp_path / "program"
    words = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", str(source)]
    subprocess.run([*words, "-o", str(program)], check=True, timeout=200)
    variables = {**os.environ, "HEADRACE_BENCH_SECONDS": "0.01", "LC_ALL": "C", "HEADRACE_SIMD": "scalar"}
    done = subprocess.run([program], capture_output=True, text=True, timeout=100, env=variables)
    assert done.returncode == 0 and done.stderr == ""
    assert re.match(r"\w+; kernel scalar of scalar", done.stdout)
    assert len(re.findall(r"\d (?:ns|us|µs) ", done.stdout)) > 10
