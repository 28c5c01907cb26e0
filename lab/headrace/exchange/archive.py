"""A .headrace file: a zip of a results file, the sources that it was measured with, and their checksums.

`manifest.json` lists every other file with its SHA-256, and its own SHA-256 is the archive's digest: a digest
that the sender tells some other way shows that nothing was changed. Times in the zip are fixed, so that the
same campaign packed twice gives the same bytes. Reading one runs nothing and writes nothing.
"""

from __future__ import annotations

import contextlib
import filecmp
import hashlib
import io
import json
import os
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.text import visible

FORMAT = 1
SUFFIX = ".headrace"
MANIFEST, RESULTS = "manifest.json", "results.json"
LARGEST = 2 << 30  # bytes of all files together
MOST = 20_000  # files
BLOCK = 1 << 20  # bytes of any other that are in memory at a time
DIRECTORY = 256 * MOST  # bytes that list the files
WHEN = (1980, 1, 1, 0, 0, 0)


class Manifest(BaseModel):
    """An archive's description of itself. Names of files are relative, with slashes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    format: int = FORMAT
    headrace_version: str = ""
    include: str = ""  # the folder of the headers
    benchmarks: dict[str, str] = Field(default_factory=dict)  # name -> its folder
    guests: list[str] = Field(default_factory=list)  # programs of --with
    input: str = ""  # the file of --input, where it was packed
    input_digest: str = ""  # its SHA-256, though it was not
    flags: dict[str, list[str]] = Field(default_factory=dict)  # toolchain -> sets of flags of its builds
    files: dict[str, str] = Field(default_factory=dict)  # name -> SHA-256


@dataclass(frozen=True)
class Archive:
    """An archive that was checked. What is read of it later is checked again: it may have changed since."""

    path: Path
    manifest: Manifest
    digest: str

    def contents(self, names: Iterable[str]) -> Iterator[bytes]:
        """Yield what files hold. Raises BadInput."""
        with opened(self.path, str(self.path)) as packed:
            for name in names:
                content = _text(packed, name)
                _check_sum(self.path, name, hashlib.sha256(content).hexdigest(), self.manifest.files)
                yield content

    def content(self, name: str) -> bytes:
        """Return what a file holds. Raises BadInput."""
        (content,) = self.contents([name])
        return content

    def unpack(self, folder: Path) -> None:
        """Let a folder hold all files and nothing else, once they are all written. Raises BadInput."""
        with opened(self.path, str(self.path)) as packed:
            unpack(packed, folder, {**self.manifest.files, MANIFEST: self.digest})


def save(place: Path, manifest: Manifest, files: Mapping[str, Path]) -> str:
    """Write an archive. Returns its digest. Raises BadInput for more than `read` takes."""
    sizes = {name: file.stat().st_size for name, file in files.items()}
    if sizes.get(RESULTS, 0) > places.TEXT:
        raise BadInput(
            f"an archive holds results of at most {places.TEXT >> 20} MiB, and {files[RESULTS]} has more; "
            "race with fewer rows or rounds"
        )
    if len(files) >= MOST or sum(sizes.values()) > LARGEST - places.SMALL:
        raise BadInput(
            f"an archive holds at most {MOST:,} files and {LARGEST >> 20:,} MiB, and this is more; leave out "
            "--with-input, or race with a smaller file"
        )
    with places.written_whole(place) as file, zipfile.ZipFile(file, "w") as packed:
        listed = manifest.model_copy(update={"files": pack(packed, files)})
        written = json.dumps(listed.model_dump(), indent=1).encode() + b"\n"
        packed.writestr(_entry(MANIFEST), written)
    return hashlib.sha256(written).hexdigest()


def pack(packed: zipfile.ZipFile, files: Mapping[str, Path]) -> dict[str, str]:
    """Pack files: their names, contents, and which can start. Returns their SHA-256. Raises BadInput."""
    sums = {}
    for name, file in sorted(files.items()):
        try:
            status = file.stat()
            entry = _entry(name, 0o755 if status.st_mode & 0o100 else 0o644)
            entry.file_size = status.st_size
            if not _is_plausible(file, status.st_size):
                entry.compress_type = zipfile.ZIP_STORED
            with file.open("rb") as content, packed.open(entry, "w") as to:
                sums[name] = _copied(content, to)
        except OSError as error:
            raise BadInput(f"cannot pack {file}: {error.strerror or error}") from error
    return sums


def _entry(name: str, mode: int = 0o644) -> zipfile.ZipInfo:
    """Describe a file without anything that is of here, such as times."""
    entry = zipfile.ZipInfo(name, WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = mode << 16
    return entry


def _is_plausible(file: Path, size: int) -> bool:
    """Whether a file, packed as zipfile does, packs to enough bytes that it is not taken for an attack."""
    packer, packed = zlib.compressobj(wbits=-zlib.MAX_WBITS), 0
    with file.open("rb") as content:
        while places.RATIO * packed < size and (block := content.read(BLOCK)):
            packed += len(packer.compress(block))
    return places.RATIO * (packed + len(packer.flush())) >= size


def _copied(content: IO[bytes], to: IO[bytes]) -> str:
    """Copy a file. Returns its SHA-256."""
    digest = hashlib.sha256()
    while block := content.read(BLOCK):
        digest.update(block)
        to.write(block)
    return digest.hexdigest()


class _Bounded(io.BufferedReader):
    """A file of which nobody reads much at once, as zipfile reads a list of files, however long it is."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > DIRECTORY:
            raise zipfile.BadZipFile("it lists too many files")
        return super().read(size)


@contextlib.contextmanager
def opened(source: Path | BinaryIO, label: str, largest: int = 0) -> Iterator[zipfile.ZipFile]:
    """Give what `pack` packed, after sizes and names are checked. No file unpacks to more than its size here.

    Raises BadInput, which calls the archive `label`, also for what is wrong with it as it is read.
    """
    largest = largest or LARGEST
    try:
        with (
            _Bounded(io.FileIO(source)) if isinstance(source, Path) else source as file,
            zipfile.ZipFile(file) as packed,
        ):
            entries = packed.infolist()
            size = sum(entry.file_size for entry in entries)
            packed_size = packed.fp.seek(0, os.SEEK_END) if packed.fp else 0  # whatever its entries say of it
            if len(entries) > MOST or size > min(largest, places.plausible(packed_size)):
                raise BadInput(
                    f"{label} unpacks to more than {MOST:,} files, {largest >> 20:,} MiB, or {places.RATIO} "
                    "times its size; headrace export packs less"
                )
            if {entry.compress_type for entry in entries} - {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise zipfile.BadZipFile("a file is packed by another method")
            check_names([entry.filename for entry in entries], label)
            yield packed
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError) as error:
        raise BadInput(
            f"{label} is no {SUFFIX} archive, or was damaged or cut short ({visible(str(error))}); ask for "
            "it again, or pack it again with headrace export"
        ) from error
    except OSError as error:
        raise BadInput(
            f"cannot read {label}: {error.strerror or error}; name a file that headrace export wrote"
        ) from error


def unpack(packed: zipfile.ZipFile, folder: Path, sums: Mapping[str, str] | None = None) -> None:
    """Let a folder hold all files and nothing else, once they are all written and have their SHA-256.

    A file that was there and is the same keeps its time. Raises BadInput.
    """
    places.check_folder(folder.parent)
    try:
        with places.scratch(folder.parent) as aside:
            whole = aside / folder.name
            whole.mkdir()
            for entry in packed.infolist():
                file, before = whole / entry.filename, folder / entry.filename
                with packed.open(entry) as content, places.written_whole(file) as to:
                    digest = _copied(content, to)
                if sums is not None:
                    _check_sum(packed.filename, entry.filename, digest, sums)
                if entry.external_attr >> 16 & 0o100:
                    file.chmod(0o755)
                if before.is_file() and filecmp.cmp(before, file, shallow=False):
                    os.utime(file, ns=(before.stat().st_atime_ns, before.stat().st_mtime_ns))
            places.replace_folder(folder, whole)
    except OSError as error:
        raise BadInput(
            f"cannot unpack into the folder {folder}: {error.strerror or error}; choose another place"
        ) from error


def check_names(names: Sequence[str], label: str) -> None:
    """Raise BadInput where files would not be told apart on some system, or lie outside of their folder."""
    seen: dict[
        str, str
    ] = {}  # how a system that ignores case calls a file or a folder -> as it was first called
    folders = {str(parent) for name in names for parent in PurePosixPath(name).parents}
    for name in names:
        if not _is_safe(name):
            raise BadInput(f"{label} names the file {visible(name)}, which may be outside of its folder")
        if name in folders:
            raise BadInput(f"{label} names {visible(name)} as a file and as a folder")
    for name in [*names, *folders]:
        folded = unicodedata.normalize("NFC", name).casefold()
        if seen.setdefault(folded, name) != name:
            raise BadInput(
                f"{label} names both {visible(seen[folded])} and {visible(name)}; rename one of them"
            )
    if len(set(names)) != len(names):
        raise BadInput(f"{label} was changed: it names a file twice")


def read(path: Path) -> Archive:
    """Read and check an archive. Raises BadInput that names the file, and what is wrong with it."""
    with opened(path, str(path)) as packed:
        names = {*packed.namelist()} - {MANIFEST}
        if len(names) == len(packed.namelist()):
            raise BadInput(f"{path} is a zip file of something else: it has no {MANIFEST}")
        written = _text(packed, MANIFEST)
        manifest = _manifest(path, written)
        if odd := sorted({*manifest.files} ^ names):
            which = f"{visible(odd[0])} is {'missing' if odd[0] in manifest.files else 'not listed'}"
            raise BadInput(f"{path} was changed: its files are not those listed in its {MANIFEST} ({which})")
        for name in manifest.files:
            with packed.open(name) as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
            _check_sum(path, name, digest, manifest.files)
    for name in (RESULTS, *manifest.guests, *filter(None, [manifest.input])):
        if name not in names:
            raise BadInput(f"{path} is not whole: it has no {visible(name)}")
    return Archive(path, manifest, hashlib.sha256(written).hexdigest())


def _text(packed: zipfile.ZipFile, name: str) -> bytes:
    """Return a manifest, or results. Raises BadInput where somebody made them large."""
    entry = packed.getinfo(name)
    if entry.file_size > (most := places.most_text(entry.compress_size)):
        raise BadInput(f"{packed.filename}: its {visible(name)} has over {most >> 20} MiB; ask for another")
    with packed.open(name) as content:
        return b"".join(iter(lambda: content.read(BLOCK), b""))


def _check_sum(path: Path | str | None, name: str, digest: str, sums: Mapping[str, str]) -> None:
    if digest != sums.get(name):
        raise BadInput(
            f"{path} was changed: {visible(name)} is not what its checksum says; ask for the archive again"
        )


def _manifest(path: Path, written: bytes) -> Manifest:
    try:
        data = json.loads(written)
        known = data.get("format") if isinstance(data, dict) else None
        if isinstance(known, int) and known > FORMAT:
            raise BadInput(
                f"{path} is of format {known}, and this headrace reads up to {FORMAT}; update headrace"
            )
        return Manifest.model_validate(data)
    except (ValueError, RecursionError) as error:  # a ValidationError is a ValueError
        why = first_fault(error) if isinstance(error, ValidationError) else str(error)
        raise BadInput(f"{path}: its {MANIFEST} cannot be read ({visible(why)}); ask for it again") from error


def _is_safe(name: str) -> bool:
    """Whether a name stays in its folder on every system, and is shown as what it is."""
    parts = name.split("/")
    return (
        0 < len(name) < 500
        and not set(name) & set("\\:")
        and not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in name)
        and not any(part in ("", ".", "..") for part in parts)
    )
