"""The command `headrace fleet`."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Annotated

import typer

from headrace.base import ctrl_c
from headrace.base.text import plural
from headrace.commands.options import Json


def register(app: typer.Typer) -> None:
    """Add the command and its part to the command line."""
    app.callback(epilog="Example: headrace fleet up")(fleet)
    app.command("up", epilog="Example: headrace fleet up --workers 3")(up)


def fleet() -> None:
    """Start a scheduler and workers on this machine, which nobody else can use."""


def up(
    workers: Annotated[
        int, typer.Option(min=1, help="Number of workers. Several disturb each other: to try a fleet.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Start a scheduler and workers with a key made for them, and stop all of it on Ctrl-C."""
    with ctrl_c.loading():
        from headrace.fleet import local

    with ctrl_c.ending_at_the_second(), local.up(workers) as running:
        _show(running.address, str(running.folder), list(running.workers), as_json)
        with contextlib.suppress(KeyboardInterrupt):  # this is how it ends
            local.watch(running, lambda text: print(f"headrace fleet: {text}", file=sys.stderr, flush=True))


def _show(address: str, folder: str, names: list[str], as_json: bool) -> None:
    command = f"DASK_CONFIG={folder} headrace run read_ints --on {address}"
    if as_json:
        print(
            json.dumps({"scheduler": address, "dask_config": folder, "workers": names, "run": command}),
            flush=True,
        )
        return
    print(f"{plural(len(names), 'worker')} for {address}; race there, as this user, with")
    print(f"  {command}")
    print("Ctrl-C stops all of it.", flush=True)
