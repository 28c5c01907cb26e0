"""hosts.toml: machines that are reached by ssh, and workers that Dask's SSHCluster starts there."""

from __future__ import annotations

import asyncio
import contextlib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace import __version__
from headrace.base.errors import BadInput, first_fault
from headrace.fleet import network

PROBE = "import headrace.fleet.worker, headrace; print(headrace.__version__)"


class Machine(BaseModel):
    """An entry of `hosts`; what it leaves out is as at the top of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: str  # a name or an address, or a Host of ~/.ssh/config
    user: str = ""
    port: int = 0
    python: str = ""  # the command or path of the Python there that has headrace


class Hosts(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scheduler: str  # where the scheduler runs: best on a machine that measures nothing
    hosts: list[str | Machine]
    user: str = ""
    port: int = 0
    python: str = "python3"
    keys: list[str] = Field(default_factory=list)  # files of private keys; those of ssh without
    known_hosts: str = ""  # file; that of ssh without


@dataclass(frozen=True)
class Login:
    """How to reach a machine."""

    address: str
    python: str
    options: dict[str, Any]  # of asyncssh.connect


def read(path: Path) -> Hosts:
    """Read the file. Raises BadInput that names the key, or a host that is listed twice."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(
            f"cannot read {path}: {error.strerror or error}; --on takes a scheduler's address as "
            "tls://name:8786, or a file that lists hosts"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{path}: {error}") from error
    try:
        found = Hosts.model_validate(data)
    except ValidationError as error:
        raise BadInput(f"{path}: {first_fault(error, without=('Machine', 'str'))}") from error
    if not found.hosts:
        raise BadInput(f"{path}: key hosts: it lists no host")
    seen = set()
    for machine in machines(found):
        if (key := (machine.address.lower(), machine.port)) in seen:
            raise BadInput(
                f"{path}: {machine.address} is listed twice: a host runs one campaign at a time; leave one"
            )
        seen.add(key)
    return found


def machines(found: Hosts) -> list[Machine]:
    """Return the entries with what they leave out."""
    listed = [Machine(address=entry) if isinstance(entry, str) else entry for entry in found.hosts]
    return [
        entry.model_copy(
            update={
                "user": entry.user or found.user,
                "port": entry.port or found.port,
                "python": entry.python or found.python,
            }
        )
        for entry in listed
    ]


def logins(found: Hosts) -> list[Login]:
    """Return how to reach the scheduler's machine, then each host."""
    first = next((machine for machine in machines(found) if machine.address == found.scheduler), None)
    head = first or Machine(address=found.scheduler, user=found.user, port=found.port, python=found.python)
    return [_login(machine, found) for machine in [head, *machines(found)]]


def _login(machine: Machine, found: Hosts) -> Login:
    options: dict[str, Any] = {"connect_timeout": network.PATIENCE}
    options |= {"username": machine.user} if machine.user else {}
    options |= {"port": machine.port} if machine.port else {}
    options |= {"client_keys": [str(Path(key).expanduser()) for key in found.keys]} if found.keys else {}
    options |= {"known_hosts": str(Path(found.known_hosts).expanduser())} if found.known_hosts else {}
    return Login(machine.address, machine.python, options)


@contextlib.contextmanager
def started(path: Path, insecure: bool) -> Iterator[str]:
    """Start a scheduler and workers by ssh, and end them at the end. Gives the scheduler's address.

    Raises BadInput that names a machine which cannot be reached, or whose Python has no such headrace.
    """
    found = read(path)
    network.check_installed()
    network.check_installed("asyncssh")
    import dask
    from distributed import Security, SSHCluster

    has_certificates = bool(dask.config.get("distributed.comm.tls.ca-file", None))
    there = logins(found)
    if has_certificates:
        network.check_credentials("client")
    elif not insecure and not all(network.is_loopback(login.address) for login in there):
        raise BadInput(
            f"{path}: Dask's settings have no certificates (distributed.comm.tls in ~/.config/dask), so "
            "scheduler and "
            "workers would talk by plain tcp, and who reaches one could run programs there; --insecure "
            "allows it where the network is your own"
        )
    network.quieten()
    asyncio.run(_probe_all(there, path))
    try:
        cluster = SSHCluster(
            [login.address for login in there],
            connect_options=[login.options for login in there],
            remote_python=[login.python for login in there],
            worker_class="headrace.fleet.worker.HostWorker",
            scheduler_options={
                "port": 0,
                "dashboard": False,
                **({"protocol": "tls://"} if has_certificates else {}),
                **({"host": "127.0.0.1"} if network.is_loopback(found.scheduler) else {}),
            },
            security=Security() if has_certificates else None,
        )
    except Exception as error:  # Dask tells of what went wrong elsewhere by any kind
        raise BadInput(f"{path}: scheduler and workers could not be started by ssh: {error}") from error
    with cluster:
        yield str(cluster.scheduler_address)


async def _probe_all(there: Sequence[Login], path: Path) -> None:
    apart = {repr(login): login for login in there}.values()  # the scheduler's machine may be a host, too
    said = await asyncio.gather(*(_probe(login) for login in apart))
    if problems := list(dict.fromkeys(filter(None, said))):
        raise BadInput(f"{path}: {'; '.join(problems)}")


async def _probe(login: Login) -> str:
    """Return what keeps a worker from being started on a machine, or ""."""
    import asyncssh

    try:
        async with asyncssh.connect(login.address, **login.options) as there:
            done = await there.run(f"{login.python} -c '{PROBE}'", timeout=60)
    except (OSError, asyncssh.Error, TimeoutError) as error:
        return f"{login.address} cannot be reached by ssh: {error or type(error).__name__}"
    failed = done.exit_status != 0  # None where it was ended by a signal
    lines = str(done.stderr if failed else done.stdout).strip().splitlines()
    last = lines[-1] if lines else f"it ended with {done.exit_status}"
    if failed:
        return f"{login.address}: {login.python} there has no headrace[fleet]: {last}"
    return "" if last == __version__ else f"{login.address} has headrace {last}, and this is {__version__}"
