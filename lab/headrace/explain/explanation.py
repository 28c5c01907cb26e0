"""What is known of one row."""

from __future__ import annotations

from pydantic import BaseModel, Field

from headrace.results.schema import SystemCalls


class Explanation(BaseModel):
    """What is known of one row."""

    id: str
    contender: str
    variant: dict[str, str] = Field(default_factory=dict)
    toolchain: str
    route: str
    is_baseline: bool = False
    cpu_ratio: float | None = None  # processor time over the baseline's, both less the floor's
    wall_ratio: float | None = None
    rule: str = ""  # name of the rule; "" when none explains the row
    cause: str = ""
    confirmation: str = ""  # by a row that lacks the cause; "" where the rule compares, and claims no cause
    calls: dict[str, float] = Field(default_factory=dict)  # by name, per MiB
    system_calls: SystemCalls | None = None
    faults: float = 0.0  # page faults per MiB, less the floor's
    switches: float = 0.0  # voluntary context switches per MiB
    spots: dict[str, float] = Field(default_factory=dict)  # function -> share of the samples
    instructions_a_byte: float | None = None
