"""The work of `headrace run`, and how it and `headrace rerun` show and keep a race."""

from __future__ import annotations

import contextlib
import datetime
import io
import itertools
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.progress import Line
from headrace.base.text import plural
from headrace.commands import forecast, race_on_hosts
from headrace.commands.options import Given, console
from headrace.commands.run import Wish
from headrace.explain import explainer
from headrace.history import settings
from headrace.race import race
from headrace.race import resume as race_resume
from headrace.race.options import SPELLINGS, RunOptions
from headrace.race.resume import Earlier
from headrace.report import exports, page, picture_files, summary, terminal, unfinished
from headrace.report.view import View
from headrace.results import store
from headrace.results.schema import Campaign

COMMANDS = ("setup", "prepare", "cleanup")
ANEW = (*COMMANDS, "seconds", "jobs")  # what may be given with --resume


def run(given: Given, wish: Wish, wanted: Mapping[str, Path]) -> int:
    """Race as a command line asks, here or on other machines. Returns the exit code.

    `wanted`: the exports, and where they go.
    """
    remembers = settings.wants_history()  # now: what is wrong with headrace.toml costs nobody a race
    _check(given, wish)
    exports.check(wanted)
    if _is_elsewhere(wish):
        return _elsewhere(given, wish, wanted, remembers)
    earlier = race_resume.read(wish.resume) if wish.resume else None
    options = _again(earlier.options, given, wish) if earlier else asked(given)
    afters, obstacle = explainer.wanted(wish.count, wish.why, bool(options.guests))
    if wish.dry_run:
        forecast.show(options, Console(), wish.as_json)
        return 0
    place = results_place(wish.out or wish.resume)
    if not forecast.is_agreed(options, Console(stderr=True), wish.yes, "benchmarks" in given):
        return 3
    if earlier and wish.resume and wish.resume.resolve() == place.resolve():
        earlier = replace(earlier, replaced=wish.resume)
    campaign = measured(options, place, earlier, afters)
    exports.write([View(campaign)], wanted)
    show(campaign, place, wish.as_json, wish.wide)
    if remembers:
        settings.remember([place])
    if obstacle:
        print(f"headrace: no cause for your program: {obstacle}", file=sys.stderr)
    return race.exit_code(campaign)


def _check(given: Given, wish: Wish) -> None:
    """Raise BadInput for options that do not go together."""
    guests = given.get("guests", [])
    if guests and "benchmarks" not in given and not wish.resume:
        raise BadInput(
            f"which benchmark does {guests[0].name} answer? headrace run read_ints --with {guests[0]}"
        )
    if wish.insecure and not _is_elsewhere(wish):
        raise BadInput("--insecure is about --on, which is not given")
    if wish.count not in ("", "instructions"):
        raise BadInput(
            f"--count {wish.count}: only instructions can be counted (system calls come with them)"
        )


def _is_elsewhere(wish: Wish) -> bool:
    return bool(wish.on) or (wish.resume is not None and wish.resume.suffix == race_on_hosts.SUFFIX)


def asked(given: Given) -> RunOptions:
    """Return what a command line asks for: without names, all benchmarks."""
    return RunOptions(**{"benchmarks": places.benchmark_names(), **given})


def _again(then: RunOptions, given: Given, wish: Wish, anew: Sequence[str] = ANEW) -> RunOptions:
    """Return what a campaign was asked for, with what may be given anew. Raises BadInput for the rest."""
    for name in given:
        if name not in anew:
            flags = " or ".join(_flag(field) for field in SPELLINGS[name].parameters)
            raise BadInput(
                f"--resume goes on with what its file was asked for; leave {flags} out, or race anew without "
                "--resume"
            )
    if any(getattr(then, name) != given.get(name, "") for name in COMMANDS):
        raise BadInput(
            f"{wish.resume} was measured with other --setup, --prepare or --cleanup; give the same again, as "
            "no command is taken from a file"
        )
    return replace(then, **given)


def _flag(parameter: str) -> str:
    """Name a parameter of `headrace run` as a person types it."""
    command = click.get_current_context().command
    for option in command.params:
        if option.name == parameter:
            return option.opts[0] if isinstance(option, click.Option) else f"the {option.name}s"
    return parameter


def _elsewhere(given: Given, wish: Wish, wanted: Mapping[str, Path], remembers: bool) -> int:
    earlier = race_on_hosts.read(wish.resume) if wish.resume else None
    # All hosts get the same: those that have answered have had their seconds.
    options = _again(earlier, given, wish, COMMANDS) if earlier else asked(given)
    if wish.out:
        race_on_hosts.check_place(wish.out)
    out = wish.out or wish.resume
    # A dry run writes nothing, and so needs no place.
    place = out or Path() if wish.dry_run else results_place(out, race_on_hosts.SUFFIX)
    return race_on_hosts.run(options, wish, place, wanted, remembers)


def measured(
    options: RunOptions,
    place: Path,
    earlier: Earlier | None = None,
    afters: Sequence[race.After] = (),
) -> Campaign:
    """Race, and keep the results in their place."""
    command = earlier.campaign.command if earlier else ["headrace", *sys.argv[1:]]
    with Line() as line:
        campaign = race.run(
            options, line.show, command=command, earlier=earlier, keep=keeper(place, line), afters=afters
        )
    store.save(campaign, place)
    return campaign


def keeper(place: Path, line: Line) -> Callable[[Campaign], None]:
    """Return what saves a campaign that goes on, and shows its table so far."""

    def keep(campaign: Campaign) -> None:
        store.save(campaign, place)
        shown, view = io.StringIO(), View(campaign)
        if line.in_place:
            terminal.rankings(view, Console(file=shown, width=line.width, force_terminal=True))
        elif line.wants_a_look:
            line.look(unfinished.lines(view))
        line.table(shown.getvalue(), summary.so_far(view))

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
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
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


def show(campaign: Campaign, place: Path, as_json: bool, wide: bool = False) -> None:
    """Print the table and write the page and the pictures beside the results."""
    view = View(campaign)
    if as_json:
        print(campaign.model_dump_json(indent=1))
    else:
        terminal.render(view, console(), wide=wide)
    try:
        page.render([view], place.with_suffix(".html"))
        pictures = picture_files.draw(view, place.parent, place.stem)
    except BadInput as error:
        raise BadInput(f"{error}. The results are safe in {place}: headrace report {place}") from error
    if not as_json:
        written = [str(place), str(place.with_suffix(".html"))]
        written += [f"{plural(len(pictures), 'picture')} {place.with_suffix('')}-*"] if pictures else []
        print(f"\nWritten: {', '.join(written)}")
        if not wide:
            print(f"All columns and sentences: headrace report {shlex.quote(str(place))} --wide, or the page")
        if said := picture_files.remark(pictures):
            print(said)
