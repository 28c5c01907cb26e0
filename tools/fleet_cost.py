#!/usr/bin/env python3
"""Count what a race on many hosts costs the network: a real scheduler, and hosts that are made up.

    tools/fleet_cost.py RESULTS.json --hosts 200

All hosts are Dask workers of this process, over TCP; each answers with that results file after a number of
reports of progress. Their messages are counted, those of an idle fleet are taken off, and the rest is given
for each host and each report. Nothing is measured by time but the heartbeats.
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
from distributed import Scheduler, Worker, get_worker
from distributed.comm import tcp

from headrace import __version__
from headrace.fleet import archive, host, network, order
from headrace.fleet import run as fleet_run
from headrace.fleet.worker import QUIET
from headrace.results.fleet import Fleet

count = {"messages": 0, "bytes": 0}
reports = 0
packed = b""


def main() -> None:
    """Count with no reports and with ten, with and without the archive."""
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
    for name, made_up in (("run", _run), ("has", _has), ("keep", _keep)):
        made_up.__name__ = name  # by which it is called
        setattr(host, name, made_up)
    sources = archive.pack(["read_ints"], [])
    address = _cluster(wanted.hosts)
    print(f"{wanted.hosts} hosts; a results file of {len(text):,} bytes, {len(packed):,} packed;")
    print(f"an archive of {len(sources.data):,} bytes")
    idle = _idle()
    each = [part / wanted.hosts for part in idle]
    print(f"idle: {each[0]:.2f} messages and {each[1]:,.0f} bytes per host and second")
    first = _race(address, sources, 0, idle)
    none = _race(address, sources, 0, idle)
    ten = _race(address, sources, 10, idle)
    for name, got in (("the first race", first), ("a later one", none)):
        print(f"{name}: {got[0] / wanted.hosts:.1f} messages, {got[1] / wanted.hosts:,.0f} bytes per host")
    each = [(more - less) / wanted.hosts / 10 for more, less in zip(ten, none, strict=True)]
    print(f"a report of progress: {each[0]:.2f} messages, {each[1]:,.0f} bytes")


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
                    resources={"bench": 1},
                    memory_limit=0,
                    host="127.0.0.1",
                    dashboard=False,
                    dashboard_address="127.0.0.1:0",
                    local_directory=f"{folder}/{at}",
                    startup_information={order.EXTRA: lambda worker: _facts(worker.name)},
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
    return {**said, "accepts": True, "shared": False, "process": name}


_have: set[str] = set()


def _has(digest: str) -> bool:
    return digest in _have


def _keep(digest: str, data: bytes) -> str:
    threading.Timer(5, _have.add, [digest]).start()  # when all have got it
    return ""


def _run(data: dict[str, Any]) -> host.Outcome:
    worker = get_worker()
    for at in range(reports):
        step = {"stage": "runs", "what": "read_ints hand_written g++-12", "done": at, "total": 100}
        worker.log_event(data["topic"], {"host": worker.name, "id": data["id"], "step": step})
        time.sleep(0.05)  # or the stream would put them into one message
    return {"state": "done", "detail": "", "result": packed, "digest": archive.digest(packed), "code": 0}


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


def _race(
    address: str, sources: archive.Archive, told: int, idle: tuple[float, float]
) -> tuple[float, float]:
    """Return the messages and bytes of a race, without those of idle hosts."""
    global reports
    reports = told
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
        fleet_run.run(address, book, sources.data, _Quiet())
        took = time.monotonic() - begun
        assert all(one.state == "done" for one in book.fleet.hosts)
    time.sleep(6)  # until the archive is known to be there
    return (
        count["messages"] - before["messages"] - took * idle[0],
        count["bytes"] - before["bytes"] - took * idle[1],
    )


if __name__ == "__main__":
    main()
