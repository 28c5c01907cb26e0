"""Why a row takes as long as it does: untimed extra runs that are watched, and the causes of rules.toml.

An `Explainer` follows a race. It counts the calls of each build once a route (on a smaller input where the
full one would take long: counts are told per MiB), takes samples of it, subtracts its baseline's time cause
by cause, looks whether a sibling (the same program with one setting or the library changed) confirms what is
left, and writes that into the row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, Field

from headrace.base.errors import HeadraceError
from headrace.base.step import Step
from headrace.explain import counting, findings, trace
from headrace.explain.accounts import Account, account, compared, confirmation, middle, siblings_of
from headrace.explain.findings import Findings
from headrace.explain.measured_rows import (
    MeasuredRow,
    baseline_of,
    floor_of,
    identity,
    is_for_own,
    measured_rows,
    scaled,
)
from headrace.explain.observed import Observation
from headrace.explain.trace import MIB
from headrace.matrix import inputs
from headrace.race.race import After, Raced
from headrace.results.failure import Failure
from headrace.results.schema import SystemCalls

BOUND = 10.0  # seconds of one traced run
FIRST = 32 << 10  # bytes of input that a build is traced on first
LARGEST = 16 << 20  # bytes of input traced at most
SAMPLES = 200  # that a row is known by, to seven percent either way
SPOTS = 20  # functions of a row that are kept
MANY = 20_000  # calls beyond which a larger input is not worth the wait


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
    rule: str = ""  # name of the cause, or "start-up", "as fast", "faster"; "" when none explains the row
    cause: str = ""
    confirmation: str = ""  # by a row that lacks the cause; "" where the rule compares, and claims no cause
    calls: dict[str, float] = Field(default_factory=dict)  # by name, per MiB
    system_calls: SystemCalls | None = None
    faults: float = 0.0  # page faults per MiB, less the floor's
    switches: float = 0.0  # voluntary context switches per MiB
    time: str = ""  # how it is split: I/O calls, conversion and streams, its own code, waiting
    spots: dict[str, float] = Field(default_factory=dict)  # function -> share of the samples


@dataclass
class Explainer(After):
    """Explains the rows of a race."""

    only_own: bool = False  # explain a user's own programs alone, with what they are set against
    explanations: list[Explanation] = field(default_factory=list)

    def __call__(self, raced: Raced) -> None:
        """Put their system calls and causes into the rows."""
        lanes = [lane for lane in raced.lanes if not self.only_own or is_for_own(lane)]
        if any(lane.harness for lane in lanes):
            self.remark("functions timed in a process are not explained: its calls are its harness's too")
        own = replace(raced, lanes=[lane for lane in lanes if not lane.harness])
        try:
            self._explain_all(own, self._see_all(own))
        finally:
            for row in raced.rows.values():
                if row.twin_of:
                    calls = raced.rows[row.twin_of].system_calls
                    raced.rows[row.id] = row.model_copy(update={"system_calls": calls})

    def _see_all(self, raced: Raced) -> dict[str, Findings]:
        """Watch each build once a route; return what it was seen to do, by row. Rows get their calls."""
        # Rows of a sweep share it: that of the largest, in which the start of a process matters least.
        known: dict[tuple[object, ...], tuple[SystemCalls, Findings | None] | Failure] = {}
        seen_by_row: dict[str, Findings] = {}
        measured = sorted(measured_rows(raced), key=lambda entry: -entry.size)
        for number, entry in enumerate(measured):
            raced.watch(Step("traces", entry.row.id, number, len(measured)))
            if any("wine" in word for word in entry.lane.toolchain.runner[:1]):
                self.remark("programs under wine are not traced: the calls would be wine's own")
                continue
            key = identity(entry)
            if key not in known:
                known[key] = self._seen(entry)
            seen = known[key]
            if isinstance(seen, Failure):
                self.remark(f"{entry.row.id} could not be traced: {seen.outcome}, {seen.detail}")
                continue
            raced.rows[entry.row.id] = entry.row.model_copy(update={"system_calls": seen[0]})
            if seen[1] is not None:
                seen_by_row[entry.row.id] = seen[1]
        return seen_by_row

    def _seen(self, entry: MeasuredRow) -> tuple[SystemCalls, Findings | None] | Failure:
        """Count the calls of a build and take samples of it; without findings where nobody can tell."""
        counted = self._counted(entry)
        if isinstance(counted, Failure):
            return counted
        calls, seen = counted
        if entry.lane.toolchain.runner:
            self.remark(f"under {entry.lane.toolchain.runner[0]} calls are counted, and causes are not known")
            return calls, None
        sample = entry.row.samples[len(entry.row.samples) // 2]
        request = replace(entry.request(entry.input), pin=None, cold=False)
        sampled = findings.sampled(request, sample.wall, SAMPLES)
        if isinstance(sampled, Failure):
            return calls, None
        scaled_up = replace(seen, scale=MIB / calls.moved) if calls.moved else seen
        texts = {"flags": "-O?" if entry.lane.contender.program else f"-{entry.row.optimisation}"}
        return calls, findings.of(sample, scaled_up, sampled, texts, entry.lane.contender.file.name)

    def _counted(self, entry: MeasuredRow) -> tuple[SystemCalls, Observation] | Failure:
        """Trace a build on a small input first, then, where it makes few calls, on a larger one."""
        whole = entry.input
        if whole.path is None:
            return self._once(entry, whole)
        first = self._once(entry, scaled(entry, FIRST))
        if isinstance(first, Failure):
            return first
        calls = first[0]
        made = sum(calls.counts.values()) - sum(calls.start_up.values())
        wanted = min(LARGEST, whole.bytes, int(calls.moved * MANY / max(1, made)))
        if not calls.complete or wanted < 2 * calls.moved:
            return first
        second = self._once(entry, scaled(entry, wanted))
        return first if isinstance(second, Failure) or not second[0].complete else second

    def _once(self, entry: MeasuredRow, data: inputs.Input) -> tuple[SystemCalls, Observation] | Failure:
        seen = trace.watched(entry.request(data), BOUND)
        if isinstance(seen, Failure):
            return seen
        calls = trace.counts_of(seen)
        if data.bytes and calls.complete:
            calls = calls.model_copy(update={"moved": data.bytes})
        return calls, seen

    def _explain_all(self, raced: Raced, seen: Mapping[str, Findings]) -> None:
        measured = measured_rows(raced)
        known = {entry.row.id: account(entry, measured, seen.get(entry.row.id)) for entry in measured}
        for number, entry in enumerate(measured):
            raced.watch(Step("causes", entry.row.id, number, len(measured)))
            explanation = self._explained(entry, known, measured, seen.get(entry.row.id))
            self.explanations.append(explanation)
            raced.rows[entry.row.id] = entry.row.model_copy(update={"cause": explanation.cause})

    def _explained(
        self,
        entry: MeasuredRow,
        known: dict[str, Account],
        measured: list[MeasuredRow],
        seen: Findings | None,
    ) -> Explanation:
        row, floor, mib = entry.row, floor_of(entry, measured), entry.size / MIB
        faults = middle(row, "minor_faults") - (middle(floor, "minor_faults") if floor else 0.0)
        result = Explanation(
            **row.model_dump(include={"id", "contender", "variant", "toolchain"}),
            route=f"{row.source}:{row.sink}",
            calls=trace.calls_a_mib(row.system_calls) if row.system_calls else {},
            system_calls=row.system_calls,
            faults=max(0.0, faults) / mib if mib else 0.0,
            switches=middle(row, "voluntary_switches") / mib if mib else 0.0,
        )
        if seen is not None:
            result.time, result.spots = seen.split.says(entry.lane.contender.file.name), spots(seen.sampled)
        base = baseline_of(entry, measured)
        if base is None or row.contender == entry.lane.benchmark.spec.floor:
            return result
        own, other = known[row.id], known[base.row.id]
        result.cpu_ratio, result.wall_ratio = own.cpu / other.cpu, own.wall / other.wall
        result.is_baseline = base is entry
        if base is not entry and seen is not None:
            result.rule, result.cause, cause = compared(own, other)
            if cause is not None:
                result.confirmation = confirmation(cause.name, own, siblings_of(entry, measured, known))
                result.cause += f"; {result.confirmation}"
        return result


def spots(sampled: Observation) -> dict[str, float]:
    """Return the functions with the most of the time on a processor, each with its share."""
    counts = Counter[str]()
    for each in sampled.samples:
        if each.state == "R" and each.callers:
            counts["the kernel" if each.call else each.callers[0].function] += round(each.count)
    return {name: round(count / counts.total(), 4) for name, count in counts.most_common(SPOTS)}


def wanted(count: str, why: bool, own: bool) -> tuple[list[After], str]:
    """Return what counts and what explains, and why a user's `own` program goes unexplained, if it does.

    `count`: "instructions" or nothing; `why`: explain all rows, even without a program of the user's. Raises
    NothingToDo or BadInput where a tool is missing that was asked for.
    """
    afters: list[After] = [counting.Counter()] if count else []
    if not why and not own:
        return afters, ""
    try:
        trace.check()
    except HeadraceError as error:
        if why:
            raise
        return afters, str(error)
    return [*afters, Explainer(only_own=not why)], ""
