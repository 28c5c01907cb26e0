"""A .headrace file: a zip of a results file, the sources that it was measured with, and their checksums.

`manifest.json` lists every other file with its SHA-256, and its own SHA-256 is the archive's digest: a digest
that the sender tells some other way shows that nothing was changed. Times in the zip are fixed, so that the
same campaign packed twice gives the same bytes. Reading one runs nothing and writes nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.text import visible

FORMAT = 1
SUFFIX = ".headrace"
MANIFEST, RESULTS = "manifest.json", "results.json"
LARGEST = 2 << 30  # bytes of all files together
MOST = 20_000  # files
RATIO = 100  # bytes of files for each byte of an archive of more than SMALL: text is packed to a tenth
SMALL = 16 << 20
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
        """Let a folder hold all files and nothing else, once they are all written. Raises BadInput."""
        places.check_folder(folder.parent)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as aside:
            for name, content in self.files.items():
                places.write_whole(Path(aside) / "whole" / name, content)
            shutil.rmtree(folder, ignore_errors=True)
            os.replace(Path(aside) / "whole", folder)


def made(manifest: Manifest, files: Mapping[str, bytes]) -> tuple[bytes, str]:
    """Pack files. Returns the archive, and its digest. Raises BadInput for more than `read` takes."""
    if len(files) >= MOST or sum(map(len, files.values())) > LARGEST - SMALL:
        raise BadInput(
            f"an archive holds at most {MOST:,} files and {LARGEST >> 20:,} MiB, and this is more; leave out "
            "--with-input, or race with a smaller file"
        )
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    listed = manifest.model_copy(update={"files": sums})
    written = json.dumps(listed.model_dump(), indent=1).encode() + b"\n"
    return zipped({MANIFEST: written, **files}), hashlib.sha256(written).hexdigest()


def zipped(files: Mapping[str, bytes], programs: Collection[str] = ()) -> bytes:
    """Pack files without anything that is of here, such as times. `programs` are those that can start."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in sorted(files.items(), key=lambda file: (file[0] != MANIFEST, file[0])):
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_STORED if _is_nearly_nothing(content) else zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name in programs else 0o644) << 16
            packed.writestr(entry, content)
    return whole.getvalue()


def _is_nearly_nothing(content: bytes) -> bool:
    """Whether a file packs so well that `unzipped` would take its archive for an attack."""
    return len(content) > SMALL and RATIO // 2 * len(zlib.compress(content, 1)) < len(content)


def unzipped(source: Path | BinaryIO, label: str, largest: int = 0) -> tuple[dict[str, bytes], set[str]]:
    """Read what `zipped` packed: files, and programs. Nothing is unpacked before sizes and names are checked.

    Raises BadInput, which calls the archive `label`.
    """
    largest = largest or LARGEST
    try:
        with zipfile.ZipFile(source) as packed:
            entries = packed.infolist()
            size = sum(entry.file_size for entry in entries)
            packed_size = packed.fp.seek(0, os.SEEK_END) if packed.fp else 0  # whatever its entries say of it
            if len(entries) > MOST or size > largest or size > max(SMALL, RATIO * packed_size):
                raise BadInput(
                    f"{label} unpacks to more than {MOST:,} files, {largest >> 20:,} MiB, or {RATIO} times "
                    "its size; headrace export packs less"
                )
            check_names([entry.filename for entry in entries], label)
            programs = {entry.filename for entry in entries if entry.external_attr >> 16 & 0o100}
            return {entry.filename: packed.read(entry) for entry in entries}, programs
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadInput(
            f"{label} is no {SUFFIX} archive, or was damaged or cut short ({visible(str(error))}); ask for "
            "it again, or pack it again with headrace export"
        ) from error
    except OSError as error:
        raise BadInput(
            f"cannot read {label}: {error.strerror or error}; name a file that headrace export wrote"
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
    files, _ = unzipped(path, str(path))
    if MANIFEST not in files:
        raise BadInput(f"{path} is a zip file of something else: it has no {MANIFEST}")
    written = files.pop(MANIFEST)
    manifest = _manifest(path, written)
    if odd := sorted({*manifest.files} ^ {*files}):
        which = f"{visible(odd[0])} is {'missing' if odd[0] in manifest.files else 'not listed'}"
        raise BadInput(f"{path} was changed: its files are not those listed in its {MANIFEST} ({which})")
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest.files[name]:
            raise BadInput(
                f"{path} was changed: {visible(name)} is not what its checksum says; ask for the archive "
                "again"
            )
    for name in (RESULTS, *manifest.guests, *filter(None, [manifest.input])):
        if name not in files:
            raise BadInput(f"{path} is not whole: it has no {visible(name)}")
    return Archive(manifest, files, hashlib.sha256(written).hexdigest())


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
