"""The worker of a host: a Dask worker with one thread and one bench, which takes orders of headrace's.

It is quiet: what Dask does of itself many times a second, it does here every few seconds, so that it does not
disturb what is measured beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import dask
from distributed import Security, Worker, rpc
from distributed.comm import connect

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.fleet import host, network
from headrace.fleet.order import EXTRA, TURN, Limits, place

AGAIN = 1.0  # seconds between two tries to reach a scheduler
TAKEN = 90.0  # seconds in which a scheduler notices that a connection is lost: Dask's limit is 30
ANSWER = 5.0  # seconds that another worker of our name has to answer
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


def settings(name: str, accepts: bool, shared: bool, limits: Limits) -> host.Settings:
    """Return how to start a worker, named as its machine where it has no `name`. Raises BadInput."""
    called = name or platform.node() or "host"
    if not called.replace("-", "").replace("_", "").replace(".", "").isalnum() or called.startswith("."):
        raise BadInput(f"--name {called}: a host's name is letters, digits, dots and dashes")
    return host.Settings(called, places.cache_folder("fleet", called), accepts, shared, limits)


class HostWorker(Worker):  # type: ignore[misc]  # Dask's classes have no types that mypy is shown
    """A Dask worker that is a host."""

    def __init__(self, scheduler: str, given: host.Settings, **more: Any) -> None:
        dask.config.set(QUIET)
        host.start(given)
        super().__init__(
            scheduler,
            name=given.name,
            nthreads=1,
            resources={TURN: 1, place(given.name): 1},
            memory_limit=0,
            dashboard=False,
            dashboard_address="127.0.0.1:0",  # Dask has a server of figures there in any case
            local_directory=str(given.folder / "dask"),
            startup_information={EXTRA: lambda worker: host.describe()},
            metrics={EXTRA: lambda worker: host.now()},
            **more,
        )

    async def close(self, *given: Any, **more: Any) -> Any:
        """Leave at once: a campaign goes on without its scheduler, and without this worker."""
        return await super().close(*given, **{**more, "executor_wait": False})


class _NameTakenError(Exception):
    """The scheduler has a worker of our name, which may be one that is gone."""


async def serve(address: str, chosen: host.Settings, say: Callable[[str], None]) -> None:
    """Be the worker of a host until SIGINT or SIGTERM; look for the scheduler again when it is lost."""
    chosen = replace(chosen, said=say)
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked.set)
    stopping = asyncio.create_task(asked.wait())
    silent = False
    taken = 0.0  # since when our name is taken by one that does not answer
    while not asked.is_set():
        working = asyncio.create_task(_work(address, chosen, say))
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            try:
                problem, taken = await working, 0.0
            except _NameTakenError as error:
                problem, taken = str(error), taken or time.monotonic()
                if time.monotonic() - taken > TAKEN:
                    raise BadInput(_listed_once(address, chosen.name)) from error
            if problem and not silent:
                say(f"{problem}; trying again")
            silent = bool(problem)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(stopping), AGAIN)


async def _work(address: str, chosen: host.Settings, say: Callable[[str], None]) -> str:
    """Work for a scheduler until it is lost. Returns what was wrong.

    Raises BadInput where another worker of our name works for it, _NameTakenError where that one is silent.
    """
    local = "127.0.0.1" if network.is_loopback(network.host_of(address)) else None
    security = Security() if address.startswith("tls://") else None
    try:
        async with HostWorker(
            address, chosen, host=local, security=security, death_timeout=network.PATIENCE
        ) as worker:
            say(f"{chosen.name} works for {address}")
            await worker.finished()
        return f"the scheduler {address} is lost"
    except (OSError, TimeoutError, RuntimeError) as error:
        if "name taken" not in str(error.__cause__ or error):
            return f"no scheduler answers at {address}"
        if await _answers(address, chosen.name, security):
            raise BadInput(_listed_once(address, chosen.name)) from error
        raise _NameTakenError(
            f"{address} still lists a worker called {chosen.name}, which does not answer"
        ) from error


def _listed_once(address: str, name: str) -> str:
    return (
        f"a worker called {name} works for {address} already: a host is listed once; --name gives this one "
        "another name"
    )


async def _answers(scheduler: str, name: str, security: Security | None) -> bool:
    """Whether the worker that is listed by this name is there. One that crashed stays listed a while."""
    given = (security or Security()).get_connection_args("worker")
    with contextlib.suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(ANSWER):  # Dask itself waits for a handshake as long as it takes
            async with rpc(scheduler, connection_args=given) as asked:
                listed = (await asked.identity(n_workers=-1))["workers"]
            for address, worker in listed.items():
                if worker.get("name") == name:
                    await (await connect(address, **given)).close()
                    return True
    return False
