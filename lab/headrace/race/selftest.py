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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from headrace.base import places
from headrace.base.errors import Failed
from headrace.base.text import plural
from headrace.builds import build
from headrace.judge.samples import share_interval
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
        return share_interval(self.wall if metric == "wall" else self.cpu, self.campaigns)

    def text(self, metric: Metric) -> str:
        """Write a count with the interval of its share: "3 of 60 [1%, 14%]"."""
        low, high = self.share(metric)
        hits = self.wall if metric == "wall" else self.cpu
        return f"{hits} of {self.campaigns} [{low:.0%}, {high:.0%}]"


@dataclass(frozen=True)
class Places:
    """A campaign of seven builds with known differences, and what it said of their order."""

    kind: str
    told: int  # of the pairs that differ, those of which one was called faster
    pairs: int
    wrong: int  # directions that are not true


@dataclass(frozen=True)
class Report:
    """The figures of `headrace selftest`."""

    alarms: Count
    power: Count
    places: list[Places]
    steps: int
    seconds: float
    warnings: list[str] = field(default_factory=list)

    @property
    def kept(self) -> dict[str, bool | None]:
        """Whether each promise is kept; None: the campaigns cannot tell.

        Alarms are counted by both times, the power by processor time. One table with a wrong direction may be
        the one of twenty that is allowed.
        """
        alarms = [self.alarms.share(metric) for metric in METRICS]
        low, high = max(low for low, _ in alarms), max(high for _, high in alarms)
        power = self.power.share("cpu")
        tables = sum(one.wrong > 0 for one in self.places)
        broken = tables and share_interval(tables, len(self.places))[0] > MOST_ALARMS
        return {
            "alarms": False if low > MOST_ALARMS else high <= MOST_ALARMS or None,
            "power": False if power[1] < LEAST_POWER else power[0] >= LEAST_POWER or None,
            "places": False if broken else not tables or None,
        }

    @property
    def passes(self) -> bool:
        """No promise is broken."""
        return False not in self.kept.values()

    def as_json(self) -> str:
        """Return the figures, the intervals of the shares, and whether the promises are kept (null: open)."""
        figures = asdict(self)
        for name, count in (("alarms", self.alarms), ("power", self.power)):
            figures[name] |= {f"{metric}_share": count.share(metric) for metric in METRICS}
        return json.dumps(figures | {f"{name}_kept": value for name, value in self.kept.items()}, indent=1)

    def as_text(self) -> str:
        """Return the figures as lines for a person."""
        same, more, count = self.alarms, self.power, plural(self.alarms.campaigns, "campaign")
        words = {True: "kept", False: "BROKEN", None: f"open, as {count} cannot tell; --thorough tries more"}
        of_places = {**words, None: "open, as one table in 20 may have one"}[self.kept["places"]]
        lines = [
            f"The same binary twice, {count}: a difference was called in {same.text('wall')} by wall time "
            f"and {same.text('cpu')} by processor time (at most {MOST_ALARMS:.0%} each): "
            f"{words[self.kept['alarms']]}",
            f"3% more work, {count} of at most {LOOKS[-1]} rounds: called slower in {more.text('cpu')} by "
            f"processor time (at least {LEAST_POWER:.0%}): {words[self.kept['power']]}; by wall time in "
            f"{more.text('wall')}",
            *(
                f"Seven builds that take 0 to 30% longer ({one.kind}): "
                f"{plural(one.wrong, 'wrong direction')}, {one.told} of {one.pairs} pairs told "
                f"apart: {of_places}"
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
    places = [_places(spin, kind, many) for kind, many in (kinds or {}).items()]
    same: list[Measured] = []
    more: list[Measured] = []
    while len(more) < campaigns and not (len(more) >= FEWEST and time.monotonic() - begun > seconds):
        for raced, work in ((same, steps), (more, round(steps * MORE_WORK))):
            raced.append(_raced(spin, KINDS[0], [steps, work], len(same) + len(more)))
            watch(len(same) + len(more))
    return Report(
        alarms=_count(same, DIFFERENT),
        power=_count(more, ("slower",)),
        places=places,
        steps=steps,
        seconds=time.monotonic() - begun,
        warnings=noise.warnings([one for measured in (*same, *more) for one in measured.noise]),
    )


def _places(spin: Spin, kind: str, steps: int) -> Places:
    """Race seven builds with known differences and compare their places with the truth."""
    measured = _raced(spin, kind, [round(steps * (1 + more)) for more in MORE], len(kind))
    judged = {int(row.id): row.judged for row in measured.rows if not row.twin_of}
    said = [(MORE[a], MORE[b]) for a in judged for b in judged if 0 < judged[a].last < judged[b].first]
    told = sum(fast < slow for fast, slow in said)
    pairs = sum(a < b for a in MORE for b in MORE)
    return Places(kind, told, pairs, len(said) - told)


def _raced(spin: Spin, kind: str, works: Sequence[int], seed: int) -> Measured:
    """Run a campaign of builds that do so much work, of which the first is the baseline."""
    row = Row(
        id="",
        benchmark="selftest",
        contender="",
        toolchain="",
        optimisation="O2",
        source="none",
        sink="null",
    )
    entries = [
        Entry(
            row.model_copy(update={"id": str(at), "contender": str(at)}),
            spin(work, kind),
            "0" if at else None,
        )
        for at, work in enumerate(works)
    ]
    measured = measure(entries, Plan(seed=seed, looks=LOOKS, elapsed=BRIEFLY))
    if measured.interrupted:
        raise KeyboardInterrupt
    for row in measured.rows:
        if row.outcome != "ok":
            raise Failed(f"the test program {row.outcome}: {row.detail}")
        if row.comparisons and len(row.comparisons) < len(METRICS):
            raise Failed(
                "this system reports no processor time for a run of a few ms, so the test says nothing"
            )
    return measured


def _count(campaigns: Sequence[Measured], words: Sequence[Verdict]) -> Count:
    """Count the campaigns that called their last row by one of the words."""
    called = [
        {one.metric for one in measured.rows[-1].comparisons if one.verdict in words}
        for measured in campaigns
    ]
    return Count(len(campaigns), *(sum(metric in metrics for metrics in called) for metric in METRICS))


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
