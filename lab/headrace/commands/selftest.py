"""The command `headrace selftest`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from headrace.base.errors import Failed
from headrace.race.selftest import KINDS, calibrate, check, real_spin


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command(epilog="Example: headrace selftest --campaigns 20")
    def selftest(
        campaigns: Annotated[
            int, typer.Option(min=20, help="Number of campaigns to check each promise with.")
        ] = 60,
        as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    ) -> None:
        """Check on this machine that the method raises no false alarms and finds a difference of 3 %."""
        with tempfile.TemporaryDirectory(prefix="headrace-") as folder, _progress() as bar:
            task = bar.add_task("campaigns", total=2 * campaigns)
            spin = real_spin(Path(folder))
            kinds = {kind: calibrate(spin, kind=kind) for kind in KINDS}
            report = check(
                spin, kinds[KINDS[0]], campaigns, lambda done: bar.update(task, completed=done), kinds
            )
        print(report.as_json() if as_json else report.as_text())
        if not report.passes:
            raise Failed(
                "the method does not keep its promises on this machine now; see the warnings, "
                "stop other programs and try again"
            )


def _progress() -> Progress:
    """A progress line on a terminal, nothing in a pipe."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
