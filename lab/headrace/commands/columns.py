"""The command `headrace columns`."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.progress import Line
from headrace.base.step import Step
from headrace.columns import choose, program, survey
from headrace.columns.choose import Plan
from headrace.columns.formats import Asked

EXAMPLE = "headrace columns trades.csv -o trades.cpp"
SILENT = 2.0  # seconds of reading before there is a line of progress
SPELT = {"tab": "\t", "\\t": "\t", "blank": " ", "space": " "}


def columns(
    file: Annotated[
        Path,
        typer.Argument(
            help="A file of columns: CSV, TSV or their kin, also packed by gzip or zstd; - is standard input."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--out", help="Program to write. Default: standard output.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Byte between fields, or tab. Default: what makes columns of a sample.")
    ] = None,
    quote: Annotated[
        str | None,
        typer.Option(help="Byte around fields that hold a separator, or none. Default: found out."),
    ] = None,
    comments: Annotated[
        str | None, typer.Option(help="Byte that begins lines to pass over, or none. Default: found out.")
    ] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first row names the columns.")
    ] = None,
    trim: Annotated[
        bool | None, typer.Option("--trim/--no-trim", help="Whether to drop blanks around fields.")
    ] = None,
    decimal_comma: Annotated[
        bool | None,
        typer.Option("--decimal-comma/--decimal-point", help="What is in numbers: 1,5 or 1.5."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what was found as JSON, not the program.")
    ] = False,
) -> None:
    """Write the C++ program that reads a file of columns, with the reason for each type."""
    file = Path("/dev/stdin") if file == Path("-") else file
    asked = Asked(
        separator=_byte("--delimiter", delimiter),
        quote=_byte("--quote", quote, or_none=True),
        comment=_byte("--comments", comments, or_none=True),
        trims=trim,
        has_header=header,
        has_decimal_comma=decimal_comma,
    )
    if output is not None and output.resolve() == file.resolve():
        raise BadInput(f"{output} is the file itself; write the program to another one")
    if output is not None:
        places.check_writable(output)
    plan = _plan(file, asked)
    text = program.write(plan)
    if output is not None:
        places.write_whole(output, text.encode())
    if as_json:
        fields = [
            {**asdict(field), "name": field.name and choose.readable(field.name)} for field in plan.fields
        ]
        print(json.dumps({**asdict(plan), "file": str(file), "fields": fields}, indent=1))
    elif output is None:
        print(text, end="")
    else:
        print(f"{output}: {plan.counts}")


def _byte(option: str, text: str | None, or_none: bool = False) -> str | None:
    """Return the byte that an option names, "" for none. Raises BadInput."""
    if text is None or (or_none and text == "none"):
        return None if text is None else ""
    byte = SPELT.get(text, text)
    if len(byte) != 1 or not byte.isascii() or byte in "\r\n\0":
        raise BadInput(
            f"{option} takes one byte{', or none' if or_none else ''}, not {text!r}; a tab is written tab"
        )
    return byte


def _plan(file: Path, asked: Asked) -> Plan:
    """Read the file; a line says how far that is when it takes long."""
    begun, line = time.monotonic(), Line(by_stage=True)
    with ExitStack() as stack:
        if line.in_place and not survey.is_built():
            stack.enter_context(line).show(Step("builds", "what reads files of columns, once", 0, 0))

        def watch(rows: int) -> None:
            if time.monotonic() - begun >= SILENT:
                stack.enter_context(line)  # which it may be in already
                line.show(Step("rows", f"{rows:,} rows", rows, 0))

        return choose.plan(file, asked, watch)
