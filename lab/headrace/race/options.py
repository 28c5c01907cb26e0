"""What was asked of a race."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from headrace.base.errors import BadInput
from headrace.base.step import Watch
from headrace.builds import build, layout
from headrace.judge.verdict import MARGIN
from headrace.matrix import benchmarks
from headrace.race.lane import Lane
from headrace.results.schema import Campaign, Row

SWEEP_POINTS_A_DECADE = 2


class After(Protocol):
    """Something to do when all is measured, such as explaining the rows. It returns them, changed or not."""

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: Options,
        watch: Watch,
    ) -> list[Row]:
        """Look at each row's lane and build. Ctrl-C raises KeyboardInterrupt, or Stopped."""
        ...


class Stopped(KeyboardInterrupt):
    """Ctrl-C after the last round; `rows` hold what had been found by then."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self.rows = rows


@dataclass(frozen=True)
class Options:
    """What was asked for. Empty lists mean all that is usual."""

    benchmarks: list[str]
    toolchains: list[str] = field(default_factory=list)
    contenders: list[str] = field(default_factory=list)
    optimise: list[str] = field(default_factory=list)  # "O2", or a whole set, "O3 -march=native"
    compilers: list[str] = field(default_factory=list)  # paths of more compilers
    input: str = ""  # a user's own file, for all benchmarks
    include: str = ""  # a folder of another headrace's headers, for all builds
    setup: str = ""  # a shell's command, run once before the first run
    prepare: str = ""  # the same, before each run; nobody times it
    cleanup: str = ""  # the same, once after the last run
    jobs: int = 0  # builds made at a time; 0: one a processor
    routes: list[tuple[str, str]] = field(default_factory=list)
    rounds: int | None = None
    seconds: float | None = None  # bound of the measuring
    quick: bool = False
    timeout: float | None = None  # seconds per run
    pin: int | None = None
    cold: bool = False
    folder: Path | None = None  # for file sinks; None: a RAM disk
    seed: int = 1
    margin: float = MARGIN  # a smaller difference counts as small
    layouts: int = layout.LAYOUTS  # of each build
    inputs: int = 1  # by other seeds, of which each round takes one
    resume: Campaign | None = None  # a campaign to go on with
    replaced: Path | None = None  # its file, where that is replaced
    guests: list[Path] = field(default_factory=list)  # a user's own programs
    settings: list[dict[str, str]] = field(default_factory=lambda: [{}])  # of the input; several are a sweep
    command: list[str] = field(default_factory=list)
    after: Sequence[After] = ()  # called in turn when all is measured
    keep: Callable[[Campaign], None] | None = None  # called with what there is, now and then


def check_routes(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Read "file:null,pipe:null" lists. Raises BadInput for an unknown end."""
    return [benchmarks.route(text) for text in _listed(texts)]


LEVELS = ("O0", "O1", "O2", "O3", "Os", "Og", "Ofast", "Oz")


def check_compilers(paths: Sequence[Path]) -> list[str]:
    """Name compilers from anywhere: a file by its whole path, a command as it is."""
    return [str(path.absolute()) if path.exists() else str(path) for path in paths]


def check_levels(texts: Sequence[str]) -> list[str]:
    """Read "O0,O2" lists; a leading dash is fine. Raises BadInput for anything else."""
    levels = [text.removeprefix("-") for text in _listed(texts)]
    for level in levels:
        if level not in LEVELS:
            raise BadInput(f"{level} is not an optimisation level; use {', '.join(LEVELS)}")
    return levels


def check_flags(text: str, levels: Sequence[str]) -> list[str]:
    """Read "-O3 -march=native;-O2 -flto" as sets of flags, each with its level first and without its dash.

    A set without a level is crossed with `levels`, or with O2. Raises BadInput for what is no flag, or what
    would change what is made.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        try:
            words = shlex.split(part)
        except ValueError as error:
            raise BadInput(f"--flags: {part}: {str(error).lower()}") from error
        for word in words:
            if not word.startswith("-") or word in ("-", "-o", "-c", "-S", "-E", "-x", "-M", "-MM"):
                raise BadInput(
                    f"--flags: {word} is not a flag that a build can take; separate sets by ;, as "
                    '"-O3 -march=native;-O2 -flto"'
                )
        own = [word for word in words if word[1:] in LEVELS]
        rest = [word for word in words if word not in own]
        for level in [own[-1][1:]] if own else levels or ["O2"]:
            found.append(shlex.join([level, *rest]))
    if not found:
        raise BadInput(f'--flags {text} has no set of flags; give one as "-O3 -march=native"')
    return list(dict.fromkeys(found))


def check_settings(changes: Sequence[str], sweep: str | None) -> list[dict[str, str]]:
    """Read "rows=100" changes and one "rows=1e2..1e6" sweep. Raises BadInput for anything else."""
    fixed = {}
    for text in changes:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise BadInput(f"a setting of the input is a name and a value such as rows=100, not {text}")
        fixed[key] = _whole(value)
    if sweep is None:
        return [fixed]
    key, _, span = sweep.partition("=")
    try:
        low, high = (float(end) for end in span.split(".."))
    except ValueError:
        raise BadInput(f"a sweep is a name and a range such as rows=1e2..1e6, not {sweep}") from None
    if not 1 <= low < high < 1e12:
        raise BadInput(f"a sweep goes from 1 or more up to a larger number below 1e12, not {span}")
    steps = max(2, round(math.log10(high / low) * SWEEP_POINTS_A_DECADE))
    values = [round(low * (high / low) ** (step / steps)) for step in range(steps + 1)]
    return [{**fixed, key: str(value)} for value in dict.fromkeys(values)]


def _whole(text: str) -> str:
    """Write a whole number without an exponent: 1e2 is the same input as 100, and the same row."""
    try:
        value = float(text) if "e" in text.lower() else math.nan
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and value < 1e15 else text


def check_margin(text: str) -> float:
    """Read "1%" or "1" as 0.01. Raises BadInput for anything else, and for a margin that nothing can meet."""
    try:
        value = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        value = math.nan
    if not 0.0001 <= value <= 1:
        raise BadInput(
            f"--margin is a percentage from 0.01% to 100%, not {text}: within a margin of 0 nothing is ever "
            "the same"
        )
    return value


def check_layouts(count: int) -> int:
    """Return a number of layouts. Raises BadInput for more than there are."""
    if not 1 <= count <= layout.MOST:
        raise BadInput(
            f"--layouts {count}: a build has 1 to {layout.MOST} layouts; functions have "
            f"{layout.PAGE // layout.STEP} places in a page, and the A/A twin takes as many others"
        )
    return count


def _listed(texts: Sequence[str]) -> list[str]:
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]
