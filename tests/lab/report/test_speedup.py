"""Speed-up against threads: which rows are joined, how much they gain, and the picture on the page."""

from __future__ import annotations

import random
import re

import synthetic
from headrace.judge.table import rejudged
from headrace.report import line_chart, page
from headrace.report.ranking import groups
from headrace.report.view import View
from headrace.results.schema import Campaign, Role, Row, row_id

SECONDS = {
    ("mine", 1): 0.080,
    ("mine", 2): 0.050,
    ("mine", 4): 0.032,
    ("alone", 2): 0.060,
    ("bytes", 1): 0.020,
    ("bytes", 4): 0.010,
}


def campaign() -> Campaign:
    """Make a campaign of contenders on several threads, beside those of `read_ints` that have no variant."""
    rng = random.Random(5)
    given = synthetic.read_ints(routes=[("file", "null")])
    model = next(
        row for row in given.rows if row.contender == "hand_written" and row.toolchain == synthetic.GCC
    )

    def made(contender: str, threads: int, seconds: float) -> Row:
        variant = {"THREADS": str(threads), "SIZE": "8"}
        return model.model_copy(
            update={
                "id": row_id("read_ints", contender, variant, synthetic.GCC, "O2", "file:null"),
                "contender": contender,
                "variant": variant,
                "role": Role.LIMIT if contender == "bytes" else Role.CONTENDER,
                "samples": synthetic.samples(rng, seconds, 24),
                "comparisons": [],
            }
        )

    rows = [made(*key, seconds) for key, seconds in SECONDS.items()]
    return rejudged(given.model_copy(update={"rows": [*given.rows, *rows]}))


def test_rows_that_differ_in_threads_alone_are_joined() -> None:
    (group,) = groups(campaign())
    (picture,) = line_chart.of_threads(group)
    assert [number for number, _ in picture.across.ticks] == [1, 2, 4]
    gains = {line.label: [mark.x for mark in line.marks] for line in picture.lines}
    assert gains == {"mine SIZE=8": [1, 2, 4], "bytes SIZE=8": [1, 4]}  # the fastest gain first
    mine, limit = picture.lines
    assert (mine.dash, limit.dash) == ("", "aside")
    assert abs(mine.marks[1].y - 1.6) < 0.1
    assert abs(mine.marks[2].y - 2.5) < 0.2


def test_the_page_draws_them() -> None:
    text = page.html([View(campaign())])
    drawn, narrow = re.findall(
        r'<svg[^>]*aria-label="[^"]*speed-up against threads[^"]*".*?</svg>', text, re.DOTALL
    )
    assert drawn.count('class="line ') == 2
    assert drawn.count('class="curve aside"') == 1
    assert re.search(r"mine SIZE=8\n4 threads: 2\.[3-7]\d* \[", drawn)
    assert "NaN" not in drawn + narrow


def test_without_threads_there_is_no_picture() -> None:
    assert "speed-up against threads" not in page.html([View(synthetic.read_ints())])
