"""Made-up campaigns for the tests of the report: shapes as in a real race, noise from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from scipy import stats

from headrace.judge.pair import ALPHA
from headrace.judge.table import rejudged
from headrace.results.schema import (
    BenchmarkInfo,
    Campaign,
    Comparison,
    Finding,
    Machine,
    Noise,
    Row,
    Sample,
    SystemCalls,
    ToolchainInfo,
    row_id,
)


def likely(trials: int) -> int:
    """How many of some trials go wrong at most, in 99 of 100 such tests, where one of twenty does."""
    return int(stats.binom.ppf(0.99, trials, ALPHA))


def a_row(name: str, **more: Any) -> Row:
    """A row that needs no more than its name."""
    usual = {"benchmark": "b", "toolchain": "g++", "optimisation": "O2", "source": "file", "sink": "null"}
    return Row(**{"id": name, "contender": name, **usual, **more})


def a_campaign(rows: Sequence[Row] = (), **more: Any) -> Campaign:
    """A campaign that needs no more than its rows."""
    usual = {"headrace_version": "0", "started": "2026-11-20T09:30:00+00:00", "rows": list(rows)}
    return Campaign(**{"machine": Machine(cpu="A CPU", cores=2), **usual, **more})


def an_info(name: str, baseline: str = "", **more: Any) -> BenchmarkInfo:
    """What a page shows of a benchmark of which nothing matters but its name."""
    usual = {"title": "", "question": "", "kind": "process"}
    return BenchmarkInfo(**{"name": name, "baseline": baseline, **usual, **more})


GCC = "g++-12/libstdc++/x86_64-linux"
CLANG = "clang++-19/libstdc++/x86_64-linux"
LIBCXX = "clang++-19/libc++/x86_64-linux"
TOOLCHAINS = (GCC, CLANG, LIBCXX)

# Seconds of one run: (libstdc++, libc++), and read calls of one run.
SPEEDS: dict[str, tuple[float, float, int]] = {
    "null": (0.0011, 0.0012, 3),
    "raw_read": (0.0082, 0.0083, 568),
    "headrace_bulk": (0.0191, 0.0192, 568),
    "headrace_stream": (0.0248, 0.0246, 568),
    "hand_written": (0.0815, 0.0806, 75),
    "read_syscall": (0.0816, 0.0841, 75),
    "getc_unlocked": (0.108, 0.124, 18_043),
    "faster_cin_cout": (0.315, 2.75, 18_043),
    "cin_pubsetbuf": (0.316, 2.71, 18_043),
    "cin_stringstream_read": (0.66, 1.42, 75),
    "scanf_printf": (0.58, 0.61, 18_043),
    "cin_stringstream": (1.31, 2.91, 18_043),
    "naive_cin_cout": (1.34, 2.76, 18_043),
}
CAUSES = {
    "naive_cin_cout": "62 % of the user time is in num_get::do_get, called once a character.",
    "cin_stringstream": "the input is copied twice before it is parsed: 153 MiB of peak memory.",
}
NOISE = 0.012


def samples(rng: random.Random, median: float, rounds: int, share_of_system: float = 0.12) -> list[Sample]:
    """Draw wall times with lognormal noise and the odd slow round."""
    drawn = []
    for number in range(rounds):
        slow = 0.04 * median if rng.random() < 0.05 else 0.0
        wall = median * rng.lognormvariate(0.0, NOISE) + slow
        drawn.append(
            Sample(
                round=number,
                wall=round(wall, 9),
                user=round(wall * (1 - share_of_system), 9),
                system=round(wall * share_of_system, 9),
                peak_memory=3_700_000 + rng.randrange(8) * 4096,
                minor_faults=140,
                voluntary_switches=1,
                involuntary_switches=rng.randrange(4),
            )
        )
    return drawn


def toolchain(name: str) -> ToolchainInfo:
    """Describe a toolchain by its name alone."""
    compiler, library, target = name.split("/")
    return ToolchainInfo(
        name=name,
        compiler=f"/usr/bin/{compiler}",
        version=f"{compiler} (Debian 12) of its release",
        library=library,
        target=target,
        flags=["-stdlib=libc++"] if library == "libc++" else [],
    )


def read_ints(
    routes: Sequence[tuple[str, str]] = (("file", "null"), ("pipe", "null")), levels: Sequence[str] = ("O2",)
) -> Campaign:
    """Return a campaign like the first race: 13 contenders, 3 toolchains, every kind of failure.

    To judge one takes a fifth of a second, so that each is made once; who asks gets a copy.
    """
    return _read_ints(tuple(routes), tuple(levels)).model_copy(deep=True)


@cache
def _read_ints(routes: tuple[tuple[str, str], ...], levels: tuple[str, ...]) -> Campaign:
    rng = random.Random(2026)
    rows = [
        _row(rng, contender, name, route, level)
        for route in routes
        for level in levels
        for contender in SPEEDS
        for name in TOOLCHAINS
    ]
    rows = _with_comparisons(rows)
    rows += [_repeat(rng, rows, routes[0]), *_failures(routes[0])]
    return rejudged(
        Campaign(
            headrace_version="0.1.0",
            started="2026-11-20T09:30:00+00:00",
            seconds=318.4,
            command=["headrace", "run", "read_ints"],
            commit="76dde13",
            machine=_machine(),
            toolchains=[toolchain(name) for name in TOOLCHAINS],
            benchmarks=[_benchmark()],
            rows=rows,
            noise=[_noise(rng, number) for number in range(24)],
            warnings=["the governor is powersave: times vary more; set it to performance"],
        )
    )


def large(rows: int = 2000) -> Campaign:
    """Make a campaign of many rows: 20 toolchains on 4 routes, and as many contenders as it takes."""
    rng = random.Random(7)
    names = [f"g++-{number}/libstdc++/x86_64-linux" for number in range(4, 24)]
    routes = [("file", "null"), ("pipe", "null"), ("file", "pipe"), ("pty", "pty")]
    made = []
    for index in range(rows):
        contender, name, (source, sink) = (
            f"contender_{index // 80}",
            names[index % 20],
            routes[index // 20 % 4],
        )
        made.append(
            Row(
                id=row_id("big", contender, {}, name, "O2", f"{source}:{sink}"),
                benchmark="big",
                contender=contender,
                toolchain=name,
                optimisation="O2",
                source=source,
                sink=sink,
                tokens=10**6,
                samples=samples(rng, 0.02 * 1.2 ** (index // 80), 24),
            )
        )
    info = BenchmarkInfo(
        name="big", title="Many rows", question="Does it stay quick?", kind="process", baseline="contender_3"
    )
    return Campaign(
        headrace_version="0.1.0",
        started="2026-11-20T09:30:00+00:00",
        machine=_machine(),
        toolchains=[toolchain(name) for name in names],
        benchmarks=[info],
        rows=made,
    )


# Seconds at the start, and seconds per token: the second overtakes the first at 10,000 tokens.
SWEPT = {
    "null": (0.0010, 0.0),
    "light": (0.0011, 50e-9),
    "mapped": (0.0015, 10e-9),
    "heavy": (0.0030, 120e-9),
}


def swept(
    chains: Sequence[str] = (GCC, LIBCXX),
    rounds: int = 24,
    speeds: dict[str, tuple[float, float]] | None = None,
) -> Campaign:
    """Make a sweep over rows = 1 to 10,000 of 100 tokens; the last size is the benchmark's own."""
    rng = random.Random(11)
    rows = []
    for size in (1, 10, 100, 1000, 10_000):
        setting = {} if size == 10_000 else {"rows": str(size)}
        for contender, (start, token) in (speeds or SWEPT).items():
            for name in chains:
                made = a_row(
                    contender,
                    id=row_id("sizes", contender, {}, name, "O2", "file:null", setting),
                    benchmark="sizes",
                    toolchain=name,
                    input=setting,
                    tokens=size * 100,
                    source_file=f"{contender}.cpp",
                    samples=samples(rng, start + token * size * 100, rounds),
                )
                rows.append(made)
    info = BenchmarkInfo(
        name="sizes",
        title="Read numbers",
        question="From which size on does mapping pay?",
        kind="process",
        baseline="light",
        floor="null",
        contenders={name: "made up" for name in speeds or SWEPT},
        input={"rows": "10000", "columns": "100"},
    )
    chosen = [toolchain(name) for name in chains]
    return a_campaign(rows, machine=_machine(), toolchains=chosen, benchmarks=[info])


def _machine() -> Machine:
    return Machine(
        cpu="AMD EPYC 9R45",
        cores=2,
        features=["sse4_1", "avx2", "avx512_vbmi2"],
        memory=8 * 2**30,
        kernel="6.1.0",
        system="Debian GNU/Linux 12",
        governor="powersave",
    )


def _noise(rng: random.Random, number: int) -> Noise:
    return Noise(
        round=number, stolen=rng.random() / 100, pressure=rng.random() / 20, foreign=rng.random() / 8
    )


def _benchmark() -> BenchmarkInfo:
    return BenchmarkInfo(
        name="read_ints",
        title="Read integers and print their sum",
        question="Which way of reading 10 million integers is fastest, and why?",
        kind="process",
        baseline="hand_written",
        limit="raw_read",
        floor="null",
        contenders={name: f"what {name} does, in a line" for name in SPEEDS},
        sources={
            f"{name}.cpp": f"#include <cstdio>\n\nint main() {{ // {name}\n    return 0;\n}}\n"
            for name in SPEEDS
        },
        findings=[
            Finding(a="faster_cin_cout", b="naive_cin_cout", says="untying and unsyncing"),
            Finding(a="naive_cin_cout", says="iostreams", compare="library"),
            Finding(a="naive_cin_cout", says="iostreams", compare="compiler"),
        ],
    )


def _row(rng: random.Random, contender: str, name: str, route: tuple[str, str], level: str) -> Row:
    speed = SPEEDS[contender]
    slower = (1.35 if route[0] == "pipe" else 1.0) * (2.2 if level == "O0" else 1.0)
    median = speed[1 if name == LIBCXX else 0] * slower
    return Row(
        id=row_id("read_ints", contender, {}, name, level, ":".join(route)),
        benchmark="read_ints",
        contender=contender,
        toolchain=name,
        optimisation=level,
        source=route[0],
        sink=route[1],
        tokens=10**7,
        input_bytes=73_888_890,
        output_bytes=12,
        build="9f3c1b",
        command=[name.split("/")[0], f"-{level}", "-std=c++17", f"{contender}.cpp", "-o", contender],
        source_file=f"{contender}.cpp",
        samples=samples(rng, median, 24),
        system_calls=SystemCalls(counts={"read": speed[2], "write": 1, "mmap": 21}, bytes_read=73_888_890),
        cause=CAUSES.get(contender, ""),
    )


def _repeat(rng: random.Random, rows: list[Row], route: tuple[str, str]) -> Row:
    original = next(row for row in rows if row.contender == "hand_written" and row.toolchain == GCC)
    return original.model_copy(
        update={
            "id": f"{original.id} A/A",
            "twin_of": original.id,
            "samples": samples(rng, 0.0815, 24),
            "notes": ["A/A: the baseline's build once more; it shows the noise"],
        }
    )


def _failures(route: tuple[str, str]) -> list[Row]:
    kinds = [
        ("liar", GCC, "WRONG", "expected 4999996, got 4999997"),
        ("crasher", GCC, "CRASHED", "signal 11 (SIGSEGV)"),
        ("sleeper", CLANG, "TIMED OUT", "after 10 s"),
        ("with_fmt", GCC, "skipped", "needs fmt: install libfmt-dev"),
        ("newest", LIBCXX, "does not compile", "newest.cpp:3:10: fatal error: 'format' file not found"),
    ]
    return [
        Row.model_validate(
            {
                "id": row_id("read_ints", contender, {}, name, "O2", ":".join(route)),
                "benchmark": "read_ints",
                "contender": contender,
                "toolchain": name,
                "optimisation": "O2",
                "source": route[0],
                "sink": route[1],
                "outcome": outcome,
                "detail": detail,
            }
        )
        for contender, name, outcome, detail in kinds
    ]


def _with_comparisons(rows: list[Row]) -> list[Row]:
    """Name each row's baseline, that of its toolchain; `rejudged` fills the rest in."""
    compared = []
    for row in rows:
        base = row_id(
            "read_ints", "hand_written", {}, row.toolchain, row.optimisation, f"{row.source}:{row.sink}"
        )
        if row.id == base:
            compared.append(row)
            continue
        comparison = Comparison(
            other=base, metric="wall", ratio=1.0, low=0.0, high=None, rounds=0, verdict="not decided"
        )
        compared.append(row.model_copy(update={"comparisons": [comparison]}))
    return compared
