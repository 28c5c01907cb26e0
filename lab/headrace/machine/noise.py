"""Other work of the machine while a campaign measured, and when that matters.

Everything here reads Linux's /proc and /sys below `root` and gives zeros or "" where a file is missing.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.base import units
from headrace.base.places import system_text
from headrace.base.text import plural
from headrace.judge.samples import median, quantile
from headrace.results.schema import Noise, Row

WINDOW = 1.0  # seconds; /proc/stat counts in ticks of 10 ms, so a shorter window is mostly rounding

# Shares of a round (medians over the rounds) from which a sentence is due.
STOLEN = 0.01  # a hypervisor that takes 1 % moves times by as much as the minimum of the margin
PRESSURE = 0.10  # for a tenth of the time a program waited for a processor, maybe the build measured
FOREIGN = 0.20  # cores; a fifth of a core of other work shares caches, memory and turbo with the builds

CLEAN = 1.10  # times its row's lower quartile; clean runs of one program agree within a few percent
WAITED = 0.01  # a share of waiting for others' turns from which a sentence says that times leave it out
FEW = 0.05  # a share of disturbed runs that is not worth a description
FEWEST = 8  # samples of a row from which a disturbed run can be told

_KERNEL_THREAD = 0x00200000  # PF_KTHREAD, of the flags in /proc/PID/stat: nothing that a person could stop


@dataclass(frozen=True)
class Reading:
    """Counters in seconds: `busy` and `stolen` over all processors, `ours` of our own process tree."""

    at: float
    busy: float
    stolen: float
    waited: float
    ours: float


def _processor_times(root: Path) -> tuple[float, float]:
    """Seconds (busy without stolen, stolen) over all processors since boot."""
    fields = system_text(root / "proc/stat").split("\n", 1)[0].split()
    if len(fields) < 9 or fields[0] != "cpu":
        return 0.0, 0.0
    user, nice, system, _idle, _iowait, irq, softirq, steal = (int(field) for field in fields[1:9])
    tick = 1 / os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) * tick, steal * tick


def _waited(root: Path) -> float:
    """Seconds since boot in which at least one task waited for a processor (PSI "some")."""
    told = re.search(r"^some.* total=(\d+)", system_text(root / "proc/pressure/cpu"), re.MULTILINE)
    return int(told[1]) * 1e-6 if told else 0.0


def read(root: Path = Path("/")) -> Reading:
    """Read all counters now."""
    busy, stolen = _processor_times(root)
    usage = os.times()
    ours = usage.user + usage.system + usage.children_user + usage.children_system
    return Reading(time.monotonic(), busy, stolen, _waited(root), ours)


class Watcher:
    """Makes one Noise a round: call `begin` before it and `end` after it.

    Shares are over the round or, for a shorter round, over the last second of rounds up to its end, because
    the counters tick every 10 ms.
    """

    def __init__(self, take: Callable[[], Reading] = read, processors: int | None = None) -> None:
        self._take = take
        self._processors = processors or os.cpu_count() or 1
        self._history: list[Reading] = []

    def begin(self) -> None:
        """Remember the counters at the start of a round."""
        self._history.append(self._take())

    def end(self, number: int, involuntary_switches: int = 0) -> Noise:
        """Return what happened since the start of the round (or of the window)."""
        now = self._take()
        while len(self._history) > 1 and now.at - self._history[1].at >= WINDOW:
            del self._history[0]
        then = self._history[0]
        seconds = now.at - then.at
        if seconds <= 0:
            return Noise(round=number, involuntary_switches=involuntary_switches)
        foreign = (now.busy - then.busy) - (now.ours - then.ours)
        return Noise(
            round=number,
            stolen=_share(now.stolen - then.stolen, seconds * self._processors),
            pressure=_share(now.waited - then.waited, seconds),
            foreign=max(0.0, foreign / seconds) if now.busy > 0 else 0.0,
            involuntary_switches=involuntary_switches,
        )


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole))


def governor(root: Path = Path("/")) -> str:
    """The scaling governors in use ("performance", "powersave, schedutil"); "" where there are none."""
    folder = root / "sys/devices/system/cpu"
    found = {system_text(path) for path in folder.glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return ", ".join(sorted(found - {""}))


def turbo(root: Path = Path("/")) -> str:
    """ "on", "off", or "" where the system does not say."""
    cpu = root / "sys/devices/system/cpu"
    disabled = system_text(cpu / "intel_pstate/no_turbo")
    if disabled in ("0", "1"):
        return "off" if disabled == "1" else "on"
    boost = system_text(cpu / "cpufreq/boost")
    return {"0": "off", "1": "on"}.get(boost, "")


def load() -> float:
    """Mean number of runnable processes over the last minute; 0 where the system does not say."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0


@dataclass(frozen=True)
class Disturbance:
    """How the runs of a campaign scatter: what part of them is slow, how slow, and for how long."""

    runs: int
    share: float  # of the runs, that took more than CLEAN times as long as their row's fast runs
    factor: float  # what those took, as a median; 1 without any
    length: float  # rounds that a disturbed stretch of a row lasts, on average
    busy: float  # the factor of the processor time of the same runs; 1 without any

    @property
    def in_phases(self) -> bool:
        """Whether stretches last clearly longer than chance alone makes them: 1 / (1 - share) rounds."""
        return self.share > 0 and self.length > 1.5 / max(1 - self.share, 1e-9)

    @property
    def is_waiting(self) -> bool:
        """Whether disturbed runs waited, rather than computed slowly: their processor time grew by less than
        half of what their wall time grew by."""
        return self.busy - 1 < (self.factor - 1) / 2


def disturbance(rows: Sequence[Row]) -> Disturbance | None:
    """Find the disturbed runs of rows with at least FEWEST samples; None without such rows.

    A row's clean level is its lower quartile: with fewer than three quarters of the runs disturbed, that is a
    clean run.
    """
    runs, stretches = 0, 0
    walls: list[float] = []
    cpus: list[float] = []
    for row in rows:
        if len(row.samples) < FEWEST:
            continue
        clean = quantile([sample.wall for sample in row.samples], 0.25)
        processor = quantile([sample.user + sample.system for sample in row.samples], 0.25)
        before = False
        for sample in sorted(row.samples, key=lambda sample: sample.round):
            runs += 1
            slow = sample.wall > CLEAN * clean > 0
            stretches += slow and not before
            before = slow
            if slow:
                walls.append(sample.wall / clean)
                cpus.append((sample.user + sample.system) / processor if processor > 0 else 1.0)
    if not runs:
        return None
    if not walls:
        return Disturbance(runs, 0.0, 1.0, 0.0, 1.0)
    return Disturbance(runs, len(walls) / runs, median(walls), len(walls) / stretches, median(cpus))


def described(rows: Sequence[Row], rounds: Sequence[Noise]) -> list[str]:
    """Say what the noise was: how many runs it hit, by how much, for how long, and where it came from."""
    found = disturbance(rows)
    if found is None:
        return []
    share = waiting(rows)
    told = [
        f"For {units.percent(share)} of their time programs were ready to run while others had the "
        "processor. That is not in the times; what others do to caches and to the clock is."
    ]
    return [*(told if share > WAITED else []), *_of_disturbed(found, rounds)]


def waiting(rows: Sequence[Row]) -> float:
    """The share of all time in which programs were ready to run while others had the processor."""
    waited = sum(sample.waited for row in rows for sample in row.samples)
    ran = sum(sample.wall for row in rows for sample in row.samples)
    return waited / (waited + ran) if waited > 0 else 0.0


def _of_disturbed(found: Disturbance, rounds: Sequence[Noise]) -> list[str]:
    if found.share < FEW:
        return [
            f"The machine was steady: {units.percent(found.share)} of {plural(found.runs, 'run')} took more "
            f"than {units.percent(CLEAN - 1)} longer than their row's fast runs."
        ]
    when = f"in stretches of {found.length:.1f} rounds" if found.in_phases else "now and then"
    text = (
        f"{units.percent(found.share)} of {plural(found.runs, 'run')} were disturbed, {when}: half of these "
        f"took {found.factor:.2f} times as long as their row's fast runs, or longer."
    )
    return [text, _origin(found, rounds)]


def _origin(found: Disturbance, rounds: Sequence[Noise]) -> str:
    """Say whether disturbances came from this system or from below it, and what that means.

    What can be helped is in `warnings`, with its figures.
    """
    stolen = median([noise.stolen for noise in rounds])
    foreign = median([noise.foreign for noise in rounds])
    if stolen > STOLEN:
        return "They came from outside: the hypervisor gave processor time to others."
    if foreign > FOREIGN:
        return "They came from inside: other processes of this system kept processors busy."
    if found.is_waiting:
        return (
            f"Their processor time was only {found.busy:.2f} times that of fast runs: they waited, for a "
            "device or for their turn, while other processes of this system used little."
        )
    return (
        f"Their processor time was {found.busy:.2f} times that of fast runs, while other processes of this "
        f"system used {foreign:.2f} cores: the cause is outside, such as a neighbour on the sibling thread "
        "or a changing clock. Ratios of one round leave most of it out; times do not."
    )


def warnings(rounds: Sequence[Noise], others: Mapping[str, float] | None = None) -> list[str]:
    """Sentences on what disturbed a campaign and can be helped. `others`: cores that other programs used."""
    if not rounds:
        return []
    found: list[str] = []
    stolen = median([noise.stolen for noise in rounds])
    pressure = median([noise.pressure for noise in rounds])
    foreign = median([noise.foreign for noise in rounds])
    if stolen > STOLEN:
        found.append(
            f"The hypervisor took {units.percent(stolen)} of the processor time: this machine's "
            "neighbours are in the times; trust ratios, and repeat when it is quiet."
        )
    if foreign > FOREIGN:
        cores = plural(os.cpu_count() or 1, "core")
        named = [f"{name} ({used:.1f})" for name, used in list((others or {}).items())[:3] if used >= 0.05]
        who = f": {', '.join(named)}" if named else ""
        waited = f", and for {units.percent(pressure)} of the time a program waited for a processor"
        found.append(
            f"Other programs kept {foreign:.1f} of {cores} busy{who}{waited if pressure > PRESSURE else ''}; "
            "stop them and run again."
        )
    return found


def processes(root: Path = Path("/")) -> dict[tuple[int, str], float]:
    """Processor seconds of each program outside our own tree: (id, name) -> seconds. The kernel's own threads
    are left out."""
    tick = 1 / os.sysconf("SC_CLK_TCK")
    parents: dict[int, int] = {}
    used: dict[tuple[int, str], float] = {}
    for path in (root / "proc").glob("[0-9]*/stat"):
        head, _, tail = system_text(path).rpartition(")")
        number, _, name = head.partition(" (")
        fields = tail.split()
        if number.isdecimal() and len(fields) > 12 and not int(fields[6]) & _KERNEL_THREAD:
            parents[int(number)] = int(fields[1])
            used[int(number), name] = (int(fields[11]) + int(fields[12])) * tick
    ours = os.getpid()

    def is_ours(number: int) -> bool:
        while number > 1 and number != ours:
            number = parents.get(number, 0)
        return number == ours

    return {key: seconds for key, seconds in used.items() if not is_ours(key[0])}


def busiest(
    before: Mapping[tuple[int, str], float], after: Mapping[tuple[int, str], float], seconds: float
) -> dict[str, float]:
    """Cores that programs used between two calls of `processes`, by name, the most first.

    A process may have changed its name: what it used is told by its id.
    """
    earlier = {number: used for (number, _), used in before.items()}
    cores: dict[str, float] = {}
    for (number, name), used in after.items():
        since = max(0.0, used - earlier.get(number, 0.0))
        cores[name] = cores.get(name, 0.0) + since / max(seconds, 1e-9)
    return dict(sorted(cores.items(), key=lambda core: -core[1]))
