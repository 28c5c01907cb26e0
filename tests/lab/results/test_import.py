"""Other harnesses' JSON: what is read of it, that history and pages take it, and what is refused."""

from __future__ import annotations

import json
import statistics
from datetime import datetime
from pathlib import Path
from typing import Any

import pyperf
import pytest

import synthetic
from conftest import Command
from headrace.base.errors import BadInput
from headrace.judge import table
from headrace.race import compare
from headrace.report import exports
from headrace.report.view import View
from headrace.results import foreign, store
from headrace.results.schema import Campaign, Row


def entry(name: str, time: float, unit: str = "ns", **more: Any) -> dict[str, Any]:
    """An entry as Google Benchmark's JSON reporter writes it."""
    facts = {"name": name, "run_name": name, "run_type": "iteration", "threads": 1, "iterations": 1000}
    return {**facts, "real_time": time, "cpu_time": time * 0.9, "time_unit": unit, **more}


def google(*entries: dict[str, Any], **context: Any) -> dict[str, Any]:
    facts = {
        "date": "2026-11-20T10:00:00+01:00",
        "host_name": "builder",
        "executable": "./build/parse_bench",
        "num_cpus": 4,
        "mhz_per_cpu": 2600,
        "cpu_scaling_enabled": False,
        "caches": [{"type": "Data", "level": 1, "size": 49152, "num_sharing": 2}],
        "load_avg": [0.5, 0.4, 0.3],
        "library_version": "v1.9.1",
        "library_build_type": "release",
        "json_schema_version": 1,
    }
    return {"context": {**facts, **context}, "benchmarks": list(entries)}


def result(command: str, times: list[float], **more: Any) -> dict[str, Any]:
    """A result as hyperfine --export-json writes it."""
    return {
        "command": command,
        "mean": statistics.fmean(times),
        "stddev": statistics.stdev(times) if len(times) > 1 else None,
        "median": statistics.median(times),
        "user": 0.0006,
        "system": 0.0009,
        "min": min(times),
        "max": max(times),
        "times": times,
        "memory_usage_byte": [1_800_000] * len(times),
        "exit_codes": [0] * len(times),
        **more,
    }


def read(folder: Path, data: object, name: str = "other.json", **said: str) -> Campaign:
    file = folder / name
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    return foreign.read(file, foreign.Facts(**said))


def medians(campaign: Campaign) -> dict[str, float]:
    return {row.id: statistics.median(s.wall for s in row.samples) for row in campaign.rows if row.samples}


def to_baseline(row: Row) -> float | None:
    return row.comparisons[0].ratio if row.comparisons else None


# --- what is read


def test_an_import_of_an_older_headrace_keeps_its_ratios_and_gets_no_places(tmp_path: Path) -> None:
    found = read(tmp_path, {"results": [result("old", [2.0, 2.2, 2.1]), result("new", [1.0, 1.1, 1.05])]})
    kept = tmp_path / "results.json"
    store.save(found.model_copy(update={"schema_version": 3}), kept)
    loaded = table.load(kept)
    assert [to_baseline(row) for row in loaded.rows] == [None, pytest.approx(0.5)]
    assert {row.judged.first for row in loaded.rows} == {0}


def test_google_benchmark_repetitions_are_runs_and_units_are_seconds(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        google(
            entry("BM_old/64", 2.0, "us", repetitions=2, repetition_index=0, bytes_per_second=1e8),
            entry("BM_old/64", 4.0, "us", repetitions=2, repetition_index=1, bytes_per_second=1e8),
            entry("BM_old/64", 3.0, "us", run_type="aggregate", aggregate_name="mean"),
            entry("BM_old/64", 9.0, "us", run_type="aggregate", aggregate_name="cv"),
            entry("BM_new/64", 1500.0, "ns", label="eight at a time"),
            entry("BM_old/4096", 0.13, "ms"),
            entry("BM_new/4096", 0.00006, "s"),
        ),
    )
    walls = {(row.contender, row.input["size"]): [s.wall for s in row.samples] for row in found.rows}
    assert walls["BM_old", "64"] == pytest.approx([2e-6, 4e-6])
    assert walls["BM_new", "4096"] == pytest.approx([6e-5])
    old, new = found.rows[0], found.rows[1]
    assert [s.user for s in old.samples] == pytest.approx([1.8e-6, 3.6e-6])
    assert old.input_bytes == 270  # 1e8 bytes per second of processor time, 2.7 us
    assert to_baseline(old) is None and to_baseline(new) == pytest.approx(0.5)
    assert new.notes == ["eight at a time"]
    # Functions are compared at the same size, never one size with another.
    assert to_baseline(found.rows[3]) == pytest.approx(60 / 130)
    assert datetime.fromisoformat(found.started) == datetime.fromisoformat("2026-11-20T10:00:00+01:00")
    assert (found.benchmarks[0].name, found.machine.cores) == ("parse_bench", 4)
    assert found.toolchains[0].version == "v1.9.1"


@pytest.mark.parametrize(
    ("name", "contender", "setting"),
    [
        ("BM_x", "BM_x", {}),
        ("BM_x<int>/8/512", "BM_x<int>", {"size": "8", "size 2": "512"}),
        ("suite/BM_x/n:8/threads:4", "suite/BM_x", {"n": "8", "threads": "4"}),
        ("BM_x/64/min_time:2.000/repeats:3/real_time", "BM_x", {"size": "64"}),
        ("BM_x/64/real_time/threads:4", "BM_x", {"size": "64", "threads": "4"}),
        ("BM_x/utf8_lines/process_time/real_time", "BM_x/utf8_lines", {}),
        ("BM_x<std::string>/a::b", "BM_x<std::string>/a::b", {}),
    ],
)
def test_google_benchmark_names(name: str, contender: str, setting: dict[str, str]) -> None:
    assert foreign._google_name(name) == (contender, setting)


def test_rates_of_google_benchmark_are_per_the_time_that_it_measured_by() -> None:
    one = foreign._GoogleEntry(name="", real_time=1, cpu_time=4, time_unit="ms", bytes_per_second=1e9)
    assert foreign._google_row("BM_x/threads:4", [one]).bytes == 4_000_000
    assert foreign._google_row("BM_x/real_time/threads:4", [one]).bytes == 1_000_000


def test_google_benchmark_aggregates_errors_and_skips(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        google(
            entry("BM_a", 5.0, run_type="aggregate", aggregate_name="mean"),
            entry("BM_a", 4.0, run_type="aggregate", aggregate_name="median"),
            entry("BM_b", 0.0, error_occurred=True, error_message="no file"),
            entry("BM_c", 0.0, skipped=True, skip_message="needs AVX2"),
            entry("BM_d_BigO", 0.0, run_type="aggregate", aggregate_name="BigO"),
            library_build_type="debug",
        ),
    )
    a, b, c, d = found.rows
    assert [s.wall for s in a.samples] == pytest.approx([4e-9]) and "the median counts as one" in a.notes[0]
    assert (b.outcome, b.detail) == ("CRASHED", "no file")
    assert (c.outcome, c.detail) == ("skipped", "needs AVX2")
    assert not d.samples
    assert any("built for debugging" in sentence for sentence in found.warnings)


def test_hyperfine_commands_are_rows(tmp_path: Path) -> None:
    slow = result("sleep 0.02", [0.022, 0.024], parameters={"n": "0.02"}, exit_codes=[0, 1])
    found = read(tmp_path, {"results": [result("sleep 0.01", [0.011, 0.012, 0.013]), slow]})
    first, second = found.rows
    assert [s.wall for s in first.samples] == [0.011, 0.012, 0.013]
    assert [(s.user, s.system, s.peak_memory) for s in second.samples] == [(0.0006, 0.0009, 1_800_000)] * 2
    assert to_baseline(second) == pytest.approx(0.023 / 0.012)
    assert "1 of 2 runs ended with status 1" in second.notes
    assert found.benchmarks[0].kind == "process" and found.benchmarks[0].name == "other"
    assert any("does not say when" in sentence for sentence in found.warnings)
    assert any("on which machine" in sentence for sentence in found.warnings)


def test_the_same_command_twice_is_two_rows(tmp_path: Path) -> None:
    found = read(tmp_path, {"results": [result("true", [0.001]), result("true", [0.002])]})
    assert len({row.id for row in found.rows}) == 2
    assert to_baseline(found.rows[1]) == pytest.approx(2)


def test_a_real_file_of_pyperf(tmp_path: Path) -> None:
    def measured(name: str, *values: float) -> pyperf.Benchmark:
        facts = {"name": name, "hostname": "builder", "python_version": "3.11.2", "cpu_count": 2}
        return pyperf.Benchmark(
            [
                pyperf.Run(
                    [value, value * 2],
                    metadata={**facts, "date": f"2026-11-20 10:00:0{at}", "mem_max_rss": 20_000_000 + at},
                    collect_metadata=False,
                )
                for at, value in enumerate(values)
            ]
        )

    suite = pyperf.BenchmarkSuite([measured("split", 1e-7, 2e-7), measured("join", 3e-7, 4e-7)])
    suite.dump(str(tmp_path / "py.json"))
    found = foreign.read(tmp_path / "py.json", foreign.Facts(commit="abc"))
    split, join = found.rows
    assert (split.contender, join.contender) == ("split", "join")
    assert [s.wall for s in split.samples] == [1e-7, 2e-7, 2e-7, 4e-7]
    assert [s.peak_memory for s in split.samples] == [20_000_000] * 2 + [20_000_001] * 2
    assert to_baseline(join) == pytest.approx(5e-7 / 2e-7)
    assert found.started.startswith("2026-11-20T10:00:00") and found.commit == "abc"
    assert (found.toolchains[0].version, found.machine.cores) == ("3.11.2", 2)


def test_what_we_export_comes_back(tmp_path: Path) -> None:
    campaign = synthetic.read_ints()
    wanted = sorted(
        statistics.median(s.wall for s in row.samples)
        for row in campaign.rows
        if row.samples and not row.twin_of
    )
    for make in (exports.hyperfine, exports.google_benchmark, exports.pyperf):
        found = read(tmp_path, make([View(campaign)]))
        assert sorted(medians(found).values()) == pytest.approx(wanted), make.__name__


def test_runs_of_two_rows_are_no_pairs(tmp_path: Path) -> None:
    """No later judge may pair them either: each has a round of its own."""
    times = [0.01 + at / 1000 for at in range(20)]
    found = read(tmp_path, {"results": [result("a", times), result("b", [2 * one for one in times])]})
    numbers = [sample.round for row in found.rows for sample in row.samples]
    assert len(set(numbers)) == len(numbers) == 40
    (said,) = found.rows[1].comparisons
    assert (said.low, said.high, said.verdict) == (0, None, "not decided")
    later = found.model_copy(update={"run": found.run.model_copy(update={"id": "another"})})
    change = compare.compare_files(found, later).changes[1]
    assert (change.ratio, change.low, change.high) == (pytest.approx(1), 0, None)


def test_a_baseline_can_be_named(tmp_path: Path) -> None:
    data = {"results": [result("a", [0.01]), result("b", [0.02])]}
    found = read(tmp_path, data, baseline="b")
    assert to_baseline(found.rows[0]) == pytest.approx(0.5) and to_baseline(found.rows[1]) is None
    with pytest.raises(BadInput, match="there is no row bb; did you mean b"):
        read(tmp_path, data, baseline="bb")


# --- what is no such file


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"tool": "other", "figures": []}, "JSON of an unknown kind.*it has the keys tool, figures"),
        ([1, 2], "JSON of an unknown kind.*it is no object with keys"),
        ("{", "is not JSON, or was cut short"),
        (f'{{"schema_version": 1{"0" * 5000}}}', "a whole number of 5,001 digits"),
        ({"results": [{"command": "a", "times": ["fast"]}]}, r"hyperfine's JSON, but key results.0.times.0"),
        ({"results": [{"command": "a", "times": [-1]}]}, r"hyperfine's JSON, but key results.0.times.0"),
        ({"results": [{"command": "a"}]}, "hyperfine's JSON, and has no times"),
        ({"results": []}, "JSON of an unknown kind.*it has the keys results"),
        (google(entry("BM_a", 1.0, "weeks")), "Google Benchmark's JSON, but key benchmarks.0.time_unit"),
        ({"version": "1.0", "benchmarks": [{"runs": [{"values": "x"}]}]}, "pyperf's JSON, but key"),
        ({"schema_version": 2, "rows": []}, "is a results file of headrace already"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, data: object, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read(tmp_path, data)


# --- the command


def test_two_of_one_name_and_time_are_not_written_over_each_other(inside: Command, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        data = google(entry("BM_a/8", 10.0), date="2026-11-01T10:00:00")
        (tmp_path / folder / "x.json").write_text(json.dumps(data))
    done = inside("import", "a/x.json", "b/x.json", code=2)
    assert "would both become results/2026-11-01-100000-x.json" in done.stderr
    assert not (tmp_path / "results").exists()


def test_an_import_joins_history_and_pages(inside: Command, tmp_path: Path) -> None:
    (tmp_path / "headrace.toml").write_text("history = true\n")
    for day, slower in ((1, 1.0), (2, 1.5)):
        data = google(entry("BM_a/8", 10.0), entry("BM_b/8", 5.0 * slower), date=f"2026-11-0{day}T10:00:00")
        (tmp_path / "bench.json").write_text(json.dumps(data))
        done = inside("import", "bench.json", "--benchmark", "parse", "--commit", f"{day}" * 40, code=0)
        assert f"bench.json: Google Benchmark, 2 rows; written: results/2026-11-0{day}-" in done.stdout
    done = inside("history", "show", "parse", "--contender", "BM_b", "--json", code=0)
    (series,) = json.loads(done.stdout)
    assert [point["ratio"] for point in series["points"]] == pytest.approx([0.5, 0.75])
    assert [point["revision"][0] for point in series["points"]] == ["1", "2"]
    (place,) = (tmp_path / "results").glob("2026-11-02-*.json")
    done = inside("report", str(place), "--markdown", "-", code=0)
    assert "BM\\_b" in done.stdout and "order of their medians" in done.stdout
    done = inside("report", str(place), "-o", "page.html", code=0)
    assert "BM_b" in (tmp_path / "page.html").read_text()
    # A gate has no build to run again, and says so.
    done = inside("compare", str(place), str(place), "--fail-if-slower", "5%", code=2)
    assert "measured by Google Benchmark" in " ".join(done.stdout.split())


@pytest.mark.parametrize("words", [("history", "add"), ("report",)])
def test_a_file_that_was_not_imported_says_how(inside: Command, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "h.json").write_text(json.dumps({"results": [result("true", [0.001])]}))
    done = inside(*words, "h.json", code=2)
    assert "h.json is hyperfine's JSON; headrace import h.json makes a results file of it" in done.stderr


def test_an_import_replaces_no_race(inside: Command, tmp_path: Path) -> None:
    (tmp_path / "h.json").write_text(json.dumps({"results": [result("true", [0.001])]}))
    store.save(synthetic.read_ints(), tmp_path / "race.json")
    done = inside("import", "h.json", "-o", "race.json", code=2)
    assert "race.json exists and is not an import" in done.stderr
    for again in range(2):
        assert inside("import", "h.json", "-o", "out.json").returncode == 0, again
    (tmp_path / "odd.json").write_text('{"speed": 3}')
    done = inside("import", "odd.json", code=2)
    assert "odd.json is JSON of an unknown kind" in done.stderr
