"""examples/python: built from its own sdist; what NumPy, polars, pyarrow and duckdb make of its tables."""

from __future__ import annotations

import datetime
import gc
import importlib.util
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import native

FOLDER = native.TOP / "examples" / "python"
ROWS = 20_000  # more than a piece, so that two threads read
COLUMNS = [
    ("day", "date"),
    ("id", "int64"),
    ("price", "float64?"),
    ("name", "text"),
    ("seen", "timestamp"),
    ("ok", "bool?"),
]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)

pytestmark = [
    pytest.mark.slow,  # a compilation
    pytest.mark.skipif(
        not Path(sysconfig.get_path("include"), "Python.h").exists(), reason="no Python.h beside this Python"
    ),
]


def run(*command: str | Path, cwd: Path) -> None:
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture(scope="module")
def fast_csv(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Build the module from its sdist, away from the checkout."""
    pytest.importorskip("setuptools", reason="needs setuptools: pip install setuptools")
    folder = tmp_path_factory.mktemp("python")
    for name in ("fast_csv.cpp", "pyproject.toml", "setup.py", "README.md"):
        (folder / "example" / "python").mkdir(parents=True, exist_ok=True)
        (folder / "example" / "python" / name).write_bytes((FOLDER / name).read_bytes())
    (folder / "include").symlink_to(native.TOP / "include")
    run(sys.executable, "setup.py", "-q", "sdist", "-d", folder, cwd=folder / "example" / "python")
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    (folder / "include").unlink()
    (source,) = (folder / "unpacked").iterdir()
    run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=source)
    (library,) = source.glob("fast_csv*.so")
    spec = importlib.util.spec_from_file_location("fast_csv", library)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected(i: int) -> tuple[object, ...]:
    """Return what row i holds, in the order of COLUMNS."""
    return (
        datetime.date(2000, 1, 1) + datetime.timedelta(days=i % 9000),
        i * 123_456_789 - 5,
        None if i % 7 == 0 else i / 8,
        f'né "{i}", two\nlines' if i % 9 == 0 else f"name {i}",
        EPOCH + datetime.timedelta(microseconds=i * 1_000_001),
        None if i % 5 == 0 else i % 2 == 0,
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["id,ok,name,extra,price,day,seen\n"]
    for i in range(ROWS):
        day, number, price, name, at, ok = expected(i)
        quoted = '"' + str(name).replace('"', '""') + '"'
        assert isinstance(at, datetime.datetime)
        flag = "" if ok is None else int(bool(ok))
        when = at.isoformat().removesuffix("+00:00")
        lines.append(f"{number},{flag},{quoted},x,{'' if price is None else price},{day},{when}\n")
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("".join(lines), "utf-8")
    return path


@pytest.mark.parametrize("threads", [1, 2])
def test_numpy_sees_numbers_where_they_are(fast_csv: ModuleType, file: Path, threads: int) -> None:
    table = fast_csv.read_csv(file, [("id", "int64"), ("name", "text")], threads=threads)
    assert (len(table), table.names) == (ROWS, ["id", "name"])
    first, second = np.asarray(table["id"]), np.asarray(table["id"])
    assert first.dtype == np.int64 and np.shares_memory(first, second) and not first.flags.writeable
    del table, second
    gc.collect()
    assert (first == np.arange(ROWS) * 123_456_789 - 5).all()


@pytest.mark.parametrize(
    ("type_", "dtype"),
    [
        ("int32", "i4"),
        ("int64", "i8"),
        ("uint64", "u8"),
        ("float32", "f4"),
        ("float64", "f8"),
        ("int64?", "i8"),
    ],
)
def test_each_type_of_number(fast_csv: ModuleType, tmp_path: Path, type_: str, dtype: str) -> None:
    (tmp_path / "few.csv").write_text("n\n1\n2\n", "utf-8")
    seen = np.asarray(fast_csv.read_csv(tmp_path / "few.csv", [("n", type_)])["n"])
    assert seen.dtype == np.dtype(dtype) and seen.tolist() == [1, 2]
    (tmp_path / "few.csv").write_text("n\n", "utf-8")
    assert np.asarray(fast_csv.read_csv(tmp_path / "few.csv", [("n", type_)])["n"]).shape == (0,)


def test_a_consumer_may_leave_what_it_was_given(fast_csv: ModuleType, file: Path) -> None:
    table = fast_csv.read_csv(file, COLUMNS)
    capsules = [table.__arrow_c_stream__(), table.__arrow_c_stream__(requested_schema=None)]
    assert "arrow_array_stream" in repr(capsules[0])
    del table, capsules
    gc.collect()


def rows_of_polars(table: object) -> list[tuple[object, ...]]:
    polars = pytest.importorskip("polars", reason="needs polars: pip install polars==2.1.0")
    rows: list[tuple[object, ...]] = polars.DataFrame(table).rows()
    return rows


def rows_of_pyarrow(table: object) -> list[tuple[object, ...]]:
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install pyarrow==26.0.1")
    whole = pyarrow.table(table)
    whole.validate(full=True)
    return [tuple(row.values()) for row in whole.to_pylist()]


def rows_of_duckdb(trades: object) -> list[tuple[object, ...]]:
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb: pip install duckdb==2.0.1")
    columns = "day, id, price, name, epoch_us(seen), ok"
    rows = duckdb.sql(f"select {columns} from trades").fetchall()  # it finds the variable by its name
    return [(*row[:4], EPOCH + datetime.timedelta(microseconds=row[4]), row[5]) for row in rows]


CONSUMERS = [rows_of_polars, rows_of_pyarrow, rows_of_duckdb]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows_of", CONSUMERS)
def test_frames_have_each_value(fast_csv: ModuleType, file: Path, rows_of: object, threads: int) -> None:
    assert callable(rows_of)
    table = fast_csv.read_csv(file, COLUMNS, threads=threads)
    for _ in range(2):  # a table can be taken more than once
        assert rows_of(table) == [expected(i) for i in range(ROWS)]


@pytest.mark.parametrize("rows_of", CONSUMERS)
def test_frames_may_be_empty(fast_csv: ModuleType, tmp_path: Path, rows_of: object) -> None:
    assert callable(rows_of)
    (tmp_path / "none.csv").write_text("id,ok,name,extra,price,day,seen\n", "utf-8")
    assert rows_of(fast_csv.read_csv(tmp_path / "none.csv", COLUMNS)) == []


def test_bad_rows_are_set_aside(fast_csv: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("id,name\n1,a\nx,b\n3\n4,d\n", "utf-8")
    rejects: list[tuple[int, int, int, str]] = []
    table = fast_csv.read_csv(path, [("id", "int64")], rejects=rejects)
    assert np.asarray(table["id"]).tolist() == [1, 4]
    assert rejects == [
        (2, 3, 1, f'{path}:3:1: column 1 "id": expected an integer, found "x"'),
        (3, 4, 1, f"{path}:4:1: expected 2 fields, found 1"),
    ]


@pytest.mark.parametrize(
    ("content", "columns", "kind", "said"),
    [
        (b"id\nx\n", [("id", "int64")], ValueError, ':2:1: column 1 "id": expected an integer, found "x"'),
        (b"id\n1\n", [("no", "int64")], ValueError, ':1:1: the header has no column "no"'),
        (b"t\na\ncaf\xe9\n", [("t", "text")], ValueError, 'row 2, column "t": not UTF-8 from byte 4 on:'),
        (b"id\n", [("id", "int")], ValueError, 'column "id": there is no type "int"; types are bool, int32,'),
        (b"id\n", [], ValueError, "columns is empty"),
        (b"id\n", ["id"], TypeError, "a column is a tuple of its name and its type"),
        (b"id\n", 5, TypeError, "columns is a list of tuples"),
        (None, [("id", "int64")], FileNotFoundError, "cannot open: No such file or directory"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    fast_csv: ModuleType,
    tmp_path: Path,
    content: bytes | None,
    columns: object,
    kind: type[Exception],
    said: str,
) -> None:
    if content is not None:
        (tmp_path / "file.csv").write_bytes(content)
    with pytest.raises(kind) as raised:
        fast_csv.read_csv(tmp_path / "file.csv", columns)
    assert said in str(raised.value)


def test_what_is_no_number_is_left_to_arrow(fast_csv: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text("n,t\n,a\n1,b\n", "utf-8")
    table = fast_csv.read_csv(tmp_path / "file.csv", [("n", "int64?"), ("t", "text")])
    for name in table.names:
        with pytest.raises(TypeError, match="is not of numbers alone: take it by Arrow"):
            table[name]
    with pytest.raises(KeyError):
        table["x"]
