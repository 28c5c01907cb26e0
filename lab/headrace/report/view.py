"""A campaign with its rankings, sweeps and observations: made once, and handed to all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from headrace.report import lane_chart, line_chart, observed, svg, sweep
from headrace.report.observed import Observation
from headrace.report.ranking import Group, groups
from headrace.report.sweep import Sweep
from headrace.results.schema import Campaign


@dataclass(frozen=True)
class View:
    """What people see of a campaign, before it has a form."""

    campaign: Campaign

    @cached_property
    def groups(self) -> list[Group]:
        """The rankings, in the order in which rows name them."""
        return groups(self.campaign)

    @cached_property
    def sweeps(self) -> list[Sweep]:
        """The rankings whose inputs differ in one number, joined to curves."""
        return sweep.sweeps(self.groups)

    @cached_property
    def alone(self) -> list[Group]:
        """The rankings that are not a size of a sweep."""
        return [group for group in self.groups if not sweep.swept(self.sweeps, group)]

    @cached_property
    def ranked(self) -> list[Group]:
        """The rankings in which something takes a place."""
        return [group for group in self.groups if group.ranked]

    def pictures(self, shown: Group | Sweep) -> list[svg.Picture]:
        """The pictures of a ranking or of a sweep, the one that tells most first."""
        if isinstance(shown, Sweep):
            return [*line_chart.of_sweep(shown)]
        return [*lane_chart.charts(shown, self.campaign), *line_chart.of_threads(shown)]

    @cached_property
    def observations(self) -> list[Observation]:
        """What has no time: the order of what arrived."""
        return observed.observations(self.campaign)
