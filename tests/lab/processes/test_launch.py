"""The launcher: every route carries every byte, and a run that goes wrong says how."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import native
from headrace.base import screen
from headrace.processes import launch
from headrace.processes.launch import Expected, Request
from headrace.processes.routes import ENDS
from headrace.results.failure import Failure
from headrace.results.schema import Sample

pytestmark = pytest.mark.usefixtures("chains")

SOURCES = [end.name for end in ENDS if end.is_source and not end.is_empty]  # a new one is tested at once
SINKS = [end.name for end in ENDS if end.is_sink and not end.is_lost]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """More than any buffer of the kernel holds, in lines that a terminal takes."""
    file = tmp_path / "text"
    file.write_text("".join(f"{number} {'x' * (number % 70)}\n" for number in range(5000)))
    return file


def outcome(result: Sample | Failure) -> str:
    return result.outcome if isinstance(result, Failure) else "ok"


def shell(line: str, **settings: object) -> Sample | Failure:
    return launch.run(Request(["sh", "-c", line], **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("sink", SINKS)
def test_every_route_carries_every_byte(text: Path, source: str, sink: str) -> None:
    digest, size = launch.digest(text)
    wanted = Expected(digest=digest, bytes=size)
    # cat complains of the hang-up that ends a raw terminal; what counts is what it copied
    result = shell(
        "cat 2>/dev/null || true",
        source=source,
        sink=sink,
        input=text,
        expected=wanted,
        answer_on_stdout=False,
    )
    assert isinstance(result, Sample), result
    assert 0 < result.wall < 60


@pytest.mark.parametrize("sink", SINKS)
def test_every_sink_notices_a_missing_byte(text: Path, sink: str) -> None:
    digest, size = launch.digest(text)
    wanted = Expected(digest=digest, bytes=size)
    cut = shell("head -c -1", source="file", sink=sink, input=text, expected=wanted, answer_on_stdout=False)
    lost = f"expected {size:,} bytes of output, got {size - 1:,}; the input is {text}"
    assert cut == Failure("WRONG", lost)
    other = shell("tr 7 8", source="file", sink=sink, input=text, expected=wanted, answer_on_stdout=False)
    assert outcome(other) == "WRONG" and isinstance(other, Failure) and "digest" in other.detail


def test_a_path_is_shown_as_a_person_here_would_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert launch.shown_path(tmp_path / "here" / "in" / "x.txt") == "in/x.txt"
    assert launch.shown_path(tmp_path / ".cache" / "x.txt") == "~/.cache/x.txt"
    assert launch.shown_path(Path("/elsewhere/x.txt")) == "/elsewhere/x.txt"


def test_terminals_are_terminals_and_files_are_not(text: Path) -> None:
    test = "test -t {0} && echo yes || echo no"
    for end, here, answer in ((0, "pty", "yes"), (0, "pty-raw", "yes"), (0, "pipe", "no"), (0, "file", "no")):
        wanted = Expected(text=answer)
        assert outcome(shell(test.format(end), source=here, input=text, expected=wanted)) == "ok"
    size = launch.run(Request(["stty", "size"], source="pty", input=text, expected=Expected(text="24 80")))
    assert outcome(size) == "ok", size


def test_an_answer_is_compared_without_the_white_space_around_it() -> None:
    assert outcome(shell("echo 42", expected=Expected(text="42"))) == "ok"
    assert shell("echo 41", expected=Expected(text="42")) == Failure("WRONG", "expected '42', got '41'")
    assert shell("true", expected=Expected(text="42")) == Failure("WRONG", "expected '42', got nothing")


def test_a_rounded_answer_has_its_tolerance() -> None:
    near = Expected(text="1.0", tolerance=1e-9)
    assert outcome(shell("echo 1.0000000001", expected=near)) == "ok"
    assert outcome(shell("echo 1.00001", expected=near)) == "WRONG"
    assert outcome(shell("echo one", expected=near)) == "WRONG"


def test_a_crash_names_the_signal_and_the_last_words() -> None:
    assert shell("echo first >&2; echo last >&2; kill -SEGV $$") == Failure(
        "CRASHED", "ended by SIGSEGV: last"
    )
    assert shell("echo why >&2; exit 7") == Failure("CRASHED", "ended with status 7: why")


def test_a_program_that_is_not_there() -> None:
    result = launch.run(Request(["/nowhere/to/be/found"]))
    assert isinstance(result, Failure) and result.outcome == "CRASHED"
    assert "cannot start /nowhere/to/be/found: No such file" in result.detail


def test_a_stray_grandchild_does_not_hold_a_pipe_open(text: Path) -> None:
    begun = time.monotonic()
    assert outcome(shell("sleep 60 & echo done", sink="pipe", answer_on_stdout=False)) == "ok"
    assert time.monotonic() - begun < 50


HOSTILE = {
    "setsid": "setsid sleep 61.5 & setsid sh -c 'setsid sleep 61.5 & sleep 61.5' & sleep 0.2; echo 42",
    "daemon": "(setsid sh -c 'sleep 61.5 & sleep 61.5' >/dev/null 2>&1 &) ; sleep 0.2; echo 42",
    "stubborn": "trap '' TERM HUP; setsid sh -c \"trap '' TERM HUP INT; sleep 61.5\" & sleep 0.2; echo 42",
    "closed": "echo 42; exec >&- 2>&- <&-; setsid sleep 61.5 & sleep 0.2",
}


def sleepers() -> list[str]:
    done = native.call("ps", "-eo", "pid,stat,args", check=True)
    return [line for line in done.stdout.splitlines() if "sleep 61.5" in line and " Z" not in line]


@pytest.mark.usefixtures("whole_machine")
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("timeout", [50.0, 0.1])
def test_nothing_survives_its_run(name: str, timeout: float) -> None:
    begun = time.monotonic()
    result = shell(HOSTILE[name], expected=Expected(text="42"), timeout=timeout)
    assert outcome(result) == ("ok" if timeout > 1 else "TIMED OUT"), result
    assert isinstance(result, Sample) or "within 0.1 s" in result.detail
    assert time.monotonic() - begun < 50
    assert sleepers() == []


@pytest.mark.usefixtures("whole_machine")
def test_a_launcher_that_is_ended_takes_all_with_it() -> None:
    with subprocess.Popen(
        [str(launch.launcher()), "--", "sh", "-c", HOSTILE["setsid"] + "; sleep 61.5"], stdout=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 20
        while len(sleepers()) < 3 and time.monotonic() < until:
            time.sleep(0.05)
        process.terminate()
        assert process.wait(20) == 128 + 15
    assert sleepers() == []


def test_output_without_end_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "MOST", 1 << 20)
    wanted = Expected(digest="0", bytes=10)
    for more in ({}, {"sink": "file", "answer_on_stdout": False}):
        result = shell("exec yes", expected=wanted, timeout=20, **more)
        assert isinstance(result, Failure), result
        assert (result.outcome, "SIGXFSZ for writing too much" in result.detail) == ("CRASHED", True)
    result = shell("yes >&2", timeout=20)
    assert outcome(result) == "CRASHED"
    endless = shell("exec yes", sink="pipe", expected=wanted, answer_on_stdout=False, timeout=0.5)
    assert outcome(endless) == "TIMED OUT"


def test_who_changes_the_input_is_named(text: Path) -> None:
    before = text.read_bytes()
    text.chmod(0o444)
    result = shell("echo x >> /proc/self/fd/0; wc -c", source="file", input=text)
    if text.read_bytes() == before:
        assert outcome(result) == "ok"  # it may not: only root may
    else:
        assert isinstance(result, Failure) and "it changed its input" in result.detail
    text.chmod(0o644)
    result = shell(f"echo x >> {text}; echo 42", source="file", input=text, expected=Expected(text="42"))
    assert isinstance(result, Failure) and f"it changed its input, {text}" in result.detail


@pytest.mark.parametrize("source", ["pipe", "pty"])
def test_a_reader_may_leave_early(tmp_path: Path, source: str) -> None:
    big = tmp_path / "big"
    big.write_bytes(b"line of text\n" * 400_000)
    assert (
        outcome(shell("head -n 1", source=source, input=big, expected=Expected(text="line of text"))) == "ok"
    )


def test_a_closed_pipe_ends_a_writer_as_usual() -> None:
    """The launcher ignores SIGPIPE for itself; a child must not inherit that."""
    assert outcome(shell("yes | head -n 1", expected=Expected(text="y"))) == "ok"


def test_peak_memory_is_the_program_s_own() -> None:
    ballast = bytearray(400 << 20)  # what this process holds must not be counted
    small, large = shell("true"), launch.run(Request([sys.executable, "-c", "x = bytearray(300 << 20)"]))
    assert isinstance(small, Sample) and isinstance(large, Sample) and len(ballast) == 400 << 20
    assert small.peak_memory < 16 << 20
    assert 300 << 20 < large.peak_memory < 380 << 20


def test_user_and_system_time_are_told_apart() -> None:
    busy = launch.run(Request([sys.executable, "-c", "for i in range(5_000_000): pass"]))
    idle = shell("sleep 0.3")
    assert isinstance(busy, Sample) and isinstance(idle, Sample)
    assert busy.user > 0.05 and busy.user > busy.system
    assert idle.wall > 0.3 and idle.user + idle.system < 0.1


SPIN = "int main() { volatile long sum = 0; for (long i = 0; i < 100000000; ++i) sum = sum + i; }\n"
TWO = (
    "#include <thread>\n"
    "void spin() { volatile long sum = 0; for (long i = 0; i < 50000000; ++i) sum = sum + i; }\n"
    "int main() { std::thread other(spin); spin(); other.join(); }\n"
)


def built(folder: Path, source: str) -> str:
    (folder / "program.cpp").write_text(source)
    words = ["g++", "-O1", "-pthread", "-o", folder / "program", folder / "program.cpp"]
    native.compiler(*words).check_returncode()
    return str(folder / "program")


@pytest.fixture
def crowd() -> Iterator[None]:
    """Three programs a processor that want all of it."""
    crowd = [
        subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(3 * len(os.sched_getaffinity(0)))
    ]
    yield
    for one in crowd:
        one.kill()
        one.wait()


@pytest.mark.usefixtures("crowd")
def test_waiting_for_a_processor_that_others_have_is_told_apart(tmp_path: Path) -> None:
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("this kernel does not say how long a task waits for its turn")
    run = launch.run(Request([built(tmp_path, SPIN)]))
    assert isinstance(run, Sample), run
    used = run.user + run.system
    assert run.waited > used / 100, "others had its processor"
    assert used <= run.wall * 1.01
    assert run.wall < used + run.waited / 4 + 0.02, "what it waited is not in its time"


@pytest.mark.usefixtures("crowd")
def test_waiting_stays_in_the_time_of_what_waits_for_parts_of_itself(tmp_path: Path, text: Path) -> None:
    """Threads of one program, or a feeder and its reader, take turns: others' turns cannot be told apart."""
    for request in (
        Request([built(tmp_path, TWO)]),
        Request(["cat"], source="pipe", input=text),
        Request(["cat"], source="file", sink="pipe", input=text),
    ):
        run = launch.run(request)
        assert isinstance(run, Sample), run
        assert run.waited == 0


def test_the_environment_and_the_folder_are_passed_on(tmp_path: Path) -> None:
    here = Expected(text=f"scalar {tmp_path}")
    result = shell(
        'echo "$HEADRACE_SIMD $(pwd)"', environment={"HEADRACE_SIMD": "scalar"}, cwd=tmp_path, expected=here
    )
    assert outcome(result) == "ok", result


def test_a_program_gets_variables_and_a_bound_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD", "the launcher's")
    line = 'printf "%s %s" "$WORD" "$(ulimit -v)"'
    wanted = Expected(text="a=b 1048576")
    assert outcome(shell(line, expected=wanted, variables={"WORD": "a=b"}, memory=1 << 30)) == "ok"
    assert outcome(shell('test "$WORD" = "the launcher\'s"')) == "ok"


def test_a_program_can_be_pinned() -> None:
    result = shell("grep Cpus_allowed_list /proc/self/status | cut -f2", pin=0, expected=Expected(text="0"))
    assert outcome(result) == "ok", result
    beyond = shell("true", pin=1000)
    assert isinstance(beyond, Failure) and "cannot pin to processor 1000" in beyond.detail


def test_a_cold_input_is_the_same_input(text: Path) -> None:
    digest, size = launch.digest(text)
    wanted = Expected(digest=digest, bytes=size)
    result = shell(
        "cat", source="file", sink="pipe", input=text, expected=wanted, answer_on_stdout=False, cold=True
    )
    assert outcome(result) == "ok", result


def test_a_missing_input_is_a_sentence(tmp_path: Path) -> None:
    result = shell("cat", source="file", input=tmp_path / "gone")
    assert isinstance(result, Failure) and "cannot read" in result.detail and "No such file" in result.detail


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 65535, 65536, 65537, 200_001])
def test_a_digest_does_not_depend_on_how_the_bytes_arrive(tmp_path: Path, size: int) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(bytes(number * 37 % 251 for number in range(size)))
    digest, length = launch.digest(file)
    assert length == size
    wanted = Expected(digest=digest, bytes=size)
    for block in (1000, 4097):
        line = f"dd bs={block} status=none"
        result = shell(line, source="file", sink="pipe", input=file, expected=wanted, answer_on_stdout=False)
        assert outcome(result) == "ok", result


def test_digests_tell_small_changes_apart(tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    seen = set()
    for position in range(0, 100):
        for bit in (1, 128):
            data = bytearray(100)
            data[position] ^= bit
            file.write_bytes(data)
            seen.add(launch.digest(file)[0])
    for size in range(100):
        file.write_bytes(bytes(size))
        seen.add(launch.digest(file)[0])
    assert len(seen) == 300


def test_a_tool_that_hangs_is_ended() -> None:
    begun = time.monotonic()
    done = launch.call(["sleep", "60"], timeout=0.3)
    assert not done.ok and "did not end within 0.3 s" in done.err and time.monotonic() - begun < 50
    assert done.timed_out
    assert launch.call(["/nowhere"]).code == 127


def test_a_launcher_that_something_else_kills_has_not_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the system does where memory runs out."""
    monkeypatch.setattr(launch, "_launcher_command", lambda request, sink: ["sh", "-c", "kill -KILL $$"])
    assert shell("true") == Failure("CRASHED", "the launcher ended by SIGKILL")


def told(line: str, sink: str, **settings: object) -> str:
    """Return what a shell printed at a sink."""
    result = launch.observe(Request(["sh", "-c", line], sink=sink, **settings))  # type: ignore[arg-type]
    assert isinstance(result, str), result
    return result


@pytest.mark.parametrize("sink", ["pty", "pty-raw"])
def test_a_terminal_starts_the_same_whatever_the_last_one_was_left_like(sink: str) -> None:
    first = told("stty -a <&1", sink)
    assert "rows 24; columns 80" in first
    assert ("-opost" in first) == (sink == "pty-raw")
    told("stty raw -echo rows 5 columns 7 <&1; printf '\\033[31m\\033[?1049h'", sink)
    assert told("stty -a <&1", sink) == first


def test_the_launcher_leaves_its_own_terminal_alone() -> None:
    outer, inner = pty.openpty()
    before = termios.tcgetattr(inner)
    command = [str(launch.launcher()), "--sink", "pty", "--", "sh", "-c", "stty raw -echo <&1"]
    done = subprocess.run(command, stdin=inner, stdout=inner, stderr=inner, timeout=20)
    assert done.returncode == 0
    assert termios.tcgetattr(inner) == before
    os.close(outer)
    os.close(inner)


@pytest.mark.parametrize("sink", ["pty", "pty-raw", "pipe", "socket", "file"])
def test_line_ends_on_a_terminal_are_the_program_s_own(sink: str) -> None:
    """A cooked terminal makes "\\r\\n" of "\\n"; a carriage return of the program's own stays one."""
    assert told("printf 'a\\nb\\rc\\n\\nd'", sink) == "a\nb\rc\n\nd"


@pytest.mark.parametrize("sink", ["pipe", "file", "pty-raw"])
def test_lines_of_windows_compare_as_lines(sink: str) -> None:
    wanted = Expected(text="a\nb")
    line = "printf 'a\\r\\nb\\r\\n'"
    assert outcome(shell(line, sink=sink, expected=wanted, answer_on_stdout=False, text_mode=True)) == "ok"
    plain = outcome(shell(line, sink="pipe", expected=wanted, answer_on_stdout=False))
    assert plain == "WRONG"


def test_a_terminal_is_drained_without_a_pause() -> None:
    """100 MB: far more than a terminal's buffer, and a drain that slept would take minutes."""
    line = "head -c 100000000 /dev/zero"
    result = launch.run(Request(["sh", "-c", line], sink="pty-raw", timeout=100))
    assert isinstance(result, Sample), result


def test_a_screen_that_is_redrawn_counts_when_something_was_drawn() -> None:
    """What a console of wine is told is no longer the text: only a run without output is caught there."""
    wanted = Expected(digest="0", bytes=100)
    settings: dict[str, object] = {"expected": wanted, "answer_on_stdout": False, "redraws": True}
    assert outcome(shell("echo anything", sink="pty", **settings)) == "ok"
    silent = shell("true", sink="pty", **settings)
    assert silent == Failure("WRONG", "nothing was printed on the terminal")
    assert outcome(shell("true", sink="pipe", **settings)) == "WRONG"


def test_the_text_of_a_redrawn_screen() -> None:
    told_by_wine = b"\x1b[?25lH\x1b[?25h\x1b[Ki\x1b[1Cyou\r\r\n\x1b]0;title\x07\x1b[2;3Hthere"
    assert screen.text(told_by_wine) == b"Hi you\nthere"
