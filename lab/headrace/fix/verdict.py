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
SOME = 0.35  # no more than that is left to say that another cause is the problem
MUCH = 0.5

Outcome = Literal["proved", "waiting", "fast", "not the I/O", "refused", "known", "not known"]


def outcome(diagnosis: Diagnosis) -> Outcome:
    """Say which kind of verdict it is."""
    seen = diagnosis.findings
    if diagnosis.best is not None:
        return "proved"
    if seen.floor and seen.sample.wall <= FAST * seen.floor:
        return "fast"
    if seen.split.of_waiting() >= MUCH:
        return "waiting"
    share = seen.split.of_io
    if not seen.split.is_known or (not diagnosis.causes and share > LITTLE):
        return "not known"
    if share <= LITTLE or (share <= SOME and not diagnosis.causes[0].cause.is_io):
        return "not the I/O"
    return "refused" if any(trial.is_refused for trial in diagnosis.trials) else "known"


def sentence(program: Subject, diagnosis: Diagnosis) -> str:
    """Say what can be won, or why nothing."""
    kind, split = outcome(diagnosis), diagnosis.findings.split
    share = units.rounded_percent(split.of_io)
    first = diagnosis.causes[0] if diagnosis.causes else None
    if diagnosis.best is not None and diagnosis.best.gain is not None:
        return f"It can be {units.ratio(diagnosis.best.gain.ratio)} times as fast: {_does(diagnosis.best)}"
    if kind == "fast":
        return "already within 1.2 x of reading the file at all: nothing to win here"
    if kind == "waiting":
        why = max(split.waiting, key=split.waiting.__getitem__)
        known = f"; {first.says}" if first is not None else ""
        return f"{units.rounded_percent(split.waiting[why])} of its time is waiting: {why}{known}"
    if kind == "not the I/O":
        spots = [
            f"; {units.rounded_percent(each.share)} is {each.says(program.file.name)}"
            for each in split.spots[:1]
        ]
        return f"I/O is {share} of its time: nothing to win here{''.join(spots)}"
    if first is None or kind == "not known":
        if not split.is_known:
            return "Not known: what it does could not be seen"
        return f"Not known: I/O and conversion are {share} of its time, and no cause is known"
    refused = [each.name for each in diagnosis.trials if each.is_refused]
    change = "changes" if len(refused) == 1 else "change"
    why = f"refused: {', '.join(refused)}, which {change} what it does" if refused else "no remedy is proved"
    return f"{units.rounded_percent(first.share)} of its time: {first.says}; {why}"


def _does(best: Trial) -> str:
    lines = sum(len(each) for each in best.lines.values())
    flags = any(remedy.flags for remedy in best.remedies)
    where = plural(lines + int(flags), "line") if lines or flags else "to be written by hand"
    return f"{', '.join(remedy.does for remedy in best.remedies)} ({where})"
