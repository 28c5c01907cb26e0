"""When a program asks the system for what: each call of a traced run, with its moment."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headrace.processes import launch
from headrace.results.failure import Failure

SLOTS = 160  # of a picture
KINDS = ("read", "write", "other")

# strace -ttt: "pid 1700000000.123456 name(arguments) = result", the pid only where there are several
_CALL = re.compile(r"(?:\d+ +)?(\d+\.\d+) (?:<\.\.\. )?(\w+)[( ]")
_OF_KIND = {"read": "read", "readv": "read", "pread64": "read", "write": "write", "writev": "write"}


@dataclass(frozen=True)
class Timeline:
    """The calls of one traced run: seconds from its first one, and the kind."""

    calls: list[tuple[float, str]]

    @property
    def seconds(self) -> float:
        """From the first call to the last."""
        return self.calls[-1][0] if self.calls else 0.0

    def slots(self, span: float) -> dict[str, list[int]]:
        """Count the calls of each kind in slots of `span` seconds in all."""
        counts = {kind: [0] * SLOTS for kind in KINDS}
        for at, kind in self.calls:
            counts[kind][min(SLOTS - 1, int(at / span * SLOTS) if span else 0)] += 1
        return counts


def record(request: launch.Request, bound: float) -> Timeline | None:
    """Run under strace for at most `bound` seconds; None without strace, or where it fails."""
    if shutil.which("strace") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        output = Path(folder) / "trace"
        words = ["strace", "-f", "-qq", "-ttt", "-s", "0", "-e", "signal=none", "-o", str(output)]
        ended = launch.run(replace(request, runner=[*words, *request.runner], timeout=bound))
        cut = isinstance(ended, Failure) and ended.outcome == "TIMED OUT"
        if not output.exists() or (isinstance(ended, Failure) and not cut):
            return None
        with output.open(encoding="utf-8", errors="replace") as lines:
            return parse(lines)


def parse(lines: Iterable[str]) -> Timeline:
    """Read strace's lines. A call that is shown in two halves counts at its first."""
    found = [_CALL.match(line) for line in lines if "resumed>" not in line]
    moments = [(float(one[1]), _OF_KIND.get(one[2], "other")) for one in found if one is not None]
    first = min((at for at, _ in moments), default=0.0)
    return Timeline(sorted((at - first, kind) for at, kind in moments))


def side_by_side(timelines: Sequence[Timeline]) -> list[dict[str, object]]:
    """Return the slots of several runs on one axis, with what to write beside each."""
    span = max((one.seconds for one in timelines), default=0.0)
    return [
        {"span": span, "seconds": one.seconds, "calls": len(one.calls), "slots": one.slots(span)}
        for one in timelines
    ]
