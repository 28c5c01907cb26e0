"""What a sweep says: sentences from its curves, and the table of costs."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import listed, name, plural, visible
from headrace.report.standing import Standing
from headrace.report.sweep import Crossing, Curve, Point, Sweep
from headrace.results.schema import Role

_CROSSINGS = 6  # the maximum in a summary; the rest are counted
_START_MATTERS = 0.1  # a share of the time from which on the start is told


def sentences(sweep: Sweep) -> list[str]:
    """Say who is fastest at the ends, who overtakes whom and where, and what the start of a process costs."""
    competing = [curve for curve in sweep.curves if not curve.role]
    if not competing:
        return ["No contender has a time at two sizes or more."]
    said = [_ends(sweep, competing[0])]
    said += [_overtaking(sweep, one) for one in sweep.crossings[:_CROSSINGS]]
    more = len(sweep.crossings) - _CROSSINGS
    if more > 0:
        said.append(f"{plural(more, 'more crossing')}: see the curves.")
    if not sweep.crossings:
        said.append(
            f"No contender overtakes another for certain between {_at(sweep, sweep.sizes[0])} and "
            f"{_at(sweep, sweep.sizes[-1])}."
        )
    return [*said, *_starts(sweep, competing)]


def cost(sweep: Sweep, amount: float) -> str:
    """Format a cost with its unit: "2.41 ns per token", or a time where tokens are unknown."""
    return f"{units.one_time(amount / 1e9)} per token" if sweep.by_token else units.one_time(amount)


def build_name(one: Curve | Standing) -> str:
    """Name a build in a sentence: "`cin` with g++-12/libstdc++"; a script has no toolchain."""
    toolchain = "" if one.toolchain == "script" else f" with {visible(one.toolchain)}"
    return f"{name(one.label)}{toolchain}"


def _at(sweep: Sweep, size: float) -> str:
    return f"{visible(sweep.key)} = {rounded(size)}"


def rounded(size: float) -> str:
    """Format a size; one that was interpolated has three digits."""
    if size == int(size):
        return f"{int(size):,}"
    return f"{float(f'{size:.3g}'):,.10g}"


def _ends(sweep: Sweep, best: Curve) -> str:
    first, last = best.points[0], best.points[-1]
    said = f"At {_at(sweep, last.size)}, {build_name(best)} costs least: {cost(sweep, last.cost)}"
    tokens = last.standing.row.tokens
    said += f" ({plural(tokens, 'token')})" if tokens else ""
    return f"{said}; at {_at(sweep, first.size)} it is {cost(sweep, first.cost)}."


def _overtaking(sweep: Sweep, one: Crossing) -> str:
    return (
        f"{build_name(one.large)} overtakes {name(one.small.label)} at about {_at(sweep, one.at)} "
        f"[{rounded(one.low)}, {rounded(one.high)}]: below it {name(one.small.label)} is faster, "
        f"above it {name(one.large.label)}."
    )


def _starts(sweep: Sweep, competing: list[Curve]) -> list[str]:
    """Say what part of a run the start of its process is, for the fastest and for the slowest."""
    fastest = competing[0]
    if fastest.start_share(fastest.points[0]) < _START_MATTERS:
        return []
    if fastest.start is not None and sweep.benchmark.floor:
        source = f"{name(sweep.benchmark.floor)}, {units.one_time(fastest.begins)}"
    else:
        source = f"{units.one_time(fastest.begins)}, by a fit of time = a + b {visible(sweep.key)}"
    said = [f"The start of a process ({source}) is {_share(sweep, fastest)}."]
    slowest = next((curve for curve in reversed(competing) if curve.toolchain == fastest.toolchain), fastest)
    if slowest is not fastest:
        share = _share(sweep, slowest, brief=True)
        said.append(f"For {name(slowest.label)}, the slowest of its toolchain, the start is {share}.")
    return said


def _share(sweep: Sweep, curve: Curve, *, brief: bool = False) -> str:
    first, last = curve.points[0], curve.points[-1]
    whose = "" if brief else f" of the time of {build_name(curve)}"
    said = (
        f"{_percent(curve.start_share(first))}{whose} at {_at(sweep, first.size)} "
        f"and {_percent(curve.start_share(last))} at {_at(sweep, last.size)}"
    )
    half = curve.half_start()
    return f"{said}; half at about {_at(sweep, half)}" if half is not None else said


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %" if share >= 0.0995 else f"{share * 100:.1f} %"


def hover(sweep: Sweep, curve: Curve, point: Point) -> str:
    """Say all figures of a point in a few lines."""
    spread = point.spread

    def each(time: float) -> str:
        return cost(sweep, time * point.scale).removesuffix(" per token")

    lines = [
        f"{visible(curve.label)}, {visible(curve.toolchain)}",
        f"{_at(sweep, point.size)}"
        + (f", {plural(point.standing.row.tokens, 'token')}" if sweep.by_token else ""),
        f"{cost(sweep, point.cost)} [{each(spread.low)}, {each(spread.high)}]",
        f"a run: {units.one_time(spread.median)}, the median of {plural(len(spread.walls), 'sample')}",
    ]
    if curve.begins > 0 and curve.role != Role.FLOOR:
        lines.append(f"start of the process: {_percent(curve.start_share(point))}")
    if point.standing.place:
        lines.append(f"place {point.standing.place}" if point.standing.rank else point.standing.place)
    return "\n".join(lines)


def crossing(sweep: Sweep, one: Crossing) -> str:
    """Say who overtakes whom, and where, in two lines."""
    return (
        f"{visible(one.large.label)} overtakes {visible(one.small.label)}\n"
        f"{_at(sweep, one.at)} [{rounded(one.low)}, {rounded(one.high)}]"
    )


def unit(sweep: Sweep) -> str:
    """Say what the figures of the table are."""
    return f"{'ns/token' if sweep.by_token else 's'} by {visible(sweep.key)}"


def table(sweep: Sweep) -> tuple[list[str], list[list[str]]]:
    """Give headers and rows: contender, toolchain, the cost at each size in `unit`, the fit's two parts."""
    heads = ["contender", "toolchain", *(f"{size:,}" for size in sweep.sizes), "fitted start ms"]
    heads += ["fitted ns/further token"] if sweep.by_token else []
    return heads, [_line(sweep, curve) for curve in sweep.curves]


def _line(sweep: Sweep, curve: Curve) -> list[str]:
    costs = {point.size: point.cost for point in curve.points}
    label = visible(curve.label) + (f" ({curve.role})" if curve.role else "")
    cells = [label, visible(curve.toolchain)]
    cells += [_figure(costs[size]) if size in costs else "" for size in sweep.sizes]
    cells.append(_figure(curve.fit[0] * 1e3))
    if sweep.by_token:
        token = curve.token()
        cells.append("" if token is None else _figure(token))
    return cells


def _figure(amount: float) -> str:
    """Three digits: "0.023", "2.41", "1,034"."""
    if amount >= 100:
        return f"{amount:,.0f}"
    return f"{amount:.3g}" if amount > 0 else "0"


def caption(sweep: Sweep, toolchain: str) -> str:
    """Say how to read the picture."""
    what = "Wall time of a run divided by its tokens" if sweep.by_token else "Wall time of a run"
    said = f"{what}, on log axes, with {visible(toolchain)}. Each dot is a sample; straight lines "
    said += "join the medians, and a bar is a median's 95 % interval."
    if any(curve.role for curve in sweep.of(toolchain)):
        roles = listed(sorted({curve.role for curve in sweep.of(toolchain) if curve.role}))
        said += f" Dashed: {roles}."
    if any(toolchain in (one.large.toolchain, one.small.toolchain) for one in sweep.crossings):
        said += " A ring marks where one overtakes another."
    return said
