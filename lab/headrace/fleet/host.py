"""A worker's answer to an order: keep the sources, run the campaign, and keep its result for a while.

Dask calls `run` with one order at a time and cancels it; `describe` and `now` are what its scheduler hears of
the host. A campaign runs in a process of its own, see child.py. It goes on when the scheduler is lost: who
asks for the same order again gets its result, or waits for it.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError
from headrace.fleet import archive, order
from headrace.fleet.order import HostFacts, Limits, Order
from headrace.machine import facts
from headrace.processes.lines import Talking
from headrace.race import race, resume
from headrace.results import store
from headrace.results.schema import Campaign

MOST = 2 << 30  # bytes of results that are kept, and of archives
ROOM = 256 << 20  # bytes that a campaign needs free for its builds at least
PERIOD = 0.3  # seconds between two looks at whether an order still holds

# state: done | failed | stopped; detail; result: a results file, packed; digest of that; code; host
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """How this worker was started."""

    name: str
    folder: Path  # its own part of the cache
    accepts: bool = False
    shared: bool = False
    limits: Limits = field(default_factory=Limits)
    said: Callable[[str], None] = lambda text: None  # tells who watches the worker


class _Host:
    def __init__(self) -> None:
        self.settings: Settings | None = None
        self.turn = (
            threading.Lock()
        )  # one campaign at a time, also beside one that a lost scheduler asked for
        self.asked: dict[
            str, Callable[[], bool]
        ] = {}  # by order: whether who asked last has changed his mind
        self.now: dict[str, Any] = {}  # the order that runs, and its step
        self.child: Talking | None = None
        self.is_ending = False


_host = _Host()


def start(settings: Settings) -> None:
    """Make this process the worker of a host. Raises BadInput where its folder cannot be used."""
    places.check_folder(settings.folder)
    _host.settings = settings
    places.prune(_folder("done"), MOST)
    places.prune(_folder("archives"), MOST)


def end() -> None:
    """Stop what runs, and wait until it has ended."""
    _host.is_ending = True
    with _host.turn:
        pass


def describe() -> dict[str, Any]:
    """Return what this host says of itself, as plain data."""
    settings, machine = _here(), facts.read()
    return asdict(
        HostFacts(
            version=__version__,
            name=settings.name,
            machine=resume.host(),
            model=f"{machine.cpu}, {machine.cores} cores",
            accepts=settings.accepts,
            shared=settings.shared,
        )
    )


def now() -> dict[str, Any]:
    """Return how far the host is, and which archives it has: with each heartbeat of its worker."""
    return {**_host.now, "archives": [file.name[:12] for file in _folder("archives").iterdir()][-50:]}


def run(data: dict[str, Any], sources: bytes) -> Outcome:
    """Run the campaign of an order; `sources` is its archive, or empty where this host has it."""
    from distributed import get_worker  # there is one, as it calls this

    worker = get_worker()

    def is_cancelled() -> bool:
        """Whether Dask has taken the task back; a worker that has lost its scheduler cannot know."""
        task = worker.state.tasks.get(order.key(data["id"]))
        return str(worker.status) == "Status.running" and (task is None or task.state == "cancelled")

    return {**obey(data, sources, is_cancelled), "host": _here().name}


def obey(data: dict[str, Any], sources: bytes, is_cancelled: Callable[[], bool]) -> Outcome:
    """Run the campaign of an order in its turn, or return what it gave before."""
    try:
        wanted = order.read(data)
        _check_consent()
        _host.asked[wanted.id] = is_cancelled
        if sources:
            archive.check(sources, wanted.archive)
            places.write_whole(_archive(wanted.archive), sources)
        with _turn(is_cancelled) as is_ours:
            outcome = _kept(wanted) or _Campaign(wanted, _here()).outcome() if is_ours else _stopped()
            if is_ours and outcome["state"] == "stopped" and not (_host.is_ending or is_cancelled()):
                outcome = _Campaign(wanted, _here()).outcome()  # it is wanted again after all
    except HeadraceError as error:
        outcome = _outcome("failed", error.exit_code, str(error))
    _here().said(f"{str(data.get('id'))[:8]} {outcome['state']} {outcome['detail']}".strip())
    return outcome


@contextmanager
def _turn(is_cancelled: Callable[[], bool]) -> Iterator[bool]:
    """Wait for the host's turn. Gives whether it came, before the order was taken back."""
    while not _host.turn.acquire(timeout=PERIOD):
        if is_cancelled():
            yield False
            return
    try:
        yield True
    finally:
        _host.now = {}
        _host.turn.release()


def _kept(wanted: Order) -> Outcome | None:
    """Return what the same order gave before, in this process or an earlier one."""
    try:
        packed = (_folder("done") / f"{wanted.id}.json.gz").read_bytes()
        campaign = Campaign.model_validate_json(gzip.decompress(packed))
    except (OSError, EOFError, zlib.error, ValidationError):
        return None
    return _outcome("done", race.exit_code(campaign), result=packed)


class _Campaign:
    """A campaign of this host, in a process of its own."""

    def __init__(self, wanted: Order, settings: Settings) -> None:
        self.wanted, self.settings = wanted, settings
        self.result = _folder("running") / f"{wanted.id}.json"
        self.until = time.monotonic() + settings.limits.hours * 3600
        self.stopped = self.late = False

    def outcome(self) -> Outcome:
        """Run it. Raises HeadraceError where it cannot be."""
        settings, wanted = self.settings, self.wanted
        settings.said(f"{wanted.id[:8]} begins: {' '.join(wanted.command)}")
        if (free := shutil.disk_usage(settings.folder).free) < ROOM:
            raise BadInput(
                f"its disk is full: {settings.folder} has {free >> 20} MiB free, and builds need "
                f"{ROOM >> 20}; free some, or start the worker with HEADRACE_CACHE elsewhere"
            )
        _host.now = {"id": wanted.id}
        sources = settings.folder / "sources"
        archive.unpack(_read_archive(wanted.archive), wanted.archive, sources)
        request = {
            "order": wanted.plain(),
            "sources": str(sources),
            "limits": asdict(settings.limits),
            "to": str(self.result),
            "shared": settings.shared,
        }
        try:
            return self._judged(self._talk(json.dumps(request)))
        finally:
            self.result.unlink(missing_ok=True)

    def _talk(self, request: str) -> dict[str, Any]:
        """Start the campaign's process and listen to it. Returns its last word."""
        last: dict[str, Any] = {}
        paths = [str(places.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH", "")])]
        words = [sys.executable, "-m", "headrace.fleet.child"]
        child = Talking(words, request, {"PYTHONPATH": os.pathsep.join(paths)})
        ended = threading.Event()
        threading.Thread(target=self._watch, args=[child, ended], daemon=True).start()
        try:
            for line in child.lines():
                last = json.loads(line)
                if "step" in last:
                    _host.now = {"id": self.wanted.id, **last}
        finally:
            ended.set()
            end = child.end()
        if "done" not in last and "error" not in last:
            error = f"the campaign's process ended with {end.code}: {end.last_words}"
            return {"error": error, "code": 2}
        return last

    def _watch(self, child: Talking, ended: threading.Event) -> None:
        """End the process when nobody wants its campaign any more, or when it is late."""
        while not ended.wait(PERIOD):
            self.stopped = _host.is_ending or _host.asked[self.wanted.id]()
            self.late = time.monotonic() > self.until
            if self.stopped or self.late:
                child.stop()
                return

    def _judged(self, last: dict[str, Any]) -> Outcome:
        if self.stopped:
            return _stopped()
        if self.late:
            return _outcome("failed", 2, f"it took more than {self.settings.limits.hours:g} hours")
        if "error" in last:
            return _outcome("failed", last["code"], last["error"])
        if last["full"]:
            return _outcome("failed", 2, "its disk is full: builds failed for want of room there")
        if last["done"] == 130:
            return _stopped()
        store.load(self.result)  # it is whole, or says what is wrong
        packed = gzip.compress(self.result.read_bytes(), mtime=0)
        places.write_whole(_folder("done") / f"{self.wanted.id}.json.gz", packed)
        return _outcome("done", last["done"], result=packed)


def _outcome(state: str, code: int, detail: str = "", result: bytes = b"") -> Outcome:
    digest = archive.digest(result) if result else ""
    return {"state": state, "detail": detail, "result": result, "digest": digest, "code": code}


def _stopped() -> Outcome:
    return _outcome("stopped", 130)


def _here() -> Settings:
    if _host.settings is None:
        raise BadInput("this is not a headrace worker; start one with: headrace fleet join ADDRESS")
    return _host.settings


def _check_consent() -> None:
    if not _here().accepts:
        raise BadInput(
            "it builds and runs nothing that is sent to it; start it with: headrace fleet join ADDRESS "
            "--accept-builds"
        )


def _folder(name: str) -> Path:
    folder = _here().folder / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _archive(digest: str) -> Path:
    if not digest.isalnum():
        raise BadInput(f"{digest!r} names no archive")
    return _folder("archives") / digest


def _read_archive(digest: str) -> bytes:
    """Read an archive; one that was changed where it lies is removed, so that it is sent again."""
    file = _archive(digest)
    try:
        data = file.read_bytes()
        archive.check(data, digest)
    except OSError as error:
        raise BadInput(
            f"it does not have the archive {digest[:12]} of the sources: {error.strerror}"
        ) from error
    except BadInput:
        file.unlink(missing_ok=True)
        raise
    places.mark_used(file)
    return data
