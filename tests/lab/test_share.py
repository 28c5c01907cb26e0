"""The interval of a share, against scipy's."""

from __future__ import annotations

import pytest

from headrace.judge import share


@pytest.mark.parametrize(("hits", "trials"), [(0, 20), (1, 60), (18, 20), (20, 20), (3, 7), (390, 400)])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_interval_is_that_of_clopper_and_pearson(hits: int, trials: int, alpha: float) -> None:
    from scipy import stats  # takes a second, and each worker of pytest imports this file

    known = stats.binomtest(hits, trials).proportion_ci(1 - alpha, method="exact")
    assert share.interval(hits, trials, alpha) == pytest.approx((known.low, known.high), abs=1e-12)
