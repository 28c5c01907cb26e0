"""Steps of a long piece of work, which it tells a `Watch`, such as `progress.Line.show`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Stage = Literal[
    "toolchains",
    "inputs",
    "builds",
    "layouts",
    "answers",
    "checks",
    "runs",
    "counts",
    "traces",
    "causes",
    "rows",
    "trials",
]


@dataclass(frozen=True)
class Step:
    """A place in the work of a race, for a progress line."""

    stage: Stage
    what: str
    done: int
    total: int
    seconds_left: float | None = None
    asking: str = ""  # what the measuring is for now


Watch = Callable[[Step], None]
