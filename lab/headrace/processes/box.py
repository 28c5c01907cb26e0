"""A box around a program: what it does to files happens in a view of its folder, and is noted, not done.

A view is an overlay in namespaces of its own where the kernel allows that (native/box.hpp), else a copy of
the folder. Every run gets a fresh one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from headrace.base import places
from headrace.base.errors import BadInput

LIMIT = 1 << 30  # bytes of a folder that is copied
KEPT = 16 << 20  # bytes of a file that are kept to say where it differs

ALLOW_NAMESPACES = (
    "allow namespaces (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns)"
)

Kind = Literal["overlay", "copy", "in place"]


@dataclass(frozen=True)
class Entry:
    """An entry that a program left under a name: `kind` is file, folder, link, deleted, or other."""

    kind: str
    mode: int = 0
    size: int = 0
    digest: str = ""  # of a file's bytes; where a link leads
    data: bytes | None = field(default=None, compare=False, repr=False)  # of a file of at most KEPT bytes


Changes = Mapping[str, Entry]  # by path: in the view's folder from there on, elsewhere from the root


def entry(path: Path) -> Entry:
    """Describe what stands at a path."""
    try:
        facts = path.lstat()
    except OSError:
        return Entry("deleted")
    mode = stat.S_IMODE(facts.st_mode)
    if stat.S_ISLNK(facts.st_mode):
        return Entry("link", digest=os.readlink(path))
    if stat.S_ISDIR(facts.st_mode):
        return Entry("folder", mode)
    if not stat.S_ISREG(facts.st_mode):
        gone = stat.S_ISCHR(facts.st_mode) and facts.st_rdev == 0  # an overlay's mark
        return Entry("deleted") if gone else Entry("other", mode)
    digest, data = hashlib.blake2b(digest_size=16), b""
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            data += block if facts.st_size <= KEPT else b""
    return Entry("file", mode, facts.st_size, digest.hexdigest(), data if facts.st_size <= KEPT else None)


@dataclass(frozen=True)
class View:
    """A place for one run: `words` go before its command, which starts in `folder`."""

    words: list[str]
    folder: Path | None


@dataclass(frozen=True)
class Cage:
    """Where a contender runs, as `cage.here` makes it: `words` of the launcher that open a box."""

    words: tuple[str, ...]

    def around(
        self, command: Sequence[str], writable: Sequence[Path], kept: Sequence[Path | str | None]
    ) -> list[str]:
        """Put a command into it. `writable` folders and `kept` files are those that are outside."""
        words = list(self.words)
        for folder in writable:
            words += ["--writable", str(folder)]
        for file in {Path(each).resolve() for each in kept if each and os.path.isabs(each)}:
            words += ["--keep", str(file)] if file.is_file() else []
        return [*words, "--", *command]


@dataclass
class Box:
    """The views of a folder, one a run. `left` is what the last run created, changed or deleted."""

    folder: Path
    kind: Kind
    place: Path  # where what is written goes
    launcher: str
    private: Mapping[Path, Path] = field(default_factory=dict)  # temporary folders, and places for them
    left: Changes = field(default_factory=dict)
    steady: Set[str] | None = None  # what is compared of the temporary folders; None: all of it

    def settle(self, first: Changes, second: Changes) -> None:
        """Compare of the temporary folders from now on only what two runs left there alike."""
        self.steady = {path for path, each in first.items() if second.get(path) == each}

    def settled(self, left: Changes) -> Changes:
        """Leave out what is not compared: temporary files whose names are drawn."""
        known = self.steady
        return {path: each for path, each in left.items() if known is None or path[0] != "/" or path in known}

    @contextlib.contextmanager
    def view(self, writable: Sequence[Path] = ()) -> Iterator[View]:
        """Give a fresh view for a run; afterwards `left` is what that did. `writable` stays as it is."""
        if self.kind == "in place":
            yield View([], self.folder)
            return
        with contextlib.ExitStack() as stack:
            if self.kind == "copy":
                below = stack.enter_context(places.scratch(self.place))
                copy, temporary = below / self.folder.name, below / "temporary" / "files"
                temporary.mkdir(parents=True)
                shutil.copytree(self.folder, copy, symlinks=True)
                yield View(["env", f"TMPDIR={temporary}"], copy)
                self.left = _differences(self.folder, copy)
                return
            layers = {}  # by the folder that is seen through them
            for folder, place in [*self.private.items(), (self.folder, self.place)]:
                layers[folder] = _layers(folder, stack.enter_context(places.scratch(place)))
            words = [self.launcher, "--box"]
            for folder, made in layers.items():
                words += ["--view", str(folder), *map(str, made)]
            for path in writable:
                words += ["--writable", str(path)]
            yield View([*words, "--"], self.folder)
            changes: dict[str, Entry] = {}
            for folder, (upper, _) in layers.items():
                changes.update(_written(folder, upper, by_root=folder != self.folder))
            self.left = self.settled(changes)


def _layers(folder: Path, place: Path) -> tuple[Path, Path]:
    """Make the folders of an overlay; the upper one is as the folder that it covers."""
    upper, work = place / "upper", place / "work"
    upper.mkdir()
    work.mkdir()
    shutil.copystat(folder, upper)
    facts = folder.stat()
    with contextlib.suppress(OSError):
        os.chown(upper, facts.st_uid, facts.st_gid)
    return upper, work


def _written(folder: Path, upper: Path, by_root: bool) -> Iterator[tuple[str, Entry]]:
    """Yield what an upper layer says is no longer as it was."""
    for path in _below(upper):
        relative = path.relative_to(upper)
        before, after = entry(folder / relative), entry(path)
        if before != after:
            yield str(folder / relative if by_root else relative), after
        if before.kind == "folder" and (after.kind != "folder" or _hides(path)):
            for gone in _below(folder / relative):
                inner = gone.relative_to(folder)
                if not os.path.lexists(upper / inner):
                    yield str(gone if by_root else inner), Entry("deleted")


def _hides(path: Path) -> bool:
    """Tell whether a folder of an upper layer took the place of another that was removed."""
    for name in ("user.overlay.opaque", "trusted.overlay.opaque"):
        with contextlib.suppress(OSError):
            return os.getxattr(path, name, follow_symlinks=False) == b"y"
    return False


def _below(folder: Path) -> Iterator[Path]:
    for top, folders, files in os.walk(folder):
        for name in sorted([*folders, *files]):
            yield Path(top) / name


def _differences(before: Path, after: Path) -> Changes:
    """Compare a folder and its copy; files of the same size and time are alike."""
    found = {}
    for path in _below(after):
        relative = path.relative_to(after)
        if not _is_untouched(before / relative, path) and (now := entry(path)) != entry(before / relative):
            found[str(relative)] = now
    for path in _below(before):
        relative = path.relative_to(before)
        if not os.path.lexists(after / relative):
            found[str(relative)] = Entry("deleted")
    return found


def _is_untouched(before: Path, other: Path) -> bool:
    try:
        a, b = before.lstat(), other.lstat()
    except OSError:
        return False
    return (a.st_mode, a.st_size, a.st_mtime_ns) == (b.st_mode, b.st_size, b.st_mtime_ns)


def make(
    folder: Path, launcher: Path, works: Callable[[Box], str], in_place: bool = False
) -> tuple[Box, str]:
    """Return a box for the programs of a folder, and a remark on it, "" for none.

    `works` tries one and says what is wrong, "" for nothing. Raises BadInput where there can be none.
    """
    folder = folder.resolve()
    if in_place:
        return Box(folder, "in place", folder, str(launcher)), (
            "it runs in place: what it does to files is done each time, and is not compared"
        )
    if folder == Path(folder.anchor):
        raise BadInput(f"a program cannot be tried in {folder}; go to the folder of its own files")
    trouble = "there is no place for what it writes"
    device = folder.stat().st_dev
    for place in _places(folder):
        private = _private(folder, place)
        box = Box(folder, "overlay", place, str(launcher), private)
        if not (trouble := works(box)):
            is_near = place.stat().st_dev == device
            return box, "" if is_near else (
                f"what it writes goes to {place}, which is another file system than {folder}: "
                "waiting for a disk is not measured"
            )
    _check_size(folder, trouble)
    for place in _places(folder):
        if place.stat().st_dev == device:
            return Box(folder, "copy", place, str(launcher)), (
                f"it runs in copies of its folder, for there can be no view of it here ({trouble}): "
                "a run is ended where it writes elsewhere, if programs may be traced"
            )
    raise BadInput(
        f"there is no place for a copy of {folder}; --in-place runs the program there all the same"
    )


def _places(folder: Path) -> list[Path]:
    """Return folders for what a program writes, those on the file system of its folder first."""
    device = folder.stat().st_dev
    temporary = [Path("/var/tmp"), Path(tempfile.gettempdir()), Path("/dev/shm")]
    found = [places.cache_folder("box"), *temporary]
    usable = [each for each in found if is_usable(each) and _is_apart(folder, each)]
    near = [each for each in usable if each.stat().st_dev == device]
    if not near and os.access(folder.parent, os.W_OK) and folder.parent.stat().st_dev == device:
        near = [folder.parent]
    return near + [each for each in usable if each not in near]


def _private(folder: Path, place: Path) -> dict[Path, Path]:
    """Return the folders for temporary files, an outer one first, each with a place for what goes there."""
    named = {Path(name).resolve() for name in ("/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir())}
    found: dict[Path, Path] = {}
    for each in sorted(named):
        if is_usable(each) and _is_apart(folder, each):
            apart = [spare for spare in (place, *_places(folder)) if _is_apart(each, spare)]
            found |= {each: apart[0]} if apart else {}
    return found


def is_usable(folder: Path) -> bool:
    """Whether it is a folder in which files can be made."""
    return folder.is_dir() and os.access(folder, os.W_OK)


def _is_apart(folder: Path, place: Path) -> bool:
    """Tell whether a place is neither a folder nor below it."""
    return place.resolve() != folder and folder not in place.resolve().parents


def _check_size(folder: Path, trouble: str) -> None:
    size = 0
    for path in _below(folder):
        with contextlib.suppress(OSError):
            size += path.lstat().st_size
        if size > LIMIT:
            raise BadInput(
                f"{folder} holds more than {LIMIT >> 30} GiB, too much for a copy, and there can be no view "
                f"of it ({trouble}); run in a folder with only the program's own files, {ALLOW_NAMESPACES}, "
                "or insist with --in-place"
            )
