"""A file format as others read it: a JSON Schema, and the tables of its reference, made from its models."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from headrace.base.fields import comments

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(model: type[BaseModel], title: str, models: Sequence[type[BaseModel]]) -> dict[str, Any]:
    """Return the JSON Schema of a document, each property with the comment beside its field.

    `models` are the model itself and those that it holds.
    """
    made = model.model_json_schema(mode="validation")
    tables = {**made.get("$defs", {}), model.__name__: made}
    for part in models:
        for name, said in comments(part).items():
            if said:
                tables[part.__name__]["properties"][name]["description"] = said
        tables[part.__name__]["description"] = _doc(part)
    made["title"] = title
    return {"$schema": DIALECT, **made}


def tables(models: Sequence[tuple[str, type[BaseModel]]]) -> str:
    """Return a Markdown section per model, under the title it is given: key, type, without it, meaning."""
    defs = {model.__name__: model.model_json_schema() for _, model in models}
    lines: list[str] = []
    for title, model in models:
        said = comments(model)
        made = defs[model.__name__]
        lines += [
            f"## {title}",
            "",
            _doc(model),
            "",
            "| key | type | without it | what it is |",
            "|---|---|---|---|",
        ]
        for name, field in made["properties"].items():
            absent = "an error" if name in made.get("required", []) else _default(field)
            lines.append(f"| `{name}` | {_type(field)} | {absent} | {cell(said[name])} |")
        lines.append("")
    return "\n".join(lines)


def _doc(model: type[BaseModel]) -> str:
    return " ".join((inspect.getdoc(model) or "").split())


def cell(text: str) -> str:
    """Return a text as a cell of a Markdown table."""
    return re.sub(r"([|<>*_])", r"\\\1", text)


def _default(field: dict[str, Any]) -> str:
    if "default" not in field:
        return "empty"
    value = field["default"]
    if value is None:
        return "unknown"
    if value in ("", [], {}):
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _type(field: dict[str, Any]) -> str:
    """Name a type in words: "string", "list of string", "one of `file`, `pipe`"."""
    if "anyOf" in field:
        return " or ".join(_type(choice) for choice in field["anyOf"] if choice.get("type") != "null")
    if "$ref" in field:
        return f"a {field['$ref'].rpartition('/')[2]}"
    if "enum" in field:
        return "one of " + ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") == "array":
        return f"list of {_type(field['items'])}"
    if field.get("type") == "object":
        inner = field.get("additionalProperties")
        return f"table of {_type(inner)}" if isinstance(inner, dict) else "table"
    return str(field.get("type", "any"))
