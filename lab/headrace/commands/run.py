"""The command `headrace run`."""

from __future__ import annotations

import datetime
import itertools
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from headrace import BUDGET, QUICK_BUDGET
from headrace.base import places
from headrace.base.errors import BadInput, HeadraceError
from headrace.commands.options import Json, complete

# What takes time to load is imported where it is used, as the shell asks this module for names of benchmarks.
if TYPE_CHECKING:
    from headrace.explain.explainer import Explainer
    from headrace.results.schema import Campaign


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "run",
        epilog="Example: headrace run read_ints --toolchain g++ --opt O0,O2 --route file:null,pipe:null",
    )(run)


def run(
    benchmark: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names, or paths of folders as ./mine; all without any.", autocompletion=complete
        ),
    ] = None,
    toolchain: Annotated[
        list[str] | None, typer.Option(help='A name, a part of one ("clang", "libc++"), a pattern, or "all".')
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these (and those they compare with).")
    ] = None,
    guest: Annotated[
        list[Path] | None,
        typer.Option(
            "--with", help="Race a program of your own, too: a C++ source, a script, an executable."
        ),
    ] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, as O0,O2.")] = None,
    route: Annotated[
        list[str] | None, typer.Option(help="Sources with sinks, as file:null,pipe:null.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Run exactly N rounds, without early stop.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=1, help=f"Bound of the measuring; {BUDGET:g} a benchmark unless --rounds is given."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"A smaller input and few rounds: {QUICK_BUDGET:g} s a benchmark at most, and the building.",
        ),
    ] = False,
    timeout: Annotated[float | None, typer.Option(min=0.01, help="Seconds that one run may take.")] = None,
    out: Annotated[Path | None, typer.Option(help="Results file; results/<time>.json without it.")] = None,
    pin: Annotated[int | None, typer.Option(min=0, help="Run every program on this processor.")] = None,
    cold: Annotated[
        bool, typer.Option("--cold", help="Drop the input from the page cache before each run.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, writable=True, help="Where file sinks are; a RAM disk without it."
        ),
    ] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="Change the input, as rows=100.")] = None,
    sweep: Annotated[str | None, typer.Option(help="Run over sizes, as rows=1e2..1e4.")] = None,
    seed: Annotated[int, typer.Option(help="Of the order within rounds.")] = 1,
    why: Annotated[
        bool, typer.Option("--explain", help="Then count each build's system calls and say why it is slow.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build and race a benchmark's contenders, check every answer, and show and save the result."""
    from headrace.base.progress import Line
    from headrace.race import options, race
    from headrace.race.options import Options
    from headrace.results import store

    place = _results_place(out)
    if guest and not benchmark:
        raise BadInput(
            f"which benchmark does {guest[0].name} answer? headrace run read_ints --with {guest[0]}"
        )
    explainer, obstacle = _explainer(why, bool(guest))
    wanted = Options(
        benchmarks=benchmark or places.benchmark_names(),
        toolchains=toolchain or [],
        contenders=contender or [],
        optimise=options.check_levels(opt or []),
        routes=options.check_routes(route or []),
        rounds=rounds,
        seconds=seconds,
        quick=quick,
        timeout=timeout,
        pin=pin,
        cold=cold,
        folder=folder,
        seed=seed,
        guests=guest or [],
        settings=options.check_settings(change or [], sweep),
        command=["headrace", *sys.argv[1:]],
        after=explainer,
    )
    with Line() as line:
        campaign = race.run(wanted, line.show)
    if explainer:
        warnings = [*campaign.warnings, *explainer.remarks]
        campaign = campaign.model_copy(update={"warnings": warnings})
    store.save(campaign, place)
    _show(campaign, place, as_json)
    if obstacle:
        print(f"headrace: no cause for your program: {obstacle}", file=sys.stderr)
    raise typer.Exit(race.exit_code(campaign))


def _explainer(wanted: bool, own: bool) -> tuple[Explainer | None, str]:
    """Return what explains the rows, if anything does, and why a user's own program goes unexplained."""
    from headrace.explain.explainer import Explainer

    if not wanted and not own:
        return None, ""
    explainer = Explainer(only_own=not wanted)
    try:
        explainer.prepare()
    except HeadraceError as error:
        if wanted:
            raise
        return None, str(error)
    return explainer, ""


def _results_place(out: Path | None) -> Path:
    """Return where the results go. Raises BadInput now, not after minutes of measuring."""
    place = out or _claimed(Path("results") / f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}.json")
    if place.is_dir():
        raise BadInput(f"{place} is a folder; name a file with --out")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        probe = place.with_name(f".{place.name}.probe")
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise BadInput(
            f"cannot write results to {place}: {error.strerror}; choose another place with --out"
        ) from error
    return place


def _claimed(wanted: Path) -> Path:
    """Return a place that no other run has taken or takes, though it begins in the same second.

    The claim is an empty hidden file, made exclusively, that goes when the command ends.
    """
    for number in itertools.count(1):
        place = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        claim = place.with_name(f".{place.name}.claimed")
        try:
            claim.parent.mkdir(parents=True, exist_ok=True)
            claim.open("x").close()
        except FileExistsError:
            continue
        except OSError:
            return place  # what is wrong with it is said where all places are tried
        click.get_current_context().call_on_close(partial(claim.unlink, missing_ok=True))
        if not place.exists():
            return place
    raise AssertionError("counting does not end")


_FEW_PICTURES = 8  # are named; more are counted


def _show(campaign: Campaign, place: Path, as_json: bool) -> None:
    """Print the table and write the page and the pictures beside the results."""
    from rich.console import Console

    from headrace.report import page, plot, table

    if as_json:
        print(campaign.model_dump_json(indent=1))
    else:
        table.render(campaign, Console())
    page.render([campaign], place.with_suffix(".html"))
    pictures = plot.draw(campaign, place.parent, place.stem)
    if not as_json:
        print("\nWritten: " + ", ".join(str(path) for path in [place, place.with_suffix(".html")]))
        if len(pictures) > _FEW_PICTURES:
            print(f"and {len(pictures)} pictures, {place.with_suffix('')}-*.svg and .png")
        else:
            print("".join(f"         {path}\n" for path in pictures), end="")
