"""The index over results files: what goes in, what comes out, what changed, and what it says of bad input."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import multiprocessing
import random
import shlex
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

import native
import synthetic
from conftest import Command, command
from headrace.base import places, units
from headrace.base.errors import BadInput
from headrace.history import picture, settings
from headrace.history.index import NAME, VERSION, Index, Point, Question, host_of, rebuilt
from headrace.history.trend import Change, changes
from headrace.results import store
from headrace.results.schema import Campaign, Comparison, Machine, Row, Run, Sample, row_id

CHAIN = "g++-12/libstdc++/x86_64-linux"
BASE = row_id("read_ints", "hand_written", {}, CHAIN, "O2", "file:null")
START = datetime(2026, 1, 1, tzinfo=UTC)


def row(name: str, ratio: float | None, outcome: str = "ok") -> Row:
    return synthetic.a_row(
        name,
        id=row_id("read_ints", name, {}, CHAIN, "O2", "file:null"),
        benchmark="read_ints",
        toolchain=CHAIN,
        outcome=outcome,
        samples=[Sample(round=1, wall=0.01 * (ratio or 1), user=0.01, system=0, peak_memory=1)],
        comparisons=[] if ratio is None else [comparison(ratio)],
    )


def comparison(ratio: float) -> Comparison:
    return Comparison(
        other=BASE,
        metric="wall",
        ratio=ratio,
        low=ratio * 0.99,
        high=ratio * 1.01,
        rounds=12,
        verdict="faster",
    )


def campaign(
    day: int, ratio: float | None, commit: str = "", host: str = "abcdef012345", failed: bool = False
) -> Campaign:
    rows = [row("hand_written", None), row("headrace_bulk", ratio)]
    if failed:
        rows.append(row("broken", None, "WRONG"))
    return synthetic.a_campaign(
        rows,
        started=(START + timedelta(days=day)).isoformat(),
        commit=commit or f"{day:040x}",
        benchmarks=[synthetic.an_info("read_ints", "hand_written")],
        run=Run(id=f"run {day} {host}", host=host),
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    made = Index(tmp_path / "history.sqlite")
    yield made
    made.close()


def saved(folder: Path, day: int, ratio: float, **more: str) -> Path:
    file = folder / f"{day}.json"
    store.save(campaign(day, ratio, **more), file)
    return file


def add_all(index: Index, campaigns: Iterable[tuple[str, Campaign]]) -> None:
    """Add campaigns as of files of these names, at once."""
    with index._changing():
        for name, made in campaigns:
            index._insert(made, name, hashlib.sha256(name.encode()).hexdigest(), 0, 0)


def ratios(index: Index, name: str = "headrace_bulk") -> list[float | None]:
    return [
        point.ratio
        for number, series in index.series("read_ints")
        if series.name == name
        for point in index.points([number], Question())[0]
    ]


def test_what_was_added_comes_out_in_order_of_time(index: Index, tmp_path: Path) -> None:
    for day, ratio in ((3, 0.3), (1, 0.1), (2, 0.2)):
        assert index.add(saved(tmp_path, day, ratio)) == "added"
    assert ratios(index) == [0.1, 0.2, 0.3]
    assert ratios(index, "hand_written") == [None, None, None]
    assert [entry.started[:10] for entry in index.campaigns(Question())] == [
        "2026-01-04",
        "2026-01-03",
        "2026-01-02",
    ]


def test_a_file_counts_once_under_whatever_name(index: Index, tmp_path: Path) -> None:
    file = saved(tmp_path, 1, 0.1)
    index.add(file)
    assert index.add(file) == "known"
    moved = file.rename(tmp_path / "moved.json")
    assert index.add(moved) == "known"
    assert [entry.file.name for entry in index.campaigns(Question())] == ["moved.json"]
    assert ratios(index) == [0.1]


def test_a_file_that_took_the_place_of_another_is_the_only_one_there(index: Index, tmp_path: Path) -> None:
    first, second = saved(tmp_path, 1, 0.1), saved(tmp_path, 2, 0.2)
    index.add(first)
    index.add(second)
    second.rename(first)
    assert index.add(first) == "known"
    assert [entry.file.name for entry in index.campaigns(Question())] == ["1.json"]
    assert ratios(index) == [0.2]
    assert index.check([first]) == []


def test_a_file_that_was_edited_or_is_gone_is_named_and_one_that_was_touched_is_not(
    index: Index, tmp_path: Path
) -> None:
    file = saved(tmp_path, 1, 0.1)
    index.add(file)
    file.touch()
    assert index.check([file]) == []
    store.save(campaign(1, 0.25), file)
    with pytest.raises(BadInput, match=r"1\.json was edited after it was indexed; headrace history add"):
        index.check([file])
    assert index.add(file) == "read again"
    assert index.check([file]) == []
    assert ratios(index) == [0.25]
    file.unlink()
    assert index.check([file]) == [file]


def test_rebuilt_is_the_same_as_added(index: Index, tmp_path: Path) -> None:
    files = [saved(tmp_path, day, day / 10) for day in (1, 2, 3)]
    for file in files:
        index.add(file)
    before = ratios(index)
    (tmp_path / "broken.json").write_text("{")
    count, left_out = rebuilt(tmp_path / "second.sqlite", [*files, tmp_path / "broken.json"])
    assert count == 3
    assert len(left_out) == 1 and "broken.json is not a results file" in left_out[0]
    again = Index(tmp_path / "second.sqlite")
    assert ratios(again) == before
    assert again.check(files) == []


@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_answers_as_what_is_made_from_scratch(tmp_path: Path, seed: int) -> None:
    """Campaigns come in any order, lack a row or a ratio, and are edited: their numbers are given again."""
    draw = random.Random(seed)
    files: dict[str, Campaign] = {}
    with Index(tmp_path / "kept.sqlite") as kept, Index(tmp_path / "made.sqlite") as made:
        with kept._changing():
            day = 0
            for _ in range(1500):
                day = draw.choice([day, draw.randrange(1400), draw.randrange(1400)])
                ratio = (0.2, 0.23, 0.21)[day // 470] * math.exp(draw.gauss(0, 0.01))
                first, second = campaign(day, ratio).rows
                rows = [first, *draw.choice([[second], [second], [row("headrace_bulk", None)], []])]
                name = f"{day}.json"
                files[name] = campaign(day, ratio).model_copy(update={"rows": rows})
                kept._remove("file = ?", (name,))
                kept._insert(files[name], name, str(draw.random()), 0, 0)
        add_all(made, sorted(files.items()))
        wanted = answers(made)
        assert len(wanted["headrace_bulk"][1]) >= 2
        assert answers(kept) == wanted


def answers(index: Index) -> dict[str, tuple[list[Point], list[Change]]]:
    """Return the points of each series and the changes of its level, to the bit."""
    lines = index.series("read_ints")
    series = [number for number, _ in lines]
    every, some = (index.points(series, question) for question in (Question(), Question(since="2027")))
    for whole, part in zip(every, some, strict=True):
        assert list(part) == [point for point in whole if point.started >= "2027"]
        assert [part[at] for at in (0, 7, -1)] == [list(part)[at] for at in (0, 7, -1)]
    return {
        words.name: (list(points), changes(points.ratios))
        for (_, words), points in zip(lines, every, strict=True)
    }


def test_results_may_be_packed(inside: Command, tmp_path: Path) -> None:
    """One reader for all commands: what gzip packed, what is damaged, and what would take much memory."""
    file = saved(tmp_path, 1, 0.5)
    packed = gzip.compress(file.read_bytes())
    file.unlink()
    (tmp_path / "1.json.gz").write_bytes(packed)
    (tmp_path / "2.json.gz").write_bytes(packed[:-20])
    (tmp_path / "3.json.gz").write_bytes(gzip.compress(b"[]," * (6 << 20)))
    done = inside("history", "rebuild", ".")
    assert "1 campaign\n" in done.stdout and "cannot read 2.json.gz: its gzip data are damaged" in done.stdout
    assert "3.json.gz: it unpacks to more than 16 MiB; if it is your own, unpack it" in done.stdout
    assert inside("report", "1.json.gz").returncode == 0 and (tmp_path / "1.html").exists()
    assert inside("history", "add", "2.json.gz").returncode == 2


def test_much_may_come_out_of_a_packed_file_only_where_it_is_large() -> None:
    few, tenth, much = (places.most_text(size << 20) for size in (0, 1, 10))
    assert (few, tenth, much) == (16 << 20, 30 << 20, 64 << 20)
    assert places.plausible(10 << 20) == 300 << 20  # of what is not JSON


def test_questions_choose(index: Index, tmp_path: Path) -> None:
    add_all(index, ((f"{day}.json", campaign(day, 0.1, failed=day == 4)) for day in range(10)))
    add_all(index, [("other.json", campaign(20, 0.1, host="fedcba"))])

    def days(question: Question) -> list[int]:
        return [(datetime.fromisoformat(one.started) - START).days for one in index.campaigns(question)]

    assert days(Question(failed=True)) == [4]
    assert days(Question(since="2026-01-09")) == [20, 9, 8]
    assert days(Question(until="2026-01-02")) == [1, 0]
    assert days(Question(revision=f"{7:040x}")) == [7]
    assert days(Question(host="fed")) == [20]
    assert days(Question(benchmark="write_ints")) == []
    assert len(days(Question(benchmark="read_ints"))) == 11


def test_times_of_other_zones_are_put_in_order(index: Index) -> None:
    late = campaign(0, 0.1).model_copy(update={"started": "2026-01-01T01:00:00+05:00"})
    add_all(index, [("a.json", campaign(0, 0.2)), ("b.json", late)])
    assert [entry.started for entry in index.campaigns(Question())] == [
        "2026-01-01T00:00:00+00:00",
        "2025-12-31T20:00:00+00:00",
    ]


def test_a_file_without_a_host_has_one_all_the_same() -> None:
    one, same, other = campaign(0, 1, host=""), campaign(1, 1, host=""), campaign(0, 1, host="")
    other = other.model_copy(update={"machine": Machine(cpu="Another", cores=2)})
    assert host_of(one) == host_of(same) != host_of(other)


# --- changes of level


def noisy(levels: Sequence[tuple[int, float]], spread: float, seed: int) -> list[float]:
    draw = random.Random(seed)
    return [level * math.exp(draw.gauss(0, spread)) for count, level in levels for _ in range(count)]


def test_a_change_of_five_in_a_hundred_is_found_where_it_is() -> None:
    found = [changes(noisy([(20, 0.2), (15, 0.21)], 0.008, seed)) for seed in range(40)]
    right = [one for one in found if len(one) == 1 and abs(one[0].at - 20) <= 1]
    assert len(right) >= 36
    assert all(1.04 < one[0].factor < 1.06 for one in right)


def test_a_clear_step_is_found_where_it_is_at_each_place() -> None:
    found = {at: changes(noisy([(at, 0.2), (60 - at, 0.24)], 0.002, at)) for at in range(4, 57)}
    assert {at: [one.at for one in each] for at, each in found.items()} == {at: [at] for at in found}


def test_noise_alone_is_no_change() -> None:
    found = [changes(noisy([(40, 0.2)], 0.03, seed)) for seed in range(60)]
    assert sum(map(bool, found)) <= 3


def test_there_and_back_are_two_changes() -> None:
    (there, back) = changes(noisy([(12, 0.2), (12, 0.3), (12, 0.2)], 0.01, 1))
    assert (there.at, back.at) == (12, 24)
    assert there.factor == pytest.approx(1.5, rel=0.02)
    assert back.factor == pytest.approx(1 / 1.5, rel=0.02)


def test_less_than_the_margin_and_too_few_points_say_nothing() -> None:
    assert changes([0.2] * 10 + [0.2005] * 10) == []
    assert changes([0.2] * 3 + [0.4] * 4) == []
    assert [one.at for one in changes([0.2] * 4 + [0.4] * 4)] == [4]


def test_changes_among_a_hundred_thousand_are_found_at_once() -> None:
    values = noisy([(40_000, 0.2), (30_000, 0.21), (30_000, 0.2)], 0.03, 3)
    begun = time.process_time()
    found = changes(values)
    assert time.process_time() - begun < 2  # a quarter of a second; quadratic would be hours
    assert [round(one.at, -2) for one in found] == [40_000, 70_000]


# --- the command


def add_levels(folder: Path) -> None:
    values = noisy([(12, 0.2), (12, 0.3)], 0.01, 1)
    (folder / "results").mkdir()
    for day, value in enumerate(values):
        saved(folder / "results", day, value, commit=("a" if day < 12 else "b") * 40)


@pytest.mark.slow
def test_from_files_to_a_picture(headrace: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    add_levels(tmp_path)
    done = headrace("history", "add", *map(str, sorted(Path("results").glob("*.json"))), code=0)
    assert done.stdout == "results/history.sqlite: 24 added\n"
    done = headrace("history", "show", "read_ints", "--contender", "headrace_*", "--svg", "trend.svg", code=0)
    assert "headrace_bulk, g++-12/libstdc++/x86_64-linux: 0.2" in done.stdout
    assert "commit aaaaaaaaa to bbbbbbbbb" in done.stdout
    [way] = [line for line in done.stdout.splitlines() if line.startswith("headrace compare results/")]
    gate = headrace(*shlex.split(way)[1:], code=2)
    assert "could not run again, so the gate cannot vouch for them" in gate.stderr  # there are no builds
    assert (tmp_path / "trend.svg").read_text().count('class="point"') == 24
    done = headrace("history", "show", "read_ints", "--json")
    (series,) = json.loads(done.stdout)
    assert [change["at"] for change in series["changes"]] == [12]
    assert len(series["points"]) == 24
    done = headrace("history", "list", "--most", "2", "--json")
    assert [one["started"][:10] for one in json.loads(done.stdout)] == ["2026-01-24", "2026-01-23"]
    done = headrace("history", "rebuild")
    assert done.stdout == "results/history.sqlite: 24 campaigns\n"


def test_campaigns_that_would_hide_each_other_are_drawn_in_groups(index: Index) -> None:
    draw = random.Random(1)
    values = [draw.uniform(1, 2) for _ in range(40 * picture.GROUPS)]
    values[:3] = 1.0, 2.0, 1.1
    add_all(index, ((f"{day}.json", campaign(day, value)) for day, value in enumerate(values)))
    [(number, series)] = [line for line in index.series("read_ints") if line[1].name == "headrace_bulk"]
    for until, count in (("2026-04-10", 100), ("2026-04-11", picture.GROUPS), ("", picture.GROUPS)):
        (points,) = index.points([number], Question(until=until))
        drawn = picture.draw("read_ints", [picture.Line(series, points, [])])
        assert drawn.count('class="point"') == count
        assert ("0000000: 3 campaigns, 1.10, most 1.00 to 2.00<" in drawn) == (until == "2026-04-11")
    first = sorted(values[:40])  # all but one in forty at each end
    bounds = [units.ratio(ratio) for ratio in ((first[19] + first[20]) / 2, first[1], first[38])]
    assert "2026-01-01T00:00 0000000: 40 campaigns, {}, most {} to {}<".format(*bounds) in drawn


def test_a_change_has_the_command_of_its_gate_and_an_imported_one_has_none(
    inside: Command, index: Index
) -> None:
    def as_imported(one: Campaign) -> Campaign:
        apart = {"low": 0, "high": None}
        pairs = [[pair.model_copy(update=apart) for pair in row.comparisons] for row in one.rows]
        rows = [row.model_copy(update={"comparisons": own}) for row, own in zip(one.rows, pairs, strict=True)]
        return one.model_copy(update={"rows": rows, "run": Run(id=f"{one.run.id} imported", host="imported")})

    ran = [campaign(day, ratio) for day, ratio in enumerate([*[0.2] * 4, None, *[0.3] * 4])]
    imported = [as_imported(one) for one in ran]
    add_all(index, [(f"{at}.json", one) for at, one in enumerate([*ran, *imported])])
    words = ["history", "show", "read_ints", "--index", "history.sqlite"]
    gate = "headrace compare 3.json 5.json --fail-if-slower 1% --contender headrace_bulk"
    shown = inside(*words, "--host", "abc", code=0).stdout
    assert gate in shown.splitlines() and "not paired: these commands run both sides" in shown
    shown = inside(*words, "--host", "imported", code=0).stdout
    assert "headrace compare" not in shown
    assert "not paired; of imported ones headrace has no build to run again." in shown
    every = json.loads(inside(*words, "--json", code=0).stdout)
    assert {one["host"]: [change["command"] for change in one["changes"]] for one in every} == {
        "abcdef012345": [gate],
        "imported": [""],
    }


@pytest.mark.slow
def test_an_unknown_benchmark_suggests_one(
    headrace: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    headrace("history", "add", str(saved(tmp_path, 1, 0.1)))
    done = headrace("history", "show", "read_int", code=2)
    assert "read_ints" in done.stderr


def test_what_an_index_cannot_tell_ends_with_2(inside: Command, index: Index, tmp_path: Path) -> None:
    file = saved(tmp_path, 1, 0.1)
    index.add(file)
    store.save(campaign(1, 0.25), file)
    done = inside("history", "list", "--index", "history.sqlite", code=2)
    assert "1.json was edited after it was indexed" in done.stderr
    index.close()
    for version, told in (
        (99, f"history.sqlite is of version 99, and this headrace knows up to {VERSION}; update"),
        (1, f"it is of version 1, and this headrace has {VERSION}; headrace history rebuild makes it again"),
    ):
        with sqlite3.connect(index.file) as opened:
            opened.execute(f"PRAGMA user_version = {version}")
        assert told in inside("history", "list", "--index", "history.sqlite", code=2).stderr
    assert inside("history", "rebuild", ".", "--index", "history.sqlite").returncode == 0
    assert inside("history", "list", "--index", "history.sqlite").returncode == 0


def test_another_file_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello, this is no database at all\n" * 100)
    with pytest.raises(BadInput, match="cannot use .*text as an index"):
        Index(tmp_path / "text")
    with sqlite3.connect(tmp_path / "else.sqlite") as opened:
        opened.execute("CREATE TABLE bookmarks (name TEXT)")
    with pytest.raises(BadInput, match="is a database of something else"):
        Index(tmp_path / "else.sqlite")


def test_a_disk_without_room_for_an_index_is_said(tmp_path: Path) -> None:
    file = saved(tmp_path, 1, 0.25)
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash", *command(["history", "add", str(file)])]
    done = native.call(*limited, cwd=tmp_path)
    assert done.returncode == 2 and "cannot use results/history.sqlite as an index: " in done.stderr, (
        done.stderr
    )


def test_several_processes_may_make_the_same_index_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for number in range(10):
        file = tmp_path / f"{number}.sqlite"
        barrier = context.Barrier(6)
        processes = [context.Process(target=opened, args=(file, barrier)) for _ in range(6)]
        for process in processes:
            process.start()
        for process in processes:
            process.join(60)
        assert [process.exitcode for process in processes] == [0] * 6


def opened(file: Path, barrier: Barrier) -> None:
    """Open an index at the moment at which others do."""
    barrier.wait()
    Index(file).close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("histroy = true\n", "histroy"),
        ("history = 1\n", "history wants true or false, not 1"),
        ("history = \n", "cannot read headrace.toml"),
    ],
)
def test_a_bad_setting_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not settings.wants_history()
    Path("headrace.toml").write_text(text)
    with pytest.raises(BadInput, match=words):
        settings.wants_history()


@pytest.mark.parametrize("words", [["run", "read_ints"], ["import", "bench.json"], ["rerun", "a.headrace"]])
def test_an_index_that_cannot_be_used_is_said_before_a_race(
    inside: Command, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "headrace.toml").write_text("history = true\n")
    place = tmp_path / "results" / NAME
    place.parent.mkdir()
    with sqlite3.connect(place) as older:
        older.executescript("CREATE TABLE campaign (id); PRAGMA user_version = 1")
    done = inside(*words, code=2)
    assert "it is of version 1" in done.stderr and "headrace history rebuild" in done.stderr
    assert list(place.parent.iterdir()) == [place]


@pytest.mark.slow
def test_with_history_on_a_race_is_remembered(
    headrace: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("headrace.toml").write_text("history = true\n")
    words = "run read_ints --contender hand_written --toolchain g++ --set rows=1000 --rounds 1 --out one.json"
    done = headrace(*words.split(), code=0)
    done = headrace("history", "list", "--json")
    assert [Path(one["file"]).name for one in json.loads(done.stdout)] == ["one.json"]


@pytest.mark.slow
def test_a_hundred_thousand_campaigns_answer_at_once(index: Index) -> None:
    names = [f"contender_{at}" for at in range(5)]
    one = campaign(0, 0.2)
    rows = [row(name, 0.2) for name in names]

    def many() -> Iterator[tuple[str, Campaign]]:
        for at in range(100_000):
            update = {
                "started": (START + timedelta(minutes=at)).isoformat(),
                "commit": f"{at // 10:040x}",
                "rows": rows if at % 1000 else [*rows, row("broken", None, "WRONG")],
            }
            yield f"{at}.json", one.model_copy(update=update)

    add_all(index, many())
    number = next(number for number, series in index.series("read_ints") if series.name == names[2])
    every = [number for number, _ in index.series("read_ints")]
    questions = {
        "the newest": lambda: len(index.campaigns(Question(benchmark="read_ints"))),
        "a contender over time": lambda: len(index.points([number], Question())[0]),
        "all contenders over time": lambda: sum(map(len, index.points(every, Question()))),
        "a week": lambda: len(index.points([number], Question(since="2026-02-01", until="2026-02-07"))[0]),
        "a commit": lambda: len(index.campaigns(Question(revision=f"{77:040x}"))),
        "failures": lambda: len(index.campaigns(Question(failed=True), 1000)),
    }
    answers = {}
    for name, ask in questions.items():
        begun = time.process_time()
        answers[name] = ask()
        taken = time.process_time() - begun
        print(f"{name}: {taken:.3f} s")
        assert taken < 3, name  # under one on an idle machine; others keep one busy, or it is half as fast
    assert answers == {
        "the newest": 20,
        "a contender over time": 100_000,
        "all contenders over time": 500_100,
        "a week": 7 * 24 * 60,
        "a commit": 10,
        "failures": 100,
    }


def renamed_in_its_table(whole: bytes) -> bytes:
    """Change a name where the campaign has it, and not in the list by which it is looked up."""
    place = whole.index(b"23.json", whole.index(b"23.json") + 1)
    return whole[:place] + b"2x" + whole[place + 2 :]


@pytest.mark.parametrize(
    "damaged",
    [
        lambda whole: whole[:4096] + b"\xa5" * (len(whole) - 4096),
        lambda whole: whole.replace(b"campaign (started)", b"campaign (st\xbbrted)"),
        lambda whole: whole.replace(b"2026-01", b"2026\xff01"),
        renamed_in_its_table,
    ],
    ids=["pages", "tables", "text", "a name"],
)
def test_a_damaged_index_is_a_sentence(
    inside: Command, tmp_path: Path, damaged: Callable[[bytes], bytes]
) -> None:
    add_levels(tmp_path)
    inside("history", "add", *map(str, sorted((tmp_path / "results").glob("*.json"))))
    (file,) = tmp_path.rglob(NAME)
    file.write_bytes(damaged(file.read_bytes()))
    for words in (["list"], ["show", "read_ints"]):
        done = inside("history", *words, code=2)
        assert "cannot use" in done.stderr and "headrace history rebuild" in done.stderr
    assert "24 campaigns" in inside("history", "rebuild").stdout


@pytest.mark.parametrize(
    "damage",
    [
        "packed = 'text'",
        "packed = x'00'",
        "packed = substr(packed, 1, 12)",
        "packed = substr(packed, 1, 23) || x'40'",
        "checksum = 'text'",
    ],
    ids=["text", "part", "a campaign less", "another ratio", "another checksum"],
)
def test_damaged_ratios_are_a_sentence(inside: Command, index: Index, damage: str) -> None:
    add_all(index, [("1.json", campaign(1, 0.1)), ("2.json", campaign(2, 0.1))])
    words = ["history", "show", "read_ints", "--index", "history.sqlite"]
    assert "0.10" in inside(*words, code=0).stdout
    with index._changing():
        index._store.execute(f"UPDATE ratios SET {damage}")
    for more in ([], ["--json"]):
        done = inside(*words, *more, code=2)
        assert "cannot use" in done.stderr and "headrace history rebuild" in done.stderr


@pytest.mark.parametrize(
    "damage",
    ["UPDATE point SET low = 'text'", "UPDATE point SET low = -1", "UPDATE campaign SET id = id + (1 << 40)"],
    ids=["a text", "a sign", "a number"],
)
def test_damaged_values_are_a_sentence(inside: Command, index: Index, damage: str) -> None:
    """SQLite finds nothing wrong with any of them."""
    add_all(index, [("1.json", campaign(1, 0.1)), ("2.json", campaign(2, 0.1))])
    with sqlite3.connect(index.file) as opened:
        opened.execute(damage)
    done = inside("history", "show", "read_ints", "--index", "history.sqlite", "--svg", "drawn.svg", code=2)
    assert "cannot use" in done.stderr and "headrace history rebuild" in done.stderr


def test_an_error_that_the_index_did_not_cause_is_left_as_it_is(index: Index) -> None:
    add_all(index, [("1.json", campaign(1, 0.1)), ("2.json", campaign(2, 0.1))])
    with pytest.raises(TypeError, match="of the caller"), Index(index.file):
        raise TypeError("of the caller")


def test_an_index_may_change_while_it_is_read(index: Index, tmp_path: Path) -> None:
    """Campaigns that came are left out; of those that went a sentence is said, as changes count by place."""
    files = [saved(tmp_path, day, day / 10) for day in (1, 3)]
    for file in files:
        index.add(file)
    (number,) = [number for number, series in index.series("read_ints") if series.name == "headrace_bulk"]
    (points,) = index.points([number], Question())
    with Index(index.file) as other:
        other.add(saved(tmp_path, 2, 0.2))
        assert [point.ratio for point in points] == [0.1, 0.3]
        assert points[-1].ratio == 0.3
        with other._changing():
            other._remove("file = ?", ["1.json"])
    for read in (lambda: points[0], lambda: list(points), lambda: index.check([files[0]])):
        with pytest.raises(BadInput, match=r"history\.sqlite was changed while it was read; ask again"):
            read()


def test_a_file_that_is_refused_makes_no_index(inside: Command, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{}")
    done = inside("history", "add", "broken.json", code=2)
    assert "broken.json is not a headrace results file" in done.stderr
    assert done.stdout == "results/history.sqlite: nothing added\n"
    assert "cannot read absent.json" in inside("history", "add", "absent.json").stderr
    assert [one.name for one in tmp_path.iterdir()] == ["broken.json"]


def test_what_is_added_while_an_index_is_made_again_is_not_lost(index: Index, tmp_path: Path) -> None:
    first, second = saved(tmp_path, 1, 0.1), saved(tmp_path, 2, 0.2)
    index.add(first)
    assert rebuilt(index.file, [first]) == (1, [])  # takes the place of the file that `index` has open
    assert index.add(second) == "added"
    again = Index(index.file)
    assert ratios(again) == [0.1, 0.2]
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_an_index_is_changed_by_one_process_at_a_time(tmp_path: Path) -> None:
    files = [saved(tmp_path, day, day / 10) for day in range(1, 7)]
    place, context = tmp_path / NAME, multiprocessing.get_context("fork")
    Index(place).close()
    barrier = context.Barrier(len(files))
    processes = [context.Process(target=rebuilt_with, args=(place, files, one, barrier)) for one in files]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * len(files)
    assert len(ratios(Index(place))) == len(files)


def rebuilt_with(place: Path, files: Sequence[Path], own: Path, barrier: Barrier) -> None:
    """Make an index again or add to it, at the moment at which others do."""
    barrier.wait()
    if own == files[0]:
        rebuilt(place, files)
    else:
        Index(place).add(own)
