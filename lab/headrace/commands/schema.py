"""The command `headrace schema`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from headrace.base import ctrl_c
from headrace.base.errors import BadInput
from headrace.base.names import unknown


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("schema", epilog="Example: headrace schema results > results.schema.json")(schema)


def schema(
    document: Annotated[str, typer.Argument(help="results (what run writes) or benchmark (benchmark.toml).")],
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the keys as Markdown tables instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of a results file or a benchmark.toml, made from what reads them."""
    with ctrl_c.loading():
        from headrace.matrix import documents  # here, as the models take time to load
        from headrace.results import published

    if document not in documents.DOCUMENTS:
        raise BadInput(unknown("document", document, list(documents.DOCUMENTS)))
    one = documents.DOCUMENTS[document]
    models = [model for _, model in one.models]
    if markdown:
        print(documents.tables(document), end="")
    else:
        print(json.dumps(published.schema(models[0], one.title, models), indent=1))
