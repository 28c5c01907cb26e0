"""The JSON that bench.hpp writes: its golden report against its schema, and figures that must agree."""

import json
import math
import statistics
from typing import Any

import jsonschema
import pytest

from checkout import TOP

DATA = TOP / "tests" / "data" / "bench"


def load(name: str) -> Any:
    def refuse(constant: str) -> float:
        raise ValueError(f"{name} holds {constant}")

    return json.loads((DATA / name).read_text("utf-8"), parse_constant=refuse)


def test_golden_report_is_valid() -> None:
    schema = load("report.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(load("report.json"), schema)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (["schema"], "headrace.bench/2"),
        (["functions", 0, "median"], None),
        (["functions", 0, "median"], 0),
        (["functions", 0, "name"], ""),
        (["comparison", "pairs", 0, "verdict"], "better"),
        (["comparison", "margin"], 0.001),
        (["growth", 0, "fits", 0, "model"], "O(2^n)"),
        (["surplus"], 1),
    ],
)
def test_schema_refuses(path: list[str | int], wrong: object) -> None:
    report = load("report.json")
    place = report
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, load("report.schema.json"))


def test_figures_follow_from_the_values() -> None:
    report = load("report.json")
    functions = {f["name"]: f for f in report["functions"]}
    for f in functions.values():
        assert f["median"] == pytest.approx(statistics.median(f["values"]))
        assert f["least"] == f["values"][0] <= f["median"] <= f["p75"] <= f["p99"] <= f["most"]
        off = [abs(v - f["median"]) / f["median"] for v in f["values"]]
        assert f["error"] == pytest.approx(statistics.median(off), abs=1e-9)
    reference = functions[report["comparison"]["reference"]]["rounds"]
    for pair in report["comparison"]["pairs"]:
        x = [math.log(a / b) for a, b in zip(functions[pair["name"]]["rounds"], reference, strict=True)]
        assert pair["ratio"] == pytest.approx(math.exp(statistics.median(x)))
        assert pair["low"] == pytest.approx(math.exp(sorted(x)[1]))  # rank 2 of 12 rounds at alpha/4
        assert pair["high"] == pytest.approx(math.exp(sorted(x)[-2]))
