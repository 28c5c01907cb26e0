"""The command `headrace worker`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from headrace.base import ctrl_c

EXAMPLE = "headrace worker tls://bench-head:8786 --accept-builds"


def worker(
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
    """Run campaigns on this machine for `headrace run --on` elsewhere, one at a time."""
    with ctrl_c.loading():
        from headrace.fleet import host, network
        from headrace.fleet.order import Limits

    network.check_installed()
    network.check_address(scheduler, insecure, "worker")
    with ctrl_c.loading():
        from headrace.fleet import worker as fleet_worker

    default = fleet_worker.default_limits()
    limits = Limits(
        build_seconds=build_seconds,
        hours=hours,
        memory=default.memory if memory is None else int(memory * 2**30),
        file_size=int(file_size * 2**30),
        files=files,
    )
    chosen = fleet_worker.settings(name, accept_builds, shared, limits)
    network.quieten()

    def say(text: str) -> None:
        print(f"headrace worker: {text}", flush=True)

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
