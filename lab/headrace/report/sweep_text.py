"""What a sweep says: sentences from its curves, and the table of costs."""

from __future__ import annotations

from headrace.base import units
from headrace.base.text import plural, visible
from headrace.report.grid import Grid
from headrace.report.prose import say
from headrace.report.sweep import Crossing, Curve, Point, Sweep
from headrace.results.schema import Role

_CROSSINGS = 6  # the maximum in a summary; the rest are counted
_START_MATTERS = 0.1  # a share of the time from which on the start is told


def sentences(sweep: Sweep) -> list[str]:
    """Say who is fastest at the ends, who overtakes whom and where, and what the start of a process costs."""
    competing = [curve for curve in sweep.curves if not curve.role]
    if not competing:
        return [say("no-curve")]
    told = [_cheapest(sweep, competing[0])]
    told += [_overtaking(sweep, crossing) for crossing in sweep.crossings[:_CROSSINGS]]
    more = len(sweep.crossings) - _CROSSINGS
    if more > 0:
        told.append(say("more-crossings", more=more))
    if not sweep.crossings:
        told.append(say("no-crossing", first=_at(sweep, sweep.sizes[0]), last=_at(sweep, sweep.sizes[-1])))
    return [*told, *_starts(sweep, competing)]


def _cheapest(sweep: Sweep, best: Curve) -> str:
    first, last = best.points[0], best.points[-1]
    tokens = last.standing.row.tokens
    return say(
        "cheapest",
        best=best,
        last_at=_at(sweep, last.size),
        last=cost(sweep, last.cost),
        tokens=say("tokens", tokens=tokens) if tokens else "",
        first_at=_at(sweep, first.size),
        first=cost(sweep, first.cost),
    )


def _overtaking(sweep: Sweep, crossing: Crossing) -> str:
    at, low, high = _at(sweep, crossing.at), rounded(crossing.low), rounded(crossing.high)
    return say("overtakes", large=crossing.large, small=crossing.small.label, at=at, low=low, high=high)


def _starts(sweep: Sweep, competing: list[Curve]) -> list[str]:
    """Say what part of a run the start of its process is, for the fastest and for the slowest."""
    fastest = competing[0]
    if fastest.start_share(fastest.points[0]) < _START_MATTERS:
        return []
    floor = sweep.benchmark.floor if fastest.start is not None else ""
    key = "start-of-floor" if floor else "start-of-fit"
    source = say(key, floor=floor, begins=fastest.begins, key=sweep.key)
    told = [say("process-start", source=source, fastest=fastest, **_shares(sweep, fastest))]
    slowest = next((curve for curve in reversed(competing) if curve.toolchain == fastest.toolchain), fastest)
    if slowest is not fastest:
        told.append(say("slowest-start", slowest=slowest, **_shares(sweep, slowest)))
    return told


def _shares(sweep: Sweep, curve: Curve) -> dict[str, str]:
    """Give the part that the start takes at both ends of a curve, and where it is half."""
    first, last, half = curve.points[0], curve.points[-1], curve.half_start()
    return {
        "first": _percent(curve.start_share(first)),
        "first_at": _at(sweep, first.size),
        "last": _percent(curve.start_share(last)),
        "last_at": _at(sweep, last.size),
        "half": "" if half is None else say("half-start", at=_at(sweep, half)),
    }


def cost(sweep: Sweep, amount: float) -> str:
    """Format a cost with its unit: "2.41 ns per token", or a time where tokens are unknown."""
    return f"{units.one_time(amount / 1e9)} per token" if sweep.by_token else units.one_time(amount)


def _at(sweep: Sweep, size: float) -> str:
    return f"{visible(sweep.key)} = {rounded(size)}"


def rounded(size: float) -> str:
    """Format a size; one that was interpolated has three digits."""
    if size == int(size):
        return f"{int(size):,}"
    return f"{float(f'{size:.3g}'):,.10g}"


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


def crossing(sweep: Sweep, crossing: Crossing) -> str:
    """Say who overtakes whom, and where, in two lines."""
    return (
        f"{visible(crossing.large.label)} overtakes {visible(crossing.small.label)}\n"
        f"{_at(sweep, crossing.at)} [{rounded(crossing.low)}, {rounded(crossing.high)}]"
    )


def unit(sweep: Sweep) -> str:
    """Say what the figures of the table are."""
    return f"{'ns/token' if sweep.by_token else 's'} by {visible(sweep.key)}"


def table(sweep: Sweep) -> Grid:
    """Make the table of costs: contender, toolchain, the cost at each size in `unit`, the fit's two parts."""
    heads = ["contender", "toolchain", *(f"{size:,}" for size in sweep.sizes), "fitted start ms"]
    heads += ["fitted ns/further token"] if sweep.by_token else []
    return Grid(heads, [_line(sweep, curve) for curve in sweep.curves], "llr")


def _line(sweep: Sweep, curve: Curve) -> list[str]:
    costs = {point.size: point.cost for point in curve.points}
    label = visible(curve.label) + (f" ({curve.role})" if curve.role else "")
    cells = [label, visible(curve.toolchain)]
    cells += [units.three_digits(costs[size]) if size in costs else "" for size in sweep.sizes]
    cells.append(units.three_digits(curve.fit[0] * 1e3))
    if sweep.by_token:
        token = curve.token()
        cells.append("" if token is None else units.three_digits(token))
    return cells


def caption(sweep: Sweep, toolchain: str) -> str:
    """Say how to read the picture."""
    roles = sorted({curve.role for curve in sweep.of(toolchain) if curve.role})
    crossed = any(
        toolchain in (crossing.large.toolchain, crossing.small.toolchain) for crossing in sweep.crossings
    )
    return say(
        "curves",
        per=say("by-token") if sweep.by_token else "",
        toolchain=toolchain,
        roles=say("dashed", roles=roles) if roles else "",
        rings=say("rings") if crossed else "",
    )
