"""Settings of a process that all that it calls has to know: one place, one setter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Context:
    """Places of things, and the time that they may take."""

    launcher: Path | None = None  # the built one, which `builds.build.launcher` makes
    sources: Path | None = None  # another machine's include/ and benchmarks/; None: our own
    build_seconds: float = 600.0  # of one compilation


_now = Context()


def context() -> Context:
    """Return what holds now."""
    return _now


def use(*, launcher: Path | None = None, sources: Path | None = None, build_seconds: float = 0.0) -> None:
    """Change what is given; the rest stays."""
    global _now
    given = {"launcher": launcher, "sources": sources, "build_seconds": build_seconds}
    _now = replace(_now, **{name: value for name, value in given.items() if value})  # type: ignore[arg-type]
