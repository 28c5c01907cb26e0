"""From a slow program to a proven remedy: run it, count, try remedies, compare outputs, measure, choose."""

from __future__ import annotations

import math
import random
import re
import signal
import tempfile
import time
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from headrace.base import places
from headrace.base.errors import BadInput, Failed, NothingToDo
from headrace.base.step import Step, Watch
from headrace.base.text import listed
from headrace.explain import hot, rules
from headrace.explain.rules import Facts
from headrace.fix import counts, remedies, subject, timeline
from headrace.fix.remedies import Cause, Edit, Remedy
from headrace.fix.subject import Ended, Program, Subject
from headrace.judge import pair
from headrace.judge.samples import Array
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch, terminal
from headrace.results.failure import Failure
from headrace.results.schema import Sample

TRACED = 10.0  # seconds of the traced run at most
TRACED_AGAIN = 2.0  # with remedies: fewer calls are left, or it is clear at once that they are not
ROUNDS = 11
MOST_ROUNDS = 44  # where some have no interval yet
FEWEST = 6  # rounds with an interval at 5 %
FAR = math.log(3)  # the gain from which a few more runs of a remedy take the place of rounds
LOOK = 3  # rounds after which a slow program's time goes to what helps most
NEAR = 1.05  # a simpler remedy is best where the fastest is no more than so much faster
TOLD = 0.05  # gain, a natural logarithm, from which a cause is worth telling
FEW = 3  # causes that a narrow remedy cures at most


@dataclass
class Trial:
    """One or more remedies, tried."""

    name: str
    remedies: list[Remedy]
    lines: dict[str, list[int]] = field(default_factory=dict)  # by remedy: where in the source
    text: str = ""  # the edited source
    flags: list[str] = field(default_factory=list)
    program: Program | None = None
    problem: str = ""  # why it is not safe, or could not be tried
    gain: pair.Estimate | None = None  # in logarithms of time as it is over time with it
    times: list[float] = field(default_factory=list)

    @property
    def is_safe(self) -> bool:
        """Whether it was built, and every output was the same."""
        return self.program is not None and not self.problem

    @property
    def helps(self) -> bool:
        """Whether it is surely faster."""
        return self.is_safe and self.gain is not None and self.gain.low > 0

    def what(self) -> list[str]:
        """Say what to write, and on which lines."""
        said = []
        for one in self.remedies:
            at = self.lines.get(one.name, [])
            place = f" (line{'s' if len(at) > 1 else ''} {_ranges(at)})" if at else ""
            said.append(f"{one.says}{place}")
        return said


@dataclass
class Diagnosis:
    """What was found."""

    wall: float  # seconds as it is
    user: float
    system: float
    facts: Facts
    functions: str  # where the time goes; "" where perf is not here
    causes: list[tuple[str, str]]  # name and sentence, the most important first
    trials: list[Trial]  # each remedy, then the combinations
    best: Trial | None
    remarks: list[str]
    timelines: list[timeline.Timeline] = field(default_factory=list)  # as it is, and with the best remedy


def diagnose(
    one: Subject, watch: Watch, seconds: float, seed: int = 1, with_timelines: bool = False
) -> Diagnosis:
    """Look at a program. Raises BadInput where it does not compile, Failed where it cannot be judged."""
    with tempfile.TemporaryDirectory(prefix="headrace-fix-", dir=places.fast_folder()) as name:
        return _Fix(one, Path(name), watch, seconds, seed).run(with_timelines)


class _Fix:
    """One diagnosis, in a folder of its own."""

    def __init__(self, one: Subject, folder: Path, watch: Watch, seconds: float, seed: int) -> None:
        self.subject, self.folder, self.watch, self.seconds = one, folder, watch, seconds
        self.random = random.Random(seed)  # the order within rounds
        self.remarks: list[str] = []
        self._shim: Path | str | None = None
        self._idle: set[str] = set()  # causes that flush nothing once the others are cured, as counted

    def run(self, with_timelines: bool) -> Diagnosis:
        self.watch(Step("builds", "as it is", 0, 1))
        plain = self._plain()
        self.right = self._twice(plain)
        facts, first = self._facts(plain)
        if facts.values["forks"]:
            self.remarks.append(
                f"it starts {rules.count(facts.values['forks'])} other processes; what they do is not changed"
            )
        has_source = self.subject.is_source
        tried = [self._trial([one]) for one in remedies.load().remedy if one.is_for(facts, has_source)]
        trials = [one for one in tried if one is not None]
        others = self._other_inputs(plain)
        check = _Checks(self, others, subject.waits(self.subject, plain))
        for number, one in enumerate(trials):
            self.watch(Step("runs", f"output with {one.name}", number, len(trials)))
            check.judge(one)
        for one in self._combinations(trials, facts):
            check.judge(one)
            trials.append(one)
        self._measure(plain, [one for one in trials if one.is_safe])
        best = _best(trials)
        return Diagnosis(
            first.wall,
            first.user,
            first.system,
            facts,
            facts.texts["hot"],
            self._causes(facts, trials),
            trials,
            best,
            self.remarks,
            self._timelines(plain, best) if with_timelines else [],
        )

    def _timelines(self, plain: Program, best: Trial | None) -> list[timeline.Timeline]:
        """Trace the program as it is, and with the best remedy. Empty where nothing can be traced."""
        programs = [plain] if best is None or best.program is None else [plain, best.program]
        found = [timeline.record(subject.traced(self.subject, one), TRACED) for one in programs]
        seen = [one for one in found if one is not None]
        if len(seen) < len(found):
            self.remarks.append("there is no picture of system calls: it needs strace")
            return []
        return seen

    def _plain(self) -> Program:
        if not self.subject.is_source:
            return Program(self.subject.file.resolve())
        made = subject.compile_source(self.subject, self.subject.text, [], self.folder, "plain")
        if isinstance(made, str):
            raise BadInput(f"{self.subject.file} does not compile: {made}; --flags says how you compile it")
        return Program(made)

    def _twice(self, plain: Program) -> Ended:
        """Run it twice. Raises Failed for one that crashes, does not end, or does not do the same again."""
        first = subject.kept(self.subject, plain, self.folder)
        name = self.subject.file
        if first.timed_out:
            raise Failed(
                f"{name} did not end within {self.subject.limits.seconds:g} s; "
                "give it a smaller input, or --timeout more"
            )
        if first.status:
            ended = _signal(first.status - 128) if first.status > 128 else f"status {first.status}"
            said = [line.strip() for line in first.errors.strip().splitlines()]
            raise Failed(
                f"{name} ends with {ended}{': ' + said[-1] if said else ''}; "
                "only a program that ends with status 0 can be judged: check its input and its arguments"
            )
        second = subject.kept(self.subject, plain, self.folder)
        if second.output != first.output:
            raise Failed(
                f"{name} is not deterministic: two runs of it differ {_where(first.output, second.output)}; "
                "no remedy can be judged until that is fixed (a clock, an address, a random seed, "
                "an uninitialised variable?)"
            )
        return first

    def _facts(self, plain: Program) -> tuple[Facts, Sample]:
        measured = launch.run(subject.request(self.subject, plain, None))
        if isinstance(measured, Failure):
            raise Failed(f"{self.subject.file}: {measured.detail}")
        values = {
            "wall": measured.wall,
            "user": measured.user,
            "system": measured.system,
            "user_share": measured.user / measured.wall,
            "system_share": measured.system / measured.wall,
        }
        try:
            counted, is_all = counts.of(self.subject, plain, TRACED)
        except (NothingToDo, BadInput) as error:
            self.remarks.append(f"system calls were not counted: {error}")
            counted, is_all = counts.NOTHING, True
        if not is_all:
            self.remarks.append(f"counts are of the first {TRACED:g} s under the tracer")
        values |= counted
        texts = {
            "text": remedies.without_comments(self.subject.text),
            "library": self.subject.toolchain.library,
            "flags": " ".join(self.subject.flags) if self.subject.is_source else "-O?",
            "hot": self._functions(plain) if measured.wall >= 0.05 else "",
        }
        return Facts(values, texts), measured

    def _functions(self, plain: Program) -> str:
        if not hot.is_here():
            return ""
        spots = hot.sample(subject.traced(self.subject, plain))
        return "" if isinstance(spots, Failure) else hot.phrase(spots).removeprefix(": ")

    def _trial(self, chosen: Sequence[Remedy]) -> Trial | None:
        """Build a program with these remedies; None where they have nothing to change."""
        name = " + ".join(one.name for one in chosen)
        trial = Trial(name, list(chosen), text=self.subject.text)
        for one in chosen:
            if one.replace or one.insert:
                edit: Edit = remedies.edited(trial.text, one)
                if not edit.lines:
                    return None
                trial.text = edit.text
                trial.lines[one.name] = remedies.edited(self.subject.text, one).lines
            trial.flags += one.flags
        path: Path | str = self._plain().path if not self.subject.is_source else self.folder / "plain"
        if trial.text != self.subject.text or trial.flags:
            self.watch(Step("builds", f" {name}", 0, 1))
            file = "with-" + re.sub(r"\W+", "-", name)
            path = subject.compile_source(self.subject, trial.text, trial.flags, self.folder, file)
        words = ",".join(one.shim for one in chosen if one.shim)
        shim = self._shim_file() if words else None
        if isinstance(path, str):
            trial.problem = f"does not compile: {path}"
        elif isinstance(shim, str):
            trial.problem = shim
        else:
            environment = {"LD_PRELOAD": str(shim), "HEADRACE_SHIM": words} if shim else {}
            trial.program = Program(path, environment)
        return trial

    def _shim_file(self) -> Path | str:
        if self._shim is None:
            library = subject.library_of(
                self._plain().path if not self.subject.is_source else self.folder / "plain"
            )
            if library not in ("", self.subject.toolchain.library):
                self._shim = "is not linked with a shared C++ library that a shim could reach"
            else:
                self._shim = subject.compile_shim(self.subject.toolchain, self.folder)
        return self._shim

    def _other_inputs(self, plain: Program) -> list[tuple[str, Path, Ended]]:
        """Make small inputs of the given one, with what the program as it is makes of them."""
        found: list[tuple[str, Path, Ended]] = []
        quick = subject.quickly(self.subject)
        for name, given in other_inputs(self.subject.input.read_bytes()):
            file = self.folder / f"input-{len(found)}"
            file.write_bytes(given)
            first, second = (subject.kept(quick, plain, self.folder, file) for _ in range(2))
            if not first.timed_out and first == second:  # else it shows nothing
                found.append((name, file, first))
        return found

    def _combinations(self, trials: Sequence[Trial], facts: Facts) -> list[Trial]:
        """Build safe remedies together."""
        safe = self._without_idle([one for one in trials if one.is_safe], facts)
        together = remedies.combinations(safe, facts)
        return [trial for trial in map(self._trial, together) if trial is not None]

    def _without_idle(self, safe: Sequence[Trial], facts: Facts) -> list[Remedy]:
        """Return the remedies of trials, but those against flushes that the others end as well.

        An endl after the last line is no cause beside a tie, and not worth an edit.
        """
        kept = [one.remedies[0] for one in safe]
        for one in remedies.against_flushes(kept, facts):
            others = [other for other in remedies.against_flushes(kept, facts) if other is not one]
            if others and not self._is_left(one, others, safe, facts):
                kept.remove(one)
                self._idle |= {*one.cures}
        return kept

    def _is_left(self, one: Remedy, others: list[Remedy], built: Sequence[Trial], facts: Facts) -> bool:
        """Tell whether a cause that a remedy cures still holds with others, as far as that can be counted."""
        known = [trial for trial in built if trial.remedies == others]
        trial = known[0] if known else self._trial(others)
        if trial is None or trial.program is None:
            return True
        try:
            counted, is_all = counts.of(self.subject, trial.program, TRACED_AGAIN)
        except (NothingToDo, BadInput):
            return True
        left = remedies.flushes(replace(facts, values=facts.values | counted))
        return not is_all or bool(left & {*one.cures})

    def _measure(self, plain: Program, trials: list[Trial]) -> None:
        """Run everything in rounds, in a fresh order each, until the time is up."""
        file = self.folder / "right"
        file.write_bytes(self.right.output)
        digest, size = launch.digest(file)
        expected = launch.Expected(digest=digest, bytes=size)
        base = Trial("as it is", [], program=plain)
        began = time.monotonic()
        done = 0
        racing = list(trials)
        while _goes_on(done, time.monotonic() - began, self.seconds) and (
            done < ROUNDS or (done < MOST_ROUNDS and _is_open(racing, base))
        ):
            self.watch(Step("runs", "measured rounds", done, max(ROUNDS, done + 1)))
            if done == LOOK and FEWEST / done * (time.monotonic() - began) > self.seconds:
                racing = _promising(racing, base)
            order = [base, *(one for one in racing if one.is_safe)]
            self.random.shuffle(order)
            for one in order:
                self._time(one, expected)
            if base.problem:
                raise Failed(f"{self.subject.file} is not deterministic: {base.problem}")
            done += 1
        if done < FEWEST:
            self.remarks.append(
                f"{done} rounds within {self.seconds:g} s give an interval only to what is much faster; "
                "give more --seconds"
            )
        for one in trials:
            far = one.is_safe and done < FEWEST and float(np.median(_gains(one, base))) >= FAR
            while far and one.is_safe and unpaired(base.times, one.times) is None:
                self._time(one, expected)
            if one.is_safe:
                one.gain = unpaired(base.times, one.times) if far else pair.estimate(_gains(one, base))

    def _time(self, one: Trial, expected: launch.Expected) -> None:
        """Run once and note the time, or the problem."""
        assert one.program is not None  # of the safe ones
        ended = launch.run(subject.request(self.subject, one.program, expected))
        if isinstance(ended, Failure):
            one.problem = f"{ended.outcome.lower()}: {ended.detail}"
        else:
            one.times.append(ended.wall)

    def _causes(self, facts: Facts, trials: Sequence[Trial]) -> list[tuple[str, str]]:
        """Return the names and sentences of the causes that hold, the one whose remedy gains most first."""
        flushes = remedies.flushes(facts)
        holding = [one for one in remedies.load().cause if one.holds(facts) and one.name not in self._idle]
        scored = [(_score(cause, trials, flushes), cause) for cause in holding]
        ordered = sorted((one for one in scored if one[0] >= TOLD), key=lambda one: -one[0])
        return [(cause.name, rules.sentence(cause, facts)) for _, cause in ordered]


def other_inputs(data: bytes) -> list[tuple[str, bytes]]:
    """Make small inputs of one, each with its name in a sentence: empty, breaking off, malformed."""
    data = data[:4096]
    glue = b" " if b" " in data else b"\n"
    tokens = data.split(glue)
    spoilt = glue.join([*tokens[: len(tokens) // 2], b"x1-y", *tokens[len(tokens) // 2 :]])
    return [
        ("an empty input", b""),
        ("a shorter input", data[: max(0, len(data) // 2 - 1)]),
        ("a malformed input", spoilt),
    ]


def _goes_on(done: int, spent: float, seconds: float) -> bool:
    """Tell whether to run another round: an interval is worth three times the time."""
    return done < LOOK or spent < (seconds if done >= FEWEST else 3 * seconds)


def _gains(one: Trial, base: Trial) -> Array:
    """Return the gain of each round that a trial took part in, as a natural logarithm."""
    return np.asarray(np.log(base.times[: len(one.times)]) - np.log(one.times))


def unpaired(slow: Sequence[float], fast: Sequence[float]) -> pair.Estimate | None:
    """Return how many times as fast a few runs are as a few others; None where they are too few for 5 %.

    The interval is from the nearest to the farthest of them, the widest one of the Mann-Whitney test:
    were both alike, one of the binomial(m + n, m) orders would have all of one before all of the other.
    """
    if math.comb(len(slow) + len(fast), len(slow)) * pair.ALPHA < 2:
        return None
    x, y = np.log(slow), np.log(fast)
    centre = float(np.median(x) - np.median(y))
    return pair.Estimate(centre, float(x.min() - y.max()), float(x.max() - y.min()), len(x))


def _is_open(trials: Sequence[Trial], base: Trial) -> bool:
    """Tell whether a trial has no interval yet: where rounds resemble their neighbours that takes more."""
    found = [pair.estimate(_gains(one, base)) for one in trials if one.is_safe]
    return any(one is not None and math.isinf(one.high) for one in found)


def _promising(trials: list[Trial], base: Trial) -> list[Trial]:
    """Return the trials that gain at least half of what the best one does: time is for them."""
    middle = {one.name: float(np.median(_gains(one, base))) for one in trials if one.is_safe}
    most = max(middle.values(), default=0.0)
    return [one for one in trials if most <= 0 or middle.get(one.name, 0.0) >= most / 2]


@dataclass
class _Checks:
    """Whether a trial does what the program as it is does."""

    fix: _Fix
    others: list[tuple[str, Path, Ended]]
    waits: list[terminal.Wait]  # of the program as it is, on a terminal

    def judge(self, one: Trial) -> None:
        """Run it on every input; the first difference becomes its problem."""
        if one.program is None:
            return
        own, folder = self.fix.subject, self.fix.folder
        one.problem = problem(subject.kept(own, one.program, folder), self.fix.right, "its output")
        quick = subject.quickly(own)
        for name, file, right in self.others:
            if not one.problem:
                one.problem = problem(
                    subject.kept(quick, one.program, folder, file), right, f"on {name} the output"
                )
        if not one.problem and any(wait.written for wait in self.waits):
            late = late_prompt(subject.waits(own, one.program), self.waits)
            if late:
                one.problem = f"on a terminal its prompt no longer appears before it waits for line {late}"


def late_prompt(got: Sequence[terminal.Wait], right: Sequence[terminal.Wait]) -> int:
    """Return the first line of input whose prompt is late, from 1; 0 for none.

    A prompt is what stands there before the first line, and what ends in mid-line before another: whole lines
    may be answers to what was read, which nobody waits for.
    """
    for number, wait in enumerate(right):
        if (number == 0 or wait.mid_line) and wait.written > (
            got[number].written if number < len(got) else 0
        ):
            return number + 1
    return 0


def problem(got: Ended, right: Ended, what: str) -> str:
    """Say how a run's end differs from the right one; "" where it does not. `what`: "the output"."""
    if got.timed_out:
        return "does not end in time"
    if got.output != right.output:
        return f"{what} differs {_where(right.output, got.output)}"
    if got.status != right.status:
        return f"ends with status {got.status}, not {right.status}"
    return ""


def _where(right: bytes, got: bytes) -> str:
    """Say where two outputs first differ: line, and what each has there."""
    at = next(
        (i for i, (a, b) in enumerate(zip(right, got, strict=False)) if a != b), min(len(right), len(got))
    )
    line = right.count(b"\n", 0, at) + 1
    begin = right.rfind(b"\n", 0, at) + 1

    def shown(data: bytes) -> str:
        text = data[max(begin, at - 20) : at + 20].decode(errors="replace")
        return repr(text) if text else "nothing"

    return f"in line {line}: {shown(got)} instead of {shown(right)}"


def _score(cause: Cause, trials: Sequence[Trial], among: Set[str]) -> float:
    """Return how much of the time a cause stands for, as a natural logarithm.

    That is what its own remedy gains, alone or with those that only flush less (`among` are the causes of
    that kind); of a wider remedy it is a part, and of none the cause's weight.
    """
    curing = [one for one in trials if any(cause.name in remedy.cures for remedy in one.remedies)]
    own = [one for one in curing if all(len(remedy.cures) <= FEW for remedy in one.remedies)]
    alone = [one for one in own if len(one.remedies) == 1]
    if cause.name in among:
        alone += [one for one in own if all(among & set(remedy.cures) for remedy in one.remedies)]
    if alone:
        return max(cause.weight if cause.stays else 0.0, *(_gain(one) for one in alone))
    return max([cause.weight, *(_gain(one) * cause.part for one in curing if len(one.remedies) == 1)])


def _gain(one: Trial) -> float:
    return one.gain.centre if one.gain is not None and one.is_safe else 0.0


def _best(trials: Sequence[Trial]) -> Trial | None:
    """Return the fastest of what surely helps, or a simpler one that is nearly as fast."""
    helping = [one for one in trials if one.helps]
    if not helping:
        return None
    fastest = max(one.gain.centre for one in helping if one.gain is not None)
    near = [one for one in helping if one.gain is not None and one.gain.centre >= fastest - math.log(NEAR)]
    return min(near, key=lambda one: len(one.remedies))


def _signal(number: int) -> str:
    """Name a signal."""
    known = number in signal.valid_signals()
    return f"signal {number}" + (f" ({signal.Signals(number).name})" if known else "")


def _ranges(numbers: Sequence[int]) -> str:
    """Write line numbers: "3, 7 to 9"."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return listed([str(part[0]) if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts])


def toolchain_for(file: Path, is_source: bool, chains: Sequence[Toolchain]) -> Toolchain:
    """Return the compiler for a source, or one with the library of an executable. Raises NothingToDo."""
    usable = [one for one in chains if not one.runner]
    if not is_source:
        library = subject.library_of(file)
        usable = [one for one in usable if one.library == library] or usable
    if not usable:
        raise NothingToDo("no compiler for this machine was found; headrace doctor says what is missing")
    return usable[0]


def written(best: Trial) -> str:
    """Return the edited source of a trial, with the headers that its flags would include as lines."""
    headers = [name for one in best.remedies for name in remedies.flags_of(one, as_lines=True)[1]]
    return "".join(f"#include <{name}>\n" for name in headers) + best.text
