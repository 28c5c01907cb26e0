"""A fleet that ends with the command that started it: a scheduler, and workers on this machine.

They speak by TLS with a key that is made on the spot and lies in a file that only this user can read. Who has
no copy of the file, on this machine or another, can have no programs run by the workers.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.base import places
from headrace.base.errors import Failed
from headrace.fleet import network
from headrace.fleet.run import peers

START = 90.0  # seconds for all of it to start, on a machine that does much else
STOP = 15.0  # seconds that a process gets to end by itself
FILE = "fleet.yaml"
LOOPBACK = "127.0.0.1"
_PR_SET_PDEATHSIG = 1  # prctl(2)


Process = subprocess.Popen[bytes]


@dataclass(frozen=True)
class LocalFleet:
    """What runs."""

    address: str  # of the scheduler
    settings: Path  # Dask's, with the key: what DASK_CONFIG names for who is to use the fleet
    scheduler: Process
    workers: Mapping[str, Process]  # on this machine, by name

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach it."""
        return not network.is_loopback(network.host_of(self.address))


@contextlib.contextmanager
def up(workers: int, listen: str = LOOPBACK) -> Iterator[LocalFleet]:
    """Start a scheduler and workers, wait until they work, and end them and remove the key at the end.

    The scheduler listens on an address of this machine, with or without a port. Raises BadInput where it
    cannot, NothingToDo without Dask, and Failed where one of them does not start.
    """
    network.check_installed()
    network.check_installed("cryptography")
    host, port = network.own_address(listen)
    running: dict[str, Process] = {}
    with places.scratch() as folder:
        settings = _settings()
        file = folder / FILE
        file.touch(0o600)  # which a copy on another machine keeps
        file.write_text(json.dumps(settings), "utf-8")  # all JSON is YAML
        said = folder / "scheduler.json"
        words = ("--protocol", "tls", "--host", host, "--port", str(port), "--scheduler-file", str(said))
        quiet = ("--no-dashboard", "--dashboard-address", f"{LOOPBACK}:0")
        try:
            scheduler = _start(file, "distributed.cli.dask_scheduler", *words, *quiet)
            running["the scheduler"] = scheduler
            _wait(lambda: _address(said) is not None, running)
            address = _address(said) or ""
            options = ("--accept-builds", *(["--shared"] if workers > 1 else []))
            for name in (names := _names(workers)):
                running[name] = _start(file, "headrace", "fleet", "join", address, "--name", name, *options)
            with _client(address, settings) as client:
                _wait(lambda: {peer.name for peer in peers(client)} >= set(names), running)
            yield LocalFleet(address, file, scheduler, {name: running[name] for name in names})
        finally:
            _end(running.values())


def watch(fleet: LocalFleet, say: Callable[[str], None]) -> None:
    """Wait, and say which workers end. Raises Failed when the scheduler has ended, or all that can work."""
    left = dict(fleet.workers)
    others = fleet.is_open or not left  # may work, too
    while left or others:
        time.sleep(0.2)
        if fleet.scheduler.poll() is not None:
            raise Failed(f"the scheduler ended {_how(fleet.scheduler)}, and the fleet with it")
        for name, process in [*left.items()]:
            if process.poll() is not None:
                del left[name]
                say(f"{name} ended {_how(process)}")
    raise Failed("no worker is left, so the fleet has ended")


def _names(workers: int) -> list[str]:
    node = platform.node() or "host"
    return [node] if workers == 1 else [f"{node}-{number + 1}" for number in range(workers)]


def _settings() -> dict[str, object]:
    """Return Dask's settings, with a certificate and its key, for scheduler, workers and clients anywhere."""
    from distributed import Security

    made = Security.temporary()
    pair = {"cert": made.tls_client_cert, "key": made.tls_client_key}
    tls = {"ca-file": made.tls_ca_file, "scheduler": pair, "worker": pair, "client": pair}
    return {
        "distributed": {
            "comm": {"require-encryption": True, "tls": tls},
            "scheduler": {"http": {"routes": []}},  # pages and commands that no key protects
        },
        "logging": {"distributed": "critical"},
    }


@contextlib.contextmanager
def _client(address: str, settings: dict[str, object]) -> Iterator[Any]:
    import dask

    with dask.config.set(dask.config.merge(dask.config.config, settings)):
        client = network.connect(address)
        try:
            yield client
        finally:
            client.close()


def _start(settings: Path, module: str, *words: str) -> Process:
    """Run a module of Python with Dask's settings. It ends when this process is killed, too."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *words],
        stdin=subprocess.DEVNULL,
        stdout=2,  # what a worker says is no result of ours
        env={
            **os.environ,
            "DASK_CONFIG": str(settings),
            "DASK_TEMPORARY_DIRECTORY": str(settings.parent),
        },
        start_new_session=True,  # Ctrl-C is for us to pass on
        preexec_fn=lambda: ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0),
    )


def _end(processes: Collection[Process]) -> None:
    """End all processes; those that do not end by themselves, as frozen ones, by force."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + STOP
    for process in processes:
        try:
            process.wait(max(until - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(is_ready: Callable[[], bool], processes: Mapping[str, Process]) -> None:
    """Wait until something is so. Raises Failed where a process ends before, or it takes too long."""
    until = time.monotonic() + START
    while not is_ready():
        for name, process in processes.items():
            if process.poll() is not None:
                raise Failed(f"{name} ended {_how(process)} before it worked, so there is no fleet")
        if time.monotonic() > until:
            raise Failed(f"the fleet did not start within {START:.0f} s")
        time.sleep(0.1)


def _address(file: Path) -> str | None:
    """Return where the scheduler is, once it has said so."""
    with contextlib.suppress(OSError, ValueError, KeyError):  # it writes the file now
        return str(json.loads(file.read_text("utf-8"))["address"])
    return None


def _how(process: Process) -> str:
    code = process.returncode
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
