"""The process of one campaign on a host: `python -m headrace.fleet.child`, started by the worker there.

It reads one line, what to do; it says line by line how far it is; and it ends when its input does, so that it
does not outlive its worker. Its limits hold for all that it builds and runs.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from headrace.base import context
from headrace.base.errors import BadInput, HeadraceError
from headrace.explain import explainer
from headrace.fleet.order import Limits, Order, read
from headrace.processes.lines import adopt
from headrace.race import race
from headrace.race.options import RunOptions, of_plain
from headrace.results import store
from headrace.results.schema import Campaign

SHARED = (
    "Other campaigns may have run on this machine at the same time: its worker was started with --shared."
)


def main() -> None:
    """Run the campaign that standard input asks for. The last line on standard output says how it ended."""
    with os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8") as out:
        os.dup2(2, 1)  # whatever else prints does not get between the lines

        def say(**what: Any) -> None:
            print(json.dumps(what), file=out)

        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGINT, _interrupt)
        adopt()
        try:
            request = json.loads(sys.stdin.readline())
            threading.Thread(target=_end_with_input, daemon=True).start()
            limits = Limits(**request["limits"])
            _limit(limits)
            campaign = run(read(request["order"]), Path(request["sources"]), limits, say)
            if request["shared"]:
                campaign = campaign.model_copy(update={"warnings": [SHARED, *campaign.warnings]})
            store.save(campaign, Path(request["to"]))
            say(done=race.exit_code(campaign), full=_full_disk(campaign))
        except HeadraceError as error:
            say(error=str(error), code=error.exit_code)
        except KeyboardInterrupt:
            say(error="stopped before anything was measured", code=130)
        except OSError as error:
            say(error=f"the system refused: {error}", code=2)


def run(order: Order, sources: Path, limits: Limits, say: Any) -> Campaign:
    """Run a campaign with the sources of an archive."""
    context.use(sources=sources, build_seconds=limits.build_seconds)
    options = options_below(order, sources)
    afters, obstacle = explainer.wanted(order.count, order.why, bool(options.guests))
    campaign = race.run(options, lambda step: say(step=asdict(step)), command=order.command, afters=afters)
    remarks = [f"no cause for your program: {obstacle}"] if obstacle else []
    return campaign.model_copy(update={"commit": order.commit, "warnings": [*campaign.warnings, *remarks]})


def options_below(order: Order, sources: Path) -> RunOptions:
    """Return what was asked for, with the paths of this machine."""
    options = of_plain(order.asked, "the order", "asked")
    programs = [sources / program for program in options.guests]
    for path in [*programs, *(sources / name for name in options.benchmarks)]:
        if not path.resolve().is_relative_to(sources.resolve()):
            raise BadInput(f"the order names {path}, which is outside of what was sent")
    return replace(
        options,
        benchmarks=[str(sources / name) if "/" in name else name for name in options.benchmarks],
        guests=programs,
    )


def _full_disk(campaign: Campaign) -> bool:
    """Whether a row fails because a disk is full: that says nothing of the row."""
    sign = os.strerror(errno.ENOSPC)
    return any(sign in row.detail for row in campaign.rows)


def _limit(limits: Limits) -> None:
    """Bound what this process and all below it may take."""
    wanted = [
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_CORE, 0),
    ]
    if limits.memory:
        wanted.append((resource.RLIMIT_DATA, limits.memory))
    for what, most in wanted:
        hard = resource.getrlimit(what)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (value, value))


def _end_with_input() -> None:
    """Interrupt the campaign when standard input ends: who asked for it is gone, or wants it to stop."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
