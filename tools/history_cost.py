#!/usr/bin/env python3
"""Measure what `headrace history` takes of time and memory where the index has many campaigns.

    tools/history_cost.py RESULTS.json --campaigns 100000

The campaigns are that file's, at other times and of other commits, with ratios that wander and jump twice.
Each command runs in a process of its own, three times.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from headrace.builds import build
from headrace.history.index import Index
from headrace.judge.table import load
from headrace.matrix import toolchains
from headrace.processes import launch
from headrace.processes.launch import Request
from headrace.results import store
from headrace.results.failure import Failure
from headrace.results.schema import Campaign, Row

START = datetime(2024, 1, 1, tzinfo=UTC)
RUNS = 3


def main() -> None:
    """Fill an index, and run the commands on it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="a results file with one benchmark")
    parser.add_argument("--campaigns", type=int, default=100_000)
    wanted = parser.parse_args()
    campaign = load(wanted.results)
    build.launcher(toolchains.find().toolchains)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "history.sqlite"
        index = Index(place)
        with index._changing():
            for name, made in _campaigns(campaign, wanted.campaigns):
                index._insert(made, name, hashlib.sha256(name.encode()).hexdigest(), 0, 0)
        index.close()
        size = place.stat().st_size / 2**20
        print(f"{wanted.campaigns:,} campaigns of {len(campaign.rows)} rows: {size:.0f} MiB")
        benchmark = campaign.rows[0].benchmark
        contender = next(row.contender for row in campaign.rows if row.comparisons)
        added = Path(folder) / "new.json"
        for name, words in {
            "list": ["list"],
            "list, a year": ["list", "--since", f"{START.year + 1}", "--until", f"{START.year + 1}"],
            "show, a contender": ["show", benchmark, "--contender", contender],
            "show, all": ["show", benchmark],
            "show, all, drawn": ["show", benchmark, "--svg", str(Path(folder) / "trend.svg")],
            "add": ["add", str(added)],
        }.items():
            _print(name, [*words, "--index", str(place)], campaign, added)
        shutil.rmtree(folder, ignore_errors=True)


def _campaigns(campaign: Campaign, count: int) -> Iterator[tuple[str, Campaign]]:
    """Make campaigns of one: a level holds for a third of them."""
    luck = random.Random(1)
    for number in range(count):
        level = (1.0, 1.1, 0.98)[3 * number // count]
        update = {
            "started": (START + timedelta(minutes=10 * number)).isoformat(),
            "commit": f"{number // 10:040x}",
            "rows": [_wandering(row, level * luck.gauss(1, 0.02)) for row in campaign.rows],
        }
        yield f"{number}.json", campaign.model_copy(update=update)


def _wandering(row: Row, factor: float) -> Row:
    changed = [
        one.model_copy(
            update={"ratio": one.ratio * factor, "low": one.low * factor, "high": one.high * factor}
        )
        for one in row.comparisons
    ]
    return row.model_copy(update={"comparisons": changed})


def _print(name: str, words: list[str], campaign: Campaign, added: Path) -> None:
    used, memory = [], 0
    for number in range(RUNS):
        new = campaign.model_copy(update={"started": (START - timedelta(days=number + 1)).isoformat()})
        store.save(new, added)
        ended = launch.run(Request([sys.executable, "-m", "headrace", "history", *words], timeout=600))
        if isinstance(ended, Failure):
            print(f"{name}: {ended.detail}")
            return
        used.append(ended.user + ended.system)
        memory = max(memory, ended.peak_memory)
    print(f"{name}: {sorted(used)[RUNS // 2]:.2f} s of processor time, {memory / 2**20:.0f} MiB at most")


if __name__ == "__main__":
    main()
