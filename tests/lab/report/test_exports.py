"""Exports, each read by the rules of the tool that it is for."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

import pyperf
import pytest

import synthetic
from conftest import Command
from headrace.base.errors import BadInput
from headrace.report import exports
from headrace.report.view import View
from headrace.results import store
from headrace.results.schema import Campaign, Row


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return synthetic.read_ints()


@pytest.fixture(scope="module")
def measured(campaign: Campaign) -> list[Row]:
    rows = [row for row in campaign.rows if row.samples and not row.twin_of]
    assert 20 < len(rows) < len(campaign.rows)
    return rows


def test_pyperf_reads_every_value(campaign: Campaign, measured: list[Row]) -> None:
    suite = pyperf.BenchmarkSuite.loads(exports.pyperf([View(campaign)]))
    assert suite.get_benchmark_names() == [row.id for row in measured]
    for row, found in zip(measured, suite, strict=True):
        assert found.get_values() == tuple(sample.wall for sample in row.samples)
        assert found.get_unit() == "second" and found.get_nrun() == len(row.samples)
        assert found.get_metadata()["cpu_model_name"] == campaign.machine.cpu
    assert suite.get_benchmark(measured[0].id).median() == statistics.median(
        sample.wall for sample in measured[0].samples
    )


# hyperfine's BenchmarkResult (src/benchmark/benchmark_result.rs, 1.19): key, type, may be absent or null
HYPERFINE: dict[str, tuple[type, bool]] = {
    "command": (str, False),
    "mean": (float, False),
    "stddev": (float, True),
    "median": (float, False),
    "user": (float, False),
    "system": (float, False),
    "min": (float, False),
    "max": (float, False),
    "times": (list, True),
    "memory_usage_byte": (list, True),
    "exit_codes": (list, False),
    "parameters": (dict, True),
}


def test_hyperfine_knows_every_key_and_type(campaign: Campaign, measured: list[Row]) -> None:
    data = json.loads(exports.hyperfine([View(campaign)]))
    assert set(data) == {"results"}
    for row, result in zip(measured, data["results"], strict=True):
        assert set(result) <= set(HYPERFINE)
        for key, (kind, optional) in HYPERFINE.items():
            assert isinstance(result.get(key), kind) or (optional and result.get(key) is None), key
        assert result["times"] == [sample.wall for sample in row.samples]
        assert len(result["exit_codes"]) == len(result["memory_usage_byte"]) == len(result["times"])
        assert result["min"] <= result["median"] <= result["max"]
        assert all(isinstance(value, str) for value in result["parameters"].values())


def test_one_sample_has_no_deviation(campaign: Campaign, measured: list[Row]) -> None:
    row = measured[0].model_copy(update={"samples": measured[0].samples[:1]})
    alone = campaign.model_copy(update={"rows": [row]})
    assert json.loads(exports.hyperfine([View(alone)]))["results"][0]["stddev"] is None


def compared(old: dict[str, Any], new: dict[str, Any]) -> dict[str, float]:
    """What Google Benchmark's tools/compare.py does: partition by name and unit, then relative medians.

    Its tools/gbench/report.py reads these keys, and skips what is not an iteration.
    """
    result = {}
    for data in (old, new):
        assert data["context"]["json_schema_version"] == 1
        for entry in data["benchmarks"]:
            assert entry["run_type"] == "iteration" and entry["time_unit"] == "ns"
            assert 0 <= entry["repetition_index"] < entry["repetitions"]
            assert entry["iterations"] >= 1 and entry["threads"] == 1
    names = dict.fromkeys(entry["name"] for entry in old["benchmarks"])
    for name in names:
        times = [
            [entry["real_time"] for entry in data["benchmarks"] if entry["name"] == name]
            for data in (old, new)
        ]
        result[name] = statistics.median(times[1]) / statistics.median(times[0]) - 1
    return result


def test_google_benchmarks_comparison_finds_the_change(campaign: Campaign, measured: list[Row]) -> None:
    slower = [sample.model_copy(update={"wall": sample.wall * 1.25}) for sample in measured[3].samples]
    rows = [
        row.model_copy(update={"samples": slower}) if row.id == measured[3].id else row
        for row in campaign.rows
    ]
    changed = campaign.model_copy(update={"rows": rows})
    texts = [exports.google_benchmark([View(one)]) for one in (campaign, changed)]
    found = compared(json.loads(texts[0]), json.loads(texts[1]))
    assert list(found) == [row.id for row in measured]
    for name, change in found.items():
        assert math.isclose(change, 0.25 if name == measured[3].id else 0.0, abs_tol=1e-9), name


def test_a_run_of_no_time_has_no_rate(campaign: Campaign, measured: list[Row]) -> None:
    none = [sample.model_copy(update={"wall": 0.0}) for sample in measured[0].samples]
    rows = [measured[0].model_copy(update={"samples": none, "input_bytes": 10})]
    found = json.loads(exports.google_benchmark([View(campaign.model_copy(update={"rows": rows}))]))[
        "benchmarks"
    ]
    assert found and all("bytes_per_second" not in one and one["real_time"] == 0 for one in found)


def test_rows_of_two_campaigns_keep_apart(campaign: Campaign) -> None:
    later = campaign.model_copy(update={"started": "2027-01-01T00:00:00+00:00"})
    names = pyperf.BenchmarkSuite.loads(exports.pyperf([View(campaign), View(later)])).get_benchmark_names()
    assert len(set(names)) == len(names) and any(name.endswith("2027-01-01T00:00:00+00:00") for name in names)


@pytest.mark.slow
def test_report_writes_each_export(headrace: Command, tmp_path: Path, campaign: Campaign) -> None:
    store.save(campaign, tmp_path / "results.json")
    options = [f"--export-{name}" for name in exports.EXPORTS if name != "advice"]
    words = [
        word
        for name, option in zip(exports.EXPORTS, [*options, "--advice"], strict=True)
        for word in (option, f"out/{name}")
    ]
    headrace("report", "results.json", *words, code=0)
    for name, make in exports.EXPORTS.items():
        assert (tmp_path / "out" / name).read_text() == make([View(campaign)]), name


def test_nothing_measured_is_nothing_to_export(campaign: Campaign, tmp_path: Path) -> None:
    empty = campaign.model_copy(update={"rows": [row for row in campaign.rows if not row.samples]})
    with pytest.raises(BadInput, match="nothing was measured"):
        exports.write([View(empty)], {"pyperf": tmp_path / "out.json"})
    assert not list(tmp_path.iterdir())
