"""The documents that others may write or read, and the models that are their formats."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from headrace.matrix import benchmarks, generators, inputs
from headrace.results import published, schema


@dataclass(frozen=True)
class Document:
    """A format: its title, and its models with the titles of their sections; the first is the whole."""

    title: str
    models: Sequence[tuple[str, type[BaseModel]]]


DOCUMENTS = {
    "results": Document(
        f"A results file of headrace, version {schema.SCHEMA_VERSION}",
        [
            ("The document", schema.Campaign),
            ("Row", schema.Row),
            ("Sample", schema.Sample),
            ("Comparison", schema.Comparison),
            ("Judged", schema.Judged),
            ("TableNoise", schema.TableNoise),
            ("SystemCalls", schema.SystemCalls),
            ("Counted", schema.Counted),
            ("BenchmarkInfo", schema.BenchmarkInfo),
            ("Finding", schema.Finding),
            ("ToolchainInfo", schema.ToolchainInfo),
            ("Machine", schema.Machine),
            ("Noise", schema.Noise),
            ("Run", schema.Run),
        ],
    ),
    "benchmark": Document(
        "A benchmark.toml of headrace",
        [
            ("The document", benchmarks.BenchmarkSpec),
            ("`[[contender]]`", benchmarks.ContenderSpec),
            ("`[[contender.order]]`", benchmarks.Order),
            ("`[in_process]`", benchmarks.InProcessSpec),
            ("`[[finding]]`", benchmarks.FindingSpec),
        ],
    ),
}


def tables(name: str) -> str:
    """Return the reference of a document in Markdown: its tables, and what an input can be made by."""
    return published.tables(DOCUMENTS[name].models) + (_generators() if name == "benchmark" else "")


def _generators() -> str:
    lines = [
        "## `[input]`",
        "",
        "`generator` is one of these; the other keys are its settings, and `seed`.",
        "",
    ]
    lines += ["| generator | what it writes | settings |", "|---|---|---|"]
    for name, function in generators.GENERATORS.items():
        doc = " ".join((inspect.getdoc(function) or "").split())
        settings = ", ".join(f"`{key} = {value.default!r}`" for key, value in inputs.parameters(name).items())
        lines.append(f"| `{name}` | {published.cell(doc)} | {settings} |")
    return "\n".join([*lines, ""])
