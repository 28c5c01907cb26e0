#!/usr/bin/env python3
"""Count what a race on many hosts costs the network: a real scheduler, and hosts that are made up.

    tools/fleet_cost.py RESULTS.json --hosts 200

All hosts are Dask workers of this process, over TCP; each answers at once with that results file. Their
messages are counted, those of an idle fleet are taken off, and the rest is given for each host, and for each
look at how far the hosts are. Nothing is measured by time but the heartbeats.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import dask
from distributed import Scheduler, Worker
from distributed.comm import tcp

from headrace import __version__
from headrace.fleet import archive, host, network, order
from headrace.fleet import run as fleet_run
from headrace.fleet.worker import QUIET
from headrace.results.fleet import Fleet

count = {"messages": 0, "bytes": 0}
packed = b""


def main() -> None:
    """Count with and without the archive, and a look at the hosts."""
    global packed
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="a results file that every host answers with")
    parser.add_argument("--hosts", type=int, default=200)
    wanted = parser.parse_args()
    text = wanted.results.read_bytes()
    packed = gzip.compress(text, mtime=0)
    network.quieten()
    dask.config.set(QUIET)
    _count_writes()
    _run.__name__ = host.run.__name__  # by which it is called
    host.run = _run
    sources = archive.pack(["read_ints"], [])
    address = _cluster(wanted.hosts)
    print(f"{wanted.hosts} hosts; a results file of {len(text):,} bytes, {len(packed):,} packed;")
    print(f"an archive of {len(sources.data):,} bytes")
    idle = _idle()
    each = [part / wanted.hosts for part in idle]
    print(f"idle: {each[0]:.2f} messages and {each[1]:,.0f} bytes per host and second")
    first = _race(address, sources, idle)
    later = _race(address, sources, idle)
    for name, got in (("the first race", first), ("a later one", later)):
        print(f"{name}: {got[0] / wanted.hosts:.1f} messages, {got[1] / wanted.hosts:,.0f} bytes per host")
    looks = _looks(address)
    print(f"a look at the hosts: {looks / wanted.hosts:,.0f} bytes per host")


def _count_writes() -> None:
    write = tcp.TCP.write

    async def counted(self: Any, *given: Any, **more: Any) -> Any:
        sent = await write(self, *given, **more)
        count["messages"] += 1
        count["bytes"] += sent
        return sent

    tcp.TCP.write = counted


def _cluster(hosts: int) -> str:
    """Start a scheduler and hosts in a thread of their own. Returns the scheduler's address."""
    ready: list[str] = []

    async def serve(folder: str) -> None:
        async with Scheduler(
            host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0"
        ) as head:
            workers = [
                Worker(
                    head.address,
                    name=f"host-{at}",
                    nthreads=1,
                    resources={order.TURN: 1, order.place(f"host-{at}"): 1},
                    memory_limit=0,
                    host="127.0.0.1",
                    dashboard=False,
                    dashboard_address="127.0.0.1:0",
                    local_directory=f"{folder}/{at}",
                    startup_information={order.EXTRA: lambda worker: _facts(worker.name)},
                    metrics={order.EXTRA: lambda worker: _now()},
                )
                for at in range(hosts)
            ]
            for worker in workers:
                await worker
            ready.append(head.address)
            await asyncio.Event().wait()

    def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(serve(folder))

    threading.Thread(target=run, daemon=True).start()
    while not ready:
        time.sleep(0.1)
    return ready[0]


def _facts(name: str) -> dict[str, Any]:
    said = {"version": __version__, "name": name, "machine": name, "model": "a processor, 4 cores"}
    return {**said, "accepts": True, "shared": False}


_have: set[str] = set()


def _now() -> dict[str, Any]:
    return {"archives": sorted(_have)}


def _run(data: dict[str, Any], sources: bytes) -> host.Outcome:
    if sources:
        threading.Timer(5, _have.add, [data["archive"][:12]]).start()  # when all have got it
    return {"state": "done", "detail": "", "result": packed, "digest": archive.digest(packed), "code": 0}


def _looks(address: str) -> float:
    """Return the bytes of a look at all hosts."""
    client = network.connect(address)
    before = count["bytes"]
    for _ in range(10):
        fleet_run.peers(client)
    client.close()
    return (count["bytes"] - before) / 10


def _idle() -> tuple[float, float]:
    """Return the messages and bytes of a second in which nothing is asked."""
    time.sleep(5)
    before, begun = dict(count), time.monotonic()
    time.sleep(20)
    took = time.monotonic() - begun
    return (count["messages"] - before["messages"]) / took, (count["bytes"] - before["bytes"]) / took


class _Quiet:
    def host(self, *given: Any, **more: Any) -> None:
        """Show nothing."""

    end = say = tick = host


def _race(address: str, sources: archive.Archive, idle: tuple[float, float]) -> tuple[float, float]:
    """Return the messages and bytes of a race, without those of idle hosts."""
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(
            headrace_version=__version__,
            id=str(time.monotonic_ns()),
            started="",
            on=address,
            archive=sources.digest,
            asked={"benchmarks": ["read_ints"]},
        )
        before, begun = dict(count), time.monotonic()
        book = fleet_run.Book(fleet, Path(folder) / "a.fleet")
        fleet_run.run(address, book, sources.data, _Quiet())  # type: ignore[arg-type]
        took = time.monotonic() - begun
        assert all(one.state == "done" for one in book.fleet.hosts)
    time.sleep(6)  # until the archive is known to be there
    return (
        count["messages"] - before["messages"] - took * idle[0],
        count["bytes"] - before["bytes"] - took * idle[1],
    )


if __name__ == "__main__":
    main()
