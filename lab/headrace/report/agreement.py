"""Do harnesses agree? Sentences about functions that several harnesses timed in the same rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base import units
from headrace.base.text import listed, name, plural, visible
from headrace.judge import table
from headrace.report import ratios
from headrace.report.ratios import Ratio
from headrace.report.standing import Group, Standing
from headrace.results.schema import OWN_HARNESS, Role, Verdict

CLOSE = 0.03  # the margin within which two harnesses agree
_SHOWN = 4  # disagreements told one by one


@dataclass(frozen=True)
class _Pair:
    """A function's row by another harness, set against ours."""

    label: str
    toolchain: str
    ratio: Ratio  # time by the other harness / time by ours, of the same rounds

    @property
    def verdict(self) -> Verdict:
        """The judge's, by a margin of CLOSE."""
        return table.worded(self.ratio.value, self.ratio.low, self.ratio.high, CLOSE)


def sentences(group: Group) -> list[str]:
    """Say for each other harness on how many functions its medians agree with ours, and where they do not."""
    others = list(dict.fromkeys(standing.row.harness for standing in group.measured if standing.row.by_peer))
    said = []
    for other in others:
        pairs = _pairs(group, other)
        if pairs:
            said.append(_sentence(other, pairs))
    return said


def _pairs(group: Group, other: str) -> list[_Pair]:
    own = {
        _key(standing): standing
        for standing in group.measured
        if standing.row.harness == OWN_HARNESS and standing.role is not Role.TWIN
    }
    pairs = []
    for standing in group.measured:
        if standing.row.harness == other and (ours := own.get(_key(standing))):
            ratio = ratios.between(standing.row, ours.row)
            if ratio is not None:
                pairs.append(_Pair(ours.label, ours.toolchain, ratio))
    return pairs


def _key(standing: Standing) -> tuple[str, str, str, str]:
    row = standing.row
    return row.contender, repr(sorted(row.variant.items())), row.toolchain, row.optimisation


def _sentence(other: str, pairs: Sequence[_Pair]) -> str:
    differing = [pair for pair in pairs if pair.verdict in ("faster", "slower")]
    unknown = [pair for pair in pairs if pair.verdict == "not decided"]
    agreeing = len(pairs) - len(differing) - len(unknown)
    values = sorted(pair.ratio.value for pair in pairs)
    spread = f"{units.ratio(values[0])} to {units.ratio(values[-1])}"
    spread = f"medians by {visible(other)} / by {OWN_HARNESS}: {spread}"
    text = f"{name(other)} and {name(OWN_HARNESS)} agree within {units.percent(CLOSE)} on "
    text += f"{agreeing} of {plural(len(pairs), 'function')} ({spread})"
    if unknown:
        text += f"; on {len(unknown)} the rounds cannot tell"
    if differing:
        text += f"; they disagree on {_told(other, differing)}"
    return f"{text}."


def _told(other: str, pairs: Sequence[_Pair]) -> str:
    worst = sorted(pairs, key=lambda pair: max(pair.ratio.value, 1 / pair.ratio.value), reverse=True)
    parts = [
        f"{name(pair.label)} with {visible(pair.toolchain)} "
        f"({pair.ratio.text()} times as long by {visible(other)})"
        for pair in worst[:_SHOWN]
    ]
    more = [f"{len(worst) - _SHOWN} more"] if len(worst) > _SHOWN else []
    return listed(parts + more)
