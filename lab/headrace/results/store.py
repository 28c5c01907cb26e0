"""Results files on a disk. A file is written aside and then renamed: a reader never sees half of one.

A results file is data: reading one never runs anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.results import foreign
from headrace.results.schema import SCHEMA_VERSION, Campaign, parsed


def save(campaign: Campaign, path: Path) -> None:
    """Write aside, then rename: the file is whole or absent. Raises BadInput with the way out."""
    text = campaign.model_dump_json(indent=1, exclude_defaults=False)
    advice = "free some room or choose another place with --out"
    with places.written_whole(path, "results", advice, durable=True) as file:
        file.write(text.encode() + b"\n")


def load(path: Path) -> Campaign:
    """Read a results file. Raises BadInput that names the file, the key and the way out."""
    try:
        data = parsed(places.read_plain(path).decode("utf-8"))
    except OSError as error:
        reason = error.strerror or error
        raise BadInput(f"cannot read {path}: {reason}; name a file that headrace run wrote") from error
    except ValueError as error:
        raise BadInput(
            f"{path} is not a results file, or was cut short ({error}); run the campaign again"
        ) from error
    if kind := foreign.kind_of(data):
        raise BadInput(f"{path} is {kind}'s JSON; headrace import {path} makes a results file of it")
    if path.suffix == ".fleet":
        raise BadInput(
            f"{path} lists the hosts of a fleet; name the results file of one of them, "
            f"in {path.with_suffix('')}"
        )
    if not isinstance(data, dict) or not isinstance(data.get("schema_version"), int):
        raise BadInput(
            f"{path} is not a headrace results file: it has no schema_version; "
            "name one that headrace run wrote"
        )
    if data["schema_version"] > SCHEMA_VERSION:
        raise BadInput(
            f"{path} has schema version {data['schema_version']}, and this headrace reads up to "
            f"{SCHEMA_VERSION}; update headrace to read it"
        )
    if data["schema_version"] == 1:
        data = _from_first_version(data)
    try:
        return Campaign.model_validate(data)
    except ValidationError as error:
        raise BadInput(f"{path}: {first_fault(error)}; run the campaign again") from error


def _from_first_version(data: dict[str, Any]) -> dict[str, Any]:
    """Drop what version 1 had judged by other rules; `judge.table.rejudged` judges its samples afresh."""
    rows = []
    for row in data.get("rows", []):
        kept = {key: value for key, value in row.items() if key != "ties"} if isinstance(row, dict) else row
        if isinstance(kept, dict) and isinstance(kept.get("comparisons"), list):
            kept["comparisons"] = [
                {**pair, "verdict": "not decided"} if isinstance(pair, dict) else pair
                for pair in kept["comparisons"]
            ]
        rows.append(kept)
    return {**data, "rows": rows, "margin": 0.01}
