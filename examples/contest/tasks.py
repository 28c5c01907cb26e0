"""Inputs of the tasks in this folder, their answers by the plainest way, and a race against cin and cout.

    python3 examples/contest/tasks.py [NAME ...]

compiles each program as it is and, with the header and the using line exchanged, with <iostream>; runs both
in turns on a large input; and prints the medians.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
ROUNDS = 7
IOSTREAM = (
    ("#include <headrace/headrace.hpp>", "#include <iostream>"),
    ("using headrace::in, headrace::out;", "static auto& in = std::cin;\nstatic auto& out = std::cout;"),
    ("int main() {\n", "int main() {\n  std::ios::sync_with_stdio(false);\n"),
)


@dataclass(frozen=True)
class Task:
    """How an input of a size is made, and what a program has to answer."""

    make: Callable[[random.Random, int], str]
    answer: Callable[[str], str]
    small: int
    large: int


def lines(rows: list[tuple[int, ...]]) -> str:
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def pair(rng: random.Random, n: int) -> tuple[int, int]:
    first, last = sorted((rng.randint(0, n), rng.randint(0, n)))
    return first, last


def range_sums(rng: random.Random, n: int) -> str:
    values = tuple(rng.randint(-(10**9), 10**9) for _ in range(n))
    return lines([(n, n), values, *(pair(rng, n) for _ in range(n))])


def answer_range_sums(text: str) -> str:
    n, q, *rest = numbers(text)
    return lines([(sum(rest[rest[n + 2 * i] : rest[n + 2 * i + 1]]),) for i in range(q)])


def changing_sums(rng: random.Random, n: int) -> str:
    values = tuple(rng.randint(-(10**9), 10**9) for _ in range(n))
    asked = [
        (0, rng.randrange(n), rng.randint(-(10**9), 10**9)) if rng.random() < 0.5 else (1, *pair(rng, n))
        for _ in range(n)
    ]
    return lines([(n, n), values, *asked])


def answer_changing_sums(text: str) -> str:
    n, q, *rest = numbers(text)
    values, answers = rest[:n], []
    for i in range(q):
        kind, a, b = rest[n + 3 * i : n + 3 * i + 3]
        if kind == 0:
            values[a] += b
        else:
            answers.append((sum(values[a:b]),))
    return lines(answers)


def shortest_paths(rng: random.Random, n: int) -> str:
    edges = [(rng.randrange(n), rng.randrange(n), rng.randint(0, 10**9)) for _ in range(3 * n)]
    return lines([(n, len(edges)), *edges])


def answer_shortest_paths(text: str) -> str:
    n, m, *rest = numbers(text)
    edges = [tuple(rest[3 * i : 3 * i + 3]) for i in range(m)]
    far = float("inf")
    distance = [0.0] + [far] * (n - 1)
    for _ in range(n):  # Bellman and Ford
        for start, end, length in edges:
            distance[end] = min(distance[end], distance[start] + length)
    return lines([(-1 if one == far else int(one),) for one in distance])


def components(rng: random.Random, n: int) -> str:
    return lines(
        [(n, 2 * n), *((rng.randrange(2), rng.randrange(n), rng.randrange(n)) for _ in range(2 * n))]
    )


def answer_components(text: str) -> str:
    n, q, *rest = numbers(text)
    group, answers = list(range(n)), []
    for i in range(q):
        kind, a, b = rest[3 * i : 3 * i + 3]
        if kind == 0:
            old, new = group[a], group[b]
            group = [new if one == old else one for one in group]
        else:
            answers.append("yes\n" if group[a] == group[b] else "no\n")
    return "".join(answers)


def matrix_product(rng: random.Random, n: int) -> str:
    def row(size: int) -> tuple[int, ...]:
        return tuple(rng.randrange(998244353) for _ in range(size))

    m, k = 3, n + 1
    return lines([(n, m, k), *(row(m) for _ in range(n)), *(row(k) for _ in range(m))])


def answer_matrix_product(text: str) -> str:
    n, m, k, *rest = numbers(text)
    a = [rest[i * m : i * m + m] for i in range(n)]
    b = [rest[n * m + i * k : n * m + i * k + k] for i in range(m)]
    columns = list(zip(*b, strict=True))
    return lines(
        [
            tuple(sum(x * y for x, y in zip(row, column, strict=True)) % 998244353 for column in columns)
            for row in a
        ]
    )


def occurrences(rng: random.Random, n: int) -> str:
    return "".join(rng.choice("ab") for _ in range(n)) + "\nabab\n"


def answer_occurrences(text: str) -> str:
    whole, word = text.split()
    return lines([(at,) for at in range(len(whole)) if whole.startswith(word, at)])


def increasing(rng: random.Random, n: int) -> str:
    return lines([(n,), tuple(rng.randint(-n, n) for _ in range(n))])


def answer_increasing(text: str) -> str:
    _, *values = numbers(text)
    longest: list[int] = []
    for at, value in enumerate(values):
        longest.append(1 + max((longest[i] for i in range(at) if values[i] < value), default=0))
    return f"{max(longest)}\n"


def only_size(_: random.Random, n: int) -> str:
    return f"{n}\n"


def answer_primes(text: str) -> str:
    return lines([(n,) for n in range(2, int(text)) if all(n % d for d in range(2, n))])


def answer_spiral(text: str) -> str:
    n = int(text)
    table = [[0] * n for _ in range(n)]
    number = iter(range(1, n * n + 1))
    for left in range((n + 1) // 2):  # a ring
        right = n - 1 - left
        ring = [(left, x) for x in range(left, right + 1)] + [(y, right) for y in range(left + 1, right + 1)]
        if left < right:
            ring += [(right, x) for x in range(right - 1, left - 1, -1)]
            ring += [(y, left) for y in range(right - 1, left, -1)]
        for y, x in ring:
            table[y][x] = next(number)
    return lines([tuple(row) for row in table])


def guess_number(rng: random.Random, n: int) -> str:
    """Make the answers beforehand: what the program will ask is known."""
    number, first, last, answers = rng.randint(1, n), 1, n, ""
    while True:
        middle = (first + last) // 2
        if middle == number:
            return f"{n}\n{answers}=\n"
        if number < middle:
            last, answers = middle - 1, answers + "<\n"
        else:
            first, answers = middle + 1, answers + ">\n"


def answer_guess_number(text: str) -> str:
    n, *answers = text.split()
    first, last, asked = 1, int(n), []
    for answer in answers:
        middle = (first + last) // 2
        asked.append(f"? {middle}\n")
        first, last = (first, middle - 1) if answer == "<" else (middle + 1, last)
    return "".join(asked)


def knapsack(rng: random.Random, n: int) -> str:
    return lines([(n, 20), *((rng.randint(1, 12), rng.randint(0, 10**9)) for _ in range(n))])


def answer_knapsack(text: str) -> str:
    n, capacity, *rest = numbers(text)
    best = 0
    for chosen in range(1 << n):
        things = [i for i in range(n) if chosen >> i & 1]
        if sum(rest[2 * i] for i in things) <= capacity:
            best = max(best, sum(rest[2 * i + 1] for i in things))
    return f"{best}\n"


def tree_distances(rng: random.Random, n: int) -> str:
    parents = tuple(rng.randrange(max(0, i - 5), i) for i in range(1, n))
    return lines([(n, n), parents, *((rng.randrange(n), rng.randrange(n)) for _ in range(n))])


def answer_tree_distances(text: str) -> str:
    n, q, *rest = numbers(text)
    parents, asked = [0, *rest[: n - 1]], rest[n - 1 :]

    def path(node: int) -> list[int]:
        return [node] if node == 0 else [node, *path(parents[node])]

    return lines(
        [(len(set(path(asked[2 * i])) ^ set(path(asked[2 * i + 1]))),) for i in range(q)]
    )  # the nodes that only one of them has above it, itself among them


TASKS = {
    "range_sums": Task(range_sums, answer_range_sums, 60, 300_000),
    "changing_sums": Task(changing_sums, answer_changing_sums, 60, 300_000),
    "shortest_paths": Task(shortest_paths, answer_shortest_paths, 40, 100_000),
    "components": Task(components, answer_components, 60, 300_000),
    "matrix_product": Task(matrix_product, answer_matrix_product, 7, 700),
    "occurrences": Task(occurrences, answer_occurrences, 200, 3_000_000),
    "increasing": Task(increasing, answer_increasing, 100, 500_000),
    "primes": Task(only_size, answer_primes, 200, 5_000_000),
    "spiral": Task(only_size, answer_spiral, 9, 1_000),
    "guess_number": Task(guess_number, answer_guess_number, 1000, 1_000_000_000),
    "knapsack": Task(knapsack, answer_knapsack, 10, 500_000),
    "tree_distances": Task(tree_distances, answer_tree_distances, 50, 250_000),
}


def source_of(name: str, iostream: bool) -> str:
    """Return a program as it is, or with std::cin and std::cout: three lines differ."""
    text = (HERE / f"{name}.cpp").read_text("utf-8")
    for ours, theirs in IOSTREAM if iostream else ():
        if ours not in text:
            raise ValueError(f"{name}.cpp has no line {ours!r}")
        text = text.replace(ours, theirs)
    return text


def build(name: str, iostream: bool, folder: Path, compiler: str = "g++") -> Path:
    """Compile a program; its path."""
    program = folder / f"{name}{'_iostream' if iostream else ''}"
    source = program.with_suffix(".cpp")
    source.write_text(source_of(name, iostream), "utf-8")
    command = [compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", str(source)]
    subprocess.run([*command, "-o", str(program)], check=True, timeout=300)
    return program


def seconds(program: Path, given: Path) -> float:
    with given.open("rb") as source, open(os.devnull, "wb") as sink:
        begin = time.perf_counter()
        subprocess.run([str(program)], stdin=source, stdout=sink, check=True)  # a timeout would poll
        return time.perf_counter() - begin


def race(names: list[str]) -> None:
    print("| task | headrace | cin, cout | times |\n|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in names:
            programs = [build(name, iostream, folder) for iostream in (False, True)]
            given = folder / "input"
            given.write_text(TASKS[name].make(random.Random(1), TASKS[name].large))
            rounds = [[seconds(program, given) for program in programs] for _ in range(ROUNDS)]
            ours, theirs = (1000 * statistics.median(column) for column in zip(*rounds, strict=True))
            print(f"| {name} | {ours:.1f} ms | {theirs:.1f} ms | {theirs / ours:.2f} |", flush=True)


if __name__ == "__main__":
    race(sys.argv[1:] or list(TASKS))
