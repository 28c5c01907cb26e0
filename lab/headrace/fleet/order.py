"""An order: what a host is asked to run, and what a host says of itself. Both travel as plain data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from headrace import __version__
from headrace.base.errors import BadInput

EXTRA = "headrace"  # the key under which a scheduler knows what a worker says of itself, and how far it is
TURN = "headrace"  # a worker's resource, of which it has one: a campaign at a time


@dataclass(frozen=True)
class Order:
    """One campaign for one host."""

    id: str  # the same for the same campaign of the same run: a host does it once
    archive: str  # digest of the sources
    asked: dict[str, Any]  # RunOptions as plain data, with benchmarks and programs below the archive's top
    count: str = ""  # as --count
    why: bool = False  # as --explain
    command: Sequence[str] = ()  # that a person typed
    commit: str = ""  # of the sources
    version: str = __version__

    def plain(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self)


def read(data: dict[str, Any]) -> Order:
    """Read an order. Raises BadInput for that of another headrace, and for what is none."""
    version = data.get("version")
    if version != __version__:
        raise BadInput(refusal(__version__, str(version)))
    known = {field.name for field in fields(Order)}
    if set(data) != known or not isinstance(data["id"], str) or not isinstance(data["command"], list | tuple):
        raise BadInput("this is no order of a campaign")
    return Order(**data)


def refusal(there: str, asker: str) -> str:
    """Say why a host of this version takes no orders of another."""
    return (
        f"it has headrace {there}, and the order comes from {asker}: results of two versions are not set "
        "side by side; install the same on both"
    )


def identity(run: str, host: str, attempt: int) -> str:
    """Name a campaign: that of a host in a fleet's run, at its first attempt or a later one."""
    return hashlib.sha256(json.dumps([run, host, attempt]).encode()).hexdigest()[:24]


def key(identity: str) -> str:
    """Name the task of an order, for Dask: one that is submitted again is the one that runs already."""
    return f"headrace-{identity}"


def place(host: str) -> str:
    """Name the resource that a host has and no other, under whatever address its worker is now."""
    return f"headrace-host-{host}"


@dataclass(frozen=True)
class Limits:
    """Bounds of a campaign on a host."""

    build_seconds: float = 600.0  # of one compilation
    hours: float = 6.0  # of a whole campaign
    memory: int = 0  # bytes of data of one process; 0: no limit
    file_size: int = 8 << 30  # bytes of one file
    files: int = 1024  # that a process may have open


@dataclass(frozen=True)
class HostFacts:
    """A worker's description of the machine that it runs on."""

    version: str
    name: str
    machine: str = ""  # a digest that names it
    model: str = ""  # two machines of the same model stand in for each other
    accepts: bool = False  # it builds and runs what is sent
    shared: bool = False  # it says itself that others measure on the machine at the same time


def facts_of(worker: dict[str, Any]) -> HostFacts | None:
    """Read what a worker says of itself; None where it is none of headrace's."""
    data = worker.get(EXTRA)
    known = {field.name for field in fields(HostFacts)}
    if not isinstance(data, dict) or not {"version", "name"} <= set(data):
        return None
    return HostFacts(**{key: value for key, value in data.items() if key in known})
