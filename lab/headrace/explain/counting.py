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
            (lane, made)
            for lane in lanes
            if isinstance(made := built[lane.row().id], build.Build)
            and by_id[lane.row().id].outcome == "ok"
            and lane.benchmark.spec.kind == "process"
            and not lane.contender.program
        ]
        done = 0

        def one(pair: tuple[Lane, build.Build]) -> Counted | Failure:
            nonlocal done
            found = self._count(*pair, options)
            done += 1
            watch(Step("counts", pair[0].row().id, done, len(able)))
            return found

        with ThreadPoolExecutor(options.jobs or build.processors()) as pool:
            found = list(pool.map(one, able))
        for (lane, _), counted in zip(able, found, strict=True):
            row = by_id[lane.row().id]
            if isinstance(counted, Failure):
                self.remarks.append(f"The instructions of {row.id} were not counted: {counted.detail}.")
            else:
                by_id[row.id] = row.model_copy(update={"counted": counted})
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
