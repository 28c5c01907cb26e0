"""`headrace selftest`: does the method keep its word on this machine?

Promises are tried with real processes. In many short campaigns: the same program twice, in the same layouts
as two edits have them, and in layouts of its own each as unrelated programs have them; and one that does 3 %
more work. In one table of each kind: the order of seven builds of known differences. A count of campaigns is
a sample, too: each share is given with its 95 % interval. A promise is kept where the whole interval says so,
broken where the whole interval speaks against it, and open in between.

The program is native/spin.cpp, a chain of multiplications, loads or system calls.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from headrace import LAYOUTS
from headrace.base import places
from headrace.base.errors import Failed
from headrace.base.text import plural
from headrace.builds import build, layout
from headrace.judge.samples import share_interval
from headrace.judge.table import METRICS
from headrace.machine import noise
from headrace.matrix import toolchains
from headrace.matrix.benchmarks import Contender, ContenderSpec
from headrace.measure.campaign import measure
from headrace.measure.plan import BRIEFLY, Entry, Measured, Plan, Run
from headrace.processes import launch
from headrace.results.failure import Failure
from headrace.results.schema import Metric, Row, Sample, Verdict

LOOKS = (12, 24, 36)
MORE_WORK = 1.03
RUN_SECONDS = 0.008  # long against a process start (0.5 ms), short enough for many campaigns in two minutes
FEWEST = 20  # campaigns that are worth asking for
MOST_SECONDS = 12.0  # of one campaign, on a machine that others keep busy
MOST_ALARMS = 0.05
LEAST_POWER = 0.90
DIFFERENT: tuple[Verdict, ...] = ("faster", "slower", "a small difference")


Spin = Callable[[int, str, int], Run]  # steps, kind of work, seed of its layouts -> one run
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
        return share_interval(getattr(self, metric), self.campaigns)

    def text(self, metric: Metric) -> str:
        """Write a count with the interval of its share: "3 of 60 [1%, 14%]"."""
        low, high = self.share(metric)
        return f"{getattr(self, metric)} of {self.campaigns} [{low:.0%}, {high:.0%}]"

    @property
    def is_seldom(self) -> bool | None:
        """Whether it is called in at most MOST_ALARMS of campaigns, by both times; None: nobody can tell."""
        shares = [self.share(metric) for metric in METRICS]
        if max(low for low, _ in shares) > MOST_ALARMS:
            return False
        return max(high for _, high in shares) <= MOST_ALARMS or None


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
    unrelated: Count
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
        low, high = self.power.share("cpu")
        tables = sum(race.wrong > 0 for race in self.places)
        broken = tables and share_interval(tables, len(self.places))[0] > MOST_ALARMS
        return {
            "alarms": self.alarms.is_seldom,
            "unrelated": self.unrelated.is_seldom,
            "power": False if high < LEAST_POWER else low >= LEAST_POWER or None,
            "places": False if broken else not tables or None,
        }

    @property
    def passes(self) -> bool:
        """No promise is broken."""
        return False not in self.kept.values()

    def as_json(self) -> str:
        """Return the figures, the intervals of the shares, and whether the promises are kept (null: open)."""
        figures = asdict(self)
        for name in ("alarms", "unrelated", "power"):
            figures[name] |= {f"{metric}_share": getattr(self, name).share(metric) for metric in METRICS}
        return json.dumps(figures | {f"{name}_kept": value for name, value in self.kept.items()}, indent=1)

    def as_text(self) -> str:
        """Return the figures as lines for a person."""
        count = plural(self.alarms.campaigns, "campaign")
        words = {True: "kept", False: "BROKEN", None: f"open, as {count} cannot tell; --thorough tries more"}
        of_places = {**words, None: "open, as one table in 20 may have one"}[self.kept["places"]]

        def alarms(what: str, counted: Count) -> str:
            return (
                f"{what}, {count}: a difference was called in {counted.text('wall')} by wall time "
                f"and {counted.text('cpu')} by processor time (at most {MOST_ALARMS:.0%} each): "
                f"{words[counted.is_seldom]}"
            )

        lines = [
            alarms("The same program twice", self.alarms),
            alarms("The same work by unrelated programs", self.unrelated),
            f"3% more work, {count} of at most {LOOKS[-1]} rounds: called slower in {self.power.text('cpu')} "
            f"by processor time (at least {LEAST_POWER:.0%}): {words[self.kept['power']]}; by wall time in "
            f"{self.power.text('wall')}",
            *(
                f"Seven builds that take 0 to 30% longer ({race.kind}): "
                f"{plural(race.wrong, 'wrong direction')}, {race.told} of {race.pairs} pairs told "
                f"apart: {of_places}"
                for race in self.places
            ),
            f"{self.steps} steps per run, {self.seconds:.0f} s in all.",
        ]
        return "\n".join([*lines, *(f"warning: {warning}" for warning in self.warnings)])


def check(
    spin: Spin,
    steps: int,
    campaigns: int,
    watch: Callable[[int], None] = lambda done: None,
    kinds: Mapping[str, int] | None = None,
    seconds: float = math.inf,
    clock: Callable[[], float] = time.monotonic,
) -> Report:
    """Try the promises, each but the last with `campaigns` campaigns; `watch` hears how many are done in all.

    `kinds`: kind of work -> steps of a run, for the campaigns of seven builds; none without it. No
    further campaign of each kind begins that would probably end after `seconds`, by `clock`. Raises Failed
    when a run fails: then nothing can be said.
    """
    begun = clock()
    ranked = []
    for kind, many in (kinds or {}).items():
        ranked.append(_places(spin, kind, many, clock))
        watch(len(ranked))
    cases = {"alarms": (steps, 0), "unrelated": (steps, 1), "power": (round(steps * MORE_WORK), 0)}
    raced: dict[str, list[Measured]] = {name: [] for name in cases}
    done, took = 0, 0.0
    for number in range(campaigns):
        now = clock()
        if number and now - begun + took > seconds:
            break
        for name, (work, luck) in cases.items():
            done += 1
            runs = [spin(steps, KINDS[0], 0), spin(work, KINDS[0], luck * done)]
            raced[name].append(_raced(runs, done, clock))
            watch(len(ranked) + done)
        took = clock() - now
    rounds = [of_round for measured in raced.values() for campaign in measured for of_round in campaign.noise]
    return Report(
        alarms=_count(raced["alarms"], DIFFERENT),
        unrelated=_count(raced["unrelated"], DIFFERENT),
        power=_count(raced["power"], ("slower",)),
        places=ranked,
        steps=steps,
        seconds=clock() - begun,
        warnings=noise.warnings(rounds),
    )


def _places(spin: Spin, kind: str, steps: int, clock: Callable[[], float]) -> Places:
    """Race seven builds with known differences and compare their places with the truth."""
    measured = _raced([spin(round(steps * (1 + more)), kind, 0) for more in MORE], len(kind), clock)
    judged = {int(row.id): row.judged for row in measured.rows if not row.twin_of}
    ordered = [(MORE[a], MORE[b]) for a in judged for b in judged if 0 < judged[a].last < judged[b].first]
    told = sum(fast < slow for fast, slow in ordered)
    return Places(kind, told, sum(a < b for a in MORE for b in MORE), len(ordered) - told)


def _raced(runs: Sequence[Run], seed: int, clock: Callable[[], float]) -> Measured:
    """Run a campaign of builds, of which the first is the baseline."""
    usual = {"benchmark": "selftest", "toolchain": "", "optimisation": "O2", "source": "none", "sink": "null"}
    rows = [Row.model_validate({**usual, "id": f"{n}", "contender": f"{n}"}) for n in range(len(runs))]
    entries = [Entry(row, run, "0" if row.id != "0" else None) for row, run in zip(rows, runs, strict=True)]
    plan = Plan(seed=seed, max_seconds=MOST_SECONDS, looks=LOOKS, elapsed=BRIEFLY)
    measured = measure(entries, plan, clock=clock)
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
        {pair.metric for pair in measured.rows[-1].comparisons if pair.verdict in words}
        for measured in campaigns
    ]
    return Count(len(campaigns), *(sum(metric in metrics for metrics in called) for metric in METRICS))


def calibrate(spin: Spin, seconds: float = RUN_SECONDS, kind: str = KINDS[0]) -> int:
    """Find the steps that take a number of seconds of processor time beyond the start of a process."""
    few, many = 100_000, 4_000_000
    times = {}
    for steps in (few, many):
        runs = (spin(steps, kind, 0)(1) for _ in range(7))
        samples = [run for run in runs if isinstance(run, Sample)]
        if not samples:
            raise Failed("the test program does not run here")
        on_processor = min(sample.user + sample.system for sample in samples)
        times[steps] = on_processor or min(sample.wall for sample in samples)
    step = (times[many] - times[few]) / (many - few)
    if step <= 0:
        raise Failed("forty times the work did not take longer: the clock of this system is too coarse")
    return max(1, round(seconds / step))


def real_spin() -> Spin:
    """Build native/spin.cpp and return the way to run it. Raises NothingToDo without a compiler."""
    chains = toolchains.find().toolchains
    build.launcher(chains)
    chain = next((chain for chain in chains if not chain.runner), chains[0])
    contender = Contender(ContenderSpec(name="spin"), places.native_folder() / "spin.cpp")
    made = build.build(build.Order(contender, chain, "O2", "c++17"))
    if made.program is None:
        raise Failed(f"cannot build the test program: {made.error}")

    def spin(steps: int, kind: str, luck: int) -> Run:
        def run(number: int) -> Sample | Failure:
            program = layout.program(made, layout.of_round(number, LAYOUTS, luck))
            return launch.run(launch.Request(command=[*chain.runner, str(program), kind, str(steps)]))

        return run

    return spin
