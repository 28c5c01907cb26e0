"""Numbers for people: one unit a column, as many digits as carry meaning."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class TimeUnit:
    """A unit that suits a whole column, so that its cells compare at a glance."""

    name: str  # "s", "ms", "us" with the micro sign, "ns"
    per_second: float
    decimals: int

    def number(self, seconds: float) -> str:
        """Format without the unit: "24.1"."""
        return f"{seconds * self.per_second:,.{self.decimals}f}"

    def text(self, seconds: float) -> str:
        """Format with the unit: "24.1 ms"."""
        return f"{self.number(seconds)} {self.name}"

    def brief(self, seconds: float) -> str:
        """Format with the unit, in three significant digits or all before the point: "8.18 ms"."""
        scaled = seconds * self.per_second
        return f"{scaled:,.{digits_after_point(scaled)}f} {self.name}"


_UNITS = (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9))


def time_unit(seconds: Iterable[float]) -> TimeUnit:
    """Choose the unit that suits the middle of a column, and decimals that still show its smallest value."""
    ordered = sorted(value for value in seconds if value > 0) or [1.0]
    middle = ordered[len(ordered) // 2]
    name, per_second = next(((name, scale) for name, scale in _UNITS if middle * scale >= 1), _UNITS[-1])
    smallest = ordered[0] * per_second
    return TimeUnit(name, per_second, 0 if smallest >= 100 else 1 if smallest >= 1 and name != "s" else 2)


def one_time(seconds: float) -> str:
    """Format a single time in a sentence with three significant digits: "3.51 s", "24.1 ms"."""
    for name, per_second in _UNITS:
        scaled = seconds * per_second
        if scaled >= 0.9995 or name == "ns":
            return f"{scaled:.{digits_after_point(scaled)}f} {name}"
    raise AssertionError("the list of units is not empty")


def digits_after_point(value: float) -> int:
    """Decimals that leave three significant digits of a value of one or more; at most two."""
    size = abs(value)
    return 2 if size < 9.995 else 1 if size < 99.95 else 0


def three_digits(value: float) -> str:
    """Format a number in three digits, or all before the point: "1,034", "35.6", "0.000124"."""
    if value <= 0 or value >= 999.5:
        return count(round(value))
    rounded = float(f"{value:.2e}")  # 9.999 is 10.0
    return f"{rounded:.{2 - math.floor(math.log10(rounded))}f}"


def rounded_percent(share: float) -> str:
    """Format a share in a sentence: "42 %"."""
    return f"{100 * share:.0f} %"


def ratio(value: float) -> str:
    """Format a ratio: "0.614", "1.23", "12.4", "342"."""
    if 0 < value < 0.9995:
        return f"{value:.3f}" if value >= 0.00095 else f"{value:.1e}"
    return f"{value:,.{digits_after_point(value)}f}"


def memory(size: int) -> str:
    """Format bytes in binary units: "3.6 MiB"."""
    scaled = float(size)
    for name in ("B", "KiB", "MiB"):
        if scaled < 1024:
            return f"{scaled:.0f} {name}" if name == "B" else f"{scaled:.1f} {name}"
        scaled /= 1024
    return f"{scaled:,.1f} GiB"


def mebibytes(size: int) -> str:
    """Format bytes as a number of MiB for a column headed so."""
    scaled = size / 2**20
    return f"{scaled:,.1f}" if scaled < 100 else f"{scaled:,.0f}"


def count(value: int) -> str:
    """Format a count with thousands set apart."""
    return f"{value:,}"


def rough_count(value: float) -> str:
    """Format a count that need not be whole, as one per MiB: whole from ten on, two digits below."""
    return f"{round(value):,}" if value >= 9.95 else f"{value:.2g}"


def percent(share: float) -> str:
    """Format a share: "1.3 %"."""
    return f"{share * 100:.1f} %"


def duration(seconds: float) -> str:
    """Write a time that a person waits: "40 s", "2 min", "1 h 21 min"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
