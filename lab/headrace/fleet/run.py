"""A race on many hosts, seen from where it was asked for: who gets an order, who answers, who is gone.

Each host has one order, named by the run, the host and the attempt, and one place in the fleet's file. What
arrives for an order that is no longer waited for is dropped. So nothing counts twice, and whatever has
arrived is on disk.
"""

from __future__ import annotations

import contextlib
import gzip
import queue
import re
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError, Interrupted
from headrace.base.step import Step
from headrace.base.text import plural
from headrace.fleet import archive, host, network, order
from headrace.fleet.order import HostFacts, Order
from headrace.results import fleet as files
from headrace.results import store
from headrace.results.fleet import Fleet, Host

BACK = 3.0  # seconds in which a worker that lost its connection may come back
RETURN = 30.0  # seconds in which a scheduler may come back
GATHER = 10.0  # seconds in which workers that are known may come to it
LOOK = 60.0  # seconds between two looks at whether all workers are still there
A_SECOND = 100  # reports of progress that a scheduler passes on per second at most

# What a worker is asked to do, in words of Python's own: a function of ours would have to be known to the
# scheduler, too, which needs no headrace, and one sent as bytecode asks for the same Python on all machines.
_CALL = "__import__('headrace.fleet.host', fromlist=['host']).{}(*given)"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Show(Protocol):
    """Who is shown how far the hosts are, see base.board.Board."""

    def host(self, name: str, said: str = "", step: Step | None = None) -> None:
        """Where a host is."""

    def end(self, name: str, sentence: str) -> None:
        """How a host ended."""

    def say(self, sentence: str) -> None:
        """What else happened."""

    def tick(self) -> None:
        """Time has passed."""


class _SchedulerLost(Exception):
    """The connection to the scheduler has broken."""


@dataclass(frozen=True)
class Peer:
    """A worker that the scheduler knows."""

    address: str
    name: str
    facts: HostFacts | None  # None: it is no worker of headrace

    def objection(self) -> str:
        """Return why it gets no order, or ""."""
        if self.facts is None:
            return (
                "it is not a headrace worker; start one there with: headrace worker ADDRESS --accept-builds"
            )
        if self.facts.version != __version__:
            return order.refusal(self.facts.version, __version__)
        if not self.facts.accepts:
            return "its worker was started without --accept-builds, and so runs nothing that is sent to it"
        return "" if _NAME.fullmatch(self.name) else "its name can name no file; start its worker with --name"


class Book:
    """The fleet's file, kept up to date: a host's entry changes here and nowhere else."""

    def __init__(self, fleet: Fleet, place: Path) -> None:
        self.fleet, self.place = fleet, place
        self.folder = place.with_suffix("")

    def __getitem__(self, name: str) -> Host:
        """Return a host's entry."""
        return next(one for one in self.fleet.hosts if one.name == name)

    @property
    def open(self) -> list[Host]:
        """The hosts that have not ended."""
        return [one for one in self.fleet.hosts if one.state == "open"]

    def enter(self, hosts: list[Host]) -> None:
        """Begin with these hosts."""
        self.fleet = self.fleet.model_copy(update={"hosts": hosts})
        files.save(self.fleet, self.place)

    def change(self, name: str, **update: Any) -> None:
        """Change an entry, and save."""
        self.enter([one.model_copy(update=update) if one.name == name else one for one in self.fleet.hosts])

    def receive(self, name: str, packed: bytes, code: int) -> None:
        """Save a host's results file. Raises ValueError for what is none, BadInput for a full disk."""
        file = self.folder / f"{name}.json"
        try:
            text = gzip.decompress(packed)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"what it sent is not whole: {error}") from error
        places.write_whole(file, text)
        try:
            store.load(file)
        except BadInput as error:
            file.unlink()
            raise ValueError(f"what it sent is no results file: {error}") from error
        where = file.relative_to(self.place.parent).as_posix()
        detail = self[name].detail if self[name].ran_on else ""  # who stood in for it, and why
        self.change(name, state="done", detail=detail, file=where, digest=files.digest(file), code=code)


def run(address: str, book: Book, sources: bytes, show: Show) -> None:
    """Let every host that is open, or every host there is where there are none yet, run the book's campaign.

    Raises BadInput where no scheduler answers, where a host is listed twice, or where none takes orders;
    HeadraceError where the scheduler is lost for long; Interrupted after Ctrl-C. The book holds what arrived.
    """
    client, lost = network.connect(address), 0.0
    while True:
        try:
            if client is not None:
                _Session(client, book, sources, show).follow()
                return
        except _SchedulerLost:
            show.say(f"the scheduler {address} is lost; waiting for it")
            lost = time.monotonic()
        finally:
            if client is not None:
                with contextlib.suppress(Exception):  # one that is lost cannot be closed in order
                    client.close(timeout=2)
        if time.monotonic() - lost > RETURN:
            ended = len(book.fleet.hosts) - len(book.open)
            hosts = plural(len(book.fleet.hosts), "host")
            raise HeadraceError(
                f"the scheduler {address} is lost; {ended} of {hosts} had ended, and what they sent is in "
                f"{book.folder}. When it is back: headrace run --resume {book.place}"
            )
        try:
            time.sleep(0.5)
            client = network.connect(address)
        except BadInput:
            client = None
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None


def peers(client: Any) -> list[Peer]:
    """Return the workers that a scheduler knows."""
    workers: Mapping[str, dict[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    found = []
    for address, worker in workers.items():
        facts = order.facts_of(worker)
        found.append(Peer(address, facts.name if facts else str(worker.get("name", address)), facts))
    return sorted(found, key=lambda one: one.name)


def check_once(found: list[Peer]) -> None:
    """Raise BadInput where a machine has two workers, which would measure each other."""
    by_machine: dict[str, Peer] = {}
    for one in found:
        if one.facts is None or not one.facts.machine:
            continue
        other = by_machine.setdefault(one.facts.machine, one)
        if other is not one and other.facts and not (one.facts.shared and other.facts.shared):
            raise BadInput(
                f"{other.name} and {one.name} are one machine, listed twice: campaigns there would disturb "
                "each other; end one of the workers"
            )


class _Session:
    """What is done over one connection."""

    def __init__(self, client: Any, book: Book, sources: bytes, show: Show) -> None:
        self.client, self.book, self.sources, self.show = client, book, sources, show
        self.inbox: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.waiting: dict[str, _Waiting] = {}  # by the order's identity
        self.submitted = 0
        self.looked = time.monotonic()

    def follow(self) -> None:
        """Send the orders and wait for all that they bring."""
        topic = f"headrace-{self.book.fleet.id}"
        self.client.subscribe_topic(topic, lambda event: self.inbox.put(("said", event[1])))
        self.client.subscribe_topic("all", lambda event: self.inbox.put(("workers", event[1])))
        try:
            there = self._hosts()
            asked = dict.fromkeys(_runner(one) for one in self.book.open)
            ready = self._send_sources([there[name] for name in asked if name in there])
            for one in self.book.open:
                if _runner(one) in ready:
                    self._submit(one, there[_runner(one)])
                else:
                    self._died(one, "its worker is not there")
            while self.waiting:
                self._turn()
        except KeyboardInterrupt:
            self._stop_all()
            raise Interrupted("interrupted") from None
        except OSError as error:  # what concerns a disk is a BadInput
            raise _SchedulerLost from error

    def _turn(self) -> None:
        """Take one message, if there is one, and look at who is gone."""
        if self.client.status != "running":
            raise _SchedulerLost
        with contextlib.suppress(queue.Empty):
            kind, what = self.inbox.get(timeout=0.5)
            if kind == "said":
                self._said(what)
            elif kind == "workers":
                self._workers_changed(what)
            else:
                self._ended(what)
        now = time.monotonic()
        if any(one.lost and now - one.lost > BACK for one in self.waiting.values()):
            self._look(now)
        if now - self.looked > LOOK:  # an event may have been lost with a connection
            self.looked = now
            there = {one.address for one in peers(self.client)}
            for one in self.waiting.values():
                one.lost = one.lost or (now if one.peer.address not in there else 0.0)
        self.show.tick()

    def _hosts(self) -> dict[str, Peer]:
        """Return the workers by name; enter them into the book where it has none. Raises BadInput."""
        until = time.monotonic() + GATHER
        while True:
            if self.client.status != "running":
                raise _SchedulerLost
            found = peers(self.client)
            names = {one.name for one in found}
            if not self.book.fleet.hosts or all(_runner(one) in names for one in self.book.open):
                break
            if time.monotonic() > until:
                break
            time.sleep(0.5)
        check_once(found)
        if not self.book.fleet.hosts:
            self._enter(found)
        return {one.name: one for one in found if not one.objection()}

    def _enter(self, found: list[Peer]) -> None:
        if not found:
            raise BadInput(
                "the scheduler has no workers; start one on each host with: headrace worker ADDRESS "
                "--accept-builds"
            )
        objections = {one.name: one.objection() for one in found}
        if all(objections.values()):
            said = list(dict.fromkeys(f"{name}: {why}" for name, why in objections.items()))
            raise BadInput(f"no host takes the order. {'. '.join(said[:5])}")
        self.book.enter(
            [
                Host(
                    name=one.name,
                    model=one.facts.model if one.facts else "",
                    state="refused" if objections[one.name] else "open",
                    detail=objections[one.name],
                )
                for one in found
            ]
        )
        for name, why in objections.items():
            if why:
                self.show.end(name, why)
            else:
                self.show.host(name, "waits for its sources")

    def _send_sources(self, ready: list[Peer]) -> dict[str, Peer]:
        """Send the archive to those that have not got it. Returns who has it then."""
        digest = self.book.fleet.archive
        by_address = {one.address: one for one in ready}
        have = self._ask(by_address, host.has.__name__, digest)
        lacking = {address: one for address, one in by_address.items() if have.get(address) is not True}
        answers = self._ask(lacking, host.keep.__name__, digest, self.sources)
        for address, one in lacking.items():
            if answer := answers.get(address, "it did not answer"):
                del by_address[address]
                for entry in [each for each in self.book.open if _runner(each) == one.name]:
                    self._fail(entry.name, str(answer), 2)
        return {one.name: one for one in by_address.values()}

    def _ask(self, who: Mapping[str, Peer], what: str, *given: Any) -> dict[str, Any]:
        if not who:
            return {}
        words = eval, _CALL.format(what), {"given": given}
        answers: dict[str, Any] = self.client.run(*words, workers=list(who), on_error="return")
        return answers

    def _submit(self, entry: Host, peer: Peer) -> None:
        fleet = self.book.fleet
        wanted = Order(
            id=order.identity(fleet.id, entry.name, entry.attempt),
            topic=f"headrace-{fleet.id}",
            archive=fleet.archive,
            asked=fleet.asked,
            count=fleet.count,
            why=fleet.why,
            command=tuple(fleet.command),
            commit=fleet.commit,
            period=max(1.0, len(fleet.hosts) / A_SECOND),
        )
        self.submitted += 1
        future = self.client.submit(
            eval,
            _CALL.format(host.run.__name__),
            {"given": (wanted.plain(),)},
            key=f"headrace-{wanted.id}-{self.submitted}",
            workers=[peer.address],
            allow_other_workers=False,
            resources={"bench": 1},
            retries=0,
            pure=False,
        )
        self.waiting[wanted.id] = _Waiting(entry.name, peer, future)
        self.show.host(entry.name, "waits for its turn")
        future.add_done_callback(lambda done: self.inbox.put(("done", (wanted.id, done))))

    def _said(self, said: dict[str, Any]) -> None:
        """A host says how far it is."""
        one = self.waiting.get(said.get("id", ""))
        if one is None:
            return
        name = one.host
        if "step" in said:
            self.show.host(name, step=Step(**said["step"]))
        else:
            self.show.host(name, f"waits {said.get('waiting', '')}")

    def _workers_changed(self, event: dict[str, Any]) -> None:
        """A worker is gone, or one has come."""
        if event.get("action") == "remove-worker":
            for one in self.waiting.values():
                if one.peer.address == event.get("worker"):
                    one.lost = one.lost or time.monotonic()

    def _look(self, now: float) -> None:
        """See which of the lost workers are back, as the same process; the others are dead."""
        there = {one.name: one for one in peers(self.client)}
        for identity, one in list(self.waiting.items()):
            if not one.lost or now - one.lost <= BACK:
                continue
            del self.waiting[identity]
            one.future.release()
            entry, back = self.book[one.host], there.get(one.peer.name)
            if back and back.facts and one.peer.facts and back.facts.process == one.peer.facts.process:
                self._submit(entry, back)  # it goes on with what it has begun
            else:
                self._died(entry, "its worker died", there)

    def _ended(self, what: tuple[str, Any]) -> None:
        """An order's task has ended. One that nobody waits for any more counts no more."""
        identity, future = what
        one = self.waiting.get(identity)
        if one is None or one.future is not future:
            return
        if future.status in ("cancelled", "lost"):
            if self.client.status != "running":
                raise _SchedulerLost
            one.lost = one.lost or time.monotonic()
            return
        try:
            outcome = future.result(timeout=60)
        except TimeoutError:
            one.lost = one.lost or time.monotonic()  # it is asked again for what it has kept
            return
        except Exception as error:
            if self.client.status != "running":
                raise _SchedulerLost from error
            outcome = {"state": "failed", "detail": f"{type(error).__name__}: {error}", "code": 2}
        del self.waiting[identity]
        future.release()
        self._take(self.book[one.host], outcome)

    def _take(self, entry: Host, outcome: dict[str, Any]) -> None:
        if outcome["state"] == "stopped":
            self._died(entry, "its worker was stopped")
            return
        if outcome["state"] != "done":
            self._fail(entry.name, outcome["detail"], outcome["code"])
            return
        if archive.digest(outcome["result"]) != outcome["digest"]:
            self._fail(entry.name, "what it sent was changed on its way: the checksum differs", 2)
            return
        try:
            self.book.receive(entry.name, outcome["result"], outcome["code"])
        except ValueError as error:
            self._fail(entry.name, str(error), 2)
            return
        self.show.end(entry.name, f"done, {self.book.folder / entry.name}.json")

    def _fail(self, name: str, why: str, code: int) -> None:
        self.book.change(name, state="failed", detail=why, code=code)
        self.show.end(name, why)

    def _died(self, entry: Host, why: str, there: Mapping[str, Peer] | None = None) -> None:
        """Begin a dead host's campaign again on another of its model, once."""
        found = there if there is not None else {one.name: one for one in peers(self.client)}
        other = None if entry.attempt else self._stand_in(entry, found)
        if other is None:
            again = "; its campaign was begun again once already" if entry.attempt else ""
            none = "" if entry.attempt else f"; there is no other {entry.model or 'of its model'}"
            self.book.change(entry.name, state="died", detail=f"{why}{again}{none}")
            self.show.end(entry.name, f"{why}{again}{none}")
            return
        said = f"{why}; its campaign begins again on {other.name}, which is the same model"
        self.book.change(entry.name, attempt=1, ran_on=other.name, detail=said)
        self.show.say(f"{entry.name}: {said}")
        self._submit(self.book[entry.name], other)

    def _stand_in(self, entry: Host, found: Mapping[str, Peer]) -> Peer | None:
        """Choose a host of the same model that works, one with little to do."""
        fit = [
            found[one.name]
            for one in self.book.fleet.hosts
            if one.name != entry.name
            and one.name in found
            and not found[one.name].objection()
            and one.model == entry.model
            and one.state in ("open", "done")
            and not any(lost.lost for lost in self.waiting.values() if lost.peer.name == one.name)
        ]
        load = {peer.name: sum(one.peer.name == peer.name for one in self.waiting.values()) for peer in fit}
        proved = {one.name for one in self.book.fleet.hosts if one.state == "done"}
        fit.sort(key=lambda peer: (peer.name not in proved, load[peer.name], peer.name))
        return fit[0] if fit else None

    def _stop_all(self) -> None:
        """End what runs for us; whoever does not hear it goes on alone, and keeps its result."""
        by_address = {one.peer.address: one.peer for one in self.waiting.values()}
        with contextlib.suppress(Exception):
            self._ask(by_address, host.stop.__name__, list(self.waiting))
        for one in self.waiting.values():
            with contextlib.suppress(Exception):
                one.future.release()


def _runner(entry: Host) -> str:
    """Return who runs a host's campaign: itself, or the one that stands in for it."""
    return entry.ran_on or entry.name


@dataclass
class _Waiting:
    """An order that was sent."""

    host: str  # whose it is
    peer: Peer  # who runs it
    future: Any
    lost: float = 0.0  # when its worker was last seen to be gone
