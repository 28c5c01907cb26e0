"""What rows cost in instructions and system calls: one untimed run of each build (`headrace run --count`).

A count says nothing of how long an instruction takes. What it is good for is a change: it moves by what the
program does, not by what the machine does. The run reads the benchmark's small input, that of --quick.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from headrace.base.errors import NothingToDo
from headrace.base.step import Step
from headrace.builds import build
from headrace.explain import trace
from headrace.explain.measured_rows import MeasuredRow, measured_rows
from headrace.processes import instructions, launch
from headrace.race.race import After, Raced
from headrace.results.failure import Failure
from headrace.results.schema import Counted

LONGEST = 600.0  # seconds of one counted run
TRACED = 60.0  # seconds of one run whose system calls are counted


@dataclass
class Counter(After):
    """Counts the instructions of a race's rows. Raises NothingToDo where nothing here counts any."""

    def __post_init__(self) -> None:
        """Look whether anything counts, before the work begins."""
        if not instructions.is_possible():
            raise NothingToDo(
                f"--count instructions needs valgrind, or perf with counters: {instructions.HOW_TO_GET}"
            )

    def __call__(self, raced: Raced) -> None:
        """Put their counts into the rows. Those that cannot be counted are named in `remarks`."""
        able = [
            each
            for each in measured_rows(raced)
            if each.lane.benchmark.spec.kind == "process" and not each.lane.contender.program
        ]
        with ThreadPoolExecutor(raced.options.jobs or build.processors()) as pool:
            counts = zip(able, pool.map(self._count, able), strict=True)
            for done, (each, counted) in enumerate(counts, 1):
                raced.watch(Step("counts", each.row.id, done, len(able)))
                if isinstance(counted, Failure):
                    self.remark(f"The instructions of {each.row.id} were not counted: {counted.detail}.")
                else:
                    raced.rows[each.row.id] = each.row.model_copy(update={"counted": counted})

    def _count(self, entry: MeasuredRow) -> Counted | Failure:
        small = {key: str(value) for key, value in entry.lane.benchmark.spec.quick.items()}
        quick = replace(entry, lane=replace(entry.lane, setting={**small, **entry.lane.setting}))
        request = replace(quick.request(quick.input), timeout=LONGEST)
        counted = instructions.count(request, build.count_plugin)
        if isinstance(counted, Failure):
            return counted
        facts: dict[str, object] = {"tokens": quick.input.tokens, "input": dict(quick.lane.setting)}
        facts |= {"system_calls": self._calls(request)} if counted.system_calls is None else {}
        return counted.model_copy(update=facts)

    def _calls(self, request: launch.Request) -> int | None:
        seen = trace.watched(request, TRACED, with_callers=False)
        if isinstance(seen, Failure):
            self.remark(f"System calls were not counted: {seen.detail}.")
            return None
        return sum(each.count for each in [*seen.loader, *seen.calls]) if seen.complete else None
