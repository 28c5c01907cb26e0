"""bench.hpp as users compile it: in two translation units, split by its define, without exceptions."""

import os
import platform
import pty
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import native
from checkout import TOP

INCLUDE = TOP / "include"
BENCH = TOP / "bench"
COMPILERS = [name for name in ("g++", "clang++", "clang++-19") if shutil.which(name)]
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror".split()
HEADER = "#include <headrace/bench.hpp>\n"
OTHER = HEADER + "int work(int x) { headrace::keep(x); return x + 1; }\n"
MAIN = (
    HEADER
    + """
int work(int);
int main() {
  headrace::bench suite{"two files"};
  suite.machine(false).budget(0.02);
  const auto calls = [](int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += work(i);
    return sum;
  };
  suite.run("work", [&] { return calls(20); });  // one alone may take no longer than the loop around it
  suite.run("more work", [&] { return calls(100); });
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
    made = native.compiler(*command)
    assert made.returncode == 0, made.stderr
    return program


THROWS = (
    HEADER
    + """
#include <chrono>
#include <stdexcept>
#include <thread>
int main() {
  headrace::bench suite{"throws"};
  suite.machine(false).budget(1);
  int calls = 0;
  try {
    suite.run("work", [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (++calls == 12) throw std::runtime_error("stop");
    });
    return 1;
  } catch (const std::exception&) {}
}
"""
)


def test_what_throws_leaves_no_progress_on_the_terminal(tmp_path: Path) -> None:
    program = build(tmp_path, {"a.cpp": THROWS}, [])
    control, terminal = pty.openpty()
    settings = {**os.environ, "TERM": "xterm"}
    subprocess.run(
        [program], stdout=subprocess.DEVNULL, stderr=terminal, env=settings, timeout=60, check=True
    )
    os.close(terminal)
    shown = os.read(control, 65536)
    os.close(control)
    assert b"samples" in shown and shown.endswith(b"\r\033[K")


def test_inline_in_two_files(tmp_path: Path) -> None:
    program = build(tmp_path, {"a.cpp": MAIN, "b.cpp": OTHER}, [])
    done = native.call(program)
    assert done.returncode == 0
    assert "faster than more work" in done.stdout
    assert "\033" not in done.stdout and done.stderr == ""


@pytest.mark.slow
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
    done = native.call(program)
    assert done.returncode < 0
    sentence = '"f" is already a function of "s": each needs a name of its own'
    assert done.stderr == f"headrace::bench: {sentence}\n"


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="another assembler")
@pytest.mark.parametrize("type_name", ["float", "double"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_to_keep_a_float_takes_no_instruction(compiler: str, type_name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    body = f"{type_name} kept({type_name} x) {{ headrace::keep(x); headrace::keep(+x); return x; }}\n"
    source.write_text("#define HEADRACE_BENCH_IMPLEMENTATION 0\n" + HEADER + body, "utf-8")
    command = [compiler, "-std=c++17", "-O2", "-S", "-o-", f"-I{INCLUDE}", str(source)]
    text = native.call(*command, check=True).stdout
    kept = re.search(rf"^_Z4kept{type_name[0]}:.*?^\s+ret", text, re.M | re.S)
    assert kept is not None
    assert not re.search(r"^\s+f?mov", kept[0], re.M), kept[0]


def preprocessed(text: str, folder: Path, *flags: str) -> str:
    source = folder / "a.cpp"
    source.write_text(text, "utf-8")
    command = ["g++", "-std=c++17", f"-I{INCLUDE}", *flags, "-E", str(source)]
    return native.call(*command, check=True).stdout


def test_the_macros_that_a_user_sees(tmp_path: Path) -> None:
    macros = re.findall(r"#define (\w*HEADRACE\w*)", preprocessed(HEADER, tmp_path, "-dM"))
    assert sorted(macros) == ["HEADRACE_BENCH_ABI", "HEADRACE_BENCH_INLINE"]


@pytest.mark.parametrize("flag", ["-fexceptions", "-fno-exceptions"])
def test_its_inline_namespace_is_the_library_s(tmp_path: Path, flag: str) -> None:
    text = HEADER + "#include <headrace/config.hpp>\n>HEADRACE_BENCH_ABI HEADRACE_ABI\n"
    found = re.search(r"^> ?(\w+) (\w+)$", preprocessed(text, tmp_path, flag), re.M)
    assert found is not None and found[1] == found[2]


def test_it_includes_the_standard_library_alone(tmp_path: Path) -> None:
    ours = re.findall(r'^# \d+ "[^"]*/(headrace/[^"]+)"', preprocessed(HEADER, tmp_path), re.M)
    parts = {f"headrace/bench/{part.name}" for part in (INCLUDE / "headrace/bench").glob("*.hpp")}
    assert set(ours) == {"headrace/bench.hpp"} | parts


@pytest.mark.parametrize("compiler", native.others_slow(COMPILERS))
def test_it_compiles_without_warnings(compiler: str, tmp_path: Path) -> None:
    for number, flags in enumerate(([], ["-fno-exceptions", "-DHEADRACE_BENCH_IMPLEMENTATION=0"])):
        source = tmp_path / f"{number}.cpp"
        source.write_text(HEADER + "int main() {}\n", "utf-8")
        command = [compiler, "-std=c++17", f"-I{INCLUDE}", *WARNINGS, *flags, "-fsyntax-only", str(source)]
        made = native.compiler(*command)
        assert made.returncode == 0, made.stderr


def test_the_old_names_of_the_extremes_warn_and_work(tmp_path: Path) -> None:
    text = (
        HEADER
        + "int main() { headrace::bench_result r; r.min = 1; r.max = 2; return r.least + r.most != 3; }\n"
    )
    program = build(tmp_path, {"a.cpp": text}, ["-Wno-deprecated-declarations"])
    assert subprocess.run([program], timeout=60).returncode == 0
    command = ["g++", "-std=c++17", f"-I{INCLUDE}", "-fsyntax-only", str(tmp_path / "a.cpp")]
    warned = native.call(*command).stderr
    assert "it is called min" in warned and "it is called max" in warned


# nanobench_bench needs another library and a second file: the CMake target headrace_bench builds it.
# doubles_bench, bad_tokens_bench and records_bench time in their own way: tested below.
OTHERS = ("nanobench_bench", "doubles_bench", "bad_tokens_bench", "records_bench")
OWN = sorted(path for path in BENCH.glob("*_bench.cpp") if path.stem not in OTHERS)


@pytest.mark.slow
@pytest.mark.parametrize("source", OWN, ids=lambda path: path.stem)
def test_the_project_s_own_benchmarks_run(tmp_path: Path, source: Path) -> None:
    program = tmp_path / "program"
    words = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", str(source)]
    native.compiler(*words, "-o", program).check_returncode()
    variables = {**os.environ, "HEADRACE_BENCH_SECONDS": "0.01", "LC_ALL": "C", "HEADRACE_SIMD": "scalar"}
    done = native.call(program, env=variables)
    assert done.returncode == 0 and done.stderr == ""
    assert re.match(r"\w+; kernel scalar of [a-z0-9 ]*scalar", done.stdout)
    assert len(re.findall(r"\d (?:ns|us|µs) ", done.stdout)) > 10


@pytest.mark.slow
def test_the_table_of_bad_tokens_has_a_row_per_input_and_source(tmp_path: Path) -> None:
    program = tmp_path / "program"
    words = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    native.compiler(*words, BENCH / "bad_tokens_bench.cpp", "-o", program).check_returncode()
    done = native.call(program, "100000", "1000", "1")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("1000 bad tokens in 100000 bytes")
    for source in ("memory", "file", "pipe"):
        rows = re.findall(rf"^\| .*, {source} \|(?: \d+\.\d+ \|)+$", done.stdout, re.MULTILINE)
        assert len(rows) == 4, done.stdout


@pytest.mark.slow
def test_the_table_of_records_has_a_row_per_record(tmp_path: Path) -> None:
    program = tmp_path / "program"
    words = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    native.compiler(*words, BENCH / "records_bench.cpp", "-o", program).check_returncode()
    done = native.call(program, "1000", "2")
    assert done.returncode == 0 and done.stderr == ""  # it compares what both ways have read
    assert re.match(r"records; kernel \w+ of", done.stdout)
    assert len(re.findall(r"^\| [a-z0-9 ,.-]+ \|(?: \d+\.\d+ \|){2,}$", done.stdout, re.MULTILINE)) == 10
    assert subprocess.run([program, "0"], capture_output=True, timeout=100).returncode == 2


@pytest.mark.slow
def test_the_table_of_doubles_has_a_row_per_distribution(tmp_path: Path) -> None:
    program = tmp_path / "program"
    words = [
        "g++",
        "-std=c++17",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{INCLUDE}",
        str(BENCH / "doubles_bench.cpp"),
    ]
    native.compiler(*words, "-o", program).check_returncode()
    done = native.call(program, "100", "2")
    assert done.returncode == 0 and done.stderr == ""
    tables = [table.splitlines() for table in done.stdout.strip().split("\n\n")]
    assert len(tables) >= 2 and all(len(table) > 2 for table in tables)
    for header, _, *rows in tables:
        assert all(row.count("|") == header.count("|") and re.search(r"\d\.\d\d \|", row) for row in rows)
    assert subprocess.run([program, "none"], capture_output=True, timeout=100).returncode == 2
