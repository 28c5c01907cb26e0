"""The command `headrace run`."""

from __future__ import annotations

import contextlib
import datetime
import io
import itertools
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from headrace import BUDGET, QUICK_BUDGET
from headrace.base import ctrl_c, places
from headrace.base.errors import BadInput
from headrace.commands.options import (
    ExportCsv,
    ExportGoogle,
    ExportHyperfine,
    ExportJson,
    ExportMarkdown,
    ExportPyperf,
    Json,
    complete,
    console,
)

# What takes time to load is imported where it is used, as the shell asks this module for names of benchmarks.
if TYPE_CHECKING:
    from headrace.base.progress import Line
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
            help="Names, or paths of folders such as ./mine. Default: all.", autocompletion=complete
        ),
    ] = None,
    toolchain: Annotated[
        list[str] | None,
        typer.Option(help='A name, part of a name ("clang", "libc++"), a pattern, or "all".'),
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these, and those they are compared with.")
    ] = None,
    guest: Annotated[
        list[Path] | None,
        typer.Option(
            "--with", help="Also race a program of your own: a C++ source, a script or an executable."
        ),
    ] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, such as O0,O2.")] = None,
    flags: Annotated[
        str,
        typer.Option(help='Sets of compiler flags, each a row of its own: "-O3 -march=native;-O2 -flto".'),
    ] = "",
    compiler: Annotated[
        list[Path] | None, typer.Option(help="Use the compiler at this path, and no other unless named.")
    ] = None,
    route: Annotated[
        list[str] | None, typer.Option(help="Routes from a source to a sink, such as file:null,pipe:null.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Run exactly N rounds, without stopping early.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1, help=f"Time limit for measuring; {BUDGET:g} per benchmark unless --rounds is given."
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"A smaller input and few rounds: at most {QUICK_BUDGET:g} s per benchmark, plus building.",
        ),
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.01, help="Time limit for one run, in seconds.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Results file. Default: results/<time>.json.")] = None,
    pin: Annotated[int | None, typer.Option(min=0, help="Run every program on this processor.")] = None,
    cold: Annotated[
        bool, typer.Option("--cold", help="Drop the input from the page cache before each run.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, writable=True, help="Folder for output files. Default: a RAM disk."
        ),
    ] = None,
    own_input: Annotated[
        Path | None,
        typer.Option(
            "--input",
            exists=True,
            dir_okay=False,
            readable=True,
            help="Read this file as the input; the answer is what all contenders agree on.",
        ),
    ] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the input, such as rows=100.")
    ] = None,
    sweep: Annotated[str | None, typer.Option(help="Run a range of sizes, such as rows=1e2..1e4.")] = None,
    seed: Annotated[int, typer.Option(help="Seed for the order within rounds.")] = 1,
    margin: Annotated[
        str, typer.Option(help="Differences below this count as small; fixed before measuring.")
    ] = "1%",
    layouts: Annotated[
        int, typer.Option(help="Link each build in N layouts and draw one for each round; 1 turns this off.")
    ] = 3,
    inputs: Annotated[
        int, typer.Option(min=1, help="Make N inputs from different seeds and take one for each round.")
    ] = 1,
    count: Annotated[
        str, typer.Option(help='"instructions": count them in one more run of each build, untimed.')
    ] = "",
    setup: Annotated[str, typer.Option(help="Shell command to run once before all runs.")] = "",
    prepare: Annotated[str, typer.Option(help="Shell command to run before each run, untimed.")] = "",
    cleanup: Annotated[str, typer.Option(help="Shell command to run once after all runs.")] = "",
    jobs: Annotated[
        int, typer.Option(min=0, help="Number of builds at the same time; 0: one per processor.")
    ] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would run and how long it would take; run nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Start a long run without asking.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Continue the campaign in this results file, with the options it was started with."
        ),
    ] = None,
    why: Annotated[
        bool,
        typer.Option("--explain", help="Afterwards, count each build's system calls and say why it is slow."),
    ] = False,
    on: Annotated[
        str,
        typer.Option(
            help="Race on other machines: a scheduler's address, such as tls://name:8786, or hosts.toml."
        ),
    ] = "",
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure", help="With --on: allow plain tcp to other machines, on a network of your own."
        ),
    ] = False,
    fixes: Annotated[
        bool,
        typer.Option(
            "--fix", help="Afterwards, find what makes the programs of --with faster, as headrace fix does."
        ),
    ] = False,
    as_json: Json = False,
    export_markdown: ExportMarkdown = None,
    export_csv: ExportCsv = None,
    export_json: ExportJson = None,
    export_hyperfine: ExportHyperfine = None,
    export_google: ExportGoogle = None,
    export_pyperf: ExportPyperf = None,
) -> None:
    """Build and race a benchmark's contenders, check every answer, and show and save the result."""
    with ctrl_c.loading():
        from rich.console import Console

        from headrace.base.progress import Line
        from headrace.commands import fix, fleet, forecast
        from headrace.explain import afters
        from headrace.fix.guests import Guests
        from headrace.history import settings
        from headrace.history.index import Index
        from headrace.race import options, race
        from headrace.race import resume as race_resume
        from headrace.race.options import Options
        from headrace.report import exports
        from headrace.results import store

    remembers = settings.wants_history()  # now: what is wrong with headrace.toml costs nobody a race
    if resume and (benchmark or guest):
        raise BadInput(
            "--resume goes on with what its file was asked for; leave the benchmarks and --with out"
        )
    if guest and not benchmark:
        raise BadInput(
            f"which benchmark does {guest[0].name} answer? headrace run read_ints --with {guest[0]}"
        )
    if fixes and not (guest or resume):
        raise BadInput("--fix is for a program of your own: name it, as --with mine.cpp")
    if fixes and as_json:
        raise BadInput(
            "--fix prints sentences; for data leave it out, and ask headrace fix mine.cpp --input FILE --json"
        )
    wanted_exports = exports.check(
        export_markdown, export_csv, export_json, export_hyperfine, export_google, export_pyperf
    )
    levels = options.check_levels(opt or [])
    elsewhere = bool(on) or (resume is not None and resume.suffix == fleet.SUFFIX)
    if insecure and not elsewhere:
        raise BadInput("--insecure is about --on, which is not given")
    if fixes and elsewhere:
        raise BadInput(
            "--fix tries programs on this machine; leave --on out, or ask headrace fix mine.cpp there"
        )
    earlier = None
    if resume:
        earlier = fleet.read(resume) if elsewhere else race_resume.read(resume)
    if earlier and (earlier.setup, earlier.prepare, earlier.cleanup) != (setup, prepare, cleanup):
        raise BadInput(
            f"{resume} was measured with other --setup, --prepare or --cleanup; give the same again, as no "
            "command is taken from a file"
        )
    afters.check_count(count)
    guests = Guests() if fixes else None
    wanted = earlier or Options(
        benchmarks=benchmark or places.benchmark_names(),
        toolchains=toolchain or [],
        contenders=contender or [],
        optimise=options.check_flags(flags, levels) if flags else levels,
        compilers=options.check_compilers(compiler or []),
        input=str(own_input.resolve()) if own_input else "",
        setup=setup,
        prepare=prepare,
        cleanup=cleanup,
        jobs=jobs,
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
        margin=options.check_margin(margin),
        layouts=options.check_layouts(layouts),
        inputs=inputs,
        command=["headrace", *sys.argv[1:]],
    )
    if elsewhere:
        if out:
            fleet.check_place(out)
        # A dry run writes nothing, and so needs no place.
        place = out or resume or Path() if dry_run else results_place(out or resume, fleet.SUFFIX)
        asked = fleet.Wanted(wanted, on, insecure, count, why, resume, place, as_json, wanted_exports)
        raise typer.Exit(fleet.run(asked, remembers, dry_run))
    found, obstacle = afters.wanted(count, why, bool(wanted.guests))
    if dry_run:
        forecast.show(wanted, Console(), as_json)
        raise typer.Exit
    place = results_place(out or resume)
    if not forecast.is_agreed(wanted, Console(stderr=True), yes, bool(benchmark)):
        raise typer.Exit(3)
    with Line() as line:
        keep = keeper(place, line)
        replaced = resume if resume is not None and resume.resolve() == place.resolve() else None
        done = [*found, *([guests] if guests else [])]
        campaign = race.run(replace(wanted, after=done, keep=keep, replaced=replaced), line.show)
    campaign = afters.with_remarks(campaign, done)
    store.save(campaign, place)
    if remembers:
        Index(settings.index_file()).add(place)
    exports.write([campaign], wanted_exports)
    show(campaign, place, as_json)
    if obstacle:
        print(f"headrace: no cause for your program: {obstacle}", file=sys.stderr)
    if guests is not None:
        fix.of_race(guests, wanted)
    raise typer.Exit(race.exit_code(campaign))


def keeper(place: Path, line: Line) -> Callable[[Campaign], None]:
    """Return what saves a campaign that goes on, and shows its table so far."""
    from rich.console import Console

    from headrace.report import first_look, summary, table
    from headrace.results import store

    def keep(campaign: Campaign) -> None:
        store.save(campaign, place)
        shown = io.StringIO()
        if line.in_place:
            table.rankings(campaign, Console(file=shown, width=line.width, force_terminal=True))
        elif line.wants_a_look:
            line.look(first_look.lines(campaign))
        line.table(shown.getvalue(), summary.so_far(campaign))

    return keep


def results_place(out: Path | None, suffix: str = ".json") -> Path:
    """Return where the results go. Raises BadInput now, not after minutes of measuring."""
    place = out or _claimed(Path("results") / f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}{suffix}")
    if place.is_dir():
        raise BadInput(f"{place} is a folder; name a file with --out")
    try:
        _make_folder(place.parent)
        probe = place.with_name(f".{place.name}.probe")
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise BadInput(
            f"cannot write results to {place}: {error.strerror}; choose another place with --out"
        ) from error
    return place


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it. What stays empty goes when the command ends. Raises OSError."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in reversed(missing):  # what is registered last, the innermost, goes first
        click.get_current_context().call_on_close(partial(_remove_if_empty, made))


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _claimed(wanted: Path) -> Path:
    """Return a place that no other run has taken or takes, though it begins in the same second.

    The claim is an empty hidden file, made exclusively, that goes when the command ends.
    """
    for number in itertools.count(1):
        place = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        claim = place.with_name(f".{place.name}.claimed")
        try:
            _make_folder(claim.parent)
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


def show(campaign: Campaign, place: Path, as_json: bool) -> None:
    """Print the table and write the page and the pictures beside the results."""
    from headrace.report import page, plot, table

    if as_json:
        print(campaign.model_dump_json(indent=1))
    else:
        table.render(campaign, console())
    try:
        page.render([campaign], place.with_suffix(".html"))
        pictures = plot.draw(campaign, place.parent, place.stem)
    except BadInput as error:
        raise BadInput(f"{error}. The results are safe in {place}: headrace report {place}") from error
    if not as_json:
        print("\nWritten: " + ", ".join(str(path) for path in [place, place.with_suffix(".html")]))
        if len(pictures) > _FEW_PICTURES:
            print(f"and {len(pictures)} pictures, {place.with_suffix('')}-*")
        else:
            print("".join(f"         {path}\n" for path in pictures), end="")
        if said := plot.remark(pictures):
            print(said)
