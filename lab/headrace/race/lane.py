"""A row to be: one build on one route with one input."""

from __future__ import annotations

from dataclasses import dataclass, replace

from headrace.builds import build
from headrace.matrix import inputs
from headrace.matrix.benchmarks import Benchmark, Contender
from headrace.matrix.compilers import Toolchain
from headrace.measure import in_process
from headrace.results.schema import Role, Row, role_of, row_id


@dataclass(frozen=True)
class Lane:
    """A row to be: one build on one route with one input."""

    benchmark: Benchmark
    contender: Contender
    toolchain: Toolchain
    optimise: str
    route: tuple[str, str]
    setting: dict[str, str]  # of the input, where it differs from the benchmark's
    rival: str = ""  # a script's: the toolchain whose baseline it is compared with
    harness: str = ""  # what times it inside one process; "": a process of its own

    @property
    def order(self) -> build.Order:
        """What to build for it. Environment settings share one build."""
        plain = replace(self.contender, environment={})
        order = build.Order(plain, self.toolchain, self.optimise, self.benchmark.spec.standard)
        order = replace(order, include=self.benchmark.include)
        return in_process.shared(order, self.benchmark)

    @property
    def settings(self) -> dict[str, int | float | str]:
        """The input's table for this row."""
        changed = inputs.changed(
            self.benchmark.spec.input, self.setting, f"the input of {self.benchmark.name}"
        )
        return inputs.located(changed, self.benchmark.folder)

    @property
    def group(self) -> tuple[object, ...]:
        """Rows that compare with each other share it."""
        setting = tuple(sorted(self.setting.items()))
        return (self.benchmark.name, self.rival or self.toolchain.name, self.optimise, self.route, setting)

    def row(self) -> Row:
        """Return the row without results."""
        name, one = self.benchmark.name, self.contender
        route = ":".join(self.route)
        by = {"harness": self.harness} if in_process.needs(self.harness) else {}
        settings = {**one.variant, **by}
        row = Row(
            id=row_id(name, one.name, settings, self.toolchain.name, self.optimise, route, self.setting),
            benchmark=name,
            contender=one.name,
            variant=one.variant,
            toolchain=self.toolchain.name,
            optimisation=self.optimise,
            source=self.route[0],
            sink=self.route[1],
            input=self.setting,
            source_file=one.file.name,
            checked=one.spec.answer,
            harness=self.harness,
            notes=self.toolchain.notes,
        )
        own = any(guest.name == one.name for guest in self.benchmark.guests)
        given = Role(one.spec.role) if one.spec.role else role_of(row, self.benchmark.spec)
        role = Role.OWN if own else given
        return row.model_copy(update={"role": role})
