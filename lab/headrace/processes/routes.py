"""Routes, from the source of a run's input to the sink of its output: each end is one entry of ENDS.

How an end is opened is the launcher's part: `open_source` and `open_sink` in native/launch.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class End:
    """One end of a route."""

    name: str
    is_source: bool = True
    is_sink: bool = True
    is_empty: bool = False  # as a source: there is nothing to read
    is_lost: bool = False  # as a sink: what was written cannot be read back
    is_file: bool = False  # as a sink: it wants a folder
    is_terminal: bool = False


ENDS = (  # the usual one first, of sources and of sinks
    End("none", is_sink=False, is_empty=True),
    End("null", is_source=False, is_lost=True),
    End("file", is_file=True),
    End("pipe"),
    End("socket"),  # one of a pair of Unix stream sockets, as services have
    End("pty", is_terminal=True),
    End("pty-raw", is_terminal=True),
)
BY_NAME = {end.name: end for end in ENDS}
SOURCES = tuple(end.name for end in ENDS if end.is_source)
SINKS = tuple(end.name for end in ENDS if end.is_sink)
