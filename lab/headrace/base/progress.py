"""A progress line for a person: what runs, how many, time left. Silent when stderr is not a terminal."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Column

from headrace.base.step import Step

TITLES = {
    "toolchains": "Toolchains",
    "inputs": "Inputs",
    "builds": "Building",
    "runs": "Measuring",
    "traces": "Tracing",
    "causes": "Explaining",
}


class Line:
    """Shows steps while it is entered; leaves nothing behind. What is done now gets the room that is left."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._progress = Progress(
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

    def show(self, step: Step) -> None:
        """Show where a race is."""
        self._progress.update(
            self._task,
            completed=step.done,
            total=step.total or None,
            stage=TITLES[step.stage],
            left="" if step.seconds_left is None else f"{_clock(step.seconds_left)} left",
            what=step.what,
        )


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
