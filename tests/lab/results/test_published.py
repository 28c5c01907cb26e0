"""Published data with known answers: what an import reads of them, and what an export says of them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import native
from headrace.report import exports
from headrace.report.view import View
from headrace.results import foreign
from headrace.results.schema import Campaign

# Values, certified mean, certified standard deviation, and how many digits of that doubles can keep.
# NIST made these by a rule: a first value, and 500 pairs of one less and one more in the last place.
BY_A_RULE = {
    "NumAcc1": ([10000001.0, 10000003.0, 10000002.0], 10000002.0, 1.0, 15),
    "NumAcc2": ([1.2, *[1.1, 1.3] * 500], 1.2, 0.1, 13),
    "NumAcc3": ([1000000.2, *[1000000.1, 1000000.3] * 500], 1000000.2, 0.1, 9),
    "NumAcc4": ([10000000.2, *[10000000.1, 10000000.3] * 500], 10000000.2, 0.1, 8),
}
MEASURED = {
    name: ([float(value) for value in values.split()], float(mean), float(deviation), 12)
    for line in (native.TOP / "tests/data/strd.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for name, mean, deviation, values in [line.split("\t")]
}
STRD = BY_A_RULE | MEASURED


def imported(folder: Path, data: object) -> Campaign:
    (folder / "other.json").write_text(json.dumps(data))
    return foreign.read(folder / "other.json", foreign.Facts())


def correct_digits(value: float, certified: float) -> float:
    """Return the log relative error, as NIST's users score by."""
    return 16 if value == certified else -math.log10(abs(value - certified) / abs(certified))


@pytest.mark.parametrize("name", STRD)
def test_means_and_deviations_are_those_that_nist_certifies(tmp_path: Path, name: str) -> None:
    """The digits that are lost are those of the values, which binary fractions only come near to."""
    times, mean, deviation, digits = STRD[name]
    found = imported(tmp_path, {"results": [{"command": name, "times": times, "user": 0, "system": 0}]})
    (said,) = json.loads(exports.hyperfine([View(found)]))["results"]
    assert said["times"] == times
    assert correct_digits(said["mean"], mean) >= 14
    assert correct_digits(said["stddev"], deviation) >= digits


# Names and nanoseconds of tools/gbench/Inputs/test1_run1.json of Google Benchmark, recorded in August 2016,
# before the reporter wrote run_name and a time zone.
RECORDED = {
    "BM_SameTimes": 10,
    "BM_2xFaster": 50,
    "BM_2xSlower": 50,
    "BM_1PercentFaster": 100,
    "BM_10PercentSlower": 100,
    "BM_100xSlower": 100,
    "BM_100xFaster": 10000,
}


def test_an_old_file_of_google_benchmark_is_read(tmp_path: Path) -> None:
    context = {
        "date": "2016-08-02 17:44:46",
        "num_cpus": 4,
        "mhz_per_cpu": 4228,
        "library_build_type": "release",
    }
    entries = [
        {"name": name, "iterations": 1000, "real_time": time, "cpu_time": time, "time_unit": "ns"}
        for name, time in RECORDED.items()
    ]
    found = imported(tmp_path, {"context": context, "benchmarks": entries})
    assert found.started.startswith("2016-08-02T17:44:46") and found.machine.cores == 4
    read = {row.contender: row.samples[0].wall for row in found.rows}
    assert read == {name: pytest.approx(time * 1e-9) for name, time in RECORDED.items()}
