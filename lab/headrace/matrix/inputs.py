"""Inputs: written once by a generator, with their answers, and cached by generator, settings and VERSION."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.later import Later
from headrace.base.names import unknown
from headrace.base.units import memory
from headrace.matrix.generators import GENERATORS, INPUTS, OUTPUTS, OWN, VERSION, Generator, pairs, text
from headrace.processes import launch
from headrace.processes.launch import Expected

if TYPE_CHECKING:
    import numpy as np
    from typing_extensions import Buffer
else:
    np = Later("numpy")

Settings = Mapping[str, int | float | str]
FEW = 100  # rows or numbers that show how long an input is
AGREE = "agree"  # the answer of a user's own text: what all contenders agree on
ITSELF = "input"  # the answer: the text itself


_KINDS = {int: "an integer", float: "a number", str: "text"}


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
    known = parameters(name)
    for key, value in settings.items():
        if key in ("generator", "seed"):
            continue
        if key not in known:
            raise BadInput(f"{where}: {unknown('setting', key, list(known))}")
        wanted = type(known[key].default)
        if not isinstance(value, wanted) and not (wanted is float and isinstance(value, int)):
            raise BadInput(f"{where}: {key} wants {_KINDS[wanted]}, not {value!r}")
        if wanted is int and key not in ("low", "high") and isinstance(value, int) and value < 0:
            raise BadInput(f"{where}: {key} is {value} and must be 0 or more")
    for key in ("path", "command"):
        if key in known and not settings.get(key):
            raise BadInput(f"{where}: {name} wants the setting {key}")
    low, high = (settings.get(key, known[key].default if key in known else 0) for key in ("low", "high"))
    if isinstance(low, int) and isinstance(high, int) and low > high:
        raise BadInput(f"{where}: low is {low}, above high, which is {high}")


def makes_input(settings: Settings) -> bool:
    """Tell whether there is something for a program to read."""
    return GENERATORS[str(settings["generator"])] in (*INPUTS, *OWN)


def is_own(settings: Settings) -> bool:
    """Tell whether the input is a user's own text, not one of ours."""
    return GENERATORS[str(settings["generator"])] in OWN


def located(settings: Settings, folder: Path) -> dict[str, int | float | str]:
    """Return settings in which a user's own text is found from anywhere: `folder` is the benchmark's."""
    if not is_own(settings):
        return dict(settings)
    path = {"path": str(folder / str(settings["path"]))} if settings.get("path") else {}
    return {**settings, **path, "folder": str(folder)}


def settings_of(settings: Settings) -> dict[str, int | float | str]:
    """Return all settings of an input: those given, and what the others are without."""
    defaults = {key: parameter.default for key, parameter in parameters(str(settings["generator"])).items()}
    return {"seed": 1, **defaults, **settings}


def changed(
    settings: Settings, changes: Mapping[str, str], where: str = "input"
) -> dict[str, int | float | str]:
    """Return settings with some changed, given as text. Raises BadInput for a wrong name or number.

    Its sentence starts with `where`.

    Changes may come from a results file: what would run a command or read another file is not among them.
    """
    for key in ("generator", "command", "path", "folder"):
        if key in changes:
            raise BadInput(f"the input's {key} is the benchmark's own; --input reads another file")
    known = parameters(str(settings["generator"]))
    result = dict(settings)
    for key, given in changes.items():
        wanted = type(known[key].default) if key in known else int if key == "seed" else str
        try:
            result[key] = _whole(given) if wanted is int else wanted(given)
        except ValueError:
            raise BadInput(f"{where}: {key} wants {_KINDS[wanted]}, not {given}") from None
    check(result, where)
    return result


def _whole(text: str) -> int:
    """Read "100", or "1e2". Raises ValueError for anything else, and for a fraction."""
    try:
        return int(text)
    except ValueError:
        value = Decimal(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?[eE]\+?\d{1,2}", text) else Decimal("0.5")
        if value != value.to_integral_value():
            raise ValueError(text) from None
        return int(value)


def parameters(generator: str) -> dict[str, inspect.Parameter]:
    """Return the settings of a generator, each with what it is without."""
    return dict(list(inspect.signature(GENERATORS[generator]).parameters.items())[2:])


def size(settings: Settings) -> int:
    """Return about how many bytes an input takes in the cache that is not there yet; 0: there, or unknown."""
    if is_own(settings) or _is_whole(*_places(settings)):
        return 0
    generator, random, full = _generator(settings)
    for key in ("rows", "count"):
        if key in full:
            few = min(int(full[key]), FEW)
            begun = io.BytesIO()
            generator(begun, random, **{**full, key: few})
            return begun.tell() * int(full[key]) // max(few, 1)
    return int(full.get("size", 0))


def _generator(settings: Settings) -> tuple[Generator, np.random.Generator, dict[str, int | float | str]]:
    """Return what makes an input, what it draws from, and its other settings."""
    full = settings_of(settings)
    generator = GENERATORS[str(full.pop("generator"))]
    return generator, np.random.Generator(np.random.PCG64(int(full.pop("seed")))), full


def check_room(settings: Settings) -> None:
    """Raise BadInput where the cache has no room for an input that is not there yet."""
    wanted, folder = size(settings), places.cache_folder("inputs")
    free = shutil.disk_usage(folder).free
    if wanted > free:
        raise BadInput(
            f"the input {settings['generator']} takes about {memory(wanted)} in {folder}, which has "
            f"{memory(free)}; make it smaller with --set, or set HEADRACE_CACHE to another place"
        )


class _Watched:
    """A file that tells how many bytes have been written to it."""

    def __init__(self, file: BinaryIO, watch: Callable[[int], None]) -> None:
        self.file = file
        self.watch = watch
        self.written = 0

    def write(self, data: Buffer, /) -> int:
        """Write, and tell."""
        count = self.file.write(data)
        self.written += count
        self.watch(self.written)
        return count


def make(
    settings: Settings, tolerance: float = 0.0, watch: Callable[[int], None] = lambda written: None
) -> Input:
    """Return the input of these settings, cached or written now. Raises BadInput when it cannot be.

    `watch` hears how many bytes have been written.
    """
    if settings["generator"] == "file":
        return _file(settings, tolerance)
    path, facts = _places(settings)
    if not _is_whole(path, facts):
        check_room(settings)
        made = _write(path, settings, watch)
        places.write_whole(facts, json.dumps(made).encode())
        places.bound_cache("inputs")
    return _read(path, facts, tolerance)


def cached(settings: Settings, tolerance: float = 0.0) -> Input | None:
    """Return the input of these settings if it is in the cache, or a user's file."""
    if settings["generator"] == "file":
        return _file(settings, tolerance)
    path, facts = _places(settings)
    return _read(path, facts, tolerance) if _is_whole(path, facts) else None


def tells_answer(settings: Settings) -> bool:
    """Tell whether the generator knows a short answer; else the answer is a whole output."""
    generator = GENERATORS[str(settings["generator"])]
    return generator not in (*OUTPUTS, text, pairs)


def head(settings: Settings, size: int) -> bytes:
    """Return the first bytes that the generator writes, at most `size` of them, without the rest."""
    check(settings, "input")
    if is_own(settings):  # a command runs only for a race
        return _begin(Path(str(settings["path"])), size) if settings["generator"] == "file" else b""
    generator, random, full = _generator(settings)
    begun = io.BytesIO()

    def look(written: int) -> None:
        if written >= size:
            raise _Enough

    with contextlib.suppress(_Enough):
        generator(_Watched(begun, look), random, **full)
    return begun.getvalue()[:size]


class _Enough(Exception):
    """Ends a generator of which only the head is wanted."""


def _places(settings: Settings) -> tuple[Path, Path]:
    check(settings, "input")
    whole = [VERSION, np.__version__.split(".")[0], settings_of(settings), *_named_files(settings)]
    text_key = json.dumps(whole, sort_keys=True)
    key = hashlib.sha256(text_key.encode()).hexdigest()[:16]
    path = places.cache_folder("inputs") / f"{settings['generator']}-{key}.txt"
    return path, path.with_suffix(".json")


def _named_files(settings: Settings) -> list[str]:
    """Return the hashes of the files that a command names: a changed one makes another input."""
    if settings["generator"] != "command":
        return []
    folder = Path(str(settings.get("folder", "")))
    files = [folder / word for word in shlex.split(str(settings["command"]))]
    return [places.digest(file) for file in files if file.is_file()]


def _file(settings: Settings, tolerance: float) -> Input:
    """Return a user's file as an input. Raises BadInput where it cannot be one."""
    check(settings, "input")
    path, answer = Path(str(settings["path"])), str(settings.get("answer", AGREE))
    if not path.is_file():
        raise BadInput(f"there is no file {path} to read; name one with --input, or with the key path")
    try:
        size = path.stat().st_size
        tokens = int(settings.get("tokens", 0)) or _words(path)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    if not size:
        raise BadInput(f"{path} is empty: there is nothing to read")
    return Input(path, size, tokens, _own_answer(path, answer, tolerance))


def _own_answer(path: Path, answer: str, tolerance: float) -> Expected:
    if answer == AGREE:
        return Expected(tolerance=tolerance, agree=True)
    if answer != ITSELF:
        return Expected(answer, tolerance=tolerance)
    digest, size = launch.digest(path)
    return Expected(None, digest, size)


def _words(path: Path) -> int:
    """Count what blanks and newlines separate."""
    count, inside = 0, False
    with path.open("rb") as file:
        while block := file.read(1 << 24):
            dark = np.frombuffer(block, dtype=np.uint8) > ord(" ")
            count += int(np.count_nonzero(dark[1:] & ~dark[:-1])) + int(dark[0] and not inside)
            inside = bool(dark[-1])
    return count


def _begin(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def _read(path: Path, facts: Path, tolerance: float) -> Input:
    known = json.loads(facts.read_text())
    places.mark_used(facts)  # not the input: a race tells by its times that nobody has changed it
    if known.get("own"):
        expected = _own_answer(path, known["text"], tolerance)
        return Input(path, known["bytes"], known["tokens"], expected)
    expected = Expected(known["text"], known["digest"], known["bytes_out"], tolerance)
    return Input(path if known["bytes"] else None, known["bytes"], known["tokens"], expected)


def _is_whole(path: Path, facts: Path) -> bool:
    """Tell whether an input is in the cache, its file as long as it was."""
    if not facts.exists():
        return False
    size = json.loads(facts.read_text())["bytes"]
    return size == 0 or (path.exists() and path.stat().st_size == size)


def _digest(path: Path, output: bytes) -> tuple[str, int]:
    """Return the digest and size of what a program has to print: `output`, or the input itself."""
    if not output:
        return launch.digest(path)
    with tempfile.NamedTemporaryFile(dir=path.parent) as file:
        file.write(output)
        file.flush()
        return launch.digest(Path(file.name))


def _write(
    path: Path, settings: Settings, watch: Callable[[int], None]
) -> dict[str, int | str | bool | None]:
    """Write the file aside and rename it. Returns the facts to keep beside it."""
    generator, random, full = _generator(settings)
    advice = "free some room or set HEADRACE_CACHE to another place"
    with places.written_whole(path, "the input", advice) as file:
        to = file if generator in OWN else cast("BinaryIO", _Watched(file, watch))
        made = generator(to, random, **full)
    if generator in OWN and not path.stat().st_size:
        path.unlink()
        raise BadInput(f"the input's command, {settings['command']}, printed nothing")
    path.chmod(0o444)  # contenders share it, and could write to it by /proc/self/fd/0
    value, size = (None, None) if made.answer is not None else _digest(path, made.output)
    if generator in OUTPUTS:
        path.unlink()
    return {
        "own": generator in OWN,
        "tokens": made.tokens or (_words(path) if generator in OWN else 0),
        "bytes": path.stat().st_size if path.exists() else 0,
        "text": made.answer,
        "digest": value,
        "bytes_out": size,
    }
