"""The cost of a race, before it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headrace.base.step import Watch
from headrace.builds import build
from headrace.matrix import inputs
from headrace.race.options import RunOptions
from headrace.race.race import budget, choose
from headrace.race.row_inputs import input_key
from headrace.race.row_programs import orders_of_all
from headrace.race.rows import Lane

SECONDS_A_BUILD = 2.5  # of one processor


@dataclass(frozen=True)
class Preview:
    """Rows, what has to be made for them, and how long it takes at most."""

    rows: Sequence[Lane]
    skipped: Mapping[str, str]  # row id -> why
    builds: int
    builds_to_make: int
    bytes_to_make: int  # of inputs
    measuring: float | None  # seconds at most; None: --rounds says how much, not how long
    making: float  # seconds, about

    @property
    def seconds(self) -> float:
        """The time for everything, as far as it is known."""
        return self.making + (self.measuring or 0.0)


def preview(options: RunOptions, watch: Watch = lambda step: None) -> Preview:
    """Look at what was asked for. Nothing is made or run but probes. Raises as `race.run` does."""
    _, _, lanes = choose(options, watch)
    reasons, wanted = orders_of_all(lanes)
    run = [lane for lane in lanes if not reasons[lane.row().id]]
    to_make = sum(not build.is_cached(order) for order in wanted.values())
    texts = {input_key(lane): lane.settings for lane in run}
    return Preview(
        rows=lanes,
        skipped={row: reason for row, reason in reasons.items() if reason},
        builds=len(wanted),
        builds_to_make=to_make,
        bytes_to_make=sum(inputs.size(settings) for settings in texts.values()),
        measuring=budget(options),
        making=to_make * SECONDS_A_BUILD / (options.jobs or build.processors()),
    )
