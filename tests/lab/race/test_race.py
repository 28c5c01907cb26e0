"""A race: the axes crossed, every toolchain of this machine, and contenders that misbehave."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from headrace.base import places, step
from headrace.base.errors import BadInput
from headrace.fleet import archive
from headrace.judge.table import has_role
from headrace.matrix import benchmarks, inputs, scaffold, toolchains
from headrace.matrix.compilers import Toolchain
from headrace.processes import launch
from headrace.race import options, race, row_programs
from headrace.race.options import RunOptions
from headrace.race.race import After, Raced
from headrace.race.rows import cross
from headrace.report import conditions, summary
from headrace.report.view import View
from headrace.results import schema
from headrace.results.schema import Campaign, Role, Row
from headrace.results.store import load, save


def by_contender(campaign: Campaign) -> dict[str, Row]:
    return {row.contender: row for row in campaign.rows if not row.twin_of}


@pytest.mark.slow
def test_a_small_campaign_over_every_toolchain(chains: list[Toolchain], tmp_path: Path) -> None:
    steps: list[step.Step] = []
    options = RunOptions(["read_ints"], rounds=2, settings=[{"rows": "10"}])  # 10 x 1000 integers
    campaign = race.run(options, steps.append)
    ranked = [row for row in campaign.rows if not row.twin_of]
    contenders = {one.name for one in benchmarks.find("read_ints").contenders()}
    assert {(row.contender, row.toolchain) for row in ranked} == {
        (name, chain.name) for name in contenders for chain in chains
    }
    assert {row.outcome for row in ranked} == {"ok"}, [row.detail for row in ranked if row.detail]
    assert all(len(row.samples) == 2 and row.tokens == 10_000 and row.build for row in ranked)
    assert {step.stage for step in steps} >= {"inputs", "builds", "runs"}
    assert race.exit_code(campaign) == 0
    save(campaign, tmp_path / "results.json")
    assert load(tmp_path / "results.json").model_dump() == campaign.model_dump()


def test_no_two_benchmarks_of_a_race_have_one_name() -> None:
    folder = str(places.benchmarks_folder() / "read_ints")
    with pytest.raises(BadInput, match="two of the benchmarks are called read_ints; race one at a time"):
        race.choose(RunOptions(["read_ints", folder]))
    with pytest.raises(BadInput, match="two of the benchmarks are called read_ints; race one at a time"):
        archive.pack(["read_ints", folder], [])


def test_whoever_misbehaves_is_shown_as_such(misbehaving: Path, chain: Toolchain) -> None:
    campaign = race.run(RunOptions([str(misbehaving)], toolchains=[chain.name], rounds=2))
    rows = by_contender(campaign)
    assert {name: row.outcome for name, row in rows.items()} == {
        "honest": "ok",
        "broken": "does not compile",
        "crashes": "CRASHED",
        "fails": "CRASHED",
        "hangs": "TIMED OUT",
        "lies": "WRONG",
        "silent": "WRONG",
        "wants": "skipped",
    }
    assert "undeclared" in rows["broken"].detail
    assert rows["crashes"].detail == "ended by SIGSEGV"
    assert rows["fails"].detail == "ended with status 3: cannot do it"
    assert "within 1 s" in rows["hangs"].detail
    assert "got '42'" in rows["lies"].detail and "got nothing" in rows["silent"].detail
    assert "HEADRACE_PEERS" in rows["wants"].detail
    assert all(not row.samples and not row.comparisons for row in rows.values() if row.outcome != "ok")
    assert race.exit_code(campaign) == 1


def test_another_language_races_by_its_own_line(chain: Toolchain, tmp_path: Path) -> None:
    compiler = chain.command[0]
    (tmp_path / "benchmark.toml").write_text(
        'title = "t"\nquestion = "q"\nbaseline = "copies"\nanswer = "output"\n'
        '[input]\ngenerator = "text"\nsize = 1000\n'
        '[[contender]]\nname = "copies"\n'
        '[[contender]]\nname = "own"\nsource = "own.c"\nvariants = { SIZE = [7, 4096] }\n'
        f'build = "{compiler} -x c -O1 -DSIZE={{SIZE}} own.c -o {{program}}"\n'
        '[[contender]]\nname = "absent"\nsource = "own.c"\nbuild = "no-such-tool {program}"\n'
    )
    (tmp_path / "copies.cpp").write_text(
        "#include <cstdio>\nint main() { for (int c; (c = std::getchar()) != EOF;) std::putchar(c); }\n"
    )
    (tmp_path / "own.c").write_text(
        "#include <unistd.h>\nint main(void) { char b[SIZE]; long n;\n"
        "while ((n = read(0, b, SIZE)) > 0) { if (write(1, b, n) != n) return 1; } return 0; }\n"
    )
    campaign = race.run(RunOptions([str(tmp_path)], [chain.name], rounds=2))
    rows = {row.label: row for row in campaign.rows if not row.twin_of}
    outcomes = {label: row.outcome for label, row in rows.items()}
    assert outcomes == {"copies": "ok", "own SIZE=7": "ok", "own SIZE=4096": "ok", "absent": "skipped"}
    own = rows["own SIZE=7"]
    assert "no program no-such-tool" in rows["absent"].detail and (own.optimisation, own.level) == ("", "")
    (tool,) = [info for info in campaign.toolchains if info.name == own.toolchain]
    assert tool.name != chain.name and tool.flags == [] and "-DSIZE=7" in own.command
    assert own.comparisons[0].other == rows["copies"].id
    (shown,) = [row for row in View(campaign).ranked[0].measured if row.row.id == own.id]
    assert shown.borrowed_baseline and shown.toolchain == own.toolchain


def test_without_its_baseline_a_race_goes_on(misbehaving: Path, chain: Toolchain, tmp_path: Path) -> None:
    text = (misbehaving / "benchmark.toml").read_text().replace('baseline = "honest"', 'baseline = "broken"')
    for file in misbehaving.glob("*.cpp"):
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "benchmark.toml").write_text(text)
    rows = by_contender(race.run(RunOptions([str(tmp_path)], [chain.name], ["honest"], rounds=2)))
    assert rows["honest"].outcome == "ok" and rows["broken"].outcome == "does not compile"


def test_a_sink_that_swallows_the_output_does_not_hide_a_wrong_one(chain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "benchmark.toml").write_text(
        'title = "t"\nquestion = "q"\nbaseline = "copies"\nanswer = "output"\nsinks = ["null", "file"]\n'
        '[input]\ngenerator = "text"\nsize = 1000\n'
        '[[contender]]\nname = "copies"\n[[contender]]\nname = "drops"\n'
    )
    loop = "for (int c; (c = std::getchar()) != EOF;) if (c != DROPPED) std::putchar(c);"
    source = "#include <cstdio>\nint main() { " + loop + " }\n"
    (tmp_path / "copies.cpp").write_text(source.replace("DROPPED", "-2"))
    (tmp_path / "drops.cpp").write_text(source.replace("DROPPED", "'7'"))
    campaign = race.run(RunOptions([str(tmp_path)], [chain.name], rounds=2))
    outcomes = {(row.contender, row.sink): row.outcome for row in campaign.rows if not row.twin_of}
    assert outcomes == {
        ("copies", "null"): "ok",
        ("copies", "file"): "ok",
        ("drops", "null"): "WRONG",
        ("drops", "file"): "WRONG",
    }


def test_a_contender_with_its_own_size_gets_a_baseline_of_that_size(
    chain: Toolchain, misbehaving: Path
) -> None:
    one = benchmarks.read(misbehaving)
    slow = one.spec.contender[0].model_copy(
        update={"name": "slow", "source": "honest.cpp", "input": {"rows": 2}}
    )
    spec = one.spec.model_copy(update={"contender": [one.spec.contender[0], slow]})
    lanes = cross(benchmarks.Benchmark("b", one.folder, spec), [chain], RunOptions(["b"]))
    assert [(lane.contender.name, lane.setting) for lane in lanes] == [
        ("honest", {}),
        ("slow", {"rows": "2"}),
        ("honest", {"rows": "2"}),
    ]
    assert lanes[1].group == lanes[2].group != lanes[0].group


def test_axes_multiply(chain: Toolchain) -> None:
    one = benchmarks.find("read_ints")
    options = RunOptions(
        ["read_ints"],
        contenders=["scanf_printf"],
        optimise=["O0", "O2"],
        routes=[("file", "null"), ("pipe", "null")],
        settings=[{"rows": "1"}, {"rows": "2"}],
    )
    lanes = cross(one, [chain], options)
    names = {"scanf_printf", one.spec.baseline, one.spec.limit, one.spec.floor}
    assert len(lanes) == len(names) * 2 * 2 * 2 == len({lane.row().id for lane in lanes})


def test_what_becomes_a_python_is_raced_once(chain: Toolchain) -> None:
    """It is the same with every compiler and level, and the first that runs here itself builds it."""
    chains = [replace(chain, name="windows", runner=["wine"]), replace(chain, name="first"), chain]
    options = RunOptions(["read_csv"], optimise=["O0", "O2"])
    rows = [lane.row() for lane in cross(benchmarks.find("read_csv"), chains, options)]
    built = {(row.toolchain, row.optimisation) for row in rows if row.contender.startswith("polars")}
    assert built == {("first", "O0")}
    assert len([row for row in rows if row.contender == "csv2"]) == 6


def test_further_floors_and_limits_are_not_ranked(chain: Toolchain) -> None:
    one = benchmarks.find("read_csv_parallel")
    rows = [lane.row() for lane in cross(one, [chain], RunOptions(["read_csv_parallel"]))]
    aside = {row.contender: row.role for row in rows if has_role(row, one.info())}
    starts = dict.fromkeys(("null", "polars_start", "pyarrow_start", "duckdb_start"), Role.FLOOR)
    assert aside == {**starts, "raw_read": Role.LIMIT, "raw_pread": Role.LIMIT}


def test_a_benchmark_takes_the_routes_that_have_its_kind_of_source() -> None:
    routes = [("file", "null"), ("none", "file")]
    chains = toolchains.find(["g++"]).toolchains[:1]
    for name, source in (("read_words", "file"), ("write_ints", "none")):
        lanes = cross(benchmarks.find(name), chains, RunOptions(benchmarks=[name], routes=routes))
        assert {lane.route[0] for lane in lanes} == {source}
    with pytest.raises(BadInput, match="read_words, which has an input: its routes begin with file:"):
        cross(benchmarks.find("read_words"), chains, RunOptions(["read_words"], routes=routes[1:]))


def test_levels_and_routes_are_checked() -> None:
    assert options.check_optimise(["O0,-O2"]) == ["O0", "O2"]
    assert options.check_routes(["file:null,pipe:pty"]) == [("file", "null"), ("pipe", "pty")]
    with pytest.raises(BadInput, match="O9 is not an optimisation level"):
        options.check_optimise(["O9"])
    with pytest.raises(BadInput, match="no sink nil; did you mean"):
        options.check_routes(["file:nil"])


def test_settings_and_sweeps() -> None:
    assert options.check_settings([], None) == [{}]
    assert options.check_settings(["rows=5"], None) == [{"rows": "5"}]
    swept = options.check_settings(["columns=3"], "rows=1e1..1e3")
    assert [one["rows"] for one in swept] == ["10", "32", "100", "316", "1000"]
    assert all(one["columns"] == "3" for one in swept)
    kinds = options.check_settings(["size=1e3"], "kind=short,wide,short")
    assert kinds == [{"size": "1000", "kind": "short"}, {"size": "1000", "kind": "wide"}]
    for wrong in ("rows", "rows=", "=5"):
        with pytest.raises(BadInput, match="a name and a value"):
            options.check_settings([wrong], None)
    for wrong in ("rows=5", "rows=a..b", "rows=9..3", "rows=0.5..5", "rows=1..1e12", "=a,b", "a=,"):
        with pytest.raises(BadInput, match="a sweep"):
            options.check_settings([], wrong)


@pytest.fixture
def guests(tmp_path: Path) -> dict[str, Path]:
    """Programs of a user's own: two that are right, one that is not, one that no compiler takes."""
    loop = "import sys\nwords = sys.stdin.read().split()\nprint(sum(map(int, words[2:])){})\n"
    texts = {
        "mine.cpp": (benchmarks.find("read_ints").folder / "scanf_printf.cpp").read_text(),
        "other.py": loop.format(""),
        "off.py": loop.format(" + 1"),
        "bad.cpp": "int main( {",
        "notes.txt": "hello",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


def test_programs_of_one_s_own_race_on_equal_terms(chain: Toolchain, guests: dict[str, Path]) -> None:
    own = [guests["mine.cpp"], guests["other.py"], guests["off.py"]]
    options = RunOptions(
        ["read_ints"], [chain.name], ["scanf_printf"], rounds=2, guests=own, settings=[{"rows": "2"}]
    )
    campaign = race.run(options)
    rows = by_contender(campaign)
    assert (rows["mine"].outcome, rows["other"].outcome, rows["off"].outcome) == ("ok", "ok", "WRONG")
    assert (rows["mine"].toolchain, rows["other"].toolchain) == (chain.name, "script")
    baseline = rows["hand_written"].id
    assert all({one.other for one in rows[name].comparisons} == {baseline} for name in ("mine", "other"))
    info = campaign.benchmarks[0]
    assert "mine" in info.contenders and "other.py" in info.sources


def test_a_source_gets_the_oldest_standard_that_takes_it(chain: Toolchain, guests: dict[str, Path]) -> None:
    newer = guests["mine.cpp"].with_name("newer.cpp")
    text = guests["mine.cpp"].read_text()
    newer.write_text('#if __cplusplus <= 201703L\n#error "c++20, please"\n#endif\n' + text)
    options = RunOptions(
        ["read_ints"], [chain.name], ["null"], rounds=1, guests=[newer], settings=[{"rows": "2"}]
    )
    row = by_contender(race.run(options))["newer"]
    assert row.outcome == "ok" and "-std=c++20" in row.command


def test_the_summary_says_the_place_of_one_s_own_program(chain: Toolchain, guests: dict[str, Path]) -> None:
    options = RunOptions(
        ["read_ints"],
        [chain.name],
        ["null"],
        rounds=2,
        guests=[guests["other.py"], guests["off.py"]],
        settings=[{"rows": "2"}],
    )
    campaign = race.run(options)
    ((_, said),) = summary.everything(View(campaign))
    assert any(re.match(r"Your `other` (takes place|has no place yet)", sentence) for sentence in said), said
    assert any(sentence.startswith("Your `off` has no time: WRONG: expected") for sentence in said)


def test_a_cold_campaign_says_so_and_where_it_is_not(
    chain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processor = min(os.sched_getaffinity(0))
    options = RunOptions(
        ["read_ints"],
        [chain.name],
        ["null"],
        rounds=1,
        cold=True,
        pin=processor,
        settings=[{"rows": "200"}],
    )
    campaign = race.run(options)
    assert campaign.cold and campaign.pin == processor
    rows = [row for row in campaign.rows if row.samples]
    assert rows and all("cold page cache" in row.notes for row in rows)
    stayed = [sample.cached for row in rows for sample in row.samples]
    assert all(share is not None for share in stayed)
    warned = any("in spite of --cold" in warning for warning in campaign.warnings)
    assert warned == any((share or 0) > schema.MOST_CACHED for share in stayed)
    said = " ".join(conditions.sentences(campaign))
    assert f"on processor {processor}" in said and "cold cache" in said.lower()


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no RAM disk on this system")
@pytest.mark.parametrize("keeps", [False, True])
def test_ctrl_c_after_the_last_round_keeps_what_was_measured(keeps: bool, chain: Toolchain) -> None:
    class Stop(After):
        def __call__(self, raced: Raced) -> None:
            self.remark("It stops.")
            for row in raced.rows.values() if keeps else ():
                raced.rows[row.id] = row.model_copy(update={"cause": "found"})
            raise KeyboardInterrupt

    options = RunOptions(["read_ints"], [chain.name], ["null"], rounds=2, quick=True)
    campaign = race.run(options, afters=[Stop(), Stop()])
    assert campaign.warnings.count("It stops.") == 1
    assert all(len(row.samples) == 2 and row.cause == ("found" if keeps else "") for row in campaign.rows)
    assert campaign.interrupted and race.exit_code(campaign) == 130
    assert [one for one in campaign.warnings if "Interrupted after the last round" in one]


def test_a_ram_disk_cannot_be_cold(chain: Toolchain) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        text = Path(folder) / "input"
        text.write_text("1 2 3\n" * 10_000)
        sample = launch.run(launch.Request(["cat"], source="file", input=text, cold=True))
    assert isinstance(sample, schema.Sample) and sample.cached == 1


def test_a_processor_that_is_not_here() -> None:
    with pytest.raises(BadInput, match="--pin 9999: programs may run on the processors 0"):
        race.run(RunOptions(["read_ints"], pin=9999))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bad.cpp", "bad.cpp: no toolchain takes it, as c\\+\\+17 or newer; .* says: bad.cpp:1:"),
        ("notes.txt", "neither a C\\+\\+ source .* nor a program; chmod \\+x"),
        ("gone.cpp", "there is no file .*gone.cpp"),
    ],
)
def test_a_program_that_cannot_race_is_told_why(
    chain: Toolchain, guests: dict[str, Path], name: str, message: str
) -> None:
    file = guests["mine.cpp"].with_name(name)
    with pytest.raises(BadInput, match=message):
        race.run(RunOptions(["read_ints"], [chain.name], ["null"], guests=[file], settings=[{"rows": "1"}]))


def test_a_program_needs_a_name_of_its_own(guests: dict[str, Path]) -> None:
    twice = [guests["mine.cpp"], guests["mine.cpp"]]
    with pytest.raises(BadInput, match="a contender named mine already"):
        benchmarks.with_guests(benchmarks.find("read_ints"), twice)


def test_a_new_benchmark_runs_at_once(chain: Toolchain, tmp_path: Path) -> None:
    files = scaffold.create(tmp_path / "fresh")
    assert sorted(file.name for file in files) == [
        "benchmark.toml", "nothing.cpp", "scanf_loop.cpp", "stream_loop.cpp"
    ]  # fmt: skip
    campaign = race.run(RunOptions([str(tmp_path / "fresh")], [chain.name], rounds=2, quick=True))
    assert {row.outcome for row in campaign.rows} == {"ok"}
    with pytest.raises(BadInput, match="fresh exists"):
        scaffold.create(tmp_path / "fresh")
    with pytest.raises(BadInput, match="is not a name for a benchmark"):
        scaffold.create(tmp_path / "two words")
    with pytest.raises(BadInput, match="a benchmark read_ints comes with headrace; choose another name"):
        scaffold.create(tmp_path / "read_ints")
    assert not (tmp_path / "read_ints").exists()


def test_a_contender_may_have_an_answer_of_its_own() -> None:
    data = inputs.Input(None, 0, 0, launch.Expected(text="in order"))

    def expected(**settings: object) -> launch.Expected | None:
        return row_programs._expected(
            benchmarks.ContenderSpec.model_validate({"name": "one", **settings}), data
        )

    assert expected() == data.expected
    assert expected(expected="errors first") == launch.Expected(text="errors first")
    assert expected(answer=False) is None
