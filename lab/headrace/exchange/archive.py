"""A .headrace file: a zip of a results file, the sources that it was measured with, and their checksums.

`manifest.json` lists every other file with its SHA-256, and its own SHA-256 is the archive's digest: a digest
that the sender tells some other way shows that nothing was changed. Times in the zip are fixed, so that the
same campaign packed twice gives the same bytes. Reading one runs nothing and writes nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.text import visible

FORMAT = 1
SUFFIX = ".headrace"
MANIFEST, RESULTS = "manifest.json", "results.json"
LARGEST = 2 << 30  # bytes of all files together
MOST = 20_000  # files
PART = re.compile(r"[^\x00-\x1f\x7f\\:]+")  # of a file's name
WHEN = (1980, 1, 1, 0, 0, 0)


class Manifest(BaseModel):
    """What an archive says of itself. Names of files are relative, with slashes."""

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
    """A manifest with the files that it lists."""

    manifest: Manifest
    files: Mapping[str, bytes] = field(repr=False)
    digest: str

    def below(self, folder: str) -> dict[str, bytes]:
        """Return the files of a folder, by their names in it."""
        return {
            name.removeprefix(f"{folder}/"): content
            for name, content in self.files.items()
            if folder and name.startswith(f"{folder}/")
        }

    def unpack(self, folder: Path) -> None:
        """Write all files into a folder. Raises BadInput."""
        for name, content in self.files.items():
            places.write_whole(folder / name, content)


def made(manifest: Manifest, files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """Pack files. Returns the archive, and its digest."""
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    listed = manifest.model_copy(update={"files": sums})
    said = json.dumps(listed.model_dump(), indent=1).encode() + b"\n"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in [(MANIFEST, said), *sorted(files.items())]:
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, content)
    return whole.getvalue(), hashlib.sha256(said).hexdigest()


def read(path: Path) -> Archive:
    """Read and check an archive. Raises BadInput that names the file, and what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as packed:
            return _checked(path, packed)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadInput(
            f"{path} is no {SUFFIX} archive, or was damaged or cut short ({visible(str(error))}); ask for it "
            "again, or pack it again with headrace export"
        ) from error
    except OSError as error:
        raise BadInput(
            f"cannot read {path}: {error.strerror or error}; name a file that headrace export wrote"
        ) from error


def _checked(path: Path, packed: zipfile.ZipFile) -> Archive:
    names = packed.namelist()
    if MANIFEST not in names:
        raise BadInput(f"{path} is a zip file of something else: it has no {MANIFEST}")
    if len(names) > MOST or sum(entry.file_size for entry in packed.infolist()) > LARGEST:
        raise BadInput(
            f"{path} unpacks to more than {MOST:,} files or {LARGEST >> 30} GiB; headrace export packs less"
        )
    said = packed.read(MANIFEST)
    manifest = _manifest(path, said)
    for name in {*names, *manifest.files} - {MANIFEST}:
        if not _is_safe(name):
            raise BadInput(f"{path} names the file {visible(name)}, which may be outside of its folder")
    listed, there = {*manifest.files}, {*names} - {MANIFEST}
    if len(names) != len(set(names)) or listed != there:
        odd = sorted(listed ^ there)
        which = f"{visible(odd[0])} is {'missing' if odd[0] in listed else 'not listed'}" if odd else "twice"
        raise BadInput(f"{path} was changed: its files are not those listed in its {MANIFEST} ({which})")
    files = {name: packed.read(name) for name in sorted(there)}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest.files[name]:
            raise BadInput(
                f"{path} was changed: {visible(name)} is not what its checksum says; ask for the archive "
                "again"
            )
    for name in (RESULTS, *manifest.guests, *filter(None, [manifest.input])):
        if name not in files:
            raise BadInput(f"{path} is not whole: it has no {visible(name)}")
    return Archive(manifest, files, hashlib.sha256(said).hexdigest())


def _manifest(path: Path, said: bytes) -> Manifest:
    try:
        data = json.loads(said)
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
    """Whether a name stays in its folder on every system."""
    parts = name.split("/")
    return (
        0 < len(name) < 500
        and all(PART.fullmatch(part) and part not in (".", "..") for part in parts)
        and not PurePosixPath(name).is_absolute()
    )
