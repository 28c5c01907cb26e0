"""The command `headrace list`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from headrace.base import ctrl_c
from headrace.base.errors import BadInput
from headrace.base.names import unknown
from headrace.commands.options import Json
from headrace.race.options import complete

EXAMPLE = "headrace list read_ints"


def list_(
    benchmark: Annotated[
        list[str] | None,
        typer.Argument(help="Show these in full: input, answer, contenders.", autocompletion=complete),
    ] = None,
    as_json: Json = False,
    schema: Annotated[
        str,
        typer.Option(
            metavar="DOCUMENT",
            help="Print the JSON Schema of results (what run writes) or benchmark (benchmark.toml).",
        ),
    ] = "",
    markdown: Annotated[
        bool, typer.Option("--markdown", help="With --schema: print the keys as Markdown tables instead.")
    ] = False,
) -> None:
    """List the benchmarks; for named ones, show the question, input, answer and contenders."""
    if schema:
        _print_schema(schema, markdown)
        return
    if markdown:
        raise BadInput("--markdown is about --schema, which is not given")
    # Here, as the shell asks this module for names of benchmarks.
    with ctrl_c.loading():
        from rich.console import Console

        from headrace.matrix import catalogue

    found = catalogue.find(benchmark or [])
    if as_json:
        infos = [chosen.info().model_dump(exclude={"sources"}) for chosen in found]
        print(json.dumps(infos, indent=1))
        return
    console = Console()
    if not benchmark:
        catalogue.overview(found, console)
        return
    for number, chosen in enumerate(found):
        console.print("\n" if number else "", end="")
        catalogue.show(chosen, console)


def _print_schema(document: str, markdown: bool) -> None:
    with ctrl_c.loading():
        from headrace.matrix import documents
        from headrace.results import published

    if document not in documents.DOCUMENTS:
        raise BadInput(unknown("document", document, list(documents.DOCUMENTS)))
    if markdown:
        print(documents.tables(document), end="")
        return
    chosen = documents.DOCUMENTS[document]
    models = [model for _, model in chosen.models]
    print(json.dumps(published.schema(models[0], chosen.title, models), indent=1))
