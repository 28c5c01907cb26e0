"""The figures of a row. Each is declared once, in COLUMNS; terminal, Markdown, page, CSV and JSON show it.

What tells rows apart (contender, toolchain, route) and what is drawn (bars, samples) belongs to each view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from markupsafe import Markup

from headrace.base import units
from headrace.base.text import visible
from headrace.judge.layouts import Moved, moved
from headrace.report.ratios import Ratio
from headrace.report.standing import Spread, Standing

Number = float | int | None
View = Literal["terminal", "wide", "markdown", "page"]  # wide: a terminal with all columns
MOST: tuple[View, ...] = ("wide", "markdown", "page")
EVERY: tuple[View, ...] = ("terminal", *MOST)
ALWAYS = 99  # a column that no terminal is too narrow for


@dataclass(frozen=True)
class Look:
    """How one table writes its figures: one unit of time, and signs or plain ASCII."""

    times: units.TimeUnit
    plain: bool = False

    def title(self, column: Column) -> str:
        """Fill in the unit of times and the multiplication sign."""
        unit = self.times.name.replace("µ", "u") if self.plain else self.times.name
        return column.title.format(unit=unit, x="x" if self.plain else "\N{MULTIPLICATION SIGN}")


@dataclass(frozen=True)
class Kind:
    """A kind of value: how people read it, and which numbers it is for programs."""

    text: Callable[[Any, Look], str]
    numbers: Callable[[Any], Sequence[Number]]
    suffixes: tuple[str, ...]  # of the key, for the name of each number in CSV
    digits: int | None = None  # after the point in CSV; None: all


SECONDS = Kind(lambda value, look: look.times.number(value), lambda value: (value,), ("_s",), 9)
SPAN = Kind(lambda value, look: "", lambda value: tuple(value), ("_low_s", "_high_s"), 9)
NANOSECONDS = Kind(lambda value, look: _nanoseconds(value), lambda value: (value,), ("_ns",))
BYTES = Kind(lambda value, look: units.mebibytes(value), lambda value: (value,), ("_bytes",))
RATE = Kind(
    lambda value, look: units.count(round(value / 2**20)), lambda value: (value,), ("_bytes_per_s",), 0
)
COUNT = Kind(lambda value, look: units.count(value), lambda value: (value,), ("",))
RATIO = Kind(
    lambda ratio, look: units.ratio(ratio.value),
    lambda ratio: (ratio.value, ratio.low, ratio.high),
    ("", "_low", "_high"),
)
BOUNDED = replace(RATIO, text=lambda ratio, look: ratio.text)
PER_TOKEN = Kind(lambda value, look: _three_digits(value), lambda value: (value,), ("",))
LAYOUT = Kind(
    lambda moved, look: f"{_at_most(moved, look)}{units.percent(moved.share)}",
    lambda moved: (moved.share, moved.layouts, int(moved.certain)),
    ("_share", "s", "_certain"),
)


def _three_digits(value: float) -> str:
    """Write a number that may be far below 1: "35.6", "0.000124"."""
    if value <= 0 or value >= 1000:
        return units.count(round(value))
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def _nanoseconds(value: float) -> str:
    """Write a time with the decimals of a column, of which a large one shows none: "2.16", "66,318"."""
    return f"{value:,.2f}" if value < 999.995 else units.count(round(value))


def _at_most(moved: Moved, look: Look) -> str:
    """Return the sign before what may be chance alone."""
    return "" if moved.certain else "<= " if look.plain else "≤ "


@dataclass(frozen=True)
class Column:
    """One figure. `value` is None where a row has none."""

    key: str  # in JSON, and what its names in CSV begin with; "" for people alone
    title: str  # "{unit}" is the table's unit of time, "{x}" a multiplication sign
    help: str
    kind: Kind
    value: Callable[[Standing], Any]
    keep: int = 50  # columns with the smallest go first when a terminal is narrow
    views: tuple[View, ...] = MOST
    mark: Callable[[Standing], str] = lambda standing: ""  # put after the text
    page: Callable[[Standing, Any], Markup] | None = None  # in the cell of the page, where it holds more
    optional: bool = False  # no column on a page where no row has a value
    names: tuple[str, ...] = ()  # in CSV, where they are not the key with the kind's suffixes

    @property
    def extra(self) -> bool:
        """Whether the page hides it until more columns are asked for: a terminal shows it only if wide."""
        return "terminal" not in self.views

    @property
    def csv_names(self) -> tuple[str, ...]:
        """The names of its numbers in CSV."""
        return self.names or tuple(self.key + suffix for suffix in self.kind.suffixes)

    def text(self, standing: Standing, look: Look) -> str:
        """Return the cell as people read it; "" without a value."""
        value = self.value(standing)
        return "" if value is None else self.kind.text(value, look) + self.mark(standing)

    def numbers(self, standing: Standing) -> Sequence[Number]:
        """Return a number for each name in CSV; None where there is none."""
        value = self.value(standing)
        found = (
            [None] * len(self.csv_names) if value is None else self.kind.numbers(value)[: len(self.csv_names)]
        )
        digits = self.kind.digits
        return [
            round(number, digits) if digits is not None and isinstance(number, float) else number
            for number in found
        ]

    def plain(self, standing: Standing) -> Any:
        """Return the value for JSON: a number, a list of numbers, or None."""
        value = self.value(standing)
        numbers = [] if value is None else list(self.kind.numbers(value))
        return numbers if len(numbers) > 1 else numbers[0] if numbers else None

    def cell(self, standing: Standing, look: Look) -> Markup:
        """Return the cell of the page, with the number that the browser sorts by."""
        value, style = self.value(standing), "n extra" if self.extra else "n"
        if value is None:
            return Markup('<td class="{}"></td>').format(style)
        shown = self.text(standing, look) if self.page is None else self.page(standing, value)
        return Markup('<td class="{}" data-v="{}">{}</td>').format(
            style, f"{self.kind.numbers(value)[0]:.6g}", shown
        )


def _of_spread(name: str) -> Callable[[Standing], Any]:
    return lambda standing: getattr(standing.spread, name) if standing.spread else None


def _peak_memory(standing: Standing) -> int | None:
    return (standing.spread.peak_memory or None) if standing.spread else None  # 0: whoever ran it did not say


def _interval(standing: Standing) -> tuple[float, float] | None:
    spread: Spread | None = standing.spread
    return (spread.low, spread.high) if spread else None


def _counted_per_token(standing: Standing, what: str) -> float | None:
    counted = standing.row.counted
    number = getattr(counted, what) if counted else None
    return None if counted is None or number is None else number / max(counted.tokens, 1)


BORROWED = "*: over the baseline of another toolchain, as this one has none"


def _borrowed(standing: Standing) -> str:
    return "*" if standing.borrowed_baseline else ""


def _ratio_with_interval(standing: Standing, ratio: Ratio) -> Markup:
    style = "faster" if ratio.verdict == "faster" else ""
    return Markup('<span class="{}">{}{}</span> <small>{}</small>').format(
        style, units.ratio(ratio.value), _borrowed(standing), ratio.interval
    )


def _calls_that_open(standing: Standing, total: int) -> Markup:
    """The number of system calls, which opens to the commonest ones: by mouse, touch or keyboard."""
    counts = standing.row.system_calls.counts if standing.row.system_calls else {}
    commonest = sorted(counts.items(), key=lambda item: -item[1])[:6]
    listed = ", ".join(f"{visible(name)} {units.count(number)}" for name, number in commonest)
    return Markup('<details class="calls"><summary>{}</summary>{}</details>').format(
        units.count(total), listed
    )


# In the order of the tables.
COLUMNS = (
    Column("median", "median {unit}", "wall time", SECONDS, _of_spread("median"), keep=ALWAYS, views=EVERY),
    Column(
        "interval", "", "of the median", SPAN, _interval, views=(), names=("median_low_s", "median_high_s")
    ),
    Column(
        "to_baseline",
        "{x} base",
        "time over the baseline's, with its interval",
        BOUNDED,
        lambda standing: standing.to_baseline,
        keep=90,
        views=EVERY,
        mark=_borrowed,
        page=_ratio_with_interval,
    ),
    Column(
        "",
        "runs",
        "that were measured",
        COUNT,
        lambda standing: len(standing.row.samples) or None,
        keep=52,
        views=EVERY,
    ),
    Column("min", "min", "shortest run", SECONDS, _of_spread("minimum"), keep=55),
    Column("mean", "mean", "of all runs", SECONDS, _of_spread("mean"), keep=56, views=("page",)),
    Column("max", "max", "longest run", SECONDS, _of_spread("maximum"), keep=50),
    Column(
        "to_limit",
        "{x} limit",
        "time over the limit's",
        RATIO,
        lambda standing: standing.to_limit,
        keep=45,
        names=("to_limit",),
    ),
    Column(
        "token_time",
        "ns/token",
        "median over the number of tokens",
        NANOSECONDS,
        lambda standing: standing.token_time,
        keep=51,
        views=EVERY,
    ),
    Column(
        "user",
        "user",
        "processor time in the program, in the unit of the median",
        SECONDS,
        _of_spread("user"),
        keep=42,
    ),
    Column(
        "system",
        "system",
        "processor time in the kernel, in the unit of the median",
        SECONDS,
        _of_spread("system"),
        keep=41,
    ),
    Column(
        "throughput",
        "MiB/s",
        "of input, or of output where nothing is read, at the median",
        RATE,
        lambda standing: standing.throughput,
        keep=28,
    ),
    Column("peak_memory", "peak MiB", "largest of all runs", BYTES, _peak_memory, keep=35),
    Column(
        "system_calls",
        "calls",
        "system calls of the whole run",
        COUNT,
        lambda standing: standing.calls,
        keep=32,
        page=_calls_that_open,
    ),
    Column(
        "instructions_per_token",
        "instr/token",
        "instructions of an untimed run on a small input, start of the process included, over its tokens",
        PER_TOKEN,
        lambda standing: _counted_per_token(standing, "instructions"),
        keep=34,
        views=("wide", "page"),
        optional=True,
    ),
    Column(
        "system_calls_per_token",
        "calls/token",
        "system calls of the same run over its tokens",
        PER_TOKEN,
        lambda standing: _counted_per_token(standing, "system_calls"),
        keep=33,
        views=("wide", "page"),
        optional=True,
    ),
    Column(
        "layout",
        "layout",
        "how far the medians of its layouts lie apart; with ≤ where chance alone may do that",
        LAYOUT,
        lambda standing: moved(standing.row.samples),
        keep=25,
        views=("wide", "page"),
        optional=True,
    ),
    Column(
        "tokens",
        "",
        "what the input or the output holds",
        COUNT,
        lambda standing: standing.row.tokens or None,
        views=(),
    ),
)


def shown(view: View, also: Sequence[str] = ()) -> list[Column]:
    """Return the columns of a view, in their order, and those of the keys `also`."""
    return [column for column in COLUMNS if view in column.views or column.key in also]


def for_programs() -> list[Column]:
    """Return the columns that are numbers: those of CSV and JSON."""
    return [column for column in COLUMNS if column.key]
