"""Readings of a made-up /proc and /sys, and the sentences that follow."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import synthetic
from checkout import TOP
from headrace.machine import noise
from headrace.results.schema import Noise, Row, Sample


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")


def reading(
    at: float, busy: float = 0.0, stolen: float = 0.0, waited: float = 0.0, ours: float = 0.0
) -> noise.Reading:
    return noise.Reading(at, busy, stolen, waited, ours)


def watch(*readings: noise.Reading) -> list[Noise]:
    """Pass pairs of readings as the begin and end of rounds on two processors."""
    left = list(readings)
    watcher = noise.Watcher(lambda: left.pop(0), processors=2)
    rounds = []
    for number in range(1, len(readings) // 2 + 1):
        watcher.begin()
        rounds.append(watcher.end(number, involuntary_switches=number))
    return rounds


def test_counters_are_read_in_seconds(tmp_path: Path) -> None:
    tick = os.sysconf("SC_CLK_TCK")
    put(
        tmp_path,
        "proc/stat",
        f"cpu  {2 * tick} {tick} {3 * tick} 999 7 {tick} {tick} {5 * tick} 0 0\ncpu0 1 2\n",
    )
    put(
        tmp_path,
        "proc/pressure/cpu",
        "some avg10=0.81 avg60=0.52 avg300=0.71 total=8479404\nfull avg10=0.00 total=1\n",
    )
    now = noise.read(tmp_path)
    assert now.busy == pytest.approx(8)
    assert now.stolen == pytest.approx(5)
    assert now.waited == pytest.approx(8.479404)


def test_missing_files_read_as_nothing(tmp_path: Path) -> None:
    now = noise.read(tmp_path)
    assert (now.busy, now.stolen, now.waited) == (0.0, 0.0, 0.0)
    assert (noise.governor(tmp_path), noise.turbo(tmp_path)) == ("", "")
    watcher = noise.Watcher(lambda: noise.read(tmp_path))
    watcher.begin()
    assert watcher.end(1) == Noise(round=1)
    put(tmp_path, "proc/stat", "intr 5\n")
    assert noise.read(tmp_path).busy == 0.0


def test_a_round_knows_its_shares() -> None:
    (one,) = watch(reading(0, ours=50, busy=10), reading(4, busy=16, stolen=0.4, waited=1, ours=54))
    assert one.stolen == pytest.approx(0.05)  # 0.4 s of the 8 s that two processors had
    assert one.pressure == pytest.approx(0.25)
    assert one.foreign == pytest.approx(0.5)  # busy 6 s, 4 of them ours, in 4 s
    assert one.involuntary_switches == 1


def test_short_rounds_share_a_window_of_a_second() -> None:
    """10 ms ticks: 20 rounds of 0.1 s, one foreign tick of 10 ms falls into the first only."""
    readings = []
    for number in range(20):
        busy = 10.0 if number == 0 else 10.01
        readings += [reading(number * 0.1, busy=busy), reading(number * 0.1 + 0.1, busy=10.01)]
    rounds = watch(*readings)
    assert rounds[9].foreign == pytest.approx(0.01)
    assert rounds[19].foreign == 0.0


def test_a_long_round_is_judged_alone() -> None:
    rounds = watch(reading(0, busy=1), reading(5, busy=11), reading(5, busy=11), reading(10, busy=11.5))
    assert [one.foreign for one in rounds] == [pytest.approx(2), pytest.approx(0.1)]


def test_rounding_never_gives_negative_shares() -> None:
    (one,) = watch(reading(0, busy=1), reading(1, busy=1.99, ours=1.0))
    assert one.foreign == 0.0


def test_governor_and_turbo(tmp_path: Path) -> None:
    cpu = "sys/devices/system/cpu"
    put(tmp_path, f"{cpu}/cpu0/cpufreq/scaling_governor", "powersave\n")
    put(tmp_path, f"{cpu}/cpu1/cpufreq/scaling_governor", "schedutil\n")
    put(tmp_path, f"{cpu}/cpufreq/boost", "1\n")
    assert noise.governor(tmp_path) == "powersave, schedutil"
    assert noise.turbo(tmp_path) == "on"
    put(tmp_path, f"{cpu}/intel_pstate/no_turbo", "1\n")
    assert noise.turbo(tmp_path) == "off"


def test_a_quiet_campaign_gets_no_warning() -> None:
    rounds = [Noise(round=n, stolen=0.002, pressure=0.01, foreign=0.05) for n in range(9)]
    assert noise.warnings(rounds) == []
    assert noise.warnings([]) == []


@pytest.mark.parametrize(
    ("disturbed", "words"),
    [
        (Noise(round=1, stolen=0.04), "hypervisor took 4.0 %"),
        (Noise(round=1, foreign=0.8), "kept 0.8 of"),
    ],
)
def test_each_disturbance_has_its_sentence(disturbed: Noise, words: str) -> None:
    (sentence,) = noise.warnings([disturbed] * 5)
    assert words in sentence
    # one bad round of five is what the rounds and the median are for
    assert noise.warnings([disturbed, *[Noise(round=2)] * 4]) == []


def test_others_are_named_with_their_use_and_pressure_is_told_beside_them_only() -> None:
    rounds = [Noise(round=1, foreign=1.3, pressure=0.3)] * 5
    (busy,) = noise.warnings(rounds, {"python": 0.9, "cc1plus": 0.35, "sshd": 0.01})
    assert "busy: python (0.9), cc1plus (0." in busy and "sshd" not in busy
    assert "and for 30.0 % of the time a program waited" in busy
    assert noise.warnings([Noise(round=1, pressure=0.3)] * 5) == []  # our own pipes wait, too


def test_other_processes_are_counted_by_name(tmp_path: Path) -> None:
    tick = os.sysconf("SC_CLK_TCK")
    for number, name, parent, used in ((70, "make (x)", 1, 3), (71, "cc1", 70, 5), (os.getpid(), "we", 1, 9)):
        fields = [str(parent), *["0"] * 9, str(used * tick), "0", "0"]
        put(tmp_path, f"proc/{number}/stat", f"{number} ({name}) R {' '.join(fields)}")
    found = noise.processes(tmp_path)
    assert found == {(70, "make (x)"): 3.0, (71, "cc1"): 5.0}
    assert noise.busiest({(71, "cc1"): 1.0}, found, 2.0) == {"cc1": 2.0, "make (x)": 1.5}
    assert noise.busiest({(71, "sh"): 1.0}, found, 2.0) == {
        "cc1": 2.0,
        "make (x)": 1.5,
    }  # sh, until it ran cc1


def test_threads_of_the_kernel_are_no_programs_that_could_be_stopped(tmp_path: Path) -> None:
    for number, flags in ((80, 0x04208060), (81, 0x00400000)):
        fields = ["1", *["0"] * 4, str(flags), *["0"] * 4, "700", "0", "0"]
        put(tmp_path, f"proc/{number}/stat", f"{number} (work) R {' '.join(fields)}")
    assert list(noise.processes(tmp_path)) == [(81, "work")]


def rows_of(walls: list[list[float]], waiting: bool = False) -> list[Row]:
    """Rows with these wall times; the processor time is all of it, or stays where it was."""
    return [
        synthetic.a_row(
            str(at),
            samples=[
                Sample(round=n, wall=one, user=min(times) if waiting else one, system=0, peak_memory=0)
                for n, one in enumerate(times, 1)
            ],
        )
        for at, times in enumerate(walls)
    ]


def test_a_steady_machine_is_called_steady() -> None:
    (said,) = noise.described(rows_of([[1.0, 1.01] * 20]), [Noise(round=1)])
    assert "steady: 0.0 % of 40 runs" in said


def test_share_factor_and_phases_of_the_noise_are_those_of_the_runs() -> None:
    phases = [1.0] * 14 + [1.3] * 6
    told, origin = noise.described(rows_of([phases * 3]), [Noise(round=1)] * 60)
    assert "30.0 % of 60 runs" in told and "1.30 times" in told and "stretches of 6.0 rounds" in told
    assert "the cause is outside" in origin and "1.30 times" in origin
    single = [1.0, 1.0, 1.3, 1.0, 1.0, 1.3, 1.0, 1.0, 1.0, 1.3]
    told, origin = noise.described(rows_of([single * 3], waiting=True), [Noise(round=1)] * 30)
    assert "now and then" in told and "they waited" in origin
    _, origin = noise.described(rows_of([single * 3]), [Noise(round=1, foreign=0.9)] * 30)
    assert "from inside: other processes of this system" in origin
    _, origin = noise.described(rows_of([single * 3]), [Noise(round=1, stolen=0.04)] * 30)
    assert "from outside: the hypervisor" in origin


def test_what_is_left_out_of_the_times_is_said() -> None:
    (row,) = rows_of([[1.0, 1.01] * 20])
    waited = [one.model_copy(update={"waited": one.wall / 4}) for one in row.samples]
    said = noise.described([row.model_copy(update={"samples": waited})], [Noise(round=1)])
    assert said[0].startswith("For 20.0 % of their time") and "not in the times" in said[0]
    assert "steady" in said[1]


def test_recorded_noise_is_described_by_its_own_numbers() -> None:
    """The recording's README: 15 to 40 % of the runs are about 1.3 times slower."""
    recorded = json.loads((TOP / "tests" / "data" / "noise" / "two_state.json").read_text())["wall"]
    for start in range(0, 1500, 300):
        found = noise.disturbance(rows_of([times[start : start + 300] for times in recorded.values()]))
        assert found is not None and 0.1 <= found.share <= 0.5 and 1.15 <= found.factor <= 1.4


def test_this_machine_can_be_read() -> None:
    """Whatever the system: a real watcher gives a valid record while this process works."""
    watcher = noise.Watcher()
    watcher.begin()
    sum(range(300_000))
    one = watcher.end(1)
    assert 0 <= one.stolen <= 1 and 0 <= one.pressure <= 1 and one.foreign >= 0
    assert noise.load() >= 0


@pytest.mark.parametrize(("cores", "said"), [(1, "of 1 core busy"), (4, "of 4 cores busy")])
def test_cores_are_counted(cores: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise.os, "cpu_count", lambda: cores)
    (sentence,) = noise.warnings([Noise(round=1, foreign=0.9)] * 5)
    assert said in sentence
