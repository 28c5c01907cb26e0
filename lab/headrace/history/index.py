"""An index over results files, in SQLite. The files stay the truth: it can be thrown away and made again.

A series is a row that campaigns share by its id, on one machine; a point is what one campaign found of it.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import statistics
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from headrace.base import places, units
from headrace.base.errors import BadInput

# Who asks the index loads no schema and no judge, which takes longer than its answer.
if TYPE_CHECKING:
    from headrace.results.schema import Campaign, Row

VERSION = 1
NAME = "history.sqlite"

_TABLES = """
CREATE TABLE IF NOT EXISTS campaign (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL UNIQUE,  -- relative to the index's folder where it is below it
  digest TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  changed INTEGER NOT NULL,  -- st_mtime_ns
  started TEXT NOT NULL,  -- UTC
  revision TEXT NOT NULL,  -- of the checkout; "" for none
  version TEXT NOT NULL,  -- of headrace
  host TEXT NOT NULL,
  machine TEXT NOT NULL,
  failed INTEGER NOT NULL  -- rows without a right answer
);
CREATE INDEX IF NOT EXISTS campaign_by_start ON campaign (started);
CREATE INDEX IF NOT EXISTS campaign_by_revision ON campaign (revision, started);
CREATE INDEX IF NOT EXISTS campaign_by_failure ON campaign (started) WHERE failed > 0;
CREATE TABLE IF NOT EXISTS series (
  id INTEGER PRIMARY KEY,
  benchmark TEXT NOT NULL,
  name TEXT NOT NULL,  -- contender and settings
  toolchain TEXT NOT NULL,
  optimisation TEXT NOT NULL,
  route TEXT NOT NULL,
  setting TEXT NOT NULL,
  host TEXT NOT NULL,
  UNIQUE (benchmark, name, toolchain, optimisation, route, setting, host)
);
CREATE TABLE IF NOT EXISTS point (
  series INTEGER NOT NULL REFERENCES series,
  campaign INTEGER NOT NULL REFERENCES campaign ON DELETE CASCADE,
  compiler TEXT NOT NULL,  -- its version
  ratio REAL,  -- to the baseline
  low REAL,
  high REAL,
  wall REAL,  -- median, seconds
  rounds INTEGER NOT NULL,
  PRIMARY KEY (series, campaign)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS point_by_campaign ON point (campaign);
"""

# How damage shows: SQLite's own sentence may be no text either, where it cites what it read.
_FAULTS = (sqlite3.Error, UnicodeDecodeError)

Added = Literal["added", "known", "read again"]


@dataclass(frozen=True)
class Series:
    """A row that campaigns share, on one machine."""

    benchmark: str
    name: str
    toolchain: str
    optimisation: str
    route: str
    setting: str
    host: str


class Point(NamedTuple):
    """The result of one campaign for a series. The ratio is to its own baseline, with known bounds."""

    file: Path
    started: str
    revision: str
    compiler: str
    ratio: float | None
    low: float | None
    high: float | None
    wall: float | None
    rounds: int

    @property
    def text(self) -> str:
        """The ratio with its bounds, as text."""
        bounds = f" [{units.ratio(self.low)}, {units.ratio(self.high)}]" if self.low and self.high else ""
        return f"{units.ratio(self.ratio)}{bounds}" if self.ratio else ""


_POINT = "file, started, revision, compiler, ratio, low, high, wall, rounds"  # the columns of one


@dataclass(frozen=True)
class Entry:
    """A campaign of the index."""

    file: Path
    started: str
    revision: str
    version: str
    host: str
    machine: str
    failed: int
    benchmarks: str


@dataclass(frozen=True)
class Question:
    """Which campaigns are meant; "" is any. Times are ISO 8601, compared from the left."""

    benchmark: str = ""
    host: str = ""
    since: str = ""
    until: str = ""
    revision: str = ""
    failed: bool = False

    def where(self) -> tuple[str, list[str]]:
        """Return the condition on `campaign` and its values."""
        conditions = [
            (self.host, "campaign.host GLOB ? || '*'", self.host),
            (self.since, "campaign.started >= ?", self.since),
            (self.until, "campaign.started <= ? || '~'", self.until),
            (self.revision, "campaign.revision >= ?", self.revision),
            (self.revision, "campaign.revision <= ? || '~'", self.revision),
        ]
        texts = [text for is_asked, text, _ in conditions if is_asked]
        values = [value for is_asked, _, value in conditions if is_asked]
        if self.failed:
            texts.append("campaign.failed > 0")
        return " AND ".join(texts) or "1", values


class Index:
    """An open index. Raises BadInput where the file is none, or a newer headrace's."""

    def __init__(self, file: Path) -> None:
        self.file = self._place = file
        self._known: dict[tuple[str, ...], int] = {}  # series by what names them
        self._open()

    def _open(self) -> None:
        file = self._place
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._store = sqlite3.connect(file)
            self._opened = file.stat().st_ino
            version, tables = self._store.execute(
                "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
            ).fetchone()
            if not version and not tables:  # another process may be making the same
                made = f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
                self._store.executescript(made)
                version = VERSION
        except (OSError, *_FAULTS) as error:
            raise self._unusable(error) from error
        if version > VERSION:
            raise BadInput(
                f"{file} is of version {version}, and this headrace knows up to {VERSION}; update headrace, "
                "or name another with --index"
            )
        if version == 0:
            raise BadInput(f"{file} is a database of something else; name another file with --index")
        self._store.execute("PRAGMA foreign_keys = ON")
        self._store.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def __enter__(self) -> Index:
        """Use it, and let go of its file at the end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> None:
        """Raise BadInput where it was damage that gave values which nobody could use."""
        try:
            if isinstance(error, TypeError | ValueError) and self._is_damaged():
                raise self._unusable(error) from error
        finally:
            self.close()

    def _is_damaged(self) -> bool:
        """Ask SQLite, which takes longer than an answer does: it is asked when one could not be given."""
        return self._rows("PRAGMA integrity_check(1)") != [("ok",)]

    # --- what goes in

    def add(self, file: Path) -> Added:
        """Add a results file, or read it again where it has changed. Raises BadInput."""
        from headrace.judge.stored import load

        return self.add_read(file, load(file))  # whose sentences say what is wrong with a file

    def add_read(self, file: Path, campaign: Campaign) -> Added:
        """Add a results file that was read. Raises BadInput."""
        digest, size, changed = _state(file)
        name = self._name(file)
        with self._changing():
            known = self._rows("SELECT digest FROM campaign WHERE file = ? OR digest = ?", (name, digest))
            if (digest,) in known:
                self._store.execute("DELETE FROM campaign WHERE file = ? AND digest <> ?", (name, digest))
                self._store.execute(
                    "UPDATE campaign SET file = ?, changed = ? WHERE digest = ?", (name, changed, digest)
                )
                return "known"
            self._store.execute("DELETE FROM campaign WHERE file = ?", (name,))
            self._insert(campaign, name, digest, size, changed)
        return "read again" if known else "added"

    def _insert(self, campaign: Campaign, name: str, digest: str, size: int, changed: int) -> None:
        from headrace.results.schema import Role, role_of

        host = host_of(campaign)
        machine = f"{campaign.machine.cpu}, {campaign.machine.cores} processors"
        failed = sum(row.outcome not in ("ok", "skipped") for row in campaign.rows)
        values = (
            name,
            digest,
            size,
            changed,
            _utc(campaign.started),
            campaign.commit,
            campaign.headrace_version,
            host,
            machine,
            failed,
        )
        marks = ",".join("?" * len(values))
        number = self._store.execute(f"INSERT INTO campaign VALUES (NULL,{marks})", values).lastrowid
        compilers = {chain.name: chain.version for chain in campaign.toolchains}
        baselines = {info.name: info for info in campaign.benchmarks}
        for row in campaign.rows:
            info = baselines.get(row.benchmark)
            if not row.samples or (info and role_of(row, info) is Role.TWIN):
                continue
            point = (self._series(row, host), number, compilers.get(row.toolchain, ""), *_figures(row))
            self._store.execute("INSERT OR REPLACE INTO point VALUES (?,?,?,?,?,?,?,?)", point)

    def _series(self, row: Row, host: str) -> int:
        setting = " ".join(f"{key}={value}" for key, value in sorted(row.input.items()))
        route = f"{row.source}:{row.sink}"
        words = (row.benchmark, row.label, row.toolchain, row.optimisation, route, setting, host)
        if words not in self._known:
            self._known[words] = self._series_of(words)
        return self._known[words]

    def _series_of(self, words: tuple[str, ...]) -> int:
        names = "benchmark, name, toolchain, optimisation, route, setting, host"
        same = " AND ".join(f"{name.strip()} = ?" for name in names.split(","))
        found = self._store.execute(f"SELECT id FROM series WHERE {same}", words).fetchone()
        if found:
            return int(found[0])
        insert = f"INSERT INTO series ({names}) VALUES (?,?,?,?,?,?,?) RETURNING id"
        return int(self._store.execute(insert, words).fetchone()[0])

    # --- what comes out

    def campaigns(self, question: Question, most: int = 20) -> list[Entry]:
        """Return the newest campaigns that are meant, the newest first."""
        where, values = question.where()
        if question.benchmark:
            where += (
                " AND EXISTS (SELECT 1 FROM point JOIN series ON series.id = point.series"
                " WHERE point.campaign = campaign.id AND series.benchmark = ?)"
            )
            values.append(question.benchmark)
        rows = self._rows(
            "SELECT file, started, revision, version, host, machine, failed,"
            " (SELECT group_concat(DISTINCT benchmark) FROM point JOIN series ON series.id = point.series"
            f" WHERE point.campaign = campaign.id) FROM campaign WHERE {where} ORDER BY started DESC LIMIT ?",
            (*values, most),
        )
        folder = self._folder()
        return [Entry(folder / name, *rest) for name, *rest in rows]

    def series(self, benchmark: str, host: str = "", compared: bool = False) -> list[tuple[int, Series]]:
        """Return the series of a benchmark, on the hosts whose names begin so; `compared`: with a ratio."""
        has_ratio = "EXISTS (SELECT 1 FROM point WHERE point.series = series.id AND ratio > 0)"
        rows = self._rows(
            "SELECT id, benchmark, name, toolchain, optimisation, route, setting, host FROM series"
            f" WHERE benchmark = ? AND host GLOB ? || '*' AND {has_ratio if compared else 1}"
            " ORDER BY host, name, toolchain, optimisation, route",
            (benchmark, host),
        )
        return [(number, Series(*words)) for number, *words in rows]

    def points(self, series: Sequence[int], question: Question) -> list[Points]:
        """Return what campaigns found of each of some series, the oldest first."""
        where, values = question.where()
        rows = self._rows(f"SELECT id FROM campaign WHERE {where} ORDER BY started, id", values)
        campaigns = [number for (number,) in rows]
        return [Points(self, number, question, campaigns) for number in series]

    def benchmarks(self) -> list[str]:
        """Return the names that the index knows."""
        return [name for (name,) in self._rows("SELECT DISTINCT benchmark FROM series ORDER BY 1")]

    def check(self, files: Iterable[Path]) -> list[Path]:
        """Return the files that are gone. Raises BadInput for one that was edited since it was indexed."""
        gone = []
        for file in dict.fromkeys(files):
            ((digest, size, changed),) = self._rows(
                "SELECT digest, size, changed FROM campaign WHERE file = ?", (self._name(file),)
            )
            try:
                status = file.stat()
            except OSError:
                gone.append(file)
                continue
            if (status.st_size, status.st_mtime_ns) != (size, changed) and _state(file)[0] != digest:
                raise BadInput(
                    f"{file} was edited after it was indexed; "
                    f"headrace history add {file} takes it as it is now"
                )
        return gone

    # --- names and transactions

    def _name(self, file: Path) -> str:
        """Return how the index calls a file: from its own folder where it can, so that both may move."""
        folder, whole = self.file.resolve().parent, file.resolve()
        return str(whole.relative_to(folder)) if folder in whole.parents else str(whole)

    def _folder(self) -> Path:
        """Return what names are relative to, as short as it can be said from here."""
        whole = self.file.resolve().parent
        relative = os.path.relpath(whole)
        return whole if relative.startswith("..") else Path(relative)

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> list[Any]:
        """Ask the database. Raises BadInput where its file is damaged."""
        with self._reading():
            return self._store.execute(query, values).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except _FAULTS as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> BadInput:
        return BadInput(
            f"cannot use {self.file} as an index: {error}; headrace history rebuild makes it again from the "
            "results files, or name another with --index"
        )

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change it alone: one that is rebuilt meanwhile is whole before it is changed, and not lost."""
        try:
            with places.locked(self._place.parent):
                if not self._place.exists() or self._place.stat().st_ino != self._opened:
                    self.close()
                    self._known.clear()
                    self._open()
                with self._store:
                    self._store.execute("BEGIN IMMEDIATE")
                    yield
        except (OSError, *_FAULTS) as error:
            self._known.clear()
            raise BadInput(f"cannot write the index {self.file}: {error}; nothing was added") from error


class Points(Sequence[Point]):
    """What campaigns found of a series, the oldest first. A point is read when it is asked for."""

    def __init__(self, index: Index, series: int, question: Question, campaigns: Sequence[int]) -> None:
        """Take the campaigns that are asked for, in order of time: they are sorted once for all series."""
        self._index, self._series = index, series
        self._where, self._values = question.where()
        with index._reading():
            asked = "SELECT campaign, ratio FROM point WHERE series = ?"
            ratios = dict(index._store.execute(asked, (series,)))
        self._campaigns = array("q", [number for number in campaigns if number in ratios])
        self.ratios = array("d", [ratios[number] or 0.0 for number in self._campaigns])  # 0: there is none

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._campaigns)

    def __iter__(self) -> Iterator[Point]:
        """Read all of them."""
        folder = self._index._folder()
        return (Point(folder / name, *rest) for name, *rest in self._read())

    @overload
    def __getitem__(self, at: int) -> Point: ...
    @overload
    def __getitem__(self, at: slice) -> list[Point]: ...
    def __getitem__(self, at: int | slice) -> Point | list[Point]:
        """Read one, or some."""
        if isinstance(at, slice):
            return [self[place] for place in range(len(self))[at]]
        ((name, *rest),) = self._read("campaign.id = ?", (self._campaigns[at],))
        return Point(self._index._folder() / name, *rest)

    def _read(self, where: str = "", values: Sequence[int] = ()) -> list[Any]:
        return self._index._rows(
            f"SELECT {_POINT} FROM point JOIN campaign ON campaign.id = point.campaign"
            f" WHERE point.series = ? AND {where or self._where} ORDER BY started, campaign.id",
            (self._series, *(values if where else self._values)),
        )


def rebuilt(file: Path, files: Sequence[Path]) -> tuple[int, list[str]]:
    """Make an index anew from results files: (how many it holds, what was left out and why).

    The old one stays as it is until the new one is whole.
    """
    places.check_folder(file.parent)
    left_out = []
    count = 0
    with (
        places.locked(file.parent),
        tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as folder,
    ):
        index = Index(Path(folder) / file.name)
        index.file = file  # names are relative to the place where it will be
        try:
            for path in files:
                try:
                    count += index.add(path) == "added"
                except BadInput as error:
                    left_out.append(str(error))
        finally:
            index.close()
        os.replace(Path(folder) / file.name, file)
    return count, left_out


def host_of(campaign: Campaign) -> str:
    """Return the digest that names the machine; of a file that has none, one of what it says of it."""
    if campaign.run.host:
        return campaign.run.host
    machine = campaign.machine
    return hashlib.sha256(f"{machine.cpu}|{machine.cores}|{machine.memory}".encode()).hexdigest()[:12]


def _figures(row: Row) -> tuple[float | None, float | None, float | None, float, int]:
    """Return ratio, low, high, median wall time and rounds."""
    wall = statistics.median(sample.wall for sample in row.samples)
    for comparison in row.comparisons:
        if comparison.metric == "wall" and comparison.ratio > 0:
            return comparison.ratio, comparison.low or None, comparison.high, wall, comparison.rounds
    return None, None, None, wall, len(row.samples)


def _utc(started: str) -> str:
    try:
        return datetime.fromisoformat(started).astimezone(UTC).isoformat(timespec="seconds")
    except ValueError:
        return started


def _state(file: Path) -> tuple[str, int, int]:
    status = file.stat()
    return hashlib.sha256(file.read_bytes()).hexdigest(), status.st_size, status.st_mtime_ns
