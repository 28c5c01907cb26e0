"""The contents of an archive: the sources as they were when the campaign ran, or a sentence why not.

Of headrace itself: the headers and the folders of the benchmarks, from the campaign's commit where git has
it, else as they are now. Of a user: the benchmark's folder, programs of --with, and whatever else of the same
repository their builds read. What is known of then (texts in the results file, checksums in the cache of
builds) is compared with what is packed.
"""

from __future__ import annotations

import itertools
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headrace import __version__
from headrace.base import places
from headrace.base.errors import BadInput
from headrace.builds import build
from headrace.exchange.archive import RESULTS, Manifest
from headrace.judge.table import load
from headrace.matrix import benchmarks, inputs
from headrace.processes import launch
from headrace.race import commits
from headrace.results.schema import Campaign, Role

SOURCES = (".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".tpp", *benchmarks.SOURCE_SUFFIXES)
LARGEST = 8 << 20  # bytes of one source


@dataclass
class _Packed:
    """All that was gathered so far. `origins`: the place of each file that builds may have read."""

    files: dict[str, Path] = field(default_factory=dict)
    origins: dict[Path, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    homes: dict[str, Path] = field(default_factory=dict)  # name below own/ -> the folder of a user

    def name_of(self, home: Path) -> str:
        """Name a user's folder: two of one name have a number."""
        for number in itertools.count(1):
            name = home.name if number == 1 else f"{home.name}-{number}"
            if self.homes.setdefault(name, home) == home:
                return f"own/{name}"
        raise AssertionError("numbers do not end")

    def put(self, name: str, file: Path, origin: Path | None = None) -> None:
        self.files[name] = file
        self.origins[(origin or file).resolve()] = name


@dataclass(frozen=True)
class Contents:
    """An archive's contents to be, each with the file that has it, and what a person should know of it."""

    manifest: Manifest
    files: Mapping[str, Path]
    warnings: list[str]


def gather(file: Path, folder: Path, with_input: bool = False) -> Contents:
    """Gather what a results file was measured with; sources of a commit are written into an empty folder.

    Raises BadInput where something is not to be had.
    """
    campaign = load(file)
    if campaign.imported:
        raise BadInput(f"{file} was measured by {campaign.imported}: headrace has no sources of it")
    packed = _Packed({RESULTS: file})
    read = build.files_read({row.build for row in campaign.rows if row.build})
    include, ours = _of_headrace(campaign, folder, packed)
    theirs = {
        info.name: _of_user(campaign, info.name, read, packed)
        for info in campaign.benchmarks
        if info.name not in ours
    }
    place, digest = _input(campaign, with_input, packed)
    manifest = Manifest(
        headrace_version=__version__,
        include=include,
        benchmarks={**ours, **theirs},
        guests=_guests(campaign, read, packed),
        flags=_flags(campaign),
        input=place,
        input_digest=digest,
    )
    _check(file, campaign, manifest, read, packed)
    return Contents(manifest, packed.files, packed.warnings)


def _flags(campaign: Campaign) -> dict[str, list[str]]:
    sets: dict[str, list[str]] = {}
    for row in campaign.rows:
        if row.build and row.optimisation and row.optimisation not in sets.setdefault(row.toolchain, []):
            sets[row.toolchain].append(row.optimisation)
    return sets


def _of_headrace(campaign: Campaign, folder: Path, packed: _Packed) -> tuple[str, dict[str, str]]:
    """Pack headers, and those benchmarks that come with headrace: (folder of the headers, name -> folder)."""
    include, ours = places.include_folder(), places.benchmarks_folder()
    try:
        commits.unpack_commit(campaign.commit, folder)
        top = folder
    except BadInput as error:
        top = include.parent
        if campaign.headrace_version != __version__:
            raise BadInput(
                f"it was measured by headrace {campaign.headrace_version}, this is {__version__}, and its "
                f"sources cannot be had: {error}"
            ) from error
    for file in sorted((top / "include").rglob("*.hpp")):
        name = file.relative_to(top / "include")
        packed.put(f"headrace/include/{name.as_posix()}", file, include / name)
    folders = {}
    for info in campaign.benchmarks:
        place = top / "benchmarks" / info.name
        if info.name in benchmarks.known() and (place / "benchmark.toml").is_file():
            folders[info.name] = f"headrace/benchmarks/{info.name}"
            for file in sorted(
                {path for home in _homes(place) for path in home.rglob("*") if path.is_file()}
            ):
                name = file.relative_to(top / "benchmarks")
                packed.put(f"headrace/benchmarks/{name.as_posix()}", file, ours / name)
    return "headrace/include", folders


def _homes(folder: Path) -> set[Path]:
    """Return a benchmark's folder, and those of the sources that it shares with others."""
    table = tomllib.loads((folder / "benchmark.toml").read_text(encoding="utf-8"))
    sources = [contender["source"] for contender in table["contender"] if "source" in contender]
    return {folder, *(Path(os.path.normpath(folder / source)).parent for source in sources)}


def _of_user(campaign: Campaign, name: str, read: Mapping[str, str], packed: _Packed) -> str:
    """Pack a benchmark of the user's. Returns its folder in the archive."""
    folder = _folder_of(campaign, name)
    benchmark = benchmarks.read(folder)
    wanted = {folder / "benchmark.toml", *benchmark.harnesses()}
    wanted |= {contender.file for contender in benchmark.contenders()}
    wanted |= {path for path in folder.rglob("*") if path.suffix in SOURCES and path.is_file()}
    own = inputs.located(benchmark.spec.input, folder).get("path")
    if own and Path(str(own)).is_file():
        wanted.add(Path(str(own)))
    return _put_home(folder, wanted, read, packed)


def _folder_of(campaign: Campaign, name: str) -> Path:
    asked = campaign.run.asked.get("benchmarks", [])
    named = [
        Path(word) for word in asked if isinstance(word, str) and Path(word).name == name and "/" in word
    ]
    for folder in [*named, Path(name)]:
        if (folder / "benchmark.toml").is_file():
            return folder.resolve()
    raise BadInput(
        f"the folder of the benchmark {name} cannot be found from here; run headrace export in the "
        "folder where the race was run"
    )


def _put_home(folder: Path, wanted: set[Path], read: Mapping[str, str], packed: _Packed) -> str:
    """Pack files, and what builds read of the same repository. Returns the folder's name in the archive."""
    home = _home(folder)
    top = packed.name_of(home)
    wanted |= {path for path in map(Path, read) if home in path.parents and path.is_file()}
    for file in sorted(path.resolve() for path in wanted):
        if home not in file.parents:
            packed.warnings.append(f"{file.name} is outside of {home.name}, and is not in the archive")
        elif file.stat().st_size > LARGEST:
            packed.warnings.append(f"{file.name} has over {LARGEST >> 20} MiB, and is not in the archive")
        else:
            packed.put(f"{top}/{file.relative_to(home).as_posix()}", file)
    inside = folder.relative_to(home).as_posix()
    return top if inside == "." else f"{top}/{inside}"


def _home(folder: Path) -> Path:
    """Return the repository that a folder is in, else the folder itself."""
    done = launch.call(["git", "-C", str(folder), "rev-parse", "--show-toplevel"], timeout=10)
    top = Path(done.out.strip()).resolve() if done.ok and done.out.strip() else folder
    return top if top == folder or top in folder.parents else folder


def _guests(campaign: Campaign, read: Mapping[str, str], packed: _Packed) -> list[str]:
    """Pack the programs of --with that have a source."""
    names = []
    for text in campaign.run.asked.get("guests", []):
        file = Path(text)
        if not file.is_file():
            raise BadInput(f"{file} was raced with --with, and is no longer there")
        if file.suffix not in (*benchmarks.SOURCE_SUFFIXES, ".py") and not _is_script(file):
            packed.warnings.append(
                f"{file.name} is neither a source in C++ nor a script, and is not in the archive"
            )
            continue
        folder = _put_home(file.parent, {file}, read, packed)
        names.append(f"{folder}/{file.name}")
    return names


def _is_script(file: Path) -> bool:
    """Whether the system starts it by a program that its first line names."""
    with file.open("rb") as content:
        return content.read(2) == b"#!"


def _input(campaign: Campaign, with_input: bool, packed: _Packed) -> tuple[str, str]:
    """Return the name of the file of --input in the archive, if it is there, and its checksum."""
    text = campaign.run.asked.get("input", "")
    if not text:
        return "", ""
    file = Path(text)
    if not file.is_file():
        raise BadInput(f"{file} was read with --input, and is no longer there")
    digest = places.digest(file)
    if not with_input:
        packed.warnings.append(
            f"{file.name}, the file of --input, is not in the archive; without --with-input, whoever reruns "
            "it has to have that file"
        )
        return "", digest
    packed.files[f"input/{file.name}"] = file
    return f"input/{file.name}", digest


def _check(
    path: Path, campaign: Campaign, manifest: Manifest, read: Mapping[str, str], packed: _Packed
) -> None:
    """Compare what is packed with what is known of then. Raises BadInput that names what has changed."""
    advice = "check out what was measured, or race again"
    for info in campaign.benchmarks:
        folder = manifest.benchmarks[info.name]
        guests = {Path(name).name: name for name in manifest.guests}
        for name, text in info.sources.items():
            now = packed.files.get(f"{folder}/{name}", packed.files.get(guests.get(name, ""), None))
            if now is not None and now.read_bytes().decode("utf-8", "replace") != text:
                raise BadInput(f"{name} of {info.name} has changed since {path} was measured; {advice}")
    for origin, name in packed.origins.items():
        then = read.get(str(origin))
        if then is not None and places.digest(packed.files[name]) != then:
            raise BadInput(f"{origin.name} has changed since {path} was measured; {advice}")
    dirty = campaign.commit.endswith("-dirty") or not campaign.commit
    built = [row for row in campaign.rows if row.build and row.role is not Role.TWIN]
    if dirty and built and not read:
        packed.warnings.append(
            "the builds are no longer in the cache and no commit holds the headers, so whether these have "
            "changed since is not known"
        )
