"""Places of things: the checkout or the installed data, the cache, temporary files for sinks."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import hashlib
import io
import math
import os
import secrets
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from headrace.base.context import context
from headrace.base.errors import BadInput

PACKAGE = Path(__file__).resolve().parent.parent
TEXT = 64 << 20  # bytes of JSON that is unpacked: 170,000 runs; in memory it may take twenty times as many
RATIO = 30  # bytes of what is unpacked for each that was packed, where that is more than SMALL; text has ten
SMALL = 16 << 20
DAY = 86_400.0
KEPT = 14 * DAY  # seconds that what travelled between machines is kept for those who come back
SCRATCH = "headrace-scratch-"  # how the names of folders for one piece of work begin
YOUNG = 60.0  # seconds: a busy machine may not get to the lock at once
BOUNDS = {  # folders of the cache that grow with use, and the bytes that each may take
    "archives": 1 << 30,
    "box": 1 << 30,
    "builds": 8 << 30,
    "build-index": 64 << 20,
    "inputs": 8 << 30,
    "sources": 1 << 30,
    "survey": 64 << 20,
}


@cache
def checkout() -> Path | None:
    """Return the checkout that this package runs from, or None when it is installed."""
    top = PACKAGE.parent.parent
    if (top / "include" / "headrace").is_dir() and (top / "benchmarks").is_dir():
        return top
    return None


def include_folder() -> Path:
    """Return the folder to pass to a compiler with -I."""
    return _ours() / "include"


def benchmarks_folder() -> Path:
    """Return the folder of the benchmarks that come with headrace."""
    return _ours() / "benchmarks"


def _ours() -> Path:
    return context().sources or checkout() or PACKAGE / "data"


def benchmark_names() -> list[str]:
    """Return the names of the benchmarks that come with headrace."""
    folder = benchmarks_folder()
    return sorted(file.parent.name for file in folder.glob("*/benchmark.toml")) if folder.is_dir() else []


def native_folder() -> Path:
    """Return the folder with the launcher's source."""
    return PACKAGE / "processes" / "native"


def cache_folder(*parts: str) -> Path:
    """Return a folder below the cache, made if absent.

    HEADRACE_CACHE names the cache; without it a checkout keeps its own in .cache, and an installed headrace
    uses $XDG_CACHE_HOME/headrace. Raises BadInput when it cannot be made.
    """
    named = os.environ.get("HEADRACE_CACHE")
    top = checkout()
    if named:
        root = Path(named)
    elif top and os.access(top, os.W_OK):
        root = top / ".cache"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headrace"
    folder = root.joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"cannot make the cache folder {folder}: {error.strerror}; "
            "set HEADRACE_CACHE to a folder that can be written"
        ) from error
    return folder.resolve()


@contextlib.contextmanager
def written_whole(
    path: Path,
    what: str = "",
    advice: str = "free some room or make the folder writable",
    durable: bool = False,
) -> Iterator[BinaryIO]:
    """Give a file to write aside, then rename it: `path` is whole or absent; its folder is made if absent.

    A `durable` one survives a power cut, too. Raises BadInput, which names `what` and gives the `advice`, on
    a full or read-only disk. Who may read the file is what the umask says.
    """
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("xb", buffering=1 << 20) as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        raise BadInput(
            f"cannot write {f'{what} to ' if what else ''}{path}: {error.strerror or error}; {advice}"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file by `written_whole`. Raises BadInput."""
    with written_whole(path) as file:
        file.write(data)


def digest(path: Path) -> str:
    """Name a file by its content: its SHA-256. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def system_text(path: Path | str) -> str:
    """Read what the system tells in a file, such as one of /proc; "" where it does not."""
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return ""


def read_plain(path: Path) -> bytes:
    """Read a file, unpacked where gzip packed it. Raises OSError."""
    content = path.read_bytes()
    if not content.startswith(b"\x1f\x8b"):
        return content
    return unpacked(content, most_text(len(content)), "; if it is your own, unpack it with gunzip first")


def unpacked(content: bytes, most: int, advice: str = "") -> bytes:
    """Unpack what gzip packed. Raises OSError for what is damaged, or would be more than `most` bytes."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            plain = packed.read(most + 1)
    except (EOFError, zlib.error) as error:
        raise OSError(f"its gzip data are damaged ({error})") from error
    if len(plain) > most:
        raise OSError(f"it unpacks to more than {most >> 20} MiB{advice}")
    return plain


def most_text(packed: int) -> int:
    """Return how many bytes of JSON may come out of that many."""
    return min(TEXT, plausible(packed))


def plausible(packed: int) -> int:
    """Return how many bytes of anything may come out of that many, of those that are packed here."""
    return max(SMALL, RATIO * packed)


def prune(folder: Path, size: int, age: float = KEPT, young: float = 0.0) -> int:
    """Remove what was not used for `age` seconds; then what was unused longest, until `size` bytes are left.

    An entry is a file or a folder in `folder`, or files with the same stem; it was used when the newest time
    of these says, see `mark_used`. The one used last stays, however large it is, and so does what was used
    within `young` seconds, or cannot be removed. Returns the bytes that are left.
    """
    entries: dict[str, list[Path]] = {}
    for path in folder.iterdir():
        entries.setdefault(path.stem, []).append(path)
    found = []
    for paths in entries.values():
        with contextlib.suppress(OSError):  # another process prunes as well
            found.append((max(path.lstat().st_mtime for path in paths), sum(map(_size, paths)), paths))
    left, now = 0, time.time()
    for number, (used, taken, paths) in enumerate(sorted(found, reverse=True)):
        left += taken
        if number and now - used > young and (now - used > age or left > size):
            left -= taken
            for path in paths:
                _remove(path)
    return left


def _remove(path: Path) -> None:
    """Remove a file or a folder, as far as it can be."""
    if path.is_dir() and not path.is_symlink():
        for top, folders, _ in os.walk(path):
            for each in folders:
                if not (folder := Path(top) / each).is_symlink():
                    with contextlib.suppress(OSError):
                        folder.chmod(0o700)
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def bound_cache(name: str, age: float = math.inf) -> int:
    """Prune a folder of the cache that grows with use. Returns the bytes that are left."""
    return prune(cache_folder(name), BOUNDS[name], age, DAY)


def mark_used(entry: Path) -> None:
    """Let an entry of a cache count as used now. One that is not there is none."""
    with contextlib.suppress(OSError):
        os.utime(entry)


def _size(entry: Path) -> int:
    below = entry.rglob("*") if entry.is_dir() and not entry.is_symlink() else [entry]
    return sum(file.lstat().st_size for file in below if not file.is_dir())


def replace_folder(folder: Path, whole: Path) -> None:
    """Put a folder in the place of another, which may be absent. Raises BadInput where that one must stay."""
    try:
        _remove(folder)
        os.replace(whole, folder)
    except OSError as error:
        raise BadInput(
            f"cannot write the folder {folder}: {error.strerror or error}; remove it, or choose another place"
        ) from error


def check_writable(file: Path) -> None:
    """Make the folder of a file to come; devices and pipes are fine. Raises BadInput where it cannot be."""
    if file.is_dir():
        raise BadInput(f"{file} is a folder; name a file")
    if not file.exists():
        check_folder(file.parent)
    elif not os.access(file, os.W_OK):
        raise BadInput(f"cannot write {file}: it is read-only; choose another place")


def check_folder(folder: Path) -> None:
    """Make a folder. Raises BadInput where it cannot be, or where no file can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, prefix=".probe."):
            pass
    except OSError as error:
        raise BadInput(
            f"cannot write into the folder {folder}: {error.strerror or error}; choose another place"
        ) from error


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes that lock the folder out, from reading a file there until it is written."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks goes without
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """Give a folder for one piece of work, and remove it afterwards, whatever modes there are in it.

    It is locked meanwhile: one that nobody locks is of a process that was killed, and goes when the next one
    is made. `parent`: where it is made; without it the folder for temporary files.
    """
    parent = parent or Path(tempfile.gettempdir())
    sweep(parent)
    folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=parent))
    try:
        with locked(folder):
            yield folder
    finally:
        _remove(folder)


@cache
def sweep(parent: Path) -> None:
    """Remove what killed processes left. The lock of one that is young may not have been taken yet."""
    for folder in parent.glob(f"{SCRATCH}*"):
        with contextlib.suppress(OSError):  # it is locked, another user's, or gone
            if time.time() - folder.lstat().st_ctime < YOUNG:
                continue
            handle = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(folder)
            finally:
                os.close(handle)


def fast_folder() -> Path:
    """Return the folder for file sinks: a RAM disk if there is one, so as not to measure a disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        return memory
    return Path(tempfile.gettempdir())


def peer_folders() -> list[Path]:
    """Return the include folders of other libraries that HEADRACE_PEERS names (a list as PATH is).

    Each entry counts, and of it and its immediate sub-folders the folders where a clone has its headers, so
    that a clone, or one folder of clones, is enough. Raises BadInput for an entry that is not a folder.
    """
    found: list[Path] = []
    for entry in filter(None, os.environ.get("HEADRACE_PEERS", "").split(os.pathsep)):
        folder = Path(entry).resolve()
        if not folder.is_dir():
            raise BadInput(
                f"HEADRACE_PEERS names {entry}, which is not a folder; name folders that hold headers"
            )
        found.append(folder)
        for clone in [folder, *sorted(child for child in folder.iterdir() if child.is_dir())]:
            found += [clone / name for name in ("include", "single_include") if (clone / name).is_dir()]
            places = (clone, clone / "src", clone / "src/include")
            found += [place for place in places if any(place.glob("*.h")) or any(place.glob("*.hpp"))]
    return list(dict.fromkeys(found))
