"""The file of a race on many hosts, `*.fleet`: who was asked, who answered, and where each results file is.

Beside it is a folder of the same name with a results file per host. It holds no figures of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.text import listed, plural, some
from headrace.results.schema import Model, parsed

FLEET_VERSION = 1
SUFFIX = ".fleet"
MOST_NAMED = 6  # hosts with the same trouble that are named

State = Literal[
    "open",  # not finished; --resume goes on with it
    "done",  # `file` is its results file
    "failed",  # it could not run it; `detail` says why
    "refused",  # it takes no orders from here; `detail` says why
    "died",  # it is gone, and there is no other of its model
]


class Host(Model):
    """One host of a fleet."""

    name: str
    model: str  # processor and cores: another host of the same model stands in for one that died
    state: State = "open"
    detail: str = ""
    attempt: int = 0  # 1: begun again from the start, as the host that had it died
    ran_on: str = ""  # the host that stood in for it
    file: str = ""  # its results file, from the folder of this one
    digest: str = ""  # sha256 of that file
    code: int = 0  # the exit code that `headrace run` there would have had


class Fleet(Model):
    """A whole file."""

    fleet_version: int = FLEET_VERSION
    headrace_version: str
    id: str
    started: str  # ISO 8601 with zone
    on: str  # the scheduler's address
    archive: str  # sha256 of the archive with the sources
    asked: dict[str, Any]  # the options, for --resume
    count: str = ""
    why: bool = False
    command: list[str] = Field(default_factory=list)
    commit: str = ""
    hosts: list[Host] = Field(default_factory=list)


def save(fleet: Fleet, path: Path) -> None:
    """Write aside, then rename. Raises BadInput with the way out."""
    with places.written_whole(path, "the fleet's file", "free some room", durable=True) as file:
        file.write(fleet.model_dump_json(indent=1).encode() + b"\n")


def load(path: Path) -> Fleet:
    """Read one. Raises BadInput that names the file and the way out."""
    try:
        data = parsed(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadInput(f"{path} is no file of a fleet, or was cut short ({error})") from error
    if not isinstance(data, dict) or not isinstance(data.get("fleet_version"), int):
        raise BadInput(f"{path} is no file of a fleet; name one that headrace run --on wrote")
    if data["fleet_version"] > FLEET_VERSION:
        raise BadInput(f"{path} is of a newer headrace; update headrace to read it")
    try:
        return Fleet.model_validate(data)
    except ValidationError as error:
        raise BadInput(f"{path}: {first_fault(error)}") from error


def files(fleet: Fleet, path: Path) -> dict[str, Path]:
    """Return the results file of each host that has one. Raises BadInput for one that is not as it was."""
    found = {}
    for host in fleet.hosts:
        if host.state == "done":
            file = path.parent / host.file
            if not file.is_file():
                raise BadInput(f"{path} names {file}, which is gone; put it back, or race again")
            if places.digest(file) != host.digest:
                raise BadInput(f"{file} was changed after {host.name} sent it; put it back, or race again")
            found[name_of(host)] = file
    return found


def machines(fleet: Fleet, path: Path) -> dict[str, Path]:
    """Return a results file for each machine: `files` without what one did for another beside its own."""
    own = {host.name for host in fleet.hosts if host.state == "done" and not host.ran_on}
    twice = {name_of(host) for host in fleet.hosts if host.ran_on in own}
    return {name: file for name, file in files(fleet, path).items() if name not in twice}


def name_of(host: Host) -> str:
    """Name a host's part of the result."""
    return f"{host.name} (on {host.ran_on})" if host.ran_on else host.name


def sentences(fleet: Fleet) -> list[str]:
    """Say how many hosts answered, and what was with the others: those with the same trouble together."""
    done = [host for host in fleet.hosts if host.state == "done"]
    answered = {host.ran_on or host.name for host in done}  # one that stood in for another counts once
    lines = [f"{len(answered)} of {plural(len(fleet.hosts), 'host')} answered."]
    lines += [f"{host.name}: {host.detail or f'ran on {host.ran_on}'}." for host in done if host.ran_on]
    trouble: dict[str, list[str]] = {}
    for host in fleet.hosts:
        if host.state != "done":
            trouble.setdefault(host.detail or "not finished", []).append(host.name)
    for detail, names in trouble.items():
        lines.append(f"{listed(some(names, MOST_NAMED))}: {detail.rstrip('.?')}.")
    return lines
