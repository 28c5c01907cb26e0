"""Progress of a race, for a person: a line with what runs and the time left, and above it the table so far.

When stderr is not a terminal, there is one first look, and a line per minute says where a race stands; of
shorter work there is a line at each stage, and one every ten seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn
from rich.table import Column
from rich.text import Text

from headrace.base.step import Step
from headrace.base.text import visible

TITLES = {
    "toolchains": "Toolchains",
    "inputs": "Inputs",
    "builds": "Building",
    "layouts": "Linking in other layouts",
    "answers": "Asking all",
    "checks": "Trying",
    "runs": "Measuring",
    "counts": "Counting",
    "traces": "Tracing",
    "causes": "Explaining",
    "rows": "Reading",
    "trials": "Trying the promises",
}


OFTEN = 10.0  # seconds between two lines of a stage, where each stage has one
A_MINUTE = 60.0  # seconds between two lines in a pipe
FIRST_LOOK = 15.0  # seconds of measuring; the next results that are kept are a pipe's first look
NEAR_THE_END = 10.0  # seconds; with no more left than that, the last table is soon there


class Lines(Progress):
    """A line for each piece of work on a terminal, below a text that is replaced as a whole."""

    shown: Text | None = None

    def __init__(self, console: Console, first: ProgressColumn) -> None:
        """Show what a `Step` says, beside a first column."""
        what = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        super().__init__(
            first,
            TextColumn("{task.fields[stage]}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[count]}", markup=False),
            TextColumn("{task.fields[left]}", markup=False),
            TextColumn("{task.fields[what]}", markup=False, style="dim", table_column=what),
            expand=True,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def stop(self) -> None:
        """Clear all of it. Where nothing is shown, nothing is printed either."""
        if not self.disable:
            super().stop()

    def get_renderables(self) -> Iterable[RenderableType]:
        """The text, then the lines."""
        if self.shown is not None:
            yield self.shown
        yield from super().get_renderables()


def fields(step: Step | None = None) -> dict[str, Any]:
    """Return what a line shows of a step; without one, nothing."""
    if step is None:
        return {"total": None, "stage": "", "count": "", "left": "", "what": ""}
    return {
        "completed": step.done,
        "total": step.total or None,
        "stage": TITLES[step.stage],
        "count": f"{step.done}/{step.total}" if step.total else "",
        "left": "" if step.seconds_left is None else f"{clock(step.seconds_left)} left",
        "what": visible(f"{step.asking} {step.what}".strip()),
    }


class Shown:
    """Shows something while it is entered; leaves no trace."""

    _progress: Lines

    def __enter__(self) -> Self:
        """Start showing."""
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Clear it."""
        self._progress.stop()


class Line(Shown):
    """Shows steps. The work that goes on now gets the room left."""

    def __init__(
        self,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
        by_stage: bool = False,
    ) -> None:
        self._by_stage, self._stage = by_stage, ""  # in a pipe
        console = console or Console(stderr=True)
        self._console, self._clock = console, clock
        self._begun = self._said = clock()
        self._standing = ""
        self._measuring: float | None = None  # since when
        self._left: float | None = None  # seconds, at most
        self._looked = False
        self._progress = Lines(console, SpinnerColumn())
        self._task = self._progress.add_task("", **fields())

    def table(self, text: str, standing: str) -> None:
        """Show the table so far, and keep the sentence that says where the race stands."""
        self._standing = standing
        self._progress.shown = Text.from_ansi(text)

    def say(self, text: str) -> None:
        """Print a line on standard output, above what is shown."""
        if self._progress.disable:
            print(text, flush=True)
            return
        self._progress.stop()
        print(text, flush=True)
        self._progress.start()

    @property
    def wants_a_look(self) -> bool:
        """Whether it is time for the one first look that a pipe gets."""
        if self.in_place or self._looked or self._measuring is None:
            return False
        is_over_soon = self._left is not None and self._left <= NEAR_THE_END
        return self._clock() - self._measuring >= FIRST_LOOK and not is_over_soon

    def look(self, lines: Iterable[str]) -> None:
        """Print the first look; the next line comes a minute later."""
        for line in lines:
            self._print(line)
            self._looked = True
        self._said = self._clock()

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return self._console.width

    @property
    def in_place(self) -> bool:
        """Whether tables are shown at all: on a terminal they are, in place."""
        return not self._progress.disable

    def show(self, step: Step) -> None:
        """Show where a race is."""
        if self._progress.disable:
            self._say(step)
            return
        self._progress.update(self._task, **fields(step))

    def _say(self, step: Step) -> None:
        """Print a line when the last one is a minute old."""
        now = self._clock()
        if step.stage == "runs" and self._measuring is None:
            self._measuring = now
        self._left = step.seconds_left
        if self._by_stage:
            if step.stage != self._stage or now - self._said >= OFTEN:
                self._stage, self._said = step.stage, now
                self._print(f"{clock(now - self._begun)} {TITLES[step.stage].lower()}: {step.what.strip()}")
            return
        if now - self._said < A_MINUTE:
            return
        self._said = now
        title = TITLES[step.stage].lower() + (f" ({step.asking})" if step.asking else "")
        left = "" if step.seconds_left is None else f"{clock(step.seconds_left)} left at most"
        words = "; ".join(part for part in (self._standing, left) if part)
        self._print(f"{clock(now - self._begun)} {title}{': ' if words else ''}{words}")

    def _print(self, line: str) -> None:
        self._console.print(line, soft_wrap=True, highlight=False, markup=False)


def clock(seconds: float) -> str:
    """Write a time as minutes and seconds: "2:05"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
