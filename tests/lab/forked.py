"""The command `headrace` without loading Python and the modules again: a fork of a process that has them.

To load them takes half a second of a processor, most of what a test of a sentence costs. `Server` starts a
process that has loaded what commands load; each command is a child of it, with the words, folder, variables
and output that it is given, and ends as a program does. The start of Python itself is not tried this way.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

LATE = ("COLUMNS", "PATH", "PYTEST_CURRENT_TEST")  # read when a command wants them, as all HEADRACE_...
SIZE = 1 << 20  # of a request, in bytes
START = "import forked, sys; forked.serve(int(sys.argv[1])) and forked.main()"


class Server:
    """The process that has the modules. One command at a time."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            for end in (self._ours, theirs):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SIZE)
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, str(theirs.fileno())],
                cwd=Path(__file__).parent,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # what a command prints is buffered as in a pipe
                pass_fds=[theirs.fileno()],
            )

    def can_have(self, variables: Mapping[str, str]) -> bool:
        """Tell whether a command with these variables is the same when Python and the modules had others."""
        changed = {*variables.items()} ^ {*self._environment.items()}
        return all(name in LATE or name.startswith("HEADRACE_") for name, _ in changed)

    def run(
        self, words: Sequence[str], folder: Path, variables: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, as subprocess.run does with text that is captured."""
        request = json.dumps([list(words), str(folder), dict(variables)]).encode()
        with contextlib.ExitStack() as stack:
            pipes = [os.pipe() for _ in range(2)]
            try:
                socket.send_fds(self._ours, [request], [end for _, end in pipes])
            finally:
                for _, end in pipes:
                    os.close(end)
            readers = [stack.enter_context(open(end, encoding="utf-8")) for end, _ in pipes]
            said = ["", ""]

            def read(number: int) -> None:
                said[number] = readers[number].read()

            threads = [threading.Thread(target=read, args=(number,)) for number in range(2)]
            for thread in threads:
                thread.start()
            child = self._answer(None)
            try:
                code = self._answer(timeout)
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):  # it ends at this moment
                    os.kill(child, 9)
                self._answer(None)
                raise subprocess.TimeoutExpired(list(words), timeout) from None
            finally:
                for thread in threads:
                    thread.join()
        return subprocess.CompletedProcess(list(words), code, *said)

    def _answer(self, timeout: float | None) -> int:
        self._ours.settimeout(timeout)
        answer = self._ours.recv(64)
        assert answer, "the process that commands are forked from has ended"
        return int(answer)

    def close(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.wait(60)


def serve(handle: int) -> bool:
    """Fork a child for each request. Returns True in a child, and False when there are no more."""
    _load()
    asked = socket.socket(fileno=handle)
    while True:
        request, handles, _, _ = socket.recv_fds(asked, SIZE, 2)
        if not request:
            return False
        child = os.fork()
        if child == 0:
            asked.close()
            _become(*json.loads(request), handles)
            return True
        for one in handles:
            os.close(one)
        asked.send(str(child).encode())
        asked.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _become(words: list[str], folder: str, variables: dict[str, str], handles: Sequence[int]) -> None:
    """Take what a new process has from the one that starts it."""
    for number, handle in enumerate(handles, 1):
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.argv = ["headrace", *words]


def _load() -> None:
    """Load what commands load, and nothing that only some need and that takes long."""
    import importlib

    from headrace import cli

    for name in cli.COMMANDS:
        importlib.import_module(f"headrace.commands.{name}")
    gc.freeze()  # else each child looks through all that is loaded when it ends, four fifths of its time


def main() -> None:
    """Run the command in a child, as `python -m headrace` does."""
    from headrace.__main__ import main

    main()
