"""From a slow program to a proven remedy: run it, count, try remedies, compare outputs, measure, choose."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path

from headrace.base import places, units
from headrace.base.errors import BadInput, Failed, HeadraceError, NothingToDo
from headrace.base.step import Step, Watch
from headrace.base.text import listed, plural, some
from headrace.explain import causes
from headrace.explain.causes import Known
from headrace.explain.findings import Findings
from headrace.fix import budget, edits, measuring, remedies, subject
from headrace.fix.budget import Budget
from headrace.fix.measuring import MARGIN
from headrace.fix.remedies import Remedy
from headrace.fix.subject import Ended, Program, Subject
from headrace.judge import pair
from headrace.matrix.compilers import Toolchain
from headrace.processes import box, launch, terminal
from headrace.processes.box import Entry
from headrace.results.failure import Failure

SEED = 1  # of the order within rounds
WORK = 0.05  # seconds; a program that fails sooner has not done its work
MUCH = 10  # times as long as a run of it as it is takes none with a remedy
SEEN = {  # by a watcher
    "network": "it uses the network: each run did, and nothing was kept from it",
    "device": "it opens the device PATH: each run did, and nothing was kept from it",
    "terminal": "it asks the terminal itself (PATH), and has none here: let it read standard input",
}
NEEDS = "does it need arguments (--args), input (--input), or a file that is not in this folder?"
NEAR = 1.05  # a simpler remedy is best where the fastest is no more than so much faster
TOLD = 0.05  # of the time: a cause with less is not told
WORTH = 1.1  # a gain from which what a remedy cures is told before what only takes time
NEXT = 0.75  # of the share of a cause that is called certain: the next one has less
FEW = 3  # causes that a narrow remedy cures at most


@dataclass
class Trial:
    """One or more remedies, tried."""

    name: str
    remedies: list[Remedy]
    lines: dict[str, list[int]] = field(default_factory=dict)  # by remedy: where in the source
    by_hand: dict[str, str] = field(default_factory=dict)  # by remedy: where else a person has to edit
    loss: tuple[int, int] | None = None  # lines and bytes that a kill may lose, of a safe one
    reorders: bool = False  # what it writes to stdout and to stderr, where both go to one file
    text: str = ""  # the edited source
    flags: list[str] = field(default_factory=list)
    program: Program | None = None
    problem: str = ""  # why it is not safe, or could not be tried
    is_late: bool = False  # the problem is that the time was too short to tell
    gain: pair.Estimate | None = None  # in logarithms of time as it is over time with it
    times: list[float] = field(default_factory=list)

    @property
    def is_safe(self) -> bool:
        """Whether it was built, and every output was the same."""
        return self.program is not None and not self.problem

    @property
    def helps(self) -> bool:
        """Whether it is surely faster, by more than the margin."""
        return self.is_safe and self.gain is not None and self.gain.low > MARGIN

    @property
    def is_useless(self) -> bool:
        """Whether it surely gains next to nothing."""
        return self.is_safe and self.gain is not None and self.gain.high < math.log(NEAR)

    @property
    def is_refused(self) -> bool:
        """Whether it was built, and is seen to do something else."""
        return self.program is not None and bool(self.problem) and not self.is_late

    @property
    def warnings(self) -> list[str]:
        """What a kill loses that it did not before, and what comes in another order."""
        said = []
        if self.loss is not None:
            lines, size = self.loss
            lost = plural(lines, "line") if lines else plural(size, "byte")
            said.append(f"a kill may lose the last {lost}")
        if self.reorders:
            said.append("in one file (2>&1), stdout and stderr mix in another order")
        return said

    def what(self) -> list[str]:
        """Say what to write, and on which lines."""
        sentences = []
        for remedy in self.remedies:
            at, hand = self.lines.get(remedy.name, []), self.by_hand.get(remedy.name, "")
            where = [_lines(at)] if at else []
            where += [f"by hand in {hand}"] if hand else []
            sentences.append(f"{remedy.says} ({', '.join(where)})" if where else remedy.says)
        return sentences


@dataclass
class Diagnosis:
    """All that is said of a program."""

    findings: Findings
    causes: list[Known]  # the most important first
    trials: list[Trial]  # each remedy, then the combinations
    best: Trial | None
    remarks: list[str]


def diagnose(
    asked: Subject,
    watch: Watch,
    seconds: float,
    in_place: bool = False,
    told: Callable[[str], None] = lambda text: None,
) -> Diagnosis:
    """Look at a program. Raises BadInput where it does not compile, Failed where it cannot be judged.

    Each run is in a fresh view of the working folder, unless `in_place`. `told` gets what is known already.
    """
    made, remark = box.make(Path.cwd(), launch.launcher(), subject.try_box, in_place)
    with places.scratch(places.fast_folder()) as folder:
        remarks = [remark] if remark else []
        return _Fix(replace(asked, box=made), folder, watch, seconds, told, remarks).run()


@dataclass
class _Fix:
    """One diagnosis, in a folder of its own."""

    subject: Subject
    folder: Path
    watch: Watch
    seconds: InitVar[float]
    told: Callable[[str], None] = lambda text: None
    remarks: list[str] = field(default_factory=list)

    def __post_init__(self, seconds: float) -> None:
        self.budget = Budget(seconds)

    def run(self) -> Diagnosis:
        self.watch(Step("builds", "as it is", 0, 1))
        self.plain = self._plain()
        self.right = self._twice()
        self.watch(Step("traces", "as it is", 0, 1))
        seen = self.seen = subject.look(
            self.subject, self.plain, self.measured, self.told, budget.SEEN * self.budget.seconds
        )
        self.remarks += seen.remarks
        for each in seen.causes[:1]:
            self.told(f"{units.rounded_percent(each.share)}: {each.says}")
        if forks := round(seen.facts.values["forks"]):
            others = "another process" if forks == 1 else f"{forks:,} other processes"
            self.remarks.append(f"it starts {others}, whose work is not changed")
        trials = self._tried()
        safe = [trial for trial in trials if trial.is_safe]
        self._try_kills(safe)
        self._try_one_file(safe)
        self._measure(safe)
        trials = [trial for trial in trials if not any(_is_enough(part, trial) for part in trials)]
        best = _best(trials)
        if best is not None:
            best = self._pruned(best, trials)
        return Diagnosis(seen, self._told(trials), trials, best, self.remarks)

    def _tried(self) -> list[Trial]:
        """Build what could help, alone and together, and compare what it does."""
        chosen = [remedy for remedy in remedies.possible(self.subject.is_source) if remedy.is_for(self.seen)]
        if not chosen:
            return []
        is_ready = self.budget.has(budget.CHECKS)
        if is_ready:
            self.watch(Step("checks", "as it is, on other inputs and on a terminal", 0, 1))
            self._others = self._other_inputs()
            self._waits = subject.waits(self.subject, self.plain)
        trials: list[Trial] = []
        for number, remedy in enumerate(chosen):
            if not (is_ready and self.budget.has(budget.REMEDIES)):
                late = listed([each.name for each in chosen[number:]])
                self.remarks.append(
                    f"not tried within {self.budget.seconds:g} s: {late}; give more --seconds"
                )
                break
            self.watch(Step("checks", remedy.name, number, len(chosen)))
            if trial := self._trial([remedy]):
                self._judge(trial)
                trials.append(trial)
        for trial in self._combinations(trials):
            self._judge(trial)
            trials.append(trial)
        return trials

    def _plain(self) -> Program:
        if not self.subject.is_source:
            return Program(self.subject.file.resolve())
        made = subject.compile_source(self.subject, self.subject.text, [], self.folder, "plain")
        if isinstance(made, str):
            raise BadInput(f"{self.subject.file} does not compile: {made}; --flags says how you compile it")
        return Program(made)

    def _twice(self) -> Ended:
        """Run it twice. Raises Failed for one that crashes, does not end, or does not do the same again."""
        first = self._watched()
        name = self.subject.file
        if first.timed_out:
            raise Failed(
                f"{name} did not end within {self.subject.limits.seconds:g} s; "
                "give it a smaller input, or --timeout and --seconds more"
            )
        if first.status:
            self._accept(first)
        self._limit()
        second = subject.kept(self.subject, self.plain, self.folder)
        if self.subject.box is not None:
            self.subject.box.settle(first.left, second.left)
            first, second = (
                replace(each, left=self.subject.box.settled(each.left)) for each in (first, second)
            )
        if difference := problem(second, replace(first, errors=None)):
            raise Failed(
                f"{name} is not deterministic: when it runs again, {difference}; "
                "no remedy can be judged until that is fixed (a clock, an address, a random seed, "
                "an uninitialised variable?)"
            )
        if first.errors != second.errors:
            self.remarks.append("what it writes to stderr is not the same in two runs, and is not compared")
            return replace(first, errors=None)
        return first

    def _limit(self) -> None:
        """Bound each run by how long this one takes. Raises BadInput where a few would take all the time."""
        measured = self.measured = subject.measured(self.subject, self.plain)
        if measured.wall > budget.SHORTEST * self.budget.seconds:
            raise BadInput(
                f"a run of {self.subject.file} takes {units.one_time(measured.wall)}, and "
                f"{self.budget.seconds:g} s are too short to compare some; give it a smaller input, or "
                f"--seconds {math.ceil(2 * measured.wall / budget.SHORTEST)}"
            )
        self.subject = self.subject.within(max(2.0, MUCH * measured.wall))

    def _watched(self) -> Ended:
        """Run it for the first time, under watch. Raises Failed where it writes outside of its folder."""
        self.subject = self.subject.within(3 * budget.SHORTEST * self.budget.seconds)
        first = subject.kept(self.subject, self.plain, self.folder, is_watched=True)
        own = self.subject.box
        if own is not None and own.kind == "overlay" and (path := first.saw("unviewed")):
            trouble = f"it renames folders, or writes files of others: {path}"
            made, remark = box.make(own.folder, launch.launcher(), lambda _: trouble)
            self.subject = replace(self.subject, box=made)
            self.remarks.append(remark)
            first = subject.kept(self.subject, self.plain, self.folder, is_watched=True)
        if own is not None and own.kind != "in place" and (path := first.saw("outside")):
            raise Failed(
                f"{self.subject.file} writes to {path}, which is outside of {own.folder}; run headrace fix "
                "in a folder that holds both, or let it write there each time with --in-place"
            )
        self.remarks += _seen(first)
        return first

    def _accept(self, first: Ended) -> None:
        """Take an end with a status or by a signal for its own, after some work. Raises Failed without."""
        end = launch.ending(first.status)
        self.subject = replace(self.subject, status=first.status)
        runs = [launch.run(subject.request(self.subject, self.plain, None)) for _ in range(2)]
        lines = [line.strip() for line in (first.errors or "").strip().splitlines()]
        if any(isinstance(run, Failure) or run.wall < WORK for run in runs):
            raise Failed(
                f"{self.subject.file} ends {end}{': ' + lines[-1] if lines else ''}, before it has done "
                f"anything that takes time; {'; '.join(_seen(first)) or NEEDS}"
            )
        self.remarks.append(f"it ends {end}, and so it has to with each remedy")

    def _trial(self, chosen: Sequence[Remedy]) -> Trial | None:
        """Build a program with these remedies; None where they have nothing to change."""
        name = " + ".join(remedy.name for remedy in chosen)
        trial = Trial(name, list(chosen), text=self.subject.text)
        for remedy in chosen:
            if remedy.edits:
                edit = edits.edited(self.subject.text, remedy)
                by_hand = self._by_hand(remedy, edit)
                if not edit.lines and not by_hand:
                    return None
                trial.lines[remedy.name], trial.by_hand[remedy.name] = edit.lines, by_hand
                if not edit.lines and not remedy.shim:
                    trial.problem = f"not tried: it has to be edited by hand in {by_hand}"
                    return trial
                trial.text = edits.edited(trial.text, remedy).text
            trial.flags += remedy.flags
        path: Path | str = self.plain.path
        if trial.text != self.subject.text or trial.flags:
            self.watch(Step("checks", name, 0, 1))
            file = "with-" + re.sub(r"\W+", "-", name)
            seconds = max(1.0, self.budget.left(budget.KILLS) or self.budget.left(budget.LATEST))
            path = subject.compile_source(self.subject, trial.text, trial.flags, self.folder, file, seconds)
        words = ",".join(remedy.shim for remedy in chosen if remedy.shim and not trial.lines.get(remedy.name))
        shim = self._shim if words else None
        if isinstance(path, str):
            trial.problem = f"does not compile: {path}"
        elif isinstance(shim, str):
            trial.problem = shim
        else:
            environment = {"LD_PRELOAD": str(shim), "HEADRACE_SHIM": words} if shim else {}
            trial.program = Program(path, environment)
        return trial

    def _by_hand(self, remedy: Remedy, own: edits.Edit) -> str:
        """Say where else a remedy has something to change: no edit is safe, or main is not there."""
        parts = [_lines(own.by_hand)] if own.by_hand else []
        for other in self.subject.others if remedy.replace else ():
            edit = edits.edited(subject.text_of(other), remedy)
            there = edit.lines + edit.by_hand
            parts += [f"{_lines(there)} of {other}"] if there else []
        return ", ".join(parts)

    @cached_property
    def _shim(self) -> Path | str:
        library = subject.library_of(self.plain.path)
        if library not in ("", self.subject.toolchain.library):
            return "is not linked with a shared C++ library that a shim could reach"
        try:
            return subject.compile_shim(self.subject.toolchain, self.folder)
        except HeadraceError as error:
            return str(error)

    def _other_inputs(self) -> list[tuple[str, Path, Ended]]:
        """Make small inputs of the given one, with what the program as it is makes of them."""
        made: list[tuple[str, Path, Ended]] = []
        quick = self.subject.within(subject.QUICK)
        for name, given in other_inputs(self.subject.input.read_bytes()):
            if not self.budget.has(budget.CHECKS):
                break
            file = self.folder / f"input-{len(made)}"
            file.write_bytes(given)
            first, second = (subject.kept(quick, self.plain, self.folder, file) for _ in range(2))
            if first.errors != second.errors:
                first = replace(first, errors=None)
            if not first.timed_out and not problem(second, first):  # else it shows nothing
                made.append((name, file, first))
        return made

    def _judge(self, trial: Trial) -> None:
        """Run a trial on every input; the first difference from the program as it is becomes its problem."""
        if trial.program is None:
            return
        trial.problem = problem(subject.kept(self.subject, trial.program, self.folder), self.right)
        quick = self.subject.within(subject.QUICK)
        for name, file, right in self._others:
            if not trial.problem and not self.budget.has(budget.LATEST):
                trial.is_late = True
                trial.problem = f"not tried on all inputs within {self.budget.seconds:g} s"
            if not trial.problem:
                trial.problem = problem(
                    subject.kept(quick, trial.program, self.folder, file), right, f"on {name} "
                )
        if not trial.problem and any(wait.written for wait in self._waits):
            late = late_prompt(subject.waits(self.subject, trial.program), self._waits)
            if late:
                trial.problem = f"on a terminal its prompt no longer appears before it waits for line {late}"

    def _combinations(self, trials: Sequence[Trial]) -> list[Trial]:
        together = remedies.combinations([trial.remedies[0] for trial in trials if trial.is_safe], self.seen)
        built = (self._trial(each) for each in together if self.budget.has(budget.COMBINATIONS))
        return [trial for trial in built if trial is not None]

    def _try_kills(self, trials: Sequence[Trial]) -> None:
        """Kill each in the middle of its output; note what that loses where it is more than it was."""
        size = len(self.right.output) + sum(each.size for each in self.right.left.values())
        before = subject.loss(self.subject, self.plain, self.folder, size) if size and trials else None
        unknown = []
        for trial in trials if size else []:
            lost = None
            if before is not None and trial.program is not None and self.budget.has(budget.KILLS):
                lost = subject.loss(self.subject, trial.program, self.folder, size)
            if before is None or lost is None:
                unknown.append(trial.name)
            elif lost[1] > before[1]:
                trial.loss = lost
        if unknown:
            names = listed(some(unknown, 3))
            self.remarks.append(f"whether a kill loses more with {names} could not be seen")

    def _try_one_file(self, trials: Sequence[Trial]) -> None:
        """Run each with stderr where stdout goes; note those by which the order of the two changes."""
        if not (trials and self.right.output and self.right.errors):
            return
        right, again = (
            subject.kept(self.subject, self.plain, self.folder, in_one_file=True).output for _ in range(2)
        )
        for trial in trials if right == again else []:
            if trial.program is not None and self.budget.has(budget.KILLS):
                got = subject.kept(self.subject, trial.program, self.folder, in_one_file=True)
                trial.reorders = got.output != right

    def _measure(self, trials: list[Trial]) -> None:
        """Run everything in rounds, in a fresh order each, until the time is up."""
        file = self.folder / "right"
        file.write_bytes(self.right.output)
        digest, size = launch.digest(file)
        self.expected = launch.Expected(digest=digest, bytes=size, left=self.right.left)
        base = Trial("as it is", [], program=self.plain)
        seconds = max(self.budget.left(), self.budget.left(budget.LATEST) / measuring.LAST)
        done = measuring.race(base, trials, self._time, seconds, SEED, self._watch_rounds)
        if base.problem:
            raise Failed(f"{self.subject.file} is not deterministic: {base.problem}")
        if trials and done < measuring.LOOKS[0]:
            self.remarks.append(
                f"{done} rounds within {self.budget.seconds:g} s prove only what is much faster; "
                "give more --seconds"
            )

    def _watch_rounds(self, done: int) -> None:
        self.watch(Step("runs", "measured rounds", done, max(measuring.LOOKS[0], done + 1)))

    def _pruned(self, best: Trial, trials: list[Trial]) -> Trial:
        """Leave out the parts of a combination that do not help: what is as fast without takes its place."""
        for part in [*best.remedies]:
            rest = [remedy for remedy in best.remedies if remedy is not part]
            if not rest or not self.budget.has(budget.LATEST):
                break
            less = next((trial for trial in trials if trial.remedies == rest), None) or self._trial(rest)
            if less is not None and less not in trials:
                self._judge(less)
            if less is None or not less.is_safe:
                continue
            slow, fast = Trial("less", [], program=less.program), Trial("more", [], program=best.program)
            seconds = self.budget.left(budget.LATEST) / 6
            measuring.race(slow, [fast], self._time, seconds, SEED, self._watch_rounds)
            if fast.gain is None or slow.problem or fast.gain.centre > MARGIN:
                continue
            less.gain, less.loss = best.gain, less.loss or best.loss
            less.reorders |= best.reorders
            trials[:] = [trial for trial in trials if trial is not less and trial is not best] + [less]
            best = less
        return best

    def _time(self, trial: Trial) -> None:
        assert trial.program is not None  # of the safe ones
        ended = launch.run(subject.request(self.subject, trial.program, self.expected))
        if isinstance(ended, Failure) and ended.outcome == "TIMED OUT":
            trial.is_late = True
            limit = units.one_time(self.subject.limits.seconds)
            trial.problem = f"of its measured runs, one did not end within {limit}"
        elif isinstance(ended, Failure):
            trial.problem = f"{ended.outcome.lower()}: {ended.detail}"
        else:
            trial.times.append(ended.wall)

    def _told(self, trials: Sequence[Trial]) -> list[Known]:
        """Return the causes to tell: first what a remedy is proved to cure, then by their share.

        Where I/O, conversion and streams together take more than the program's own work, theirs come first.
        """
        scored, split = [], self.seen.split
        for known in self.seen.causes:
            own = [trial for trial in trials if self._cures(trial, known)]
            gain = max((trial.gain.centre for trial in own if trial.helps and trial.gain), default=0.0)
            is_idle = known.is_hidden and not gain
            is_useless = bool(own) and not gain and all(trial.is_useless for trial in own)
            if is_idle or (is_useless and known.share < causes.CERTAIN) or (known.share < TOLD and not gain):
                continue
            proved = gain if gain >= math.log(WORTH) else 0.0
            is_certain = bool(proved) or (self._is_clear(known) and not is_useless)
            io_first = known.cause.is_io and split.of_io > split.own
            score = (_of_its_own(known, proved), io_first, known.share)
            scored.append((score, replace(known, certain=is_certain)))
        return [known for _, known in sorted(scored, key=lambda each: each[0], reverse=True)]

    def _is_clear(self, known: Known) -> bool:
        """Tell whether a cause has most of the time, and more than samples could take for another's.

        Samples say both shares only within their bounds; what these leave open is not certain.
        """
        others = [each.bounds[1] for each in self.seen.causes if each is not known]
        return known.bounds[0] >= max(causes.CERTAIN, max(others, default=0.0) / NEXT)

    def _cures(self, trial: Trial, known: Known) -> bool:
        """Tell whether what a trial gains is what a cause costs: it cures little else."""
        flushes = remedies.flushes(self.seen)
        if known.name not in {name for remedy in trial.remedies for name in remedy.cures}:
            return False
        if len(trial.remedies) == 1:
            return len(trial.remedies[0].cures) <= FEW
        return known.name in flushes and all(flushes & {*remedy.cures} for remedy in trial.remedies)


def _seen(first: Ended) -> list[str]:
    """Say what a watcher saw that a view of a folder does not keep apart."""
    seen = ((remark, first.saw(what)) for what, remark in SEEN.items())
    return [remark.replace("PATH", path) for remark, path in seen if path is not None]


def _of_its_own(known: Known, gain: float) -> float:
    """Return what of a remedy's gain a cause may be credited with: without its share of the time, no more.

    A remedy may end more than one cause. Flushes hide one another, so their shares say too little.
    """
    return gain if known.cause.flushes else min(gain, -math.log(max(1e-9, 1.0 - known.share)))


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


def problem(got: Ended, right: Ended, on: str = "") -> str:
    """Say how a run's end differs from the right one; "" where it does not. `on`: "on an empty input "."""
    if got.timed_out:
        return f"{on}it does not end in time"
    if got.output != right.output:
        return f"{on}its output differs {_where(right.output, got.output)}"
    for path in sorted({*got.left, *right.left}):
        if got.left.get(path) != right.left.get(path):
            return on + _file_problem(path, got.left.get(path), right.left.get(path))
    if got.status != right.status:
        return f"{on}it ends {launch.ending(got.status)}, not {launch.ending(right.status)}"
    if right.errors is not None and got.errors is not None and got.errors != right.errors:
        where = _where(right.errors.encode(), got.errors.encode())
        return f"{on}what it writes to stderr differs {where}"
    return ""


def _file_problem(path: str, got: Entry | None, right: Entry | None) -> str:
    """Say how what a run did to a file differs from what it should have done."""
    if got is None or right is None:
        done = {"deleted": "deletes", "file": "writes", "folder": "makes"}
        verb = done.get((got or right or Entry("")).kind, "makes")
        return f"it {verb} {path}, as it did not before" if got else f"it no longer {verb} {path}"
    if got.data is not None and right.data is not None and got.data != right.data:
        return f"{path} differs {_where(right.data, got.data)}"
    if got.kind == right.kind and got.mode != right.mode:
        return f"{path} has the mode {got.mode:o} instead of {right.mode:o}"
    sizes = f": {got.size:,} bytes instead of {right.size:,}" if got.size != right.size else ""
    return f"{path} differs{sizes}"


def _where(right: bytes, got: bytes) -> str:
    """Say where two outputs first differ: line, and what each has there."""
    at = len(os.path.commonprefix([right, got]))
    line = right.count(b"\n", 0, at) + 1
    begin = right.rfind(b"\n", 0, at) + 1

    def shown(data: bytes) -> str:
        text = data[max(begin, at - 20) : at + 20].decode(errors="replace")
        return repr(text) if text else "nothing"

    return f"in line {line}: {shown(got)} instead of {shown(right)}"


def _is_enough(part: Trial, whole: Trial) -> bool:
    """Tell whether a part of a combination gains as much as all of it: an endl after the loop is idle."""
    if part.gain is None or whole.gain is None or not (part.helps and whole.helps):
        return False
    is_part = len(part.remedies) < len(whole.remedies) and all(
        remedy in whole.remedies for remedy in part.remedies
    )
    return is_part and part.gain.centre >= whole.gain.centre - math.log(NEAR)


def _best(trials: Sequence[Trial]) -> Trial | None:
    """Return the fastest of what surely helps, or a simpler one that is nearly as fast."""
    helping = [trial for trial in trials if trial.helps]
    if not helping:
        return None
    fastest = max(trial.gain.centre for trial in helping if trial.gain is not None)
    near = [
        trial for trial in helping if trial.gain is not None and trial.gain.centre >= fastest - math.log(NEAR)
    ]
    return min(near, key=lambda trial: len(trial.remedies))


def _lines(numbers: Sequence[int]) -> str:
    """Write line numbers: "line 3", "lines 3 and 7 to 9"."""
    ordered = enumerate(sorted(set(numbers)))
    parts = [[number for _, number in run] for _, run in groupby(ordered, lambda pair: pair[1] - pair[0])]
    ranges = [str(part[0]) if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts]
    return f"line{'s' if len(numbers) > 1 else ''} {listed(ranges)}"


def toolchain_for(file: Path, is_source: bool, chains: Sequence[Toolchain]) -> Toolchain:
    """Return the compiler for a source, or one with the library of an executable. Raises NothingToDo."""
    usable = [chain for chain in chains if not chain.runner]
    if not is_source:
        library = subject.library_of(file)
        usable = [chain for chain in usable if chain.library == library] or usable
    if not usable:
        raise NothingToDo("no compiler for this machine was found; headrace doctor says what is missing")
    return usable[0]


def written(best: Trial) -> str:
    """Return the edited source of a trial, with the headers that its flags would include as lines."""
    flags = [flag for remedy in best.remedies for flag in remedy.flags]
    headers = [header for flag, header in pairwise(flags) if flag == remedies.INCLUDE]
    return edits.with_headers(best.text, headers)
