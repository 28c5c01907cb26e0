"""The command `headrace fleet`."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from headrace.base import ctrl_c
from headrace.base.text import plural
from headrace.commands.options import Json

if TYPE_CHECKING:
    from headrace.fleet.local import LocalFleet


def register(app: typer.Typer) -> None:
    """Add the command and its part to the command line."""
    app.callback(epilog="Example: headrace fleet up")(fleet)
    app.command("up", epilog="Example: headrace fleet up --workers 3")(up)


def fleet() -> None:
    """Start a scheduler and workers that only those can use who have their key."""


def up(
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Number of workers on this machine. Several disturb each other: to try a fleet."
        ),
    ] = 1,
    listen: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS[:PORT]",
            help="Address of this machine where the scheduler listens; others reach all but loopback.",
        ),
    ] = "127.0.0.1",
    as_json: Json = False,
) -> None:
    """Start a scheduler and workers with a key made for them, and stop all of it on Ctrl-C."""
    with ctrl_c.loading():
        from headrace.fleet import local

    with ctrl_c.ending_at_the_second(), local.up(workers, listen) as running:
        _show(running, as_json)
        with contextlib.suppress(KeyboardInterrupt):  # this is how it ends
            local.watch(running, lambda text: print(f"headrace fleet: {text}", file=sys.stderr, flush=True))


def _show(running: LocalFleet, as_json: bool) -> None:
    file, address, names = running.settings, running.address, list(running.workers)
    race = f"DASK_CONFIG={file} headrace run read_ints --on {address}"
    join = f"DASK_CONFIG={file.name} headrace worker {address} --accept-builds" if running.is_open else ""
    if as_json:
        told = {"scheduler": address, "dask_config": str(file), "workers": names, "run": race, "join": join}
        print(json.dumps(told), flush=True)
        return
    print(f"{plural(len(names), 'worker')} for {address}; race there, as this user, with")
    print(f"  {race}")
    if join:
        print("Another machine works for it with a copy of the key:")
        print(f"  scp {file} HOST:")
        print(f"  ssh -t HOST {join}")
        print("Who has a copy can run programs as the users of all these workers; nobody else can.")
        print("Ctrl-C stops what runs on this machine, and no copy is of use any more.", flush=True)
    else:
        print("Ctrl-C stops all of it.", flush=True)
