"""`headrace fix` names causes by what a program does, and gains only where they are sure."""

from __future__ import annotations

import json
import math
import random
import subprocess
from pathlib import Path

import pytest

import native
from conftest import command
from headrace.builds import build
from headrace.explain import causes, observed, rules
from headrace.explain.findings import Findings
from headrace.explain.observed import Calls, Observation, Place, Sampled
from headrace.fix import fix as fixing
from headrace.fix import measuring, remedies, subject, verdict
from headrace.fix.fix import Diagnosis, Trial
from headrace.fix.subject import Limits, Program, Subject
from headrace.judge import pair
from headrace.matrix.compilers import Toolchain
from headrace.processes.launch import Request
from headrace.results.failure import Failure
from headrace.results.schema import Sample

LINES = "".join(f"{number * 7919 % 100_000}\n" for number in range(60_000)).encode()

# A program, the cause that is to be first, and words of its sentence.
PROGRAMS = {
    "sleeps": (
        "#include <unistd.h>\nint main() { for (int i = 0; i < 8; ++i) usleep(100000); }",
        "sleep",
        "it sleeps (8 times in main() at line 2)",
    ),
    "sleeps_in_a_thread": (
        "#include <chrono>\n#include <thread>\nint main() {\n  for (int i = 0; i < 60; ++i)\n"
        "    std::this_thread::sleep_for(std::chrono::milliseconds(3));\n}",
        "sleep",
        "it sleeps (60 times",
    ),
    "waits_for_a_disk": (
        "#include <cstdio>\n#include <fcntl.h>\n#include <unistd.h>\nint main() {\n"
        '  int to = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);\n'
        '  for (int i = 0; i < 300; ++i) { dprintf(to, "%d\\n", i); fsync(to); }\n}',
        "fsync per line",
        "calls of fsync or its like in main() at line 6",
    ),
    "reads_bytes_of_a_file": (
        "#include <fcntl.h>\n#include <unistd.h>\nint main() {\n  int fd = open(\"lines\", O_RDONLY);\n"
        "  char c;\n  int n = 0;\n  while (read(fd, &c, 1) == 1) n += c == 10;\n  return n == 0;\n}",
        "small system calls",
        "reads of 1 byte in main() at line 7",
    ),
    "copies_without_blanks": (
        "#include <iostream>\n#include <string>\nint main() {\n  std::string s;\n"
        "  for (int i=0;i<60000;++i) s=s+char('a'+i%26);\n  return s.size()!=60000;\n}",
        "string copies",
        "main() at line 5",
    ),
    "takes_characters": (
        "#include <cstdio>\nint main() {\n  for (int k = 0; k < 40; ++k) {\n"
        "    for (int c; (c = fgetc(stdin)) != EOF;) fputc(c, stdout);\n    rewind(stdin);\n  }\n}",
        "characters one by one",
        "main() at line 4",
    ),
    "freads_of_one_byte": (
        "#include <cstdio>\nint main() {\n  char c;\n  int n = 0;\n  for (int k = 0; k < 30; ++k) {\n"
        "    while (fread(&c, 1, 1, stdin) == 1) n += c;\n    rewind(stdin);\n  }\n  return n == 0;\n}",
        "characters one by one",
        "a call of fread for each",
    ),
    "tells_each_line": (
        "#include <fstream>\n#include <string>\nint main() {\n  std::ifstream in(\"lines\");\n"
        "  long sum = 0;\n  for (std::string l; std::getline(in, l);) sum += in.tellg();\n"
        "  return sum == 0;\n}",
        "tellp per line",
        "lseeks in main() at line 6",
    ),
    "complains_each_line": (
        '#include <cstdio>\nint main() { for (int i = 0; i < 40000; ++i) fprintf(stderr, "line %d\\n", i); }',
        "stderr per line",
        "stderr has no buffer",
    ),
    "complains_by_cerr": (
        "#include <iostream>\nint main() { for (int i = 0; i < 30000; ++i) std::cerr << i << '\\n'; }",
        "stderr per line",
        "stderr has no buffer",
    ),
    "maps_each_page": (
        "#include <fcntl.h>\n#include <sys/mman.h>\n#include <unistd.h>\nint main() {\n"
        '  int fd = open("lines", O_RDONLY);\n  long n = 0, size = lseek(fd, 0, SEEK_END);\n'
        "  for (int k = 0; k < 400; ++k)\n    for (long o = 0; o < size; o += 4096) {\n"
        "      char* p = static_cast<char*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, o));\n"
        "      n += p[0];\n      munmap(p, 4096);\n    }\n  return n == 0;\n}",
        "mmap per page",
        "it maps memory",
    ),
    "opens_each_line": (
        "#include <fstream>\nint main() {\n  for (int i = 0; i < 8000; ++i) {\n"
        '    std::ofstream out("log", std::ios::app);\n    out << i << \'\\n\';\n  }\n}',
        "file opened per line",
        "it opens a file",
    ),
    "reads_blocks_and_prints_once": (
        "#include <cstdio>\nstatic char b[1 << 16];\nint main() {\n  double n = 0;\n"
        "  for (int k = 0; k < 300; ++k) {\n    while (std::size_t g = fread(b, 1, sizeof b, stdin))\n"
        '      for (std::size_t i = 0; i < g; ++i) n += b[i] / 3.0;\n    rewind(stdin);\n  }\n'
        '  printf("%g\\n", n);\n}',
        "own code",
        "main() at line 7",
    ),
    "searches_by_regex": (
        "#include <iostream>\n#include <regex>\n#include <string>\nlong parse(const std::string& l) {\n"
        '  static const std::regex r("([0-9]+)5([0-9])");\n  std::smatch m;\n'
        "  return std::regex_search(l, m, r) ? m.position(0) : 0;\n}\nint main() {\n"
        "  std::ios::sync_with_stdio(false);\n  long n = 0;\n"
        "  for (std::string l; std::getline(std::cin, l);)\n    for (int i = 0; i < 5; ++i) n += parse(l);\n"
        "  return n == -1;\n}",  # once a line, streams take 7 %: a true gain
        "own code",
        "std::regex_search in parse() at line 7",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def able(chains: list[Toolchain]) -> None:
    """Skip where programs cannot be traced."""
    build.launcher(chains)
    if isinstance(seen := observed.observe(Request(["true"]), 5.0), Failure):
        pytest.skip(seen.detail)


def looked(folder: Path, chain: Toolchain, text: str, flags: str = "-O2") -> Findings:
    (folder / "mine.cpp").write_text(text)
    (folder / "lines").write_bytes(LINES)
    one = Subject(folder / "mine.cpp", True, chain, flags.split(), [], folder / "lines", Limits())
    program = subject.compile_source(one, one.text, [], folder, "plain")
    assert isinstance(program, Path), program
    return subject.look(one, Program(program), subject.measured(one, Program(program)))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if "regex" in name else []) for name in PROGRAMS],
)  # <regex> takes five seconds to compile
def test_a_cause_is_named_by_what_is_done(
    name: str, chain: Toolchain, able: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, cause, words = PROGRAMS[name]
    monkeypatch.chdir(tmp_path)
    seen = looked(tmp_path, chain, text)
    assert seen.causes, seen.split
    assert seen.causes[0].name == cause and words in seen.causes[0].says, seen.causes
    assert seen.causes[0].share >= 0.5


def test_the_split_is_complete_and_adds_up(chain: Toolchain, able: None, tmp_path: Path) -> None:
    seen = looked(tmp_path, chain, PROGRAMS["takes_characters"][0])
    split = seen.split
    assert split.io + split.streams + split.own + sum(split.waiting.values()) == pytest.approx(1)
    numbers = [int(word) for word in split.says().replace("(", ",").split() if word.isdigit()]
    busy = split.io + split.streams + split.own  # the rest depends on what else this machine does
    assert split.streams > 0.4 * busy and len(numbers) >= 4


@pytest.mark.parametrize("shares", [[0.333, 0.333, 0.334, 0.0], [0.005, 0.005, 0.99, 0.0], [1.0, 0, 0, 0]])
def test_percents_add_up_to_a_hundred(shares: list[float]) -> None:
    assert sum(observed.whole_percent(shares)) == 100


def fixed(folder: Path, *words: str | Path, given: bytes = LINES) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        command(["fix", *map(str, words)]), cwd=folder, input=given, capture_output=True, timeout=280
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return done


def test_waiting_is_not_blamed_on_neighbours(chain: Toolchain, able: None, tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(PROGRAMS["sleeps"][0])
    done = fixed(tmp_path, "mine.cpp", "--json")
    data = json.loads(done.stdout)
    assert data["outcome"] == "waiting" and "sleep" in data["verdict"] and "neighbour" not in data["verdict"]
    assert data["time"]["waiting"]["sleep"] > 0.8 and data["causes"][0]["certain"]
    assert b"so far: " in done.stderr


@pytest.mark.slow
def test_it_is_said_where_io_is_not_the_problem(chain: Toolchain, able: None, tmp_path: Path) -> None:
    (tmp_path / "mine.cpp").write_text(PROGRAMS["searches_by_regex"][0])
    lines = fixed(tmp_path, "mine.cpp").stdout.decode().splitlines()
    assert lines[0].startswith("I/O is ") and "of its time: nothing to win here; " in lines[0]
    assert "std::regex_search in parse() at line 7" in lines[0] and lines[1].startswith("Time: I/O calls ")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["several", "c", "build"])
def test_c_several_sources_and_a_build_command(
    way: str, chain: Toolchain, able: None, tmp_path: Path
) -> None:
    loop = '#include <stdio.h>\nvoid show(int n) { printf("%d\\n", n); fflush(stdout); }\n'
    main = "void show(int n);\nint main(void) { for (int i = 0; i < 30000; ++i) show(i); return 0; }\n"
    if way == "c":
        main = f"{loop}{main}int restrict_is_no_name_in_c(int class) {{ return class; }}\n"
    suffix = "c" if way == "c" else "cpp"
    (tmp_path / f"main.{suffix}").write_text(main)
    (tmp_path / "show.cpp").write_text(loop)
    words = {"several": ["show.cpp", "main.cpp"], "c": ["main.c"], "build": ["./prog", "--", "unused"]}[way]
    if way == "build":
        compiler = " ".join([*chain.command, *chain.flags])
        words = ["--build", f"{compiler} -g -O2 main.cpp show.cpp -o prog", *words]
    data = json.loads(fixed(tmp_path, *words[:-2] if way == "build" else words, "--json", "--seconds", "120",
                            *(words[-2:] if way == "build" else [])).stdout)  # fmt: skip
    assert data["causes"][0]["name"] == "fflush per line", data["causes"]
    assert data["outcome"] == "proved", data["verdict"]
    if way == "several":
        best = next(one for one in data["remedies"] if one["name"] == data["best"])
        assert best["write"] == ["leave out fflush (by hand in line 2 of show.cpp)"] and not any(
            best["lines"].values()
        )


# What is judged


def timed(true: list[float], seed: int, noise: float) -> list[Trial]:
    """Race trials whose times are drawn; `true` are their gains."""
    draw, drift = random.Random(seed), [0.0]
    base = Trial("as it is", [], program=Program(Path("x")))
    trials = [Trial(str(gain), [], program=Program(Path("x"))) for gain in true]

    def run(one: Trial) -> None:
        drift[0] = 0.7 * drift[0] + draw.gauss(0, noise / 2)  # neighbours in time resemble each other
        slow = draw.expovariate(10) if draw.random() < 0.1 else 0.0
        gain = 1.0 if one is base else float(one.name)
        one.times.append(math.exp(draw.gauss(0, noise) + drift[0] + slow) / gain)

    measuring.race(base, trials, run, 1e9, seed, lambda done: None)
    return trials


@pytest.mark.parametrize("count", native.others_slow([40, 200]))
def test_where_nothing_helps_a_gain_is_named_in_five_of_a_hundred(count: int) -> None:
    named = sum(any(one.helps for one in timed([1.0, 1.0, 1.01, 1.0], seed, 0.04)) for seed in range(count))
    assert named <= count * 0.05


@pytest.mark.parametrize("count", native.others_slow([40, 200]))
def test_a_gain_of_a_tenth_is_mostly_found(count: int) -> None:
    found = sum(timed([1.0, 1.10, 1.0, 1.0], seed, 0.03)[1].helps for seed in range(count))
    assert found >= count * 0.9


def test_a_remedy_below_the_margin_does_not_help() -> None:
    one = timed([1.015], 1, 0.0001)[0]
    assert one.gain is not None and one.gain.low > 0 and not one.helps


def test_no_round_and_no_compiler_begins_when_the_time_is_up(chain: Toolchain, tmp_path: Path) -> None:
    base, one = (Trial(name, [], program=Program(Path("x"))) for name in ("as it is", "other"))
    assert measuring.race(base, [one], lambda trial: pytest.fail("it ran"), 0.0, 1, lambda done: None) == 0
    assert not one.helps
    (tmp_path / "mine.cpp").write_text("#include <iostream>\nint main() {}\n")
    mine = Subject(tmp_path / "mine.cpp", True, chain, [], [], tmp_path / "mine.cpp", Limits())
    said = subject.compile_source(mine, mine.text, [], tmp_path, "plain", seconds=0.001)
    assert said == "the compiler takes more than 0 s"


# Rules on what was seen

MAIN = Place("main", "/home/me/mine.cpp", 7, "mine", is_own=True)


def chain_of(*names: str) -> tuple[Place, ...]:
    return (*(Place(name, "", 0, "libc.so.6", is_own=False) for name in names), MAIN)


def known(calls: list[Calls], samples: list[Sampled], **facts: float) -> list[str]:
    seen = Observation(True, 1, 1, 0, 0, 0, calls, samples)
    return [each.name for each in causes.known(rules.Facts(facts, {"flags": "-O2"}), seen, seen)]


FLUSH = ("write", "do_write", "fflush", "ostream::flush")


def test_flushes_hide_one_another() -> None:
    by_endl, by_tie = chain_of(*FLUSH), chain_of(*FLUSH[2:], "istream::sentry::sentry", "istream::operator>>")
    calls = [Calls("write", "1 file /tmp/out", 1000, 5000, 1.0, by_endl)]
    samples = [Sampled(90, "R", "write", by_endl), Sampled(3, "R", "", by_tie)]
    assert known(calls, samples) == ["flush per line", "tie"]
    assert known(calls, samples[:1]) == ["flush per line"]


def test_a_call_has_one_cause() -> None:
    place = chain_of("write", "fflush", "ostream::sentry", "operator<<")
    calls = [Calls("write", "2 file /tmp/err", 1000, 5000, 1.0, place)]
    samples = [Sampled(90, "R", "write", place), Sampled(9, "R", "", chain_of("fflush", "ostream::put"))]
    assert known(calls, samples) == ["stderr per line"]


def test_few_or_large_writes_are_no_flush_per_line() -> None:
    place = chain_of(*FLUSH)
    sample = [Sampled(90, "R", "write", place)]
    for count, size in ((10, 5), (1000, 65536)):
        calls = [Calls("write", "1 file /tmp/out", count, count * size, 1.0, place)]
        assert "flush per line" not in known(calls, sample)


def test_calls_that_fail_each_time_count() -> None:
    place = chain_of("ioctl", "isatty")
    samples = [Sampled(90, "R", "ioctl", place)]
    assert known([Calls("ioctl", "1 file /tmp/out", 1000, 0, 1.0, place, "ENOTTY")], samples) == [
        "other system calls"
    ]
    again = [Calls("ioctl", "1 file /tmp/out", 1000, 0, 1.0, place, "EAGAIN")]
    assert known(again, samples) == ["plain reads and writes"]


def test_a_single_printf_is_not_blamed() -> None:
    samples = [Sampled(97, "R", "", (MAIN,)), Sampled(3, "R", "", chain_of("vfprintf", "printf"))]
    assert known([], samples) == ["own code"]


def test_every_cause_says_a_sentence_and_every_cure_is_of_a_cause() -> None:
    names = {each.name for each in rules.load().cause}
    assert all({*one.cures} <= names and one.does for one in remedies.load().remedy)


def gain(ratio: float) -> pair.Estimate:
    return pair.Estimate(math.log(ratio), math.log(0.95 * ratio), math.log(1.05 * ratio), 10)


def diagnosis(io: float, own: float, wall: float = 1.0, floor: float = 0.0, **waiting: float) -> Diagnosis:
    sample = Sample(round=0, wall=wall, user=wall, system=0, peak_memory=0, minor_faults=0, major_faults=0,
                    voluntary_switches=0, involuntary_switches=0)  # fmt: skip
    spot = observed.Spot(own, "std::regex_search", Place("parse", "mine.cpp", 31, "mine", is_own=True))
    split = observed.Split(io, 0.0, own, waiting, [spot])
    return Diagnosis(Findings(sample, split, [], rules.Facts({}, {}), floor), [], [], None, [])


def test_verdicts_are_in_words_for_scripts(chain: Toolchain) -> None:
    one = Subject(Path("mine.cpp"), True, chain, [], [], Path("lines"), Limits())
    said = verdict.sentence(one, diagnosis(0.04, 0.81))
    assert (
        said == "I/O is 4 % of its time: nothing to win here; 81 % is std::regex_search in parse() at line 31"
    )
    assert verdict.sentence(one, diagnosis(0.9, 0.1, 1.1, 1.0)).startswith("already within 1.2 x of reading")
    assert verdict.outcome(diagnosis(0.08, 0.17, disk=0.75)) == "waiting"
    assert "93 % of its time is waiting: sleep" in verdict.sentence(one, diagnosis(0.0, 0.07, sleep=0.93))
    best = Trial("untie", [next(each for each in remedies.load().remedy if each.name == "untie")])
    best.lines, best.gain = {"untie": [4]}, gain(15.6)
    proved = diagnosis(0.9, 0.1)
    proved.best = best
    assert verdict.sentence(one, proved) == "It can be 15.6 times as fast: untie cin from cout (1 line)"


def test_where_streams_take_as_much_it_is_not_said_that_nothing_can_be_won(chain: Toolchain) -> None:
    one = Subject(Path("mine.cpp"), True, chain, [], [], Path("lines"), Limits())
    near = diagnosis(0.49, 0.51)
    own = next(each for each in rules.load().cause if each.name == "own code")
    near.causes = [causes.Known(own, 0.51, "the program's own work")]
    assert verdict.outcome(near) == "known"
    assert verdict.sentence(one, near) == "51 % of its time: the program's own work; no remedy is proved"
    near.trials = [Trial("a", [], program=Program(Path("a")), problem="not in time", is_late=True)]
    assert verdict.outcome(near) == "known"  # nothing is refused that only took too long
    near.trials += [Trial(name, [], program=Program(Path(name)), problem="differs") for name in "bc"]
    assert verdict.outcome(near) == "refused"
    assert verdict.sentence(one, near).endswith("; refused: b, c, which change what it does")
    near.trials.pop()
    assert verdict.sentence(one, near).endswith("; refused: b, which changes what it does")


def test_a_cause_has_no_more_of_a_gain_than_its_share_and_is_certain_where_none_is_close(
    tmp_path: Path, chain: Toolchain
) -> None:
    of = {each.name: each for each in rules.load().cause}
    sync, tie = causes.Known(of["synchronised"], 0.2, "sync"), causes.Known(of["tie"], 0.1, "tie")
    assert fixing._of_its_own(sync, math.log(3)) == pytest.approx(math.log(1.25))
    assert fixing._of_its_own(tie, math.log(3)) == math.log(3)  # another flush may hide it
    fix = fixing._Fix(Subject(tmp_path / "x", False, chain, [], [], tmp_path / "x", Limits()), tmp_path,
                      lambda step: None, 5)  # fmt: skip
    for most, share, samples, is_certain in (
        (0.55, 0.2, 1000, True),
        (0.55, 0.2, 100, False),  # they may be as many as half of the time, or less
        (0.51, 0.43, 1000, False),
        (0.56, 0.40, 1000, False),  # 0.40 may be 0.43, and 0.56 only 0.53
    ):
        fix.seen = diagnosis(0.4, 0.5).findings
        fix.seen.causes.extend(
            causes.Known(of[name], part, name, samples=samples)
            for name, part in (("own code", most), ("stdio", share))
        )
        assert [each.certain for each in fix._told([]) if each.name == "own code"] == [is_certain]


def test_a_program_that_wants_a_terminal_is_told_so() -> None:
    ended = subject.Ended(1, b"", "", seen=["terminal /dev/tty"])
    assert fixing._seen(ended) == [
        "it asks the terminal itself (/dev/tty), and has none here: let it read standard input"
    ]


def test_what_cannot_be_seen_is_said(
    tmp_path: Path, chain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "observe", lambda *words: Failure("skipped", observed.HOW_TO_ALLOW))
    seen = looked(tmp_path, chain, "int main() {}")
    assert any("SYS_PTRACE" in each for each in seen.remarks)


@pytest.mark.slow
def test_a_remedy_against_a_flush_that_another_ends_is_not_shown(
    chain: Toolchain, able: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample may fall into the one endl after a loop, whose flushes are the tie's."""
    monkeypatch.chdir(tmp_path)
    loop = 'int x;\n  while (std::cin >> x) std::printf("%d\\n", x);\n  std::cout << std::endl;'
    (tmp_path / "mine.cpp").write_text(
        f"#include <cstdio>\n#include <iostream>\nint main() {{\n  {loop}\n}}\n"
    )
    (tmp_path / "lines").write_bytes(LINES[:120_000])
    endl = next(cause for cause in rules.load().cause if cause.name == "flush per line")
    known = causes.known

    def with_endl(facts: rules.Facts, *words: Observation | str) -> list[causes.Known]:
        found = known(facts, *words)  # type: ignore[arg-type]
        seen = {each.name for each in found}
        return found if endl.name in seen else [*found, causes.Known(endl, 0.001, "endl", is_hidden=True)]

    monkeypatch.setattr(causes, "known", with_endl)
    subject_of = Subject(tmp_path / "mine.cpp", True, chain, ["-O2"], [], tmp_path / "lines", Limits())
    diagnosis = fixing.diagnose(subject_of, lambda step: None, 120)
    shown = {each.name for trial in diagnosis.trials if trial.helps for each in trial.remedies}
    assert "untie" in shown and "newline for endl" not in shown
    assert endl.name not in [each.name for each in diagnosis.causes]


def test_a_combination_keeps_only_what_helps(tmp_path: Path, chain: Toolchain) -> None:
    """Of two remedies together the one that gains nothing is left out."""
    fix = fixing._Fix(Subject(tmp_path / "x", False, chain, [], [], tmp_path / "x", Limits()), tmp_path,
                      lambda step: None, 5)  # fmt: skip
    chosen = [each for each in remedies.possible(has_source=True) if each.name in ("untie", "unsync")]
    both = Trial("both", chosen, program=Program(Path("both")), gain=gain(2.0))
    alone = [Trial(each.name, [each], program=Program(Path(each.name))) for each in chosen]
    draw = random.Random(3)

    def run(one: Trial) -> None:
        assert one.program is not None
        slow = 2.0 if one.program.path.name == chosen[0].name else 1.0
        one.times.append(slow * math.exp(draw.gauss(0, 0.01)))

    fix._time = run  # type: ignore[method-assign]
    best = fix._pruned(both, [*alone, both])
    assert best.name == chosen[1].name
