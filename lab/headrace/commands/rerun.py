"""The command `headrace rerun`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.progress import Line
from headrace.base.text import plural, visible
from headrace.commands import run as running
from headrace.commands.options import Json
from headrace.exchange import again, archive
from headrace.history import settings
from headrace.history.index import Index
from headrace.race import race
from headrace.race.compare import by_id, compare_files
from headrace.report import changes
from headrace.results import store
from headrace.results.schema import Campaign


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("rerun", epilog="Example: headrace rerun read_ints.headrace --toolchain g++")(rerun)


def rerun(
    file: Annotated[Path, typer.Argument(metavar="RUN.headrace", help="An archive made by headrace export.")],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Compile and run what came from elsewhere, without asking.")
    ] = False,
    unpack: Annotated[
        Path | None, typer.Option("--unpack", help="Only unpack it into this new folder, to look at it.")
    ] = None,
    toolchain: Annotated[
        list[str] | None, typer.Option(help="Use these toolchains instead of those originally asked for.")
    ] = None,
    own_input: Annotated[
        Path | None,
        typer.Option("--input", exists=True, dir_okay=False, help="The input file, if it was not packed."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Run exactly N rounds.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1, help="Time limit for measuring, in seconds.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller input and few rounds.")] = False,
    out: Annotated[Path | None, typer.Option(help="Results file. Default: results/<time>.json.")] = None,
    as_json: Json = False,
) -> None:
    """Race the sources in an archive on this machine, and show both sides' ratios to the baseline."""
    remembers = settings.wants_history()
    packed = archive.read(file)
    if unpack:
        _unpack(packed, unpack)
        return
    then = again.campaign_of(packed)
    if not _is_agreed(file, packed, then, yes):
        raise typer.Exit(3)
    wish = again.Wish(toolchain or [], own_input, rounds, seconds, quick)
    wanted = again.options(packed, then, wish)
    place = running.results_place(out)
    with Line() as line:
        wanted = replace(wanted, command=["headrace", *sys.argv[1:]], keep=running.keeper(place, line))
        now = race.run(wanted, line.show)
    store.save(now, place)
    if remembers:
        Index(settings.index_file()).add(place)
    running.show(now, place, as_json)
    if not as_json:
        _beside(then, now)
    raise typer.Exit(race.exit_code(now))


def _unpack(packed: archive.Archive, folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} exists and is not empty; name a new folder with --unpack")
    places.check_folder(folder)
    packed.unpack(folder)
    print(f"{folder}: {plural(len(packed.files), 'file')}; digest: {packed.digest}")


def _is_agreed(file: Path, packed: archive.Archive, then: Campaign, yes: bool) -> bool:
    """Say what an archive holds; where some of it came from elsewhere, ask before it is compiled."""
    for sentence in again.introduction(packed, then):
        print(f"headrace: {visible(sentence)}", file=sys.stderr)
    if yes or not (again.strangers(packed) or again.strange_flags(packed, then)):
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadInput(
            f"{file} would compile and run programs that came from elsewhere, and there is no terminal to "
            f"ask on; look at them with headrace rerun {file} --unpack FOLDER, then say --yes"
        )
    print(
        "headrace: compile and run these here, with all that you may do yourself? [y/N] ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _beside(then: Campaign, now: Campaign) -> None:
    """Show each row's ratio there and here. Where builds are does not matter: they have the same sources."""
    if not set(by_id(then)) & set(by_id(now)):
        print("no row has the same toolchain there and here, so nothing is compared")
        return
    sides = [
        one.model_copy(update={"rows": [row.model_copy(update={"build": ""}) for row in one.rows]})
        for one in (then, now)
    ]
    print("\nOLD: as in the archive. NEW: here and now.")
    changes.show_difference(compare_files(sides[0], sides[1]), as_json=False)
