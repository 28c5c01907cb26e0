"""The rows of the page's table: cells with the values that the browser sorts by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.report import svg, sweep
from headrace.report.columns import BORROWED, Look, shown
from headrace.report.prose import together
from headrace.report.standing import Group, Spread, Standing

_STRIP = 120  # width of a strip in pixels, its middle the row's median
_LEAST_REACH = 0.02  # a strip shows at least this share either side of the median


@dataclass(frozen=True)
class Column:
    """A column's header. kind: "n" sorts by number, "t" by text, "plain" not at all.

    extra: hidden until a reader asks for more columns.
    """

    header: str
    kind: str
    hint: str = ""
    extra: bool = False


@dataclass(frozen=True)
class Filter:
    """A choice above the table; `column` names the rows' data attribute."""

    label: str
    column: str
    choices: Sequence[str]


@dataclass(frozen=True)
class PageRow:
    """One row with what the filters look at."""

    name: str
    toolchain: str
    route: str
    flags: str
    input: str
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
    light, dark = (svg.colours(scope, palette) for palette in (svg.ON_LIGHT, svg.ON_DARK))
    return f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n"


class Table:
    """All rows of a benchmark, whatever their route."""

    def __init__(self, members: Sequence[Group], identity: str) -> None:
        self._identity = identity
        self._info = members[0].benchmark
        self._entries = [
            (group, standing) for group in members for standing in [*group.measured, *group.failed]
        ]
        # Rows without a time come after all others, whatever their route.
        self._entries.sort(key=lambda entry: entry[1].spread is None)
        medians = [standing.spread.median for _, standing in self._entries if standing.spread]
        self._look = Look(units.time_unit(medians))
        spreads = [standing.spread for _, standing in self._entries if standing.spread]
        self._reach = _reach(spreads)
        self._outside = sum(abs(self._share(wall, spread)) > 1 for spread in spreads for wall in spread.walls)
        self._rounds = max(
            (sample.round for _, standing in self._entries for sample in standing.row.samples), default=0
        )
        self._files = {file: f"{identity}-s{at}" for at, file in enumerate(self._info.sources)}
        texts = dict.fromkeys(standing.row.cause for _, standing in self._entries if standing.row.cause)
        self._causes = {text: f"{identity}-w{at}" for at, text in enumerate(texts)}
        self._flags = list(dict.fromkeys(_flags(standing) for _, standing in self._entries))
        self._toolchains = {standing.toolchain for _, standing in self._entries}
        self._longest = max(medians, default=0.0)
        self._routes = list(dict.fromkeys(_route(group) for group, _ in self._entries))
        self._keys = sweep.differing(members)
        figures = [
            one
            for one in shown("page")
            if not one.optional or any(one.value(standing) is not None for _, standing in self._entries)
        ]
        self._first = [one for one in figures if not one.extra]
        self._further = [one for one in figures if one.extra]
        self.columns = self._columns()

    def _columns(self) -> list[Column]:
        """Make the headers: first those of a terminal; what all rows share has no column."""
        reach = f"{self._reach:.0%}"
        return [
            Column("place", "n", "within its route; 2-4 may be any of these"),
            Column("contender", "t"),
            *([Column("toolchain", "t")] if len(self._toolchains) > 1 else []),
            *([Column("flags", "t")] if len(self._flags) > 1 else []),
            *([Column("route", "t")] if len(self._routes) > 1 else []),
            *(Column(visible(key), "n", "of the input") for key in self._keys),
            *(Column(self._look.title(one), "n", one.help) for one in self._first),
            Column("", "plain", "the median as a bar"),
            Column("samples", "plain", f"each dot a sample, from -{reach} to +{reach}", True),
            Column("by round", "plain", f"the same samples in their order, up to {reach} either way", True),
            *(Column(self._look.title(one), "n", one.help, True) for one in self._further),
        ]

    def filters(self) -> list[Filter]:
        """Give the choices for toolchain, route and flags."""
        by_number = {standing.colour: standing.toolchain for _, standing in self._entries}
        toolchains = list(dict.fromkeys(visible(by_number[number]) for number in sorted(by_number)))
        every = [
            Filter("toolchain", "toolchain", toolchains),
            Filter("route", "route", self._routes),
            Filter("flags", "flags", sorted(flags for flags in self._flags if flags)),
            Filter("input", "input", list(dict.fromkeys(self._input(group) for group, _ in self._entries))),
        ]
        return [choice for choice in every if len(choice.choices) > 1]

    def rows(self) -> list[PageRow]:
        """Make the rows: those with a time by route and speed, then the failed ones."""
        return [
            self._page_row(group, standing, self._cells(group, standing)) for group, standing in self._entries
        ]

    def _page_row(self, group: Group, standing: Standing, cells: Markup) -> PageRow:
        style = "failed" if standing.spread is None else "role" if standing.role else ""
        return PageRow(
            name=visible(standing.label),
            toolchain=visible(standing.toolchain),
            route=_route(group),
            flags=_flags(standing),
            input=self._input(group),
            style="first" if standing.rank == 1 else style,
            cells=cells,
        )

    def _cells(self, group: Group, standing: Standing) -> Markup:
        value = Markup(' data-v="{}"').format(standing.rank) if standing.rank else ""
        parts = [
            Markup('<td class="n"{}>{}</td><td{}>{}</td>').format(
                value, standing.place, self._beside(standing), self._contender(standing)
            )
        ]
        if len(self._toolchains) > 1:
            key = Markup('<td class="key {}">{}</td>')
            parts.append(key.format(_colour(standing), visible(standing.toolchain)))
        if len(self._flags) > 1:
            parts.append(Markup("<td>{}</td>").format(_flags(standing)))
        if len(self._routes) > 1:
            parts.append(Markup("<td>{}</td>").format(_route(group)))
        parts += [_setting_cell(sweep.value(group, key)) for key in self._keys]
        if standing.spread is not None:
            return Markup("").join([*parts, self._figures(standing, standing.spread)])
        failure = Markup(
            '<td colspan="{}" class="detail"><span class="bad">{}</span> {}</td>'
            '<td colspan="{}" class="extra"></td>'
        )
        problem = (standing.outcome, visible(standing.row.detail))
        cells = failure.format(len(self._first) + 1, *problem, len(self._further) + 2)
        return Markup("").join([*parts, cells])

    def _beside(self, standing: Standing) -> Markup:
        """Return what a phone shows under the name, as the figures are out of its sight."""
        if standing.spread is None:
            return Markup("")
        time = self._look.times.number(standing.spread.median)
        return Markup(' data-time="{} {}"').format(time, self._look.times.name)

    def _contender(self, standing: Standing) -> Markup:
        row = standing.row
        name: Markup = escape(visible(standing.label))
        if row.source_file in self._files:
            name = Markup('<a href="#{}">{}</a>').format(self._files[row.source_file], name)
        if row.cause:
            name += Markup(' <a href="#{}"><small>why</small></a>').format(self._causes[row.cause])
        for note in row.notes:
            name += Markup('<small class="note">{}</small>').format(visible(note))
        return name

    def _figures(self, standing: Standing, spread: Spread) -> Markup:
        drawn = Markup('<td>{}</td><td class="extra">{}</td><td class="extra">{}</td>').format(
            self._bar(standing, spread), self._strip(standing, spread), self._by_round(standing, spread)
        )
        first, further = (
            Markup("").join(one.cell(standing, self._look) for one in figures)
            for figures in (self._first, self._further)
        )
        return first + drawn + further

    def _bar(self, standing: Standing, spread: Spread) -> Markup:
        share = spread.median / self._longest if self._longest else 0.0
        return Markup(
            '<svg class="share {}" viewBox="0 0 120 10" aria-hidden="true">'
            '<rect width="{:.1f}" height="10" rx="1.5"/></svg>'
        ).format(_colour(standing), max(1.0, 120 * share))

    def _share(self, seconds: float, spread: Spread) -> float:
        """Where a time is between -1 and 1, the ends of a strip; past them for an outlier."""
        return (seconds / spread.median - 1) / self._reach if spread.median else 0.0

    def _strip(self, standing: Standing, spread: Spread) -> Markup:
        """Draw the samples by their distance from the median, over the median's interval."""

        def x(seconds: float) -> float:
            return _STRIP / 2 + max(-1.0, min(1.0, self._share(seconds, spread))) * (_STRIP / 2 - 3)

        places = [(x(wall), svg.jitter(at)) for at, wall in enumerate(spread.walls)]
        dots = [(across, 8 + moved) for across, moved in places]
        out = [(across, 6 + moved / 2) for across, moved in places]
        interval = Markup('<path class="ci" d="M{:.1f} 8H{:.1f}"/>').format(x(spread.low), x(spread.high))
        return self._drawn(standing, spread, "strip", interval, dots, out)

    def _by_round(self, standing: Standing, spread: Spread) -> Markup:
        """Draw the samples from the first round to the last, slower ones higher."""
        step = (_STRIP - 6) / max(1, self._rounds)
        shares = (max(-1.0, min(1.0, self._share(wall, spread))) for wall in spread.walls)
        rounds = (sample.round for sample in standing.row.samples)
        dots = [(3 + step * number, 8 - 6 * share) for number, share in zip(rounds, shares, strict=True)]
        return self._drawn(standing, spread, "strip rounds", Markup(""), dots, [(x, y - 2) for x, y in dots])

    def _drawn(
        self,
        standing: Standing,
        spread: Spread,
        style: str,
        under: Markup,
        dots: Sequence[tuple[float, float]],
        out: Sequence[tuple[float, float]],
    ) -> Markup:
        """Draw each sample as a dot at its place in `dots`; an outlier as a stroke at its place in `out`."""
        is_out = [abs(self._share(wall, spread)) > 1 for wall in spread.walls]
        inside = "".join(f"M{x:.1f} {y:.1f}h0" for (x, y), far in zip(dots, is_out, strict=True) if not far)
        outside = "".join(f"M{x:.1f} {y:.1f}v4" for (x, y), far in zip(out, is_out, strict=True) if far)
        return Markup(
            '<svg class="{} {}" viewBox="0 0 120 16" aria-hidden="true">{}<path d="{}"/>{}</svg>'
        ).format(style, _colour(standing), under, inside, _outliers(outside))

    def _input(self, group: Group) -> str:
        """Name what tells a row's input from those of others."""
        return visible(", ".join(f"{key} = {sweep.value(group, key)}" for key in self._keys))

    def legend(self) -> str:
        """Explain the marks of the table."""
        said = (
            "Place: 2-4 may be second, third or fourth; floor, limit and A/A rows do not compete. "
            "More columns: of the samples, each dot is one, placed by its distance from the row's median, up "
            f"to {self._reach:.0%} either way; the band is the median's 95 % interval. "
            "By round: the same from the first round to the last, slower ones higher. "
            f"{_said_of_outliers(self._outside, self._reach)}"
            "User and system are medians."
        )
        if len(self._routes) == 1:
            said += f" All rows: {self._routes[0]}."
        if len(self._toolchains) == 1 and "script" not in self._toolchains:
            said += f" All builds by {visible(next(iter(self._toolchains)))}."
        if len(self._flags) == 1 and self._flags[0]:
            said += f" All builds: {self._flags[0]}."
        if self._info.baseline:
            said += f" Baseline: {visible(self._info.baseline)} as built by the same toolchain."
        if any(standing.borrowed_baseline for _, standing in self._entries):
            said += f" {BORROWED}."
        if self._info.limit:
            said += f" Limit: {visible(self._info.limit)}."
        return said

    def causes(self) -> list[Cause]:
        """Give each cause once, with the rows that it explains."""
        explained: dict[str, list[Standing]] = {}
        inputs: dict[str, list[str]] = {}
        for group, standing in self._entries:
            if standing.row.cause:
                explained.setdefault(standing.row.cause, []).append(standing)
                inputs.setdefault(standing.row.cause, []).append(self._input(group))
        return [
            Cause(self._causes[text], _on(together(standings), inputs[text]), visible(text))
            for text, standings in explained.items()
        ]

    def contenders_of(self, file: str) -> list[str]:
        """Name the contenders that are built from a source file."""
        names = [standing.row.contender for _, standing in self._entries if standing.row.source_file == file]
        return list(dict.fromkeys(names))

    def source_id(self, file: str) -> str:
        """Give the fragment that shows a source file."""
        return self._files[file]


def _on(who: str, inputs: Sequence[str]) -> str:
    """Add the inputs of rows with a cause, where rows have several: the same row has another one on each."""
    named = list(dict.fromkeys(one for one in inputs if one))
    return f"{who}, {' and '.join(named)}" if named else who


def _colour(standing: Standing) -> str:
    return f"c{standing.colour % len(svg.ON_LIGHT)}"


def _outliers(path: str) -> Markup:
    return Markup('<path class="out" d="{}"/>').format(path) if path else Markup("")


def _said_of_outliers(number: int, reach: float) -> str:
    if not number:
        return ""
    are = (
        "is an outlier, farther out than that: a stroke"
        if number == 1
        else "are outliers, farther out: strokes"
    )
    return f"{plural(number, 'sample')} {are} at the edge. "


def _reach(spreads: Sequence[Spread]) -> float:
    """Choose how far strips reach: nineteen samples of twenty lie within, on the whole."""
    distances = sorted(
        abs(wall / spread.median - 1) for spread in spreads if spread.median for wall in spread.walls
    )
    if not distances:
        return _LEAST_REACH
    return max(_LEAST_REACH, round(distances[int(len(distances) * 0.95)] + 0.005, 2))


def _route(group: Group) -> str:
    return visible(f"{group.source} to {group.sink}")


def _setting_cell(text: str) -> Markup:
    if text.isdecimal():
        return _cell(float(text), text)
    return Markup('<td class="n">{}</td>').format(visible(text))


def _flags(standing: Standing) -> str:
    return "" if standing.row.toolchain == "script" else visible(f"-{standing.row.optimisation}")


def _cell(value: float, text: str) -> Markup:
    return Markup('<td class="n" data-v="{}">{}</td>').format(f"{value:.6g}", text)
