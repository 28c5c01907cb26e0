"""Do neighbouring rounds resemble each other? Then blocks of rounds are what is independent, not rounds.

Two builds that are the same need none of this: the shuffled order makes each round's sign a fair coin,
whatever the machine does. Builds that differ may feel a neighbour differently, and then the ratio follows the
neighbour's phases, which last for several rounds.

- Test: the lag-1 autocorrelation of the scores, and that of sums of 2, 3, 4 ... of them. Without dependence
  it is normal around 0 with variance 1/n (Bartlett 1946), so that 1.645 / sqrt(n) is passed in one of twenty.
- Block: the shortest length whose sums no longer pass the test (Kuensch 1989, Politis & Romano 1994 on blocks
  in general), twice over, because a phase that straddles two blocks ties them together.
- State: a long phase shows in how long the rounds took before it shows in their ratio. Where the ratio
  follows the state, which is the mean of both logarithms, blocks are as long as the state's phases ask for.
"""

from __future__ import annotations

import math

import numpy as np

from headrace.judge.samples import Array

LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
FEWEST = 5  # blocks from which an autocorrelation says something
CLEAR = 0.2  # a round 20 % slower than the median is as disturbed as one that is twice as slow
SUSPICIOUS = 1.645  # one-sided 5 % of a normal


def block_length(scores: Array, state: Array | None = None) -> int:
    """The rounds of a block, 1 where rounds are independent.

    `scores`: bounded, in order, centred near 0. `state`: how slow each of these rounds was.
    """
    own = _shortest(scores)
    if state is None or len(scores) < FEWEST or not _follows(scores, state):
        return own
    return max(own, _shortest(np.clip(state - np.median(state), -CLEAR, CLEAR)))


def _shortest(scores: Array) -> int:
    if not _depends(scores):
        return 1
    for length in LENGTHS[1:]:
        sums = block_sums(scores, length)
        if len(sums) < FEWEST or not _depends(sums):
            break
    return min(2 * length, max(1, len(scores)))


def _follows(scores: Array, state: Array) -> bool:
    """Whether scores are larger or smaller where the state is: a correlation beyond 1.645 / sqrt(n)."""
    x, y = scores - scores.mean(), np.clip(state - np.median(state), -CLEAR, CLEAR)
    y = y - y.mean()
    power = math.sqrt(float(x @ x) * float(y @ y))
    return power > 0 and abs(float(x @ y)) / power > SUSPICIOUS / math.sqrt(len(x))


def _depends(scores: Array) -> bool:
    n = len(scores)
    return n >= FEWEST and autocorrelation(scores) > SUSPICIOUS / math.sqrt(n)


def autocorrelation(scores: Array, lag: int = 1) -> float:
    """The correlation of a series with itself `lag` steps later; 0 for a constant one."""
    y = scores - scores.mean()
    power = float(y @ y)
    return float(y[lag:] @ y[:-lag]) / power if power > 0 else 0.0


def block_sums(scores: Array, length: int) -> Array:
    """Sums over blocks of consecutive scores along the last axis; the last block may be shorter."""
    starts = np.arange(0, scores.shape[-1], length)
    return np.asarray(np.add.reduceat(scores, starts, axis=-1)) if length > 1 else scores
