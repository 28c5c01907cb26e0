"""Options that several commands have, and those that are made from what a race is asked."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import click
import typer
from click.core import ParameterSource

from headrace.race.options import SPELLINGS, RunOptions

if TYPE_CHECKING:
    from rich.console import Console

PIPE = 200  # characters: room for every column where no terminal says how many there are

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

Wide = Annotated[
    bool, typer.Option("--wide", help="Print every column, and all that the numbers say, in sentences.")
]

_File = Path | None


@dataclass(frozen=True)
class Exports:
    """Files for others: a field is an option; after `export_` it is called as in report.exports.EXPORTS."""

    export_markdown: Annotated[_File, typer.Option(help="Write the tables to this file as Markdown.")] = None
    export_csv: Annotated[_File, typer.Option(help="Write one line per row to this file as CSV.")] = None
    export_json: Annotated[_File, typer.Option(help="Write the rankings to this file as JSON.")] = None
    export_hyperfine: Annotated[
        _File, typer.Option(help="Write JSON for hyperfine's scripts to this file.")
    ] = None
    export_google_benchmark: Annotated[
        _File, typer.Option(help="Write JSON for Google Benchmark's compare.py to this file.")
    ] = None
    export_pyperf: Annotated[_File, typer.Option(help="Write JSON for pyperf to this file.")] = None

    @property
    def places(self) -> dict[str, Path]:
        """The files that are wanted, by the names of exports."""
        given = {name: path for name, path in vars(self).items() if path is not None}
        return {name.removeprefix("export_").replace("_", "-"): path for name, path in given.items()}


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


def spread(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let each field of a dataclass that a command takes be an option of its own."""
    hints = get_type_hints(command, include_extras=True)
    parts: dict[str, type[Any]] = {
        name: kind
        for name, kind in hints.items()
        if isinstance(kind, type) and is_dataclass(kind) and name != "return"
    }
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if parameter.name in parts:
            kinds = get_type_hints(kind, include_extras=True)
            parameters += [_parameter(field.name, field.default, kinds[field.name]) for field in fields(kind)]
        else:
            parameters.append(_parameter(parameter.name, parameter.default, kind))

    @functools.wraps(command)
    def call(**values: Any) -> Any:
        for name, kind in parts.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        return command(**values)

    return _with(parameters, call)


def _parameter(name: str, default: Any, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _with(parameters: Sequence[inspect.Parameter], call: Callable[..., Any]) -> Callable[..., Any]:
    """Let typer see these as the parameters of a function."""
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call


def taking(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of fields of RunOptions, of all without names, beside its own.

    The command's first parameter gets the fields that were given, as `Given`. Benchmarks have to be named
    where fields are.
    """
    known = {field.name: field for field in fields(RunOptions)}
    spelt = {name: SPELLINGS[name] for name in names or SPELLINGS}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        inner = spread(command)
        first, *own = inspect.signature(inner).parameters.values()
        parameters = [
            _parameter(name, _default(known[field], bool(names)), kind)
            for field, spelling in spelt.items()
            for name, kind in spelling.parameters.items()
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
            return inner(
                **{first.name: chosen}, **{parameter.name: values[parameter.name] for parameter in own}
            )

        return _with([*parameters, *own], call)

    return decorate
