"""Why a row takes as long as it does: an untimed extra run under a tracer, and the rules of rules.toml.

An `Explainer` is called by a race when all is measured. It traces each build once a route (on a smaller input
where the full one would take long: counts are compared per MiB), sets every row against its baseline and its
siblings (the same program with one setting or the library changed), and writes the cause into the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, Field

from headrace.base import units
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.explain import causes, functions, library_loading, observed, quantities, rules, trace
from headrace.explain.measured_rows import (
    MeasuredRow,
    baseline_of,
    floor_of,
    identity,
    is_for_own,
    measured_rows,
    scaled,
    texts_of,
    values_of,
)
from headrace.explain.quantities import MIB, Values
from headrace.explain.siblings import clause, confirmation, siblings_of
from headrace.matrix import inputs
from headrace.processes import instructions
from headrace.race import row_programs
from headrace.race.options import RunOptions
from headrace.race.race import Stopped
from headrace.race.rows import Lane
from headrace.results.failure import Failure
from headrace.results.schema import Row, SystemCalls

BOUND = 10.0  # seconds of one traced run
FIRST = 32 << 10  # bytes of input that a build is traced on first
LARGEST = 16 << 20  # bytes of input traced at most
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
    rule: str = ""  # name of the rule; "" when none explains the row
    cause: str = ""
    confirmation: str = ""  # by a row that lacks the cause; "" where the rule compares, and claims no cause
    calls: dict[str, float] = Field(default_factory=dict)  # by name, per MiB
    system_calls: SystemCalls | None = None
    faults: float = 0.0  # page faults per MiB, less the floor's
    switches: float = 0.0  # voluntary context switches per MiB
    spots: dict[str, float] = Field(default_factory=dict)  # function -> share of the samples
    instructions_a_byte: float | None = None


@dataclass
class Explainer:
    """Explains the rows of a race, see `race.After`."""

    deep: bool = False  # count instructions, too
    only_own: bool = False  # explain a user's own programs alone, with what they are set against
    explanations: list[Explanation] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    _loading: dict[str, float | None] = field(default_factory=dict)  # by toolchain

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: RunOptions,
        watch: Watch,
    ) -> list[Row]:
        """Return the rows with their system calls and causes. Ctrl-C raises Stopped with what was found."""
        by_id = {row.id: row for row in rows}
        if self.only_own:
            lanes = [lane for lane in lanes if is_for_own(lane)]
        if any(lane.harness for lane in lanes):
            self._remark("functions timed in a process are not explained: its calls are its harness's too")
            lanes = [lane for lane in lanes if not lane.harness]
        stopped = False
        try:
            self._trace_all(by_id, lanes, built, options, watch)
            self._explain_all(by_id, measured_rows(by_id, lanes, built), options, watch)
        except KeyboardInterrupt:
            stopped = True
        for row in rows:
            if row.twin_of:
                calls = by_id[row.twin_of].system_calls
                by_id[row.id] = row.model_copy(update={"system_calls": calls})
        explained = [by_id[row.id] for row in rows]
        if stopped:
            raise Stopped(explained)
        return explained

    def _trace_all(
        self,
        by_id: dict[str, Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: RunOptions,
        watch: Watch,
    ) -> None:
        # Rows of a sweep share a trace: that of the largest, in which the start of a process matters least.
        measured = sorted(measured_rows(by_id, lanes, built), key=lambda one: -one.size)
        known: dict[tuple[object, ...], SystemCalls | Failure] = {}
        for number, one in enumerate(measured):
            watch(Step("traces", one.row.id, number, len(measured)))
            if any("wine" in word for word in one.lane.toolchain.runner[:1]):
                self._remark("programs under wine are not traced: the calls would be wine's own")
                continue
            key = identity(one)
            if key not in known:
                known[key] = self._traced(one, options)
            calls = known[key]
            if isinstance(calls, Failure):
                self.remarks.append(f"{one.row.id} could not be traced: {calls.outcome}, {calls.detail}")
            else:
                by_id[one.row.id] = one.row.model_copy(update={"system_calls": calls})

    def _traced(self, one: MeasuredRow, options: RunOptions) -> SystemCalls | Failure:
        """Trace a build on a small input first, then, where it makes few calls, on a larger one."""
        whole = one.input
        if whole.path is None:
            return self._once(one, whole, options)
        first = self._once(one, scaled(one, FIRST), options)
        if isinstance(first, Failure):
            return first
        made = sum(first.counts.values()) - sum(first.start_up.values())
        wanted = min(LARGEST, whole.bytes, int(first.moved * MANY / max(1, made)))
        if not first.complete or wanted < 2 * first.moved:
            return first
        second = self._once(one, scaled(one, wanted), options)
        return first if isinstance(second, Failure) or not second.complete else second

    def _once(self, one: MeasuredRow, data: inputs.Input, options: RunOptions) -> SystemCalls | Failure:
        found = trace.run(row_programs.request(one.lane, one.made, data, options), BOUND)
        if isinstance(found, Failure) or not (data.bytes and found.complete):
            return found
        return found.model_copy(update={"moved": data.bytes})

    def _explain_all(
        self, by_id: dict[str, Row], measured: list[MeasuredRow], options: RunOptions, watch: Watch
    ) -> None:
        known = {one.row.id: values_of(one, measured, self._beyond_floor(one, measured)) for one in measured}
        for number, one in enumerate(measured):
            watch(Step("causes", one.row.id, number, len(measured)))
            found = self._explained(one, known, measured, options)
            self.explanations.append(found)
            by_id[one.row.id] = one.row.model_copy(update={"cause": found.cause})

    def _explained(
        self, one: MeasuredRow, known: dict[str, Values], measured: list[MeasuredRow], options: RunOptions
    ) -> Explanation:
        row = one.row
        result = Explanation(
            id=row.id,
            contender=row.contender,
            variant=row.variant,
            toolchain=row.toolchain,
            route=f"{row.source}:{row.sink}",
            calls=quantities.calls_a_mib(row.system_calls) if row.system_calls else {},
            system_calls=row.system_calls,
            faults=known[row.id]["faults"] if one.size else 0.0,
            switches=known[row.id]["switches"] if one.size else 0.0,
        )
        if self.deep:
            result.instructions_a_byte = self._instructions(one, options)
        base = baseline_of(one, measured)
        if base is None or row.contender == one.lane.benchmark.spec.floor:
            return result
        facts = quantities.against(known[row.id], known[base.row.id], one.size, quantities.costs())
        facts.texts.update(texts_of(one))
        result.cpu_ratio, result.wall_ratio = facts.values["cpu_ratio"], facts.values["wall_ratio"]
        result.is_baseline = base is one
        if base is one or row.system_calls is None or base.row.system_calls is None:
            return result
        holding = causes.known(facts)
        if not holding:
            result.cause = rules.NOTHING
            return result
        cause = holding[0].cause
        siblings = siblings_of(one, measured, known)

        def say(place: str) -> str:
            if place == "hot":
                return self._hot(one, options, result)
            if place == "loading":
                return self._loading_clause(one)
            return clause(place.removeprefix("sibling."), facts.values, siblings)

        result.rule, result.cause = cause.name, rules.sentence(cause, facts, say)
        if not cause.decides:
            result.confirmation = confirmation(cause, facts, siblings)
            result.cause += f"; {result.confirmation}"
        return result

    def _hot(self, one: MeasuredRow, options: RunOptions, result: Explanation) -> str:
        request = row_programs.request(one.lane, one.made, one.input, options)
        seen = observed.observe(request, request.timeout, functions.EVERY)
        if isinstance(seen, Failure):
            self._remark(f"the functions that take the time are not known: {seen.detail}")
            return ""
        shares = functions.shares(seen)
        for (function, library), share in [*shares.items()][:SPOTS]:
            result.spots[function or library] = round(share, 4)
        return functions.phrase(shares)

    def _loading_clause(self, one: MeasuredRow) -> str:
        """Say how much of a start is loading the C++ library; "" where the program does without it."""
        seconds = self._loading_seconds(one)
        return f", of which loading the C++ library {units.one_time(seconds)}" if seconds else ""

    def _loading_seconds(self, one: MeasuredRow) -> float:
        """Return what loading the C++ library takes; 0 where the program does without or none can tell."""
        if one.made.program is None or not library_loading.loads_library(one.made.program):
            return 0.0
        toolchain = one.lane.toolchain
        if toolchain.name not in self._loading:
            self._loading[toolchain.name] = library_loading.loading(toolchain)
        return self._loading[toolchain.name] or 0.0

    def _beyond_floor(self, one: MeasuredRow, measured: Sequence[MeasuredRow]) -> float:
        """Return by how many seconds a program's start exceeds the floor's, which may load no library."""
        floor = floor_of(one, measured)
        if floor is None:
            return 0.0
        program = next(other.made.program for other in measured if other.row is floor)
        does_without = program is not None and not library_loading.loads_library(program)
        return self._loading_seconds(one) if does_without else 0.0

    def _instructions(self, one: MeasuredRow, options: RunOptions) -> float | None:
        data = scaled(one, MIB) if one.input.path else one.input
        request = replace(row_programs.request(one.lane, one.made, data, options), timeout=300)
        found = instructions.count(request, build.count_plugin)
        if isinstance(found, Failure):
            self._remark(f"instructions were not counted: {found.detail}")
            return None
        moved = data.bytes or (one.row.system_calls.bytes_written if one.row.system_calls else 0)
        return found.instructions / moved if moved else None

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)
