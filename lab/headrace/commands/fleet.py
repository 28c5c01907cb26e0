"""The command `headrace fleet`."""

from __future__ import annotations

import asyncio
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
    """Add the command and its parts to the command line."""
    app.callback(epilog="Example: headrace fleet up")(fleet)
    app.command("up", epilog="Example: headrace fleet up --workers 3")(up)
    app.command("join", epilog="Example: headrace fleet join tls://bench-head:8786 --accept-builds")(join)


def fleet() -> None:
    """Let machines race for `headrace run --on`: start a fleet that has a key, or join one."""


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
    join = f"DASK_CONFIG={file.name} headrace fleet join {address} --accept-builds" if running.is_open else ""
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


def join(
    scheduler: Annotated[str, typer.Argument(help="Its address, such as tls://name:8786.")],
    accept_builds: Annotated[
        bool,
        typer.Option(
            "--accept-builds", help="Build and run, as this user, sources that come from the scheduler."
        ),
    ] = False,
    name: Annotated[str, typer.Option(help="Name for this host. Default: its own.")] = "",
    shared: Annotated[
        bool, typer.Option("--shared", help="Allow other workers on this machine, to try a fleet on one.")
    ] = False,
    build_seconds: Annotated[float, typer.Option(min=1, help="Time limit for one compilation.")] = 600.0,
    hours: Annotated[float, typer.Option(min=0.01, help="Time limit for one campaign.")] = 6.0,
    memory: Annotated[
        float | None, typer.Option(min=0.1, help="Memory limit for one process, in GiB. Default: 3/4 of all.")
    ] = None,
    file_size: Annotated[float, typer.Option(min=0.001, help="Size limit for one file, in GiB.")] = 8.0,
    files: Annotated[
        int, typer.Option(min=64, help="Number of files that one process may have open.")
    ] = 1024,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain tcp to another machine, on a network of your own.")
    ] = False,
) -> None:
    """Run campaigns on this machine for headrace run --on elsewhere, one at a time."""
    with ctrl_c.loading():
        from headrace.fleet import host, network
        from headrace.fleet.order import Limits

    network.check_installed()
    network.check_address(scheduler, insecure, "worker")
    with ctrl_c.loading():
        from headrace.fleet import worker as fleet_worker
        from headrace.machine import facts

    limits = Limits(
        build_seconds=build_seconds,
        hours=hours,
        memory=facts.most_memory() if memory is None else int(memory * 2**30),
        file_size=int(file_size * 2**30),
        files=files,
    )
    chosen = fleet_worker.settings(name, accept_builds, shared, limits)
    network.quieten()

    def say(text: str) -> None:
        print(f"headrace fleet join: {text}", flush=True)

    if scheduler.startswith("tcp://"):
        is_local = network.is_loopback(network.host_of(scheduler))
        whoever, instead = (
            ("every user of this machine", "headrace fleet up") if is_local else ("everyone", "tls://")
        )
        say(
            f"plain tcp: {whoever} can run programs here as this user by way of {scheduler}; "
            f"{instead} prevents it"
        )
    if not accept_builds:
        say("without --accept-builds nothing that is sent is built or run here")
    try:
        asyncio.run(fleet_worker.serve(scheduler, chosen, say))
    finally:
        host.end()
