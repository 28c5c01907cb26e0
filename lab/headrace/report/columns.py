"""The figures of a row. Each is declared once, in COLUMNS; terminal, Markdown, page, CSV and JSON show it.

What tells rows apart (contender, toolchain, route) and what is drawn (bars, samples) belongs to each form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Literal

from markupsafe import Markup

from headrace.base import units
from headrace.base.text import visible
from headrace.judge.layouts import Moved, moved
from headrace.report.grid import ALWAYS
from headrace.report.ranking import Standing
from headrace.report.ratios import Ratio

Number = float | int | None
Form = Literal["terminal", "wide", "markdown", "page"]  # wide: a terminal with all columns
MOST: tuple[Form, ...] = ("wide", "markdown", "page")
EVERY: tuple[Form, ...] = ("terminal", *MOST)
_WIDE: tuple[Form, ...] = ("wide", "page")
_INTERVAL = ("median_low_s", "median_high_s")
_SAME_UNIT = "in the unit of the median"


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
    suffixes: tuple[str, ...]  # of the key, for the name of each number in CSV
    digits: int | None = None  # after the point in CSV; None: all
    numbers: Callable[[Any], Sequence[Number]] = lambda value: (value,)


SECONDS = Kind(lambda value, look: look.times.number(value), ("_s",), 9)
SPAN = Kind(lambda value, look: "", ("_low_s", "_high_s"), 9, tuple)
NANOSECONDS = Kind(lambda value, look: _nanoseconds(value), ("_ns",))
BYTES = Kind(lambda value, look: units.mebibytes(value), ("_bytes",))
RATE = Kind(lambda value, look: units.count(round(value / 2**20)), ("_bytes_per_s",), 0)
COUNT = Kind(lambda value, look: units.count(value), ("",))
PER_TOKEN = Kind(lambda value, look: units.three_digits(value), ("",))
RATIO = Kind(
    lambda ratio, look: units.ratio(ratio.value),
    ("", "_low", "_high"),
    numbers=lambda ratio: (ratio.value, ratio.low, ratio.high),
)
BOUNDED = replace(RATIO, text=lambda ratio, look: ratio.text)
LAYOUT = Kind(
    lambda moved, look: f"{_at_most(moved, look)}{units.percent(moved.share)}",
    ("_share", "s", "_certain"),
    numbers=lambda moved: (moved.share, moved.layouts, int(moved.certain)),
)


def _nanoseconds(value: float) -> str:
    """Write a time with the decimals of a column, of which a large one shows none: "2.16", "66,318"."""
    return f"{value:,.2f}" if value < 999.995 else units.count(round(value))


def _at_most(moved: Moved, look: Look) -> str:
    """Return the sign before what may be chance alone."""
    return "" if moved.certain else "<= " if look.plain else "≤ "


@dataclass(frozen=True)
class Column:
    """One figure of a row, or none where its value is None."""

    key: str  # in JSON, and what its names in CSV begin with; "" for people alone
    title: str  # "{unit}" is the table's unit of time, "{x}" a multiplication sign
    help: str
    kind: Kind
    value: str | Callable[[Standing], Any]  # attributes of a Standing, or what finds it
    keep: int = 50  # columns with the smallest go first when a terminal is narrow
    forms: tuple[Form, ...] = MOST
    mark: Callable[[Standing], str] = lambda standing: ""  # put after the text
    page: Callable[[Standing, Any], Markup] | None = None  # in the cell of the page, where it holds more
    names: tuple[str, ...] = ()  # in CSV, where they are not the key with the kind's suffixes
    optional: bool = False  # no column on a page where no row has a value

    def of(self, standing: Standing) -> Any:
        """Return the value of a row; None where it has none."""
        if callable(self.value):
            return self.value(standing)
        return reduce(lambda held, name: held and getattr(held, name), self.value.split("."), standing)

    @property
    def extra(self) -> bool:
        """Whether the page hides it until more columns are asked for: a terminal shows it only if wide."""
        return "terminal" not in self.forms

    @property
    def csv_names(self) -> tuple[str, ...]:
        """The names of its numbers in CSV."""
        return self.names or tuple(self.key + suffix for suffix in self.kind.suffixes)

    def text(self, standing: Standing, look: Look) -> str:
        """Return the cell as people read it; "" without a value."""
        value = self.of(standing)
        return "" if value is None else self.kind.text(value, look) + self.mark(standing)

    def numbers(self, standing: Standing) -> Sequence[Number]:
        """Return a number for each name in CSV; None where there is none."""
        value = self.of(standing)
        numbers = (
            [None] * len(self.csv_names) if value is None else self.kind.numbers(value)[: len(self.csv_names)]
        )
        digits = self.kind.digits
        return [
            round(number, digits) if digits is not None and isinstance(number, float) else number
            for number in numbers
        ]

    def plain(self, standing: Standing) -> Any:
        """Return the value for JSON: a number, a list of numbers, or None."""
        value = self.of(standing)
        numbers = [] if value is None else list(self.kind.numbers(value))
        return numbers if len(numbers) > 1 else numbers[0] if numbers else None

    def cell(self, standing: Standing, look: Look) -> Markup:
        """Return the cell of the page, with the number that the browser sorts by."""
        value, style = self.of(standing), "n extra" if self.extra else "n"
        if value is None:
            return Markup('<td class="{}"></td>').format(style)
        shown = self.text(standing, look) if self.page is None else self.page(standing, value)
        return Markup('<td class="{}" data-v="{}">{}</td>').format(
            style, f"{self.kind.numbers(value)[0]:.6g}", shown
        )


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


def _opening_calls(standing: Standing, total: int) -> Markup:
    """The number of system calls, which opens to the commonest ones: by mouse, touch or keyboard."""
    counts = standing.row.system_calls.counts if standing.row.system_calls else {}
    commonest = sorted(counts.items(), key=lambda item: -item[1])[:6]
    listed = ", ".join(f"{visible(name)} {units.count(number)}" for name, number in commonest)
    return Markup('<details class="calls"><summary>{}</summary>{}</details>').format(
        units.count(total), listed
    )


# In the order of the tables.
COLUMNS = (
    Column("median", "median {unit}", "wall time", SECONDS, "spread.median", ALWAYS, EVERY),
    Column("interval", "", "of the median", SPAN, "spread.interval", 0, (), names=_INTERVAL),
    Column(
        "to_baseline", "{x} base", "time over the baseline's, with its interval",
        BOUNDED, "to_baseline", 90, EVERY, _borrowed, _ratio_with_interval,
    ),
    Column("", "runs", "that were measured", COUNT, "runs", 52, EVERY),
    Column("min", "min", "shortest run", SECONDS, "spread.minimum", 55),
    Column("mean", "mean", "of all runs", SECONDS, "spread.mean", 49, _WIDE),
    Column("max", "max", "longest run", SECONDS, "spread.maximum", 50),
    Column("to_limit", "{x} limit", "time over the limit's", RATIO, "to_limit", 45, names=("to_limit",)),
    Column(
        "token_time", "ns/token", "median over the number of tokens", NANOSECONDS, "token_time", 51, EVERY
    ),
    Column("user", "user", f"processor time in the program, {_SAME_UNIT}", SECONDS, "spread.user", 42),
    Column("system", "system", f"processor time in the kernel, {_SAME_UNIT}", SECONDS, "spread.system", 41),
    Column(
        "throughput", "MiB/s", "of input, or of output where nothing is read, at the median",
        RATE, "throughput", 28,
    ),
    Column("peak_memory", "peak MiB", "largest of all runs", BYTES, "spread.peak_memory", 35),
    Column("system_calls", "calls", "system calls of the whole run", COUNT, "calls", 32, page=_opening_calls),
    Column(
        "instructions_per_token", "instr/token",
        "instructions of an untimed run on a small input, start of the process included, over its tokens",
        PER_TOKEN, lambda standing: _counted_per_token(standing, "instructions"), 34, _WIDE, optional=True,
    ),
    Column(
        "system_calls_per_token", "calls/token", "system calls of the same run over its tokens",
        PER_TOKEN, lambda standing: _counted_per_token(standing, "system_calls"), 33, _WIDE, optional=True,
    ),
    Column(
        "layout", "layout",
        "how far the medians of its layouts lie apart; with ≤ where chance alone may do that",
        LAYOUT, lambda standing: moved(standing.row.samples), 25, _WIDE, optional=True,
    ),
    Column(
        "tokens", "", "what the input or the output holds",
        COUNT, lambda standing: standing.row.tokens or None, 0, (),
    ),
)  # fmt: skip


def shown(form: Form) -> list[Column]:
    """Return the columns of a form, in their order."""
    return [column for column in COLUMNS if form in column.forms]


def for_programs() -> list[Column]:
    """Return the columns that are numbers: those of CSV and JSON."""
    return [column for column in COLUMNS if column.key]
