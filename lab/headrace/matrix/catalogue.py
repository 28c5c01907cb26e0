"""The text of `headrace list`: the benchmarks, one line each, or one with all that a new way has to know."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from headrace.base.screen import beside
from headrace.base.text import listed, plural, visible
from headrace.matrix import benchmarks, generators, inputs
from headrace.matrix.benchmarks import Benchmark, ContenderSpec

KINDS = {
    "process": "process: whole runs are timed",
    "in-process": "in-process: a harness loads a function and times its calls",
    "observation": "observation: what arrives is recorded, nothing is timed",
}
MOST_TOKENS = 2_000_000  # of an input that is made only to be shown
LINES = 3  # shown of an input
CHARACTERS = 60  # shown of a line


def overview(found: Sequence[Benchmark], console: Console) -> None:
    """Print one line a benchmark: name, number of contenders, title."""
    counts = [plural(len(benchmark.spec.contender), "contender") for benchmark in found]
    names = max((len(benchmark.name) for benchmark in found), default=0)
    width = max(map(len, counts), default=0)
    for benchmark, count in zip(found, counts, strict=True):
        rest = f"{' ' * (names - len(benchmark.name))}  {count:>{width}}  {visible(benchmark.spec.title)}"
        console.print(Text(benchmark.name, style="bold") + Text(rest), soft_wrap=True)


def show(benchmark: Benchmark, console: Console) -> None:
    """Print a benchmark: its question, its input and answer, its ends, its contenders. May make an input."""
    spec = benchmark.spec
    console.print(Text(benchmark.name, style="bold") + Text(f": {visible(spec.title)}"), soft_wrap=True)
    beside(Text(), [visible(spec.question)], console)
    console.print()
    facts = {"kind": [KINDS[spec.kind]], **_input(benchmark)}
    facts["sources"] = [", ".join(dict.fromkeys(source for source, _ in benchmark.routes))]
    facts["sinks"] = [", ".join(dict.fromkeys(sink for _, sink in benchmark.routes))]
    roles = (("baseline", spec.baseline), ("limit", spec.limit), ("floor", spec.floor))
    facts["folder"] = [visible(str(benchmark.folder))]
    facts["compare"] = [", ".join(f"{role} {name}" for role, name in roles if name)]
    _print(facts, console, bold=False)
    console.print(f"\n{plural(len(spec.contender), 'contender')}", highlight=False)
    _print({contender.name: _contender(contender) for contender in spec.contender}, console, bold=True)


def _print(facts: dict[str, list[str]], console: Console, *, bold: bool) -> None:
    width = max(len(name) for name in facts) + 2
    for name, texts in facts.items():
        beside(Text(f"{name:<{width}}", style="bold" if bold else ""), texts, console, style="not bold")


def _input(benchmark: Benchmark) -> dict[str, list[str]]:
    """Describe what a run with --quick reads, and what it has to answer."""
    spec = benchmark.spec
    settings = inputs.located({**spec.input, **spec.quick}, benchmark.folder)
    generator = generators.GENERATORS[str(settings["generator"])]
    does = " ".join((inspect.getdoc(generator) or "").split())
    facts = {
        "input": [f"generator {settings['generator']}: {does[:1].lower()}{does[1:]}"],
        "settings": [_settings(spec.input)],
    }
    if spec.quick:
        facts["--quick"] = [_settings(spec.quick)]
    begins = inputs.head(settings, LINES * CHARACTERS)
    if begins:
        facts["begins" if inputs.makes_input(settings) else "output"] = _lines(begins)
    facts["answer"] = [_answer(benchmark, settings)]
    return facts


def _settings(table: inputs.Settings) -> str:
    return ", ".join(f"{key} = {visible(repr(value))}" for key, value in table.items() if key != "generator")


def _lines(begins: bytes) -> list[str]:
    """Return the first bytes as text that a terminal can be shown; what was cut ends in three dots."""
    lines = begins.decode("utf-8", "replace").split("\n")
    whole = [visible(line) for line in lines[:LINES]]
    shown = [line if len(line) <= CHARACTERS else f"{line[:CHARACTERS]}..." for line in whole]
    last = shown[-1]
    cut = len(lines) <= LINES and last and not last.endswith("...")
    return [*shown[:-1], f"{last}..." if cut else last]


def _answer(benchmark: Benchmark, settings: inputs.Settings) -> str:
    """Say what a program has to print: that of the quick input, where it is known or soon made."""
    spec = benchmark.spec
    if spec.kind == "observation":
        return "each contender has its own: see expected in benchmark.toml"
    if inputs.is_own(settings) and settings.get("answer", inputs.AGREE) == inputs.AGREE:
        return "what all contenders agree on"
    known = inputs.cached(settings, spec.tolerance)
    if (
        known is None
        and not inputs.is_own(settings)
        and inputs.tells_answer(settings)
        and _tokens(settings) <= MOST_TOKENS
    ):
        known = inputs.make(settings, spec.tolerance)
    if known is not None and known.expected.text is not None:
        near = f", give or take {spec.tolerance:g} of it" if spec.tolerance else ""
        shown = visible(known.expected.text) or "nothing"
        return f"{shown}{near}" + (" (with --quick)" if spec.quick else "")
    if inputs.tells_answer(settings):
        return "a short text; the first run works it out"
    size = f", {plural(known.expected.bytes, 'byte')}" if known and known.expected.bytes else ""
    return f"the whole output{size}: every byte is checked"


def _tokens(settings: inputs.Settings) -> int:
    whole = inputs.settings_of(settings)
    number = 1
    for key in ("rows", "columns", "count"):
        number *= int(whole.get(key, 1))
    return number


def _contender(spec: ContenderSpec) -> list[str]:
    facts = [visible(spec.note)] if spec.note else []
    if spec.needs:
        facts.append(f"needs {listed(spec.needs)}")
    settings: dict[str, Sequence[object]] = {**spec.variants, **spec.environment}
    for name, values in settings.items():
        facts.append(f"with {name} = {', '.join(visible(str(value)) for value in values)}")
    if spec.expected:
        facts.append(f"prints {', '.join(visible(line) for line in spec.expected.splitlines())}")
    if not spec.answer:
        facts.append("its answer is not checked")
    return facts


def find(names: Sequence[str]) -> list[Benchmark]:
    """Return the named benchmarks, or all that come with headrace. Raises BadInput for an unknown one."""
    return [benchmarks.find(name) for name in names or benchmarks.known()]
