"""The verdict on a program: one line, in words that scripts may rely on.

"times as fast" stands for a proved gain alone; "proved" and "refused" are said of remedies, "sleep" and
"reads of 1 byte" of causes.
"""

from __future__ import annotations

from typing import Literal

from headrace.base import units
from headrace.base.text import plural
from headrace.fix.fix import Diagnosis, Trial
from headrace.fix.subject import Subject

FAST = 1.2  # times what reading as much takes: nothing is left to win
LITTLE = 0.15  # of the time: I/O and conversion with less are not the problem
MUCH = 0.5

Outcome = Literal["proved", "waiting", "fast", "not the I/O", "refused", "known", "not known"]


def outcome(found: Diagnosis) -> Outcome:
    """Say which kind of verdict it is."""
    seen = found.findings
    if found.best is not None:
        return "proved"
    if seen.floor and seen.sample.wall <= FAST * seen.floor:
        return "fast"
    if sum(share for why, share in seen.split.waiting.items() if why != "a processor") >= MUCH:
        return "waiting"
    if seen.split.io + seen.split.streams <= LITTLE or not any(
        _is_io(found, each.name) for each in found.causes[:1]
    ):
        is_seen = bool(seen.split.own or seen.split.io or seen.split.waiting)
        return "not the I/O" if is_seen and seen.split.io + seen.split.streams < MUCH else "not known"
    return "refused" if any(one.program and not one.is_safe for one in found.trials) else "known"


def _is_io(found: Diagnosis, name: str) -> bool:
    return any(each.name == name and each.cause.is_io for each in found.findings.causes)


def sentence(one: Subject, found: Diagnosis) -> str:
    """Say what can be won, or why nothing."""
    kind, seen = outcome(found), found.findings
    if kind == "proved":
        assert found.best is not None and found.best.gain is not None
        return f"It can be {units.ratio(found.best.gain.ratio)} times as fast: {_does(found.best)}"
    if kind == "fast":
        return "already within 1.2 x of reading the file at all: nothing to win here"
    first = found.causes[0] if found.causes else None
    if kind == "waiting":
        why, share = max(
            seen.split.waiting.items(), key=lambda item: item[1] if item[0] != "a processor" else 0
        )
        known = f"; {first.says}" if first is not None else ""
        return f"{_percent(share)} of its time is waiting: {why}{known}"
    if kind == "not the I/O":
        share = seen.split.io + seen.split.streams
        spot = (
            f"; {_percent(seen.split.spots[0].share)} is {seen.split.spots[0].says(one.file.name)}"
            if seen.split.spots
            else ""
        )
        return f"I/O is {_percent(share)} of its time: nothing to win here{spot}"
    if kind == "not known":
        share = seen.split.io + seen.split.streams
        what = (
            f"I/O and conversion are {_percent(share)} of its time"
            if share
            else "what it does could not be seen"
        )
        return f"Not known: {what}{', and no cause is known' if share else ''}"
    assert first is not None
    refused = [each for each in found.trials if each.program and not each.is_safe]
    why = (
        f"; refused: {', '.join(each.name for each in refused)}, which changes what it does"
        if refused
        else "; no remedy is proved"
    )
    return f"{_percent(first.share)} of its time: {first.says}{why}"


def _does(best: Trial) -> str:
    lines = sum(len(each) for each in best.lines.values())
    flags = any(remedy.flags for remedy in best.remedies)
    where = plural(lines + int(flags), "line") if lines or flags else "to be written by hand"
    return f"{', '.join(remedy.does for remedy in best.remedies)} ({where})"


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")
