#!/usr/bin/env python3
"""Run a program with its input and output on a pseudo-terminal of its own, and pass on what it prints.

in_terminal.py PROGRAM [ARGUMENT...]

wine gives a program a console only there. Of what a terminal is told, the moves of the cursor and the
colours are left out. The exit status is the program's; 97 where it printed nothing at all, as a program that
wine could not start ends with status 0.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import termios
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lab"))

from headrace.base import screen

SIZE = struct.pack("HHHH", 24, 200, 0, 0)  # rows, columns


def main() -> int:
    """Run sys.argv[1:]."""
    if len(sys.argv) < 2:
        print("in_terminal.py wants a program and its arguments", file=sys.stderr)
        return 2
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, SIZE)
        try:
            os.execvp(sys.argv[1], sys.argv[1:])
        except OSError as error:
            print(f"cannot start {sys.argv[1]}: {error.strerror}", flush=True)
            os._exit(127)
    told = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the end of a terminal
            break
        if not block:
            break
        told += block
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = screen.text(told)
    sys.stdout.buffer.write(text)
    sys.stdout.flush()
    return status if status > 0 else 128 - status if status < 0 else 0 if text.strip() else 97


if __name__ == "__main__":
    sys.exit(main())
