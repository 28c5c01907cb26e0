"""The sources of a campaign in one archive, named by its content: the library, benchmarks, own programs.

The same sources give the same bytes, so a host that has an archive need not be sent it again. Below its top:

    include/           the library
    benchmarks/        those that come with headrace, all of them: some read files of others
    own/benchmarks/    folders that were named by a path
    own/programs/      programs of --with, and the headers beside them that they include
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.exchange import archive
from headrace.matrix import benchmarks

LARGEST = 256 << 20  # bytes that an archive may unpack to
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Archive:
    """Packed sources, and how the campaign's benchmarks and programs are called in them."""

    digest: str  # sha256 of `data`
    data: bytes
    benchmarks: Sequence[str]  # names, or paths below the top
    guests: Sequence[str]  # paths below the top


def digest(data: bytes) -> str:
    """Name bytes by their content."""
    return hashlib.sha256(data).hexdigest()


def pack(wanted: Sequence[str], guests: Sequence[Path]) -> Archive:
    """Pack what the benchmarks and programs need. Raises BadInput for what is not there or too large."""
    files: dict[str, Path] = {}
    files |= _folder("include", places.include_folder())
    files |= _folder("benchmarks", places.benchmarks_folder())
    names = []
    for found in benchmarks.find_all(wanted):
        if found.folder.parent == places.benchmarks_folder():
            names.append(found.folder.name)
            continue
        place = f"own/benchmarks/{found.folder.name}"
        names.append(place)
        files |= _folder(place, found.folder)
    programs = []
    for guest in guests:
        if not guest.is_file():
            raise BadInput(f"there is no file {guest}")
        path = guest.resolve()
        programs.append(f"own/programs/{path.stem}/{path.name}")
        files |= {f"own/programs/{path.stem}/{at}": file for at, file in _with_headers(path).items()}
    data = _packed(files)
    return Archive(digest(data), data, names, programs)


def _folder(place: str, folder: Path) -> dict[str, Path]:
    """List a folder's files by where they go; hidden ones and what Python compiled stay here."""
    return {
        f"{place}/{file.relative_to(folder).as_posix()}": file
        for file in folder.rglob("*")
        if file.is_file()
        and not any(part.startswith(".") or part == "__pycache__" for part in file.relative_to(folder).parts)
    }


def _with_headers(program: Path) -> dict[str, Path]:
    """List a program and the files beside it that it includes, by their paths from its folder."""
    top = program.parent
    found = {program.name: program}
    queue = [program] if program.suffix in benchmarks.SOURCE_SUFFIXES else []
    while queue:
        file = queue.pop()
        for name in _INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace")):
            header = (file.parent / name).resolve()
            if not header.is_file():
                continue  # on the compiler's own path, or missing there as here
            if not header.is_relative_to(top):
                raise BadInput(
                    f"{file} includes {header}, which is outside of the folder of {program.name} and does "
                    "not travel with it; put both into one folder"
                )
            if found.setdefault(header.relative_to(top).as_posix(), header) is header:
                queue.append(header)
    return found


def _packed(files: Mapping[str, Path]) -> bytes:
    """Pack files by their names. Raises BadInput for what cannot be read, or is too much."""
    if sum(file.stat().st_size for file in files.values()) > LARGEST:
        largest = max(files.values(), key=lambda file: file.stat().st_size)
        raise BadInput(
            f"the sources take more than {LARGEST >> 20} MiB, most of all {largest}; large inputs do not "
            "travel: let a generator make them"
        )
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        archive.pack(packed, files)
    return data.getvalue()


def check(data: bytes, named: str) -> None:
    """Raise BadInput where an archive is not what its name says: cut short, or changed by somebody."""
    if (found := digest(data)) != named:
        raise BadInput(
            f"the archive of sources is not what was sent: its checksum is {found[:12]}, and {named[:12]} "
            "was announced; it was broken or changed on its way, and nothing of it was used"
        )


def unpack(data: bytes, named: str, folder: Path) -> None:
    """Let a folder hold what an archive holds and nothing else, once all of it is written.

    An unchanged file keeps its time, so that a build of it is found again at once. Raises BadInput for an
    archive that is not what its name says, or that holds anything but files below its top.
    """
    check(data, named)
    with archive.opened(io.BytesIO(data), "the archive of sources", LARGEST) as packed:
        archive.unpack(packed, folder)
