"""Inputs: written once by a generator, with their answers, and cached by generator, settings and VERSION."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.names import unknown
from headrace.processes import launch
from headrace.processes.launch import Expected

if TYPE_CHECKING:
    from typing_extensions import Buffer
from headrace.matrix.generators import GENERATORS, INPUTS, OUTPUTS, VERSION, Generator, text

Settings = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Input:
    """An input file in the cache. `path` is None for programs that read nothing."""

    path: Path | None
    bytes: int
    tokens: int
    expected: Expected


def check(settings: Settings, where: str) -> None:
    """Check an [input] table. Raises BadInput that starts with `where`."""
    name = str(settings.get("generator", ""))
    if name not in GENERATORS:
        raise BadInput(f"{where}: {unknown('generator', name, list(GENERATORS))}")
    parameters = _parameters(GENERATORS[name])
    for key, value in settings.items():
        if key in ("generator", "seed"):
            continue
        if key not in parameters:
            raise BadInput(f"{where}: {unknown('setting', key, list(parameters))}")
        wanted = type(parameters[key].default)
        if not isinstance(value, wanted) and not (wanted is float and isinstance(value, int)):
            raise BadInput(f"{where}: {key} wants {wanted.__name__}, not {value!r}")
        if wanted is int and key not in ("low", "high") and isinstance(value, int) and value < 0:
            raise BadInput(f"{where}: {key} is {value} and must be 0 or more")
    low, high = (
        settings.get(key, parameters[key].default if key in parameters else 0) for key in ("low", "high")
    )
    if isinstance(low, int) and isinstance(high, int) and low > high:
        raise BadInput(f"{where}: low is {low}, above high, which is {high}")


def makes_input(settings: Settings) -> bool:
    """Tell whether there is something for a program to read."""
    return GENERATORS[str(settings["generator"])] in INPUTS


def settings_of(settings: Settings) -> dict[str, int | float | str]:
    """Return all settings of an input: those given, and what the others are without."""
    defaults = {key: one.default for key, one in _parameters(GENERATORS[str(settings["generator"])]).items()}
    return {"seed": 1, **defaults, **settings}


def changed(settings: Settings, changes: Mapping[str, str]) -> dict[str, int | float | str]:
    """Return settings with some changed, given as text. Raises BadInput for a wrong name or number."""
    parameters = _parameters(GENERATORS[str(settings["generator"])])
    result = dict(settings)
    for key, given in changes.items():
        wanted = type(parameters[key].default) if key in parameters else int if key == "seed" else str
        try:
            result[key] = wanted(given)
        except ValueError:
            raise BadInput(f"the input's {key} wants {wanted.__name__}, not {given}") from None
    check(result, "input")
    return result


def _parameters(generator: Generator) -> dict[str, inspect.Parameter]:
    return dict(list(inspect.signature(generator).parameters.items())[2:])


def make(settings: Settings, tolerance: float = 0.0) -> Input:
    """Return the input of these settings, cached or written now. Raises BadInput when it cannot be."""
    path, facts = _places(settings)
    if not _is_whole(path, facts):
        made = _write(path, str(settings["generator"]), settings_of(settings))
        places.write_whole(facts, json.dumps(made).encode())
    return _read(path, facts, tolerance)


def cached(settings: Settings, tolerance: float = 0.0) -> Input | None:
    """Return the input of these settings if it is in the cache."""
    path, facts = _places(settings)
    return _read(path, facts, tolerance) if _is_whole(path, facts) else None


def tells_answer(settings: Settings) -> bool:
    """Tell whether the generator knows a short answer; else the answer is a whole output."""
    generator = GENERATORS[str(settings["generator"])]
    return generator not in OUTPUTS and generator is not text


def head(settings: Settings, size: int) -> bytes:
    """Return the first bytes that the generator writes, at most `size` of them, without the rest."""
    check(settings, "input")
    full = settings_of(settings)
    generator = GENERATORS[str(full.pop("generator"))]
    begun = _Head(size)
    with contextlib.suppress(_Enough):
        generator(begun, np.random.Generator(np.random.PCG64(int(full.pop("seed")))), **full)
    return begun.getvalue()[:size]


class _Enough(Exception):
    """Ends a generator of which only the head is wanted."""


class _Head(io.BytesIO):
    """A file that is full after `size` bytes."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def write(self, data: Buffer, /) -> int:
        """Keep the bytes. Raises _Enough when it is full."""
        count = super().write(data)
        if self.tell() >= self.size:
            raise _Enough
        return count


def _places(settings: Settings) -> tuple[Path, Path]:
    """Return where an input is in the cache, and what is known of it."""
    check(settings, "input")
    text_key = json.dumps([VERSION, np.__version__.split(".")[0], settings_of(settings)], sort_keys=True)
    key = hashlib.sha256(text_key.encode()).hexdigest()[:16]
    path = places.cache_folder("inputs") / f"{settings['generator']}-{key}.txt"
    return path, path.with_suffix(".json")


def _read(path: Path, facts: Path, tolerance: float) -> Input:
    known = json.loads(facts.read_text())
    expected = Expected(known["text"], known["digest"], known["bytes_out"], tolerance)
    return Input(path if known["bytes"] else None, known["bytes"], known["tokens"], expected)


def _is_whole(path: Path, facts: Path) -> bool:
    """Tell whether an input is in the cache, its file as long as it was."""
    if not facts.exists():
        return False
    size = json.loads(facts.read_text())["bytes"]
    return size == 0 or (path.exists() and path.stat().st_size == size)


def _write(path: Path, name: str, full: dict[str, int | float | str]) -> dict[str, int | str | None]:
    """Write the file aside and rename it. Returns the facts to keep beside it."""
    random = np.random.Generator(np.random.PCG64(int(full["seed"])))
    settings = {key: value for key, value in full.items() if key not in ("generator", "seed")}
    advice = "free some room or set HEADRACE_CACHE to another place"
    with places.written_whole(path, "the input", advice) as file:
        made = GENERATORS[name](file, random, **settings)
    value, size = (None, None) if made.answer is not None else launch.digest(path)
    if GENERATORS[name] in OUTPUTS:
        path.unlink()
    return {
        "tokens": made.tokens,
        "bytes": path.stat().st_size if path.exists() else 0,
        "text": made.answer,
        "digest": value,
        "bytes_out": size,
    }
