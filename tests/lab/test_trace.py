"""System calls under a tracer: its output read, and real runs of tiny programs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from headrace.base.errors import BadInput, NothingToDo
from headrace.explain import trace
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.results.failure import Failure

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

PLAIN = """\
9834  execve("./a", ["./a"], 0x7ffe09b6bd30 /* 39 vars */) = 0
9834  brk(NULL)                         = 0x562ce6a57000
9834  openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
9834  read(3, ""..., 832)               = 832
9834  mmap(NULL, 8192, PROT_READ, MAP_PRIVATE|MAP_DENYWRITE, 3, 0) = 0x7fba0b131000
9834  read(0, ""..., 4096)              = 4096
9834  write(1, ""..., 1)                = 1
9834  write(1, ""..., 1)                = 1
9834  read(0, "", 4096)                 = 0
9834  exit_group(0)                     = ?
"""


def test_bytes_from_the_source_and_to_the_sink_are_told_from_the_loader_s() -> None:
    found = trace.parse("strace", PLAIN.splitlines())
    assert found.counts["read"] == 3 and found.start_up["read"] == 1
    assert found.start_up.get("write", 0) == 0 and found.start_up["brk"] == 1
    assert (found.bytes_read, found.bytes_written) == (4096, 2)
    assert found.read_sizes == {0: 1, 4096: 1} and found.write_sizes == {1: 2}


def test_a_call_that_was_interrupted_is_put_together() -> None:
    lines = [
        "7 read(0,  <unfinished ...>",
        '8 write(1, ""..., 5)   = 5',
        '7 <... read resumed>""..., 100) = 100',
        "8 write(1 <unfinished ...>",
        '8 <... write resumed>, ""..., 7) = 7',
    ]
    found = trace.parse("strace", lines)
    assert found.counts == {"write": 2, "read": 1}
    assert (found.bytes_read, found.bytes_written) == (100, 12)
    assert found.write_sizes == {8: 2}


def test_signals_exits_and_remarks_are_no_calls() -> None:
    lines = [
        "7 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=8, si_uid=0} ---",
        "8 +++ exited with 0 +++",
        "strace: [ Process PID=8 runs in 32 bit mode. ]",
        "",
        '7 write(1, ""..., 3',  # the last line of a trace that was cut short
    ]
    assert trace.parse("strace", lines).counts == {}


def test_errors_restarts_hexadecimal_and_old_names() -> None:
    lines = [
        "read(0, 0x7ff0, 1)      = -1 EAGAIN (Resource temporarily unavailable)",
        "read(0, 0x7ff0, 1)      = ? ERESTARTSYS (To be restarted if SA_RESTART is set)",
        "read(0x0, 0x7ff0, 0x10) = 0x10",
        "_llseek(1, 0, [0], SEEK_CUR) = 0",
        "mmap2(NULL, 4096, PROT_READ, MAP_PRIVATE, 3, 0) = 0xf7f00000",
    ]
    found = trace.parse("strace", lines)
    assert found.counts == {"read": 2, "lseek": 1, "mmap": 1}
    assert found.failed == {"read EAGAIN": 1} and found.bytes_read == 16


@pytest.mark.parametrize(
    ("opening", "counted"),
    [
        ('openat(AT_FDCWD, "/dev/stdin", O_RDONLY) = 3', True),
        ('openat(AT_FDCWD, "/dev/stdin", O_RDONLY|O_CLOEXEC) = 3', True),
        ('openat(AT_FDCWD, "data.txt", O_RDONLY) = 3', True),
        ('openat(AT_FDCWD, "/usr/lib/libc.so.6", O_RDONLY|O_CLOEXEC) = 3', False),
        ("dup(0) = 3", True),
        ("fcntl(0, F_DUPFD_CLOEXEC, 3) = 3", True),
    ],
)
def test_other_descriptors_of_the_data_are_followed(opening: str, counted: bool) -> None:
    found = trace.parse("strace", [opening, 'read(3, ""..., 50) = 50'])
    assert found.bytes_read == (50 if counted else 0)


def test_what_moves_without_a_buffer_counts_for_both_ends() -> None:
    lines = [
        "sendfile(1, 0, NULL, 1073741824) = 1000",
        "splice(0, NULL, 4, NULL, 65536, 0) = 300",
        "splice(3, NULL, 1, NULL, 65536, 0) = 300",
        "copy_file_range(0, NULL, 1, NULL, 65536, 0) = 40",
    ]
    found = trace.parse("strace", lines)
    assert (found.bytes_read, found.bytes_written) == (1340, 1340)
    assert found.read_sizes == {64: 1, 512: 1, 1024: 1}


def test_a_mapped_source_ends_the_start_up() -> None:
    lines = [
        "brk(NULL) = 0x1000",
        "mmap(NULL, 65536, PROT_READ, MAP_PRIVATE, 0, 0) = 0x7f0000000000",
        "munmap(0x7f0000000000, 65536) = 0",
    ]
    found = trace.parse("strace", lines)
    assert found.start_up == {"brk": 1} and found.counts["munmap"] == 1


def test_what_a_wrapper_did_is_start_up() -> None:
    lines = [
        'read(0, ""..., 1) = 1',
        'execve("/bin/cat", [...], 0x5 /* 3 vars */) = 0',
        'read(0, ""..., 9) = 9',
    ]
    found = trace.parse("strace", lines)
    assert found.start_up == {"read": 1, "execve": 1} and found.bytes_read == 9


PERF = """\
         ? (         ): a/21255  ... [continued]: execve())                     = 0
     0.042 ( 0.012 ms): a/21255 brk()                                           = 0x560cd3c27000
     0.290 ( 0.015 ms): a/21255 access(filename: 0xc227f2a0, mode: R)           = -1 ENOENT (No such file)
     0.322 ( 0.017 ms): a/21255 openat(dfd: CWD, filename: 0xc2, flags: RDONLY|CLOEXEC) = 4
     0.400 ( 0.010 ms): a/21255 read(fd: 4</usr/lib/libc.so.6>, buf: 0x7f, count: 832) = 832
     3.705 ( 0.022 ms): a/21255 read(buf: 0x560cd3c38eb0, count: 4096)          = 100
     3.705 (         ): a/21255 write(fd: 1</dev/null>, buf: 0x56, count: 1)     ...
     3.715 ( 0.012 ms): a/21255  ... [continued]: write())                      = 1
     3.808 (         ): a/21255 exit_group()                                    = ?
"""


def test_perf_trace_is_read_as_strace_is() -> None:
    found = trace.parse("perf trace", PERF.splitlines())
    assert found.counts["read"] == 2 and found.start_up["read"] == 1 and found.counts["write"] == 1
    assert (found.bytes_read, found.bytes_written) == (100, 1)
    assert found.failed == {"access ENOENT": 1}


@pytest.mark.parametrize(
    ("size", "power"), [(-1, 0), (0, 0), (1, 1), (2, 2), (3, 4), (4096, 4096), (4097, 8192)]
)
def test_sizes_are_kept_by_their_upper_power_of_two(size: int, power: int) -> None:
    assert trace.upper_power(size) == power


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12), ("0x1f", 31), ("-1", -1), ("010", 8), ("?", None), ("NULL", None)]
)
def test_numbers_as_tracers_print_them(text: str, value: int | None) -> None:
    assert trace.number(text) == value


# Tools that are missing or may not trace.


def _only(folder: Path, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> None:
    """Leave nothing on PATH but these scripts."""
    for name, body in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_no_tracer_is_nothing_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _only(tmp_path, monkeypatch)
    with pytest.raises(NothingToDo, match="apt-get install strace") as caught:
        trace.find_tool()
    assert caught.value.exit_code == 3


def test_a_refusal_to_trace_is_told_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = "strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not permitted"
    _only(tmp_path, monkeypatch, strace=f"echo '{refusal}' >&2; exit 1")
    with pytest.raises(BadInput, match="PTRACE_TRACEME: Operation not permitted") as caught:
        trace.find_tool()
    assert caught.value.exit_code == 2 and "SYS_PTRACE" in str(caught.value)


def test_perf_steps_in_for_a_strace_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "0.1 ( 0.1 ms): true/1 exit_group() = ?"
    _only(tmp_path, monkeypatch, strace="exit 1", perf=f"echo '{line}' > $3", true="exit 0")
    assert trace.find_tool() == trace.Tool("perf trace")


# Real runs.


@pytest.fixture
def input_file(tmp_path: Path) -> Path:
    file = tmp_path / "input"
    file.write_bytes(b"x" * 10_000)
    return file


def _program(folder: Path, chain: Toolchain, text: str) -> str:
    (folder / "program.cpp").write_text(text)
    words = [*chain.command, *chain.flags, str(folder / "program.cpp"), "-o", str(folder / "program")]
    assert launch.call(words, environment=chain.environment).ok
    return str(folder / "program")


COPY = """
#include <unistd.h>
int main() {
    char block[1000];
    for (ssize_t got; (got = read(0, block, sizeof block)) > 0;)
        if (write(1, block, got) != got) return 1;
}
"""


@needs_strace
@pytest.mark.parametrize(("source", "sink"), [("file", "file"), ("pipe", "pipe"), ("file", "null")])
def test_a_copy_in_blocks_is_counted_exactly(
    tmp_path: Path, chain: Toolchain, input_file: Path, source: str, sink: str
) -> None:
    request = launch.Request([_program(tmp_path, chain, COPY)], source, sink, input_file)
    found = trace.run(trace.find_tool(), request, 30)
    assert isinstance(found, trace.Trace) and found.complete
    assert found.bytes_read == found.bytes_written == 10_000
    assert found.counts["write"] == 10 and found.write_sizes == {1024: 10}
    assert found.start_up.get("execve") == 1 and "execve" in found.counts


@needs_strace
def test_children_are_counted_too(tmp_path: Path, chain: Toolchain, input_file: Path) -> None:
    text = COPY.replace(
        "int main() {", "#include <sys/wait.h>\nint main() {\n if (fork()) return wait(0) < 0;"
    )
    request = launch.Request([_program(tmp_path, chain, text)], "file", "pipe", input_file)
    found = trace.run(trace.find_tool(), request, 30)
    assert isinstance(found, trace.Trace) and found.bytes_written == 10_000


@needs_strace
def test_a_run_beyond_the_bound_gives_what_was_seen(tmp_path: Path, chain: Toolchain) -> None:
    text = '#include <unistd.h>\nint main() { while (write(1, "x", 1) == 1) {} }'
    request = launch.Request([_program(tmp_path, chain, text)], "none", "null")
    found = trace.run(trace.find_tool(), request, 1.0)
    assert isinstance(found, trace.Trace) and not found.complete
    assert found.write_sizes.get(1, 0) > 100


@needs_strace
def test_a_program_that_fails_is_no_trace(tmp_path: Path, chain: Toolchain) -> None:
    request = launch.Request([_program(tmp_path, chain, "int main() { return 3; }")], "none", "null")
    found = trace.run(trace.find_tool(), request, 30)
    assert isinstance(found, Failure) and "status 3" in found.detail


@pytest.mark.skipif(shutil.which("perf") is None, reason="perf is not installed")
def test_perf_counts_as_strace_does(tmp_path: Path, chain: Toolchain, input_file: Path) -> None:
    probe = launch.call(["perf", "trace", "-o", os.devnull, "--", "true"])
    if not probe.ok:
        pytest.skip(f"perf may not trace here: {probe.err.strip()[:80]}")
    request = launch.Request([_program(tmp_path, chain, COPY)], "file", "pipe", input_file)
    found = trace.run(trace.Tool("perf trace"), request, 30)
    assert isinstance(found, trace.Trace)
    assert found.bytes_read == found.bytes_written == 10_000 and found.write_sizes == {1024: 10}
