"""Why a row takes as long as it does: an untimed extra run under a tracer, and the rules of rules.toml.

An `Explainer` is called by a race when all is measured. It traces each build once a route (on a smaller input
where the full one would take long: counts are compared per MiB), sets every row against its baseline and its
siblings (the same program with one setting or the library changed), and writes the cause into the row.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, Field

from headrace.base import units
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.explain import hot, quantities, rules, start, trace
from headrace.explain.quantities import MIB, Values
from headrace.matrix import inputs
from headrace.race import race
from headrace.race.race import Lane, Options
from headrace.results.failure import Failure
from headrace.results.schema import Row, SystemCalls

BOUND = 10.0  # seconds of one traced run
FIRST = 32 << 10  # bytes of input that a build is traced on first
LARGEST = 16 << 20  # bytes of input traced at most
MANY = 20_000  # calls beyond which a larger input is not worth the wait
SIZES = ("rows", "count", "size")  # settings of generators that scale their output
_SYNC_OFF = {"SYNC=false", "SYNC=0"}
HALF = 0.5
LESS = 0.8


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
    calls: dict[str, float] = Field(default_factory=dict)  # by name, per MiB
    system_calls: SystemCalls | None = None
    faults: float = 0.0  # page faults per MiB, less the floor's
    switches: float = 0.0  # voluntary context switches per MiB
    spots: dict[str, float] = Field(default_factory=dict)  # function -> share of the samples
    instructions_a_byte: float | None = None


@dataclass(frozen=True)
class Subject:
    """A measured row with what is needed to run it again."""

    lane: Lane
    made: build.Build
    row: Row
    size: int  # bytes that one sample moves; 0: unknown


@dataclass
class Explainer:
    """Explains the rows of a race, see `race.Options.after`."""

    deep: bool = False  # count instructions, too
    only_own: bool = False  # explain a user's own programs alone, with what they are set against
    explanations: list[Explanation] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    tool: trace.Tool | None = None
    _loading: dict[str, float | None] = field(default_factory=dict)  # by toolchain

    def prepare(self) -> None:
        """Find a tracer before the work begins. Raises NothingToDo or BadInput without one."""
        self.tool = trace.find_tool()

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: Options,
        watch: Watch,
    ) -> list[Row]:
        """Return the rows with their system calls and causes. Ctrl-C keeps what was found."""
        by_id = {row.id: row for row in rows}
        if self.only_own:
            lanes = [lane for lane in lanes if _is_for_own(lane)]
        if any(lane.harness for lane in lanes):
            self._remark("functions timed in a process are not explained: its calls are its harness's too")
            lanes = [lane for lane in lanes if not lane.harness]
        try:
            self._trace_all(by_id, lanes, built, options, watch)
            self._explain_all(by_id, _subjects(by_id, lanes, built), options, watch)
        except KeyboardInterrupt:
            self.remarks.append("interrupted: the rows after this one are not explained")
        for row in rows:
            if row.twin_of:
                calls = by_id[row.twin_of].system_calls
                by_id[row.id] = row.model_copy(update={"system_calls": calls})
        return [by_id[row.id] for row in rows]

    def _trace_all(
        self,
        by_id: dict[str, Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: Options,
        watch: Watch,
    ) -> None:
        # Rows of a sweep share a trace: that of the largest, in which the start of a process matters least.
        subjects = sorted(_subjects(by_id, lanes, built), key=lambda one: -one.size)
        known: dict[tuple[object, ...], SystemCalls | Failure] = {}
        for number, one in enumerate(subjects):
            watch(Step("traces", one.row.id, number, len(subjects)))
            if any("wine" in word for word in one.lane.toolchain.runner[:1]):
                self._remark("programs under wine are not traced: the calls would be wine's own")
                continue
            key = _identity(one)
            if key not in known:
                known[key] = self._traced(one, options)
            calls = known[key]
            if isinstance(calls, Failure):
                self.remarks.append(f"{one.row.id} could not be traced: {calls.outcome}, {calls.detail}")
            else:
                by_id[one.row.id] = one.row.model_copy(update={"system_calls": calls})

    def _traced(self, one: Subject, options: Options) -> SystemCalls | Failure:
        """Trace a build on a small input first, then, where it makes few calls, on a larger one."""
        if self.tool is None:
            self.prepare()
        assert self.tool is not None
        whole = inputs.make(one.lane.settings, one.lane.benchmark.spec.tolerance)
        if whole.path is None:
            return self._once(one, whole, options)
        first = self._once(one, _scaled(one, whole, FIRST), options)
        if isinstance(first, Failure):
            return first
        made = sum(first.counts.values()) - sum(first.start_up.values())
        wanted = min(LARGEST, whole.bytes, int(first.moved * MANY / max(1, made)))
        if not first.complete or wanted < 2 * first.moved:
            return first
        second = self._once(one, _scaled(one, whole, wanted), options)
        return first if isinstance(second, Failure) or not second.complete else second

    def _once(self, one: Subject, data: inputs.Input, options: Options) -> SystemCalls | Failure:
        assert self.tool is not None
        request = replace(race.request(one.lane, one.made, data, options), pin=None, cold=False)
        found = trace.run(self.tool, request, BOUND)
        if isinstance(found, Failure):
            return found
        return SystemCalls(
            counts=found.counts,
            read_sizes=found.read_sizes,
            write_sizes=found.write_sizes,
            bytes_read=found.bytes_read,
            bytes_written=found.bytes_written,
            start_up=found.start_up,
            failed=found.failed,
            moved=data.bytes if data.bytes and found.complete else _moved(found),
            complete=found.complete,
            tool=self.tool.name,
        )

    def _explain_all(
        self, by_id: dict[str, Row], subjects: list[Subject], options: Options, watch: Watch
    ) -> None:
        known = {one.row.id: _values(one, subjects, self._beyond_floor(one, subjects)) for one in subjects}
        for number, one in enumerate(subjects):
            watch(Step("causes", one.row.id, number, len(subjects)))
            found = self._explained(one, known, subjects, options)
            self.explanations.append(found)
            by_id[one.row.id] = one.row.model_copy(update={"cause": found.cause})

    def _explained(
        self, one: Subject, known: dict[str, Values], subjects: list[Subject], options: Options
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
        base = _baseline(one, subjects)
        if base is None or row.contender == one.lane.benchmark.spec.floor:
            return result
        facts = quantities.against(known[row.id], known[base.row.id], one.size, quantities.costs())
        facts.texts.update(_texts(one))
        result.cpu_ratio, result.wall_ratio = facts.values["cpu_ratio"], facts.values["wall_ratio"]
        result.is_baseline = base is one
        if base is one or row.system_calls is None or base.row.system_calls is None:
            return result
        rule = rules.choose(facts)
        if rule is None:
            result.cause = rules.NOTHING
            return result
        siblings = _siblings(one, subjects, known)

        def say(place: str) -> str:
            if place == "hot":
                return self._hot(one, options, result)
            if place == "loading":
                return self._loading_clause(one)
            return _clause(place.removeprefix("sibling."), facts.values, siblings)

        result.rule, result.cause = rule.name, rules.sentence(rule, facts, say)
        return result

    def _hot(self, one: Subject, options: Options, result: Explanation) -> str:
        if not hot.is_here():
            self._remark(f"perf is not here; {hot.HOW_TO_GET} that take the time")
            return ""
        whole = inputs.make(one.lane.settings, one.lane.benchmark.spec.tolerance)
        spots = hot.sample(race.request(one.lane, one.made, whole, options))
        if isinstance(spots, Failure):
            self._remark(f"perf could not sample: {spots.detail}")
            return ""
        result.spots = {spot.function or spot.library: round(spot.share, 4) for spot in spots[:20]}
        return hot.phrase(spots)

    def _loading_clause(self, one: Subject) -> str:
        """Say how much of a start is loading the C++ library; "" where the program does without it."""
        seconds = self._loading_seconds(one)
        return f", of which loading the C++ library {units.one_time(seconds)}" if seconds else ""

    def _loading_seconds(self, one: Subject) -> float:
        """Return what loading the C++ library takes; 0 where the program does without or none can tell."""
        if one.made.program is None or not start.loads_library(one.made.program):
            return 0.0
        toolchain = one.lane.toolchain
        if toolchain.name not in self._loading:
            self._loading[toolchain.name] = start.loading(toolchain)
        return self._loading[toolchain.name] or 0.0

    def _beyond_floor(self, one: Subject, subjects: Sequence[Subject]) -> float:
        """Return by how many seconds a program's start exceeds the floor's, which may load no library."""
        floor = _floor(one, subjects)
        if floor is None:
            return 0.0
        program = next(other.made.program for other in subjects if other.row is floor)
        does_without = program is not None and not start.loads_library(program)
        return self._loading_seconds(one) if does_without else 0.0

    def _instructions(self, one: Subject, options: Options) -> float | None:
        whole = inputs.make(one.lane.settings, one.lane.benchmark.spec.tolerance)
        data = _scaled(one, whole, MIB) if whole.path else whole
        request = replace(race.request(one.lane, one.made, data, options), timeout=300)
        found = hot.instructions(request)
        if isinstance(found, Failure):
            self._remark(f"instructions were not counted: {found.detail}")
            return None
        moved = data.bytes or (one.row.system_calls.bytes_written if one.row.system_calls else 0)
        return found / moved if moved else None

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)


def _is_for_own(lane: Lane) -> bool:
    """Whether a row is a user's own program, or one that it is set against."""
    spec = lane.benchmark.spec
    own = [guest.name for guest in lane.benchmark.guests]
    return lane.contender.name in (spec.baseline, spec.floor, *own)


def _moved(found: trace.Trace) -> int:
    """Return the bytes that a run cut short has worked on: a copy may have read ahead of what it wrote."""
    if found.bytes_written >= found.bytes_read // 2:
        return found.bytes_written
    return found.bytes_read


def _subjects(
    by_id: Mapping[str, Row], lanes: Sequence[Lane], built: Mapping[str, build.Build | str]
) -> list[Subject]:
    """Return the rows that were measured."""
    found = []
    for lane in lanes:
        row, made = by_id[lane.row().id], built[lane.row().id]
        if isinstance(made, build.Build) and row.outcome == "ok" and row.samples:
            found.append(Subject(lane, made, row, _size(lane, row)))
    return found


def _size(lane: Lane, row: Row) -> int:
    if row.input_bytes:
        return row.input_bytes
    data = inputs.make(lane.settings, lane.benchmark.spec.tolerance)
    calls = row.system_calls
    return data.expected.bytes or (calls.bytes_written if calls and calls.complete else 0)


def _identity(one: Subject) -> tuple[object, ...]:
    """Name what a trace depends on: rows of a sweep share one."""
    setting = {key: value for key, value in one.lane.setting.items() if key not in SIZES}
    environment = one.lane.contender.environment
    program = one.made.digest or one.lane.contender.program
    return (program, one.lane.route, *sorted(environment.items()), *sorted(setting.items()))


def _scaled(one: Subject, whole: inputs.Input, size: int) -> inputs.Input:
    """Return the input of a row with about `size` bytes, at most its own."""
    if whole.bytes <= size:
        return whole
    settings = dict(one.lane.settings)
    parameters = inspect.signature(inputs.GENERATORS[str(settings["generator"])]).parameters
    for key in SIZES:
        if key in parameters:
            own = int(settings.get(key, parameters[key].default))
            settings[key] = max(1, round(own * size / whole.bytes))
            return inputs.make(settings, one.lane.benchmark.spec.tolerance)
    return whole


def _values(one: Subject, subjects: Iterable[Subject], loading: float) -> Values:
    values = quantities.of(one.row, one.size, _floor(one, subjects), loading)
    return values | {"cpu_a_mib": values["cpu"] / max(one.size, 1) * MIB}


def _floor(one: Subject, subjects: Iterable[Subject]) -> Row | None:
    """Find the floor of a row's toolchain, on its route if it is there."""
    name = one.lane.benchmark.spec.floor
    found = [
        other.row
        for other in subjects
        if other.row.benchmark == one.row.benchmark
        and other.row.contender == name
        and other.row.toolchain == one.row.toolchain
    ]
    found.sort(key=lambda row: (row.optimisation, row.source, row.sink) != _where(one.row))
    return found[0] if found else None


def _where(row: Row) -> tuple[str, str, str]:
    return (row.optimisation, row.source, row.sink)


def _baseline(one: Subject, subjects: Iterable[Subject]) -> Subject | None:
    name = one.lane.benchmark.spec.baseline
    return next(
        (other for other in subjects if other.lane.group == one.lane.group and other.row.contender == name),
        None,
    )


def _texts(one: Subject) -> dict[str, str]:
    """Return what `where` searches."""
    row, file = one.row, one.lane.contender.file
    text = file.read_text(encoding="utf-8", errors="replace") if file.stat().st_size < 1 << 20 else ""
    settings = [f"{key}={value}" for key, value in sorted(row.variant.items())]
    return {
        "contender": row.contender,
        "settings": " ".join(settings),
        "toolchain": row.toolchain,
        "library": one.lane.toolchain.library,
        "source": row.source,
        "sink": row.sink,
        "text": text,
        "unsynced": "yes"
        if re.search(r"sync_with_stdio\(false\)", text) or _SYNC_OFF & set(settings)
        else "",
    }


# Siblings: rows that differ in one thing.


@dataclass(frozen=True, eq=False)
class Sibling:
    """A row that differs in one thing, which `words` names."""

    words: str  # subject of a sentence: "the same program untied"
    values: Values
    kind: str  # "setting" | "finding" | "library"


def _siblings(one: Subject, subjects: Iterable[Subject], known: Mapping[str, Values]) -> list[Sibling]:
    found = []
    for other in subjects:
        if other.row.id == one.row.id or other.row.benchmark != one.row.benchmark:
            continue
        if _where(other.row) == _where(one.row):
            kind, words = _difference(one, other)
            if words:
                found.append(Sibling(words, known[other.row.id], kind))
    return found


def _difference(one: Subject, other: Subject) -> tuple[str, str]:
    """Say what another row has changed, if that is one thing."""
    mine, theirs = one.row, other.row
    if mine.toolchain != theirs.toolchain:
        same = (mine.contender, mine.variant, mine.input) == (theirs.contender, theirs.variant, theirs.input)
        mine_chain, their_chain = one.lane.toolchain, other.lane.toolchain
        if same and mine_chain.library != their_chain.library and mine_chain.target == their_chain.target:
            return "library", f"the same program on {their_chain.library}"
        return "", ""
    if mine.contender == theirs.contender:
        names = {*mine.variant, *theirs.variant}
        changed = [name for name in names if mine.variant.get(name) != theirs.variant.get(name)]
        if len(changed) != 1:
            return "", ""
        setting = f"{changed[0]}={theirs.variant.get(changed[0], '')}"
        return "setting", f"the same program {rules.load().settings.get(setting, f'with {setting}')}"
    for finding in one.lane.benchmark.spec.finding:
        if (finding.a, finding.b, finding.compare) == (theirs.label, mine.label, "contender"):
            return "finding", f"{finding.says} ({finding.a})"
    return "", ""


def _clause(quantity: str, own: Values, siblings: Sequence[Sibling]) -> str:
    """Say what siblings do otherwise, as the end of a sentence."""
    if quantity == "cpu":
        return _time_clause(own, siblings)
    settings = [one for one in siblings if one.kind == "setting" and quantity in one.values]
    fewer = [one for one in settings if one.values[quantity] <= HALF * own[quantity]]
    if not fewer:
        return ""
    best = min(fewer, key=lambda one: one.values[quantity])
    text = f"; {best.words} makes {rules.count(best.values[quantity])}"
    same = [one for one in settings if abs(one.values[quantity] - own[quantity]) <= 0.05 * own[quantity]]
    if same:
        words = same[0].words.removeprefix("the same program ")
        text += f", {words} still {rules.count(same[0].values[quantity])}"
    return text


def _time_clause(own: Values, siblings: Sequence[Sibling]) -> str:
    """Name the setting and the library that save most time, and a setting that changes nothing."""
    ratios = {one: one.values["cpu_a_mib"] / own["cpu_a_mib"] for one in siblings if own["cpu_a_mib"] > 0}
    said = []
    for kinds in (("setting", "finding"), ("library",)):
        saving = [one for one, ratio in ratios.items() if one.kind in kinds and ratio <= LESS]
        if saving:
            best = min(saving, key=ratios.__getitem__)
            said.append(f"; {best.words} takes {rules.FORMS['percent'](ratios[best])} of its time")
    useless = [one for one, ratio in ratios.items() if one.kind != "library" and LESS < ratio < 1 / LESS]
    if useless:
        said.append(f"; {useless[0].words} takes as long")
    return "".join(said)
