#!/usr/bin/env python3
"""Measure what the cage of contenders costs: of the measured time, which should be little, and outside of it.

    tools/cage_cost.py --rounds 400

Each round runs a program three times in shuffled order: without a cage, without again, and in it. The second
is the control: the cage costs nothing where its interval is as near to 1.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from headrace.builds import build
from headrace.judge import pair
from headrace.matrix import toolchains
from headrace.processes import cage, launch
from headrace.processes.launch import Request
from headrace.results.failure import Failure
from headrace.results.schema import Sample

KINDS = ("bare", "again", "caged")
LINES = 2_000_000


def main() -> None:
    """Measure three programs: one that only starts, one that reads, one that computes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--pin", type=int, default=None, help="a processor for all runs")
    wanted = parser.parse_args()
    build.launcher(toolchains.find().toolchains)
    caged = cage.here()
    if caged is None or cage.look(Path.cwd()).lacking:
        sys.exit(f"there is no whole cage here: {dict(cage.look(Path.cwd()).lacking)}")
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "lines"
        given.write_text("".join(f"{number}\n" for number in range(LINES)))
        for name, request in {
            "start": Request(["true"], pin=wanted.pin),
            "read": Request(["cat"], source="file", input=given, pin=wanted.pin),
            "compute": Request(["sort", "-n"], source="file", input=given, pin=wanted.pin),
        }.items():
            rounds = wanted.rounds if name != "compute" else max(12, wanted.rounds // 10)
            samples, outside = _race(request, caged, rounds)
            _print(name, samples, outside)


def _race(
    request: Request, caged: cage.Cage, rounds: int
) -> tuple[dict[str, list[Sample]], dict[str, float]]:
    """Return the samples of each kind, by round, and the median of the seconds outside of the clock."""
    samples: dict[str, list[Sample]] = {kind: [] for kind in KINDS}
    outside: dict[str, list[float]] = {kind: [] for kind in KINDS}
    order = list(KINDS)
    for _ in range(rounds + 1):
        random.shuffle(order)
        for kind in order:
            begun = time.perf_counter()
            ended = launch.run(replace(request, cage=caged if kind == "caged" else None))
            if isinstance(ended, Failure):
                sys.exit(f"{' '.join(request.command)}: {ended.detail}")
            samples[kind].append(ended)
            outside[kind].append(time.perf_counter() - begun - ended.wall)
    return {kind: each[1:] for kind, each in samples.items()}, {
        kind: float(np.median(each)) for kind, each in outside.items()
    }


def _print(name: str, samples: dict[str, list[Sample]], outside: dict[str, float]) -> None:
    for metric in ("wall", "processor"):
        times = {
            kind: np.array([each.wall if metric == "wall" else each.user + each.system for each in all_of_it])
            for kind, all_of_it in samples.items()
        }
        if min(float(each.min()) for each in times.values()) <= 0:
            continue
        told = []
        for kind in KINDS[1:]:
            found = pair.estimate(np.log(times[kind] / times["bare"]))
            assert found is not None
            told.append(f"{kind} {found.ratio:.4f} ({found.low_ratio:.4f} to {found.high_ratio:.4f})")
        print(f"{name}, {metric}: {np.median(times['bare']) * 1e3:.2f} ms; {'; '.join(told)}")
    faults = {kind: np.median([each.minor_faults for each in samples[kind]]) for kind in KINDS}
    print(f"{name}, page faults: {', '.join(f'{kind} {value:.0f}' for kind, value in faults.items())}")
    print(f"{name}, outside of the clock: {(outside['caged'] - outside['bare']) * 1e3:+.1f} ms per run")


if __name__ == "__main__":
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    main()
