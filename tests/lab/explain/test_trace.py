"""System calls of real runs of tiny programs, counted by the launcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from headrace.base.errors import BadInput
from headrace.explain import observed, trace
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import SystemCalls


@pytest.fixture
def input_file(tmp_path: Path) -> Path:
    file = tmp_path / "input"
    file.write_bytes(b"x" * 10_000)
    return file


def counted(request: launch.Request, bound: float) -> SystemCalls | Failure:
    seen = trace.watched(request, bound, with_callers=False)
    return seen if isinstance(seen, Failure) else trace.counts_of(seen)


def _program(folder: Path, chain: Toolchain, text: str) -> str:
    (folder / "program.cpp").write_text(text)
    words = [*chain.command, *chain.flags, str(folder / "program.cpp"), "-o", str(folder / "program")]
    assert launch.call(words, environment=chain.environment).ok
    return str(folder / "program")


def _traced(folder: Path, chain: Toolchain, body: str, source: str, sink: str, given: Path) -> SystemCalls:
    text = f"{HEADERS}int main() {{ static char block[1000]; {body} }}"
    found = counted(launch.Request([_program(folder, chain, text)], source, sink, given), 30)
    assert isinstance(found, SystemCalls) and found.complete, found
    return found


HEADERS = """
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>
"""
COPY = """
for (ssize_t got; (got = read(0, block, sizeof block)) > 0;)
    if (write(1, block, got) != got) return 1;
"""


@pytest.mark.parametrize(("source", "sink"), [("file", "file"), ("pipe", "pipe"), ("file", "null")])
def test_a_copy_in_blocks_is_counted_exactly(
    tmp_path: Path, chain: Toolchain, input_file: Path, source: str, sink: str
) -> None:
    found = _traced(tmp_path, chain, COPY, source, sink, input_file)
    assert found.bytes_read == found.bytes_written == found.moved == 10_000
    assert found.counts["write"] == 10 and found.write_sizes == {1024: 10}
    assert found.read_sizes[0] == 1  # the end
    if source == "file":
        assert found.read_sizes == {0: 1, 1024: 10}
        assert found.start_up["read"] == found.counts["read"] - 11  # the loader's
    assert found.start_up["mmap"] == found.counts["mmap"] and "write" not in found.start_up


@pytest.mark.parametrize(("size", "power"), [(1, 1), (2, 2), (3, 4), (512, 512), (513, 1024)])
def test_sizes_are_kept_by_their_upper_power_of_two(
    tmp_path: Path, chain: Toolchain, input_file: Path, size: int, power: int
) -> None:
    found = _traced(tmp_path, chain, f"return write(1, block, {size}) != {size};", "file", "null", input_file)
    assert found.write_sizes == {power: 1} and found.bytes_written == size


@pytest.mark.parametrize(
    ("opening", "counted"),
    [
        ('open("/dev/stdin", O_RDONLY)', True),
        ('open("/dev/stdin", O_RDONLY | O_CLOEXEC)', True),
        ('open("PATH", O_RDONLY)', True),
        ('open("PATH", O_RDONLY | O_CLOEXEC)', True),  # the source by its name
        ('open("/proc/self/exe", O_RDONLY | O_CLOEXEC)', False),
        ("dup(0)", True),
        ("fcntl(0, F_DUPFD_CLOEXEC, 3)", True),
    ],
)
def test_other_descriptors_of_the_data_are_followed(
    tmp_path: Path, chain: Toolchain, input_file: Path, opening: str, counted: bool
) -> None:
    body = f"return read({opening.replace('PATH', str(input_file))}, block, 50) != 50;"
    found = _traced(tmp_path, chain, body, "file", "null", input_file)
    assert found.bytes_read == (50 if counted else 0)


def test_what_moves_without_a_buffer_counts_for_both_ends(
    tmp_path: Path, chain: Toolchain, input_file: Path
) -> None:
    body = "return sendfile(1, 0, nullptr, 1 << 20) != 10000;"
    found = _traced(tmp_path, chain, body, "file", "pipe", input_file)
    assert found.bytes_read == found.bytes_written == 10_000
    assert found.read_sizes == found.write_sizes == {16384: 1}


def test_a_mapped_source_ends_the_start_up(tmp_path: Path, chain: Toolchain, input_file: Path) -> None:
    body = "munmap(mmap(nullptr, 10000, PROT_READ, MAP_PRIVATE, 0, 0), 10000);"
    found = _traced(tmp_path, chain, body, "file", "null", input_file)
    assert found.counts["mmap"] == found.start_up["mmap"] + 1 and not found.bytes_read
    assert found.counts["munmap"] > found.start_up.get("munmap", 0)


def test_memory_with_the_source_s_number_is_no_map_of_it(
    tmp_path: Path, chain: Toolchain, input_file: Path
) -> None:
    body = "if (mmap(nullptr, 10000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, 0, 0) == MAP_FAILED) return 1;"
    found = _traced(tmp_path, chain, body, "file", "null", input_file)
    assert found.counts["mmap"] == found.start_up["mmap"]


def test_errors_are_counted_by_their_names(tmp_path: Path, chain: Toolchain, input_file: Path) -> None:
    body = "for (int i = 0; i < 3; ++i) if (read(77, block, 1) != -1 || errno != EBADF) return 1;"
    found = _traced(tmp_path, chain, body, "file", "null", input_file)
    assert found.failed["read EBADF"] == 3 and not found.bytes_read


def test_children_are_counted_too(tmp_path: Path, chain: Toolchain, input_file: Path) -> None:
    body = f"if (fork()) return wait(nullptr) < 0; {COPY}"
    found = _traced(tmp_path, chain, body, "file", "pipe", input_file)
    assert found.bytes_written == 10_000


def test_a_run_beyond_the_bound_gives_what_was_seen(tmp_path: Path, chain: Toolchain) -> None:
    text = '#include <unistd.h>\nint main() { while (write(1, "x", 1) == 1) {} }'
    found = counted(launch.Request([_program(tmp_path, chain, text)], "none", "null"), 1.0)
    assert isinstance(found, SystemCalls) and not found.complete
    assert found.write_sizes[1] == found.moved > 100


def test_a_program_that_fails_is_no_trace(tmp_path: Path, chain: Toolchain) -> None:
    request = launch.Request([_program(tmp_path, chain, "int main() { return 3; }")], "none", "null")
    found = counted(request, 30)
    assert isinstance(found, Failure) and "status 3" in found.detail


def test_a_refusal_to_trace_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    trace.check()
    monkeypatch.setattr(observed, "observe", lambda *_, **__: Failure("skipped", observed.HOW_TO_ALLOW))
    with pytest.raises(BadInput, match="SYS_PTRACE") as caught:
        trace.check()
    assert caught.value.exit_code == 2
