"""Which libraries by others are here for contenders, and how to get the rest on this system."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from pydantic import BaseModel

from headrace.base import places
from headrace.matrix import benchmarks, needs, toolchains

MANAGERS = {"apt": "apt install", "dnf": "dnf install", "brew": "brew install"}  # the first that is here


class Peer(BaseModel):
    """A library: the toolchains that have it, its version, who uses it, and how to get it where none has."""

    name: str
    toolchains: list[str]
    version: str  # "" where its headers do not tell
    contenders: list[str]  # "read_ints/fmt_scan"
    package: str  # of this system's package manager; "" for none
    get: str


class Peers(BaseModel):
    """All of them, the folders of HEADRACE_PEERS, and one command that gets what packages bring."""

    peers: list[Peer]
    folders: list[str]
    command: str


def look(watch: Callable[[str], None] = lambda what: None) -> Peers:
    """Try each library with every usual toolchain. Raises NothingToDo without a compiler."""
    chains = toolchains.find((), watch).toolchains
    users: dict[str, list[str]] = {}
    for name in benchmarks.known():
        spec = benchmarks.find(name).spec
        for contender in spec.contender:
            for wanted in contender.needs:
                users.setdefault(wanted, []).append(f"{name}/{contender.name}")
        for wanted in spec.in_process.peers if spec.in_process else ():
            users.setdefault(wanted, []).append(f"{name} (its harness)")
    manager = next((name for name in MANAGERS if shutil.which(name)), "")
    found = []
    for name, need in needs.NEEDS.items():
        if not need.peer:
            continue
        watch(name)
        having = needs.owners(name, chains)
        found.append(
            Peer(
                name=name,
                toolchains=[chain.name for chain in having],
                version=needs.version(name, having[0]) if having else "",
                contenders=users.get(name, []),
                package=need.packages.get(manager, ""),
                get=need.get,
            )
        )
    absent = dict.fromkeys(peer.package for peer in found if not peer.toolchains and peer.package)
    return Peers(
        peers=found,
        folders=[str(folder) for folder in places.peer_folders()],
        command=f"{MANAGERS[manager]} {' '.join(absent)}" if absent else "",
    )
