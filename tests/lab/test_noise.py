"""Readings of a made-up /proc and /sys, and the sentences that follow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headrace.machine import noise
from headrace.results.schema import Noise

FINE = {"wall": 0.01, "cpu": 0.01}


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


def test_a_quiet_campaign_gets_no_warning(tmp_path: Path) -> None:
    rounds = [Noise(round=n, stolen=0.002, pressure=0.01, foreign=0.05) for n in range(9)]
    assert noise.warnings(rounds, FINE, 2.0, tmp_path) == []
    assert noise.warnings([], FINE, 0.0, tmp_path) == []


@pytest.mark.parametrize(
    ("disturbed", "words"),
    [
        (Noise(round=1, stolen=0.04), "hypervisor took 4.0%"),
        (Noise(round=1, foreign=0.8), "kept 0.8 of"),
        (Noise(round=1, pressure=0.3), "30% of the time"),
    ],
)
def test_each_disturbance_has_its_sentence(disturbed: Noise, words: str, tmp_path: Path) -> None:
    (sentence,) = noise.warnings([disturbed] * 5, FINE, 0.0, tmp_path)
    assert words in sentence
    # one bad round of five is what the rounds and the median are for
    assert noise.warnings([disturbed, *[Noise(round=2)] * 4], FINE, 0.0, tmp_path) == []


def test_switches_and_a_wide_margin_have_theirs(tmp_path: Path) -> None:
    put(tmp_path, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave")
    put(tmp_path, "sys/devices/system/cpu/cpufreq/boost", "1")
    pushed, wide = noise.warnings([Noise(round=1)], {"wall": 0.034, "cpu": 0.01}, 120.0, tmp_path)
    assert "pushed off their processor 120 times per second" in pushed
    assert "up to 3.4% in wall time:" in wide and "governor is powersave" in wide and "turbo is on" in wide


def test_this_machine_can_be_read() -> None:
    """Whatever the system: a real watcher gives a valid record while this process works."""
    watcher = noise.Watcher()
    watcher.begin()
    sum(range(300_000))
    one = watcher.end(1)
    assert 0 <= one.stolen <= 1 and 0 <= one.pressure <= 1 and one.foreign >= 0
    assert noise.load() >= 0


@pytest.mark.parametrize(("cores", "said"), [(1, "of 1 core busy"), (4, "of 4 cores busy")])
def test_cores_are_counted(cores: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise.os, "cpu_count", lambda: cores)
    (sentence,) = noise.warnings([Noise(round=1, foreign=0.9)] * 5, FINE, 0.0, tmp_path)
    assert said in sentence
