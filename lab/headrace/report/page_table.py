"""The rows of the page's table: cells with the values that the browser sorts by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup, escape

from headrace.base import units
from headrace.base.text import visible
from headrace.judge.table import grouped
from headrace.report import columns, svg, sweep
from headrace.report.columns import BORROWED, Look, shown
from headrace.report.prose import say, together
from headrace.report.ranking import Group, Spread, Standing

_STRIP = 120  # width of a strip in pixels, its middle the row's median
_LEAST_REACH = 0.02  # a strip shows at least this share either side of the median


@dataclass(frozen=True)
class Column:
    """A column of the page. kind: "n" sorts by number, "t" by text, "plain" not at all."""

    header: str
    kind: str
    hint: str
    cell: Callable[[Group, Standing], Markup]
    extra: bool = False  # hidden until a reader asks for more columns


@dataclass(frozen=True)
class PageRow:
    """One row with what the filters look at."""

    data: dict[str, str]
    style: str
    cells: Markup


@dataclass(frozen=True)
class Cause:
    """Why rows take as long as they do: one sentence for all rows that share it."""

    id: str
    rows: str
    text: str


def colours(scope: str) -> str:
    """Give the rules that colour the keys and strips by toolchain, for both colour schemes."""
    return "".join(f"{scope} .c{at}{{--c:{svg.both(*pair)}}}" for at, pair in enumerate(svg.LANES)) + "\n"


class Table:
    """All rows of a benchmark, whatever their route."""

    def __init__(self, members: Sequence[Group], identity: str) -> None:
        self._info = members[0].benchmark
        self._entries = [(group, row) for group in members for row in [*group.measured, *group.failed]]
        # Rows without a time come after all others, whatever their route.
        self._entries.sort(key=lambda entry: entry[1].spread is None)
        standings = [row for _, row in self._entries]
        self._spreads = [row.spread for row in standings if row.spread]
        self._look = Look(units.time_unit(spread.median for spread in self._spreads))
        self._longest = max((spread.median for spread in self._spreads), default=0.0)
        self._reach = _reach(self._spreads)
        self._rounds = max((sample.round for row in standings for sample in row.row.samples), default=0)
        self._files = {file: f"{identity}-s{at}" for at, file in enumerate(self._info.sources)}
        texts = dict.fromkeys(row.row.cause for row in standings if row.row.cause)
        self._causes = {text: f"{identity}-w{at}" for at, text in enumerate(texts)}
        self._flags = list(dict.fromkeys(map(_flags, standings)))
        self._toolchains = {row.toolchain for row in standings}
        self._routes = list(dict.fromkeys(_route(group) for group, _ in self._entries))
        self._folds = any(group.folds for group in members)
        self._keys = sweep.differing(members)
        self._about, self._figures = self._describing(), self._measured()
        self.columns = [*self._about, *self._figures]

    def _describing(self) -> list[Column]:
        """Make the columns that say which row it is; what all rows share has none."""
        several = [
            ("toolchain", self._toolchains, _toolchain),
            ("flags", self._flags, lambda group, row: _plain(_flags(row))),
            ("route", self._routes, lambda group, row: _plain(_route(group))),
        ]
        return [
            Column("place", "n", "of the contender, with all its builds; 2-4 may be any of these", _place),
            Column("contender", "t", "", self._contender),
            *(Column(header, "t", "", cell) for header, values, cell in several if len(values) > 1),
            *(Column(visible(key), "n", "of the input", partial(_setting, key)) for key in self._keys),
        ]

    def _measured(self) -> list[Column]:
        """Make the columns of figures and drawings: first those of a terminal."""
        look = self._look
        figures = [
            Column(self._look.title(figure), "n", figure.help, partial(_figure, figure, look), figure.extra)
            for figure in shown("page")
            if not figure.optional or any(figure.of(row) is not None for _, row in self._entries)
        ]
        by_distance = f"each dot a sample, from -{self._reach:.0%} to +{self._reach:.0%}"
        by_round = f"the same samples in their order, up to {self._reach:.0%} either way"
        return [
            *(column for column in figures if not column.extra),
            Column("", "plain", "the median as a bar", self._bar),
            Column("samples", "plain", by_distance, self._strip, True),
            Column("by round", "plain", by_round, self._by_round, True),
            *(column for column in figures if column.extra),
        ]

    def filters(self) -> dict[str, list[str]]:
        """Give the choices above the table, by the name of the rows' data attribute."""
        by_number = {row.colour: row.toolchain for _, row in self._entries}
        toolchains = dict.fromkeys(visible(by_number[number]) for number in sorted(by_number))
        every = {
            "toolchain": list(toolchains),
            "route": self._routes,
            "flags": sorted(flags for flags in self._flags if flags),
            "input": list(dict.fromkeys(self._input(group) for group, _ in self._entries)),
        }
        return {column: choices for column, choices in every.items() if len(choices) > 1}

    def rows(self) -> list[PageRow]:
        """Make the rows: those with a time by route and speed, then the failed ones."""
        return [self._row(group, row) for group, row in self._entries]

    def _row(self, group: Group, row: Standing) -> PageRow:
        style = "failed" if row.spread is None else "role" if row.role else ""
        cells = [column.cell(group, row) for column in self._about]
        if row.spread is not None:
            cells += [column.cell(group, row) for column in self._figures]
        else:
            extra = sum(column.extra for column in self._figures)
            failure = Markup(
                '<td colspan="{}" class="detail"><span class="bad">{}</span> {}</td>'
                '<td colspan="{}" class="extra"></td>'
            )
            wide = len(self._figures) - extra
            cells.append(failure.format(wide, row.outcome, visible(row.row.detail), extra))
        data = {"toolchain": visible(row.toolchain), "route": _route(group), "flags": _flags(row)}
        data |= {"input": self._input(group), "contender": visible(row.label)}
        return PageRow(data, "first" if row.rank == 1 else style, Markup("").join(cells))

    def _contender(self, group: Group, row: Standing) -> Markup:
        """Name it, and link to its source and its cause; a phone shows its time, too."""
        name: Markup = escape(visible(row.label))
        if row.row.source_file in self._files:
            name = Markup('<a href="#{}">{}</a>').format(self._files[row.row.source_file], name)
        if row.row.cause:
            name += Markup(' <a href="#{}"><small>why</small></a>').format(self._causes[row.row.cause])
        for note in row.row.notes:
            name += Markup('<small class="note">{}</small>').format(visible(note))
        if row.spread is None:
            return Markup("<td>{}</td>").format(name)
        time = f"{self._look.times.number(row.spread.median)} {self._look.times.name}"
        return Markup('<td data-time="{}">{}</td>').format(time, name)

    def _bar(self, group: Group, row: Standing) -> Markup:
        share = row.spread.median / self._longest if self._longest and row.spread else 0.0
        return Markup(
            '<td><svg class="share {}" viewBox="0 0 120 10" aria-hidden="true">'
            '<rect width="{:.1f}" height="10" rx="1.5"/></svg></td>'
        ).format(_colour(row), max(1.0, 120 * share))

    def _share(self, seconds: float, spread: Spread) -> float:
        """Where a time is between -1 and 1, the ends of a strip; past them for an outlier."""
        return (seconds / spread.median - 1) / self._reach if spread.median else 0.0

    def _strip(self, group: Group, row: Standing) -> Markup:
        """Draw the samples by their distance from the median, over the median's interval."""
        spread = row.spread
        assert spread is not None  # rows without a time have no figures

        def x(seconds: float) -> float:
            return _STRIP / 2 + max(-1.0, min(1.0, self._share(seconds, spread))) * (_STRIP / 2 - 3)

        interval = svg.path("ci", f"M{x(spread.low):.1f} 8H{x(spread.high):.1f}")
        places = [(x(wall), 8 + svg.jitter(at)) for at, wall in enumerate(spread.walls)]
        return self._drawn(row, spread, "strip", interval, places)

    def _by_round(self, group: Group, row: Standing) -> Markup:
        """Draw the samples from the first round to the last, slower ones higher."""
        spread, step = row.spread, (_STRIP - 6) / max(1, self._rounds)
        assert spread is not None  # rows without a time have no figures
        heights = [8 - 6 * max(-1.0, min(1.0, self._share(wall, spread))) for wall in spread.walls]
        rounds = [3 + step * sample.round for sample in row.row.samples]
        return self._drawn(row, spread, "strip rounds", "", list(zip(rounds, heights, strict=True)))

    def _drawn(
        self, row: Standing, spread: Spread, style: str, under: str, places: list[tuple[float, float]]
    ) -> Markup:
        """Draw each sample as a dot, an outlier as a stroke."""
        is_out = [abs(self._share(wall, spread)) > 1 for wall in spread.walls]
        out = "".join(f"M{x:.1f} {y - 2:.1f}v4" for (x, y), far in zip(places, is_out, strict=True) if far)
        dots = svg.dots("", (place for place, far in zip(places, is_out, strict=True) if not far))
        return Markup(
            '<td class="extra"><svg class="{} {}" viewBox="0 0 120 16" aria-hidden="true">{}</svg></td>'
        ).format(style, _colour(row), Markup(under + dots + (svg.path("out", out) if out else "")))

    def _input(self, group: Group) -> str:
        """Name what tells a row's input from those of others."""
        return visible(", ".join(f"{key} = {sweep.value(group, key)}" for key in self._keys))

    def legend(self) -> str:
        """Explain the marks of the table."""
        outside = sum(abs(self._share(wall, spread)) > 1 for spread in self._spreads for wall in spread.walls)
        outliers = say("one-stroke" if outside == 1 else "strokes", outside=outside) if outside else ""
        toolchains = [visible(chain) for chain in self._toolchains if "script" not in self._toolchains]
        borrowed = any(row.borrowed_baseline for _, row in self._entries)
        parts = [
            f"{say('all-builds').capitalize()}." if self._folds else "",
            say("marks", reach=f"{self._reach:.0%}", outliers=outliers),
            say("one-route", route=self._routes[0]) if len(self._routes) == 1 else "",
            say("one-toolchain", toolchain=toolchains[0]) if len(toolchains) == 1 else "",
            say("one-level", flags=self._flags[0]) if len(self._flags) == 1 and self._flags[0] else "",
            say("baseline", baseline=self._info.baseline) if self._info.baseline else "",
            f"{BORROWED}." if borrowed else "",
            say("has-limit", limit=self._info.limit) if self._info.limit else "",
        ]
        return " ".join(filter(None, parts))

    def causes(self) -> list[Cause]:
        """Give each cause once, with the rows that it explains."""
        causes = []
        explained = grouped((e for e in self._entries if e[1].row.cause), lambda entry: entry[1].row.cause)
        for text, entries in explained.items():
            # The same row has another cause on each input, where rows have several.
            inputs = dict.fromkeys(filter(None, (self._input(group) for group, _ in entries)))
            who = together(row for _, row in entries) + (f", {' and '.join(inputs)}" if inputs else "")
            causes.append(Cause(self._causes[text], who, visible(text)))
        return causes

    def contenders_of(self, file: str) -> list[str]:
        """Name the contenders that are built from a source file."""
        names = [standing.row.contender for _, standing in self._entries if standing.row.source_file == file]
        return list(dict.fromkeys(names))

    def source_id(self, file: str) -> str:
        """Give the fragment that shows a source file."""
        return self._files[file]


def _reach(spreads: Sequence[Spread]) -> float:
    """Choose how far strips reach: nineteen samples of twenty lie within, on the whole."""
    distances = sorted(
        abs(wall / spread.median - 1) for spread in spreads if spread.median for wall in spread.walls
    )
    if not distances:
        return _LEAST_REACH
    return max(_LEAST_REACH, round(distances[int(len(distances) * 0.95)] + 0.005, 2))


def _colour(row: Standing) -> str:
    return f"c{row.colour % len(svg.LANES)}"


def _route(group: Group) -> str:
    return visible(f"{group.source} to {group.sink}")


def _flags(row: Standing) -> str:
    return visible(row.row.level)


def _plain(text: str) -> Markup:
    return Markup("<td>{}</td>").format(text)


def _number(value: float | str, text: str) -> Markup:
    """Make a cell that the browser sorts by `value`; "" where there is none."""
    data = Markup(' data-v="{}"').format(value) if value else ""
    return Markup('<td class="n"{}>{}</td>').format(data, text)


def _figure(figure: columns.Column, look: Look, group: Group, row: Standing) -> Markup:
    return figure.cell(row, look)


def _place(group: Group, row: Standing) -> Markup:
    return _number(row.rank, row.place)


def _toolchain(group: Group, row: Standing) -> Markup:
    return Markup('<td class="key {}">{}</td>').format(_colour(row), visible(row.toolchain))


def _setting(key: str, group: Group, row: Standing) -> Markup:
    text = sweep.value(group, key)
    return _number(f"{float(text):.6g}" if text.isdecimal() else "", visible(text))
