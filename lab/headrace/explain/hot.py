"""Where a program spends its time, by function: perf's samples of the processor clock.

perf's cpu-clock works without hardware counters, so in virtual machines, too.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from headrace.explain import rules
from headrace.processes import launch
from headrace.results.failure import Failure

FREQUENCY = 4999  # samples a second; odd, so as not to beat with the clock's ticks
FEWEST = 50  # samples that a sentence is made from
HOW_TO_GET = "apt-get install linux-perf (or linux-tools-generic) names the functions"


@dataclass(frozen=True)
class Spot:
    """A function (or all that have no name in one library) and its share of the samples, 0 to 1."""

    function: str
    library: str
    share: float


def is_here() -> bool:
    """Tell whether perf is installed."""
    return shutil.which("perf") is not None


def sample(request: launch.Request) -> list[Spot] | Failure:
    """Run once under perf record. Returns the functions by share, the largest first."""
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        data = str(Path(folder) / "samples")
        recorder = ["perf", "record", "-q", "-F", str(FREQUENCY), "-e", "cpu-clock", "-o", data, "--"]
        ended = launch.run(replace(request, runner=[*recorder, *request.runner]))
        if isinstance(ended, Failure):
            return ended
        words = ["perf", "report", "-i", data, "--stdio", "-q", "--no-children", "-g", "none", "-n"]
        done = launch.call([*words, "--sort", "dso,symbol", "-t", "\t"], timeout=120)
    if not done.ok:
        return Failure("CRASHED", done.err.strip() or "perf report failed")
    return parse(done.out)


_LINE = re.compile(r"\s*[\d.]+%\s*\t\s*(\d+)\s*\t\s*(.*?)\s*\t\s*\[(.)\] ([^\t]*)")


def parse(report: str) -> list[Spot]:
    """Read perf report's lines: share, samples, library, kind and function, parted by tabs."""
    samples: Counter[tuple[str, str]] = Counter()
    for line in report.splitlines():
        if found := _LINE.match(line):
            kernel = found[3] == "k"
            library = "the kernel" if kernel else found[2].split("/")[-1]
            function = "" if kernel else short(found[4].strip())
            samples[function, library] += int(found[1])
    total = sum(samples.values())
    if total < FEWEST:
        return []
    return [Spot(function, library, number / total) for (function, library), number in samples.most_common()]


_BRACKETED = re.compile(r"operator *(<<=?|>>=?|<=>|<=?|>=?|->\*?|\(\))|\(anonymous namespace\)")


def short(name: str) -> str:
    """Shorten a C++ name: no arguments, no template arguments, no inline namespaces.

    "std::__1::num_get<char, ...>::do_get(...) const" becomes "num_get::do_get"; an address becomes "".
    """
    if re.fullmatch(r"0x[0-9a-f]+", name):
        return ""
    name = re.sub(r"@.*|\[abi:\w+\]", "", name)  # a symbol's version, an ABI tag
    kept: list[str] = []  # brackets that belong to a name are kept as a control character

    def aside(found: re.Match[str]) -> str:
        kept.append(found[0])
        return chr(len(kept))

    plain, depth = "", 0
    for char in _BRACKETED.sub(aside, name):
        if char == "(" and not depth:
            break
        depth += (char == "<") - (char == ">" and depth > 0)
        plain += char if not depth and char != ">" else ""
    text = plain.rstrip().split(" ")[-1]  # what comes before it is the type that it returns
    text = "".join(kept[ord(char) - 1] if ord(char) <= len(kept) else char for char in text)
    return re.sub(r"\bstd::(__1::|__cxx11::)?", "", text).replace("basic_", "") or name


def phrase(spots: list[Spot], most: int = 3) -> str:
    """Say where the time goes: ": 62 % in formatted extraction (num_get::do_get), 20 % in ...". "" for none.

    Functions are gathered into the parts that rules.toml names; the others stand for themselves.
    """
    by_part: dict[str, list[Spot]] = {}
    for spot in spots:
        by_part.setdefault(_part(spot), []).append(spot)
    parts = sorted(by_part.items(), key=lambda item: -sum(spot.share for spot in item[1]))
    said = []
    for name, members in parts[:most]:
        share = sum(spot.share for spot in members)
        if share < 0.05:
            break
        functions = list(dict.fromkeys(spot.function for spot in members if spot.function))[:2]
        known = f" ({', '.join(functions)})" if functions and functions != [name] else ""
        said.append(f"{share:.0%}".replace("%", " %") + f" in {name}{known}")
    return f": {', '.join(said)}" if said else ""


def _part(spot: Spot) -> str:
    if spot.library == "the kernel":
        return "the kernel"
    if not spot.function:
        return f"unnamed functions of {spot.library}"
    return rules.part(spot.function) or spot.function
