"""Progress of several machines, for a person: a line each while they work, a sentence as each ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from headrace.base.progress import A_MINUTE, TITLES, clock
from headrace.base.step import Step
from headrace.base.text import listed, plural, some, visible

_BAR = 20  # columns


@dataclass
class _Line:
    step: Step | None = None
    said: str = ""
    ended: bool = False
    begun: float = field(default_factory=time.monotonic)


class Board:
    """Shows a line per host on a terminal; elsewhere what has ended, and once a minute where all are."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console or Console(stderr=True), clock
        self._begun = self._told = clock()
        self._lines: dict[str, _Line] = {}
        self._live = Live(console=self._console, transient=True, get_renderable=self._render)

    def __enter__(self) -> Board:
        """Start showing."""
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the lines."""
        if self._console.is_terminal:
            self._live.stop()

    def host(self, name: str, said: str = "", step: Step | None = None) -> None:
        """Show where a host is: at a step, or what it waits for."""
        line = self._lines.setdefault(name, _Line(begun=self._clock()))
        line.step, line.said, line.ended = step, said, False

    def end(self, name: str, sentence: str) -> None:
        """Show how a host ended."""
        line = self._lines.setdefault(name, _Line(begun=self._clock()))
        line.step, line.said, line.ended = None, sentence, True
        self.say(f"{name}: {sentence}")

    def say(self, sentence: str) -> None:
        """Print a sentence that stays."""
        self._console.print(f"headrace: {visible(sentence)}", soft_wrap=True, highlight=False, markup=False)

    def tick(self) -> None:
        """Say once a minute where all are, if nothing is shown in place."""
        now = self._clock()
        if self._console.is_terminal or now - self._told < A_MINUTE:
            return
        self._told = now
        working = [f"{name} {self._where(line)}" for name, line in self._lines.items() if not line.ended]
        where = f"; {listed(some(working, 6))}" if working else ""
        self.say(f"{clock(now - self._begun)} {self.standing}{where}")

    @property
    def standing(self) -> str:
        """How many hosts have ended."""
        if not self._lines:
            return "asking who is there"
        ended = sum(line.ended for line in list(self._lines.values()))
        return f"{ended:,} of {plural(len(self._lines), 'host')} ended"

    def _where(self, line: _Line) -> str:
        if line.step is None:
            return line.said
        count = f" {line.step.done:,}/{line.step.total:,}" if line.step.total else ""
        return f"{TITLES[line.step.stage].lower()}{count}"

    def _render(self) -> RenderableType:
        """A line per host that works, as many as there is room for; those that ended were told of."""
        working = [(name, line) for name, line in list(self._lines.items()) if not line.ended]
        room = max(self._console.height - 3, 3)
        table = Table.grid(padding=(0, 1), expand=True)
        for at in range(6):
            last = at == 5
            table.add_column(no_wrap=True, overflow="ellipsis" if last else "fold", ratio=1 if last else None)
        for name, line in working[:room]:
            table.add_row(Text(visible(name), style="bold"), *self._cells(line))
        more = f", {len(working) - room:,} more below" if len(working) > room else ""
        head = Text(f"{clock(self._clock() - self._begun)} {self.standing}{more}", style="dim")
        return Group(table, head)

    def _cells(self, line: _Line) -> list[RenderableType]:
        step = line.step
        if step is None:
            return [Text(visible(line.said), style="dim"), "", "", "", ""]
        bar = ProgressBar(total=step.total or None, completed=step.done, width=_BAR, pulse=not step.total)
        left = "" if step.seconds_left is None else f"{clock(step.seconds_left)} left"
        return [
            Text(TITLES[step.stage]),
            bar,
            Text(f"{step.done:,}/{step.total:,}" if step.total else ""),
            Text(left),
            Text(visible(f"{step.asking} {step.what}".strip()), style="dim"),
        ]
