"""What several tests of the lab share."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

import forked
import native
import required
from headrace.base import places
from headrace.base.errors import HeadraceError
from headrace.builds import build
from headrace.cli import app
from headrace.matrix import toolchains
from headrace.matrix.compilers import Toolchain

HERE = Path(__file__).resolve().parent
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIETLY = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
Command = Callable[..., "subprocess.CompletedProcess[str]"]
Fill = Callable[[Path], None]
BuiltOnce = Callable[[str, Fill], Path]
CompiledLibrary = Callable[[str], Path]
_failed: list[str] = []  # the first test that failed


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # By nohup, or in the background of a script. Commands that tests end by Ctrl-C would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `make check`."""
    parser.addoption(
        "--forks", action="store_true", help="fork commands from a process that has their modules"
    )
    parser.addoption("--quick", action="store_true", help="leave out races, documents, packages and browsers")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --quick, leave out what wants a toolchain or a browser, or is about the whole project."""
    if not config.getoption("quick"):
        return
    heavy = {"chain", "chains", "built_once", "browser"}

    def is_left_out(item: pytest.Item) -> bool:
        rooms = set(item.path.relative_to(HERE).parts) & {"library", "project"}
        compiles = any("g++" in mark.kwargs.get("reason", "") for mark in item.iter_markers("skipif"))
        return bool(rooms or compiles or heavy & set(getattr(item, "fixturenames", ())))

    config.hook.pytest_deselected(items=[item for item in items if is_left_out(item)])
    items[:] = [item for item in items if not is_left_out(item)]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Print the first failure when it happens; all of them are at the end."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ and not _failed:
        _failed.append(report.nodeid)
        print(f"\n{report.nodeid} failed:\n{report.longreprtext}", flush=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped for want of what HEADRACE_REQUIRE asks for has failed."""
    report = yield
    reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    reason = reason.removeprefix("Skipped: ")
    if lacks := required.lacking(reason, os.environ.get("HEADRACE_REQUIRE", "")):
        report.outcome = "failed"
        report.longrepr = f"{reason}; HEADRACE_REQUIRE wants {lacks}"
    return report


@pytest.fixture(scope="session")
def chains() -> list[Toolchain]:
    """Every usual toolchain of this machine, with the launcher built.

    One worker of pytest tries the compilers, half a minute where nothing is known of them; others read of it.
    """
    with (places.cache_folder() / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = toolchains.find().toolchains
        build.launcher(found)
    return found


@pytest.fixture
def own_cache(chains: list[Toolchain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for one test, which has only what `chains` needs: what compilers answered, and the launcher."""
    folder = tmp_path / "cache"
    for name in ("launcher", "toolchains"):
        kept = shutil.ignore_patterns(".*")  # another worker may be writing these
        shutil.copytree(places.cache_folder(name), folder / name, ignore=kept)
    monkeypatch.setenv("HEADRACE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> BuiltOnce:
    """Return a folder that one worker of pytest fills; another one that wants it waits, and uses it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def folder(name: str, fill: Fill) -> Path:
        made, whole = shared / name, shared / f"{name}.whole"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not whole.exists():
                shutil.rmtree(made, ignore_errors=True)  # a worker failed half-way
                made.mkdir()
                fill(made)
                whole.touch()
        return made

    return folder


@pytest.fixture(scope="session")
def compiled_library(built_once: BuiltOnce) -> CompiledLibrary:
    """Return the library's own object, which a compiler of this name makes once for all tests."""

    def by(compiler: str) -> Path:
        def fill(folder: Path) -> None:
            words = ["-std=c++17", "-O0", "-DHEADRACE_COMPILED=1", f"-I{native.TOP / 'include'}", "-c"]
            source = native.TOP / "src" / "headrace.cpp"
            done = native.compiler(compiler, *words, source, "-o", folder / "headrace.o")
            assert done.returncode == 0, done.stderr

        return built_once(f"compiled-{compiler}", fill) / "headrace.o"

    return by


@pytest.fixture
def whole_machine() -> Iterator[None]:
    """No other test that looks at the processes of the whole machine runs meanwhile."""
    with (Path(tempfile.gettempdir()) / f"headrace-tests-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def chain(chains: list[Toolchain]) -> Toolchain:
    return chains[0]


@pytest.fixture(
    scope="module"
)  # not of the session: while it is open, nobody can run an event loop of asyncio
def browser() -> Iterator[Any]:
    """Chromium, as playwright drives it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    binary = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if binary is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=binary, args=QUIETLY)
        yield opened
        opened.close()


@pytest.fixture
def misbehaving() -> Path:
    return HERE / "benchmarks" / "misbehaving"


@pytest.fixture(scope="session")
def forks(request: pytest.FixtureRequest) -> Iterator[forked.Server | None]:
    """What forks commands, where --forks asks for it: its modules are loaded once for a worker of pytest."""
    if not request.config.getoption("forks") or not hasattr(os, "fork"):
        yield None
        return
    server = forked.Server()
    yield server
    server.close()


@pytest.fixture
def headrace(tmp_path: Path, forks: forked.Server | None) -> Command:
    """Run the command in an empty folder, as a person would.

    With --forks it is forked from a process that has its modules, and a new process where variables are given
    that matter before the command begins. `code` is the exit code with which it has to end; None: any.
    """

    def run(*words: str, code: int | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **variables}
        if forks and forks.can_have(environment):
            return ended(forks.run(words, tmp_path, environment, native.LONGEST), code)
        done = subprocess.run(
            command(words),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=native.LONGEST,
        )
        return ended(done, code)

    return run


def ended(done: subprocess.CompletedProcess[str], code: int | None) -> subprocess.CompletedProcess[str]:
    """Return how a command ended, which is with this exit code, and never with a traceback."""
    assert code in (None, done.returncode), f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command in an empty folder and in this process: a second less, and no terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, code: int | None = None) -> subprocess.CompletedProcess[str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = app(list(words), standalone_mode=False, prog_name="headrace")
            except HeadraceError as error:
                status = error.exit_code
                err.write(f"headrace: {error}\n")
            except click.ClickException as error:
                status = 2
                err.write(f"headrace: {error.format_message()}\n")
        status = status if isinstance(status, int) else 0
        return ended(subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue()), code)

    return run


def command(words: Sequence[str]) -> list[str]:
    """Return the command line that runs headrace from these sources."""
    program = "import sys; sys.argv[0] = 'headrace'; from headrace.__main__ import main; main()"
    return [sys.executable, "-c", program, *words]


def refused(words: Sequence[str], folder: Path) -> tuple[int, bytes]:
    """Answer no to the question that a command asks on a terminal. Returns its exit code and what it said."""
    leader, follower = pty.openpty()
    try:
        process = subprocess.Popen(
            command(words), cwd=folder, stdin=follower, stdout=follower, stderr=follower
        )
        os.close(follower)
        said = b""
        while b"[y/N]" not in said:
            said += os.read(leader, 4096)
        os.write(leader, b"n\n")
        return process.wait(60), said
    finally:
        os.close(leader)
