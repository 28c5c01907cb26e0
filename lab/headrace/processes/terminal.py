"""A program on a pseudo-terminal: what it has said each time that it waits for a line."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

QUIET = 0.03  # seconds without output after which a program that has gone to sleep is taken to wait
MOST = 1 << 20  # bytes of output after which nobody would look for a prompt


@dataclass(frozen=True)
class Wait:
    """A moment at which a program waited for a line: the bytes written so far, and whether in mid-line."""

    written: int
    mid_line: bool


def converse(
    command: Sequence[str], lines: Sequence[bytes], timeout: float, cwd: Path | None = None
) -> list[Wait]:
    """Give a program lines of input, each when it waits, and return what it had written before each.

    The list ends where the program does, or where it does not come to wait within `timeout` seconds. What it
    writes to standard error is not looked at. The program is ended afterwards.
    """
    controller, end = pty.openpty()
    _make_plain(end)
    try:
        process = subprocess.Popen(
            list(command), stdin=end, stdout=end, stderr=subprocess.DEVNULL, cwd=cwd, start_new_session=True
        )
    except OSError:
        os.close(controller)
        return []
    finally:
        os.close(end)
    moments: list[Wait] = []
    written = naps = 0
    last = b"\n"
    until = time.monotonic() + timeout
    try:
        for line in lines:
            waits, size, tail = _until_it_waits(process, controller, until, naps)
            written += size
            last = tail or last
            if not waits or written > MOST:
                break
            moments.append(Wait(written, last != b"\n"))
            naps = _naps(process.pid) or 0
            os.write(controller, line)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(controller)
    return moments


def _make_plain(end: int) -> None:
    """Switch off what a terminal adds: the echo of the input, carriage returns."""
    attributes = termios.tcgetattr(end)
    attributes[1] &= ~termios.OPOST
    attributes[3] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(end, termios.TCSANOW, attributes)


def _until_it_waits(
    process: subprocess.Popen[bytes], controller: int, until: float, naps: int
) -> tuple[bool, int, bytes]:
    """Read until a program waits: whether it does, how many bytes it wrote, and the last of them.

    One that has not gone to sleep since it had done so `naps` times has not taken its line yet.
    """
    size, last = 0, b""
    while time.monotonic() < until and size <= MOST:
        ready, _, _ = select.select([controller], [], [], QUIET)
        if ready:
            try:
                got = os.read(controller, 65536)
            except OSError:  # the other end is closed: the program has ended
                return False, size, last
            if not got:
                return False, size, last
            size, last = size + len(got), got[-1:]
        elif process.poll() is not None:
            return False, size, last
        elif _naps(process.pid) not in (None, naps):
            return True, size, last
    return False, size, last


def _naps(process: int) -> int | None:
    """Return how often a process and its descendants have gone to sleep; None where one is awake."""
    total = 0
    try:
        for status in Path(f"/proc/{process}/task").glob("*/status"):
            facts = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            if not facts["State"].startswith("S"):
                return None
            total += int(facts["voluntary_ctxt_switches"])
            for child in status.with_name("children").read_text().split():
                naps = _naps(int(child))
                if naps is None:
                    return None
                total += naps
    except (OSError, KeyError):  # it has just ended
        return None
    return total
