"""The worker of a host: a Dask worker with one thread and one bench, which takes orders of headrace's.

It is quiet: what Dask does of itself many times a second, it does here every few seconds, so that it does not
disturb what is measured beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import dask
from distributed import Security, Worker

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.fleet import host, network
from headrace.fleet.order import EXTRA, Limits
from headrace.machine import facts

AGAIN = 1.0  # seconds between two tries to reach a scheduler
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "5s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.http.routes": [],
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}


def settings(
    name: str = "", accepts: bool = False, shared: bool = False, limits: Limits | None = None
) -> host.Settings:
    """Return how to start a worker: named as its machine, with limits that suit it, unless told otherwise."""
    called = name or platform.node() or "host"
    if not called.replace("-", "").replace("_", "").replace(".", "").isalnum() or called.startswith("."):
        raise BadInput(f"--name {called}: a host's name is letters, digits, dots and dashes")
    return host.Settings(
        called, places.cache_folder("fleet", called), accepts, shared, limits or default_limits()
    )


def default_limits() -> Limits:
    """Leave a quarter of the machine's memory to all else."""
    return Limits(memory=facts.read().memory * 3 // 4)


class HostWorker(Worker):  # type: ignore[misc]  # Dask's classes have no types that mypy is shown
    """A Dask worker that is a host. One that was started by ssh builds what is sent: its user sent it."""

    def __init__(self, scheduler: str, chosen: host.Settings | None = None, **more: Any) -> None:
        dask.config.set(QUIET)
        more.pop("name", None)
        given = chosen or settings(accepts=True)
        host.start(given)
        super().__init__(
            scheduler,
            name=given.name,
            nthreads=1,
            resources={"bench": 1},
            memory_limit=0,
            dashboard=False,
            dashboard_address="127.0.0.1:0",  # Dask has a server of figures there in any case
            local_directory=str(given.folder / "dask"),
            startup_information={EXTRA: lambda worker: host.describe()},
            **more,
        )


async def serve(address: str, chosen: host.Settings, say: Callable[[str], None]) -> None:
    """Be the worker of a host until SIGINT or SIGTERM; look for the scheduler again when it is lost."""
    chosen = replace(chosen, said=say)
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    stopping = asyncio.create_task(asked.wait())
    silent = False
    while not asked.is_set():
        working = asyncio.create_task(_work(address, chosen, say))
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            problem = await working
            if problem and not silent:
                say(f"{problem}; trying again")
            silent = bool(problem)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(stopping), AGAIN)


async def _work(address: str, chosen: host.Settings, say: Callable[[str], None]) -> str:
    """Work for a scheduler until it is lost. Returns what was wrong. Raises BadInput where it refuses us."""
    local = "127.0.0.1" if network.is_loopback(network.host_of(address)) else None
    security = Security() if address.startswith("tls://") else None
    try:
        async with HostWorker(
            address, chosen, host=local, security=security, death_timeout=network.PATIENCE
        ) as one:
            say(f"{chosen.name} works for {address}")
            await one.finished()
        return f"the scheduler {address} is lost"
    except (OSError, TimeoutError, RuntimeError) as error:
        if "name taken" in str(error.__cause__ or error):
            raise BadInput(
                f"a worker called {chosen.name} works for {address} already: a host is listed once; --name "
                "gives this one another name"
            ) from error
        return f"no scheduler answers at {address}"
