"""Do harnesses agree? Sentences about functions that several harnesses timed in the same rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headrace.base.text import listed, some
from headrace.judge import table, verdict
from headrace.report import ratios
from headrace.report.prose import say
from headrace.report.ranking import Group, Standing
from headrace.report.ratios import Ratio
from headrace.results.schema import OWN_HARNESS, Role, Verdict

CLOSE = 0.03  # the margin within which two harnesses agree
_SHOWN = 4  # disagreements told one by one


@dataclass(frozen=True)
class _Pair:
    """A function's row by another harness, set against ours."""

    ours: Standing
    ratio: Ratio  # time by the other harness / time by ours, of the same rounds

    @property
    def verdict(self) -> Verdict:
        """The judge's, by a margin of CLOSE."""
        return verdict.verdict(table.bounded(self.ratio.value, self.ratio.low, self.ratio.high), CLOSE)


def sentences(group: Group) -> list[str]:
    """Say for each other harness on how many functions its medians agree with ours, and where they do not."""
    others = dict.fromkeys(standing.row.harness for standing in group.measured if standing.row.by_peer)
    return [_sentence(other, pairs) for other in others if (pairs := _pairs(group, other))]


def _pairs(group: Group, other: str) -> list[_Pair]:
    own = {
        _key(standing): standing
        for standing in group.measured
        if standing.row.harness == OWN_HARNESS and standing.role is not Role.TWIN
    }
    return [
        _Pair(ours, ratio)
        for standing in group.measured
        if standing.row.harness == other and (ours := own.get(_key(standing)))
        if (ratio := ratios.between(standing.row, ours.row))
    ]


def _key(standing: Standing) -> tuple[str, str, str, str]:
    row = standing.row
    return row.contender, repr(sorted(row.variant.items())), row.toolchain, row.optimisation


def _sentence(other: str, pairs: Sequence[_Pair]) -> str:
    differing = [pair for pair in pairs if pair.verdict in ("faster", "slower")]
    differing.sort(key=lambda pair: pair.ratio.factor, reverse=True)
    unknown = sum(pair.verdict == "not decided" for pair in pairs)
    values = [pair.ratio.value for pair in pairs]
    told = some((say("disagreement", pair=pair, other=other) for pair in differing), _SHOWN)
    return say(
        "agreement",
        **{"other": other, "own": OWN_HARNESS, "close": CLOSE, "low": min(values), "high": max(values)},
        agreeing=len(pairs) - len(differing) - unknown,
        functions=len(pairs),
        unknown=say("agreement-unknown", unknown=unknown) if unknown else "",
        differing=listed(told) if told else "",
    )
