"""`headrace fix`: on slow programs whose causes are known, and on programs that cannot be judged."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from checkout import manifest
from conftest import Command, command
from headrace.commands import fix as fix_command
from headrace.explain.findings import Findings
from headrace.explain.observed import Split
from headrace.explain.rules import Facts
from headrace.fix import edits, measuring, remedies, subject
from headrace.fix import fix as fixing
from headrace.fix.subject import Program
from headrace.judge import pair
from headrace.matrix.compilers import Toolchain
from headrace.processes.lines import descendants
from headrace.processes.terminal import Wait, converse
from headrace.results.schema import Sample


def fixed(
    folder: Path, *words: str | Path, given: bytes = b"", code: int = 0
) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        command(["fix", *map(str, words)]), cwd=folder, input=given, capture_output=True, timeout=280
    )
    assert done.returncode == code, done.stderr.decode() + done.stdout.decode()
    return done


@pytest.fixture
def complaint(chains: list[Toolchain], headrace: Command) -> Callable[..., str]:
    """Return what says of a program without input what is wrong with it, and ends with this code."""
    return lambda *words, code: headrace("fix", *map(str, words), code=code).stderr


def source(folder: Path, body: str, includes: str = "iostream") -> Path:
    file = folder / "mine.cpp"
    names = "".join(f"#include <{name}>\n" for name in includes.split())
    file.write_text(f"{names}int main() {{\n{body}\n}}\n")
    return file


SAMPLE = Sample(round=0, wall=0, user=0, system=0, peak_memory=0, minor_faults=0, major_faults=0,
                voluntary_switches=0, involuntary_switches=0)  # fmt: skip


@pytest.mark.parametrize(
    ("user", "system", "says"),
    [
        (0.016, 0.0, "16.0 ms on a processor, too little to tell the program from the kernel"),
        (0.09, 0.03, "90.0 ms in the program and 30.0 ms in the kernel"),
        (0.2, 0.0, "200 ms in the program and next to nothing in the kernel"),
    ],
)
def test_a_short_run_s_time_is_not_split(user: float, system: float, says: str) -> None:
    sample = SAMPLE.model_copy(update={"wall": user + system, "user": user, "system": system})
    found = fixing.Diagnosis(Findings(sample, Split(), [], Facts({}, {})), [], [], None, [])
    assert fix_command.time_on_a_processor(found) == says


def test_what_does_not_compile(complaint: Callable[..., str], tmp_path: Path) -> None:
    said = complaint(source(tmp_path, "  int x = nothing;"), code=2)
    assert "mine.cpp does not compile: mine.cpp:3:" in said and "nothing" in said


@pytest.mark.slow
def test_what_crashes(complaint: Callable[..., str], tmp_path: Path) -> None:
    said = complaint(source(tmp_path, "  std::abort();", "cstdlib"), code=1)
    assert "ends by SIGABRT" in said
    said = complaint(source(tmp_path, "  return 3;"), code=1)
    assert "ends with status 3" in said


def test_what_does_not_end(complaint: Callable[..., str], tmp_path: Path) -> None:
    said = complaint(source(tmp_path, "  for (volatile int i = 0;; i = 1) {}"), "--timeout", "0.5", code=1)
    assert "did not end within 0.5 s" in said


@pytest.mark.slow
def test_what_takes_too_much_memory(complaint: Callable[..., str], tmp_path: Path) -> None:
    body = "  std::vector<char> v(200u << 20, 1);\n  std::cout << v[7];"
    said = complaint(source(tmp_path, body, "iostream vector"), "--memory", "100", code=1)
    assert "bad_alloc" in said


def test_what_is_not_deterministic(complaint: Callable[..., str], tmp_path: Path) -> None:
    body = "  std::cout << std::random_device{}() << std::endl;"
    said = complaint(source(tmp_path, body, "iostream random"), code=1)
    assert "not deterministic" in said and "line 1" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.cpp"], "not a file"),
        (["text.txt"], "neither a C++ or C source"),
        (["mine.cpp", "--input", "none"], "--input names"),
        (["mine.cpp", "--args", "'"], "quotation"),
        (["mine.cpp", "--write", "text.txt"], "exists"),
    ],
)
def test_what_cannot_be_used(
    complaint: Callable[..., str], tmp_path: Path, words: list[str], says: str
) -> None:
    source(tmp_path, "")
    (tmp_path / "text.txt").write_text("text")
    assert says in complaint(*words, code=2)


def test_a_terminal_is_not_read(chains: list[Toolchain], tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    file = source(tmp_path, "")
    done = subprocess.run(
        command(["fix", str(file)]), cwd=tmp_path, stdin=terminal, capture_output=True, timeout=60
    )
    os.close(controller)
    os.close(terminal)
    assert done.returncode == 2 and b"would read the terminal" in done.stderr


LOG = """#include <fstream>
#include <unistd.h>
int main() {
  std::ofstream out("%s"%s);
  for (int x = 0; x < 20000; ++x) out << 2 * x << std::endl;
  %s
}
"""


def remedied(folder: Path, text: str, *words: str, code: int = 0) -> dict[str, dict[str, object]]:
    """Fix a program; check that its folder stays as it was; return the remedies by name."""
    (folder / "mine.cpp").write_text(text)
    before = manifest(folder)
    done = fixed(folder, "mine.cpp", "--seconds", "60", "--json", *words, code=code)
    assert manifest(folder) == before
    return {one["name"]: one for one in json.loads(done.stdout)["remedies"]}


@pytest.mark.slow
def test_a_remedy_that_loses_what_goes_to_a_file_is_not_safe(chains: list[Toolchain], tmp_path: Path) -> None:
    found = remedied(tmp_path, LOG % ("d1.out", "", "_exit(0);"))["newline for endl"]
    assert not found["safe"] and "d1.out differs in line 1" in str(found["problem"])


@pytest.mark.slow
def test_a_log_that_grows_is_left_as_it_was(chains: list[Toolchain], tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text("yesterday\n")
    found = remedied(tmp_path, LOG % ("app.log", ", std::ios::app", ""))["newline for endl"]
    assert found["safe"] and (tmp_path / "app.log").read_text() == "yesterday\n"


@pytest.mark.slow
@pytest.mark.parametrize(("end", "safe"), [("out.close(); abort();", True), ("abort();", False)])
def test_a_program_that_aborts_is_judged(
    chains: list[Toolchain], tmp_path: Path, end: str, safe: bool
) -> None:
    text = "#include <cstdlib>\n" + LOG % ("d1.out", "", end)
    found = remedied(tmp_path, text.replace("20000", "200000"))["newline for endl"]
    assert found["safe"] == safe


@pytest.mark.slow
def test_a_remedy_says_what_a_kill_would_lose(chains: list[Toolchain], tmp_path: Path) -> None:
    found = remedied(tmp_path, LOG % ("d1.out", "", ""))["newline for endl"]
    lost = found["kill_loses"]
    assert isinstance(lost, dict) and found["safe"]
    assert 4000 < lost["bytes"] < 9000 and 400 < lost["lines"] < 4000  # a buffer of libstdc++ or libc++


@pytest.mark.slow
def test_what_a_kill_would_lose_is_seen_of_many_writes_too(chains: list[Toolchain], tmp_path: Path) -> None:
    """Half of its writes would take longer under the watcher than a run may."""
    many = LOG.replace("20000", "400000") % ("d1.out", "", "")
    assert remedied(tmp_path, many)["newline for endl"]["kill_loses"]


@pytest.mark.slow
@pytest.mark.parametrize(("stream", "reorders"), [("clog", True), ("cerr", False)])  # cerr is tied to cout
def test_a_remedy_says_what_changes_where_stdout_and_stderr_are_one_file(
    chains: list[Toolchain], tmp_path: Path, stream: str, reorders: bool
) -> None:
    text = f"""#include <iostream>
int main() {{
  for (int x = 0; x < 100000; ++x) {{
    std::cout << x << std::endl;
    if (x % 1000 == 0) std::{stream} << "at " << x << std::endl;
  }}
}}
"""
    found = remedied(tmp_path, text)["newline for endl"]
    assert found["safe"] and found["reorders"] == reorders


@pytest.mark.slow
def test_a_program_that_writes_elsewhere_is_not_judged(complaint: Callable[..., str], tmp_path: Path) -> None:
    elsewhere = Path.home() / "headrace-test.log"
    (tmp_path / "mine.cpp").write_text(LOG % (elsewhere, "", ""))
    said = complaint("mine.cpp", code=1)
    assert f"writes to {elsewhere}" in said and "--in-place" in said and not elsewhere.exists()


RENAMES = """#include <cstdio>
#include <fstream>
int main() {
  if (std::rename("old", "new") != 0) return 1;
  std::ofstream out("new/log");
  for (int x = 0; x < 20000; ++x) out << x << std::endl;
}
"""


@pytest.mark.slow
def test_a_program_that_renames_a_folder_gets_copies(chains: list[Toolchain], tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/kept").write_text("kept")
    assert remedied(tmp_path, RENAMES)["newline for endl"]["safe"]


TALKS = """#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <cstdio>
int main() {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = 9;
  connect(socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&to), sizeof to);
  if (open("/dev/tty", O_RDWR) >= 0) return 3;
  if (open("/dev/ptmx", O_RDWR) < 0) return 4;
  puts("done");
}
"""


@pytest.mark.slow
def test_a_network_a_device_and_a_terminal_are_told(chains: list[Toolchain], tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(TALKS)
    said = fixed(tmp_path, "mine.cpp", "--seconds", "60").stdout.decode()
    assert "uses the network" in said and "device /dev/ptmx" in said and "terminal itself (/dev/tty)" in said


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_folder_stays_as_it_was_when_headrace_is_stopped(
    chains: list[Toolchain], tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "app.log").write_text("yesterday\n")
    (tmp_path / "mine.cpp").write_text(LOG.replace("20000", "200000") % ("app.log", ", std::ios::app", ""))
    before = manifest(tmp_path)
    process = subprocess.Popen(
        command(["fix", "mine.cpp", "--seconds", "120"]),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "trying: " in line:  # it is built, and runs
            break
    until = time.monotonic() + 120
    while not (below := descendants(process.pid)) and time.monotonic() < until:  # else it is between two runs
        time.sleep(0.01)
    process.send_signal(number)
    process.communicate(timeout=30)
    until = time.monotonic() + 10
    while any(Path(f"/proc/{each}").exists() for each in below) and time.monotonic() < until:
        time.sleep(0.05)
    assert below and not any(Path(f"/proc/{each}").exists() for each in below)
    assert manifest(tmp_path) == before


@pytest.mark.slow
def test_each_stage_has_a_line(chains: list[Toolchain], tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(LOG.replace("20000", "200000") % ("d1.out", "", ""))
    said = fixed(tmp_path, "mine.cpp", "--seconds", "120").stderr.decode()
    stages = [line.split(" ")[1] for line in said.splitlines()]
    assert list(dict.fromkeys(stages)) == ["building:", "tracing:", "far:", "trying:", "measuring:"]


def test_a_run_that_takes_too_long_for_the_time(complaint: Callable[..., str], tmp_path: Path) -> None:
    said = complaint(source(tmp_path, "  sleep(1);", "unistd.h"), "--seconds", "8", code=2)
    assert "takes 1.0" in said and "--seconds 21" in said


NUMBERS = b"".join(b"%d\n" % number for number in range(20_000))
ENDLESS_FLUSHES = "  int x;\n  while (std::cin >> x) std::cout << x << std::endl;"


@pytest.mark.slow
def test_the_source_stays_and_a_copy_is_written(chains: list[Toolchain], tmp_path: Path) -> None:
    file = source(tmp_path, ENDLESS_FLUSHES)
    before = file.read_text()
    words = [file, "--seconds", "60", "--write", "new.cpp"]
    done = fixed(tmp_path, *words, given=NUMBERS).stdout.decode()
    assert "Best: " in done and "+++ new.cpp" in done
    assert file.read_text() == before and (tmp_path / "new.cpp").read_text() != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.cpp", "new.cpp"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "needed"),
    [
        (ENDLESS_FLUSHES, ["untie", "newline for endl"]),  # either of them flushes after each line
        ('  int x;\n  while (std::cin >> x) std::printf("%d\\n", x);\n  std::cout << std::endl;', ["untie"]),
    ],
)
def test_an_edit_that_ends_no_flush_is_left_out(
    chains: list[Toolchain], tmp_path: Path, body: str, needed: list[str]
) -> None:
    file = source(tmp_path, body, "iostream cstdio")
    found = json.loads(fixed(tmp_path, file, "--seconds", "60", "--json", given=NUMBERS).stdout)
    helping = {name for one in found["remedies"] if one["helps"] for name in one["name"].split(" + ")}
    assert helping & {"untie", "newline for endl"} == set(needed)
    assert ("flush per line" in [one["name"] for one in found["causes"]]) == ("newline for endl" in needed)


def problems(folder: Path, body: str, includes: str, given: bytes) -> dict[str, str]:
    """What makes each remedy of a program unsafe, "" where nothing does."""
    words = [source(folder, body, includes), "--seconds", "60", "--json"]
    found = json.loads(fixed(folder, *words, given=given).stdout)
    return {one["name"]: one["problem"] for one in found["remedies"]}


@pytest.mark.slow
def test_a_remedy_that_hides_a_prompt_is_not_safe(chains: list[Toolchain], tmp_path: Path) -> None:
    body = '  std::ios::sync_with_stdio(false);\n  for (int n; std::cout << "How many? ", std::cin >> n;) {}'
    found = problems(tmp_path, body, "iostream", NUMBERS)
    assert "prompt" in found["untie"] and not found["headrace for iostream"]


@pytest.mark.slow
def test_a_later_prompt_counts_on_a_terminal(chains: list[Toolchain], tmp_path: Path) -> None:
    body = (
        '  char name[20];\n  int n;\n  scanf("%19s", name);\n'
        '  do {\n    printf("%s, how many? ", name);\n    fflush(stdout);\n  } while (scanf("%d", &n) == 1);'
    )
    found = problems(tmp_path, body, "cstdio", b"Ann\n" + NUMBERS)
    assert not found["headrace for stdio"] and not found["no fflush"]  # a terminal's reads flush its lines
    found = problems(
        tmp_path, f"  setvbuf(stdout, nullptr, _IOFBF, 4096);\n{body}", "cstdio", b"Ann\n" + NUMBERS
    )
    assert "prompt no longer appears before it waits for line 2" in found["no fflush"]
    assert not found["headrace for stdio"]


@pytest.mark.slow
def test_printf_and_scanf_are_replaced(chains: list[Toolchain], tmp_path: Path) -> None:
    file = source(tmp_path, '  for (int x; scanf("%d", &x) == 1;) printf("%d\\n", x);', "cstdio")
    done = fixed(tmp_path, file, "--seconds", "60", "--write", "new.cpp", given=25 * NUMBERS).stdout.decode()
    assert "Cause: functions of stdio take and give back a lock at each call" in done
    assert "Best: headrace for stdio" in done
    assert (tmp_path / "new.cpp").read_text().startswith("#include <headrace/replace_stdio.hpp>\n")


@pytest.mark.slow
def test_a_remedy_that_changes_another_input_is_not_safe(chains: list[Toolchain], tmp_path: Path) -> None:
    body = (
        "  int x;\n  while (std::cin >> x) std::cout << x << '\\n';\n"
        '  if (!std::cin.eof()) fputs("bad\\n", stdout);\n  std::cout << "end\\n";'
    )
    found = problems(tmp_path, body, "iostream cstdio", NUMBERS)
    assert "on a malformed input its output differs in line" in found["unsync"] and not found["untie"]


@pytest.mark.slow
def test_an_executable_without_its_source(chains: list[Toolchain], tmp_path: Path) -> None:
    file = source(tmp_path, ENDLESS_FLUSHES)
    program = tmp_path / "mine"
    chain = chains[0]
    subprocess.run([*chain.command, *chain.flags, "-O2", file, "-o", program], check=True, timeout=120)
    found = json.loads(fixed(tmp_path, program, "--seconds", "60", "--json", given=NUMBERS).stdout)
    by_name = {one["name"]: one for one in found["remedies"]}
    # Both together are left out where they gain no more than one of them.
    own = [one for name, one in by_name.items() if {*name.split(" + ")} <= {"unsync", "newline for endl"}]
    assert len(own) >= 2 and all(one["safe"] for one in own)
    assert found["best"] and found["causes"]


def test_a_conversation_stops_at_each_line(tmp_path: Path) -> None:
    script = 'printf "name? "; read a; echo "hello $a"; read b; echo "$b"; read c; printf "%s" "$c"; read d'
    words = ["sh", "-c", script]
    said = converse(words, [b"Ann\n", b"x\n", b"yy\n", b"\n", b"never\n"], timeout=5)
    assert said == [Wait(6, True), Wait(16, False), Wait(18, False), Wait(20, True)]


@pytest.mark.parametrize(
    ("got", "late"),
    [
        ([Wait(6, True), Wait(9, False), Wait(20, True)], 0),
        ([Wait(6, True), Wait(6, True), Wait(20, True)], 0),  # whole lines are no prompt
        ([Wait(0, False), Wait(9, False), Wait(20, True)], 1),
        ([Wait(6, True), Wait(9, False), Wait(9, False)], 3),
        ([Wait(6, True)], 3),
        ([Wait(7, True), Wait(12, True), Wait(22, True)], 0),  # earlier is no harm
    ],
)
def test_a_prompt_is_late(got: list[Wait], late: int) -> None:
    assert fixing.late_prompt(got, [Wait(6, True), Wait(9, False), Wait(20, True)]) == late


def remedy(name: str) -> remedies.Remedy:
    return next(one for one in remedies.possible(has_source=True) if one.name == name)


def test_edits_leave_comments_alone() -> None:
    text = "// << endl\nint main() {\n  cout << 1 << std::endl; /* << endl */\n  cout << endl;\n}\n"
    edit = edits.edited(text, remedy("newline for endl"))
    assert edit.lines == [3, 4]
    assert edit.text.startswith("// << endl\n") and "cout << 1 << '\\n';" in edit.text


@pytest.mark.parametrize(
    ("name", "line", "new"),
    [
        ("no fflush", "  std::fflush(stdout); // and me\r\n", "  // and me\r\n"),
        ("no fflush", "\tfflush(stdout);\n", ""),
        ("no fflush", "  f(); fflush(stdout);\n", "  f();\n"),
        ("no fflush", "  f(1'000); (void)fflush(stdout); g(); // don't fflush(x);\n",
         "  f(1'000); g(); // don't fflush(x);\n"),
        ("no fflush", '  puts("("); fflush(stdout);\n', '  puts("(");\n'),
        ("no fflush", "  if (x) fflush(stdout);\n", "  if (x) ;\n"),
        ("no fflush", "  else fflush(stdout);\n", "  else ;\n"),
        ("no fflush", '  puts("fflush(x);"); puts(R"(fflush(x);)");\n', None),
        ("no fflush", "  return fflush(stdout);\n", None),
        ("no fflush", "  for (int i = 0; fflush(stdout); ++i) f();\n", None),
        ("no fflush", "  fflush(/* the */ stdout);\n", None),
        ("newline for endl", "  cout << \"\xfc\" <<  endl ;  // \xfc << endl\r\n",
         "  cout << \"\xfc\" << '\\n' ;  // \xfc << endl\r\n"),
        ("newline for endl", "  if (x) a->b.flush(); f();\n", "  if (x) ; f();\n"),
        ("newline for endl", "  cout << x << flush;\n", "  cout << x;\n"),
        ("newline for endl", "  cout << /* end */ endl;\n", None),
        ("full buffering", "  if (setvbuf(stdout, nullptr, _IONBF, 0) != 0) return (1);\n", None),
    ],
)  # fmt: skip
def test_edits_change_nothing_else(name: str, line: str, new: str | None) -> None:
    head, tail = "// \xc3\xa4\r\nvoid f() {\r\n", "}\n/* without an end of line */"
    edit = edits.edited(head + line + tail, remedy(name))
    assert edit.text == head + (line if new is None else new) + tail
    assert edit.lines == ([] if new is None else [3])


def test_lines_that_cannot_be_edited_safely_are_named() -> None:
    text = "int f() {\n  return fflush(stdout);\n}\nvoid g() {\n  fflush(stdout);\n}\n"
    edit = edits.edited(text, remedy("no fflush"))
    assert edit.lines == [5] and edit.by_hand == [2]


def test_what_is_written_has_the_bytes_of_the_source(tmp_path: Path, chain: Toolchain) -> None:
    data = b"\xef\xbb\xbf// \xfc\r\nint main() {\r\n\tint x = 0;\r\n}"
    (tmp_path / "mine.cpp").write_bytes(data)
    own = subject.Subject(tmp_path / "mine.cpp", True, chain, [], [], tmp_path, subject.Limits())
    made = edits.edited(own.text, remedy("untie")).text.encode(edits.BYTES)
    assert made == (
        b"\xef\xbb\xbf#include <iostream>\r\n// \xfc\r\nint main() {\r\n"
        b"\tstd::cin.tie(nullptr);\r\n\tint x = 0;\r\n}"
    )
    assert isinstance(subject.compile_source(own, made.decode(edits.BYTES), [], tmp_path, "made"), Path)


def test_a_difference_is_a_patch(tmp_path: Path) -> None:
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    before, after = "a\x85b\nc\r\nd", "a\x85b\nx\r\nd\ny"
    (tmp_path / "a").write_bytes(before.encode(edits.BYTES))
    patch = edits.difference(before, after, "a", "a").encode(edits.BYTES)
    subprocess.run(["patch", "--binary", "a"], cwd=tmp_path, input=patch, check=True, capture_output=True)
    assert (tmp_path / "a").read_bytes() == after.encode(edits.BYTES)


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("s = s + to_string(i);", "s += to_string(i);"),
        ("s = s + ',';", "s += ',';"),
        ('if (a) s = s + ", " + f(a, "+")[1] + (b + c); else d();',
         'if (a) s += ", ", s += f(a, "+")[1], s += (b + c); else d();'),
        ("s = s + t + s;", None),
        ("s = s + f(s) + t;", None),
        ("n = n + 0.5 + m;", None),  # a number is rounded between
        ("s = t + s;", None),
    ],
)  # fmt: skip
def test_a_string_is_appended_to(line: str, new: str | None) -> None:
    text = f'string t = "t", s;\nint n = 1;\n{line}\n'
    edit = edits.edited(text, remedy("append"))
    assert edit.text.split("\n")[2] == (new or line) and edit.lines == ([3] if new else [])


def test_headers_that_exclude_one_another_are_not_tried_together() -> None:
    names = ["untie", "headrace for iostream", "headrace for stdio", "headrace for string streams"]
    found = remedies.combinations([remedy(name) for name in names], Findings(SAMPLE, Split(), [], Facts({})))
    assert [[one.name for one in each] for each in found] == [
        ["headrace for iostream", "headrace for string streams"],
        ["untie", "headrace for stdio", "headrace for string streams"],
    ]


def test_a_slow_program_s_rounds_are_for_what_helps() -> None:
    base = fixing.Trial("as it is", [], times=[8.0, 8.0, 8.0])
    trials = [
        fixing.Trial(name, [], program=Program(Path("x")), times=[taken] * 3)
        for name, taken in (("much", 1.0), ("near", 2.0), ("little", 7.0), ("none", 9.0))
    ]
    assert [one.name for one in measuring.promising(trials, base)] == ["much", "near"]
    assert len(measuring.promising(trials[3:], base)) == 1


def test_a_few_rounds_tell_what_is_far_apart() -> None:
    base = fixing.Trial("as it is", [], program=Program(Path("x")))
    trials = [fixing.Trial(str(gain), [], program=Program(Path("x"))) for gain in (8.0, 1.3)]

    def run(one: fixing.Trial) -> None:
        one.times.append(1.0 if one is base else 1 / float(one.name))

    def tired(done: int) -> None:
        if done == 4:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        measuring.race(base, trials, run, 1e9, 1, tired)
    for one in trials:
        measuring._decide(one, base, pair.ALPHA / 2 / len(measuring.LOOKS))
    assert [one.helps for one in trials] == [True, False]
    assert trials[0].gain is not None and trials[0].gain.ratio == pytest.approx(8.0)


@pytest.mark.parametrize(("taken", "rounds"), [(0.01, 40), (1.0, 11), (2.0, 8)])
def test_rounds_end_with_their_time(monkeypatch: pytest.MonkeyPatch, taken: float, rounds: int) -> None:
    """Within 20 s, or half as much again before the first look, a round that has begun is the last one."""
    base, one = (fixing.Trial(name, [], program=Program(Path("x"))) for name in ("as it is", "other"))
    now, draw = [0.0], random.Random(1)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def run(each: fixing.Trial) -> None:
        now[0] += taken
        each.times.append(draw.uniform(1, 2))  # which no number of rounds decides

    assert measuring.race(base, [one], run, 20.0, 1, lambda done: None) == rounds


@pytest.mark.slow
def test_a_shell_for_each_line_is_told(chains: list[Toolchain], tmp_path: Path) -> None:
    body = '  for (int i = 0; i < 20; ++i) std::system("true");\n  std::puts("done");'
    file = source(tmp_path, body, "cstdio cstdlib")
    found = json.loads(fixed(tmp_path, file, "--seconds", "60", "--json").stdout)
    if found["counts"]["forks"]:  # else system calls could not be counted here
        assert found["causes"][0]["name"] == "other processes"
        assert found["outcome"] == "waiting" and "it starts 20 other processes" in found["verdict"]


def test_lines_are_inserted_at_the_start_of_main() -> None:
    edit = edits.edited("int main(int, char**) {\n}\n", remedy("untie"))
    assert edit.text == "#include <iostream>\nint main(int, char**) {\n  std::cin.tie(nullptr);\n}\n"
    assert edit.lines == [1]
    assert edits.edited("void f() {}\n", remedy("untie")).lines == []
