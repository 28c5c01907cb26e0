"""What a race is asked to do when all is measured: to count, to explain, or both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from headrace.base.errors import BadInput, HeadraceError
from headrace.explain import trace
from headrace.explain.counting import Counter
from headrace.explain.explainer import Explainer
from headrace.race.race import After
from headrace.results.schema import Campaign


def wanted(count: str, why: bool, own: bool) -> tuple[list[Counter | Explainer], str]:
    """Return what counts and what explains, and why a user's `own` program goes unexplained, if it does.

    `count`: "instructions" or nothing; `why`: explain all rows, even without a program of the user's. Raises
    BadInput for another thing to count, NothingToDo where a tool is missing that was asked for.
    """
    check_count(count)
    found: list[Counter | Explainer] = []
    if count:
        counter = Counter()
        counter.prepare()
        found.append(counter)
    if not why and not own:
        return found, ""
    explainer = Explainer(only_own=not why)
    try:
        trace.check()
    except HeadraceError as error:
        if why:
            raise
        return found, str(error)
    return [*found, explainer], ""


def check_count(count: str) -> None:
    """Raise BadInput for a thing that cannot be counted."""
    if count not in ("", "instructions"):
        raise BadInput(f"--count {count}: only instructions can be counted (system calls come with them)")


class Following(After, Protocol):
    """What is done after a race, and what of it could not be done."""

    remarks: list[str]


def with_remarks(campaign: Campaign, done: Sequence[Following]) -> Campaign:
    """Add what they could not do to a campaign's warnings."""
    if not done:
        return campaign
    warnings = [*campaign.warnings, *(remark for one in done for remark in one.remarks)]
    return campaign.model_copy(update={"warnings": warnings})
