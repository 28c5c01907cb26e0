"""The command `headrace rerun`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.text import plural, visible
from headrace.commands import racing
from headrace.commands.options import Given, Json, taking
from headrace.exchange import archive, replay
from headrace.history import settings
from headrace.race import race
from headrace.race.compare import by_id, compare_files
from headrace.report import changes
from headrace.results.schema import Campaign

EXAMPLE = "headrace rerun read_ints.headrace --toolchain g++"


@taking("toolchains", "input", "rounds", "seconds", "quick")
def rerun(
    given: Given,
    file: Annotated[Path, typer.Argument(metavar="RUN.headrace", help="An archive made by headrace export.")],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Compile and run what came from elsewhere, without asking.")
    ] = False,
    unpack: Annotated[
        Path | None, typer.Option("--unpack", help="Only unpack it into this new folder, to look at it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Results file. Default: results/<time>.json.")] = None,
    as_json: Json = False,
) -> None:
    """Race the sources in an archive on this machine, and show both sides' ratios to the baseline."""
    remembers = settings.wants_history()
    packed = archive.read(file)
    if unpack:
        _unpack(packed, unpack)
        return
    then = replay.campaign_of(packed)
    if not _is_agreed(file, packed, then, yes):
        raise typer.Exit(3)
    options = replay.options(packed, then, given)
    place = racing.results_place(out)
    now = racing.measured(options, place)
    racing.show(now, place, as_json)
    if not as_json:
        _beside(then, now)
    if remembers:
        settings.remember([place])
    raise typer.Exit(race.exit_code(now))


def _unpack(packed: archive.Archive, folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} exists and is not empty; name a new folder with --unpack")
    places.check_folder(folder)
    with places.scratch(folder) as aside:  # the folder stays: it may be where a shell is, or a mount point
        packed.unpack(aside / "whole")
        for entry in (aside / "whole").iterdir():
            entry.rename(folder / entry.name)
    print(f"{folder}: {plural(len(packed.manifest.files), 'file')}; digest: {packed.digest}")


def _is_agreed(file: Path, packed: archive.Archive, then: Campaign, yes: bool) -> bool:
    """Say what an archive holds; where some of it came from elsewhere, ask before it is compiled."""
    for sentence in replay.introduction(packed, then):
        print(f"headrace: {visible(sentence)}", file=sys.stderr)
    if yes or not (replay.strangers(packed) or replay.strange_flags(packed, then)):
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
        campaign.model_copy(update={"rows": [row.model_copy(update={"build": ""}) for row in campaign.rows]})
        for campaign in (then, now)
    ]
    print("\nOLD: as in the archive. NEW: here and now.")
    changes.show_difference(compare_files(sides[0], sides[1]), as_json=False)
