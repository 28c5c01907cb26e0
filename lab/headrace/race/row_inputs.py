"""The inputs of a race's rows, and the answer to a user's own: what all contenders agree on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headrace.base.errors import Failed
from headrace.base.step import Step, Watch
from headrace.base.text import visible
from headrace.builds import build
from headrace.matrix import inputs
from headrace.processes import launch
from headrace.processes.launch import Answer, Expected
from headrace.race.options import RunOptions
from headrace.race.row_programs import request
from headrace.race.rows import Lane
from headrace.results.failure import Failure

AROUND = 12  # bytes shown before and after the first difference


Key = tuple[str, str]  # names an input, see `input_key`


def make_inputs(lanes: Sequence[Lane], count: int, watch: Watch) -> dict[Key, Sequence[inputs.Input]]:
    """Make each input that the rows read, once, and `count` of it where others by other seeds may do, too."""
    wanted = {input_key(lane): lane for lane in lanes}
    made: dict[Key, Sequence[inputs.Input]] = {}
    for number, (key, lane) in enumerate(wanted.items()):
        step = Step("inputs", f"{lane.benchmark.name}: {lane.settings['generator']}", number, len(wanted))
        first, seed = _make(lane, watch, step), int(lane.settings.get("seed", 1))
        seeds = range(seed + 1, seed + count) if _has_seeds(lane, first) else ()
        more = [_make(lane, watch, replace(step, what=f"{step.what}, seed {n}"), seed=n) for n in seeds]
        made[key] = [first, *more]
    return made


def _make(lane: Lane, watch: Watch, step: Step, **other: int) -> inputs.Input:
    """Make a row's input, or the same by other settings."""

    def written(size: int) -> None:
        watch(replace(step, what=f"{step.what}, {size / 2**20:,.0f} MiB") if size >= 1 << 20 else step)

    written(0)
    return inputs.make({**lane.settings, **other}, lane.benchmark.spec.tolerance, written)


def input_key(lane: Lane) -> Key:
    """Name a row's input."""
    return (lane.benchmark.name, repr(sorted(lane.setting.items())))


def _has_seeds(lane: Lane, made: inputs.Input) -> bool:
    """Whether inputs by other seeds may take its place: it is ours, and no answer is recorded for it."""
    spec = lane.benchmark.spec
    fixed = any(contender.spec.expected for contender in lane.benchmark.contenders())
    ours = inputs.makes_input(spec.input) and not inputs.is_own(lane.settings)
    return ours and made.path is not None and not fixed and spec.kind != "observation"


def agreed(
    data: inputs.Input,
    lanes: Sequence[Lane],
    built: Mapping[str, build.Build | str],
    options: RunOptions,
    watch: Watch,
) -> inputs.Input:
    """Return an input with the answer that contenders agree on. Raises Failed with all, where they differ.

    Each build is asked once, on its first route. One that fails has no opinion: the race says what is wrong
    with it.
    """
    if not data.expected.agree:
        return data
    once: dict[tuple[str, ...], tuple[Lane, build.Build]] = {}
    for lane in lanes:
        made, spec = built[lane.row().id], lane.contender.spec
        if isinstance(made, build.Build) and made.program and spec.answer and not spec.expected:
            once.setdefault((lane.contender.label, lane.toolchain.name, lane.optimise), (lane, made))
    opinions: list[tuple[Answer, list[str]]] = []  # an answer, and what gives it
    for number, ((label, chain, level), (lane, made)) in enumerate(once.items()):
        watch(Step("answers", f"{label} {chain}", number, len(once)))
        answer = launch.answer(replace(request(lane, made, data, options), expected=Expected()))
        if isinstance(answer, Failure):
            continue
        same = next((of for other, of in opinions if _is_same(lane, other, answer)), None)
        if same is None:
            opinions.append((answer, same := []))
        same.append(f"{label} ({chain} {level})")
    if len(opinions) > 1:
        raise Failed(_disagreement(data, opinions))
    return replace(data, expected=_expected(lanes[0], opinions[0][0])) if opinions else data


def _text(answer: Answer) -> str:
    return answer.head.decode("utf-8", "replace").strip()


def _is_same(lane: Lane, answer: Answer, other: Answer) -> bool:
    if (answer.digest, answer.bytes) == (other.digest, other.bytes):
        return True
    if lane.benchmark.spec.answer == "output":
        return False
    texts = _text(answer), _text(other)
    return texts[0] == texts[1] or launch.is_near(*texts, lane.benchmark.spec.tolerance)


def _expected(lane: Lane, answer: Answer) -> Expected:
    spec = lane.benchmark.spec
    if spec.answer == "stdout" and answer.bytes == len(answer.head):
        return Expected(_text(answer), tolerance=spec.tolerance)
    return Expected(None, answer.digest, answer.bytes)


def _disagreement(data: inputs.Input, opinions: Sequence[tuple[Answer, list[str]]]) -> str:
    """Show all answers side by side, the commonest first, and where the first two part."""
    path = launch.shown_path(data.path) if data.path else "the input"
    ordered = sorted(opinions, key=lambda opinion: -len(opinion[1]))
    lines = [f"contenders disagree on {path}, so nothing was timed:"]
    shown = [launch.short(visible(_text(answer))) for answer, _ in ordered]
    width = max(map(len, shown))
    for text, (answer, of) in zip(shown, ordered, strict=True):
        lines.append(f"  {text:<{width}}  {f'{answer.bytes:,} bytes':>14}  from {', '.join(of)}")
    lines.append(_first_difference(ordered[0][0].head, ordered[1][0].head))
    lines.append('--contender leaves some out; answer = "..." in benchmark.toml says which is right')
    return "\n".join(lines)


def _first_difference(left: bytes, right: bytes) -> str:
    at = len(os.path.commonprefix([left, right]))
    if at == len(left) == len(right):
        return f"the first {at:,} bytes of the first two are the same; they differ after these"
    line = left[:at].count(b"\n") + 1
    begin = max(0, at - AROUND)
    pieces = [_piece(text[begin : at + AROUND], at - begin) for text in (left, right)]
    return f"the first two part at byte {at + 1:,}, in line {line:,}: {pieces[0]} and {pieces[1]}"


def _piece(text: bytes, at: int) -> str:
    if at >= len(text):
        return f"{text.decode('utf-8', 'replace')!r}, where it ends,"
    return repr(text.decode("utf-8", "replace"))
