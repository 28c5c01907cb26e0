"""What a worker does for those who send it orders: keep sources, run a campaign, stop one.

A client calls has, keep, run and stop by way of Dask. A campaign runs in a process of its own, see child.py;
here are its turn, its progress and its result. A campaign goes on when the scheduler is lost, and its result
is kept for a while: who asks for the same order again gets it, or waits for it.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import secrets
import shutil
import sys
import threading
import zlib
from collections.abc import Callable
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
SILENCE = 10  # periods after which a host says again where it is, though nothing has changed

# state: done | failed | stopped; detail; result: a results file, packed; digest of that; code
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


_settings: list[Settings] = []
_turn = threading.Lock()  # one campaign at a time
_jobs: dict[str, _Job] = {}  # that run or wait
_guard = threading.Lock()  # of _jobs
_PROCESS = secrets.token_hex(8)


def start(settings: Settings) -> None:
    """Make this process the worker of a host. Raises BadInput where its folder cannot be used."""
    places.check_folder(settings.folder)
    _settings[:] = [settings]
    places.prune(_folder("done"), MOST)
    places.prune(_folder("archives"), MOST)


def end() -> None:
    """Stop what runs, and wait until it has ended."""
    with _guard:
        running = list(_jobs.values())
    for job in running:
        job.stop()
    for job in running:
        job.thread.join()


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
            process=_PROCESS,
        )
    )


def has(digest: str) -> bool:
    """Whether an archive is here, and whole."""
    try:
        archive.check(_archive(digest).read_bytes(), digest)
    except (OSError, HeadraceError):
        return False
    places.mark_used(_archive(digest))
    return True


def keep(digest: str, data: bytes) -> str:
    """Keep an archive. Returns "" or why not."""
    try:
        _check_consent()
        archive.check(data, digest)
        places.write_whole(_archive(digest), data)
    except HeadraceError as error:
        return str(error)
    return ""


def stop(identities: list[str]) -> None:
    """Stop campaigns that nobody waits for any more."""
    with _guard:
        jobs = [_jobs[one] for one in identities if one in _jobs]
    for job in jobs:
        job.stop()


def run(data: dict[str, Any]) -> Outcome:
    """Run the campaign of an order, or wait for it where it runs already, and say meanwhile how far it is."""
    from distributed import get_worker  # there is one, as it calls this

    worker = get_worker()
    try:
        wanted = order.read(data)
        _check_consent()
    except HeadraceError as error:
        return _failed(str(error), error.exit_code)

    def tell(said: dict[str, Any]) -> None:
        worker.log_event(wanted.topic, {"host": _here().name, "id": wanted.id, **said})

    def is_gone() -> bool:
        return str(worker.status) not in ("Status.running", "Status.paused")

    return follow(wanted, tell, is_gone)


def follow(wanted: Order, tell: Callable[[dict[str, Any]], None], is_gone: Callable[[], bool]) -> Outcome:
    """See a campaign through. `tell` hears once a period how far it is; `is_gone`: nobody listens now."""
    job = _job_of(wanted)
    while job.stopped:  # by one who has changed his mind
        job.ended.wait()
        job = _job_of(wanted)
    shown, quiet = None, 0
    while not job.ended.wait(wanted.period):
        if is_gone():
            return _failed("the scheduler is gone; the campaign goes on", 2)
        quiet += 1
        if job.at != shown or quiet >= SILENCE:
            shown, quiet = job.at, 0
            tell(job.at)
    return job.outcome


def _job_of(wanted: Order) -> _Job:
    """Return the campaign of an order: the one that runs, or a new one."""
    with _guard:
        job = _jobs.get(wanted.id)
        if job is None:
            job = _jobs[wanted.id] = _Job(wanted, _here())
            job.thread.start()
    return job


class _Job:
    """A campaign of this host: waits for its turn, runs, and leaves its outcome."""

    def __init__(self, wanted: Order, settings: Settings) -> None:
        self.wanted, self.settings = wanted, settings
        self.at: dict[str, Any] = {"waiting": "for its turn"}
        self.outcome: Outcome = {}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, name=f"campaign {wanted.id}", daemon=True)
        self.stopped = self._late = False
        self._child: Talking | None = None

    def stop(self) -> None:
        """Ask it to end."""
        self.stopped = True
        if self._child is not None:
            self._child.stop()

    def _end_late(self) -> None:
        self._late = True
        if self._child is not None:
            self._child.stop()

    def _run(self) -> None:
        earlier = self._earlier()
        with contextlib.nullcontext() if earlier else _turn:  # its end is said before the next one begins
            try:
                self.outcome = earlier or self._in_turn()
            except HeadraceError as error:
                self.outcome = _failed(str(error), error.exit_code)
            except Exception as error:  # of whatever kind: who waits for it has to hear of it
                self.outcome = _failed(f"{type(error).__name__}: {error}", 2)
            finally:
                with _guard:
                    _jobs.pop(self.wanted.id, None)  # who asks again gets what is kept, or begins anew
                self.ended.set()
                said = f"{self.wanted.id[:8]} {self.outcome['state']} {self.outcome['detail']}"
                self.settings.said(said.strip())

    def _earlier(self) -> Outcome | None:
        """Return what the same order gave before, in this process or an earlier one."""
        try:
            packed = (_folder("done") / f"{self.wanted.id}.json.gz").read_bytes()
            campaign = Campaign.model_validate_json(gzip.decompress(packed))
        except (OSError, EOFError, zlib.error, ValidationError):
            return None
        return _done(packed, race.exit_code(campaign))

    def _in_turn(self) -> Outcome:
        if self.stopped:
            return _stopped()
        self.settings.said(f"{self.wanted.id[:8]} begins: {' '.join(self.wanted.command)}")
        return self._measured()

    def _measured(self) -> Outcome:
        folder, result = self.settings.folder, _folder("running") / f"{self.wanted.id}.json"
        if (free := shutil.disk_usage(folder).free) < ROOM:
            raise BadInput(
                f"its disk is full: {folder} has {free >> 20} MiB free, and builds need {ROOM >> 20}; "
                "free some, or start the worker with HEADRACE_CACHE elsewhere"
            )
        self.at = {"waiting": "for its sources"}
        archive.unpack(_read_archive(self.wanted.archive), self.wanted.archive, folder / "sources")
        told = {
            "order": self.wanted.plain(),
            "sources": str(folder / "sources"),
            "limits": asdict(self.settings.limits),
            "to": str(result),
            "shared": self.settings.shared,
        }
        try:
            last = self._talk(json.dumps(told))
            return self._outcome(last, result)
        finally:
            result.unlink(missing_ok=True)

    def _talk(self, told: str) -> dict[str, Any]:
        """Start the campaign's process and listen to it. Returns its last word."""
        last: dict[str, Any] = {}
        paths = [str(places.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH", "")])]
        words = [sys.executable, "-m", "headrace.fleet.child"]
        child = self._child = Talking(words, told, {"PYTHONPATH": os.pathsep.join(paths)})
        late = threading.Timer(self.settings.limits.hours * 3600, self._end_late)
        late.daemon = True
        late.start()
        try:
            if self.stopped:
                child.stop()
            for line in child.lines():
                last = json.loads(line)
                if "step" in last:
                    self.at = last
        finally:
            late.cancel()
            ended = child.end()
        if "done" not in last and "error" not in last:
            said = ended.err.strip().splitlines()
            return {
                "error": f"the campaign's process ended with {ended.code}: {said[-1] if said else ''}",
                "code": 2,
            }
        if self._late:
            return {"error": f"it took more than {self.settings.limits.hours:g} hours", "code": 2}
        return last

    def _outcome(self, last: dict[str, Any], result: Path) -> Outcome:
        if self.stopped:
            return _stopped()
        if "error" in last:
            return _failed(last["error"], last["code"])
        if last["full"]:
            return _failed("its disk is full: builds failed for want of room there", 2)
        if last["done"] == 130:
            return _stopped()
        store.load(result)  # it is whole, or says what is wrong
        packed = gzip.compress(result.read_bytes(), mtime=0)
        places.write_whole(_folder("done") / f"{self.wanted.id}.json.gz", packed)
        return _done(packed, last["done"])


def _done(packed: bytes, code: int) -> Outcome:
    return {"state": "done", "detail": "", "result": packed, "digest": archive.digest(packed), "code": code}


def _failed(detail: str, code: int) -> Outcome:
    return {"state": "failed", "detail": detail, "result": b"", "digest": "", "code": code}


def _stopped() -> Outcome:
    return {"state": "stopped", "detail": "", "result": b"", "digest": "", "code": 130}


def _here() -> Settings:
    if not _settings:
        raise BadInput("this is not a headrace worker; start one with: headrace worker ADDRESS")
    return _settings[0]


def _check_consent() -> None:
    if not _here().accepts:
        raise BadInput(
            "it builds and runs nothing that is sent to it; start it with: headrace worker ADDRESS "
            "--accept-builds"
        )


def _folder(name: str) -> Path:
    folder = _here().folder / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _archive(digest: str) -> Path:
    if not digest.isalnum():
        raise BadInput(f"{digest!r} names no archive")
    return _folder("archives") / f"{digest}.tar.gz"


def _read_archive(digest: str) -> bytes:
    try:
        return _archive(digest).read_bytes()
    except OSError as error:
        raise BadInput(
            f"it does not have the archive {digest[:12]} of the sources: {error.strerror}"
        ) from error
