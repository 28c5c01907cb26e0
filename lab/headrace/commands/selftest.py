"""The command `headrace selftest`."""

from __future__ import annotations

import math
import sys
import time
from typing import Annotated

import typer

from headrace.base import units
from headrace.base.errors import Failed
from headrace.base.progress import Line
from headrace.base.step import Step
from headrace.race.selftest import FEWEST, KINDS, calibrate, check, real_spin

USUAL, SECONDS = 60, 100.0  # campaigns of each kind, and when no further one begins
THOROUGH = 400
EACH = 4.5  # seconds of a campaign of each kind, about


EXAMPLE = "headrace selftest --campaigns 20"


def selftest(
    campaigns: Annotated[
        int | None,
        typer.Option(
            min=FEWEST, help="Number of campaigns to check each promise with. Default: up to 60 in 100 s."
        ),
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="400 campaigns for each promise: about half an hour.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Check on this machine that the method raises no false alarms and finds a difference of 3 %."""
    wanted = campaigns or (THOROUGH if thorough else USUAL)
    seconds = math.inf if campaigns or thorough else SECONDS
    takes = (
        f"up to {units.duration(SECONDS)}" if seconds == SECONDS else f"about {wanted * EACH / 60:.0f} min"
    )
    print(f"headrace: this takes {takes}", file=sys.stderr)
    begun, total = time.monotonic(), len(KINDS) + 3 * wanted
    with Line() as line:

        def show(done: int) -> None:
            took = time.monotonic() - begun
            left = max(min(took / done * (total - done), seconds - took), 0.0) if done else None
            line.show(Step("trials", "", done, total, left))

        show(0)
        spin = real_spin()
        kinds = {kind: calibrate(spin, kind=kind) for kind in KINDS}
        report = check(spin, kinds[KINDS[0]], wanted, show, kinds, seconds)
    print(report.as_json() if as_json else report.as_text())
    if not report.passes:
        raise Failed(
            "the method does not keep its promises on this machine now; see the warnings, "
            "stop other programs and try again"
        )
