"""Going on with a campaign that ended early."""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headrace import __version__
from headrace.base.errors import BadInput
from headrace.base.places import system_text
from headrace.judge.pair import ALPHA
from headrace.judge.table import load
from headrace.measure import warnings
from headrace.measure.plan import Plan
from headrace.race.options import RunOptions, of_plain, plain
from headrace.results.schema import Campaign, Run, Sample

VARIABLES = ("GLIBC_TUNABLES", "LANG", "LC_ALL", "LD_BIND_NOW", "LD_LIBRARY_PATH", "LD_PRELOAD")
PREFIXES = ("MALLOC_", "HEADRACE_")


@dataclass(frozen=True)
class Earlier:
    """A campaign to go on with, what it was asked, and its file where that is replaced."""

    campaign: Campaign
    options: RunOptions
    replaced: Path | None = None

    def samples(self, builds: Mapping[str, str]) -> dict[str, list[Sample]]:
        """The samples of rows whose build is as it was, by row id. `builds`: row id -> digest now."""
        return {
            row.id: row.samples
            for row in self.campaign.rows
            if row.outcome == "ok" and row.build == builds.get(row.twin_of or row.id)
        }

    def check_kept(self, builds: Mapping[str, str]) -> list[str]:
        """Return what to say of samples that cannot be used, because their builds are not what they were.

        Raises BadInput where the only file that has them would be replaced.
        """
        kept = self.samples(builds)
        lost = [
            row for row in self.campaign.rows if row.samples and row.outcome == "ok" and row.id not in kept
        ]
        if not lost:
            return []
        which = f"builds that have changed or are gone since the campaign began: {warnings.row_names(lost)}"
        if self.replaced is not None:
            raise BadInput(
                f"{which}; to go on would remove their samples from {self.replaced}. --out OTHER.json keeps "
                "that file and goes on without them"
            )
        return [f"Left out are the earlier samples of {which}."]


def describe(options: RunOptions, plan: Plan, earlier: Earlier | None) -> Run:
    """Return what the file keeps of how a campaign runs; of one that goes on, what it was asked last."""
    if earlier is not None:
        update = {"budget": plan.max_seconds, "asked": plain(options)}
        return earlier.campaign.run.model_copy(update=update)
    return Run(
        id=secrets.token_hex(8),
        host=host(),
        boot=system_text(Path("/proc/sys/kernel/random/boot_id")),
        seed=plan.seed,
        looks=[plan.rounds] if plan.rounds is not None else list(plan.looks),
        alpha=ALPHA,
        budget=plan.max_seconds,
        aslr=system_text(Path("/proc/sys/kernel/randomize_va_space")),
        environment={
            name: value
            for name, value in sorted(os.environ.items())
            if name in VARIABLES or name.startswith(PREFIXES)
        },
        asked=plain(options),
    )


def host() -> str:
    """A digest that names this machine and says nothing else of it."""
    name = system_text(Path("/etc/machine-id")) or platform.node()
    return hashlib.sha256(f"headrace {name}".encode()).hexdigest()[:16]


def read(path: Path) -> Earlier:
    """Return a campaign that ended early. Raises BadInput where it cannot go on, and why."""
    campaign = load(path)
    if campaign.headrace_version != __version__:
        raise BadInput(
            f"{path} was measured by headrace {campaign.headrace_version}, and this is {__version__}: rounds "
            "of two versions are not mixed; run the campaign again"
        )
    if campaign.run.host != host():
        raise BadInput(
            f"{path} was measured on another machine: rounds of two machines are not mixed; run it again here"
        )
    return Earlier(campaign, of_plain(campaign.run.asked, path))
