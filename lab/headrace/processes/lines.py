"""A process that is given one line, and says line by line how far it is, until it ends or is stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence

from headrace.processes.launch import Completed

PATIENCE = 20.0  # seconds that one gets to end by itself when it is stopped


class Talking:
    """A process that runs. Its input stays open: when that ends, so should the process.

    So nothing goes on alone when its parent is gone, however that ended.
    """

    def __init__(self, command: Sequence[str], given: str, environment: Mapping[str, str]) -> None:
        """Start it. Raises OSError where it cannot be."""
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

    def lines(self) -> Iterator[str]:
        """Yield what it says, until it says no more."""
        assert self._process.stdout is not None
        yield from self._process.stdout

    def stop(self) -> None:
        """Close its input, which asks it to end; from any thread."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()

    def end(self) -> Completed:
        """Wait until it has ended; by force where it does not of itself."""
        self.stop()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode("utf-8", "replace")
        self._said.close()
        return Completed(self._process.returncode, "", said)
