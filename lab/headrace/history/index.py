"""An index over results files, in SQLite. The files stay the truth: it can be thrown away and made again.

A series is a row that campaigns share by its id, on one machine; a point is what one campaign found of it.
"""

from __future__ import annotations

import hashlib
import math
import os
import sqlite3
import statistics
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from headrace.base import places, units
from headrace.base.errors import BadInput

# Who asks the index loads no schema and no judge, which takes longer than its answer; a list needs no numpy.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from headrace.results.schema import Campaign, Row

VERSION = 3
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
  low REAL,  -- of the ratio to the baseline
  high REAL,
  wall REAL,  -- median, seconds
  rounds INTEGER NOT NULL,
  PRIMARY KEY (series, campaign)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS point_by_campaign ON point (campaign);

-- Ratios are read by the million: those that a series has of 1024 campaigns are together.
CREATE TABLE IF NOT EXISTS ratios (
  series INTEGER NOT NULL REFERENCES series,
  part INTEGER NOT NULL,  -- campaign / 1024
  packed BLOB NOT NULL,  -- as they were added: of several for one campaign, the last counts
  checksum INTEGER NOT NULL,  -- the sum of its 32-bit words
  PRIMARY KEY (series, part)
);
"""
_OTHER = {  # what a value of a column is not, by the column's type; a number is a count or a positive ratio
    "TEXT": "typeof({column}) <> 'text'",
    "INTEGER": "typeof({column}) <> 'integer' OR {column} < 0",
    "REAL": "typeof({column}) NOT IN ('real', 'null') OR {column} <= 0 OR {column} > 1e300",
    "BLOB": "typeof({column}) <> 'blob'",
}
_RATIO = struct.Struct("<Id")  # campaign and ratio to the baseline: 0 of a row without one, NaN of no row

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
        if version < VERSION:
            raise self._unusable(f"it is of version {version}, and this headrace has {VERSION}")
        self._store.execute("PRAGMA foreign_keys = ON")
        self._store.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def __enter__(self) -> Index:
        """Use it, and let go of its file at the end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> None:
        """Raise BadInput for values that nobody can use; an error of another cause is left as it is."""
        told = isinstance(error, TypeError | ValueError | ArithmeticError | LookupError | MemoryError)
        try:
            if told and (self._is_damaged() or self._holds_other_values()):
                raise self._unusable(str(error)) from error
        finally:
            self.close()

    def _is_damaged(self) -> bool:
        """Ask SQLite, which takes longer than an answer does: it is asked when one could not be given."""
        return self._rows("PRAGMA integrity_check(1)") != [("ok",)]

    def _holds_other_values(self) -> bool:
        """Ask for values that are not what their columns are for, though SQLite finds its pages whole."""
        declared = self._rows(
            "SELECT tables.name, columns.name, columns.type FROM sqlite_master AS tables,"
            " pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'"
        )
        others = [
            f"SELECT 1 FROM {table} WHERE {_OTHER.get(kind, '1').format(column=column)}"
            for table, column, kind in declared
        ]
        others.append(f"SELECT 1 FROM campaign WHERE id >= {1 << 32}")
        return any(self._rows(f"{each} LIMIT 1") for each in others)

    # --- what goes in

    def add(self, file: Path) -> Added:
        """Add a results file, or read it again where it has changed. Raises BadInput."""
        from headrace.judge.table import load

        return self.add_read(file, load(file))  # whose sentences say what is wrong with a file

    def add_read(self, file: Path, campaign: Campaign) -> Added:
        """Add a results file that was read. Raises BadInput."""
        digest, size, changed = _state(file)
        name = self._name(file)
        with self._changing():
            known = self._rows("SELECT digest FROM campaign WHERE file = ? OR digest = ?", (name, digest))
            if (digest,) in known:
                self._remove("file = ? AND digest <> ?", (name, digest))
                self._store.execute(
                    "UPDATE campaign SET file = ?, changed = ? WHERE digest = ?", (name, changed, digest)
                )
                return "known"
            self._remove("file = ?", (name,))
            self._insert(campaign, name, digest, size, changed)
        return "read again" if known else "added"

    def _insert(self, campaign: Campaign, name: str, digest: str, size: int, changed: int) -> None:
        from headrace.results.schema import Role, role_of

        host = host_of(campaign)
        machine = f"{campaign.machine.cpu}, {campaign.machine.cores} processors"
        failed = sum(row.outcome not in ("ok", "skipped") for row in campaign.rows)
        told = (_utc(campaign.started), campaign.commit, campaign.headrace_version, host, machine, failed)
        insert = "INSERT INTO campaign VALUES (NULL,?,?,?,?,?,?,?,?,?,?) RETURNING id"
        ((number,),) = self._store.execute(insert, (name, digest, size, changed, *told))
        compilers = {chain.name: chain.version for chain in campaign.toolchains}
        baselines = {info.name: info for info in campaign.benchmarks}
        for row in campaign.rows:
            info = baselines.get(row.benchmark)
            if not row.samples or (info and role_of(row, info) is Role.TWIN):
                continue
            series, (ratio, *figures) = self._series(row, host), _figures(row)
            point = (series, number, compilers.get(row.toolchain, ""), *figures)
            self._store.execute("INSERT OR REPLACE INTO point VALUES (?,?,?,?,?,?,?)", point)
            self._pack(series, number, ratio or 0.0)

    def _pack(self, series: int, campaign: int, ratio: float) -> None:
        packed = _RATIO.pack(campaign, ratio)
        self._store.execute(
            "INSERT INTO ratios VALUES (?1, ?2 / 1024, ?3, ?4) ON CONFLICT DO UPDATE"
            " SET packed = CAST(packed || excluded.packed AS BLOB), checksum = checksum + excluded.checksum",
            (series, campaign, packed, sum(struct.unpack("<3I", packed))),
        )

    def _remove(self, where: str, values: Sequence[str]) -> None:
        """Remove campaigns with their points. Their numbers may be given again."""
        for (campaign,) in self._rows(f"SELECT id FROM campaign WHERE {where}", values):
            for (series,) in self._rows("SELECT series FROM point WHERE campaign = ?", (campaign,)):
                self._pack(series, campaign, math.nan)
            self._store.execute("DELETE FROM campaign WHERE id = ?", (campaign,))

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
        folder = self._folder
        return [Entry(folder / name, *rest) for name, *rest in rows]

    def series(self, benchmark: str, host: str = "") -> list[tuple[int, Series]]:
        """Return the series of a benchmark, on the hosts whose names begin so."""
        rows = self._rows(
            "SELECT id, benchmark, name, toolchain, optimisation, route, setting, host FROM series"
            " WHERE benchmark = ? AND host GLOB ? || '*' ORDER BY host, name, toolchain, optimisation, route",
            (benchmark, host),
        )
        return [(number, Series(*words)) for number, *words in rows]

    def points(self, series: Sequence[int], question: Question) -> list[Points]:
        """Return what campaigns found of each of some series, the oldest first."""
        import numpy as np

        where, values = question.where()
        rows = self._rows(f"SELECT id FROM campaign WHERE {where} ORDER BY started, id", values)
        campaigns = np.fromiter((number for (number,) in rows), np.int64, len(rows))
        places = np.full(
            campaigns.max(initial=0) + 2, len(rows), np.int32
        )  # by campaign; the last is of none
        places[campaigns] = np.arange(len(rows))
        points = []
        for number in series:
            ratios = self._ratios(number, places)
            has_row = ~np.isnan(ratios)
            own = (campaigns, ratios) if has_row.all() else (campaigns[has_row], ratios[has_row])
            points.append(Points(self, number, question, *own))
        return points

    def _ratios(self, series: int, places: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Return those of a series by the places of their campaigns, and NaN where it has none."""
        import numpy as np

        parts = self._rows("SELECT packed, checksum FROM ratios WHERE series = ?", (series,))
        pair = np.dtype([("campaign", "<u4"), ("ratio", "<f8")])  # _RATIO
        try:  # SQLite sees no damage inside of a blob
            whole = b"".join(part for part, _ in parts)
            packed = np.frombuffer(whole, pair)
            checksum = sum(known for _, known in parts) % 2**32
            is_whole = np.frombuffer(whole, "<u4").sum(dtype=np.uint32) == checksum
        except (TypeError, ValueError) as error:
            raise self._unusable(error) from error
        if not is_whole:
            raise self._unusable("its ratios do not have their checksum")
        ratios = np.full(places[-1] + 1, np.nan)
        ratios[places.take(packed["campaign"], mode="clip")] = packed["ratio"]
        return ratios[:-1]

    def benchmarks(self) -> list[str]:
        """Return the names that the index knows."""
        return [name for (name,) in self._rows("SELECT DISTINCT benchmark FROM series ORDER BY 1")]

    def check(self, files: Iterable[Path]) -> list[Path]:
        """Return the files that are gone. Raises BadInput for one that was edited since it was indexed."""
        gone = []
        for file in dict.fromkeys(files):
            rows = self._rows(
                "SELECT digest, size, changed FROM campaign WHERE file = ?", (self._name(file),)
            )
            if not rows:
                raise self._lacking()
            ((digest, size, changed),) = rows
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

    @cached_property
    def _folder(self) -> Path:
        """Return what names are relative to, as short as it can be said from here."""
        whole = self.file.resolve().parent
        relative = os.path.relpath(whole)
        return whole if relative.startswith("..") else Path(relative)

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> list[Any]:
        """Ask the database. Raises BadInput where its file is damaged."""
        try:
            return self._store.execute(query, values).fetchall()
        except _FAULTS as error:
            raise self._unusable(error) from error

    def _unusable(self, why: Exception | str) -> BadInput:
        return BadInput(
            f"cannot use {self.file} as an index: {why}; headrace history rebuild makes it again from the "
            "results files, or name another with --index"
        )

    def _lacking(self) -> BadInput:
        """Say why a row is absent that was there a moment ago."""
        if self._is_damaged():
            return self._unusable("its tables contradict each other")
        return BadInput(f"{self.file} was changed while it was read; ask again")

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


@dataclass(frozen=True)
class Points:
    """What campaigns found of a series, the oldest first. A point is read when it is asked for."""

    index: Index
    series: int
    question: Question
    campaigns: npt.NDArray[np.int64]
    ratios: npt.NDArray[np.float64]  # 0: there is none

    def __len__(self) -> int:
        """Return how many campaigns have one."""
        return len(self.campaigns)

    def __iter__(self) -> Iterator[Point]:
        """Read all of them at once."""
        ratios = dict(zip(map(int, self.campaigns), map(float, self.ratios), strict=True))
        return self._read(*self.question.where(), ratios)

    def __getitem__(self, at: int) -> Point:
        """Read one."""
        campaign = int(self.campaigns[at])
        (point,) = self._read("campaign.id = ?", [campaign], {campaign: float(self.ratios[at])})
        return point

    def _read(self, where: str, values: Sequence[str | int], unread: dict[int, float]) -> Iterator[Point]:
        """Read the points of campaigns with these ratios. Others may have been added since."""
        folder = self.index._folder
        rows = self.index._rows(
            "SELECT campaign.id, file, started, revision, compiler, low, high, wall, rounds"
            " FROM point JOIN campaign ON campaign.id = point.campaign"
            f" WHERE point.series = ? AND {where} ORDER BY started, campaign.id",
            (self.series, *values),
        )
        for campaign, name, started, revision, compiler, *rest in rows:
            if campaign in unread:
                yield Point(folder / name, started, revision, compiler, unread.pop(campaign) or None, *rest)
        if unread:
            raise self.index._lacking()


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
