"""From an archive to a race: what would be compiled, whose it is, and what was asked for."""

from __future__ import annotations

import hashlib
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from headrace.base import places
from headrace.base.errors import BadInput, first_fault
from headrace.base.text import plural, visible
from headrace.builds import layout
from headrace.exchange.archive import RESULTS, Archive
from headrace.judge.stored import load
from headrace.judge.verdict import MARGIN
from headrace.matrix import benchmarks
from headrace.race.options import Options, check_routes
from headrace.race.rerun import PLAIN
from headrace.results.schema import Campaign

SHOWN = 8  # names of files
MOST = 1 << 30  # bytes of all unpacked archives that are kept


class _Asked(BaseModel):
    """Of what was asked for: all that belongs to the question, and nothing that belongs to the machine.

    Commands (--setup, --prepare, --cleanup) are never taken from a file.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    toolchains: list[str] = Field(default_factory=list)
    contenders: list[str] = Field(default_factory=list)
    optimise: list[str] = Field(default_factory=list)
    routes: list[str] = Field(default_factory=list)
    rounds: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    quick: bool = False
    timeout: float | None = Field(default=None, gt=0)
    cold: bool = False
    seed: int = 1
    margin: float = Field(default=MARGIN, gt=0, le=1)
    layouts: int = Field(default=layout.LAYOUTS, ge=1, le=layout.MOST)
    inputs: int = Field(default=1, ge=1)
    settings: list[dict[str, str]] = Field(default=[{}], min_length=1)


@dataclass(frozen=True)
class Wish:
    """What a person who reruns an archive wants otherwise; empty or None: as it was asked for then."""

    toolchains: Sequence[str] = ()
    input: Path | None = None
    rounds: int | None = None
    seconds: float | None = None
    quick: bool = False


def campaign_of(archive: Archive) -> Campaign:
    """Return the results that an archive holds. Raises BadInput."""
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        file = Path(folder) / RESULTS
        file.write_bytes(archive.files[RESULTS])
        return load(file)


def strangers(archive: Archive) -> list[str]:
    """Return the sources that are not, byte by byte, those of this headrace."""
    ours = {"include": places.include_folder(), "benchmarks": places.benchmarks_folder()}
    found = []
    for name, content in archive.files.items():
        top, _, rest = name.removeprefix("headrace/").partition("/")
        file = ours[top] / rest if name.startswith("headrace/") and top in ours else None
        same = file is not None and file.is_file() and file.read_bytes() == content
        if name != RESULTS and name != archive.manifest.input and not same:
            found.append(name)
    return found


def strange_flags(archive: Archive, campaign: Campaign) -> list[str]:
    """Return flags that do more than choose how code is made, such as one that loads a plugin."""
    asked = _asked(campaign).optimise
    sets = {*asked, *(one for sets in archive.manifest.flags.values() for one in sets)}
    words = {word for one in sets for word in _words(one)}
    return sorted(word for word in words if not PLAIN.fullmatch(word.removeprefix("-")))


def _words(flags: str) -> list[str]:
    try:
        return shlex.split(flags)
    except ValueError:
        return [flags]


def introduction(archive: Archive, campaign: Campaign) -> list[str]:
    """Say what an archive holds, and what would be compiled of it that came from elsewhere."""
    manifest = archive.manifest
    rows = plural(len(campaign.rows), "row")
    said = [
        f"results of {visible(campaign.started)}, headrace {visible(campaign.headrace_version)}, "
        f"{visible(campaign.machine.cpu)}: {', '.join(map(visible, manifest.benchmarks))}, {rows}",
        f"digest: {archive.digest}",
    ]
    names = strangers(archive)
    if names:
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        shown = ", ".join(visible(name) for name in names[:SHOWN])
        said.append(f"{plural(len(names), 'source')} that this headrace does not have: {shown}{more}")
    else:
        said.append("its sources are those of this headrace")
    sets = sorted({flags for sets in manifest.flags.values() for flags in sets})
    said.append(f"flags: {'; '.join(map(visible, sets)) or 'none'}")
    for command in _input_commands(archive):
        said.append(f"its input is made by the command: {visible(command)}")
    if campaign.run.asked.get("prepare") or campaign.run.asked.get("setup"):
        said.append("it was measured with --setup or --prepare, which are not taken from a file")
    return said


def _input_commands(archive: Archive) -> list[str]:
    """Return the commands that make inputs of benchmarks, by text: nothing is read as a benchmark yet."""
    files = [
        content.decode("utf-8", "replace")
        for name, content in archive.files.items()
        if name.endswith("benchmark.toml")
    ]
    lines = [line.strip() for text in files for line in text.splitlines()]
    return [line.partition("=")[2].strip() for line in lines if line.split("=")[0].strip() == "command"]


def options(archive: Archive, campaign: Campaign, wish: Wish) -> Options:
    """Return the race that an archive asks for. What is not this headrace's is unpacked for it.

    Raises BadInput where the archive lacks something, or asks for what is not possible.
    """
    asked, manifest = _asked(campaign), archive.manifest
    chosen = Options(
        benchmarks=list(manifest.benchmarks),
        toolchains=list(wish.toolchains) or asked.toolchains,
        contenders=asked.contenders,
        optimise=asked.optimise,
        routes=check_routes(asked.routes),
        rounds=wish.rounds or (None if wish.seconds else asked.rounds),
        seconds=wish.seconds or asked.seconds,
        quick=wish.quick or asked.quick,
        timeout=asked.timeout,
        cold=asked.cold,
        seed=asked.seed,
        margin=asked.margin,
        layouts=asked.layouts,
        inputs=asked.inputs,
        settings=asked.settings,
    )
    _check(archive)
    folder = places.cache_folder("archives", archive.digest[:24])
    given = _input(archive, wish, folder)
    strange = bool(strangers(archive))
    if strange or given == str(folder / manifest.input):
        archive.unpack(folder)
        for name in manifest.guests:
            if not name.endswith((*benchmarks.SOURCE_SUFFIXES, ".py")):
                (folder / name).chmod(0o755)
    places.mark_used(folder)
    places.prune(folder.parent, MOST)
    if strange:
        chosen = replace(
            chosen,
            benchmarks=[str(folder / place) for place in manifest.benchmarks.values()],
            include=str(folder / manifest.include) if manifest.include else "",
            guests=[folder / name for name in manifest.guests],
        )
    return replace(chosen, input=given)


def _check(archive: Archive) -> None:
    """Raise BadInput where a folder that the manifest names is not there, or is another benchmark's."""
    manifest = archive.manifest
    for name, place in manifest.benchmarks.items():
        if place.rpartition("/")[2] != name or f"{place}/benchmark.toml" not in archive.files:
            raise BadInput(f"the archive is not whole: it has no benchmark.toml of {visible(name)}")
    if manifest.include and not archive.below(manifest.include):
        raise BadInput(f"the archive is not whole: it has no headers in {visible(manifest.include)}")


def _input(archive: Archive, wish: Wish, folder: Path) -> str:
    """Return the file of --input: a person's own, which must be the same, or the one to be in `folder`."""
    manifest = archive.manifest
    if not manifest.input_digest:
        if wish.input:
            raise BadInput("--input: the archive's benchmarks make their own input")
        return ""
    if manifest.input and wish.input is None:
        return str(folder / manifest.input)
    if wish.input is None:
        raise BadInput(
            "it was measured with a file of --input that is not in the archive; name that file with --input"
        )
    if hashlib.sha256(wish.input.read_bytes()).hexdigest() != manifest.input_digest:
        raise BadInput(f"{wish.input} is not the file that was measured: its checksum differs")
    return str(wish.input.resolve())


def _asked(campaign: Campaign) -> _Asked:
    try:
        return _Asked.model_validate(campaign.run.asked)
    except ValidationError as error:
        raise BadInput(f"the archive's {RESULTS}: {first_fault(error, 'run.asked')}") from error
