"""Progress of several machines, for a person: a line each while they work, a sentence as each ends."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import Task, TaskID, TextColumn
from rich.text import Text

from headrace.base.progress import A_MINUTE, Lines, Shown, clock, fields
from headrace.base.step import Step
from headrace.base.text import listed, plural, some, visible


class Board(Shown):
    """Shows a line per host on a terminal; elsewhere what has ended, and once a minute where all are."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console or Console(stderr=True), clock
        self._begun = self._told = clock()
        self._hosts: dict[str, TaskID] = {}
        name = TextColumn("{task.description}", style="bold", markup=False)
        self._progress = Lines(self._console, name)

    def host(self, name: str, said: str = "", step: Step | None = None) -> None:
        """Show where a host is: at a step, or what it waits for."""
        where = fields(step) if step else {**fields(), "stage": visible(said)}
        if name not in self._hosts:
            self._hosts[name] = self._progress.add_task(visible(name), **fields())
        self._progress.update(self._hosts[name], visible=True, **where)

    def end(self, name: str, sentence: str) -> None:
        """Show how a host ended."""
        self.host(name)
        self._progress.update(self._hosts[name], visible=False)
        self.say(f"{name}: {sentence}")

    def say(self, sentence: str) -> None:
        """Print a sentence that stays."""
        self._console.print(f"headrace: {visible(sentence)}", soft_wrap=True, highlight=False, markup=False)

    def tick(self) -> None:
        """Show where all are; where nothing is shown in place, say it once a minute."""
        now = self._clock()
        said = f"{clock(now - self._begun)} {self.standing}"
        self._progress.shown = Text(said, style="dim")
        if self._console.is_terminal or now - self._told < A_MINUTE:
            return
        self._told = now
        working = [_where(task) for task in self._progress.tasks if task.visible]
        self.say(f"{said}{f'; {listed(some(working, 6))}' if working else ''}")

    @property
    def standing(self) -> str:
        """How many hosts have ended."""
        tasks = self._progress.tasks
        if not tasks:
            return "asking who is there"
        ended = sum(not task.visible for task in tasks)
        return f"{ended:,} of {plural(len(tasks), 'host')} ended"


def _where(task: Task) -> str:
    """Say where a host is: "athena measuring 3/24"."""
    return f"{task.description} {task.fields['stage'].lower()} {task.fields['count']}".strip()
