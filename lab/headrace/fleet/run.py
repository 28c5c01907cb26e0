"""A race on many hosts, seen from where it was asked for: who gets an order, who answers, who is gone.

Each host has one order, named by the run, the host and the attempt, and one place in the fleet's file. Dask
has a task for it that only this host can take, in its turn, whenever its worker is there: it waits for a host
that is away, is given again to one that comes back, and outlives this process. What arrives for an order that
is no longer waited for is dropped. So nothing counts twice, and whatever has arrived is on disk.
"""

from __future__ import annotations

import contextlib
import re
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headrace import __version__
from headrace.base import ctrl_c, places
from headrace.base.board import Board
from headrace.base.errors import BadInput, HeadraceError, Interrupted
from headrace.base.step import Step
from headrace.base.text import plural
from headrace.fleet import archive, host, network, order
from headrace.fleet.order import HostFacts, Order
from headrace.results import fleet as files
from headrace.results import store
from headrace.results.fleet import Fleet, Host

SILENT = 15.0  # seconds without a heartbeat after which a host is named
LOST_AFTER = 60.0  # and after which its campaign begins elsewhere
LOOK = 2.0  # seconds between two looks at the heartbeats, at least
A_LOOK = 40  # hosts for each second between two looks: a scheduler tells some 2 KB of each
ANSWER = 5.0  # seconds for a result to come from its host

# The request to a worker, in words of Python's own: a function of ours would have to be known to the
# scheduler, too, which needs no headrace, and one sent as bytecode asks for the same Python on all machines.
_CALL = f"__import__('headrace.fleet.host', fromlist=['host']).{host.run.__name__}(*given)"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class Peer:
    """A worker that the scheduler knows."""

    address: str
    name: str
    facts: HostFacts | None  # None: it is no worker of headrace
    seen: float = 0.0  # when the scheduler heard it last, by the scheduler's clock
    now: Mapping[str, Any] = field(default_factory=dict)  # see host.now

    def objection(self) -> str:
        """Return why it gets no order, or ""."""
        if self.facts is None:
            return "it is not a headrace worker; start one there: headrace fleet join ADDRESS --accept-builds"
        if self.facts.version != __version__:
            return order.refusal(self.facts.version, __version__)
        if not self.facts.accepts:
            return "its worker was started without --accept-builds, and so runs nothing that is sent to it"
        return "" if _NAME.fullmatch(self.name) else "its name can name no file; start its worker with --name"


class FleetRecord:
    """The fleet's file, kept up to date: a host's entry changes here and nowhere else."""

    def __init__(self, fleet: Fleet, place: Path) -> None:
        self.fleet, self.place = fleet, place
        self.folder = place.with_suffix("")

    def __getitem__(self, name: str) -> Host:
        """Return a host's entry."""
        return next(entry for entry in self.fleet.hosts if entry.name == name)

    @property
    def open(self) -> list[Host]:
        """The hosts that have not ended."""
        return [entry for entry in self.fleet.hosts if entry.state == "open"]

    def enter(self, hosts: list[Host]) -> None:
        """Begin with these hosts."""
        self.fleet = self.fleet.model_copy(update={"hosts": hosts})
        files.save(self.fleet, self.place)

    def change(self, name: str, **update: Any) -> None:
        """Change an entry, and save."""
        self.enter(
            [entry.model_copy(update=update) if entry.name == name else entry for entry in self.fleet.hosts]
        )

    def receive(self, name: str, packed: bytes, code: int) -> None:
        """Save a host's results file. Raises ValueError for what is none, BadInput for a full disk."""
        file = self.folder / f"{name}.json"
        try:
            text = places.unpacked(packed, places.TEXT)
        except OSError as error:
            raise ValueError(f"what it sent cannot be used: {error}") from error
        places.write_whole(file, text)
        try:
            store.load(file)
        except BadInput as error:
            file.unlink()
            raise ValueError(f"what it sent is no results file: {error}") from error
        where = file.relative_to(self.place.parent).as_posix()
        detail = self[name].detail if self[name].ran_on else ""  # who stood in for it, and why
        self.change(name, state="done", detail=detail, file=where, digest=places.digest(file), code=code)


def run(
    address: str, record: FleetRecord, sources: bytes, show: Board, lost_after: float = LOST_AFTER
) -> None:
    """Let every open host, or every host there is where there are none yet, run the record's campaign.

    Raises BadInput where no scheduler answers, where a host is listed twice, or where none takes orders;
    HeadraceError where the scheduler is lost for long; Interrupted after Ctrl-C. The record has what came.
    """
    client = network.connect(address)
    try:
        with ctrl_c.ending_at_the_second():
            _Race(client, record, sources, show, lost_after).follow()
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None
    finally:
        with contextlib.suppress(Exception):  # one that is lost cannot be closed in order
            client.close(timeout=1)


def peers(client: Any) -> list[Peer]:
    """Return the workers that a scheduler knows."""
    workers: Mapping[str, dict[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    listed = []
    for address, worker in workers.items():
        facts = order.facts_of(worker)
        name = facts.name if facts else str(worker.get("name", address))
        now = worker["metrics"].get(order.EXTRA) or {}
        listed.append(Peer(address, name, facts, worker["last_seen"], now))
    return sorted(listed, key=lambda peer: peer.name)


def check_once(listed: list[Peer]) -> None:
    """Raise BadInput where a machine has two workers, which would measure each other."""
    by_machine: dict[str, Peer] = {}
    for peer in listed:
        if peer.facts is None or not peer.facts.machine:
            continue
        other = by_machine.setdefault(peer.facts.machine, peer)
        if other is not peer and other.facts and not (peer.facts.shared and other.facts.shared):
            raise BadInput(
                f"{other.name} and {peer.name} are one machine, listed twice: campaigns there would disturb "
                "each other; end one of the workers"
            )


class _Race:
    """The tasks of a fleet's hosts, over one client."""

    def __init__(
        self, client: Any, record: FleetRecord, sources: bytes, show: Board, lost_after: float
    ) -> None:
        self.client, self.record, self.sources = client, record, sources
        self.show, self.lost_after = show, lost_after
        self.tasks: dict[str, Any] = {}  # futures, by the name of the host whose campaign it is
        self.there: dict[str, Peer] = {}  # by name, as of the last look
        self.heard: dict[str, float] = {}  # by name: when its last heartbeat was new, by our clock
        self.silent: set[str] = set()  # who has been named so
        self.looked = 0.0

    def follow(self) -> None:
        """Submit the tasks and wait for all that they bring."""
        listed = peers(self.client)
        check_once(listed)
        if not self.record.fleet.hosts:
            self._enter(listed)
        self._listen(listed)
        try:
            for entry in self.record.open:
                self._submit(entry)
            while self.tasks:
                self._step()
        except KeyboardInterrupt:
            # a message, to which nobody has to answer
            self.client.cancel(list(self.tasks.values()), force=True)
            raise

    def _step(self) -> None:
        """Take what has ended, and look at who is silent."""
        if self.client.status != "running":
            self._await_scheduler()
        for name, task in list(self.tasks.items()):
            if task.done():
                self._ended(self.record[name], task)
        if time.monotonic() - self.looked > max(LOOK, len(self.record.fleet.hosts) / A_LOOK):
            with contextlib.suppress(OSError):  # the next step sees that the scheduler is lost
                self._listen(peers(self.client))
                self._judge_silence()
        self.show.tick()
        time.sleep(0.2)

    def _await_scheduler(self) -> None:
        """Wait while Dask tries to reach the scheduler again; then every task is to be submitted again."""
        address = self.client.scheduler.address
        self.show.say(f"the scheduler {address} is lost; waiting for it")
        while self.client.status == "connecting":
            time.sleep(0.2)
        if self.client.status != "running":
            ended = len(self.record.fleet.hosts) - len(self.record.open)
            raise HeadraceError(
                f"the scheduler {address} is lost; {ended} of {plural(len(self.record.fleet.hosts), 'host')} "
                f"had ended, and what they sent is in {self.record.folder}. When it is back: "
                f"headrace run --resume {self.record.place}"
            )
        self.heard = {}

    def _enter(self, listed: list[Peer]) -> None:
        """Begin the record. Raises BadInput where no host takes the order."""
        if not listed:
            raise BadInput(
                "the scheduler has no workers; start one on each host with: headrace fleet join ADDRESS "
                "--accept-builds"
            )
        objections = {peer.name: peer.objection() for peer in listed}
        if all(objections.values()):
            reasons = list(dict.fromkeys(f"{name}: {why}" for name, why in objections.items()))
            raise BadInput(f"no host takes the order. {'. '.join(reasons[:5])}")
        self.record.enter(
            [
                Host(
                    name=peer.name,
                    model=peer.facts.model if peer.facts else "",
                    state="refused" if objections[peer.name] else "open",
                    detail=objections[peer.name],
                )
                for peer in listed
            ]
        )
        for name, why in objections.items():
            if why:
                self.show.end(name, why)

    def _submit(self, entry: Host) -> None:
        from distributed import fire_and_forget

        fleet, runner = self.record.fleet, _runner(entry)
        peer = self.there.get(runner)
        if peer and (why := peer.objection()):
            self._fail(entry.name, why, 2)
            return
        same = fleet.model_dump(include={"archive", "asked", "count", "why", "command", "commit"})
        wanted = Order(id=order.identity(fleet.id, entry.name, entry.attempt), **same)
        has_sources = peer is not None and fleet.archive[:12] in peer.now.get("archives", ())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large arguments: the sources are that large
            task = self.client.submit(
                eval,
                _CALL,
                {"given": (wanted.plain(), b"" if has_sources else self.sources)},
                key=order.key(wanted.id),
                resources={order.TURN: 1, order.place(runner): 1},
                pure=False,
            )
        fire_and_forget(task)  # where this process is killed, the host goes on
        self.tasks[entry.name] = task
        self.show.host(entry.name, "waits for its turn" if peer else "waits for its worker")

    def _listen(self, listed: list[Peer]) -> None:
        """Note whose heart has beaten since the last look, and show how far each host is."""
        self.looked = time.monotonic()
        seen = {name: peer.seen for name, peer in self.there.items()}
        self.there = {peer.name: peer for peer in listed}
        for peer in listed:
            if peer.seen != seen.get(peer.name):
                self.heard[peer.name] = self.looked
        for name in self.tasks:
            entry = self.record[name]
            now = self.there[_runner(entry)].now if _runner(entry) in self.there else {}
            if now.get("id") == order.identity(self.record.fleet.id, name, entry.attempt) and "step" in now:
                self.show.host(name, step=Step(**now["step"]))

    def _judge_silence(self) -> None:
        """Name the hosts that say nothing; after a while their campaigns begin elsewhere."""
        for name in list(self.tasks):
            entry = self.record[name]
            runner = _runner(entry)
            silence = self.looked - self.heard.setdefault(runner, self.looked)
            if silence > self.lost_after:
                self._begin_elsewhere(entry, f"nothing was heard from {runner} for {self.lost_after:g} s")
            elif silence > SILENT:
                self.show.host(name, f"silent for {silence:.0f} s")
                if runner not in self.silent:
                    self.show.say(
                        f"{runner}: nothing heard from it for {SILENT:g} s; waiting {self.lost_after:g}"
                    )
                    self.silent.add(runner)
            elif runner in self.silent:
                self.silent.discard(runner)
                self.show.say(f"{runner}: it is back")

    def _ended(self, entry: Host, task: Any) -> None:
        """Take what a task has given; one that Dask has lost with its scheduler is submitted again."""
        if task.status in ("cancelled", "lost"):
            self._submit(entry)
            return
        try:
            outcome = task.result(timeout=ANSWER)
        except TimeoutError:
            return  # its host has fallen silent since
        except Exception as error:
            if self.client.status != "running":
                return
            outcome = {"state": "failed", "detail": f"{type(error).__name__}: {error}", "code": 2}
        if outcome["state"] == "stopped":
            self._begin_elsewhere(entry, f"the worker of {_runner(entry)} was stopped")
            return
        del self.tasks[entry.name]
        if outcome["state"] != "done":
            self._fail(entry.name, outcome["detail"], outcome["code"])
        elif archive.digest(outcome["result"]) != outcome["digest"]:
            self._fail(entry.name, "what it sent was changed on its way: the checksum differs", 2)
        else:
            try:
                self.record.receive(entry.name, outcome["result"], outcome["code"])
            except ValueError as error:
                self._fail(entry.name, str(error), 2)
            else:
                self.show.end(entry.name, f"done, {self.record.folder / entry.name}.json")

    def _fail(self, name: str, why: str, code: int) -> None:
        self.record.change(name, state="failed", detail=why, code=code)
        self.show.end(name, why)

    def _begin_elsewhere(self, entry: Host, why: str) -> None:
        """Begin a lost host's campaign again on another of its model, once."""
        self.client.cancel([self.tasks.pop(entry.name)], force=True)
        stand_in = None if entry.attempt else self._stand_in(entry)
        if stand_in is None:
            again = f"there is no other {entry.model or 'of its model'}"
            detail = f"{why}; {'its campaign was begun again once already' if entry.attempt else again}"
            self.record.change(entry.name, state="died", detail=detail)
            self.show.end(entry.name, detail)
            return
        detail = f"{why}; its campaign begins again on {stand_in}, which is the same model"
        self.record.change(entry.name, attempt=1, ran_on=stand_in, detail=detail)
        self.show.say(f"{entry.name}: {detail}")
        self._submit(self.record[entry.name])

    def _stand_in(self, entry: Host) -> str | None:
        """Choose a host of the same model that works: one that has proved it, with little to do."""
        load = [_runner(self.record[name]) for name in self.tasks]
        fit = [
            (other.state != "done", load.count(other.name), other.name)
            for other in self.record.fleet.hosts
            if other.name != entry.name
            and other.model == entry.model
            and other.state in ("open", "done")
            and other.name in self.there
            and not self.there[other.name].objection()
            and self.looked - self.heard.get(other.name, 0.0) < SILENT
        ]
        return min(fit)[2] if fit else None


def _runner(entry: Host) -> str:
    """Return who runs a host's campaign: itself, or the one that stands in for it."""
    return entry.ran_on or entry.name
