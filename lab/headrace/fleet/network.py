"""Addresses of schedulers, and who may hear what is said to them. Dask is imported when it is used."""

from __future__ import annotations

import importlib.util
import ipaddress
import logging
import re
import socket
import warnings
from typing import Any

from headrace.base.errors import BadInput, NothingToDo

PATIENCE = 10.0  # seconds that a scheduler gets to answer
RETURN = 30.0  # seconds in which one that was lost may come back: Dask tries so long
_HOST = r"(?P<host>\[[0-9a-fA-F:]+\]|[^/:\[\]]+)"
_ADDRESS = re.compile(rf"(?P<protocol>tcp|tls)://{_HOST}:(?P<port>\d{{1,5}})")
_OWN = re.compile(rf"{_HOST}(?::(?P<port>\d{{1,5}}))?")


def check_installed(module: str = "distributed") -> None:
    """Raise NothingToDo where Dask, or what makes a fleet's certificates, is not installed."""
    if importlib.util.find_spec(module) is None:
        raise NothingToDo(
            f"other machines are reached with {module}, which is not installed: pip install 'headrace[fleet]'"
        )


def host_of(address: str) -> str:
    """Return the host of an address. Raises BadInput for what is no address of a scheduler."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 65_536:
        raise BadInput(
            f"{address} is not the address of a scheduler; headrace fleet up starts one and prints its "
            "address, such as tls://name:8786"
        )
    return found["host"].strip("[]")


def own_address(text: str) -> tuple[str, int]:
    """Return host and port (0: any) of an address of this machine. Raises BadInput where none can listen."""
    found = _OWN.fullmatch(text)
    port = int(found["port"] or 0) if found else 0
    if found is None or port > 65_535:
        raise BadInput(f"--listen {text} is no address; give one such as 10.0.0.7, name:8786 or [fd00::7]")
    host = found["host"]
    try:
        family, kind, *_, place = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Dask does
            tried.bind(place)
    except OSError as error:
        raise BadInput(
            f"cannot listen on {text}: {error.strerror or error}; --listen wants an address of this machine, "
            "and a port that is free"
        ) from error
    return host, port


def check_address(address: str, insecure: bool, role: str = "client") -> None:
    """Raise BadInput for what is no address, and for plain tcp to another machine that nobody allowed."""
    host = host_of(address)
    if address.startswith("tls://"):
        check_credentials(role)
    elif not insecure and not is_loopback(host):
        raise BadInput(
            f"{address} is plain tcp to another machine: nothing is encrypted, and who reaches the "
            "scheduler can run programs as you on every host. Use tls:// with Dask's security settings "
            "(distributed.comm.tls in ~/.config/dask), or say --insecure where the network is your own"
        )


def check_credentials(role: str) -> None:
    """Raise BadInput where Dask's settings name no certificates of a client, or of a worker."""
    import dask

    missing = [
        key
        for key in ("ca-file", f"{role}.cert", f"{role}.key")
        if not dask.config.get(f"distributed.comm.tls.{key}", None)
    ]
    if missing:
        raise BadInput(
            f"tls:// needs certificates, and Dask's settings have no distributed.comm.tls.{missing[0]}; put "
            "them into ~/.config/dask/distributed.yaml. The line that headrace fleet up prints names its own "
            "by DASK_CONFIG"
        )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by an address that no other machine reaches."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in found)


def connect(address: str) -> Any:
    """Return a client of a scheduler. Raises BadInput where none answers."""
    from distributed import Client, Security

    quieten()
    try:  # Dask tries for as long as it may, though nobody listens there
        socket.create_connection((host_of(address), int(address.rpartition(":")[2])), PATIENCE).close()
    except OSError as error:
        reason = str(error.strerror or error)
        raise BadInput(
            f"no scheduler answers at {address} ({reason}); start one there with: dask scheduler"
        ) from error
    security = Security() if address.startswith("tls://") else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions: ours are compared, and Dask's is one with them
            return Client(address, timeout=RETURN, security=security, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        reason = [*str(error.__cause__ or error).strip().splitlines(), type(error).__name__][0]
        raise BadInput(
            f"{address} answers, but not as a scheduler for us ({reason}); "
            "look whether it takes tls or tcp, and whose certificates Dask's settings name"
        ) from error


def quieten() -> None:
    """Let Dask say nothing of its own: what matters is said by a sentence of ours."""
    import distributed  # which gives some of its loggers levels of their own

    mute = (distributed.__name__, "tornado", "asyncio")
    for name in [
        *mute,
        *(logger for logger in logging.root.manager.loggerDict if logger.split(".")[0] in mute),
    ]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
