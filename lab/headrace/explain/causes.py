"""Causes that hold, each with its part of the time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from headrace.base import units
from headrace.base.text import listed, plural
from headrace.explain import rules
from headrace.explain.observed import Calls, Observation, Sampled, Spot, category
from headrace.explain.rules import Cause, Facts
from headrace.judge.samples import share_interval

CERTAIN = 0.5  # of the time: a cause with surely so much of it is called certain


@dataclass(frozen=True)
class Known:
    """A cause that holds, and its share of the time. `is_hidden`: others do its work first."""

    cause: Cause
    share: float
    says: str
    is_hidden: bool = False
    samples: int = 0  # that the share is known by
    certain: bool = False  # in a diagnosis: proved by a remedy, or clearly the largest

    @property
    def name(self) -> str:
        """The cause's name."""
        return self.cause.name

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Between what its share is, by the number of samples alone."""
        return share_interval(round(self.share * self.samples), self.samples) if self.samples else (0.0, 1.0)


UNSEEN = Observation(True, 0.0, 0.0, 0.0, 0, 0)


def known(
    facts: Facts, counted: Observation = UNSEEN, sampled: Observation = UNSEEN, file: str = ""
) -> list[Known]:
    """Return the causes that hold, the largest share first.

    A sample and a call count for the first cause that holds and that they match. `file`: whose name goes
    without saying. Sentences say of calls whether they are per MiB.
    """
    rest, others = list(sampled.samples), list(counted.calls)
    holding, hidden = list[Known](), list[Known]()
    total = sampled.moments or 1.0
    for cause in rules.load().cause:
        calls = [each for each in others if _matches(cause, each)]
        samples = [each for each in rest if _is_of(cause, each, calls)]
        share = sum(each.count for each in samples) / total
        place = _place([*calls, *samples], file)
        summed, unit = _summed(calls), "" if counted.scale == 1.0 else " per MiB"
        held = Facts(
            {**facts.values, **summed, "told": summed["count"] * counted.scale, "share": share},
            {
                **facts.texts,
                "place": f" in {place}" if place else "",
                "what": _what(samples),
                "moved": _written(calls, counted.scale, unit) or "another flush comes first",
                "unit": unit,
            },
        )
        if cause.holds(held) and share >= cause.least:
            if cause.around:
                samples += [each for each in rest if each not in samples and _is_around(cause, each)]
                share = sum(each.count for each in samples) / total
            holding.append(
                Known(cause, share, rules.sentence(cause.says, held), samples=round(sampled.moments))
            )
            rest = [each for each in rest if each not in samples]
            others = [each for each in others if each not in calls]
        elif cause.hidden and any(re.search(cause.hidden, each.path) for each in sampled.samples):
            hidden.append(Known(cause, share, rules.sentence(cause.says, held), is_hidden=True))
    if any(each.cause.flushes for each in holding):
        holding += hidden
    return sorted(holding, key=lambda cause: (cause.is_hidden, -cause.share))


def _is_around(cause: Cause, each: Sampled) -> bool:
    return category(each) in (cause.category or category(each)) and bool(re.search(cause.around, each.path))


def _matches(cause: Cause, calls: Calls) -> bool:
    return bool(
        cause.call
        and re.search(rf"^({cause.call})$", calls.call)
        and re.search(cause.to, calls.to)
        and re.search(cause.path, calls.path)
    )


def _is_of(cause: Cause, each: Sampled, calls: Sequence[Calls]) -> bool:
    if cause.category and category(each) not in cause.category.split(", "):
        return False
    if not re.search(cause.path, each.path):
        return False
    if not cause.to:
        return True
    paths = {call.path.partition("] ")[2] for call in calls}
    return each.path.partition("] ")[2] in paths if each.call else any(_shares(each, path) for path in paths)


def _shares(each: Sampled, path: str) -> bool:
    """Tell whether user time is spent on the way to calls: below the function that their own code calls."""
    mine, theirs = each.path.split(" < "), path.split(" < ")
    return len(mine) > 1 and len(theirs) > 1 and mine[-2:] == theirs[-2:]


def _summed(calls: Sequence[Calls]) -> dict[str, float]:
    count = sum(each.count for each in calls if each.error not in ("EAGAIN", "EINTR"))
    moved = sum(each.bytes for each in calls)
    return {"count": float(count), "size": moved / count if count else 0.0}


def _written(calls: Sequence[Calls], scale: float, unit: str) -> str:
    """Write calls that move bytes: "116,760 reads of 1 byte and 3 writes of 4.0 KiB"."""
    parts = []
    for noun in ("read", "write"):
        count = sum(each.count for each in calls if noun in each.call and each.bytes)
        size = sum(each.bytes for each in calls if noun in each.call) / max(count, 1)
        each = plural(round(size), "byte") if size < 1000 else units.memory(int(size))
        parts += [f"{plural(round(count * scale), noun)} of {each}"] if count else []
    return listed(parts) + unit if parts else ""


def _place(members: Sequence[Calls | Sampled], file: str) -> str:
    return _most((Spot(0.0, "", each.own).says(file), each.count) for each in members if each.own is not None)


def _what(samples: Sequence[Sampled]) -> str:
    return _most(("".join(each.inner[-1:]), each.count) for each in samples)


def _most(counted: Iterable[tuple[str, float]]) -> str:
    """Return the name that is counted most; "" without any."""
    counts: dict[str, float] = {}
    for name, count in counted:
        counts[name] = counts.get(name, 0.0) + count
    return max(counts, key=counts.__getitem__, default="")
