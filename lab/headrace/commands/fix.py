"""The command `headrace fix`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from headrace.base import places, units
from headrace.base.errors import BadInput, HeadraceError
from headrace.base.progress import Line
from headrace.builds import build
from headrace.commands.options import console
from headrace.fix import fix as fixing
from headrace.fix import remedies, subject, timeline
from headrace.fix.fix import Diagnosis, Trial
from headrace.fix.guests import Guests, subject_of
from headrace.judge.pair import Estimate
from headrace.matrix import toolchains
from headrace.race.options import Options
from headrace.report import fix_page

SECONDS = 20.0  # of measuring
BUSY = 0.6  # of its time: a program that takes less than that of a processor waits much
SPLIT = 0.1  # seconds on a processor; Linux splits them by ticks of 1 to 10 ms, of which a short run has few
SUFFIXES = (".cpp", ".cc", ".cxx", ".c++", ".C")


def register(app: typer.Typer) -> None:
    """Add `fix` to the command line."""
    app.command("fix", epilog="Example: headrace fix mine.cpp < input.txt")(fix)


def fix(
    program: Annotated[Path, typer.Argument(help="A C++ source, or an executable.")],
    given: Annotated[
        Path | None, typer.Option("--input", help="What the program reads. Default: standard input.")
    ] = None,
    args: Annotated[str, typer.Option(help="The program's arguments, quoted as for a shell.")] = "",
    flags: Annotated[str, typer.Option(help="The flags you compile it with.")] = "-O2",
    toolchain: Annotated[
        str | None, typer.Option(help='The compiler: a name, or part of one ("libc++").')
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Time limit for measuring, in seconds.")] = SECONDS,
    timeout: Annotated[float, typer.Option(min=0.1, help="Time limit for one run, in seconds.")] = 60.0,
    memory: Annotated[
        int, typer.Option(min=16, help="Limit on the address space of one run, in MiB.")
    ] = 4096,
    write: Annotated[
        Path | None,
        typer.Option(
            help="Write a copy of the source with the best remedy to this file, and show the difference."
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(help="Write an HTML page to this file: system calls over time, remedies, difference."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Say why a program is slow, try what helps, and prove that its output stays the same."""
    if not program.is_file():
        raise BadInput(f"{program} is not a file; name a C++ source or an executable")
    is_source = program.suffix in SUFFIXES
    if not is_source and not os.access(program, os.X_OK):
        raise BadInput(f"{program} is neither a C++ source ({', '.join(SUFFIXES)}) nor executable")
    if write is not None and (not is_source or write.exists()):
        raise BadInput(f"{write} exists; name a new file" if is_source else "--write needs a source")
    chains = toolchains.find([toolchain] if toolchain else []).toolchains
    build.launcher(chains)
    with _input(given) as file, Line() as line:
        one = subject.Subject(
            program,
            is_source,
            fixing.toolchain_for(program, is_source, chains),
            subject.split(flags),
            subject.split(args),
            file,
            subject.Limits(timeout, memory << 20),
        )
        found = fixing.diagnose(one, line.show, seconds, with_timelines=page is not None)
    if as_json:
        print(json.dumps(_data(found), indent=1))
    else:
        show(one, found, console())
    if page is not None:
        fix_page.render(
            page,
            f"What makes {one.file.name} fast",
            _sentence(one, found),
            _data(found),
            _difference(one, found.best),
        )
    if write is not None:
        _write(one, found.best, write)


def of_race(guests: Guests, options: Options) -> None:
    """Diagnose a user's own programs of a race, each on the input of its first row."""
    with tempfile.TemporaryDirectory(prefix="headrace-fix-", dir=places.fast_folder()) as folder:
        for (benchmark, _), guest in guests.rows.items():
            one = subject_of(guest, options, Path(folder))
            if not one.is_source:  # its row has no toolchain, and the shim needs one
                chains = toolchains.find([]).toolchains
                one = replace(one, toolchain=fixing.toolchain_for(one.file, False, chains))
            print(f"\nFix of {one.file.name} on the input of {benchmark}:")
            try:
                with Line() as line:
                    found = fixing.diagnose(one, line.show, SECONDS)
            except HeadraceError as error:
                print(f"headrace: {error}", file=sys.stderr)
            else:
                show(one, found, console())


@contextmanager
def _input(given: Path | None) -> Iterator[Path]:
    """Give the input as a file. Raises BadInput for a terminal, which cannot be read again for each run."""
    if given is not None:
        if not given.is_file():
            raise BadInput(f"{given} is not a file; --input names what the program reads")
        yield given.resolve()
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise BadInput(
            "the program would read the terminal, and it runs many times; "
            "give it a file: headrace fix mine.cpp < input.txt (or --input FILE)"
        )
    with tempfile.TemporaryDirectory(prefix="headrace-fix-", dir=places.fast_folder()) as folder:
        file = Path(folder) / "input"
        with file.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield file


def _sentence(one: subject.Subject, found: Diagnosis) -> str:
    """Say what was run, and where its time went."""
    how = f" ({one.toolchain.name}, {' '.join(one.flags) or 'no flags'})" if one.is_source else ""
    took = f"{units.one_time(found.wall)}, of which {time_on_a_processor(found)}"
    return f"{one.file}{how}: {took}.{_waiting(found)}"


def time_on_a_processor(found: Diagnosis) -> str:
    """Say what the program took and what the kernel; of a short run only the sum, see SPLIT."""
    if found.user + found.system < SPLIT:
        both = _time(found.user + found.system)
        return f"{both} on a processor, too little to tell the program from the kernel"
    return f"{_time(found.user)} in the program and {_time(found.system)} in the kernel"


def _waiting(found: Diagnosis) -> str:
    """Say where the rest of the time is, where that is much; "" where it is little."""
    if found.user + found.system >= BUSY * found.wall:
        return ""
    other = " or for what it starts" if found.facts.values["forks"] else ""
    return f" The rest it spends waiting, for a processor that others keep busy{other}."


def _time(seconds: float) -> str:
    """Write processor time; the system counts it in steps, so none is less than one."""
    return units.one_time(seconds) if seconds else "next to nothing"


def _calls(count: float, name: str) -> str:
    return f"{count:,.0f} {name}{'' if count == 1 else 's'}"


def _difference(one: subject.Subject, best: Trial | None, name: str = "with the remedy") -> str:
    """Return what the best remedy changes in the source; "" where that is nothing."""
    if best is None or not one.is_source:
        return ""
    return remedies.difference(one.text, fixing.written(best), str(one.file), name)


def show(one: subject.Subject, found: Diagnosis, to: Console) -> None:
    """Print what was found: causes, remedies, what to write."""
    print(_sentence(one, found))
    values = found.facts.values
    if values["calls"]:
        kinds = [_calls(values[f"{name}s"], name) for name in ("read", "write", "lseek")]
        print(f"{_calls(values['calls'], 'system call')}: {', '.join(kinds)}.")
    if found.functions:
        print(f"Time by function: {found.functions}.")
    for number, (_, cause) in enumerate(found.causes):
        print(f"{'Cause' if not number else 'Then'}: {cause}.")
    if not found.causes:
        print("No known cause: what is tried here changes little.")
    if found.trials:
        to.print()
        to.print(_table(found.trials))
        to.print()
    for remark in found.remarks:
        print(f"Note: {remark}.")
    if found.best is None:
        print("No remedy is certain to be faster.")
        return
    assert found.best.gain is not None  # of what helps
    print(f"Best: {found.best.name}, {units.ratio(found.best.gain.ratio)} times as fast, same output. Write:")
    for what in found.best.what():
        print(f"  {what}")
    if any(remedies.INCLUDE in remedy.flags for remedy in found.best.remedies):
        print(f"The compiler finds headrace's headers with -I {shlex.quote(str(places.include_folder()))}")


def _table(trials: list[Trial]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    table.add_column("remedy")
    table.add_column("times as fast", justify="right", no_wrap=True)
    table.add_column("interval", justify="right", no_wrap=True)
    table.add_column("same output")
    for one in trials:
        gain = one.gain if one.is_safe else None
        table.add_row(
            escape(one.name),
            units.ratio(gain.ratio) if gain else "-",
            _interval(gain) if gain else "-",
            "yes" if one.is_safe else escape(f"no: {one.problem}"),
        )
    return table


def _interval(gain: Estimate) -> str:
    high = gain.high_ratio
    return f"{units.ratio(gain.low_ratio)} to {units.ratio(high)}" if high is not None else "too few rounds"


def _write(one: subject.Subject, best: Trial | None, place: Path) -> None:
    if best is None or (best.text == one.text and not best.flags):
        print(
            f"headrace: nothing to write to {place}: no remedy that edits the source helps", file=sys.stderr
        )
        return
    places.write_whole(place.resolve(), fixing.written(best).encode())
    print(f"\n{_difference(one, best, str(place))}", end="")


def _data(found: Diagnosis) -> dict[str, Any]:
    """Return what a script wants."""
    return {
        "wall": found.wall,
        "user": found.user,
        "system": found.system,
        "counts": found.facts.values,
        "functions": found.functions,
        "causes": [{"name": name, "says": says} for name, says in found.causes],
        "remedies": [
            {
                "name": one.name,
                "safe": one.is_safe,
                "problem": one.problem,
                "times_as_fast": one.gain.ratio if one.gain else None,
                "low": one.gain.low_ratio if one.gain else None,
                "high": one.gain.high_ratio if one.gain else None,
                "lines": one.lines,
                "write": one.what(),
            }
            for one in found.trials
        ],
        "best": found.best.name if found.best else None,
        "remarks": found.remarks,
        "timeline": timeline.side_by_side(found.timelines),
    }
