"""From an archive to a race: what would be compiled, whose it is, and what was asked for."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.base.text import listed, plural, some, visible
from headrace.exchange.archive import RESULTS, Archive
from headrace.judge.table import load
from headrace.race.commits import PLAIN
from headrace.race.options import OF_THE_QUESTION, RunOptions, of_plain
from headrace.results.schema import Campaign

SHOWN = 8  # names of files


def campaign_of(archive: Archive) -> Campaign:
    """Return the results that an archive holds. Raises BadInput."""
    with places.scratch() as folder:
        file = folder / RESULTS
        file.write_bytes(archive.content(RESULTS))
        return load(file)


def strangers(archive: Archive) -> list[str]:
    """Return the sources that are not, byte by byte, those of this headrace."""
    ours = {"include": places.include_folder(), "benchmarks": places.benchmarks_folder()}
    names = []
    for name, digest in archive.manifest.files.items():
        top, _, rest = name.removeprefix("headrace/").partition("/")
        file = ours[top] / rest if name.startswith("headrace/") and top in ours else None
        same = file is not None and file.is_file() and places.digest(file) == digest
        if name != RESULTS and name != archive.manifest.input and not same:
            names.append(name)
    return names


def strange_flags(archive: Archive, campaign: Campaign) -> list[str]:
    """Return flags that do more than choose how code is made, such as one that loads a plugin."""
    asked = _asked(archive, campaign).optimise
    sets = {*asked, *(flags for sets in archive.manifest.flags.values() for flags in sets)}
    words = {word for flags in sets for word in _words(flags)}
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
    sentences = [
        f"results of {visible(campaign.started)}, headrace {visible(campaign.headrace_version)}, "
        f"{visible(campaign.machine.cpu)}: {', '.join(map(visible, manifest.benchmarks))}, {rows}",
        f"digest: {archive.digest}",
    ]
    names = strangers(archive)
    if names:
        shown = listed(some(map(visible, names), SHOWN))
        sentences.append(f"{plural(len(names), 'source')} that this headrace does not have: {shown}")
    else:
        sentences.append("its sources are those of this headrace")
    sets = sorted({flags for sets in manifest.flags.values() for flags in sets})
    sentences.append(f"flags: {'; '.join(map(visible, sets)) or 'none'}")
    for key, command in _commands(archive):
        sentences.append(f"it runs a command ({visible(key)}): {visible(command)}")
    if campaign.run.asked.get("prepare") or campaign.run.asked.get("setup"):
        sentences.append("it was measured with --setup or --prepare, which are not taken from a file")
    return sentences


def _commands(archive: Archive) -> list[tuple[str, str]]:
    """Return what the benchmarks would have run, each with what it is for: nothing is run or built yet.

    Raises BadInput for a benchmark.toml that cannot be read: what it would run cannot be shown.
    """
    commands = []
    names = [name for name in archive.manifest.files if name.rpartition("/")[2] == "benchmark.toml"]
    for name, content in zip(names, archive.contents(names), strict=True):
        try:
            table = tomllib.loads(content.decode("utf-8"))
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadInput(f"the archive's {visible(name)} is not TOML: {error}") from error
        commands += [(path, text) for path, text in _named_so(table) if text]
    return commands


def _named_so(value: object, path: str = "") -> list[tuple[str, str]]:
    """Return all that is called `command` or `build` in a table, however it is written, with its key."""
    commands: list[tuple[str, str]] = []
    if isinstance(value, list):
        return [command for part in value for command in _named_so(part, path)]
    for key, inner in value.items() if isinstance(value, dict) else ():
        where = f"{path}.{key}" if path else key
        if key in ("command", "build"):
            words = inner if isinstance(inner, list) else [inner]
            commands.append((where, " ".join(map(str, words))))
        else:
            commands += _named_so(inner, where)
    return commands


def options(archive: Archive, campaign: Campaign, given: Mapping[str, Any]) -> RunOptions:
    """Return the race that an archive asks for. What is not this headrace's is unpacked for it.

    `given`: fields of RunOptions that whoever reruns it wants otherwise. Raises BadInput where the archive
    lacks something, or asks for what is not possible.
    """
    manifest = archive.manifest
    chosen = _asked(archive, campaign)
    if "seconds" in given and "rounds" not in given:
        chosen = replace(chosen, rounds=None)
    chosen = replace(chosen, **given)
    _check(archive)
    folder = places.cache_folder("archives", archive.digest[:24])
    file = _input(archive, chosen.input, folder)
    strange = bool(strangers(archive))
    if strange or file == str(folder / manifest.input):
        archive.unpack(folder)
    places.mark_used(folder)
    places.bound_cache("archives", places.KEPT)
    if strange:
        chosen = replace(
            chosen,
            benchmarks=[str(folder / place) for place in manifest.benchmarks.values()],
            include=str(folder / manifest.include) if manifest.include else "",
            guests=[folder / name for name in manifest.guests],
        )
    return replace(chosen, input=file)


def _check(archive: Archive) -> None:
    """Raise BadInput where a folder that the manifest names is not there, or is another benchmark's."""
    manifest = archive.manifest
    for name, place in manifest.benchmarks.items():
        if place.rpartition("/")[2] != name or f"{place}/benchmark.toml" not in manifest.files:
            raise BadInput(f"the archive is not whole: it has no benchmark.toml of {visible(name)}")
    if manifest.include and not any(name.startswith(f"{manifest.include}/") for name in manifest.files):
        raise BadInput(f"the archive is not whole: it has no headers in {visible(manifest.include)}")


def _input(archive: Archive, given: str, folder: Path) -> str:
    """Return the file of --input: a person's own, which must be the same, or the one to be in `folder`."""
    manifest = archive.manifest
    if not manifest.input_digest:
        if given:
            raise BadInput("--input: the archive's benchmarks make their own input")
        return ""
    if manifest.input and not given:
        return str(folder / manifest.input)
    if not given:
        raise BadInput(
            "it was measured with a file of --input that is not in the archive; name that file with --input"
        )
    if places.digest(Path(given)) != manifest.input_digest:
        raise BadInput(f"{given} is not the file that was measured: its checksum differs")
    return given


def _asked(archive: Archive, campaign: Campaign) -> RunOptions:
    """Return what belongs to the question, and nothing that belongs to the machine: no command, no path."""
    own = {name: value for name, value in campaign.run.asked.items() if name in OF_THE_QUESTION}
    return of_plain({**own, "benchmarks": list(archive.manifest.benchmarks)}, f"the archive's {RESULTS}")
