"""`headrace run --on`: the same race on other machines, and what it prints and writes."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError, Interrupted
from headrace.base.text import plural, visible
from headrace.base.units import memory
from headrace.commands.options import console
from headrace.results import fleet as files
from headrace.results.fleet import SUFFIX as SUFFIX
from headrace.results.fleet import Fleet

if TYPE_CHECKING:
    from headrace.commands.run import Wish
    from headrace.race.options import RunOptions
    from headrace.report.exports import Maker
    from headrace.report.view import View


def read(path: Path) -> RunOptions:
    """Return the options of a race on a fleet that ended early. Raises BadInput."""
    from headrace.race.options import of_plain

    fleet = files.load(path)
    if fleet.headrace_version != __version__:
        raise BadInput(
            f"{path} was begun by headrace {fleet.headrace_version}, and this is {__version__}: results of "
            "two versions are not set side by side; race again"
        )
    return of_plain(fleet.asked, path, "asked")


def check_place(out: Path) -> None:
    """Raise BadInput where a fleet's file would not be known by its name."""
    if out.suffix != SUFFIX:
        raise BadInput(
            f"--out {out}: the file of a race on other machines ends in {SUFFIX}; each host's is beside it"
        )


def run(options: RunOptions, wish: Wish, place: Path, wanted: Mapping[str, Path], remembers: bool) -> int:
    """Race on other machines, print and write what came of it. Returns the exit code."""
    from headrace.base.board import Board
    from headrace.fleet import network
    from headrace.fleet import run as fleet_run
    from headrace.history import settings
    from headrace.report import exports, page

    if options.input:
        raise BadInput(
            "--input does not go with --on: the library, benchmarks and your programs travel, inputs do "
            "not; a benchmark's generator makes them on each host"
        )
    network.check_installed()
    if wish.resume and wish.resume.resolve().parent != place.resolve().parent:
        raise BadInput(f"--out {place}: the files of the hosts are beside {wish.resume}; name a file there")
    earlier = files.load(wish.resume) if wish.resume else None
    on = wish.on or (earlier.on if earlier else "")
    fleet, sources = _again(earlier, wish.resume) if earlier and wish.resume else _new(options, wish, on)
    network.check_address(on, wish.insecure)
    if wish.dry_run:
        _show_hosts(on, len(sources), wish.as_json)
        return 0
    record = fleet_run.FleetRecord(fleet, place)
    problem: HeadraceError | None = None
    with Board() as board:
        try:
            fleet_run.run(on, record, sources, board, wish.lost_after)
        except HeadraceError as error:
            if not record.fleet.hosts:
                raise
            problem = error
    campaigns = load(record.fleet, place)
    views, output = list(campaigns.values()), place.with_suffix(".html")
    if wish.as_json:
        print(json.dumps(as_data(record.fleet, campaigns), indent=1))
    else:
        show(record.fleet, views, list(campaigns))
    if campaigns:
        page.render(views, output, list(campaigns), files.sentences(record.fleet))
    if campaigns and not wish.as_json:
        print(f"\nWritten: {place}, {output}, and a file for each host in {record.folder}")
    if campaigns or problem is None:
        exports.write(views, wanted, makers(record.fleet, campaigns))
    if remembers:
        settings.remember(files.files(record.fleet, place).values())
    if isinstance(problem, Interrupted):
        print(f"headrace: interrupted; headrace run --resume {place} goes on", file=sys.stderr)
    elif problem:
        raise problem
    return 130 if problem else exit_code(record.fleet)


def exit_code(fleet: Fleet) -> int:
    """Return 1 where a host has no result or a wrong one, 3 where nothing was measured on any, else 0."""
    if any(host.state != "done" or host.code == 1 for host in fleet.hosts):
        return 1
    return 3 if all(host.code == 3 for host in fleet.hosts) else 0


def show(fleet: Fleet, views: Sequence[View], names: Sequence[str], wide: bool = False) -> None:
    """Print a fleet's result: the campaigns, by the names of their hosts, and what became of the others."""
    from headrace.report import side_by_side

    sections = len(views) <= side_by_side.SECTIONS
    side_by_side.render(views, names, console(), sections=sections, wide=wide)
    print()
    for sentence in files.sentences(fleet):
        print(visible(sentence))


def load(fleet: Fleet, place: Path) -> dict[str, View]:
    """Read the campaigns of a fleet, one per machine. Raises BadInput for a file that is not as it was."""
    from headrace.judge.table import load as load_campaign
    from headrace.report.view import View

    return {name: View(load_campaign(file)) for name, file in files.machines(fleet, place).items()}


def makers(fleet: Fleet, campaigns: dict[str, View]) -> dict[str, Maker]:
    """Return what makes those exports of a fleet that say more than each of its campaigns does."""
    from headrace.report import markdown

    def as_json(each: Sequence[View]) -> str:
        return json.dumps(as_data(fleet, campaigns), indent=1) + "\n"

    return {"markdown": partial(markdown.text, names=list(campaigns)), "json": as_json}


def as_data(fleet: Fleet, campaigns: dict[str, View]) -> dict[str, Any]:
    """Give a fleet's result as plain data."""
    from headrace.report import plain_data, side_by_side

    return {
        "hosts": [host.model_dump() for host in fleet.hosts],
        "agreement": side_by_side.as_data(list(campaigns.values()), list(campaigns)),
        "campaigns": {name: plain_data.as_data(campaign) for name, campaign in campaigns.items()},
    }


def _new(options: RunOptions, wish: Wish, on: str) -> tuple[Fleet, bytes]:
    """Pack the sources, keep them for --resume, and begin a fleet's file."""
    from headrace.fleet import archive
    from headrace.race import race
    from headrace.race.options import plain

    _check_names(options)
    packed = archive.pack(options.benchmarks, options.guests)
    places.write_whole(_sources(packed.digest), packed.data)
    places.bound_cache("sources", places.KEPT)
    asked = {**plain(options), "benchmarks": list(packed.benchmarks), "guests": list(packed.guests)}
    fleet = Fleet(
        headrace_version=__version__,
        id=secrets.token_hex(8),
        started=datetime.now().astimezone().isoformat(timespec="seconds"),
        on=on,
        archive=packed.digest,
        asked=json.loads(json.dumps(asked)),
        count=wish.count,
        why=wish.why,
        command=["headrace", *sys.argv[1:]],
        commit=race.commit(),
    )
    return fleet, packed.data


def _check_names(options: RunOptions) -> None:
    """Raise BadInput for what no host could know, before any is asked."""
    from headrace.matrix import benchmarks

    for name in options.benchmarks:
        benchmark = benchmarks.with_guests(benchmarks.find(name), options.guests)
        benchmarks.choose(benchmark.contenders(), options.contenders, [])


def _again(earlier: Fleet, place: Path) -> tuple[Fleet, bytes]:
    """Open all that has not answered, with the sources that the others had. Raises BadInput."""
    from headrace.fleet import archive

    files.files(earlier, place)  # those that answered still say the same
    try:
        sources = _sources(earlier.archive).read_bytes()
        archive.check(sources, earlier.archive)
        places.mark_used(_sources(earlier.archive))
    except (OSError, BadInput):
        raise BadInput(
            f"the sources of {place} are no longer in the cache, so other hosts would not run the "
            "same; race again"
        ) from None
    again = {"state": "open", "detail": "", "attempt": 0, "ran_on": ""}
    opened = [host if host.state == "done" else host.model_copy(update=again) for host in earlier.hosts]
    if not any(host.state == "open" for host in opened):
        raise BadInput(f"all hosts of {place} have answered; headrace report {place} shows it")
    return earlier.model_copy(update={"hosts": opened}), sources


def _sources(digest: str) -> Path:
    return places.cache_folder("sources") / f"{digest}.zip"


def _show_hosts(address: str, size: int, as_json: bool) -> None:
    """Print who would be asked; nothing is sent."""
    from headrace.fleet import network
    from headrace.fleet import run as fleet_run

    client = network.connect(address)
    try:
        peers = fleet_run.peers(client)
    finally:
        client.close()
    fleet_run.check_once(peers)
    if as_json:
        plain = [
            {
                "name": peer.name,
                "model": peer.facts.model if peer.facts else "",
                "objection": peer.objection(),
            }
            for peer in peers
        ]
        print(json.dumps({"hosts": plain, "bytes": size}, indent=1))
        return
    for peer in peers:
        print(
            f"{visible(peer.name)}: {visible(peer.objection() or (peer.facts.model if peer.facts else ''))}"
        )
    print(f"{plural(len(peers), 'host')}; the sources are {memory(size)}. Nothing was sent.")
