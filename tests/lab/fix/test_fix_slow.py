"""The slow programs of slow/: their causes hold by what is counted; no safe remedy changes what they write.

tools/fix_proof.py runs `headrace fix` on each, and says how often it names a true cause first and how much of
the possible gain it finds: those are questions of time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from drop_in import Run, Way, compiled, runner, runs, together
from headrace.explain import causes, observed, rules
from headrace.explain.causes import Known
from headrace.explain.findings import Findings
from headrace.explain.observed import Split
from headrace.explain.rules import Facts
from headrace.fix import edits, remedies, subject
from headrace.fix import fix as fixing
from headrace.fix.remedies import Remedy
from headrace.fix.subject import Ended
from headrace.matrix.compilers import Toolchain
from headrace.processes.launch import Request
from headrace.results.failure import Failure
from headrace.results.schema import Sample
from native import TOP

sys.path.insert(0, str(TOP / "tools"))
import fix_proof

FILES = sorted(Path(__file__).with_name("slow").glob("*.cpp"))

# What the tests hold back: no remedy was judged by these.
HELD_BACK = {
    "held-blanks": b"  12   -7\n\n\n99999999999 4 \n5\n",
    "held-no-newline": b"1 2\n3",
    "held-letter": b"5\n6\n7x\n8\n",
    "held-crlf": b"5\r\n66\r\n-7\r\n",
    "held-zero": b"5 \x00 6\n\xff 7\n",
    "held-long": b"12345 " * 3000 + b"\n" + b"y" * 9000,
}


def smaller(text: str) -> str:
    """Return a program with a hundredth of its work."""
    return fix_proof.divided(text, 100).replace("< 60;", "< 6;")


@dataclass
class Tried:
    """A program with remedies."""

    chosen: list[Remedy]
    text: str
    problem: str = ""
    differs: list[str] = field(default_factory=list)  # the inputs held back on which it does

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(flag for one in self.chosen for flag in one.flags)

    @property
    def shim(self) -> str:
        return ",".join(one.shim for one in self.chosen if one.shim)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    assert len(FILES) == 40 and {file.stem for file in FILES} == set(fix_proof.BY_HAND)
    return {file.stem: smaller(file.read_text()) for file in FILES}


@pytest.fixture(scope="module")
def given() -> dict[str, bytes]:
    draw = random.Random(5)
    numbers = "".join(f"{draw.randint(-(10**9), 10**9)}\n" for _ in range(1200)).encode()
    return {"own": numbers, **dict(fixing.other_inputs(numbers)), **HELD_BACK}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("slow")


@pytest.fixture(scope="module")
def way(chains: list[Toolchain]) -> Way:
    return Way(chains[0], "-O0")


def built(texts: Mapping[str, str], flags: tuple[str, ...], way: Way, folder: Path) -> Path:
    name = f"build{len(list(folder.glob('*.cpp')))}"
    source = folder / f"{name}.cpp"
    source.write_text(together(texts))
    compiled(source, folder / name, way.chain, ["-w", *flags, runner(way, folder)], way.level)
    return folder / name


@pytest.fixture(scope="module")
def plain(texts: dict[str, str], way: Way, folder: Path) -> Path:
    return built(texts, (), way, folder)


@pytest.fixture(scope="module")
def seen(texts: dict[str, str]) -> dict[str, Findings]:
    """As if every cause had been seen: all remedies are tried that the sources have a place for."""
    sample = Sample(round=0, wall=1, user=1, system=0, peak_memory=0, minor_faults=0, major_faults=0,
                    voluntary_switches=0, involuntary_switches=0)  # fmt: skip
    held = [Known(cause, 0.5, cause.name) for cause in rules.load().cause]
    found = {}
    for name, text in texts.items():
        header = fix_proof.HEADER.match(text)
        assert header is not None, name
        own = {
            "text": edits.without_comments(text),
            "flags": header[3],
            "library": "libstdc++",
            "language": "C++",
        }
        found[name] = Findings(sample, Split(), held, Facts({"forks": 6.0}, own))
    return found


def is_counted(name: str, seen: observed.Observation) -> bool:
    cause = next(each for each in rules.load().cause if each.name == name)
    calls = [each for each in seen.calls if causes._matches(cause, each)]
    return bool(calls) and cause.holds(Facts(causes._summed(calls), {}))


@pytest.mark.slow
def test_their_causes_are_counted(
    texts: dict[str, str], given: dict[str, bytes], way: Way, folder: Path, plain: Path
) -> None:
    """Causes that are system calls are seen in what small versions do; the others are questions of time."""
    (folder / "own").write_bytes(given["own"])
    if isinstance(tried := observed.observe(Request(["true"]), 5.0), Failure):
        pytest.skip(tried.detail)
    counted = {cause.name for cause in rules.load().cause if cause.call and "count" in cause.when}
    missed = []
    for name, text in texts.items():
        header = fix_proof.HEADER.match(text)
        assert header is not None
        wanted = set(header[1].split(", ")) & counted
        request = Request([str(plain), name], source="file", input=folder / "own", answer_on_stdout=False)
        calls = observed.observe(request, 10.0)
        assert not isinstance(calls, Failure), calls
        if wanted and not any(is_counted(cause, calls) for cause in wanted):
            missed.append(f"{name}: {wanted}, {[(each.count, each.path) for each in calls.calls][-5:]}")
    assert not missed, "\n".join(missed)


def singles(text: str, seen: Findings) -> list[Tried]:
    found = []
    for one in remedies.possible(has_source=True):
        if not one.is_for(seen) or one.flags == ["-O2"]:
            continue
        edit = edits.edited(text, one)
        if edit.lines or not one.edits:
            found.append(Tried([one], edit.text))
    return found


def combined(text: str, safe: list[Remedy], seen: Findings) -> list[Tried]:
    found = []
    for chosen in remedies.combinations(safe, seen):
        tried = Tried(chosen, text)
        for one in chosen:
            tried.text = edits.edited(tried.text, one).text
        found.append(tried)
    return found


Runs = Mapping[tuple[str, str, str], Run]


def judge(
    tried: Mapping[str, list[Tried]], given: dict[str, bytes], right: Runs, way: Way, folder: Path
) -> None:
    """Run what was tried on all inputs; note what the judge sees, and what it does not."""
    numbered = {f"{name}_{at}": (name, one) for name, each in tried.items() for at, one in enumerate(each)}
    for flags, words in {(one.flags, one.shim) for _, one in numbered.values()}:
        alike = {
            key: each for key, each in numbered.items() if (each[1].flags, each[1].shim) == (flags, words)
        }
        program = built({key: one.text for key, (_, one) in alike.items()}, flags, way, folder)
        variables = {}
        if words:
            shim = subject.compile_shim(way.chain, folder)
            assert isinstance(shim, Path), shim
            variables = {"LD_PRELOAD": str(shim), "HEADRACE_SHIM": words}
        for (key, on, route), run in runs(program, folder, given, variables).items():
            name, one = alike[key]
            note(one, on, run, right[name, on, route])


def note(one: Tried, on: str, got: Run, right: Run) -> None:
    problem = fixing.problem(
        Ended(got.status, got.output, None), Ended(right.status, right.output, None), f"on {on} "
    )
    if problem and on in HELD_BACK:
        one.differs.append(problem)
    elif problem:
        one.problem = problem


@pytest.mark.slow
def test_no_safe_remedy_differs_on_an_input_that_is_held_back(
    texts: dict[str, str],
    seen: dict[str, Findings],
    given: dict[str, bytes],
    way: Way,
    folder: Path,
    plain: Path,
) -> None:
    right = runs(plain, folder, given)
    tried = {name: singles(text, seen[name]) for name, text in texts.items()}
    judge(tried, given, right, way, folder)
    more = {
        name: combined(text, [one.chosen[0] for one in tried[name] if not one.problem], seen[name])
        for name, text in texts.items()
    }
    judge(more, given, right, way, folder)
    safe = {name: [one for one in tried[name] + more[name] if not one.problem] for name in texts}
    wrong = [
        f"{name}, {' + '.join(remedy.name for remedy in one.chosen)}: {one.differs[0]}"
        for name, each in safe.items()
        for one in each
        if one.differs
    ]
    assert not wrong, "\n".join(wrong)
    assert sum(map(len, safe.values())) >= 80  # most of what is tried is safe, else nothing is shown
