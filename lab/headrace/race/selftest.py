"""`headrace selftest`: does the method keep its word on this machine?

Promises are tried with real processes, the first two in many short campaigns:

- False alarms: the same binary twice. At most 5 % of the campaigns may call a difference, of any size.
- Power: a program that does 3 % more work. At least 90 % of the campaigns must call it slower by processor
  time within 36 rounds.

- Places: seven builds that do 0 to 30 % more work, of three kinds. No pair may come in a wrong order.

A count of campaigns is a sample, too: each share is given with its 95 % interval. A promise is kept where the
whole interval says so, broken where the whole interval speaks against it, and open in between.

The program is native/spin.cpp, a chain of multiplications, loads or system calls that takes a few
milliseconds. Processor time is user + system: with tick accounting a kernel knows the sum to the microsecond,
its parts to a tick of 4 ms.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from headrace.base import places
from headrace.base.errors import Failed
from headrace.base.text import plural
from headrace.builds import build
from headrace.judge import share
from headrace.judge.table import METRICS
from headrace.machine import noise
from headrace.matrix import toolchains
from headrace.measure.campaign import measure
from headrace.measure.plan import BRIEFLY, Entry, Measured, Plan, Run
from headrace.processes import launch
from headrace.results.schema import Metric, Row, Sample, Verdict

LOOKS = (12, 24, 36)
MORE_WORK = 1.03
RUN_SECONDS = 0.008  # long against a process start (0.5 ms), short enough for 60 campaigns in two minutes
FEWEST = 20  # campaigns
MOST_ALARMS = 0.05
LEAST_POWER = 0.90
DIFFERENT: tuple[Verdict, ...] = ("faster", "slower", "a small difference")


Spin = Callable[[int, str], Run]  # steps, kind of work -> one run of that many steps
KINDS = ("compute", "memory", "calls")
MORE = (0.0, 0.0, 0.01, 0.03, 0.05, 0.10, 0.30)  # what seven builds do more than the first


@dataclass(frozen=True)
class Count:
    """How often something was called in a number of campaigns, by metric."""

    campaigns: int
    wall: int
    cpu: int

    def share(self, metric: Metric) -> tuple[float, float]:
        """The 95 % interval of the share of campaigns in which it was called."""
        return share.interval(self.wall if metric == "wall" else self.cpu, self.campaigns)

    def text(self, metric: Metric) -> str:
        """Write a count with the interval of its share: "3 of 60 [1%, 14%]"."""
        low, high = self.share(metric)
        hits = self.wall if metric == "wall" else self.cpu
        return f"{hits} of {self.campaigns} [{low:.0%}, {high:.0%}]"


@dataclass(frozen=True)
class Places:
    """What a campaign of seven builds with known differences said of their order."""

    kind: str
    told: int  # of the pairs that differ, those of which one was called faster
    pairs: int
    wrong: int  # directions that are not true


@dataclass(frozen=True)
class Report:
    """What `headrace selftest` found."""

    alarms: Count
    power: Count
    places: list[Places]
    steps: int
    seconds: float
    warnings: list[str] = field(default_factory=list)

    @property
    def alarms_kept(self) -> bool | None:
        """At most 5 % false alarms, by wall time and by processor time; None: the campaigns cannot tell."""
        found = [self.alarms.share(metric) for metric in METRICS]
        if any(low > MOST_ALARMS for low, _ in found):
            return False
        return True if all(high <= MOST_ALARMS for _, high in found) else None

    @property
    def power_kept(self) -> bool | None:
        """At least 90 % of 3 % found, by processor time; None: the campaigns cannot tell."""
        low, high = self.power.share("cpu")
        return False if high < LEAST_POWER else True if low >= LEAST_POWER else None

    @property
    def places_kept(self) -> bool | None:
        """A wrong direction in at most 5 % of tables; None: one of them has some, which may be that one."""
        tables = sum(one.wrong > 0 for one in self.places)
        if tables and share.interval(tables, len(self.places))[0] > MOST_ALARMS:
            return False
        return None if tables else True

    @property
    def passes(self) -> bool:
        """No promise is broken."""
        return False not in (self.alarms_kept, self.power_kept, self.places_kept)

    def as_json(self) -> str:
        """Return the figures, the intervals of the shares, and whether the promises are kept (null: open)."""
        figures = asdict(self)
        for name, count in (("alarms", self.alarms), ("power", self.power)):
            figures[name] |= {f"{metric}_share": count.share(metric) for metric in METRICS}
        kept = {"alarms": self.alarms_kept, "power": self.power_kept, "places": self.places_kept}
        return json.dumps(figures | {f"{name}_kept": value for name, value in kept.items()}, indent=1)

    def as_text(self) -> str:
        """Return the figures as lines for a person."""
        same, more, count = self.alarms, self.power, plural(self.alarms.campaigns, "campaign")
        words = {
            True: "kept",
            False: "BROKEN",
            None: f"open, as {count} cannot tell; --thorough tries more",
        }
        lines = [
            f"The same binary twice, {count}: a difference was called in {same.text('wall')} by wall time "
            f"and {same.text('cpu')} by processor time (at most {MOST_ALARMS:.0%} each): "
            f"{words[self.alarms_kept]}",
            f"3% more work, {count} of at most {LOOKS[-1]} rounds: called slower in {more.text('cpu')} by "
            f"processor time (at least {LEAST_POWER:.0%}): {words[self.power_kept]}; by wall time in "
            f"{more.text('wall')}",
            *(
                f"Seven builds that take 0 to 30% longer ({one.kind}): "
                f"{plural(one.wrong, 'wrong direction')}, {one.told} of {one.pairs} pairs told apart: "
                f"{(words | {None: 'open, as one table in 20 may have one'})[self.places_kept]}"
                for one in self.places
            ),
            f"{self.steps} steps per run, {self.seconds:.0f} s in all.",
        ]
        return "\n".join([*lines, *(f"warning: {one}" for one in self.warnings)])


def check(
    spin: Spin,
    steps: int,
    campaigns: int,
    watch: Callable[[int], None] = lambda done: None,
    kinds: Mapping[str, int] | None = None,
    seconds: float = math.inf,
) -> Report:
    """Try the promises, two of them with `campaigns` campaigns each; `watch` hears how many are done.

    `kinds`: kind of work -> steps of a run, for the campaigns of seven builds; none without it. After
    `seconds`, FEWEST campaigns are enough.

    Raises Failed when a run fails: then nothing can be said.
    """
    begun = time.monotonic()
    works = {"alarms": steps, "power": round(steps * MORE_WORK)}
    verdicts: dict[tuple[str, str], list[Verdict]] = {(kind, m): [] for kind in works for m in METRICS}
    campaigns_run: list[Measured] = []
    places_found = [_places(spin, kind, many) for kind, many in (kinds or {}).items()]
    for done in range(campaigns):
        if done >= FEWEST and time.monotonic() - begun > seconds:
            campaigns = done
            break
        for kind, work in works.items():
            measured = measure(
                _entries(spin, steps, work), Plan(seed=len(campaigns_run), looks=LOOKS, elapsed=BRIEFLY)
            )
            _stop_if_failed(measured)
            campaigns_run.append(measured)
            for one in measured.rows[-1].comparisons:
                verdicts[kind, one.metric].append(one.verdict)
            watch(len(campaigns_run))
    rounds = [one for measured in campaigns_run for one in measured.noise]
    return Report(
        alarms=_count(campaigns, verdicts["alarms", "wall"], verdicts["alarms", "cpu"], DIFFERENT),
        power=_count(campaigns, verdicts["power", "wall"], verdicts["power", "cpu"], ("slower",)),
        places=places_found,
        steps=steps,
        seconds=time.monotonic() - begun,
        warnings=noise.warnings(rounds),
    )


def _places(spin: Spin, kind: str, steps: int) -> Places:
    """Race seven builds with known differences and compare their places with the truth."""
    entries = [
        Entry(_row(str(at)), spin(round(steps * (1 + more)), kind), "0" if at else None)
        for at, more in enumerate(MORE)
    ]
    measured = measure(entries, Plan(seed=len(kind), looks=LOOKS, elapsed=BRIEFLY))
    if measured.interrupted:
        raise KeyboardInterrupt
    judged = {int(row.id): row.judged for row in measured.rows if not row.twin_of}
    pairs = [(a, b) for b in judged for a in judged if MORE[a] < MORE[b]]
    same = [(a, b) for b in judged for a in judged if a != b and MORE[a] == MORE[b]]

    def before(a: int, b: int) -> bool:
        return 0 < judged[a].last < judged[b].first

    wrong = sum(before(b, a) for a, b in pairs) + sum(before(a, b) for a, b in same)
    return Places(kind, sum(before(a, b) for a, b in pairs), len(pairs), wrong)


def _count(campaigns: int, wall: list[Verdict], cpu: list[Verdict], words: tuple[Verdict, ...]) -> Count:
    return Count(campaigns, sum(one in words for one in wall), sum(one in words for one in cpu))


def _stop_if_failed(measured: Measured) -> None:
    if measured.interrupted:
        raise KeyboardInterrupt
    for row in measured.rows:
        if row.outcome != "ok":
            raise Failed(f"the test program {row.outcome}: {row.detail}")
        if row.comparisons and len(row.comparisons) < len(METRICS):
            raise Failed(
                "this system reports no processor time for a run of a few ms, so the test says nothing"
            )


def _entries(spin: Spin, steps: int, work: int) -> list[Entry]:
    """Two builds to compare: `steps` of work, and `work`."""
    kind = KINDS[0]
    return [Entry(_row("one"), spin(steps, kind), None), Entry(_row("other"), spin(work, kind), "one")]


def _row(name: str) -> Row:
    return Row(
        id=name,
        benchmark="selftest",
        contender=name,
        toolchain="",
        optimisation="O2",
        source="none",
        sink="null",
    )


def calibrate(spin: Spin, seconds: float = RUN_SECONDS, kind: str = KINDS[0]) -> int:
    """Find the steps that take a number of seconds of processor time beyond the start of a process."""
    few, many = 100_000, 4_000_000
    times = {}
    for steps in (few, many):
        samples = [one for one in (spin(steps, kind)(0) for _ in range(7)) if isinstance(one, Sample)]
        if not samples:
            raise Failed("the test program does not run here")
        times[steps] = min(one.user + one.system for one in samples) or min(one.wall for one in samples)
    step = (times[many] - times[few]) / (many - few)
    if step <= 0:
        raise Failed("forty times the work did not take longer: the clock of this system is too coarse")
    return max(1, round(seconds / step))


def real_spin(folder: Path) -> Spin:
    """Build native/spin.cpp and return the way to run it. Raises NothingToDo without a compiler."""
    found = toolchains.find().toolchains
    build.launcher(found)
    toolchain = next((one for one in found if not one.runner), found[0])
    program = folder / "spin"
    source = str(places.native_folder() / "spin.cpp")
    words = toolchain.compile([source], program, optimise="O2")
    done = launch.call(words, timeout=build.TIMEOUT, environment=toolchain.environment)
    if not done.ok:
        raise Failed(f"cannot build the test program: {toolchains.first_error(done.err)}")

    def spin(steps: int, kind: str) -> Run:
        request = launch.Request(command=[*toolchain.runner, str(program), kind, str(steps)])
        return lambda number: launch.run(request)

    return spin
