"""Errors that a user can act on. `cli.main` turns each into one sentence on stderr and an exit code.

Exit codes: 0 done, 1 regression or wrong answer, 2 bad usage or unusable input, 3 nothing to do, 4 a gate
that could not be decided, 130 after Ctrl-C, 141 where the reader of a pipe has left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

EXIT_CODES = (
    "0 done, 1 a wrong answer, a crash or a regression, 2 bad usage or unusable input, "
    "3 nothing to do, 4 a gate that is not decided, 130 after Ctrl-C, 141 where the reader of a pipe has left"
)


class HeadraceError(Exception):
    """Base: `str(error)` is a sentence for a person, `exit_code` is what the command returns."""

    exit_code = 2


class BadInput(HeadraceError):
    """A file, a name or a value that cannot be used."""


class NothingToDo(HeadraceError):
    """No compiler, or every row skipped: there is nothing to measure."""

    exit_code = 3


class Failed(HeadraceError):
    """A wrong answer, a crash or a regression."""

    exit_code = 1


class NotDecided(HeadraceError):
    """A gate whose rounds say neither that a row is slower nor that it is not."""

    exit_code = 4


class Interrupted(HeadraceError):
    """Ctrl-C, or SIGTERM, before there was a result."""

    exit_code = 130


def first_fault(error: ValidationError, below: str = "") -> str:
    """Say the first thing that a model refuses: "key run.looks.0: Input should be a valid integer".

    `below` is where the model is in its file, "run.asked".
    """
    first = error.errors()[0]
    where = ".".join([*filter(None, [below]), *map(str, first["loc"])])
    return f"key {where}: {first['msg']}" if where else str(first["msg"])
