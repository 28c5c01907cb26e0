"""Options that several commands have, and those that are made from what a race is asked."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import click
import typer
from click.core import ParameterSource

from headrace.race.options import SAID, RunOptions

if TYPE_CHECKING:
    from rich.console import Console

PIPE = 200  # characters: room for every column where no terminal says how many there are

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

Wide = Annotated[
    bool, typer.Option("--wide", help="Print every column, and all that the numbers say, in sentences.")
]

ExportMarkdown = Annotated[
    Path | None, typer.Option("--export-markdown", help="Write the tables to this file as Markdown.")
]
ExportCsv = Annotated[
    Path | None, typer.Option("--export-csv", help="Write one line per row to this file as CSV.")
]
ExportJson = Annotated[
    Path | None, typer.Option("--export-json", help="Write the rankings to this file as JSON.")
]
ExportHyperfine = Annotated[
    Path | None, typer.Option("--export-hyperfine", help="Write JSON for hyperfine's scripts to this file.")
]
ExportGoogle = Annotated[
    Path | None,
    typer.Option(
        "--export-google-benchmark", help="Write JSON for Google Benchmark's compare.py to this file."
    ),
]
ExportPyperf = Annotated[
    Path | None, typer.Option("--export-pyperf", help="Write JSON for pyperf to this file.")
]


def console() -> Console:
    """Return where tables go: as wide as the terminal, and wide enough for all columns in a pipe."""
    from rich.console import Console  # here, as the shell asks this module for names of benchmarks

    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console()
    return Console(width=PIPE)


Given = dict[str, Any]  # fields of RunOptions that a command line gives, and what it gives


def _default(field: Field[Any], is_required: bool) -> Any:
    """Return what a parameter is without a word: None for what is not as simple as a number."""
    if is_required and field.default is MISSING and field.default_factory is MISSING:
        return inspect.Parameter.empty
    return field.default if type(field.default) in (bool, int) else None


def taking(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of fields of RunOptions, of all without names, beside its own.

    The command's first parameter gets the fields that were given, as `Given`. Benchmarks have to be named
    where fields are.
    """
    known = {one.name: one for one in fields(RunOptions)}
    spelt = {name: SAID[name] for name in names or SAID}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(command, include_extras=True)
        first, *own = inspect.signature(command).parameters.values()
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=_default(known[field], bool(names)),
                annotation=kind,
            )
            for field, spelling in spelt.items()
            for name, kind in spelling.parameters.items()
        ]
        parameters += [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
            for parameter in own
        ]

        @functools.wraps(command)
        def call(**values: Any) -> Any:
            context = click.get_current_context()
            default = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
            said_here = {name for name in values if context.get_parameter_source(name) not in default}
            given = {name for name in said_here if values[name] not in (None, [])}  # no names are one, too
            chosen = {
                field: spelling.value({name: values[name] for name in spelling.parameters if name in given})
                for field, spelling in spelt.items()
                if given & {*spelling.parameters}
            }
            return command(chosen, **{parameter.name: values[parameter.name] for parameter in own})

        call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return call

    return decorate
