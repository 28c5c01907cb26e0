"""What else the machine did while a campaign measured, and when that matters.

Everything here reads Linux's /proc and /sys below `root` and gives zeros or "" where a file is missing.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.base.text import plural
from headrace.judge.stats import LEAST_MARGIN, median
from headrace.results.schema import Metric, Noise

WINDOW = 1.0  # seconds; /proc/stat counts in ticks of 10 ms, so a shorter window is mostly rounding

# Shares of a round (medians over the rounds) from which a sentence is due.
STOLEN = 0.01  # a hypervisor that takes 1 % moves times by as much as the minimum of the margin
PRESSURE = 0.10  # in a tenth of the time somebody waited for a processor, maybe the build measured
FOREIGN = 0.20  # cores; a fifth of a core of other work shares caches, memory and turbo with the builds
SWITCHES = (
    5.0  # a round, above which builds were pushed off their processor rather than waiting by themselves
)


@dataclass(frozen=True)
class Reading:
    """Counters in seconds: `busy` and `stolen` over all processors, `ours` of our own process tree."""

    at: float
    busy: float
    stolen: float
    waited: float
    ours: float


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _processor_times(root: Path) -> tuple[float, float]:
    """Seconds (busy without stolen, stolen) over all processors since boot."""
    fields = _text(root / "proc/stat").split("\n", 1)[0].split()
    if len(fields) < 9 or fields[0] != "cpu":
        return 0.0, 0.0
    user, nice, system, _idle, _iowait, irq, softirq, steal = (int(one) for one in fields[1:9])
    tick = 1 / os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) * tick, steal * tick


def _waited(root: Path) -> float:
    """Seconds since boot in which at least one task waited for a processor (PSI "some")."""
    for line in _text(root / "proc/pressure/cpu").splitlines():
        if line.startswith("some"):
            for word in line.split():
                if word.startswith("total="):
                    return int(word.removeprefix("total=")) * 1e-6
    return 0.0


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
    found = {_text(path) for path in folder.glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return ", ".join(sorted(found - {""}))


def turbo(root: Path = Path("/")) -> str:
    """ "on", "off", or "" where the system does not say."""
    cpu = root / "sys/devices/system/cpu"
    disabled = _text(cpu / "intel_pstate/no_turbo")
    if disabled in ("0", "1"):
        return "off" if disabled == "1" else "on"
    boost = _text(cpu / "cpufreq/boost")
    return {"0": "off", "1": "on"}.get(boost, "")


def load() -> float:
    """Mean number of runnable processes over the last minute; 0 where the system does not say."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0


def warnings(
    rounds: Sequence[Noise], margins: Mapping[Metric, float], switch_rate: float = 0.0, root: Path = Path("/")
) -> list[str]:
    """Sentences on what disturbed a campaign enough to matter.

    `margins` has the campaign's largest m of "wall" and of "cpu", `switch_rate` the involuntary switches a
    second of the builds' wall time.
    """
    if not rounds:
        return []
    found: list[str] = []
    stolen = median([one.stolen for one in rounds])
    pressure = median([one.pressure for one in rounds])
    foreign = median([one.foreign for one in rounds])
    if stolen > STOLEN:
        found.append(
            f"The hypervisor took {stolen:.1%} of the processor time: this machine's neighbours are in the "
            "times; trust ratios, and repeat when it is quiet."
        )
    if foreign > FOREIGN:
        cores = plural(os.cpu_count() or 1, "core")
        found.append(f"Other programs kept {foreign:.1f} of {cores} busy: stop them and run again.")
    if pressure > PRESSURE:
        found.append(
            f"In {pressure:.0%} of the time somebody waited for a processor: there are more runnable "
            "programs than cores."
        )
    if switch_rate > SWITCHES:
        found.append(
            f"Builds were pushed off their processor {switch_rate:.0f} times per second: their wall times "
            "contain waiting; judge by processor time, or leave the machine alone."
        )
    return found + _margin_warnings(margins, root)


def _margin_warnings(margins: Mapping[Metric, float], root: Path) -> list[str]:
    """Only where the same build differs from itself by more than 1 %: what may help."""
    names: dict[Metric, str] = {"wall": "wall time", "cpu": "processor time"}
    wide = [f"{m:.1%} in {names[metric]}" for metric, m in margins.items() if m > LEAST_MARGIN]
    if not wide:
        return []
    advice = []
    scaling = governor(root)
    if scaling and scaling != "performance":
        advice.append(f"the governor is {scaling} (cpupower frequency-set -g performance)")
    if turbo(root) == "on":
        advice.append("turbo is on, so that the clock depends on heat and neighbours")
    text = f"The same build, run twice, may differ by up to {' and '.join(wide)}: less is no difference"
    return [text + ("; " + " and ".join(advice) if advice else "") + "."]
