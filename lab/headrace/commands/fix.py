"""The command `headrace fix`."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from headrace.base import places, units
from headrace.base.errors import BadInput
from headrace.base.progress import Line
from headrace.base.text import plural
from headrace.builds import build
from headrace.commands.options import Json, console
from headrace.fix import edits, remedies, subject, verdict
from headrace.fix import fix as fixing
from headrace.fix.fix import Diagnosis, Trial
from headrace.judge.pair import Estimate
from headrace.matrix import toolchains
from headrace.processes import launch
from headrace.report.grid import Grid

EXAMPLE = "headrace fix mine.cpp < input.txt"

SPLIT = 0.1  # seconds on a processor; Linux splits them by ticks of 1 to 10 ms, of which a short run has few
SUFFIXES = (".cpp", ".cc", ".cxx", ".c++", ".C", ".c")
BUILD = 600.0  # seconds of a build command at most
SECONDS = 40.0  # of a diagnosis, unless --seconds says otherwise
MAIN = re.compile(r"\bmain\s*\(")


def fix(
    program: Annotated[
        list[Path], typer.Argument(help="C++ or C sources, or an executable and, after --, its arguments.")
    ],
    given: Annotated[
        Path | None, typer.Option("--input", help="What the program reads. Default: standard input.")
    ] = None,
    args: Annotated[str, typer.Option(help="The program's arguments, quoted as for a shell.")] = "",
    flags: Annotated[str, typer.Option(help="The flags you compile it with.")] = "-O2",
    toolchain: Annotated[
        str | None, typer.Option(help='The compiler: a name, or part of one ("libc++").')
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Time limit, in seconds.")] = SECONDS,
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
    build_command: Annotated[
        str, typer.Option("--build", help='A shell command that builds the executable first: "make".')
    ] = "",
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Run in this folder itself, not in views of it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say why a program is slow, try what helps, and prove that its output stays the same."""
    if build_command:
        _build(build_command)
    sources, arguments = _asked(program, build_command)
    is_source = bool(sources)
    if write is not None and (not is_source or write.exists()):
        raise BadInput(f"{write} exists; name a new file" if is_source else "--write needs a source")
    chains = toolchains.find([toolchain] if toolchain else []).toolchains
    build.launcher(chains)
    with _input(given) as file, Line(by_stage=True) as line:
        asked = subject.Subject(
            sources[0] if is_source else program[0],
            is_source,
            fixing.toolchain_for(program[0], is_source, chains),
            subject.split(flags),
            [*subject.split(args), *arguments],
            file,
            subject.Limits(timeout, memory << 20),
            others=tuple(sources[1:]),
        )
        diagnosis = fixing.diagnose(asked, line.show, seconds, in_place=in_place, told=_so_far)
    if as_json:
        print(json.dumps(_data(asked, diagnosis), indent=1))
    else:
        show(asked, diagnosis, console())
    if write is not None:
        _write(asked, diagnosis.best, write)


def _so_far(text: str) -> None:
    if text:
        print(f"so far: {text}", file=sys.stderr, flush=True)


def _build(command: str) -> None:
    """Build as the user does, in this folder. Raises BadInput where that fails."""
    done = launch.call(["sh", "-c", command], timeout=BUILD)
    if not done.ok:
        why = f": {done.last_words}" if done.last_words else ""
        raise BadInput(f"--build {command}: it ended with {done.code}{why}")


def _asked(words: list[Path], build_command: str) -> tuple[list[Path], list[str]]:
    """Return the sources, the one with main first, or of an executable its arguments. Raises BadInput."""
    first = words[0]
    if not first.is_file():
        hint = f"; --build {build_command} does not make it" if build_command else ""
        raise BadInput(f"{first} is not a file; name C++ or C sources, or an executable{hint}")
    if first.suffix not in SUFFIXES:
        if not os.access(first, os.X_OK):
            raise BadInput(f"{first} is neither a C++ or C source ({', '.join(SUFFIXES)}) nor executable")
        return [], [str(word) for word in words[1:]]
    if wrong := next((word for word in words if word.suffix not in SUFFIXES or not word.is_file()), None):
        raise BadInput(
            f"{wrong} is no source; --args gives arguments to a program that is named by its sources"
        )
    is_main = {
        word: bool(MAIN.search(edits.without_comments(word.read_bytes().decode(edits.BYTES))))
        for word in words
    }
    return sorted(words, key=lambda word: not is_main[word]), []


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
    with places.scratch(places.fast_folder()) as folder:
        file = folder / "input"
        with file.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield file


def _sentence(program: subject.Subject, diagnosis: Diagnosis) -> str:
    how = f" ({program.toolchain.name}, {' '.join(program.flags) or 'no flags'})" if program.is_source else ""
    wall = units.one_time(diagnosis.findings.sample.wall)
    return f"{program.file}{how}: {wall}, of which {time_on_a_processor(diagnosis)}."


def time_on_a_processor(diagnosis: Diagnosis) -> str:
    """Say what the program took and what the kernel; of a short run only the sum, see SPLIT."""
    sample = diagnosis.findings.sample
    if sample.user + sample.system < SPLIT:
        both = _time(sample.user + sample.system)
        return f"{both} on a processor, too little to tell the program from the kernel"
    return f"{_time(sample.user)} in the program and {_time(sample.system)} in the kernel"


def _time(seconds: float) -> str:
    """Write processor time; the system counts it in steps, so none is less than one."""
    return units.one_time(seconds) if seconds else "next to nothing"


def _difference(program: subject.Subject, best: Trial | None, name: str = "with the remedy") -> str:
    """Return what the best remedy changes in the source; "" where that is nothing."""
    if best is None or not program.is_source:
        return ""
    return edits.shown(edits.difference(program.text, fixing.written(best), str(program.file), name))


def show(program: subject.Subject, diagnosis: Diagnosis, to: Console) -> None:
    """Print what was found: causes, remedies, what to write."""
    print(f"{verdict.sentence(program, diagnosis)}.")
    if split := diagnosis.findings.split.says(program.file.name):
        print(f"Time: {split}.")
    print(_sentence(program, diagnosis))
    values = diagnosis.findings.facts.values
    if values.get("calls"):
        kinds = [plural(round(values[f"{name}s"]), name) for name in ("read", "write", "lseek")]
        print(f"{plural(round(values['calls']), 'system call')}: {', '.join(kinds)}.")
    for number, cause in enumerate(diagnosis.causes):
        sure = "" if cause.certain else " (not certain)"
        share = units.rounded_percent(cause.share)
        print(f"{'Cause' if not number else 'Then'}{sure}: {cause.says}; {share} of the time.")
    if rows := [trial for trial in diagnosis.trials if trial.helps or not trial.is_safe]:
        to.print()
        to.print(_table(rows))
        to.print()
    for remark in diagnosis.remarks:
        print(f"Note: {remark}.")
    if diagnosis.best is None:
        return
    assert diagnosis.best.gain is not None  # of what helps
    gain = units.ratio(diagnosis.best.gain.ratio)
    print(f"Best: {diagnosis.best.name}, {gain} times as fast, same output, proved. Write:")
    for what in diagnosis.best.what():
        print(f"  {what}")
    if any(remedies.INCLUDE in remedy.flags for remedy in diagnosis.best.remedies):
        print(f"The compiler finds headrace's headers with -I {shlex.quote(str(places.include_folder()))}")


def _table(trials: list[Trial]) -> Table:
    rows = []
    for trial in trials:
        gain = trial.gain if trial.is_safe else None
        problem = f"{'not known' if trial.is_late else 'no'}: {trial.problem}"
        same = "; ".join(["yes", *trial.warnings]) if trial.is_safe else problem
        rows.append(
            [trial.name, units.ratio(gain.ratio) if gain else "-", _interval(gain) if gain else "-", same]
        )
    return Grid(["remedy", "times as fast", "interval", "same output"], rows, "lrrl").terminal()


def _interval(gain: Estimate) -> str:
    return f"{units.ratio(gain.low_ratio)} to {units.ratio(gain.high_ratio)}"


def _write(program: subject.Subject, best: Trial | None, place: Path) -> None:
    if best is None or (best.text == program.text and not best.flags):
        print(
            f"headrace: nothing to write to {place}: no remedy that edits the source helps", file=sys.stderr
        )
        return
    places.write_whole(place.resolve(), fixing.written(best).encode(edits.BYTES))
    print(f"\n{_difference(program, best, str(place))}", end="")


def _data(program: subject.Subject, diagnosis: Diagnosis) -> dict[str, Any]:
    seen = diagnosis.findings
    return {
        "verdict": verdict.sentence(program, diagnosis),
        "outcome": verdict.outcome(diagnosis),
        "wall": seen.sample.wall,
        "user": seen.sample.user,
        "system": seen.sample.system,
        "floor": seen.floor,
        "time": {
            "io": seen.split.io,
            "streams": seen.split.streams,
            "own": seen.split.own,
            "waiting": dict(seen.split.waiting),
            "delayed": seen.split.delayed,
        },
        "own": [
            {
                "share": each.share,
                "calls": each.callee,
                "function": each.place.function,
                "file": each.place.file,
                "line": each.place.line,
            }
            for each in seen.split.spots[:10]
        ],
        "counts": seen.facts.values,
        "causes": [
            {"name": each.name, "says": each.says, "share": each.share, "certain": each.certain}
            for each in diagnosis.causes
        ],
        "remedies": [_remedy(each) for each in diagnosis.trials],
        "best": diagnosis.best.name if diagnosis.best else None,
        "remarks": diagnosis.remarks,
    }


def _remedy(trial: Trial) -> dict[str, Any]:
    return {
        "name": trial.name,
        "safe": trial.is_safe,
        "helps": trial.helps,
        "problem": trial.problem,
        "kill_loses": dict(zip(("lines", "bytes"), trial.loss, strict=True)) if trial.loss else None,
        "reorders": trial.reorders,
        "times_as_fast": trial.gain.ratio if trial.gain else None,
        "low": trial.gain.low_ratio if trial.gain else None,
        "high": trial.gain.high_ratio if trial.gain else None,
        "lines": trial.lines,
        "write": trial.what(),
    }
