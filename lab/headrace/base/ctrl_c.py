"""Ctrl-C while modules are loaded and there is nothing to save: it ends the process quietly.

KeyboardInterrupt would be Python's own traceback there, and from within a class body another exception.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType


def end_at_once() -> None:
    """Let Ctrl-C end the process with 130 where it would raise KeyboardInterrupt; else it stays as it is."""
    is_main = threading.current_thread() is threading.main_thread()  # no other thread can say so
    if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again: from here on there is work to end."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Let Ctrl-C end the process at once; for what a command loads itself, before its work begins."""
    end_at_once()
    try:
        yield
    finally:
        interrupt()


@contextlib.contextmanager
def ending_at_the_second() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt once; a second one ends the process, whatever the first awaits."""

    def _first(number: int, frame: FrameType | None) -> None:
        signal.signal(number, _end)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is threading.main_thread() and before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _first)
    yield
    if signal.getsignal(signal.SIGINT) is _first:
        signal.signal(signal.SIGINT, before)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)
