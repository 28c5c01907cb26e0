"""What it takes to go on with a campaign that ended early."""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from headrace import __version__
from headrace.base.errors import BadInput
from headrace.judge.pair import ALPHA
from headrace.judge.stored import load
from headrace.measure import remarks
from headrace.measure.plan import Plan
from headrace.race.options import Options
from headrace.results.schema import Campaign, Run, Sample

VARIABLES = ("GLIBC_TUNABLES", "LANG", "LC_ALL", "LD_BIND_NOW", "LD_LIBRARY_PATH", "LD_PRELOAD")
PREFIXES = ("MALLOC_", "HEADRACE_")
NOT_ASKED = ("command", "after", "keep", "resume", "replaced")


def describe(options: Options, plan: Plan) -> Run:
    """Return what the file keeps of how a campaign runs."""
    if options.resume is not None:
        return options.resume.run
    return Run(
        id=secrets.token_hex(8),
        host=host(),
        boot=_text(Path("/proc/sys/kernel/random/boot_id")),
        seed=plan.seed,
        looks=[plan.rounds] if plan.rounds is not None else list(plan.looks),
        alpha=ALPHA,
        budget=plan.max_seconds,
        aslr=_text(Path("/proc/sys/kernel/randomize_va_space")),
        environment={
            name: value
            for name, value in sorted(os.environ.items())
            if name in VARIABLES or name.startswith(PREFIXES)
        },
        asked=asked(options),
    )


def host() -> str:
    """A digest that names this machine and says nothing else of it."""
    name = _text(Path("/etc/machine-id")) or platform.node()
    return hashlib.sha256(f"headrace {name}".encode()).hexdigest()[:16]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def asked(options: Options) -> dict[str, Any]:
    """The options as plain data, from which `options_of` makes them again."""
    kept = {one.name: getattr(options, one.name) for one in fields(Options) if one.name not in NOT_ASKED}
    return {
        **kept,
        "guests": [str(path.resolve()) for path in options.guests],
        "folder": None if options.folder is None else str(options.folder),
        "routes": [":".join(route) for route in options.routes],
    }


def read(path: Path) -> Options:
    """Return the options of a campaign that ended early. Raises BadInput where it cannot go on, and why."""
    campaign = load(path)
    _check(campaign, path)
    options = options_of(campaign.run.asked, path)
    return replace(options, resume=campaign, command=campaign.command)


def options_of(asked: Mapping[str, Any], where: Path | str) -> Options:
    """Make options of what `asked` returned. Raises BadInput, which names `where` they were read."""
    known = {one.name for one in fields(Options)} - set(NOT_ASKED)
    if not asked or not set(asked) <= known:
        raise BadInput(f"{where} does not say what was asked for; run the campaign again")
    try:
        return Options(
            **{
                **asked,
                "guests": [Path(text) for text in asked["guests"]],
                "folder": None if asked["folder"] is None else Path(asked["folder"]),
                "routes": [(text.split(":")[0], text.split(":")[1]) for text in asked["routes"]],
            }
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise BadInput(f"{where}: key run.asked: {error}; run the campaign again") from error


def _check(campaign: Campaign, path: Path) -> None:
    if campaign.headrace_version != __version__:
        raise BadInput(
            f"{path} was measured by headrace {campaign.headrace_version}, and this is {__version__}: rounds "
            "of two versions are not mixed; run the campaign again"
        )
    if campaign.run.host != host():
        raise BadInput(
            f"{path} was measured on another machine: rounds of two machines are not mixed; run it again here"
        )


def samples(options: Options, builds: Mapping[str, str]) -> dict[str, list[Sample]]:
    """The samples of rows whose build is as it was, by row id. `builds`: row id -> digest now."""
    if options.resume is None:
        return {}
    return {
        row.id: row.samples
        for row in options.resume.rows
        if row.outcome == "ok" and row.build == builds.get(row.twin_of or row.id)
    }


def check_kept(options: Options, builds: Mapping[str, str]) -> list[str]:
    """Return what to say of samples that cannot go on, because their builds are not what they were.

    Raises BadInput where the only file that has them would be replaced.
    """
    if options.resume is None:
        return []
    kept = samples(options, builds)
    lost = [row for row in options.resume.rows if row.samples and row.outcome == "ok" and row.id not in kept]
    if not lost:
        return []
    said = f"other builds than when the campaign began: {remarks.listed(lost)}"
    if options.replaced is not None:
        raise BadInput(
            f"{said}; to go on would remove their samples from {options.replaced}. --out OTHER.json keeps "
            "that file and goes on without them"
        )
    return [f"Their earlier samples are left out, because these are {said}."]
