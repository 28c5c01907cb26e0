"""Where a race is, for a person: a line with what runs and the time left, and below it the table so far.

When stderr is not a terminal, a line per minute says where a race stands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import TracebackType

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Column
from rich.text import Text

from headrace.base.step import Step

TITLES = {
    "toolchains": "Toolchains",
    "inputs": "Inputs",
    "builds": "Building",
    "layouts": "Linking in other layouts",
    "answers": "Asking all",
    "runs": "Measuring",
    "counts": "Counting",
    "traces": "Tracing",
    "causes": "Explaining",
}


A_MINUTE = 60.0  # seconds between two lines in a pipe


class _WithTable(Progress):
    """A progress line below a text that is replaced as a whole."""

    shown: Text | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        """The text, then the line."""
        if self.shown is not None:
            yield self.shown
        yield from super().get_renderables()


class Line:
    """Shows steps while it is entered; leaves nothing behind. What is done now gets the room that is left."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        console = console or Console(stderr=True)
        self._console, self._clock = console, clock
        self._begun = self._said = clock()
        self._standing = ""
        self._progress = _WithTable(
            SpinnerColumn(),
            TextColumn("{task.fields[stage]}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}", markup=False),
            TextColumn(
                "{task.fields[what]}",
                markup=False,
                style="dim",
                table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
            ),
            expand=True,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=None, stage="", left="", what="")

    def __enter__(self) -> Line:
        """Start showing."""
        if not self._progress.disable:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line."""
        if not self._progress.disable:
            self._progress.stop()

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
        self._progress.update(
            self._task,
            completed=step.done,
            total=step.total or None,
            stage=TITLES[step.stage],
            left="" if step.seconds_left is None else f"{clock(step.seconds_left)} left",
            what=f"{step.asking} {step.what}".strip(),
        )

    def _say(self, step: Step) -> None:
        """Print a line when the last one is a minute old."""
        now = self._clock()
        if now - self._said < A_MINUTE:
            return
        self._said = now
        left = "" if step.seconds_left is None else f", {clock(step.seconds_left)} left at most"
        parts = [TITLES[step.stage].lower(), step.asking, self._standing]
        said = ": ".join(part for part in parts if part)
        self._console.print(
            f"{clock(now - self._begun)} {said}{left}", soft_wrap=True, highlight=False, markup=False
        )


def clock(seconds: float) -> str:
    """Write a time as minutes and seconds: "2:05"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
