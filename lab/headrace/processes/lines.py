"""A process that is given one line, and says line by line how far it is, until it ends or is stopped."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from headrace.processes.launch import Completed

PATIENCE = 20.0  # seconds that one gets to end by itself when it is stopped
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


class Talking:
    """A process that runs. Its input stays open: when that ends, so should the process.

    So it does not go on alone when its parent is gone, however that ended. Force reaches all that it has
    started, in whatever session; of what has no parent any more only on Linux, and where it has said `adopt`.
    """

    def __init__(self, command: Sequence[str], given: str, environment: Mapping[str, str]) -> None:
        """Start it. Raises OSError where it cannot be."""
        self._guard = threading.Lock()  # of _force
        self._force: threading.Timer | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # until `end`
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, **environment},
            text=True,
            errors="replace",
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it ended at once: `end` says how
            self._process.stdin.write(f"{given}\n")
            self._process.stdin.flush()

    @property
    def number(self) -> int:
        """The number of the process."""
        return self._process.pid

    def lines(self) -> Iterator[str]:
        """Yield what it says, until it says no more."""
        assert self._process.stdout is not None
        yield from self._process.stdout

    def stop(self) -> None:
        """Close its input, which asks it to end, and ends it by force when it does not; from any thread."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()
        with self._guard:
            if self._force is None:
                self._force = threading.Timer(PATIENCE, self._kill)
                self._force.daemon = True
                self._force.start()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGSTOP)  # it starts nothing more, and still adopts
            until = time.monotonic() + PATIENCE  # one that waits for a disk may not end
            while (below := descendants(self._process.pid)) and time.monotonic() < until:
                for process in below:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(process, signal.SIGKILL)
                time.sleep(0.01)
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> Completed:
        """Wait until it has ended; by force where it does not of itself."""
        self.stop()
        assert self._force is not None
        self._process.wait()
        self._force.cancel()
        self._said.seek(0)
        complaints = self._said.read().decode("utf-8", "replace")
        self._said.close()
        return Completed(self._process.returncode, "", complaints)


def adopt() -> None:
    """Become the parent of what is below this process and loses its own. Only Linux knows that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(process: int) -> list[int]:
    """Return what a process has started, what these have, and so on, and has not ended. [] without /proc."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            # "1234 (any name) S 1 ...": state and parent; a name may hold anything
            state, parent = status.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in "ZX":
                children.setdefault(int(parent), []).append(int(status.parent.name))
    found, queue = [], [process]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found
