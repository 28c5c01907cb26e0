"""What rows cost in instructions and system calls: one untimed run of each build (`headrace run --count`).

A count says nothing of how long an instruction takes. What it is good for is a change: it moves by what the
program does, not by what the machine does. The run reads the benchmark's small input, that of --quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from headrace.base.errors import HeadraceError, NothingToDo
from headrace.base.step import Step, Watch
from headrace.builds import build
from headrace.explain import trace
from headrace.explain.measured_rows import MeasuredRow, measured_rows
from headrace.matrix import inputs
from headrace.processes import instructions, launch
from headrace.race import row_programs
from headrace.race.options import RunOptions
from headrace.race.rows import Lane
from headrace.results.failure import Failure
from headrace.results.schema import Counted, Row

LONGEST = 600.0  # seconds of one counted run
TRACED = 60.0  # seconds of one run whose system calls are counted


@dataclass
class Counter:
    """Counts the instructions of a race's rows, see `race.After`."""

    remarks: list[str] = field(default_factory=list)
    has_tracer: bool = False

    def prepare(self) -> None:
        """Find the tools before the work begins. Raises NothingToDo without any that counts instructions."""
        if not instructions.is_possible():
            raise NothingToDo(
                f"--count instructions needs valgrind, or perf with counters: {instructions.HOW_TO_GET}"
            )
        try:
            trace.check()
            self.has_tracer = True
        except HeadraceError as error:
            self.remarks.append(f"System calls were not counted: {error}.")

    def __call__(
        self,
        rows: list[Row],
        lanes: Sequence[Lane],
        built: Mapping[str, build.Build | str],
        options: RunOptions,
        watch: Watch,
    ) -> list[Row]:
        """Return the rows with their counts. Rows that cannot be counted are named in `remarks`."""
        by_id = {row.id: row for row in rows}
        able = [
            each
            for each in measured_rows(by_id, lanes, built)
            if each.lane.benchmark.spec.kind == "process" and not each.lane.contender.program
        ]
        done = 0

        def count(each: MeasuredRow) -> Counted | Failure:
            nonlocal done
            counted = self._count(each.lane, each.made, options)
            done += 1
            watch(Step("counts", each.row.id, done, len(able)))
            return counted

        with ThreadPoolExecutor(options.jobs or build.processors()) as pool:
            counts = list(pool.map(count, able))
        for each, counted in zip(able, counts, strict=True):
            if isinstance(counted, Failure):
                self.remarks.append(f"The instructions of {each.row.id} were not counted: {counted.detail}.")
            else:
                by_id[each.row.id] = each.row.model_copy(update={"counted": counted})
        return [by_id[row.id] for row in rows]

    def _count(self, lane: Lane, made: build.Build, options: RunOptions) -> Counted | Failure:
        small = {key: str(value) for key, value in lane.benchmark.spec.quick.items()}
        lane = replace(lane, setting={**small, **lane.setting})
        data = inputs.make(lane.settings, lane.benchmark.spec.tolerance)
        request = replace(row_programs.request(lane, made, data, options), timeout=LONGEST)
        found = instructions.count(request, build.count_plugin)
        if isinstance(found, Failure):
            return found
        return Counted(
            tool=found.tool,
            instructions=found.instructions,
            system_calls=self._calls(request) if found.system_calls is None else found.system_calls,
            tokens=data.tokens,
            input=dict(lane.setting),
        )

    def _calls(self, request: launch.Request) -> int | None:
        if not self.has_tracer:
            return None
        found = trace.run(request, TRACED)
        return None if isinstance(found, Failure) or not found.complete else sum(found.counts.values())
