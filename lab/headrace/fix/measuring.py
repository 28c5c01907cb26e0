"""Remedies side by side, in rounds, by the lab's judge: a gain is named where it is sure beyond a margin."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from headrace.judge import pair
from headrace.judge.samples import Array

if TYPE_CHECKING:
    from headrace.fix.fix import Trial

LOOKS = (10, 20, 40)  # rounds after which it is judged; each has an equal part of the level
LOOK = 3  # rounds after which a slow program's time goes to what helps most
MARGIN = math.log(1.02)  # a smaller gain is none: so far apart may two layouts of one program be
LAST = 1.5  # times the seconds: what rounds take that the first look needs

Time = Callable[["Trial"], None]


def race(
    base: Trial, trials: Sequence[Trial], run: Time, seconds: float, seed: int, watch: Callable[[int], None]
) -> int:
    """Run everything in rounds, in a fresh order each, until all is decided or the time is up.

    Returns the number of rounds. The level of each claim is divided by the number of remedies and looks, so
    that of programs that nothing helps one in twenty is said to be helped.
    """
    shuffler = random.Random(seed)
    level = pair.ALPHA / max(1, len(trials)) / len(LOOKS)
    begun, done, racing = time.monotonic(), 0, list(trials)
    while racing and done < LOOKS[-1]:
        spent = time.monotonic() - begun
        if spent > seconds * (1.0 if done >= LOOKS[0] else LAST):
            break
        watch(done)
        if done == LOOK and LOOKS[0] / done * spent > LAST * seconds:
            racing = promising(racing, base)
        order = [base, *(trial for trial in racing if trial.is_safe)]
        shuffler.shuffle(order)
        for trial in order:
            run(trial)
        if base.problem:
            return done
        done += 1
        if done in LOOKS:
            racing = [trial for trial in racing if trial.is_safe and not _decide(trial, base, level)]
    for trial in racing:
        _decide(trial, base, level)
    return done


def _decide(trial: Trial, base: Trial, level: float) -> bool:
    """Judge a trial by its rounds so far; tell whether more of them would not change what is said."""
    trial.gain = pair.estimate(gains(trial, base), level)
    return trial.gain is not None and (trial.gain.low > MARGIN or trial.gain.high < MARGIN)


def gains(trial: Trial, base: Trial) -> Array:
    """Return the gain of each round that a trial took part in, as a natural logarithm."""
    return np.asarray(np.log(base.times[: len(trial.times)]) - np.log(trial.times[: len(base.times)]))


def promising(trials: list[Trial], base: Trial) -> list[Trial]:
    """Return the trials that gain at least half of what the best one does: time is for them."""
    middle = {trial.name: float(np.median(gains(trial, base))) for trial in trials if trial.is_safe}
    most = max(middle.values(), default=0.0)
    return [trial for trial in trials if most <= 0 or middle.get(trial.name, 0.0) >= most / 2]
