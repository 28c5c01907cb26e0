"""Every program in examples/ compiles without a warning and does what it says, with g++ and with clang++."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

import native
from conftest import BuiltOnce
from headrace.matrix import needs
from headrace.matrix.compilers import Toolchain

FOLDER = native.TOP / "examples"
NEEDS = {"gzip_sum": ["zlib"], "with_fmt": ["fmt"], "zstd_sum": ["zstd"]}
FILTER = {"log_filter": ["error"]}  # arguments of programs that read standard input

pytestmark = pytest.mark.slow  # a compilation each


@dataclass(frozen=True)
class Built:
    """The programs of one toolchain; those that it lacks something for are in `missing`, with the reason."""

    programs: dict[str, Path]
    missing: dict[str, str]

    def program(self, name: str) -> Path:
        if name in self.missing:
            pytest.skip(self.missing[name])
        return self.programs[name]


Builds = list[Built]


@pytest.fixture(scope="module")
def builds(chains: list[Toolchain], built_once: BuiltOnce) -> Builds:
    """Build them with the library from its headers, and with another compiler from its source."""
    families = native.one_of_each_family(chains)
    return [build(chain, built_once, number > 0) for number, chain in enumerate(families)]


def build(chain: Toolchain, built_once: BuiltOnce, is_compiled: bool) -> Built:
    sources = sorted(FOLDER.glob("*.cpp"))
    missing = {name: needs.missing(need, chain) for name, wanted in NEEDS.items() for need in wanted}
    missing = {name: reason for name, reason in missing.items() if reason}

    def fill(folder: Path) -> None:
        library = native.library(chain, folder) if is_compiled else []

        def one(source: Path) -> None:
            if source.stem not in missing:
                native.compile_program(
                    source, folder / source.stem, chain, NEEDS.get(source.stem, []), library
                )

        with ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(one, sources))

    folder = built_once(f"examples-{chain.family}", fill)
    return Built({source.stem: folder / source.stem for source in sources}, missing)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.out")))
def test_output(name: str, builds: Builds) -> None:
    given = FOLDER / f"{name}.in"
    for built in builds:
        words = [built.program(name), *FILTER.get(name, [])]
        done = native.run(words, given.read_bytes() if given.exists() else b"")
        assert done.stdout.decode() == (FOLDER / f"{name}.out").read_text("utf-8")
        assert done.returncode == 0


def test_every_example_is_tested() -> None:
    """A new example needs an expected output beside it, or a test by name below."""
    by_name = {"column_sum", "compare_ways", "copy_progress", "guess", "gzip_sum", "survive", "zstd_sum"}
    assert {path.stem for path in FOLDER.glob("*.cpp")} == by_name | {
        path.stem for path in FOLDER.glob("*.out")
    }


def test_every_example_is_listed() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    for path in FOLDER.glob("*.cpp"):
        assert f"[{path.name}]({path.name})" in listed, f"examples/README.md does not list {path.name}"


def test_sum_names_a_bad_token(builds: Builds) -> None:
    for built in builds:
        done = native.run([built.program("sum")], b"3\n1 2x 3\n")
        assert done.returncode != 0
        assert b'<stdin>:2:3: expected an integer, found "2x"' in done.stderr


def test_log_filter_counts(builds: Builds) -> None:
    for built in builds:
        done = native.run([built.program("log_filter"), "error"], (FOLDER / "log_filter.in").read_bytes())
        assert done.stderr == b"2 of 4 lines\n"


def test_survive_reports_and_goes_on(builds: Builds) -> None:
    for built in builds:
        done = native.run([built.program("survive")], (FOLDER / "survive.in").read_bytes())
        assert done.stdout == b"65\n"
        assert done.returncode == 1
        assert done.stderr.decode().splitlines() == [
            '<stdin>:2:1: expected an integer, found "3O"',
            '<stdin>:3:2: expected an integer from -2147483648 to 2147483647, found "99999999999"',
        ]


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("price", 'sales.csv:3:9: expected a number, found "n/a"'),
        ("colour", 'sales.csv:1:1: no column is called "colour"'),
    ],
)
def test_column_sum_names_line_and_column(column: str, said: str, builds: Builds, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("item,n,price\nstone,2,10.5\nwheel,1,n/a\n")
    for built in builds:
        done = native.run([built.program("column_sum"), column, "sales.csv"], folder=tmp_path)
        assert (done.returncode, done.stderr.decode()) == (1, said + "\n")


def test_column_sum_adds(builds: Builds, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("item,n,,price\r\nstone,2,,10.5\r\nwheel,1,,0.25\r\n")
    for built in builds:
        done = native.run([built.program("column_sum"), "price", "sales.csv"], folder=tmp_path)
        assert (done.returncode, done.stdout) == (0, b"10.75\n")
        done = native.run([built.program("column_sum"), "price", "nowhere.csv"], folder=tmp_path)
        assert (done.returncode, done.stderr) == (1, b"nowhere.csv: cannot open: No such file or directory\n")


def test_gzip_sum_adds_and_names_what_is_wrong(builds: Builds, tmp_path: Path) -> None:
    text = "".join(f"{i}\n" for i in range(100000)).encode()
    packed = gzip.compress(text)
    for name, content, said in (
        ("plain.gz", text, "plain.gz: cannot read: no gzip data begins at byte 0\n"),
        ("good.gz", packed, "4999950000\n"),
        ("bad.gz", gzip.compress(text + b"x\n"), 'bad.gz:100001:1: expected an integer, found "x"\n'),
        (
            "short.gz",
            packed[:9000],
            "short.gz: cannot read: the gzip data is cut off: it ends at byte 9000\n",
        ),
    ):
        (tmp_path / name).write_bytes(content)
        for built in builds:
            done = native.run([built.program("gzip_sum"), name], folder=tmp_path)
            assert (done.stdout + done.stderr).decode().startswith(said)
            assert done.returncode == (name != "good.gz")
    for built in builds:
        done = native.run([built.program("gzip_sum"), "nowhere.gz"], folder=tmp_path)
        assert (done.returncode, done.stderr) == (1, b"nowhere.gz: cannot open: No such file or directory\n")


def pack_by_hand(content: bytes) -> bytes:
    """Return a frame of zstd (RFC 8878) whose blocks are not compressed: a window of 128 KiB, no checksum."""
    size = 100000
    blocks = [content[at : at + size] for at in range(0, len(content), size)] or [b""]
    frame = bytes.fromhex("28b52ffd 00 38")
    for number, block in enumerate(blocks, 1):
        header = len(block) << 3 | (number == len(blocks))
        frame += header.to_bytes(3, "little") + block
    return frame


def pack_by_zstd(content: bytes) -> bytes:
    if shutil.which("zstd") is None:
        pytest.skip("zstd is not here (apt install zstd)")
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


@pytest.mark.parametrize("pack", [pack_by_hand, pack_by_zstd])
def test_zstd_sum_adds_and_names_what_is_wrong(
    pack: Callable[[bytes], bytes], builds: Builds, tmp_path: Path
) -> None:
    text = "".join(f"{i}\n" for i in range(100000)).encode()
    packed = pack(text)
    for name, content, status, said in (
        ("good.zst", packed, 0, "4999950000\n"),
        ("twice.zst", packed + packed, 0, "9999900000\n"),
        ("empty.zst", pack(b""), 0, "0\n"),
        ("bad.zst", pack(text + b"x\n"), 1, 'bad.zst:100001:1: expected an integer, found "x"\n'),
        ("short.zst", packed[:-9000], 1, "short.zst: cannot read: "),
        ("nothing.zst", b"", 1, "nothing.zst: cannot read: "),
        ("plain.zst", text, 1, "plain.zst: cannot read: "),
    ):
        (tmp_path / name).write_bytes(content)
        for built in builds:
            done = native.run([built.program("zstd_sum"), name], folder=tmp_path)
            assert (done.stdout + done.stderr).decode().startswith(said), name
            assert done.returncode == status, name
    for built in builds:
        done = native.run([built.program("zstd_sum"), "nowhere.zst"], folder=tmp_path)
        assert (done.returncode, done.stderr) == (1, b"nowhere.zst: cannot open: No such file or directory\n")


@pytest.mark.parametrize("secret", [1, 1000, 617])
def test_guess_is_answered_as_it_asks(secret: int, builds: Builds) -> None:
    """The judge reads each question before it answers: a program that did not flush would hang here."""
    for built in builds:
        play(built.program("guess"), secret)


def play(program: Path, secret: int) -> None:
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdin is not None and player.stdout is not None
        for _ in range(10):
            guess = int(player.stdout.readline().removeprefix("? "))
            answer = "<" if guess < secret else ">" if guess > secret else "="
            player.stdin.write(answer + "\n")
            player.stdin.flush()
            if answer == "=":
                assert player.stdout.readline() == f"! {secret}\n"
                break
        else:
            pytest.fail("1000 numbers need ten questions at most")
        assert player.wait(timeout=native.RUNNING) == 0


def test_copy_progress(builds: Builds, tmp_path: Path) -> None:
    data = bytes(range(256)) * 4096 * 3
    (tmp_path / "from").write_bytes(data)
    for built in builds:
        done = native.run([built.program("copy_progress"), "from", "to"], folder=tmp_path)
        assert (done.returncode, done.stdout) == (0, f"{len(data)} bytes\n".encode())
        assert b"3 MiB\r" in done.stderr
        assert (tmp_path / "to").read_bytes() == data
        done = native.run([built.program("copy_progress"), "to", "to"], folder=tmp_path)
        assert done.returncode == 1 and done.stderr.startswith(b"to: ")
        (tmp_path / "to").unlink()


def test_compare_ways_gives_a_verdict(builds: Builds) -> None:
    for built in builds:
        done = native.run([built.program("compare_ways")])
        assert done.returncode == 0
        assert "compare:" in done.stdout.decode()


def usage(name: str) -> Callable[[Builds], None]:
    """Make a test that a program without its arguments says what it wants."""

    def test(builds: Builds) -> None:
        for built in builds:
            done = native.run([built.program(name)])
            assert (done.returncode, done.stderr[:6]) == (2, b"usage:")

    return test


test_usage_of_column_sum = usage("column_sum")
test_usage_of_copy_progress = usage("copy_progress")
test_usage_of_log_filter = usage("log_filter")
